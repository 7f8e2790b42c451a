import { isSignInCode, type SignInCode } from '../../streams/message/auth/signInCodes.ts'
import type { Failure } from '../../streams/kernel/failure.ts'
import { isUncertain } from '../../streams/pane/variables/rules.ts'
import type { Usable } from '../../streams/message/signatures/usable.ts'
import type { TextKey } from './texts.ts'
import type { TextValues } from './translation.ts'

/**
 * What the user, or Signet for them, tried to do. `load`: a list of signatures. `loadDefault`: the default, of which
 * nothing is known; `checkDefault`: whether the known one is still the same. `undo`: changing the message back.
 */
export type Purpose =
  | 'signIn'
  | 'load'
  | 'loadDefault'
  | 'checkDefault'
  | 'loadProfile'
  | 'loadDetails'
  | 'loadPicture'
  | 'insert'
  | 'takeOut'
  | 'undo'
  | 'restoreBody'
  | 'copy'
  | 'setDefault'
  | 'setSender'
  | 'saveDetails'
  | 'savePicture'
  | 'loadSettings'
  | 'saveSettings'
  | 'saveLog'

/** A failure for the user: what happened, what it means for the message, what to do. */
export type Explanation = Readonly<{
  what: TextKey
  meaning: TextKey
  action: TextKey
  /** The values of the three texts. */
  values: TextValues
  /** The parts of a signature that is too large, the largest first; empty for other failures. */
  largest: readonly Readonly<{ part: TextKey; characters: number }>[]
  /** Whether a retry can succeed. */
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

/** What can still be done with the signatures while something fails; null when none is loaded. */
export const STILL: Readonly<Record<Usable, TextKey | null>> = {
  insert: 'meaning.stillUsable',
  copy: 'meaning.stillCopyable',
  nothing: null,
}

function meaningOf(failure: Failure, purpose: Purpose, usable: Usable): TextKey {
  switch (purpose) {
    case 'signIn':
      return 'meaning.signatureStays'
    case 'load':
      return STILL[usable] ?? 'meaning.nothingYet'
    case 'loadDefault':
      return STILL[usable] ?? 'meaning.noDefaultYet'
    case 'checkDefault':
      return 'meaning.defaultAsLoaded'
    case 'loadProfile':
      return STILL[usable] ?? 'meaning.messageStays'
    case 'loadDetails':
    case 'loadPicture':
      return 'meaning.signaturesStay'
    case 'insert':
      return 'meaning.unchanged'
    case 'takeOut':
      return 'meaning.stillIn'
    case 'undo':
      return 'meaning.messageStays'
    case 'restoreBody':
      return 'meaning.bodyKept'
    case 'copy':
      return 'meaning.nothingCopied'
    case 'setDefault':
      // Two calls set a default, and either may have failed: the list is read again.
      return isUncertain(failure) ? 'meaning.mayHaveChanged' : 'meaning.defaultAsShown'
    case 'setSender':
    case 'savePicture':
      return isUncertain(failure) ? 'meaning.mayHaveChanged' : 'meaning.nothingChanged'
    case 'saveDetails':
      return isUncertain(failure) ? 'meaning.editsUnsure' : 'meaning.editsKept'
    case 'loadSettings':
      return 'meaning.nothingByItself'
    case 'saveSettings':
      return 'meaning.settingsUnchanged'
    case 'saveLog':
      return 'meaning.nothingSaved'
  }
}

/** The calls that write the signature into the message. */
const WRITES: ReadonlySet<string> = new Set(['body.setSignatureAsync', 'body.setAsync'])

/** What is said when such a call was not answered: it may have been carried out. */
const UNANSWERED: Readonly<Partial<Record<Purpose, Pick<Cause, 'action' | 'meaning'>>>> = {
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
 * Explains a failure (specification, section 8): by its kind, and by its code where that says more. No name of another
 * program is in it; `technicalOf` has these. `usable`: what the signatures that are loaded can be used for.
 */
export function explainFailure(failure: Failure, purpose: Purpose, usable: Usable = 'nothing'): Explanation {
  const cause = causeOf(failure, purpose)
  return { meaning: meaningOf(failure, purpose, usable), values: {}, largest: largestOf(failure), ...cause }
}

/** Everything technical about a failure, for the helpdesk: the name of each value, and the value. */
export function technicalOf(failure: Failure): readonly (readonly [TextKey, string])[] {
  const lines: readonly (readonly [TextKey, string | number | null | undefined])[] = [
    ['notice.kind', failure.kind],
    ...valuesOf(failure),
  ]
  return lines.flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)] as const],
  )
}

function valuesOf(failure: Failure): readonly (readonly [TextKey, string | number | null | undefined])[] {
  switch (failure.kind) {
    case 'http':
      return [
        ['notice.status', failure.status],
        ['notice.code', failure.code],
      ]
    case 'malformed':
      return [['notice.place', failure.at]]
    case 'host':
      return [
        ['notice.call', failure.call],
        ['notice.name', failure.name],
        ['notice.code', failure.code],
      ]
    case 'hostSilent':
      return [['notice.call', failure.call]]
    case 'tooLarge':
      return [['notice.size', `${String(failure.characters)} > ${String(failure.limit)}`]]
    case 'storage':
      return [['notice.call', failure.action]]
    case 'auth':
      return [
        ['notice.code', failure.code],
        ['notice.cause', failure.cause],
      ]
    case 'defect':
      return [['notice.name', failure.message]]
    case 'network':
    case 'timeout':
    case 'notLoaded':
    case 'itemGone':
    case 'entryGone':
    case 'clipboard':
      return []
  }
}

function causeOf(failure: Failure, purpose: Purpose): Cause {
  switch (failure.kind) {
    case 'network':
      return retryable('what.network', 'action.connection')
    case 'timeout':
      return retryable('what.timeout', 'action.wait')
    case 'http':
      return causeOfStatus(failure.status, failure.code, purpose)
    case 'notLoaded':
      return retryable('what.notLoaded', 'action.reopen')
    case 'malformed':
      return retryable('what.malformed', 'action.retryOrAdministrator')
    case 'host':
      return hostCause(failure.name)
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

/** For these a signature is named that may be gone. */
const NAMES_SIGNATURE: ReadonlySet<Purpose> = new Set<Purpose>(['insert', 'setDefault', 'setSender'])

function causeOfStatus(status: number, code: string | null, purpose: Purpose): Cause {
  if (code === 'unknown_user') return final('what.unknownUser', 'action.administrator')
  if (code === 'variable_is_locked') return final('what.detailLocked', 'action.saveAgain')
  if (code === 'unknown_variable')
    return { ...final('what.detailGone', 'action.saveRest'), meaning: 'meaning.restKept' }
  if (code === 'default_not_allowed') return final('what.choiceNotAllowed', 'action.administrator')
  if (code === 'not_delegated') return retryable('what.notDelegated', 'action.retryOrAdministrator')
  if (code === 'variable_resync_failed') return retryable('what.resyncFailed', 'action.keepOwnOrLater')
  if (status === 401 || code === 'invalid_token') return retryable('what.notAccepted', 'action.restart')
  if (status === 403) return final('what.notAllowed', 'action.administrator')
  if (status === 404)
    return NAMES_SIGNATURE.has(purpose)
      ? final('what.entryGone', 'action.another')
      : retryable('what.notFound', 'action.retryOrAdministrator')
  if (status === 429) return retryable('what.tooManyRequests', 'action.wait')
  if (status === 502 || status === 503 || status === 504) return retryable('what.unavailable', 'action.wait')
  // The same request would be refused again.
  if (status >= 400 && status < 500 && status !== 408 && status !== 409)
    return final('what.refused', 'action.administrator')
  return retryable('what.serviceError', 'action.retryOrAdministrator')
}

function hostCause(name: string): Cause {
  switch (name) {
    case 'Not available on Standalone':
      return final('what.onlyInOutlook', 'action.openOutlook')
    case 'InvalidFormatError':
      return final('what.wrongFormat', 'action.another')
    case 'DataExceedsMaximumSize':
    case 'AttachmentSizeExceeded':
    case 'NumberOfAttachmentsExceeded':
      return final('what.tooLargeForHost', 'action.shorter')
    default:
      return retryable('what.host', 'action.restart')
  }
}

/** A generic failure is explained by its cause. */
function signInCause({ code, cause }: Extract<Failure, { kind: 'auth' }>): Cause {
  const known = code === 'AUTH_GENERIC_ERROR' && cause !== undefined && isSignInCode(cause) ? cause : code
  return isSignInCode(known) ? librarySignInCause(known) : hostSignInCause(known)
}

/** The codes of the sign-in library (specification, section 8). */
function librarySignInCause(code: SignInCode): Cause {
  switch (code) {
    case 'endpoints_resolution_error':
      return retryable('what.providerUnreachable', 'action.connection')
    case 'server_unavailable':
      return retryable('what.providerUnavailable', 'action.wait')
    case 'unknown_server_error':
      return retryable('what.providerRefused', 'action.retryOrAdministrator')
    case 'popup_window_error':
      return retryable('what.popupBlocked', 'action.allowPopups')
    case 'user_cancelled':
      return retryable('what.consentCancelled', 'action.finishSignIn')
    case 'token_renewal_error':
      return retryable('what.signInSlow', 'action.signInAgain')
    case 'login_progress_error':
    case 'acquiretoken_progress_error':
    case 'block_token_requests':
      return retryable('what.signInBusy', 'action.closeSignIns')
    case 'invalid_interaction_type':
    case 'invalid_state_error':
    case 'nonce_mismatch_error':
      return retryable('what.unexpectedAnswer', 'action.closeSignIns')
    case 'invalid_id_token':
    case 'null_or_empty_id_token':
    case 'id_token_parsing_error':
    case 'token_encoding_error':
    case 'client_info_decoding_error':
      return retryable('what.providerAnswer', 'action.retryOrAdministrator')
    case 'user_login_error':
      return retryable('what.noAccount', 'action.signInAgain')
    case 'user_non_existent':
      return retryable('what.accountUnknown', 'action.otherAccount')
    case 'interaction_required':
    case 'login_required':
      return retryable('what.signInRequired', 'action.signInAgain')
    case 'consent_required':
      return retryable('what.consentRequired', 'action.allow')
    case 'cannot_parse_cache':
      return retryable('what.signInCache', 'action.signInAgain')
    case 'untrusted_authority':
    case 'authority_uri_insecure':
    case 'authority_uri_invalid_path':
    case 'invalid_prompt':
    case 'empty_input_scopes_error':
    case 'invalid_correlation_id':
    case 'claims_request_parsing_error':
      return final('what.hostSetup', 'action.administrator')
    case 'AUTH_GENERIC_ERROR':
      return retryable('what.signInGeneric', 'action.retryOrAdministrator')
  }
}

/** The codes of Office's sign-in, and those of Signet. */
function hostSignInCause(code: string): Cause {
  switch (code) {
    case 'host_13001':
      return retryable('what.hostSignedOut', 'action.signInToHost')
    case 'host_13002':
      return retryable('what.consentCancelled', 'action.allow')
    case 'host_13003':
      return final('what.accountType', 'action.otherAccount')
    case 'host_13006':
    case 'host_13007':
      return retryable('what.hostSession', 'action.restart')
    case 'host_13008':
      return retryable('what.signInBusy', 'action.wait')
    case 'host_13004':
    case 'host_13005':
    case 'host_13012':
      return final('what.hostSetup', 'action.administrator')
    case 'host_13000':
    case 'host_13010':
    case 'host_50001':
      return final('what.hostUnsupported', 'action.updateHost')
    case 'host_13013':
      return retryable('what.signInThrottled', 'action.wait')
    case 'email_missing':
      return retryable('what.mailboxUnknown', 'action.restart')
    default:
      return retryable('what.signInFailed', 'action.restart')
  }
}
