/** Describes the calls as OpenAPI 3.1, from the schemas that check the requests. */
import { toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { roles } from '../../../../streams/organisation/answers.ts'
import { ADMINISTRATION_PATH, type Call, CALLS } from '../../../calls/administration.ts'
import { documentSchema } from '../../../calls/document.ts'

type Json = Readonly<Record<string, unknown>>

/** Named once: a document is in many calls. */
const NAMED = { Document: documentSchema }
// Checks by functions have no JSON Schema; they are told as a refusal.
const CONFIG = {
  target: 'draft-2020-12',
  typeMode: 'input',
  errorMode: 'ignore',
  overrideRef: ({ referenceId }: Readonly<{ referenceId: string }>) => `#/components/schemas/${referenceId}`,
} as const

function schemaOf(schema: v.GenericSchema): Json {
  const { $schema: _, $defs: __, ...described } = toJsonSchema(schema, { ...CONFIG, definitions: NAMED })
  return described
}

const REFUSAL = {
  description: 'Refused, with a code and a sentence.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
}

const idOf = ({ method, path }: Call): string =>
  `${method.toLowerCase()}${path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())}`

function operationOf(call: Call): Json {
  const { role, does, params, query, body, status, answer } = call
  return {
    operationId: idOf(call),
    summary: does,
    ...(role === 'none'
      ? { security: [] }
      : { security: [{ token: role === 'any' ? [] : [role] }], 'x-role': role }),
    parameters: [...parametersIn('path', params), ...parametersIn('query', query)],
    ...(body === undefined ? {} : { requestBody: { required: true, content: contentOf(body) } }),
    responses: {
      [status]: { description: 'Done.', content: { 'application/json': { schema: schemaOf(answer) } } },
      default: REFUSAL,
    },
  }
}

function contentOf(body: v.GenericSchema): Json {
  const schema = schemaOf(body)
  return { [schema['type'] === 'string' ? 'text/csv' : 'application/json']: { schema } }
}

function parametersIn(place: 'path' | 'query', schema: v.GenericSchema | undefined): readonly Json[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = schemaOf(schema) as Readonly<{
    properties?: Readonly<Record<string, Json>>
    required?: readonly string[]
  }>
  return Object.entries(properties).map(([name, described]) => ({
    ...{ name, in: place, required: place === 'path' || required.includes(name), schema: described },
  }))
}

/** @param version of the service */
export function openApi(version: string): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const call of Object.values<Call>(CALLS)) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(call) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Signet administration', version },
    servers: [{ url: ADMINISTRATION_PATH }],
    paths,
    components: {
      schemas: {
        ...toJsonSchemaDefs(NAMED, CONFIG),
        Refusal: {
          type: 'object',
          properties: { code: { type: 'string' }, message: { type: 'string' } },
          required: ['code', 'message'],
        },
      },
      securitySchemes: {
        token: {
          ...{ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          description: `An access token of the identity provider, with the app roles ${roles.join(', ')}.`,
        },
      },
    },
  }
}
