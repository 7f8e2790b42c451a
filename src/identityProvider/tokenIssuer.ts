/** The tokens of the identity provider, signed with a key pair that is generated at start and can be rotated. */
import { createHash, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose'
import { TENANTS, type ProviderAccount, type ProviderApplication } from './accounts.ts'

export type TokenVersion = '1.0' | '2.0'

/** The audience and rights of an access token. */
export type Grant = Readonly<{
  issuerUrl: string
  version: TokenVersion
  clientId: string
  audience: string
  /** The permission; not for applications, which have roles. */
  scope: string
}>

export type TokenIssuer = Readonly<{
  /** The published public keys: the current one, and the previous one. */
  keys: () => readonly JWK[]
  /** Signs with a new key pair from now on. */
  rotate: () => Promise<void>
  accessToken: (account: ProviderAccount, grant: Grant) => Promise<string>
  applicationToken: (
    application: ProviderApplication,
    grant: Omit<Grant, 'scope' | 'clientId'>,
  ) => Promise<string>
  /** Names the user to the client; `nonce` is from the client's request. */
  idToken: (
    account: ProviderAccount,
    made: Readonly<{ issuer: string; clientId: string; nonce: string | null }>,
  ) => Promise<string>
}>

/** The lifetime of all tokens. */
export const LIFETIME_SECONDS = 3599

export const tenantOf = ({ tenant = TENANTS.northwind }: ProviderAccount): string => tenant
export const signInNameOf = ({ signInName, email }: ProviderAccount): string => signInName ?? email

/** @param now milliseconds since 1970 */
export async function createTokenIssuer(now: () => number): Promise<TokenIssuer> {
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
      .setExpirationTime(issuedAt + LIFETIME_SECONDS)
      .sign(privateKey)
  }

  return {
    keys: () => pairs.map(({ published }) => published),
    rotate: async () => {
      pairs = [await makePair(), pairs[0]]
    },
    accessToken: (account, { issuerUrl, version, clientId, audience, scope }) =>
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
    applicationToken: ({ clientId, subject, tenant, roles }, { issuerUrl, version, audience }) =>
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
    idToken: (account, { issuer, clientId, nonce }) =>
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

/** The claims of every token of a user. As with Entra, `sub` differs for each client. */
function claimsOf(account: ProviderAccount, clientId: string): JWTPayload {
  const { subject, name, home, roles } = account
  return {
    name,
    oid: subject,
    sub: createHash('sha256').update(`${clientId} ${subject}`).digest('base64url'),
    tid: tenantOf(account),
    ...(home === undefined ? {} : { idp: home }),
    ...(roles === undefined ? {} : { roles }),
  }
}
