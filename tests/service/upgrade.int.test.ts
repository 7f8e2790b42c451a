import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMINISTRATION_PATH } from '../../streams/wire/administration/calls.ts'
import { listen, type RunningServer } from '../../src/server/webServer.ts'
import { createService, type Service } from '../../src/service/service.ts'
import type { DatabaseDriver } from '../../src/service/sql/driver.ts'
import { migrate, type Migration, readMigrations } from '../../src/service/sql/migrate.ts'
import { openDatabase, type StoreAddress } from '../../src/service/sql/openStore.ts'
import { openPostgres } from '../../src/service/sql/pg.ts'
import { createStore } from '../../src/service/sql/store.ts'
import { newPostgresUrl } from '../support/databases.ts'
import { publishDemonstration } from '../support/demonstration.ts'
import { ADDIN_HEADERS, ALEX, send, startProvider } from './running.ts'

// An upgrade as docs/operations.md describes it: an instance of this version serves while ten of the next one start.

/** What the next version may bring: something beside what is there, as CONTRIBUTING.md asks. */
const NEXT = `
  create table next_thing (organisation text not null, id text not null, primary key (organisation, id));
  alter table person add column next_column text;
  create index next_index on person (organisation, next_column);
  insert into next_thing values ('default', 'once');
`
const INSTANCES = 10

describe('an upgrade', { timeout: 120_000 }, () => {
  let url: string
  let running: DatabaseDriver
  let provider: RunningServer
  let service: Service
  let address: string
  let bearer: string
  let administrator: string
  const opened: DatabaseDriver[] = []

  beforeAll(async () => {
    url = await newPostgresUrl()
    running = await openDatabase({ kind: 'postgres', url } satisfies StoreAddress)
    provider = await startProvider()
    service = await createService({
      store: createStore(running, 'default'),
      organisation: 'Northwind Trading',
      tenants: [],
      authority: provider.url,
      tokenAudiences: ['api://signet'],
      scope: 'access_as_user',
      secret: randomBytes(32),
      publicUrl: () => 'https://signet.example.com',
      origins: [],
    })
    await publishDemonstration(service.context)
    address = (await listen(service.app, 0)).url
    const granted = await send('POST', `${provider.url}/mail-client/token`, {}, { email: ALEX })
    administrator = granted.body.access_token
    const { body } = await send('POST', `${address}/authentication/addin/azure`, ADDIN_HEADERS, {
      accessToken: administrator,
      email: ALEX,
    })
    bearer = body.data['access_token'] ?? ''
  })
  afterAll(async () => {
    await service.close()
    await Promise.all([...opened, running].map((driver) => driver.close()))
    await provider.close()
  })

  const ask = async (method: string, path: string, body?: unknown): Promise<number> => {
    const token = path.startsWith(ADMINISTRATION_PATH) ? administrator : bearer
    const headers = { ...ADDIN_HEADERS, Authorization: `Bearer ${token}` }
    return (await send(method, address + path, headers, body)).status
  }
  /** Reads and writes of users and administrators, by the tables that the migration changes, too. */
  async function work(turn: number): Promise<readonly number[]> {
    return [
      await ask('GET', '/signatures-cache/api/v1/signature/addin'),
      await ask('PUT', '/api/addin/user/variables_with_options', {
        data: { department: `Deck ${String(turn)}` },
        reset_fields: [],
      }),
      await ask('GET', '/api/addin/user/variables'),
      await ask('GET', `${ADMINISTRATION_PATH}/people`),
      await ask('PUT', `${ADMINISTRATION_PATH}/maintenance`, {
        status: turn % 2 === 0 ? 'planned' : null,
      }),
    ]
  }

  it('[SRV-43] migrates once when ten instances start together, and the instance of the version before goes on', async () => {
    const known = await readMigrations()
    const next: Migration = {
      version: known.length + 1,
      name: `${String(known.length + 1).padStart(4, '0')}-next.sql`,
      sql: NEXT,
      checksum: 'next',
    }
    expect(await work(0)).toEqual([200, 200, 200, 200, 200])
    const starting = Array.from({ length: INSTANCES }, (_, index) => {
      const driver = openPostgres(url)
      opened.push(driver)
      return migrate(driver, [...known, next], () => index)
    })
    const migrated = Promise.all(starting).then(() => true)
    const statuses = new Set<number>()
    let turn = 1
    do {
      for (const status of await work(turn)) statuses.add(status)
      turn += 1
    } while (!(await Promise.race([migrated, Promise.resolve(false)])))
    for (const status of await work(turn)) statuses.add(status)
    expect([...statuses]).toEqual([200])

    const things = await running.query<{ id: string }>('select id from next_thing')
    expect(things).toEqual([{ id: 'once' }])
    const applied = await running.query<{ version: number }>('select version from migration order by version')
    expect(applied.map(({ version }) => version)).toEqual([...known, next].map(({ version }) => version))

    // Going back to this version needs the backup: it does not start again on what it does not know.
    await expect(openDatabase({ kind: 'postgres', url })).rejects.toThrow('used by a newer Signet')
  })
})
