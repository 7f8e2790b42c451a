/** The request and response of the call that explains a signature in a mail. */
import {
  flag,
  list,
  nullable,
  object,
  oneOf,
  optional,
  type OutOf,
  record,
  text,
} from '../../kernel/schema.ts'
import { count, listUpTo, textMatching, textUpTo, time } from '../../kernel/limits.ts'
import { SIGNATURE_USES } from '../../organisation/rendering/render.ts'
import { namesLeft } from '../../organisation/rules/why.ts'

/** The maximum length of a signature's html. A signature has up to 30,000 characters before clients rewrite it. */
export const MAX_SENT_CHARACTERS = 200_000
export const MAX_RECIPIENT_DOMAINS = 500

/** A signature in a mail, with the mail's properties that select its blocks. */
export const explainSentRequest = object({
  /** The ids of the signature and its owner from the mark: `corporate-u-1`. */
  combinedIds: textUpTo(1_000),
  /** The hash in the mark. */
  hash: textMatching(/^[\da-z]{1,20}$/, 'a hash'),
  /** The signature's html in the mail. */
  html: textUpTo(MAX_SENT_CHARACTERS),
  /** When the mail was sent. */
  at: time,
  isReply: flag,
  /** The recipients' domains. */
  domains: listUpTo(textUpTo(320), MAX_RECIPIENT_DOMAINS),
  /** The recipients' addresses, in lower case. Earlier commands send only the domains. */
  recipients: optional(listUpTo(textUpTo(320), MAX_RECIPIENT_DOMAINS)),
  /** The address of the person who wrote, in a mail from a mailbox. Absent if unknown, and from earlier commands. */
  writer: optional(textUpTo(320)),
})

export const explainedSent = object({
  owner: object({ id: text, address: text, name: text, isActive: flag }),
  signature: object({ id: text, name: text }),
  /** The person whose values a mailbox's signature shows as the writer. Absent if it names none, or if unknown. */
  writer: optional(object({ id: text, address: text, name: text })),
  release: text,
  /** The release's number in the history, and its publishing time. */
  number: count,
  published: time,
  /**
   * How the release was found. `hash`: its html is exactly the inserted html. `words`: it gives the same words, but
   * other html. `time`: it was current when the mail was sent, but gives other words.
   */
  by: oneOf('hash', 'words', 'time'),
  use: oneOf(...SIGNATURE_USES),
  blocks: list(object({ block: text, name: text })),
  /** The html to insert from this release. */
  html: text,
  /** The deciding rules, as in `explainedPerson`, for this release and the owner at that time. */
  places: record(object({ path: text, line: count })),
  /** The owner's current signatures for such a message: this signature, and the default. */
  today: list(
    object({ signature: text, name: text, isDefault: flag, html: nullable(text), blocks: list(text) }),
  ),
  /** The people who have left and whose address is in a value of the owner today. Absent without such a value. */
  namesLeft: optional(namesLeft),
  /** The template's path in the folder. */
  template: text,
})
export type ExplainedSent = OutOf<typeof explainedSent>
