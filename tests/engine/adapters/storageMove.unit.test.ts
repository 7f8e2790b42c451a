import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EarlierStore, DriverStore } from '../../../src/engine/adapters/storageDriver.ts'
import { markRemovals, moveEarlier, MOVED_KEY } from '../../../src/engine/adapters/storageMove.ts'
import { createStorageArea, namespacePrefix } from '../../../src/engine/adapters/storageNamespace.ts'
import { cases } from '../../support/cases.ts'

/** What remains when a page ends: what was stored by an earlier version, and by the one of today. */
type Disk = Readonly<{ earlier: Map<string, Map<string, unknown>>; store: Map<string, unknown> }>

/** A page over the disk. It ends with the call of this number, before or after this call had its effect. */
function openPage({ earlier, store }: Disk, lastCall = Infinity, isCarriedOut = true) {
  let calls = 0
  const call = async <T>(work: () => T): Promise<T> => {
    calls += 1
    if (calls < lastCall) return work()
    if (calls === lastCall && isCarriedOut) work()
    throw new Error('The page has ended')
  }
  const values: DriverStore = {
    get: (key) => call(() => store.get(key) ?? null),
    set: (key, value) => call(() => store.set(key, value)),
    remove: (key) => call(() => store.delete(key)),
    keys: () => call(() => [...store.keys()]),
  }
  const place: EarlierStore = {
    entries: () =>
      call(() =>
        [...earlier].flatMap(([namespace, entries]) =>
          [...entries].map(([key, value]) => ({ prefix: namespacePrefix(namespace), key, value })),
        ),
      ),
    clear: () => call(() => earlier.clear()),
    drop: () => Promise.resolve(),
  }
  return { store: values, earlier: place, calls: () => calls }
}

const namespaces = fc.constantFrom('local', 'private-u', 'private-U', 'cache-u/key', 'cache-u')
const keys = fc.constantFrom('key', '', '/key', 'moved')
const diskOf = (earlier: readonly Entry[], stored: readonly Entry[]): Disk => {
  const disk: Disk = { earlier: new Map(), store: new Map() }
  for (const { namespace, key, value } of earlier)
    disk.earlier.set(namespace, (disk.earlier.get(namespace) ?? new Map<string, unknown>()).set(key, value))
  for (const { namespace, key, value } of stored) disk.store.set(namespacePrefix(namespace) + key, value)
  return disk
}
type Entry = Readonly<{ namespace: string; key: string; value: unknown }>
const entries = fc.array(fc.record({ namespace: namespaces, key: keys, value: fc.integer() }), {
  maxLength: 8,
})
const changes = fc.array(
  fc.oneof(
    fc.record({ method: fc.constant('move' as const), lastCall: fc.nat(20), isCarriedOut: fc.boolean() }),
    fc.record({
      method: fc.constantFrom('set' as const, 'remove' as const, 'clear' as const),
      namespace: namespaces,
      key: keys,
      value: fc.integer(),
    }),
  ),
  { maxLength: 12 },
)
const all = (listed: readonly Entry[]): [string, unknown][] =>
  listed.map(({ namespace, key, value }) => [namespacePrefix(namespace) + key, value])

describe('moveEarlier', () => {
  it('moves what is absent, and deletes it where it was', async () => {
    const disk = diskOf(
      [
        { namespace: 'local', key: 'a', value: 1 },
        { namespace: 'cache-u', key: 'a', value: 2 },
      ],
      [{ namespace: 'local', key: 'a', value: 3 }],
    )
    const { earlier, store } = openPage(disk)
    await moveEarlier(earlier, store)
    expect(Object.fromEntries(disk.store)).toEqual({ 'local/a': 3, 'cache_2d_u/a': 2, [MOVED_KEY]: true })
    expect(disk.earlier.size).toBe(0)
  })

  it('keeps each value, wherever pages end and whatever they change between two moves', async () => {
    await fc.assert(
      fc.asyncProperty(entries, entries, changes, async (earlier, stored, made) => {
        const disk = diskOf(earlier, stored)
        const expected = new Map([...all(earlier), ...all(stored)])
        for (const change of made) {
          if (change.method === 'move') {
            const page = openPage(disk, change.lastCall, change.isCarriedOut)
            await moveEarlier(page.earlier, page.store).catch(() => undefined)
            continue
          }
          const { store } = openPage(disk)
          const area = createStorageArea(store, namespacePrefix(change.namespace), markRemovals(store))
          const key = namespacePrefix(change.namespace) + change.key
          if (change.method === 'set') {
            await area.set(change.key, change.value)
            expected.set(key, change.value)
          } else if (change.method === 'remove') {
            await area.remove(change.key)
            expected.delete(key)
          } else {
            await area.clear()
            for (const each of expected.keys())
              if (each.startsWith(namespacePrefix(change.namespace))) expected.delete(each)
          }
        }
        const last = openPage(disk)
        await moveEarlier(last.earlier, last.store)
        expect(new Map(disk.store)).toEqual(new Map([...expected, [MOVED_KEY, true]]))
        expect(disk.earlier.size).toBe(0)
      }),
      cases(300),
    )
  })

  it('changes nothing when another page has moved and changed the values meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(entries, async (earlier) => {
        const disk = diskOf(earlier, [])
        const slow = openPage(disk)
        const other = openPage(disk)
        const read = await slow.earlier.entries()
        await moveEarlier(other.earlier, other.store)
        for (const key of [...disk.store.keys()]) if (key !== MOVED_KEY) disk.store.delete(key)
        await moveEarlier({ ...slow.earlier, entries: () => Promise.resolve(read) }, slow.store)
        expect([...disk.store.keys()]).toEqual([MOVED_KEY])
      }),
      cases(30),
    )
  })

  it('marks no removal after the move, and no mark stays after it', async () => {
    const disk = diskOf([], [])
    const { earlier, store } = openPage(disk)
    const area = createStorageArea(store, namespacePrefix('cache-u'), markRemovals(store))
    await area.clear()
    await area.remove('key')
    expect(disk.store.size).toBe(2)
    await moveEarlier(earlier, store)
    await area.clear()
    await area.remove('key')
    expect([...disk.store.keys()]).toEqual([MOVED_KEY])
  })
})
