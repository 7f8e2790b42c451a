/**
 * What both demonstration servers stand on: routes with checked input over node:http, exact CORS, a limit on
 * bodies, and one form of refusal.
 */
import { setMaxListeners } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import type { Fault } from './faults.ts'

/** A call that is answered with `{ code, message }` and a 4xx or 5xx status. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** What goes back: nothing (204), a JSON body, a page, another address, or bytes that a browser may keep for a year. */
export type Answer =
  | { readonly status: 204 }
  | { readonly status: number; readonly html: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly status: 303; readonly location: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly status: number; readonly json: unknown }
  | { readonly status: 200; readonly bytes: Uint8Array; readonly mediaType: string }

/** What every route is given before its own checks. */
export interface Call {
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly origin: string | null
  /** The body as it came; empty when there was none. */
  readonly body: Buffer
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** An exact path, or one that ends in `/*` for everything below it. */
  readonly path: string
  /** The longest body taken, in bytes; a longer one is refused with 413. */
  readonly bodyLimit: number
  /** Control calls are neither listed in the journal nor subject to faults. */
  readonly isControl?: boolean
  readonly answer: (call: Call) => Promise<Answer>
}

/** What is told of every request, and may spoil it. */
export interface Watch {
  /** Hears of a request on arrival; `bodySize` (bytes) is filled in when the body has been read. */
  readonly note: (method: string, url: URL, headers: IncomingHttpHeaders) => { bodySize: number }
  /** The fault to apply to this call now, counting it off; a fault for the call goes before one for all. */
  readonly take: (called: Pick<Route, 'method' | 'path'>) => Fault | null
}

export interface WebServerOptions {
  /** 0 takes any free port. */
  readonly port: number
  /** Origins of the pages that may read answers, exactly as a browser sends them. */
  readonly origins: readonly string[]
  /** Built once the address is known, because answers may carry absolute addresses. */
  readonly routes: (url: string) => readonly Route[]
  readonly watch: Watch | null
}

export interface RunningServer {
  /** `http://localhost:<port>`, without a slash at the end. */
  readonly url: string
  /** Ends every connection and resolves when the port is free. */
  readonly close: () => Promise<void>
}

const jsonBodyLimitBytes = 64 * 1024
/** Beyond its limit a body is still read up to here, so that the sender gets the 413 and not a broken pipe. */
const drainedBytesAtMost = 16 * 1024 * 1024
const requestHeaders = [
  'Accept',
  'Accept-Language',
  'Authorization',
  'Content-Type',
  'X-Addin-Trigger',
  'X-Addin-Version',
  'X-Api-Version',
  'X-LSI-Version',
].join(', ')

export const ok = (json: unknown): Answer => ({ status: 200, json })
export const done: Answer = { status: 204 }

/**
 * Checks `input` against `schema`.
 *
 * @throws Refusal 400 with `code`, naming the first field that is wrong
 */
export function checked<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  code: 'invalid_query' | 'invalid_body',
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input)
  if (result.success) return result.output
  const [issue] = result.issues
  const field = v.getDotPath(issue)
  throw new Refusal(400, code, field === null ? issue.message : `${field}: ${issue.message}`)
}

/** The query as a plain object; of a repeated name the last value counts. */
export function queryOf(call: Call): Record<string, string> {
  return Object.fromEntries(call.url.searchParams)
}

/**
 * The JSON body of a call, unchecked.
 *
 * @throws Refusal 415 for another media type, 400 `invalid_json` for what cannot be parsed
 */
export function jsonOf(call: Call): unknown {
  const mediaType = (call.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (mediaType !== 'application/json') {
    throw new Refusal(415, 'unsupported_media_type', 'The body must be sent as application/json.')
  }
  try {
    return JSON.parse(call.body.toString('utf8'))
  } catch {
    throw new Refusal(400, 'invalid_json', 'The body is not JSON.')
  }
}

/** The fields of a form that was sent, as a browser or an OAuth client sends one; of a repeated name the last counts. */
export function formOf(call: Call): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(call.body.toString('utf8')))
}

/** A route for bodies of ordinary size; `over` overrides. */
export function route(
  method: Route['method'],
  path: string,
  answer: Route['answer'],
  over: Partial<Pick<Route, 'bodyLimit'>> = {},
): Route {
  return { method, path, answer, bodyLimit: jsonBodyLimitBytes, ...over }
}

/**
 * Listens on localhost.
 *
 * @throws the system's error when the port cannot be had (`code` is `EADDRINUSE` when it is taken)
 */
export async function startWebServer(options: WebServerOptions): Promise<RunningServer> {
  const { origins, watch } = options
  const closing = new AbortController()
  // Every answer that is late listens to it, and Node would warn of the eleventh.
  setMaxListeners(0, closing.signal)
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, 'localhost', () => {
      server.off('error', reject)
      resolve()
    })
  })
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const routes = options.routes(url)

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const origin = request.headers.origin ?? null
    response.setHeader('Vary', 'Origin')
    response.setHeader('X-Content-Type-Options', 'nosniff')
    response.setHeader('Cache-Control', 'no-store')
    const isAllowed = origin !== null && origins.includes(origin)
    if (isAllowed) response.setHeader('Access-Control-Allow-Origin', origin)
    // The self-test compares clocks.
    response.setHeader('Access-Control-Expose-Headers', 'Date')

    const target = request.url ?? ''
    if (!target.startsWith('/') || !URL.canParse(url + target)) {
      return refuse(response, new Refusal(400, 'invalid_address', 'The address cannot be read.'))
    }
    const address = new URL(url + target)
    const here = routes.filter(({ path }) => matches(path, address.pathname))
    const isControl = here.some((candidate) => candidate.isControl)
    const entry = isControl ? null : (watch?.note(request.method ?? '', address, request.headers) ?? null)

    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      if (!isAllowed) return refuse(response, new Refusal(403, 'origin_not_allowed', 'Unknown page origin.'))
      response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE')
      response.setHeader('Access-Control-Allow-Headers', requestHeaders)
      response.setHeader('Access-Control-Max-Age', '600')
      response.writeHead(204).end()
      return
    }

    const match = here.find(({ method }) => method === request.method)
    const body = await readBody(request, match?.bodyLimit ?? jsonBodyLimitBytes)
    if (entry !== null) entry.bodySize = body.size

    const fault = match === undefined || isControl ? null : (watch?.take(match) ?? null)
    if (fault?.kind === 'delay') await pause(fault.ms, undefined, { signal: closing.signal })
    else if (fault !== null) return fail(fault, response)

    try {
      if (here.length === 0) throw new Refusal(404, 'not_found', 'There is nothing at this address.')
      if (match === undefined) {
        response.setHeader('Allow', here.map(({ method }) => method).join(', '))
        throw new Refusal(405, 'method_not_allowed', 'This address does not take that method.')
      }
      if (body.bytes === null) {
        response.setHeader('Connection', 'close')
        throw new Refusal(413, 'body_too_large', `The body is longer than ${match.bodyLimit} bytes.`)
      }
      send(response, await match.answer({ url: address, headers: request.headers, origin, body: body.bytes }))
    } catch (error) {
      if (error instanceof Refusal) return refuse(response, error)
      process.stderr.write(
        `${request.method} ${address.pathname}: ${error instanceof Error ? error.stack : 'failed'}\n`,
      )
      refuse(response, new Refusal(500, 'internal_error', 'The service failed; its log says why.'))
    }
  }

  server.on('request', (request, response) => {
    // Only a connection that went away, or the end of the server during a delay, gets here.
    handle(request, response).catch(() => request.socket.destroy())
  })

  return {
    url,
    close: () =>
      new Promise((resolve) => {
        closing.abort()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function matches(pattern: string, path: string): boolean {
  return pattern.endsWith('/*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
}

async function readBody(
  request: IncomingMessage,
  limit: number,
): Promise<{ readonly bytes: Buffer | null; readonly size: number }> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size <= limit) parts.push(part)
    else if (size > drainedBytesAtMost) break
  }
  return { bytes: size > limit ? null : Buffer.concat(parts), size }
}

function send(response: ServerResponse, answer: Answer): void {
  if ('bytes' in answer) {
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
    response.writeHead(200, { 'Content-Type': answer.mediaType, 'Content-Length': answer.bytes.length })
    response.end(answer.bytes)
  } else if ('html' in answer) {
    response.writeHead(answer.status, { ...answer.headers, 'Content-Type': 'text/html; charset=utf-8' })
    response.end(answer.html)
  } else if ('location' in answer) {
    response.writeHead(answer.status, { ...answer.headers, Location: answer.location }).end()
  } else if ('json' in answer) {
    response.writeHead(answer.status, { 'Content-Type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify(answer.json))
  } else {
    response.writeHead(answer.status).end()
  }
}

function refuse(response: ServerResponse, { status, code, message }: Refusal): void {
  send(response, { status, json: { code, message } })
}

function fail(fault: Exclude<Fault, { kind: 'delay' }>, response: ServerResponse): void {
  switch (fault.kind) {
    case 'status':
      return refuse(response, new Refusal(fault.status, fault.code ?? 'fault', 'A fault that was asked for.'))
    case 'cut':
      response.socket?.destroy()
      return
    case 'malformed':
      response
        .writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' })
        .end('{ "data": { "url": ')
      return
    case 'wrongShape':
      return send(response, ok({ unexpected: true }))
    case 'empty':
      response.writeHead(200, { 'Content-Length': 0 }).end()
      return
    case 'html':
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
      response.end('<!doctype html><title>Sign in to the guest network</title><h1>Welcome</h1>')
  }
}
