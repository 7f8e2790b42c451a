/** How the parts of a store ask the database, each for the rows of one organisation. */
import type { Driver, Session } from './driver.ts'
import { askOf, type Query, queryOf, runOf, type Sql } from './query.ts'

export type Access = ReturnType<typeof accessOf>

/** Runs statements for one organisation, whose id is `$1` in each of them. */
export function accessOf(driver: Driver, organisation: string) {
  const within = driver.within(organisation)
  const on = (session: Pick<Session, 'query'>): Query => queryOf(session, organisation)
  const query = on(within)
  return {
    query,
    run: runOf(query),
    ask: askOf(within, organisation),
    /** Resolves with the value that a statement calls `count`. Its `select` is left out. */
    count: async (counted: Sql): Promise<number> => {
      const [row] = await query<{ count: number }>`select ${counted}`
      return row?.count ?? 0
    },
    transaction: <Result>(work: (query: Query) => Promise<Result>): Promise<Result> =>
      within.transaction((session) => work(on(session))),
  }
}
