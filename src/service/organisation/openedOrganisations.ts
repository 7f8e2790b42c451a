/** The organisations beside that of the settings, in memory from their first call on. */
import { getHeapStatistics } from 'node:v8'
import type { ConfiguredDirectory } from '../directory/directory.ts'
import type { Registered } from '../sql/registry.ts'
import { type Bound, createLeastRecent } from './leastRecent.ts'
import { openOrganisation, type Organisation, type Shared } from './organisation.ts'
import type { Places } from './publicAddresses.ts'

/**
 * What an instance keeps of organisations beside `default`: half of the heap that Node allows itself, which follows the
 * memory of the machine or container. With 512 MB these are 128 MiB, and leave room for pictures and a plan.
 */
const BOUND: Bound = { bytes: getHeapStatistics().heap_size_limit / 2, count: 10_000 }

export type OpeningOptions = Readonly<{
  shared: Shared
  places: Places
  /** The address that users reach, without a slash at the end. */
  publicUrl: () => string
  /** The directory that a registered organisation has. */
  directoryFor: (registered: Registered) => ConfiguredDirectory | null
  bound?: Bound
}>

type Opened = Readonly<{ registered: Registered; opening: Promise<Organisation> }>

export function createOpenedOrganisations(options: OpeningOptions) {
  const { shared, places, publicUrl, directoryFor } = options
  const opened = new Map<string, Opened>()
  const inMemory = createLeastRecent<Organisation>(options.bound ?? BOUND, end)
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
        store: shared.installation.storeOf(id),
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

  return {
    /** The organisation, opened if it is not in memory; null for a removed one, which is dropped from memory. */
    async of(registered: Registered): Promise<Organisation | null> {
      const { id } = registered
      if (registered.removedAt === null) {
        const organisation = await open(registered)
        await organisation.catchUp()
        // Else it was opened again meanwhile, or removed.
        if ((await opened.get(id)?.opening) === organisation) inMemory.use(id, organisation)
        return organisation
      }
      const removed = inMemory.get(id)
      inMemory.remove(id)
      if (removed !== null) end(id, removed)
      return null
    },
    size: inMemory.size,
    /** Ends all. */
    async end(): Promise<void> {
      const ending = [...opened.values()].map(({ opening }) => opening.then((each) => each.end()))
      await Promise.allSettled(ending)
    },
  }
}

const isSameOrganisation = (one: Registered, other: Registered): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)
