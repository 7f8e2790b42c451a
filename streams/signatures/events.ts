import type { ComposeType } from '../mailbox/events.ts'
import { data, defineEvents, type EventOf } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'

/** An image that a signature shows. `content` is base64 without a prefix, empty unless `status` is 200. */
export type SignatureImage = Readonly<{ url: string; name: string; content: string; status: number }>

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

/** What is asked to go into a message: the person's default, or an entry of a list. */
export type Target = Readonly<{ kind: 'default' }> | Readonly<{ kind: 'entry'; uuid: string }>

/** Why this signature stands in the message; the views turn it into a sentence. */
export type Reason = Readonly<{
  origin: 'default' | 'manual'
  composeType: ComposeType | null
  reply: boolean
}>

/** What was decided to go into a message, before the mail client is asked. */
export type Chosen = Readonly<{
  name: string
  combinedIds: string
  html: string
  images: readonly SignatureImage[]
  reason: Reason
}>

/** A signature in a message. `hash` names its content. */
export type InMessage = Readonly<{ combinedIds: string; hash: string; name: string; reason: Reason }>

/** An insertion's id is the `seq` of the event that asked for it. */
export type InsertionId = number

export const Signatures = defineEvents('signatures', {
  /** The default of an earlier pane was found in private storage, from before any answer. */
  snapshotRestored: data<{ signature: CachedSignature }>(),
  cacheRequested: data(),
  cacheLoaded: data<{ signature: CachedSignature }>(),
  cacheFailed: data<{ failure: Failure }>(),
  pageRequested: data<{ page: number }>(),
  pageLoaded: data<{ page: SignaturePage }>(),
  pageFailed: data<{ page: number; failure: Failure }>(),

  /** The person chose an entry for the message that is open. */
  chosen: data<{ uuid: string; itemKey: string }>(),
  /** The default signature belongs into the message that is open. */
  defaultDue: data<{ itemKey: string; hash: string }>(),
  insertionProgressed: data<{ id: InsertionId; imagesDone: number; imagesTotal: number }>(),
  insertionSucceeded: data<{ id: InsertionId; itemKey: string; target: Target; inMessage: InMessage }>(),
  /** `left` tells what the message shows now. */
  insertionFailed: data<{ id: InsertionId; itemKey: string; target: Target; failure: Failure }>(),
  /** A later choice for the same message took its place before anything was written. */
  insertionSuperseded: data<{ id: InsertionId; target: Target }>(),
  /** The outcome was told; the entry is idle again. */
  insertionSettled: data<{ id: InsertionId }>(),
})
export type SignaturesEvent = EventOf<typeof Signatures>
