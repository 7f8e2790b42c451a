/**
 * The web server of the service and of the identity provider: Fastify with exact CORS, schemas and a uniform error
 * format.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, BlockList, isIP } from 'node:net'
import cors from '@fastify/cors'
import Fastify, {
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchemaCompiler,
  type FastifyTypeProvider,
} from 'fastify'
import { BodyTooCostly, createMeteringStream } from './bodyMeter.ts'
import { ipAddressIn } from './clientAddress.ts'
import { expectsHtmlPage, refusalPage } from './refusalPage.ts'
import { runInSlices } from './timeSlices.ts'
import { mismatchIn, readInSteps } from '../../streams/wire/reading.ts'
import type { OutOf, Schema } from '../../streams/kernel/schema.ts'

type RefusalDetails = Readonly<Record<string, string | number>>

/** A refused request: the response is `{ code, message }` with a 4xx or 5xx status. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  /** The seconds after which the client may retry. Null sends no `Retry-After`. */
  readonly retryAfterSeconds: number | null
  /** Further fields in the response. */
  readonly details: RefusalDetails

  constructor(
    status: number,
    code: string,
    message: string,
    retryAfterSeconds: number | null = null,
    { details = {}, ...options }: ErrorOptions & Readonly<{ details?: RefusalDetails }> = {},
  ) {
    super(message, options)
    this.status = status
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
    this.details = details
  }
}

/**
 * Types a handler's `body` and `query` by its route's schemas. An interface, because a type alias cannot use `this`.
 */
interface SchemaTypeProvider extends FastifyTypeProvider {
  readonly validator: this['schema'] extends Schema<unknown> ? OutOf<this['schema']> : unknown
}

export type WebServer = ReturnType<typeof createFastify>

/** A path that ends in `/*` matches every path below it. */
export type RoutePattern = Readonly<{ method: string; path: string }>

/** Hooks for every request: `record` runs on arrival, and `applyFault` may respond in place of the route. */
export type RequestHooks = Readonly<{
  record: (request: FastifyRequest) => void
  applyFault: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}>

export type WebServerOptions = Readonly<{
  /** Addresses and ranges of trusted proxies, whose `X-Forwarded-For` and `X-Request-Id` are used; by default none. */
  trustedProxies?: readonly string[]
  /** The time in milliseconds for running requests to finish when the server closes; by default they are aborted. */
  graceMs?: number
  /** Returns the refusal for an error; null for an unexpected error. */
  refusalFor?: (error: Error) => Refusal | null
  /** Called with each unexpected error, which gets a 500 response; by default it is written to standard error. */
  onFailure?: (error: Error, request: FastifyRequest) => void
  /** Called with the cause of each refusal that has one. */
  onRefusal?: (cause: unknown, request: FastifyRequest) => void
}>

export type RunningServer = Readonly<{
  /** `http://localhost:<port>`, without a trailing slash. */
  url: string
  /** Ends every connection within `graceMs`, and resolves when the port is free. */
  close: () => Promise<void>
}>

export const BODY_LIMIT_BYTES = 64 * 1024
/** How much of a rejected body is still read, so that the client gets the response instead of a broken pipe. */
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

/** The time limit for an incomplete request, so that slow clients do not use up the connections. */
const REQUEST_LIMIT_MS = 60_000
const IDLE_CHECK_MS = 100

/** Rejects an address that Fastify cannot decode or that is too long. Fastify runs no hooks for it. */
type OnBadAddress = (refusal: Refusal, request: FastifyRequest, reply: FastifyReply) => void

function createFastify({ trustedProxies = [], graceMs = 0 }: WebServerOptions, onBadAddress: OnBadAddress) {
  const isTrusted = trustOf(trustedProxies)
  return Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    exposeHeadRoutes: true,
    forceCloseConnections: graceMs === 0 ? true : 'idle',
    frameworkErrors: ({ statusCode }, request, reply) =>
      onBadAddress(statusCode === TOO_LONG.status ? TOO_LONG : NOT_FOUND_REFUSAL, request, reply),
    genReqId: (request) => requestIdOf(request, isTrusted),
    requestTimeout: REQUEST_LIMIT_MS,
    // While the server closes, open connections still get normal responses.
    return503OnClosing: false,
    trustProxy: isTrusted,
    routerOptions: { querystringParser: parseFormFields },
  }).withTypeProvider<SchemaTypeProvider>()
}

/**
 * Creates a server without routes, and the list of routes added later. Bodies are JSON of at most 64 kB. Each response
 * has `X-Request-Id`.
 *
 * @param origins the origins of pages that may read responses, exactly as browsers send them
 */
export async function createWebServer(
  origins: readonly string[],
  watch: RequestHooks | null,
  options: WebServerOptions = {},
): Promise<Readonly<{ app: WebServer; routes: readonly RoutePattern[] }>> {
  const { graceMs = 0, refusalFor = () => null, onFailure = writeFailure, onRefusal } = options
  const routes: RoutePattern[] = []
  const refuse = (refusal: Refusal, request: FastifyRequest, reply: FastifyReply) => {
    const { status, code, message, retryAfterSeconds, details } = refusal
    if (retryAfterSeconds !== null) reply.header('Retry-After', String(retryAfterSeconds))
    reply.code(status)
    if (!expectsHtmlPage(request.headers)) return reply.send({ code, message, ...details })
    const page = refusalPage({
      status,
      headers: request.headers,
      hasHome: routes.some(({ path }) => path === '/'),
      details: [`${String(status)} ${code}`, message, `X-Request-Id: ${request.id}`],
    })
    return reply.headers(page.headers).send(page.body)
  }
  const app = createFastify(options, (refusal, request, reply) => {
    refuse(refusal, request, reply.headers(headersFor(request)))
  })

  app.removeContentTypeParser('text/plain')
  app.setValidatorCompiler(compileValidator)
  app.setErrorHandler(async (error: FastifyError | Refusal, request, reply) => {
    // Close the connection, because the unread rest of the body would be taken for the start of the next request, maybe
    // another client's.
    if (!(await drain(request))) reply.header('Connection', 'close')
    const refusal = error instanceof Refusal ? error : (refusalFor(error) ?? refusalOf(error, request))
    if (refusal === null) onFailure(error, request)
    else if (refusal.cause !== undefined) onRefusal?.(refusal.cause, request)
    return refuse(refusal ?? unexpected(request), request, reply)
  })
  app.setNotFoundHandler((request, reply) => {
    const here = routes.filter(({ path }) => matches(path, requestPathOf(request)))
    if (here.length === 0) throw NOT_FOUND_REFUSAL
    const allowed = here.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    reply.header('Allow', allowed.join(', '))
    throw new Refusal(405, 'method_not_allowed', 'This address does not take that method.')
  })

  app.addHook('onRoute', ({ method, url }) => {
    if (METHODS.includes(String(method))) routes.push({ method: String(method), path: url })
  })
  // Hooks that run for every request take a callback, because an async function would cost a promise and a microtask.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersFor(request))
    watch?.record(request)
    if (request.method === 'OPTIONS') {
      if (request.headers['access-control-request-method'] === undefined) return reply.callNotFound()
      if (!origins.includes(request.headers.origin ?? ''))
        throw new Refusal(403, 'origin_not_allowed', 'Unknown page origin.')
    }
    done()
  })
  app.addHook('preParsing', ({ headers, raw }, _, payload, done) => {
    if (!/json/i.test(headers['content-type'] ?? '')) return done()
    const metered = createMeteringStream()
    raw.once('error', (error) => metered.destroy(error))
    // Fastify listens only until the body is read or rejected. A later error must not end the process.
    metered.on('error', () => {})
    done(null, payload.pipe(metered))
  })
  // Validates bodies in slices, so that other requests run in between. A compiled validator could not pause.
  app.addHook('preValidation', (request, reply, done) => {
    const { body: schema } = (request.routeOptions.schema ?? {}) as Readonly<{ body?: Schema<unknown> }>
    if (schema === undefined) return done()
    void runInSlices(readInSteps(schema, request.body ?? null), { client: disconnectSignal(reply) })
      .then((body) => {
        request.body = body
      })
      .catch(refusing('invalid_body'))
      .then(() => done(), done)
  })
  await app.register(cors, {
    origin: [...origins],
    methods: METHODS,
    allowedHeaders: REQUEST_HEADERS,
    // Pages of other origins may read these headers: the self-test reads `Date`, and retries read `Retry-After`.
    exposedHeaders: ['Date', 'Retry-After'],
    maxAge: 600,
  })
  if (watch) app.addHook('onRequest', watch.applyFault)
  if (graceMs > 0) app.addHook('preClose', async () => endConnections(app, graceMs))

  return { app, routes }
}

const clients = new WeakMap<FastifyReply, AbortSignal>()

/**
 * Returns a signal that aborts when the client disconnects before the whole response was sent, because nobody waits for
 * the work then.
 */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const known = clients.get(reply)
  if (known) return known
  const { raw } = reply
  const leaving = new AbortController()
  clients.set(reply, leaving.signal)
  const leave = () => {
    if (!raw.writableFinished)
      leaving.abort(new Refusal(CLIENT_LEFT, 'client_left', 'The client closed the connection.'))
  }
  if (raw.closed) leave()
  else raw.once('close', leave)
  return leaving.signal
}

/** The status that web servers usually log for a client that disconnected. */
const CLIENT_LEFT = 499

/** Closes each connection when its request ends, and the remaining connections after `graceMs`. */
function endConnections({ server }: WebServer, graceMs: number): void {
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
  const last = setTimeout(() => server.closeAllConnections(), graceMs)
  server.once('close', () => {
    clearInterval(idle)
    clearTimeout(last)
  })
}

/** Returns a function that checks whether an address is in a list of addresses and ranges. */
function trustOf(proxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList()
  const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/')
    if (bits === undefined) trusted.addAddress(address, familyOf(address))
    else trusted.addSubnet(address, Number(bits), familyOf(address))
  }
  return (text) => {
    const address = ipAddressIn(text)
    return address !== null && trusted.check(address, familyOf(address))
  }
}

/**
 * The request id from a trusted proxy, if it is a plain word; else a new id, so that clients cannot write to the log.
 */
function requestIdOf({ headers, socket }: IncomingMessage, isTrusted: (address: string) => boolean): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) && isTrusted(socket.remoteAddress ?? '')
    ? given
    : randomUUID()
}

/**
 * Listens on one address, by default for this machine only. Port 0 takes any free port.
 *
 * @throws the system's error if the port is taken (`code` is `EADDRINUSE`)
 */
export async function listen(app: WebServer, port: number, host = 'localhost'): Promise<RunningServer> {
  await app.listen({ port, host })
  return { url: urlOf(app), close: () => app.close() }
}

/** The address of a listening server. */
export const urlOf = (app: WebServer): string =>
  `http://localhost:${(app.server.address() as AddressInfo).port}`

/** The path of a request, not decoded. */
export const requestPathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? url

/** The fields of a query or form. For a repeated name, the last value wins. */
export const parseFormFields = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text))

const matches = (pattern: string, path: string): boolean =>
  pattern.endsWith('/*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern

/** The length limit of a refusal's message in characters, because the message may quote the request. */
const MAX_MESSAGE_CHARACTERS = 500

/**
 * Turns a schema mismatch into a refusal.
 *
 * @throws Refusal 400, naming the first wrong field; any other error unchanged
 */
const refusing =
  (code: 'invalid_body' | 'invalid_query') =>
  (error: unknown): never => {
    const message = mismatchIn(error)
    throw message === null ? error : new Refusal(400, code, message.slice(0, MAX_MESSAGE_CHARACTERS))
  }

/** Validates parameters and queries without a pause, because they are short. A hook has already validated the body. */
const compileValidator: FastifySchemaCompiler<Schema<unknown>> =
  ({ schema, httpPart }) =>
  (input: unknown) => {
    if (httpPart === 'body') return { value: input }
    try {
      return { value: schema.read(input, '') }
    } catch (error) {
      return refusing('invalid_query')(error)
    }
  }

/** The headers of every response. */
const headersFor = ({ id }: FastifyRequest) => ({
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Origin',
  'X-Request-Id': id,
})

/** The response at an unknown address. */
export const NOT_FOUND_REFUSAL = new Refusal(404, 'not_found', 'There is nothing at this address.')
const TOO_LONG = new Refusal(414, 'address_too_long', 'A part of the address is too long.')
/** Includes the request id, so that the operator finds the original error in the log. */
const unexpected = ({ id }: FastifyRequest): Refusal =>
  new Refusal(500, 'internal_error', 'The service failed; its log says why.', null, {
    details: { request: id },
  })

/** The refusal for an error from Fastify or for a costly body; null for an unexpected error. */
function refusalOf(error: FastifyError, request: FastifyRequest): Refusal | null {
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
  if (error instanceof BodyTooCostly) return new Refusal(400, 'invalid_body', error.message)
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new Refusal(error.statusCode, 'invalid_request', 'The request cannot be read.', null, {
      cause: error,
    })
  return null
}

function writeFailure(error: Error, request: FastifyRequest): void {
  process.stderr.write(`${request.method} ${requestPathOf(request)}: ${error.stack ?? error.message}\n`)
}

/** Reads the rest of a body; false if it is too long to read to its end. */
async function drain({ raw }: FastifyRequest): Promise<boolean> {
  let size = 0
  raw.unpipe()
  for await (const part of raw as AsyncIterable<Buffer>) {
    size += part.length
    if (size > DRAIN_LIMIT_BYTES) return false
  }
  return true
}
