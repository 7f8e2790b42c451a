/** The calls about the directory and its syncs. */
import type { ServiceContext } from '../../context/serviceContext.ts'
import type { CallHandlers } from './routes.ts'

export const directoryCalls = ({ directory, releases }: ServiceContext) =>
  ({
    directory: () => directory.state(),

    async sync({ body: { try: isTrial, retire: mayDeactivate }, actor }) {
      const run = await directory.sync({ isTrial, mayDeactivate }, actor)
      // Dry runs are not recorded, because they change nothing.
      if (!isTrial) await releases.write({ type: 'askSync', mayDeactivate }, actor)
      return run
    },

    async stopSync({ actor }) {
      await directory.stop(actor)
      return {}
    },
  }) satisfies Partial<CallHandlers>
