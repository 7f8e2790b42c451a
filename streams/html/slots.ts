/**
 * Slots are places in a signature's html that each show one of several blocks, or none. The service decides which
 * blocks a person has at a given time. The recipients and the kind of message select one of them, by the same rule in
 * every program.
 */

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

/**
 * The properties of a message that select its blocks. `domains` are the recipients' domains, `at` is in milliseconds
 * since 1970. Without `at`, no period has ended.
 */
export type Circumstances = Readonly<{ isReply: boolean; domains: readonly string[]; at?: number }>

/** The strictest circumstances: a block that fits them fits all messages. */
export const STRICTEST_CIRCUMSTANCES: Circumstances = { isReply: true, domains: [] }

/**
 * Whether the audiences include recipients in these domains. If there are audiences without a `!`, every recipient must
 * be in one of them. If there are audiences with a `!`, one or more recipients must be outside all of them. True
 * without audiences, and without recipients.
 */
export function fitsAudience(
  { audiences }: Readonly<{ audiences: readonly string[] }>,
  domains: readonly string[],
): boolean {
  const meant = audiences.map((audience) => audience.toLowerCase())
  const outside = meant.filter((audience) => audience.startsWith('!'))
  return (
    domains.length === 0 ||
    ((outside.length === meant.length || domains.every((domain) => meant.includes(domain))) &&
      (outside.length === 0 || domains.some((domain) => !outside.includes(`!${domain}`))))
  )
}

/**
 * Whether a block with these conditions appears in a message. A block for certain recipients appears only once there is
 * a recipient.
 */
export const blockAppearsIn = (
  {
    audiences,
    replies,
    closes = null,
  }: Pick<Candidate, 'audiences' | 'replies'> & Partial<Pick<Candidate, 'closes'>>,
  { isReply, domains, at = 0 }: Circumstances,
): boolean =>
  (closes === null || closes > at) &&
  (replies || !isReply) &&
  (audiences.length === 0 || (domains.length > 0 && fitsAudience({ audiences }, domains)))

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
