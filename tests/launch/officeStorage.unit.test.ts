import { describe, expect, test } from 'vitest'
import { createCachedDefaultStorage, createOfficeStorage } from '../../src/launch/officeStorage.ts'
import { createClock } from '../support/clock.ts'
import { fakeLog } from '../support/log.ts'

const KEY = 'alex.kim@northwind.example'
const COPY = { email: KEY }
const texts = () => {
  const stored = new Map<string, string>()
  return {
    stored,
    getItem: (key: string) => Promise.resolve(stored.get(key) ?? null),
    setItem: (key: string, value: string) => {
      stored.set(key, value)
      return Promise.resolve()
    },
    removeItem: (key: string) => {
      stored.delete(key)
      return Promise.resolve()
    },
  }
}
const refuse = () => Promise.reject(new Error('refused'))
const silent = () => new Promise<never>(() => undefined)

/** What the three calls give, within a second, and what is logged. */
async function called(
  area: ReturnType<typeof texts> | Readonly<Record<string, () => Promise<never>>> | null,
) {
  const [clock, log] = [createClock(), fakeLog()]
  const kept = createOfficeStorage(area as ReturnType<typeof texts> | null, clock, log)
  const given: unknown[] = []
  for (const call of [
    () => kept.set(KEY, COPY),
    () => kept.get(KEY),
    () => kept.remove(KEY),
    () => kept.get(KEY),
  ]) {
    call().subscribe((value) => given.push(value))
    await new Promise(setImmediate)
    clock.advance(1_000)
  }
  return { given, logged: log.lines }
}

describe('the storage of classic Outlook’s runtime', () => {
  test('keeps a copy as text under a key of Signet, until it is removed', async () => {
    const area = texts()
    createOfficeStorage(area, createClock(), fakeLog()).set(KEY, COPY).subscribe()
    expect([...area.stored]).toEqual([[`signet.kept.${KEY}`, JSON.stringify(COPY)]])
    expect(await called(area)).toEqual({ given: ['kept', COPY, undefined, null], logged: [] })
    expect(area.stored.size).toBe(0)
  })

  test('is memory of this runtime where Outlook has none', async () => {
    expect(await called(null)).toEqual({ given: ['untilClosed', COPY, undefined, null], logged: [] })
  })

  test.each([
    ['refuses', { getItem: refuse, setItem: refuse, removeItem: refuse }],
    ['does not answer within a second', { getItem: silent, setItem: silent, removeItem: silent }],
  ])('gives nothing, and logs it, where it %s', async (_, area) => {
    const { given, logged } = await called(area)
    expect(given).toEqual(['refused', undefined, undefined, undefined])
    expect(logged).toEqual(
      ['set', 'get', 'remove', 'get'].map((action) => ({
        level: 'error',
        action: 'storage_failed',
        detail: { action },
      })),
    )
  })

  test('is waited for a second', () => {
    const clock = createClock()
    const kept = createOfficeStorage(
      { getItem: silent, setItem: silent, removeItem: silent },
      clock,
      fakeLog(),
    )
    const given: unknown[] = []
    kept.get(KEY).subscribe((value) => given.push(value))
    clock.advance(999)
    expect(given).toEqual([])
    clock.advance(1)
    expect(given).toEqual([undefined])
  })
})

test('the storage of a page gives what the page gives, and nothing after a removal', async () => {
  const memory = new Map<string, unknown>()
  const area = {
    get: (key: string) => Promise.resolve(memory.get(key)),
    set: (key: string, value: unknown) => Promise.resolve(memory.set(key, value)),
    remove: (key: string) => Promise.resolve(memory.delete(key)),
  }
  const kept = createCachedDefaultStorage(area, createClock(), fakeLog())
  const given: unknown[] = []
  for (const call of [() => kept.set(KEY, COPY), () => kept.get(KEY), () => kept.remove(KEY)]) {
    call().subscribe((value) => given.push(value))
    await new Promise(setImmediate)
  }
  expect(given).toEqual(['kept', COPY, undefined])
})
