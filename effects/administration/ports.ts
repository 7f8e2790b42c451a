import type { Observable } from 'rxjs'
import type { FolderRefusal } from '../../streams/administration/plan/folder.ts'
import type { Handle } from '../../streams/kernel/handle.ts'
import type { Time } from '../../streams/kernel/time.ts'
import type { Maintenance } from '../../streams/organisation/events.ts'
import type { ReleaseDocument } from '../../streams/organisation/release.ts'
import type { Published } from '../../streams/organisation/state.ts'
import type { AnswerOf, CallName } from '../../streams/wire/administration/calls.ts'
import type { SentPictures } from '../../streams/administration/plan/pictures.ts'
import type { Connection, KeyValue, Log, PaneAddress } from '../ports.ts'

// The interfaces of the administration page to the world. Every call returns a cold Observable of one value and is
// cancelled by unsubscribing; a name with `$` continues. Failures come as `Failed` (kernel/failure.ts).

/** Files by their paths in a folder, their content in base64. */
export type Files = Readonly<Record<string, string>>

type Answer<Name extends CallName> = Observable<AnswerOf<Name>>

/**
 * The calls of the administration, one method each. Fails with `network`, `timeout`, `http` (403 `role_missing` without
 * the role), `malformed`, and with `auth` when no token can be had without a window.
 */
export interface AdministrationApi {
  me(): Answer<'me'>
  overview(): Answer<'overview'>
  insight(): Answer<'insight'>
  /** One page, from the latest fact on; `after` is the `next` of the page before. */
  audit(after: string | null): Answer<'audit'>

  releases(): Answer<'releases'>
  rollBack(release: string, note: string): Observable<readonly Published[]>
  setMaintenance(status: Maintenance): Observable<Maintenance>

  /** A release, or that of a plan; null is the published one. */
  exported(release: string | null): Answer<'export'>
  readFolder(files: Files): Answer<'readFolder'>
  writtenFolder(document: ReleaseDocument, pictures: SentPictures): Observable<Files>
  /** Which of these hashes the service does not have. */
  missingPictures(hashes: readonly string[]): Observable<readonly string[]>
  sendPictures(pictures: SentPictures): Observable<void>
  plan(document: ReleaseDocument, at: number | null): Answer<'makePlan'>
  planPeople(plan: string, after: string | null): Answer<'plannedPeople'>
  /** Publishes a plan; gives the release. 409 `base_moved` when another release was published meanwhile. */
  publish(plan: string, note: string): Observable<string>

  findPeople(search: string, after: string | null): Answer<'people'>
  /** By id or address; `at` null is now. */
  person(person: string, at: number | null): Answer<'person'>
  /** `release`: also that of a plan; null is the published one. */
  signaturesOf(
    person: string,
    how: Readonly<{ release: string | null; at: number | null; reply: boolean }>,
  ): Answer<'signatures'>
  /** `isTrial` tells what would change, and changes nothing. */
  importPeople(csv: string, isTrial: boolean): Answer<'importPeople'>
  personalData(person: string): Answer<'personalData'>
  erase(person: string): Observable<void>

  directory(): Answer<'directory'>
  sync(how: Readonly<{ try: boolean; retire: boolean }>): Answer<'sync'>
}

/** The administrator, according to the identity provider. */
export interface AdministratorIdentity {
  /** The address of the administrator who signed in here last; null when unknown. */
  known(): Observable<string | null>
  /** Opens the sign-in window; browsers block it without a recent click. Fails with `auth`. */
  signIn(): Observable<void>
  /** Ends the session at the identity provider, where it can. A failure is logged. */
  signOut(): Observable<void>
  /** Forgets who signed in, so that the next window asks for an account. */
  forget(): Observable<void>
}

/** The files that the administrator chose. */
export interface ChosenFiles {
  /** The text of a file that is behind a handle. Fails with `storage` when it cannot be read any more. */
  text(file: Handle): Observable<string>
}

/** The downloads of the administrator. */
export interface FileDownloads {
  save(file: Readonly<{ name: string; mediaType: string; content: string | Uint8Array }>): Observable<void>
}

/** Folders of signatures. Fails with `notLoaded` when the code of archives cannot be loaded. */
export interface Folders {
  /**
   * The files of the dropped or chosen folder or archive; or the reason why it is refused, before its content is read.
   */
  read(folder: Handle): Observable<Readonly<{ folder: string; files: Files }> | FolderRefusal>
  /** An archive with one folder of this name in it. */
  pack(folder: string, files: Files): Observable<Uint8Array>
}

export type AdministrationPorts = Readonly<{
  api: AdministrationApi
  identity: AdministratorIdentity
  address: PaneAddress
  connection: Connection
  files: ChosenFiles
  downloads: FileDownloads
  folders: Folders
  /** The unpublished draft; lives in this browser. */
  drafts: KeyValue
  time: Time
  log: Log
}>
