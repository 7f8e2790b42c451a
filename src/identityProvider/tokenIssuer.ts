/** The tokens of the identity provider, signed with a key pair that is generated at start. */
import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose'
import type { ProviderAccount } from './accounts.ts'

/** The issuer, client, audience and permission of an access token. */
export type Grant = Readonly<{ issuerUrl: string; clientId: string; audience: string; scope: string }>

export type TokenIssuer = Readonly<{
  /** The public half, as it is published. */
  keys: readonly JWK[]
  accessToken: (account: ProviderAccount, grant: Grant) => Promise<string>
  /** Tells the client who signed in; `nonce` is the one that the client sent. */
  idToken: (
    account: ProviderAccount,
    made: Readonly<{ issuer: string; clientId: string; nonce: string | null }>,
  ) => Promise<string>
}>

/** The lifetime of both tokens. */
export const LIFETIME_SECONDS = 3599
/** The one organisation of the provider. */
export const TENANT_ID = '0f5e0d3c-7a41-4b0e-9c55-6b0f5a3d0001'

/** @param now milliseconds since 1970 */
export async function createTokenIssuer(now: () => number): Promise<TokenIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const kid = crypto.randomUUID()

  const sign = ({ subject, email, name }: ProviderAccount, claims: JWTPayload) => {
    const issuedAt = Math.floor(now() / 1000)
    return new SignJWT({ preferred_username: email, name, ...claims })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
      .setSubject(subject)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_SECONDS)
      .sign(privateKey)
  }

  return {
    keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }],
    accessToken: (account, { issuerUrl, clientId, audience, scope }) =>
      sign(account, { iss: issuerUrl, aud: audience, azp: clientId, scp: scope }),
    idToken: (account, { issuer, clientId, nonce }) =>
      sign(account, {
        iss: issuer,
        aud: clientId,
        nbf: Math.floor(now() / 1000),
        oid: account.subject,
        tid: TENANT_ID,
        ver: '2.0',
        ...(nonce === null ? {} : { nonce }),
      }),
  }
}
