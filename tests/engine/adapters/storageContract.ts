import fc from 'fast-check'
import { lastValueFrom, toArray } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Storage } from '../../../effects/ports.ts'
import type { FakeLog } from '../../support/log.ts'
import { makeCall, type Namespace, type StorageCall } from './storageCalls.ts'
import { cases } from '../../support/cases.ts'

// What every storage promises (effects/ports.ts): over the fake of the tests, and over the adapter that ships with the
// drivers of a browser.

export type StorageUnderTest = Readonly<{
  /** Every value that the call gives until it completes. Rejects when it fails. */
  play(call: StorageCall): Promise<readonly unknown[]>
  /** Makes the call without listening. */
  make(call: StorageCall): Promise<void>
  /** Makes the call, and listens to it for no time at all. */
  abandon(call: StorageCall): Promise<void>
  /** The warnings and errors that were logged. */
  logged(): Promise<readonly string[]>
  /** From now on, the browser has no room for a value of 10 MB. */
  refuseWrites?: () => Promise<void>
  close?: () => Promise<void>
}>

/** A storage in this process. */
export const inProcess = (storage: Storage, { lines }: FakeLog): StorageUnderTest => ({
  play: (call) => lastValueFrom(makeCall(storage, call).pipe(toArray<unknown>())),
  make: (call) => {
    void makeCall(storage, call)
    return Promise.resolve()
  },
  abandon: (call) => {
    makeCall(storage, call).subscribe().unsubscribe()
    return Promise.resolve()
  },
  logged: () => Promise.resolve(lines.flatMap(({ level, action }) => (level === 'debug' ? [] : [action]))),
})

const CAPACITY = 32_000
const namespaces: readonly Namespace[] = [
  { name: 'session' },
  { name: 'local' },
  { name: 'persistent' },
  { name: 'roaming' },
  { name: 'privateRoaming', user: 'u-alex' },
  { name: 'privateRoaming', user: 'u-maria' },
  { name: 'privateCache', user: 'u-alex' },
  { name: 'privateDrafts', user: 'u-alex' },
]
const roaming: Namespace = { name: 'privateRoaming', user: 'u-alex' }

/** Ids of which one begins with another, or is the same but for case, or contains what separates names from keys. */
const users = fc.constantFrom('u', 'U', 'u-key', 'u.', 'u.key', 'u/', 'u/key', 'u,key', 'u_', 'u\u0000', 'ü')
const keys = fc.constantFrom('key', 'Key', '', '.key', '/key', 'key/key')
const changes = fc.array(
  fc.record({ user: users, key: keys, method: fc.constantFrom('set', 'set', 'set', 'remove', 'clear') }),
  { minLength: 2, maxLength: 12 },
)

/** `canRefuse`: a test can make this browser refuse a write. */
export function storageContract(
  name: string,
  open: () => Promise<StorageUnderTest> | StorageUnderTest,
  { canRefuse = false }: Readonly<{ canRefuse?: boolean }> = {},
): void {
  describe(`${name} keeps the contract of storage:`, () => {
    let storage: StorageUnderTest
    beforeEach(async () => {
      storage = await open()
    })
    afterEach(() => storage.close?.())

    const set = async (namespace: Namespace, key: string, value: unknown) =>
      (await storage.play({ namespace, method: 'set', key, value }))[0]
    const get = async (namespace: Namespace, key: string) =>
      (await storage.play({ namespace, method: 'get', key }))[0]

    it('every call gives one value and completes', async () => {
      for (const namespace of namespaces) {
        const values = []
        for (const method of ['driver', 'get', 'set', 'get', 'remove', 'get', 'clear'] as const)
          values.push(await storage.play({ namespace, method, key: 'key', value: 1 }))
        const [driver, ...others] = values
        expect(driver, JSON.stringify(namespace)).toEqual([expect.any(String)])
        expect(others).toEqual([[null], ['kept'], [1], [undefined], [null], [undefined]])
      }
      expect(await storage.logged()).toEqual([])
    })

    it('what is read is what was written, as plain JSON', async () => {
      for (const value of [{ deep: ['é', 1, null, { '😀': '' }] }, '', 0, false, [], {}]) {
        await set(roaming, 'key', value)
        expect(await get(roaming, 'key')).toEqual(value)
      }
    })

    it('a value that is changed after the write does not change what is stored', async () => {
      for (const namespace of namespaces) {
        const value = { list: [1] }
        await set(namespace, 'key', value)
        value.list.push(2)
        const read = (await get(namespace, 'key')) as typeof value
        expect(read).toEqual({ list: [1] })
        read.list.push(3)
        expect(await get(namespace, 'key')).toEqual({ list: [1] })
      }
    })

    it('nothing is written before a caller subscribes', async () => {
      await storage.make({ namespace: roaming, method: 'set', key: 'key', value: 1 })
      expect(await get(roaming, 'key')).toBeNull()
    })

    it('a write that has begun is carried out after the caller unsubscribes', async () => {
      await set(roaming, 'key', 1)
      await storage.abandon({ namespace: roaming, method: 'set', key: 'key', value: 2 })
      await set(roaming, 'other', 3)
      expect(await get(roaming, 'key')).toBe(2)
    })

    it('[STO-1] each namespace and each user has values of its own', async () => {
      for (const namespace of namespaces) await set(namespace, 'key', namespace)
      for (const namespace of namespaces) expect(await get(namespace, 'key')).toEqual(namespace)
      await storage.play({ namespace: roaming, method: 'clear' })
      for (const namespace of namespaces)
        expect(await get(namespace, 'key')).toEqual(
          JSON.stringify(namespace) === JSON.stringify(roaming) ? null : namespace,
        )
    })

    it('[STO-1] a change of one user’s values leaves those of every other user', async () => {
      const namespaceOf = (user: string): Namespace => ({ name: 'privateDrafts', user })
      await fc.assert(
        fc.asyncProperty(changes, async (made) => {
          const expected = new Map(made.map(({ user }) => [user, new Map<string, number>()]))
          for (const [value, { user, key, method }] of made.entries()) {
            await storage.play({ namespace: namespaceOf(user), method, key, value })
            if (method === 'set') expected.get(user)?.set(key, value)
            else if (method === 'remove') expected.get(user)?.delete(key)
            else expected.get(user)?.clear()
          }
          for (const { user, key } of made)
            expect(await get(namespaceOf(user), key)).toBe(expected.get(user)?.get(key) ?? null)
          for (const user of expected.keys())
            await storage.play({ namespace: namespaceOf(user), method: 'clear' })
        }),
        cases(30, 300),
      )
    })

    it.each(['privateRoaming', 'privateCache', 'privateDrafts'] as const)(
      '[STO-2] %s without an id throws',
      async (area) => {
        for (const user of ['', 7 as unknown as string, null as unknown as string])
          await expect(async () =>
            storage.play({ namespace: { name: area, user }, method: 'get', key: 'key' }),
          ).rejects.toThrow('private roaming storage cant init without an id')
      },
    )

    it('[STO-4] a roaming write beyond 32,000 bytes is refused whole, logged, and the earlier value stays', async () => {
      const room = CAPACITY - 'key'.length - '""'.length
      for (const namespace of namespaces.filter(({ name: area }) => /roaming/i.test(area))) {
        expect(await set(namespace, 'key', 'x'.repeat(room))).toBe('kept')
        const logged = await storage.logged()
        // One character of é is two bytes.
        const tooMuch = `${'x'.repeat(room - 1)}é`
        expect(await storage.play({ namespace, method: 'set', key: 'key', value: tooMuch })).toEqual([
          'refused',
        ])
        expect(await set(namespace, 'k', 1)).toBe('refused')
        expect((await storage.logged()).slice(logged.length)).toEqual([
          'roaming_capacity_exceeded',
          'roaming_capacity_exceeded',
        ])
        expect(await get(namespace, 'key')).toBe('x'.repeat(room))
        expect(await get(namespace, 'k')).toBeNull()
      }
    })

    if (!canRefuse) return
    it('[STO-4] a write that the browser refuses is told as refused, logged, and the earlier value stays', async () => {
      const session: Namespace = { name: 'session' }
      expect(await set(session, 'key', 'before')).toBe('kept')
      await storage.refuseWrites?.()
      const value = 'after'.repeat(2_000_000)
      expect(await storage.play({ namespace: session, method: 'set', key: 'key', value })).toEqual([
        'refused',
      ])
      expect(await storage.logged()).toEqual(['storage_failed'])
      expect(await get(session, 'key')).toBe('before')
    })
  })
}
