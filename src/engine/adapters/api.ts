import { map } from 'rxjs'
import type { Api, PersonDataChange } from '../../../effects/ports.ts'
import { toSubscriptionPlan } from '../../../streams/pane/subscription/rules.ts'
import {
  DELETE_PHOTO,
  type UserMetadata,
  READ_CONFIGURATION,
  READ_VARIABLE_DEFINITIONS,
  READ_MAINTENANCE,
  READ_PHOTO,
  READ_PLAN,
  READ_VARIABLE_STATES,
  READ_USER,
  READ_VARIABLE_VALUES,
  RENEW_TOKEN,
  SAVE_DEFAULT,
  SAVE_PHOTO,
  SAVE_VARIABLES,
  SEND_TELEMETRY,
} from '../../../streams/wire/user.ts'
import type { Http } from './http.ts'
import { callService, createSignatureApi, sessionOf } from './signatureApi.ts'

/** The metadata in the form that the service expects. */
const fromMetadata = ({ defaultSignature: chosen, others }: UserMetadata): object => ({
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

/** The person's data in the form that the service expects, with the metadata as one of the variables. */
const toData = ({ values, metadata }: PersonDataChange): object => ({
  ...values,
  ...(metadata ? { metadata: fromMetadata(metadata) } : {}),
})

/** The calls of the signature service (specification, section 7). */
export function createApi(http: Http): Api {
  return {
    ...createSignatureApi(http, READ_USER),
    renew: () => callService(http, RENEW_TOKEN).pipe(map(sessionOf)),
    variableStates: () => callService(http, READ_VARIABLE_STATES),
    photo: () => callService(http, READ_PHOTO).pipe(map(({ data: { url } }) => url)),
    savePhoto: (base64) =>
      callService(http, SAVE_PHOTO, { body: { photo: base64 } }).pipe(map(({ data: { url } }) => url)),
    deletePhoto: () => callService(http, DELETE_PHOTO),
    saveDefaultSignature: (combinedIds) =>
      callService(http, SAVE_DEFAULT, { body: { combined_ids: combinedIds } }),
    variableDefinitions: () => callService(http, READ_VARIABLE_DEFINITIONS),
    variableValues: () => callService(http, READ_VARIABLE_VALUES).pipe(map(({ values }) => values)),
    saveVariables: ({ base, resetFields, ...change }) =>
      callService(http, SAVE_VARIABLES, {
        body: { data: toData(change), reset_fields: resetFields, base: toData(base) },
      }),
    subscription: () => callService(http, READ_PLAN).pipe(map(({ plan }) => toSubscriptionPlan(plan))),
    maintenance: () => callService(http, READ_MAINTENANCE).pipe(map(({ data: { status } }) => status)),
    probe: () => http(READ_MAINTENANCE, (_body, info) => info),
    configuration: () =>
      callService(http, READ_CONFIGURATION).pipe(
        map(({ config: { addin } }) => ({ allowDefaultSignature: addin.byDefault === true })),
      ),
    sendTelemetry: (payload) => callService(http, SEND_TELEMETRY, { body: payload, shared: true }),
  }
}
