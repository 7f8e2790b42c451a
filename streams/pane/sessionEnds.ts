import { isSignatureGone, rejectsSession } from '../message/auth/rules.ts'
import type { Failure } from '../kernel/failure.ts'
import { type AppEvent, failureIn } from './events.ts'

/** An event that reports a failure. */
export type FailureEvent = Extract<AppEvent, Readonly<{ data: Readonly<{ failure: Failure }> }>>

/** Whether a failure of the service ends the session. */
type Ends = (failure: Failure) => boolean

/** The general rule: a 401, 404 or 500 ends the session (specification, section 4, session). */
const rejected: Ends = rejectsSession
/** For a call that names a signature: a 404 means that the signature no longer exists, so the session continues. */
const rejectedExceptMissing: Ends = (failure) => rejectsSession(failure) && !isSignatureGone(failure)
/** For a call whose failures the specification handles separately: only a 401 ends the session. */
const unauthorised: Ends = (failure) => failure.kind === 'http' && failure.status === 401
/** For a call that does not use the session, or whose failure makes another event end the session. */
const never: Ends = () => false

/** The rule for each event that reports a failure (docs/decisions/0015). A missing event does not compile. */
const endings: Readonly<Record<FailureEvent['type'], Ends>> = {
  // Launch events have their own session, so their failures do not end the pane's session.
  'launch/refreshFailed': never,
  'profile/loadFailed': rejected,
  'picture/loadFailed': rejected,
  'picture/changeFailed': rejected,
  'signatures/pageFailed': rejected,
  'signatures/refreshFailed': rejected,
  'senders/loadFailed': rejected,
  'defaults/changeFailed': rejectedExceptMissing,
  'variables/loadFailed': rejected,
  'variables/saveFailed': rejected,
  'variables/statesFailed': rejected,
  'defaults/loadFailed': rejectedExceptMissing,
  'defaults/replyNameFailed': rejectedExceptMissing,
  'insertion/failed': rejectedExceptMissing,
  'configuration/loadFailed': unauthorised,
  'subscription/loadFailed': unauthorised,
  'maintenance/loadFailed': unauthorised,
  'telemetry/sendFailed': unauthorised,
  'auth/signInFailed': never,
  'auth/renewalFailed': never,
  'insertion/bodyRestoreFailed': never,
  'locale/languageFailed': never,
  'logExport/failed': never,
  'screen/loadFailed': never,
  'preview/copyFailed': never,
  'selfTest/copyFailed': never,
  'settings/loadFailed': never,
  'settings/updateFailed': never,
  'signatures/copyFailed': never,
}

/** The failure by which this event ends the session; null when the event does not end it. */
export const sessionEndingFailure = (event: AppEvent): Failure | null => {
  const failure = failureIn(event)
  return failure && endings[event.type as FailureEvent['type']](failure) ? failure : null
}
