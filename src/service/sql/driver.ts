/** What the store needs of a database; the differences between the databases end here. */
import { STORE_PROBLEMS, type StoreProblem, StoreUnavailable } from './store.ts'

/** `bigint` is a number, `bytea` a plain Uint8Array, `json` is parsed. */
export type Session = Readonly<{
  query: <Row extends object>(sql: string, parameters?: readonly unknown[]) => Promise<readonly Row[]>
  /** Several statements without parameters. */
  script: (sql: string) => Promise<void>
}>

/** Rejects with `StoreUnavailable` for a reason of the database's own; other errors have their `sqlState`. */
export type Driver = Session &
  Readonly<{
    /** Commits when `run` resolves, else rolls back. A snapshot reads one state of the database and writes nothing. */
    transaction: <Result>(run: (session: Session) => Promise<Result>, isSnapshot?: boolean) => Promise<Result>
    close: () => Promise<void>
  }>

/** The five characters of SQLSTATE by which the database told an error, else null. */
export function sqlState(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && 'severity' in (error as Error)
    ? code
    : null
}

/** Codes and classes of SQLSTATE; the first that fits counts. */
const PROBLEMS: readonly (readonly [states: RegExp, problem: StoreProblem])[] = [
  [/^53100$/, 'full'],
  [/^25006$/, 'readOnly'],
  [/^(53|25P03|55P03)/, 'busy'],
  // The connection, an operator's hand or a time limit, the system.
  [/^(08|57|58)/, 'away'],
]

/** What an error of the database says of the database itself; null for one that is about the statement. */
export function unavailable(error: unknown): StoreUnavailable | null {
  const state = sqlState(error)
  const [, problem] = PROBLEMS.find(([states]) => state !== null && states.test(state)) ?? []
  if (problem === undefined || !(error instanceof Error)) return null
  return new StoreUnavailable(`${STORE_PROBLEMS[problem]}: ${error.message}`, {
    problem,
    sqlState: state,
    cause: error,
  })
}
