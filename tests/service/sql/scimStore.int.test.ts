import { beforeEach, expect, it } from 'vitest'
import type { ReportedEntry } from '../../../src/service/sql/directoryEntries.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import { forEachDatabase } from '../../support/databases.ts'

const SOURCE = 'scim'
const told = (id: string, more: Partial<ReportedEntry> = {}): ReportedEntry => ({
  id,
  data: {},
  name: `${id}@x.example`,
  externalId: `e-${id}`,
  manager: null,
  active: true,
  addresses: [`${id}@x.example`, `${id}@y.example`],
  ...more,
})

forEachDatabase('the mirror for SCIM', (open, kind) => {
  let store: Store
  const mirror = () => store.directory
  const found = async (by: Parameters<Store['directory']['find']>[2], source = SOURCE) =>
    (await mirror().find(source, 'user', by)).map(({ id }) => id)
  beforeEach(async () => {
    store = await open()
    await store.clear()
    await mirror().write(SOURCE, 'user', [told('b'), told('a', { externalId: 'e-b' }), told('c')], null)
    await mirror().write('graph:t', 'user', [told('g', { name: 'a@x.example', externalId: 'e-b' })], null)
    await mirror().write(SOURCE, 'group', [told('a')], null)
  })

  it('finds by the name, the external id and any address, in the order of the ids', async () => {
    expect(await found({ name: 'b@x.example' })).toEqual(['b'])
    expect(await found({ name: 'a@x.example' }, 'graph:t')).toEqual(['g'])
    expect(await found({ name: 'd@x.example' })).toEqual([])
    expect(await found({ externalId: 'e-b' })).toEqual(['a', 'b'])
    expect(await found({ address: 'c@y.example' })).toEqual(['c'])
    expect(await found({ address: 'c@z.example' })).toEqual([])
    await mirror().remove(SOURCE, 'user', ['a', 'c'])
    expect(await found({ externalId: 'e-b' })).toEqual(['b'])
    expect(await found({ address: 'c@y.example' })).toEqual([])
  })

  it('has slices of all in the order of the ids', async () => {
    const slice = async (skip: number, limit: number) =>
      (await mirror().slice(SOURCE, 'user', skip, limit)).map(({ id }) => id)
    expect(await slice(0, 2)).toEqual(['a', 'b'])
    expect(await slice(2, 2)).toEqual(['c'])
    expect(await slice(3, 2)).toEqual([])
    await mirror().remove(SOURCE, 'user', ['a'])
    expect(await slice(0, 1)).toEqual(['b'])
  })

  it('counts who retired since a time, by source, and forgets what is before it', async () => {
    expect(await mirror().countDeactivated(SOURCE, 0)).toBe(0)
    await mirror().noteDeactivated(SOURCE, 2, 100)
    await mirror().noteDeactivated(SOURCE, 3, 100)
    await mirror().noteDeactivated(SOURCE, 4, 101)
    await mirror().noteDeactivated('graph:t', 1, 200)
    expect(await mirror().countDeactivated(SOURCE, 100)).toBe(9)
    expect(await mirror().countDeactivated(SOURCE, 101)).toBe(4)
    expect(await mirror().countDeactivated(SOURCE, 0)).toBe(4)
    expect(await mirror().countDeactivated('graph:t', 200)).toBe(1)
  })

  // The embedded database has one connection, which takes one after the other.
  it.runIf(kind !== 'embedded')('takes changes of the same users from many sides at once', async () => {
    const users = Array.from({ length: 200 }, (_, at) => `u-${String(at)}`)
    await mirror().write(
      SOURCE,
      'user',
      users.map((id) => told(id)),
      null,
    )
    const change = async (side: number, turn: number) => {
      // Some of the users, in an order of its own.
      const step = [3, 7, 9, 11, 13, 17, 19, 21][(side + turn) % 8] ?? 1
      const some = users.map((_, at) => users[(at * step + side * turn) % users.length] ?? '').slice(0, 150)
      const group = `g-${String(side)}`
      await mirror().changeMembers(SOURCE, group, { added: some, removed: [] }, null)
      await mirror().settle(
        SOURCE,
        some.map((id) => ({ id, revision: 1, person: null })),
      )
      await mirror().markMembers(SOURCE, [group])
      await mirror().changeMembers(SOURCE, group, { added: [], removed: some }, null)
    }
    const sides = Array.from({ length: 3 }, async (_, side) => {
      for (let turn = 1; turn <= 6; turn += 1) await change(side, turn)
    })
    await Promise.all(sides)
    expect(await mirror().memberships(SOURCE, users)).toEqual([])
    const entries = await mirror().entries(SOURCE, 'user', users)
    // Written once, then marked three times by each change of 150 users.
    expect(entries.reduce((sum, { revision }) => sum + revision, 0)).toBe(200 + 3 * 6 * 3 * 150)
  })
})
