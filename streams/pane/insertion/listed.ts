import type { DefaultsState } from '../../message/defaults/state.ts'
import { defaultSignatureOf } from '../../message/defaults/rules.ts'
import { contentHash } from '../../html/hash.ts'
import { createSelector } from '../../kernel/selector.ts'
import type { SendersState } from '../../message/senders/state.ts'
import type { SenderSignature } from '../../message/senders/senders.ts'
import type { SignaturesState } from '../signatures/reducer.ts'
import type { SignatureContent } from '../../html/content.ts'
import { senderVersions, knownVersions } from '../../message/senders/versions.ts'
import { htmlWithBlocks } from '../../message/signatures/blocks.ts'
import type { InsertionState } from '../../message/insertion/automatic.ts'

// Finds, in several slices, the content of a signature that was inserted before the pane opened.

type Listed = Readonly<{
  defaults: DefaultsState
  insertion: InsertionState
  senders: SendersState
  signatures: SignaturesState
}>

const NONE: readonly SenderSignature[] = []

/** The message's signature, found in the default, a sender's signature or a list; null when none of these has it. */
const listedContent = createSelector(
  [
    ({ insertion }: Listed) => insertion.inMessage,
    ({ defaults }: Listed) => defaultSignatureOf(defaults),
    ({ senders }: Listed) => senders.known?.others ?? NONE,
    ({ signatures }: Listed) => signatures.own.entries,
    ({ signatures }: Listed) => signatures.delegated.entries,
  ],
  (inMessage, standard, senders, own, delegated): SignatureContent | null => {
    for (const version of knownVersions(standard, senders, [...own, ...delegated]))
      for (const slotted of senderVersions(version)) {
        const html = htmlWithBlocks(slotted, inMessage ?? {})
        if (contentHash(html) === inMessage?.hash) return { html, images: version.images }
      }
    return null
  },
)

/**
 * Adds the content of a signature that was in the message before the pane opened, once the default, a sender or a list
 * has it. With the content, Undo can restore that signature after the user chose another one.
 */
export function withListedContent<State extends Listed>(state: State): State {
  const { inMessage, content } = state.insertion
  if (content !== null || inMessage === null || inMessage.combinedIds === '') return state
  const listed = listedContent(state)
  return listed ? { ...state, insertion: { ...state.insertion, content: listed } } : state
}
