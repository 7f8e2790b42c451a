/** Keeps organisations other than `default` in memory, from their first call on. */
import { getHeapStatistics } from 'node:v8'
import type { ConfiguredDirectory } from '../directory/directory.ts'
import type { RegisteredOrganisation } from '../sql/registry.ts'
import { type CacheBound, createLeastRecentCache } from './leastRecent.ts'
import { openOrganisation, type Organisation, type SharedServices } from './organisation.ts'
import type { PublicAddresses } from './publicAddresses.ts'

/**
 * The memory limit for organisations other than `default`: half of Node's heap limit, which depends on the memory of
 * the machine or container. With 512 MB, this is 128 MiB, which leaves room for pictures and a plan.
 */
const BOUND: CacheBound = { bytes: getHeapStatistics().heap_size_limit / 2, count: 10_000 }

export type OpeningOptions = Readonly<{
  shared: SharedServices
  places: PublicAddresses
  /** The service's public address, without a slash at the end. */
  publicUrl: () => string
  /** The directory of a registered organisation. */
  directoryFor: (registered: RegisteredOrganisation) => ConfiguredDirectory | null
  bound?: CacheBound
}>

type Opened = Readonly<{ registered: RegisteredOrganisation; opening: Promise<Organisation> }>

export function createOpenedOrganisations(options: OpeningOptions) {
  const { shared, places, publicUrl, directoryFor } = options
  const opened = new Map<string, Opened>()
  const inMemory = createLeastRecentCache<Organisation>(options.bound ?? BOUND, end)
  const openings = new WeakMap<Organisation, Promise<Organisation>>()

  async function open(registered: RegisteredOrganisation): Promise<Organisation> {
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

  /** Opens an organisation. First ends the instance that was opened with earlier registry data. */
  async function openAfter(
    before: Opened | undefined,
    registered: RegisteredOrganisation,
  ): Promise<Organisation> {
    const { id, name, tenants } = registered
    await before?.opening.then((organisation) => organisation.end()).catch(() => undefined)
    return openOrganisation(
      {
        id,
        name,
        tenants,
        store: shared.installation.storeOf(id),
        publicUrl: () => publicUrl() + places.of(id),
        directory: directoryFor(registered),
        isResident: false,
      },
      shared,
    )
  }

  function end(id: string, organisation: Organisation): void {
    // Deletes the entry only if it is still for this object, because a successor may be opening.
    if (opened.get(id)?.opening === openings.get(organisation)) opened.delete(id)
    void organisation.end()
  }

  return {
    /**
     * The organisation, opened if necessary. For a removed organisation, drops it from memory and resolves with null.
     */
    async of(registered: RegisteredOrganisation): Promise<Organisation | null> {
      const { id } = registered
      if (registered.removedAt === null) {
        const organisation = await open(registered)
        await organisation.catchUp()
        // Skips an organisation that was reopened or removed meanwhile.
        if ((await opened.get(id)?.opening) === organisation) inMemory.use(id, organisation)
        return organisation
      }
      const removed = inMemory.get(id)
      inMemory.remove(id)
      if (removed !== null) end(id, removed)
      return null
    },
    size: inMemory.size,
    /** Ends all organisations. */
    async end(): Promise<void> {
      const ending = [...opened.values()].map(({ opening }) => opening.then((each) => each.end()))
      await Promise.allSettled(ending)
    },
  }
}

const isSameOrganisation = (one: RegisteredOrganisation, other: RegisteredOrganisation): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)
