import type { MessageState } from '../state.ts'
import { assertNever } from '../../kernel/event.ts'
import { REPLY_VERSION } from '../../wire/signatures.ts'
import { fillForMessage } from '../signatures/blocks.ts'
import { MASTER_CODE } from '../signatures/entry.ts'
import { findEntry } from '../signatures/rules.ts'
import type { InsertionReason } from '../signatures/signature.ts'
import type { InsertionTarget } from './events.ts'
import { versionFrom } from '../signatures/copies.ts'
import { senderIn } from '../senders/selectors.ts'
import { chooseDefault, type ChosenContent, type InsertionContext } from './rules.ts'

const nothing = (reason: InsertionReason): ChosenContent => ({
  name: '',
  combinedIds: '',
  html: '',
  images: [],
  reason,
})

/**
 * Returns the content to insert for a target, and the reason; the preview uses the same decision. Null when the entry
 * no longer exists, or when the previous signature is unknown. Launch events insert only defaults.
 */
export function chooseContent(
  state: MessageState,
  target: InsertionTarget,
  into: InsertionContext,
): ChosenContent | null {
  const { composeType } = into
  switch (target.kind) {
    case 'default':
      return chooseDefault(state, into)
    case 'entry': {
      const entry = findEntry(state.signatures, target.entryId)
      if (!entry) return null
      const { name, combinedIds, images, code } = entry
      const { to = [], cc = [], ...read } = state.mailbox.message ?? {}
      return {
        name,
        combinedIds,
        images,
        ...fillForMessage(versionFrom(entry, code, entry, senderIn(state)), { to, cc, ...read, composeType }),
        ...(code !== MASTER_CODE && code !== REPLY_VERSION && { code }),
        reason: { origin: 'manual', composeType, reply: code === REPLY_VERSION },
      }
    }
    case 'none':
      return nothing({ origin: 'manual', composeType, reply: false })
    case 'previous': {
      if (!state.insertion.previous) return null
      const { inMessage, content, by } = state.insertion.previous
      if (inMessage === null) return nothing({ origin: 'putBack', composeType, reply: false })
      const { hash: _, ...signature } = inMessage
      const { reason } = signature
      // When the message returns to having no signature, the reason stays the same.
      if (signature.combinedIds === '') return nothing(reason)
      const { inMessage: now } = state.insertion
      const takesBlocks = by === 'undo' && now?.combinedIds === signature.combinedIds
      return (
        content && {
          ...signature,
          ...content,
          ...(takesBlocks && { undone: now.blocks ?? [] }),
          reason: { ...reason, origin: 'putBack' },
        }
      )
    }
    default:
      return assertNever(target)
  }
}
