import type { SignInCode } from './signInCodes.ts'

/** A request to the identity provider (specification, section 3). */
export type SignInRequest = Readonly<{
  authority: string
  scopes: unknown
  prompt?: string
  /** The expected user's e-mail address. */
  loginHint?: string
  sessionId?: string
  correlationId?: string
  /** The `claims` parameter of OpenID Connect, as JSON. */
  claims?: string
}>

const PROMPTS = ['login', 'select_account', 'consent', 'none']
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** A scheme, a host and an optional path. The path is checked later. */
const AUTHORITY = /^(https?):\/\/[^/?#\s\\@]+(\/[^?#\s\\]*)?$/i

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function authorityProblem(authority: string): SignInCode | null {
  const found = AUTHORITY.exec(authority)
  if (!found) return 'authority_uri_invalid_path'
  if (found[1]?.toLowerCase() !== 'https') return 'authority_uri_insecure'
  return /[^/]/.test(found[2] ?? '') ? null : 'authority_uri_invalid_path'
}

/**
 * Returns the error code of an invalid request, before it is sent; null for a valid request (specification, section 5).
 * A `silent` sign-in runs in a hidden frame and must name the expected user.
 */
export function checkSignIn(request: SignInRequest, how: 'popup' | 'silent'): SignInCode | null {
  const { authority, scopes, prompt, loginHint, sessionId, correlationId, claims } = request
  const problem = authorityProblem(authority)
  if (problem) return problem
  if (prompt !== undefined && !PROMPTS.includes(prompt)) return 'invalid_prompt'
  const areScopes =
    Array.isArray(scopes) &&
    scopes.length > 0 &&
    scopes.every((scope) => typeof scope === 'string' && scope.trim())
  if (!areScopes) return 'empty_input_scopes_error'
  if (correlationId !== undefined && !GUID.test(correlationId)) return 'invalid_correlation_id'
  if (claims !== undefined && !isJson(claims)) return 'claims_request_parsing_error'
  if (how === 'silent' && !sessionId && !loginHint) return 'user_login_error'
  return null
}
