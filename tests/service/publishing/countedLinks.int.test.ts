import { randomBytes } from 'node:crypto'
import { fc } from '@fast-check/vitest'
import { firstValueFrom, Subject } from 'rxjs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CLICK_WRITE_INTERVAL_MS } from '../../../src/service/publishing/clicks.ts'
import type { Insight } from '../../../streams/organisation/figures/insight.ts'
import { dayOf } from '../../../streams/organisation/release/names.ts'
import { compileRelease, type ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import type { RunningServer } from '../../../src/server/webServer.ts'
import { linkId } from '../../../src/service/publishing/countedLinks.ts'
import { readDemonstration } from '../../../src/service/demonstration/northwind.ts'
import { createCountedUrl } from '../../../src/service/http/countedLinks.ts'
import { releaseIdOf } from '../../../src/service/publishing/plans.ts'
import { StoreUnavailable } from '../../../src/service/sql/problems.ts'
import { publishDocument } from '../../support/demonstration.ts'
import { block } from '../../support/blocks.ts'
import { cases } from '../../support/cases.ts'
import { overPostgres } from '../../support/databases.ts'
import { askAdministration } from '../http/administrator.ts'
import {
  ALEX,
  askAsAddin,
  type Instance,
  mailClientToken,
  signInTo,
  startInstance,
  startProvider,
} from '../running.ts'

// Counted links over HTTP: two instances of the service over one database.

const PUBLIC = 'https://signet.northwind.example'
const START = Date.parse('2026-11-26T10:00:00Z')
const DAY_MS = 86_400_000
const SECRET = randomBytes(32)
const SELECTION = { for: 'everyone', not: [] } as const

const FAIR = 'https://www.northwind.example/fair?a=1&b=ä'
const FAIR_SENT = 'https://www.northwind.example/fair?a=1&b=%C3%A4'
const NEWS = 'http://news.northwind.example/'
const blockOf = (id: string) => block({ id, name: `Named ${id}`, template: `templates/blocks/${id}.html` })
const linked = (address: string) => `<a href="{{counted ${address}}}">Go</a>`
const idOf = (block: string, address: string) => linkId(block, address) ?? ''

overPostgres('counted links', (open) => {
  let clock = START
  let provider: RunningServer
  let document: ReleaseDocument
  let log: string[] = []
  /** What the database does: answers, fails, or is silent until statements reach their time limit. */
  let database: 'works' | 'fails' | 'hangs' = 'works'
  const away = () => new StoreUnavailable('away')
  const timeLimit$ = new Subject<null>()
  const instances: Instance[] = []
  const instance = (at: number) => {
    const found = instances[at]
    if (found === undefined) throw new Error('not started')
    return found
  }
  const [one, other] = [() => instance(0), () => instance(1)]

  async function start() {
    const store = await open()
    const through =
      <Given extends readonly unknown[], Answer>(ask: (...given: Given) => Promise<Answer>) =>
      (...given: Given): Promise<Answer> => {
        if (database === 'works') return ask(...given)
        return database === 'fails'
          ? Promise.reject(away())
          : firstValueFrom(timeLimit$).then(() => Promise.reject(away()))
      }
    const instance = await startInstance({
      store: {
        ...store,
        countedLink: through(store.countedLink),
        addClicks: through(store.addClicks),
      },
      provider,
      secret: SECRET,
      publicUrl: () => PUBLIC,
      now: () => clock,
      log: (line) => void log.push(line),
    })
    instances.push({ ...instance, store })
  }

  /** Publishes, and both instances read it. */
  async function publish(content: ReleaseDocument) {
    await publishDocument(one().service.context, content)
    await follow()
  }
  async function follow() {
    other().time.advance(CLICK_WRITE_INTERVAL_MS)
    const release = one().service.context.releases.current()?.id
    await expect.poll(() => other().service.context.releases.current()?.id).toBe(release)
  }

  const ask = async (
    path: string,
    {
      at = one(),
      method = 'GET',
      headers = {},
    }: { at?: { url: string }; method?: string; headers?: object } = {},
  ) => {
    const { status, headers: got } = await fetch(at.url + path, {
      method,
      headers: { ...headers },
      redirect: 'manual',
    })
    return { status, location: got.get('location'), headers: got }
  }
  /** The clicks of today in the database, after every instance begins to write. Each test has a day of its own. */
  async function counted(block: string): Promise<number> {
    for (const { time } of instances) time.advance(CLICK_WRITE_INTERVAL_MS)
    const all = await one().store.clicksSince(dayOf(clock))
    return all.find((each) => each.block === block)?.clicks ?? 0
  }

  beforeAll(async () => {
    provider = await startProvider({ now: () => clock })
    await start()
    await start()
    const demonstration = await readDemonstration()
    const [standard] = demonstration.document.signatures
    if (standard === undefined) throw new Error('no signature')
    document = {
      ...demonstration.document,
      signatures: [
        { ...standard, id: 'all', template: 'templates/all.html', selection: SELECTION, during: null },
      ],
      templates: {
        ...demonstration.document.templates,
        'templates/all.html': '<p>All</p>{{block banner}}',
        'templates/blocks/fair.html': linked(FAIR),
        'templates/blocks/news.html': linked(NEWS),
      },
      blocks: [blockOf('fair'), blockOf('news')],
      counting: true,
    }
    await one().service.context.people.importRows(demonstration.people, 'test', false)
    for (const [hash, picture] of demonstration.pictures) await one().store.keepPicture(hash, picture)
  })
  beforeEach(async () => {
    clock += 10 * DAY_MS
    log = []
    database = 'works'
    await publish(document)
  })
  afterAll(async () => {
    await Promise.all(instances.map(({ service }) => service.close()))
    await provider.close()
  })

  const fair = `/go/${idOf('fair', FAIR)}`

  describe('[BLOCK-9] a counted link', () => {
    it('leads to the address in the release, sets no cookie, and is kept by no cache', async () => {
      for (const at of [one(), other()]) {
        const { status, location, headers } = await ask(fair, { at })
        expect([status, location]).toEqual([302, FAIR_SENT])
        expect(headers.get('referrer-policy')).toBe('no-referrer')
        expect(headers.get('cache-control')).toBe('no-store')
        expect(headers.get('set-cookie')).toBeNull()
      }
    })

    it('stands in the answer to the add-in, and only while the organisation counts', async () => {
      const token = await signInTo(one().url, provider, ALEX)
      const answered = async () =>
        (await askAsAddin(one().url, 'GET', '/signatures-cache/api/v1/signatures?page=1', token)).text
      const on = await answered()
      expect(on).toContain(`${PUBLIC}${fair}`)
      expect(on).not.toContain('www.northwind.example/fair')
      const { counting: _, ...off } = document
      await publish(off)
      const silent = await answered()
      expect(silent).not.toContain('/go/')
      expect(silent).toContain('www.northwind.example/fair')
      // What administrators see leads to the address itself.
      await publish(document)
      const administrator = await mailClientToken(provider, ALEX)
      const { body } = await askAdministration<object>(
        ...([one().url, administrator, 'GET', '/people/u-1/signatures'] as const),
      )
      expect(JSON.stringify(body)).not.toContain('/go/')
    })

    it('leads on after its block is gone, after counting is off, and at an instance that never saw it', async () => {
      const { counting: _, ...off } = document
      for (const later of [{ ...document, blocks: [blockOf('news')] }, off]) {
        await publish(later)
        for (const at of [one(), other()])
          expect(await ask(fair, { at })).toMatchObject({ status: 302, location: FAIR_SENT })
      }
    })

    it('is in no database when its release does not count, and comes with the one that does', async () => {
      const { counting: _, ...off } = document
      const address = 'https://x.example/later'
      const id = idOf('fair', address)
      const templates = { ...document.templates, 'templates/blocks/fair.html': linked(address) }
      await publish({ ...off, templates })
      expect(await one().store.countedLink(id)).toBeNull()
      expect((await ask(`/go/${id}`)).status).toBe(404)
      await publish({ ...document, templates })
      expect(await one().store.countedLink(id)).toEqual({ id, block: 'fair', address })
      expect((await ask(`/go/${id}`)).location).toBe(address)
    })

    it('of a release whose publish is refused leads nowhere, and is in no database', async () => {
      const { store, releases } = one().service.context
      const address = 'https://x.example/refused'
      const content = {
        ...document,
        templates: { ...document.templates, 'templates/fair.html': linked(address) },
        blocks: [{ ...blockOf('fair'), template: 'templates/fair.html' }],
      }
      const id = idOf('fair', address)
      const release = releaseIdOf(content)
      await store.keepRelease(release, content)
      await expect(
        releases.write({ type: 'publish', release, base: 'other', note: '' }, 'test'),
      ).rejects.toMatchObject({ code: 'base_moved' })
      expect(await store.countedLink(id)).toBeNull()
      expect((await ask(`/go/${id}`)).status).toBe(404)
    })

    it('leads nowhere but to what was published, whatever a request names', async () => {
      const ids = [idOf('fair', FAIR), idOf('news', NEWS)]
      const targets = new Map([
        [ids[0], FAIR_SENT],
        [ids[1], NEWS],
      ])
      const { app } = one().service
      const evil = fc.constantFrom(
        'https://evil.example/',
        '//evil.example',
        '\\\\evil.example',
        '@evil.example',
      )
      const part = fc.oneof(fc.constantFrom(...ids), evil, fc.string({ maxLength: 24 }), fc.webUrl())
      const path = fc
        .array(part, { minLength: 1, maxLength: 3 })
        .chain((parts) =>
          fc.constantFrom('', '/', '?to=', '?', '#', '%2f', '..').map((between) => parts.join(between)),
        )
      await fc.assert(
        fc.asyncProperty(path, fc.option(evil), async (asked, host) => {
          clock += 61_000
          const url = `/go/${asked.replace(/[^\x21-\x7e]/g, encodeURIComponentOf)}`
          const { statusCode, headers } = await app.inject({
            url,
            headers: host === null ? {} : { host: 'evil.example', 'x-forwarded-host': host, referer: host },
          })
          const [, id = ''] = /^\/go\/([^?#]*)/.exec(url) ?? []
          expect(headers.location).toBe(targets.get(id))
          expect(statusCode).toBe(targets.has(id) ? 302 : 404)
        }),
        cases(30),
      )
    })

    it('stands for no address that is none, which is sent as it is', () => {
      const countedUrl = createCountedUrl(() => PUBLIC)
      const templates = { 'templates/a.html': linked(FAIR) + linked('https://[x') }
      const counting = {
        ...document,
        blocks: [{ ...blockOf('fair'), template: 'templates/a.html' }],
        templates,
      }
      const release = compileRelease('r', counting)
      expect(countedUrl(release, 'fair', FAIR)).toBe(`${PUBLIC}${fair}`)
      for (const address of ['https://[x', NEWS]) expect(countedUrl(release, 'fair', address)).toBe(address)
      const { counting: _, ...off } = counting
      expect(countedUrl(compileRelease('r', off), 'fair', FAIR)).toBe(FAIR)
    })

    it('that was never published is answered with the page for what is not there', async () => {
      for (const id of ['', 'x', 'A'.repeat(22), `${idOf('fair', FAIR)}/`, idOf('fair', NEWS)]) {
        const { status, headers } = await ask(`/go/${id}`, { headers: { Accept: 'text/html' } })
        expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      }
      const { status, headers } = await ask(fair, { method: 'POST' })
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    })

    it('leaves nothing of a person in the log', async () => {
      await ask(`${fair}?person=alex`, {
        headers: {
          'User-Agent': 'Reader/7',
          Referer: 'https://mail.example/inbox',
          Cookie: 'who=alex',
          'X-Forwarded-For': '203.0.113.77',
          'Accept-Language': 'tlh',
        },
      })
      const lines = log.filter((line) => line.includes('/go/'))
      expect(lines).toHaveLength(1)
      expect(Object.keys(JSON.parse(lines[0] ?? '{}') as object).sort()).toEqual(
        ['level', 'method', 'ms', 'msg', 'organisation', 'request', 'route', 'status', 'time'].sort(),
      )
      expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ method: 'GET', route: '/go/*', status: 302 })
      expect(log.join('')).not.toMatch(/alex|Reader|mail\.example|203\.0\.113|tlh|127\.0\.0\.1|::1/)
    })

    it('that is not in memory is looked up 300 times a minute for one address, and known links have no limit', async () => {
      const { app } = one().service
      const from = (address: string, id: string) =>
        app.inject({ url: `/go/${id}`, remoteAddress: '127.0.0.1', headers: { 'x-forwarded-for': address } })
      const unknown = (index: number) => String(index).padStart(22, 'x')
      const statuses: number[] = []
      for (let index = 0; index <= 300; index += 1)
        statuses.push((await from('203.0.113.1', unknown(index))).statusCode)
      expect([statuses.filter((status) => status === 404).length, statuses.at(-1)]).toEqual([300, 429])
      expect((await from('203.0.113.1', idOf('fair', FAIR))).statusCode).toBe(302)
      expect((await from('203.0.113.2', unknown(0))).statusCode).toBe(404)
      clock += 60_001
      expect((await from('203.0.113.1', unknown(0))).statusCode).toBe(404)
    })
  })

  describe('[BLOCK-9] a click', () => {
    it('is added to the day of UTC and the block, also by two instances at once', async () => {
      const day = dayOf(clock)
      for (let index = 0; index < 3; index += 1)
        for (const at of [one(), other(), one()]) await ask(fair, { at })
      await expect.poll(() => counted('fair')).toBe(9)
      expect(await one().store.clicksSince(day)).toEqual([{ day, block: 'fair', clicks: 9 }])
    })

    it.each<[string, string, Readonly<Record<string, string>>]>([
      ['HEAD', 'HEAD', {}],
      ['Purpose: prefetch', 'GET', { Purpose: 'prefetch' }],
      ['Sec-Purpose: prefetch;prerender', 'GET', { 'Sec-Purpose': 'prefetch;prerender' }],
      ['X-Purpose: preview', 'GET', { 'X-Purpose': 'preview' }],
      ['X-Moz: Prefetch', 'GET', { 'X-Moz': 'Prefetch' }],
    ])('that a program announces is not counted, and leads there: %s', async (_, method, headers) => {
      const news = `/go/${idOf('news', NEWS)}`
      expect(await ask(news, { method, headers })).toMatchObject({ status: 302, location: NEWS })
      await ask(news, { headers: { Purpose: 'navigate', 'Sec-Purpose': '' } })
      await expect.poll(() => counted('news')).toBe(1)
    })

    it('waits for no database: a link leads on at once while it fails or is silent, and is counted later', async () => {
      for (const state of ['fails', 'hangs'] as const) {
        database = state
        expect(await ask(fair)).toMatchObject({ status: 302, location: FAIR_SENT })
        one().time.advance(CLICK_WRITE_INTERVAL_MS)
        expect(await ask(fair)).toMatchObject({ status: 302, location: FAIR_SENT })
      }
      database = 'works'
      timeLimit$.next(null)
      await expect.poll(() => counted('fair')).toBe(4)
    })

    it('of a link that no memory has is answered 503 while the database is away', async () => {
      database = 'fails'
      expect((await ask(`/go/${'A'.repeat(22)}`)).status).toBe(503)
    })

    it('is written when an instance ends', async () => {
      await start()
      const last = instance(2)
      await ask(fair, { at: last })
      await last.service.close()
      instances.pop()
      expect(await counted('fair')).toBe(1)
    })

    it('of a block that is gone is counted, too', async () => {
      await publish({ ...document, blocks: [blockOf('news')] })
      await ask(fair)
      await expect.poll(() => counted('fair')).toBe(1)
    })
  })

  describe('what administrators read', () => {
    const insight = async () => {
      // What was counted a minute ago is not answered any more.
      clock += 120_000
      const administrator = await mailClientToken(provider, ALEX)
      return (await askAdministration<Insight>(one().url, administrator, 'GET', '/insight')).body
    }

    it('[BLOCK-9] are blocks and days that are over, with no number below five', async () => {
      for (let index = 0; index < 5; index += 1) await ask(fair)
      for (let index = 0; index < 4; index += 1) await ask(`/go/${idOf('news', NEWS)}`)
      await expect.poll(() => counted('news')).toBe(4)
      const day = dayOf(clock)
      const today = (await insight()).clicks ?? []
      expect(today.flatMap(({ days }) => days.filter((each) => each.day >= day))).toEqual([])
      clock += DAY_MS
      const { clicks } = await insight()
      expect(clicks?.map(({ block, name }) => [block, name])).toEqual([
        ['fair', 'Named fair'],
        ['news', 'Named news'],
      ])
      expect(clicks?.[0]?.days.at(-1)).toEqual({ day, clicks: 5 })
      expect(clicks?.[0]?.days).toHaveLength(90)
      expect(clicks?.[1]?.days.filter((each) => 'clicks' in each && each.clicks < 5)).toEqual([])
    })

    it('[BLOCK-10] is nothing of clicks while the organisation does not count, and neither is a click kept', async () => {
      const { counting: _, ...off } = document
      await publish(off)
      expect(await ask(fair)).toMatchObject({ status: 302, location: FAIR_SENT })
      expect(await counted('fair')).toBe(0)
      expect(await insight()).not.toHaveProperty('clicks')
    })

    it('[BLOCK-10] is told to people by the page about privacy, while the organisation counts', async () => {
      const privacy = async () => (await fetch(`${one().url}/docs/privacy.md`)).text()
      expect(await privacy()).toContain('counts clicks** on')
      const { counting: _, ...off } = document
      await publish(off)
      expect(await privacy()).not.toContain('counts clicks** on')
    })
  })

  it('clicks are dropped after 400 days', async () => {
    const { store } = one()
    const day = (ago: number) => dayOf(clock - ago * DAY_MS)
    await store.addClicks([
      { day: day(400), block: 'kept', clicks: 1 },
      { day: day(401), block: 'dropped', clicks: 1 },
    ])
    one().time.advance(60 * 60 * 1000)
    await expect
      .poll(async () => (await store.clicksSince('2000')).map(({ block }) => block))
      .not.toContain('dropped')
    expect((await store.clicksSince('2000')).map(({ block }) => block)).toContain('kept')
  })
})

/** `encodeURIComponent` for one code unit, which may be half of a character. */
const encodeURIComponentOf = (unit: string): string =>
  `%${(unit.charCodeAt(0) & 0xff).toString(16).padStart(2, '0')}`
