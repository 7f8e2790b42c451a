import { AuthError, InteractionRequiredAuthError, ServerError } from '@azure/msal-browser'
import { type Failed, isFailed } from '../../../streams/kernel/failure.ts'
import { type SignInCode, signInFailure, UNEXPECTED_STATES } from '../../../streams/pane/auth/signInCodes.ts'

/** Facts about a failed sign-in besides the library's error. */
export type SignInContext = Readonly<{
  /** `login` identifies the user, `token` requests a known user's token, and `silent` is a request without a window. */
  purpose: 'login' | 'token' | 'silent'
  /** The state of the id token in the last token response; null without a response. */
  idToken: 'readable' | 'unreadable' | 'missing' | null
}>

/** The specification's code for each code of the library (5.29.0); docs/sign-in.md explains the table. */
const CODES: Readonly<Record<string, SignInCode>> = {
  endpoints_resolution_error: 'endpoints_resolution_error',
  openid_config_error: 'endpoints_resolution_error',
  network_error: 'endpoints_resolution_error',
  no_network_connectivity: 'endpoints_resolution_error',
  post_request_failed: 'endpoints_resolution_error',
  get_request_failed: 'endpoints_resolution_error',
  failed_to_parse_response: 'endpoints_resolution_error',
  popup_window_error: 'popup_window_error',
  empty_window_error: 'popup_window_error',
  timed_out: 'token_renewal_error',
  user_cancelled: 'user_cancelled',
  user_canceled: 'user_cancelled',
  access_denied: 'user_cancelled',
  state_mismatch: 'invalid_state_error',
  state_not_found: 'invalid_state_error',
  invalid_state: 'invalid_state_error',
  no_state_in_hash: 'invalid_state_error',
  unable_to_parse_state: 'invalid_state_error',
  state_interaction_type_mismatch: 'invalid_interaction_type',
  nonce_mismatch: 'nonce_mismatch_error',
  null_or_empty_token: 'null_or_empty_id_token',
  token_parsing_error: 'id_token_parsing_error',
  invalid_base64_string: 'token_encoding_error',
  client_info_decoding_error: 'client_info_decoding_error',
  client_info_empty_error: 'client_info_decoding_error',
  no_account_error: 'user_non_existent',
  no_account_found: 'user_non_existent',
  no_account_in_silent_request: 'user_login_error',
  unable_to_parse_token_request_cache_error: 'cannot_parse_cache',
  cache_quota_exceeded: 'cannot_parse_cache',
  cache_error_unknown: 'cannot_parse_cache',
  block_iframe_reload: 'block_token_requests',
  block_nested_popups: 'block_token_requests',
  redirect_in_iframe: 'block_token_requests',
  untrusted_authority: 'untrusted_authority',
  authority_uri_insecure: 'authority_uri_insecure',
  url_parse_error: 'authority_uri_invalid_path',
  invalid_claims: 'claims_request_parsing_error',
}

/** The library's codes for states that the specification calls unexpected, with the specification's texts. */
const UNEXPECTED_CODES: Readonly<Record<string, string>> = {
  hash_empty_error: UNEXPECTED_STATES.hash,
  hash_does_not_contain_known_properties: UNEXPECTED_STATES.hash,
  no_state_in_hash: UNEXPECTED_STATES.state,
}

/** If the response had no readable id token, these codes mean that the id token is invalid. */
const ID_TOKEN_CODES = ['nonce_mismatch', 'token_parsing_error', 'null_or_empty_token']
const UNAVAILABLE_CODES = ['', 'temporarily_unavailable', 'server_error', 'service_unavailable']

function codeOf(error: AuthError, { purpose, idToken }: SignInContext): SignInCode {
  const { errorCode, subError } = error
  if (error instanceof InteractionRequiredAuthError) {
    const named = [errorCode, subError].find(
      (code) => code === 'consent_required' || code === 'login_required',
    )
    return named === 'consent_required' || named === 'login_required' ? named : 'interaction_required'
  }
  if (ID_TOKEN_CODES.includes(errorCode) && (idToken === 'missing' || idToken === 'unreadable'))
    return 'invalid_id_token'
  if (errorCode === 'interaction_in_progress' || errorCode === 'interaction_in_progress_cancelled')
    return purpose === 'token' ? 'acquiretoken_progress_error' : 'login_progress_error'
  const known = Object.hasOwn(CODES, errorCode) ? CODES[errorCode] : undefined
  if (known) return known
  // When the identity provider is overloaded, the library throttles requests, and its errors then have no code.
  if (error instanceof ServerError)
    return UNAVAILABLE_CODES.includes(errorCode) ? 'server_unavailable' : 'unknown_server_error'
  return 'AUTH_GENERIC_ERROR'
}

/**
 * Converts the library's error to a failure with a code of the specification (section 8). An error without such a code
 * becomes AUTH_GENERIC_ERROR. The cause keeps the error's name and code, but never its message.
 */
export function toSignInFailed(error: unknown, context: SignInContext): Failed {
  if (isFailed(error)) return error
  if (error instanceof AuthError) {
    const unexpected = Object.hasOwn(UNEXPECTED_CODES, error.errorCode)
      ? UNEXPECTED_CODES[error.errorCode]
      : undefined
    const cause = unexpected ?? [error.name, error.errorCode, error.subError].filter(Boolean).join(' ')
    return signInFailure(codeOf(error, context), cause, error)
  }
  return signInFailure('AUTH_GENERIC_ERROR', error instanceof Error ? error.name : typeof error, error)
}
