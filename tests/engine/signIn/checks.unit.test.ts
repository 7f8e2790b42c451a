import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkSignIn, type SignInRequest } from '../../../streams/pane/auth/checks.ts'
import { isSignInCode, signInConditions, type SignInCode } from '../../../streams/pane/auth/signInCodes.ts'

const good: SignInRequest = {
  authority: 'https://login.example/organisation',
  scopes: ['api://signet/access_as_user'],
  prompt: 'select_account',
  loginHint: 'alex.kim@northwind.example',
  correlationId: '5197e75b-0c5d-4a6e-9a52-516e7a3d0001',
  claims: '{"id_token":{}}',
}

describe('checkSignIn', () => {
  test.each<[string, Partial<SignInRequest>, SignInCode]>([
    ['an authority over http', { authority: 'http://login.example/organisation' }, 'authority_uri_insecure'],
    ['an authority without a path', { authority: 'https://login.example' }, 'authority_uri_invalid_path'],
    [
      'an authority with an empty path',
      { authority: 'https://login.example/' },
      'authority_uri_invalid_path',
    ],
    ['an authority that is no address', { authority: 'organisation' }, 'authority_uri_invalid_path'],
    ['an unknown prompt', { prompt: 'bogus' }, 'invalid_prompt'],
    ['no scopes', { scopes: [] }, 'empty_input_scopes_error'],
    ['scopes that are no list', { scopes: 'openid' }, 'empty_input_scopes_error'],
    ['an empty scope', { scopes: [' '] }, 'empty_input_scopes_error'],
    ['a correlation id that is no GUID', { correlationId: 'abc' }, 'invalid_correlation_id'],
    ['claims that are no JSON', { claims: '{' }, 'claims_request_parsing_error'],
  ])('[SOLO-5] refuses %s', (_, wrong, code) => {
    for (const how of ['popup', 'silent'] as const) expect(checkSignIn({ ...good, ...wrong }, how)).toBe(code)
  })

  test('[SOLO-5] requires a hint or a session for a silent sign-in', () => {
    const { loginHint: _hint, ...anonymous } = good
    expect(checkSignIn(anonymous, 'silent')).toBe('user_login_error')
    expect(checkSignIn(anonymous, 'popup')).toBeNull()
    expect(checkSignIn({ ...anonymous, sessionId: 's' }, 'silent')).toBeNull()
    expect(checkSignIn(good, 'silent')).toBeNull()
  })

  test('[SOLO-5] accepts each of the four prompts, any GUID and any JSON', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('login', 'select_account', 'consent', 'none'),
        fc.uuid(),
        fc.json(),
        (prompt, correlationId, claims) => {
          expect(checkSignIn({ ...good, prompt, correlationId, claims }, 'popup')).toBeNull()
        },
      ),
    )
  })

  test('gives a code of the catalogue or null for any input', () => {
    fc.assert(
      fc.property(fc.string(), fc.anything(), fc.string(), (authority, scopes, prompt) => {
        const found = checkSignIn({ authority, scopes, prompt }, 'popup')
        if (found !== null) expect(isSignInCode(found)).toBe(true)
      }),
    )
  })

  test('describes the condition of every code', () => {
    for (const condition of Object.values(signInConditions)) expect(condition).toMatch(/^[A-Z].+\.$/)
  })
})
