/** The users and groups of SCIM in the mirror of the directory. */
import { oneAddress, oneOfEach } from '../../values/mailAddress.ts'
import { addressesOf, type JsonObject as Json } from '../../../streams/organisation/directory/directory.ts'
import { canonicalText } from '../../../streams/organisation/release/release.ts'
import { DomainError } from '../operations/domainError.ts'
import type { DirectoryEntry, DirectoryStore, EntryKind, ReportedEntry } from '../sql/directoryStore.ts'
import { pagesOf } from '../sql/pages.ts'
import { VersionMoved } from '../sql/problems.ts'
import { type Filter, isObject, type JsonObject, matches } from './filter.ts'
import { graphUserOf, reportedManagerOf } from './graphUser.ts'
import type { MemberChange } from './patch.ts'
import { checkNames, type Values } from './resource.ts'
import { type AttributePath, findAttribute, GROUP, type ResourceType, USER } from './schemas.ts'
import { ScimError } from './scimError.ts'
import { addressOf, isAbout, type StoredResource, resourceOf } from './wire.ts'

export const SCIM = 'scim'

export type ResourcesOptions = Readonly<{
  store: DirectoryStore
  /** Applies changed users of the mirror to people. */
  apply: (users: readonly string[]) => Promise<void>
  /** The address of SCIM, without a slash at the end. */
  base: () => string
  newId: () => string
  /** Milliseconds since 1970. */
  now: () => number
}>

/** How often a change is tried. Several conflicts are possible, as a change of a group raises its members' revision. */
const TRIES = 8
const READ_AT_ONCE = 500

const notFound = () => new DomainError('not_found', 'There is no such resource.')
const conflict = () => new DomainError('conflict', 'The resource changed at the same time. Try again.')
const kindOf = ({ name }: ResourceType): EntryKind => (name === 'User' ? 'user' : 'group')
const lower = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().toLowerCase() : null

export type Resources = ReturnType<typeof createResources>

export function createResources({ store, apply, base, newId, now }: ResourcesOptions) {
  async function entryOf(type: ResourceType, id: string): Promise<DirectoryEntry> {
    const [entry] = await store.entries(SCIM, kindOf(type), [id])
    if (entry === undefined || entry.removed || entry.erased) throw notFound()
    return entry
  }

  async function shown(type: ResourceType, entry: DirectoryEntry, withMembers: boolean): Promise<JsonObject> {
    const resource = resourceOf(type, entry.id, keptOf(entry), base())
    if (type.name !== 'Group' || !withMembers) return resource
    const members = await store.members(SCIM, entry.id)
    const groups = new Set(await store.subgroups(SCIM, entry.id))
    return {
      ...resource,
      members: members.map((value) => {
        const kind = groups.has(value) ? GROUP : USER
        return { value, type: kind.name, $ref: addressOf(base(), kind, value) }
      }),
    }
  }

  /** Refuses a name that another resource has, because names must be unique. */
  async function refuseTaken(type: ResourceType, id: string, name: string | null): Promise<void> {
    const found = name === null ? [] : await store.find(SCIM, kindOf(type), { name })
    if (found.some((entry) => entry.id !== id))
      throw new ScimError(
        'uniqueness',
        `Another ${type.name === 'User' ? 'user has this userName' : 'group has this displayName'}.`,
      )
  }

  /** Applies a user, and the people who report to the user, because their manager's name is the user's name. */
  const applyUser = async (id: string, freed: readonly string[] = []) =>
    apply([id, ...freed, ...(await store.reports(SCIM, [id]))])

  /** The other users with one of these addresses: who was refused because of an address may have it once it is free. */
  async function othersWith(addresses: readonly string[], id: string): Promise<readonly string[]> {
    const found = new Set<string>()
    for (const address of addresses)
      for (const other of await store.find(SCIM, 'user', { address })) found.add(other.id)
    found.delete(id)
    return [...found]
  }
  /** Applies the users in these groups, and in the groups inside of these groups. */
  const applyWithin = async (ids: readonly string[]) => apply(await store.within(SCIM, ids))

  async function changeMembers(group: string, { only, added, removed }: MemberChange): Promise<void> {
    const before = only ? await store.members(SCIM, group) : []
    const stay = new Set(added)
    const gone = only ? before.filter((id) => !stay.has(id)) : removed
    await store.changeMembers(SCIM, group, { added, removed: gone }, null)
    await applyWithin([...added, ...gone])
  }

  /** The entries that may match a filter, found by an index; null if no index applies. */
  async function candidates(type: ResourceType, filter: Filter): Promise<readonly DirectoryEntry[] | null> {
    if (filter.type === 'and') {
      for (const each of filter.all) {
        const found = await candidates(type, each)
        if (found !== null) return found
      }
      return null
    }
    const equal = equalOf(type, filter)
    if (equal === null) return null
    const { attribute, value } = equal
    const kind = kindOf(type)
    const text = value.trim().toLowerCase()
    switch (attribute) {
      case 'id':
        return (await store.entries(SCIM, kind, [value])).filter(({ removed, erased }) => !removed && !erased)
      case 'userName':
        return store.find(SCIM, kind, { name: text })
      case 'displayName':
        return type.name === 'Group' ? store.find(SCIM, kind, { name: text }) : null
      case 'externalId':
        return store.find(SCIM, kind, { externalId: text })
      case 'emails':
        return addressesOf({ mail: text }).length > 0
          ? store.find(SCIM, kind, { address: oneAddress(text) })
          : null
      case 'members': {
        const groups = (await store.memberships(SCIM, [value])).map(({ group }) => group)
        return store.entries(SCIM, kind, groups)
      }
      default:
        return null
    }
  }

  return {
    /** The resource, with members on request. @throws DomainError `not_found` */
    read: async (type: ResourceType, id: string, withMembers: boolean) =>
      shown(type, await entryOf(type, id), withMembers),

    /** A page of the resources that match. `startIndex` begins at 1. */
    list: async (
      type: ResourceType,
      asked: Readonly<{ filter: Filter | null; startIndex: number; count: number; withMembers: boolean }>,
    ) => {
      const { filter, startIndex, count, withMembers } = asked
      const kind = kindOf(type)
      if (filter === null) {
        const entries = count === 0 ? [] : await store.slice(SCIM, kind, startIndex - 1, count)
        const resources = await Promise.all(entries.map((entry) => shown(type, entry, withMembers)))
        return { resources, total: await store.count(SCIM, kind) }
      }
      const needsMembers = isAbout(type, filter, 'members')
      const found: DirectoryEntry[] = []
      let total = 0
      const few = await candidates(type, filter)
      const readPage = (after: string | null, limit: number) => store.page(SCIM, kind, after, limit)
      const pages = few === null ? pagesOf(readPage, READ_AT_ONCE, ({ id }) => id) : [few]
      for await (const page of pages)
        for (const entry of page) {
          if (!matches(type, filter, await shown(type, entry, needsMembers))) continue
          total += 1
          if (total >= startIndex && found.length < count) found.push(entry)
        }
      return { resources: await Promise.all(found.map((entry) => shown(type, entry, withMembers))), total }
    },

    /** Adds a resource, and resolves with its id. @throws ScimError `uniqueness`; DomainError `conflict` */
    add: async (type: ResourceType, values: Values, members: MemberChange | null): Promise<string> => {
      checkNames(type, values)
      const id = newId()
      const at = new Date(now()).toISOString()
      const reported = reportedOf(type, id, { values, created: at, lastModified: at })
      await refuseTaken(type, id, reported.name)
      try {
        await store.writeOver(SCIM, kindOf(type), reported, 0)
      } catch (error) {
        if (!(error instanceof VersionMoved)) throw error
        await refuseTaken(type, id, reported.name)
        throw conflict()
      }
      if (type.name === 'User') await apply([id])
      else if (members !== null) await changeMembers(id, members)
      return id
    },

    /** @throws DomainError `not_found`, `conflict` after eight tries; ScimError `uniqueness`; what `change` throws */
    change: async (
      type: ResourceType,
      id: string,
      change: (values: Values) => Promise<Values>,
      members: MemberChange | null,
    ): Promise<void> => {
      for (let left = TRIES; ; left -= 1) {
        const entry = await entryOf(type, id)
        const kept = keptOf(entry)
        const values = await change(kept.values)
        checkNames(type, values)
        if (canonicalText(values) === canonicalText(kept.values)) {
          // The values are stored already, but a killed process may not have applied them.
          if (type.name === 'User') await applyUser(id)
          break
        }
        const reported = reportedOf(type, id, {
          ...kept,
          values,
          lastModified: new Date(now()).toISOString(),
        })
        if (reported.name !== entry.name) await refuseTaken(type, id, reported.name)
        // An external id counts as a name, because rules may also name a group by its external id.
        const isRenamed = reported.name !== entry.name || reported.externalId !== entry.externalId
        try {
          // Members are marked before the name is written, and stay marked if the process is killed in between.
          if (type.name === 'Group' && isRenamed) await store.markMembers(SCIM, [id])
          await store.writeOver(SCIM, kindOf(type), reported, entry.revision)
          const held = reported.active ? reported.addresses : []
          const freed = entry.active ? entry.addresses.filter((address) => !held.includes(address)) : []
          if (type.name === 'User') await applyUser(id, await othersWith(freed, id))
          else if (isRenamed) await applyWithin([id])
          break
        } catch (error) {
          if (!(error instanceof VersionMoved)) throw error
          await refuseTaken(type, id, reported.name)
          if (left === 1) throw conflict()
        }
      }
      if (members !== null) await changeMembers(id, members)
    },

    /** @throws DomainError `not_found` */
    remove: async (type: ResourceType, id: string): Promise<void> => {
      const { addresses } = await entryOf(type, id)
      const kind = kindOf(type)
      const inside = await store.within(SCIM, [id])
      for (const { group } of await store.memberships(SCIM, [id]))
        await store.changeMembers(SCIM, group, { added: [], removed: [id] }, null)
      await store.remove(SCIM, kind, [id])
      const freed = await othersWith(addresses, id)
      await apply([...inside, ...freed, ...(await store.reports(SCIM, [id]))])
    },
  }
}

/** The attribute and the value that a filter compares for equality; null for another filter. */
function equalOf(type: ResourceType, filter: Filter): Readonly<{ attribute: string; value: string }> | null {
  if (filter.type === 'some') {
    const parts = filter.filter.type === 'and' ? filter.filter.all : [filter.filter]
    const value = parts.flatMap((part) => (isValueEqual(part) ? [part.value] : []))[0]
    return value === undefined ? null : named(type, filter.path, value)
  }
  return filter.type === 'compare' && filter.comparison === 'eq' && typeof filter.value === 'string'
    ? named(type, filter.path, filter.value)
    : null
}

const isValueEqual = (filter: Filter): filter is Extract<Filter, { type: 'compare' }> & { value: string } =>
  filter.type === 'compare' &&
  filter.comparison === 'eq' &&
  typeof filter.value === 'string' &&
  filter.path.attribute.toLowerCase() === 'value'

function named(type: ResourceType, path: AttributePath, value: string) {
  const found = findAttribute(type, path)
  const isWhole =
    found !== null && found.extension === null && (found.sub === null || found.sub.name === 'value')
  return isWhole ? { attribute: found.attribute.name, value } : null
}

const reportedOf = (type: ResourceType, id: string, kept: StoredResource): ReportedEntry => ({
  id,
  data: kept as unknown as Json,
  name: lower(kept.values[type.name === 'User' ? 'userName' : 'displayName']),
  externalId: lower(kept.values['externalId']),
  addresses: type.name === 'User' ? oneOfEach(addressesOf(graphUserOf(kept.values))) : [],
  manager: reportedManagerOf(kept.values).id,
  active: kept.values['active'] !== false,
})

/** Reads what `reportedOf` wrote into the mirror. */
export function keptOf({ data }: Pick<DirectoryEntry, 'data'>): StoredResource {
  const { values, created, lastModified } = data
  return {
    values: isObject(values) ? values : {},
    created: typeof created === 'string' ? created : '',
    lastModified: typeof lastModified === 'string' ? lastModified : '',
  }
}
