/** The errors of a database that the callers of the store handle. */
import { PlainError } from '../../server/reasons.ts'

/** Another writer appended first. The caller reads again and decides again. */
export class VersionMoved extends Error {}

/**
 * `away`: the database is unreachable, ended the connection, or does not respond in time. `full`: its disk is full.
 * `readOnly`: it is a standby, or configured to refuse writes. `locked`: another transaction kept the rows locked for too
 * long. `cancelled`: the database cancelled the statement, which took too long, or an operator did. `busy`: there is no
 * free memory or connection.
 */
export type StoreProblem = 'away' | 'full' | 'readOnly' | 'locked' | 'cancelled' | 'busy'

/** A problem as the beginning of a sentence for an administrator. */
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

/** Problems of some statements. The database still runs others, so that an instance can serve. */
const PASSING: ReadonlySet<StoreProblem> = new Set(['locked', 'cancelled', 'busy'])
export const isPassing = (problem: StoreProblem): boolean => PASSING.has(problem)

/**
 * The state of the database does not allow the call. No part of the call is written. The message is a sentence without
 * its full stop.
 */
export class StoreUnavailable extends PlainError {
  readonly problem: StoreProblem
  /** SQLSTATE; null when the database did not respond. */
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
