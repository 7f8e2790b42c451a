import type { FastifyRequest } from 'fastify'
import { beforeEach, expect, it } from 'vitest'
import { createWebServer, Refusal, type WebServer } from '../../../src/server/webServer.ts'
import { addRequestLimits } from '../../../src/service/http/limits.ts'
import { object, text } from '../../../streams/kernel/schema.ts'

const SIGN_IN = '/authentication/addin/azure'
let clock: number
let app: WebServer
let signedIn: number
/** The token that is good no longer. */
let revoked: string

const isGood = ({ headers: { authorization } }: FastifyRequest) =>
  authorization?.startsWith('good') === true && authorization !== revoked

beforeEach(async () => {
  clock = 1_000_000
  signedIn = 0
  revoked = ''
  app = (await createWebServer([], null, { trustedProxies: ['127.0.0.1'] })).app
  addRequestLimits(app, {
    signInPath: SIGN_IN,
    programPaths: ['/api/administration/v1', '/scim/v2'],
    personOf: ({ headers }) => headers.authorization ?? null,
    organisationOf: ({ headers }) => headers['x-organisation']?.toString() ?? null,
    isVerified: (request) => isGood(request) && request.routeOptions.url?.endsWith('.json') !== true,
    ofOrganisation: 400,
    now: () => clock,
  })
  app.post(SIGN_IN, { schema: { body: object({ email: text }) } }, async () => (signedIn += 1))
  app.get('/api/addin/user', async () => ({}))
  app.get('/api/addin/photo', async () => {
    throw new Refusal(401, 'invalid_token', 'Not good.')
  })
  const route = {
    onRequest: async (request: FastifyRequest) => {
      if (!isGood(request)) throw new Refusal(401, 'invalid_token', 'Not good.')
    },
  }
  app.get('/api/administration/v1/openapi.json', async () => ({}))
  app.get('/api/administration/v1/releases', route, async () => ({}))
  app.get('/scim/v2/Users', route, async () => ({}))
})

const signIn = (email: string, address = '203.0.113.1') =>
  app.inject({ method: 'POST', url: SIGN_IN, payload: { email }, headers: { 'X-Forwarded-For': address } })
const ask = (person: string | null) =>
  app.inject({ url: '/api/addin/user', headers: person === null ? {} : { authorization: person } })
async function statuses(count: number, send: () => Promise<{ statusCode: number }>): Promise<number[]> {
  const all: number[] = []
  for (let index = 0; index < count; index++) all.push((await send()).statusCode)
  return [...new Set(all)]
}

it('more than 20 sign-ins a minute of one mailbox from one address are refused, and say when to come back', async () => {
  expect(await statuses(20, () => signIn('alex@northwind.example'))).toEqual([200])
  clock += 14_500
  const { statusCode, headers, json } = await signIn('Alex@Northwind.example')
  expect([statusCode, headers['retry-after'], json<{ code: string }>().code]).toEqual([
    429,
    '46',
    'too_many_requests',
  ])
  expect(signedIn).toBe(20)
})

it('another mailbox and another address have sign-ins of their own', async () => {
  await statuses(21, () => signIn('alex@northwind.example'))
  expect((await signIn('maria@northwind.example')).statusCode).toBe(200)
  expect((await signIn('alex@northwind.example', '203.0.113.2')).statusCode).toBe(200)
  expect((await signIn('alex@northwind.example')).statusCode).toBe(429)
})

it('sign-ins are taken again after a minute', async () => {
  await statuses(21, () => signIn('alex@northwind.example'))
  clock += 59_999
  expect((await signIn('alex@northwind.example')).statusCode).toBe(429)
  clock += 1
  expect(await statuses(20, () => signIn('alex@northwind.example'))).toEqual([200])
})

it('more than 300 requests a minute of one user are refused; those of others and those without a user are not', async () => {
  expect(await statuses(300, () => ask('u-1'))).toEqual([200])
  const refused = await ask('u-1')
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60'])
  expect((await ask('u-2')).statusCode).toBe(200)
  expect(await statuses(301, () => ask(null))).toEqual([200])
  clock += 60_000
  expect((await ask('u-1')).statusCode).toBe(200)
})

it.each([
  ['the administration', '/api/administration/v1/releases'],
  ['SCIM', '/scim/v2/Users'],
])(
  'after 20 tokens that are not good, an address has no new token for %s read for a minute',
  async (_, url) => {
    const ask = (authorization: string, address = '203.0.113.1') =>
      app.inject({ url, headers: { authorization, 'X-Forwarded-For': address } })
    expect(await statuses(100, () => ask('good 1'))).toEqual([200])
    let count = 0
    expect(await statuses(20, () => ask(`guessed ${String((count += 1))}`))).toEqual([401])
    const refused = await ask('good 2')
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60'])
    expect((await ask('good 2', '203.0.113.2')).statusCode).toBe(200)
    // Those that were good before go on, for whoever shares the address.
    expect((await ask('good 1')).statusCode).toBe(200)
    clock += 60_000
    expect((await ask('good 3')).statusCode).toBe(200)
  },
)

it('a token that is good no longer is refused as a wrong one', async () => {
  const ask = (authorization: string) => app.inject({ url: '/scim/v2/Users', headers: { authorization } })
  expect((await ask('good 1')).statusCode).toBe(200)
  revoked = 'good 1'
  expect(await statuses(20, () => ask('good 1'))).toEqual([401])
  expect((await ask('good 1')).statusCode).toBe(429)
})

it('what needs no token makes none a good one', async () => {
  const ask = (url: string) => app.inject({ url, headers: { authorization: 'guessed' } })
  expect(await statuses(20, () => ask('/scim/v2/Users'))).toEqual([401])
  clock += 60_000
  expect((await ask('/api/administration/v1/openapi.json')).statusCode).toBe(200)
  expect(await statuses(20, () => ask('/scim/v2/Users'))).toEqual([401])
  expect((await ask('/scim/v2/Users')).statusCode).toBe(429)
})

it.each([
  ['another port', (index: number) => `203.0.113.8:${String(40_000 + index)}`],
  ['another address of its IPv6 network', (index: number) => `2001:db8:0:1::${index.toString(16)}`],
  [
    'another port and form of its IPv6 address',
    (index: number) => `[2001:db8:0:1::7]:${String(40_000 + index)}`,
  ],
  ['no address that its proxy tells', (index: number) => `unknown-${String(index)}`],
])('a client is limited although each request has %s', async (_, addressOf) => {
  let index = 0
  const url = '/scim/v2/Users'
  const ask = () =>
    app.inject({ url, headers: { authorization: 'guessed', 'X-Forwarded-For': addressOf((index += 1)) } })
  expect(await statuses(20, ask)).toEqual([401])
  expect(await statuses(5, ask)).toEqual([429])
  index = 0
  expect(await statuses(20, () => signIn('alex@northwind.example', addressOf((index += 1))))).toEqual([200])
  expect((await signIn('alex@northwind.example', addressOf((index += 1)))).statusCode).toBe(429)
})

it('tokens that are not good for the add-in do not count against programs at the same address', async () => {
  const headers = { authorization: 'good', 'X-Forwarded-For': '203.0.113.1' }
  expect(await statuses(30, () => app.inject({ url: '/api/addin/photo', headers }))).toEqual([401])
  expect((await app.inject({ url: '/api/administration/v1/releases', headers })).statusCode).toBe(200)
})

it('[SCALE-3] an organisation has a number of requests a minute for all its users, and the others have theirs', async () => {
  let person = 0
  const askOf = (organisation: string) => () =>
    app.inject({
      url: '/api/addin/user',
      headers: { authorization: `person ${(person += 1)}`, 'x-organisation': organisation },
    })
  expect(await statuses(400, askOf('large'))).toEqual([200])
  expect((await askOf('large')()).statusCode).toBe(429)
  expect((await askOf('small')()).statusCode).toBe(200)
  clock += 60_000
  expect((await askOf('large')()).statusCode).toBe(200)
})
