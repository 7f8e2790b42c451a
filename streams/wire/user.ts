import { addinCall, otherChoices, dataObject, metadataSchema, tokenField } from './signatures.ts'
import {
  anything,
  flag,
  list,
  mapSchema,
  namedInJson,
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

const chosenDefaults = mapSchema(
  object({ master: optional(nullable(text), null), ...otherChoices }),
  ({ master, reply, bySender }): ChosenDefaults | null => {
    if (master) return bySender === null ? { master, reply } : { master, reply, bySender }
    return bySender === null ? null : { master: null, reply: null, bySender }
  },
)

/** The user's data that the service stores. A save sends all of it, including other programs' data (`others`). */
export type UserMetadata = Readonly<{
  defaultSignature: ChosenDefaults | null
  others: Readonly<Record<string, unknown>>
}>

const metadata = metadataSchema(chosenDefaults) satisfies Schema<UserMetadata>

/** The user as stored by the service (specification, section 3). `delegations` are user ids. */
const profile = object({
  id: text,
  email: text,
  isAdmin: namedInJson('is_admin', flag),
  pictureUrl: namedInJson('picture_url', nullable(text)),
  authType: namedInJson('auth_type', text),
  language: optional(text, 'en'),
  clientName: namedInJson('client_name', text),
  displayName: namedInJson(
    'computed_variables',
    mapSchema(object({ name: namedInJson('display_name', text) }), ({ name }) => name),
  ),
  delegations: list(text),
  metadata: mapSchema(
    optional(nullable(metadata)),
    (read): UserMetadata => read ?? { defaultSignature: null, others: {} },
  ),
})
export type UserProfile = OutOf<typeof profile>

/** Texts by name. Null values become empty texts. */
const texts = record(mapSchema(nullable(text), (value) => value ?? ''))
/** Variable values by path. */
export type VariableValues = OutOf<typeof texts>

const changedFields = namedInJson('changed_fields', list(text))

/** The user's changed fields, with the directory's values for them. */
const variableStates = object({ id: text, changedFields, originalData: namedInJson('original_data', texts) })
export type VariableStates = OutOf<typeof variableStates>

const meta = object({
  customType: namedInJson('custom_type', nullable(text)),
  displayName: namedInJson('display_name', optional(nullable(text), null)),
  hidden: flag,
  nonEditable: namedInJson('non_editable', flag),
  resettable: flag,
})

/**
 * A variable (specification, section 3). `lookups` maps a directory's name, such as `azure`, to the field with the
 * value. `customType` is null, `mapped`, `rest`, or a name defined by the organisation.
 */
export type VariableDefinition = Readonly<{ path: string; lookups: Readonly<Record<string, string>> }> &
  OutOf<typeof meta>

const definition = mapSchema(
  object({ path: text, lookups: record(text), metas: meta }),
  ({ metas, ...others }): VariableDefinition => ({ ...others, ...metas }),
)

/** The response to a save: every value, and the fields that differ from the directory. */
const savedVariables = object({
  // A save sends the metadata like a variable. Metadata in the response is left out here.
  values: namedInJson(
    'data',
    mapSchema(record(anything), ({ metadata: _, ...variables }, at): VariableValues =>
      texts.read(variables, at),
    ),
  ),
  changedFields,
})
export type SavedVariables = OutOf<typeof savedVariables>

const definitions = mapSchema(object({ objects: list(definition) }), ({ objects }) => objects)

const status = oneOf('planned', 'active')
export type MaintenanceStatus = OutOf<typeof status> | null

/** A response without a body. */
const nothing: Schema<undefined, undefined> = { read: () => undefined }

const url = dataObject({ url: nullable(text) })

export const RENEW_TOKEN = addinCall('GET', '/authentication/access-token', dataObject(tokenField))

export const READ_USER = addinCall('GET', '/api/addin/user', profile)
export const READ_VARIABLE_STATES = { ...READ_USER, answer: variableStates }

export const READ_PHOTO = addinCall('GET', '/api/addin/user/photo', url)
export const SAVE_PHOTO = addinCall('PUT', '/api/addin/user/photo', dataObject({ url: text }))
export const DELETE_PHOTO = addinCall('DELETE', '/api/addin/user/photo', nothing)

export const SAVE_DEFAULT = addinCall('PUT', '/signatures-cache/api/v2/signature/default', nothing)

export const READ_VARIABLE_DEFINITIONS = addinCall('GET', '/api/addin/variables', definitions)
export const READ_VARIABLE_VALUES = addinCall('GET', '/api/addin/user/variables', object({ values: texts }))
export const SAVE_VARIABLES = addinCall('PUT', '/api/addin/user/variables_with_options', savedVariables)

export const READ_PLAN = addinCall(
  'GET',
  '/api/addin/subscription',
  object({ plan: namedInJson('plan_id', text) }),
)
export const READ_MAINTENANCE = addinCall(
  'GET',
  '/api/addin/maintenance',
  dataObject({ status: nullable(status) }),
)
/** `byDefault` may be any value. Only `true` lets the user choose a default; `"true"` and 1 do not. */
export const READ_CONFIGURATION = addinCall(
  'GET',
  '/api/addin/configs',
  object({
    config: object({ addin: object({ byDefault: namedInJson('signature_by_default', optional(anything)) }) }),
  }),
)
export const SEND_TELEMETRY = addinCall('PUT', '/api/addin/user/addin-info', nothing)
