/** Runs the store's statements, each for the rows of one organisation. */
import type { DatabaseDriver, DatabaseSession } from './driver.ts'
import { textQueryOf, type Query, queryOf, rowlessQueryOf, type Sql } from './query.ts'

export type OrganisationAccess = ReturnType<typeof organisationAccessOf>

/** Runs statements for one organisation. Its id is `$1` in each statement. */
export function organisationAccessOf(driver: DatabaseDriver, organisation: string) {
  const within = driver.within(organisation)
  const on = (session: Pick<DatabaseSession, 'query'>): Query => queryOf(session, organisation)
  const query = on(within)
  return {
    query,
    run: rowlessQueryOf(query),
    ask: textQueryOf(within, organisation),
    /** Runs a counting statement, given without its leading `select`, and resolves with its `count` column. */
    count: async (counted: Sql): Promise<number> => {
      const [row] = await query<{ count: number }>`select ${counted}`
      return row?.count ?? 0
    },
    transaction: <Result>(work: (query: Query) => Promise<Result>): Promise<Result> =>
      within.transaction((session) => work(on(session))),
  }
}
