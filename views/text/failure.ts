import { isSignInCode, type SignInCode } from '../../streams/auth/signInCodes.ts'
import type { Failure } from '../../streams/kernel/failure.ts'
import type { TextKey, TextValues } from './texts.ts'

/** What the person wanted when it failed. */
export type Purpose = 'signIn' | 'load' | 'insert' | 'copy' | 'setDefault' | 'restoreWords'

/** A failure in the person's words: what happened, what it means for the message, what to do. */
export type Explanation = Readonly<{
  what: TextKey
  meaning: TextKey
  action: TextKey
  /** The values of all three texts. */
  values: TextValues
  /** What of a signature that is too large takes the most room, the largest part first; empty otherwise. */
  largest: readonly Readonly<{ part: TextKey; characters: number }>[]
  /** Whether doing the same again can help. */
  mayTryAgain: boolean
}>

type Cause = Readonly<{
  what: TextKey
  action: TextKey
  mayTryAgain: boolean
  values?: TextValues
  meaning?: TextKey
}>

const again = (what: TextKey, action: TextKey, values?: TextValues): Cause => ({
  what,
  action,
  mayTryAgain: true,
  ...(values && { values }),
})
const final = (what: TextKey, action: TextKey, values?: TextValues): Cause => ({
  ...again(what, action, values),
  mayTryAgain: false,
})

const meanings: Readonly<Record<Purpose, TextKey>> = {
  signIn: 'meaning.signatureStays',
  load: 'meaning.stillUsable',
  insert: 'meaning.unchanged',
  copy: 'meaning.nothingCopied',
  restoreWords: 'meaning.wordsKept',
  // Two calls make a default: which of them failed is not guessed, but read again.
  setDefault: 'meaning.defaultAsShown',
}

const parts: ReadonlyMap<string, TextKey> = new Map<string, TextKey>([
  ['styles', 'part.styles'],
  ['pictures', 'part.pictures'],
  ['comments', 'part.comments'],
  ['text', 'part.text'],
  ['markup', 'part.markup'],
])
const largestOf = (failure: Failure): Explanation['largest'] =>
  failure.kind === 'tooLarge'
    ? failure.parts.flatMap(({ part, characters }) => {
        const name = parts.get(part)
        return name ? [{ part: name, characters }] : []
      })
    : []

/** Puts a failure into words (specification, section 8). Every kind has its own, every code that says more has too. */
export function explainFailure(failure: Failure, purpose: Purpose): Explanation {
  const cause = causeOf(failure, purpose)
  return { meaning: meanings[purpose], values: {}, largest: largestOf(failure), ...cause }
}

function causeOf(failure: Failure, purpose: Purpose): Cause {
  switch (failure.kind) {
    case 'network':
      return again('what.network', 'action.connection')
    case 'timeout':
      return again('what.timeout', 'action.wait')
    case 'http':
      return answeredWith(failure.status, failure.code, purpose)
    case 'malformed':
      return again('what.malformed', 'action.againOrAdministrator')
    case 'host':
      return reportedByHost(failure.name)
    case 'hostSilent':
      // Only the call that sets the signature can have done its work without saying so.
      return purpose === 'insert' && failure.call.includes('setSignature')
        ? { ...again('what.hostSilent', 'action.lookThenAgain'), meaning: 'meaning.unsure' }
        : again('what.hostSilent', 'action.restart')
    case 'itemGone':
      return { ...final('what.itemGone', 'action.chooseThere'), meaning: 'meaning.otherUntouched' }
    case 'tooLarge':
      return final('what.tooLarge', 'action.shorter', {
        characters: failure.characters,
        limit: failure.limit,
      })
    case 'entryGone':
      return final('what.gone', 'action.another')
    case 'clipboard':
      return again('what.clipboard', 'action.allowClipboard')
    case 'auth':
      return signInCause(failure)
    case 'defect':
      return again('what.defect', 'action.againOrAdministrator')
  }
}

function answeredWith(status: number, code: string | null, purpose: Purpose): Cause {
  if (code === 'unknown_user') return final('what.unknownUser', 'action.administrator')
  if (status === 401 || code === 'invalid_token') return again('what.notAccepted', 'action.restart')
  if (status === 403) return final('what.notAllowed', 'action.administrator')
  if (status === 404)
    return purpose === 'insert'
      ? final('what.gone', 'action.another')
      : again('what.notFound', 'action.againOrAdministrator')
  if (status === 429) return again('what.tooMany', 'action.wait')
  if (status === 502 || status === 503 || status === 504) return again('what.unavailable', 'action.wait')
  return again('what.serviceError', 'action.againOrAdministrator', { status })
}

function reportedByHost(name: string): Cause {
  switch (name) {
    // Specification, section 8.
    case 'Not available on Standalone':
      return final('what.onlyInOutlook', 'action.openOutlook')
    case 'InvalidFormatError':
      return final('what.wrongFormat', 'action.another')
    case 'DataExceedsMaximumSize':
    case 'AttachmentSizeExceeded':
    case 'NumberOfAttachmentsExceeded':
      return final('what.tooLargeForHost', 'action.shorter')
    default:
      return again('what.host', 'action.restart', { name })
  }
}

/** A failure that only keeps another as its cause is told in the words of that one. */
function signInCause({ code, cause }: Extract<Failure, { kind: 'auth' }>): Cause {
  const known = code === 'AUTH_GENERIC_ERROR' && cause !== undefined && isSignInCode(cause) ? cause : code
  return isSignInCode(known) ? librarySignInCause(known) : hostSignInCause(known)
}

/** The codes of the sign-in library (specification, section 8). */
function librarySignInCause(code: SignInCode): Cause {
  switch (code) {
    case 'endpoints_resolution_error':
      return again('what.providerUnreachable', 'action.connection')
    case 'server_unavailable':
      return again('what.providerUnavailable', 'action.wait')
    case 'unknown_server_error':
      return again('what.providerRefused', 'action.againOrAdministrator')
    case 'popup_window_error':
      return again('what.popupBlocked', 'action.allowPopups')
    case 'user_cancelled':
      return again('what.consentCancelled', 'action.finishSignIn')
    case 'token_renewal_error':
      return again('what.signInSlow', 'action.signInAgain')
    case 'login_progress_error':
    case 'acquiretoken_progress_error':
    case 'block_token_requests':
      return again('what.signInBusy', 'action.closeSignIns')
    case 'invalid_interaction_type':
    case 'invalid_state_error':
    case 'nonce_mismatch_error':
      return again('what.foreignAnswer', 'action.closeSignIns')
    case 'invalid_id_token':
    case 'null_or_empty_id_token':
    case 'id_token_parsing_error':
    case 'token_encoding_error':
    case 'client_info_decoding_error':
      return again('what.providerAnswer', 'action.againOrAdministrator')
    case 'user_login_error':
      return again('what.notKnownHere', 'action.signInAgain')
    case 'user_non_existent':
      return again('what.accountUnknown', 'action.otherAccount')
    case 'interaction_required':
    case 'login_required':
      return again('what.signInWanted', 'action.signInAgain')
    case 'consent_required':
      return again('what.consentWanted', 'action.allow')
    case 'cannot_parse_cache':
      return again('what.signInMemory', 'action.signInAgain')
    case 'untrusted_authority':
    case 'authority_uri_insecure':
    case 'authority_uri_invalid_path':
    case 'invalid_prompt':
    case 'empty_input_scopes_error':
    case 'invalid_correlation_id':
    case 'claims_request_parsing_error':
      return final('what.hostSetup', 'action.administrator')
    case 'AUTH_GENERIC_ERROR':
      return again('what.signInGeneric', 'action.againOrAdministrator')
  }
}

/** The codes of Office's own sign-in, and those that Signet adds to them. */
function hostSignInCause(code: string): Cause {
  switch (code) {
    case 'host_13001':
      return again('what.hostSignedOut', 'action.signInToHost')
    case 'host_13002':
      return again('what.consentCancelled', 'action.allow')
    case 'host_13003':
      return final('what.accountType', 'action.otherAccount')
    case 'host_13006':
    case 'host_13007':
      return again('what.hostSession', 'action.restart')
    case 'host_13008':
      return again('what.signInBusy', 'action.wait')
    case 'host_13004':
    case 'host_13005':
    case 'host_13012':
      return final('what.hostSetup', 'action.administrator')
    case 'host_13000':
    case 'host_13010':
    case 'host_50001':
      return final('what.hostUnsupported', 'action.updateHost')
    case 'host_13013':
      return again('what.signInThrottled', 'action.wait')
    case 'email_missing':
      return again('what.mailboxUnknown', 'action.restart')
    default:
      return again('what.signInFailed', 'action.restart')
  }
}
