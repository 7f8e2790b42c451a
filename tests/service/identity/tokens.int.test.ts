import { createHmac, type KeyObject } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { TENANT_IDS } from '../../../src/identityProvider/accounts.ts'
import type { RunningServer } from '../../../src/server/webServer.ts'
import { createTokenReader, type TokenReaderOptions } from '../../../src/service/identity/tokens.ts'
import { ALEX, MARIA, send, startProvider } from '../running.ts'

/** Claims of a token; undefined ones are left out. */
type Claims = Readonly<Record<string, unknown>>

const START = Date.parse('2026-03-02T09:00:00Z')
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const HANA = 'hana.port@harbour.example'
const GUS = 'gus.guest@elsewhere.example'
const NOA = 'noa.other@elsewhere.example'
const INVALID = { code: 'invalid_token' }
const AWAY = { code: 'identity_provider_unavailable' }

let clock = START
const now = () => clock
beforeEach(() => {
  clock = START
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** A reader of tokens that no client's limit counts. */
function readerOf(over: Partial<TokenReaderOptions>) {
  const { verifyAccessToken, applicationToken } = createTokenReader({
    authority: '',
    tenants: [TENANT_IDS.northwind, TENANT_IDS.harbour],
    tokenAudiences: ['the-add-in', 'api://signet'],
    scope: 'access_as_user',
    now,
    ...over,
  })
  return {
    verifyAccessToken: async (token: string) => verifyAccessToken(token, null),
    applicationToken: async (token: string) => applicationToken(token, null),
  }
}

describe('a provider that is laid out like Microsoft Entra', () => {
  let provider: RunningServer
  beforeAll(async () => {
    provider = await startProvider({ layout: 'entra', control: true, now })
  })
  beforeEach(() => control('DELETE', 'requests'))
  afterEach(() => control('DELETE', 'faults'))
  afterAll(() => provider.close())

  const control = (method: string, path: string, body?: unknown) =>
    send(method, `${provider.url}/_control/${path}`, {}, body)
  const fail = (call: string, fault: object) => control('PUT', 'faults', { call, fault })
  const reader = (over: Partial<TokenReaderOptions> = {}) =>
    readerOf({ authority: `${provider.url}/{tenant}/v2.0`, ...over })
  const tokens = async (email: string, wanted: object = {}) => {
    const { text } = await send('POST', `${provider.url}/mail-client/token`, {}, { email, ...wanted })
    return JSON.parse(text) as Readonly<{ access_token: string; id_token: string }>
  }
  const tokenOf = async (email: string, wanted: object = {}) => (await tokens(email, wanted)).access_token
  const applicationToken = async () => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'the-pipeline',
      client_secret: 'demonstration-only',
      scope: 'api://the-add-in/.default',
    })
    const url = `${provider.url}/${TENANT_IDS.northwind}/oauth2/v2.0/token`
    const response = await fetch(url, { method: 'POST', body: form })
    return ((await response.json()) as Readonly<{ access_token: string }>).access_token
  }
  /** The paths that readers asked for. */
  const asked = async () => {
    const { text } = await control('GET', 'requests')
    const paths = (JSON.parse(text) as readonly Readonly<{ path: string }>[]).map(({ path }) => path)
    return paths.filter((path) => path !== '/mail-client/token')
  }
  const documentOf = (tenant: string, version = '/v2.0') =>
    `/${tenant}${version}/.well-known/openid-configuration`
  const KEYS = '/common/discovery/v2.0/keys'

  it('[SRV-1] signs in with keys that stand elsewhere than below the issuer', async () => {
    const { account } = await reader().verifyAccessToken(await tokenOf(ALEX))
    expect(account).toEqual({ tenant: TENANT_IDS.northwind, oid: '6f1c0a52-alex' })
    expect(await asked()).toEqual([documentOf(TENANT_IDS.northwind), KEYS])
    expect((await fetch(`${provider.url}/${TENANT_IDS.northwind}/v2.0/keys`)).status).toBe(404)
  })

  it.each(['1.0', '2.0'])(
    '[SRV-2] takes access tokens of version %s of each allowed tenant',
    async (version) => {
      const { verifyAccessToken } = reader()
      const [alex, hana] = [await tokenOf(ALEX, { version }), await tokenOf(HANA, { version })]
      expect(await verifyAccessToken(alex)).toEqual({
        account: { tenant: TENANT_IDS.northwind, oid: '6f1c0a52-alex' },
        signInName: ALEX,
        isGuest: false,
        roles: ['Signet.Read', 'Signet.Publish', 'Signet.People', 'Signet.Audit'],
      })
      expect(await verifyAccessToken(hana)).toMatchObject({
        account: { tenant: TENANT_IDS.harbour },
        roles: [],
      })
    },
  )

  it('asks for the documents of version 1 where version 1 has them', async () => {
    await reader().verifyAccessToken(await tokenOf(ALEX, { version: '1.0' }))
    expect(await asked()).toEqual([documentOf(TENANT_IDS.northwind, ''), '/common/discovery/keys'])
  })

  it.each(['1.0', '2.0'])('tells the sign-in name of version %s, and a guest', async (version) => {
    const { verifyAccessToken } = reader()
    expect((await verifyAccessToken(await tokenOf(MARIA, { version }))).signInName).toBe(
      'msilva@corp.northwind.example',
    )
    expect(await verifyAccessToken(await tokenOf(GUS, { version }))).toMatchObject({
      signInName: GUS,
      isGuest: true,
    })
  })

  it.each([
    ['of another tenant', NOA, {}],
    ['of another tenant, version 1', NOA, { version: '1.0' }],
    ['for another API', ALEX, { audience: 'https://graph.microsoft.com' }],
    ['without the scope', ALEX, { scope: '' }],
    ['with another scope', ALEX, { scope: 'access_as_user.all user_impersonation' }],
  ])('[SRV-2] refuses a token %s', async (_, email, wanted) => {
    await expect(reader().verifyAccessToken(await tokenOf(email, wanted))).rejects.toMatchObject(INVALID)
  })

  it('[SRV-2] takes a scope among others', async () => {
    const token = await tokenOf(ALEX, { scope: 'email access_as_user' })
    expect((await reader().verifyAccessToken(token)).account.oid).toBe('6f1c0a52-alex')
  })

  it('asks another tenant for nothing', async () => {
    await expect(reader().verifyAccessToken(await tokenOf(NOA))).rejects.toMatchObject(INVALID)
    expect(await asked()).toEqual([])
  })

  it('refuses the id token of the same user and the same application', async () => {
    const { id_token } = await tokens(ALEX)
    const { verifyAccessToken, applicationToken: administration } = reader()
    await expect(verifyAccessToken(id_token)).rejects.toMatchObject(INVALID)
    await expect(administration(id_token)).rejects.toMatchObject(INVALID)
  })

  it('[SRV-2] takes a token a minute after its end, and no longer', async () => {
    const { verifyAccessToken } = reader()
    const token = await tokenOf(ALEX)
    clock = START + 3599_000 + 59_000
    expect((await verifyAccessToken(token)).account.oid).toBe('6f1c0a52-alex')
    clock += 1000
    await expect(verifyAccessToken(token)).rejects.toMatchObject(INVALID)
  })

  it('[SRV-2] takes a token a minute before its begin, and no sooner', async () => {
    const { verifyAccessToken } = reader()
    const token = await tokenOf(ALEX)
    clock = START - 60_000
    expect((await verifyAccessToken(token)).account.oid).toBe('6f1c0a52-alex')
    clock -= 1000
    await expect(verifyAccessToken(token)).rejects.toMatchObject(INVALID)
  })

  it('takes the token of an application for the administration only', async () => {
    const token = await applicationToken()
    const { verifyAccessToken, applicationToken: administration } = reader()
    await expect(verifyAccessToken(token)).rejects.toMatchObject(INVALID)
    expect(await administration(token)).toEqual({
      account: { tenant: TENANT_IDS.northwind, oid: 'b8e1d6c4-pipeline' },
      signInName: 'application the-pipeline',
      isGuest: false,
      roles: ['Signet.Read', 'Signet.Publish'],
    })
  })

  it('takes the token of a user for the administration', async () => {
    const { applicationToken: administration } = reader()
    expect(await administration(await tokenOf(MARIA))).toMatchObject({
      account: { oid: '6f1c0a52-maria' },
      roles: ['Signet.Read'],
    })
    const without = await tokenOf(ALEX, { scope: '' })
    await expect(administration(without)).rejects.toMatchObject(INVALID)
  })

  it('keeps the documents for a day', async () => {
    const { verifyAccessToken } = reader()
    const both = [documentOf(TENANT_IDS.northwind), KEYS]
    await Promise.all(
      [tokenOf(ALEX), tokenOf(MARIA), tokenOf(GUS)].map(async (token) => verifyAccessToken(await token)),
    )
    expect(await asked()).toEqual(both)
    clock = START + DAY_MS - 1
    await verifyAccessToken(await tokenOf(ALEX))
    expect(await asked()).toEqual(both)
    clock = START + DAY_MS
    await verifyAccessToken(await tokenOf(ALEX))
    expect(await asked()).toEqual([...both, ...both])
  })

  it('[SRV-1] finds a rotated key, and takes tokens of the key before it', async () => {
    const { verifyAccessToken } = reader()
    const before = await tokenOf(ALEX)
    await verifyAccessToken(before)
    await control('POST', 'keys')
    clock += MINUTE_MS
    const both = await Promise.all([
      verifyAccessToken(await tokenOf(MARIA)),
      verifyAccessToken(await tokenOf(ALEX)),
    ])
    expect(both.map(({ account }) => account.oid)).toEqual(['6f1c0a52-maria', '6f1c0a52-alex'])
    expect((await verifyAccessToken(before)).account.oid).toBe('6f1c0a52-alex')
  })

  it('takes a known token at its word, until it ends', async () => {
    const verified = vi.spyOn(crypto.subtle, 'verify')
    const { verifyAccessToken, applicationToken: administration } = reader()
    const [token, other] = [await tokenOf(ALEX), await tokenOf(MARIA)]
    const first = await verifyAccessToken(token)
    expect(await verifyAccessToken(token)).toEqual(first)
    expect(await administration(token)).toEqual(first)
    expect(verified).toHaveBeenCalledTimes(1)
    expect((await verifyAccessToken(other)).account.oid).toBe('6f1c0a52-maria')
    expect(verified).toHaveBeenCalledTimes(2)
    clock = START + 3599_000 + 60_000
    await expect(verifyAccessToken(token)).rejects.toMatchObject(INVALID)
  })

  it('finds a rotated key after its clock was set back', async () => {
    const { verifyAccessToken } = reader()
    clock = START + 10 * DAY_MS
    await verifyAccessToken(await tokenOf(ALEX))
    clock = START
    await control('POST', 'keys')
    expect((await verifyAccessToken(await tokenOf(ALEX))).account.oid).toBe('6f1c0a52-alex')
  })

  it('asks again for unknown keys once a minute', async () => {
    const { verifyAccessToken } = reader()
    const { privateKey } = await generateKeyPair('RS256')
    const forged = () =>
      new SignJWT({ tid: TENANT_IDS.northwind, ver: '2.0' })
        .setProtectedHeader({ alg: 'RS256', kid: crypto.randomUUID() })
        .sign(privateKey)
    const flood = async () => {
      const all = await Promise.allSettled(
        Array.from({ length: 20 }, async () => verifyAccessToken(await forged())),
      )
      for (const each of all) expect(each).toMatchObject({ status: 'rejected', reason: INVALID })
    }
    const reads = async () => (await asked()).filter((path) => path === KEYS).length
    await flood()
    expect(await reads()).toBe(1)
    clock += MINUTE_MS - 1
    await flood()
    expect(await reads()).toBe(1)
    clock += 1
    await flood()
    expect(await reads()).toBe(2)
    expect((await verifyAccessToken(await tokenOf(ALEX))).account.oid).toBe('6f1c0a52-alex')
  })

  const DOCUMENT_CALL = 'GET /:tenant/v2.0/.well-known/openid-configuration'
  it.each(
    [DOCUMENT_CALL, `GET ${KEYS}`].flatMap((call) =>
      [
        { kind: 'status', status: 500 },
        { kind: 'status', status: 404 },
        { kind: 'html' },
        { kind: 'malformed' },
        { kind: 'wrongShape' },
        { kind: 'empty' },
        { kind: 'cut' },
      ].map((fault) => [call, fault] as const),
    ),
  )('fails with 503 while %s answers with %j, and recovers', async (call, fault) => {
    const { verifyAccessToken } = reader()
    const token = await tokenOf(ALEX)
    await fail(call, fault)
    await expect(verifyAccessToken(token)).rejects.toMatchObject(AWAY)
    await control('DELETE', 'faults')
    expect((await verifyAccessToken(token)).account.oid).toBe('6f1c0a52-alex')
  })

  it('goes on with known keys while the provider is away, and fails with 503 for a key that may be new', async () => {
    const { verifyAccessToken } = reader()
    const known = await tokenOf(ALEX)
    await verifyAccessToken(known)
    await control('POST', 'keys')
    const unknown = await tokenOf(ALEX)
    await fail('*', { kind: 'status', status: 500 })
    clock += MINUTE_MS
    await expect(verifyAccessToken(unknown)).rejects.toMatchObject(AWAY)
    expect((await verifyAccessToken(known)).account.oid).toBe('6f1c0a52-alex')
    await control('DELETE', 'faults')
    clock += MINUTE_MS
    expect((await verifyAccessToken(unknown)).account.oid).toBe('6f1c0a52-alex')
    const [, ...rest] = unknown.split('.')
    const header = Buffer.from(JSON.stringify({ alg: 'RS256', kid: 'never' })).toString('base64url')
    await expect(verifyAccessToken([header, ...rest].join('.'))).rejects.toMatchObject(INVALID)
  })

  it('asks once for all sign-ins that wait, and fails them together', async () => {
    const { verifyAccessToken } = reader()
    const token = await tokenOf(ALEX)
    await fail(DOCUMENT_CALL, { kind: 'status', status: 500 })
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => verifyAccessToken(token)))
    for (const each of all) expect(each).toMatchObject({ status: 'rejected', reason: AWAY })
    expect(await asked()).toHaveLength(1)
  })

  it('limits the time of a slow provider', async () => {
    const limit = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
    const token = await tokenOf(ALEX)
    await fail(DOCUMENT_CALL, { kind: 'delay', ms: 600_000 })
    const failed = expect(reader().verifyAccessToken(token)).rejects.toMatchObject(AWAY)
    await vi.waitFor(async () => expect(await asked()).toHaveLength(1))
    expect(timeout).toHaveBeenCalledWith(3000)
    limit.abort()
    await failed
  })

  it.each(['', 'abc', 'a.b.c', '...', 'x'.repeat(100_000), `${'['.repeat(5000)}.e.s`])(
    'refuses text that is no token',
    async (text) => {
      await expect(reader().verifyAccessToken(text)).rejects.toMatchObject(INVALID)
      expect(await asked()).toEqual([])
    },
  )

  it('refuses a token that was changed anywhere, whatever stands there', async () => {
    const { verifyAccessToken } = reader()
    const token = await tokenOf(ALEX)
    const good = await verifyAccessToken(token)
    const bytesOf = (text: string) =>
      text.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'))
    const change = fc.tuple(
      fc.nat(token.length - 1),
      fc.nat(3),
      fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('A', '.', '', 'e30')),
    )
    await fc.assert(
      fc.asyncProperty(change, async ([at, removed, added]) => {
        const changed = token.slice(0, at) + added + token.slice(at + removed)
        const outcome: unknown = await verifyAccessToken(changed).catch((error: unknown) => error)
        if (outcome instanceof Error) expect(outcome).toMatchObject(INVALID)
        else {
          // The last digit of base64url has bits that say nothing.
          expect(outcome).toEqual(good)
          expect(bytesOf(changed)).toEqual(bytesOf(token))
        }
      }),
    )
  })
})

describe('a provider that sends what it wants', () => {
  const answers = new Map<string, RequestListener>()
  const server = createServer((request, response) => {
    const answer = answers.get(request.url ?? '')
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
  const tenant = TENANT_IDS.northwind
  const DOCUMENT = `/${tenant}/v2.0/.well-known/openid-configuration`
  let url = ''
  let pair: Awaited<ReturnType<typeof generateKeyPair>>
  beforeAll(async () => {
    pair = await generateKeyPair('RS256', { extractable: true })
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
    url = `http://localhost:${(server.address() as AddressInfo).port}`
  })
  beforeEach(async () => {
    const key = { ...(await exportJWK(pair.publicKey)), kid: 'key', use: 'sig' }
    answers.clear()
    answerJson(DOCUMENT, { issuer: `${url}/${tenant}/v2.0`, jwks_uri: `${url}/keys` })
    answerJson('/keys', { keys: [key] })
  })
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  const answerJson = (path: string, body: unknown) =>
    answers.set(path, (_, response) => void response.end(JSON.stringify(body)))
  const reader = () => readerOf({ authority: `${url}/{tenant}/v2.0` })
  const claims = (): Claims => ({
    iss: `${url}/${tenant}/v2.0`,
    aud: 'the-add-in',
    azp: 'the-add-in',
    tid: tenant,
    oid: 'an-object',
    sub: 'pairwise',
    ver: '2.0',
    scp: 'access_as_user',
    preferred_username: ALEX,
    nbf: START / 1000,
    exp: START / 1000 + 3600,
  })
  const signed = (over: Claims = {}, header: object = {}) =>
    new SignJWT({ ...claims(), ...over })
      .setProtectedHeader({ alg: 'RS256', kid: 'key', ...header })
      .sign(pair.privateKey)
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

  it('is believed when everything is right', async () => {
    expect(await reader().verifyAccessToken(await signed())).toEqual({
      account: { tenant, oid: 'an-object' },
      signInName: ALEX,
      isGuest: false,
      roles: [],
    })
  })

  it.each<[string, Claims]>([
    ['another issuer', { iss: 'https://login.microsoftonline.com/common/v2.0' }],
    ['the issuer of version 1 in version 2', { iss: `https://sts.windows.net/${tenant}/` }],
    ['the issuer of another allowed tenant', { tid: TENANT_IDS.harbour }],
    ['another tenant', { tid: TENANT_IDS.elsewhere }],
    ['no tenant', { tid: undefined }],
    ['a list of tenants', { tid: [tenant] }],
    ['another version', { ver: '3.0' }],
    ['no version', { ver: undefined }],
    ['an audience that begins alike', { aud: 'the-add-in-2' }],
    ['no audience', { aud: undefined }],
    ['no end', { exp: undefined }],
    ['no account', { oid: undefined }],
    ['an empty account', { oid: '' }],
    ['an account that is no text', { oid: { toString: 'x' } }],
    ['a scope that is no text', { scp: ['access_as_user'] }],
  ])('is not believed with %s', async (_, over) => {
    if (over['tid'] === TENANT_IDS.harbour)
      answerJson(`/${TENANT_IDS.harbour}/v2.0/.well-known/openid-configuration`, {
        issuer: `${url}/${TENANT_IDS.harbour}/v2.0`,
        jwks_uri: `${url}/keys`,
      })
    await expect(reader().verifyAccessToken(await signed(over))).rejects.toMatchObject(INVALID)
  })

  it('is not believed about a token any more when it has another key', async () => {
    const { verifyAccessToken } = reader()
    const token = await signed()
    await verifyAccessToken(token)
    const { publicKey } = await generateKeyPair('RS256', { extractable: true })
    answerJson('/keys', { keys: [{ ...(await exportJWK(publicKey)), kid: 'key', use: 'sig' }] })
    clock = START + 3_000_000
    expect((await verifyAccessToken(token)).account.oid).toBe('an-object')
    // The keys are read again for one that is unknown.
    await expect(verifyAccessToken(await signed({}, { kid: 'another' }))).rejects.toMatchObject(INVALID)
    await expect(verifyAccessToken(token)).rejects.toMatchObject(INVALID)
  })

  it('is not believed about a tenant that may not sign in any more', async () => {
    let isKnown = true
    const { verifyAccessToken } = readerOf({
      authority: `${url}/{tenant}/v2.0`,
      tenants: ['another'],
      hasTenant: async () => isKnown,
    })
    const token = await signed()
    expect((await verifyAccessToken(token)).account.oid).toBe('an-object')
    isKnown = false
    await expect(verifyAccessToken(token)).rejects.toMatchObject(INVALID)
  })

  it('is not believed without a signature', async () => {
    for (const alg of ['none', 'None', 'NONE', ''])
      await expect(
        reader().verifyAccessToken(`${encoded({ alg, kid: 'key' })}.${encoded(claims())}.`),
      ).rejects.toMatchObject(INVALID)
  })

  it('is not believed with its public key as the secret of HS256', async () => {
    for (const secret of [
      await exportSPKI(pair.publicKey),
      JSON.stringify(await exportJWK(pair.publicKey)),
      (pair.publicKey as unknown as KeyObject).toString(),
    ]) {
      const content = `${encoded({ alg: 'HS256', kid: 'key' })}.${encoded(claims())}`
      const signature = createHmac('sha256', secret).update(content).digest('base64url')
      await expect(reader().verifyAccessToken(`${content}.${signature}`)).rejects.toMatchObject(INVALID)
    }
  })

  it('is not believed with another algorithm or with a key in the token', async () => {
    const other = await generateKeyPair('RS256', { extractable: true })
    const jwk = { ...(await exportJWK(other.publicKey)), kid: 'key' }
    const brought = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'RS256', kid: 'key', jwk, jku: `${url}/other` })
      .sign(other.privateKey)
    await expect(reader().verifyAccessToken(brought)).rejects.toMatchObject(INVALID)
    const stronger = await importJWK(await exportJWK(pair.privateKey), 'RS512')
    const longer = await new SignJWT(claims()).setProtectedHeader({ alg: 'RS512', kid: 'key' }).sign(stronger)
    await expect(reader().verifyAccessToken(longer)).rejects.toMatchObject(INVALID)
    await expect(reader().verifyAccessToken(await signed({}, { kid: undefined }))).rejects.toMatchObject(
      INVALID,
    )
  })

  it.each<[string, Claims, boolean]>([
    ['an id token', { scp: undefined, nonce: 'n', sub: 'an-object', roles: ['Signet.Publish'] }, false],
    ['a user without scope or nonce', { scp: undefined, roles: ['Signet.Publish'] }, false],
    ['a user without the scope', { scp: undefined, idtyp: 'user', sub: 'an-object' }, false],
    ['no client', { scp: undefined, idtyp: 'app', azp: undefined }, false],
    ['other scopes of an application', { scp: 'other', idtyp: 'app' }, false],
    ['an application', { scp: undefined, idtyp: 'app' }, true],
    ['an application whose token does not say so', { scp: undefined, sub: 'an-object' }, true],
  ])('asks the administration with a token of %s', async (_, over, isGood) => {
    const outcome = reader().applicationToken(await signed(over))
    if (isGood) expect(await outcome).toMatchObject({ signInName: 'application the-add-in' })
    else await expect(outcome).rejects.toMatchObject(INVALID)
  })

  it.each<[string, Claims, boolean]>([
    ['no other provider', {}, false],
    ['its own issuer as the provider', { idp: 'own' }, false],
    ['another provider', { idp: 'https://sts.windows.net/other/' }, true],
    ['the mark of a guest', { acct: 1 }, true],
    ['the mark of a member', { acct: 0 }, false],
    ['the name of a guest', { preferred_username: 'gus_else.example#EXT#@northwind.example' }, true],
  ])('tells by %s whether a user is a guest', async (_, over, isGuest) => {
    const idp = over['idp'] === 'own' ? claims()['iss'] : over['idp']
    const token = await signed({ ...over, ...(idp === undefined ? {} : { idp }) })
    expect((await reader().verifyAccessToken(token)).isGuest).toBe(isGuest)
  })

  it('leaves roles out that are no text', async () => {
    const roles = ['Signet.Read', 7, null, ['Signet.Publish']]
    expect((await reader().verifyAccessToken(await signed({ roles }))).roles).toEqual(['Signet.Read'])
    expect((await reader().verifyAccessToken(await signed({ roles: 'Signet.Publish' }))).roles).toEqual([])
  })

  it('may send tokens of 16 kB, and no longer ones', async () => {
    const { verifyAccessToken } = reader()
    const withGroups = (length: number) => signed({ groups: 'g'.repeat(length) })
    expect((await withGroups(11_000)).length).toBeGreaterThan(15_000)
    expect((await verifyAccessToken(await withGroups(11_000))).account.oid).toBe('an-object')
    await expect(verifyAccessToken(await withGroups(12_000))).rejects.toMatchObject(INVALID)
  })

  it('may not send its documents with an error', async () => {
    answers.set(DOCUMENT, (_, response) => {
      response.writeHead(500).end(JSON.stringify({ issuer: claims()['iss'], jwks_uri: `${url}/keys` }))
    })
    const message = `${url}${DOCUMENT} answers with status 500.`
    await expect(reader().verifyAccessToken(await signed())).rejects.toMatchObject({
      ...AWAY,
      cause: { message },
    })
  })

  it('is read up to a size', async () => {
    let sent = 0
    const closed = new Promise<void>((resolve) => {
      answers.set(DOCUMENT, (_, response) => {
        const part = Buffer.alloc(64 * 1024, 0x20)
        const write = () => {
          while (!response.destroyed) {
            sent += part.length
            if (!response.write(part)) break
          }
        }
        response.on('drain', write).on('close', resolve)
        write()
      })
    })
    const message = `${url}${DOCUMENT} answers with more than 262144 bytes.`
    await expect(reader().verifyAccessToken(await signed())).rejects.toMatchObject({
      ...AWAY,
      cause: { message },
    })
    await closed
    // What is on its way when the reader stops.
    expect(sent).toBeLessThan(32 * 1024 * 1024)
  })

  it('may not redirect', async () => {
    answers.set('/moved', answers.get(DOCUMENT)!)
    answers.set(DOCUMENT, (_, response) => void response.writeHead(302, { Location: '/moved' }).end())
    await expect(reader().verifyAccessToken(await signed())).rejects.toMatchObject(AWAY)
  })

  it.each(['http://127.0.0.1', 'http://localhost:x@127.0.0.1', 'file:///keys', '/keys', 7])(
    'may not have its keys at %s',
    async (start) => {
      const keys =
        typeof start === 'string' && start.startsWith('http') ? url.replace('http://localhost', start) : start
      answerJson(DOCUMENT, { issuer: `${url}/${tenant}/v2.0`, jwks_uri: `${String(keys)}/keys` })
      await expect(reader().verifyAccessToken(await signed())).rejects.toMatchObject(AWAY)
    },
  )
})

describe('a plain provider', () => {
  let provider: RunningServer
  beforeAll(async () => {
    provider = await startProvider({ now })
  })
  afterAll(() => provider.close())

  const tokenOf = async (email: string) =>
    (await send('POST', `${provider.url}/mail-client/token`, {}, { email })).body.access_token

  it('signs in without and with tenants, with and without a slash at the end of its address', async () => {
    const token = await tokenOf(ALEX)
    for (const authority of [provider.url, `${provider.url}/`])
      for (const tenants of [[], [TENANT_IDS.northwind.toUpperCase()]])
        expect(await readerOf({ authority, tenants }).verifyAccessToken(token)).toMatchObject({
          account: { tenant: TENANT_IDS.northwind, oid: '6f1c0a52-alex' },
        })
  })

  it('is refused when its tenant is none of the tenants', async () => {
    const reader = readerOf({ authority: provider.url, tenants: [TENANT_IDS.elsewhere] })
    await expect(reader.verifyAccessToken(await tokenOf(ALEX))).rejects.toMatchObject(INVALID)
  })

  it('is refused when it is another issuer than its authority', async () => {
    const reader = readerOf({ authority: `${provider.url}/.` })
    await expect(reader.verifyAccessToken(await tokenOf(ALEX))).rejects.toMatchObject(INVALID)
  })

  it('needs tenants where its address has them', () => {
    expect(() => readerOf({ authority: 'https://login.example/{tenant}/v2.0', tenants: [] })).toThrow(
      'tenants',
    )
  })
})
