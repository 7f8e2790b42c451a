/** What the calls of the service share. */
import type { Imported } from '../../streams/wire/administration/people.ts'
import type { OrganisationCommand, PersonCommand } from '../../streams/organisation/decide.ts'
import type { DirectoryRun, DirectoryState } from '../../streams/organisation/directory.ts'
import type { DirectoryRecord } from '../../streams/organisation/events.ts'
import type { Release } from '../../streams/organisation/release.ts'
import type { OrganisationState, PersonState } from '../../streams/organisation/state.ts'
import type { Store } from './sql/store.ts'

/**
 * One row of an import. Its person has the id or the account; without an id, one of the addresses, unless another row names
 * that person; else the person is new.
 */
export type DirectoryRow = Readonly<{ id: string | null; record: DirectoryRecord }>

/** What an import did or would do with a row. */
export type RowOutcome = Readonly<{
  /** The id of the person. */
  id: string
  change: 'added' | 'changed' | 'returned' | 'unchanged' | 'refused'
  /** What changed: fields of the directory, and parts of the record. */
  fields: readonly string[]
  /** Why it was refused. */
  reason: string | null
}>

export type People = Readonly<{
  /**
   * Decides and appends. Writes of one person queue; a conflict is retried.
   *
   * @throws DomainError when the command is refused; `not_found`; `conflict` after three tries
   */
  write: (id: string, command: PersonCommand, actor: string) => Promise<PersonState>
  /** @param isTrial reports what would change, and changes nothing */
  importRows: (
    rows: readonly DirectoryRow[],
    actor: string,
    isTrial: boolean,
  ) => Promise<Omit<Imported, 'problems'>>
  /** The same, with the outcome of each row. */
  importEach: (
    rows: readonly DirectoryRow[],
    actor: string,
    isTrial: boolean,
  ) => Promise<readonly RowOutcome[]>
  /** Erases a person; an unknown one is no error. */
  erase: (id: string, actor: string) => Promise<void>
}>

export type Releases = Readonly<{
  /** Null before the first publish. */
  current: () => Release | null
  state: () => OrganisationState
  /** Any stored release. */
  of: (id: string) => Promise<Release | null>
  /** @throws DomainError when the command is refused; `conflict` after three tries */
  write: (command: OrganisationCommand, actor: string) => Promise<OrganisationState>
  /** How long ago the instance last read the organisation's stream, in milliseconds. */
  behindMs: () => number
}>

export type Directory = Readonly<{
  state: () => Promise<DirectoryState>
  /**
   * Begins a sync and resolves with its run, before it ends.
   *
   * @param options `isTrial` changes no person; `mayDeactivate` allows to deactivate more than 5 % of the people
   * @throws DomainError `sync_running`, `no_directory`
   */
  sync: (
    options: Readonly<{ isTrial: boolean; mayDeactivate: boolean }>,
    actor: string,
  ) => Promise<DirectoryRun>
}>

export type ServiceContext = Readonly<{
  store: Store
  people: People
  releases: Releases
  directory: Directory
  /** The address that users reach, without a slash at the end. */
  publicUrl: () => string
  /** Milliseconds since 1970. */
  now: () => number
}>

/** The caller, and the release for the response. */
export type Caller = Readonly<{
  person: PersonState
  release: Release
  isAdmin: boolean
  /** Milliseconds since 1970: one moment for the whole response. */
  at: number
}>
