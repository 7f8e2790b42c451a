/** Issues the identity provider's tokens. Generates the signing key pair at start; it can be rotated. */
import { createHash, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose'
import { TENANT_IDS, type ProviderAccount, type ProviderApplication } from './accounts.ts'

export type TokenVersion = '1.0' | '2.0'

export type AccessGrant = Readonly<{
  issuerUrl: string
  version: TokenVersion
  clientId: string
  audience: string
  /** The permission that the token grants. Application tokens have roles instead. */
  scope: string
}>

export type TokenIssuer = Awaited<ReturnType<typeof createTokenIssuer>>

export const TOKEN_LIFETIME_SECONDS = 3599

export const tenantOfAccount = ({ tenant = TENANT_IDS.northwind }: ProviderAccount): string => tenant
export const signInNameOf = ({ signInName, email }: ProviderAccount): string => signInName ?? email

/** Generates a key pair and issues tokens with it. `now` is in milliseconds since 1970. */
export async function createTokenIssuer(now: () => number) {
  const makePair = async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256')
    const kid = randomUUID()
    return { kid, privateKey, published: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } }
  }
  let pairs = [await makePair()] as [
    Awaited<ReturnType<typeof makePair>>,
    ...Awaited<ReturnType<typeof makePair>>[],
  ]

  const sign = (claims: JWTPayload) => {
    const [{ kid, privateKey }] = pairs
    const issuedAt = Math.floor(now() / 1000)
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
      .setIssuedAt(issuedAt)
      .setNotBefore(issuedAt)
      .setExpirationTime(issuedAt + TOKEN_LIFETIME_SECONDS)
      .sign(privateKey)
  }

  return {
    /** The published public keys: the current key, and the previous key after a rotation. */
    keys: (): readonly JWK[] => pairs.map(({ published }) => published),
    /** Signs with a new key pair from now on. */
    rotate: async (): Promise<void> => {
      pairs = [await makePair(), pairs[0]]
    },
    accessToken: (account: ProviderAccount, { issuerUrl, version, clientId, audience, scope }: AccessGrant) =>
      sign({
        iss: issuerUrl,
        aud: audience,
        ...claimsOf(account, clientId),
        ...(version === '1.0'
          ? { appid: clientId, upn: signInNameOf(account), unique_name: signInNameOf(account) }
          : { azp: clientId, preferred_username: signInNameOf(account) }),
        scp: scope,
        ver: version,
      }),
    applicationToken: (
      { clientId, subject, tenant, roles }: ProviderApplication,
      { issuerUrl, version, audience }: Omit<AccessGrant, 'scope' | 'clientId'>,
    ) =>
      sign({
        iss: issuerUrl,
        aud: audience,
        ...(version === '1.0' ? { appid: clientId } : { azp: clientId }),
        idtyp: 'app',
        oid: subject,
        sub: subject,
        tid: tenant,
        roles,
        ver: version,
      }),
    /** The token that identifies the user to the client. `nonce` is from the client's request. */
    idToken: (
      account: ProviderAccount,
      { issuer, clientId, nonce }: Readonly<{ issuer: string; clientId: string; nonce: string | null }>,
    ) =>
      sign({
        iss: issuer,
        aud: clientId,
        ...claimsOf(account, clientId),
        preferred_username: signInNameOf(account),
        ver: '2.0',
        ...(nonce === null ? {} : { nonce }),
      }),
  }
}

/** The claims in each of a user's tokens. As in Entra, `sub` differs for each client. */
function claimsOf(account: ProviderAccount, clientId: string): JWTPayload {
  const { subject, name, home, roles } = account
  return {
    name,
    oid: subject,
    sub: createHash('sha256').update(`${clientId} ${subject}`).digest('base64url'),
    tid: tenantOfAccount(account),
    ...(home === undefined ? {} : { idp: home }),
    ...(roles === undefined ? {} : { roles }),
  }
}
