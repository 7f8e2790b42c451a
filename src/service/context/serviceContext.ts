/** The types that the service's calls share. */
import type { ImportResult } from '../../../streams/wire/administration/people.ts'
import type { OrganisationCommand, PersonCommand } from '../../../streams/organisation/decide.ts'
import type { DirectoryRun, DirectoryState } from '../../../streams/organisation/directory/directory.ts'
import type { DirectoryRecord } from '../../../streams/organisation/facts/events.ts'
import type { Formats } from '../../../streams/organisation/template/formats.ts'
import type { Release } from '../../../streams/organisation/release/release.ts'
import type { OrganisationState, PersonState } from '../../../streams/organisation/facts/state.ts'
import type { Registry } from '../sql/registry.ts'
import type { Store } from '../sql/store.ts'
import type { TrackedWork } from '../operations/work.ts'

/**
 * One row of an import. It updates the person with its id or account. A row without an id may also update a person with
 * one of its addresses, unless another row or another user names that person. Otherwise it adds a person.
 */
export type DirectoryRow = Readonly<{ id: string | null; record: DirectoryRecord }>

/** The columns of a file that are directory fields. `source` is the file's name. */
export type FileColumns = Readonly<{ source: string; fields: readonly string[] }>

/** The result of a row, in an import or a dry run. */
export type RowOutcome = Readonly<{
  /** The id of the person. */
  id: string
  change: 'added' | 'changed' | 'returned' | 'unchanged' | 'refused'
  /** The names of the changed directory fields, and of other changed properties of the record such as `groups`. */
  fields: readonly string[]
  /** Why the row was refused; null for an accepted row. */
  reason: string | null
}>

/**
 * Finds which of these people already belong to a user of the directory. Only a row with such a person's id may match
 * the person, not a row with only the account or an address.
 */
export type TakenPeopleFinder = (people: readonly string[]) => Promise<ReadonlySet<string>>

export type People = Readonly<{
  /**
   * Handles a command, and appends its facts. Writes for one person run one after the other; a conflict is retried.
   *
   * @throws DomainError when the command is refused; `not_found`; `conflict` after three tries
   */
  write: (id: string, command: PersonCommand, actor: string) => Promise<PersonState>
  /**
   * @param isTrial true only reports what would change
   * @param work counts the rows; null when no client asks for progress
   * @throws ImportStopped when some rows were not imported because the database failed, or because the client of `work`
   *   stopped the import; DomainError `stopped` when the client stopped a dry run
   */
  importRows: (
    rows: readonly DirectoryRow[],
    actor: string,
    isTrial: boolean,
    work?: TrackedWork | null,
  ) => Promise<Omit<ImportResult, 'problems'>>
  /**
   * Changes only the columns of people who are known, and adds nobody. The other parameters and errors are those of
   * `importRows`.
   */
  supplementRows: (
    rows: readonly DirectoryRow[],
    columns: FileColumns,
    actor: string,
    isTrial: boolean,
    work?: TrackedWork | null,
  ) => Promise<Omit<ImportResult, 'problems'>>
  /** Imports like `importRows`, and resolves with the outcome of each row. */
  importEach: (
    rows: readonly DirectoryRow[],
    actor: string,
    isTrial: boolean,
    takenAmong?: TakenPeopleFinder,
  ) => Promise<readonly RowOutcome[]>
  /** Erases a person. Ignores an unknown id. */
  erase: (id: string, actor: string) => Promise<void>
}>

export type Releases = Readonly<{
  /** The current release; null before the first release is published. */
  current: () => Release | null
  state: () => OrganisationState
  /** The stored release with this id; null when there is none. */
  of: (id: string) => Promise<Release | null>
  /** @throws DomainError when the command is refused; `conflict` after three tries */
  write: (command: OrganisationCommand, actor: string) => Promise<OrganisationState>
  /** The time since the instance last read the organisation's stream, in milliseconds. */
  behindMs: () => number
}>

export type Directory = Readonly<{
  state: () => Promise<DirectoryState>
  /**
   * Begins a sync, and resolves with its run before the sync ends.
   *
   * @param options `isTrial` changes no person; `mayDeactivate` allows the sync to deactivate more than 5 % of the
   *   people
   * @throws DomainError `sync_running`, `no_directory`
   */
  sync: (
    options: Readonly<{ isTrial: boolean; mayDeactivate: boolean }>,
    actor: string,
  ) => Promise<DirectoryRun>
  /** Asks the running sync of any instance to stop between pages. Does nothing when no sync runs. */
  stop: (actor: string) => Promise<void>
}>

export type ServiceContext = Readonly<{
  store: Store
  people: People
  releases: Releases
  directory: Directory
  /** The service's public address, without a slash at the end. */
  publicUrl: () => string
  /** Formats values in signatures. */
  formats: Formats
  /** Milliseconds since 1970. */
  now: () => number
}>

/** The data and services of the whole installation, shared by all organisations. */
export type Installation = Readonly<{
  registry: Registry
  /** The store of an organisation. */
  storeOf: (organisation: string) => Store
  /** Milliseconds since 1970. */
  now: () => number
}>

/** The signed-in user of a call, and the release for the response. */
export type Caller = Readonly<{
  person: PersonState
  release: Release
  isAdmin: boolean
  /** The time of the call, in milliseconds since 1970. The whole response uses it as the present. */
  at: number
}>
