/** Where people come from, and its syncs. */
import type { ServiceContext } from '../../serviceContext.ts'
import type { Handlers } from './routes.ts'

export type DirectoryCalls = Pick<Handlers, 'directory' | 'sync'>

export const directoryCalls = ({ directory, releases }: ServiceContext): DirectoryCalls => ({
  directory: () => directory.state(),

  async sync({ body: { try: isTrial, retire: mayDeactivate }, actor }) {
    const run = await directory.sync({ isTrial, mayDeactivate }, actor)
    // A dry run changes nothing.
    if (!isTrial) await releases.write({ type: 'askSync', mayDeactivate }, actor)
    return run
  },
})
