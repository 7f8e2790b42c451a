import type { MessageState } from '../state.ts'
import { assertNever } from '../../kernel/event.ts'
import { REPLY } from '../../wire/signatures.ts'
import { filledFor } from '../signatures/blocks.ts'
import { MASTER } from '../signatures/entry.ts'
import { findEntry } from '../signatures/rules.ts'
import type { Reason } from '../signatures/signature.ts'
import type { Target } from './events.ts'
import { chooseDefault, type ChosenContent, type Into } from './rules.ts'

const nothing = (reason: Reason): ChosenContent => ({
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
export function chooseContent(state: MessageState, target: Target, into: Into): ChosenContent | null {
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
        ...filledFor(entry, { to, cc, ...read, composeType }),
        ...(code !== MASTER && code !== REPLY && { code }),
        reason: { origin: 'manual', composeType, reply: code === REPLY },
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
