import {
  AuthError,
  BrowserAuthError,
  BrowserAuthErrorCodes,
  ClientAuthError,
  ClientAuthErrorCodes,
  ClientConfigurationError,
  ClientConfigurationErrorCodes,
  InteractionRequiredAuthError,
  ServerError,
} from '@azure/msal-browser'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type SignInContext, toSignInFailed } from '../../../src/engine/signIn/libraryErrors.ts'
import { Failed } from '../../../streams/kernel/failure.ts'
import { checkSignIn } from '../../../streams/pane/auth/checks.ts'
import {
  isSignInCode,
  type SignInCode,
  signInConditions,
  signInFailure,
} from '../../../streams/pane/auth/signInCodes.ts'

const B = BrowserAuthErrorCodes
const C = ClientAuthErrorCodes
const F = ClientConfigurationErrorCodes
const login: SignInContext = { purpose: 'login', idToken: 'readable' }
const browserError = (code: string) => new BrowserAuthError(code, '')
const clientError = (code: string) => new ClientAuthError(code, '')
const settingsError = (code: string) => new ClientConfigurationError(code, '')
const interaction = (code: string, subError = '') => new InteractionRequiredAuthError(code, '', '', subError)
const server = (code: string) => new ServerError(code, '', '')

const table: [Error, SignInCode, SignInContext?][] = [
  [clientError(C.endpointResolutionError), 'endpoints_resolution_error'],
  [browserError(B.noNetworkConnectivity), 'endpoints_resolution_error'],
  [browserError(B.popupWindowError), 'popup_window_error'],
  [browserError(B.timedOut), 'token_renewal_error'],
  [clientError(C.nonceMismatch), 'invalid_id_token', { purpose: 'login', idToken: 'missing' }],
  [clientError(C.tokenParsingError), 'invalid_id_token', { purpose: 'login', idToken: 'unreadable' }],
  [clientError(C.stateMismatch), 'invalid_state_error'],
  [browserError(B.noStateInHash), 'invalid_state_error'],
  [clientError(C.nonceMismatch), 'nonce_mismatch_error'],
  [browserError(B.interactionInProgress), 'login_progress_error'],
  [browserError(B.interactionInProgress), 'acquiretoken_progress_error', { purpose: 'token', idToken: null }],
  [browserError(B.userCancelled), 'user_cancelled'],
  [clientError(C.userCanceled), 'user_cancelled'],
  [server('access_denied'), 'user_cancelled'],
  [clientError(C.noAccountInSilentRequest), 'user_login_error'],
  [browserError(B.noAccountError), 'user_non_existent'],
  [clientError(C.noAccountFound), 'user_non_existent'],
  [clientError(C.clientInfoDecodingError), 'client_info_decoding_error'],
  [clientError(C.nullOrEmptyToken), 'null_or_empty_id_token'],
  [clientError(C.tokenParsingError), 'id_token_parsing_error'],
  [browserError(B.invalidBase64String), 'token_encoding_error'],
  [browserError(B.stateInteractionTypeMismatch), 'invalid_interaction_type'],
  [browserError(B.unableToParseTokenRequestCacheError), 'cannot_parse_cache'],
  [browserError(B.blockNestedPopups), 'block_token_requests'],
  [browserError(B.blockIframeReload), 'block_token_requests'],
  [settingsError(F.untrustedAuthority), 'untrusted_authority'],
  [settingsError(F.authorityUriInsecure), 'authority_uri_insecure'],
  [settingsError(F.urlParseError), 'authority_uri_invalid_path'],
  [settingsError(F.invalidClaims), 'claims_request_parsing_error'],
  [interaction('interaction_required'), 'interaction_required'],
  [interaction('invalid_grant', 'bad_token'), 'interaction_required'],
  [interaction('consent_required'), 'consent_required'],
  [interaction('invalid_grant', 'consent_required'), 'consent_required'],
  [interaction('login_required'), 'login_required'],
  [server('temporarily_unavailable'), 'server_unavailable'],
  [server('server_error'), 'server_unavailable'],
  // The library's own error while it throttles requests to a provider.
  [server(''), 'server_unavailable'],
  [server('invalid_request'), 'unknown_server_error'],
]

/** The codes of section 8 of the specification. */
const specified = [
  ...['endpoints_resolution_error', 'popup_window_error', 'token_renewal_error', 'invalid_id_token'],
  ...['invalid_state_error', 'nonce_mismatch_error', 'login_progress_error', 'acquiretoken_progress_error'],
  ...['user_cancelled', 'user_login_error', 'user_non_existent', 'client_info_decoding_error'],
  ...['null_or_empty_id_token', 'id_token_parsing_error', 'token_encoding_error', 'invalid_interaction_type'],
  ...['cannot_parse_cache', 'block_token_requests', 'untrusted_authority', 'interaction_required'],
  ...['consent_required', 'login_required', 'server_unavailable', 'AUTH_GENERIC_ERROR'],
]

describe('toSignInFailed', () => {
  test.each(table)('[SOLO-7] maps %s to %s', (error, code, context = login) => {
    const failed = toSignInFailed(error, context)
    expect(failed.failure).toMatchObject({ kind: 'auth', code })
    expect(failed.cause).toBe(error)
  })

  test('[SOLO-7] reaches every code of the specification and of the catalogue', () => {
    const request = { authority: 'https://login.example/tenant', scopes: ['scope'], loginHint: 'a@b.example' }
    const checked = [
      { ...request, prompt: 'never' },
      { ...request, scopes: [] },
      { ...request, correlationId: '1' },
    ].map((bad) => checkSignIn(bad, 'silent'))
    const unknown = toSignInFailed(new AuthError('something_new', ''), login).failure
    const raisedByEngine = [...checked, unknown.kind === 'auth' ? unknown.code : null]
    const raised = new Set<string | null>([...table.map(([, code]) => code as string), ...raisedByEngine])
    expect(specified.filter((code) => !raised.has(code))).toEqual([])
    expect(Object.keys(signInConditions).filter((code) => !raised.has(code))).toEqual([])
  })

  test.each<[Error, SignInCode, string]>([
    [browserError(B.hashEmptyError), 'AUTH_GENERIC_ERROR', 'Hash was not parsed correctly'],
    [
      browserError(B.hashDoesNotContainKnownProperties),
      ...(['AUTH_GENERIC_ERROR', 'Hash was not parsed correctly'] as const),
    ],
    [browserError(B.noStateInHash), 'invalid_state_error', 'Hash does not contain state'],
  ])('[SOLO-7] names the unexpected state of %s', (error, code, cause) => {
    expect(toSignInFailed(error, login).failure).toEqual({ kind: 'auth', code, cause })
  })

  test('[SOLO-7] maps an unknown code to AUTH_GENERIC_ERROR, and keeps the cause without its message', () => {
    const unknown = new AuthError('something_new', '', 'a message with a person in it')
    const failed = toSignInFailed(unknown, login)
    expect(failed.failure).toEqual({
      kind: 'auth',
      code: 'AUTH_GENERIC_ERROR',
      cause: 'AuthError something_new',
    })
    expect(failed.cause).toBe(unknown)

    const escaped = new TypeError('e.join is not a function')
    expect(toSignInFailed(escaped, login).failure).toEqual({
      kind: 'auth',
      code: 'AUTH_GENERIC_ERROR',
      cause: 'TypeError',
    })
  })

  test('gives a code of the catalogue for any thrown value, and keeps a Failed', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.string().map((code) => new AuthError(code, '')),
        ),
        (thrown) => {
          const { failure } = toSignInFailed(thrown, login)
          expect(failure.kind === 'auth' && isSignInCode(failure.code)).toBe(true)
        },
      ),
    )
    const known = signInFailure('user_cancelled')
    expect(toSignInFailed(known, login)).toBe(known)
    expect(known).toBeInstanceOf(Failed)
  })
})
