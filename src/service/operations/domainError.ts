/** The reasons why the service refuses a request. Each protocol maps the codes to its own errors. */
import type { RefusedCommand } from '../../../streams/organisation/decide.ts'
import type { StoreUnavailable } from '../sql/problems.ts'
import { PlainError } from '../../server/reasons.ts'

export type DomainErrorCode =
  | RefusedCommand['refused']
  /** Every try lost to a concurrent writer. */
  | 'conflict'
  | 'invalid_token'
  | 'unknown_user'
  | 'identity_provider_unavailable'
  | 'photo_invalid'
  | 'picture_invalid'
  | 'no_directory'
  /** Publishing would change more people than the limit allows. */
  | 'beyond_limit'
  | 'sync_running'
  /** Nobody needs to approve the plan. */
  | 'approval_unneeded'
  /** The caller has none of the roles and groups that approve plans. */
  | 'not_approver'
  | 'plan_not_for_now'
  /** The caller may not change a part that the plan changes. */
  | 'not_editor'
  /** The caller asked to stop the work. */
  | 'stopped'
  /** The service is closing. */
  | 'closing'

/** The message is for the caller, `cause` for the log. */
export class DomainError extends PlainError {
  constructor(
    readonly code: DomainErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** The database failed during an import, or the caller stopped the import. */
export class ImportStopped extends Error {
  constructor(
    override readonly cause: StoreUnavailable | DomainError,
    /** `done` of `all` rows are stored. `row` is the number of the first unstored row, counted from 1. */
    readonly rows: Readonly<{ done: number; all: number; row: number }>,
  ) {
    super(cause.message, { cause })
  }
}
