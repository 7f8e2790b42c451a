import type { Observable } from 'rxjs'
import type { ChosenPicture } from '../../streams/administration/plan/banners.ts'
import type { FolderRefusal } from '../../streams/administration/plan/folder.ts'
import type { Handle } from '../../streams/kernel/handle.ts'
import type { Time } from '../../streams/kernel/time.ts'
import type { Maintenance } from '../../streams/organisation/facts/events.ts'
import type { ReleaseDocument } from '../../streams/organisation/release/release.ts'
import type { Published } from '../../streams/organisation/facts/state.ts'
import type { SupposedKind, SupposedRecipients } from '../../streams/organisation/release/supposed.ts'
import type { AnswerOf, CallName } from '../../streams/wire/administration/calls.ts'
import type { ReadSample, SampleRefusal } from '../../streams/administration/plan/samples.ts'
import type { AdoptWanted } from '../../streams/wire/administration/adopting.ts'
import type { SentPictures } from '../../streams/administration/plan/pictures.ts'
import type { Connection, KeyValue, Log, PaneAddress } from '../ports.ts'

// The interfaces of the administration page to the outside world. Every call returns a cold Observable of one value,
// and unsubscribing cancels the call. A stream with `$` in its name goes on emitting. Failures come as `Failed`
// (kernel/failure.ts).

/** The files of a folder: their content in base64 by path. */
export type Files = Readonly<Record<string, string>>

type Answer<Name extends CallName> = Observable<AnswerOf<Name>>

/**
 * The calls of the administration, one method for each. A call fails with `network`, `timeout`, `http` (403
 * `role_missing` without the role) or `malformed`, and with `auth` when a token needs a sign-in window. `work` names the
 * work that a call begins (`workName`); a call whose work was stopped fails with 409 `stopped`.
 */
export interface AdministrationApi {
  me(): Answer<'me'>
  overview(): Answer<'overview'>
  insight(): Answer<'insight'>
  /** One page of facts, latest first; `after` is the `next` of the previous page, null for the first. */
  audit(after: string | null): Answer<'audit'>

  /** One page of the organisations of the installation; `after` is the `next` of the previous page, null for the first. */
  organisations(after: string | null): Answer<'organisations'>

  releases(): Answer<'releases'>
  /** The document of a release by its id. */
  release(id: string): Observable<ReleaseDocument>
  rollBack(release: string, note: string): Observable<readonly Published[]>
  setMaintenance(status: Maintenance): Observable<Maintenance>

  /** Exports a release by its id, which may be the release of a plan; null is the published release. */
  exported(release: string | null): Answer<'export'>
  readFolder(files: Files, work: string): Answer<'readFolder'>
  /** `yaml` is the signet.yaml that is changed as little as possible; null has the service write a new one. */
  writtenFolder(document: ReleaseDocument, pictures: SentPictures, yaml: string | null): Observable<Files>
  /** The signet.yaml of `writtenFolder`. */
  writtenYaml(document: ReleaseDocument, yaml: string | null): Observable<string>
  /** Reads an edited signet.yaml, with the templates and pictures of the document. */
  readYaml(yaml: string, document: ReleaseDocument): Answer<'readYaml'>
  /** Which of these hashes belong to pictures that the service does not have. */
  missingPictures(hashes: readonly string[]): Observable<readonly string[]>
  sendPictures(pictures: SentPictures): Observable<void>
  plan(document: ReleaseDocument, at: number | null, work: string): Answer<'makePlan'>
  planPeople(plan: string, after: string | null): Answer<'plannedPeople'>
  /** Publishes a plan; with `all`, even one that changes more people than its limit. Fails with 409 `base_moved` if another release came first. */
  publish(plan: string, said: Readonly<{ note: string; all: boolean }>, work: string): Answer<'publish'>

  /**
   * Makes a template of an existing signature. Fails with 4xx and a code of `NOT_ADOPTED` when a sample does not become
   * one.
   */
  adopt(wanted: AdoptWanted): Answer<'adopt'>

  /** With `without`, finds only people without a signature, each with the reason. */
  findPeople(search: string, after: string | null, without?: 'signature'): Answer<'people'>
  /** `person` is an id or an address; an `at` of null means the present time. */
  person(person: string, at: number | null): Answer<'person'>
  /**
   * `release` may be the release of a plan; null is the published release. An `at` of null means the present time, and
   * `recipients` of null a message without recipients.
   */
  signaturesOf(
    person: string,
    how: Readonly<{
      release: string | null
      at: number | null
      kind: SupposedKind
      recipients: SupposedRecipients | null
    }>,
  ): Answer<'signatures'>
  /** With `isTrial`, the call only tells what would change. */
  importPeople(csv: string, isTrial: boolean, work: string): Answer<'importPeople'>
  personalData(person: string): Answer<'personalData'>
  erase(person: string): Observable<void>

  directory(): Answer<'directory'>
  sync(how: Readonly<{ try: boolean; retire: boolean }>): Answer<'sync'>
  /** Asks to stop the sync that is running, between two pages of people. */
  stopSync(): Observable<void>

  /** How far work is; 0 of 0 while nothing is counted. */
  work(name: string): Answer<'work'>
  /** Asks to stop work at the next place where that is safe. */
  stopWork(name: string): Observable<void>
}

/** The administrator, according to the identity provider. */
export interface AdministratorIdentity {
  /** The address of the administrator who signed in here last; null when unknown. */
  known(): Observable<string | null>
  /** Opens the sign-in window. Browsers block the window without a recent click. Fails with `auth`. */
  signIn(): Observable<void>
  /** Ends the session at the identity provider, where possible. A failure is logged. */
  signOut(): Observable<void>
  /** Forgets who signed in, so that the next sign-in window asks for an account. */
  forget(): Observable<void>
}

/** The files that the administrator chose. */
export interface ChosenFiles {
  /** The text of the file behind a handle. Fails with `storage` when the file cannot be read any more. */
  text(file: Handle): Observable<string>
  /** The content of a picture; null when it has more bytes. Fails as `text` does. */
  picture(file: Handle, mostBytes: number): Observable<ChosenPicture | null>
}

/** The downloads of the administrator. */
export interface FileDownloads {
  save(file: Readonly<{ name: string; mediaType: string; content: string | Uint8Array }>): Observable<void>
}

/** Reads and packs folders of signatures. A call fails with `notLoaded` when the code for archives cannot be loaded. */
export interface Folders {
  /** The files of the dropped or chosen folder or archive. A refused folder gives the reason, and is not read. */
  read(folder: Handle): Observable<Readonly<{ folder: string; files: Files }> | FolderRefusal>
  /** The existing signatures among the dropped or chosen files, with their pictures. */
  samples(files: Handle): Observable<readonly ReadSample[] | SampleRefusal>
  /** An archive of these files in one folder with this name. */
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
  /** Stores the unpublished draft in this browser. */
  drafts: KeyValue
  /** 24 random hex digits of this visit, of which the names of work are made. */
  visit: string
  time: Time
  log: Log
}>
