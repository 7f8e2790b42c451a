import { connect } from 'node:net'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { CALLS } from '../../../streams/wire/administration/calls.ts'
import { createWebServer, listen } from '../../../src/server/webServer.ts'
import { addRoute, type CallHandlers } from '../../../src/service/http/administration/routes.ts'

it('[SCALE-3] four large calls of one organisation run at once, and those of another beside them', async () => {
  let begun = 0
  let end = () => {}
  const held = new Promise<void>((resolve) => {
    end = resolve
  })
  const handlersOf = () =>
    ({
      async missingPictures() {
        begun += 1
        await held
        return { missing: [] }
      },
    }) as Partial<CallHandlers> as CallHandlers
  const [large, small] = [handlersOf(), handlersOf()]
  const { app } = await createWebServer([], null)
  const application = async (token: string) => ({
    roles: ['Signet.Read'],
    actor: 'alex',
    handlers: token === 'large' ? large : small,
  })
  addRoute(app, 'missingPictures', CALLS.missingPictures, { application, unknown: handlersOf() })
  const ask = (organisation: string) =>
    app.inject({
      method: 'POST',
      url: CALLS.missingPictures.path,
      headers: { authorization: `Bearer ${organisation}` },
      payload: { pictures: [] },
    })
  const running = Array.from({ length: 4 }, () => ask('large'))
  await expect.poll(() => begun).toBe(4)
  const refused = await ask('large')
  expect([refused.statusCode, refused.headers['retry-after'], begun]).toEqual([429, '5', 4])
  running.push(ask('small'))
  await expect.poll(() => begun).toBe(5)
  end()
  expect((await Promise.all(running)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
  // Those that ended leave room.
  expect((await ask('large')).statusCode).toBe(200)
  await app.close()
})

it('an export without an end is sent as its client takes it, and ends when the client leaves', async () => {
  let [made, ended] = [0, false]
  async function* endless() {
    try {
      for (;;) {
        made += 1
        yield `${'x'.repeat(100_000)}\n`
      }
    } finally {
      ended = true
    }
  }
  const handlers = { export: async () => endless() } as Partial<CallHandlers> as CallHandlers
  const { app } = await createWebServer([], null)
  const application = async () => ({ roles: ['Signet.Read'], actor: 'alex', handlers })
  addRoute(app, 'export', CALLS.export, { application, unknown: handlers })
  const { url, close } = await listen(app, 0)
  const leaving = new AbortController()
  const answer = await fetch(`${url}${CALLS.export.path}`, {
    headers: { Authorization: 'Bearer a' },
    signal: leaving.signal,
  })
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const reader = answer.body!.getReader()
  let taken = 0
  while (taken < 5_000_000) taken += (await reader.read()).value?.length ?? 0
  expect(made).toBeGreaterThan(49)
  leaving.abort()
  await expect.poll(() => ended).toBe(true)
  await close()
})

it('a call ends when its client leaves, and no other call does', async () => {
  const clients: AbortSignal[] = []
  let end = () => {}
  const held = new Promise<void>((resolve) => {
    end = resolve
  })
  const handlers = {
    async missingPictures({ client }) {
      clients.push(client)
      await held
      return { missing: [] }
    },
  } as Partial<CallHandlers> as CallHandlers
  const { app } = await createWebServer([], null)
  const application = async () => ({ roles: ['Signet.Read'], actor: 'alex', handlers })
  addRoute(app, 'missingPictures', CALLS.missingPictures, { application, unknown: handlers })
  const { url, close } = await listen(app, 0)
  const body = JSON.stringify({ pictures: [] })
  const leaving = connect(Number(new URL(url).port), new URL(url).hostname)
  leaving.on('error', () => {})
  leaving.write(
    `POST ${CALLS.missingPictures.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nContent-Type: application/json\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`,
  )
  await expect.poll(() => clients.length).toBe(1)
  const staying = fetch(`${url}${CALLS.missingPictures.path}`, {
    method: 'POST',
    body,
    headers: { Authorization: 'Bearer a', 'Content-Type': 'application/json' },
  })
  await expect.poll(() => clients.length).toBe(2)
  const [left, stays] = clients
  expect([left?.aborted, stays?.aborted]).toEqual([false, false])
  leaving.destroy()
  await once(left!, 'abort')
  expect(() => left?.throwIfAborted()).toThrow('The client closed the connection.')
  end()
  expect((await staying).status).toBe(200)
  await close()
  // The connection of the client that stayed is closed by now, after its response.
  expect(stays?.aborted).toBe(false)
})
