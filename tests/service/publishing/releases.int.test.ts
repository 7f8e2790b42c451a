import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { PLAIN_FORMATS } from '../../../streams/organisation/template/formats.ts'
import { compileRelease, type ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { linkId, findingLinksOfRelease } from '../../../src/service/publishing/countedLinks.ts'
import { createReleases } from '../../../src/service/publishing/releases.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import { StoreUnavailable } from '../../../src/service/sql/problems.ts'
import { block } from '../../support/blocks.ts'
import { createTimers, type VirtualTimers } from '../../support/timers.ts'
import { northwind } from '../../support/northwind.ts'
import { embeddedData } from '../../support/databases.ts'

// What is published while the database comes and goes.

const store = await embeddedData()()
beforeEach(() => store.clear())
afterAll(() => store.close())

const LONGER_THAN_ANY_WAIT_MS = 60_000
const PUBLISH = { type: 'publish', release: northwind.id, base: null, note: '' } as const

/** The releases over the store, of which a call can fail. */
async function open(over: Partial<Store> = {}) {
  const time = createTimers()
  const port: { store: Store } = { store: { ...store, ...over } }
  const through = new Proxy(store, { get: (_, name) => port.store[name as keyof Store] })
  const releases = await createReleases({
    formats: PLAIN_FORMATS,
    store: through,
    name: 'Northwind',
    tenants: [],
    now: () => 0,
    timers: time,
  })
  const fail = (next: Partial<Store>) => (port.store = { ...store, ...next })
  return { releases, time, fail }
}
const away = () => Promise.reject(new StoreUnavailable('away'))

/** Lets a write come to its wait, and the time of the wait pass. */
async function waitOver<Result>(time: VirtualTimers, writing: Promise<Result>) {
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
    await expect(releases.write(PUBLISH, 'test')).rejects.toMatchObject({ code: 'conflict' })
    const facts = await store.organisationFacts(1)
    expect(facts.map(({ type }) => type)).toEqual(Array(3).fill('organisation/maintenanceSet'))
    releases.end()
  })
})

describe('the links of a release that counts clicks', () => {
  const ADDRESS = 'https://x.example/'
  const counting: ReleaseDocument = {
    ...northwind.document,
    blocks: [block({ id: 'fair', name: 'Fair', template: 'templates/fair.html' })],
    templates: {
      ...northwind.document.templates,
      'templates/fair.html': `<a href="{{counted ${ADDRESS}}}">Go</a>`,
    },
    counting: true,
  }
  const LINK = { id: linkId('fair', ADDRESS), block: 'fair', address: ADDRESS }

  it('are made in short steps, and none while nothing is counted', () => {
    const many = Array.from({ length: 250 }, (_, at) => `{{counted https://x.example/${String(at)}}}`)
    const templates = { ...counting.templates, 'templates/fair.html': many.join('') }
    const { counting: _, ...off } = counting
    // One step for the block, and one for each hundred of the links.
    expect([...findingLinksOfRelease(compileRelease('on', { ...counting, templates }))]).toHaveLength(4)
    expect([...findingLinksOfRelease(compileRelease('off', { ...off, templates }))]).toEqual([])
  })

  it('are stored before it is published, by a roll-back, too, and not by a publish that is refused', async () => {
    const { releases, fail } = await open()
    const done: unknown[] = []
    const watched: Partial<Store> = {
      keepLinks: async (links) => void done.push(links),
      appendOrganisation: async (expected, facts, signed) => {
        done.push(facts[0]?.type)
        await store.appendOrganisation(expected, facts, signed)
      },
    }
    fail(watched)
    await store.keepRelease(northwind.id, northwind.document)
    await store.keepRelease('counting', counting)
    const publish = { ...PUBLISH, release: 'counting' }
    await expect(releases.write({ ...publish, base: 'other' }, 'test')).rejects.toMatchObject({
      code: 'base_moved',
    })
    expect(done).toEqual([])
    await releases.write(publish, 'test')
    expect(done).toEqual([[LINK], 'organisation/releasePublished'])
    await releases.write({ ...PUBLISH, base: 'counting' }, 'test')
    await releases.write({ type: 'rollBack', release: 'counting', note: '' }, 'test')
    expect(done.slice(2)).toEqual(['organisation/releasePublished', [LINK], 'organisation/releaseRolledBack'])
    fail({ ...watched, keepLinks: away })
    await releases.write({ type: 'rollBack', release: northwind.id, note: '' }, 'test')
    await expect(
      releases.write({ type: 'rollBack', release: 'counting', note: '' }, 'test'),
    ).rejects.toBeInstanceOf(StoreUnavailable)
    expect(releases.current()?.id).toBe(northwind.id)
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
    const time = createTimers()
    const broken = { ...store, release: away }
    const starting = createReleases({
      formats: PLAIN_FORMATS,
      store: broken,
      name: 'Northwind',
      tenants: [],
      now: () => 0,
      timers: time,
    })
    expect(await waitOver(time, starting)).toBeInstanceOf(StoreUnavailable)
  })
})

describe('releases that are kept', () => {
  it('are compiled once, the last eight of them', async () => {
    const { releases, fail } = await open()
    const asked: string[] = []
    fail({
      release: async (id) => {
        asked.push(id)
        return id === 'none' ? null : northwind.document
      },
    })
    const first = await releases.of('r0')
    expect(first?.id).toBe('r0')
    expect(await releases.of('r0')).toBe(first)
    for (let at = 1; at < 8; at += 1) await releases.of(`r${String(at)}`)
    expect(await releases.of('r0')).toBe(first)
    await releases.of('r8')
    expect(await releases.of('r8')).not.toBeNull()
    expect(await releases.of('r0')).not.toBe(first)
    expect(asked).toEqual(['r0', 'r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7', 'r8', 'r0'])
    expect([await releases.of('none'), await releases.of('none')]).toEqual([null, null])
    releases.end()
  })

  it('are not read when one of them is published', async () => {
    const { releases, fail } = await open()
    await store.keepRelease(northwind.id, northwind.document)
    await releases.write(PUBLISH, 'test')
    fail({ release: away })
    expect(await releases.of(northwind.id)).toBe(releases.current())
    releases.end()
  })

  it('are as old as the last reading', async () => {
    const { releases, time, fail } = await open()
    expect(releases.behindMs()).toBe(0)
    fail({ organisationFacts: away })
    time.advance(3_000)
    expect(releases.behindMs()).toBe(3_000)
    releases.end()
  })
})

describe('a write', () => {
  const planned = { type: 'setMaintenance', status: 'planned' } as const

  it('says who wrote, and is not written twice', async () => {
    const { releases } = await open()
    expect((await releases.write(planned, 'admin')).maintenance).toBe('planned')
    const facts = await store.organisationFacts(0)
    expect(facts.map(({ type, meta }) => [type, meta.source])).toEqual([
      ['organisation/founded', 'system'],
      ['organisation/maintenanceSet', 'admin'],
    ])
    expect((await releases.write(planned, 'other')).maintenance).toBe('planned')
    expect(await store.organisationFacts(0)).toHaveLength(2)
    releases.end()
  })

  it('that another overtakes is decided once more', async () => {
    const { releases, fail } = await open()
    let tries = 0
    fail({
      async appendOrganisation(expected, facts, signed) {
        tries += 1
        if (tries < 3) {
          const status = tries % 2 === 0 ? 'active' : null
          const other = { type: 'organisation/maintenanceSet', data: { status } } as const
          await store.appendOrganisation(expected, [other], signed)
        }
        await store.appendOrganisation(expected, facts, signed)
      },
    })
    expect((await releases.write(planned, 'test')).maintenance).toBe('planned')
    expect(tries).toBe(3)
    releases.end()
  })

  it('that fails for another reason is not tried again, and one that is refused says why', async () => {
    const { releases, fail } = await open()
    let tries = 0
    const broken = new Error('broken')
    fail({ appendOrganisation: () => ((tries += 1), Promise.reject(broken)) })
    await expect(releases.write(planned, 'test')).rejects.toBe(broken)
    expect(tries).toBe(1)
    await expect(
      releases.write({ type: 'rollBack', release: 'none', note: '' }, 'test'),
    ).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(releases.write({ ...PUBLISH, base: 'other' }, 'test')).rejects.toMatchObject({
      code: 'base_moved',
    })
    releases.end()
  })
})
