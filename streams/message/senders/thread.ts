import { createThreadSearch, type ReadBody, type BodyType } from '../../html/message.ts'
import { sanitizeMarkup } from '../../html/sanitizeMarkup.ts'
import { htmlAroundSlots, type ThreadPlace } from '../../html/slots.ts'
import { createSelector } from '../../kernel/selector.ts'
import { threadPlaceOf } from '../mailbox/rules.ts'
import { OWN_OWNER } from '../signatures/entry.ts'
import type { MessageState } from '../state.ts'
import { selectKnownSignatures } from './selectors.ts'
import { senderVersions, knownVersions } from './versions.ts'

/** Whether a known signature or block is only for the first or for the later messages of a thread. */
const selectDependsOnThread = createSelector(
  [selectKnownSignatures],
  ({ signature, senders }): boolean =>
    [...Object.values(senders.limits ?? {}), ...senders.others].some(({ thread }) => thread !== undefined) ||
    knownVersions(signature, senders.others, []).some(({ slots = [] }) =>
      slots.some(({ candidates }) => candidates.some(({ thread }) => thread !== undefined)),
    ),
)

/** A reply or forward whose thread decides what is due in it. `sender` is an address in lower case. */
export type UnreadThread = Readonly<{ itemKey: string; type: BodyType; sender: string }>

/** The open message if its thread must still be read; otherwise null. Nothing is due in the message until then. */
export function unreadThreadIn(state: MessageState): UnreadThread | null {
  const { item, message } = state.mailbox
  if (item?.mode !== 'compose' || !message || threadPlaceOf(message) !== undefined) return null
  if (!selectDependsOnThread(state)) return null
  const sender = message.from?.address || selectKnownSignatures(state).own
  return { itemKey: item.key, type: message.bodyType ?? 'html', sender: sender.toLowerCase() }
}

/**
 * Whether a message with this body is the first or a later one of its sender in the thread. It is a later one if the
 * quoted thread has a signature of the sender: Signet's mark, or the words around the blocks. Colleagues share blocks,
 * so a block alone does not count.
 */
export function threadPlaceIn(
  state: MessageState,
  { sender }: Pick<UnreadThread, 'sender'>,
  read: Pick<ReadBody, 'body' | 'type'>,
): ThreadPlace {
  const { signature, senders, own } = selectKnownSignatures(state)
  const isOf = (owner: string) => sender !== own.toLowerCase() && owner.toLowerCase() === sender
  const theirs = senders.others.filter(({ owner }) => isOf(owner))
  const versions =
    theirs.length > 0
      ? knownVersions(null, theirs, [])
      : knownVersions(
          signature,
          senders.others.filter(({ owner }) => owner === OWN_OWNER),
          [],
        )
  const thread = createThreadSearch(read)
  const isQuoted = versions.some(
    (version) =>
      thread.hasMark(version.combinedIds) ||
      senderVersions(version).some((html) => {
        const pieces = htmlAroundSlots(html)
        return (
          thread.hasInOrder(pieces) ||
          thread.hasInOrder(pieces.map((piece) => sanitizeMarkup(piece, 'insert')))
        )
      }),
  )
  return isQuoted ? 'later' : 'first'
}
