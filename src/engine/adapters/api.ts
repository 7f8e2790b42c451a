import { map } from 'rxjs'
import type { Api, PersonData } from '../../../effects/ports.ts'
import { toPlan } from '../../../streams/pane/subscription/rules.ts'
import {
  DELETE_PHOTO,
  type Metadata,
  READ_CONFIGURATION,
  READ_DEFINITIONS,
  READ_MAINTENANCE,
  READ_PHOTO,
  READ_PLAN,
  READ_STATES,
  READ_USER,
  READ_VALUES,
  RENEW,
  SAVE_DEFAULT,
  SAVE_PHOTO,
  SAVE_VARIABLES,
  SEND_TELEMETRY,
} from '../../../streams/wire/user.ts'
import type { Http } from './http.ts'
import { ask, createSignatureApi, sessionOf } from './signatureApi.ts'

/** The metadata in the form that the service expects. */
const fromMetadata = ({ defaultSignature: chosen, others }: Metadata): object => ({
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
const toData = ({ values, metadata }: PersonData): object => ({
  ...values,
  ...(metadata ? { metadata: fromMetadata(metadata) } : {}),
})

/** The calls of the signature service (specification, section 7). */
export function createApi(http: Http): Api {
  return {
    ...createSignatureApi(http, READ_USER),
    renew: () => ask(http, RENEW).pipe(map(sessionOf)),
    variableStates: () => ask(http, READ_STATES),
    photo: () => ask(http, READ_PHOTO).pipe(map(({ data: { url } }) => url)),
    savePhoto: (base64) =>
      ask(http, SAVE_PHOTO, { body: { photo: base64 } }).pipe(map(({ data: { url } }) => url)),
    deletePhoto: () => ask(http, DELETE_PHOTO),
    saveDefaultSignature: (combinedIds) => ask(http, SAVE_DEFAULT, { body: { combined_ids: combinedIds } }),
    variableDefinitions: () => ask(http, READ_DEFINITIONS),
    variableValues: () => ask(http, READ_VALUES).pipe(map(({ values }) => values)),
    saveVariables: ({ base, resetFields, ...change }) =>
      ask(http, SAVE_VARIABLES, {
        body: { data: toData(change), reset_fields: resetFields, base: toData(base) },
      }),
    subscription: () => ask(http, READ_PLAN).pipe(map(({ plan }) => toPlan(plan))),
    maintenance: () => ask(http, READ_MAINTENANCE).pipe(map(({ data: { status } }) => status)),
    probe: () => http(READ_MAINTENANCE, (_body, info) => info),
    configuration: () =>
      ask(http, READ_CONFIGURATION).pipe(
        map(({ config: { addin } }) => ({ allowDefaultSignature: addin.byDefault === true })),
      ),
    sendTelemetry: (payload) => ask(http, SEND_TELEMETRY, { body: payload, shared: true }),
  }
}
