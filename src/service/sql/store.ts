/** Stores the data of one organisation in the SQL database. */
import { organisationAccessOf } from './access.ts'
import { createClickStore } from './clicks.ts'
import { createDirectoryStore, DIRECTORY_TABLES } from './directoryStore.ts'
import type { DatabaseDriver } from './driver.ts'
import { createFactStore } from './facts.ts'
import { createLeaseStore } from './leases.ts'
import { createOrderedPeopleStore } from './orderedPeople.ts'
import { createPeopleStore } from './people.ts'
import { createPeopleWriter } from './peopleWrites.ts'
import { type PersonRow, personOfRow, PERSON_READ_COLUMNS } from './personRows.ts'
import { createPictureStore } from './pictures.ts'
import { createPlanStore } from './plans.ts'
import { STORE_PROBLEMS, StoreUnavailable } from './problems.ts'
import { rawSql } from './query.ts'
import { createReleaseStore } from './releases.ts'
import { createReportStore } from './reported.ts'
import { createWordStore } from './searchTerms.ts'
import { createKeyStore } from './signingKeys.ts'
import { createSummaryStore } from './summary.ts'
import { createWorkStore } from './work.ts'

/** The tables that `clearPeople` empties completely. */
const PEOPLE_TABLES = ['person', 'address', 'told', ...DIRECTORY_TABLES]
/** The tables whose rows expire at their `until` time. Leases also expire, but are taken over instead of deleted. */
const EXPIRING_TABLES = ['plan', 'planned_picture', 'progress', 'stop_request']
/** The other tables that `clear` empties. */
const OTHER_TABLES = ['event', 'release', 'picture', 'lease', 'counted_link', 'counted_click']

export type Store = ReturnType<typeof createStore>

/**
 * Calls reject with `StoreUnavailable` when the database is unavailable. A missing row is not an error.
 *
 * @param organisation the organisation's id, which is the first part of every key
 */
export function createStore(driver: DatabaseDriver, organisation: string) {
  const access = organisationAccessOf(driver, organisation)
  const { query, transaction } = access
  return {
    ...createFactStore(access),
    ...createPeopleStore(access, organisation),
    ...createPeopleWriter(access),
    ...createSummaryStore(access),
    ...createReleaseStore(access),
    ...createClickStore(access),
    ...createPictureStore(access),
    ...createReportStore(access),
    ...createKeyStore(access),
    ...createPlanStore(access),
    ...createWorkStore(access),
    ...createLeaseStore(access),

    /** The data reported by the directory. */
    directory: createDirectoryStore(access),

    /** People in the order of lists. Writes of people update it. */
    order: createOrderedPeopleStore(access),

    /** The words that find people. Writes of people update them. */
    words: createWordStore<PersonRow>(query, transaction, {
      columns: PERSON_READ_COLUMNS,
      personOf: personOfRow,
    }),

    /** Deletes expired plans, planned pictures, progress and stop requests. */
    dropExpired: async (now: number): Promise<void> => {
      for (const table of EXPIRING_TABLES)
        await query`delete from ${rawSql(table)} where organisation = $1 and until <= ${now}::bigint`
    },
    /** Resolves when the database responds and accepts writes. */
    ping: async (): Promise<void> => {
      const [answer] = await driver.query<{ state: string }>(
        "select current_setting('transaction_read_only') as state",
      )
      if (answer?.state === 'on')
        throw new StoreUnavailable(STORE_PROBLEMS.readOnly, { problem: 'readOnly', sqlState: '25006' })
    },
    /** Empties all tables of the organisation except the signing keys. For the playground and tests. */
    clear: () =>
      transaction(async (inside) => {
        for (const table of [...OTHER_TABLES, ...EXPIRING_TABLES, ...PEOPLE_TABLES])
          await inside`delete from ${rawSql(table)} where organisation = $1`
      }),
    /** Empties the tables of people and of the directory. For the playground and tests. */
    clearPeople: () =>
      transaction(async (inside) => {
        for (const table of PEOPLE_TABLES) await inside`delete from ${rawSql(table)} where organisation = $1`
        await inside`delete from event where organisation = $1 and stream <> 'organisation'`
      }),
    close: () => driver.close(),
  }
}
