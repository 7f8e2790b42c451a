import * as v from 'valibot'
import type { Api } from '../../../effects/ports.ts'
import { Failed } from '../../../streams/kernel/failure.ts'
import { toPlan } from '../../../streams/subscription/rules.ts'
import type { Http } from './http.ts'
import { createSignatureApi } from './signatureApi.ts'
import * as wire from './wire.ts'

/** Decodes at the edge: a body of another shape fails with `malformed`, and never throws in a view. */
const decode =
  <Output>(schema: v.GenericSchema<unknown, Output>) =>
  (body: unknown): Output => {
    const result = v.safeParse(schema, body)
    if (result.success) return result.output
    throw new Failed({ kind: 'malformed', at: v.getDotPath(result.issues[0]) ?? 'body' })
  }

/** The calls of the signature service (specification, section 7). */
export function createApi(http: Http): Api {
  return {
    ...createSignatureApi(http, {
      verified: decode(wire.verified),
      profile: decode(wire.profile),
      cachedSignature: decode(wire.cachedSignature),
      signaturePage: decode(wire.signaturePage),
    }),
    renew: () => http({ method: 'GET', path: '/authentication/access-token' }, decode(wire.session)),
    variableStates: () => http({ method: 'GET', path: '/api/addin/user' }, decode(wire.variableStates)),
    photo: () => http({ method: 'GET', path: '/api/addin/user/photo' }, decode(wire.photo)),
    savePhoto: (base64) =>
      http(
        { method: 'PUT', path: '/api/addin/user/photo', body: { photo: base64 } },
        decode(wire.savedPhoto),
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
      http({ method: 'GET', path: '/api/addin/variables' }, decode(wire.definitions)),
    variableValues: () => http({ method: 'GET', path: '/api/addin/user/variables' }, decode(wire.values)),
    saveVariables: ({ values, resetFields, metadata }) =>
      http(
        {
          method: 'PUT',
          path: '/api/addin/user/variables_with_options',
          body: {
            data: { ...values, ...(metadata ? { metadata: wire.fromMetadata(metadata) } : {}) },
            reset_fields: resetFields,
          },
        },
        decode(wire.savedVariables),
      ),
    subscription: () =>
      http({ method: 'GET', path: '/api/addin/subscription' }, (body) => toPlan(decode(wire.planId)(body))),
    maintenance: () => http({ method: 'GET', path: '/api/addin/maintenance' }, decode(wire.maintenance)),
    probe: () => http({ method: 'GET', path: '/api/addin/maintenance' }, (_body, info) => info),
    configuration: () => http({ method: 'GET', path: '/api/addin/configs' }, decode(wire.configuration)),
    sendTelemetry: (payload) =>
      http(
        { method: 'PUT', path: '/api/addin/user/addin-info', body: payload, shared: true },
        () => undefined,
      ),
  }
}
