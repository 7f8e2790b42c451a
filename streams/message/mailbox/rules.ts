import type { ThreadPlace } from '../../html/slots.ts'
import type { MailAddress, ComposeType, InsertedSignature, Message, StopPushFlag, Theme } from './events.ts'

/** Whether the reply version is due; false if the client reported no message type (specification, section 4). */
export const isReplyOrForward = (composeType: ComposeType | null): boolean =>
  composeType === 'reply' || composeType === 'forward'

/** The message's place in its thread: of a new message and a meeting the first; undefined until a thread was read. */
export const threadPlaceOf = ({
  composeType,
  thread,
}: Pick<Message, 'composeType' | 'thread'>): ThreadPlace | undefined =>
  isReplyOrForward(composeType) ? thread : 'first'

type Envelope = Pick<Message, 'from' | 'to' | 'cc'>

/** The recipients in To and Cc; null for a field that the mail client does not report. */
export type ReadRecipients = Readonly<{
  to: readonly MailAddress[] | null
  cc: readonly MailAddress[] | null
}>

/** The sender after a new reading. An unreadable sender is not the user: the sender read before remains. */
export const knownSender = (
  from: MailAddress | null,
  before: Pick<Message, 'from'> | null,
): MailAddress | null => from ?? before?.from ?? null

/** The recipients after a new reading. Unreported fields keep their former value. */
export const knownRecipients = (
  { to, cc }: ReadRecipients,
  before: Pick<Message, 'to' | 'cc'> | null,
): Pick<Message, 'to' | 'cc'> => ({ to: to ?? before?.to ?? [], cc: cc ?? before?.cc ?? [] })

/** Whether both envelopes have the same sender and recipient addresses. */
export const isSameEnvelope = (one: Envelope, other: Envelope): boolean =>
  [one, other]
    .map(({ from, to, cc }) => JSON.stringify([from, ...to, null, ...cc].map((each) => each?.address)))
    .every((addresses, _, [first]) => addresses === first)

/**
 * The addresses of all recipients in To and Cc, in lower case and without duplicates, in the order of the recipients.
 * Leaves out recipients without a domain.
 */
export const recipientAddresses = ({ to, cc }: Pick<Message, 'to' | 'cc'>): readonly string[] => [
  ...new Set(
    [...to, ...cc].flatMap(({ address }) => {
      const known = address.trim().toLowerCase()
      return known.includes('@') && !known.endsWith('@') ? [known] : []
    }),
  ),
]

/**
 * Whether a stop-push flag was set in this message, and not copied from the forwarded message, as some clients do. It
 * was set here if the item's session data has an insertion. Otherwise the flag was copied if it was set in another type
 * of message, or if its signature is not in the body.
 */
export function isOwnStopPush(
  flag: unknown,
  message: Readonly<{ composeType: ComposeType | null; hasSession: boolean; hasSignature: boolean }>,
): boolean {
  if (flag === null || flag === undefined || flag === false) return false
  if (message.hasSession) return true
  const { composeType, combinedIds } = (typeof flag === 'object' ? flag : {}) as Partial<StopPushFlag>
  // The flag has no type: an older version of Signet set it, or it was set before the message was read.
  if (composeType === undefined || composeType === null)
    return message.composeType !== 'forward' || message.hasSignature
  if (composeType !== message.composeType) return false
  return message.hasSignature || combinedIds === ''
}

/**
 * Whether Signet can recognise the signature in the message: the client has returned it in a recognisable form before.
 */
export const isSignatureRecognisable = (inserted: InsertedSignature | null): boolean =>
  inserted !== null && inserted.combinedIds !== '' && (inserted.trace?.seen ?? null) !== null

/** The theme for this background colour, such as `#1f1f1f`, by its luma; null for another format. */
export function themeOf(color: string): Theme | null {
  const [, red, green, blue] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(color) ?? []
  if (red === undefined || green === undefined || blue === undefined) return null
  const light = (channel: string) => Number.parseInt(channel, 16)
  return 299 * light(red) + 587 * light(green) + 114 * light(blue) < 128_000 ? 'dark' : 'light'
}
