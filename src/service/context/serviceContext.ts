/** What the calls of the service share. */
import type { Imported } from '../../../streams/wire/administration/people.ts'
import type { OrganisationCommand, PersonCommand } from '../../../streams/organisation/decide.ts'
import type { DirectoryRun, DirectoryState } from '../../../streams/organisation/directory/directory.ts'
import type { DirectoryRecord } from '../../../streams/organisation/facts/events.ts'
import type { Formats } from '../../../streams/organisation/template/formats.ts'
import type { Release } from '../../../streams/organisation/release/release.ts'
import type { OrganisationState, PersonState } from '../../../streams/organisation/facts/state.ts'
import type { Registry } from '../sql/registry.ts'
import type { Store } from '../sql/store.ts'
import type { Work } from '../operations/work.ts'

/**
 * One row of an import. The row is for the person with its id or account. A row without an id is for the person with
 * one of its addresses, unless another row or another user names that person. Otherwise the row is for a new person.
 */
export type DirectoryRow = Readonly<{ id: string | null; record: DirectoryRecord }>

/** What an import did or would do with a row. */
export type RowOutcome = Readonly<{
  /** The id of the person. */
  id: string
  change: 'added' | 'changed' | 'returned' | 'unchanged' | 'refused'
  /** The names of what changed: fields of the directory, and parts of the record. */
  fields: readonly string[]
  /** Why the row was refused; null when it was not refused. */
  reason: string | null
}>

/** Finds those of these people whom a row without their id must not find, not even by an account or address. */
export type TakenAmong = (people: readonly string[]) => Promise<ReadonlySet<string>>

export type People = Readonly<{
  /**
   * Decides on a command, and appends its facts. Writes for the same person wait for each other; a conflict is retried.
   *
   * @throws DomainError when the command is refused; `not_found`; `conflict` after three tries
   */
  write: (id: string, command: PersonCommand, actor: string) => Promise<PersonState>
  /**
   * @param isTrial reports what would change, and changes nothing
   * @param work counts the rows; null when no client wants to know how far the import is
   * @throws ImportStopped when the database, or the client of `work`, stopped the import of some rows; DomainError
   *   `stopped` when the client stopped a dry run
   */
  importRows: (
    rows: readonly DirectoryRow[],
    actor: string,
    isTrial: boolean,
    work?: Work | null,
  ) => Promise<Omit<Imported, 'problems'>>
  /** Imports like `importRows`, and resolves with the outcome of each row. */
  importEach: (
    rows: readonly DirectoryRow[],
    actor: string,
    isTrial: boolean,
    takenAmong?: TakenAmong,
  ) => Promise<readonly RowOutcome[]>
  /** Erases a person; an unknown person is no error. */
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
  /** How long ago the instance last read the organisation's stream, in milliseconds. */
  behindMs: () => number
}>

export type Directory = Readonly<{
  state: () => Promise<DirectoryState>
  /**
   * Begins a sync, and resolves with its run before the sync ends.
   *
   * @param options `isTrial` changes no person; `mayDeactivate` allows to deactivate more than 5 % of the people
   * @throws DomainError `sync_running`, `no_directory`
   */
  sync: (
    options: Readonly<{ isTrial: boolean; mayDeactivate: boolean }>,
    actor: string,
  ) => Promise<DirectoryRun>
  /** Asks the running sync of any instance to stop between pages. Without a running sync, nothing happens. */
  stop: (actor: string) => Promise<void>
}>

export type ServiceContext = Readonly<{
  store: Store
  people: People
  releases: Releases
  directory: Directory
  /** The address that users reach, without a slash at the end. */
  publicUrl: () => string
  /** How values are written. */
  formats: Formats
  /** Milliseconds since 1970. */
  now: () => number
}>

/** What belongs to the installation, and to none of its organisations. */
export type Installation = Readonly<{
  registry: Registry
  /** The store of an organisation. */
  storeOf: (organisation: string) => Store
  /** Milliseconds since 1970. */
  now: () => number
}>

/** The caller, and the release for the response. */
export type Caller = Readonly<{
  person: PersonState
  release: Release
  isAdmin: boolean
  /** The time of the whole response, in milliseconds since 1970. */
  at: number
}>
