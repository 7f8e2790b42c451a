import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FOLLOW_INTERVAL_MS } from '../../../src/service/publishing/followReleases.ts'
import type { Plan } from '../../../streams/wire/administration/publishing.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { listen, type RunningServer } from '../../../src/server/webServer.ts'
import { readDemonstration } from '../../../src/service/demonstration/northwind.ts'
import { readFolder } from '../../../src/folder/readFolder.ts'
import { createService, type Service } from '../../../src/service/service.ts'
import type { DatabaseDriver, DatabaseSession } from '../../../src/service/sql/driver.ts'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { createStore } from '../../../src/service/sql/store.ts'
import { createTimers } from '../../support/timers.ts'
import { newDatabase, USUAL_DATABASES } from '../../support/databases.ts'
import { askAdministration } from '../http/administrator.ts'
import { ALEX, send, startProvider } from '../running.ts'

// What publishing reads and writes, counted where the statements go to the database.

/** A driver that notes each statement with the number of rows that it gave. */
function noting(driver: DatabaseDriver, noted: string[]): DatabaseDriver {
  const session = (inner: DatabaseSession): DatabaseSession => ({
    async query<Row extends object>(sql: string, parameters?: readonly unknown[]) {
      const rows = await inner.query<Row>(sql, parameters)
      noted.push(`${sql.replace(/\s+/g, ' ').trim()} -> ${String(rows.length)}`)
      return rows
    },
    script: (sql) => inner.script(sql),
  })
  const notingIn = (
    inner: Pick<DatabaseDriver, 'query' | 'transaction'>,
  ): Pick<DatabaseDriver, 'query' | 'transaction'> => ({
    query: session({ ...inner, script: driver.script }).query,
    transaction: (run, isSnapshot) => inner.transaction((each) => run(session(each)), isSnapshot),
  })
  return {
    ...session(driver),
    ...notingIn(driver),
    within: (organisation) => notingIn(driver.within(organisation)),
    close: async () => {},
  }
}

const SECRET = randomBytes(32)
const FEW = 20
const MANY = 2_000

describe.each(USUAL_DATABASES)('publishing over %s', { timeout: 120_000 }, (kind) => {
  let driver: DatabaseDriver
  let provider: RunningServer
  let administrator: string
  let document: ReleaseDocument
  const services: Service[] = []

  beforeAll(async () => {
    driver = await openDatabase(await newDatabase(kind))
    provider = await startProvider()
    const granted = await send('POST', `${provider.url}/mail-client/token`, {}, { email: ALEX })
    administrator = granted.body.access_token
    const folder = join(import.meta.dirname, '../../../src/service/demonstration/signatures')
    document = (await readFolder(folder)).document
  })
  afterAll(async () => {
    await Promise.all(services.map((service) => service.close()))
    await Promise.all([provider.close(), driver.close()])
  })

  /** The statements of publishing to so many people, and those by which another instance learns of it. */
  async function statements(people: number) {
    const organisation = randomUUID()
    const start = async (noted: string[]) => {
      const time = createTimers()
      const service = await createService({
        store: createStore(noting(driver, noted), organisation),
        organisation: 'Northwind Trading',
        tenants: [],
        authority: provider.url,
        tokenAudiences: ['api://signet'],
        scope: 'access_as_user',
        secret: SECRET,
        publicUrl: () => 'https://signet.example.com',
        origins: [],
        timers: time,
      })
      services.push(service)
      return { service, time }
    }
    const [publishing, following]: [string[], string[]] = [[], []]
    const { service } = await start(publishing)
    const { context } = service
    const { pictures } = await readDemonstration()
    for (const [hash, picture] of pictures) await context.store.keepPicture(hash, picture)
    const rows = Array.from({ length: people }, (_, index) => ({
      id: `p-${String(index)}`,
      record: {
        addresses: [`p${String(index)}@northwind.example`],
        account: null,
        language: null,
        fields: { givenName: 'P' },
        groups: [],
        picture: null,
      },
    }))
    await context.people.importRows(rows, 'test', false)
    const { url } = await listen(service.app, 0)
    const plan = await askAdministration<Plan>(url, administrator, 'POST', '/plans', { document })
    expect([plan.status, plan.body.summary.people]).toEqual([201, people + document.mailboxes.length])

    const { service: other, time } = await start(following)
    // An instance deletes old reports when it starts.
    await expect.poll(() => following.some((noted) => noted.startsWith('delete from told'))).toBe(true)
    publishing.length = 0
    const published = await askAdministration<Readonly<{ release: string }>>(
      ...([url, administrator, 'POST', '/releases'] as const),
      { plan: plan.body.id },
    )
    expect(published.status).toBe(201)
    const own = [...publishing]
    following.length = 0
    time.advance(FOLLOW_INTERVAL_MS)
    await expect.poll(() => other.context.releases.current()?.id).toBe(published.body.release)
    return { own, others: [...following] }
  }

  it('[SRV-41] makes the same statements and gets the same rows for a hundred times as many people', async () => {
    const few = await statements(FEW)
    expect(few.own.length).toBeGreaterThan(0)
    expect(few.others.length).toBeGreaterThan(0)
    expect(few.own.some((statement) => statement.includes('insert into event'))).toBe(true)
    expect(await statements(MANY)).toEqual(few)
  })
})
