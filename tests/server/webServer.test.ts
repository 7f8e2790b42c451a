import { once } from 'node:events'
import { Agent, type IncomingMessage, request, type RequestOptions } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import * as v from 'valibot'
import { MAX_BODY_VALUES } from '../../src/server/bodyMeter.ts'
import {
  createWebServer,
  listen,
  Refusal,
  type RunningServer,
  type WebServer,
  type WebServerOptions,
} from '../../src/server/webServer.ts'

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
    start({}, (app) => app.post('/', { schema: { body: v.unknown() }, bodyLimit: 4096 }, async () => 'taken'))
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
      app.post('/', { schema: { body: v.unknown() }, bodyLimit: 4 * MAX_BODY_VALUES }, async () => 'taken'),
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
