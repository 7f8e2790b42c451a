import { type Circumstances, fillSlots, fillSlotsWith, type SlottedHtml } from '../../html/slots.ts'
import type { Message } from '../mailbox/events.ts'
import { isReplyOrForward, recipientAddresses, threadPlaceOf } from '../mailbox/rules.ts'

/** The parts of a message that decide which blocks it gets. */
export type ComposedMessage = Pick<Message, 'composeType' | 'to' | 'cc' | 'readAt' | 'thread' | 'turn'>

export function circumstancesOf(message: ComposedMessage | null): Circumstances {
  if (!message) return { isReply: false, recipients: [] }
  const { composeType, readAt, turn } = message
  const thread = threadPlaceOf(message)
  return {
    isReply: isReplyOrForward(composeType),
    recipients: recipientAddresses(message),
    ...(readAt !== undefined && { at: readAt }),
    ...(thread && { thread }),
    ...(turn !== undefined && { turn }),
  }
}

/** The ids of the blocks in a signature, in the order of its slots; absent when there are none. */
export type WithBlocks = Readonly<{ blocks?: readonly string[] }>

/** The ids of the blocks that the user removed by Undo. They stay out until other blocks fit the recipients. */
export type WithUndoneBlocks = Readonly<{ undone?: readonly string[] }>

/** The html for this message, with the blocks that fit. Without a message, the html for a new message. */
export function fillForMessage(
  slotted: SlottedHtml,
  message: ComposedMessage | null,
): Readonly<{ html: string }> & WithBlocks {
  if (!slotted.slots) return { html: slotted.html }
  const { html, blocks } = fillSlots(slotted, circumstancesOf(message))
  return { html, ...(blocks.length > 0 && { blocks: blocks.map(({ id }) => id) }) }
}

/** The html with these blocks, for any message. */
export const htmlWithBlocks = (slotted: SlottedHtml, { blocks = [] }: WithBlocks): string =>
  fillSlotsWith(slotted, ({ id }) => blocks.includes(id)).html

export const hasSameBlocks = (one: WithBlocks, other: WithBlocks): boolean =>
  (one.blocks ?? []).join() === (other.blocks ?? []).join()
