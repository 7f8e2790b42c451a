/** Reads and changes SCIM users and groups in the directory mirror. */
import { canonicalText } from '../../../streams/organisation/release/release.ts'
import { DomainError } from '../operations/domainError.ts'
import type { DirectoryEntry } from '../sql/directoryEntries.ts'
import type { DirectoryStore } from '../sql/directoryStore.ts'
import { VersionConflict } from '../sql/problems.ts'
import { storedResourceOf, entryKindOf, reportedEntryOf, SCIM_SOURCE } from './entries.ts'
import { createResourceListing } from './listing.ts'
import type { MemberPatch } from './patch.ts'
import { checkNames, type ResourceValues } from './resource.ts'
import type { ResourceType } from './schemas.ts'
import { ScimError } from './scimError.ts'

export type ResourcesOptions = Readonly<{
  store: DirectoryStore
  /** The users, with the attributes that the settings name. */
  userType: ResourceType
  /** Applies changed users from the directory mirror to people. */
  apply: (users: readonly string[]) => Promise<void>
  /** The address of SCIM, without a slash at the end. */
  base: () => string
  newId: () => string
  /** Milliseconds since 1970. */
  now: () => number
}>

/**
 * The number of tries for a change. Conflicts may repeat, because each change to a group raises its members' revision.
 */
const TRIES = 8

const notFound = () => new DomainError('not_found', 'There is no such resource.')
const conflict = () => new DomainError('conflict', 'The resource changed at the same time. Try again.')

export type Resources = ReturnType<typeof createResources>

export function createResources({ store, userType, apply, base, newId, now }: ResourcesOptions) {
  const { shown, list } = createResourceListing(store, base)

  async function entryOf(type: ResourceType, id: string): Promise<DirectoryEntry> {
    const [entry] = await store.entries(SCIM_SOURCE, entryKindOf(type), [id])
    if (entry === undefined || entry.removed || entry.erased) throw notFound()
    return entry
  }

  /** Refuses a name that is already in use, because names must be unique. */
  async function refuseTaken(type: ResourceType, id: string, name: string | null): Promise<void> {
    const found = name === null ? [] : await store.find(SCIM_SOURCE, entryKindOf(type), { name })
    if (found.some((entry) => entry.id !== id))
      throw new ScimError(
        'uniqueness',
        `Another ${type.name === 'User' ? 'user has this userName' : 'group has this displayName'}.`,
      )
  }

  /** Applies a user and the people who report to the user, because their data includes the manager's name. */
  const applyUser = async (id: string, freed: readonly string[] = []) =>
    apply([id, ...freed, ...(await store.reports(SCIM_SOURCE, [id]))])

  /** Applies the users in these groups, and in groups nested inside. */
  const applyWithin = async (ids: readonly string[]) => apply(await store.within(SCIM_SOURCE, ids))

  async function changeMembers(group: string, { only, added, removed }: MemberPatch): Promise<void> {
    const before = only ? await store.members(SCIM_SOURCE, group) : []
    const stay = new Set(added)
    const gone = only ? before.filter((id) => !stay.has(id)) : removed
    await store.changeMembers(SCIM_SOURCE, group, { added, removed: gone }, null)
    await applyWithin([...added, ...gone])
  }

  return {
    /** The users, with the attributes that the settings name. */
    userType,

    /**
     * Reads the resource, with members on request.
     *
     * @throws DomainError `not_found`
     */
    read: async (type: ResourceType, id: string, withMembers: boolean) =>
      shown(type, await entryOf(type, id), withMembers),

    list,

    /** Adds a resource, and resolves with its id. @throws ScimError `uniqueness`; DomainError `conflict` */
    add: async (type: ResourceType, values: ResourceValues, members: MemberPatch | null): Promise<string> => {
      checkNames(type, values)
      const id = newId()
      const at = new Date(now()).toISOString()
      const reported = reportedEntryOf(type, id, { values, created: at, lastModified: at })
      await refuseTaken(type, id, reported.name)
      try {
        await store.writeOver(SCIM_SOURCE, entryKindOf(type), reported, 0)
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error
        await refuseTaken(type, id, reported.name)
        throw conflict()
      }
      if (type.name === 'User') await apply([id])
      else if (members !== null) await changeMembers(id, members)
      return id
    },

    /** @throws DomainError `not_found`, `conflict` after eight tries; ScimError `uniqueness`; the errors of `change` */
    change: async (
      type: ResourceType,
      id: string,
      change: (values: ResourceValues) => Promise<ResourceValues>,
      members: MemberPatch | null,
    ): Promise<void> => {
      for (let left = TRIES; ; left -= 1) {
        const entry = await entryOf(type, id)
        const kept = storedResourceOf(entry)
        const values = await change(kept.values)
        checkNames(type, values)
        if (canonicalText(values) === canonicalText(kept.values)) {
          // Applies the user again. The values are already stored, but a killed process may not have applied them.
          if (type.name === 'User') await applyUser(id)
          break
        }
        const reported = reportedEntryOf(type, id, {
          ...kept,
          values,
          lastModified: new Date(now()).toISOString(),
        })
        if (reported.name !== entry.name) await refuseTaken(type, id, reported.name)
        // A new external id counts as a new name, because rules may name a group by its external id.
        const isRenamed = reported.name !== entry.name || reported.externalId !== entry.externalId
        try {
          // Marks the members before the name is written, so they stay marked if the process is killed in between.
          if (type.name === 'Group' && isRenamed) await store.markMembers(SCIM_SOURCE, [id])
          await store.writeOver(SCIM_SOURCE, entryKindOf(type), reported, entry.revision)
          const held = reported.active ? reported.addresses : []
          const freed = entry.active ? entry.addresses.filter((address) => !held.includes(address)) : []
          if (type.name === 'User') await applyUser(id, await othersWith(store, freed, id))
          else if (isRenamed) await applyWithin([id])
          break
        } catch (error) {
          if (!(error instanceof VersionConflict)) throw error
          await refuseTaken(type, id, reported.name)
          if (left === 1) throw conflict()
        }
      }
      if (members !== null) await changeMembers(id, members)
    },

    /** @throws DomainError `not_found` */
    remove: async (type: ResourceType, id: string): Promise<void> => {
      const { addresses } = await entryOf(type, id)
      const kind = entryKindOf(type)
      const inside = await store.within(SCIM_SOURCE, [id])
      for (const { group } of await store.memberships(SCIM_SOURCE, [id]))
        await store.changeMembers(SCIM_SOURCE, group, { added: [], removed: [id] }, null)
      await store.remove(SCIM_SOURCE, kind, [id])
      const freed = await othersWith(store, addresses, id)
      await apply([...inside, ...freed, ...(await store.reports(SCIM_SOURCE, [id]))])
    },
  }
}

/** The other users with one of these freed addresses. They may have been refused because of the address. */
async function othersWith(
  store: DirectoryStore,
  addresses: readonly string[],
  id: string,
): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const address of addresses)
    for (const other of await store.find(SCIM_SOURCE, 'user', { address })) found.add(other.id)
  found.delete(id)
  return [...found]
}
