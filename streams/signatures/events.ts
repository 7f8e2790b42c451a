import { data, defineEvents, type EventOf } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'
import type { Secret } from '../kernel/secret.ts'
import type { ComposeType } from '../mailbox/events.ts'

/** An image that a signature shows. `content` is base64 without a prefix, empty unless `status` is 200. */
export type SignatureImage = Readonly<{ url: string; name: string; content: string; status: number }>

/** The html as the service gave it, and the contents of its images as far as they are known. */
export type Content = Readonly<{ html: string; images: readonly SignatureImage[] }>

/** A signature with its images' contents, ready to be inserted. `reply` is null when it has no reply version. */
export type CachedSignature = Readonly<{
  name: string
  userId: string
  combinedIds: string
  html: string
  reply: string | null
  images: readonly SignatureImage[]
}>

/** One object of a list as the service gives it; `email` is null for the person's own. */
export type ListedSignature = Readonly<{
  name: string
  email: string | null
  combinedIds: string
  html: string
  images: readonly SignatureImage[]
  audiences: readonly string[]
  order: number
  collection: string
  variants: readonly Readonly<{ code: string; html: string }>[]
}>

/** `page` counts from 1; `total` counts the objects of all pages. */
export type SignaturePage = Readonly<{ page: number; total: number; objects: readonly ListedSignature[] }>

/** The person's own signatures, and those of others who delegate to them. */
export type ListName = 'own' | 'delegated'

/**
 * What is asked to go into a message: the person's default, an entry of a list, no signature at all, or what the
 * message had before the last insertion.
 */
export type Target =
  | Readonly<{ kind: 'default' }>
  | Readonly<{ kind: 'entry'; uuid: string }>
  | Readonly<{ kind: 'none' }>
  | Readonly<{ kind: 'former' }>

/** Why this signature stands in the message; the views turn it into a sentence. */
export type Reason = Readonly<{
  origin: 'default' | 'manual'
  composeType: ComposeType | null
  reply: boolean
}>

/** What was decided to go into a message, before the mail client is asked. No signature is the empty html. */
export type Chosen = Content & Readonly<{ name: string; combinedIds: string; reason: Reason }>

/** A signature in a message. `hash` names its content; `combinedIds` is empty for a chosen "no signature". */
export type InMessage = Readonly<{ combinedIds: string; hash: string; name: string; reason: Reason }>

/** An insertion's id is the `seq` of the event that asked for it. */
export type InsertionId = number

/** A default for new messages, or for replies and forwards. */
export type DefaultUse = 'master' | 'reply'

export const Signatures = defineEvents('signatures', {
  /** The default of an earlier pane was found in private storage, from before any answer. */
  snapshotRestored: data<{ signature: CachedSignature }>(),
  cacheRequested: data(),
  cacheLoaded: data<{ signature: CachedSignature }>(),
  cacheFailed: data<{ failure: Failure }>(),

  /** Somebody looks at the end of what is loaded, or tries again. */
  nextPageWanted: data<{ list: ListName }>(),
  pageRequested: data<{ list: ListName; page: number; epoch: number }>(),
  /** `epoch` is that of the request: an answer from before a reset is no answer. */
  pageLoaded: data<{ list: ListName; epoch: number; page: SignaturePage }>(),
  pageFailed: data<{ list: ListName; epoch: number; page: number; failure: Failure }>(),
  /** These lists, and the default, are to be loaded anew from the start. */
  reloadRequested: data<{ lists: readonly ListName[] }>(),
  /** What is shown is to be looked for again; it stays until the answer is there. */
  refreshRequested: data(),
  /** `epoch` is that of the own list when it was asked for; `delegated` is null when nobody shares with the person. */
  refreshed: data<{ epoch: number; own: SignaturePage; delegated: SignaturePage | null }>(),
  refreshFailed: data<{ failure: Failure }>(),
  /** What was kept of the signatures that this person used last, by `combinedIds`, latest first. */
  recentRestored: data<{ recent: readonly string[] }>(),

  /** The person chose an entry for the message that is open. */
  chosen: data<{ uuid: string; itemKey: string }>(),
  /** The person chose to have no signature in it. */
  noneChosen: data<{ itemKey: string }>(),
  /** What the message had before the last insertion is to be put back. */
  undoRequested: data<{ itemKey: string }>(),
  /** The default signature belongs into the message that is open. */
  defaultDue: data<{ itemKey: string; hash: string }>(),
  insertionProgressed: data<{ id: InsertionId; imagesDone: number; imagesTotal: number }>(),
  insertionSucceeded: data<{
    id: InsertionId
    itemKey: string
    target: Target
    inMessage: InMessage
    content: Content
  }>(),
  insertionFailed: data<{ id: InsertionId; itemKey: string; target: Target; failure: Failure }>(),
  /** A later choice for the same message took its place before anything was written. */
  insertionSuperseded: data<{ id: InsertionId; target: Target }>(),
  /**
   * The default was not written: the person had removed the signature from this message by hand, or another one
   * stands there that this pane knows nothing of.
   */
  insertionSkipped: data<{ id: InsertionId; itemKey: string }>(),
  /** The outcome was told; the entry is idle again. */
  insertionSettled: data<{ id: InsertionId }>(),

  /** After an insertion the author's words were not what they had been; `former` is the body from before. */
  wordsChanged: data<{ itemKey: string; former: Secret }>(),
  wordsRestoreRequested: data<{ itemKey: string }>(),
  wordsRestored: data<{ itemKey: string }>(),
  wordsRestoreFailed: data<{ itemKey: string; failure: Failure }>(),

  /** The person wants this entry to go in by itself. */
  defaultChangeRequested: data<{ combinedIds: string; use: DefaultUse }>(),
  defaultChanged: data<{ combinedIds: string; use: DefaultUse }>(),
  defaultChangeFailed: data<{ combinedIds: string; use: DefaultUse; failure: Failure }>(),

  /** To be pasted where inserting is impossible. */
  copyRequested: data<{ uuid: string }>(),
  copied: data<{ uuid: string }>(),
  copyFailed: data<{ uuid: string; failure: Failure }>(),
})
export type SignaturesEvent = EventOf<typeof Signatures>
