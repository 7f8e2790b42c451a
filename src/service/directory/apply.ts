/** Applies directory entries to people: either given entries, or all marked entries of a source, page by page. */
import {
  type DirectorySample,
  type DirectoryUser,
  isGroupNamed,
} from '../../../streams/organisation/directory/directory.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import type { SyncScope } from '../../../streams/organisation/directory/sync.ts'
import { DomainError } from '../operations/domainError.ts'
import type { DirectoryEntry } from '../sql/directoryEntries.ts'
import type { DirectoryStore } from '../sql/directoryStore.ts'
import { readingPages } from '../sql/pages.ts'
import type { Store } from '../sql/store.ts'
import type { People } from '../context/serviceContext.ts'

export type ApplyPorts = Readonly<{
  store: Pick<Store, 'directory' | 'persons'>
  people: Pick<People, 'importEach' | 'write' | 'erase'>
}>

/**
 * Reads a user from an entry of the directory mirror.
 *
 * @param manager the manager's entry, which may be removed; null when the source has no such entry
 */
export type UserOfEntry = (entry: DirectoryEntry, manager: DirectoryEntry | null) => DirectoryUser

export type ApplyOptions = Readonly<{
  source: string
  userOf: UserOfEntry
  /** The actor in the facts of changed people. */
  actor: string
  naming: Naming
}> &
  Pick<SyncScope, 'isTrial' | 'deactivates'>

/** The number of entries in memory at once. */
export const ENTRIES_PER_PAGE = 200

/** The cursor that stores the group names that were applied last. */
const NAMED_CURSOR = 'named, with groups inside'

/** The names that rules use for groups, by group id. */
type Naming = ReadonlyMap<string, readonly string[]>

/** Applies these entries, and resolves with the changes. */
export async function applyEntries(
  ports: ApplyPorts,
  applying: ApplyOptions,
  entries: readonly DirectoryEntry[],
): Promise<readonly DirectorySample[]> {
  const { bring, deactivate } = createApplier(ports, applying)
  const there = entries.filter(({ active, erased }) => active && !erased)
  const { samples, left } = await bring(there, applying.isTrial)
  const gone = await deactivate(entries.filter(({ active, erased }) => !active && !erased))
  const later = applying.isTrial ? [] : (await bring(left, true)).samples
  return [...samples, ...gone, ...later]
}

/** One page of marked entries: their number, and the changes. */
type AppliedPage = Readonly<{ entries: number; samples: readonly DirectorySample[] }>

/** Applies the marked entries of the source, page by page. An entry that is applied twice counts once. */
export async function* applyMarkedEntries(
  ports: ApplyPorts,
  applying: ApplyOptions,
  signal: AbortSignal,
): AsyncGenerator<AppliedPage> {
  const { bring, deactivate } = createApplier(ports, applying)

  const pages = (active: boolean) => {
    const read = async (after: string | null, limit: number) => {
      signal.throwIfAborted()
      return ports.store.directory.changedUsers(applying.source, active, after, limit)
    }
    return readingPages(read, ENTRIES_PER_PAGE, ({ id }) => id)
  }

  let hasLeft = false
  for await (const entries of pages(true)) {
    const { samples, left } = await bring(entries, applying.isTrial)
    hasLeft ||= left.length > 0
    yield { entries: entries.length, samples }
  }
  // Applies active entries first, because the person of a removed entry may have a new, active entry.
  for await (const entries of pages(false))
    yield { entries: entries.length, samples: await deactivate(entries) }
  if (hasLeft && !applying.isTrial)
    for await (const entries of pages(true))
      yield { entries: 0, samples: (await bring(entries, true)).samples }
}

type Brought = Readonly<{ samples: readonly DirectorySample[]; left: readonly DirectoryEntry[] }>

/** Applies entries to people. Each call unmarks the entries it has applied. */
function createApplier(
  { store, people }: ApplyPorts,
  { source, userOf, actor, isTrial, deactivates, naming }: ApplyOptions,
) {
  const { directory } = store

  async function settle(entries: readonly DirectoryEntry[], persons: ReadonlyMap<string, string>) {
    if (isTrial || entries.length === 0) return
    const erased = await directory.settle(
      source,
      entries.map(({ id, revision }) => ({ id, revision, person: persons.get(id) ?? null })),
    )
    // Erases people again if they were erased during this call, because the call may have added them again.
    for (const id of erased) {
      const person = persons.get(id)
      if (person !== undefined) await people.erase(person, actor)
    }
  }

  /**
   * Adds and changes people. `left` are the entries that were not applied.
   *
   * @param isLast whether to report refused entries. Earlier calls do not, because a later entry may free their address
   */
  async function bring(entries: readonly DirectoryEntry[], isLast: boolean): Promise<Brought> {
    if (entries.length === 0) return { samples: [], left: [] }
    const known = await personsOf(store, entries)
    const here: DirectoryEntry[] = []
    for (const entry of entries)
      if (entry.person === null || known.has(entry.person)) here.push(entry)
      else if (!isTrial) await directory.eraseEntry(source, entry.id)
    const groups = await groupNamesOf(directory, source, here, naming)
    const samples: DirectorySample[] = []
    const refuse = (entry: DirectoryEntry, address: string, reason: string) => {
      if (isLast) samples.push({ person: address || entry.id, change: 'refused', fields: [], reason })
    }
    const managers = await managersOf(directory, source, here)
    const second = await secondAmong(directory, source, here)
    if (!isTrial && second.size > 0) await directory.release(source, [...second])
    const rows = here.flatMap((entry) => {
      const user = userOf(entry, managers.get(entry.manager) ?? null)
      const names = [...(groups.get(entry.id) ?? [])].sort()
      const id = second.has(entry.id) ? null : entry.person
      if (user.addresses.length > 0)
        return [{ entry, id, record: { ...user, groups: names, picture: entry.picture } }]
      refuse(entry, '', 'The directory has no mail address for the person.')
      return []
    })
    const outcomes = await people.importEach(rows, actor, isTrial, async (persons) => {
      const users = await directory.activeOf(source, persons)
      return new Set(users.flatMap(({ id, person }) => (second.has(id) ? [] : [person])))
    })
    const brought = new Map<string, string>()
    const settled: DirectoryEntry[] = []
    for (const [index, { id, change, fields, reason }] of outcomes.entries()) {
      const row = rows[index]
      if (row === undefined) continue
      const address = row.record.addresses[0] ?? ''
      if (change === 'refused') {
        refuse(row.entry, address, reason ?? '')
        continue
      }
      brought.set(row.entry.id, id)
      settled.push(row.entry)
      if (change !== 'unchanged') samples.push({ person: address, change, fields, reason: null })
    }
    await settle(settled, brought)
    return { samples, left: here.filter((entry) => !settled.includes(entry)) }
  }

  async function deactivate(entries: readonly DirectoryEntry[]): Promise<readonly DirectorySample[]> {
    const deactivating = await peopleToDeactivate(store, entries)
    const waiting = new Set(deactivates ? [] : deactivating.map(({ id }) => id))
    if (!isTrial && deactivates)
      for (const { id } of deactivating)
        await people.write(id, { type: 'deactivate' }, actor).catch(ignoreUnknown)
    await settle(
      entries.filter(({ person }) => person === null || !waiting.has(person)),
      new Map(),
    )
    return deactivating.map(deactivationOf)
  }

  return { bring, deactivate }
}

/** The entries of these entries' managers, by id. */
async function managersOf(directory: DirectoryStore, source: string, entries: readonly DirectoryEntry[]) {
  const ids = [...new Set(entries.flatMap(({ manager }) => manager ?? []))]
  const found = await directory.entries(source, 'user', ids)
  return new Map<string | null, DirectoryEntry>(found.map((entry) => [entry.id, entry]))
}

/**
 * The ids of entries whose person belongs to another active entry. If two entries claim a person, the unchanged entry
 * keeps the person: the changed entry has returned after its address was given away.
 */
async function secondAmong(
  directory: DirectoryStore,
  source: string,
  entries: readonly DirectoryEntry[],
): Promise<ReadonlySet<string>> {
  const persons = entries.flatMap(({ person }) => person ?? [])
  const users = await directory.activeOf(source, persons)
  const owners = new Map<string, (typeof users)[number]>()
  for (const user of users) {
    const owner = owners.get(user.person)
    if (owner === undefined || (owner.changed && !user.changed)) owners.set(user.person, user)
  }
  return new Set(
    entries.flatMap(({ id, person }) =>
      person !== null && (owners.get(person)?.id ?? id) !== id ? [id] : [],
    ),
  )
}

/** The names that rules use for each entry's groups, by entry id. */
async function groupNamesOf(
  directory: DirectoryStore,
  source: string,
  entries: readonly DirectoryEntry[],
  naming: Naming,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const ids = entries.map(({ id }) => id)
  const groups = new Map<string, Set<string>>(ids.map((id) => [id, new Set()]))
  for (const { member, group } of await directory.allMemberships(source, ids))
    for (const name of naming.get(group) ?? []) groups.get(member)?.add(name)
  return groups
}

type PeopleOfMirror = Pick<Store, 'directory' | 'persons'>

/** The people of these entries, by id. */
async function personsOf(store: PeopleOfMirror, entries: readonly DirectoryEntry[]) {
  const ids = entries.flatMap(({ person }) => (person === null ? [] : [person]))
  const found = ids.length === 0 ? [] : await store.persons(ids)
  return new Map(found.map((person) => [person.id, person]))
}

/** The active people of these entries who have no other active entry. */
export async function peopleToDeactivate(
  store: PeopleOfMirror,
  entries: readonly DirectoryEntry[],
): Promise<readonly PersonState[]> {
  const known = await personsOf(store, entries)
  if (known.size === 0) return []
  const still = await store.directory.stillReported([...known.keys()])
  return [...known.values()].filter(({ id, active }) => active && !still.has(id))
}

/** Describes a deactivation as a sample in a run. */
export const deactivationOf = ({ addresses: [person = ''] }: PersonState): DirectorySample => ({
  person,
  change: 'retired',
  fields: [],
  reason: null,
})

const ignoreUnknown = (error: unknown) => {
  if (!(error instanceof DomainError && error.code === 'not_found')) throw error
}

/** The names that a release uses for each group of a source. */
export async function namesOfGroups(
  directory: DirectoryStore,
  source: string,
  named: readonly string[],
): Promise<Naming> {
  const found = await directory.groupsNamed(
    [source],
    named.map((name) => name.toLowerCase()),
  )
  return new Map(found.map((group) => [group.id, named.filter((name) => isGroupNamed(name, group))] as const))
}

/** Like `namesOfGroups`. Also marks the members of groups whose names changed since the last call. */
export async function updateGroupNames(
  directory: DirectoryStore,
  source: string,
  named: readonly string[],
): Promise<Naming> {
  const naming = await namesOfGroups(directory, source, named)
  const before = readNaming(await directory.cursor(source, NAMED_CURSOR))
  const groups = new Set([...before.keys(), ...naming.keys()])
  const different = [...groups].filter((id) => before.get(id)?.join('\n') !== naming.get(id)?.join('\n'))
  if (different.length > 0) {
    await directory.markMembers(source, different)
    await directory.keepCursor(source, NAMED_CURSOR, JSON.stringify([...naming]))
  }
  return naming
}

/** The cursor that stores the attributes of the settings that were applied last. */
const ATTRIBUTES_CURSOR = 'attributes'

/** Marks all active users of a source if the settings name other attributes than at the last call. */
export async function updateAttributes(
  directory: DirectoryStore,
  source: string,
  attributes: readonly string[],
): Promise<void> {
  const names = [...new Set(attributes)].sort().join('\n')
  if (((await directory.cursor(source, ATTRIBUTES_CURSOR)) ?? '') === names) return
  await directory.markActive(source)
  await directory.keepCursor(source, ATTRIBUTES_CURSOR, names)
}

const readNaming = (cursor: string | null): Naming =>
  new Map(cursor === null ? [] : (JSON.parse(cursor) as [string, readonly string[]][]))
