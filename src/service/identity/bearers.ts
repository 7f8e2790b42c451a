/** The service's own bearers, which identify a signed-in user for an hour. Each organisation has its own keys. */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Account } from '../../../streams/organisation/facts/events.ts'
import {
  anything,
  number,
  object,
  optional,
  orNull,
  type OutOf,
  text,
} from '../../../streams/kernel/schema.ts'
import { isEqualInConstantTime } from '../../server/keyedHash.ts'
import { OWN_ORGANISATION } from '../sql/registry.ts'
import type { LookupClient } from './knownOrganisations.ts'
import type { KeyRing, SigningKey } from './keyRing.ts'
import { invalidToken } from './tokens.ts'

export type BearerOptions = Readonly<{
  /** The keys of an organisation; null for an unknown or removed organisation. */
  keysOf: (organisation: string, sender: LookupClient) => KeyRing | null | Promise<KeyRing | null>
  lifetimeSeconds: number
  /** Milliseconds since 1970. */
  now: () => number
}>

/** The content of a bearer. */
export type BearerContent = Readonly<{
  /** The id of the organisation that signed the bearer with its key. */
  organisation: string
  /** The id of the user who signed in. */
  person: string
  /** The account used for the sign-in. The person may get another account later, or be erased and imported again. */
  account: Account
  /**
   * The mailbox used for the sign-in: the user's own or a delegated mailbox. It grants no rights. Before it reuses a
   * session, the pane compares this mailbox with its own.
   */
  email: string
  isAdmin: boolean
  /** The time of the sign-in, in milliseconds since 1970. */
  authTime: number
}>

export type Bearers = ReturnType<typeof createBearers>

const RENEWABLE_MS = 12 * 3_600_000
/** The longest accepted bearer, in characters. The service's own bearers have about 500. */
const MAX_BEARER_LENGTH = 4096
/** The number of cached bearers. Only the first request with a bearer verifies its signature. */
const MAX_KNOWN = 5_000
const NAME_LENGTH = 24

/** Ignores the algorithm in the header, because the service always signs with HS256. */
const headerSchema = orNull(object({ kid: text }))
const claimsSchema = orNull(
  object({
    sub: text,
    /** Missing in bearers of the organisation in the settings. */
    org: optional(text, OWN_ORGANISATION),
    tid: text,
    oid: text,
    email: text,
    /** Only `true` makes the user an administrator. */
    admin: optional(anything),
    auth_time: number,
    exp: number,
  }),
)

type Claims = NonNullable<OutOf<typeof claimsSchema>>

export function createBearers({ keysOf, lifetimeSeconds, now }: BearerOptions) {
  /** Verified bearers and the keys that signed them, by the last `NAME_LENGTH` characters of the bearer's signature. */
  const known = new LRUCache<string, Readonly<{ token: string; claims: Claims; key: SigningKey }>>({
    max: MAX_KNOWN,
  })

  /**
   * The claims of a bearer with a valid signature from its organisation's key; else null. The HMAC is computed in this
   * thread, because Web Crypto would take longer than the rest of the request.
   */
  async function verified(token: string, sender: LookupClient): Promise<Claims | null> {
    const before = known.get(token.slice(-NAME_LENGTH))
    if (before?.token === token) {
      const key = await keyOf(before.claims.org, before.key.id, sender)
      if (key !== null && timingSafeEqual(key.bytes, before.key.bytes)) return before.claims
    }
    const [head = '', body = '', signature = '', ...more] = token.split('.')
    const header = headerSchema.read(parsed(head), '')
    const claims = claimsSchema.read(parsed(body), '')
    if (header === null || claims === null || more.length > 0) return null
    const key = await keyOf(claims.org, header.kid, sender)
    if (key === null || !isEqualInConstantTime(signature, signatureOf(`${head}.${body}`, key.bytes)))
      return null
    known.set(token.slice(-NAME_LENGTH), { token, claims, key })
    return claims
  }

  /** A valid key of an organisation; else null. Returns a promise only if something is not in memory, which is rare. */
  function keyOf(
    organisation: string,
    id: string,
    sender: LookupClient,
  ): SigningKey | null | Promise<SigningKey | null> {
    const keys = keysOf(organisation, sender)
    if (keys instanceof Promise) return keys.then((read) => read?.find(id) ?? null)
    return keys?.find(id) ?? null
  }

  return {
    issue: async ({
      organisation,
      person,
      account,
      email,
      isAdmin,
      authTime,
    }: BearerContent): Promise<string> => {
      const keys = await keysOf(organisation, null)
      if (keys === null) throw invalidToken('The organisation is not there any more.')
      const { id, bytes } = await keys.current()
      const issuedAt = Math.floor(now() / 1000)
      const content = [
        { alg: 'HS256', typ: 'JWT', kid: id },
        {
          sub: person,
          ...(organisation === OWN_ORGANISATION ? {} : { org: organisation }),
          tid: account.tenant,
          oid: account.oid,
          email,
          admin: isAdmin,
          auth_time: Math.floor(authTime / 1000),
          jti: randomUUID(),
          iat: issuedAt,
          exp: issuedAt + lifetimeSeconds,
        },
      ]
      const text = content.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
      return `${text}.${signatureOf(text, bytes)}`
    },

    /**
     * Reads the bearer in the Authorization header.
     *
     * @throws DomainError `invalid_token` when it is missing, expired or not from this service
     */
    read: async (authorization: string | undefined, sender: LookupClient): Promise<BearerContent> => {
      const claims = await verified(bearerOf(authorization), sender)
      if (claims === null || claims.exp <= now() / 1000)
        throw invalidToken('The token has expired, or is not a token of this service.')
      const { sub, org, tid, oid, email, admin, auth_time } = claims
      return {
        organisation: org,
        person: sub,
        account: { tenant: tid, oid },
        email,
        isAdmin: admin === true,
        authTime: auth_time * 1000,
      }
    },

    /** @throws DomainError `invalid_token` when the user must sign in again */
    renewable: (authTime: number): void => {
      if (now() - authTime > RENEWABLE_MS) throw invalidToken('Sign in again: the sign-in is 12 hours old.')
    },
  }
}

function bearerOf(authorization = ''): string {
  if (authorization.length > MAX_BEARER_LENGTH) throw invalidToken('The token is too long.')
  const token = /^Bearer (\S+)$/i.exec(authorization)?.[1]
  if (token === undefined) throw invalidToken('The token is missing.')
  return token
}

/** The HS256 signature (RFC 7515) over the first two parts of a token. */
const signatureOf = (text: string, key: Uint8Array): string =>
  createHmac('sha256', key).update(text).digest('base64url')

/** Parses a part of a token as JSON; undefined if malformed. */
function parsed(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return undefined
  }
}
