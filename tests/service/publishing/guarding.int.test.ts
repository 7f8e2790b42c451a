import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ADDIN_HEADERS,
  ALEX,
  MARIA,
  PAGE_ORIGIN,
  send,
  start,
  type Running,
  type WireResponse,
} from '../running.ts'

let running: Running
let token: string
let clock = Date.parse('2026-03-02T09:00:00Z')
beforeAll(async () => {
  running = await start({ now: () => clock })
  token = await running.signIn(ALEX)
})
afterAll(() => running.stop())

const signIn = (body: unknown) => running.call('POST', '/authentication/addin/azure', null, body)
const codeOf = ({ status, body }: WireResponse) => [status, body.code]
const PERSONAL_CALLS = [
  ['GET', '/authentication/access-token'],
  ['PUT', '/api/addin/user/addin-info'],
  ['GET', '/api/addin/user'],
  ['GET', '/api/addin/user/photo'],
  ['PUT', '/api/addin/user/photo'],
  ['DELETE', '/api/addin/user/photo'],
  ['GET', '/signatures-cache/api/v1/signature/addin'],
  ['GET', '/signatures-cache/api/v1/signatures'],
  ['POST', '/signatures-cache/api/v1/signatures/get/batch'],
  ['PUT', '/signatures-cache/api/v2/signature/default'],
  ['GET', '/api/addin/variables'],
  ['GET', '/api/addin/user/variables'],
  ['PUT', '/api/addin/user/variables_with_options'],
  ['GET', '/api/addin/subscription'],
  ['GET', '/api/addin/maintenance'],
  ['GET', '/api/addin/configs'],
] as const

describe('sign-in', () => {
  it('accepts the e-mail address in any case', async () => {
    const accessToken = await running.mailClientToken(ALEX)
    expect((await signIn({ accessToken, email: 'Alex.KIM@Northwind.example' })).status).toBe(200)
  })

  it('refuses an access token of another mailbox', async () => {
    const accessToken = await running.mailClientToken(MARIA)
    expect(codeOf(await signIn({ accessToken, email: ALEX }))).toEqual([401, 'invalid_token'])
  })

  it('refuses a mailbox outside the organisation', async () => {
    const email = 'stranger@elsewhere.example'
    const accessToken = await running.mailClientToken(email)
    expect(codeOf(await signIn({ accessToken, email }))).toEqual([403, 'unknown_user'])
  })

  it('refuses an expired access token', async () => {
    const accessToken = await running.mailClientToken(ALEX)
    clock += 3_661_000
    const response = await signIn({ accessToken, email: ALEX })
    clock -= 3_661_000
    expect(codeOf(response)).toEqual([401, 'invalid_token'])
  })

  it('refuses an access token with another signature', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    const { body } = await send('GET', `${running.provider.url}/keys`, {})
    const accessToken = await new SignJWT({ preferred_username: ALEX })
      .setProtectedHeader({ alg: 'RS256', kid: String(body.keys[0]?.kid) })
      .setIssuer(running.provider.url)
      .setAudience('api://signet')
      .setExpirationTime(Math.floor(clock / 1000) + 600)
      .sign(privateKey)
    expect(codeOf(await signIn({ accessToken, email: ALEX }))).toEqual([401, 'invalid_token'])
  })

  it('refuses a malformed access token', async () => {
    expect(codeOf(await signIn({ accessToken: 'abc', email: ALEX }))).toEqual([401, 'invalid_token'])
  })

  it.each([
    // This issuer has the same keys.
    ['of another issuer', () => ({ issuer: `${running.provider.url}/.` })],
    ['for another API', () => ({ tokenAudiences: ['api://another'] })],
  ])('refuses an access token %s', async (_, options) => {
    await running.restart(options())
    const response = await signIn({ accessToken: await running.mailClientToken(ALEX), email: ALEX })
    await running.restart()
    expect(codeOf(response)).toEqual([401, 'invalid_token'])
  })

  it('fails with 503 while the identity provider is unreachable', async () => {
    await running.restart({ issuer: 'http://localhost:1' })
    const response = await signIn({ accessToken: await running.mailClientToken(ALEX), email: ALEX })
    await running.restart()
    expect(codeOf(response)).toEqual([503, 'identity_provider_unavailable'])
  })
})

describe('every call but sign-in', () => {
  const bodyFor = (method: string) => (method === 'GET' || method === 'DELETE' ? undefined : {})

  it.each(PERSONAL_CALLS)('%s %s refuses a missing bearer', async (method, path) => {
    expect(codeOf(await running.call(method, path, null, bodyFor(method)))).toEqual([401, 'invalid_token'])
  })

  it.each(PERSONAL_CALLS)('%s %s refuses a missing header of the contract', async (method, path) => {
    const headers = { ...ADDIN_HEADERS, Authorization: `Bearer ${token}` }
    for (const name of ['X-Api-Version', 'X-Addin-Version', 'X-LSI-Version', 'X-Addin-Trigger']) {
      const without = Object.fromEntries(Object.entries(headers).filter(([header]) => header !== name))
      const response = await send(method, running.url + path, without, bodyFor(method))
      expect(codeOf(response)).toEqual([400, 'header_missing'])
      expect(response.body.message).toContain(name)
    }
  })

  it('accepts a bearer for an hour', async () => {
    clock += 3599_000
    const before = await running.call('GET', '/api/addin/user', token)
    clock += 2000
    const after = await running.call('GET', '/api/addin/user', token)
    clock -= 3601_000
    expect(before.status).toBe(200)
    expect(codeOf(after)).toEqual([401, 'invalid_token'])
  })

  it('refuses a bearer with another key or no signature, and an access token', async () => {
    const claims = new SignJWT({ sub: 'u-1', email: ALEX }).setExpirationTime(Math.floor(clock / 1000) + 600)
    const otherKey = await claims.setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32))
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`
    for (const forged of [otherKey, unsigned, await running.mailClientToken(ALEX)]) {
      expect(codeOf(await running.call('GET', '/api/addin/user', forged))).toEqual([401, 'invalid_token'])
    }
  })
})

describe('input', () => {
  it.each([
    ['page=0'],
    ['page=x'],
    ['per_page=51'],
    ['per_page=1.5'],
    ['build_base64=yes'],
    ['combined_ids='],
  ])('is refused with the query %s', async (query) => {
    const response = await running.call('GET', `/signatures-cache/api/v1/signatures?${query}`, token)
    expect(codeOf(response)).toEqual([400, 'invalid_query'])
    expect(response.body.message).toContain(query.split('=')[0])
  })

  it.each([
    [
      'PUT',
      '/api/addin/user/addin-info',
      { package: '1', context: {}, settings: {}, beta: false, navigator: {} },
    ],
    ['PUT', '/api/addin/user/photo', { photo: 1 }],
    ['POST', '/signatures-cache/api/v1/signatures/get/batch', { user_ids: 'u-2' }],
    ['PUT', '/signatures-cache/api/v2/signature/default', {}],
    ['PUT', '/api/addin/user/variables_with_options', { data: { department: 7 }, reset_fields: [] }],
    ['PUT', '/api/addin/user/variables_with_options', { data: {} }],
    [
      'PUT',
      '/api/addin/user/variables_with_options',
      { data: { metadata: { defaultSignature: 1 } }, reset_fields: [] },
    ],
    ['POST', '/authentication/addin/azure', { accessToken: 'a', email: 'unknown' }],
  ])('%s %s refuses the wrong body %j', async (method, path, body) => {
    expect(codeOf(await running.call(method, path, token, body))).toEqual([400, 'invalid_body'])
  })

  it.each([
    ['its metadata', (deep: string) => `{"data":{"metadata":{"others":${deep}}},"reset_fields":[]}`],
    ['a value', (deep: string) => `{"data":{"department":${deep}},"reset_fields":[]}`],
    ['all of it', (deep: string) => deep],
  ])('is refused when %s is nested 9,000 levels deep', async (_, bodyWith) => {
    const path = '/api/addin/user/variables_with_options'
    for (const [open, end] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const deep = `${open.repeat(9_000)}1${end.repeat(9_000)}`
      expect(codeOf(await running.call('PUT', path, token, bodyWith(deep)))).toEqual([400, 'invalid_body'])
    }
  })

  it('keeps metadata that is nested 28 levels deep', async () => {
    const others = JSON.parse('['.repeat(28) + ']'.repeat(28)) as unknown
    const path = '/api/addin/user/variables_with_options'
    const body = { data: { metadata: { others } }, reset_fields: [] }
    expect((await running.call('PUT', path, token, body)).status).toBe(200)
  })

  it('is refused when it is not JSON', async () => {
    const path = '/signatures-cache/api/v2/signature/default'
    expect(codeOf(await running.call('PUT', path, token, '{'))).toEqual([400, 'invalid_json'])
  })

  it('is refused with another media type', async () => {
    const headers = { ...ADDIN_HEADERS, Authorization: `Bearer ${token}`, 'Content-Type': 'text/plain' }
    const url = `${running.url}/signatures-cache/api/v2/signature/default`
    expect((await fetch(url, { method: 'PUT', headers, body: '{}' })).status).toBe(415)
  })

  it('is refused when its body is too long', async () => {
    const body = { combined_ids: 'x'.repeat(5 * 1024 * 1024) }
    const response = await running.call('PUT', '/signatures-cache/api/v2/signature/default', token, body)
    expect(codeOf(response)).toEqual([413, 'body_too_large'])
  })

  it('is refused at an unknown address, and with a method that the address does not allow', async () => {
    expect(codeOf(await running.call('GET', '/api/addin/nothing', token))).toEqual([404, 'not_found'])
    const response = await running.call('DELETE', '/api/addin/user/photo/', token)
    expect(codeOf(response)).toEqual([404, 'not_found'])
    const wrong = await running.call('POST', '/api/addin/user/photo', token, {})
    expect(codeOf(wrong)).toEqual([405, 'method_not_allowed'])
    expect(wrong.headers.get('allow')).toBe('GET, HEAD, PUT, DELETE')
  })

  it.each([
    'nothing.png',
    'northwind/logo.svg',
    '..%2fservice.ts',
    `${'0'.repeat(32)}/logo.png`,
    `${'0'.repeat(32)}/..%2f..%2fdatabase`,
    `${'0'.repeat(31)}%00/logo.png`,
  ])('is refused for the picture %s', async (path) => {
    expect((await fetch(`${running.url}/images/${path}`)).status).toBe(404)
  })
})

describe('pages of other origins', () => {
  const preflight = (origin: string) =>
    fetch(`${running.url}/api/addin/user/photo`, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'authorization,content-type,x-api-version',
      },
    })

  it('may call from an allowed origin, with every header of the contract and without credentials', async () => {
    const { status, headers } = await preflight(PAGE_ORIGIN)
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe(PAGE_ORIGIN)
    expect(headers.get('access-control-allow-methods')).toBe('GET, POST, PUT, DELETE')
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
    const needed = Object.keys(ADDIN_HEADERS).filter((name) => name !== 'Origin')
    for (const name of [...needed, 'Authorization', 'Content-Type', 'Accept-Language']) {
      expect(allowed).toContain(name.toLowerCase())
    }
    expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0)
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(headers.get('vary')).toBe('Origin')
  })

  it.each(['http://localhost:12345', 'https://localhost:1234', 'null', 'http://localhost:1234.evil.example'])(
    'may not call from %s',
    async (origin) => {
      const { status, headers } = await preflight(origin)
      expect(status).toBe(403)
      expect(headers.get('access-control-allow-origin')).toBeNull()
    },
  )

  it('can read refusals; responses are neither cached nor sniffed', async () => {
    const { headers } = await running.call('GET', '/api/addin/user', null)
    expect(headers.get('access-control-allow-origin')).toBe(PAGE_ORIGIN)
    expect(headers.get('vary')).toBe('Origin')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('may read and cache pictures', async () => {
    const { headers } = await fetch(await running.portrait(), {
      headers: { Origin: PAGE_ORIGIN },
    })
    expect(headers.get('content-type')).toBe('image/png')
    expect(headers.get('cache-control')).toContain('max-age=31536000')
    expect(headers.get('access-control-allow-origin')).toBe(PAGE_ORIGIN)
  })
})
