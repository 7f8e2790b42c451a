import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TENANT_IDS } from '../../src/identityProvider/accounts.ts'
import { listen, type RunningServer } from '../../src/server/webServer.ts'
import { startProduction } from '../../src/service/production.ts'
import { createService, type Service } from '../../src/service/service.ts'
import { readSettings } from '../../src/service/settings.ts'
import { restoreBackup } from '../../src/service/sql/backup.ts'
import type { DatabaseDriver } from '../../src/service/sql/driver.ts'
import { openEmbedded } from '../../src/service/sql/embedded.ts'
import { migrate, readMigrations } from '../../src/service/sql/migrate.ts'
import { openDatabase, type StoreAddress } from '../../src/service/sql/openStore.ts'
import { openPostgres } from '../../src/service/sql/pg.ts'
import { createRegistry } from '../../src/service/sql/registry.ts'
import { createStore } from '../../src/service/sql/store.ts'
import { DATABASES, newPostgresUrl } from '../support/databases.ts'
import { ADDIN_HEADERS, ALEX, send, signInTo, startProvider } from './running.ts'

// The version before there were several organisations wrote `golden/before-organisations.json`: a backup of its database,
// what it answered, and the bearer and tokens with which it was asked.

type Golden = Readonly<{
  at: number
  secret: string
  scimToken: string
  bearer: string
  publicUrl: string
  answers: readonly Readonly<{ path: string; token: 'bearer' | 'scimToken'; status: number; body: object }>[]
  publics: readonly Readonly<{ path: string; status: number; location: string | null; sha256: string }>[]
  backup: readonly unknown[]
}>

const golden = JSON.parse(
  readFileSync(new URL('golden/before-organisations.json', import.meta.url), 'utf8'),
) as Golden
/** The migrations of that version. */
const MIGRATIONS = 7
const PAGE = '<!doctype html><html lang=en><title>Signet</title><div id=root></div></html>'

async function* lines() {
  for (const line of golden.backup) yield JSON.stringify(line)
}

const WAYS = ['migrated', 'restored'] as const
const CASES = DATABASES.flatMap((kind) => WAYS.map((way) => [kind, way] as const))

describe.each(CASES)('the data of the version before, in %s, %s', { timeout: 60_000 }, (kind, way) => {
  let folder: string
  let address: StoreAddress
  let driver: DatabaseDriver
  let provider: RunningServer
  let service: Service
  let url: string

  /** As that version left its database. */
  async function fillAsBefore() {
    const before =
      address.kind === 'embedded' ? await openEmbedded(address.folder) : openPostgres(address.url)
    await migrate(before, (await readMigrations()).slice(0, MIGRATIONS), () => golden.at)
    await restoreBackup(before, lines())
    await before.close()
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signet-earlier-'))
    address =
      kind === 'embedded'
        ? { kind, folder: join(folder, 'data') }
        : { kind: 'postgres', url: await newPostgresUrl() }
    if (way === 'migrated') await fillAsBefore()
    driver = await openDatabase(address)
    if (way === 'restored') await restoreBackup(driver, lines())
    const now = () => golden.at + 60_000
    provider = await startProvider({ now })
    service = await createService({
      store: createStore(driver, 'default'),
      organisation: 'Northwind Trading',
      tenants: [TENANT_IDS.northwind],
      authority: provider.url,
      tokenAudiences: ['api://signet'],
      scope: 'access_as_user',
      origins: [],
      secret: Buffer.from(golden.secret, 'base64'),
      scimToken: golden.scimToken,
      publicUrl: () => golden.publicUrl,
      now,
    })
    url = (await listen(service.app, 0)).url
  })
  afterAll(async () => {
    await service.close()
    await Promise.all([provider.close(), driver.close()])
    await rm(folder, { recursive: true, force: true })
  })

  const expectPublics = async (at: string) => {
    for (const { path, status, location, sha256 } of golden.publics) {
      const answer = await fetch(at + path, { redirect: 'manual' })
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(
        [answer.status, answer.headers.get('location'), createHash('sha256').update(bytes).digest('hex')],
        path,
      ).toEqual([status, location, sha256])
    }
  }

  it('[SCALE-8] answers the same bearer and the same SCIM token as before', async () => {
    for (const { path, token, status, body } of golden.answers) {
      const headers = { ...ADDIN_HEADERS, Authorization: `Bearer ${golden[token]}` }
      const answer = await send('GET', url + path, headers)
      expect(answer.status, path).toBe(status)
      expect(answer.body, path).toMatchObject(body)
    }
  })

  it('[SCALE-8] serves the pictures, QR codes, links and cards of mails that were sent before', async () => {
    expect(golden.publics.map(({ path }) => path.split('/')[1])).toEqual(
      expect.arrayContaining(['images', 'go', 'card']),
    )
    await expectPublics(url)
  })

  it('[SCALE-8] is the one organisation, whose users sign in, save and find what they saved', async () => {
    expect(await createRegistry(driver).page('', 9)).toEqual([])
    const bearer = await signInTo(url, provider, ALEX)
    const headers = { ...ADDIN_HEADERS, Authorization: `Bearer ${bearer}` }
    const saved = { data: { office: 'Quayside' }, reset_fields: [] }
    const put = await send('PUT', `${url}/api/addin/user/variables_with_options`, headers, saved)
    expect(put.status).toBe(200)
    const { text } = await send('GET', `${url}/api/addin/user/variables`, headers)
    for (const value of ['Quayside', 'Alexis']) expect(text).toContain(value)
    // The rows of the tables that have an organisation are still those of one.
    const [rows] = await driver.query<{ organisations: string[] }>(
      'select array_agg(distinct organisation) as organisations from event',
    )
    expect(rows?.organisations).toEqual(['default'])
  })

  it('[SCALE-8] runs with the settings of before', async () => {
    await service.close()
    await driver.close()
    const pages = join(folder, 'pages')
    await mkdir(pages)
    for (const name of ['taskpane.html', 'index.html', 'launch.html', 'administration.html'])
      await writeFile(join(pages, name), PAGE)
    for (const name of ['launch.js', 'launch-guard.js']) await writeFile(join(pages, name), '')
    const read = readSettings({
      SIGNET_PUBLIC_URL: golden.publicUrl,
      SIGNET_LISTEN: 'localhost:0',
      SIGNET_INTERNAL_LISTEN: '127.0.0.1:0',
      SIGNET_TENANTS: TENANT_IDS.northwind,
      SIGNET_CLIENT_ID: 'the-add-in',
      SIGNET_SCOPE: 'api://signet/access_as_user',
      SIGNET_SECRET: golden.secret,
      SIGNET_DIRECTORY: 'scim',
      SIGNET_SCIM_TOKEN: golden.scimToken,
      ...(address.kind === 'embedded'
        ? { SIGNET_EMBEDDED: 'accept', SIGNET_DATA: String(address.folder) }
        : { DATABASE_URL: address.url }),
    })
    if ('problems' in read) throw new Error(read.problems.join('\n'))
    const running = await startProduction(read.settings, { write: () => undefined }, pages)
    try {
      await expectPublics(running.url)
      const headers = { Authorization: `Bearer ${golden.scimToken}` }
      const { status, body } = await send('GET', `${running.url}/scim/v2/Users`, headers)
      expect(status).toBe(200)
      expect(body).toMatchObject(golden.answers.find(({ path }) => path === '/scim/v2/Users')?.body ?? {})
      // With one organisation the pages sign users in at their own tenant.
      const page = await (await fetch(`${running.url}/taskpane.html`)).text()
      expect(page).toContain(`login.microsoftonline.com/${TENANT_IDS.northwind}`)
    } finally {
      await running.close()
    }
  })
})
