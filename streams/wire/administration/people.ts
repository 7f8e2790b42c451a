/** Requests and responses for the calls about people. */
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
  strictObject,
  text,
} from '../../kernel/schema.ts'
import { findingFields, hash, picturesByHash, timeText } from './shapes.ts'
import { count, time, textUpTo, queryFlag } from '../../kernel/limits.ts'
import { work } from './work.ts'
import { personState } from '../../organisation/facts/state.ts'
import { selection } from './document.ts'
import { sampleRecipients } from '../../organisation/release/supposed.ts'
import { MAX_SUGGESTED_CHARACTERS, suggestedField } from '../../organisation/rules/fieldValues.ts'
import { noSignatureReason } from '../../organisation/rules/why.ts'

export const signaturesAnswer = object({
  release: text,
  at: time,
  signatures: list(
    object({
      signature: text,
      name: text,
      isDefault: flag,
      /**
       * Null if the signature lacks the requested version, or if the html would exceed the size limit of the response.
       */
      html: nullable(text),
      /** The names of the signature's blocks. Earlier services omit this field. */
      blocks: optional(list(text)),
    }),
  ),
})
export type SignaturesAnswer = OutOf<typeof signaturesAnswer>

const foundPerson = object({
  id: text,
  /** The mail address. */
  address: text,
  name: text,
  isActive: flag,
  /** Why the person has no signature. Only in a search for people without one. */
  none: optional(noSignatureReason),
})
export type FoundPerson = OutOf<typeof foundPerson>

export const foundPeople = object({
  people: list(foundPerson),
  /** The labels of fields and variables, by name. Only in a search for people without a signature. */
  labels: optional(record(text)),
  /** The start of the next page; null after the last page. Even an empty page may have a next page. */
  next: nullable(text),
})
export type FoundPeople = OutOf<typeof foundPeople>

/** `person` is null if none of the people who were searched matches. */
export const matchingPerson = object({ person: nullable(foundPerson) })
export const matchingPersonRequest = strictObject({ selection })
/** The number of active people whom a selection fits, and of all active people. */
export const fittingPeople = object({ people: count, of: count })
export type FittingPeople = OutOf<typeof fittingPeople>

/** All stored data about a person. */
export const personalData = object({
  person: personState,
  facts: list(
    object({
      type: text,
      data: record(anything),
      meta: object({ seq: number, at: number, source: text }),
    }),
  ),
  /** The add-in's last report about itself. */
  told: nullable(object({ told: anything, at: time })),
  /** The directory's last record of the person, unchanged; `groups` are ids. */
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
  pictures: picturesByHash,
})
export type PersonalData = OutOf<typeof personalData>

/** The changes from an import, made or simulated; `problems` are unreadable rows. */
export const importResult = object({
  added: count,
  changed: count,
  unchanged: count,
  refused: list(object({ row: count, reason: text })),
  problems: list(object({ ...findingFields, code: text })),
})
export type ImportResult = OutOf<typeof importResult>

export const eraseAnswer = object({ erased: text })

export const peopleQuery = object({
  search: optional(textUpTo(320), ''),
  /** Finds only people who have no signature now, with the reasons. */
  without: optional(oneOf('signature')),
  /** The `next` of the previous page: an id, or a word and an id. */
  after: optional(textUpTo(500)),
})
export const fieldValuesQuery = object({
  field: suggestedField,
  /** A part of the values. */
  search: optional(textUpTo(MAX_SUGGESTED_CHARACTERS), ''),
})
export const countRequest = strictObject({ selection })
export const timeQuery = object({ at: optional(timeText) })
export const signaturesQuery = object({
  /** The hash of a release or a plan; the default is the published release. */
  release: optional(hash),
  at: optional(timeText),
  reply: queryFlag,
  /** Returns the versions for meetings instead of messages. */
  meeting: queryFlag,
  /** The recipients of the message; absent for a message without recipients. */
  recipients: optional(sampleRecipients),
})
export const importQuery = object({
  /** A dry run: only reports the changes. */
  try: queryFlag,
  work,
})
export const syncRequest = object({
  /** A dry run: only reports the changes. */
  try: flag,
  /** Approves any number of deactivations. */
  retire: flag,
})
