/** What the service and the identity provider share: Fastify with exact CORS, valibot schemas, one form of refusal. */
import type { AddressInfo } from 'node:net'
import cors from '@fastify/cors'
import Fastify, {
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchemaCompiler,
  type FastifyTypeProvider,
} from 'fastify'
import * as v from 'valibot'

/** A request that is answered with `{ code, message }` and a 4xx or 5xx status. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** A handler's `body` and `query` have the output type of its route's schemas. An interface, because of `this`. */
interface ValibotTypeProvider extends FastifyTypeProvider {
  readonly validator: this['schema'] extends v.GenericSchema ? v.InferOutput<this['schema']> : unknown
}

export type WebServer = ReturnType<typeof createFastify>

/** A path that ends in `/*` stands for every path below it. */
export type RouteName = Readonly<{ method: string; path: string }>

/** Hooks of every request: `record` runs on arrival, `applyFault` may answer instead of the route. */
export type Watch = Readonly<{
  record: (request: FastifyRequest) => void
  applyFault: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}>

export type RunningServer = Readonly<{
  /** `http://localhost:<port>`, without a slash at the end. */
  url: string
  /** Ends every connection and resolves when the port is free. */
  close: () => Promise<void>
}>

const BODY_LIMIT_BYTES = 64 * 1024
/** How deep the objects and lists of a body may be nested. Deeper ones would exhaust the stack of what reads them. */
const MAX_BODY_DEPTH = 32
/** A refused body is read up to here, so that the client gets the refusal and not a broken pipe. */
const DRAIN_LIMIT_BYTES = 16 * 1024 * 1024
const METHODS = ['GET', 'POST', 'PUT', 'DELETE']
const REQUEST_HEADERS = [
  'Accept',
  'Accept-Language',
  'Authorization',
  'Content-Type',
  'X-Addin-Trigger',
  'X-Addin-Version',
  'X-Api-Version',
  'X-LSI-Version',
]

function createFastify() {
  return Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    routerOptions: { querystringParser: parseFields },
  }).withTypeProvider<ValibotTypeProvider>()
}

/**
 * A server without routes, and the list that a route joins when it is added. Bodies are JSON of at most 64 kB.
 *
 * @param origins of the pages that may read responses, exactly as a browser sends them
 */
export async function createWebServer(
  origins: readonly string[],
  watch: Watch | null,
): Promise<Readonly<{ app: WebServer; routes: readonly RouteName[] }>> {
  const app = createFastify()
  const routes: RouteName[] = []

  app.removeContentTypeParser('text/plain')
  app.setValidatorCompiler(compileValidator)
  app.setErrorHandler(async (error: FastifyError | Refusal, request, reply) => {
    await drain(request)
    const { status, code, message } = error instanceof Refusal ? error : refusalOf(error, request)
    return reply.code(status).send({ code, message })
  })
  app.setNotFoundHandler((request, reply) => {
    const here = routes.filter(({ path }) => matches(path, pathOf(request)))
    if (here.length === 0) throw new Refusal(404, 'not_found', 'There is nothing at this address.')
    reply.header('Allow', here.map(({ method }) => method).join(', '))
    throw new Refusal(405, 'method_not_allowed', 'This address does not take that method.')
  })

  app.addHook('onRoute', ({ method, url }) => {
    if (METHODS.includes(String(method))) routes.push({ method: String(method), path: url })
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', Vary: 'Origin' })
    watch?.record(request)
    if (request.method !== 'OPTIONS') return
    if (request.headers['access-control-request-method'] === undefined) return reply.callNotFound()
    if (!origins.includes(request.headers.origin ?? ''))
      throw new Refusal(403, 'origin_not_allowed', 'Unknown page origin.')
  })
  // Before the schemas, which could already be too deep to check.
  app.addHook('preValidation', async ({ body }) => {
    if (isDeeperThan(MAX_BODY_DEPTH, body))
      throw new Refusal(400, 'invalid_body', `The body is nested deeper than ${MAX_BODY_DEPTH} levels.`)
  })
  await app.register(cors, {
    origin: [...origins],
    methods: METHODS,
    allowedHeaders: REQUEST_HEADERS,
    // The self-test compares clocks.
    exposedHeaders: 'Date',
    maxAge: 600,
  })
  if (watch) app.addHook('onRequest', watch.applyFault)

  return { app, routes }
}

/**
 * Listens on localhost; 0 takes any free port.
 *
 * @throws the system's error when the port is not free (`code` is `EADDRINUSE`)
 */
export async function listen(app: WebServer, port: number): Promise<RunningServer> {
  await app.listen({ port, host: 'localhost' })
  return { url: urlOf(app), close: () => app.close() }
}

/** The address of a server that listens. */
export const urlOf = (app: WebServer): string =>
  `http://localhost:${(app.server.address() as AddressInfo).port}`

/** The path of a request, as it was sent. */
export const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? url

/** The fields of a query or a form. The last value of a repeated name counts. */
export const parseFields = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text))

/** Whether objects and lists are nested in more than this many levels in a value. */
function isDeeperThan(levels: number, value: unknown): boolean {
  let level: readonly unknown[] = [value]
  for (let left = levels; left >= 0; left--) {
    const nested = level.filter((each) => typeof each === 'object' && each !== null)
    if (nested.length === 0) return false
    level = nested.flatMap((each): readonly unknown[] => Object.values(each))
  }
  return true
}

const matches = (pattern: string, path: string): boolean =>
  pattern.endsWith('/*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern

/** Refuses with `invalid_body` or `invalid_query`, naming the first field that is wrong. */
const compileValidator: FastifySchemaCompiler<v.GenericSchema> =
  ({ schema, httpPart }) =>
  (input: unknown) => {
    const result = v.safeParse(schema, input)
    if (result.success) return { value: result.output }
    const [issue] = result.issues
    const field = v.getDotPath(issue)
    const message = field === null ? issue.message : `${field}: ${issue.message}`
    return { error: new Refusal(400, httpPart === 'body' ? 'invalid_body' : 'invalid_query', message) }
  }

function refusalOf(error: FastifyError, request: FastifyRequest): Refusal {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal(
        413,
        'body_too_large',
        `The body is longer than ${request.routeOptions.bodyLimit} bytes.`,
      )
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal(415, 'unsupported_media_type', 'The body must be sent as application/json.')
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new Refusal(400, 'invalid_json', 'The body is not JSON.')
  }
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new Refusal(error.statusCode, 'invalid_request', error.message)
  process.stderr.write(`${request.method} ${pathOf(request)}: ${error.stack ?? error.message}\n`)
  return new Refusal(500, 'internal_error', 'The service failed; its log says why.')
}

async function drain({ raw }: FastifyRequest): Promise<void> {
  let size = 0
  for await (const part of raw as AsyncIterable<Buffer>) {
    size += part.length
    if (size > DRAIN_LIMIT_BYTES) break
  }
}
