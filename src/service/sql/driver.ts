/** The interface shared by PostgreSQL and the embedded database. */
import { errorReason } from '../../server/reasons.ts'
import { STORE_PROBLEMS, type StoreProblem, StoreUnavailable } from './problems.ts'

/**
 * Runs statements. In result rows, `bigint` becomes a number, `bytea` becomes a plain Uint8Array, and `json` is parsed.
 */
export type DatabaseSession = Readonly<{
  query: <Row extends object>(sql: string, parameters?: readonly unknown[]) => Promise<readonly Row[]>
  /** Runs several statements without parameters. */
  script: (sql: string) => Promise<void>
}>

/** Calls reject with `StoreUnavailable` when the database is unavailable. Other errors have an SQLSTATE. */
export type DatabaseDriver = DatabaseSession &
  Readonly<{
    /**
     * Commits when `run` resolves, else rolls back. A snapshot is read-only, and sees a single state of the database.
     */
    transaction: <Result>(
      run: (session: DatabaseSession) => Promise<Result>,
      isSnapshot?: boolean,
    ) => Promise<Result>
    /** The same database for one organisation. Rows of other organisations are hidden, and cannot be written. */
    within: (organisation: string) => Pick<DatabaseDriver, 'query' | 'transaction'>
    close: () => Promise<void>
  }>

/** The SQLSTATE of an error; null if the error is not from the database. */
export function sqlState(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && 'severity' in (error as Error)
    ? code
    : null
}

/** The problem for each SQLSTATE code or class. The first match counts. */
const PROBLEMS: readonly (readonly [states: RegExp, problem: StoreProblem])[] = [
  [/^53100$/, 'full'],
  [/^25006$/, 'readOnly'],
  // A lock timeout, or a deadlock.
  [/^(55P03|40P01)$/, 'locked'],
  // The time limit of a statement or transaction was reached, or an operator cancelled the statement.
  [/^(57014|25P0[34])$/, 'cancelled'],
  [/^53/, 'busy'],
  // Connection errors (08), interventions by the operator (57), and system errors (58).
  [/^(08|57|58)/, 'away'],
]

/**
 * Converts an error to `StoreUnavailable` if the state of the database caused it; null if only the statement failed.
 */
export function asStoreUnavailable(error: unknown): StoreUnavailable | null {
  const state = sqlState(error)
  const [, problem] = PROBLEMS.find(([states]) => state !== null && states.test(state)) ?? []
  if (problem === undefined || !(error instanceof Error)) return null
  return new StoreUnavailable(`${STORE_PROBLEMS[problem]}: ${errorReason(error, 'it reports an error')}`, {
    problem,
    sqlState: state,
    cause: error,
  })
}
