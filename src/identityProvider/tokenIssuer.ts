/** The tokens of the identity provider, signed with a key pair that is made at start. */
import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose'
import type { Account } from './accounts.ts'

/** By whom, to whom and for what a token is made out. */
export interface Grant {
  readonly issuerUrl: string
  readonly clientId: string
  readonly audience: string
  readonly scope: string
}

export interface TokenIssuer {
  /** The public half, as it is published. */
  readonly keys: readonly JWK[]
  readonly accessToken: (account: Account, grant: Grant) => Promise<string>
  /** Tells the client who signed in; `nonce` is the one that the client sent. */
  readonly idToken: (
    account: Account,
    made: { readonly issuer: string; readonly clientId: string; readonly nonce: string | null },
  ) => Promise<string>
}

/** Of both tokens. */
export const lifetimeSeconds = 3599
/** The one organisation of the provider. */
export const tenantId = '0f5e0d3c-7a41-4b0e-9c55-6b0f5a3d0001'

/** @param now milliseconds since 1970 */
export async function createTokenIssuer(now: () => number): Promise<TokenIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const kid = crypto.randomUUID()

  return {
    keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }],
    accessToken: (account, { issuerUrl, clientId, audience, scope }) => {
      const issuedAt = Math.floor(now() / 1000)
      return new SignJWT({ preferred_username: account.email, name: account.name, scp: scope, azp: clientId })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
        .setIssuer(issuerUrl)
        .setAudience(audience)
        .setSubject(account.subject)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(privateKey)
    },
    idToken: ({ subject, email, name }, { issuer, clientId, nonce }) => {
      const issuedAt = Math.floor(now() / 1000)
      return new SignJWT({
        preferred_username: email,
        name,
        oid: subject,
        tid: tenantId,
        ver: '2.0',
        ...(nonce === null ? {} : { nonce }),
      })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
        .setIssuer(issuer)
        .setAudience(clientId)
        .setSubject(subject)
        .setIssuedAt(issuedAt)
        .setNotBefore(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(privateKey)
    },
  }
}
