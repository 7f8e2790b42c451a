import { Failed, type Failure } from '../../kernel/failure.ts'

/**
 * Every way in which the sign-in library can fail (specification, section 8), with the condition that raises it. The
 * log has the code; the text for the user is in views/pane/text/failure.ts.
 */
export const signInConditions = {
  // Failures of the identity provider
  endpoints_resolution_error:
    'The identity provider, or one of its addresses, cannot be reached or found out.',
  untrusted_authority: 'The authority is none that the configuration trusts.',
  server_unavailable: 'The identity provider answers that it cannot work now, or was asked too often.',
  unknown_server_error: 'The identity provider answers with an error that has no code of its own here.',
  // Failures of the sign-in window
  popup_window_error: 'The browser did not open the sign-in window.',
  user_cancelled: 'The person closed the sign-in window, or pressed Cancel in it.',
  token_renewal_error: 'The hidden frame, the sign-in window or the mail client did not answer in time.',
  login_progress_error: 'A sign-in of this window is still under way.',
  acquiretoken_progress_error: 'A window that asks for a token is still open, and another one was asked for.',
  block_token_requests: 'A sign-in was asked for inside a sign-in window or a hidden frame.',
  invalid_interaction_type: 'The answer was meant for another kind of sign-in than the one under way.',
  // Failures of the identity provider's answer
  invalid_state_error: 'The state of the answer is missing, unreadable, or not the one that was sent.',
  nonce_mismatch_error: 'The nonce in the id token is not the one that was sent.',
  invalid_id_token: 'The token answer carries no id token, or one that cannot be read.',
  null_or_empty_id_token: 'An id token that was expected is empty.',
  id_token_parsing_error: 'An id token from elsewhere than a token answer cannot be read.',
  token_encoding_error: 'A part of a token is not base64url.',
  client_info_decoding_error: 'The client info of the answer cannot be read.',
  // Failures that concern the user
  user_login_error: 'A silent sign-in has neither a session id nor a login hint.',
  user_non_existent: 'The account that was asked for is not, or no longer, known.',
  interaction_required: 'The identity provider wants to ask the person something.',
  consent_required: 'The identity provider wants the person to allow Signet in.',
  login_required: 'The person has no session at the identity provider any more.',
  // Failures of the browser's cache
  cannot_parse_cache: 'What the browser keeps of the sign-in cannot be read or written.',
  // Failures of the checks before any request
  authority_uri_insecure: 'The authority is not an https address.',
  authority_uri_invalid_path: 'The authority has no path, or is no address.',
  invalid_prompt: 'The prompt is none of login, select_account, consent, none.',
  empty_input_scopes_error: 'The scopes are not a list with at least one scope.',
  invalid_correlation_id: 'The correlation id is not a GUID.',
  claims_request_parsing_error: 'The claims request is not valid JSON.',
  // All other failures
  AUTH_GENERIC_ERROR: 'Anything that has no code of its own; the cause is kept.',
} as const satisfies Readonly<Record<string, string>>

export type SignInCode = keyof typeof signInConditions

export const isSignInCode = (code: string): code is SignInCode => Object.hasOwn(signInConditions, code)

/** The specification's texts for impossible states. The log shows them as causes of a failure. */
export const UNEXPECTED_STATES = {
  hash: 'Hash was not parsed correctly',
  state: 'Hash does not contain state',
  account: 'Account should not be null here',
  response: 'Response is null',
} as const

/** A failure with one of these codes. `cause` is another program's name for it; `error` is the original error. */
export function signInFailure(code: SignInCode, cause?: string, error?: unknown): Failed {
  const failure: Failure = { kind: 'auth', code, ...(cause === undefined ? {} : { cause }) }
  return new Failed(failure, error === undefined ? undefined : { cause: error })
}
