/**
 * Slots are places in a signature's html that each show one of several blocks, or none. The service decides which
 * blocks a person has at a given time. The recipients and the kind of message select one of them, by the same rule in
 * every program.
 */
import { isInSealedList, isSealedList } from './sealedList.ts'

/** A block that may appear in a slot. `html` includes the template's html around the block. */
export type Candidate = Readonly<{
  id: string
  name: string
  html: string
  /** The audiences for `fitsAudience`; empty for all recipients. */
  audiences: readonly string[]
  /** Whether the block also appears in replies and forwards. */
  replies: boolean
  /** Whether the block is for everyone in the organisation. */
  everyone: boolean
  /** The end of the block's period, in milliseconds since 1970; null for a block without a period. */
  closes: number | null
}> &
  MessageLimits

/** Whether a message is the first of its author in a thread, or a later one. */
export type ThreadPlace = 'first' | 'later'

/** When a block is open: from the first moment until just before the second, in milliseconds since 1970. */
export type OpenTime = readonly [from: number, to: number]

/** Further limits to the messages in which a block appears. An absent limit does not apply. */
export type MessageLimits = Readonly<{
  thread?: ThreadPlace
  /** The next times at which the block is open, in order; it is closed at all others. */
  open?: readonly OpenTime[]
  /** The percentage of messages that show the block. It appears in messages whose `turn` is below. */
  share?: number
}>

/**
 * The checks before a message is sent. `signature` has lists of audiences, like `audiences` of a candidate: a message
 * to recipients in one of these lists needs a signature. `blocks` has the ids of blocks that a message must contain if
 * they are due.
 */
export type Guard = Readonly<{ signature: readonly (readonly string[])[]; blocks: readonly string[] }>

/** A place for a block. The first candidate that fits replaces the html between `start` and `end` (UTF-16 units). */
export type Slot = Readonly<{ name: string; start: number; end: number; candidates: readonly Candidate[] }>

/**
 * Html with its slots, in order and without overlaps; `slots` is absent if there are none. The html already in a slot
 * fits all messages.
 */
export type SlottedHtml = Readonly<{ html: string; slots?: readonly Slot[] }>

/** Only the html and its slots, without other properties. */
export const slottedHtmlOf = ({
  html,
  slots,
}: Readonly<{ html: string; slots?: readonly Slot[] | undefined }>): SlottedHtml =>
  slots ? { html, slots } : { html }

/** The html around the slots, in order: before the first, between two, and after the last. */
export function htmlAroundSlots({ html, slots = [] }: SlottedHtml): readonly string[] {
  const ends = [0, ...slots.map(({ end }) => end)]
  return ends.map((from, index) => html.slice(from, slots[index]?.start))
}

/** The properties of a message that select its blocks. */
export type Circumstances = Readonly<{
  isReply: boolean
  /** The recipients' addresses in lower case. A text without `@` is any recipient in that domain. */
  recipients: readonly string[]
  /** In milliseconds since 1970. Without it, no period has ended, and no block with `open` is open. */
  at?: number
  /** Without it, no block with `thread` appears. */
  thread?: ThreadPlace
  /** The message's number from 0 to just below 100, by which blocks share messages. Without it, no such block appears. */
  turn?: number
}>

/** The strictest circumstances: a block that fits them fits all messages. */
export const STRICTEST_CIRCUMSTANCES: Circumstances = { isReply: true, recipients: [] }

/** The domain of a recipient, which is an address or a domain. */
export const domainOf = (recipient: string): string => recipient.slice(recipient.lastIndexOf('@') + 1)

/** Audiences by kind. `known` has domains and addresses in lower case, `outside` domains without their `!`. */
type Audience = Readonly<{
  known: ReadonlySet<string>
  outside: ReadonlySet<string>
  lists: readonly string[]
}>

const read = new WeakMap<readonly string[], Audience>()

function audienceOf(audiences: readonly string[]): Audience {
  const earlier = read.get(audiences)
  if (earlier) return earlier
  const plain = audiences.filter((each) => !isSealedList(each)).map((each) => each.toLowerCase())
  const audience = {
    known: new Set(plain.filter((each) => !each.startsWith('!'))),
    outside: new Set(plain.filter((each) => each.startsWith('!')).map((each) => each.slice(1))),
    lists: audiences.filter(isSealedList),
  }
  read.set(audiences, audience)
  return audience
}

/**
 * Whether the audiences include these recipients. An audience is a domain, an address, or a sealed list of both. If
 * there are audiences without a `!`, every recipient must be in one of them. If there are audiences with a `!`, one or
 * more recipients must be outside all of them. True without audiences, and without recipients.
 */
export function fitsAudience(
  { audiences }: Readonly<{ audiences: readonly string[] }>,
  recipients: readonly string[],
): boolean {
  if (recipients.length === 0) return true
  const { known, outside, lists } = audienceOf(audiences)
  const isMeant = (recipient: string) =>
    [recipient, domainOf(recipient)].some(
      (each) => known.has(each) || lists.some((list) => isInSealedList(list, each)),
    )
  return (
    (known.size + lists.length === 0 || recipients.every(isMeant)) &&
    (outside.size === 0 || recipients.some((recipient) => !outside.has(domainOf(recipient))))
  )
}

const isOpenAt = (open: readonly OpenTime[], at: number): boolean =>
  open.some(([from, to]) => from <= at && at < to)

/**
 * Whether a block with these conditions appears in a message. A block for certain recipients appears only once there is
 * a recipient.
 */
export const blockAppearsIn = (
  {
    audiences,
    replies,
    closes = null,
    thread,
    open,
    share,
  }: Pick<Candidate, 'audiences' | 'replies'> & Partial<Pick<Candidate, 'closes'>> & MessageLimits,
  { isReply, recipients, at = 0, thread: place, turn = 100 }: Circumstances,
): boolean =>
  (closes === null || closes > at) &&
  (replies || !isReply) &&
  (thread === undefined || thread === place) &&
  (open === undefined || isOpenAt(open, at)) &&
  (share === undefined || turn < share) &&
  (audiences.length === 0 || (recipients.length > 0 && fitsAudience({ audiences }, recipients)))

/** Fills each slot with the first candidate that fits. `blocks` lists these candidates in order, except empty ones. */
export const fillSlots = (slotted: SlottedHtml, circumstances: Circumstances) =>
  fillSlotsWith(slotted, (candidate) => blockAppearsIn(candidate, circumstances))

/** Fills each slot with the first chosen candidate. `blocks` lists these candidates in order, except empty ones. */
export function fillSlotsWith(
  { html, slots = [] }: SlottedHtml,
  isChosen: (candidate: Candidate) => boolean,
): Readonly<{ html: string; blocks: readonly Candidate[] }> {
  const blocks: Candidate[] = []
  let filled = ''
  let from = 0
  for (const { start, end, candidates } of slots) {
    const block = candidates.find(isChosen)
    if (block?.html) blocks.push(block)
    filled += html.slice(from, start) + (block?.html ?? '')
    from = end
  }
  return { html: filled + html.slice(from), blocks }
}
