import type { Observable } from 'rxjs'
import type { Session, Verified } from '../streams/message/auth/events.ts'
import type { Handle } from '../streams/kernel/handle.ts'
import type { Secret } from '../streams/kernel/secret.ts'
import type { Time } from '../streams/kernel/time.ts'
import type { Language } from '../streams/wire/languages.ts'
import type { Address, ComposeType, HostUser, MailItem, Theme } from '../streams/message/mailbox/events.ts'
import type { BodyType } from '../streams/html/message.ts'
import type {
  Definition,
  MaintenanceStatus,
  Metadata,
  SavedVariables,
  UserProfile,
  Values,
  VariableStates,
} from '../streams/wire/user.ts'
import type { CachedSignature, SignaturePage } from '../streams/wire/signatures.ts'
import type { Notice } from '../streams/pane/notifications/events.ts'
import type { Crop } from '../streams/pane/picture/crop.ts'
import type { OpenedPicture, PictureRefusal, PreparedPicture } from '../streams/pane/picture/events.ts'
import type { AddinConfiguration } from '../streams/message/configuration/events.ts'
import type { PageName } from '../streams/pane/router/routes.ts'
import type { HostFacts } from '../streams/pane/selfTest/events.ts'
import type { Sanitize } from '../streams/html/plan.ts'
import type { Plan } from '../streams/pane/subscription/events.ts'
import type { Platform, TelemetryPayload } from '../streams/pane/telemetry/events.ts'
import type { Track } from '../streams/pane/telemetry/track.ts'

// The interfaces of the effects to the world. Every call returns a cold Observable of one value and is cancelled by
// unsubscribing; a name with `$` is a stream that continues. Failures come as `Failed` (kernel/failure.ts).

export type Attachment = Readonly<{
  id: string
  name: string
  /** Bytes. */
  size: number
  isInline: boolean
  contentId: string | null
}>

/**
 * The mail client. A read gives null or an empty result when the client fails, and the failure is logged
 * (specification, section 8). A write fails with `host`, `hostSilent` or `itemGone`: it names its item, and the adapter
 * checks the open item immediately before the call and writes to no other.
 */
export interface MessageHost {
  readonly name: 'simulated' | 'outlook' | 'standalone'
  /** The mail client's display language as a BCP 47 tag. */
  readonly displayLanguage: string
  /** What it reports about itself. */
  readonly about: Omit<HostFacts, 'name' | 'clientSignature'>
  /** The open item, now and at each change; null while there is none. Ends with the pane. */
  readonly item$: Observable<MailItem | null>
  user(): Observable<HostUser | null>

  composeType(itemKey: string): Observable<ComposeType | null>
  bodyType(itemKey: string): Observable<BodyType | null>
  from(itemKey: string): Observable<Address | null>
  recipients(itemKey: string): Observable<Readonly<{ to: readonly Address[]; cc: readonly Address[] }>>
  /** The whole body as HTML, or as text. */
  body(itemKey: string, type: BodyType): Observable<string | null>
  attachments(itemKey: string): Observable<readonly Attachment[] | null>
  /**
   * Whether the mail client inserts a signature of its own into messages of the sending account; null where it does not
   * report it, as below Mailbox 1.10.
   */
  clientSignature(itemKey: string): Observable<boolean | null>
  /** Properties stored in the message itself; plain JSON. Copied by some clients when the message is forwarded. */
  customProperties(itemKey: string): Observable<Readonly<Record<string, unknown>>>
  /** Data stored while the item is open, across panes. */
  sessionData(itemKey: string, name: string): Observable<string | null>
  /** All session data by name; null when it cannot be read. */
  allSessionData(itemKey: string): Observable<Readonly<Record<string, string>> | null>

  /** Replaces the whole body. Only for a request of the user: clients rewrite images in it. */
  setBody(itemKey: string, content: string, type: BodyType): Observable<void>
  /**
   * Switches the mail client's own signature off for the sending account, for new messages, replies and forwards. A
   * signature that the client has already inserted stays until `setSignature` replaces it. Mailbox 1.10.
   */
  disableClientSignature(itemKey: string): Observable<void>
  /** Sets the signature of the item, in place of the previous one. `content` of at most 30,000 characters. */
  setSignature(itemKey: string, content: string, type: BodyType): Observable<void>
  /** Attaches an image inline; the body shows it as `cid:` + name. Gives the attachment's id. */
  addInlineImage(itemKey: string, base64: string, name: string): Observable<string>
  removeAttachment(itemKey: string, id: string): Observable<void>
  /** Replaces the custom properties of this add-in. */
  saveCustomProperties(itemKey: string, properties: Readonly<Record<string, unknown>>): Observable<void>
  setSessionData(itemKey: string, name: string, value: string): Observable<void>

  /**
   * What Signet stored in the mailbox itself, as the mail client read it at the start, so that it may be old. Plain
   * JSON.
   */
  readonly roaming: Readonly<Record<string, unknown>>
  /**
   * Shows the notice of a launch event, keyed `lsi_launch_notice`: with a button that opens the pane where the client has
   * such notices, without one elsewhere. Cuts the text at 150 characters, the button's at 30. A failure is only logged.
   */
  showLaunchNotice(itemKey: string, notice: Readonly<{ text: string; button: string }>): Observable<void>
  /** Removes the notice of a launch event. A failure is only logged. */
  dismissLaunchNotice(itemKey: string): Observable<void>
}

/** The part of the mail client that only the pane needs. */
export interface MailHost extends MessageHost {
  /** To or Cc of the open item changed. Ends with the pane. */
  readonly recipientsChanged$: Observable<void>
  /** How bright the mail client is, now and at each change; null where it does not report it. Ends with the pane. */
  readonly theme$: Observable<Theme | null>
  /** Stores plain JSON in the mailbox, for every device of the user. Fails with `host` or `hostSilent`. */
  saveRoaming(name: string, value: unknown): Observable<void>

  /**
   * Shows an informational, non-persistent notice in the item, keyed `messageKey`. Cuts it at 150 characters. A failure
   * is only logged.
   */
  showNotice(itemKey: string, text: string): Observable<void>
  /** Removes the notice keyed `lsi_notification_message`. A failure is only logged. */
  dismissNotice(itemKey: string): Observable<void>
}

/** The user's identity according to the mail client. */
export interface Identity {
  /**
   * An access token for the service; `allowConsentPrompt` lets the client ask the user for consent. `silent`: without a
   * gesture of the user, so no window may open (default false). Fails with `auth` or `hostSilent`.
   */
  accessToken(options: Readonly<{ allowConsentPrompt: boolean; silent?: boolean }>): Observable<Secret>
  /**
   * Clears what Signet stores of the sign-in, and signs out at the identity provider where it can. A failure is logged.
   */
  signOut(): Observable<void>
  /** The name of the sign-in method that gave the last token, such as `nested`; null before the first. */
  method(): string | null
}

/** The panes that are open in the same browser at the same time. */
export interface OtherPanes {
  /** The `userId` of a user who signed out in another pane. Ends with the pane. */
  readonly signedOut$: Observable<string>
  tellSignedOut(userId: string): Observable<void>
}

/** A change of the user's own data. The metadata is sent as a whole. */
export type PersonData = Readonly<{ values: Values; metadata?: Metadata }>

/** The signature service (specification, section 7). Fails with `network`, `timeout`, `http`, `malformed`. */
export interface Api {
  verify(credentials: Readonly<{ accessToken: Secret; email: string }>): Observable<Verified>
  /** A renewed session of the signed-in user. */
  renew(): Observable<Session>
  user(): Observable<UserProfile>
  /** From the same response as `user`; concurrent calls share one request. */
  variableStates(): Observable<VariableStates>
  /** The address of the user's picture; null when there is none. */
  photo(): Observable<string | null>
  /** `base64` without a data-URL prefix. Gives the picture's address. */
  savePhoto(base64: string): Observable<string>
  deletePhoto(): Observable<void>
  /** The default signature, or the one named; always with the images' contents. */
  signature(query: Readonly<{ combinedIds?: string }>): Observable<CachedSignature>
  /**
   * One page of the user's own signatures, counted from 1. `perPage` is the number of objects on a page, if not the
   * usual one; a service may send fewer.
   */
  signatures(
    query: Readonly<{ page: number; withImages: boolean; perPage?: number }>,
  ): Observable<SignaturePage>
  /** One page of the signatures that other users share, counted from 1. */
  delegatedSignatures(
    query: Readonly<{ userIds: readonly string[]; page: number; withImages: boolean; perPage?: number }>,
  ): Observable<SignaturePage>
  saveDefaultSignature(combinedIds: string): Observable<void>
  variableDefinitions(): Observable<readonly Definition[]>
  variableValues(): Observable<Values>
  /**
   * Saves variables and, if given, the whole metadata of the user. `base` is what this pane had of both. A service that
   * supports bases leaves values that equal their base as others have changed them.
   */
  saveVariables(
    change: PersonData & Readonly<{ resetFields: readonly string[]; base: PersonData }>,
  ): Observable<SavedVariables>
  subscription(): Observable<Plan>
  maintenance(): Observable<MaintenanceStatus>
  /**
   * The status of an answer, and the time of the service's clock: milliseconds since the epoch, null when it is
   * missing.
   */
  probe(): Observable<Readonly<{ status: number; date: number | null }>>
  configuration(): Observable<AddinConfiguration>
  sendTelemetry(payload: TelemetryPayload): Observable<void>
}

/** Makes pictures of files, in the browser alone. */
export interface Pictures {
  /**
   * The file behind the handle (`createHandle(file)`) upright, at most 768 pixels wide and high, and without metadata;
   * or the reason why it is refused.
   */
  open(file: Handle): Observable<OpenedPicture | PictureRefusal>
  /** This part of the same file, at most 512 pixels wide and without metadata; or the reason why it is refused. */
  crop(file: Handle, crop: Crop): Observable<PreparedPicture | PictureRefusal>
}

/** The receiver of analytics; without a configured key, nothing is sent. */
export interface Analytics {
  track(event: Track): Observable<void>
}

/**
 * The outcome of a write. `kept`: later panes read it. `untilClosed`: it is in memory, and ends with the page. `refused`:
 * the earlier value stays; a driver that answers after its time limit may still have written.
 */
export type Written = 'kept' | 'untilClosed' | 'refused'

/**
 * A namespace of the browser's storage. Values are plain JSON. Every call gives one value and completes; none fails: a
 * failure is logged. Unsubscribing drops the answer, and a write that has begun is carried out.
 */
export interface KeyValue {
  /** null when there is no value; undefined when it cannot be read. */
  get(key: string): Observable<unknown>
  set(key: string, value: unknown): Observable<Written>
  remove(key: string): Observable<void>
  clear(): Observable<void>
  /** The name of its driver; `memory` when no other works. */
  driver(): Observable<string>
}

export interface Storage {
  /** Lives as long as the pane's browser session. */
  readonly session: KeyValue
  /** Lives in this browser. */
  readonly local: KeyValue
  /**
   * The persistent choices, by mailbox. Lives in this browser, and no sign-out clears it. Quick to read, because every
   * request and insertion waits for it.
   */
  readonly persistent: KeyValue
  /**
   * The cached defaults, by the lower-case address of the mailbox (`streams/launch/cachedDefault.ts`). Lives in this
   * browser, or in the runtime of classic Outlook.
   */
  readonly kept: KeyValue
  /** Shared by all users of this browser: at most 32,000 bytes. */
  readonly roaming: KeyValue
  /**
   * One user's settings. At most 32,000 bytes; a write that would exceed that is refused as a whole and logged. Throws
   * 'private roaming storage cant init without an id' when `id` is not a non-empty string.
   */
  privateRoaming(id: string): KeyValue
  /** One user's copies of data of the service. Throws as `privateRoaming` does. */
  privateCache(id: string): KeyValue
  /** One user's edits that the service does not have. Throws as `privateRoaming` does. */
  privateDrafts(id: string): KeyValue
}

/** The texts of one language, for the screen: loaded once that is due. Fails when they cannot be loaded. */
export interface Locales {
  /** For users whose own language has no texts. */
  readonly fallback: Language
  load(language: Language): Observable<void>
}

/** The screen: React, the views and their English texts, in a chunk of their own. */
export interface ScreenLoader {
  /** When the pane was opened, in milliseconds since the epoch. */
  readonly openedAt: number
  /** Loads its code, and then draws. Fails with `network` when it cannot be loaded. */
  load(): Observable<void>
}

/** Loads the code of a page. Fails when it cannot be loaded; a later call tries again. */
export interface ChunkLoader {
  load(page: PageName): Observable<void>
}

/** The address of the pane: its hash path, such as `/app/signatures/main`. */
export interface PaneAddress {
  readonly path$: Observable<string>
  go(path: string): void
}

/** The network, as the browser reports it. */
export interface Connection {
  /** The network is back. Ends with the pane. */
  readonly back$: Observable<void>
}

/** The clipboard of the user. Fails when the browser refuses. */
export interface Clipboard {
  /** `html` is null where there is only text. */
  write(content: Readonly<{ html: string | null; text: string }>): Observable<void>
}

/** The downloads of the user. */
export interface Downloads {
  /** Saves the log of this pane as a file, without personal data. Fails with `network` when its code cannot be loaded. */
  saveLog(): Observable<void>
}

/** The log for developers. Without personal data and tokens. */
export interface Log {
  warn(action: string, detail?: Readonly<Record<string, string | number | boolean | null>>): void
  error(action: string, detail?: Readonly<Record<string, string | number | boolean | null>>): void
}

/** The ports that an insertion needs. */
export type MessagePorts = Pick<Ports, 'sanitizer' | 'runtimeId' | 'time' | 'log'> &
  Readonly<{ host: MessageHost; api: Pick<Api, 'signature'> }>

export type Ports = Readonly<{
  host: MailHost
  identity: Identity
  otherPanes: OtherPanes
  api: Api
  storage: Storage
  pictures: Pictures
  analytics: Analytics
  clipboard: Clipboard
  downloads: Downloads
  connection: Connection
  locales: Locales
  chunks: ChunkLoader
  screen: ScreenLoader
  address: PaneAddress
  /** Loads the sanitiser; cheap after the first time. */
  sanitizer: () => Observable<Sanitize>
  /** What telemetry reports about this pane. */
  platform: Platform
  /** The text of a notice, in the current language, once the screen is loaded; none when it cannot be loaded. */
  noticeText: (notice: Notice) => Observable<string>
  /** Identifies this application among those that run over the same message at the same time. Never used again. */
  runtimeId: string
  time: Time
  log: Log
}>
