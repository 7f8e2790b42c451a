import type { ComposeType, Message } from './events.ts'

/** Whether the reply version of a signature is due; false when the mail client could not tell (specification, section 4). */
export const isReplyOrForward = (composeType: ComposeType | null): boolean =>
  composeType === 'reply' || composeType === 'forward'

/** The domains of everybody in To and Cc, lower-cased, each once, in the order of their first use. */
export const recipientDomains = ({ to, cc }: Pick<Message, 'to' | 'cc'>): readonly string[] => [
  ...new Set(
    [...to, ...cc].flatMap(({ address }) => {
      const domain = address
        .slice(address.lastIndexOf('@') + 1)
        .trim()
        .toLowerCase()
      return address.includes('@') && domain ? [domain] : []
    }),
  ),
]
