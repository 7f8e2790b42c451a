import type { Api } from '../../effects/ports.ts'

/** A call from section 7 of the specification, and the port methods that make it. */
export type ServiceCall = Readonly<{ call: string; names: readonly (keyof Api)[] }>

export const serviceCalls = [
  { call: 'POST /authentication/addin/azure', names: ['verify'] },
  { call: 'GET /authentication/access-token', names: ['renew'] },
  { call: 'PUT /api/addin/user/addin-info', names: ['sendTelemetry'] },
  { call: 'GET /api/addin/user', names: ['user', 'variableStates'] },
  { call: 'GET /api/addin/user/photo', names: ['photo'] },
  { call: 'PUT /api/addin/user/photo', names: ['savePhoto'] },
  { call: 'DELETE /api/addin/user/photo', names: ['deletePhoto'] },
  { call: 'GET /signatures-cache/api/v1/signature/addin', names: ['signature'] },
  { call: 'GET /signatures-cache/api/v1/signatures', names: ['signatures'] },
  { call: 'POST /signatures-cache/api/v1/signatures/get/batch', names: ['delegatedSignatures'] },
  { call: 'PUT /signatures-cache/api/v2/signature/default', names: ['saveDefaultSignature'] },
  { call: 'GET /api/addin/variables', names: ['variableDefinitions'] },
  { call: 'GET /api/addin/user/variables', names: ['variableValues'] },
  { call: 'PUT /api/addin/user/variables_with_options', names: ['saveVariables'] },
  { call: 'GET /api/addin/subscription', names: ['subscription'] },
  { call: 'GET /api/addin/maintenance', names: ['maintenance'] },
  { call: 'GET /api/addin/configs', names: ['configuration'] },
] as const satisfies readonly ServiceCall[]

/** A call's name on the wire. */
export type CallName = (typeof serviceCalls)[number]['call']

/** The statuses with which a call ends the session (docs/decisions/0015). */
export type Ending = 'every failure' | readonly number[]

const rejections = [401, 404, 500]
export const endings: Readonly<Record<CallName, Ending>> = {
  'POST /authentication/addin/azure': 'every failure',
  'GET /authentication/access-token': [],
  'PUT /api/addin/user/addin-info': [401],
  'GET /api/addin/user': rejections,
  'GET /api/addin/user/photo': rejections,
  'PUT /api/addin/user/photo': rejections,
  'DELETE /api/addin/user/photo': rejections,
  'GET /signatures-cache/api/v1/signature/addin': [401, 500],
  'GET /signatures-cache/api/v1/signatures': rejections,
  'POST /signatures-cache/api/v1/signatures/get/batch': rejections,
  'PUT /signatures-cache/api/v2/signature/default': [401, 500],
  'GET /api/addin/variables': rejections,
  'GET /api/addin/user/variables': rejections,
  'PUT /api/addin/user/variables_with_options': rejections,
  'GET /api/addin/subscription': [401],
  'GET /api/addin/maintenance': [401],
  'GET /api/addin/configs': [401],
}
