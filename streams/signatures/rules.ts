import type { ComposeType, Message } from '../mailbox/events.ts'
import { isReplyOrForward } from '../mailbox/rules.ts'
import type { CachedSignature, Chosen } from './events.ts'
import type { Collection, SignaturesState } from './reducer.ts'

/** Objects on one page of a list (specification, section 9). */
export const PAGE_SIZE = 5

/** The code of the variant that is meant for replies and forwards. */
export const REPLY = 'reply'

/** The number of the page to load next; null when all are there or one is on its way. */
export const nextPage = (collection: Collection): number | null => {
  if (collection.status === 'pending') return null
  if (collection.status === 'idle') return 1
  const next = Math.max(0, ...collection.pages) + 1
  return collection.pages.length === 0 || collection.offset < collection.total ? next : null
}

/** Names a content: equal for equal html, and practically only then (53 bits, base 36). */
export function contentHash(html: string): string {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < html.length; index++) {
    const unit = html.charCodeAt(index)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36)
}

/** The default for a message: its reply version in replies and forwards when there is one (specification, section 4). */
export const defaultFor = (
  signature: CachedSignature,
  { composeType }: Pick<Message, 'composeType'>,
): Readonly<{ html: string; reply: boolean }> =>
  isReplyOrForward(composeType) && signature.reply !== null
    ? { html: signature.reply, reply: true }
    : { html: signature.html, reply: false }

/** The default as it would go into a message; null while there is none. */
export const chosenDefault = (
  { default: { signature } }: SignaturesState,
  composeType: ComposeType | null,
): Chosen | null => {
  if (!signature) return null
  const { html, reply } = defaultFor(signature, { composeType })
  const { name, combinedIds, images } = signature
  return { name, combinedIds, html, images, reason: { origin: 'default', composeType, reply } }
}

/** An entry of the list as it would go into a message; null when it is not there any more. */
export const chosenEntry = (
  { own }: SignaturesState,
  uuid: string,
  composeType: ComposeType | null,
): Chosen | null => {
  const entry = own.entries.find((each) => each.uuid === uuid)
  if (!entry) return null
  const { name, combinedIds, html, images, code } = entry
  const reason = { origin: 'manual', composeType, reply: code === REPLY } as const
  return { name, combinedIds, html, images, reason }
}

/**
 * The content hash of the default that belongs into the message and is not there yet; null when nothing is to be
 * done: a choice was made for this message, there is no default, it is in already, or it was tried already.
 */
export function dueDefault(
  signatures: SignaturesState,
  itemKey: string,
  message: Pick<Message, 'composeType' | 'stopPush'>,
): string | null {
  const { signature } = signatures.default
  if (message.stopPush || signature === null) return null
  if (signatures.inMessage?.reason.origin === 'manual') return null
  const { html } = defaultFor(signature, message)
  if (html === '') return null
  const hash = contentHash(html)
  if (signatures.inMessage?.hash === hash) return null
  const { insertion } = signatures
  if (insertion?.itemKey === itemKey && (insertion.status === 'pending' || insertion.hash === hash))
    return null
  return hash
}
