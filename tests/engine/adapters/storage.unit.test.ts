// @vitest-environment happy-dom
import { firstValueFrom, lastValueFrom, type Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  browserDrivers,
  createStorage,
  ROAMING_CAPACITY_BYTES,
  sessionDriver,
} from '../../../src/engine/adapters/storage.ts'
import type { StorageDriver, EarlierEntry, DriverStore } from '../../../src/engine/adapters/storageDriver.ts'
import { namespacePrefix } from '../../../src/engine/adapters/storageNamespace.ts'
import { STORAGE_LIMIT_MS } from '../../../src/engine/adapters/storageOpening.ts'
import { createClock } from '../../support/clock.ts'
import { type FakeLog, fakeLog } from '../../support/log.ts'
import { inProcess, storageContract } from './storageContract.ts'

/** `breaks` fails after it was opened and read once. */
type Fault = 'works' | 'absent' | 'refuses' | 'hangs' | 'unreadable' | 'breaks' | 'full'

const never = () => new Promise<never>(() => undefined)
const no = (error: string) => Promise.reject(Object.assign(new Error(error), { name: error }))

/** A driver over a map, with a fault; it copies values, as every browser does. */
function fakeDriver(name: string, first: Fault = 'works') {
  let fault = first
  let reads = 0
  let opened = 0
  const kept = new Map<string, unknown>()
  const guard = async <T>(work: () => T) =>
    fault === 'breaks' && reads > 0 ? no('InvalidStateError') : work()
  const store: DriverStore = {
    get: (key) => {
      if (fault === 'unreadable') return no('UnknownError')
      const read = guard(() => structuredClone(kept.get(key) ?? null))
      reads += 1
      return read
    },
    set: (key, value) =>
      fault === 'full' ? no('QuotaExceededError') : guard(() => kept.set(key, structuredClone(value))),
    remove: (key) => guard(() => kept.delete(key)),
    keys: () => guard(() => [...kept.keys()]),
  }
  return {
    name,
    kept,
    opened: () => opened,
    content: (namespace: string) => {
      const prefix = namespacePrefix(namespace)
      return Object.fromEntries(
        [...kept].flatMap(([key, value]) =>
          key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [],
        ),
      )
    },
    change: (next: Fault) => {
      fault = next
    },
    isOffered: () => fault !== 'absent',
    open: () => {
      opened += 1
      if (fault === 'refuses') return no('SecurityError')
      if (fault === 'hangs') return never()
      return Promise.resolve({ store })
    },
  }
}

let log: FakeLog
beforeEach(() => {
  log = fakeLog()
})
/** Its clock stands still: a busy machine exceeds no limit. */
const open = (drivers: readonly StorageDriver[]) =>
  createStorage({ log, time: createClock(), drivers, session: sessionDriver })
const done = (work$: Observable<unknown>) => lastValueFrom(work$, { defaultValue: null })

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

storageContract('the storage of the browser', () => inProcess(open(browserDrivers), log))

storageContract(
  'a storage that may be full',
  () => {
    const driver = fakeDriver('one')
    return {
      ...inProcess(createStorage({ log, time: createClock(), drivers: [driver], session: driver }), log),
      refuseWrites: () => {
        driver.change('full')
        return Promise.resolve()
      },
    }
  },
  { canRefuse: true },
)

describe('createStorage', () => {
  it('[STO-1] keeps local, session and roaming apart, and each user apart from the others', async () => {
    const kept = fakeDriver('one')
    const storage = open([kept])
    const areas = {
      local: storage.local,
      session: storage.session,
      roaming: storage.roaming,
      roamingOfAlex: storage.privateRoaming('u-alex'),
      roamingOfMaria: storage.privateRoaming('u-maria'),
      cacheOfAlex: storage.privateCache('u-alex'),
      draftsOfAlex: storage.privateDrafts('u-alex'),
    }
    for (const [name, area] of Object.entries(areas)) await done(area.set('key', { name }))
    for (const [name, area] of Object.entries(areas))
      expect(await firstValueFrom(area.get('key'))).toEqual({ name })
    await done(areas.roamingOfAlex.clear())
    await done(areas.session.clear())
    expect(await firstValueFrom(areas.roamingOfAlex.get('key'))).toBeNull()
    expect(await firstValueFrom(areas.session.get('key'))).toBeNull()
    for (const name of ['local', 'roaming', 'roamingOfMaria', 'cacheOfAlex', 'draftsOfAlex'] as const)
      expect(await firstValueFrom(areas[name].get('key'))).toEqual({ name })
    await done(areas.local.remove('key'))
    expect(await firstValueFrom(areas.local.get('key'))).toBeNull()
    expect(log.lines).toEqual([])
  })

  it('[STO-1] tries web-SQL, IndexedDB and local storage in this order, then memory', async () => {
    const faults = ['works', 'absent', 'refuses', 'unreadable', 'breaks'] as const
    for (const first of faults)
      for (const second of faults)
        for (const third of faults) {
          log = fakeLog()
          const drivers = [
            fakeDriver('webSQL', first),
            fakeDriver('indexedDB', second),
            fakeDriver('localStorage', third),
          ]
          const fault = [first, second, third]
          const used = fault.findIndex((each) => each === 'works' || each === 'breaks')
          const tried = used === -1 ? drivers : drivers.slice(0, used + 1)
          const area = open(drivers).local
          const written = await firstValueFrom(area.set('key', 1))
          expect(drivers.filter((driver) => driver.opened() > 0)).toEqual(
            tried.filter((driver) => driver.isOffered()),
          )
          const works = used === -1 || fault[used] === 'works'
          expect(await firstValueFrom(area.get('key'))).toBe(works ? 1 : undefined)
          expect(written).toBe(used === -1 ? 'untilClosed' : works ? 'kept' : 'refused')
          expect(await firstValueFrom(area.driver())).toBe(drivers[used]?.name ?? 'memory')
          const skipped = used === -1 ? drivers : drivers.slice(0, used)
          expect(log.lines.filter(({ action }) => action !== 'storage_failed')).toEqual([
            ...skipped.map(({ name: driver }, place) =>
              fault[place] === 'absent'
                ? { level: 'debug', action: 'storage_driver_absent', detail: { driver } }
                : {
                    level: 'warn',
                    action: 'storage_driver_skipped',
                    detail: { driver, error: fault[place] === 'refuses' ? 'SecurityError' : 'UnknownError' },
                  },
            ),
            ...(used === -1
              ? [
                  {
                    level: 'error',
                    action: 'storage_in_memory',
                    detail: { tried: 'webSQL, indexedDB, localStorage' },
                  },
                ]
              : []),
          ])
        }
  })

  it('[STO-1] [PUB-2] stores through localforage with web-SQL, IndexedDB and local storage, in this order', async () => {
    expect(browserDrivers.map(({ name }) => name)).toEqual(['webSQL', 'indexedDB', 'localStorage'])
    // happy-dom has neither of the first two.
    const storage = open(browserDrivers)
    await done(storage.privateRoaming('u-alex').set('key', { deep: ['é', 1, null] }))
    expect(await firstValueFrom(storage.privateRoaming('u-alex').get('key'))).toEqual({
      deep: ['é', 1, null],
    })
    // Earlier versions stored with the same key.
    expect(Object.fromEntries(Object.entries(localStorage))).toEqual({
      'signet/private_2d_u_2d_alex/key': JSON.stringify({ deep: ['é', 1, null] }),
    })
    expect(log.lines).toEqual(
      ['webSQL', 'indexedDB'].map((driver) => ({
        level: 'debug',
        action: 'storage_driver_absent',
        detail: { driver },
      })),
    )
  })

  it('opens the store once for all namespaces', async () => {
    const kept = fakeDriver('one')
    const storage = open([kept])
    await Promise.all([
      done(storage.local.set('key', 1)),
      done(storage.privateCache('u-alex').set('key', 2)),
      done(storage.privateCache('u-maria').get('key')),
    ])
    await done(storage.roaming.set('key', 3))
    expect(kept.opened()).toBe(1)
  })

  it('skips a driver that hangs after one second, and does not wait for it again', async () => {
    const clock = createClock()
    const slow = fakeDriver('indexedDB', 'hangs')
    const fast = fakeDriver('localStorage')
    const storage = createStorage({ log, time: clock, drivers: [slow, fast], session: sessionDriver })
    const settled: string[] = []
    storage.local.set('key', 1).subscribe({ complete: () => settled.push('local') })
    await flushed()
    clock.advance(STORAGE_LIMIT_MS - 1)
    await flushed()
    expect(settled).toEqual([])
    clock.advance(1)
    await flushed()
    expect(STORAGE_LIMIT_MS).toBe(1000)
    expect(settled).toEqual(['local'])
    expect(fast.content('local')).toEqual({ key: 1 })
    storage
      .privateRoaming('u-alex')
      .set('key', 2)
      .subscribe({ complete: () => settled.push('private') })
    await flushed()
    expect(settled).toEqual(['local', 'private'])
    expect(slow.opened()).toBe(1)
    expect(log.lines).toEqual([
      {
        level: 'warn',
        action: 'storage_driver_skipped',
        detail: { driver: 'indexedDB', error: 'TooSlow' },
      },
    ])
  })

  it('keeps the session in memory when the browser denies session storage', async () => {
    const storage = createStorage({
      log,
      time: createClock(),
      drivers: [fakeDriver('one')],
      session: fakeDriver('sessionStorage', 'refuses'),
    })
    await done(storage.session.set('key', 1))
    expect(await firstValueFrom(storage.session.get('key'))).toBe(1)
  })

  it.each(['', 7, null, undefined, {}])('[STO-2] throws for private storage without an id: %j', (id) => {
    const storage = open([fakeDriver('one')])
    for (const name of ['privateRoaming', 'privateCache', 'privateDrafts'] as const)
      expect(() => storage[name](id as string)).toThrow('private roaming storage cant init without an id')
  })

  it('[STO-3] converts a key that is no string, with a warning', async () => {
    const kept = fakeDriver('one')
    const storage = open([kept])
    await done(storage.local.set(7 as unknown as string, 'seven'))
    expect(kept.content('local')).toEqual({ '7': 'seven' })
    expect(await firstValueFrom(storage.local.get('7'))).toBe('seven')
    expect(log.lines).toEqual([
      { level: 'warn', action: 'storage_key_converted', detail: { type: 'number' } },
    ])
  })

  it('[STO-4] logs each failure once and swallows it: nothing can be read, and a write is refused', async () => {
    const area = open([fakeDriver('one', 'breaks')]).local
    const outcomes = [area.get('key'), area.set('key', 1), area.remove('key'), area.clear()]
    const values = []
    for (const outcome$ of outcomes) values.push(await firstValueFrom(outcome$))
    expect(values).toEqual([undefined, 'refused', undefined, undefined])
    expect(log.lines).toEqual(
      ['get', 'set', 'remove', 'clear'].map((action) => ({
        level: 'error',
        action: 'storage_failed',
        detail: { action, error: 'InvalidStateError' },
      })),
    )
  })

  // One character of é is two bytes, one of 😀 four.
  it.each([
    ['x', 1],
    ['é', 2],
    ['😀', 4],
  ])(
    '[STO-4] refuses a roaming write of more than 32,000 bytes, keeps the old value and logs both sizes: %s',
    async (char, bytes) => {
      const storage = open([fakeDriver('one')])
      const area = storage.privateRoaming('u-alex')
      const overhead = 'key'.length + '""'.length
      const most = Math.floor((ROAMING_CAPACITY_BYTES - overhead) / bytes)
      const fits = char.repeat(most)
      await done(area.set('key', fits))
      expect(await firstValueFrom(area.get('key'))).toBe(fits)
      expect(log.lines).toEqual([])
      await done(area.set('key', char.repeat(most + 1)))
      expect(await firstValueFrom(area.get('key'))).toBe(fits)
      expect(log.lines).toEqual([
        {
          level: 'error',
          action: 'roaming_capacity_exceeded',
          detail: { size: overhead + (most + 1) * bytes, capacity: 32_000 },
        },
      ])
      // The cache of this browser has no limit.
      await done(storage.privateCache('u-alex').set('key', char.repeat(most + 1)))
      expect(await firstValueFrom(storage.privateCache('u-alex').get('key'))).toHaveLength(
        (most + 1) * char.length,
      )
    },
  )

  it('[STO-4] counts all values of a namespace, also with two concurrent writes', async () => {
    const area = open([fakeDriver('one')]).roaming
    const half = 'x'.repeat(17_000)
    await Promise.all([done(area.set('a', half)), done(area.set('b', half))])
    expect(await firstValueFrom(area.get('a'))).toBe(half)
    expect(await firstValueFrom(area.get('b'))).toBeNull()
    await done(area.set('a', 'short'))
    await done(area.set('b', half))
    expect(await firstValueFrom(area.get('b'))).toBe(half)
  })

  it.each(['privateRoaming', 'privateCache'] as const)(
    'carries out the writes, removals and clears of %s in the order in which they were asked for',
    async (name) => {
      const kept = fakeDriver('one')
      const area = open([kept])[name]('u-alex')
      const content = () => kept.content(`${name === 'privateCache' ? 'cache' : 'private'}-u-alex`)
      await done(area.set('a', 1))
      await Promise.all([done(area.set('b', 2)), done(area.clear())])
      expect(content()).toEqual({})
      await Promise.all([done(area.set('c', 3)), done(area.remove('c')), done(area.set('d', 4))])
      expect(content()).toEqual({ d: 4 })
      await Promise.all([done(area.clear()), done(area.set('d', 5)), done(area.set('e', 6))])
      expect(content()).toEqual({ d: 5, e: 6 })
    },
  )

  it('carries out what was asked for after a write that failed', async () => {
    const kept = fakeDriver('one')
    const area = open([kept]).privateCache('u-alex')
    kept.change('full')
    const refused = firstValueFrom(area.set('a', 1))
    const removed = firstValueFrom(area.remove('b'))
    expect([await refused, await removed]).toEqual(['refused', undefined])
    kept.change('works')
    expect(await firstValueFrom(area.set('a', 2))).toBe('kept')
    expect(kept.content('cache-u-alex')).toEqual({ a: 2 })
  })
})

describe('what an earlier version stored', () => {
  const earlierValue: EarlierEntry = { prefix: namespacePrefix('cache-u-alex'), key: 'key', value: 'earlier' }

  /** A driver whose values an earlier version stored elsewhere. */
  const updatedDriver = (
    earlier: 'works' | 'absent' | 'hangs' | 'breaks',
    dropped = () => Promise.resolve(),
  ) => {
    const driver = fakeDriver('indexedDB')
    const asked: string[] = []
    return {
      ...driver,
      asked,
      open: async () => ({
        ...(await driver.open()),
        findEarlier: async () => {
          asked.push('find')
          if (earlier === 'breaks') return no('UnknownError')
          if (earlier === 'absent') return null
          return {
            entries: () => (earlier === 'hangs' ? never() : Promise.resolve([earlierValue])),
            clear: async () => asked.push('clear'),
            drop: () => {
              asked.push('drop')
              return dropped()
            },
          }
        },
      }),
    }
  }

  it('is moved before the first value is read, once', async () => {
    const driver = updatedDriver('works')
    for (const _start of [1, 2])
      expect(await firstValueFrom(open([driver]).privateCache('u-alex').get('key'))).toBe('earlier')
    expect(driver.asked).toEqual(['find', 'clear', 'drop'])
    expect(log.lines).toEqual([])
  })

  it('is not looked for again when there was nothing', async () => {
    const driver = updatedDriver('absent')
    for (const _start of [1, 2])
      expect(await firstValueFrom(open([driver]).privateCache('u-alex').get('key'))).toBeNull()
    expect(driver.asked).toEqual(['find'])
    expect(log.lines).toEqual([])
  })

  it('leaves a line in the log when it cannot be moved, and the driver is used', async () => {
    const driver = updatedDriver('breaks')
    for (const _start of [1, 2]) {
      const area = open([driver]).privateCache('u-alex')
      expect(await firstValueFrom(area.set('other', 1))).toBe('kept')
      expect(await firstValueFrom(area.driver())).toBe('indexedDB')
    }
    expect(driver.asked).toEqual(['find', 'find'])
    expect(log.lines).toEqual(
      [1, 2].map(() => ({
        level: 'error',
        action: 'storage_move_failed',
        detail: { driver: 'indexedDB', error: 'UnknownError' },
      })),
    )
  })

  it('does not come back after it was cleared or removed before it could be moved', async () => {
    const broken = updatedDriver('breaks')
    const storage = open([broken])
    await done(storage.privateCache('u-alex').clear())
    await done(storage.privateDrafts('u-alex').remove('key'))
    const working = updatedDriver('works')
    for (const [key, value] of broken.kept) working.kept.set(key, value)
    expect(await firstValueFrom(open([working]).privateCache('u-alex').get('key'))).toBeNull()
    // No id of a user stays in a mark.
    expect([...working.kept.keys()]).toEqual(['moved'])
  })

  it('is waited for one second', async () => {
    const clock = createClock()
    const driver = updatedDriver('hangs')
    const storage = createStorage({ log, time: clock, drivers: [driver] })
    const read: unknown[] = []
    storage
      .privateCache('u-alex')
      .get('key')
      .subscribe((value) => read.push(value))
    await flushed()
    clock.advance(STORAGE_LIMIT_MS - 1)
    await flushed()
    expect(read).toEqual([])
    clock.advance(1)
    await flushed()
    expect(read).toEqual([null])
    expect(log.lines).toEqual([
      { level: 'error', action: 'storage_move_failed', detail: { driver: 'indexedDB', error: 'TooSlow' } },
    ])
  })

  it('does not delay anything while another page uses its place', async () => {
    const driver = updatedDriver('works', never)
    expect(await firstValueFrom(open([driver]).privateCache('u-alex').get('key'))).toBe('earlier')
    expect(log.lines).toEqual([])
  })

  it('leaves a line in the log when its place cannot be deleted', async () => {
    const driver = updatedDriver('works', () => no('AbortError'))
    expect(await firstValueFrom(open([driver]).privateCache('u-alex').get('key'))).toBe('earlier')
    await flushed()
    expect(log.lines).toEqual([
      { level: 'warn', action: 'storage_drop_failed', detail: { driver: 'indexedDB', error: 'AbortError' } },
    ])
  })
})

/** Lets pending promises settle. */
const flushed = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}
