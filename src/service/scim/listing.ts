/** Returns SCIM resources: a single resource, or a page of resources that match a filter. */
import { addressesOf } from '../../../streams/organisation/directory/directory.ts'
import { normaliseAddress } from '../../values/mailAddress.ts'
import type { DirectoryEntry } from '../sql/directoryEntries.ts'
import type { DirectoryStore } from '../sql/directoryStore.ts'
import { pagesOf } from '../sql/pages.ts'
import { storedResourceOf, kindOf, SCIM } from './entries.ts'
import { type Filter, type JsonObject, matches } from './filter.ts'
import { type AttributePath, findAttribute, GROUP, type ResourceType, USER } from './schemas.ts'
import { addressOf, namesAttribute, resourceOf } from './wire.ts'

const READ_AT_ONCE = 500

/** @param base the address of SCIM, without a slash at the end */
export function createListing(store: DirectoryStore, base: () => string) {
  async function shown(type: ResourceType, entry: DirectoryEntry, withMembers: boolean): Promise<JsonObject> {
    const resource = resourceOf(type, entry.id, storedResourceOf(entry), base())
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

  return {
    shown,

    /** A page of the matching resources. `startIndex` begins at 1. */
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
      const needsMembers = namesAttribute(type, filter, 'members')
      const found: DirectoryEntry[] = []
      let total = 0
      const few = await candidates(store, type, filter)
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
        ? store.find(SCIM, kind, { address: normaliseAddress(text) })
        : null
    case 'members': {
      const groups = (await store.memberships(SCIM, [value])).map(({ group }) => group)
      return store.entries(SCIM, kind, groups)
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
