// @vitest-environment happy-dom
import { firstValueFrom, lastValueFrom, type Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  browserDrivers,
  createStorage,
  ROAMING_CAPACITY_BYTES,
  sessionDriver,
  STORAGE_LIMIT_MS,
} from '../../../src/engine/adapters/storage.ts'
import type { Area, Driver } from '../../../src/engine/adapters/storageDriver.ts'
import { createClock } from '../../support/clock.ts'
import { type FakeLog, fakeLog } from '../../support/log.ts'
import { inProcess, storageContract } from './storageContract.ts'

type Fault = 'works' | 'absent' | 'refuses' | 'hangs' | 'breaks' | 'full'

/** A driver over a map, with a fault; it copies values, as every browser does. */
function fakeDriver(name: string, first: Fault = 'works') {
  let fault = first
  const spaces = new Map<string, Map<string, unknown>>()
  const opened: string[] = []
  const never = () => new Promise<never>(() => undefined)
  const no = (error: string) => Promise.reject(Object.assign(new Error(error), { name: error }))
  const made: Driver & { opened: string[]; content: (namespace: string) => object; fill: () => void } = {
    name,
    opened,
    content: (namespace) => Object.fromEntries(spaces.get(namespace) ?? []),
    fill: () => {
      fault = 'full'
    },
    open(namespace) {
      opened.push(namespace)
      if (fault === 'absent') return no('NotSupported')
      if (fault === 'refuses') return no('SecurityError')
      if (fault === 'hangs') return never()
      const kept = spaces.get(namespace) ?? new Map<string, unknown>()
      spaces.set(namespace, kept)
      const guard = <T>(work: () => T) =>
        fault === 'breaks' ? no('InvalidStateError') : Promise.resolve().then(work)
      const area: Area = {
        get: (key) => guard(() => structuredClone(kept.get(key) ?? null)),
        set: (key, value) =>
          fault === 'full' ? no('QuotaExceededError') : guard(() => kept.set(key, structuredClone(value))),
        remove: (key) => guard(() => kept.delete(key)),
        clear: () => guard(() => kept.clear()),
        keys: () => guard(() => [...kept.keys()]),
      }
      return Promise.resolve(area)
    },
  }
  return made
}

let log: FakeLog
beforeEach(() => {
  log = fakeLog()
})
/** Its clock stands still: a busy machine exceeds no limit. */
const open = (drivers: readonly Driver[]) =>
  createStorage({ log, time: createClock(), drivers, session: sessionDriver })
const done = (work$: Observable<unknown>) => lastValueFrom(work$, { defaultValue: null })
const actions = () => log.lines.map(({ action }) => action)

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

storageContract('the storage of the browser', () => inProcess(open(browserDrivers(globalThis)), log))

storageContract(
  'a storage that may be full',
  () => {
    const driver = fakeDriver('one')
    return {
      ...inProcess(createStorage({ log, time: createClock(), drivers: [driver], session: driver }), log),
      refuseWrites: () => {
        driver.fill()
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
    const faults = ['works', 'absent', 'refuses', 'breaks'] as const
    for (const first of faults)
      for (const second of faults)
        for (const third of faults) {
          log = fakeLog()
          const drivers = [
            fakeDriver('webSQL', first),
            fakeDriver('indexedDB', second),
            fakeDriver('localStorage', third),
          ]
          const readable = [first, second, third].map((fault) => fault === 'works' || fault === 'breaks')
          const area = open(drivers).local
          const written = await firstValueFrom(area.set('key', 1))
          const used = readable.indexOf(true)
          const expected = used === -1 ? drivers : drivers.slice(0, used + 1)
          expect(drivers.filter(({ opened }) => opened.length > 0)).toEqual(expected)
          const works = used === -1 || [first, second, third][used] === 'works'
          expect(await firstValueFrom(area.get('key'))).toBe(works ? 1 : undefined)
          expect(written).toBe(used === -1 ? 'untilClosed' : works ? 'kept' : 'refused')
          expect(actions().includes('storage_in_memory')).toBe(used === -1)
          expect(await firstValueFrom(area.driver())).toBe(drivers[used]?.name ?? 'memory')
        }
  })

  it('[STO-1] tries IndexedDB, then local storage, and web-SQL before them where the browser has it', async () => {
    const namesIn = (page: object) => browserDrivers(page).map(({ name }) => name)
    expect(namesIn({ openDatabase: () => undefined })).toEqual(['webSQL', 'indexedDB', 'localStorage'])
    expect(namesIn({})).toEqual(['indexedDB', 'localStorage'])
    // happy-dom has neither of the first two.
    const storage = open(browserDrivers(globalThis))
    await done(storage.privateRoaming('u-alex').set('key', { deep: ['é', 1, null] }))
    expect(await firstValueFrom(storage.privateRoaming('u-alex').get('key'))).toEqual({
      deep: ['é', 1, null],
    })
    expect(Object.values(localStorage)).toEqual([JSON.stringify({ deep: ['é', 1, null] })])
    expect(log.lines.map(({ action, detail }) => [action, (detail as { driver: string }).driver])).toEqual([
      ['storage_driver_skipped', 'indexedDB'],
    ])
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
    expect(slow.opened).toEqual(['local'])
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

  it('applies a write before the clear or remove that follows it', async () => {
    const kept = fakeDriver('one')
    const area = open([kept]).privateRoaming('u-alex')
    await done(area.set('a', 1))
    await Promise.all([done(area.set('b', 2)), done(area.clear())])
    expect(kept.content('private-u-alex')).toEqual({})
    await Promise.all([done(area.set('c', 3)), done(area.remove('c')), done(area.set('d', 4))])
    expect(kept.content('private-u-alex')).toEqual({ d: 4 })
  })
})

/** Lets pending promises settle. */
const flushed = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}
