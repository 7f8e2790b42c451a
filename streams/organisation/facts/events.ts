/**
 * The facts of the service. In a fact's `meta`, `seq` is its version in the stream and `source` is the actor. No log
 * export contains facts, so their fields need no redaction. `audit.ts` decides which fields the audit shows.
 */
import type { Event } from '../../kernel/event.ts'
import { count, time } from '../../kernel/limits.ts'
import {
  flag,
  list,
  looseObject,
  nullable,
  object,
  oneOf,
  optional,
  type OutOf,
  record,
  type Schema,
  text,
} from '../../kernel/schema.ts'
import { untilAny, untilRemovedOrDay } from './corrections.ts'

const texts = list(text)
const byName = record(text)

export const maintenance = nullable(oneOf('planned', 'active'))
export type Maintenance = OutOf<typeof maintenance>

/** The signatures that a user chose, as combined ids: `<signature>-<owner>`. */
const choice = object({
  /**
   * The signature for new messages. If absent, the user only chose for certain senders, and the organisation's default
   * applies.
   */
  master: optional(text),
  reply: optional(text),
  /** The chosen signature by sender address, in lower case. */
  bySender: optional(byName),
})
export type DefaultChoice = OutOf<typeof choice>

/** The add-in's data about the user. The service keeps unknown fields unchanged. */
export const metadata = looseObject({ defaultSignature: optional(choice) })
export type Metadata = OutOf<typeof metadata>

/** A user's account at an identity provider: `tid` and `oid` from the tokens. */
export const account = object({ tenant: text, oid: text })
export type Account = OutOf<typeof account>

const ofDirectory = {
  /** The mail address, then further addresses and sign-in names, all in lower case. */
  addresses: texts,
  /** Null for a person without an account in the directory. The first sign-in then adds the account. */
  account: nullable(account),
  language: nullable(text),
  fields: byName,
  groups: texts,
  /** `<hash>.<extension>` of a stored picture. */
  picture: nullable(text),
}
/** A person from a directory or a CSV file. */
const directoryRecord = object(ofDirectory)
export type DirectoryRecord = OutOf<typeof directoryRecord>

/** The changed fields of a directory record, each with its complete new value. */
export type DirectoryChange = Partial<DirectoryRecord>
const directoryChange = object(
  Object.fromEntries(
    Object.entries(ofDirectory).map(([name, field]) => [name, optional<unknown, unknown>(field)] as const),
  ),
) as Schema<DirectoryChange>

/** What an administrator sets for one person by hand. */
export const correctedField = object({ value: text, until: untilAny })
const excluded = object({ until: untilRemovedOrDay })
const pinned = object({ signature: text, until: untilRemovedOrDay })

const publishing = object({ release: text, base: nullable(text), note: text })
const nothing = object({})

/**
 * A plan that needs the approval of a second person. Two plans with one hash do the same for each person. `people`
 * counts the people whom publishing changes, `groups` the groups of people with the same change.
 */
export const planToApprove = {
  plan: text,
  base: nullable(text),
  release: text,
  hash: text,
  /** The person who made the plan. */
  author: text,
  /** When the plan expires, in milliseconds since 1970. */
  until: time,
  people: count,
  groups: count,
  /** The roles and groups of those who may approve it. */
  by: texts,
}
export type PlanToApprove = OutOf<ReturnType<typeof object<typeof planToApprove>>>
const approving = object({ ...planToApprove, note: text })

/**
 * Declares a fact type: a function that creates its facts, with its name and schema. `schema` reads stored data, and
 * keeps fields that newer versions added.
 */
const fact = <const Type extends string, Data extends object>(type: Type, schema: Schema<Data>) =>
  Object.assign(
    (...[data]: [keyof Data] extends [never] ? [] : [data: Data]): Event<Type, Data> => ({
      type,
      data: data ?? ({} as Data),
    }),
    { type, schema },
  )

/** Facts of the stream `organisation`. */
export const Organisation = {
  founded: fact('organisation/founded', object({ name: text, tenants: texts })),
  releasePublished: fact('organisation/releasePublished', publishing),
  releaseRolledBack: fact('organisation/releaseRolledBack', publishing),
  approvalAsked: fact('organisation/approvalAsked', approving),
  approvalGiven: fact('organisation/approvalGiven', approving),
  approvalRefused: fact('organisation/approvalRefused', approving),
  maintenanceSet: fact('organisation/maintenanceSet', object({ status: maintenance })),
  keyRotated: fact('organisation/keyRotated', object({ key: text })),
  /** An administrator started a sync. `retire` approves any number of deactivations. */
  syncAsked: fact('organisation/syncAsked', object({ retire: flag })),
}
export type OrganisationFact = ReturnType<(typeof Organisation)[keyof typeof Organisation]>

/** Facts of a stream `person/<id>`. */
export const Person = {
  imported: fact('person/imported', object({ record: directoryRecord })),
  directoryChanged: fact('person/directoryChanged', object({ changed: directoryChange })),
  /** A person imported without an account has signed in under a verified name. Stores the account. */
  accountBound: fact('person/accountBound', object({ account })),
  departed: fact('person/departed', nothing),
  returned: fact('person/returned', nothing),
  /**
   * The user's `values` by variable path. `reset` names removed values, for which the directory's values apply again.
   */
  valuesSaved: fact('person/valuesSaved', object({ values: byName, reset: texts })),
  metadataSaved: fact('person/metadataSaved', object({ metadata })),
  pictureChanged: fact('person/pictureChanged', object({ picture: text })),
  pictureRemoved: fact('person/pictureRemoved', nothing),
  defaultChosen: fact('person/defaultChosen', object({ choice })),
  /** An administrator corrected values by directory field. */
  corrected: fact('person/corrected', object({ fields: record(correctedField) })),
  /** An administrator took corrections of these directory fields back, or their last day is over. */
  correctionsEnded: fact('person/correctionsEnded', object({ fields: texts })),
  /** An administrator keeps the person without a signature. */
  excluded: fact('person/excluded', excluded),
  exclusionEnded: fact('person/exclusionEnded', nothing),
  /** An administrator gave the person a certain signature. */
  pinned: fact('person/pinned', pinned),
  pinEnded: fact('person/pinEnded', nothing),
  /** A file said more about the person. `source` is the file's name; `removed` are fields without a value in the file. */
  supplemented: fact('person/supplemented', object({ source: text, values: byName, removed: texts })),
  erased: fact('person/erased', nothing),
}
export type PersonFact = ReturnType<(typeof Person)[keyof typeof Person]>
