import { defaultSignatureOf } from '../defaults/selectors.ts'
import type { DefaultsState } from '../defaults/reducer.ts'
import { contentHash } from '../html/hash.ts'
import { assertNever } from '../kernel/event.ts'
import type { ComposeType, Message } from '../mailbox/events.ts'
import { isReplyOrForward } from '../mailbox/rules.ts'
import type { SignaturesState } from '../signatures/reducer.ts'
import { findEntry, REPLY } from '../signatures/rules.ts'
import type { CachedSignature, Content, Named, Reason } from '../signatures/signature.ts'
import type { Target } from './events.ts'
import type { InsertionState } from './reducer.ts'

/** The content of an insertion, before planning. No signature is the empty html. */
export type Chosen = Content & Named & Readonly<{ reason: Reason }>

/**
 * The default for a message: in replies and forwards the reply version, when there is one (specification, section 4),
 * under the name of the signature that it belongs to.
 */
export const defaultFor = (
  { name, combinedIds, html, reply }: CachedSignature,
  { composeType }: Pick<Message, 'composeType'>,
): Named & Readonly<{ html: string; reply: boolean }> =>
  isReplyOrForward(composeType) && reply !== null
    ? { ...(reply.of ?? { name, combinedIds }), html: reply.html, reply: true }
    : { name, combinedIds, html, reply: false }

/** No signature, chosen by the user. */
const nothing = (composeType: ComposeType | null): Chosen => ({
  name: '',
  combinedIds: '',
  html: '',
  images: [],
  reason: { origin: 'manual', composeType, reply: false },
})

/**
 * The content of an insertion for a target, and the reason; preview and insertion share this decision. Null when the
 * entry no longer exists, or the previous signature is unknown.
 */
export function choose(
  state: Readonly<{ signatures: SignaturesState; defaults: DefaultsState; insertion: InsertionState }>,
  target: Target,
  { composeType }: Pick<Message, 'composeType'>,
): Chosen | null {
  switch (target.kind) {
    case 'default': {
      const signature = defaultSignatureOf(state.defaults)
      if (!signature) return null
      const { reply, ...chosen } = defaultFor(signature, { composeType })
      return { ...chosen, images: signature.images, reason: { origin: 'default', composeType, reply } }
    }
    case 'entry': {
      const entry = findEntry(state.signatures, target.uuid)
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
      return nothing(composeType)
    case 'previous': {
      if (!state.insertion.previous) return null
      const { inMessage, content } = state.insertion.previous
      if (inMessage === null) return nothing(composeType)
      if (content === null) return null
      const { name, combinedIds, reason } = inMessage
      return { name, combinedIds, ...content, reason: { ...reason, origin: 'manual' } }
    }
    default:
      return assertNever(target)
  }
}

/**
 * The content hash of the default that is due in the message; null when the user chose for this message, when there is
 * no default, or when it was inserted or tried already.
 */
export function dueDefault(
  { inMessage, latest }: InsertionState,
  signature: CachedSignature | null,
  itemKey: string,
  message: Pick<Message, 'composeType' | 'stopPush'>,
): string | null {
  if (message.stopPush || signature === null) return null
  if (inMessage?.reason.origin === 'manual') return null
  const { html } = defaultFor(signature, message)
  if (html === '') return null
  const hash = contentHash(html)
  if (inMessage?.hash === hash) return null
  if (latest?.itemKey === itemKey) {
    if (latest.attempt.status === 'pending' || latest.hash === hash) return null
    // The failure of a choice stays visible: the default does not replace it.
    if (latest.attempt.status === 'fail' && latest.target.kind !== 'default') return null
  }
  return hash
}
