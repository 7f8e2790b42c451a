/** The database errors that the store's callers handle. */
import { PlainError } from '../../server/reasons.ts'

/** Another writer appended first. The caller must read and decide again. */
export class VersionConflict extends Error {}

/**
 * `away`: the database is unreachable, ended the connection, or does not respond in time. `full`: its disk is full.
 * `readOnly`: it is a standby, or configured to refuse writes. `locked`: another transaction held locks on the rows for
 * too long. `cancelled`: the statement took too long, or an operator cancelled it. `busy`: there is no free memory or
 * connection.
 */
export type StoreProblem = 'away' | 'full' | 'readOnly' | 'locked' | 'cancelled' | 'busy'

/** Each problem as the beginning of a sentence for an administrator. */
export const STORE_PROBLEMS: Readonly<Record<StoreProblem, string>> = {
  away: 'The database does not answer',
  full: 'The database has no room on its disk',
  readOnly: 'The database takes no writes',
  locked: 'The database kept rows locked for too long',
  cancelled: 'The database cancelled a statement',
  busy: 'The database has too much to do',
}

export const DATABASE_ADVICE =
  'Check DATABASE_URL, the password, and that the network lets this machine reach the database.'

/** Problems of single statements. The database still runs other statements, so the instance can serve requests. */
const PASSING: ReadonlySet<StoreProblem> = new Set(['locked', 'cancelled', 'busy'])
export const isStatementProblem = (problem: StoreProblem): boolean => PASSING.has(problem)

/**
 * The state of the database prevents the call, and nothing was written. The message is a sentence without its full
 * stop.
 */
export class StoreUnavailable extends PlainError {
  readonly problem: StoreProblem
  /** The SQLSTATE; null if the database did not respond. */
  readonly sqlState: string | null

  constructor(
    message: string,
    options: ErrorOptions & Partial<Pick<StoreUnavailable, 'problem' | 'sqlState'>> = {},
  ) {
    super(message, options)
    this.problem = options.problem ?? 'away'
    this.sqlState = options.sqlState ?? null
  }
}
