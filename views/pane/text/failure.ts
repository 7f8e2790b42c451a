import { isSignInCode, type SignInCode } from '../../../streams/pane/auth/signInCodes.ts'
import { DEFECT_ACTION } from '../../../streams/kernel/effect.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { isSaveUncertain } from '../../../streams/pane/variables/rules.ts'
import type { PossibleUse } from '../../../streams/pane/signatures/usable.ts'
import type { TextKey } from './texts.ts'
import type { TextValues } from '../../shared/translation.ts'

/** A failure for the user: what happened, what it means for the message, what to do. */
export type Explanation = Readonly<{
  what: TextKey
  meaning: TextKey
  action: TextKey
  /** The values for the placeholders of the three texts. */
  values: TextValues
  /** The parts of a signature that is too large, the largest first; empty for other failures. */
  largest: readonly Readonly<{ part: TextKey; characters: number }>[]
  mayRetry: boolean
}>

type Cause = Readonly<{
  what: TextKey
  action: TextKey
  mayRetry: boolean
  values?: TextValues
  meaning?: TextKey
}>

const retryable = (what: TextKey, action: TextKey): Cause => ({ what, action, mayRetry: true })
const final = (what: TextKey, action: TextKey, values: TextValues = {}): Cause => ({
  what,
  action,
  mayRetry: false,
  values,
})

/** The text that says what the user can still do with the signatures; null if no signatures are loaded. */
export const STILL_USABLE_TEXTS: Readonly<Record<PossibleUse, TextKey | null>> = {
  insert: 'meaning.stillUsable',
  copy: 'meaning.stillCopyable',
  nothing: null,
}

/** The meaning of a failure for the message; the second text is for a change that may have succeeded after all. */
const MEANINGS = {
  signIn: ['meaning.signatureStays'],
  load: ['meaning.nothingYet'],
  /** Loading the default while it is unknown. */
  loadDefault: ['meaning.noDefaultYet'],
  /** Checking whether the known default has changed. */
  checkDefault: ['meaning.defaultAsLoaded'],
  loadProfile: ['meaning.messageStays'],
  loadDetails: ['meaning.signaturesStay'],
  loadPicture: ['meaning.signaturesStay'],
  insert: ['meaning.unchanged'],
  takeOut: ['meaning.stillIn'],
  /** Restoring the earlier state of the message. */
  undo: ['meaning.messageStays'],
  restoreBody: ['meaning.bodyKept'],
  copy: ['meaning.nothingCopied'],
  // Setting a default takes two calls. Either may have failed, so the list is read again.
  setDefault: ['meaning.defaultAsShown', 'meaning.mayHaveChanged'],
  setSender: ['meaning.nothingChanged', 'meaning.mayHaveChanged'],
  saveDetails: ['meaning.editsKept', 'meaning.editsUnsure'],
  savePicture: ['meaning.nothingChanged', 'meaning.mayHaveChanged'],
  loadSettings: ['meaning.nothingByItself'],
  saveSettings: ['meaning.settingsUnchanged'],
  saveLog: ['meaning.nothingSaved'],
} as const satisfies Record<string, readonly [meaning: TextKey, uncertain?: TextKey]>

/** The action that failed, by the user or by Signet for the user. */
export type FailurePurpose = keyof typeof MEANINGS

/** For these purposes, the meaning also says what the user can still do with the signatures. */
const LOADS: ReadonlySet<FailurePurpose> = new Set<FailurePurpose>(['load', 'loadDefault', 'loadProfile'])

function meaningOf(failure: Failure, purpose: FailurePurpose, usable: PossibleUse): TextKey {
  const [meaning, uncertain] = MEANINGS[purpose] as readonly [TextKey, TextKey?]
  if (LOADS.has(purpose)) return STILL_USABLE_TEXTS[usable] ?? meaning
  return (isSaveUncertain(failure) ? uncertain : undefined) ?? meaning
}

/** The calls that write the signature into the message. */
const WRITES: ReadonlySet<string> = new Set(['body.setSignatureAsync', 'body.setAsync'])

/** The texts for a write that got no answer and may have succeeded, by purpose. */
const UNANSWERED: Readonly<Partial<Record<FailurePurpose, Pick<Cause, 'action' | 'meaning'>>>> = {
  insert: { meaning: 'meaning.unsure', action: 'action.lookThenRetry' },
  takeOut: { meaning: 'meaning.unsureOut', action: 'action.lookThenTakeOut' },
  undo: { meaning: 'meaning.unsureUndo', action: 'action.lookThenUndo' },
}

const PARTS: ReadonlyMap<string, TextKey> = new Map<string, TextKey>([
  ['styles', 'part.styles'],
  ['pictures', 'part.pictures'],
  ['comments', 'part.comments'],
  ['text', 'part.text'],
  ['markup', 'part.markup'],
])
const largestOf = (failure: Failure): Explanation['largest'] =>
  failure.kind === 'tooLarge'
    ? failure.parts.flatMap(({ part, characters }) => {
        const name = PARTS.get(part)
        return name ? [{ part: name, characters }] : []
      })
    : []

/**
 * Explains a failure (specification, section 8) by its kind, and by its code if that is more specific. The explanation
 * contains no names from other programs; `technicalDetailsOf` returns these. `usable` is what the user can still do with the
 * loaded signatures.
 */
export function explainFailure(
  failure: Failure,
  purpose: FailurePurpose,
  usable: PossibleUse = 'nothing',
): Explanation {
  const cause = causeOf(failure, purpose)
  return { meaning: meaningOf(failure, purpose, usable), values: {}, largest: largestOf(failure), ...cause }
}

/** The technical values of a failure, in display order. */
const VALUES: Readonly<Record<string, TextKey>> = {
  kind: 'notice.kind',
  status: 'notice.status',
  call: 'notice.call',
  action: 'notice.call',
  at: 'notice.place',
  name: 'notice.name',
  code: 'notice.code',
  cause: 'notice.cause',
  size: 'notice.size',
  request: 'notice.request',
  log: 'notice.log',
}

/** The technical values besides the failure's own fields. */
function moreOf(failure: Failure): object {
  switch (failure.kind) {
    case 'tooLarge':
      return { size: `${String(failure.characters)} > ${String(failure.limit)}` }
    case 'http':
      return { request: ((failure.data ?? {}) as Readonly<{ request?: unknown }>).request }
    case 'defect':
      return { log: DEFECT_ACTION }
    default:
      return {}
  }
}

/** All technical details of a failure, for the helpdesk: the name of each value, and the value. */
export function technicalDetailsOf(failure: Failure): readonly (readonly [TextKey, string])[] {
  const values: Readonly<Record<string, unknown>> = { ...failure, ...moreOf(failure) }
  return Object.entries(VALUES).flatMap(([field, name]) => {
    const value = values[field]
    return typeof value === 'number' || (typeof value === 'string' && value !== '')
      ? [[name, String(value)] as const]
      : []
  })
}

function causeOf(failure: Failure, purpose: FailurePurpose): Cause {
  switch (failure.kind) {
    case 'network':
      return retryable('what.network', 'action.connection')
    case 'timeout':
      return retryable('what.timeout', 'action.wait')
    case 'http':
      // The button below the text signs in again. It is not a retry, because the user chooses another account.
      if (failure.refused) return final('what.accountRefused', 'action.mailboxAccount', failure.refused)
      return causeOfStatus(failure.status, failure.code, purpose)
    case 'notLoaded':
      return retryable('what.notLoaded', 'action.reopen')
    case 'malformed':
      return retryable('what.malformed', 'action.retryOrAdministrator')
    case 'host':
      return causeIn(HOST_CAUSES, failure.name, retryable('what.host', 'action.restart'))
    case 'hostSilent':
      return {
        ...retryable('what.hostSilent', 'action.restart'),
        ...(WRITES.has(failure.call) && UNANSWERED[purpose]),
      }
    case 'itemGone':
      return { ...final('what.itemGone', 'action.chooseThere'), meaning: 'meaning.otherUnchanged' }
    case 'tooLarge':
      return final('what.tooLarge', 'action.shorter', {
        characters: failure.characters,
        limit: failure.limit,
      })
    case 'entryGone':
      return final('what.entryGone', 'action.another')
    case 'textAltered':
      return retryable('what.textAltered', 'action.retryOrAdministrator')
    case 'clipboard':
      return retryable('what.clipboard', 'action.allowClipboard')
    case 'storage':
      return failure.action === 'write'
        ? retryable('what.notStored', 'action.allowStorage')
        : final('what.notRead', 'action.openAgain')
    case 'auth':
      return signInCause(failure)
    case 'defect':
      return retryable('what.defect', 'action.retryOrAdministrator')
  }
}

/** Requests with these purposes name a signature, which may be gone. */
const NAMES_SIGNATURE: ReadonlySet<FailurePurpose> = new Set<FailurePurpose>([
  'insert',
  'setDefault',
  'setSender',
])

/** The service's codes that are more specific than the response status. */
const SERVICE_CAUSES: Readonly<Record<string, Cause>> = {
  unknown_user: final('what.unknownUser', 'action.administrator'),
  variable_is_locked: final('what.detailLocked', 'action.saveAgain'),
  unknown_variable: { ...final('what.detailGone', 'action.saveRest'), meaning: 'meaning.restKept' },
  default_not_allowed: final('what.choiceNotAllowed', 'action.administrator'),
  not_delegated: retryable('what.notDelegated', 'action.retryOrAdministrator'),
  variable_resync_failed: retryable('what.resyncFailed', 'action.keepOwnOrLater'),
  invalid_token: retryable('what.notAccepted', 'action.restart'),
}

const causeOfStatus = (status: number, code: string | null, purpose: FailurePurpose): Cause =>
  causeIn(SERVICE_CAUSES, code ?? '', causeOfRefusal(status, purpose))

function causeOfRefusal(status: number, purpose: FailurePurpose): Cause {
  if (status === 401) return retryable('what.notAccepted', 'action.restart')
  if (status === 403) return final('what.notAllowed', 'action.administrator')
  if (status === 404)
    return NAMES_SIGNATURE.has(purpose)
      ? final('what.entryGone', 'action.another')
      : retryable('what.notFound', 'action.retryOrAdministrator')
  if (status === 429) return retryable('what.tooManyRequests', 'action.wait')
  if (status === 502 || status === 503 || status === 504) return retryable('what.unavailable', 'action.wait')
  // The service would refuse the same request again, so there is no retry.
  if (status >= 400 && status < 500 && status !== 408 && status !== 409)
    return final('what.refused', 'action.administrator')
  return retryable('what.serviceError', 'action.retryOrAdministrator')
}

/** The causes by Office's error names. */
const HOST_CAUSES: Readonly<Record<string, Cause>> = {
  'Not available on Standalone': final('what.onlyInOutlook', 'action.openOutlook'),
  InvalidFormatError: final('what.wrongFormat', 'action.another'),
  DataExceedsMaximumSize: final('what.tooLargeForHost', 'action.shorter'),
  AttachmentSizeExceeded: final('what.tooLargeForHost', 'action.shorter'),
  NumberOfAttachmentsExceeded: final('what.tooLargeForHost', 'action.shorter'),
}

/** The cause of a failed sign-in. A generic failure is explained by the code of its own cause. */
function signInCause({ code, cause }: Extract<Failure, { kind: 'auth' }>): Cause {
  const known = code === 'AUTH_GENERIC_ERROR' && cause !== undefined && isSignInCode(cause) ? cause : code
  return isSignInCode(known)
    ? LIBRARY_CAUSES[known]
    : causeIn(HOST_SIGN_IN_CAUSES, known, retryable('what.signInFailed', 'action.restart'))
}

/** Looks up a cause by its name. The name comes from another program, so an inherited property does not count. */
const causeIn = (causes: Readonly<Record<string, Cause>>, name: string, otherwise: Cause): Cause =>
  (Object.hasOwn(causes, name) ? causes[name] : undefined) ?? otherwise

const signInBusy = retryable('what.signInBusy', 'action.closeSignIns')
const unexpectedAnswer = retryable('what.unexpectedAnswer', 'action.closeSignIns')
const providerAnswer = retryable('what.providerAnswer', 'action.retryOrAdministrator')
const signInRequired = retryable('what.signInRequired', 'action.signInAgain')
const hostSetup = final('what.hostSetup', 'action.administrator')

/** The causes by the codes of the sign-in library (specification, section 8). */
const LIBRARY_CAUSES: Readonly<Record<SignInCode, Cause>> = {
  endpoints_resolution_error: retryable('what.providerUnreachable', 'action.connection'),
  server_unavailable: retryable('what.providerUnavailable', 'action.wait'),
  unknown_server_error: retryable('what.providerRefused', 'action.retryOrAdministrator'),
  popup_window_error: retryable('what.popupBlocked', 'action.allowPopups'),
  user_cancelled: retryable('what.consentCancelled', 'action.finishSignIn'),
  token_renewal_error: retryable('what.signInSlow', 'action.signInAgain'),
  login_progress_error: signInBusy,
  acquiretoken_progress_error: signInBusy,
  block_token_requests: signInBusy,
  invalid_interaction_type: unexpectedAnswer,
  invalid_state_error: unexpectedAnswer,
  nonce_mismatch_error: unexpectedAnswer,
  invalid_id_token: providerAnswer,
  null_or_empty_id_token: providerAnswer,
  id_token_parsing_error: providerAnswer,
  token_encoding_error: providerAnswer,
  client_info_decoding_error: providerAnswer,
  user_login_error: retryable('what.noAccount', 'action.signInAgain'),
  user_non_existent: retryable('what.accountUnknown', 'action.otherAccount'),
  interaction_required: signInRequired,
  login_required: signInRequired,
  consent_required: retryable('what.consentRequired', 'action.allow'),
  cannot_parse_cache: retryable('what.signInCache', 'action.signInAgain'),
  untrusted_authority: hostSetup,
  authority_uri_insecure: hostSetup,
  authority_uri_invalid_path: hostSetup,
  invalid_prompt: hostSetup,
  empty_input_scopes_error: hostSetup,
  invalid_correlation_id: hostSetup,
  claims_request_parsing_error: hostSetup,
  AUTH_GENERIC_ERROR: retryable('what.signInGeneric', 'action.retryOrAdministrator'),
}

/** The causes by the codes of Office's sign-in, and by Signet's own codes. */
const HOST_SIGN_IN_CAUSES: Readonly<Record<string, Cause>> = {
  host_13000: final('what.hostUnsupported', 'action.updateHost'),
  host_13001: retryable('what.hostSignedOut', 'action.signInToHost'),
  host_13002: retryable('what.consentCancelled', 'action.allow'),
  host_13003: final('what.accountType', 'action.otherAccount'),
  host_13004: hostSetup,
  host_13005: hostSetup,
  host_13006: retryable('what.hostSession', 'action.restart'),
  host_13007: retryable('what.hostSession', 'action.restart'),
  host_13008: retryable('what.signInBusy', 'action.wait'),
  host_13010: final('what.hostUnsupported', 'action.updateHost'),
  host_13012: hostSetup,
  host_13013: retryable('what.signInThrottled', 'action.wait'),
  host_50001: final('what.hostUnsupported', 'action.updateHost'),
  email_missing: retryable('what.mailboxUnknown', 'action.restart'),
}
