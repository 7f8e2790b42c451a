import type { MessageState } from '../state.ts'
import { selectNamesReply } from '../defaults/selectors.ts'
import { contentHash } from '../../html/hash.ts'
import { assertNever } from '../../kernel/event.ts'
import type { Message } from '../mailbox/events.ts'
import { isReplyOrForward } from '../mailbox/rules.ts'
import { type Due, signatureFor } from '../senders/rules.ts'
import { selectDue, selectKnown } from '../senders/selectors.ts'
import { findEntry } from '../signatures/rules.ts'
import { type Named, REPLY } from '../../wire/signatures.ts'
import type { Reason } from '../signatures/signature.ts'
import type { Content } from '../../html/content.ts'
import type { Target } from './events.ts'
import type { InsertionState } from './reducer.ts'

/** The content of an insertion before it is planned. For no signature, `html` is empty. */
export type Chosen = Content & Named & Readonly<{ reason: Reason }>

const nothing = (reason: Reason): Chosen => ({ name: '', combinedIds: '', html: '', images: [], reason })

/**
 * The content that is inserted for a target, and the reason; the preview uses the same decision. Null when the entry no
 * longer exists, or when the previous signature is unknown.
 */
export function choose(
  state: MessageState,
  target: Target,
  { composeType }: Pick<Message, 'composeType'>,
): Chosen | null {
  switch (target.kind) {
    case 'default': {
      const { from = null, to = [], cc = [] } = state.mailbox.message ?? {}
      const due = signatureFor(selectKnown(state), { composeType, from, to, cc })
      if (!due) return null
      const { name, combinedIds, html, images, reply } = due
      return { name, combinedIds, html, images, reason: { origin: 'default', composeType, reply } }
    }
    case 'entry': {
      const entry = findEntry(state.signatures, target.entryId)
      if (!entry) return null
      const { name, combinedIds, html, images, code } = entry
      return {
        name,
        combinedIds,
        html,
        images,
        reason: { origin: 'manual', composeType, reply: code === REPLY },
      }
    }
    case 'none':
      return nothing({ origin: 'manual', composeType, reply: false })
    case 'previous': {
      if (!state.insertion.previous) return null
      const { inMessage, content } = state.insertion.previous
      if (inMessage === null) return nothing({ origin: 'putBack', composeType, reply: false })
      const { name, combinedIds, reason } = inMessage
      // When the message goes back to having no signature, the reason for that stays as it was.
      if (combinedIds === '') return nothing(reason)
      return content && { name, combinedIds, ...content, reason: { ...reason, origin: 'putBack' } }
    }
    default:
      return assertNever(target)
  }
}

/**
 * The content hash of the signature that goes into the message automatically. Null when the user chose for this message
 * or removed the signature from it, when no signature is due, or when the due signature was inserted or tried already.
 */
export function dueDefault(
  { inMessage, latest }: InsertionState,
  due: Pick<Due, 'html'> | null,
  itemKey: string,
  { stopPush }: Pick<Message, 'stopPush'>,
): string | null {
  if (stopPush || due === null || due.html === '') return null
  if (inMessage && inMessage.reason.origin !== 'default') return null
  const hash = contentHash(due.html)
  if (inMessage?.hash === hash) return null
  if (latest?.itemKey === itemKey) {
    const { attempt, target } = latest
    if (attempt.status === 'pending') return null
    // Nothing is due: the insertion succeeded, but then the user restored the body from before the insertion.
    if (attempt.status === 'success' && inMessage === null) return null
    if (attempt.status === 'fail') {
      // The failure of a choice stays visible: the default does not replace it.
      if (latest.hash === hash || target.kind !== 'default') return null
    }
  }
  return hash
}

/** The default that is to be inserted into the open message automatically now; null when no default is due. */
export function defaultDueIn(state: MessageState): Readonly<{ itemKey: string; hash: string }> | null {
  const { settings, mailbox, insertion } = state
  const { item, message } = mailbox
  // Waits for the settings, because the user may have switched automatic insertion off.
  if (settings.status === 'pending' || !settings.enableSignaturePush) return null
  if (item?.mode !== 'compose' || !message) return null
  // An insertion records the name of its signature, so a reply waits until the name for the reply version is known.
  if (isReplyOrForward(message.composeType) && selectNamesReply(state)) return null
  const hash = dueDefault(insertion, selectDue(state), item.key, message)
  return hash === null ? null : { itemKey: item.key, hash }
}
