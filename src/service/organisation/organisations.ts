/**
 * The organisations of an instance. That of the settings is always in memory. The others are opened by their first call,
 * and the least recently used are dropped beyond a bound.
 */
import { createKnownOrganisations, type Sender } from '../identity/knownOrganisations.ts'
import { type KeyRing, createKeyRing } from '../identity/keyRing.ts'
import { isSame } from '../../server/keyedHash.ts'
import { createOpenedOrganisations, type OpeningOptions } from './openedOrganisations.ts'
import type { Organisation } from './organisation.ts'
import { LRUCache } from 'lru-cache'
import { type Registered, scimTokenHash } from '../sql/registry.ts'
import { visitOrganisations } from './visitOrganisations.ts'

export type OrganisationsOptions = OpeningOptions &
  Readonly<{
    own: Organisation
    ownKeys: KeyRing
    /** The tenants of the settings, in lower case. Without any, each tenant that is not registered is of `default`. */
    tenants: readonly string[]
    /** The bearer of the SCIM of `default`; null without it. */
    scimToken: string | null
  }>

export type Organisations = ReturnType<typeof createOrganisations>

const KEY_RINGS = 10_000
const PAGE = 500
const VISITS_FOR_A_SYNC = 3
/** How often an organisation is visited at least: old data is dropped within the hour, and changes of SCIM may wait. */
const VISIT_INTERVAL_MS = 3_600_000

export function createOrganisations(options: OrganisationsOptions) {
  const { shared, places, own, ownKeys, tenants, scimToken } = options
  const { installation, secret, now } = shared
  const { registry, storeOf } = installation
  const known = createKnownOrganisations(registry, now)
  const opened = createOpenedOrganisations(options)
  /** By the id, and the time since which it is that organisation: an id may be given again. */
  const rings = new LRUCache<string, Promise<KeyRing>>({ max: KEY_RINGS })
  const ending = new AbortController()

  const openedOf = async (registered: Registered | null): Promise<Organisation | null> =>
    registered && opened.of(registered)

  const ofId = async (id: string): Promise<Organisation | null> => openedOf(await known.of(id, null))

  async function ringOf(id: string, sender: Sender): Promise<KeyRing | null> {
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

  visitOrganisations<Registered>(
    {
      page: (after) => registry.page(after, PAGE),
      // One that is being removed is dropped from memory, with its running sync.
      intervalMs: ({ directory, removedAt }) => (removedAt === null ? visitIntervalMs(directory) : 0),
      visit: async ({ id }) => (await ofId(id))?.doWhatIsDue(),
    },
    ending.signal,
    shared.timers,
  )

  const ownHash = scimToken && scimTokenHash(scimToken)

  return {
    own,
    /** The organisation with this id, from a verified bearer; null for an unknown or removed one. */
    of: (id: string): Organisation | Promise<Organisation | null> => (id === own.id ? own : ofId(id)),
    /** The organisation of a verified tenant; null for none. */
    ofTenant: async (tenant: string): Promise<Organisation | null> => {
      if (tenants.includes(tenant)) return own
      const registered = await known.ofTenant(tenant, null)
      return registered === null && tenants.length === 0 ? own : openedOf(registered)
    },
    /** Whether users of a tenant may sign in, which a token of this sender names. */
    hasTenant: async (tenant: string, sender: Sender): Promise<boolean> =>
      tenants.includes(tenant) || (await known.ofTenant(tenant, sender)) !== null,
    /** The organisation whose directory calls SCIM with this token; null for a wrong token. */
    ofScimToken: async (token: string, sender: Sender): Promise<Organisation | null> => {
      const hash = scimTokenHash(token)
      if (ownHash !== null && isSame(hash, ownHash)) return own
      return openedOf(await known.ofScimToken(hash, sender))
    },
    /** The organisation of an address that the service has written; null for any other address. */
    at: async (place: string): Promise<Organisation | null> => {
      const id = places.organisationAt(place)
      return id === null ? null : ofId(id)
    },
    /** The keys of bearers of an organisation that a bearer of this sender names; null for an unknown or removed one. */
    keysOf: (id: string, sender: Sender): KeyRing | Promise<KeyRing | null> =>
      id === own.id ? ownKeys : ringOf(id, sender),
    /** How many organisations are in memory, with the own one, and about how many bytes their releases take. */
    size: () => {
      const { count, bytes } = opened.size()
      return { organisations: count + 1, bytes: bytes + own.bytes() }
    },
    /** Stops the background work of all. */
    end: async () => {
      ending.abort()
      await opened.end()
      await own.end()
    },
  }
}

/** A sync is due at an interval from the end of the last one, so that an organisation is visited more often. */
export const visitIntervalMs = (directory: Registered['directory']): number =>
  directory?.kind === 'graph'
    ? Math.min((directory.minutes * 60_000) / VISITS_FOR_A_SYNC, VISIT_INTERVAL_MS)
    : VISIT_INTERVAL_MS
