import { call, chosenBesides, inData, metadataWith, token } from './signatures.ts'
import {
  anything,
  flag,
  list,
  map,
  named,
  nullable,
  object,
  oneOf,
  optional,
  type OutOf,
  record,
  type Schema,
  text,
} from '../kernel/schema.ts'

// The add-in's calls that only the pane makes (specification, section 7).

/**
 * The user's chosen signatures. Without `reply`, replies use `master` too. `bySender` has a signature for each sender
 * address. Without `master`, all other senders get the organisation's default.
 */
export type ChosenDefaults =
  | Readonly<{ master: string; reply: string | null; bySender?: Readonly<Record<string, string>> }>
  | Readonly<{ master: null; reply: null; bySender: Readonly<Record<string, string>> }>

const chosenDefaults = map(
  object({ master: optional(nullable(text), null), ...chosenBesides }),
  ({ master, reply, bySender }): ChosenDefaults | null => {
    if (master) return bySender === null ? { master, reply } : { master, reply, bySender }
    return bySender === null ? null : { master: null, reply: null, bySender }
  },
)

/** The user's data that the service stores. A save sends all of it, including other programs' data (`others`). */
export type Metadata = Readonly<{
  defaultSignature: ChosenDefaults | null
  others: Readonly<Record<string, unknown>>
}>

const metadata = metadataWith(chosenDefaults) satisfies Schema<Metadata>

/** The user as stored by the service (specification, section 3). `delegations` are user ids. */
const profile = object({
  id: text,
  email: text,
  isAdmin: named('is_admin', flag),
  pictureUrl: named('picture_url', nullable(text)),
  authType: named('auth_type', text),
  language: optional(text, 'en'),
  clientName: named('client_name', text),
  displayName: named(
    'computed_variables',
    map(object({ name: named('display_name', text) }), ({ name }) => name),
  ),
  delegations: list(text),
  metadata: map(
    optional(nullable(metadata)),
    (read): Metadata => read ?? { defaultSignature: null, others: {} },
  ),
})
export type UserProfile = OutOf<typeof profile>

/** Texts by name. Null values become empty texts. */
const texts = record(map(nullable(text), (value) => value ?? ''))
/** Variable values by path. */
export type VariableValues = OutOf<typeof texts>

const changedFields = named('changed_fields', list(text))

/** The user's changed fields, with the directory's values for them. */
const variableStates = object({ id: text, changedFields, originalData: named('original_data', texts) })
export type VariableStates = OutOf<typeof variableStates>

const meta = object({
  customType: named('custom_type', nullable(text)),
  displayName: named('display_name', optional(nullable(text), null)),
  hidden: flag,
  nonEditable: named('non_editable', flag),
  resettable: flag,
})

/**
 * A variable (specification, section 3). `lookups` maps a directory's name, such as `azure`, to the field with the
 * value. `customType` is null, `mapped`, `rest`, or a name defined by the organisation.
 */
export type Definition = Readonly<{ path: string; lookups: Readonly<Record<string, string>> }> &
  OutOf<typeof meta>

const definition = map(
  object({ path: text, lookups: record(text), metas: meta }),
  ({ metas, ...others }): Definition => ({ ...others, ...metas }),
)

/** The response to a save: every value, and the fields that differ from the directory. */
const savedVariables = object({
  // A save sends the metadata like a variable. Metadata in the response is left out here.
  values: named(
    'data',
    map(record(anything), ({ metadata: _, ...variables }, at): VariableValues => texts.read(variables, at)),
  ),
  changedFields,
})
export type SavedVariables = OutOf<typeof savedVariables>

const definitions = map(object({ objects: list(definition) }), ({ objects }) => objects)

const status = oneOf('planned', 'active')
export type MaintenanceStatus = OutOf<typeof status> | null

/** A response without a body. */
const nothing: Schema<undefined, undefined> = { read: () => undefined }

const url = inData({ url: nullable(text) })

export const RENEW = call('GET', '/authentication/access-token', inData(token))

export const READ_USER = call('GET', '/api/addin/user', profile)
export const READ_STATES = { ...READ_USER, answer: variableStates }

export const READ_PHOTO = call('GET', '/api/addin/user/photo', url)
export const SAVE_PHOTO = call('PUT', '/api/addin/user/photo', inData({ url: text }))
export const DELETE_PHOTO = call('DELETE', '/api/addin/user/photo', nothing)

export const SAVE_DEFAULT = call('PUT', '/signatures-cache/api/v2/signature/default', nothing)

export const READ_DEFINITIONS = call('GET', '/api/addin/variables', definitions)
export const READ_VALUES = call('GET', '/api/addin/user/variables', object({ values: texts }))
export const SAVE_VARIABLES = call('PUT', '/api/addin/user/variables_with_options', savedVariables)

export const READ_PLAN = call('GET', '/api/addin/subscription', object({ plan: named('plan_id', text) }))
export const READ_MAINTENANCE = call('GET', '/api/addin/maintenance', inData({ status: nullable(status) }))
/** `byDefault` may be any value. Only `true` lets the user choose a default; `"true"` and 1 do not. */
export const READ_CONFIGURATION = call(
  'GET',
  '/api/addin/configs',
  object({
    config: object({ addin: object({ byDefault: named('signature_by_default', optional(anything)) }) }),
  }),
)
export const SEND_TELEMETRY = call('PUT', '/api/addin/user/addin-info', nothing)
