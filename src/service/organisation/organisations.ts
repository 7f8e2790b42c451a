/**
 * The organisations of an instance. That of the settings is always in memory. The others are opened by their first call,
 * and the least recently used are dropped beyond a bound.
 */
import { getHeapStatistics } from 'node:v8'
import { LRUCache } from 'lru-cache'
import { defer } from 'rxjs'
import { visitOrganisations } from '../../../effects/organisation/visitOrganisations.ts'
import { createKnownOrganisations, type Sender } from '../identity/knownOrganisations.ts'
import { type KeyRing, createKeyRing } from '../identity/keyRing.ts'
import { isSame } from '../../server/keyedHash.ts'
import { type Bound, createLeastRecent } from './leastRecent.ts'
import type { ConfiguredDirectory } from '../directory/directory.ts'
import { openOrganisation, type Organisation, type Shared } from './organisation.ts'
import type { Places } from './publicAddresses.ts'
import { type Registered, scimTokenHash } from '../sql/registry.ts'

export type OrganisationsOptions = Readonly<{
  shared: Shared
  places: Places
  own: Organisation
  ownKeys: KeyRing
  /** The tenants of the settings, in lower case. Without any, each tenant that is not registered is of `default`. */
  tenants: readonly string[]
  /** The bearer of the SCIM of `default`; null without it. */
  scimToken: string | null
  /** The address that users reach, without a slash at the end. */
  publicUrl: () => string
  /** The directory that a registered organisation has. */
  directoryFor: (registered: Registered) => ConfiguredDirectory | null
  bound?: Bound
}>

export type Organisations = ReturnType<typeof createOrganisations>

/**
 * What an instance keeps of organisations beside `default`: half of the heap that Node allows itself, which follows the
 * memory of the machine or container. With 512 MB these are 128 MiB, and leave room for pictures and a plan.
 */
const BOUND: Bound = { bytes: getHeapStatistics().heap_size_limit / 2, count: 10_000 }
const KEY_RINGS = 10_000
const PAGE = 500
const VISITS_FOR_A_SYNC = 3
/** How often an organisation is visited at least: old data is dropped within the hour, and changes of SCIM may wait. */
const VISIT_INTERVAL_MS = 3_600_000

type Opened = Readonly<{ registered: Registered; opening: Promise<Organisation> }>

export function createOrganisations(options: OrganisationsOptions) {
  const { shared, places, own, ownKeys, tenants, scimToken, publicUrl, directoryFor } = options
  const { installation, secret, now } = shared
  const { registry, storeOf } = installation
  const known = createKnownOrganisations(registry, now)
  const opened = new Map<string, Opened>()
  const inMemory = createLeastRecent<Organisation>(options.bound ?? BOUND, end)
  /** By the id, and the time since which it is that organisation: an id may be given again. */
  const rings = new LRUCache<string, Promise<KeyRing>>({ max: KEY_RINGS })
  const openings = new WeakMap<Organisation, Promise<Organisation>>()

  async function open(registered: Registered): Promise<Organisation> {
    const { id } = registered
    const before = opened.get(id)
    if (before !== undefined && isSameOrganisation(before.registered, registered)) return before.opening
    const opening = openAfter(before, registered)
    opened.set(id, { registered, opening })
    try {
      const organisation = await opening
      openings.set(organisation, opening)
      return organisation
    } catch (error) {
      if (opened.get(id)?.opening === opening) opened.delete(id)
      throw error
    }
  }

  /** Opens an organisation, after what the registry said of it before has ended. */
  async function openAfter(before: Opened | undefined, registered: Registered): Promise<Organisation> {
    const { id, name, tenants } = registered
    await before?.opening.then((organisation) => organisation.end()).catch(() => undefined)
    return openOrganisation(
      {
        id,
        name,
        tenants,
        store: storeOf(id),
        publicUrl: () => publicUrl() + places.of(id),
        directory: directoryFor(registered),
        isResident: false,
      },
      shared,
    )
  }

  function end(id: string, organisation: Organisation): void {
    // Its successor may be opening already.
    if (opened.get(id)?.opening === openings.get(organisation)) opened.delete(id)
    void organisation.end()
  }

  async function openedOf(registered: Registered | null): Promise<Organisation | null> {
    if (registered === null) return null
    if (registered.removedAt === null) {
      const organisation = await open(registered)
      await organisation.catchUp()
      // Else it was opened again meanwhile, or removed.
      if ((await opened.get(registered.id)?.opening) === organisation)
        inMemory.use(registered.id, organisation)
      return organisation
    }
    const removed = inMemory.get(registered.id)
    inMemory.remove(registered.id)
    if (removed !== null) end(registered.id, removed)
    return null
  }

  async function ofId(id: string): Promise<Organisation | null> {
    return openedOf(await known.of(id, null))
  }

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

  /** Does what is due at an organisation that may not be in memory. */
  const visit = async ({ id }: Registered): Promise<void> => (await ofId(id))?.doWhatIsDue()

  const visits = visitOrganisations<Registered>(
    {
      page: (after) => defer(() => registry.page(after, PAGE)),
      // One that is being removed is dropped from memory, with its running sync.
      intervalMs: ({ directory, removedAt }) => (removedAt === null ? visitIntervalMs(directory) : 0),
      visit: (registered) => defer(() => visit(registered)),
    },
    { scheduler: shared.scheduler },
  ).subscribe()

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
      const { count, bytes } = inMemory.size()
      return { organisations: count + 1, bytes: bytes + own.bytes() }
    },
    /** Stops the background work of all. */
    end: async () => {
      visits.unsubscribe()
      const ending = [...opened.values()].map(({ opening }) => opening.then((each) => each.end()))
      await Promise.allSettled(ending)
      await own.end()
    },
  }
}

/** A sync is due at an interval from the end of the last one, so that an organisation is visited more often. */
export const visitIntervalMs = (directory: Registered['directory']): number =>
  directory?.kind === 'graph'
    ? Math.min((directory.minutes * 60_000) / VISITS_FOR_A_SYNC, VISIT_INTERVAL_MS)
    : VISIT_INTERVAL_MS

const isSameOrganisation = (one: Registered, other: Registered): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)
