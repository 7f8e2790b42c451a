/** Access tokens of the identity provider, signed with a key pair that is made at start. */
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
}

const lifetimeSeconds = 3599

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
  }
}
