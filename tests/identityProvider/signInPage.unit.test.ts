import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIdentityProvider } from '../../src/identityProvider/identityProvider.ts'
import type { RunningServer } from '../../src/server/webServer.ts'

const PAGES = 'http://localhost:1234'
const PERSON = { Accept: 'text/html,*/*;q=0.8', 'Accept-Language': 'de' }
let provider: RunningServer
beforeAll(async () => {
  provider = await createIdentityProvider({
    port: 0,
    origins: [PAGES],
    clientId: 'the-client',
    audience: 'api://signet',
    control: true,
  })
})
afterAll(() => provider.close())

const asking = (fields: Readonly<Record<string, string>> = {}): string => {
  const query = {
    client_id: 'the-client',
    redirect_uri: `${PAGES}/index.html`,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'c',
    code_challenge_method: 'S256',
    ...fields,
  }
  return `/northwind/authorize?${new URLSearchParams(query).toString()}`
}
const ask = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(`${provider.url}${path}`, { headers: PERSON, ...init })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
const POLICY =
  /^default-src 'none'; style-src 'sha256-[^ ']+'; base-uri 'none'; form-action (.*); frame-ancestors 'none'$/

test('the sign-in page has a button for each account, and sends the request on, escaped', async () => {
  const { status, headers, text } = await ask(asking({ state: '"><script>' }))
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(POLICY.exec(headers.get('content-security-policy') ?? '')?.[1]).toBe(`'self' ${PAGES}`)
  expect(text).toContain('<html lang="en">')
  expect(text).toContain('<h1>Choose an account</h1>')
  expect(text).toContain(
    'name="account" value="6f1c0a52-alex">Alex Kim<small>alex.kim@northwind.example</small><small>Administrator</small></button>',
  )
  for (const [email, access] of [
    ['maria.silva@northwind.example', 'May read on the administration page'],
    ['jonas.weber@northwind.example', 'Operator: may see the list of organisations'],
    ['tess.edge@northwind.example', 'No access to the administration page'],
  ])
    expect(text).toContain(`<small>${email}</small><small>${access}</small></button>`)
  expect(text).toContain('<form method="post" action="/northwind/choose">')
  expect(text).toContain('&amp;redirect_uri=http%3A%2F%2Flocalhost%3A1234%2Findex.html&amp;')
  expect(text).not.toContain('<script')
})

test('the page after sign-out says that the window may be closed', async () => {
  const { status, headers, text } = await ask('/northwind/logout')
  expect([status, headers.get('set-cookie')?.includes('Max-Age=0')]).toEqual([200, true])
  expect(POLICY.exec(headers.get('content-security-policy') ?? '')?.[1]).toBe("'none'")
  expect(text).toContain('<h1>You’re signed out</h1>\n<p>You can close this window.</p>')
})

const LOGOUT = `/northwind/logout?post_logout_redirect_uri=${encodeURIComponent('https://<b>.example')}`
const CHOICE = { method: 'POST', body: new URLSearchParams({ request: 'client_id=<b>' }) }

test.each<[string, string, RequestInit, string, string]>([
  ['another client', asking({ client_id: '<b>' }), {}, 'unknown_client', 'a client id that this provider'],
  ['an address', asking({ redirect_uri: 'https://<b>' }), {}, 'invalid_redirect_uri', 'no page of Signet'],
  ['a sign-out to it', LOGOUT, {}, 'invalid_redirect_uri', 'no page of Signet'],
  ['a query', '/northwind/authorize?client_id=<b>', {}, 'invalid_query', 'no complete sign-in request'],
  ['a form', '/northwind/choose', CHOICE, 'invalid_body', 'no complete sign-in request'],
])('a person is told why %s is refused, and a program gets JSON', async (_, path, init, code, sentence) => {
  const { status, headers, text } = await ask(path, init)
  expect([status, headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
  expect(headers.get('content-security-policy')).toMatch(POLICY)
  expect(text).toContain('<html lang="en">')
  expect(text).toContain('<h1>This was refused</h1>')
  expect(text).toContain(sentence)
  expect(text).toContain(`<code>400 ${code}</code>`)
  expect(text).not.toContain('<b>')
  const called = await ask(path, { ...init, headers: {} })
  expect([called.status, JSON.parse(called.text)]).toMatchObject([400, { code }])
})

test('another refusal is explained as one of the server, in the language of the person', async () => {
  const fault = { call: 'GET /northwind/authorize', fault: { kind: 'status', status: 503 }, times: 1 }
  await fetch(`${provider.url}/_control/faults`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(fault),
  })
  const { status, text } = await ask(asking())
  expect([status, text.includes('Etwas ist schiefgegangen')]).toEqual([503, true])
})

test('a browser with two accounts is told apart by the hint, and asked without one', async () => {
  /** Chooses the account; returns the cookie of the browser. */
  const choose = async (account: string, cookie: string): Promise<string> => {
    const request = asking().split('?')[1] ?? ''
    const { headers } = await ask('/northwind/choose', {
      method: 'POST',
      redirect: 'manual',
      headers: { ...PERSON, cookie },
      body: new URLSearchParams({ request, account }),
    })
    return headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  /** What the provider answers to a hidden frame: an error, or `code` for a sign-in. */
  const silently = async (cookie: string, hint?: string) => {
    const path = asking({ prompt: 'none', ...(hint === undefined ? {} : { login_hint: hint }) })
    const { headers } = await ask(path, { redirect: 'manual', headers: { ...PERSON, cookie } })
    const fields = new URLSearchParams(new URL(headers.get('location') ?? '').hash.slice(1))
    return fields.get('error') ?? (fields.has('code') ? 'code' : null)
  }
  const [alex, maria] = ['alex.kim@northwind.example', 'maria.silva@northwind.example']
  const one = await choose('6f1c0a52-alex', '')
  expect([await silently(one), await silently(one, alex), await silently(one, maria)]).toEqual([
    ...['code', 'code', 'login_required'],
  ])
  const two = await choose('6f1c0a52-maria', one)
  expect([await silently(two), await silently(two, alex), await silently(two, maria)]).toEqual([
    ...['interaction_required', 'code', 'code'],
  ])
  // With a hint, or with one account only, the page asks for no choice.
  const page = async (cookie: string, fields: Record<string, string> = {}) =>
    (await ask(asking(fields), { redirect: 'manual', headers: { ...PERSON, cookie } })).status
  expect([
    await page(one.replace(/=.*/, '=gone')),
    await page(two),
    await page(two, { login_hint: alex }),
  ]).toEqual([...[200, 200, 303]])
  // The same account again stays one account.
  expect(await silently(await choose('6f1c0a52-maria', await choose('6f1c0a52-maria', '')))).toBe('code')
})
