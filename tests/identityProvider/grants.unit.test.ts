import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIdentityProvider } from '../../src/identityProvider/identityProvider.ts'
import type { RunningServer } from '../../src/server/webServer.ts'

const CALLBACK = 'http://localhost:1234/index.html'
const VERIFIER = 'the verifier'
let provider: RunningServer
beforeAll(async () => {
  provider = await createIdentityProvider({
    port: 0,
    origins: ['http://localhost:1234'],
    clientId: 'the-client',
    audience: 'api://signet',
    control: true,
  })
})
afterAll(() => provider.close())

/** The code of a person who chose their account. */
async function codeOf(): Promise<string> {
  const request = new URLSearchParams({
    client_id: 'the-client',
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  const chosen = await fetch(`${provider.url}/northwind/choose`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ request, account: '6f1c0a52-alex' }),
  })
  const { hash } = new URL(chosen.headers.get('location') ?? '')
  return new URLSearchParams(hash.slice(1)).get('code') ?? ''
}

async function redeem(fields: Readonly<Record<string, string>>): Promise<Readonly<Record<string, unknown>>> {
  const body = new URLSearchParams({ client_id: 'the-client', ...fields })
  const answer = await fetch(`${provider.url}/northwind/token`, { method: 'POST', body })
  return { status: answer.status, ...((await answer.json()) as Readonly<Record<string, unknown>>) }
}
const ofCode = (code: string, more: Readonly<Record<string, string>> = {}) =>
  redeem({
    grant_type: 'authorization_code',
    code,
    code_verifier: VERIFIER,
    redirect_uri: CALLBACK,
    ...more,
  })
const REFUSED = { status: 400, error: 'invalid_grant' }

test('a code gives tokens once, to the one who asked for it', async () => {
  const code = await codeOf()
  expect(await ofCode(code)).toMatchObject({ status: 200, token_type: 'Bearer', scope: 'openid' })
  expect(await ofCode(code)).toMatchObject(REFUSED)
  expect(await ofCode(await codeOf(), { code_verifier: 'another' })).toMatchObject(REFUSED)
  expect(await ofCode(await codeOf(), { redirect_uri: 'http://localhost:1/' })).toMatchObject(REFUSED)
})

test('a refresh token gives tokens once, with the next one', async () => {
  const { refresh_token: first } = await ofCode(await codeOf())
  const refresh = { grant_type: 'refresh_token', refresh_token: String(first) }
  const again = await redeem(refresh)
  expect(again).toMatchObject({
    status: 200,
    refresh_token: expect.not.stringMatching(String(first)) as string,
  })
  expect(await redeem(refresh)).toMatchObject(REFUSED)
})

test('another client, and another kind of grant, get nothing', async () => {
  expect(await redeem({ client_id: 'x' })).toMatchObject({ status: 400, error: 'invalid_client' })
  expect(await redeem({ grant_type: 'password' })).toMatchObject({ error: 'unsupported_grant_type' })
})
