import { once } from 'node:events'
import { Agent, type IncomingMessage, request, type RequestOptions } from 'node:http'
import { connect } from 'node:net'
import type { InjectOptions } from 'fastify'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MAX_BODY_VALUES } from '../../src/server/bodyMeter.ts'
import { createTestControl } from '../../src/server/control.ts'
import { refuseForeignOrigins } from '../../src/server/strangers.ts'
import {
  createWebServer,
  listen,
  Refusal,
  type RunningServer,
  type RequestHooks,
  type WebServer,
  type WebServerOptions,
} from '../../src/server/webServer.ts'
import { integerText } from '../../streams/kernel/limits.ts'
import { anything, number, object, optional, text } from '../../streams/kernel/schema.ts'

const running: RunningServer[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ close }) => close()))
})

async function start(options: WebServerOptions, addTo: (app: WebServer) => void): Promise<RunningServer> {
  const { app } = await createWebServer([], null, options)
  addTo(app)
  const server = await listen(app, 0, '127.0.0.1')
  running.push(server)
  return server
}

type Received = Readonly<{ status: number; headers: IncomingMessage['headers']; text: string }>

/** Sends the path as it is, over the agent's connections. */
const send = ({ url }: RunningServer, options: RequestOptions & { body?: string } = {}): Promise<Received> =>
  new Promise((resolve, reject) => {
    const { body, ...others } = options
    const { port } = new URL(url)
    const sent = request({ host: '127.0.0.1', port, path: '/', ...others }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      response.on('error', reject)
    }).on('error', reject)
    sent.end(body)
  })

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

describe('the id of a request', () => {
  const answering = (trustedProxies: readonly string[] = ['127.0.0.1']) =>
    start({ trustedProxies }, (app) => app.get('/', async ({ id }) => ({ id })))
  const idFor = async (server: RunningServer, given?: string) => {
    const { headers, text } = await send(server, {
      headers: given === undefined ? {} : { 'X-Request-Id': given },
    })
    expect((JSON.parse(text) as { id: string }).id).toBe(headers['x-request-id'])
    return headers['x-request-id']
  }

  it.each(['127.0.0.1', '127.0.0.0/8', '::ffff:127.0.0.1', '::ffff:7f00:0/104'])(
    "is the proxy's at %s, when it is a plain word",
    async (proxy) => {
      expect(await idFor(await answering(['2001:db8::/32', proxy]), '7f3a-91c0.A_b')).toBe('7f3a-91c0.A_b')
    },
  )

  it.each([[[]], [['127.0.0.2']], [['10.0.0.0/8', '::1']]])(
    'is made when no trusted proxy gave it: %j',
    async (proxies) => {
      const server = await answering(proxies)
      const forwarded = { 'X-Request-Id': '7f3a-91c0.A_b', 'X-Forwarded-For': '10.0.0.1' }
      expect((await send(server, { headers: forwarded })).headers['x-request-id']).toMatch(UUID)
    },
  )

  it.each([
    ['too short', 'abc'],
    ['too long', 'a'.repeat(65)],
    ['an address', 'alex.kim@northwind.example'],
    ['with a space', 'abcdefgh ijklmnop'],
    ['markup', '<script>alert(1)</script>'],
    ['not ASCII', 'abcdefgh\u00e9'],
    ['empty', ''],
  ])('is made when the given one is %s', async (_, given) => {
    const server = await answering()
    const [first, second] = [await idFor(server, given), await idFor(server, given)]
    for (const id of [first, second]) expect(id).toMatch(UUID)
    expect(second).not.toBe(first)
  })
})

describe('the address of a client', () => {
  const telling = (trustedProxies: readonly string[]) =>
    start({ trustedProxies }, (app) => app.get('/', async ({ ip }) => ip))
  const headers = { 'X-Forwarded-For': '203.0.113.7, 198.51.100.4' }

  it('is that of the connection when no proxy is trusted', async () => {
    expect((await send(await telling([]), { headers })).text).toBe('127.0.0.1')
  })

  it('is that which the trusted proxies saw, and not what the client says', async () => {
    expect((await send(await telling(['127.0.0.0/8']), { headers })).text).toBe('198.51.100.4')
    const both = await telling(['127.0.0.1', '198.51.100.0/24'])
    expect((await send(both, { headers })).text).toBe('203.0.113.7')
    const withPorts = { 'X-Forwarded-For': '203.0.113.7, 198.51.100.4:40001' }
    expect((await send(both, { headers: withPorts })).text).toBe('203.0.113.7')
    const unknown = { 'X-Forwarded-For': 'unknown' }
    expect((await send(await telling(['127.0.0.1', '0.0.0.0/0']), { headers: unknown })).text).toBe('unknown')
  })
})

describe('an error', () => {
  class Away extends Error {}
  const failing = (error: Error, heard: Error[] = []) =>
    start(
      {
        refusalFor: (each) =>
          each instanceof Away ? new Refusal(503, 'unavailable', 'Try again.', 5) : null,
        onFailure: (each) => void heard.push(each),
      },
      (app) =>
        app.get('/', async () => {
          throw error
        }),
    )

  it('that is known is its refusal, which says when to try again', async () => {
    const heard: Error[] = []
    const { status, headers, text } = await send(await failing(new Away('db-7 is away'), heard))
    expect([status, headers['retry-after'], JSON.parse(text)]).toEqual([
      503,
      '5',
      { code: 'unavailable', message: 'Try again.' },
    ])
    expect(heard).toEqual([])
  })

  it('that is unexpected is heard, and its text does not leave the server', async () => {
    const heard: Error[] = []
    const error = new Error('row of alex.kim@northwind.example')
    const { status, text } = await send(await failing(error, heard))
    expect(status).toBe(500)
    expect(text).not.toContain('alex')
    expect(heard).toEqual([error])
  })

  it('of the request is neither heard nor without its reason', async () => {
    const heard: Error[] = []
    const server = await failing(new Refusal(409, 'conflict', 'Another was first.'), heard)
    expect(await send(server)).toMatchObject({
      status: 409,
      text: expect.stringContaining('conflict') as string,
    })
    expect((await send(server)).headers['retry-after']).toBeUndefined()
    expect(heard).toEqual([])
  })
})

describe('a body', () => {
  const taking = () =>
    start({}, (app) => app.post('/', { schema: { body: anything }, bodyLimit: 4096 }, async () => 'taken'))
  const post = (server: RunningServer, body: string) =>
    send(server, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })

  it('of 20 MB is refused before it is read, and the server goes on', async () => {
    const server = await taking()
    // The client may still be sending when the server has answered and closes.
    const refused = await post(server, `"${'a'.repeat(20 * 1024 * 1024)}"`).catch((error: unknown) => error)
    if (!(refused instanceof Error)) expect(refused).toMatchObject({ status: 413 })
    expect((await post(server, '{}')).status).toBe(200)
  })

  it.each([
    ['of 17 MB, which is not read to its end, ends the connection of a proxy', 17 * 1024 * 1024, 'close'],
    ['of 8 kB leaves the connection of a proxy to the next request', 8 * 1024, 'keep-alive'],
  ])('that is refused, %s', async (_, bytes, connection) => {
    const { url } = await start({}, (app) =>
      app.post('/', {
        onRequest: async () => Promise.reject(new Refusal(401, 'invalid_token', 'Sign in.')),
        handler: async () => 'taken',
      }),
    )
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${String(bytes)}\r\n\r\n`,
    )
    socket.write(Buffer.alloc(bytes, 'a'))
    let head = ''
    for await (const part of socket.setEncoding('latin1') as AsyncIterable<string>) {
      head += part
      if (head.includes('\r\n\r\n')) break
    }
    socket.destroy()
    expect(head).toMatch(/^HTTP\/1\.1 401 /)
    expect(/^connection: (\S+)/im.exec(head)?.[1]).toBe(connection)
  })

  it.each([
    ['lists', '['.repeat(2000) + ']'.repeat(2000)],
    ['objects', '{"a":'.repeat(500) + '1' + '}'.repeat(500)],
  ])('with %s in each other without end is refused', async (_, body) => {
    const server = await taking()
    const { status, text } = await post(server, body)
    expect([status, (JSON.parse(text) as { code: string }).code]).toEqual([400, 'invalid_body'])
  })

  it('with more values than any folder has is refused, and one with as many is read', async () => {
    const { url } = await start({}, (app) =>
      app.post('/', { schema: { body: anything }, bodyLimit: 4 * MAX_BODY_VALUES }, async () => 'taken'),
    )
    const status = async (body: string) =>
      (await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })).status
    // The list is one of them.
    expect(await status(`[${'1,'.repeat(MAX_BODY_VALUES - 2)}1]`)).toBe(200)
    expect(await status(`[${'1,'.repeat(MAX_BODY_VALUES - 1)}1]`)).toBe(400)
  })

  it('that names the prototype of objects is refused', async () => {
    expect((await post(await taking(), '{"__proto__":{"isAdmin":true}}')).status).toBe(400)
  })
})

describe('a header in a request', () => {
  it('cannot put a line of its own into the answer', async () => {
    const server = await start({ trustedProxies: ['127.0.0.1'] }, (app) => app.get('/', async () => 'fine'))
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.end('GET / HTTP/1.1\r\nHost: a\r\nX-Request-Id: abcdefgh\rX-Evil: 1\r\nConnection: close\r\n\r\n')
    let answer = ''
    socket.setEncoding('utf8').on('data', (part: string) => (answer += part))
    await once(socket, 'close')
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer.toLowerCase()).not.toContain('x-evil')
  })
})

describe('a server that closes', () => {
  /** A server with a route that answers when the test says so. */
  async function holding(graceMs: number) {
    let arrived = () => {}
    let release = () => {}
    const hasArrived = new Promise<void>((resolve) => (arrived = resolve))
    const held = new Promise<void>((resolve) => (release = resolve))
    const server = await start({ graceMs }, (app) => {
      app.get('/', async () => 'fine')
      app.get('/slow', async () => {
        arrived()
        await held
        return 'done'
      })
    })
    return { server, hasArrived, release }
  }

  it('ends running requests and idle connections, and takes no new one', async () => {
    const { server, hasArrived, release } = await holding(60_000)
    const agent = new Agent({ keepAlive: true })
    await send(server, { agent })
    const slow = send(server, { path: '/slow', agent: new Agent({ keepAlive: true }) })
    await hasArrived
    let isClosed = false
    const closed = server.close().then(() => (isClosed = true))
    // The port is free as soon as the server listens no more; until then the request is answered.
    for (;;) if ((await send(server).catch(() => null)) === null) break
    expect(isClosed).toBe(false)
    release()
    expect((await slow).text).toBe('done')
    await closed
    agent.destroy()
  })

  it('cuts off what still runs when its grace is over', async () => {
    const { server, hasArrived } = await holding(50)
    const slow = send(server, { path: '/slow' }).catch(
      (error: unknown) => (error as NodeJS.ErrnoException).code,
    )
    await hasArrived
    await server.close()
    expect(await slow).toBe('ECONNRESET')
  })
})

describe('HEAD', () => {
  it('has the status and the headers of GET, and no body', async () => {
    const { app } = await createWebServer([], null)
    app.get('/text', async (_, reply) => reply.header('X-Kept', 'yes').send('five!'))
    app.get('/list', async () => [1, 2])
    app.get('/not', async () => {
      throw new Refusal(409, 'not_now', 'Not now.')
    })
    for (const [url, status, length] of [
      ['/text', 200, 5],
      ['/list', 200, 5],
      ['/not', 409, null],
      ['/nowhere', 404, null],
    ] as const) {
      const [got, head] = [await app.inject(url), await app.inject({ method: 'HEAD', url })]
      expect([head.statusCode, head.body, got.statusCode]).toEqual([status, '', status])
      for (const name of ['content-type', 'content-length', 'x-kept'])
        expect(head.headers[name]).toEqual(got.headers[name])
      if (length !== null) expect(head.headers['content-length']).toBe(String(length))
    }
  })
})

describe('a request', () => {
  const ORIGIN = 'https://pages.example'
  const query = object({ n: optional(integerText(0, 9), 1) })
  const body = object({ a: object({ b: number }) })

  async function serverWith(options: WebServerOptions = {}, watch: RequestHooks | null = null) {
    const made = await createWebServer([ORIGIN], watch, options)
    made.app.get('/here', { schema: { querystring: query } }, async (request) => request.query)
    made.app.post('/here', { schema: { body }, bodyLimit: 100 }, async (request) => request.body)
    made.app.delete('/files/*', async () => ({}))
    made.app.get('/broken', async () => {
      throw Object.assign(new Error('teapot'), { statusCode: 418 })
    })
    made.app.get('/failed', async () => {
      throw Object.assign(new Error('secret'), { statusCode: 500 })
    })
    return made
  }
  const answer = async (options: string | InjectOptions) => {
    const { app } = await serverWith({ onFailure: () => undefined })
    const { statusCode, headers, body: text } = await app.inject(options)
    return { status: statusCode, headers, body: text === '' ? null : (JSON.parse(text) as unknown) }
  }
  const json = (payload: string, type = 'application/json') => ({
    ...({ method: 'POST', url: '/here', headers: { 'content-type': type }, payload } as const),
  })

  const PERSON = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

  it.each<[string | InjectOptions, number, string, string]>([
    ['/nowhere/<b>', 404, 'Page not found', 'There is nothing at this address.'],
    ['/%zz', 404, 'Page not found', 'There is nothing at this address.'],
    [{ method: 'DELETE', url: '/here' }, 405, 'This didn’t work', 'This address does not take that method.'],
    ['/here?n=<b>', 400, 'This didn’t work', 'n: must be a whole number'],
    ['/broken', 418, 'This didn’t work', 'The request cannot be read.'],
    ['/failed', 500, 'Something went wrong', 'The service failed; its log says why.'],
  ])('of a person that is refused gets a page: %j', async (options, status, heading, message) => {
    const { app } = await serverWith({ onFailure: () => undefined })
    const asked = typeof options === 'string' ? { url: options } : options
    const { statusCode, headers, body: text } = await app.inject({ ...asked, headers: PERSON })
    expect([statusCode, headers['content-type']]).toEqual([status, 'text/html; charset=utf-8'])
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^ ']+';/)
    expect(headers['x-request-id']).toMatch(UUID)
    expect(text).toContain(`<h1>${heading}</h1>`)
    expect(text).toContain(`<code>${message}</code>`)
    expect(text).toContain(`<code>X-Request-Id: ${String(headers['x-request-id'])}</code>`)
    expect(text).not.toContain('<b>')
    // There is no page to go to.
    expect(text).not.toContain('href="/"')
    const called = await app.inject({ ...asked, headers: { ...PERSON, authorization: 'Bearer a' } })
    expect(called.json()).toMatchObject({ message })
  })

  it('of a person says when to try again, and leads to the page of this server', async () => {
    const { app } = await serverWith()
    app.get('/', async () => 'home')
    app.get('/busy', async () => {
      throw new Refusal(429, 'too_many_requests', 'Too many requests: "<i>".', 7)
    })
    const busy = await app.inject({ url: '/busy', headers: { ...PERSON, 'accept-language': 'fr' } })
    expect([busy.statusCode, busy.headers['retry-after']]).toEqual([429, '7'])
    expect(busy.body).toContain('<html lang="fr">')
    expect(busy.body).toContain('<code>Too many requests: &quot;&lt;i&gt;&quot;.</code>')
    expect(busy.body).toContain('href="">Réessayer</a>')
    const missing = await app.inject({ url: '/nowhere', headers: PERSON })
    expect(missing.body).toContain('href="/">Go to the start page</a>')
  })

  it('is answered by its route, and the list of routes has each once', async () => {
    const { routes } = await serverWith()
    expect(routes).toEqual([
      ...[
        { method: 'GET', path: '/here' },
        { method: 'POST', path: '/here' },
        { method: 'DELETE', path: '/files/*' },
      ],
      ...[
        { method: 'GET', path: '/broken' },
        { method: 'GET', path: '/failed' },
      ],
    ])
    const { headers, body: told } = await answer('/here?n=2&n=3&m=x')
    expect([told, headers]).toMatchObject([
      { n: 3 },
      { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    ])
    expect(headers['vary']).toContain('Origin')
    expect(headers['x-request-id']).toMatch(UUID)
  })

  it.each<[string | InjectOptions, number, string, string, string?]>([
    ['/nowhere', 404, 'not_found', 'There is nothing at this address.'],
    ['/here/x', 404, 'not_found', 'There is nothing at this address.'],
    ['/%zz', 404, 'not_found', 'There is nothing at this address.'],
    [
      { method: 'PUT', url: '/here?x' },
      405,
      'method_not_allowed',
      'This address does not take that method.',
      'GET, HEAD, POST',
    ],
    [
      { method: 'POST', url: '/files/a/b' },
      405,
      'method_not_allowed',
      'This address does not take that method.',
      'DELETE',
    ],
    [{ method: 'POST', url: '/files' }, 404, 'not_found', 'There is nothing at this address.'],
    ['/here?n=10', 400, 'invalid_query', 'n: must be a whole number from 0 to 9'],
    [json('{'), 400, 'invalid_json', 'The body is not JSON.'],
    [json(''), 400, 'invalid_json', 'The body is not JSON.'],
    [json('{"a":{"b":"x"}}'), 400, 'invalid_body', 'a.b: must be a number'],
    [json('7'), 400, 'invalid_body', 'body: must be an object'],
    [json(`"${'x'.repeat(99)}"`), 413, 'body_too_large', 'The body is longer than 100 bytes.'],
    [json('x', 'text/plain'), 415, 'unsupported_media_type', 'The body must be sent as application/json.'],
    [json('['.repeat(33)), 400, 'invalid_body', 'The body is nested deeper than 32 levels.'],
    ['/broken', 418, 'invalid_request', 'The request cannot be read.'],
    ['/failed', 500, 'internal_error', 'The service failed; its log says why.'],
  ])('that is wrong is refused: %j', async (options, status, code, message, allow) => {
    const refused = await answer(options)
    // An unexpected failure has the id by which the operator finds the original in the log.
    const more = status === 500 ? { request: refused.headers['x-request-id'] } : {}
    expect([refused.status, refused.body, refused.headers['allow']]).toEqual([
      status,
      { code, message, ...more },
      allow,
    ])
  })

  it('is quoted to 500 characters', async () => {
    const name = 'x'.repeat(600)
    const { app } = await serverWith()
    app.post('/strict', { schema: { body: object({ [name]: text }) } }, async () => ({}))
    const { message } = (await app.inject({ method: 'POST', url: '/strict', payload: {} })).json<{
      message: string
    }>()
    expect(message).toBe('x'.repeat(500))
  })

  it.each<[Record<string, string>, number, string | undefined]>([
    [{ origin: ORIGIN, 'access-control-request-method': 'PUT' }, 204, ORIGIN],
    [{ origin: 'https://else.example', 'access-control-request-method': 'PUT' }, 403, undefined],
    [{ 'access-control-request-method': 'PUT' }, 403, undefined],
    [{ origin: ORIGIN }, 405, undefined],
  ])('of OPTIONS with %j is a preflight or none', async (headers, status, allowed) => {
    const sent = await answer({ method: 'OPTIONS', url: '/here', headers })
    expect([sent.status, sent.headers['access-control-allow-origin']]).toEqual([status, allowed])
    if (status === 403)
      expect(sent.body).toEqual({ code: 'origin_not_allowed', message: 'Unknown page origin.' })
    if (status !== 204) return
    expect(sent.headers).toMatchObject({
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-max-age': '600',
    })
    expect(sent.headers['access-control-allow-headers']).toContain('X-Addin-Trigger')
  })

  it('may be read by the pages of the origins alone, with when to come back', async () => {
    const from = async (origin: string) => (await answer({ url: '/here', headers: { origin } })).headers
    expect(await from(ORIGIN)).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-expose-headers': 'Date, Retry-After',
    })
    expect(await from('https://else.example')).not.toHaveProperty('access-control-allow-origin')
  })

  it('is refused with what else is known, and with why, for those who hear it', async () => {
    const heard: unknown[] = []
    const cause = new Error('why')
    const { app } = await serverWith({
      onRefusal: (each) => void heard.push(each),
      refusalFor: () => new Refusal(503, 'away', 'Away.', 7, { cause, details: { row: 3 } }),
    })
    app.get('/plain', async () => {
      throw new Refusal(409, 'conflict', 'No.')
    })
    const away = await app.inject('/failed')
    expect([away.statusCode, away.headers['retry-after'], away.json()]).toEqual([
      ...[503, '7', { code: 'away', message: 'Away.', row: 3 }],
    ])
    const plain = await app.inject('/plain')
    expect([plain.headers['retry-after'], plain.json()]).toEqual([
      ...[undefined, { code: 'conflict', message: 'No.' }],
    ])
    expect(heard).toEqual([cause])
  })

  it('that fails is written to standard error by its path, without its query', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    try {
      const { app } = await serverWith()
      await app.inject('/failed?secret=1')
      expect(write.mock.calls.map(([text]) => String(text))).toEqual([
        expect.stringMatching(/^GET \/failed: Error: secret\n {4}at [^]*\n$/),
      ])
    } finally {
      write.mockRestore()
    }
  })

  it('is watched as it arrives, and may be answered instead of by its route', async () => {
    const seen: string[] = []
    const { app } = await serverWith(
      {},
      {
        record: ({ url }) => void seen.push(url),
        applyFault: async ({ url }, reply) => (url === '/here' ? reply.code(299).send({}) : undefined),
      },
    )
    expect([(await app.inject('/here')).statusCode, (await app.inject('/here?n=2')).statusCode]).toEqual([
      ...[299, 200],
    ])
    expect(seen).toEqual(['/here', '/here?n=2'])
  })

  it.each([
    ['localhost', undefined, true],
    ['localhost:4401', 'https://a.example', true],
    ['127.0.0.1:1', undefined, true],
    ['[::1]:1', 'https://a.example', true],
    ['localhost', 'https://b.example', false],
    ['localhost', '', false],
    ['a.localhost', undefined, false],
    ['localhost.example', undefined, false],
    ['127.0.0.11', undefined, false],
    ['localhost:x', undefined, false],
    [undefined, undefined, false],
  ])('to the host %s from %s is for this machine: %s', (host, origin, isTaken) => {
    const ask = () => refuseForeignOrigins({ headers: { host, origin } }, ['https://a.example'])
    if (isTaken) expect(ask).not.toThrow()
    else
      expect(ask).toThrow(
        expect.objectContaining({
          status: 403,
          code: 'origin_not_allowed',
          message: 'This address is for this machine and the allowed page origins.',
        }) as Refusal,
      )
  })
})

describe('a server with faults on demand', () => {
  async function controlled() {
    const clock = { now: 5_000 }
    const control = createTestControl(() => clock.now)
    const { app, routes } = await createWebServer([], control, { onFailure: () => undefined })
    let runs = 0
    app.get('/here', async () => ({ runs: (runs += 1) }))
    control.addTo(app, {
      routes,
      origins: ['https://pages.example'],
      addOwn: (own) => own.get('/own', async () => ({ own: true })),
    })
    const ask = async (
      url: string,
      options: { method?: 'GET' | 'PUT' | 'DELETE'; payload?: object; headers?: Record<string, string> } = {},
    ) => {
      const { statusCode, body, headers } = await app.inject({ url, ...options })
      return {
        status: statusCode,
        body:
          body.startsWith('{ "data"') || body === '' || body.startsWith('<')
            ? body
            : (JSON.parse(body) as unknown),
        type: headers['content-type'],
      }
    }
    const order = (payload: object) => ask('/_control/faults', { method: 'PUT', payload })
    return { control, clock, ask, order, runs: () => runs }
  }
  const failing = { kind: 'status', status: 503 }

  it('fails so many times, and tells how many are left', async () => {
    const { ask, order, control, runs } = await controlled()
    expect((await order({ call: 'GET /here', fault: failing, times: 2 })).body).toEqual({
      calls: ['*', 'GET /here'],
      faults: [{ call: 'GET /here', fault: failing, times: 2 }],
    })
    expect(control.hasFault('GET /here')).toBe(true)
    expect(await ask('/here')).toMatchObject({
      status: 503,
      body: { code: 'fault', message: 'A fault that was asked for.' },
    })
    expect((await ask('/_control/faults')).body).toMatchObject({ faults: [{ times: 1 }] })
    await ask('/here')
    expect([control.hasFault('GET /here'), (await ask('/here')).body, runs()]).toEqual([
      false,
      { runs: 1 },
      1,
    ])
  })

  it('fails without an end, with a code of its own, each call before all calls', async () => {
    const { ask, order } = await controlled()
    await order({ call: '*', fault: { kind: 'wrongShape' } })
    const named = { kind: 'status', status: 418, code: 'teapot' }
    expect((await order({ call: 'GET /here', fault: named })).body).toMatchObject({
      faults: [{ call: '*' }, { call: 'GET /here', fault: named }],
    })
    for (let tries = 0; tries < 3; tries += 1)
      expect(await ask('/here')).toMatchObject({ status: 418, body: { code: 'teapot' } })
    await ask('/_control/faults?call=GET%20/here', { method: 'DELETE' })
    expect((await ask('/here')).body).toEqual({ unexpected: true })
    expect((await ask('/_control/own')).body).toEqual({ own: true })
    expect((await ask('/nowhere')).status).toBe(404)
  })

  it.each<[object, Readonly<{ body?: unknown; type?: unknown }>]>([
    [{ kind: 'malformed' }, { body: '{ "data": { "url": ', type: 'application/json; charset=utf-8' }],
    [{ kind: 'wrongShape' }, { body: { unexpected: true } }],
    [{ kind: 'empty' }, { body: '' }],
    [
      { kind: 'html' },
      {
        body: '<!doctype html><title>Sign in to the guest network</title><h1>Welcome</h1>',
        type: 'text/html; charset=utf-8',
      },
    ],
  ])('answers %j instead of its route', async (fault, expected) => {
    const { ask, order, runs } = await controlled()
    await order({ call: 'GET /here', fault })
    expect(await ask('/here')).toMatchObject({ status: 200, ...expected })
    expect(runs()).toBe(0)
  })

  it('forgets the faults of links alone, those of a call, or all', async () => {
    const { ask, order } = await controlled()
    const left = async (query: string) => {
      await order({ call: '*', fault: failing, ofLink: true })
      await order({ call: 'GET /here', fault: failing })
      await ask(`/_control/faults${query}`, { method: 'DELETE' })
      const { faults } = (await ask('/_control/faults')).body as { faults: readonly { call: string }[] }
      return faults.map(({ call }) => call)
    }
    expect(await left('?ofLink=true')).toEqual(['GET /here'])
    expect(await left('?call=*')).toEqual(['GET /here'])
    expect(await left('?call=GET%20/here')).toEqual(['*'])
    expect(await left('?call=GET%20/here&ofLink=true')).toEqual(['*', 'GET /here'])
    expect(await left('')).toEqual([])
  })

  it.each([
    [{ call: 'GET /nowhere', fault: failing }, 'unknown_call', 'There is no call "GET /nowhere".'],
    [
      { call: 'GET /_control/faults', fault: failing },
      'unknown_call',
      'There is no call "GET /_control/faults".',
    ],
    [{ call: '*', fault: { kind: 'status', status: 399 } }, 'invalid_body', undefined],
    [{ call: '*', fault: { kind: 'status', status: 600 } }, 'invalid_body', undefined],
    [{ call: '*', fault: { kind: 'delay', ms: -1 } }, 'invalid_body', undefined],
    [{ call: '*', fault: failing, times: 0 }, 'invalid_body', undefined],
  ])('takes no order such as %j', async (payload, code, message) => {
    const { order } = await controlled()
    expect(await order(payload)).toMatchObject({
      status: 400,
      body: { code, ...(message === undefined ? {} : { message }) },
    })
  })

  it('has a clock that is set ahead of the real one', async () => {
    const { ask, control, clock } = await controlled()
    expect([control.now(), (await ask('/_control/clock')).body]).toEqual([5_000, { ahead: 0 }])
    expect((await ask('/_control/clock', { method: 'PUT', payload: { ahead: 70 } })).status).toBe(204)
    clock.now += 1
    expect([control.now(), (await ask('/_control/clock')).body]).toEqual([5_071, { ahead: 70 }])
  })

  it('tells the requests without secrets, and without its own controls', async () => {
    const { ask } = await controlled()
    const bearers = ['Bearer secret', 'bearer secret', 'Basic secret']
    for (const authorization of bearers) await ask('/here?a=1', { headers: { authorization, 'x-a': 'b' } })
    const requests = (await ask('/_control/requests')).body as readonly Record<string, unknown>[]
    expect(requests).toHaveLength(3)
    expect(requests[0]).toMatchObject({ method: 'GET', path: '/here', query: { a: '1' }, bodySize: 0 })
    expect(requests.map(({ headers }) => headers)).toMatchObject([
      { authorization: 'Bearer …', 'x-a': 'b' },
      { authorization: 'Bearer …' },
      { authorization: '…' },
    ])
    expect((await ask('/_control/requests', { method: 'DELETE' })).status).toBe(204)
    expect((await ask('/_control/requests')).body).toEqual([])
  })

  it('has controls for this machine and its pages alone', async () => {
    const { ask } = await controlled()
    const from = async (headers: Record<string, string>) => (await ask('/_control/clock', { headers })).status
    expect([
      await from({ origin: 'https://pages.example' }),
      await from({ origin: 'https://else.example' }),
      await from({ host: 'signet.example' }),
    ]).toEqual([200, 403, 403])
  })
})
