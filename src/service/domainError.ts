/** Why the service does not do what it is asked, in its own terms. Each edge says it in those of its protocol. */
import type { Refused } from '../../streams/organisation/decide.ts'
import type { StoreUnavailable } from './sql/store.ts'

export type DomainErrorCode =
  | Refused['refused']
  /** Other writers were first each time. */
  | 'conflict'
  | 'invalid_token'
  | 'unknown_user'
  | 'identity_provider_unavailable'
  | 'photo_invalid'
  | 'picture_invalid'
  | 'no_directory'
  | 'sync_running'
  /** The service is closing. */
  | 'closing'

/** The message is a sentence for who asked. `cause` is for the log. */
export class DomainError extends Error {
  constructor(
    readonly code: DomainErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** The database let an import finish only in part. */
export class ImportStopped extends Error {
  constructor(
    override readonly cause: StoreUnavailable,
    /** How many rows are stored, or were so before; `row` is the first that is not, counted from 1. */
    readonly rows: Readonly<{ done: number; all: number; row: number }>,
  ) {
    super(cause.message, { cause })
  }
}
