import type { Observable } from 'rxjs'
import type { Session, Verified } from '../streams/message/auth/events.ts'
import type { Handle } from '../streams/kernel/handle.ts'
import type { Secret } from '../streams/kernel/secret.ts'
import type { Time } from '../streams/kernel/time.ts'
import type { Language } from '../streams/wire/languages.ts'
import type { Address, ComposeType, HostUser, MailItem, Theme } from '../streams/message/mailbox/events.ts'
import type { ReadRecipients } from '../streams/message/mailbox/rules.ts'
import type { BodyType } from '../streams/html/message.ts'
import type {
  Definition,
  MaintenanceStatus,
  Metadata,
  SavedVariables,
  UserProfile,
  VariableValues,
  VariableStates,
} from '../streams/wire/user.ts'
import type { CachedSignature, SignaturePage } from '../streams/wire/signatures.ts'
import type { Notice } from '../streams/pane/notifications/events.ts'
import type { Crop } from '../streams/pane/picture/crop.ts'
import type { OpenedPicture, PictureRefusal, PreparedPicture } from '../streams/pane/picture/events.ts'
import type { AddinConfiguration } from '../streams/pane/configuration/events.ts'
import type { PageName } from '../streams/pane/router/routes.ts'
import type { HostFacts } from '../streams/pane/selfTest/events.ts'
import type { Sanitize } from '../streams/html/plan.ts'
import type { Plan } from '../streams/pane/subscription/events.ts'
import type { Platform, TelemetryPayload } from '../streams/pane/telemetry/events.ts'
import type { Track } from '../streams/pane/telemetry/track.ts'

// The interfaces of the effects to the outside world. Every call returns a cold Observable of one value, and
// unsubscribing cancels the call. A stream with `$` in its name goes on emitting. Failures come as `Failed`
// (kernel/failure.ts).

export type Attachment = Readonly<{
  id: string
  name: string
  /** The size in bytes. */
  size: number
  isInline: boolean
  contentId: string | null
}>

/**
 * The mail client. When the client fails, a read gives null or an empty result, and the failure is logged
 * (specification, section 8). A write fails with `host`, `hostSilent` or `itemGone`. Immediately before a write, the
 * adapter checks that the named item is open, so that it writes to no other item.
 */
export interface MessageHost {
  readonly name: 'simulated' | 'outlook' | 'standalone'
  /** The mail client's display language as a BCP 47 tag. */
  readonly displayLanguage: string
  /** What the mail client reports about itself. */
  readonly about: Omit<HostFacts, 'name' | 'clientSignature'>
  /** The open item, now and at each change; null while no item is open. Ends with the pane. */
  readonly item$: Observable<MailItem | null>
  user(): Observable<HostUser | null>

  composeType(itemKey: string): Observable<ComposeType | null>
  /** Whether a meeting was saved; true also when the client does not say. */
  isSaved(itemKey: string): Observable<boolean>
  bodyType(itemKey: string): Observable<BodyType | null>
  from(itemKey: string): Observable<Address | null>
  /** Of a meeting: the required and the optional attendees. Null where the client does not tell. */
  recipients(itemKey: string): Observable<ReadRecipients>
  /** The whole body as HTML, or as text. */
  body(itemKey: string, type: BodyType): Observable<string | null>
  attachments(itemKey: string): Observable<readonly Attachment[] | null>
  /** Whether the client adds its own signature for the sending account; null if unreported, as below Mailbox 1.10. */
  clientSignature(itemKey: string): Observable<boolean | null>
  /** Properties stored in the message itself, as plain JSON. Some clients copy them when the message is forwarded. */
  customProperties(itemKey: string): Observable<Readonly<Record<string, unknown>>>
  /** Data that is stored while the item is open. All panes of the item share it. */
  sessionData(itemKey: string, name: string): Observable<string | null>
  /** All session data by name; null when the data cannot be read. */
  allSessionData(itemKey: string): Observable<Readonly<Record<string, string>> | null>

  /** Replaces the whole body. Call this only at the user's request, because clients rewrite the body's images. */
  setBody(itemKey: string, content: string, type: BodyType): Observable<void>
  /**
   * Switches the mail client's own signature off for the sending account, for new messages, replies and forwards. A
   * signature that the client has already inserted stays until `setSignature` replaces it. Needs Mailbox 1.10.
   */
  disableClientSignature(itemKey: string): Observable<void>
  /** Sets the item's signature in place of the previous signature. `content` has at most 30,000 characters. */
  setSignature(itemKey: string, content: string, type: BodyType): Observable<void>
  /** Attaches an image inline; the body shows it as `cid:` + name. Gives the attachment's id. */
  addInlineImage(itemKey: string, base64: string, name: string): Observable<string>
  removeAttachment(itemKey: string, id: string): Observable<void>
  /** Replaces the custom properties of this add-in. */
  saveCustomProperties(itemKey: string, properties: Readonly<Record<string, unknown>>): Observable<void>
  setSessionData(itemKey: string, name: string, value: string): Observable<void>

  /** What Signet stored in the mailbox, as plain JSON. The mail client read it at the start, so it may be outdated. */
  readonly roaming: Readonly<Record<string, unknown>>
  /**
   * Shows the notice of a launch event, with the key `lsi_launch_notice`. Where the client supports a button, the
   * notice has one that opens the pane. Cuts the notice's text at 150 characters, the button's text at 30. A failure is
   * only logged.
   */
  showLaunchNotice(itemKey: string, notice: Readonly<{ text: string; button: string }>): Observable<void>
  /** Removes the notice of a launch event. A failure is only logged. */
  dismissLaunchNotice(itemKey: string): Observable<void>
}

/** The part of the mail client that only the pane needs. */
export interface MailHost extends MessageHost {
  /** Emits when To or Cc of the open item changed. Ends with the pane. */
  readonly recipientsChanged$: Observable<void>
  /** The mail client's brightness, now and at each change; null where it is not reported. Ends with the pane. */
  readonly theme$: Observable<Theme | null>
  /** Stores plain JSON in the mailbox, for every device of the user. Fails with `host` or `hostSilent`. */
  saveRoaming(name: string, value: unknown): Observable<void>

  /** Shows an informational, non-persistent notice (`messageKey`), cut at 150 characters. A failure is only logged. */
  showNotice(itemKey: string, text: string): Observable<void>
  /** Removes the notice with the key `lsi_notification_message`. A failure is only logged. */
  dismissNotice(itemKey: string): Observable<void>
}

/**
 * `allowConsentPrompt`: the mail client may ask the user for consent. `silent` (default false): there was no gesture of
 * the user, so no window may open. `loginHint`: the address of the open mailbox, if it is known. `refused`: the methods
 * of this sign-in whose accounts the service refused; they are not tried again.
 */
export type TokenOptions = Readonly<{
  allowConsentPrompt: boolean
  silent?: boolean
  loginHint?: string
  refused?: readonly string[]
}>

/** The user's identity according to the mail client. */
export interface Identity {
  /** An access token for the service. Fails with `auth` or `hostSilent`; with `host_13000` when no method is left. */
  accessToken(options: TokenOptions): Observable<Secret>
  /** Clears the stored sign-in, and signs out at the identity provider where possible. A failure is logged. */
  signOut(): Observable<void>
  /** The name of the sign-in method that gave the last token, such as `nested`; null before the first token. */
  method(): string | null
  /** The account of the last token, as the identity provider names it; null when the account is unknown. */
  account(): string | null
}

/** The panes that are open in the same browser at the same time. */
export interface OtherPanes {
  /** The `userId` of a user who signed out in another pane. Ends with the pane. */
  readonly signedOut$: Observable<string>
  tellSignedOut(userId: string): Observable<void>
}

/** A change of the user's own data. The metadata is sent as a whole. */
export type PersonData = Readonly<{ values: VariableValues; metadata?: Metadata }>

/** The signature service (specification, section 7). A call fails with `network`, `timeout`, `http` or `malformed`. */
export interface Api {
  verify(credentials: Readonly<{ accessToken: Secret; email: string }>): Observable<Verified>
  /** Renews the session of the signed-in user. */
  renew(): Observable<Session>
  user(): Observable<UserProfile>
  /** The states are in the same response as `user`. Concurrent calls share one request. */
  variableStates(): Observable<VariableStates>
  /** The address of the user's picture; null when the user has no picture. */
  photo(): Observable<string | null>
  /** `base64` has no data-URL prefix. Gives the address of the saved picture. */
  savePhoto(base64: string): Observable<string>
  deletePhoto(): Observable<void>
  /** The signature with these ids, or without ids the default signature. It always has the contents of its images. */
  signature(query: Readonly<{ combinedIds?: string }>): Observable<CachedSignature>
  /**
   * One page of the user's own signatures, counted from 1. `perPage` is the number of objects on a page, if it is not
   * the usual number. A service may send fewer objects. With `combinedIds`, only the signature with these ids.
   */
  signatures(
    query: Readonly<{ page: number; withImages: boolean; perPage?: number; combinedIds?: string }>,
  ): Observable<SignaturePage>
  /** One page of the signatures that other users share, counted from 1. */
  delegatedSignatures(
    query: Readonly<{ userIds: readonly string[]; page: number; withImages: boolean; perPage?: number }>,
  ): Observable<SignaturePage>
  saveDefaultSignature(combinedIds: string): Observable<void>
  variableDefinitions(): Observable<readonly Definition[]>
  variableValues(): Observable<VariableValues>
  /**
   * Saves variables and, if given, the whole metadata of the user. `base` is what this pane had of variables and
   * metadata. If a value equals its base, a service that supports bases keeps what others have saved meanwhile.
   */
  saveVariables(
    change: PersonData & Readonly<{ resetFields: readonly string[]; base: PersonData }>,
  ): Observable<SavedVariables>
  subscription(): Observable<Plan>
  maintenance(): Observable<MaintenanceStatus>
  /** An answer's status, and the service's time in milliseconds since the epoch; null when the answer has no time. */
  probe(): Observable<Readonly<{ status: number; date: number | null }>>
  configuration(): Observable<AddinConfiguration>
  sendTelemetry(payload: TelemetryPayload): Observable<void>
}

/** Makes pictures from files. All work is done in the browser. */
export interface Pictures {
  /**
   * The picture of the file behind the handle (`createHandle(file)`): upright, at most 768 pixels wide and high,
   * without metadata. If the file is refused, gives the reason instead.
   */
  open(file: Handle): Observable<OpenedPicture | PictureRefusal>
  /** This part of the file's picture, at most 512 pixels wide, without metadata; the reason if the file is refused. */
  crop(file: Handle, crop: Crop): Observable<PreparedPicture | PictureRefusal>
}

/** The receiver of analytics. Without a configured key, nothing is sent. */
export interface Analytics {
  track(event: Track): Observable<void>
}

/**
 * The outcome of a write. `kept`: later panes read the value. `untilClosed`: the value is in memory, until the page
 * closes. `refused`: the earlier value stays, but a driver that exceeded its time limit may still have written the new
 * one.
 */
export type Written = 'kept' | 'untilClosed' | 'refused'

/**
 * A namespace of the browser's storage. Values are plain JSON. Every call gives one value and completes. No call fails:
 * a failure is logged. Unsubscribing drops the answer, but a write that has begun is carried out.
 */
export interface KeyValue {
  /** Null when there is no value; undefined when the value cannot be read. */
  get(key: string): Observable<unknown>
  set(key: string, value: unknown): Observable<Written>
  remove(key: string): Observable<void>
  clear(): Observable<void>
  /** The name of the storage driver; `memory` when no other driver works. */
  driver(): Observable<string>
}

export interface Storage {
  /** Values stay as long as the pane's browser session. */
  readonly session: KeyValue
  /** Values stay in this browser. */
  readonly local: KeyValue
  /**
   * The persistent choices, by mailbox. They stay in this browser, and no sign-out clears them. Reading must be quick,
   * because every request and insertion waits for it.
   */
  readonly persistent: KeyValue
  /**
   * The cached defaults, by the lower-case address of the mailbox (`streams/launch/cachedDefault.ts`). They stay in
   * this browser, or in the runtime of classic Outlook.
   */
  readonly kept: KeyValue
  /** Values that all users of this browser share, with at most 32,000 bytes. */
  readonly roaming: KeyValue
  /**
   * One user's settings, with at most 32,000 bytes. A write that would exceed this limit is refused as a whole and
   * logged. Throws 'private roaming storage cant init without an id' when `id` is not a non-empty string.
   */
  privateRoaming(id: string): KeyValue
  /** One user's copies of the service's data. Throws for the same ids as `privateRoaming`. */
  privateCache(id: string): KeyValue
  /** One user's edits that the service does not have. Throws for the same ids as `privateRoaming`. */
  privateDrafts(id: string): KeyValue
}

/** Loads the screen's texts of one language, as soon as the screen is due. Fails when the texts cannot be loaded. */
export interface Locales {
  /** The language for users whose own language Signet lacks. */
  readonly fallback: Language
  load(language: Language): Observable<void>
}

/** The screen: React, the views and their English texts, in a chunk of their own. */
export interface ScreenLoader {
  /** When the pane was opened, in milliseconds since the epoch. */
  readonly openedAt: number
  /** Loads the screen's code, and then draws the screen. Fails with `network` when the code cannot be loaded. */
  load(): Observable<void>
}

/** Loads the code of a page. Fails when the code cannot be loaded; a later call tries again. */
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
  /** Emits when the network is lost, at once where it is lost already. Ends with the pane. */
  readonly lost$: Observable<unknown>
  /** Emits when the network is back. Ends with the pane. */
  readonly back$: Observable<unknown>
}

/** The clipboard of the user. A write fails when the browser refuses it. */
export interface Clipboard {
  /** `html` is null where there is only text. */
  write(content: Readonly<{ html: string | null; text: string }>): Observable<void>
}

/** The downloads of the user. */
export interface Downloads {
  /** Saves this pane's log, without personal data, as a file. Fails with `network` when its code cannot be loaded. */
  saveLog(): Observable<void>
}

/** The log for developers. It has no personal data and no tokens. */
export interface Log {
  /** An expected value that explains other lines. */
  debug(action: string, detail?: Readonly<Record<string, string | number | boolean | null>>): void
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
  /** Loads the sanitiser. After the first call, this is quick. */
  sanitizer: () => Observable<Sanitize>
  /** What telemetry reports about this pane. */
  platform: Platform
  /** A notice's text in the current language, once the screen is loaded; no text when the screen cannot be loaded. */
  noticeText: (notice: Notice) => Observable<string>
  /** Identifies this runtime among those that work on the same message. No later runtime has the same id. */
  runtimeId: string
  time: Time
  log: Log
}>
