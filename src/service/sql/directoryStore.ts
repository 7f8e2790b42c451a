/** The mirror of the directory: its last reports, and which of them are not applied to people yet. */
import type { Account } from '../../../streams/organisation/events.ts'
import type { DirectoryRun, JsonObject } from '../../../streams/organisation/directory.ts'

export type EntryKind = 'user' | 'group'

/** A user or a group as a source reports it. */
export type ReportedEntry = Readonly<{
  id: string
  data: JsonObject
  /** In lower case: the sign-in name of a user, the display name of a group. */
  name: string | null
  /** In lower case: the source's own id or nickname. */
  externalId: string | null
  addresses: readonly string[]
  /** The id of a user's manager, who may not exist in the source. */
  manager: string | null
  /** False for a removed or disabled user. */
  active: boolean
}>

export type DirectoryEntry = ReportedEntry &
  Readonly<{
    /** Grows with each change. */
    revision: number
    /** Removed in the directory; without data. */
    removed: boolean
    /** Its person was erased: it has no data, and ignores reports. */
    erased: boolean
    /** The id of its person. */
    person: string | null
    /** `<hash>.<extension>` of the picture in the directory. */
    picture: string | null
  }>

export type MemberChange = Readonly<{ added: readonly string[]; removed: readonly string[] }>

export type FoundGroup = Readonly<{
  source: string
  id: string
  name: string | null
  externalId: string | null
}>

export const RUNS_KEPT = 50

/**
 * Sources are `graph:<tenant>` and `scim`. A *round* reads everything; its end removes what it did not report. Each write
 * marks changed entries, and users whose groups or manager changed; `settle` removes the marks. Members of a group are users
 * and groups, also in circles.
 */
export type DirectoryStore = Readonly<{
  /** The existing ones, also removed and erased. */
  entries: (source: string, kind: EntryKind, ids: readonly string[]) => Promise<readonly DirectoryEntry[]>
  /** In the order of ids, after an id; without removed and erased ones. */
  page: (
    source: string,
    kind: EntryKind,
    after: string | null,
    limit: number,
  ) => Promise<readonly DirectoryEntry[]>
  /** The same, after skipping some. */
  slice: (source: string, kind: EntryKind, skip: number, limit: number) => Promise<readonly DirectoryEntry[]>
  count: (source: string, kind: EntryKind) => Promise<number>
  /** By `name`, `externalId` or an address, in lower case; in the order of ids, without removed and erased ones. */
  find: (
    source: string,
    kind: EntryKind,
    by: Readonly<{ name: string } | { externalId: string } | { address: string }>,
  ) => Promise<readonly DirectoryEntry[]>
  /** Replaces earlier reports; erased entries stay. @param round null outside of a round */
  write: (
    source: string,
    kind: EntryKind,
    reported: readonly ReportedEntry[],
    round: string | null,
  ) => Promise<void>
  /**
   * Writes one entry over the revision that was read; 0 for a new one.
   *
   * @throws VersionMoved when another writer was first, or another user of the source `scim` has the name
   */
  writeOver: (source: string, kind: EntryKind, reported: ReportedEntry, revision: number) => Promise<void>
  /** Drops data, addresses and members. Ignores unknown ids. */
  remove: (source: string, kind: EntryKind, ids: readonly string[]) => Promise<void>
  /** Removes the entries that this round did not report. */
  endRound: (source: string, kind: EntryKind, round: string) => Promise<void>

  /** The users and groups that are direct members. */
  members: (source: string, group: string) => Promise<readonly string[]>
  /** Those members of a group that are groups. */
  subgroups: (source: string, group: string) => Promise<readonly string[]>
  /** The users among these ids, and all users inside the groups, at any depth. */
  within: (source: string, ids: readonly string[]) => Promise<readonly string[]>
  /** The marked users whose manager is one of these. */
  reports: (source: string, managers: readonly string[]) => Promise<readonly string[]>
  /** How many users of a group, and of the groups inside it, are active. */
  countMembers: (source: string, group: string) => Promise<number>
  /** The entries of a person, with the ids of their groups. */
  reportedOf: (
    person: Readonly<{ id: string; account: Account | null; addresses: readonly string[] }>,
  ) => Promise<
    readonly Readonly<{
      source: string
      id: string
      data: JsonObject
      addresses: readonly string[]
      active: boolean
      groups: readonly string[]
    }>[]
  >
  /** The groups that these users or groups are members of. */
  memberships: (
    source: string,
    members: readonly string[],
  ) => Promise<readonly Readonly<{ member: string; group: string }>[]>
  /** The same, with groups around those groups at any depth; each once. */
  allMemberships: DirectoryStore['memberships']
  changeMembers: (source: string, group: string, change: MemberChange, round: string | null) => Promise<void>
  /** Removes the members that this round did not report. */
  endMembersRound: (source: string, group: string, round: string) => Promise<void>
  /** The groups whose id, name or external id is one of these, in lower case. */
  groupsNamed: (sources: readonly string[], names: readonly string[]) => Promise<readonly FoundGroup[]>
  /** Marks the members of these groups, and of the groups inside them, as changed. */
  markMembers: (source: string, groups: readonly string[]) => Promise<void>

  /** The marked users, active or not; in the order of ids, after an id. */
  changedUsers: (
    source: string,
    active: boolean,
    after: string | null,
    limit: number,
  ) => Promise<readonly DirectoryEntry[]>
  /** How many active people belong to marked users that are not active. */
  countDeactivating: (sources: readonly string[]) => Promise<number>
  /** Records deactivations without approval, at a time in milliseconds since 1970. */
  noteDeactivated: (source: string, people: number, at: number) => Promise<void>
  /** How many there were since a time. Drops earlier records. */
  countDeactivated: (source: string, since: number) => Promise<number>
  /** Those of these people who are active in any source. */
  stillReported: (people: readonly string[]) => Promise<ReadonlySet<string>>
  /** Stores pictures of users; marks users whose picture changed. */
  keepPictures: (
    source: string,
    pictures: readonly Readonly<{ id: string; picture: string | null }>[],
  ) => Promise<void>
  /**
   * Removes the marks of applied users, unless their revision changed meanwhile, and stores their person. Resolves with
   * the ids that were erased meanwhile.
   */
  settle: (
    source: string,
    applied: readonly Readonly<{ id: string; revision: number; person: string | null }>[],
  ) => Promise<readonly string[]>
  /** Erases the entry of a person who was erased while no directory was connected. */
  eraseEntry: (source: string, id: string) => Promise<void>

  cursor: (source: string, kind: string) => Promise<string | null>
  cursors: (source: string) => Promise<ReadonlyMap<string, string>>
  keepCursor: (source: string, kind: string, cursor: string) => Promise<void>
  dropCursor: (source: string, kind: string) => Promise<void>

  /**
   * Stores a run, or replaces it by id. The last `RUNS_KEPT` stay, and the last successful one that was no dry run. The end
   * of a run releases its lease.
   */
  keepRun: (run: DirectoryRun) => Promise<void>
  /** Latest first. */
  runs: (limit: number) => Promise<readonly DirectoryRun[]>
}>
