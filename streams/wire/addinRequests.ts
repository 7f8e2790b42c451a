import type { DefaultChoice } from '../organisation/facts/events.ts'
import { isAddress } from '../organisation/release/names.ts'
import { integerText, listUpTo, nonEmptyText, textUpTo, queryFlag } from '../kernel/limits.ts'
import {
  anything,
  flag,
  looseObject,
  mapSchema,
  nullable,
  object,
  optional,
  fieldPath,
  record,
  text,
  union,
  withCheck,
} from '../kernel/schema.ts'

// The add-in's requests (specification, section 7).

/** An e-mail address of up to 320 characters, in upper or lower case. It need not exist. */
export const emailAddress = withCheck(
  textUpTo(320),
  (value) => isAddress(value.toLowerCase()),
  'an e-mail address',
  {
    format: 'email',
  },
)

const value = textUpTo(4000)
const combinedIds = textUpTo(500, 1)

const choice = mapSchema(
  withCheck(
    object({
      master: optional(nullable(combinedIds), null),
      reply: optional(combinedIds),
      // The chosen signature of each sender address. The add-in ignores a signature that does not exist.
      bySender: optional(record(combinedIds, textUpTo(320))),
    }),
    ({ master, reply, bySender }) => master !== null || (reply === undefined && bySender !== undefined),
    'a choice with a master, or with bySender alone',
  ),
  ({ master, ...others }): DefaultChoice => (master === null ? others : { master, ...others }),
)
const metadata = looseObject({ defaultSignature: optional(choice) })

const values = record(value)
/** Values by path. The value `metadata` has its own schema. */
const data = mapSchema(record(anything), ({ metadata: sent, ...others }, at) => {
  const read = optional(metadata).read(sent, fieldPath(at, 'metadata'))
  return { values: values.read(others, at), ...(read === undefined ? {} : { metadata: read }) }
})

export const signInBody = object({ accessToken: nonEmptyText, email: emailAddress })
const textOrFields = union(text, record(anything))
export const telemetryBody = object({
  package: textOrFields,
  context: listUpTo(anything, 50),
  settings: record(anything),
  beta: flag,
  navigator: textOrFields,
})
export const photoBody = object({ photo: text })

const wanted = { build_base64: queryFlag, combined_ids: optional(combinedIds) }
export const signatureQuery = object(wanted)
export const signatureListQuery = object({
  ...wanted,
  page: optional(integerText(1, 100_000), 1),
  per_page: optional(integerText(1, 50), 5),
})
export const delegatedSignaturesBody = object({ user_ids: listUpTo(text, 200) })
export const defaultSignatureBody = object({ combined_ids: combinedIds })

export const variablesBody = object({
  data,
  reset_fields: listUpTo(value, 200),
  /** The `data` that the client had loaded, so that a save keeps other people's changes. */
  base: optional(data),
})

/**
 * The possible dependencies of a response: the release, the open periods, the user's row and administrator rights, the
 * rows of people who share signatures with the user, and the request's address.
 */
export type AnswerDependency = 'release' | 'periods' | 'person' | 'owners' | 'request'

/** The dependencies of each response. The service computes a response's tag from them. */
export const ANSWER_DEPENDENCIES = {
  user: ['release', 'person', 'owners'],
  photo: ['person'],
  signature: ['release', 'periods', 'person', 'owners', 'request'],
  signatures: ['release', 'periods', 'person', 'request'],
  definitions: ['release'],
  values: ['release', 'person'],
  plan: ['release', 'person'],
  configuration: ['release', 'person'],
} as const satisfies Readonly<Record<string, readonly AnswerDependency[]>>
