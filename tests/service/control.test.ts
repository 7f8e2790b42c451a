import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  addinHeaders,
  alex,
  claimsOf,
  pageOrigin,
  send,
  start,
  type Running,
  type WireRequest,
} from './running.ts'

let running: Running
let token: string
beforeEach(async () => {
  running = await start({ control: true })
  token = await running.signIn(alex)
})
afterEach(() => running.stop())

const user = () => running.call('GET', '/api/addin/user', token)
const control = (method: string, path: string, body?: unknown) =>
  send(method, `${running.url}/_control/${path}`, { Origin: pageOrigin }, body)
const journal = async () => JSON.parse((await control('GET', 'requests')).text) as WireRequest[]
const fault = (given: object, more: object = {}) =>
  control('PUT', 'faults', { call: 'GET /api/addin/user', fault: given, ...more })

describe('a fault', () => {
  it('answers a status with a code, and a page of the allowed origin can read it', async () => {
    await fault({ kind: 'status', status: 503, code: 'resting' })
    const { status, body, headers } = await user()
    expect([status, body.code]).toEqual([503, 'resting'])
    expect(headers.get('access-control-allow-origin')).toBe(pageOrigin)
  })

  it('delays the ordinary answer', async () => {
    await fault({ kind: 'delay', ms: 60 })
    const before = performance.now()
    expect((await user()).body.id).toBe('u-1')
    // Timers count whole milliseconds, so one may be missing.
    expect(performance.now() - before).toBeGreaterThanOrEqual(59)
  })

  it('does not keep the service from ending while it delays', async () => {
    await fault({ kind: 'delay', ms: 600_000 })
    const pending = user().catch(() => 'cut')
    let seen = 0
    while (seen === 0) {
      seen = (await journal()).filter(({ path }) => path === '/api/addin/user').length
    }
    await running.restart()
    expect(await pending).toBe('cut')
  })

  it('cuts the connection', async () => {
    await fault({ kind: 'cut' })
    await expect(user()).rejects.toThrow()
  })

  it('answers JSON that ends too early', async () => {
    await fault({ kind: 'malformed' })
    const { status, text, headers } = await user()
    expect(status).toBe(200)
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
    expect(headers.get('content-type')).toContain('application/json')
  })

  it('answers JSON of another shape', async () => {
    await fault({ kind: 'wrongShape' })
    const { status, text } = await user()
    expect([status, text]).toEqual([200, '{"unexpected":true}'])
  })

  it('answers nothing', async () => {
    await fault({ kind: 'empty' })
    const { status, text } = await user()
    expect([status, text]).toEqual([200, ''])
  })

  it('answers a page instead', async () => {
    await fault({ kind: 'html' })
    const { status, headers } = await user()
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  })

  it('comes as often as it was asked for, then not again', async () => {
    await fault({ kind: 'status', status: 500 }, { times: 2 })
    const statuses = [(await user()).status, (await user()).status, (await user()).status]
    expect(statuses).toEqual([500, 500, 200])
  })

  it('concerns its call only, and ends when faults are cleared', async () => {
    await fault({ kind: 'status', status: 500 })
    expect((await running.call('GET', '/api/addin/configs', token)).status).toBe(200)
    expect((await user()).status).toBe(500)
    expect((await control('DELETE', 'faults')).status).toBe(204)
    expect((await user()).status).toBe(200)
  })

  it('can concern every call, pictures too, but neither preflights nor controls', async () => {
    await control('PUT', 'faults', { call: '*', fault: { kind: 'status', status: 500 } })
    expect((await user()).status).toBe(500)
    expect((await fetch(`${running.url}/images/northwind/logo.png`)).status).toBe(500)
    const preflight = { Origin: pageOrigin, 'Access-Control-Request-Method': 'GET' }
    expect((await send('OPTIONS', `${running.url}/api/addin/user`, preflight)).status).toBe(204)
    expect((await control('GET', 'requests')).status).toBe(200)
  })

  it('of one call goes before one of all', async () => {
    await control('PUT', 'faults', { call: '*', fault: { kind: 'status', status: 500 } })
    await fault({ kind: 'status', status: 404 })
    expect((await user()).status).toBe(404)
  })

  it('leaves the call undone', async () => {
    const path = '/signatures-cache/api/v2/signature/default'
    await control('PUT', 'faults', { call: `PUT ${path}`, fault: { kind: 'empty' } })
    await running.call('PUT', path, token, { combined_ids: '14-0' })
    expect((await user()).body.metadata.defaultSignature.master).toBe('12-0')
  })

  it.each([
    [{ call: 'GET /api/addin/usr', fault: { kind: 'cut' } }, 'unknown_call'],
    [{ call: '*', fault: { kind: 'explode' } }, 'invalid_body'],
    [{ call: '*', fault: { kind: 'status', status: 200 } }, 'invalid_body'],
    [{ call: '*', fault: { kind: 'cut' }, times: 0 }, 'invalid_body'],
  ])('is refused when it makes no sense: %j', async (order, code) => {
    const { status, body } = await control('PUT', 'faults', order)
    expect([status, body.code]).toEqual([400, code])
  })
})

describe('the journal', () => {
  it('lists requests with query, headers and size, never the bearer', async () => {
    await control('DELETE', 'requests')
    await running.call('GET', '/signatures-cache/api/v1/signatures?page=2&per_page=5', token)
    await running.call('PUT', '/signatures-cache/api/v2/signature/default', token, { combined_ids: '12-0' })
    await fetch(`${running.url}/images/northwind/mark.png`, { headers: { Authorization: token } })
    const entries = await journal()
    expect(entries).toMatchObject([
      {
        method: 'GET',
        path: '/signatures-cache/api/v1/signatures',
        query: { page: '2', per_page: '5' },
        headers: { 'x-api-version': '1.0.0', authorization: 'Bearer …' },
        bodySize: 0,
      },
      { method: 'PUT', bodySize: '{"combined_ids":"12-0"}'.length },
      { path: '/images/northwind/mark.png', headers: { authorization: '…' } },
    ])
    expect(Number.isNaN(Date.parse(entries[0]?.at ?? ''))).toBe(false)
    expect(JSON.stringify(entries)).not.toContain(token)
  })

  it('is emptied on demand and lists no controls', async () => {
    await user()
    await control('DELETE', 'requests')
    expect(await journal()).toEqual([])
  })
})

describe('maintenance', () => {
  it.each(['planned', 'active', null])('can be switched to %s', async (status) => {
    expect((await control('PUT', 'maintenance', { status })).status).toBe(204)
    expect((await running.call('GET', '/api/addin/maintenance', token)).body).toEqual({ data: { status } })
  })
})

describe('the controls', () => {
  it('are not there unless asked for', async () => {
    await running.restart({ control: false })
    for (const [method, path] of [
      ['PUT', 'faults'],
      ['DELETE', 'faults'],
      ['PUT', 'maintenance'],
      ['POST', 'reset'],
      ['GET', 'requests'],
      ['DELETE', 'requests'],
    ] as const) {
      const { status, body } = await control(method, path, method === 'PUT' ? {} : undefined)
      expect([status, body.code]).toEqual([404, 'not_found'])
    }
  })

  it('do nothing for a page of another origin', async () => {
    const path = '/api/addin/user/variables_with_options'
    await running.call('PUT', path, token, { data: { department: 'Deck' }, reset_fields: [] })
    const { status, body } = await send('POST', `${running.url}/_control/reset`, {
      Origin: 'https://evil.example',
    })
    expect([status, body.code]).toEqual([403, 'origin_not_allowed'])
    const { body: kept } = await running.call('GET', '/api/addin/user/variables', token)
    expect(kept.values['department']).toBe('Deck')
  })

  it('can be read by a page of an allowed origin', async () => {
    expect((await control('GET', 'requests')).headers.get('access-control-allow-origin')).toBe(pageOrigin)
  })
})

describe('the identity provider', () => {
  it('answers discovery and keys, and nothing private of them', async () => {
    const { url } = running.provider
    const discovery = await send('GET', `${url}/.well-known/openid-configuration`, {})
    expect(discovery.body).toMatchObject({ issuer: url, jwks_uri: `${url}/keys` })
    const { body } = await send('GET', discovery.body.jwks_uri, {})
    expect(body.keys).toHaveLength(1)
    expect(Object.keys(body.keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  })

  it('answers an access token that says who, for what and how long', async () => {
    const claims = claimsOf(await running.mailClientToken(alex))
    expect(claims).toMatchObject({
      iss: running.provider.url,
      aud: 'api://signet',
      azp: 'the-add-in',
      preferred_username: alex,
      name: 'Alex Kim',
      scp: 'access_as_user',
    })
    expect(claims.exp - claims.iat).toBe(3599)
  })

  it('refuses a mailbox that it does not know, and what is no address', async () => {
    const url = `${running.provider.url}/mail-client/token`
    const unknown = await send('POST', url, addinHeaders, { email: 'nobody@northwind.example' })
    expect([unknown.status, unknown.body.code]).toEqual([404, 'unknown_account'])
    expect(unknown.headers.get('access-control-allow-origin')).toBe(pageOrigin)
    expect((await send('POST', url, {}, { email: 'nobody' })).body.code).toBe('invalid_body')
  })

  it('fails on demand', async () => {
    const order = { call: 'POST /mail-client/token', fault: { kind: 'status', status: 500 }, times: 1 }
    await send('PUT', `${running.provider.url}/_control/faults`, {}, order)
    const ask = () => send('POST', `${running.provider.url}/mail-client/token`, {}, { email: alex })
    expect([(await ask()).status, (await ask()).status]).toEqual([500, 200])
  })
})

describe('what goes wrong', () => {
  it('can be asked for, with every call that a fault may name, and ended for one call', async () => {
    await fault({ kind: 'cut' })
    await control('PUT', 'faults', { call: '*', fault: { kind: 'delay', ms: 1 }, times: 2 })
    const listed = async () => JSON.parse((await control('GET', 'faults')).text)
    expect((await listed()).calls).toEqual(
      expect.arrayContaining(['*', 'GET /api/addin/user', 'GET /images/*']),
    )
    expect((await listed()).faults).toEqual([
      { call: 'GET /api/addin/user', fault: { kind: 'cut' } },
      { call: '*', fault: { kind: 'delay', ms: 1 }, times: 2 },
    ])
    await control('DELETE', `faults?call=${encodeURIComponent('GET /api/addin/user')}`)
    expect((await listed()).faults.map(({ call }: { call: string }) => call)).toEqual(['*'])
    await control('DELETE', 'faults')
    expect((await listed()).faults).toEqual([])
  })
})

describe('the clock of the service', () => {
  it('[PLAY-3] can be set ahead: a session ends then, and goes on when it is set back', async () => {
    const lifetimes = 10
    expect((await user()).status).toBe(200)
    await control('PUT', 'clock', { ahead: lifetimes * 3_600_000 })
    expect((await control('GET', 'clock')).body).toEqual({ ahead: lifetimes * 3_600_000 })
    expect((await user()).status).toBe(401)
    await control('PUT', 'clock', { ahead: 0 })
    expect((await user()).status).toBe(200)
  })

  it.each([{}, { ahead: -1 }, { ahead: 1.5 }, { ahead: 'soon' }])('is not set by %j', async (body) => {
    expect((await control('PUT', 'clock', body)).status).toBe(400)
  })
})
