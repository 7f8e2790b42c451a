import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DatabaseDriver } from '../../../src/service/sql/driver.ts'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { createStore } from '../../../src/service/sql/store.ts'
import { DATABASES_AND_POOLER, newDatabase } from '../../support/databases.ts'

// People are read from the database each time. A row that did not change is the same object, where the driver recalls it.

describe.each(DATABASES_AND_POOLER)('a person over %s', (kind) => {
  let driver: DatabaseDriver
  beforeAll(async () => {
    driver = await openDatabase(await newDatabase(kind))
    for (const organisation of ['one', 'other'])
      await driver.query(
        `insert into person (organisation, id, revision, tenant, oid, active, addresses, directory, groups, own_values,
          metadata) values ($1, 'ann', 1, 't', 'o', true, $2, '{}', '{}', '{"phone": "1"}', '{}')`,
        [organisation, [`ann@${organisation}.example`]],
      )
  })
  afterAll(() => driver.close())

  const read = async (organisation = 'one') => {
    const store = createStore(driver, organisation)
    const [byId, byAccount] = [await store.person('ann'), await store.personByAccount('t', 'o')]
    expect(byAccount).toEqual(byId)
    return byId
  }
  const set = (column: string, value: unknown) =>
    driver.query(`update person set ${column} = $1 where organisation = 'one'`, [value])

  it('is the same object until the row changes, in every column', async () => {
    for (const [column, value] of [
      ['revision', 2],
      ['active', false],
      ['addresses', ['ann@one.example', 'a@one.example']],
      ['language', ''],
      ['directory', '{"a": "b"}'],
      ['groups', ['g']],
      ['own_values', '{"phone": "2"}'],
      ['metadata', '{"x": 1}'],
      ['picture', 'p.png'],
      ['directory_picture', 'd.png'],
      ['corrections', '{"fields": {}, "supplement": {}, "under": {}}'],
    ] as const) {
      const before = await read()
      expect(await read()).toEqual(before)
      if (kind !== 'embedded') expect(await read()).toBe(before)
      await set(column, value)
      const after = await read()
      expect(after).not.toEqual(before)
      expect(await read()).toEqual(after)
    }
    await driver.query(`delete from person where organisation = 'one'`)
    expect(await createStore(driver, 'one').person('ann')).toBeNull()
  })

  it('is that of its organisation', async () => {
    expect((await read('other'))?.addresses).toEqual(['ann@other.example'])
  })

  it('with a long row is read each time', async () => {
    await driver.query(`update person set own_values = $1`, [JSON.stringify({ note: 'x'.repeat(5_000) })])
    const before = await read('other')
    expect(await read('other')).toEqual(before)
    expect(await read('other')).not.toBe(before)
  })
})
