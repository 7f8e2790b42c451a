import type { AddinConfiguration } from '../../../streams/message/configuration/events.ts'
import type { MaintenanceStatus } from '../../../streams/pane/maintenance/events.ts'
import type { ChosenDefaults, Metadata, UserProfile } from '../../../streams/message/profile/events.ts'
import type {
  Definition,
  SavedVariables,
  Values,
  VariableStates,
} from '../../../streams/pane/variables/events.ts'
import {
  anything,
  flag,
  list,
  nullable,
  object,
  optional,
  type Read,
  record,
  refuse,
  text,
} from './decode.ts'
import { chosenBesides } from './signatureApi.ts'

// What only the pane reads of the service (snake_case), in the domain's types.

const chosenBody = nullable(object({ master: optional(nullable(text), null), ...chosenBesides }))

const chosenDefaults: Read<ChosenDefaults | null> = (value, at) => {
  const read = chosenBody(value, at)
  if (read === null) return null
  const { master, reply, bySender } = read
  if (master) return bySender === null ? { master, reply } : { master, reply, bySender }
  return bySender === null ? null : { master: null, reply: null, bySender }
}

const metadataBody = object({ defaultSignature: optional(chosenDefaults, null) })
const fields = record(anything)

const metadata: Read<Metadata> = (value, at) => {
  const { defaultSignature: _, ...others } = fields(value, at)
  return { ...metadataBody(value, at), others }
}

/** The metadata in the service's shape. */
export const fromMetadata = ({ defaultSignature: chosen, others }: Metadata): object => ({
  ...others,
  ...(chosen
    ? {
        defaultSignature: {
          ...(chosen.master === null ? {} : { master: chosen.master }),
          ...(chosen.reply === null ? {} : { reply: chosen.reply }),
          ...(chosen.bySender ? { bySender: chosen.bySender } : {}),
        },
      }
    : {}),
})

const profileBody = object({
  id: text,
  email: text,
  is_admin: flag,
  picture_url: nullable(text),
  auth_type: text,
  language: optional(text, 'en'),
  client_name: text,
  computed_variables: object({ display_name: text }),
  delegations: list(text),
  metadata: optional(nullable(metadata), null),
})

export const profile: Read<UserProfile> = (value, at) => {
  const user = profileBody(value, at)
  return {
    id: user.id,
    email: user.email,
    isAdmin: user.is_admin,
    pictureUrl: user.picture_url,
    authType: user.auth_type,
    language: user.language,
    clientName: user.client_name,
    displayName: user.computed_variables.display_name,
    delegations: user.delegations,
    metadata: user.metadata ?? { defaultSignature: null, others: {} },
  }
}

const status: Read<MaintenanceStatus> = (value, at) =>
  value === null || value === 'planned' || value === 'active' ? value : refuse(at)
const maintenanceBody = object({ data: object({ status }) })
export const maintenance: Read<MaintenanceStatus> = (value, at) => maintenanceBody(value, at).data.status

/** A null value is an empty text. */
const texts = record((value, at) => (value === null ? '' : text(value, at)))

const statesBody = object({ id: text, changed_fields: list(text), original_data: texts })
export const variableStates: Read<VariableStates> = (value, at) => {
  const user = statesBody(value, at)
  return { id: user.id, changedFields: user.changed_fields, originalData: user.original_data }
}

const definitionsBody = object({
  objects: list(
    object({
      path: text,
      lookups: record(text),
      metas: object({
        custom_type: nullable(text),
        display_name: optional(nullable(text), null),
        hidden: flag,
        non_editable: flag,
        resettable: flag,
      }),
    }),
  ),
})
export const definitions: Read<readonly Definition[]> = (value, at) =>
  definitionsBody(value, at).objects.map(({ path, lookups, metas }) => ({
    path,
    lookups,
    customType: metas.custom_type,
    displayName: metas.display_name,
    hidden: metas.hidden,
    nonEditable: metas.non_editable,
    resettable: metas.resettable,
  }))

const valuesBody = object({ values: texts })
export const values: Read<Values> = (value, at) => valuesBody(value, at).values

const savedBody = object({
  // The metadata is sent as a variable, and may return as one.
  data: (value, at) => {
    const { metadata: _, ...variables } = fields(value, at)
    return texts(variables, at)
  },
  changed_fields: list(text),
})
export const savedVariables: Read<SavedVariables> = (value, at) => {
  const { data, changed_fields: changedFields } = savedBody(value, at)
  return { values: data, changedFields }
}

const photoBody = object({ data: object({ url: nullable(text) }) })
export const photo: Read<string | null> = (value, at) => photoBody(value, at).data.url

const savedPhotoBody = object({ data: object({ url: text }) })
export const savedPhoto: Read<string> = (value, at) => savedPhotoBody(value, at).data.url

const planBody = object({ plan_id: text })
export const planId: Read<string> = (value, at) => planBody(value, at).plan_id

const configurationBody = object({
  config: object({ addin: object({ signature_by_default: anything }) }),
})
/** Only `true` itself allows it; `"true"`, 1 or a missing value does not. */
export const configuration: Read<AddinConfiguration> = (value, at) => ({
  allowDefaultSignature: configurationBody(value, at).config.addin.signature_by_default === true,
})
