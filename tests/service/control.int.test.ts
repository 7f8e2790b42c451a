import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ADDIN_HEADERS, ALEX, claimsOf, PAGE_ORIGIN, send, start, type Running } from './running.ts'

const DEFAULT_PATH = '/signatures-cache/api/v2/signature/default'

let running: Running
let token: string
beforeAll(async () => {
  running = await start()
  token = await running.signIn(ALEX)
})
beforeEach(() => running.reset())
afterAll(() => running.stop())

const user = () => running.call('GET', '/api/addin/user', token)
const setFault = (fault: object, more: object = {}) =>
  running.control('PUT', 'faults', { call: 'GET /api/addin/user', fault, ...more })

describe('a fault', () => {
  it('responds with a status and a code, readable by an allowed origin', async () => {
    await setFault({ kind: 'status', status: 503, code: 'resting' })
    const { status, body, headers } = await user()
    expect([status, body.code]).toEqual([503, 'resting'])
    expect(headers.get('access-control-allow-origin')).toBe(PAGE_ORIGIN)
  })

  it('delays the response of the call', async () => {
    await setFault({ kind: 'delay', ms: 60 })
    const before = performance.now()
    expect((await user()).body.id).toBe('u-1')
    // Timers count whole milliseconds, so the delay may be one shorter.
    expect(performance.now() - before).toBeGreaterThanOrEqual(59)
  })

  it('of a link can be cleared without the others', async () => {
    const cut = { kind: 'cut' }
    await setFault(cut, { ofLink: true })
    await running.control('PUT', 'faults', { call: 'GET /api/addin/user/photo', fault: cut })
    await running.control('DELETE', 'faults?ofLink=true')
    const { text } = await running.control('GET', 'faults')
    expect((JSON.parse(text) as { faults: unknown }).faults).toEqual([
      { call: 'GET /api/addin/user/photo', fault: cut },
    ])
    await setFault(cut, { ofLink: true })
    await setFault(cut)
    await running.control('DELETE', 'faults?ofLink=true')
    await expect(user()).rejects.toThrow()
  })

  it('does not keep the service running during a delay', async () => {
    await setFault({ kind: 'delay', ms: 600_000 })
    const pending = user().catch(() => 'cut')
    while (!(await running.journal()).some(({ path }) => path === '/api/addin/user'));
    await running.restart()
    expect(await pending).toBe('cut')
  })

  it('cuts the connection', async () => {
    await setFault({ kind: 'cut' })
    await expect(user()).rejects.toThrow()
  })

  it('responds with truncated JSON', async () => {
    await setFault({ kind: 'malformed' })
    const { status, text, headers } = await user()
    expect(status).toBe(200)
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
    expect(headers.get('content-type')).toContain('application/json')
  })

  it('responds with JSON of another shape', async () => {
    await setFault({ kind: 'wrongShape' })
    const { status, text } = await user()
    expect([status, text]).toEqual([200, '{"unexpected":true}'])
  })

  it('responds with an empty body', async () => {
    await setFault({ kind: 'empty' })
    const { status, text } = await user()
    expect([status, text]).toEqual([200, ''])
  })

  it('responds with an HTML page', async () => {
    await setFault({ kind: 'html' })
    const { status, headers } = await user()
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  })

  it('ends after the given number of times', async () => {
    await setFault({ kind: 'status', status: 500 }, { times: 2 })
    const statuses = [(await user()).status, (await user()).status, (await user()).status]
    expect(statuses).toEqual([500, 500, 200])
  })

  it('applies to its call only, until faults are cleared', async () => {
    await setFault({ kind: 'status', status: 500 })
    expect((await running.call('GET', '/api/addin/configs', token)).status).toBe(200)
    expect((await user()).status).toBe(500)
    expect((await running.control('DELETE', 'faults')).status).toBe(204)
    expect((await user()).status).toBe(200)
  })

  it('can apply to every call and picture, but neither to preflights nor to controls', async () => {
    await running.control('PUT', 'faults', { call: '*', fault: { kind: 'status', status: 500 } })
    expect((await user()).status).toBe(500)
    expect((await fetch(await running.portrait())).status).toBe(500)
    const preflight = { Origin: PAGE_ORIGIN, 'Access-Control-Request-Method': 'GET' }
    expect((await send('OPTIONS', `${running.url}/api/addin/user`, preflight)).status).toBe(204)
    expect((await running.control('GET', 'requests')).status).toBe(200)
  })

  it('of one call takes precedence over a fault of all calls', async () => {
    await running.control('PUT', 'faults', { call: '*', fault: { kind: 'status', status: 500 } })
    await setFault({ kind: 'status', status: 404 })
    expect((await user()).status).toBe(404)
  })

  it('prevents the call from being executed', async () => {
    await running.control('PUT', 'faults', { call: `PUT ${DEFAULT_PATH}`, fault: { kind: 'empty' } })
    await running.call('PUT', DEFAULT_PATH, token, { combined_ids: 'harbour_days-u-1' })
    expect((await user()).body.metadata.defaultSignature.master).toBe('portrait-u-1')
  })

  it('is listed, with every call that a fault may name, until it is cleared', async () => {
    await setFault({ kind: 'cut' })
    await running.control('PUT', 'faults', { call: '*', fault: { kind: 'delay', ms: 1 }, times: 2 })
    const listed = async () => JSON.parse((await running.control('GET', 'faults')).text)
    expect((await listed()).calls).toEqual(
      expect.arrayContaining(['*', 'GET /api/addin/user', 'GET /images/*']),
    )
    expect((await listed()).faults).toEqual([
      { call: 'GET /api/addin/user', fault: { kind: 'cut' } },
      { call: '*', fault: { kind: 'delay', ms: 1 }, times: 2 },
    ])
    await running.control('DELETE', `faults?call=${encodeURIComponent('GET /api/addin/user')}`)
    expect((await listed()).faults.map(({ call }: { call: string }) => call)).toEqual(['*'])
    await running.control('DELETE', 'faults')
    expect((await listed()).faults).toEqual([])
  })

  it.each([
    [{ call: 'GET /api/addin/usr', fault: { kind: 'cut' } }, 'unknown_call'],
    [{ call: '*', fault: { kind: 'explode' } }, 'invalid_body'],
    [{ call: '*', fault: { kind: 'status', status: 200 } }, 'invalid_body'],
    [{ call: '*', fault: { kind: 'cut' }, times: 0 }, 'invalid_body'],
  ])('is refused when it is invalid: %j', async (order, code) => {
    const { status, body } = await running.control('PUT', 'faults', order)
    expect([status, body.code]).toEqual([400, code])
  })
})

describe('the journal', () => {
  it('lists requests with query, headers and size, without the bearer', async () => {
    await running.call('GET', '/signatures-cache/api/v1/signatures?page=2&per_page=5', token)
    await running.call('PUT', DEFAULT_PATH, token, { combined_ids: 'portrait-u-1' })
    await fetch(`${running.url}/images/northwind/mark.png`, { headers: { Authorization: token } })
    const entries = await running.journal()
    expect(entries).toMatchObject([
      {
        method: 'GET',
        path: '/signatures-cache/api/v1/signatures',
        query: { page: '2', per_page: '5' },
        headers: { 'x-api-version': '1.0.0', authorization: 'Bearer …' },
        bodySize: 0,
      },
      { method: 'PUT', bodySize: '{"combined_ids":"portrait-u-1"}'.length },
      { path: '/images/northwind/mark.png', headers: { authorization: '…' } },
    ])
    expect(Number.isNaN(Date.parse(entries[0]?.at ?? ''))).toBe(false)
    expect(JSON.stringify(entries)).not.toContain(token)
  })

  it('is empty after it is cleared, and lists no controls', async () => {
    await user()
    await running.control('DELETE', 'requests')
    await running.control('GET', 'clock')
    expect(await running.journal()).toEqual([])
  })

  it('lists a request that is refused for its long body, with the received size', async () => {
    const body = JSON.stringify({ combined_ids: 'x'.repeat(200_000) })
    expect((await running.call('PUT', DEFAULT_PATH, token, body)).status).toBe(413)
    expect(await running.journal()).toMatchObject([{ method: 'PUT', bodySize: body.length }])
  })
})

describe('maintenance', () => {
  it.each(['planned', 'active', null])('can be switched to %s', async (status) => {
    expect((await running.control('PUT', 'maintenance', { status })).status).toBe(204)
    expect((await running.call('GET', '/api/addin/maintenance', token)).body).toEqual({ data: { status } })
  })
})

describe('the controls', () => {
  it('are off by default', async () => {
    await running.restart({ control: false })
    for (const [method, path] of [
      ['PUT', 'faults'],
      ['DELETE', 'faults'],
      ['PUT', 'maintenance'],
      ['POST', 'reset'],
      ['GET', 'requests'],
      ['DELETE', 'requests'],
    ] as const) {
      const { status, body } = await running.control(method, path, method === 'PUT' ? {} : undefined)
      expect([status, body.code]).toEqual([404, 'not_found'])
    }
    await running.restart()
  })

  it('refuse a page of another origin', async () => {
    const path = '/api/addin/user/variables_with_options'
    await running.call('PUT', path, token, { data: { department: 'Deck' }, reset_fields: [] })
    const origin = { Origin: 'https://evil.example' }
    const { status, body } = await send('POST', `${running.url}/_control/reset`, origin)
    expect([status, body.code]).toEqual([403, 'origin_not_allowed'])
    const { body: kept } = await running.call('GET', '/api/addin/user/variables', token)
    expect(kept.values['department']).toBe('Deck')
  })

  it('are readable by a page of an allowed origin', async () => {
    const { headers } = await running.control('GET', 'requests')
    expect(headers.get('access-control-allow-origin')).toBe(PAGE_ORIGIN)
  })
})

describe('the clock of the service', () => {
  it('[PLAY-3] ends a session when it is set ahead, and continues it when it is set back', async () => {
    const ahead = 10 * 3_600_000
    expect((await user()).status).toBe(200)
    await running.control('PUT', 'clock', { ahead })
    expect((await running.control('GET', 'clock')).body).toEqual({ ahead })
    expect((await user()).status).toBe(401)
    await running.control('PUT', 'clock', { ahead: 0 })
    expect((await user()).status).toBe(200)
  })

  it.each([{}, { ahead: -1 }, { ahead: 1.5 }, { ahead: 'soon' }])('is not set by %j', async (body) => {
    expect((await running.control('PUT', 'clock', body)).status).toBe(400)
  })
})

describe('the identity provider', () => {
  it('publishes discovery and public keys only', async () => {
    const { url } = running.provider
    const discovery = await send('GET', `${url}/.well-known/openid-configuration`, {})
    expect(discovery.body).toMatchObject({ issuer: url, jwks_uri: `${url}/keys` })
    const { body } = await send('GET', discovery.body.jwks_uri, {})
    expect(body.keys).toHaveLength(1)
    expect(Object.keys(body.keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  })

  it('issues an access token with user, audience, scope and lifetime', async () => {
    const claims = claimsOf(await running.mailClientToken(ALEX))
    expect(claims).toMatchObject({
      iss: running.provider.url,
      aud: 'api://signet',
      azp: 'the-add-in',
      preferred_username: ALEX,
      name: 'Alex Kim',
      scp: 'access_as_user',
    })
    expect(claims.exp - claims.iat).toBe(3599)
  })

  it('answers no page of another origin and no other host', async () => {
    const { port } = new URL(running.provider.url)
    const ask = (headers: Readonly<Record<string, string>>) =>
      new Promise<number>((resolve, reject) => {
        const options = { method: 'POST', host: 'localhost', port, path: '/mail-client/token' }
        const asking = request(
          { ...options, headers: { 'Content-Type': 'application/json', ...headers } },
          (response) => {
            response.resume()
            resolve(response.statusCode ?? 0)
          },
        )
        asking.on('error', reject)
        asking.end(JSON.stringify({ email: ALEX }))
      })
    for (const origin of [
      'https://evil.example',
      'null',
      `${PAGE_ORIGIN}.evil.example`,
      'http://localhost:1',
    ])
      expect(await ask({ Origin: origin })).toBe(403)
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
    ])
      expect(await ask({ Host: host, Origin: PAGE_ORIGIN })).toBe(403)
    expect(await ask({ Origin: PAGE_ORIGIN })).toBe(200)
    expect(await ask({ Host: `localhost:${port}` })).toBe(200)
  })

  it('refuses an unknown mailbox and an invalid address', async () => {
    const url = `${running.provider.url}/mail-client/token`
    const unknown = await send('POST', url, ADDIN_HEADERS, { email: 'unknown@northwind.example' })
    expect([unknown.status, unknown.body.code]).toEqual([404, 'unknown_account'])
    expect(unknown.headers.get('access-control-allow-origin')).toBe(PAGE_ORIGIN)
    expect((await send('POST', url, {}, { email: 'unknown' })).body.code).toBe('invalid_body')
  })

  it('fails on demand', async () => {
    const order = { call: 'POST /mail-client/token', fault: { kind: 'status', status: 500 }, times: 1 }
    await send('PUT', `${running.provider.url}/_control/faults`, {}, order)
    const ask = () => send('POST', `${running.provider.url}/mail-client/token`, {}, { email: ALEX })
    expect([(await ask()).status, (await ask()).status]).toEqual([500, 200])
  })
})
