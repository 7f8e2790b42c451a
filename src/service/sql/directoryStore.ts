/** The mirror of the directory: what it told last, and what of it is not applied to the people yet. */
import type { Account } from '../../../streams/organisation/events.ts'
import type { DirectoryRun, JsonObject } from '../../../streams/organisation/directory.ts'

export type EntryKind = 'user' | 'group'

/** What a source tells of a user or a group. */
export type ReportedEntry = Readonly<{
  id: string
  data: JsonObject
  /** In lower case: the sign-in name of a user, the display name of a group. */
  name: string | null
  /** In lower case: the source's own id or nickname. */
  externalId: string | null
  addresses: readonly string[]
  /** Of a user, the id of the manager, whom the source may not know. */
  manager: string | null
  /** Of a user, whether it is neither removed nor disabled. */
  active: boolean
}>

export type DirectoryEntry = ReportedEntry &
  Readonly<{
    /** Grows with each change. */
    revision: number
    /** Removed in the directory; without data. */
    removed: boolean
    /** Its person was erased: it has no data and gets none, whatever the source tells. */
    erased: boolean
    /** The id of the person that it became. */
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

/**
 * Sources are `graph:<tenant>` and `scim`. A *round* is a reading of everything: what it did not tell is gone at its end.
 * Each write marks what changed by it, users also by a change of their groups and of their manager; `settle` takes the mark
 * away. The members of a group are users and groups, so that a group may be inside others, and they inside it.
 */
export const RUNS_KEPT = 50

export type DirectoryStore = Readonly<{
  /** Those that are known, also removed and erased ones. */
  entries: (source: string, kind: EntryKind, ids: readonly string[]) => Promise<readonly DirectoryEntry[]>
  /** In the order of their ids, after an id; neither removed nor erased ones. */
  page: (
    source: string,
    kind: EntryKind,
    after: string | null,
    limit: number,
  ) => Promise<readonly DirectoryEntry[]>
  /** The same, after so many of them. */
  slice: (source: string, kind: EntryKind, skip: number, limit: number) => Promise<readonly DirectoryEntry[]>
  count: (source: string, kind: EntryKind) => Promise<number>
  /** By `name`, `externalId` or an address, in lower case; neither removed nor erased ones, in the order of their ids. */
  find: (
    source: string,
    kind: EntryKind,
    by: Readonly<{ name: string } | { externalId: string } | { address: string }>,
  ) => Promise<readonly DirectoryEntry[]>
  /** Replaces what was told before; an erased entry stays as it is. @param round of a reading of everything, else null */
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
  /** Drops the data and the addresses; a group loses its members. Unknown ids are no error. */
  remove: (source: string, kind: EntryKind, ids: readonly string[]) => Promise<void>
  /** Removes the entries that this round did not tell. */
  endRound: (source: string, kind: EntryKind, round: string) => Promise<void>

  /** Users and groups, as the source told them. */
  members: (source: string, group: string) => Promise<readonly string[]>
  /** Those members of a group that are groups. */
  subgroups: (source: string, group: string) => Promise<readonly string[]>
  /** The users among these users and groups, and all who are inside the groups, however deep. */
  within: (source: string, ids: readonly string[]) => Promise<readonly string[]>
  /** The marked users whose manager is one of these. */
  reports: (source: string, managers: readonly string[]) => Promise<readonly string[]>
  /** How many users of a group, and of the groups inside it, are active. */
  countMembers: (source: string, group: string) => Promise<number>
  /** What the sources told of a person: the data, and the ids of the groups. */
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
  /** The same, with the groups that those groups are inside of, however deep; each once. */
  allMemberships: DirectoryStore['memberships']
  changeMembers: (source: string, group: string, change: MemberChange, round: string | null) => Promise<void>
  /** Takes the members that this round did not tell out of the group. */
  endMembersRound: (source: string, group: string, round: string) => Promise<void>
  /** The groups whose id, name or external id is one of these, in lower case. */
  groupsNamed: (sources: readonly string[], names: readonly string[]) => Promise<readonly FoundGroup[]>
  /** Marks the members of these groups, and of the groups inside them, as changed. */
  markMembers: (source: string, groups: readonly string[]) => Promise<void>

  /** The users that are marked and whom the directory says to be there, or not; in the order of their ids, after an id. */
  changedUsers: (
    source: string,
    active: boolean,
    after: string | null,
    limit: number,
  ) => Promise<readonly DirectoryEntry[]>
  /** How many active people the marked users are whom the directory does not say to be there. */
  countDeactivating: (sources: readonly string[]) => Promise<number>
  /** Notes that people were deactivated without approval, at this time in milliseconds since 1970. */
  noteDeactivated: (source: string, people: number, at: number) => Promise<void>
  /** How many were so since a time; what was noted before it is forgotten. */
  countDeactivated: (source: string, since: number) => Promise<number>
  /** Those of these people whom any source says to be there. */
  stillReported: (people: readonly string[]) => Promise<ReadonlySet<string>>
  /** Notes the pictures of users; marks those who had another one. */
  keepPictures: (
    source: string,
    pictures: readonly Readonly<{ id: string; picture: string | null }>[],
  ) => Promise<void>
  /**
   * Takes the mark from users that are applied, unless they changed since the revision that was applied, and notes
   * their person. Returns the ids of those that were erased meanwhile.
   */
  settle: (
    source: string,
    applied: readonly Readonly<{ id: string; revision: number; person: string | null }>[],
  ) => Promise<readonly string[]>
  /** Of a person who was erased while the service did not know the directory. */
  eraseEntry: (source: string, id: string) => Promise<void>

  cursor: (source: string, kind: string) => Promise<string | null>
  cursors: (source: string) => Promise<ReadonlyMap<string, string>>
  keepCursor: (source: string, kind: string, cursor: string) => Promise<void>
  dropCursor: (source: string, kind: string) => Promise<void>

  /**
   * The last `RUNS_KEPT` are kept, and the last one that was done, however long ago; a dry run is none. The same id
   * again replaces it. With its end, the lease which has its id is given back.
   */
  keepRun: (run: DirectoryRun) => Promise<void>
  /** Latest first. */
  runs: (limit: number) => Promise<readonly DirectoryRun[]>
}>
