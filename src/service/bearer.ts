/** The two tokens of the service: the identity provider's, which it verifies, and its own bearer. */
import { randomUUID } from 'node:crypto'
import { createRemoteJWKSet, errors, jwtVerify, SignJWT } from 'jose'
import type { Person } from './repository.ts'
import { Refusal } from '../server/webServer.ts'

export type BearerOptions = Readonly<{
  issuer: string
  /** The audience that the identity provider's access tokens must name. */
  audience: string
  key: Uint8Array
  lifetimeSeconds: number
  /** Milliseconds since 1970. */
  now: () => number
}>

export type Bearers = Readonly<{
  /**
   * The e-mail address in a valid access token of the identity provider.
   *
   * @throws Refusal 401 `invalid_token`; 503 `identity_provider_unavailable` when its keys are unreachable
   */
  vouchedEmail: (accessToken: string) => Promise<string>
  issue: (person: Person) => Promise<string>
  /**
   * The id of the user whose bearer the Authorization header holds.
   *
   * @throws Refusal 401 `invalid_token` when it is missing, expired or not ours
   */
  personId: (authorization: string | undefined) => Promise<string>
}>

export const invalidToken = (message: string) => new Refusal(401, 'invalid_token', message)

export function createBearers({ issuer, audience, key, lifetimeSeconds, now }: BearerOptions): Bearers {
  const providerKeys = createRemoteJWKSet(new URL(`${issuer}/keys`), {
    cooldownDuration: 1000,
    timeoutDuration: 3000,
  })

  return {
    async vouchedEmail(accessToken) {
      try {
        const { payload } = await jwtVerify(accessToken, providerKeys, {
          issuer,
          audience,
          algorithms: ['RS256'],
          requiredClaims: ['exp', 'preferred_username'],
          currentDate: new Date(now()),
        })
        return String(payload['preferred_username'])
      } catch (error) {
        if (isAboutTheToken(error)) throw invalidToken('The access token is not good for this service.')
        throw new Refusal(503, 'identity_provider_unavailable', 'The identity provider cannot be reached.')
      }
    },

    issue({ id, email }) {
      const issuedAt = Math.floor(now() / 1000)
      return new SignJWT({ email })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(id)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(key)
    },

    async personId(authorization) {
      const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
      if (token === undefined) throw invalidToken('A bearer is needed.')
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ['HS256'],
          requiredClaims: ['exp', 'sub'],
          currentDate: new Date(now()),
        })
        return String(payload.sub)
      } catch {
        throw invalidToken('The bearer is expired or not one of this service.')
      }
    },
  }
}

function isAboutTheToken(error: unknown): boolean {
  return (
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  )
}
