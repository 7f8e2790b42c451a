import type { Content, SignatureImage } from '../html/content.ts'
import { readRaster } from '../html/raster.ts'
import type { Slot, Slotted, Guard } from '../html/slots.ts'
import {
  anything,
  flag,
  list,
  map,
  named,
  nullable,
  number,
  object,
  optional,
  orNull,
  type OutOf,
  placeIn,
  record,
  type Schema,
  text,
} from '../kernel/schema.ts'

// The calls of the add-in for signatures, also of launch events (specification, section 7).

export type AddinCall<Answer> = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  answer: Schema<Answer>
}>

export const call = <const Method extends string, const Path extends string, Answer extends Schema<unknown>>(
  method: Method,
  path: Path,
  answer: Answer,
) => ({ method, path, answer })

/** An object with these fields in `data`. */
export const inData = <F extends Readonly<Record<string, Schema<unknown>>>>(fields: F) =>
  object({ data: object(fields) })

export const token = { token: named('access_token', text) }
/** The codes of the variants for replies and forwards, and for meetings. */
export const REPLY = 'reply'
export const MEETING = 'meeting'

/** A picture. An id of another type counts as none. */
export const image = map(
  object({ id: optional(orNull(text)), url: text, name: text, content: text, status: number }),
  ({ id, ...rest }): SignatureImage => (typeof id === 'string' ? { id, ...rest } : rest),
)

/** An invalid picture loses its content. The signature then shows the picture by its address. */
const images = map(list(orNull(image)), (all): readonly SignatureImage[] =>
  all.flatMap((each) =>
    each === null ? [] : [{ ...each, content: readRaster(each.content) === null ? '' : each.content }],
  ),
)

const html = named('signature', text)
const embedded = named('base64_embedded_images', images)

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
    }),
  ),
})
const sentGuard = object({ signature: optional(list(list(text)), []), blocks: optional(list(text), []) })
/** Absent when nothing is looked for. */
export const storedGuard = optional(map(orNull(sentGuard), (guard) => guard ?? undefined))
const MAX_GUARD = 400

/** The slots of an html. A service without blocks sends none, and neither does one for a signature without slots. */
export const storedSlots = optional(list(slot))
/** Damaged slots cost only the blocks. */
const slots = named('blocks', optional(orNull(list(slot))))

/** The html with its slots; without them if one is damaged, or is not a place of the html. */
function slotted<Read extends Readonly<{ html: string; slots?: readonly Slot[] | null }>>({
  slots: all,
  ...others
}: Read): Omit<Read, 'slots'> & Slotted {
  let from = 0
  const arePlaces = all?.every(({ start, end }) => {
    const isPlace = Number.isInteger(start) && start >= from && Number.isInteger(end) && end >= start
    from = end
    return isPlace
  })
  return all && arePlaces && from <= others.html.length ? { ...others, slots: all } : others
}

/** One signature of a list. */
const listedSignature = map(
  object({
    name: text,
    /** The address of the signature's owner; null for the user's own signature. */
    email: optional(text, null),
    html,
    slots,
    combinedIds: named('combined_ids', text),
    images: embedded,
    /** The recipient domains of the signature. `!` before a domain: at least one recipient is outside of the domain. */
    audiences: optional(list(text), []),
    order: optional(number, 0),
    collection: optional(text, 'main'),
    variants: optional(list(map(object({ code: text, html, slots }), slotted)), []),
  }),
  slotted,
)
export type ListedSignature = OutOf<typeof listedSignature>

/** `page` counts from 1; `total` counts the objects of all pages. */
const signaturePage = object({ objects: list(listedSignature), total: number, page: number })
export type SignaturePage = OutOf<typeof signaturePage>

/** The two names of a signature: `name` for the user, `combinedIds` for the service. */
export type Named = Readonly<{ name: string; combinedIds: string }>

/** For replies and forwards. `of` is this html's signature, not always that of new messages; null when unknown. */
export type ReplyVersion = Slotted & Readonly<{ of: Named | null }>

/** The version of a signature for meetings. */
export type MeetingVersion = Named & Slotted

/**
 * A signature with its images' contents, ready to be inserted. `reply` is null without a reply version. `meeting` is the
 * default for meetings, as a rule of another signature; absent when there is none. `guard` is what is looked for before
 * a message of the user leaves, whatever its signature.
 */
export type CachedSignature = Content &
  Slotted &
  Named &
  Readonly<{
    userId: string
    reply: ReplyVersion | null
    meeting?: MeetingVersion
    guard?: Guard
  }>

const cachedSignature = map(
  object({
    name: text,
    userId: named('user_id', text),
    html,
    slots,
    reply: nullable(text),
    replySlots: named('reply_blocks', optional(orNull(list(slot)))),
    replyName: named('reply_name', optional(text, null)),
    replyIds: named('reply_combined_ids', optional(text, null)),
    meeting: optional(
      orNull(map(object({ name: text, combinedIds: named('combined_ids', text), html, slots }), slotted)),
      null,
    ),
    guard: optional(orNull(sentGuard), null),
    combinedIds: named('combined_ids', text),
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
    ...slotted(signature),
    ...(meeting && { meeting }),
    // A damaged guard costs only itself.
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

/** The chosen signatures by the sender's address. An invalid choice is left out. */
const bySender = map(orNull(record(orNull(text))), (all) => {
  const chosen: Record<string, string> = {}
  for (const [sender, ids] of Object.entries(all ?? {})) if (ids !== null) chosen[sender.toLowerCase()] = ids
  return chosen
})

/** What the user chose besides the default for new messages. */
export const chosenBesides = { reply: optional(nullable(text), null), bySender: optional(bySender, null) }

/** Reads the user's choice from the metadata. Other programs also write into the metadata. */
export const metadataWith = <Chosen>(choice: Schema<Chosen>) => {
  const { read } = optional(nullable(choice), null)
  return map(record(anything), ({ defaultSignature, ...others }, at) => ({
    defaultSignature: read(defaultSignature, placeIn(at, 'defaultSignature')),
    others,
  }))
}

/** The part of the profile that a launch event needs. */
const launchProfile = map(
  object({
    id: text,
    delegations: list(text),
    metadata: optional(nullable(metadataWith(object(chosenBesides))), null),
  }),
  ({ id, delegations, metadata }) => ({ id, delegations, chosen: metadata?.defaultSignature ?? null }),
)

/** A missing or malformed default does not fail the sign-in: the add-in then requests the default. */
export const SIGN_IN = call(
  'POST',
  '/authentication/addin/azure',
  inData({ ...token, signature: optional(orNull(nullable(cachedSignature)), null) }),
)

export const READ_USER_AT_LAUNCH = call('GET', '/api/addin/user', launchProfile)

export const READ_SIGNATURE = call('GET', '/signatures-cache/api/v1/signature/addin', cachedSignature)
export const READ_SIGNATURES = call('GET', '/signatures-cache/api/v1/signatures', signaturePage)
export const READ_DELEGATED = call('POST', '/signatures-cache/api/v1/signatures/get/batch', signaturePage)
