import { type Candidate, fillSlotsWith, type Guard, type SlottedHtml, blockAppearsIn } from '../html/slots.ts'
import { type BodyType, distinctPieces, createWordSearch } from '../html/message.ts'
import { sanitizeMarkup } from '../html/sanitizeMarkup.ts'
import { selectDefaultSignature } from '../message/defaults/selectors.ts'
import { chooseDefault } from '../message/insertion/rules.ts'
import { selectKnownSignatures } from '../message/senders/selectors.ts'
import { knownVersions, senderVersions } from '../message/senders/versions.ts'
import { circumstancesOf, type WithUndoneBlocks, type WithBlocks } from '../message/signatures/blocks.ts'
import type { MissingContent } from './events.ts'
import type { LaunchAppState } from './state.ts'

/** The signature and blocks to look for before sending; null while automatic insertion is off, or if there are none. */
export const activeGuardIn = (state: LaunchAppState): Guard | null =>
  state.settings.enableSignaturePush ? (selectDefaultSignature(state)?.guard ?? null) : null

/**
 * Lists the missing signatures and blocks in a message with this body: the due signature if the message has none, and
 * each due block that it lacks. Nothing is missing if the user chose to have no signature, or has just undone the
 * block. Altered content counts as present if a piece of its words remains that no other content from Signet has.
 */
export function missingContentIn(
  state: LaunchAppState,
  read: Readonly<{ body: string; type: BodyType }>,
): readonly MissingContent[] {
  const { message } = state.mailbox
  const { inMessage } = state.insertion
  const guard = activeGuardIn(state)
  if (guard === null || message === null || inMessage?.combinedIds === '') return []
  const due = chooseDefault(state, message)
  if (due === null || due.html === '') return []
  const { name, blocks = [] } = due
  const { blocks: recorded = [], undone = [] }: WithBlocks & WithUndoneBlocks = inMessage ?? {}
  const { signature, senders } = selectKnownSignatures(state)
  const versions = knownVersions(signature, senders.others, []).flatMap(senderVersions)
  const frames = versions.map((version) => fillSlotsWith(version, () => false).html)
  const candidates = candidatesOf(versions)
  const htmlsOf = (some: readonly Candidate[]) => some.map(({ html }) => html)
  const words = createWordSearch(read)
  const has = (html: string) => words.has(html, { content: sanitizeMarkup(html, 'insert'), type: 'html' })

  const wordsOnly =
    inMessage === null &&
    (has(due.html) === true || words.hasPiece(distinctPieces(frames, htmlsOf(candidates))))
  const trace = message.inserted?.trace
  // Compares the words that were inserted, because the kept copy may be newer.
  const isUnaltered = () => inMessage !== null && !!trace && words.hasTraced(trace)
  const missing: MissingContent[] = []
  const circumstances = circumstancesOf(message)
  if (
    inMessage === null &&
    !wordsOnly &&
    guard.signature.some((audiences) => blockAppearsIn({ audiences, replies: true }, circumstances))
  )
    missing.push({ kind: 'signature', name: name || (signature?.name ?? '') })

  for (const block of blocks) {
    if (!guard.blocks.includes(block) || undone.includes(block)) continue
    const known = candidates.filter(({ id }) => id === block)
    const others = candidates.filter(({ id }) => id !== block)
    const found = known.map(({ html }) => has(html))
    // Words are the best evidence. With too few of them, and in plain text, the record decides.
    const isThere =
      (recorded.includes(block) && isUnaltered()) ||
      found.includes(true) ||
      (recorded.includes(block) && read.type === 'text') ||
      ((recorded.includes(block) || wordsOnly) && found.includes(null)) ||
      words.hasPiece(distinctPieces(htmlsOf(known), [...frames, ...htmlsOf(others)]))
    const [first] = known
    if (!isThere && first) missing.push({ kind: 'block', name: first.name, ...(wordsOnly && { wordsOnly }) })
  }
  return missing
}

/** Lists the blocks that these versions may contain, without duplicates. */
const candidatesOf = (versions: readonly SlottedHtml[]): readonly Candidate[] => {
  const all = versions.flatMap(({ slots = [] }) => slots.flatMap((slot) => slot.candidates))
  return [...new Map(all.map((each) => [`${each.id} ${each.html}`, each])).values()]
}
