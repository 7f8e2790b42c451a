import { isSignInCode, type SignInCode } from '../../streams/auth/signInCodes.ts'
import type { Failure } from '../../streams/kernel/failure.ts'
import type { TextKey, TextValues } from './texts.ts'

/** What the user tried to do. */
export type Purpose = 'signIn' | 'load' | 'insert' | 'copy' | 'setDefault' | 'restoreBody'

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

const retryable = (what: TextKey, action: TextKey, values?: TextValues): Cause => ({
  what,
  action,
  mayRetry: true,
  ...(values && { values }),
})
const final = (what: TextKey, action: TextKey, values?: TextValues): Cause => ({
  ...retryable(what, action, values),
  mayRetry: false,
})

const MEANINGS: Readonly<Record<Purpose, TextKey>> = {
  signIn: 'meaning.signatureStays',
  load: 'meaning.stillUsable',
  insert: 'meaning.unchanged',
  copy: 'meaning.nothingCopied',
  restoreBody: 'meaning.bodyKept',
  // Two calls set a default, and either may have failed: the list is read again.
  setDefault: 'meaning.defaultAsShown',
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

/** Explains a failure (specification, section 8): by its kind, and by its code where that says more. */
export function explainFailure(failure: Failure, purpose: Purpose): Explanation {
  const cause = causeOf(failure, purpose)
  return { meaning: MEANINGS[purpose], values: {}, largest: largestOf(failure), ...cause }
}

function causeOf(failure: Failure, purpose: Purpose): Cause {
  switch (failure.kind) {
    case 'network':
      return retryable('what.network', 'action.connection')
    case 'timeout':
      return retryable('what.timeout', 'action.wait')
    case 'http':
      return causeOfStatus(failure.status, failure.code, purpose)
    case 'malformed':
      return retryable('what.malformed', 'action.retryOrAdministrator')
    case 'host':
      return hostCause(failure.name)
    case 'hostSilent':
      // Only a silent call that sets the signature may have set it.
      return purpose === 'insert' && failure.call.includes('setSignature')
        ? { ...retryable('what.hostSilent', 'action.lookThenRetry'), meaning: 'meaning.unsure' }
        : retryable('what.hostSilent', 'action.restart')
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
        ? { ...retryable('what.notStored', 'action.allowStorage'), meaning: 'meaning.settingsUnchanged' }
        : { ...retryable('what.notRead', 'action.restart'), meaning: 'meaning.nothingByItself' }
    case 'auth':
      return signInCause(failure)
    case 'defect':
      return retryable('what.defect', 'action.retryOrAdministrator')
  }
}

function causeOfStatus(status: number, code: string | null, purpose: Purpose): Cause {
  if (code === 'unknown_user') return final('what.unknownUser', 'action.administrator')
  if (status === 401 || code === 'invalid_token') return retryable('what.notAccepted', 'action.restart')
  if (status === 403) return final('what.notAllowed', 'action.administrator')
  if (status === 404)
    return purpose === 'insert'
      ? final('what.entryGone', 'action.another')
      : retryable('what.notFound', 'action.retryOrAdministrator')
  if (status === 429) return retryable('what.tooManyRequests', 'action.wait')
  if (status === 502 || status === 503 || status === 504) return retryable('what.unavailable', 'action.wait')
  return retryable('what.serviceError', 'action.retryOrAdministrator', { status })
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
      return retryable('what.host', 'action.restart', { name })
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
