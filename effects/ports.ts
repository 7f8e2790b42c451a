import type { Observable } from 'rxjs'
import type { Session, VerifiedSession } from '../streams/message/auth/events.ts'
import type { Handle } from '../streams/kernel/handle.ts'
import type { Secret } from '../streams/kernel/secret.ts'
import type { Time } from '../streams/kernel/time.ts'
import type { Language } from '../streams/wire/languages.ts'
import type {
  MailAddress,
  ComposeType,
  HostUser,
  MailItem,
  Theme,
} from '../streams/message/mailbox/events.ts'
import type { ReadRecipients } from '../streams/message/mailbox/rules.ts'
import type { BodyType } from '../streams/html/message.ts'
import type {
  VariableDefinition,
  MaintenanceStatus,
  UserMetadata,
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
import type { SubscriptionPlan } from '../streams/pane/subscription/events.ts'
import type { TelemetryPlatform, TelemetryPayload } from '../streams/pane/telemetry/events.ts'
import type { Track } from '../streams/pane/telemetry/track.ts'

// The effects' interfaces to the outside world. Every call returns a cold Observable of one value, and unsubscribing
// cancels the call. A property with `$` in its name emits repeatedly. Failures are `Failed` (kernel/failure.ts).

export type Attachment = Readonly<{
  id: string
  name: string
  /** The size in bytes. */
  size: number
  isInline: boolean
  contentId: string | null
}>

/**
 * The mail client. If it fails, a read returns null or an empty result, and the failure is logged (specification,
 * section 8). A write fails with `host`, `hostSilent` or `itemGone`. Just before each write, the adapter checks that
 * the named item is open, so that it never writes to another item.
 */
export interface MessageHost {
  readonly name: 'simulated' | 'outlook' | 'standalone'
  /** The mail client's display language as a BCP 47 tag. */
  readonly displayLanguage: string
  /** The mail client's facts about itself. */
  readonly about: Omit<HostFacts, 'name' | 'clientSignature'>
  /** The open item, now and at each change; null if none is open. Ends with the pane. */
  readonly item$: Observable<MailItem | null>
  user(): Observable<HostUser | null>

  composeType(itemKey: string): Observable<ComposeType | null>
  /** Whether a meeting was saved. Also true if the client does not report it. */
  isSaved(itemKey: string): Observable<boolean>
  bodyType(itemKey: string): Observable<BodyType | null>
  from(itemKey: string): Observable<MailAddress | null>
  /**
   * The To and Cc recipients; in a meeting, the required and optional attendees. Null if the client does not report
   * them.
   */
  recipients(itemKey: string): Observable<ReadRecipients>
  /** The whole body as HTML, or as text. */
  body(itemKey: string, type: BodyType): Observable<string | null>
  attachments(itemKey: string): Observable<readonly Attachment[] | null>
  /** Whether the client adds its own signature for the sending account; null if unknown, as before Mailbox 1.10. */
  clientSignature(itemKey: string): Observable<boolean | null>
  /** Properties in the message itself, as plain JSON. Some clients copy them into a forward. */
  customProperties(itemKey: string): Observable<Readonly<Record<string, unknown>>>
  /** A value that exists while the item is open. All panes of the item share it. */
  sessionData(itemKey: string, name: string): Observable<string | null>
  /** All session data by name; null if it cannot be read. */
  allSessionData(itemKey: string): Observable<Readonly<Record<string, string>> | null>

  /** Replaces the whole body. Call this only at the user's request, because clients rewrite the body's images. */
  setBody(itemKey: string, content: string, type: BodyType): Observable<void>
  /**
   * Switches off the mail client's own signature for the sending account, in new messages, replies and forwards. A
   * signature that the client already inserted stays until `setSignature` replaces it. Needs Mailbox 1.10.
   */
  disableClientSignature(itemKey: string): Observable<void>
  /** Sets the item's signature, replacing the previous signature. `content` has at most 30,000 characters. */
  setSignature(itemKey: string, content: string, type: BodyType): Observable<void>
  /** Attaches an inline image, which the body shows as `cid:` + name. Returns the attachment's id. */
  addInlineImage(itemKey: string, base64: string, name: string): Observable<string>
  removeAttachment(itemKey: string, id: string): Observable<void>
  /** Replaces this add-in's custom properties. */
  saveCustomProperties(itemKey: string, properties: Readonly<Record<string, unknown>>): Observable<void>
  setSessionData(itemKey: string, name: string, value: string): Observable<void>

  /** Signet's data in the mailbox, as plain JSON. The mail client read it at the start, so it may be outdated. */
  readonly roaming: Readonly<Record<string, unknown>>
  /**
   * Shows a launch event's notice, with the key `lsi_launch_notice`. If the client supports buttons, the notice has one
   * that opens the pane. Cuts the notice's text to 150 characters and the button's text to 30. A failure is only
   * logged.
   */
  showLaunchNotice(itemKey: string, notice: Readonly<{ text: string; button: string }>): Observable<void>
  /** Removes a launch event's notice. A failure is only logged. */
  dismissLaunchNotice(itemKey: string): Observable<void>
}

/** The mail client, with the calls that only the pane needs. */
export interface MailHost extends MessageHost {
  /** Emits when To or Cc of the open item changes. Ends with the pane. */
  readonly recipientsChanged$: Observable<void>
  /** The mail client's brightness, now and at each change; null if not reported. Ends with the pane. */
  readonly theme$: Observable<Theme | null>
  /** Stores plain JSON in the mailbox, for every device of the user. Fails with `host` or `hostSilent`. */
  saveRoaming(name: string, value: unknown): Observable<void>

  /** Shows an informational, non-persistent notice (`messageKey`), cut to 150 characters. A failure is only logged. */
  showNotice(itemKey: string, text: string): Observable<void>
  /** Removes the notice with the key `lsi_notification_message`. A failure is only logged. */
  dismissNotice(itemKey: string): Observable<void>
}

/**
 * `allowConsentPrompt`: the mail client may ask the user for consent. `silent` (default false): no window may open,
 * because the user did not click. `loginHint`: the open mailbox's address, if known. `refused`: methods of this sign-in
 * whose accounts the service refused; they are not tried again.
 */
export type TokenOptions = Readonly<{
  allowConsentPrompt: boolean
  silent?: boolean
  loginHint?: string
  refused?: readonly string[]
}>

/** The user's identity from the mail client. */
export interface Identity {
  /** An access token for the service. Fails with `auth` or `hostSilent`, or with `host_13000` if no method is left. */
  accessToken(options: TokenOptions): Observable<Secret>
  /** Clears the stored sign-in, and signs out at the identity provider if possible. A failure is logged. */
  signOut(): Observable<void>
  /** The sign-in method of the last token, such as `nested`; null before the first token. */
  method(): string | null
  /** The last token's account, as named by the identity provider; null if unknown. */
  account(): string | null
}

/** Other panes that are open in the same browser. */
export interface OtherPanes {
  /** The `userId` of a user who signs out in another pane. Ends with the pane. */
  readonly signedOut$: Observable<string>
  tellSignedOut(userId: string): Observable<void>
}

/** A change to the user's own data. The metadata is sent as a whole. */
export type PersonDataChange = Readonly<{ values: VariableValues; metadata?: UserMetadata }>

/** The signature service (specification, section 7). A call fails with `network`, `timeout`, `http` or `malformed`. */
export interface Api {
  verify(credentials: Readonly<{ accessToken: Secret; email: string }>): Observable<VerifiedSession>
  /** Renews the signed-in user's session. */
  renew(): Observable<Session>
  user(): Observable<UserProfile>
  /** The states from the same response as `user`. Concurrent calls share one request. */
  variableStates(): Observable<VariableStates>
  /** The address of the user's picture; null if there is none. */
  photo(): Observable<string | null>
  /** `base64` has no data-URL prefix. Returns the saved picture's address. */
  savePhoto(base64: string): Observable<string>
  deletePhoto(): Observable<void>
  /** The signature with these ids, or the default signature. Always includes the image contents. */
  signature(query: Readonly<{ combinedIds?: string }>): Observable<CachedSignature>
  /**
   * One page of the user's own signatures, counted from 1. `perPage` overrides the usual number of objects per page; a
   * service may send fewer. `combinedIds` returns only the signature with these ids.
   */
  signatures(
    query: Readonly<{ page: number; withImages: boolean; perPage?: number; combinedIds?: string }>,
  ): Observable<SignaturePage>
  /** One page of the signatures that other users share, counted from 1. */
  delegatedSignatures(
    query: Readonly<{ userIds: readonly string[]; page: number; withImages: boolean; perPage?: number }>,
  ): Observable<SignaturePage>
  saveDefaultSignature(combinedIds: string): Observable<void>
  variableDefinitions(): Observable<readonly VariableDefinition[]>
  variableValues(): Observable<VariableValues>
  /**
   * Saves variables and, if given, the user's whole metadata. `base` is this pane's previous version of both. If a
   * value equals its base, a service that supports bases keeps other clients' changes to it.
   */
  saveVariables(
    change: PersonDataChange & Readonly<{ resetFields: readonly string[]; base: PersonDataChange }>,
  ): Observable<SavedVariables>
  subscription(): Observable<SubscriptionPlan>
  maintenance(): Observable<MaintenanceStatus>
  /** The response's status, and the service's time in milliseconds since the epoch; null without a time. */
  probe(): Observable<Readonly<{ status: number; date: number | null }>>
  configuration(): Observable<AddinConfiguration>
  sendTelemetry(payload: TelemetryPayload): Observable<void>
}

/** Makes pictures from files, entirely in the browser. */
export interface Pictures {
  /**
   * The picture behind a file handle (`createHandle(file)`): upright, at most 768 pixels wide and high, without
   * metadata. If the file is refused, returns the reason.
   */
  open(file: Handle): Observable<OpenedPicture | PictureRefusal>
  /** The cropped picture, at most 512 pixels wide, without metadata. If the file is refused, returns the reason. */
  crop(file: Handle, crop: Crop): Observable<PreparedPicture | PictureRefusal>
}

/** The receiver of analytics. Without a configured key, nothing is sent. */
export interface Analytics {
  track(event: Track): Observable<void>
}

/**
 * The outcome of a write. `kept`: later panes can read the value. `untilClosed`: the value is in memory until the page
 * closes. `refused`: the earlier value stays, but after a timeout the driver may still write the new value.
 */
export type WriteOutcome = 'kept' | 'untilClosed' | 'refused'

/**
 * A namespace in the browser's storage. Values are plain JSON. Every call emits one value and completes. No call fails:
 * a failure is logged. Unsubscribing drops the result, but a write that has begun still finishes.
 */
export interface KeyValueStore {
  /** Null if there is no value; undefined if the value cannot be read. */
  get(key: string): Observable<unknown>
  set(key: string, value: unknown): Observable<WriteOutcome>
  remove(key: string): Observable<void>
  clear(): Observable<void>
  /** The name of the storage driver; `memory` if no other driver works. */
  driver(): Observable<string>
}

export interface Storage {
  /** Values last as long as the pane's browser session. */
  readonly session: KeyValueStore
  /** Values remain in this browser. */
  readonly local: KeyValueStore
  /**
   * The persistent choices, by mailbox. They remain in this browser, even after a sign-out. Reading must be quick,
   * because every request and insertion waits for it.
   */
  readonly persistent: KeyValueStore
  /**
   * The cached defaults, by the mailbox's address in lower case (`streams/launch/cachedDefault.ts`). They remain in
   * this browser, or in classic Outlook's runtime.
   */
  readonly kept: KeyValueStore
  /** Values that all users of this browser share, up to 32,000 bytes. */
  readonly roaming: KeyValueStore
  /**
   * One user's settings, up to 32,000 bytes. A write beyond this limit is logged and refused completely. Throws
   * 'private roaming storage cant init without an id' if `id` is not a non-empty string.
   */
  privateRoaming(id: string): KeyValueStore
  /** One user's copies of the service's data. Throws for the same ids as `privateRoaming`. */
  privateCache(id: string): KeyValueStore
  /** One user's edits that the service does not have yet. Throws for the same ids as `privateRoaming`. */
  privateDrafts(id: string): KeyValueStore
}

/** Loads the screen's texts in one language. Waits until the screen may load. Fails if the texts cannot be loaded. */
export interface Locales {
  /** The language for users whose own language is not available. */
  readonly fallback: Language
  load(language: Language): Observable<void>
}

/** The screen: React, the views and their English texts, in a separate chunk. */
export interface ScreenLoader {
  /** When the pane was opened, in milliseconds since the epoch. */
  readonly openedAt: number
  /** Loads the screen's code, then draws the screen. Fails with `network` if the code cannot be loaded. */
  load(): Observable<void>
}

/** Loads a page's code. If that fails, a later call tries again. */
export interface ChunkLoader {
  load(page: PageName): Observable<void>
}

/** The pane's address: its hash path, such as `/app/signatures/main`. */
export interface PaneAddress {
  readonly path$: Observable<string>
  go(path: string): void
}

/** The network, as the browser reports it. */
export interface Connection {
  /** Emits when the network is lost, or at once if it is already lost. Ends with the pane. */
  readonly lost$: Observable<unknown>
  /** Emits when the network is restored. Ends with the pane. */
  readonly back$: Observable<unknown>
}

/** The user's clipboard. A write fails if the browser refuses it. */
export interface Clipboard {
  /** `html` is null if there is only text. */
  write(content: Readonly<{ html: string | null; text: string }>): Observable<void>
}

/** The user's downloads. */
export interface Downloads {
  /** Downloads this pane's log without personal data. Fails with `network` if its code cannot be loaded. */
  saveLog(): Observable<void>
}

/** The log for developers. It has no personal data and no tokens. */
export interface Log {
  /** Logs a value that is no problem but explains other log lines. */
  debug(action: string, detail?: Readonly<Record<string, string | number | boolean | null>>): void
  warn(action: string, detail?: Readonly<Record<string, string | number | boolean | null>>): void
  error(action: string, detail?: Readonly<Record<string, string | number | boolean | null>>): void
}

/** The ports for insertions. */
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
  /** Loads the sanitiser. Later calls are fast. */
  sanitizer: () => Observable<Sanitize>
  /** This pane's platform for telemetry. */
  platform: TelemetryPlatform
  /** A notice's text in the current language, once the screen is loaded; no text if the screen cannot be loaded. */
  noticeText: (notice: Notice) => Observable<string>
  /** Identifies this runtime among all runtimes that work on a message. The id is never reused. */
  runtimeId: string
  time: Time
  log: Log
}>
