/**
 * The organisations of an instance. That of the settings is always in memory. The others are opened by their first call,
 * and the least recently used are dropped beyond a bound.
 */
import { createHash } from 'node:crypto'
import { defer, EMPTY } from 'rxjs'
import { visitOrganisations } from '../../effects/organisation/visitOrganisations.ts'
import { type KeyRing, createKeyRing } from './identity/keyRing.ts'
import { isSame } from './keyedHash.ts'
import { type DirectorySource, openOrganisation, type Organisation, type Shared } from './organisation.ts'
import type { Places } from './places.ts'
import type { Registered } from './sql/registry.ts'

export type OrganisationsOptions = Readonly<{
  shared: Shared
  places: Places
  own: Organisation
  ownKeys: KeyRing
  /** The tenants of the settings, in lower case. Without any, each tenant that is not registered is the own one. */
  tenants: readonly string[]
  /** The bearer of the own SCIM; null without it. */
  scimToken: string | null
  /** The address that users reach, without a slash at the end. */
  publicUrl: () => string
  /** The directory that a registered organisation has. */
  directoryFor: (registered: Registered) => DirectorySource | null
  bounds?: Partial<Bounds>
}>

/** What an instance keeps in memory of organisations beside its own. */
export type Bounds = Readonly<{
  /** How many characters the documents of their releases may have together. */
  characters: number
  organisations: number
}>

export type Organisations = ReturnType<typeof createOrganisations>

const BOUNDS: Bounds = { characters: 64_000_000, organisations: 2_000 }
/** How long what the registry says of an organisation is believed. A removed one answers for so long at most. */
const KNOWN_MS = 10_000
/** How many answers of the registry are kept. */
const KNOWN = 20_000
const KEY_RINGS = 10_000
const PAGE = 500
const VISITS_FOR_A_SYNC = 3
/** How often an organisation without a schedule of its own is visited: for changes of SCIM that wait, and old data. */
const VISIT_INTERVALS_MS = { scim: 3_600_000, none: 24 * 3_600_000 }

type Opened = Readonly<{ registered: Registered; opening: Promise<Organisation> }>

export function createOrganisations(options: OrganisationsOptions) {
  const { shared, places, own, ownKeys, tenants, scimToken, publicUrl, directoryFor } = options
  const { installation, secret, now } = shared
  const { registry, storeOf } = installation
  const bounds = { ...BOUNDS, ...options.bounds }
  const findById = remembering(registry.find, now)
  const findByTenant = remembering(registry.ofTenant, now)
  const findByScimToken = remembering(registry.ofScimToken, now)
  /** Least recently used first. */
  const opened = new Map<string, Opened>()
  const inMemory = new Map<string, Organisation>()
  const rings = new Map<string, Promise<KeyRing>>()
  /** The ids of organisations that are visited at the moment, which stay in memory. */
  const visiting = new Set<string>()

  async function open(registered: Registered): Promise<Organisation> {
    const { id } = registered
    const known = opened.get(id)
    opened.delete(id)
    if (known !== undefined && isSameOrganisation(known.registered, registered)) {
      opened.set(id, { ...known, registered })
      return known.opening
    }
    const opening = openAfter(known, registered)
    opened.set(id, { registered, opening })
    try {
      const organisation = await opening
      if (opened.get(id)?.opening === opening) inMemory.set(id, organisation)
      return organisation
    } catch (error) {
      if (opened.get(id)?.opening === opening) opened.delete(id)
      throw error
    } finally {
      dropOthers()
    }
  }

  /** Opens an organisation, after what the registry said of it before has ended. */
  async function openAfter(known: Opened | undefined, registered: Registered): Promise<Organisation> {
    const { id, name, tenants } = registered
    await known?.opening.then((before) => before.end()).catch(() => undefined)
    return openOrganisation(
      {
        ...{ id, name, tenants, store: storeOf(id) },
        publicUrl: () => publicUrl() + places.of(id),
        directory: directoryFor(registered),
        isResident: false,
      },
      shared,
    )
  }

  const weight = () => [...inMemory.values()].reduce((sum, each) => sum + each.weight(), 0)

  /** Drops the least recently used, but the last one, until the rest is within the bounds. */
  function dropOthers(): void {
    let characters = weight()
    for (const id of [...opened.keys()].slice(0, -1)) {
      if (characters <= bounds.characters && opened.size <= bounds.organisations) return
      const organisation = inMemory.get(id)
      if (organisation?.isIdle() !== true || visiting.has(id)) continue
      characters -= organisation.weight()
      drop(id, organisation)
    }
  }

  function drop(id: string, organisation: Organisation): void {
    inMemory.delete(id)
    opened.delete(id)
    void organisation.end()
  }

  async function present(registered: Registered | null): Promise<Organisation | null> {
    if (registered === null) return null
    if (registered.removedAt === null) {
      const organisation = await open(registered)
      await organisation.freshen()
      return organisation
    }
    const removed = inMemory.get(registered.id)
    if (removed !== undefined) drop(registered.id, removed)
    rings.delete(registered.id)
    return null
  }

  async function ofId(id: string): Promise<Organisation | null> {
    return present(await findById(id))
  }

  /** Does what is due at an organisation that may not be in memory. */
  async function visit({ id }: Registered): Promise<void> {
    visiting.add(id)
    try {
      await (await ofId(id))?.tend()
    } finally {
      visiting.delete(id)
    }
  }

  const visits = visitOrganisations<Registered>(
    {
      page: (after) => defer(() => registry.page(after, PAGE)),
      intervalMs: ({ directory }) => visitIntervalMs(directory),
      visit: (registered) => defer(() => (registered.removedAt === null ? visit(registered) : EMPTY)),
    },
    { scheduler: shared.scheduler },
  ).subscribe()

  const isScimToken = (token: string): boolean =>
    scimToken !== null && isSame(hashOf(token), hashOf(scimToken))

  return {
    own,
    /** The organisation with this id; null for an unknown or removed one. */
    of: (id: string): Organisation | Promise<Organisation | null> => (id === own.id ? own : ofId(id)),
    /** The organisation of a verified tenant; null for none. */
    ofTenant: async (tenant: string): Promise<Organisation | null> => {
      if (tenants.includes(tenant)) return own
      const registered = await findByTenant(tenant)
      return registered === null && tenants.length === 0 ? own : present(registered)
    },
    /** Whether users of this tenant may sign in. */
    hasTenant: async (tenant: string): Promise<boolean> =>
      tenants.includes(tenant) || (await findByTenant(tenant)) !== null,
    /** The organisation whose directory calls SCIM with this token; null for a wrong token. */
    ofScimToken: async (token: string): Promise<Organisation | null> =>
      isScimToken(token) ? own : present(await findByScimToken(hashOf(token))),
    /** The organisation of an address that the service has written; null for any other address. */
    at: async (place: string): Promise<Organisation | null> => {
      const id = places.organisationAt(place)
      return id === null ? null : ofId(id)
    },
    /** The keys of bearers of an organisation; null for an unknown or removed one. */
    keysOf: async (id: string): Promise<KeyRing | null> => {
      if (id === own.id) return ownKeys
      const registered = await findById(id)
      if (registered?.removedAt !== null) return null
      const ring = rings.get(id) ?? createKeyRing(storeOf(id), secret, now)
      rings.delete(id)
      rings.set(id, ring)
      const [oldest] = rings.keys()
      if (rings.size > KEY_RINGS && oldest !== undefined) rings.delete(oldest)
      return ring.catch((error: unknown) => {
        rings.delete(id)
        throw error
      })
    },
    /** How many organisations are in memory, with the own one, and the characters of their releases. */
    size: () => ({ organisations: inMemory.size + 1, characters: weight() + own.weight() }),
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
const visitIntervalMs = (directory: Registered['directory']): number =>
  directory?.kind === 'graph'
    ? (directory.minutes * 60_000) / VISITS_FOR_A_SYNC
    : VISIT_INTERVALS_MS[directory?.kind ?? 'none']

const isSameOrganisation = (one: Registered, other: Registered): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)

/** Remembers what the registry said for a while, also that it knows nothing. */
function remembering(
  find: (key: string) => Promise<Registered | null>,
  now: () => number,
): (key: string) => Promise<Registered | null> {
  const known = new Map<string, Readonly<{ at: number; found: Promise<Registered | null> }>>()
  return (key) => {
    const last = known.get(key)
    if (last !== undefined && Math.abs(now() - last.at) < KNOWN_MS) return last.found
    known.delete(key)
    const found = find(key)
    known.set(key, { at: now(), found })
    // A failure is not remembered.
    found.catch(() => known.delete(key))
    const [oldest] = known.keys()
    if (known.size > KNOWN && oldest !== undefined) known.delete(oldest)
    return found
  }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
