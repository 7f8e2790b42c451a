import type { SignatureContent, SignatureImage } from '../html/content.ts'
import { readRaster } from '../html/raster.ts'
import type { OpenTime, Slot, SlottedHtml, Guard } from '../html/slots.ts'
import {
  anything,
  flag,
  list,
  mapSchema,
  namedInJson,
  nullable,
  number,
  oneOf,
  object,
  optional,
  orNull,
  type OutOf,
  fieldPath,
  record,
  type Schema,
  text,
} from '../kernel/schema.ts'

// The add-in's calls for signatures, also used in launch events (specification, section 7).

export type AddinCall<Answer> = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  answer: Schema<Answer>
}>

export const addinCall = <
  const Method extends string,
  const Path extends string,
  Answer extends Schema<unknown>,
>(
  method: Method,
  path: Path,
  answer: Answer,
) => ({ method, path, answer })

/** An object with these fields in `data`. */
export const dataObject = <F extends Readonly<Record<string, Schema<unknown>>>>(fields: F) =>
  object({ data: object(fields) })

export const tokenField = { token: namedInJson('access_token', text) }
/** The codes of the version for replies and forwards, and of the version for meetings. */
export const REPLY_VERSION = 'reply'
export const MEETING_VERSION = 'meeting'

/** An image of a signature. Ignores an id that is not a text. */
export const signatureImage = mapSchema(
  object({ id: optional(orNull(text)), url: text, name: text, content: text, status: number }),
  ({ id, ...rest }): SignatureImage => (typeof id === 'string' ? { id, ...rest } : rest),
)

/** Empties the content of an invalid image, so that the signature loads the image from its address. */
const images = mapSchema(list(orNull(signatureImage)), (all): readonly SignatureImage[] =>
  all.flatMap((each) =>
    each === null ? [] : [{ ...each, content: readRaster(each.content) === null ? '' : each.content }],
  ),
)

const html = namedInJson('signature', text)
const embedded = namedInJson('base64_embedded_images', images)

/** The first moment at which a block is open, and the first at which it is closed again. */
const openTime = mapSchema(list(number), (moments): OpenTime => [moments[0] ?? 0, moments[1] ?? 0])

const slot = object({
  name: text,
  start: number,
  end: number,
  candidates: list(
    object({
      id: text,
      name: text,
      html: text,
      audiences: optional(list(text), []),
      replies: optional(flag, true),
      everyone: optional(flag, false),
      closes: optional(nullable(number), null),
      thread: optional(oneOf('first', 'later')),
      open: optional(list(openTime)),
      share: optional(number),
    }),
  ),
})
const sentGuard = object({ signature: optional(list(list(text)), []), blocks: optional(list(text), []) })
/** The checks before sending; absent if there are none. */
export const storedGuard = optional(mapSchema(orNull(sentGuard), (guard) => guard ?? undefined))
const MAX_GUARD = 400

/** The slots in a signature's html. Absent for a signature without slots, and from services without blocks. */
export const storedSlots = optional(list(slot))
/** Damaged slots read as null, so that only the blocks are lost. */
const slots = namedInJson('blocks', optional(orNull(list(slot))))

/** The html with its slots. Omits the slots if one is damaged or outside the html. */
function slotted<Read extends Readonly<{ html: string; slots?: readonly Slot[] | null }>>({
  slots: all,
  ...others
}: Read): Omit<Read, 'slots'> & SlottedHtml {
  let from = 0
  const arePlaces = all?.every(({ start, end }) => {
    const isPlace = Number.isInteger(start) && start >= from && Number.isInteger(end) && end >= start
    from = end
    return isPlace
  })
  return all && arePlaces && from <= others.html.length ? { ...others, slots: all } : others
}

const variants = optional(list(mapSchema(object({ code: text, html, slots }), slotted)), [])

/** A signature's html for mail from another of the user's own addresses: `sender`, in lower case. */
const senderCopy = mapSchema(object({ sender: text, html, slots, variants }), slotted)
export type SenderCopy = OutOf<typeof senderCopy>

/** Damaged copies read as null, so that only the copies are lost. */
const copies = namedInJson('by_sender', optional(orNull(list(senderCopy))))

/** The copies of a signature; absent without any, and from earlier services. */
export const storedCopies = optional(
  list(
    object({
      sender: text,
      html: text,
      slots: storedSlots,
      variants: list(object({ code: text, html: text, slots: storedSlots })),
    }),
  ),
)

/** Leaves damaged copies out. */
const withCopies = <Read extends Readonly<{ copies?: readonly SenderCopy[] | null }>>({
  copies: all,
  ...others
}: Read): Omit<Read, 'copies'> & Readonly<{ copies?: readonly SenderCopy[] }> =>
  all ? { ...others, copies: all } : others

/** The messages that a signature is for, apart from its recipients. An absent limit does not apply. */
export const messageLimits = {
  thread: optional(oneOf('first', 'later')),
  /** The user's own addresses, in lower case, from which the signature is written. */
  senders: optional(list(text)),
}

/** One signature of a list. */
const listedSignature = mapSchema(
  object({
    name: text,
    /** The address of the signature's owner; null if the user is the owner. */
    email: optional(text, null),
    html,
    slots,
    combinedIds: namedInJson('combined_ids', text),
    images: embedded,
    /**
     * The recipient domains of the signature. `!` before a domain: one or more recipients must be outside the domain.
     */
    audiences: optional(list(text), []),
    ...messageLimits,
    order: optional(number, 0),
    collection: optional(text, 'main'),
    variants,
    copies,
  }),
  (read) => withCopies(slotted(read)),
)
export type ListedSignature = OutOf<typeof listedSignature>

/** `page` counts from 1; `total` is the number of objects in all pages. */
const signaturePage = object({ objects: list(listedSignature), total: number, page: number })
export type SignaturePage = OutOf<typeof signaturePage>

/** The two names of a signature: `name` for the user, `combinedIds` for the service. */
export type SignatureNames = Readonly<{ name: string; combinedIds: string }>

/**
 * The version for replies and forwards. `of` is the signature that it belongs to, which may differ from the signature
 * for new messages; null if unknown.
 */
export type ReplyVersion = SlottedHtml & Readonly<{ of: SignatureNames | null }>

/** The version for meetings. */
export type MeetingVersion = SignatureNames & SlottedHtml

/**
 * A signature with its images' contents, ready for insertion. `reply` is null without a reply version. `meeting` is the
 * default for meetings, usually from another signature; absent without one. `guard` has the checks before the user
 * sends a message; they do not depend on the signature. `copies` have all versions for mail from other own addresses.
 */
export type CachedSignature = SignatureContent &
  SlottedHtml &
  SignatureNames &
  Readonly<{
    userId: string
    reply: ReplyVersion | null
    meeting?: MeetingVersion
    guard?: Guard
    copies?: readonly SenderCopy[]
  }>

const cachedSignature = mapSchema(
  object({
    name: text,
    userId: namedInJson('user_id', text),
    html,
    slots,
    reply: nullable(text),
    replySlots: namedInJson('reply_blocks', optional(orNull(list(slot)))),
    replyName: namedInJson('reply_name', optional(text, null)),
    replyIds: namedInJson('reply_combined_ids', optional(text, null)),
    meeting: optional(
      orNull(
        mapSchema(
          object({ name: text, combinedIds: namedInJson('combined_ids', text), html, slots }),
          slotted,
        ),
      ),
      null,
    ),
    guard: optional(orNull(sentGuard), null),
    combinedIds: namedInJson('combined_ids', text),
    copies,
    images: embedded,
  }),
  ({
    reply,
    replySlots,
    replyName: name,
    replyIds: combinedIds,
    meeting,
    guard,
    ...signature
  }): CachedSignature => ({
    ...withCopies(slotted(signature)),
    ...(meeting && { meeting }),
    // A damaged guard is left out; the rest is kept.
    ...(guard && guard.signature.length + guard.blocks.length <= MAX_GUARD && { guard }),
    reply:
      reply === null
        ? null
        : {
            ...slotted({ html: reply, slots: replySlots ?? null }),
            of: name !== null && combinedIds !== null ? { name, combinedIds } : null,
          },
  }),
)

/** The chosen signatures by sender address. Invalid choices are left out. */
const bySender = mapSchema(orNull(record(orNull(text))), (all) => {
  const chosen: Record<string, string> = {}
  for (const [sender, ids] of Object.entries(all ?? {})) if (ids !== null) chosen[sender.toLowerCase()] = ids
  return chosen
})

/** The user's choices besides the default for new messages. */
export const otherChoices = { reply: optional(nullable(text), null), bySender: optional(bySender, null) }

/** Reads the user's choice from the metadata, which also has data of other programs. */
export const metadataSchema = <Chosen>(choice: Schema<Chosen>) => {
  const { read } = optional(nullable(choice), null)
  return mapSchema(record(anything), ({ defaultSignature, ...others }, at) => ({
    defaultSignature: read(defaultSignature, fieldPath(at, 'defaultSignature')),
    others,
  }))
}

/** The part of the profile that launch events need. */
const launchProfile = mapSchema(
  object({
    id: text,
    delegations: list(text),
    metadata: optional(nullable(metadataSchema(object(otherChoices))), null),
  }),
  ({ id, delegations, metadata }) => ({ id, delegations, chosen: metadata?.defaultSignature ?? null }),
)

/** A missing or malformed default does not fail the sign-in, because the add-in then requests the default. */
export const SIGN_IN = addinCall(
  'POST',
  '/authentication/addin/azure',
  dataObject({ ...tokenField, signature: optional(orNull(nullable(cachedSignature)), null) }),
)

export const READ_USER_AT_LAUNCH = addinCall('GET', '/api/addin/user', launchProfile)

export const READ_SIGNATURE = addinCall('GET', '/signatures-cache/api/v1/signature/addin', cachedSignature)
export const READ_SIGNATURES = addinCall('GET', '/signatures-cache/api/v1/signatures', signaturePage)
export const READ_DELEGATED_SIGNATURES = addinCall(
  'POST',
  '/signatures-cache/api/v1/signatures/get/batch',
  signaturePage,
)
