/** Takes the first wall between organisations away: what is hidden then, row-level security hides. */
import type { DatabaseDriver, DatabaseSession } from '../../../src/service/sql/driver.ts'

export type Change = (sql: string, parameters: readonly unknown[]) => readonly [string, readonly unknown[]]

/** Statements that lost the condition on their organisation. */
export const WITHOUT_CONDITION: Change = (sql, parameters) => [
  sql.replace(/(\w+\.)?\borganisation = \$1/g, () => '$1::text is not null'),
  parameters,
]

/**
 * The driver with a change of each statement of an organisation.
 *
 * @param isHidden false to take the second wall away, too
 */
export function changed(driver: DatabaseDriver, change: Change, isHidden = true): DatabaseDriver {
  const sessionOf = (session: Pick<DatabaseSession, 'query'>): Pick<DatabaseSession, 'query'> => ({
    query: (sql, parameters = []) => session.query(...change(sql, parameters)),
  })
  return {
    ...driver,
    within: (organisation) => {
      const inner = isHidden ? driver.within(organisation) : driver
      return {
        ...sessionOf(inner),
        transaction: (run, isSnapshot) =>
          inner.transaction((session) => run({ ...session, ...sessionOf(session) }), isSnapshot),
      }
    },
    close: () => Promise.resolve(),
  }
}
