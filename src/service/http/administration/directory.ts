/** The calls about the directory and its syncs. */
import { suggestingValues } from '../../../../streams/organisation/rules/fieldValues.ts'
import { runInSlices } from '../../../server/timeSlices.ts'
import type { ServiceContext } from '../../context/serviceContext.ts'
import type { CallHandlers } from './routes.ts'

/** The number of people whose values are read. Larger organisations get the values of a part of their people. */
const PEOPLE_READ = 5_000

export const directoryCalls = ({ directory, releases, store }: ServiceContext) =>
  ({
    directory: () => directory.state(),

    async fieldValues({ query: { field, search }, client }) {
      const found = await store.fieldValues(field === 'group' ? null : field, PEOPLE_READ)
      const isSample = (await store.countPeople()) > PEOPLE_READ
      const suggested = await runInSlices(suggestingValues(found, search), { client })
      return { values: suggested.map(({ value, people }) => ({ value, people: isSample ? null : people })) }
    },

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
