import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { backUp, restoreBackup } from '../../../src/service/sql/backup.ts'
import type { DatabaseDriver } from '../../../src/service/sql/driver.ts'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { createStore } from '../../../src/service/sql/store.ts'
import { Organisation, Person } from '../../../streams/organisation/facts/events.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { type DatabaseKind, newDatabase } from '../../support/databases.ts'

const SIGNED = { actor: 'tests "\\', at: 1_790_000_000_123 }
const HASH = 'a'.repeat(32)
/** More than one page. */
const PEOPLE = 501

const drivers: DatabaseDriver[] = []
afterEach(async () => {
  for (const driver of drivers.splice(0)) await driver.close()
})
async function openNew(kind: DatabaseKind): Promise<DatabaseDriver> {
  const driver = await openDatabase(await newDatabase(kind))
  drivers.push(driver)
  return driver
}

async function fill(driver: DatabaseDriver) {
  const store = createStore(driver, 'default')
  await store.appendOrganisation(0, [Organisation.founded({ name: 'NULL', tenants: ['t', '{}'] })], SIGNED)
  for (const organisation of ['default', 'another']) {
    const into = createStore(driver, organisation)
    const person: PersonState = {
      id: 'maria',
      revision: 1,
      account: { tenant: 't', oid: 'o' },
      active: true,
      language: null,
      addresses: ['maria@x.example', 'm,"{}\\@x.example'],
      groups: ['', 'NULL', 'a\nb'],
      directory: { title: '\0 \ud800 Käse' },
      values: {},
      metadata: { deep: [null, 1.5] },
      picture: `${HASH}.png`,
      directoryPicture: null,
    }
    await into.appendPerson('maria', 0, [Person.departed()], person, SIGNED)
    await into.keepPicture(HASH, { mediaType: 'image/png', bytes: new Uint8Array([0, 1, 92, 255]) })
    await into.keepRelease('r', { version: 1, templates: { 'a.html': '{{a}}\n"' } } as never)
    await into.keepLinks([{ id: 'A'.repeat(22), block: 'fair', address: 'https://x.example/?a=1&b=%C3%A4' }])
    await into.addClicks([
      { day: '2026-11-26', block: 'fair', clicks: 7 },
      { day: '2026-11-25', block: 'fair', clicks: 1 },
    ])
    await into.keepKey({ id: 'k', sealed: new Uint8Array([255, 0]), from: 1, until: 2 ** 50 })
    await into.keepReported('maria', 'text', 1)
    await into.keepPlan('p', { a: 1 }, 5)
    const told = {
      id: 'o',
      data: { a: '\0' },
      name: null,
      externalId: 'x',
      addresses: ['a', 'b'],
      manager: 'm',
      active: true,
    }
    await into.directory.write('graph:t', 'user', [told], 'round')
    await into.directory.changeMembers('graph:t', 'g', { added: ['o'], removed: [] }, null)
    await into.directory.keepCursor('graph:t', 'users', 'https://graph.example/delta')
    await into.directory.keepRun({ id: 'run', at: 1, samples: [] } as never)
  }
  await driver.query(
    `insert into event select 'default', 'person/' || n, 0, 'person/imported', '{}', 'tests', n
     from generate_series(1, ${String(PEOPLE)}) as n`,
  )
}

async function linesOf(driver: DatabaseDriver): Promise<readonly string[]> {
  const lines: string[] = []
  await backUp(driver, async (line) => {
    lines.push(line)
  })
  return lines
}
async function* stream(lines: readonly string[]) {
  yield* lines
}

describe.each([
  ['embedded', 'postgres'],
  ['postgres', 'embedded'],
] as const)('a backup of %s restored into %s', (from, to) => {
  it('has the same rows, and answers the same', async () => {
    const [source, target] = [await openNew(from), await openNew(to)]
    await fill(source)
    const lines = await linesOf(source)
    await restoreBackup(target, stream(lines))
    expect(await linesOf(target)).toEqual(lines)
    expect(lines.length).toBeGreaterThan(PEOPLE)
    for (const organisation of ['default', 'another']) {
      const [one, other] = [createStore(source, organisation), createStore(target, organisation)]
      for (const read of [one.person, other.person]) expect((await read('maria'))?.revision).toBe(1)
      expect(await other.personByAddress('m,"{}\\@x.example')).toEqual(await one.person('maria'))
      expect(await other.picture(HASH)).toEqual(await one.picture(HASH))
      expect(await other.release('r')).toEqual(await one.release('r'))
      expect(await other.directory.changedUsers('graph:t', true, null, 9)).toHaveLength(1)
      expect(await other.keys()).toEqual(await one.keys())
      expect(await other.organisationFacts(0)).toEqual(await one.organisationFacts(0))
    }
  })
})

it('a backup has every table but leases, which end by themselves, words, which follow from people, and what migrations keep', async () => {
  const source = await openNew('postgres')
  const tables = await source.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1",
  )
  const kept = (await linesOf(source)).flatMap((line) => (JSON.parse(line) as { table?: string }).table ?? [])
  expect([...kept, 'lease', 'migration', 'migration_lock', 'person_word'].sort()).toEqual(
    tables.map(({ name }) => name),
  )
})

describe('what is no whole backup', () => {
  let target: DatabaseDriver
  let lines: readonly string[] = []
  beforeEach(async () => {
    const source = await openNew('postgres')
    await fill(source)
    lines = await linesOf(source)
    target = await openNew('postgres')
  })

  it('is refused, and nothing of it is restored', async () => {
    const replaced = (index: number, line: string) => lines.map((each, at) => (at === index ? line : each))
    const columns = JSON.stringify({ table: 'event', columns: ['organisation", "x'] })
    for (const [wrong, sentence] of [
      [lines.slice(0, -1), 'incomplete'],
      [lines.slice(0, 5), 'incomplete'],
      [[], 'incomplete'],
      [lines.filter((_, index) => index !== 2), 'not a line of a backup'],
      [lines.slice(1), 'not a backup of Signet'],
      [replaced(0, JSON.stringify({ signet: 'backup', migrations: 1000 })), 'newer Signet'],
      [replaced(1, columns), 'Line 2 names an unknown column'],
      [replaced(1, JSON.stringify({ table: 'migration', columns: ['version'] })), 'Line 2'],
      [replaced(2, '["default"]'), 'Line 3 is not a row'],
      [replaced(2, '{'), 'Line 3'],
    ] as const)
      await expect(restoreBackup(target, stream(wrong)), sentence).rejects.toThrow(sentence)
    await restoreBackup(target, stream(lines))
  })

  it('is refused by a database that has data', async () => {
    await restoreBackup(target, stream(lines))
    await expect(restoreBackup(target, stream(lines))).rejects.toThrow('has data already')
  })
})
