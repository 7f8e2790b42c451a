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
  withCheck,
} from '../../kernel/schema.ts'
import { findingFields, hash, picturesByHash, timeText } from './shapes.ts'
import { count, integerText, recordUpTo, time, textUpTo, queryFlag } from '../../kernel/limits.ts'
import { work } from './work.ts'
import { personState } from '../../organisation/facts/state.ts'
import { untilAny, untilRemovedOrDay } from '../../organisation/facts/corrections.ts'
import { isFieldName, isStorableText } from '../../organisation/release/names.ts'
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
  /** The person is a mailbox, and templates of the release name the person who writes. Absent otherwise. */
  namesWriter: optional(flag),
})
export type SignaturesAnswer = OutOf<typeof signaturesAnswer>

const foundPerson = object({
  id: text,
  /** The mail address. */
  address: text,
  name: text,
  isActive: flag,
  /** Why the person has no signature. Only in a list, and in a search for people without one. */
  none: optional(noSignatureReason),
  /** The directory's department; empty without one. This and the following fields are only in a list (`sort`). */
  department: optional(text),
  /** The default signature; null without one. */
  signature: optional(nullable(object({ id: text, name: text }))),
  /** The start of the day (UTC) when the add-in last reported; null if there is no report in the last 90 days. */
  seenAt: optional(nullable(time)),
  /** The address of the person's picture; null without one. */
  picture: optional(nullable(text)),
})
export type FoundPerson = OutOf<typeof foundPerson>

export const foundPeople = object({
  people: list(foundPerson),
  /** The labels of fields and variables, by name. Only in a list, and in a search for people without a signature. */
  labels: optional(record(text)),
  /** The signatures of the published release. Only in a list. */
  signatures: optional(list(object({ id: text, name: text }))),
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
  /** Only with `only`: the rows of people who are not in the organisation, with the first addresses. */
  unknown: optional(object({ people: count, first: list(text) })),
})
export type ImportResult = OutOf<typeof importResult>

/** The most fields of a person that can be corrected. */
export const MAX_CORRECTED_FIELDS = 100
/** The most characters of a corrected value. */
export const MAX_CORRECTED_CHARACTERS = 2_000
const correctedText = withCheck(
  textUpTo(MAX_CORRECTED_CHARACTERS),
  isStorableText,
  'a text without control characters',
)
const fieldText = withCheck(text, isFieldName, 'the name of a directory field')

/**
 * All that an administrator sets for one person by hand. What is missing ends. `revision` is the revision of the person
 * whom the administrator saw.
 */
export const correctionsRequest = strictObject({
  revision: count,
  fields: recordUpTo(
    strictObject({ value: correctedText, until: untilAny }),
    MAX_CORRECTED_FIELDS,
    fieldText,
  ),
  excluded: optional(strictObject({ until: untilRemovedOrDay })),
  pinned: optional(strictObject({ signature: textUpTo(60, 1), until: untilRemovedOrDay })),
})
export const correctionsAnswer = object({ person: personState })

export const eraseAnswer = object({ erased: text })

const peopleSort = oneOf('name', 'department', 'seen')
export type PeopleSort = OutOf<typeof peopleSort>

export const peopleQuery = object({
  search: optional(textUpTo(320), ''),
  /**
   * Lists people in this order, with more about each. `seen` is the last report of the add-in. Without it, people are in
   * the order of the search.
   */
  sort: optional(peopleSort),
  descending: queryFlag,
  /** Only in a list: people with this department, ignoring case and accents. */
  department: optional(textUpTo(MAX_SUGGESTED_CHARACTERS, 1)),
  /** Only in a list: people whose default signature has this id. */
  signature: optional(textUpTo(200, 1)),
  /** Only in a list: people who have left, instead of active people. */
  left: queryFlag,
  /** Only in a list: people whose add-in has not reported since the day (UTC) this many days ago. */
  unseen: optional(integerText(1, 90)),
  /** Finds only people who have no signature now, with the reasons. */
  without: optional(oneOf('signature')),
  /** The `next` of the previous page: an id, a word and an id, or a place in a list. */
  after: optional(textUpTo(1_000)),
})
export type PeopleQuery = OutOf<typeof peopleQuery>
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
  /** The id or an address of the person who writes for a mailbox; absent for nobody in particular. */
  writer: optional(textUpTo(320)),
})
export const importQuery = object({
  /** A dry run: only reports the changes. */
  try: queryFlag,
  /** Column names with commas between them: changes only these columns of known people, and adds nobody. */
  only: optional(textUpTo(2_000, 1)),
  /** The file's name, which is shown as the source of the columns in `only`. */
  file: optional(textUpTo(200, 1), 'people.csv'),
  work,
})
export const syncRequest = object({
  /** A dry run: only reports the changes. */
  try: flag,
  /** Approves any number of deactivations. */
  retire: flag,
})
