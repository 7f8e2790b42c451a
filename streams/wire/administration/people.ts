/** Requests and responses of the calls about people. */
import {
  anything,
  flag,
  list,
  loose,
  nullable,
  number,
  object,
  oneOf,
  optional,
  record,
  type OutOf,
  type Schema,
  text,
  union,
  variant,
} from '../../kernel/schema.ts'
import { after, finding, hash, pictures, timeText } from './shapes.ts'
import { count, time, textUpTo, yesNo } from '../../kernel/limits.ts'
import type { Condition, Period } from '../../organisation/release.ts'
import type { PersonState } from '../../organisation/state.ts'
import type { Explained } from '../../organisation/why.ts'

/** The kinds of conditions that this version knows. */
export const condition: Schema<Condition> = variant(
  'by',
  object({ by: oneOf('group', 'person', 'address'), values: list(text) }),
  object({ by: oneOf('field'), field: text, values: list(text) }),
)
export const period: Schema<Period> = object({ from: text, to: text, timeZone: text })
/** The default of a person, as combined ids. */
export const dueChoice = object({ master: text, reply: optional(text) })
/** What a person chose, as combined ids; `bySender` by the sender's address. */
const defaultChoice = object({
  master: optional(text),
  reply: optional(text),
  bySender: optional(record(text)),
})

const person = object({
  id: text,
  revision: number,
  account: nullable(object({ tenant: text, oid: text })),
  active: flag,
  addresses: list(text),
  language: nullable(text),
  directory: record(text),
  groups: list(text),
  values: record(text),
  metadata: loose({ defaultSignature: optional(defaultChoice) }),
  picture: nullable(text),
  directoryPicture: nullable(text),
}) satisfies Schema<PersonState>

const assignedBecause = object({
  signature: text,
  name: text,
  isAssigned: flag,
  isDefault: flag,
  /** The conditions that hold; null when none holds, or when `not` wins. */
  because: nullable(union(oneOf('everyone'), list(condition))),
  /** The first group of `not` that holds; null without one. */
  leftOut: nullable(list(condition)),
  during: nullable(period),
  isOpen: flag,
})

/** The response of `GET /people/{id}`. */
export const explained = object({
  person,
  name: text,
  release: text,
  at: time,
  signatures: list(assignedBecause),
  default: nullable(object({ choice: dueChoice, by: oneOf('user', 'organisation') })),
  mayChooseDefault: flag,
  mailboxes: list(text),
  details: list(
    object({
      path: text,
      label: nullable(text),
      value: text,
      /** The directory's value if the user replaced it. */
      replaces: nullable(text),
    }),
  ),
}) satisfies Schema<Explained>

export const answered = object({
  release: text,
  at: time,
  signatures: list(object({ signature: text, name: text, isDefault: flag, html: nullable(text) })),
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
    }),
  ),
  /** Null after the last page; an earlier page may be empty. */
  next: nullable(text),
})
export type FoundPerson = OutOf<typeof foundPeople>['people'][number]
export type FoundPeople = OutOf<typeof foundPeople>

/** Everything that is stored about a person. */
export const personalData = object({
  person,
  facts: list(
    object({
      type: text,
      data: record(anything),
      meta: object({ seq: number, at: number, source: text }),
    }),
  ),
  /** The last report of the add-in about itself. */
  told: nullable(object({ told: anything, at: time })),
  /** The last data of the directory, unchanged; `groups` are ids. */
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
  after: optional(after),
})
export const atTime = object({ at: optional(timeText) })
export const signaturesWanted = object({
  /** A release or a plan; the default is the published release. */
  release: optional(hash),
  at: optional(timeText),
  reply: yesNo,
})
export const importWanted = object({
  /** A dry run: only reports what would change. */
  try: yesNo,
})
