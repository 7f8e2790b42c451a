import { redactedField } from './field.ts'

/** An account that signed in, and the open mailbox for which the service refused it. */
export type RefusedAccount = Readonly<{ account: string; mailbox: string }>

/**
 * Why a request to the service, the mail client or the browser failed (specification, section 8). The log may contain
 * it: it is plain data without library messages, requests or user data.
 */
export type Failure =
  | Readonly<{ kind: 'network' }>
  | Readonly<{ kind: 'timeout' }>
  /** A part of Signet's own code, or the texts of a language, could not be loaded. */
  | Readonly<{ kind: 'notLoaded' }>
  /**
   * `retryAfter`: the wait that the service asks for, in milliseconds, up to a minute; absent without a wait.
   * `refused`: the account that the service refused at a sign-in; absent when it is unknown, or is the mailbox itself.
   */
  | Readonly<{
      kind: 'http'
      status: number
      code: string | null
      data: unknown
      retryAfter?: number | undefined
      refused?: RefusedAccount
    }>
  | Readonly<{ kind: 'malformed'; at: string }>
  | Readonly<{ kind: 'host'; call: string; code: number; name: string }>
  | Readonly<{ kind: 'hostSilent'; call: string }>
  | Readonly<{ kind: 'itemGone' }>
  /** `parts`: the largest parts of the content, each with its kind and number of characters. */
  | Readonly<{
      kind: 'tooLarge'
      characters: number
      limit: number
      parts: readonly Readonly<{ part: string; characters: number }>[]
    }>
  | Readonly<{ kind: 'entryGone' }>
  /** The mail client changed the author's words when Signet wrote the body. Signet restored the earlier body. */
  | Readonly<{ kind: 'textAltered' }>
  /** The browser does not let the pane write to the clipboard. */
  | Readonly<{ kind: 'clipboard' }>
  /** The browser failed to store a value, or to read a stored one. */
  | Readonly<{ kind: 'storage'; action: 'read' | 'write' }>
  /** `cause` is the reporting program's own name for the failure, for the log only. */
  | Readonly<{ kind: 'auth'; code: string; cause?: string }>
  | Readonly<{ kind: 'defect'; message: string }>

/** A failure as a field of an event. */
export const failureField = redactedField<Failure>()('failure')

/** Carries a `Failure` through the error channel of a stream; `cause` is the original error, if any. */
export class Failed extends Error {
  override readonly name = 'Failed'
  constructor(
    readonly failure: Failure,
    options?: ErrorOptions,
  ) {
    super(failure.kind, options)
  }
}

/**
 * Whether an error is a `Failed`. Compares names, because each chunk has its own copy of the class
 * (src/build/ownModules.mjs).
 */
export const isFailed = (error: unknown): error is Failed =>
  error instanceof Error && error.name === 'Failed' && 'failure' in error

/** The failure inside an error. Any other error becomes a `defect`. */
export const toFailure = (error: unknown): Failure =>
  isFailed(error)
    ? error.failure
    : { kind: 'defect', message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }

/** The service's code for its refusal; null without a code. */
export const failureCodeOf = (failure: Failure): string | null =>
  failure.kind === 'http' ? failure.code : null

/** Whether the service refused a call because of something that changed meanwhile. */
export const isConflict = (failure: Failure): boolean => failure.kind === 'http' && failure.status === 409

/** The wait that the service asked for before a retry, in milliseconds; 0 without a wait. */
export const retryWaitOf = (failure: Failure): number =>
  failure.kind === 'http' ? (failure.retryAfter ?? 0) : 0

/** Whether the failure is temporary: the service was unreachable, or could not answer. */
export const isTemporary = (failure: Failure): boolean =>
  failure.kind === 'network' ||
  failure.kind === 'timeout' ||
  (failure.kind === 'http' && (failure.status === 429 || failure.status > 500))
