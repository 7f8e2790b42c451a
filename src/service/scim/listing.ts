/** Returns SCIM resources: a single resource, or a page of resources that match a filter. */
import { graphAddressesOf } from '../../../streams/organisation/directory/directory.ts'
import { normaliseAddress } from '../../values/mailAddress.ts'
import type { DirectoryEntry } from '../sql/directoryEntries.ts'
import type { DirectoryStore } from '../sql/directoryStore.ts'
import { readingPages } from '../sql/pages.ts'
import { storedResourceOf, entryKindOf, SCIM_SOURCE } from './entries.ts'
import { type Filter, type JsonObject, matchesFilter } from './filter.ts'
import { type AttributePath, findAttribute, GROUP_TYPE, type ResourceType, USER_TYPE } from './schemas.ts'
import { resourceAddressOf, filterNamesAttribute, resourceOf } from './wire.ts'

const READ_AT_ONCE = 500

/** @param base the address of SCIM, without a slash at the end */
export function createResourceListing(store: DirectoryStore, base: () => string) {
  async function shown(type: ResourceType, entry: DirectoryEntry, withMembers: boolean): Promise<JsonObject> {
    const resource = resourceOf(type, entry.id, storedResourceOf(entry), base())
    if (type.name !== 'Group' || !withMembers) return resource
    const members = await store.members(SCIM_SOURCE, entry.id)
    const groups = new Set(await store.subgroups(SCIM_SOURCE, entry.id))
    return {
      ...resource,
      members: members.map((value) => {
        const kind = groups.has(value) ? GROUP_TYPE : USER_TYPE
        return { value, type: kind.name, $ref: resourceAddressOf(base(), kind, value) }
      }),
    }
  }

  return {
    shown,

    /** A page of the matching resources. `startIndex` begins at 1. */
    list: async (
      type: ResourceType,
      asked: Readonly<{ filter: Filter | null; startIndex: number; count: number; withMembers: boolean }>,
    ) => {
      const { filter, startIndex, count, withMembers } = asked
      const kind = entryKindOf(type)
      if (filter === null) {
        const entries = count === 0 ? [] : await store.slice(SCIM_SOURCE, kind, startIndex - 1, count)
        const resources = await Promise.all(entries.map((entry) => shown(type, entry, withMembers)))
        return { resources, total: await store.count(SCIM_SOURCE, kind) }
      }
      const needsMembers = filterNamesAttribute(type, filter, 'members')
      const found: DirectoryEntry[] = []
      let total = 0
      const few = await candidates(store, type, filter)
      const readPage = (after: string | null, limit: number) => store.page(SCIM_SOURCE, kind, after, limit)
      const pages = few === null ? readingPages(readPage, READ_AT_ONCE, ({ id }) => id) : [few]
      for await (const page of pages)
        for (const entry of page) {
          if (!matchesFilter(type, filter, await shown(type, entry, needsMembers))) continue
          total += 1
          if (total >= startIndex && found.length < count) found.push(entry)
        }
      return { resources: await Promise.all(found.map((entry) => shown(type, entry, withMembers))), total }
    },
  }
}

/** The entries that may match a filter, found by an index; null if no index can be used. */
async function candidates(
  store: DirectoryStore,
  type: ResourceType,
  filter: Filter,
): Promise<readonly DirectoryEntry[] | null> {
  if (filter.type === 'and') {
    for (const each of filter.all) {
      const found = await candidates(store, type, each)
      if (found !== null) return found
    }
    return null
  }
  const equal = equalOf(type, filter)
  if (equal === null) return null
  const { attribute, value } = equal
  const kind = entryKindOf(type)
  const text = value.trim().toLowerCase()
  switch (attribute) {
    case 'id':
      return (await store.entries(SCIM_SOURCE, kind, [value])).filter(
        ({ removed, erased }) => !removed && !erased,
      )
    case 'userName':
      return store.find(SCIM_SOURCE, kind, { name: text })
    case 'displayName':
      return type.name === 'Group' ? store.find(SCIM_SOURCE, kind, { name: text }) : null
    case 'externalId':
      return store.find(SCIM_SOURCE, kind, { externalId: text })
    case 'emails':
      return graphAddressesOf({ mail: text }).length > 0
        ? store.find(SCIM_SOURCE, kind, { address: normaliseAddress(text) })
        : null
    case 'members': {
      const groups = (await store.memberships(SCIM_SOURCE, [value])).map(({ group }) => group)
      return store.entries(SCIM_SOURCE, kind, groups)
    }
    default:
      return null
  }
}

/** The attribute and value that a filter compares for equality; null for any other filter. */
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
