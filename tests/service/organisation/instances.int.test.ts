import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FOLLOW_INTERVAL_MS } from '../../../src/service/publishing/followReleases.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import type { RunningServer } from '../../../src/server/webServer.ts'
import { readDemonstration } from '../../../src/service/demonstration/northwind.ts'
import { publishDocument } from '../../support/demonstration.ts'
import { block } from '../../support/blocks.ts'
import { overPostgres } from '../../support/databases.ts'
import {
  ALEX,
  askAsAddin,
  type Instance,
  MARIA,
  signInTo,
  startInstance,
  startProvider,
  type WireResponse,
} from '../running.ts'

// Two instances of the service over one database, as behind a load balancer.

const SAVE_PATH = '/api/addin/user/variables_with_options'
const CACHE_PATH = '/signatures-cache/api/v1/signature/addin'
const LIST_PATH = '/signatures-cache/api/v1/signatures'
const SECRET = randomBytes(32)
const START = Date.parse('2026-09-01T10:00:00Z')
const DAY_MS = 86_400_000
const FAIR = block({
  id: 'fair',
  name: 'Fair',
  slot: 'fair',
  template: 'templates/fair.html',
  during: { from: '2026-09-02', to: '2026-09-02', timeZone: 'Europe/Berlin' },
})

overPostgres('two instances', (open) => {
  let clock = START
  const now = () => clock
  let provider: RunningServer
  let document: ReleaseDocument
  const instances: Instance[] = []
  const [one, other] = [() => instance(0), () => instance(1)]

  function instance(at: number) {
    const found = instances[at]
    if (found === undefined) throw new Error('not started')
    return found
  }

  async function start(publicUrl: string) {
    const store = await open()
    instances.push(await startInstance({ store, provider, secret: SECRET, publicUrl: () => publicUrl, now }))
  }

  const publish = (content: ReleaseDocument) => publishDocument(one().service.context, content)

  beforeAll(async () => {
    provider = await startProvider({ now })
    await start('https://signet.northwind.example')
    await start('https://signet.northwind.example')
    const demonstration = await readDemonstration()
    document = demonstration.document
    await one().service.context.people.importRows(demonstration.people, 'test', false)
    for (const [hash, picture] of demonstration.pictures) await one().store.keepPicture(hash, picture)
  })
  beforeEach(async () => {
    clock = START
    await publish(document)
    await follow()
  })
  afterAll(async () => {
    await Promise.all(instances.map(({ service }) => service.close()))
    await provider.close()
  })

  /** The other instance reads the stream, as it does by itself after the interval. */
  async function follow() {
    const release = one().service.context.releases.current()?.id
    other().time.advance(FOLLOW_INTERVAL_MS)
    await expect.poll(() => other().service.context.releases.current()?.id).toBe(release)
  }

  const call = (
    at: { url: string },
    method: string,
    path: string,
    token: string | null,
    body?: unknown,
    more = {},
  ) => askAsAddin(at.url, method, path, token, body, more)
  const signIn = (email: string) => signInTo(one().url, provider, email)

  const save = (at: { url: string }, token: string, data: object) =>
    call(at, 'PUT', SAVE_PATH, token, { data, reset_fields: [] })

  it('[SRV-11] keep both of two saves at once, each of another instance', async () => {
    const token = await signIn(ALEX)
    for (let turn = 0; turn < 5; turn += 1) {
      const answers = await Promise.all([
        save(one(), token, { department: `Deck ${String(turn)}` }),
        save(other(), token, { office: `Bridge ${String(turn)}` }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      const { body } = await call(one(), 'GET', '/api/addin/user/variables', token)
      expect(body.values).toMatchObject({
        department: `Deck ${String(turn)}`,
        office: `Bridge ${String(turn)}`,
      })
    }
  })

  it('[SRV-22] answer a release that the other published, after one reading interval of at most 5 seconds', async () => {
    expect(FOLLOW_INTERVAL_MS).toBeLessThan(5_000)
    const token = await signIn(ALEX)
    const renamed = document.signatures.map((each) =>
      each.id === 'standard' ? { ...each, name: 'Renamed' } : each,
    )
    await publish({ ...document, signatures: renamed })
    const name = async (at: { url: string }) =>
      (await call(at, 'GET', `${CACHE_PATH}?combined_ids=standard-u-1`, token)).body.name
    expect([await name(one()), await name(other())]).toEqual(['Renamed', 'Northwind standard'])
    other().time.advance(FOLLOW_INTERVAL_MS)
    await expect.poll(() => name(other())).toBe('Renamed')
  })

  it('[SRV-6] name the pictures by the public address, whatever host a request names', async () => {
    const token = await signIn(ALEX)
    for (const more of [
      {},
      { Host: 'evil.example' },
      { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http', Forwarded: 'host=evil.example' },
    ]) {
      const { text } = await call(one(), 'GET', `${CACHE_PATH}?build_base64=true`, token, undefined, more)
      const addresses = text.match(/https?:\/\/[^"\\]*\/images\//g) ?? []
      expect(new Set(addresses)).toEqual(new Set(['https://signet.northwind.example/images/']))
    }
  })

  describe('a conditional request', () => {
    const tagOf = ({ headers }: WireResponse) => headers.get('etag') ?? ''
    const again = (at: { url: string }, path: string, token: string, tag: string) =>
      call(at, 'GET', path, token, undefined, { 'If-None-Match': tag })

    it.each([
      CACHE_PATH,
      `${CACHE_PATH}?build_base64=true`,
      `${LIST_PATH}?page=1`,
      '/api/addin/user',
      '/api/addin/user/photo',
      '/api/addin/user/variables',
      '/api/addin/variables',
      '/api/addin/subscription',
      '/api/addin/configs',
    ])(
      '[SRV-23] of the unchanged %s is answered 304 without a body, by both, with another bearer',
      async (path) => {
        const token = await signIn(ALEX)
        const first = await call(one(), 'GET', path, token)
        expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
        clock += 60_000
        const renewed = await signIn(ALEX)
        for (const at of [one(), other()]) {
          const { status, text, headers } = await again(at, path, renewed, `W/"else", ${tagOf(first)}`)
          expect([status, text, headers.get('etag')]).toEqual([304, '', tagOf(first)])
        }
        expect((await again(one(), path, token, '"else"')).status).toBe(200)
        // A proxy that compressed the answer has weakened its tag.
        for (const tag of [`W/${tagOf(first)}`, `"else" , W/${tagOf(first)}`, '*'])
          expect((await again(one(), path, token, tag)).status).toBe(304)
      },
    )

    it('[SRV-23] has another tag after a saved variable, for another user, and after a publish', async () => {
      const [alex, maria] = [await signIn(ALEX), await signIn(MARIA)]
      const tags = [tagOf(await call(one(), 'GET', CACHE_PATH, alex))]
      tags.push(tagOf(await call(one(), 'GET', CACHE_PATH, maria)))
      await save(one(), alex, { department: `Deck ${tags[0] ?? ''}` })
      tags.push(tagOf(await call(one(), 'GET', CACHE_PATH, alex)))
      await publish({ ...document, organisation: 'Northwind' })
      tags.push(tagOf(await call(one(), 'GET', CACHE_PATH, alex)))
      expect(new Set(tags).size).toBe(4)
    })

    it("[SRV-23] of a delegated signature has another tag after its owner's save", async () => {
      const [alex, maria] = [await signIn(ALEX), await signIn(MARIA)]
      const path = `${CACHE_PATH}?combined_ids=padrao-u-3`
      const before = await call(one(), 'GET', path, alex)
      expect((await again(one(), path, alex, tagOf(before))).status).toBe(304)
      await save(one(), maria, { job_title: `Diretora ${tagOf(before)}` })
      const after = await again(one(), path, alex, tagOf(before))
      expect([after.status, after.body.signature.includes('Diretora &quot;')]).toEqual([200, true])
    })

    it('[SRV-23] has another tag when its owner was erased and imported again with other data', async () => {
      const { people } = one().service.context
      const rowOf = (givenName: string) => ({
        id: 'desk',
        record: {
          addresses: ['desk@northwind.example'],
          account: null,
          language: null,
          fields: { givenName },
          groups: [],
          picture: null,
        },
      })
      const selection = { for: 'everyone', not: [] } as const
      const desk = { address: 'desk@northwind.example', selection, values: {} }
      const [standard] = document.signatures
      if (standard === undefined) throw new Error('no signature')
      const all = { ...standard, id: 'all', selection }
      await publish({
        ...document,
        signatures: [all, ...document.signatures],
        mailboxes: [...document.mailboxes, desk],
      })
      const token = await signIn(ALEX)
      const path = `${CACHE_PATH}?combined_ids=all-desk`
      const answers: WireResponse[] = []
      for (const name of ['Wanda', 'Boris']) {
        await people.importRows([rowOf(name)], 'test', false)
        answers.push(await call(one(), 'GET', path, token))
        await people.erase('desk', 'test')
      }
      const [wanda, boris] = answers
      expect([wanda?.body.signature.includes('Wanda'), boris?.body.signature.includes('Boris')]).toEqual([
        true,
        true,
      ])
      expect(wanda && tagOf(wanda)).not.toBe(boris && tagOf(boris))
    })

    it('[SRV-23] [SRV-21] has another tag, and another list, while a window is open', async () => {
      const [standard] = document.signatures
      if (standard === undefined) throw new Error('no signature')
      const during = { from: '2026-09-02', to: '2026-09-02', timeZone: 'Europe/Berlin' }
      const fair = {
        ...standard,
        id: 'fair',
        name: 'Fair',
        during,
        selection: { for: 'everyone' as const, not: [] },
      }
      await publish({ ...document, signatures: [fair, ...document.signatures] })
      const midnight = Date.parse('2026-09-01T22:00:00Z')
      const seen: [boolean, string][] = []
      for (const at of [midnight - 1, midnight, midnight + DAY_MS - 1, midnight + DAY_MS]) {
        clock = at
        const bearer = await signIn(ALEX)
        const { body, headers } = await call(one(), 'GET', `${LIST_PATH}?per_page=50`, bearer)
        seen.push([body.objects.some(({ name }) => name === 'Fair'), headers.get('etag') ?? ''])
      }
      expect(seen.map(([isOpen]) => isOpen)).toEqual([false, true, true, false])
      expect(seen[0]?.[1]).toBe(seen[3]?.[1])
      expect(seen[1]?.[1]).toBe(seen[2]?.[1])
      expect(seen[0]?.[1]).not.toBe(seen[1]?.[1])
    })

    it('[BLOCK-3] has another tag, and another block, while the period of a block is open', async () => {
      const [standard] = document.signatures
      if (standard === undefined) throw new Error('no signature')
      const selection = { for: 'everyone', not: [] } as const
      await publish({
        ...document,
        signatures: [
          { ...standard, selection, template: 'templates/slotted.html' },
          ...document.signatures.slice(1),
        ],
        blocks: [FAIR],
        templates: {
          ...document.templates,
          'templates/slotted.html': '<p>Me</p>{{#block fair}}<div>{{block}}</div>{{/block}}',
          'templates/fair.html': 'Come to the fair',
        },
      })
      const midnight = Date.parse('2026-09-01T22:00:00Z')
      const seen: [string, readonly string[], string][] = []
      for (const at of [midnight - 1, midnight, midnight + DAY_MS - 1, midnight + DAY_MS]) {
        clock = at
        const bearer = await signIn(ALEX)
        const { body, headers } = await call(one(), 'GET', `${CACHE_PATH}?build_base64=false`, bearer)
        const blocks = (body.blocks ?? []).flatMap(({ candidates }) => candidates.map(({ id }) => id))
        seen.push([body.signature, blocks, headers.get('etag') ?? ''])
      }
      const [before, first, last, after] = seen
      expect([before?.slice(0, 2), after?.slice(0, 2)]).toEqual([
        ['<p>Me</p>', []],
        ['<p>Me</p>', []],
      ])
      const open = ['<p>Me</p><div>Come to the fair</div>', ['fair']]
      expect([first?.slice(0, 2), last?.slice(0, 2)]).toEqual([open, open])
      expect(before?.[2]).toBe(after?.[2])
      expect(first?.[2]).toBe(last?.[2])
      expect(before?.[2]).not.toBe(first?.[2])
    })

    it('[BLOCK-3] is answered 304 while no block opens and counting is as it was, and 200 after either', async () => {
      const [standard] = document.signatures
      if (standard === undefined) throw new Error('no signature')
      const selection = { for: 'everyone', not: [] } as const
      const content: ReleaseDocument = {
        ...document,
        signatures: [
          { ...standard, selection, template: 'templates/slotted.html' },
          ...document.signatures.slice(1),
        ],
        blocks: [FAIR],
        templates: {
          ...document.templates,
          'templates/slotted.html': '<p>Me</p>{{block fair}}',
          'templates/fair.html': '<a href="{{counted https://fair.example/}}">Fair</a>',
        },
      }
      const { counting: _, ...off } = content
      const midnight = Date.parse('2026-09-01T22:00:00Z')
      let tag = ''
      const asked = async (at: number) => {
        clock = at
        const path = `${CACHE_PATH}?build_base64=false`
        const more = { 'If-None-Match': tag }
        const { status, body, headers } = await call(one(), 'GET', path, await signIn(ALEX), undefined, more)
        tag = headers.get('etag') ?? ''
        return [
          status,
          status === 200 ? /href="([^"]*)"/.exec(body.signature)?.[1]?.replace(/\/go\/.*/, '/go/') : null,
        ]
      }
      await publish(off)
      expect(await asked(midnight - 2)).toEqual([200, undefined])
      expect(await asked(midnight - 1)).toEqual([304, null])
      expect(await asked(midnight)).toEqual([200, 'https://fair.example/'])
      expect(await asked(midnight + DAY_MS - 1)).toEqual([304, null])
      await publish({ ...content, counting: true })
      expect(await asked(midnight)).toEqual([200, expect.stringMatching(/\/go\/$/)])
      expect(await asked(midnight + 1)).toEqual([304, null])
      await publish(off)
      expect(await asked(midnight)).toEqual([200, 'https://fair.example/'])
      expect(await asked(midnight + DAY_MS)).toEqual([200, undefined])
    })
  })
})
