/**
 * The organisations of an instance. The organisation in the settings is always in memory. Other organisations are
 * opened by their first call. Beyond a bound, the least recently used are dropped.
 */
import { createKnownOrganisations, type LookupClient } from '../identity/knownOrganisations.ts'
import { type KeyRing, createKeyRing } from '../identity/keyRing.ts'
import { isEqualInConstantTime } from '../../server/keyedHash.ts'
import { createOpenedOrganisations, type OpeningOptions } from './openedOrganisations.ts'
import type { Organisation } from './organisation.ts'
import { LRUCache } from 'lru-cache'
import { type RegisteredOrganisation, scimTokenHash } from '../sql/registry.ts'
import { visitOrganisations } from './visitOrganisations.ts'

export type OrganisationsOptions = OpeningOptions &
  Readonly<{
    own: Organisation
    ownKeys: KeyRing
    /** The tenants in the settings, in lower case. If empty, every unregistered tenant belongs to `default`. */
    tenants: readonly string[]
    /** The SCIM bearer of `default`; null without SCIM. */
    scimToken: string | null
  }>

export type Organisations = ReturnType<typeof createOrganisations>

const KEY_RINGS = 10_000
const PAGE = 500
const VISITS_FOR_A_SYNC = 3
/**
 * The longest time between two visits of an organisation. A visit deletes old data and applies pending SCIM changes.
 */
const VISIT_INTERVAL_MS = 3_600_000

export function createOrganisations(options: OrganisationsOptions) {
  const { shared, places, own, ownKeys, tenants, scimToken } = options
  const { installation, secret, now } = shared
  const { registry, storeOf } = installation
  const known = createKnownOrganisations(registry, now)
  const opened = createOpenedOrganisations(options)
  /** The key includes the time of registration, because an id may be reused. */
  const rings = new LRUCache<string, Promise<KeyRing>>({ max: KEY_RINGS })
  const ending = new AbortController()

  const openedOf = async (registered: RegisteredOrganisation | null): Promise<Organisation | null> =>
    registered && opened.of(registered)

  const ofId = async (id: string): Promise<Organisation | null> => openedOf(await known.of(id, null))

  async function ringOf(id: string, sender: LookupClient): Promise<KeyRing | null> {
    const registered = await known.of(id, sender)
    if (registered?.removedAt !== null) return null
    const key = `${id} ${String(registered.addedAt)}`
    const ring = rings.get(key) ?? createKeyRing(storeOf(id), secret, now)
    rings.set(key, ring)
    return ring.catch((error: unknown) => {
      rings.delete(key)
      throw error
    })
  }

  visitOrganisations<RegisteredOrganisation>(
    {
      page: (after) => registry.page(after, PAGE),
      // If an organisation is being removed, a visit drops it from memory, and ends its running sync.
      intervalMs: ({ directory, removedAt }) => (removedAt === null ? visitIntervalMs(directory) : 0),
      visit: async ({ id }) => (await ofId(id))?.doWhatIsDue(),
    },
    ending.signal,
    shared.timers,
  )

  const ownHash = scimToken && scimTokenHash(scimToken)

  return {
    own,
    /** The organisation with this id, from a verified bearer; null for an unknown or removed organisation. */
    of: (id: string): Organisation | Promise<Organisation | null> => (id === own.id ? own : ofId(id)),
    /** The organisation of a verified tenant; null for none. */
    ofTenant: async (tenant: string): Promise<Organisation | null> => {
      if (tenants.includes(tenant)) return own
      const registered = await known.ofTenant(tenant, null)
      return registered === null && tenants.length === 0 ? own : openedOf(registered)
    },
    /** Whether users of this tenant may sign in. `sender` sent the token that names the tenant. */
    hasTenant: async (tenant: string, sender: LookupClient): Promise<boolean> =>
      tenants.includes(tenant) || (await known.ofTenant(tenant, sender)) !== null,
    /** The organisation whose directory calls SCIM with this token; null for a wrong token. */
    ofScimToken: async (token: string, sender: LookupClient): Promise<Organisation | null> => {
      const hash = scimTokenHash(token)
      if (ownHash !== null && isEqualInConstantTime(hash, ownHash)) return own
      return openedOf(await known.ofScimToken(hash, sender))
    },
    /** The organisation of a public address; null for an address that the service did not write. */
    at: async (place: string): Promise<Organisation | null> => {
      const id = places.organisationAt(place)
      return id === null ? null : ofId(id)
    },
    /**
     * The keys for an organisation's bearers; null for an unknown or removed organisation. `sender` sent the bearer.
     */
    keysOf: (id: string, sender: LookupClient): KeyRing | Promise<KeyRing | null> =>
      id === own.id ? ownKeys : ringOf(id, sender),
    /** The number of organisations in memory, including `own`, and the approximate size of their releases in bytes. */
    size: () => {
      const { count, bytes } = opened.size()
      return { organisations: count + 1, bytes: bytes + own.bytes() }
    },
    /** Stops the background work of all organisations. */
    end: async () => {
      ending.abort()
      await opened.end()
      await own.end()
    },
  }
}

/**
 * The time between two visits of an organisation. Shorter than its sync interval, which begins at the end of the
 * previous sync.
 */
export const visitIntervalMs = (directory: RegisteredOrganisation['directory']): number =>
  directory?.kind === 'graph'
    ? Math.min((directory.minutes * 60_000) / VISITS_FOR_A_SYNC, VISIT_INTERVAL_MS)
    : VISIT_INTERVAL_MS
