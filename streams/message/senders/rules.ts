import type { ComposeType, Message } from '../mailbox/events.ts'
import { isReplyOrForward, recipientAddresses, threadPlaceOf } from '../mailbox/rules.ts'
import { versionFrom } from '../signatures/copies.ts'
import { MASTER_CODE, OWN_OWNER } from '../signatures/entry.ts'
import {
  type CachedSignature,
  type ListedSignature,
  MEETING_VERSION,
  type SignatureNames,
  REPLY_VERSION,
} from '../../wire/signatures.ts'
import { fitsAudience, type SlottedHtml, slottedHtmlOf, type ThreadPlace } from '../../html/slots.ts'
import { fillForMessage, type WithBlocks } from '../signatures/blocks.ts'
import type { SignatureContent } from '../../html/content.ts'
import type { Senders, SenderSignature } from './senders.ts'

/**
 * The reason why a signature is due: the user's choice for this sender, the sender, these recipients, the message's
 * place in its thread, or the default.
 */
export type DueReason = 'choice' | 'sender' | 'audience' | 'thread' | 'default'

/**
 * The due signature of a message, with the blocks that fit. `code` is the same as in `SignatureInMessage`; `sender` is the
 * sender address.
 */
export type DueSignature = SignatureNames &
  SignatureContent &
  WithBlocks &
  Readonly<{ reply: boolean; code?: string; by: DueReason; sender: string }>

/**
 * The data that decide which signature is due: the default, other signatures, and the address of the user's own
 * mailbox.
 */
export type KnownSignatures = Readonly<{ signature: CachedSignature | null; senders: Senders; own: string }>

/** The parts of a message that decide which signature is due. */
export type AddressedMessage = Pick<
  Message,
  'composeType' | 'from' | 'to' | 'cc' | 'readAt' | 'thread' | 'turn'
>

type DueVersion = SignatureNames & SlottedHtml & Readonly<{ reply: boolean; code?: string }>

/**
 * The default for a message. Replies and forwards get the reply version, if there is one (specification, section 4),
 * named after its signature; the name is empty while unknown. Meetings get the version for meetings; null without one.
 */
export function defaultVersionFor(
  { name, combinedIds, html, slots, reply, meeting }: CachedSignature,
  { composeType }: Pick<Message, 'composeType'>,
): DueVersion | null {
  if (composeType === 'meeting') return meeting ? { ...meeting, reply: false, code: MEETING_VERSION } : null
  return isReplyOrForward(composeType) && reply !== null
    ? { ...(reply.of ?? { name: '', combinedIds }), ...slottedHtmlOf(reply), reply: true }
    : { name, combinedIds, ...slottedHtmlOf({ html, slots }), reply: false }
}

/** The version of a signature for a message; null for a meeting without one. */
function versionFor(
  { name, combinedIds, html, slots, reply, replySlots, meeting }: SenderSignature,
  composeType: ComposeType | null,
): DueVersion | null {
  const of = { name, combinedIds }
  if (composeType === 'meeting')
    return meeting ? { ...of, ...meeting, reply: false, code: MEETING_VERSION } : null
  return isReplyOrForward(composeType) && reply !== null
    ? { ...of, ...slottedHtmlOf({ html: reply, slots: replySlots }), reply: true }
    : { ...of, ...slottedHtmlOf({ html, slots }), reply: false }
}

/** The signature with the lowest `order`; among equals, the first in the list. */
const firstByOrder = <Each extends SenderSignature>(all: readonly Each[]): Each | null =>
  all.reduce<Each | null>((first, each) => (first !== null && first.order <= each.order ? first : each), null)

/**
 * The signature that is due in a message, and why. The pane and launch events use the same rule:
 *
 * 1. The user's choice for the sender is due, if that signature is known.
 * 2. Otherwise a signature of the owner is due. The owner is the sender, if the sender's signatures are delegated to
 *    the user; else the user.
 * 3. If the user writes from another own address, the first signature by `order` that names it among its `senders` and
 *    fits the message is due.
 * 4. Otherwise the owner's default is due if it fits the message: its recipients, its place in the thread and its
 *    sender. If it does not, the owner's first signature by `order` that fits is due, or else the default. The reason is
 *    the sender if the default is for other addresses. The default of an owner other than the user is the owner's first
 *    signature for every message, or else the owner's first one.
 *
 * Replies and forwards get the reply version. In a meeting, only signatures with a version for meetings count. Each
 * version is the copy for the sender's address, if the signature has one. Null while no default is known.
 */
export function dueSignatureFor(known: KnownSignatures, message: AddressedMessage): DueSignature | null {
  const found = slottedFor(known, message)
  if (!found) return null
  const { slots: _, ...due } = found
  return { ...due, ...fillForMessage(found, message) }
}

/** The messages that a signature is for. */
type Limits = Pick<SenderSignature, 'audiences' | 'thread' | 'senders'>

const fitsMessage = ({ thread, senders }: Limits, place: ThreadPlace | undefined, sender: string): boolean =>
  (thread === undefined || thread === place) && (senders === undefined || senders.includes(sender))

const isForEveryMessage = ({ audiences, thread, senders }: Limits): boolean =>
  audiences.length === 0 && thread === undefined && senders === undefined

type SlottedDue = Omit<DueSignature, 'blocks'> & SlottedHtml

function slottedFor(
  { signature, senders, own }: KnownSignatures,
  message: AddressedMessage,
): SlottedDue | null {
  const { composeType, from } = message
  const sender = from?.address || own
  const address = sender.toLowerCase()
  const recipients = recipientAddresses(message)
  const thread = threadPlaceOf(message)
  const isOwnAlias = address !== own.toLowerCase()
  const fits = (limits: Limits) => fitsAudience(limits, recipients) && fitsMessage(limits, thread, address)
  const asSent = (version: DueVersion, of: Parameters<typeof versionFrom>[2]) =>
    versionFrom(version, version.code ?? (version.reply ? REPLY_VERSION : MASTER_CODE), of, address)
  const others = senders.others.flatMap((other) => {
    const version = versionFor(other, composeType)
    return version ? [{ ...other, version: asSent(version, other) }] : []
  })
  const due = ({ version, images }: (typeof others)[number], by: DueReason): SlottedDue => ({
    ...version,
    images,
    by,
    sender,
  })
  const version = signature && defaultVersionFor(signature, message)
  const standard = version && { ...asSent(version, signature), images: signature.images, sender }

  const chosen = senders.bySender[address]
  const choice = others.find(({ combinedIds }) => combinedIds === chosen)
  if (choice) return due(choice, 'choice')
  const isStandard = chosen === (composeType === 'meeting' ? standard : signature)?.combinedIds
  if (standard && chosen && isStandard) return { ...standard, by: 'choice' }

  const theirs = others.filter(
    ({ owner }) => owner.toLowerCase() === address && address !== own.toLowerCase(),
  )
  const theirDefault = firstByOrder(theirs.filter(isForEveryMessage)) ?? firstByOrder(theirs)
  if (theirDefault) {
    if (fits(theirDefault)) return due(theirDefault, 'sender')
    return due(firstByOrder(theirs.filter(fits)) ?? theirDefault, 'sender')
  }

  const fitting = others.filter((each) => each.owner === OWN_OWNER && fits(each))
  const naming = isOwnAlias ? fitting.filter((each) => each.senders !== undefined) : []
  const byAddress = firstByOrder(naming)
  if (byAddress) return due(byAddress, 'sender')

  if (!standard) return null
  const { combinedIds: ids } = standard
  const { senders: addresses, ...limits } = senders.limits?.[ids] ?? {}
  // The service chose the default for the mailbox's own address, which the directory may write otherwise.
  const isFrom = isOwnAlias && addresses && { senders: addresses }
  const limitsBesideThread = { audiences: senders.audiences[ids] ?? [], ...isFrom }
  if (fits({ ...limitsBesideThread, ...limits })) return { ...standard, by: 'default' }
  const instead = firstByOrder(fitting.filter(({ combinedIds }) => combinedIds !== ids))
  if (!instead) return { ...standard, by: 'default' }
  if (isFrom && !addresses.includes(address)) return due(instead, 'sender')
  return due(instead, fits(limitsBesideThread) ? 'thread' : 'audience')
}

/** The ids of the default and of the signatures behind its reply and meeting versions. */
export const idsOfDefaults = (signature: CachedSignature | null): readonly string[] =>
  [signature, signature?.reply?.of, signature?.meeting].flatMap((each) => (each ? [each.combinedIds] : []))

/** Whether the audiences of these defaults are known. */
export const areAudiencesKnown = (
  { audiences }: Pick<Senders, 'audiences'>,
  defaults: readonly string[],
): boolean => defaults.every((ids) => Object.hasOwn(audiences, ids))

/** Only the limits, without absent ones. */
const limitsOf = ({
  thread,
  senders,
}: Readonly<{ thread?: ThreadPlace | undefined; senders?: readonly string[] | undefined }>) => ({
  ...(thread && { thread }),
  ...(senders && { senders }),
})

export const hasSlots = ({ slots, variants }: ListedSignature): boolean =>
  [slots, ...variants.map((variant) => variant.slots)].some((all) => all !== undefined)

/**
 * The signatures that may be due instead of the default: other users' signatures, and the user's choices for senders.
 * If one of the `defaults` is not for everyone, all of the user's own signatures are added. Otherwise only the user's
 * own signatures with slots are added: they are not due, but if the user chooses one, its blocks follow the recipients.
 */
export function toSenders(
  objects: readonly ListedSignature[],
  { defaults, bySender, at }: Pick<Senders, 'bySender' | 'at'> & Readonly<{ defaults: readonly string[] }>,
): Senders {
  const objectOf = (ids: string) => objects.find(({ combinedIds }) => combinedIds === ids)
  const audiencesOf = (ids: string) => objectOf(ids)?.audiences ?? []
  const limits = Object.fromEntries(
    defaults.flatMap((ids) => {
      const limited = limitsOf(objectOf(ids) ?? {})
      return Object.keys(limited).length === 0 ? [] : [[ids, limited] as const]
    }),
  )
  const isLimited = Object.keys(limits).length > 0
  const needsOwn = isLimited || defaults.some((ids) => audiencesOf(ids).length > 0)
  const chosen = new Set(Object.values(bySender))
  return {
    at,
    bySender,
    audiences: Object.fromEntries(defaults.map((ids) => [ids, audiencesOf(ids)])),
    ...(isLimited && { limits }),
    others: objects
      .filter(
        (each) =>
          each.email !== null ||
          needsOwn ||
          each.senders !== undefined ||
          chosen.has(each.combinedIds) ||
          hasSlots(each),
      )
      .map(({ name, combinedIds, email, order, audiences, html, slots, variants, images, ...more }) => {
        const reply = variants.find(({ code }) => code === REPLY_VERSION)
        const meeting = variants.find(({ code }) => code === MEETING_VERSION)
        return {
          name,
          combinedIds,
          owner: email ?? OWN_OWNER,
          order,
          audiences,
          ...limitsOf(more),
          ...(more.copies && { copies: more.copies }),
          ...slottedHtmlOf({ html, slots }),
          images,
          reply: reply?.html ?? null,
          ...(reply?.slots && { replySlots: reply.slots }),
          ...(meeting && { meeting: slottedHtmlOf(meeting) }),
        }
      }),
  }
}
