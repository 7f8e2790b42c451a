/** OpenID discovery: reads an identity provider's issuer, and the keys that sign its tokens. */
import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose'
import { nonEmptyText } from '../../../streams/kernel/limits.ts'
import { list, looseObject, object, optional, text, withCheck } from '../../../streams/kernel/schema.ts'
import { DomainError } from '../operations/domainError.ts'

export type OpenIdProvider = Readonly<{ issuer: string; keys: JWTVerifyGetKey }>

type Known = OpenIdProvider & Readonly<{ keyIds: ReadonlySet<string>; readAt: number }>
/** The cached state of one authority. `failure` is the error of the last try; null when the try succeeded. */
type Entry = { known: Known | null; triedAt: number; failure: unknown; reading: Promise<void> | null }

const KEPT_MS = 24 * 3_600_000
const ASK_AGAIN_MS = 60_000
const TIME_LIMIT_MS = 3_000
const SIZE_LIMIT_BYTES = 256 * 1024

const address = withCheck(text, isSafe, 'an address on https')
const documentSchema = object({ issuer: nonEmptyText, jwks_uri: address })
const keysSchema = object({ keys: list(looseObject({ kty: text, kid: optional(text) })) })

/** Whether an address uses https, which protects the keys in transit. On this machine, http is allowed too. */
function isSafe(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost')
}

/** @param now milliseconds since 1970 */
export function createProviderDiscovery(now: () => number) {
  const entries = new Map<string, Entry>()
  // The absolute difference, because a clock may be set back.
  const isPast = (time: number, age: number) => Math.abs(now() - time) >= age

  const entryOf = (authority: string): Entry => {
    const entry = entries.get(authority) ?? { known: null, triedAt: 0, failure: null, reading: null }
    entries.set(authority, entry)
    return entry
  }

  const isDue = ({ known, triedAt }: Entry, keyId: string): boolean => {
    if (known === null) return true
    const isStale = !known.keyIds.has(keyId) || isPast(known.readAt, KEPT_MS)
    return isStale && isPast(triedAt, ASK_AGAIN_MS)
  }

  /** Requests the documents of a provider. If a request fails, the cached provider stays. */
  const read = (authority: string, entry: Entry): Promise<void> => {
    entry.triedAt = now()
    entry.reading = readProvider(authority)
      .then(
        (provider) => {
          entry.known = { ...provider, readAt: now() }
          entry.failure = null
        },
        (error: unknown) => {
          entry.failure = error
        },
      )
      .finally(() => (entry.reading = null))
    return entry.reading
  }

  return {
    /**
     * The provider with the discovery document below the address `authority`. The document and keys are cached for a
     * day. An unknown key id requests them again, at most once a minute. Concurrent sign-ins share one request.
     *
     * @param authority without a slash at the end
     * @throws DomainError `identity_provider_unavailable` when the key is unknown and the request failed
     */
    of: async (authority: string, keyId: string): Promise<OpenIdProvider> => {
      const entry = entryOf(authority)
      if (entry.reading !== null) await entry.reading
      else if (isDue(entry, keyId)) await read(authority, entry)
      const found = entry.known
      if (found === null || (entry.failure !== null && !found.keyIds.has(keyId)))
        throw unavailable(entry.failure)
      return found
    },
  }
}

/** @param cause for the log */
const unavailable = (cause: unknown) =>
  new DomainError('identity_provider_unavailable', 'The identity provider cannot be reached.', { cause })

async function readProvider(authority: string): Promise<Omit<Known, 'readAt'>> {
  const documentUrl = `${authority}/.well-known/openid-configuration`
  const { issuer, jwks_uri } = documentSchema.read(await readJson(documentUrl), documentUrl)
  const published = keysSchema.read(await readJson(jwks_uri), jwks_uri)
  return {
    issuer,
    keys: createLocalJWKSet({ keys: [...published.keys] }),
    keyIds: new Set(published.keys.flatMap(({ kid }) => kid ?? [])),
  }
}

/** @throws for a response that is late, too large or not JSON */
async function readJson(url: string): Promise<unknown> {
  const response = await fetch(url, {
    headers: { Accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  })
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel()
    throw new Error(`${url} answers with status ${response.status}.`)
  }
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body) {
    size += part.length
    if (size > SIZE_LIMIT_BYTES) throw new Error(`${url} answers with more than ${SIZE_LIMIT_BYTES} bytes.`)
    parts.push(part)
  }
  return JSON.parse(Buffer.concat(parts).toString('utf8'))
}
