import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createReleases } from '../../src/service/releases.ts'
import { openStore } from '../../src/service/sql/openStore.ts'
import { type Store, StoreUnavailable } from '../../src/service/sql/store.ts'
import { createClock } from '../support/clock.ts'
import { northwind } from '../support/northwind.ts'

// What is published while the database comes and goes.

const store = await openStore({ kind: 'embedded', folder: null })
beforeEach(() => store.clear())
afterAll(() => store.close())

const LONGER_THAN_ANY_WAIT_MS = 60_000
const PUBLISH = { type: 'publish', release: northwind.id, base: null, note: '' } as const

/** The releases over the store, of which a call can fail. */
async function open(over: Partial<Store> = {}) {
  const time = createClock()
  const port: { store: Store } = { store: { ...store, ...over } }
  const through = new Proxy(store, { get: (_, name) => port.store[name as keyof Store] })
  const releases = await createReleases({
    ...{ store: through, name: 'Northwind', tenants: [], now: () => 0, scheduler: time.scheduler },
  })
  const fail = (next: Partial<Store>) => (port.store = { ...store, ...next })
  return { releases, time, fail }
}
const away = () => Promise.reject(new StoreUnavailable('away'))

/** Lets a write come to its wait, and the time of the wait pass. */
async function waitOver<Result>(time: ReturnType<typeof createClock>, writing: Promise<Result>) {
  let isOver = false
  const over = writing.then(
    (result) => result,
    (error: unknown) => error,
  )
  void over.then(() => (isOver = true))
  await expect
    .poll(() => {
      time.advance(LONGER_THAN_ANY_WAIT_MS)
      return isOver
    })
    .toBe(true)
  return over
}

describe('a publish', () => {
  it('is answered when the database goes away after it is kept, and fulfilled when it is asked for again', async () => {
    const { releases, time, fail } = await open()
    await store.keepRelease(northwind.id, northwind.document)
    fail({ organisationFacts: away })
    expect(await waitOver(time, releases.write(PUBLISH, 'test'))).toBeInstanceOf(StoreUnavailable)
    expect(await store.organisationFacts(0)).toHaveLength(2)
    fail({})
    time.advance(LONGER_THAN_ANY_WAIT_MS)
    await expect.poll(() => releases.current()?.id).toBe(northwind.id)
    expect((await releases.write(PUBLISH, 'test')).history).toHaveLength(1)
    expect(await store.organisationFacts(0)).toHaveLength(2)
    releases.end()
  })

  it('that others overtake three times is refused, and nothing of it is kept', async () => {
    const { releases, fail } = await open()
    let turn = 0
    fail({
      async appendOrganisation(expected, facts, signed) {
        turn += 1
        const status = turn % 2 === 0 ? 'active' : 'planned'
        const other = { type: 'organisation/maintenanceSet', data: { status } } as const
        await store.appendOrganisation(expected, [other], signed)
        await store.appendOrganisation(expected, facts, signed)
      },
    })
    await expect(releases.write(PUBLISH, 'test')).rejects.toMatchObject({ status: 409, code: 'conflict' })
    const facts = await store.organisationFacts(1)
    expect(facts.map(({ type }) => type)).toEqual(Array(3).fill('organisation/maintenanceSet'))
    releases.end()
  })
})

describe('the start', () => {
  it('founds the organisation once, however many instances start', async () => {
    const opened = await Promise.all([open(), open(), open()])
    expect((await store.organisationFacts(0)).map(({ type }) => type)).toEqual(['organisation/founded'])
    for (const { releases } of opened) releases.end()
  })

  it('ends with an error when the release cannot be read', async () => {
    const { releases } = await open()
    await store.keepRelease(northwind.id, northwind.document)
    await releases.write(PUBLISH, 'test')
    releases.end()
    const time = createClock()
    const broken = { ...store, release: away }
    const starting = createReleases({
      ...{ store: broken, name: 'Northwind', tenants: [], now: () => 0, scheduler: time.scheduler },
    })
    expect(await waitOver(time, starting)).toBeInstanceOf(StoreUnavailable)
  })
})
