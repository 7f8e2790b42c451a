import { base64Reader } from '../../../streams/html/raster.ts'
import type { Session } from '../../../streams/message/auth/events.ts'
import { createSecret } from '../../../streams/kernel/secret.ts'

// Reads tokens without `atob` and `TextDecoder`, because the runtime of launch events has neither.

/** Decodes base64url, with or without padding, to a text in UTF-8; null when the input is not valid. */
export function decodeBase64Url(encoded: string): string | null {
  const bare = encoded.replace(/={1,2}$/, '')
  if (!/^[\w-]*$/.test(bare)) return null
  const { length, at } = base64Reader(bare.replaceAll('-', '+').replaceAll('_', '/'))
  let escaped = ''
  for (let index = 0; index < length; index++) escaped += `%${at(index).toString(16).padStart(2, '0')}`
  try {
    return decodeURIComponent(escaped)
  } catch {
    return null
  }
}

type Claims = Readonly<{ sub: string; email: string; exp: number }>

const isClaims = (value: unknown): value is Claims => {
  const { sub, email, exp } = (value ?? {}) as Record<string, unknown>
  return typeof sub === 'string' && typeof email === 'string' && typeof exp === 'number'
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

const payloadOf = (token: string): unknown =>
  parse(decodeBase64Url((token.split('.')[1] ?? '').replaceAll('+', '-').replaceAll('/', '_')) ?? '')

/** The account name in an access token (specification, section 3); null in a token without a readable name. */
export function readAccount(accessToken: string): string | null {
  const claims = (payloadOf(accessToken) ?? {}) as Record<string, unknown>
  const name = claims['preferred_username'] ?? claims['upn'] ?? claims['unique_name']
  return typeof name === 'string' && name !== '' ? name : null
}

/**
 * The session in a JWT; null when the JWT is not valid. The claims are not verified, because the service verifies its
 * own token. The service may send the token in quotes (specification, section 7).
 */
export function readSession(token: string): Session | null {
  const bare = token.replaceAll('"', '')
  const claims = payloadOf(bare)
  return isClaims(claims)
    ? { token: createSecret(bare), userId: claims.sub, email: claims.email, expiresAt: claims.exp * 1000 }
    : null
}
