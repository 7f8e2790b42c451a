import { type Guard, standsIn } from '../html/slots.ts'
import { type BodyType, wordsIn } from '../html/message.ts'
import { sanitizeMarkup } from '../html/sanitizeMarkup.ts'
import { selectDefaultSignature } from '../message/defaults/selectors.ts'
import { chooseDefault } from '../message/insertion/rules.ts'
import { selectKnown } from '../message/senders/selectors.ts'
import { knownVersions } from '../message/senders/versions.ts'
import { circumstancesOf, type Undone, type WithBlocks } from '../message/signatures/blocks.ts'
import type { Missing } from './events.ts'
import type { LaunchAppState } from './state.ts'

/** What is looked for before the message leaves; null for nothing, and while automatic insertion is off. */
export const guardIn = (state: LaunchAppState): Guard | null =>
  state.settings.enableSignaturePush ? (selectDefaultSignature(state)?.guard ?? null) : null

/**
 * What is missing in the message of which this is the body: the due signature, if the message has none, and the due
 * blocks that it does not have. Nothing is missing if the user chose to have no signature, or has just undone the block.
 */
export function missingIn(
  state: LaunchAppState,
  read: Readonly<{ body: string; type: BodyType }>,
): readonly Missing[] {
  const { message } = state.mailbox
  const { inMessage } = state.insertion
  const guard = guardIn(state)
  if (guard === null || message === null || inMessage?.combinedIds === '') return []
  const due = chooseDefault(state, message)
  if (due === null || due.html === '') return []
  const { name, blocks = [] } = due
  const { blocks: recorded = [], undone = [] }: WithBlocks & Undone = inMessage ?? {}
  const hasWords = wordsIn(read)
  const has = (html: string) => hasWords(html, { content: sanitizeMarkup(html, 'insert'), type: 'html' })
  if (inMessage === null && has(due.html) === true) return []

  const missing: Missing[] = []
  const { signature, senders } = selectKnown(state)
  const circumstances = circumstancesOf(message)
  if (
    inMessage === null &&
    guard.signature.some((audiences) => standsIn({ audiences, replies: true }, circumstances))
  )
    missing.push({ kind: 'signature', name: name || (signature?.name ?? '') })

  const candidates = knownVersions(signature, senders.others, []).flatMap(({ slots = [] }) =>
    slots.flatMap((slot) => slot.candidates),
  )
  for (const block of blocks) {
    if (!guard.blocks.includes(block) || undone.includes(block)) continue
    const known = candidates.filter(({ id }) => id === block)
    const found = known.map(({ html }) => has(html))
    // Words tell most. Without enough of them, and in plain text, the record does.
    const isThere =
      found.includes(true) || (recorded.includes(block) && (read.type === 'text' || found.includes(null)))
    const [first] = known
    if (!isThere && first) missing.push({ kind: 'block', name: first.name })
  }
  return missing
}
