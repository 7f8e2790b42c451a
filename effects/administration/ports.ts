import type { Observable } from 'rxjs'
import type { ApprovalAnswer } from '../../streams/administration/approving/events.ts'
import type { BannerPicture, ChosenPicture } from '../../streams/administration/plan/banners.ts'
import type { PictureSize } from '../../streams/administration/plan/draftPictures.ts'
import type { FolderRefusal } from '../../streams/administration/plan/folder.ts'
import type { Handle } from '../../streams/kernel/handle.ts'
import type { Time } from '../../streams/kernel/time.ts'
import type { Maintenance } from '../../streams/organisation/facts/events.ts'
import type { ReleaseDocument, Selection } from '../../streams/organisation/release/release.ts'
import type { SetByHand } from '../../streams/organisation/facts/corrections.ts'
import type { HistoryEntry } from '../../streams/organisation/facts/state.ts'
import type { SuggestedField } from '../../streams/organisation/rules/fieldValues.ts'
import type { SampleKind, SampleRecipients } from '../../streams/organisation/release/supposed.ts'
import type { AnswerOf, CallName } from '../../streams/wire/administration/calls.ts'
import type { ReadSample, SampleRefusal } from '../../streams/administration/plan/samples.ts'
import type { PeopleFilters } from '../../streams/administration/people/filters.ts'
import type { FoundPerson } from '../../streams/wire/administration/people.ts'
import type { ApprovalOfPlan } from '../../streams/wire/administration/approving.ts'
import type { AdoptRequest } from '../../streams/wire/administration/adopting.ts'
import type { PictureUpload } from '../../streams/administration/plan/pictures.ts'
import type { Connection, KeyValueStore, Log, PaneAddress } from '../ports.ts'

// The administration page's interfaces to the outside world. Every call returns a cold Observable of one value, and
// unsubscribing cancels the call. A property with `$` in its name emits repeatedly. Failures are `Failed`
// (kernel/failure.ts).

/** A folder's files: base64 content by path. */
export type FilesByPath = Readonly<Record<string, string>>

type Answer<Name extends CallName> = Observable<AnswerOf<Name>>

/**
 * The administration calls, one method each. A call fails with `network`, `timeout`, `http` (403 `role_missing` without
 * the role) or `malformed`, and with `auth` if a token needs a sign-in window. `work` is the name of the call's job
 * (`workName`). If the job is stopped, its call fails with 409 `stopped`.
 */
export interface AdministrationApi {
  me(): Answer<'me'>
  overview(): Answer<'overview'>
  insight(): Answer<'insight'>
  /** One page of facts, latest first. `after` is the `next` of the previous page; null for the first page. */
  audit(after: string | null): Answer<'audit'>

  /**
   * One page of the organisations of the installation. `after` is the `next` of the previous page; null for the first
   * page.
   */
  organisations(after: string | null): Answer<'organisations'>

  releases(): Answer<'releases'>
  /** The document of the release with this id. */
  release(id: string): Observable<ReleaseDocument>
  rollBack(release: string, note: string): Observable<readonly HistoryEntry[]>
  setMaintenance(status: Maintenance): Observable<Maintenance>

  /** Exports a release by its id, which may be a planned release; null for the published release. */
  exported(release: string | null): Answer<'export'>
  readFolder(files: FilesByPath, work: string): Answer<'readFolder'>
  /** Writes the folder with minimal changes to the signet.yaml in `yaml`; null creates a new one. */
  writtenFolder(
    document: ReleaseDocument,
    pictures: PictureUpload,
    yaml: string | null,
  ): Observable<FilesByPath>
  /** Writes only the signet.yaml, as `writtenFolder` would. */
  writtenYaml(document: ReleaseDocument, yaml: string | null): Observable<string>
  /** Reads an edited signet.yaml together with the document's templates and pictures. */
  readYaml(yaml: string, former: string | null, document: ReleaseDocument): Answer<'readYaml'>
  /** The hashes of pictures that the service lacks. */
  missingPictures(hashes: readonly string[]): Observable<readonly string[]>
  sendPictures(pictures: PictureUpload): Observable<void>
  plan(document: ReleaseDocument, at: number | null, work: string): Answer<'makePlan'>
  planPeople(plan: string, after: string | null): Answer<'plannedPeople'>
  storedPlan(id: string): Answer<'plan'>
  /** The approvals of plans over the published release that have not expired, latest first. */
  approvals(): Observable<readonly ApprovalOfPlan[]>
  askApproval(plan: string, note: string): Answer<'askApproval'>
  /**
   * Approves or refuses a plan. Fails with 409 `approval_lapsed` if it no longer has this hash, and with 403
   * `not_approver`.
   */
  answerApproval(
    plan: string,
    said: Readonly<{ answer: ApprovalAnswer; hash: string; note: string }>,
  ): Answer<'answerApproval'>
  /**
   * Publishes a plan. `all` allows more changed people than the plan's limit. Fails with 409 `base_moved` if another
   * release was published first.
   */
  publish(plan: string, said: Readonly<{ note: string; all: boolean }>, work: string): Answer<'publish'>

  /**
   * Makes a template from an existing signature. Fails with 4xx and a code from `ADOPT_ERROR_CODES` if a sample is
   * unsuitable.
   */
  adopt(wanted: AdoptRequest): Answer<'adopt'>

  /** Finds people by the beginning of words, or one person by a whole address. */
  findPeople(search: string, after: string | null): Answer<'people'>
  /** Lists people with more about each. With `without`, only people without a signature. */
  listPeople(
    search: string,
    after: string | null,
    filters: PeopleFilters,
    without: 'signature' | null,
  ): Answer<'people'>
  /** Finds a person who matches these rules; null if there is none among the first 10,000 people. */
  matchingPerson(selection: Selection): Observable<FoundPerson | null>
  /** How many active people the selection fits. */
  countPeople(selection: Selection): Answer<'countPeople'>
  /** A person's data at a time. `person` is an id or an address. `at: null` means now. */
  person(person: string, at: number | null): Answer<'person'>
  /**
   * A person's signatures in a message of this kind. `release` may be a planned release; null is the published release.
   * `at: null` means now. `recipients: null` is a message without recipients. `writer` is who writes for a mailbox, by id.
   */
  signaturesOf(
    person: string,
    how: Readonly<{
      release: string | null
      at: number | null
      kind: SampleKind
      recipients: SampleRecipients | null
      writer?: string
    }>,
  ): Answer<'signatures'>
  /** Imports people. With `isTrial`, only reports what would change. */
  importPeople(csv: string, isTrial: boolean, work: string): Answer<'importPeople'>
  personalData(person: string): Answer<'personalData'>
  erase(person: string): Observable<void>
  /**
   * Sets all that stands above the directory by hand: what is missing ends. Fails with 409 `person_changed` over another
   * revision, with 422 `day_is_over`, and with 422 `unknown_signature` if the signature is not published.
   */
  correct(person: string, revision: number, set: SetByHand): Observable<void>

  directory(): Answer<'directory'>
  /** The values of the field that contain the text, at most 50, the most frequent first. */
  fieldValues(field: SuggestedField, search: string): Answer<'fieldValues'>
  sync(how: Readonly<{ try: boolean; retire: boolean }>): Answer<'sync'>
  /** Asks the running sync to stop after the current page of people. */
  stopSync(): Observable<void>

  /** A job's progress; 0 of 0 until something is counted. */
  work(name: string): Answer<'work'>
  /** Asks a job to stop at the next safe point. */
  stopWork(name: string): Observable<void>
}

/** The administrator's identity from the identity provider. */
export interface AdministratorIdentity {
  /** The address of the administrator who last signed in here; null if unknown. */
  known(): Observable<string | null>
  /** Opens the sign-in window. Browsers block the window without a recent click. Fails with `auth`. */
  signIn(): Observable<void>
  /** Ends the session at the identity provider, where possible. A failure is logged. */
  signOut(): Observable<void>
  /** Forgets who signed in, so that the next sign-in window asks for an account. */
  forget(): Observable<void>
}

/** The files that the administrator chose. */
export interface ChosenFileReader {
  /** The text of the file behind a handle. Fails with `storage` if the file is no longer readable. */
  text(file: Handle): Observable<string>
  /** The picture behind a handle; null if it exceeds `mostBytes`. Fails like `text`. */
  picture(file: Handle, mostBytes: number): Observable<ChosenPicture | null>
}

/** Redraws pictures. */
export interface PictureScaling {
  /**
   * The picture at another size, of the same type and with the same name. Its content is not checked. Fails with
   * `notLoaded` if the code cannot be loaded, and with `storage` if the browser cannot draw the picture.
   */
  scaled(picture: BannerPicture, to: PictureSize): Observable<ChosenPicture>
}

/** The downloads of the administrator. */
export interface FileDownloads {
  save(file: Readonly<{ name: string; mediaType: string; content: string | Uint8Array }>): Observable<void>
}

/** Reads and packs signature folders. A call fails with `notLoaded` if the archive code cannot be loaded. */
export interface SignatureFolders {
  /**
   * The files of the dropped or chosen folder or archive. If the folder is refused, returns the reason and reads no
   * file.
   */
  read(folder: Handle): Observable<Readonly<{ folder: string; files: FilesByPath }> | FolderRefusal>
  /** The existing signatures in the dropped or chosen files, with their pictures. */
  samples(files: Handle): Observable<readonly ReadSample[] | SampleRefusal>
  /** Packs the files into an archive with one folder of this name. */
  pack(folder: string, files: FilesByPath): Observable<Uint8Array>
}

export type AdministrationPorts = Readonly<{
  api: AdministrationApi
  identity: AdministratorIdentity
  address: PaneAddress
  connection: Connection
  files: ChosenFileReader
  pictures: PictureScaling
  downloads: FileDownloads
  folders: SignatureFolders
  /** Storage for the unpublished draft in this browser. */
  drafts: KeyValueStore
  /** 24 random hex digits that identify this visit; part of every job's name. */
  visit: string
  time: Time
  log: Log
}>
