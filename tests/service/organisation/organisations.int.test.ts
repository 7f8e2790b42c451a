import { createHash, createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { firstValueFrom, ReplaySubject } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { ADMINISTRATION_PATH } from '../../../streams/wire/administration/calls.ts'
import { DEMONSTRATION_ACCOUNTS, TENANT_IDS } from '../../../src/identityProvider/accounts.ts'
import { listen, type RunningServer } from '../../../src/server/webServer.ts'
import { readDemonstration } from '../../../src/service/demonstration/northwind.ts'
import { readFolder } from '../../../src/folder/readFolder.ts'
import type { Organisation } from '../../../src/service/organisation/organisation.ts'
import { visitIntervalMs } from '../../../src/service/organisation/organisations.ts'
import { createService, type Service } from '../../../src/service/service.ts'
import type { DatabaseDriver } from '../../../src/service/sql/driver.ts'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { createRegistry, OWN_ORGANISATION, type Registry } from '../../../src/service/sql/registry.ts'
import { createStore } from '../../../src/service/sql/store.ts'
import { createTimers } from '../../support/timers.ts'
import { publishDocument } from '../../support/demonstration.ts'
import { newDatabase, USUAL_DATABASES } from '../../support/databases.ts'
import { ADDIN_HEADERS, ALEX, claimsOf, mailClientToken, send, startProvider } from '../running.ts'
import { changed, WITHOUT_CONDITION } from '../sql/firstRowSecurity.ts'
import { png } from '../../folder/pictures.ts'

// Two organisations in one process, whose people have the same ids, addresses and accounts. A response to a user of one
// has nothing of the other. Everything of the other has this mark.

const MARK = 'Fabrikam'
const OTHER = 'fabrikam'
const SECRET = randomBytes(32)
const IMPORT_ID = 'only-there'
const OTHER_ALEX = 'alex@fabrikam.example'
const SCIM_TOKENS = { own: 'o'.repeat(40), other: 'p'.repeat(40) }
const PUBLIC_URL = 'https://signet.example.com'
const HASH = 'f'.repeat(32)
const ADMINISTRATOR = DEMONSTRATION_ACCOUNTS.find(({ email }) => email === ALEX)!
const ACCOUNTS = [
  ...DEMONSTRATION_ACCOUNTS,
  { ...ADMINISTRATOR, email: OTHER_ALEX, signInName: ALEX, tenant: TENANT_IDS.harbour },
  { ...ADMINISTRATOR, email: 'noa@elsewhere.example', signInName: ALEX, tenant: TENANT_IDS.elsewhere },
]

/** One of the two, with the tokens of its administrator. */
type Side = Readonly<{ organisation: Organisation; bearer: string; administrator: string }>

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

const WALLS = USUAL_DATABASES.flatMap((kind) => [
  [kind, 'both walls'] as const,
  [kind, 'the second wall alone, [SCALE-2] as if every statement had lost its condition'] as const,
])

describe.each(WALLS)(
  'two organisations in one process over %s with %s',
  { timeout: 60_000 },
  (kind, walls) => {
    let driver: DatabaseDriver
    let closing: () => Promise<void>
    let registry: Registry
    let provider: RunningServer
    let service: Service
    let url: string
    let own: Side
    let other: Side
    let plan: string
    // The provider dates its tokens by it, too, so that none is of the future, however long the rest takes.
    let clock = Date.UTC(2026, 10, 20, 9)

    const ask = (token: string, method: string, path: string, body?: unknown, headers: object = {}) =>
      send(method, url + path, { ...ADDIN_HEADERS, Authorization: `Bearer ${token}`, ...headers }, body)

    const signIn = async (accessToken: string, body: object = {}, headers: object = {}) =>
      send(
        'POST',
        `${url}/authentication/addin/azure`,
        { ...ADDIN_HEADERS, ...headers },
        { accessToken, email: ALEX, ...body },
      )

    const sideOf = async (organisation: Organisation | null, email: string): Promise<Side> => {
      const administrator = await mailClientToken(provider, email)
      const { body } = await signIn(administrator)
      return { organisation: organisation!, bearer: body.data['access_token'] ?? '', administrator }
    }

    const fabrikam = {
      id: OTHER,
      name: MARK,
      tenants: [TENANT_IDS.harbour],
      directory: { kind: 'scim' as const },
      addedAt: 1,
    }

    beforeAll(async () => {
      driver = await openDatabase(await newDatabase(kind))
      closing = driver.close
      registry = createRegistry(driver)
      if (walls !== 'both walls') driver = changed(driver, WITHOUT_CONDITION)
      provider = await startProvider({ accounts: ACCOUNTS, now: () => clock })
      expect(await registry.keep(fabrikam, hashOf(SCIM_TOKENS.other))).toBe(true)
      const storeOf = (id: string) => createStore({ ...driver, close: async () => {} }, id)
      service = await createService({
        store: storeOf(OWN_ORGANISATION),
        others: {
          registry,
          storeOf,
          directoryFor: ({ directory }) =>
            directory?.kind === 'scim' ? { kind: 'scim', attributes: [] } : null,
        },
        organisation: 'Northwind Trading',
        tenants: [TENANT_IDS.northwind],
        authority: provider.url,
        tokenAudiences: ['api://signet'],
        scope: 'access_as_user',
        origins: [],
        secret: SECRET,
        scimToken: SCIM_TOKENS.own,
        publicUrl: () => PUBLIC_URL,
        now: () => clock,
        server: { trustedProxies: ['127.0.0.1', '::1'] },
      })
      url = (await listen(service.app, 0)).url
      const otherOne = (await service.organisations.of(OTHER))!
      const { people, pictures } = await readDemonstration()
      // Without the signatures of the demonstration that no plan may have.
      const { document } = await readFolder(
        join(import.meta.dirname, '../../../src/service/demonstration/signatures'),
      )
      for (const { store } of [service.context, otherOne.context])
        for (const [hash, each] of pictures) await store.keepPicture(hash, each)
      await service.context.people.importRows(people, 'test', false)
      await publishDocument(service.context, document, 'test', 'test')

      // The same, with the mark wherever a text can have it.
      const marked = people.map(({ id, record }) => ({
        id,
        record: {
          ...record,
          account: null,
          fields: Object.fromEntries(Object.entries(record.fields).map(([name]) => [name, MARK])),
        },
      }))
      const [first] = marked
      if (first === undefined) throw new Error('The demonstration has no people.')
      const stranger = { id: IMPORT_ID, record: { ...first.record, addresses: [`${MARK}@fabrikam.example`] } }
      await otherOne.context.people.importRows([...marked, stranger], MARK, false)
      const markedDocument: ReleaseDocument = {
        ...document,
        organisation: MARK,
        signatures: document.signatures.map((each) => ({ ...each, name: `${MARK} ${each.name}` })),
      }
      await publishDocument(otherOne.context, markedDocument, MARK, MARK)

      own = await sideOf(service.organisations.own, ALEX)
      other = await sideOf(otherOne, OTHER_ALEX)
      const sent = await ask(other.administrator, 'POST', `${ADMINISTRATION_PATH}/plans`, {
        document: { ...markedDocument, organisation: `${MARK} 2` },
        pictures: {},
      })
      expect(sent.status).toBe(201)
      plan = sent.body.id
      await otherOne.context.store.keepPicture(HASH, { mediaType: 'image/png', bytes: png(77) })
    })
    afterAll(async () => {
      await service.close()
      await Promise.all([provider.close(), closing()])
    })

    const releaseOf = ({ organisation }: Side) => organisation.context.releases.current()?.id ?? ''

    it('[SRV-40] [SCALE-1] are asked by every call, and none answers anything of the other', async () => {
      const askAll = async (side: Side) => {
        const told: string[] = []
        // What only the other has stands in the paths.
        const release = releaseOf(other)
        const idOf = (path: string): string =>
          path.includes('/plans/') ? plan : path.includes('/releases/') ? release : IMPORT_ID
        const reading = service.routes.filter(
          ({ method, path }) => method === 'GET' && !path.startsWith('/of/'),
        )
        for (const { path } of reading) {
          const token = path.startsWith(ADMINISTRATION_PATH)
            ? side.administrator
            : path.startsWith('/scim')
              ? side === own
                ? SCIM_TOKENS.own
                : SCIM_TOKENS.other
              : side.bearer
          const filled = path.replace(':id', idOf(path)).replace('*', `${HASH}/mark.png`)
          for (const query of [
            '',
            `?release=${release}`,
            '?per_page=50&search=a&q=a&organisation=fabrikam&org=fabrikam',
          ]) {
            const headers = {
              'X-Organisation': OTHER,
              'X-Tenant': TENANT_IDS.harbour,
              Forwarded: `host=${OTHER}`,
            }
            const { status, text } = await ask(token, 'GET', filled + query, undefined, headers)
            expect(status, path).toBeLessThan(500)
            // A picture has no text, and a plan that changes no signature has no name.
            if (text.includes(MARK) || (status === 200 && /\/(images|plans)\//.test(path))) told.push(path)
          }
        }
        return [...new Set(told)].sort()
      }
      expect(await askAll(own)).toEqual([])
      // The same question to the other finds its mark: else the first one would prove nothing.
      expect((await askAll(other)).map((path) => path.replace(ADMINISTRATION_PATH, ''))).toEqual(
        expect.arrayContaining([
          ...['/api/addin/user', '/api/addin/user/variables', '/audit', '/export', '/insight'],
          ...['/overview', '/people', '/people/:id'],
          ...['/people/:id/data', '/people/:id/signatures', '/plans/:id', '/releases'],
          ...['/signatures-cache/api/v1/signature/addin', '/signatures-cache/api/v1/signatures'],
        ]),
      )
    })

    it('[SRV-40] do not take plans, releases, people and pictures of the other', async () => {
      const before = releaseOf(own)
      const administration = async (method: string, path: string, body?: unknown) => {
        const { status, text } = await ask(own.administrator, method, ADMINISTRATION_PATH + path, body)
        expect(text).not.toContain(MARK)
        return status
      }
      expect(await administration('POST', '/releases', { plan })).toBe(404)
      expect(await administration('POST', `/releases/${releaseOf(other)}/rollback`, {})).toBe(404)
      expect(await administration('DELETE', `/people/${IMPORT_ID}`)).toBe(404)
      const { text } = await ask(own.administrator, 'POST', `${ADMINISTRATION_PATH}/pictures/missing`, {
        pictures: [HASH],
      })
      expect(JSON.parse(text)).toEqual({ missing: [HASH] })
      expect(releaseOf(own)).toBe(before)
      const asked = await ask(other.administrator, 'GET', `${ADMINISTRATION_PATH}/people/${IMPORT_ID}`)
      expect(asked.status).toBe(200)
    })

    it('[SCALE-1] a sign-in belongs to the organisation of the tenant in its token', async () => {
      expect(claimsOf(own.bearer)['org']).toBeUndefined()
      expect(claimsOf(other.bearer)['org']).toBe(OTHER)
      // Whatever else the request says.
      for (const [side, named] of [
        [own, OTHER],
        [other, OWN_ORGANISATION],
      ] as const) {
        const more = { organisation: named, org: named, tenant: TENANT_IDS.elsewhere }
        const { body } = await signIn(side.administrator, more, { 'X-Organisation': named })
        expect(claimsOf(body.data['access_token'] ?? '')['org']).toBe(side === other ? OTHER : undefined)
      }
      const stranger = await signIn(await mailClientToken(provider, 'noa@elsewhere.example'))
      expect([stranger.status, stranger.body.code]).toEqual([401, 'invalid_token'])
    })

    it('[SCALE-1] a bearer counts only with a key of the organisation that it names', async () => {
      const forged = async (change: object, side: Side) => {
        const keys = (await service.organisations.keysOf(side.organisation.id, null))!
        const { id, bytes } = await keys.current()
        const { org: _, ...claims } = claimsOf(side.bearer)
        const parts = [
          { alg: 'HS256', typ: 'JWT', kid: id },
          { ...claims, ...change },
        ]
        const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
        const signature = createHmac('sha256', bytes).update(text).digest('base64url')
        return (await ask(`${text}.${signature}`, 'GET', '/api/addin/user')).status
      }
      expect(await forged({}, own)).toBe(200)
      expect(await forged({ org: OTHER }, other)).toBe(200)
      expect(await forged({ org: OTHER }, own)).toBe(401)
      expect(await forged({}, other)).toBe(401)
      expect(await forged({ org: 'unknown' }, other)).toBe(401)
      const renewed = await ask(other.bearer, 'GET', '/authentication/access-token')
      expect(claimsOf(renewed.body.data['access_token'] ?? '')['org']).toBe(OTHER)
    })

    it('[SCALE-1] a token of SCIM finds its organisation, and no other token finds one', async () => {
      const user = {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName: 'new@fabrikam.example',
      }
      expect((await ask(SCIM_TOKENS.other, 'POST', '/scim/v2/Users', user)).status).toBe(201)
      const total = async (token: string) => {
        const { text } = await ask(token, 'GET', '/scim/v2/Users')
        return (JSON.parse(text) as { totalResults?: number }).totalResults
      }
      expect([await total(SCIM_TOKENS.own), await total(SCIM_TOKENS.other)]).toEqual([0, 1])
      expect(await total('x'.repeat(40))).toBeUndefined()
    })

    it('[SCALE-1] public addresses name their organisation, and only the service can write them', async () => {
      const status = async (path: string) => (await fetch(url + path)).status
      const base = other.organisation.context.publicUrl()
      expect(base).toMatch(/^https:\/\/signet\.example\.com\/of\/fabrikam\.[\w-]{12}$/)
      const place = base.slice(PUBLIC_URL.length)
      expect(await status(`${place}/images/${HASH}/x.png`)).toBe(200)
      expect(await status(`/images/${HASH}/x.png`)).toBe(404)
      for (const forged of [`/of/${OTHER}`, `/of/${OTHER}.AAAAAAAAAAAA`, place.replace(OTHER, 'default')])
        expect(await status(`${forged}/images/${HASH}/x.png`)).toBe(404)
      const { body } = await ask(other.bearer, 'GET', '/api/addin/user')
      if (body.picture_url !== '') expect(body.picture_url).toContain(`${place}/images/`)
      const rendered = await ask(other.bearer, 'GET', '/signatures-cache/api/v1/signatures?per_page=50')
      const addresses = [...rendered.text.matchAll(/https:\/\/signet\.example\.com(\/[^"\\ )]*)/g)]
      expect(addresses.length).toBeGreaterThan(0)
      for (const [, path = ''] of addresses) expect(path.startsWith(place)).toBe(true)
      // A card is sealed for its organisation, although both have a person with this id.
      const card = other.organisation.context.formats.card('u-1')
      expect(card.startsWith(`${base}/card/`)).toBe(true)
      const path = card.slice(`${base}/card/`.length)
      expect(other.organisation.values.cardOwnerAt(path)).toBe('u-1')
      expect(own.organisation.values.cardOwnerAt(path)).toBeNull()
    })

    it('[SCALE-3] a client that invents tenants and SCIM tokens is refused, and nobody else', async () => {
      await registry.keep({ ...fabrikam, id: 'late', tenants: [TENANT_IDS.elsewhere] }, null)
      clock += 60_000
      const accessToken = await mailClientToken(provider, 'noa@elsewhere.example')
      const [head = '', , signature = ''] = accessToken.split('.')
      const invented = (tid: string) =>
        [head, Buffer.from(JSON.stringify({ tid, ver: '2.0' })).toString('base64url'), signature].join('.')
      const from = (client: string) => ({ 'X-Forwarded-For': client })
      const statuses = new Map<number, number>()
      for (let each = 0; each < 310; each += 1) {
        const name = `${String(each)}@northwind.example`
        const body = { email: name }
        const client = from(`203.0.113.7:${String(40_000 + each)}`)
        const { status } = await signIn(invented(`invented-${String(each)}`), body, client)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
      expect(Object.fromEntries(statuses)).toEqual({ 401: 300, 429: 10 })
      const scim = async (client: string) =>
        (await ask(SCIM_TOKENS.other, 'GET', '/scim/v2/Users', undefined, from(client))).status
      // The organisation that this instance has not met yet, and one whose SCIM has not called yet.
      expect((await signIn(accessToken, {}, from('203.0.113.8'))).body.code).toBe('unknown_user')
      expect(await scim('203.0.113.8')).toBe(200)
      // What is known is answered for that client, too.
      expect((await signIn(accessToken, {}, from('203.0.113.7'))).body.code).toBe('unknown_user')
      expect((await ask(own.bearer, 'GET', '/api/addin/user', undefined, from('203.0.113.7'))).status).toBe(
        200,
      )
      await registry.forget('late')
      clock += 60_000
    })

    it('HEAD is answered wherever GET is', () => {
      const reading = service.routes.filter(({ method }) => method === 'GET')
      expect(reading.length).toBeGreaterThan(20)
      const without = reading.filter(({ path }) => !service.app.hasRoute({ method: 'HEAD', url: path }))
      expect(without).toEqual([])
    })

    it('of which one is removed answer no call of it any more, after what was known is old', async () => {
      await registry.keep({ ...fabrikam, id: 'leaving', tenants: [TENANT_IDS.elsewhere] }, null)
      clock += 60_000
      const accessToken = await mailClientToken(provider, 'noa@elsewhere.example')
      // The organisation is there; it knows no people yet.
      expect((await signIn(accessToken)).body.code).toBe('unknown_user')
      await registry.markRemoved('leaving', 1)
      clock += 60_000
      expect((await signIn(accessToken)).status).toBe(401)
      expect(await service.organisations.of('leaving')).toBeNull()
      expect((await ask(own.bearer, 'GET', '/api/addin/user')).status).toBe(200)
    })
  },
)

it('organisations that no one calls are visited: old data goes, and changes of their directory are applied', async () => {
  const driver = await openDatabase(await newDatabase('postgres'))
  const registry = createRegistry(driver)
  const provider = await startProvider({ accounts: ACCOUNTS })
  const fabrikam = { id: OTHER, name: MARK, tenants: [TENANT_IDS.harbour], addedAt: 1 }
  await registry.keep({ ...fabrikam, directory: { kind: 'scim' } }, hashOf(SCIM_TOKENS.other))
  const storeOf = (id: string) => createStore({ ...driver, close: async () => {} }, id)
  await storeOf(OTHER).keepPlan('old', {}, 1)
  const synced$ = new ReplaySubject<string>(1)
  const service = await createService({
    store: storeOf(OWN_ORGANISATION),
    others: { registry, storeOf, directoryFor: () => ({ kind: 'scim', attributes: [] }) },
    organisation: 'Northwind Trading',
    tenants: [TENANT_IDS.northwind],
    authority: provider.url,
    tokenAudiences: ['api://signet'],
    scope: 'access_as_user',
    origins: [],
    secret: SECRET,
    publicUrl: () => PUBLIC_URL,
    synced: (organisation) => synced$.next(organisation),
    syncFailed: (_, error) => synced$.error(error),
    timers: createTimers(),
  })
  expect(await firstValueFrom(synced$)).toBe(OTHER)
  expect(await storeOf(OTHER).plan('old')).toBeNull()
  await service.close()
  await Promise.all([provider.close(), driver.close()])
})

it.each([
  ['without a directory', null, 60],
  ['with SCIM', { kind: 'scim' }, 60],
  ['with Microsoft Graph', { kind: 'graph', minutes: 15, pictures: false }, 5],
  ['with Microsoft Graph once a day', { kind: 'graph', minutes: 1440, pictures: false }, 60],
] as const)('an organisation %s is visited every hour at least', (_, directory, minutes) => {
  expect(visitIntervalMs(directory)).toBe(minutes * 60_000)
})
