/** Requests and responses of the calls about people. */
import {
  anything,
  flag,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  record,
  type OutOf,
  text,
} from '../../kernel/schema.ts'
import { finding, hash, pictures, timeText } from './shapes.ts'
import { count, time, textUpTo, yesNo } from '../../kernel/limits.ts'
import { work } from './work.ts'
import { personState } from '../../organisation/facts/state.ts'
import { supposedRecipients } from '../../organisation/release/supposed.ts'
import { noSignature } from '../../organisation/rules/why.ts'

export const answered = object({
  release: text,
  at: time,
  signatures: list(
    object({
      signature: text,
      name: text,
      isDefault: flag,
      /** Null for a signature without this version, and for one beyond the html that an answer has room for. */
      html: nullable(text),
      /** The names of the blocks in it. An earlier service does not say them. */
      blocks: optional(list(text)),
    }),
  ),
})
export type Answered = OutOf<typeof answered>

export const foundPeople = object({
  people: list(
    object({
      id: text,
      /** The mail address. */
      address: text,
      name: text,
      isActive: flag,
      /** Why the person has no signature; only in a search for people without one. */
      none: optional(noSignature),
    }),
  ),
  /** The labels of fields and variables, by their names; only in a search for people without a signature. */
  labels: optional(record(text)),
  /** Where the next page begins; null after the last page. An earlier page may be empty. */
  next: nullable(text),
})
export type FoundPerson = OutOf<typeof foundPeople>['people'][number]
export type FoundPeople = OutOf<typeof foundPeople>

/** Everything that is stored about a person. */
export const personalData = object({
  person: personState,
  facts: list(
    object({
      type: text,
      data: record(anything),
      meta: object({ seq: number, at: number, source: text }),
    }),
  ),
  /** The last report of the add-in about itself. */
  told: nullable(object({ told: anything, at: time })),
  /** What the directory last reported about the person, unchanged; `groups` are ids. */
  directory: list(
    object({
      source: text,
      id: text,
      data: record(anything),
      addresses: list(text),
      active: flag,
      groups: list(text),
    }),
  ),
  pictures,
})
export type PersonalData = OutOf<typeof personalData>

/** What an import changed or would change; `problems` are unreadable rows. */
export const imported = object({
  added: count,
  changed: count,
  unchanged: count,
  refused: list(object({ row: count, reason: text })),
  problems: list(object({ ...finding, code: text })),
})
export type Imported = OutOf<typeof imported>

export const erased = object({ erased: text })

export const peopleSearch = object({
  search: optional(textUpTo(320), ''),
  /** Finds only people without a signature at the present time, and says why. */
  without: optional(oneOf('signature')),
  /** The `next` of the previous page: an id, or a word and an id. */
  after: optional(textUpTo(500)),
})
export const atTime = object({ at: optional(timeText) })
export const signaturesWanted = object({
  /** The hash of a release or a plan; the default is the published release. */
  release: optional(hash),
  at: optional(timeText),
  reply: yesNo,
  /** The versions for meetings, in place of those for messages. */
  meeting: yesNo,
  /** The recipients of the message; without them, a message that has none yet. */
  recipients: optional(supposedRecipients),
})
export const importWanted = object({
  /** A dry run: only reports what would change. */
  try: yesNo,
  work,
})
export const syncWanted = object({
  /** A dry run: only reports what would change. */
  try: flag,
  /** Approves any number of deactivations. */
  retire: flag,
})
