import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReleaseDocument } from '../../streams/organisation/release.ts'
import { ADMINISTRATION_PATH } from '../../streams/wire/administration/calls.ts'
import { listen, type RunningServer } from '../../src/server/webServer.ts'
import { readDemonstration } from '../../src/service/demonstration/northwind.ts'
import { readFolder } from '../../src/service/folder/readFolder.ts'
import { createService, type Service } from '../../src/service/service.ts'
import type { Driver } from '../../src/service/sql/driver.ts'
import { openDatabase } from '../../src/service/sql/openStore.ts'
import { createStore } from '../../src/service/sql/store.ts'
import { publishDocument } from '../support/demonstration.ts'
import { DATABASES, newDatabase } from '../support/databases.ts'
import { ADDIN_HEADERS, ALEX, send, startProvider } from './running.ts'
import { png } from './pictures.ts'

// Two organisations in one database, whose people have the same ids, addresses and accounts: what one of them asks for
// is never told about the other. Everything of the other has this mark.

const MARK = 'Fabrikam'
const SECRET = randomBytes(32)
const IMPORT_ID = 'only-there'

type Organisation = Readonly<{ service: Service; url: string }>

describe.each(DATABASES)('two organisations in one database over %s', { timeout: 60_000 }, (kind) => {
  let driver: Driver
  let provider: RunningServer
  let own: Organisation
  let other: Organisation
  let administrator: string
  let plan: string
  let picture: string
  const running: Organisation[] = []

  async function start(): Promise<Organisation> {
    const service = await createService({
      store: createStore({ ...driver, close: async () => {} }, randomUUID()),
      organisation: 'Northwind Trading',
      tenants: [],
      authority: provider.url,
      tokenAudiences: ['api://signet'],
      scope: 'access_as_user',
      secret: SECRET,
      publicUrl: () => 'https://signet.example.com',
      origins: [],
    })
    const { url } = await listen(service.app, 0)
    const organisation = { service, url }
    running.push(organisation)
    return organisation
  }

  const publish = ({ service }: Organisation, document: ReleaseDocument, by: string) =>
    publishDocument(service.context, document, by, by)

  const ask = ({ url }: Organisation, token: string, method: string, path: string, body?: unknown) =>
    send(method, url + path, { ...ADDIN_HEADERS, Authorization: `Bearer ${token}` }, body)

  async function signIn({ url }: Organisation): Promise<string> {
    const { body } = await send('POST', `${url}/authentication/addin/azure`, ADDIN_HEADERS, {
      accessToken: administrator,
      email: ALEX,
    })
    return body.data['access_token'] ?? ''
  }

  beforeAll(async () => {
    driver = await openDatabase(await newDatabase(kind))
    provider = await startProvider()
    own = await start()
    other = await start()
    const { people, pictures } = await readDemonstration()
    // Without the signatures of the demonstration that no plan may have.
    const { document } = await readFolder(
      join(import.meta.dirname, '../../src/service/demonstration/signatures'),
    )
    for (const { service } of [own, other])
      for (const [hash, each] of pictures) await service.context.store.keepPicture(hash, each)
    await own.service.context.people.importRows(people, 'test', false)
    await publish(own, document, 'test')

    // The same, with the mark in whatever can have it.
    const marked = people.map(({ id, record }) => ({
      id,
      record: {
        ...record,
        fields: Object.fromEntries(Object.entries(record.fields).map(([name]) => [name, MARK])),
      },
    }))
    const [first] = marked
    if (first === undefined) throw new Error('The demonstration has no people.')
    const stranger = {
      id: IMPORT_ID,
      record: { ...first.record, addresses: [`${MARK}@fabrikam.example`], account: null },
    }
    await other.service.context.people.importRows([...marked, stranger], MARK, false)
    const markedDocument = {
      ...document,
      organisation: MARK,
      signatures: document.signatures.map((each) => ({ ...each, name: `${MARK} ${each.name}` })),
    }
    await publish(other, markedDocument, MARK)

    const granted = await send('POST', `${provider.url}/mail-client/token`, {}, { email: ALEX })
    administrator = granted.body.access_token
    const content = png(77)
    const sent = await ask(other, administrator, 'POST', `${ADMINISTRATION_PATH}/plans`, {
      document: { ...markedDocument, organisation: `${MARK} 2` },
      pictures: {},
    })
    expect(sent.status).toBe(201)
    plan = sent.body.id
    picture = 'f'.repeat(32)
    await other.service.context.store.keepPicture(picture, { mediaType: 'image/png', bytes: content })
  })
  afterAll(async () => {
    await Promise.all(running.map(({ service }) => service.close()))
    await Promise.all([provider.close(), driver.close()])
  })

  it('[SRV-40] are asked by every call, and none tells anything of the other', async () => {
    const bearers = new Map([
      [own, await signIn(own)],
      [other, await signIn(other)],
    ])
    const askAll = async (organisation: Organisation) => {
      const told: string[] = []
      const { routes } = organisation.service
      // What only the other has stands in the paths.
      const release = other.service.context.releases.current()?.id ?? ''
      const idOf = (path: string): string =>
        path.includes('/plans/') ? plan : path.includes('/releases/') ? release : IMPORT_ID
      const reading = routes.filter(({ method }) => method === 'GET')
      for (const { path } of reading) {
        const isAdministration = path.startsWith(ADMINISTRATION_PATH)
        const token = isAdministration ? administrator : (bearers.get(organisation) ?? '')
        const filled = path.replace(':id', idOf(path)).replace('*', `${picture}/mark.png`)
        for (const query of ['', `?release=${release}`, '?per_page=50&search=a&q=a']) {
          const { status, text } = await ask(organisation, token, 'GET', filled + query)
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
        ...['/api/addin/user', '/api/addin/user/variables', '/audit', '/export', '/images/*', '/insight'],
        ...['/overview', '/people', '/people/:id'],
        ...['/people/:id/data', '/people/:id/signatures', '/plans/:id', '/releases'],
        ...['/signatures-cache/api/v1/signature/addin', '/signatures-cache/api/v1/signatures'],
      ]),
    )
  })

  it('[SRV-40] do not take bearers, plans, releases, people and pictures of the other', async () => {
    const release = other.service.context.releases.current()?.id ?? ''
    const before = own.service.context.releases.current()?.id
    expect((await ask(own, await signIn(other), 'GET', '/api/addin/user')).status).toBe(401)
    const administration = async (method: string, path: string, body?: unknown) => {
      const { status, text } = await ask(own, administrator, method, ADMINISTRATION_PATH + path, body)
      expect(text).not.toContain(MARK)
      return status
    }
    expect(await administration('POST', '/releases', { plan })).toBe(404)
    expect(await administration('POST', `/releases/${release}/rollback`, {})).toBe(404)
    expect(await administration('DELETE', `/people/${IMPORT_ID}`)).toBe(404)
    const { text } = await ask(own, administrator, 'POST', `${ADMINISTRATION_PATH}/pictures/missing`, {
      pictures: [picture],
    })
    expect(JSON.parse(text)).toEqual({ missing: [picture] })
    expect(own.service.context.releases.current()?.id).toBe(before)
    expect(
      (await ask(other, administrator, 'GET', `${ADMINISTRATION_PATH}/people/${IMPORT_ID}`)).status,
    ).toBe(200)
  })
})
