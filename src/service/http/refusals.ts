import { Refusal } from '../../server/webServer.ts'
import { type StoreProblem, StoreUnavailable } from '../sql/store.ts'

const RETRY_AFTER_SECONDS = 5

/** The status of what a command is refused with; 409 for a rule that the state breaks. */
const STATUSES: Readonly<Record<string, number>> = {
  unknown_variable: 400,
  not_found: 404,
  unknown_user: 403,
}

/** The facts of a decision. @throws Refusal when the command is refused */
export function orRefuse<Fact>(
  decided: readonly Fact[] | Readonly<{ refused: string; message: string }>,
): readonly Fact[] {
  if (!('refused' in decided)) return decided
  throw new Refusal(STATUSES[decided.refused] ?? 409, decided.refused, decided.message)
}

const PROBLEMS: Readonly<Record<StoreProblem, Readonly<{ code: string; what: string }>>> = {
  away: { code: 'unavailable', what: 'The service cannot reach its database.' },
  busy: { code: 'unavailable', what: 'The database of the service has too much to do.' },
  full: { code: 'database_full', what: 'The database of the service has no room on its disk.' },
  readOnly: { code: 'database_read_only', what: 'The database of the service takes no writes.' },
}

/** The refusal while the database does not do what it is asked for; null for another error. */
export function storeRefusal(error: Error): Refusal | null {
  if (!(error instanceof StoreUnavailable)) return null
  const { code, what } = PROBLEMS[error.problem]
  return new Refusal(503, code, `${what} Try again.`, RETRY_AFTER_SECONDS, { cause: error })
}

/**
 * The refusal of an import that the database let finish only in part.
 *
 * @param done how many rows are stored, or were so before; `row` is the first that is not, counted from 1
 */
export function importStopped(
  cause: StoreUnavailable,
  { done, all, row }: Readonly<{ done: number; all: number; row: number }>,
): Refusal {
  const { code, what } = PROBLEMS[cause.problem]
  return new Refusal(
    503,
    'import_stopped',
    `${what} The import stopped: ${done} of ${all} people are stored; the first who is not is person ${row}. ` +
      'Importing the same file again is safe: it changes only what is missing.',
    RETRY_AFTER_SECONDS,
    { cause, details: { problem: code, done, all, row } },
  )
}
