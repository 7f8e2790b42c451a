/** Messages that are supposed where a signature is shown without one: on the administration page and in a preview. */
import type { Circumstances } from '../../html/slots.ts'
import { oneOf, type OutOf } from '../../kernel/schema.ts'
import type { Release } from './release.ts'

/** `internal`: all recipients are inside the organisation. `external`: one is outside. */
export const supposedRecipients = oneOf('internal', 'external')
export type SupposedRecipients = OutOf<typeof supposedRecipients>

export const areSupposed = (recipients: unknown): recipients is SupposedRecipients =>
  recipients === 'internal' || recipients === 'external'

/** The kinds of items of which signatures are shown. */
export type SupposedKind = 'new' | 'reply' | 'meeting'

/** A domain for examples (RFC 6761): no message leaves for it. */
const OUTSIDE = 'outside.invalid'

/**
 * What decides which blocks stand in a message with these recipients.
 *
 * @param recipients null: the message has none yet, as it has none inside of an organisation without domains of its own
 */
export function supposedMessage(
  { document: { internal } }: Pick<Release, 'document'>,
  recipients: SupposedRecipients | null,
  isReply: boolean,
): Circumstances {
  if (recipients === null) return { isReply, domains: [] }
  return { isReply, domains: recipients === 'internal' ? internal.slice(0, 1) : [OUTSIDE] }
}
