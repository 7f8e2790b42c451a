/** The interface of both databases. */
import { STORE_PROBLEMS, type StoreProblem, StoreUnavailable } from './problems.ts'

/** `bigint` is a number, `bytea` a plain Uint8Array, `json` is parsed. */
export type Session = Readonly<{
  query: <Row extends object>(sql: string, parameters?: readonly unknown[]) => Promise<readonly Row[]>
  /** Several statements without parameters. */
  script: (sql: string) => Promise<void>
}>

/** Rejects with `StoreUnavailable` because of the state of the database; other errors have an SQLSTATE. */
export type Driver = Session &
  Readonly<{
    /** Commits when `run` resolves, else rolls back. A snapshot is read-only and reads one state of the database. */
    transaction: <Result>(run: (session: Session) => Promise<Result>, isSnapshot?: boolean) => Promise<Result>
    close: () => Promise<void>
  }>

/** The SQLSTATE of an error; null for an error of another origin. */
export function sqlState(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && 'severity' in (error as Error)
    ? code
    : null
}

/** Codes and classes of SQLSTATE; the first match counts. */
const PROBLEMS: readonly (readonly [states: RegExp, problem: StoreProblem])[] = [
  [/^53100$/, 'full'],
  [/^25006$/, 'readOnly'],
  [/^(53|25P03|55P03)/, 'busy'],
  // Connection errors, an operator's intervention or a time limit, system errors.
  [/^(08|57|58)/, 'away'],
]

/** The problem of the database in an error; null for an error of the statement. */
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
