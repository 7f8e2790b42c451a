/** Runs the store's statements, each for the rows of one organisation. */
import type { Driver, Session } from './driver.ts'
import { askOf, type Query, queryOf, rowlessQueryOf, type Sql } from './query.ts'

export type Access = ReturnType<typeof accessOf>

/** Runs statements for one organisation. Its id is `$1` in each statement. */
export function accessOf(driver: Driver, organisation: string) {
  const within = driver.within(organisation)
  const on = (session: Pick<Session, 'query'>): Query => queryOf(session, organisation)
  const query = on(within)
  return {
    query,
    run: rowlessQueryOf(query),
    ask: askOf(within, organisation),
    /** Runs a counting statement, given without its leading `select`, and resolves with its `count` column. */
    count: async (counted: Sql): Promise<number> => {
      const [row] = await query<{ count: number }>`select ${counted}`
      return row?.count ?? 0
    },
    transaction: <Result>(work: (query: Query) => Promise<Result>): Promise<Result> =>
      within.transaction((session) => work(on(session))),
  }
}
