import type { DefaultChoice } from '../organisation/facts/events.ts'
import { isAddress } from '../organisation/release/names.ts'
import { integerText, listUpTo, someText, textUpTo, yesNo } from '../kernel/limits.ts'
import {
  anything,
  flag,
  loose,
  map,
  nullable,
  object,
  optional,
  placeIn,
  record,
  text,
  union,
  when,
} from '../kernel/schema.ts'

// The add-in's requests (specification, section 7).

/** An e-mail address of up to 320 characters, in upper or lower case. It need not exist. */
export const email = when(textUpTo(320), (value) => isAddress(value.toLowerCase()), 'an e-mail address', {
  format: 'email',
})

const value = textUpTo(4000)
const combinedIds = textUpTo(500, 1)

const choice = map(
  when(
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
const metadata = loose({ defaultSignature: optional(choice) })

const values = record(value)
/** Values by path. The value `metadata` has its own schema. */
const data = map(record(anything), ({ metadata: sent, ...others }, at) => {
  const read = optional(metadata).read(sent, placeIn(at, 'metadata'))
  return { values: values.read(others, at), ...(read === undefined ? {} : { metadata: read }) }
})

export const signInBody = object({ accessToken: someText, email })
const textOrFields = union(text, record(anything))
export const telemetryBody = object({
  package: textOrFields,
  context: listUpTo(anything, 50),
  settings: record(anything),
  beta: flag,
  navigator: textOrFields,
})
export const photoBody = object({ photo: text })

const wanted = { build_base64: yesNo, combined_ids: optional(combinedIds) }
export const signatureQuery = object(wanted)
export const listQuery = object({
  ...wanted,
  page: optional(integerText(1, 100_000), 1),
  per_page: optional(integerText(1, 50), 5),
})
export const delegatedBody = object({ user_ids: listUpTo(text, 200) })
export const defaultBody = object({ combined_ids: combinedIds })

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
export type Dependency = 'release' | 'periods' | 'person' | 'owners' | 'request'

/** The dependencies of each response. The service computes a response's tag from them. */
export const DEPENDS_ON = {
  user: ['release', 'person', 'owners'],
  photo: ['person'],
  signature: ['release', 'periods', 'person', 'owners', 'request'],
  signatures: ['release', 'periods', 'person', 'request'],
  definitions: ['release'],
  values: ['release', 'person'],
  plan: ['release', 'person'],
  configuration: ['release', 'person'],
} as const satisfies Readonly<Record<string, readonly Dependency[]>>
