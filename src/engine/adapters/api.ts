import type { Api, PersonData } from '../../../effects/ports.ts'
import { toPlan } from '../../../streams/pane/subscription/rules.ts'
import { bodyOf } from './decode.ts'
import type { Http } from './http.ts'
import { createSignatureApi, session } from './signatureApi.ts'
import * as wire from './wire.ts'

/** The metadata is sent as a variable. */
const toData = ({ values, metadata }: PersonData): object => ({
  ...values,
  ...(metadata ? { metadata: wire.fromMetadata(metadata) } : {}),
})

/** The calls of the signature service (specification, section 7). */
export function createApi(http: Http): Api {
  return {
    ...createSignatureApi(http, wire.profile),
    renew: () => http({ method: 'GET', path: '/authentication/access-token' }, bodyOf(session)),
    variableStates: () => http({ method: 'GET', path: '/api/addin/user' }, bodyOf(wire.variableStates)),
    photo: () => http({ method: 'GET', path: '/api/addin/user/photo' }, bodyOf(wire.photo)),
    savePhoto: (base64) =>
      http(
        { method: 'PUT', path: '/api/addin/user/photo', body: { photo: base64 } },
        bodyOf(wire.savedPhoto),
      ),
    deletePhoto: () => http({ method: 'DELETE', path: '/api/addin/user/photo' }, () => undefined),
    saveDefaultSignature: (combinedIds) =>
      http(
        {
          method: 'PUT',
          path: '/signatures-cache/api/v2/signature/default',
          body: { combined_ids: combinedIds },
        },
        () => undefined,
      ),
    variableDefinitions: () =>
      http({ method: 'GET', path: '/api/addin/variables' }, bodyOf(wire.definitions)),
    variableValues: () => http({ method: 'GET', path: '/api/addin/user/variables' }, bodyOf(wire.values)),
    saveVariables: ({ base, resetFields, ...change }) =>
      http(
        {
          method: 'PUT',
          path: '/api/addin/user/variables_with_options',
          body: { data: toData(change), reset_fields: resetFields, base: toData(base) },
        },
        bodyOf(wire.savedVariables),
      ),
    subscription: () =>
      http({ method: 'GET', path: '/api/addin/subscription' }, (body) => toPlan(bodyOf(wire.planId)(body))),
    maintenance: () => http({ method: 'GET', path: '/api/addin/maintenance' }, bodyOf(wire.maintenance)),
    probe: () => http({ method: 'GET', path: '/api/addin/maintenance' }, (_body, info) => info),
    configuration: () => http({ method: 'GET', path: '/api/addin/configs' }, bodyOf(wire.configuration)),
    sendTelemetry: (payload) =>
      http(
        { method: 'PUT', path: '/api/addin/user/addin-info', body: payload, shared: true },
        () => undefined,
      ),
  }
}
