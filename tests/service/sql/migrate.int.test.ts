import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { DatabaseDriver } from '../../../src/service/sql/driver.ts'
import { openEmbedded } from '../../../src/service/sql/embedded.ts'
import { migrate, readMigrations } from '../../../src/service/sql/migrate.ts'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { openPostgres } from '../../../src/service/sql/pg.ts'
import { createStore } from '../../../src/service/sql/store.ts'
import { newPostgresUrl } from '../../support/databases.ts'

const folders: string[] = []
const drivers: DatabaseDriver[] = []
afterEach(async () => {
  for (const driver of drivers.splice(0)) await driver.close()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})
const kept = (driver: DatabaseDriver) => {
  drivers.push(driver)
  return driver
}

async function migrations(files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'signet-migrations-'))
  folders.push(folder)
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql)
  return readMigrations(folder)
}
const FIRST = { '0001-first.sql': 'create table counted (number int); insert into counted values (1);' }
const SECOND = { ...FIRST, '0002-second.sql': 'insert into counted values (2);' }
const numbers = async (driver: DatabaseDriver) =>
  (await driver.query<{ number: number }>('select number from counted order by number')).map(
    ({ number }) => number,
  )
const applied = (driver: DatabaseDriver) =>
  driver.query('select version, name, at from migration order by version')

const OPENING = {
  embedded: () => openEmbedded(null),
  postgres: async () => openPostgres(await newPostgresUrl()),
}

describe.each(['embedded', 'postgres'] as const)('migrations over %s', (kind) => {
  it('are applied once, in order, and refused when another program made the database', async () => {
    const driver = kept(await OPENING[kind]())
    const [first, second] = [await migrations(FIRST), await migrations(SECOND)]
    await migrate(driver, first, () => 1)
    await migrate(driver, second, () => 2)
    await migrate(driver, second, () => 3)
    expect(await numbers(driver)).toEqual([1, 2])
    expect(await applied(driver)).toEqual([
      { version: 1, name: '0001-first.sql', at: 1 },
      { version: 2, name: '0002-second.sql', at: 2 },
    ])
    await expect(migrate(driver, first, () => 4)).rejects.toThrow('used by a newer Signet')
    const changed = await migrations({ ...SECOND, '0001-first.sql': 'select 1;' })
    await expect(migrate(driver, changed, () => 5)).rejects.toThrow('another 0001-first.sql')
  })

  it('leave nothing of one that fails, and all before it', async () => {
    const driver = kept(await OPENING[kind]())
    const failing = { ...SECOND, '0003-third.sql': 'insert into counted values (3); select 1 / 0;' }
    await expect(migrate(driver, await migrations(failing), () => 1)).rejects.toThrow('division by zero')
    expect(await numbers(driver)).toEqual([1, 2])
    await migrate(driver, await migrations(SECOND), () => 1)
  })

  it('find the managers that SCIM told before, and mark who has one', async () => {
    const driver = kept(await OPENING[kind]())
    const all = await readMigrations()
    await migrate(driver, all.slice(0, 4), () => 1)
    const enterprise = {
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { manager: { value: 'm' } },
    }
    const entries: readonly (readonly [string, object, string])[] = [
      ['with', { values: enterprise }, 'scim'],
      ['without', { values: {} }, 'scim'],
      ['unreadable', { values: { ...enterprise, title: '\0' } }, 'scim'],
      ['by-graph', {}, 'graph:t'],
    ]
    for (const [id, data, source] of entries)
      await driver.query(
        `insert into directory_entry (organisation, source, kind, id, revision, data, addresses, active, removed, erased,
           changed) values ('o', $1, 'user', $2, 1, $3::json, '{}', true, false, false, false)`,
        [source, id, JSON.stringify(data)],
      )
    await migrate(driver, all, () => 2)
    expect(await driver.query('select id, manager from directory_entry where changed')).toEqual([
      { id: 'with', manager: 'm' },
    ])
  })

  it('keep the pictures that plans need, byte by byte, and leave the plans', async () => {
    const driver = kept(await OPENING[kind]())
    const all = await readMigrations()
    const at = all.findIndex(({ name }) => name.includes('expiring'))
    await migrate(driver, all.slice(0, at), () => 1)
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    const base64 = Buffer.from(bytes).toString('base64')
    for (const [id, plan] of [
      ['a'.repeat(32), { plan: { until: 7 } }],
      [`picture ${'b'.repeat(32)}`, { mediaType: 'image/png', base64, until: 7 }],
      [`work ${'c'.repeat(32)} maria`, { done: 1, of: 2, until: 7 }],
    ] as const)
      await driver.query(`insert into plan (organisation, id, plan, until) values ('o', $1, $2::json, 7)`, [
        id,
        JSON.stringify(plan),
      ])
    await migrate(driver, all, () => 2)
    expect(await driver.query('select * from planned_picture')).toEqual([
      { organisation: 'o', hash: 'b'.repeat(32), media_type: 'image/png', bytes, until: 7 },
    ])
    expect(await driver.query('select id from plan')).toHaveLength(3)
  })

  it('let a sync apply again whom a version before applied last: everyone with a manager, after it ended, too', async () => {
    const driver = kept(await OPENING[kind]())
    const all = await readMigrations()
    const at = all.findIndex(({ name }) => name.includes('manager-fields'))
    await migrate(driver, all.slice(0, at), () => 1)
    const entries: readonly (readonly [string, string | null, boolean, boolean])[] = [
      ['with', 'm', true, false],
      ['without', null, true, false],
      ['disabled', 'm', false, false],
      ['erased', 'm', true, true],
    ]
    for (const [id, manager, active, erased] of entries)
      await driver.query(
        `insert into directory_entry (organisation, source, kind, id, revision, data, addresses, manager, active, removed,
           erased, changed) values ('o', 'graph:t', 'user', $1, 1, '{}', '{}', $2, $3, false, $4, false)`,
        [id, manager, active, erased],
      )
    await migrate(driver, all, () => 2)
    const { directory } = createStore(driver, 'o')
    const marked = async () => {
      expect(await directory.isWaiting('graph:t')).toBe(true)
      await directory.markFormer('graph:t')
      return directory.changedUsers('graph:t', true, null, 9)
    }
    expect((await marked()).map(({ id, revision }) => [id, revision])).toEqual([['with', 2]])
    // What an instance of the version before does when it applied an entry.
    await driver.query("update directory_entry set changed = false where id = 'with'")
    expect(await marked()).toMatchObject([{ id: 'with', revision: 3 }])
    await directory.settle('graph:t', [{ id: 'with', revision: 3, person: 'p' }])
    expect(await directory.isWaiting('graph:t')).toBe(false)
    await directory.markFormer('graph:t')
    expect(await directory.changedUsers('graph:t', true, null, 9)).toEqual([])
    // It applies what changed later, too.
    await driver.query("update directory_entry set revision = revision + 1 where id = 'with'")
    expect(await marked()).toMatchObject([{ id: 'with', revision: 5 }])
  })
})

describe('migrations', () => {
  it('run once when ten instances start together, the first ones and later ones', async () => {
    const url = await newPostgresUrl()
    const instances = Array.from({ length: 10 }, () => kept(openPostgres(url)))
    const slowly = { ...SECOND, '0002-second.sql': 'insert into counted values (2); select pg_sleep(0.1);' }
    for (const files of [FIRST, slowly]) {
      const together = await migrations(files)
      await Promise.all(instances.map((driver, index) => migrate(driver, together, () => index)))
    }
    const [driver] = instances
    expect(driver && (await numbers(driver))).toEqual([1, 2])
    expect(driver && (await applied(driver))).toHaveLength(2)
  })

  it('are numbered without gaps', async () => {
    await expect(migrations({ ...FIRST, '0003-third.sql': '' })).rejects.toThrow('0003-third.sql')
  })

  it('of this program start ten instances together, and leave a newer database alone', async () => {
    const address = { kind: 'postgres', url: await newPostgresUrl() } as const
    const opened = await Promise.all(Array.from({ length: 10 }, () => openDatabase(address)))
    opened.forEach(kept)
    await opened[0]?.query("insert into migration values (1000, '1000-later.sql', 'x', 0)")
    await expect(openDatabase(address)).rejects.toThrow('used by a newer Signet')
  })
})

it('[SRV-43] let the writes of the version before go first, and begin again', async () => {
  const url = await newPostgresUrl()
  const before = kept(openPostgres(url))
  const later = kept(openPostgres(url, null, 60_000, 50))
  const [first, second] = [
    await migrations(FIRST),
    await migrations({ ...FIRST, '0002-wide.sql': 'alter table counted add column wide int;' }),
  ]
  await migrate(before, first, () => 1)
  let pauses = 0
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  let done: Promise<void> = Promise.resolve()
  const tried = await before.transaction(async (session) => {
    await session.query('update counted set number = 5')
    const paused = new Promise<void>((resolve, reject) => {
      const migrated = migrate(
        later,
        second,
        () => 2,
        async () => {
          pauses += 1
          resolve()
          // The write ends before the next try.
          await ended
        },
      )
      done = migrated
      migrated.catch(reject)
    })
    await paused
    return pauses
  })
  end()
  await done
  expect([tried, pauses, await numbers(later)]).toEqual([1, 1, [5]])
  expect(await later.query('select wide from counted')).toEqual([{ wide: null }])
})
