/** The SCIM 2.0 calls below `/scim/v2`. Microsoft Entra uses them to provision users and groups. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { textMatching, textUpTo } from '../../../streams/kernel/limits.ts'
import { mapSchema, text, anything, object, optional, type OutOf } from '../../../streams/kernel/schema.ts'
import { runInSlices } from '../../server/timeSlices.ts'
import { Refusal, type WebServer } from '../../server/webServer.ts'
import { MAX_RESULTS, resourceWithId, providerConfig, resourceTypes, schemaResources } from './discovery.ts'
import { type JsonObject, MAX_FILTER_CHARACTERS, parseFilter } from './filter.ts'
import {
  applyingOperations,
  fieldIgnoringCase,
  readingMembers,
  readPatchOperations,
  splittingMembers,
} from './patch.ts'
import { MAX_ID_CHARACTERS, readResource } from './resource.ts'
import type { Resources } from './resources.ts'
import { attributeNamed, GROUP_TYPE, type ResourceType } from './schemas.ts'
import { ScimError } from './scimError.ts'
import {
  resourceAddressOf,
  errorBodyOf,
  isAttributeSelected,
  listResponseOf,
  readAttributeSelection,
  SCIM_MEDIA_TYPE,
  selectAttributes,
} from './wire.ts'

export const SCIM_PATH = '/scim/v2'
const BODY_LIMIT_BYTES = 2 * 1024 * 1024
const DEFAULT_COUNT = 100

declare module 'fastify' {
  interface FastifyRequest {
    /** The resources of the organisation that the token identifies; only set in SCIM routes. */
    resources: Resources
  }
}

export type ScimOptions = Readonly<{
  /** The address of SCIM, without a slash at the end. */
  base: () => string
  /** The resources of the organisation whose directory uses this token; null for a wrong token. */
  resourcesOf: (token: string, request: FastifyRequest) => Promise<Resources | null>
}>

const integer = mapSchema(textMatching(/^-?\d{1,9}$/, 'a whole number'), Number)
const idSchema = object({ id: textUpTo(MAX_ID_CHARACTERS) })
const selectionEntries = {
  attributes: optional(textUpTo(MAX_FILTER_CHARACTERS)),
  excludedAttributes: optional(textUpTo(MAX_FILTER_CHARACTERS)),
}
const selectionSchema = object(selectionEntries)
type SelectionQuery = OutOf<typeof selectionSchema>
const listSchema = object({
  ...selectionEntries,
  filter: optional(text),
  startIndex: optional(integer, 1),
  count: optional(integer, DEFAULT_COUNT),
})

export async function addScim(app: WebServer, options: ScimOptions): Promise<void> {
  await app.register((scope: WebServer) => addCalls(scope, options), { prefix: SCIM_PATH })
}

async function addCalls(app: WebServer, { base, resourcesOf }: ScimOptions): Promise<void> {
  app.decorateRequest('resources')

  const readJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>(
    [SCIM_MEDIA_TYPE, 'application/json'],
    { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES },
    (request, body, done) => {
      // Some directories send a content type without a body.
      if (body === '') done(null, undefined)
      else void readJson(request, body, done)
    },
  )
  // Checks the token before the body is read.
  app.addHook('onRequest', async (request, reply) => {
    // Wrong tokens are only limited on routes. Unknown paths skip the check, so that they do not reveal whether a token
    // is valid.
    if (request.is404) return
    const [, sent] = /^Bearer (\S{1,4096})$/i.exec(request.headers.authorization ?? '') ?? []
    const resources = sent === undefined ? null : await resourcesOf(sent, request)
    if (resources !== null) {
      request.resources = resources
      return
    }
    reply.header('WWW-Authenticate', 'Bearer')
    throw new Refusal(
      401,
      'invalid_token',
      sent === undefined ? 'The secret token is missing.' : 'The secret token is wrong.',
    )
  })
  // Converts errors of the web server to SCIM's form too.
  app.addHook('preSerialization', async (_, reply, payload) => {
    reply.type(SCIM_MEDIA_TYPE)
    const { code, message } = (payload ?? {}) as Readonly<{ code?: unknown; message?: unknown }>
    return reply.statusCode >= 400 && typeof code === 'string' && typeof message === 'string'
      ? errorBodyOf(reply.statusCode, code, message)
      : payload
  })
  app.setErrorHandler((error) => {
    if (!(error instanceof ScimError)) throw error
    throw new Refusal(error.code === 'uniqueness' ? 409 : 400, error.code, error.message)
  })
  app.setNotFoundHandler(async () => {
    throw new Refusal(404, 'not_found', 'There is nothing at this address, or not with this method.')
  })

  app.get('/ServiceProviderConfig', async () => providerConfig(base()))
  const lists = [
    ['/ResourceTypes', resourceTypes],
    ['/Schemas', schemaResources],
  ] as const
  for (const [path, all] of lists) {
    const allOf = ({ userType }: Resources) => all(base(), [userType, GROUP_TYPE])
    app.get(path, async ({ resources }) => listResponseOf(allOf(resources), allOf(resources).length, 1))
    app.get(`${path}/:id`, { schema: { params: idSchema } }, async ({ params, resources }) =>
      resourceWithId(allOf(resources), params.id),
    )
  }
  addType(app, '/Users', ({ userType }) => userType, base)
  addType(app, '/Groups', () => GROUP_TYPE, base)
}

const MEMBERS = attributeNamed(GROUP_TYPE.schema.attributes, 'members')

/**
 * Adds the calls for users, or for groups.
 *
 * @param typeOf the type of these resources in an organisation
 */
function addType(
  app: WebServer,
  endpoint: ResourceType['endpoint'],
  typeOf: (resources: Resources) => ResourceType,
  base: () => string,
): void {
  const isGroup = endpoint === '/Groups'
  const body = anything
  const schema = { params: idSchema, querystring: selectionSchema }
  const limit = { bodyLimit: BODY_LIMIT_BYTES }

  const show = async (resources: Resources, id: string, query: SelectionQuery): Promise<JsonObject> => {
    const type = typeOf(resources)
    const selection = readAttributeSelection(query)
    const resource = await resources.read(type, id, isAttributeSelected(type, selection, 'members'))
    return selectAttributes(type, resource, selection)
  }
  /**
   * Responds to a change. Omits the body for a group, which may have thousands of members (RFC 7644, section 3.5.2).
   */
  const answer = async (reply: FastifyReply, resources: Resources, id: string, query: SelectionQuery) =>
    isGroup && query.attributes === undefined ? reply.code(204).send() : show(resources, id, query)
  const readBody = async (resources: Resources, body: unknown, only: boolean) => {
    const values = readResource(typeOf(resources), body)
    if (!isGroup || MEMBERS === null) return { values: { active: true, ...values }, members: null }
    const added = await runInSlices(readingMembers(MEMBERS, fieldIgnoringCase(body as JsonObject, 'members')))
    return { values, members: { only, added, removed: [] } }
  }

  app.post(endpoint, { ...limit, schema: { body, querystring: selectionSchema } }, async (request, reply) => {
    const { resources } = request
    const { values, members: added } = await readBody(resources, request.body, false)
    const type = typeOf(resources)
    const id = await resources.add(type, values, added)
    reply.header('Location', resourceAddressOf(base(), type, id))
    return reply.code(201).send(await show(resources, id, request.query))
  })

  app.get(endpoint, { schema: { querystring: listSchema } }, async ({ query, resources }) => {
    const type = typeOf(resources)
    const selection = readAttributeSelection(query)
    const startIndex = Math.max(1, query.startIndex)
    const { resources: found, total } = await resources.list(type, {
      startIndex,
      count: Math.min(MAX_RESULTS, Math.max(0, query.count)),
      filter: query.filter === undefined || query.filter.trim() === '' ? null : parseFilter(query.filter),
      withMembers: isAttributeSelected(type, selection, 'members'),
    })
    return listResponseOf(
      found.map((resource) => selectAttributes(type, resource, selection)),
      total,
      startIndex,
    )
  })

  app.get(`${endpoint}/:id`, { schema }, async ({ params, query, resources }) =>
    show(resources, params.id, query),
  )

  app.put(`${endpoint}/:id`, { ...limit, schema: { ...schema, body } }, async (request) => {
    const { resources } = request
    const { id } = request.params
    const { values, members: only } = await readBody(resources, request.body, true)
    await resources.change(typeOf(resources), id, async () => values, only)
    return show(resources, id, request.query)
  })

  app.patch(`${endpoint}/:id`, { ...limit, schema: { ...schema, body } }, async (request, reply) => {
    const { resources } = request
    const type = typeOf(resources)
    const { id } = request.params
    const operations = readPatchOperations(request.body)
    if (isGroup) {
      const { members: change, others } = await runInSlices(splittingMembers(type, operations))
      await resources.change(type, id, (values) => runInSlices(others(values)), change)
    } else
      await resources.change(
        type,
        id,
        (values) => runInSlices(applyingOperations(type, values, operations)),
        null,
      )
    return answer(reply, resources, id, request.query)
  })

  app.delete(`${endpoint}/:id`, { schema: { params: idSchema } }, async ({ params, resources }, reply) => {
    await resources.remove(typeOf(resources), params.id)
    return reply.code(204).send()
  })
}
