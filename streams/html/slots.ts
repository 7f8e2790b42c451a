/**
 * Slots: places in the html of a signature, in each of which one of several blocks stands, or none. The service decides
 * which blocks a person has at a moment; recipients and the kind of message decide between these, by this rule in every
 * program.
 */

/** A block that may stand in a slot. `html` has what the template puts around the block, too. */
export type Candidate = Readonly<{
  id: string
  name: string
  html: string
  /** As `fitsAudience` reads them; empty for all recipients. */
  audiences: readonly string[]
  /** Whether the block stands in replies and forwards, too. */
  replies: boolean
  /** Whether the block is for all people of the organisation. */
  everyone: boolean
  /** When the block's period ends, in milliseconds since 1970; null for a block without a period. */
  closes: number | null
}>

/**
 * What is looked for before a message leaves: a signature, in messages to recipients whom one of these lists of audiences
 * means (as of a candidate), and blocks by their ids, in messages in which they are due.
 */
export type Guard = Readonly<{ signature: readonly (readonly string[])[]; blocks: readonly string[] }>

/** What is between `start` and `end` (UTF-16 units of the html) makes way for the first candidate that fits. */
export type Slot = Readonly<{ name: string; start: number; end: number; candidates: readonly Candidate[] }>

/**
 * The slots are in the order of the html and do not overlap; an html without slots has none. In each stands what fits
 * all messages.
 */
export type Slotted = Readonly<{ html: string; slots?: readonly Slot[] }>

/** The html with its slots, without whatever else is known. */
export const slottedOf = ({
  html,
  slots,
}: Readonly<{ html: string; slots?: readonly Slot[] | undefined }>): Slotted =>
  slots ? { html, slots } : { html }

/**
 * The parts of a message that decide which block stands in a slot. `domains` are those of the recipients, `at` is in
 * milliseconds since 1970; without it no period has ended.
 */
export type Circumstances = Readonly<{ isReply: boolean; domains: readonly string[]; at?: number }>

/** What fits these circumstances fits all messages. */
export const ALL_MESSAGES: Circumstances = { isReply: true, domains: [] }

/**
 * Whether recipients in these domains are meant. If there are audiences without a `!`, every recipient must be in one
 * of them. If there are audiences with a `!`, at least one recipient must be outside of all of them. Without audiences,
 * or without recipients, all are meant.
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

/** Whether a block with these conditions stands in such a message. A block for certain recipients waits for one. */
export const standsIn = (
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

/** The html with the first candidate of each slot that fits, and those of them that are not empty, in order. */
export const fill = (slotted: Slotted, circumstances: Circumstances) =>
  fillWith(slotted, (candidate) => standsIn(candidate, circumstances))

/** The html with the first candidate of each slot that is chosen, and those of them that are not empty, in order. */
export function fillWith(
  { html, slots = [] }: Slotted,
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
