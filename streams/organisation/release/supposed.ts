/** Sample messages for showing a signature without a real message: on the administration page and in previews. */
import type { Circumstances } from '../../html/slots.ts'
import { oneOf, type OutOf } from '../../kernel/schema.ts'
import type { Release } from './release.ts'

/** `internal`: all recipients are inside the organisation. `external`: one recipient is outside. */
export const sampleRecipients = oneOf('internal', 'external')
export type SampleRecipients = OutOf<typeof sampleRecipients>

export const isSampleRecipients = (recipients: unknown): recipients is SampleRecipients =>
  recipients === 'internal' || recipients === 'external'

/** The kinds of items for which signatures are shown. */
export type SampleKind = 'new' | 'reply' | 'meeting'

/** A reserved domain for examples (RFC 6761), which no message can reach. */
const OUTSIDE = 'outside.invalid'

/**
 * Returns the circumstances that select the blocks in a message to these recipients. A reply is a later message of its
 * thread.
 *
 * @param recipients null for a message without recipients. `internal` gives no recipients if the organisation has none
 */
export function sampleCircumstances(
  { document: { internal } }: Pick<Release, 'document'>,
  recipients: SampleRecipients | null,
  isReply: boolean,
): Circumstances {
  const thread = isReply ? 'later' : 'first'
  // The first message of all, in which all blocks appear that share messages.
  const turn = 0
  if (recipients === null) return { isReply, thread, recipients: [], turn }
  return { isReply, thread, recipients: recipients === 'internal' ? internal.slice(0, 1) : [OUTSIDE], turn }
}
