/** The request and the response of the call that explains a signature in a mail. */
import { flag, list, nullable, object, oneOf, type OutOf, record, text } from '../../kernel/schema.ts'
import { count, listUpTo, matching, textUpTo, time } from '../../kernel/limits.ts'
import { SIGNATURE_USES } from '../../organisation/rendering/render.ts'

/** The longest html of a signature that is read. A signature has at most 30,000 characters before clients rewrite it. */
export const MAX_SENT_CHARACTERS = 200_000
export const MAX_DOMAINS = 500

/** A signature in a mail, with the mail's properties that decide about its blocks. */
export const sentWanted = object({
  /** The id of the signature and its owner's, as the mark has them: `corporate-u-1`. */
  combinedIds: textUpTo(1_000),
  /** The hash in the mark. */
  hash: matching(/^[\da-z]{1,20}$/, 'a hash'),
  /** The signature's html in the mail. */
  html: textUpTo(MAX_SENT_CHARACTERS),
  /** When the mail was sent. */
  at: time,
  isReply: flag,
  /** The domains of the recipients. */
  domains: listUpTo(textUpTo(320), MAX_DOMAINS),
})

export const explainedSent = object({
  owner: object({ id: text, address: text, name: text, isActive: flag }),
  signature: object({ id: text, name: text }),
  release: text,
  /** The number of the release in the history, and when it was published. */
  number: count,
  published: time,
  /**
   * How the release was found. `hash`: exactly this html was inserted. `words`: the release gives the same words, but not
   * the same html. `time`: it was published when the mail was sent, and gives other words.
   */
  by: oneOf('hash', 'words', 'time'),
  use: oneOf(...SIGNATURE_USES),
  blocks: list(object({ block: text, name: text })),
  /** The html that the release gives, as it is inserted. */
  html: text,
  /** As of `explained`, for this release and the owner at that time. */
  places: record(object({ path: text, line: count })),
  /** Of what the owner would get today in such a message: this signature, and the default. */
  today: list(
    object({ signature: text, name: text, isDefault: flag, html: nullable(text), blocks: list(text) }),
  ),
  /** The path of the template in the folder. */
  template: text,
})
export type ExplainedSent = OutOf<typeof explainedSent>
