import { createCallSharing } from '../../../streams/kernel/shareInFlight.ts'
import fc from 'fast-check'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Window } from 'happy-dom'
import { asyncScheduler, firstValueFrom, forkJoin, of, VirtualTimeScheduler } from 'rxjs'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createHttp,
  type Http,
  REQUEST_TIMEOUT_MS,
  type ServiceRequest,
} from '../../../src/engine/adapters/http.ts'
import { toCatalogueError } from '../../../streams/pane/catalogue.ts'
import { Failed, type Failure } from '../../../streams/kernel/failure.ts'
import { createSecret, type Secret } from '../../../streams/kernel/secret.ts'
import { cases } from '../../support/cases.ts'

// The client over happy-dom's XMLHttpRequest, which sends real requests with CORS, and a real HTTP server.

type Received = { method: string; url: string; headers: IncomingHttpHeaders; body: string }

const PAGE = 'http://localhost:4400'
let server: Server
let received: Received[]
let respond: RequestListener
let page: Window
let token: Secret | null
let language: string | null

beforeEach(() => {
  received = []
  token = null
  language = null
  respond = (_, response) => response.end('{"ok":true}')
})
beforeAll(async () => {
  server = createServer((request, response) => {
    response.setHeader('Access-Control-Allow-Origin', PAGE)
    response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE')
    response.setHeader(
      'Access-Control-Allow-Headers',
      request.headers['access-control-request-headers'] ?? '',
    )
    if (request.method === 'OPTIONS') return response.end()
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
      respond(request, response)
    })
  })
  await new Promise<void>((listening) => server.listen(0, 'localhost', listening))
  page = new Window({ url: `${PAGE}/pane.html` })
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
  await page.happyDOM.close()
})

const client = (
  createXhr = (): XMLHttpRequest => new page.XMLHttpRequest() as unknown as XMLHttpRequest,
): Http =>
  createHttp({
    sharing: createCallSharing(),
    baseUrl: `http://localhost:${String((server.address() as AddressInfo).port)}`,
    version: '1.2.3',
    token: () => of(token),
    renewToken: null,
    language: () => language,
    time: { scheduler: asyncScheduler },
    createXhr,
  })

const unchanged = (body: unknown): unknown => body
const send = (request: ServiceRequest, http = client()): Promise<unknown> =>
  firstValueFrom(http(request, unchanged))
const failureOf = async (request: ServiceRequest): Promise<Failure> => {
  const error = await send(request).then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Failed)) throw new Error('expected a failure')
  return error.failure
}

describe('the HTTP client', () => {
  it('[HTTP-1] sends GET, POST, PUT and DELETE to the base address, with a JSON body and without credentials', async () => {
    page.document.cookie = 'who=me'
    const http = client()
    await send({ method: 'GET', path: '/a', query: { page: '2', none: undefined } }, http)
    await send({ method: 'POST', path: '/b', body: { x: 'ö' } }, http)
    await send({ method: 'PUT', path: '/c', body: [] }, http)
    await send({ method: 'DELETE', path: '/d' }, http)
    expect(received.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/a?page=2', ''],
      ['POST', '/b', '{"x":"ö"}'],
      ['PUT', '/c', '[]'],
      ['DELETE', '/d', ''],
    ])
    for (const { headers } of received) {
      expect(headers.cookie).toBeUndefined()
      expect(headers['x-requested-with']).toBeUndefined()
    }
  })

  it('[HTTP-1] asks the browser to send no credentials', async () => {
    const asked: boolean[] = []
    class WatchedRequest extends page.XMLHttpRequest {
      override send(...body: Parameters<InstanceType<Window['XMLHttpRequest']>['send']>) {
        asked.push(this.withCredentials)
        super.send(...body)
      }
    }
    for (const method of ['GET', 'PUT'] as const)
      await send(
        { method, path: '/a' },
        client(() => new WatchedRequest() as unknown as XMLHttpRequest),
      )
    expect(asked).toEqual([false, false])
  })

  it('[HTTP-1] aborts a call after 5000 ms, and fails with timeout', () => {
    const scheduler = new VirtualTimeScheduler()
    let aborted = 0
    class SilentRequest extends page.XMLHttpRequest {
      override send() {
        /* without a response */
      }
      override get readyState(): 1 {
        return 1
      }
      override abort() {
        aborted += 1
      }
    }
    const http = createHttp({
      sharing: createCallSharing(),
      baseUrl: 'http://localhost:1',
      version: '1.2.3',
      token: () => of(null),
      renewToken: null,
      language: () => null,
      time: { scheduler },
      createXhr: () => new SilentRequest() as unknown as XMLHttpRequest,
    })
    const failures: unknown[] = []
    http({ method: 'GET', path: '/slow' }, unchanged).subscribe({
      error: (error: unknown) => failures.push([scheduler.frame, (error as Failed).failure]),
    })
    scheduler.flush()
    expect(REQUEST_TIMEOUT_MS).toBe(5000)
    expect(failures).toEqual([[5000, { kind: 'timeout' }]])
    expect(aborted).toBe(1)
  })

  it('fails with network when the browser itself ends a call', async () => {
    class EndedRequest extends page.XMLHttpRequest {
      override send() {
        this.dispatchEvent(new page.Event('abort'))
      }
    }
    const http = client(() => new EndedRequest() as unknown as XMLHttpRequest)
    await expect(send({ method: 'GET', path: '/a' }, http)).rejects.toMatchObject({
      failure: { kind: 'network' },
    })
  })

  it('cancels a request whose caller leaves', () => {
    let aborted = 0
    class SilentRequest extends page.XMLHttpRequest {
      override send() {
        /* without a response */
      }
      override abort() {
        aborted += 1
      }
    }
    const http = client(() => new SilentRequest() as unknown as XMLHttpRequest)
    const [first, second] = [1, 2].map(() => http({ method: 'GET', path: '/slow' }, unchanged).subscribe())
    first?.unsubscribe()
    expect(aborted).toBe(0)
    second?.unsubscribe()
    expect(aborted).toBe(1)
  })

  it("[HTTP-2] sends the caller's headers, too, and a text as what they say it is", async () => {
    await send({
      method: 'POST',
      path: '/a',
      body: 'a;b',
      headers: { 'content-type': 'text/csv', 'x-why': 'so' },
    })
    expect(received[0]?.body).toBe('a;b')
    expect(received[0]?.headers).toMatchObject({
      'content-type': expect.stringMatching(/^text\/csv/) as string,
      'x-why': 'so',
      'x-api-version': '1.0.0',
    })
  })

  it('[HTTP-2] sends its own headers whatever extra headers a caller asks for', async () => {
    const http = client()
    const sentWith = async (headers: Readonly<Record<string, string>>) => {
      await send({ method: 'POST', path: '/a', body: {}, headers }, http)
      return received.at(-1)?.headers ?? {}
    }
    const inAnyCase = (name: string) =>
      fc
        .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
        .map((upper) => name.replace(/./g, (sign, at: number) => (upper[at] ? sign.toUpperCase() : sign)))
    const own = [
      ...['x-api-version', 'x-addin-version', 'x-lsi-version', 'x-addin-trigger'],
      ...['accept-language', 'authorization', 'content-type'],
    ]
    const ownOf = (headers: IncomingHttpHeaders) => own.map((name) => headers[name])
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.oneof(...own.map(inAnyCase), fc.constant('x-why')), fc.constant('other')),
        fc.option(fc.constantFrom('pt', 'de')),
        fc.option(fc.constant('abc.def')),
        async (extra, chosen, bearer) => {
          language = chosen
          token = bearer && createSecret(bearer)
          const expected = ownOf(await sentWith({}))
          const sent = await sentWith(extra)
          expect(ownOf(sent)).toEqual(expected)
          expect(sent['x-why']).toBe(extra['x-why'])
        },
      ),
      cases(25),
    )
  })

  it('[HTTP-2] sends the four headers with every request, and the language once one is chosen', async () => {
    const http = client()
    await send({ method: 'GET', path: '/a' }, http)
    language = 'pt'
    await send({ method: 'POST', path: '/b', body: {} }, http)
    const [first, second] = received
    for (const request of [first, second])
      expect(request?.headers).toMatchObject({
        'x-api-version': '1.0.0',
        'x-addin-version': '1.2.3',
        'x-lsi-version': '1.0',
        'x-addin-trigger': 'taskpane',
      })
    expect(first?.headers['accept-language']).not.toBe('pt')
    expect(second?.headers['accept-language']).toBe('pt')
  })

  it('[HTTP-3] sends the bearer token without double quotes, and none after sign-out', async () => {
    const http = client()
    await send({ method: 'GET', path: '/a' }, http)
    token = createSecret('"abc.def"')
    await send({ method: 'GET', path: '/a' }, http)
    token = null
    await send({ method: 'GET', path: '/a' }, http)
    expect(received.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      'Bearer abc.def',
      undefined,
    ])
  })

  it('[HTTP-4] shares one pending request among identical calls, and sends a new one afterwards', async () => {
    const http = client()
    const same: ServiceRequest = { method: 'GET', path: '/a', query: { page: '1' } }
    const results = await firstValueFrom(forkJoin([http(same, unchanged), http({ ...same }, unchanged)]))
    expect(results).toEqual([{ ok: true }, { ok: true }])
    expect(received).toHaveLength(1)
    await send(same, http)
    expect(received).toHaveLength(2)
    await firstValueFrom(
      forkJoin([http(same, unchanged), http({ ...same, query: { page: '2' } }, unchanged)]),
    )
    expect(received).toHaveLength(4)
  })

  it('[HTTP-4] shares a POST only when it is marked as shared', async () => {
    const http = client()
    const post: ServiceRequest = { method: 'POST', path: '/a', body: {} }
    await firstValueFrom(forkJoin([http(post, unchanged), http(post, unchanged)]))
    expect(received).toHaveLength(2)
    const shared: ServiceRequest = { ...post, shared: true }
    await firstValueFrom(forkJoin([http(shared, unchanged), http(shared, unchanged)]))
    expect(received).toHaveLength(3)
  })

  it('[HTTP-4] a read that is asked after a write does not share an answer from before it', async () => {
    const http = client()
    const read: ServiceRequest = { method: 'GET', path: '/a' }
    const write: ServiceRequest = { method: 'PUT', path: '/a', body: {} }
    let kept = 'old'
    let endFirst = (): void => undefined
    respond = ({ method }, response) => {
      if (method === 'PUT') {
        kept = 'new'
        response.end('{}')
        return
      }
      const answer = JSON.stringify(kept)
      // The first read is answered last.
      if (kept === 'old') endFirst = () => response.end(answer)
      else response.end(answer)
    }
    const before = send(read, http)
    await vi.waitFor(() => {
      expect(received).toHaveLength(1)
    })
    await send(write, http)
    expect(await send(read, http)).toBe('new')
    endFirst()
    expect(await before).toBe('old')
  })

  it('[HTTP-4] fails every caller of a shared call, and does not cache the failure', async () => {
    respond = (_, response) => response.writeHead(503).end()
    const http = client()
    const calls = [send({ method: 'GET', path: '/a' }, http), send({ method: 'GET', path: '/a' }, http)]
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(received).toHaveLength(1)
    respond = (_, response) => response.end('1')
    await expect(send({ method: 'GET', path: '/a' }, http)).resolves.toBe(1)
  })

  it('[HTTP-5] fails differently without a response and with an error status', async () => {
    respond = (request) => request.socket.destroy()
    const cut = await failureOf({ method: 'GET', path: '/a' })
    expect(cut).toEqual({ kind: 'network' })
    expect(toCatalogueError(cut)).toEqual({ code: 'NETWORK_ERROR' })

    respond = (_, response) => response.writeHead(409).end('{"code":"variable_is_locked","message":"no"}')
    const refused = await failureOf({ method: 'PUT', path: '/a', body: {} })
    expect(toCatalogueError(refused)).toEqual({
      code: 'REPOSITORY_ERROR',
      status: 409,
      detail: 'variable_is_locked',
      data: { code: 'variable_is_locked', message: 'no' },
    })

    for (const status of [400, 502]) {
      respond = (_, response) => response.writeHead(status).end('<html>bad gateway</html>')
      const failure = await failureOf({ method: 'GET', path: '/a' })
      expect(failure).toEqual({ kind: 'http', status, code: null, data: null })
    }
  })

  it('[SRV-27] [HTTP-5] says when the service takes a refused request again, and nothing where it does not say', async () => {
    const waits = async (headers: Readonly<Record<string, string>>) => {
      respond = (_, response) =>
        response.setHeader('Access-Control-Expose-Headers', 'Date, Retry-After').writeHead(503, headers).end()
      const failure = await failureOf({ method: 'GET', path: '/a' })
      return failure.kind === 'http' ? failure.retryAfter : null
    }
    const date = 'Fri, 20 Nov 2026 09:00:00 GMT'
    expect(await waits({ 'Retry-After': '5' })).toBe(5_000)
    expect(await waits({ 'Retry-After': '3600' })).toBe(60_000)
    expect(await waits({ 'Retry-After': 'Fri, 20 Nov 2026 09:00:07 GMT', Date: date })).toBe(7_000)
    expect(await waits({ 'Retry-After': 'later' })).toBeUndefined()
    expect(await waits({ Date: date })).toBeUndefined()
  })

  it.each(['<html>sign in to this network</html>', '{"half":', '{"ok":tru'])(
    '[HTTP-5] fails with malformed for a 200 that is no JSON: %s',
    async (body) => {
      respond = (_, response) => response.end(body)
      const failure = await failureOf({ method: 'GET', path: '/a' })
      expect(failure).toEqual({ kind: 'malformed', at: 'body' })
      expect(toCatalogueError(failure)).toMatchObject({
        code: 'REPOSITORY_ERROR',
        detail: 'malformed_response',
      })
    },
  )

  it('[KNOW-4] gives the status, and the date of the service where the page may see it', async () => {
    const probe = () => firstValueFrom(client()({ method: 'GET', path: '/probe' }, (_body, info) => info))
    respond = (_, response) =>
      response
        .setHeader('Access-Control-Expose-Headers', 'Date, Up-Date')
        .setHeader('Up-Date', 'yesterday')
        .writeHead(203, { date: 'Fri, 20 Nov 2026 09:00:00 GMT' })
        .end('{}')
    expect(await probe()).toEqual({ status: 203, date: Date.UTC(2026, 10, 20, 9) })
    respond = (_, response) => response.writeHead(200, { date: 'yesterday' }).end('{}')
    expect(await probe()).toEqual({ status: 200, date: null })
  })

  it('reads a response without a body as undefined', async () => {
    respond = (_, response) => response.writeHead(204).end()
    await expect(send({ method: 'PUT', path: '/a', body: {} })).resolves.toBeUndefined()
  })
})
