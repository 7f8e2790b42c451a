/** What the calls about people take and answer. */
import * as v from 'valibot'
import type { Answered, FoundPeople, Imported, PersonalData } from '../../streams/organisation/answers.ts'
import type { Condition, Period } from '../../streams/organisation/release.ts'
import type { PersonState } from '../../streams/organisation/state.ts'
import type { Explained } from '../../streams/organisation/why.ts'
import {
  after,
  byName,
  count,
  finding,
  flag,
  hash,
  id,
  list,
  pictures,
  shape,
  time,
  timeText,
} from './shapes.ts'

/** Conditions that fit; another kind of condition is for a newer page. */
export const condition: v.GenericSchema<unknown, Condition> = v.variant('by', [
  shape({ by: v.picklist(['group', 'person', 'address']), values: list(v.string()) }),
  shape({ by: v.literal('field'), field: v.string(), values: list(v.string()) }),
])
export const period: v.GenericSchema<unknown, Period> = shape({
  from: v.string(),
  to: v.string(),
  timeZone: v.string(),
})
/** The default of a person, as combined ids. */
export const dueChoice = shape({ master: v.string(), reply: v.exactOptional(v.string()) })
/** What a person chose, as combined ids; `bySender` by the sender's address. */
const defaultChoice = shape({
  master: v.exactOptional(v.string()),
  reply: v.exactOptional(v.string()),
  bySender: v.exactOptional(byName(v.string())),
})

export const person = shape({
  id: v.string(),
  revision: v.number(),
  account: v.nullable(shape({ tenant: v.string(), oid: v.string() })),
  active: v.boolean(),
  addresses: list(v.string()),
  language: v.nullable(v.string()),
  directory: byName(v.string()),
  groups: list(v.string()),
  values: byName(v.string()),
  metadata: v.pipe(
    v.objectWithRest({ defaultSignature: v.exactOptional(defaultChoice) }, v.unknown()),
    v.readonly(),
  ),
  picture: v.nullable(v.string()),
  directoryPicture: v.nullable(v.string()),
}) satisfies v.GenericSchema<unknown, PersonState>

const assignedBecause = shape({
  signature: v.string(),
  name: v.string(),
  isAssigned: v.boolean(),
  isDefault: v.boolean(),
  /** Which conditions fit; null when none does, or when `not` wins. */
  because: v.nullable(v.union([v.literal('everyone'), list(condition)])),
  /** The conditions of `not` that hold, of the first group that does; null when none does. */
  leftOut: v.nullable(list(condition)),
  during: v.nullable(period),
  isOpen: v.boolean(),
})

/** What `GET /people/{id}` answers. */
export const explained = shape({
  person,
  name: v.string(),
  release: v.string(),
  at: time,
  signatures: list(assignedBecause),
  default: v.nullable(shape({ choice: dueChoice, by: v.picklist(['user', 'organisation']) })),
  mayChooseDefault: v.boolean(),
  mailboxes: list(v.string()),
  details: list(
    shape({
      path: v.string(),
      label: v.nullable(v.string()),
      value: v.string(),
      /** The directory's value that it replaces and differs from; null when there is none. */
      replaces: v.nullable(v.string()),
    }),
  ),
}) satisfies v.GenericSchema<unknown, Explained>

export const answered = shape({
  release: v.string(),
  at: time,
  signatures: list(
    shape({
      signature: v.string(),
      name: v.string(),
      isDefault: v.boolean(),
      html: v.nullable(v.string()),
    }),
  ),
}) satisfies v.GenericSchema<unknown, Answered>

export const foundPeople = shape({
  people: list(
    shape({
      id: v.string(),
      /** The mail address. */
      address: v.string(),
      name: v.string(),
      isActive: v.boolean(),
    }),
  ),
  /** Null after the last page; a page may be empty before. */
  next: v.nullable(v.string()),
}) satisfies v.GenericSchema<unknown, FoundPeople>

export const personalData = shape({
  person,
  facts: list(
    shape({
      type: v.string(),
      data: byName(v.unknown()),
      meta: shape({ seq: v.number(), at: v.number(), source: v.string() }),
    }),
  ),
  told: v.nullable(shape({ told: v.unknown(), at: time })),
  directory: list(
    shape({
      source: v.string(),
      id: v.string(),
      data: byName(v.unknown()),
      addresses: list(v.string()),
      active: v.boolean(),
      groups: list(v.string()),
    }),
  ),
  pictures,
}) satisfies v.GenericSchema<unknown, PersonalData>

export const imported = shape({
  added: count,
  changed: count,
  unchanged: count,
  refused: list(shape({ row: count, reason: v.string() })),
  problems: list(shape({ ...finding, code: v.string() })),
}) satisfies v.GenericSchema<unknown, Imported>

export const erased = shape({ erased: v.string() })

export const ofPerson = shape({ id })
export const peopleSearch = shape({
  search: v.optional(v.pipe(v.string(), v.maxLength(320)), ''),
  after: v.exactOptional(after),
})
export const atTime = shape({ at: v.exactOptional(timeText) })
export const signaturesWanted = shape({
  /** A release or a plan; without it the published release. */
  release: v.exactOptional(hash),
  at: v.exactOptional(timeText),
  reply: flag,
})
export const importWanted = shape({
  /** Only tells what would change. */
  try: flag,
})
