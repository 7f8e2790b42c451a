/** Converts errors of the service into refusals in HTTP responses. */
import { Refusal } from '../../server/webServer.ts'
import { DomainError, type DomainErrorCode, ImportStopped } from '../operations/domainError.ts'
import { type StoreProblem, StoreUnavailable } from '../sql/problems.ts'

const RETRY_AFTER_SECONDS = 5

const STATUSES: Readonly<Record<DomainErrorCode, number>> = {
  unknown_variable: 400,
  invalid_token: 401,
  not_approver: 403,
  not_editor: 403,
  unknown_user: 403,
  not_found: 404,
  account_bound: 409,
  approval_lapsed: 409,
  approval_missing: 409,
  approval_own: 409,
  approval_refused: 409,
  approval_unneeded: 409,
  base_moved: 409,
  person_changed: 409,
  unknown_signature: 422,
  beyond_limit: 409,
  conflict: 409,
  default_not_allowed: 409,
  no_directory: 409,
  plan_not_for_now: 409,
  stopped: 409,
  sync_running: 409,
  variable_is_locked: 409,
  variable_resync_failed: 409,
  photo_invalid: 422,
  picture_invalid: 422,
  closing: 503,
  identity_provider_unavailable: 503,
}

const PROBLEMS: Readonly<Record<StoreProblem, Readonly<{ code: string; what: string }>>> = {
  away: { code: 'unavailable', what: 'The service cannot reach its database.' },
  full: { code: 'database_full', what: 'The database of the service has no room on its disk.' },
  readOnly: { code: 'database_read_only', what: 'The database of the service takes no writes.' },
  locked: { code: 'database_locked', what: 'The database of the service kept rows locked for too long.' },
  cancelled: { code: 'database_cancelled', what: 'The database of the service cancelled a statement.' },
  busy: { code: 'database_busy', what: 'The database of the service has too much to do.' },
}

/** The refusal that reports an error to the client; null for an unexpected error. */
export function refusalFor(error: Error): Refusal | null {
  if (error instanceof DomainError) {
    const { code, message, cause } = error
    return code === 'closing'
      ? new Refusal(STATUSES[code], 'unavailable', message, RETRY_AFTER_SECONDS)
      : new Refusal(STATUSES[code], code, message, null, { cause })
  }
  if (error instanceof ImportStopped) {
    const { cause, rows } = error
    if (cause instanceof DomainError)
      return new Refusal(STATUSES.stopped, 'stopped', `The import was stopped: ${storedText(rows)}`, null, {
        cause,
        details: rows,
      })
    const { code, what } = PROBLEMS[cause.problem]
    return new Refusal(
      503,
      'import_stopped',
      `${what} The import stopped: ${storedText(rows)}`,
      RETRY_AFTER_SECONDS,
      { cause, details: { problem: code, ...rows } },
    )
  }
  if (!(error instanceof StoreUnavailable)) return null
  const { code, what } = PROBLEMS[error.problem]
  return new Refusal(503, code, `${what} Try again.`, RETRY_AFTER_SECONDS, { cause: error })
}

const storedText = ({ done, all, row }: ImportStopped['rows']): string =>
  `${done} of ${all} people are stored; the first who is not is person ${row}. ` +
  'Importing the same file again is safe: it changes only what is missing.'
