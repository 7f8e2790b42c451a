import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pictureHash } from '../../../src/folder/pictures.ts'
import { createPlans } from '../../../src/service/publishing/plans.ts'
import type { ServiceContext } from '../../../src/service/context/serviceContext.ts'
import { StoreUnavailable } from '../../../src/service/sql/problems.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import { createWorkTracker } from '../../../src/service/operations/work.ts'
import { compileRelease } from '../../../streams/organisation/release/release.ts'
import type { ExportAnswer, Plan } from '../../../streams/wire/administration/publishing.ts'
import type { ImportResult } from '../../../streams/wire/administration/people.ts'
import type { WorkProgress } from '../../../streams/wire/administration/work.ts'
import { largeDocument, person } from '../../growth/largeDocument.ts'
import { overPostgres } from '../../support/databases.ts'
import { askAdministration } from '../http/administrator.ts'
import { png } from '../../folder/pictures.ts'
import { ALEX, start, type Running } from '../running.ts'

// How far long work is, and how it is stopped.

const WORK = 'ab'.repeat(16)
const OTHER = 'cd'.repeat(16)
const MINUTE_MS = 60_000
const csvOf = (from: number, count: number) =>
  `email\n${Array.from({ length: count }, (_, index) => `w${String(from + index)}@x.example\n`).join('')}`

overPostgres('long work', (open) => {
  let running: Running
  let token: string
  let clock = Date.parse('2026-09-01T10:00:00Z')
  /** Called after each stored progress. */
  let reported: (done: number) => Promise<unknown> = async () => undefined
  const watched = async (): Promise<Store> => {
    const store = await open()
    return {
      ...store,
      async keepProgress(work, progress, until) {
        await store.keepProgress(work, progress, until)
        await reported(progress.done)
      },
    }
  }
  beforeAll(async () => {
    running = await start({ open: watched, now: () => clock })
    token = await running.mailClientToken(ALEX)
  })
  afterAll(() => running.stop())
  beforeEach(async () => {
    clock += 20 * MINUTE_MS
    token = await running.mailClientToken(ALEX)
    reported = async () => undefined
  })

  const ask = <Body>(method: string, path: string, body?: unknown) =>
    askAdministration<Body>(running.url, token, method, path, body)
  const progressOf = async (name = WORK) => (await ask<WorkProgress>('GET', `/work/${name}`)).body
  const importing = async (from: number, count: number, query: string) => {
    const response = await fetch(`${running.url}/api/administration/v1/people/import?${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' },
      body: csvOf(from, count),
    })
    return {
      status: response.status,
      body: (await response.json()) as ImportResult & Record<string, unknown>,
    }
  }
  const people = () => running.context.store.countPeople()
  const stopAfter = (least: number, name = WORK) => {
    reported = async (done) => {
      if (done >= least) await ask('DELETE', `/work/${name}`)
    }
  }

  it('says how many rows of an import are done, to who began it', async () => {
    const seen: WorkProgress[] = []
    reported = async () => seen.push(await progressOf())
    expect((await importing(0, 620, `work=${WORK}`)).body).toMatchObject({ added: 620 })
    expect(seen[0]).toEqual({ done: 0, of: 620 })
    expect(seen.at(-1)).toEqual({ done: 620, of: 620 })
    expect(await progressOf()).toEqual({ done: 620, of: 620 })
    expect(await progressOf(OTHER)).toEqual({ done: 0, of: 0 })
    const works = createWorkTracker({ store: running.context.store, now: () => clock })
    expect(await works.progress('other@northwind.example', WORK)).toEqual({ done: 0, of: 0 })
    clock += 15 * MINUTE_MS
    expect(await works.progress(ALEX, WORK)).toEqual({ done: 0, of: 0 })
  })

  // Before there are more people: the fewer, the less is drawn.
  it('of a plan counts the people, and a stopped plan is not stored', async () => {
    const { document } = (await ask<ExportAnswer>('GET', '/export')).body
    const changed = { ...document, signatures: document.signatures.slice(1) }
    const seen: number[] = []
    reported = async (done) => seen.push(done)
    const whole = await ask<Plan>('POST', `/plans?work=${WORK}`, { document: changed })
    const all = whole.body.summary.people
    expect([whole.status, seen[0], seen.at(-1)]).toEqual([201, 0, all])
    expect(await progressOf()).toEqual({ done: all, of: all })
    expect((await ask('GET', `/plans/${encodeURIComponent(`work ${WORK} ${ALEX}`)}`)).status).toBe(404)

    const fewer = { ...document, signatures: document.signatures.slice(2) }
    stopAfter(0, OTHER)
    const stopped = await ask<Plan>('POST', `/plans?work=${OTHER}`, { document: fewer })
    expect([stopped.status, stopped.body.code]).toEqual([409, 'stopped'])
    const [made] = (await ask<Plan>('POST', '/plans', { document: changed })).body.id
    expect(made).toBe(whole.body.id[0])
  })

  it('of publishing counts the pictures, and does not stop', async () => {
    const { document } = (await ask<ExportAnswer>('GET', '/export')).body
    const hash = pictureHash(png())
    const plan = await ask<Plan>('POST', '/plans', {
      document: { ...document, pictures: { ...document.pictures, 'new.png': hash } },
      pictures: { [hash]: png().toString('base64') },
    })
    const seen: WorkProgress[] = []
    reported = async () => seen.push(await progressOf())
    await ask('DELETE', `/work/${WORK}`)
    const published = await ask('POST', `/releases?work=${WORK}`, { plan: plan.body.id })
    expect(seen).toEqual([
      { done: 0, of: 1 },
      { done: 1, of: 1 },
    ])
    expect(published.status).toBe(201)
  })

  it('of a check counts the signatures, and a stopped check tells nothing', async () => {
    const { blocks: _, guard: __, ...whole } = (await ask<ExportAnswer>('GET', '/export')).body.document
    const document = {
      ...whole,
      mailboxes: [],
      variables: [],
      templates: { 'templates/a.html': '<p>Best</p>' },
      signatures: whole.signatures.slice(0, 2).map(({ meeting: _meeting, ...each }) => ({
        ...each,
        template: 'templates/a.html',
        reply: null,
        mobile: null,
      })),
    }
    const { files } = (await ask<Readonly<{ files: object }>>('POST', '/folders/written', { document })).body
    const of = document.signatures.length
    const seen: WorkProgress[] = []
    reported = async () => seen.push(await progressOf())
    const read = await ask('POST', `/folders?work=${WORK}`, { files })
    expect(read.status).toBe(200)
    expect([seen[0], seen.at(-1)]).toEqual([
      { done: 0, of },
      { done: of, of },
    ])
    await ask('DELETE', `/work/${OTHER}`)
    const stopped = await ask('POST', `/folders?work=${OTHER}`, { files })
    expect([stopped.status, stopped.body.code]).toEqual([409, 'stopped'])
  })

  it('of an import ends between rows, and says how many are stored', async () => {
    const before = await people()
    stopAfter(1)
    const { status, body } = await importing(10_000, 1_200, `work=${WORK}`)
    expect([status, body['code'], body['all']]).toEqual([409, 'stopped', 1_200])
    const done = body['done'] as number
    expect(done).toBeGreaterThanOrEqual(500)
    expect(done).toBeLessThan(1_200)
    expect(await people()).toBe(before + done)
    expect(body['message']).toContain(`The import was stopped: ${String(done)} of 1200 people are stored`)
    // The same file brings the rest.
    reported = async () => undefined
    expect((await importing(10_000, 1_200, '')).body).toMatchObject({ added: 1_200 - done, unchanged: done })
  })

  it('of a dry run ends, and changes nothing', async () => {
    const before = await people()
    stopAfter(0)
    const { status, body } = await importing(20_000, 700, `work=${WORK}&try=true`)
    expect([status, body['code']]).toEqual([409, 'stopped'])
    expect(body).not.toHaveProperty('done')
    expect(await people()).toBe(before)
  })

  it('that is stopped before it begins stores nothing', async () => {
    const before = await people()
    expect((await ask('DELETE', `/work/${WORK}`)).status).toBe(202)
    const { status, body } = await importing(30_000, 3, `work=${WORK}`)
    expect([status, body['code']]).toEqual([409, 'stopped'])
    expect(body).toMatchObject({ done: 0, all: 3, row: 1 })
    expect(await people()).toBe(before)
    expect((await importing(30_000, 3, `work=${OTHER}`)).status).toBe(200)
  })

  it('that is done does not end by a request to stop it', async () => {
    stopAfter(0)
    reported = async (done) => {
      if (done === 3) await ask('DELETE', `/work/${WORK}`)
    }
    expect((await importing(40_000, 3, `work=${WORK}`)).status).toBe(200)
  })

  it('has a name of the client, which no other client guesses', async () => {
    for (const name of ['abc', WORK.toUpperCase(), `${WORK}0`, 'plan'])
      expect((await ask('GET', `/work/${name}`)).status).toBe(400)
  })
})

describe('the plan of 5,000 people', () => {
  const ALL = 5_000
  const everyone = Array.from({ length: ALL }, (_, index) => ({
    ...person,
    id: `u-${String(index).padStart(5, '0')}`,
  }))
  function planningOver(over: Partial<Store> = {}) {
    const asked: string[] = []
    const progress: WorkProgress[] = []
    const store = {
      hasPictures: async () => new Set(),
      personsByAddress: async () => [],
      async people(after: string | null, limit: number) {
        asked.push('people')
        const from = after === null ? 0 : everyone.findIndex(({ id }) => id === after) + 1
        return everyone.slice(from, from + limit)
      },
      async countPeople() {
        asked.push('countPeople')
        return ALL
      },
      async stopRequest() {
        asked.push('stopRequest')
        return null
      },
      async keepProgress(_: string, kept: WorkProgress) {
        asked.push('keepProgress')
        progress.push(kept)
      },
      extendPlannedPictures: async () => new Set(),
      keepPlan: async () => undefined,
      dropExpired: async () => undefined,
      ...over,
    } as unknown as Store
    const before = compileRelease('a', largeDocument({ signatures: 1, templates: 1 }))
    const context = { store, releases: { current: () => before }, publicUrl: () => '', now: () => 0 }
    const work = createWorkTracker({ store, now: () => 0 }).begin(ALEX, WORK)
    const plans = createPlans(context as unknown as ServiceContext)
    const document = largeDocument({ signatures: 2, templates: 1 })
    return {
      asked,
      progress,
      make: (watched = true) =>
        plans.make(document, 0, 'author', { work: watched ? work : null, client: null }),
    }
  }

  it('is drawn from counted work: one report for each page of people', async () => {
    const { make, asked, progress } = planningOver()
    expect((await make()).summary.people).toBe(ALL)
    expect(progress.map(({ done, of }) => [done, of])).toEqual(
      Array.from({ length: 11 }, (_, page) => [page * 500, ALL]),
    )
    const times = (name: string) => asked.filter((each) => each === name).length
    // The last page is empty.
    expect([times('people'), times('countPeople'), times('stopRequest'), times('keepProgress')]).toEqual([
      11, 1, 11, 11,
    ])
  })

  it('asks nothing more when no client wants to know', async () => {
    const { make, asked } = planningOver()
    await make(false)
    expect(new Set(asked)).toEqual(new Set(['people']))
  })

  it('is made although its progress cannot be stored', async () => {
    const refused = () => Promise.reject(new StoreUnavailable('away'))
    const { make } = planningOver({
      keepProgress: refused,
    })
    expect((await make()).summary.people).toBe(ALL)
  })
})
