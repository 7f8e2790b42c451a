/** Describes the calls as OpenAPI 3.1, from the schemas that check the requests. */
import { roles } from '../../../../streams/wire/administration/insight.ts'
import { ADMINISTRATION_PATH, type Call, CALLS } from '../../../../streams/wire/administration/calls.ts'
import { documentSchema } from '../../../../streams/wire/administration/document.ts'
import type { Schema } from '../../../../streams/kernel/schema.ts'

type Json = Readonly<Record<string, unknown>>

/** Many calls contain a document, so they all refer to one shared schema. */
const schemaOf = (schema: Schema<unknown>): Json =>
  schema === documentSchema ? { $ref: '#/components/schemas/Document' } : described(schema)

/** Converts a schema into JSON Schema, which cannot express every check. */
function described({ fields, isStrict, key, item, options, inner, except, json }: Schema<unknown>): Json {
  if (inner !== undefined) {
    const of = schemaOf(inner)
    return except === null ? { anyOf: [of, { type: 'null' }] } : { ...of, ...json }
  }
  if (fields !== undefined) {
    const named = Object.entries(fields).map(([name, field]) => ({ name: field.named ?? name, field }))
    return {
      type: 'object',
      properties: Object.fromEntries(named.map(({ name, field }) => [name, schemaOf(field)])),
      required: named.flatMap(({ name, field }) => (field.isOptional ? [] : [name])),
      ...(isStrict ? { additionalProperties: false } : {}),
    }
  }
  if (key !== undefined && item !== undefined)
    return { type: 'object', propertyNames: schemaOf(key), additionalProperties: schemaOf(item) }
  if (item !== undefined) return { type: 'array', items: schemaOf(item) }
  return options === undefined ? (json ?? {}) : { anyOf: options.map(schemaOf) }
}

const REFUSAL = {
  description: 'The request is refused; the body has a code and a message.',
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

function contentOf(body: Schema<unknown>): Json {
  const schema = schemaOf(body)
  return { [schema['type'] === 'string' ? 'text/csv' : 'application/json']: { schema } }
}

function parametersIn(place: 'path' | 'query', schema: Schema<unknown> | undefined): readonly Json[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = schemaOf(schema) as Readonly<{
    properties?: Readonly<Record<string, Json>>
    required?: readonly string[]
  }>
  return Object.entries(properties).map(([name, described]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: described,
  }))
}

/** @param version the version of the service */
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
        Document: described(documentSchema),
        Refusal: {
          type: 'object',
          properties: {
            code: { type: 'string' },
            message: { type: 'string' },
            request: { type: 'string', description: 'With status 500: the id of the request in the log.' },
          },
          required: ['code', 'message'],
        },
      },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: `An access token of the identity provider, with the app roles ${roles.join(', ')}.`,
        },
      },
    },
  }
}
