/** Verifies access tokens from the identity provider, and reads their user and roles. */
import { hash } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Account } from '../../../streams/organisation/facts/events.ts'
import { DomainError } from '../operations/domainError.ts'
import type { LookupClient } from './knownOrganisations.ts'
import { createProviderDiscovery, type OpenIdProvider } from './discovery.ts'

export type IdentityOptions = Readonly<{
  /**
   * The OpenID authority. Without `{tenant}`, it is the issuer. With `{tenant}`, as in `DEFAULT_AUTHORITY`, each tenant
   * has two discovery documents. The document for version 2 tokens is at this address, the document for version 1 at
   * the address without `/v2.0`.
   */
  authority: string
  /** The tenants whose users may sign in. An empty list is only allowed for an authority without `{tenant}`. */
  tenants: readonly string[]
  /** The accepted audiences of tokens: the client id and the application id URI of the app registration. */
  tokenAudiences: readonly string[]
  /** The permission that a user's token must have. */
  scope: string
}>

/** `now` is in milliseconds since 1970. */
export type TokenReaderOptions = IdentityOptions &
  Readonly<{
    now: () => number
    /** Whether users of a tenant outside `tenants` may sign in. By default they may not. */
    hasTenant?: (tenant: string, sender: LookupClient) => Promise<boolean>
  }>

/** A user in a verified token. */
export type VerifiedUser = Readonly<{
  account: Account
  /** In lower case; empty if the token has none. It may change, and may differ from the mail address. */
  signInName: string
  /** Whether the account belongs to another tenant or provider. */
  isGuest: boolean
  /** The app roles, such as `Signet.Publish`. */
  roles: readonly string[]
}>

export type TokenReader = ReturnType<typeof createTokenReader>

export const DEFAULT_AUTHORITY = 'https://login.microsoftonline.com/{tenant}/v2.0'

const TENANT = '{tenant}'
const LEEWAY_SECONDS = 60
/** The longest accepted token, in characters. Entra's tokens have about 2 kB, and up to 10 kB with many groups. */
const MAX_TOKEN_LENGTH = 16 * 1024

/** The number of cached tokens. Only the first sign-in with a token verifies its signature. */
const MAX_KNOWN = 5_000

export const invalidToken = (message: string) => new DomainError('invalid_token', message)

/** @throws when the authority contains `{tenant}` but there are no tenants */
export function createTokenReader(options: TokenReaderOptions) {
  const { scope, now, hasTenant = async () => false } = options
  const authority = withoutSlash(options.authority)
  const tenants = options.tenants.map((tenant) => tenant.toLowerCase())
  const perTenant = authority.includes(TENANT)
  if (perTenant && tenants.length === 0) throw new Error(`The authority ${authority} needs tenants.`)
  const audience = [...options.tokenAudiences]
  const discovery = createProviderDiscovery(now)

  /** Finds the authority whose keys verify the token, from claims that are not verified yet. */
  const authorityOf = async ({ tid, ver }: JWTPayload, sender: LookupClient): Promise<string> => {
    const tenant = text(tid).toLowerCase()
    if (tenants.length > 0 && !tenants.includes(tenant) && !(await hasTenant(tenant, sender))) throw notGood()
    if (!perTenant) return authority
    if (ver !== '1.0' && ver !== '2.0') throw notGood()
    const own = authority.replaceAll(TENANT, tenant)
    return ver === '1.0' ? own.replace(/\/v2\.0$/, '') : own
  }

  /** Verified tokens by their hash, because a client sends the same token until it expires. */
  const known = new LRUCache<
    string,
    Readonly<{ provider: OpenIdProvider; keyId: string; claims: JWTPayload }>
  >({
    max: MAX_KNOWN,
  })

  const verify = async (accessToken: string, sender: LookupClient): Promise<JWTPayload> => {
    if (accessToken.length > MAX_TOKEN_LENGTH) throw notGood()
    try {
      const name = hash('sha256', accessToken)
      const before = known.get(name)
      const keyId = before?.keyId ?? decodeProtectedHeader(accessToken).kid
      if (typeof keyId !== 'string') throw notGood()
      const provider = await discovery.of(
        await authorityOf(before?.claims ?? decodeJwt(accessToken), sender),
        keyId,
      )
      // A reload of the keys creates a new provider object, so the token is then verified again.
      if (before?.provider === provider && isInTime(before.claims, now())) return before.claims
      const { issuer, keys } = provider
      if (!perTenant && withoutSlash(issuer) !== authority) throw notGood()
      const { payload } = await jwtVerify(accessToken, keys, {
        issuer,
        audience,
        algorithms: ['RS256'],
        requiredClaims: ['exp'],
        clockTolerance: LEEWAY_SECONDS,
        currentDate: new Date(now()),
      })
      known.set(name, { provider, keyId, claims: payload })
      return payload
    } catch (error) {
      // `jose` throws a TypeError for a malformed token.
      throw error instanceof errors.JOSEError || error instanceof TypeError ? notGood() : error
    }
  }

  const userOf = (claims: JWTPayload): VerifiedUser => {
    const { iss, tid, idp, acct, roles } = claims
    const oid = text(claims['oid'])
    if (oid === '') throw notGood()
    const signInName = text(
      claims['preferred_username'] ?? claims['upn'] ?? claims['unique_name'],
    ).toLowerCase()
    return {
      account: { tenant: (text(tid) || text(iss)).toLowerCase(), oid },
      signInName,
      isGuest: (idp !== undefined && idp !== iss) || acct === 1 || signInName.includes('#ext#'),
      roles: Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [],
    }
  }

  const isOfUser = ({ scp }: JWTPayload) => text(scp).split(' ').includes(scope)

  return {
    /**
     * The user of an access token.
     *
     * @throws DomainError `invalid_token`; `identity_provider_unavailable` when the provider's keys are unreachable
     */
    verifyAccessToken: async (accessToken: string, sender: LookupClient): Promise<VerifiedUser> => {
      const claims = await verify(accessToken, sender)
      if (!isOfUser(claims)) throw notGood()
      return userOf(claims)
    },

    /**
     * The caller of the administration: a user, or an application that authenticated itself. An application's
     * `signInName` is `application <client id>`. Does not check roles.
     *
     * @throws DomainError like `verifyAccessToken`
     */
    applicationToken: async (accessToken: string, sender: LookupClient): Promise<VerifiedUser> => {
      const claims = await verify(accessToken, sender)
      if (isOfUser(claims)) return userOf(claims)
      const client = text(claims['azp'] ?? claims['appid'])
      if (!isOfApplication(claims) || client === '') throw notGood()
      return { ...userOf(claims), signInName: `application ${client}` }
    },
  }
}

/** Whether verified claims are valid at a time in milliseconds since 1970, without leeway. */
const isInTime = ({ exp = 0, nbf = 0 }: JWTPayload, at: number): boolean =>
  nbf * 1000 <= at && at < exp * 1000

/**
 * Whether an application got the token with its own credentials. `idtyp` is optional in the app registration. Without
 * `idtyp`, `oid` and `sub` are equal in tokens of applications, but differ in users' id tokens.
 */
const isOfApplication = ({ scp, idtyp, oid, sub, nonce }: JWTPayload): boolean =>
  scp === undefined && nonce === undefined && (idtyp === 'app' || (idtyp === undefined && oid === sub))

const withoutSlash = (url: string): string => (url.endsWith('/') ? url.slice(0, -1) : url)
const text = (claim: unknown): string => (typeof claim === 'string' ? claim : '')
const notGood = () => invalidToken('The access token is not valid for this service.')
