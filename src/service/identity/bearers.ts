/**
 * The service's own bearers: who signed in, for an hour. Their keys are the organisation's own, so that a bearer of another
 * organisation is no bearer here.
 */
import { randomUUID } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { KeyRing } from './keyRing.ts'
import { invalidToken } from './tokens.ts'

export type BearerOptions = Readonly<{
  keys: KeyRing
  lifetimeSeconds: number
  /** Milliseconds since 1970. */
  now: () => number
}>

/** What a bearer says. */
export type Bearer = Readonly<{
  /** The id of the user who signed in. */
  person: string
  /**
   * The mailbox that the pane named at sign-in: the user's own, or an opened mailbox that is delegated to them. The pane
   * compares it with its mailbox before it goes on with a kept session; it gives no rights.
   */
  email: string
  isAdmin: boolean
  /** When the identity provider was asked, in milliseconds since 1970. */
  authTime: number
}>

export type Bearers = Readonly<{
  issue: (bearer: Bearer) => Promise<string>
  /**
   * What the bearer in the Authorization header says.
   *
   * @throws Refusal 401 `invalid_token` when it is missing, expired or not ours
   */
  read: (authorization: string | undefined) => Promise<Bearer>
  /** @throws Refusal 401 `invalid_token` when the identity provider must be asked again */
  renewable: (authTime: number) => void
}>

const RENEWABLE_MS = 12 * 3_600_000
/** Ours have some 500 characters. */
const MAX_BEARER_LENGTH = 4096

export function createBearers({ keys, lifetimeSeconds, now }: BearerOptions): Bearers {
  return {
    async issue({ person, email, isAdmin, authTime }) {
      const { id, bytes } = await keys.current()
      const issuedAt = Math.floor(now() / 1000)
      return new SignJWT({ email, admin: isAdmin, auth_time: Math.floor(authTime / 1000) })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: id })
        .setSubject(person)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(bytes)
    },

    async read(authorization) {
      const token = bearerOf(authorization)
      try {
        const { payload } = await jwtVerify(
          token,
          async ({ kid }) => (await keys.find(kid ?? ''))?.bytes ?? noKey(),
          {
            algorithms: ['HS256'],
            requiredClaims: ['exp', 'sub', 'email', 'auth_time'],
            currentDate: new Date(now()),
          },
        )
        return {
          person: String(payload.sub),
          email: String(payload['email']),
          isAdmin: payload['admin'] === true,
          authTime: Number(payload['auth_time']) * 1000,
        }
      } catch (error) {
        throw error instanceof errors.JOSEError
          ? invalidToken('The bearer is expired or not one of this service.')
          : error
      }
    },

    renewable(authTime) {
      if (now() - authTime > RENEWABLE_MS) throw invalidToken('Sign in again: the sign-in is 12 hours old.')
    },
  }
}

function bearerOf(authorization = ''): string {
  if (authorization.length > MAX_BEARER_LENGTH) throw invalidToken('A bearer is not as long as this.')
  const token = /^Bearer (\S+)$/i.exec(authorization)?.[1]
  if (token === undefined) throw invalidToken('A bearer is needed.')
  return token
}

function noKey(): never {
  throw new errors.JWKSNoMatchingKey()
}
