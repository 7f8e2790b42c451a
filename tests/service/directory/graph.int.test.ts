import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TENANT_IDS } from '../../../src/identityProvider/accounts.ts'
import type { GraphAnswer, RunningGraph } from '../../support/graph.ts'
import type { RunningServer } from '../../../src/server/webServer.ts'
import type { Demonstration } from '../../../src/service/demonstration/northwind.ts'
import { createGraphSource } from '../../../src/service/directory/graph.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import { embeddedData } from '../../support/databases.ts'
import {
  fillTenant,
  graphOptions,
  type Instance,
  readDemonstration,
  SECRET,
  startDouble,
  startInstance,
  startProvider,
  TENANT,
  type Waits,
} from './directoryRunning.ts'
import { png } from '../../folder/pictures.ts'
import { ALEX, JONAS, TESS } from '../running.ts'

// Microsoft Graph as it answers on a bad day.

const open = embeddedData()
let provider: RunningServer
let demonstration: Demonstration
let graph: RunningGraph
let store: Store
let instance: Instance
const waits: Waits = []
const tenant = () => graph.tenant(TENANT)

beforeAll(async () => {
  provider = await startProvider()
  demonstration = await readDemonstration()
})
afterAll(() => provider.close())

type Over = NonNullable<Parameters<typeof startInstance>[4]>
async function start(double: Parameters<typeof startDouble>[0] = {}, over: Over = {}) {
  graph = await startDouble(double)
  fillTenant(graph, demonstration)
  instance = await startInstance(store, provider, graph, waits, over)
  await instance.publish(demonstration.document)
}
beforeEach(async () => {
  waits.length = 0
  store = await open()
  await store.clear()
  return async () => {
    await instance.close()
    await graph.close()
  }
})

const status = (code: number, retryAfter?: string): GraphAnswer => ({
  status: code,
  ...(retryAfter === undefined ? {} : { headers: { 'Retry-After': retryAfter } }),
})

describe('reading Microsoft Graph', () => {
  it('goes through the pages, and later asks only for what changed since', async () => {
    await start()
    await instance.sync()
    const { requests, tokens } = graph.asked()
    const of = (start: string) => requests.filter((request) => request.startsWith(start))
    expect(of('users/delta').map((request) => /\$(\w+token)/.exec(decodeURIComponent(request))?.[1])).toEqual(
      [undefined, 'skiptoken', 'skiptoken'],
    )
    expect([of('groups?').length, of('groups/delta').length, tokens]).toEqual([1, 2, 1])
    await instance.sync()
    expect(
      graph
        .asked()
        .requests.slice(requests.length)
        .filter((request) => request.includes('deltatoken')),
    ).toHaveLength(3)
  })

  it('waits as long as it is asked to, in seconds or until a date, and otherwise longer each time', async () => {
    await start()
    const date = new Date(Math.floor(Date.now() / 1000 + 120) * 1000).toUTCString()
    graph.answerNext(status(429, '7'), status(503, date), status(429), status(503), status(429, '99999'))
    expect(await instance.sync()).toMatchObject({ outcome: 'done', added: 5 })
    expect([waits[0], ...waits.slice(2)]).toEqual([7_000, 4_000, 8_000, 300_000])
    expect(waits[1]).toBeGreaterThan(100_000)
    expect(waits[1]).toBeLessThanOrEqual(120_000)
  })

  it('gives up on one that is never ready, retires no one, and goes on with the next sync', async () => {
    await start()
    await instance.sync()
    tenant().putUser('6f1c0a52-alex', { jobTitle: 'Later' })
    graph.answerNext(...Array.from({ length: 8 }, () => status(429, '1')))
    const failed = await instance.sync()
    expect(failed).toMatchObject({ outcome: 'failed', changed: 0, failure: { code: 'throttled' } })
    expect([waits.length, await store.countPeople()]).toEqual([7, 5])
    expect(await instance.sync()).toMatchObject({ outcome: 'done', changed: 1 })
  })

  it.each(['gone', 'badRequest'] as const)(
    '[SRV-31] reads everything again when its link is too old (%s): who is gone then counts as retired',
    async (as) => {
      await start()
      await instance.sync()
      tenant().putUser('6f1c0a52-alex', { jobTitle: 'Newer', department: null })
      graph.expireLinks(as)
      expect(await instance.sync()).toMatchObject({ outcome: 'done', read: 7, changed: 1, retired: 0 })
      expect((await store.personByAddress(ALEX))?.directory).toMatchObject({ jobTitle: 'Newer' })
      expect((await store.personByAddress(ALEX))?.directory).not.toHaveProperty('department')

      tenant().removeUser('6f1c0a52-tess', 'deleted')
      graph.expireLinks(as)
      expect(await instance.sync()).toMatchObject({ outcome: 'needsLeave', retired: 1 })
      expect((await store.personByAddress(TESS))?.active).toBe(true)
      expect(await instance.sync({ retire: true })).toMatchObject({ outcome: 'done', retired: 1 })
    },
  )

  const user = { id: '6f1c0a52-alex', jobTitle: 'Broken' }
  it.each<[string, GraphAnswer]>([
    [
      'names a link elsewhere',
      { status: 200, body: { value: [], '@odata.nextLink': 'https://elsewhere.example/' } },
    ],
    ['does not say how it goes on', { status: 200, body: { value: [] } }],
    [
      'has a user without an id',
      { status: 200, body: { value: [{ jobTitle: 'x' }], '@odata.deltaLink': 'x' } },
    ],
    ['has no list', { status: 200, body: { value: user } }],
    ['is no JSON', { status: 200, body: '<html>' }],
    ['is too large', { status: 200, body: { value: [], filler: 'x'.repeat(21 * 1024 * 1024) } }],
    ['is an error', { status: 500, body: { error: { code: 'InternalServerError', message: 'x' } } }],
    [
      'is of a permission that was taken away',
      { status: 403, body: { error: { code: 'Authorization_RequestDenied' } } },
    ],
  ])('fails when an answer %s, and changes no one', async (_, answer) => {
    await start()
    await instance.sync()
    tenant().removeUser('6f1c0a52-tess', 'deleted')
    const before = await store.people(null, 100)
    graph.answerNext(answer)
    const run = await instance.sync({ retire: true })
    expect(run).toMatchObject({ outcome: 'failed', retired: 0, changed: 0 })
    expect(run.failure?.code).toMatch(/^(malformed|refused|forbidden)$/)
    expect(await store.people(null, 100)).toEqual(before)
    expect(await instance.sync({ retire: true })).toMatchObject({ outcome: 'done', retired: 1 })
  })

  it('[PERSON-3] brings the attributes that the settings name, and tells at the start which ones are unknown', async () => {
    const extension = 'extension_0a21f0f28d2a4f8ebf987363c4aed4ef_costCentre'
    const attributes = [extension, 'employeeType', 'extensionAttribute1']
    const source = (named: readonly string[]) => ({
      service: {
        directory: (opened: Store) => ({
          kind: 'graph' as const,
          intervalMs: null,
          sources: [
            createGraphSource({
              ...graphOptions(graph, waits, { attributes: named }),
              store: opened,
              pictures: false,
            }),
          ],
        }),
      },
    })
    await start({}, source(attributes))
    tenant().putUser('6f1c0a52-alex', { [extension]: '4711', employeeType: 'Crew' })
    const fieldsOf = async () => (await store.personByAddress(ALEX))?.directory
    const unknown = [{ source: `graph:${TENANT}`, names: [extension] }]
    expect(await instance.sync()).toMatchObject({ outcome: 'done', added: 5, unknownAttributes: unknown })
    expect(await fieldsOf()).toMatchObject({
      employeeType: 'Crew',
      'onPremisesExtensionAttributes.extensionAttribute1': 'full',
    })
    expect(await fieldsOf()).not.toHaveProperty([extension])

    tenant().addExtension(extension)
    const known = await instance.sync()
    expect(known).toMatchObject({ outcome: 'done', changed: 1 })
    expect(known).not.toHaveProperty('unknownAttributes')
    expect(await fieldsOf()).toMatchObject({ [extension]: '4711', employeeType: 'Crew' })
    tenant().putUser('6f1c0a52-alex', { [extension]: '4712' })
    expect(await instance.sync()).toMatchObject({ outcome: 'done', read: 1, changed: 1 })
    expect(await fieldsOf()).toMatchObject({ [extension]: '4712' })
  })

  it('asks for a token again when Graph takes it no more', async () => {
    await start()
    await instance.sync()
    graph.expireTokens()
    expect(await instance.sync()).toMatchObject({ outcome: 'done' })
    expect(graph.asked().tokens).toBe(2)
  })

  it('signs in with the token of a workload identity, read for each token', async () => {
    let read = 0
    const credential = { kind: 'federated', readToken: async () => ((read += 1), 'assertion') } as const
    await start({ assertion: 'assertion' }, { sources: { credential } })
    expect(await instance.sync()).toMatchObject({ outcome: 'done', added: 5 })
    graph.expireTokens()
    await instance.sync()
    expect(read).toBe(2)
  })

  it('says what to do when it gets no token, and repeats no secret', async () => {
    await start({}, { sources: { credential: { kind: 'secret', secret: 'wrong-secret' } } })
    const { failure, outcome } = await instance.sync()
    expect([outcome, failure?.code]).toEqual(['failed', 'token_refused'])
    expect(failure?.message).toContain('AADSTS7000215')
    expect(failure?.message).toContain('SIGNET_GRAPH_SECRET')
    expect(failure?.message).not.toMatch(new RegExp(`wrong-secret|${SECRET}`))
  })

  it('says which permissions are missing', async () => {
    await start({ permissions: ['User.Read.All'] })
    const { failure } = await instance.sync()
    expect(failure?.code).toBe('forbidden')
    expect(failure?.message).toContain('GroupMember.Read.All')
    expect(await store.countPeople()).toBe(0)
  })

  it('brings in the people of one tenant while another fails, and says that it failed', async () => {
    const service = {
      directory: (opened: Store) => ({
        kind: 'graph' as const,
        intervalMs: null,
        sources: [TENANT_IDS.harbour, TENANT].map((id) =>
          createGraphSource({
            ...graphOptions(graph, waits, { tenant: id }),
            store: opened,
            pictures: false,
          }),
        ),
      }),
    }
    await start({}, { service })
    expect(await instance.sync()).toMatchObject({
      outcome: 'failed',
      added: 5,
      failure: { code: 'token_refused' },
    })
    graph.tenant(TENANT_IDS.harbour).putUser('hana', { mail: 'hana@harbour.example' })
    expect(await instance.sync()).toMatchObject({ outcome: 'done', added: 1 })
    expect((await store.personByAddress('hana@harbour.example'))?.account).toEqual({
      tenant: TENANT_IDS.harbour,
      oid: 'hana',
    })
  })

  it('brings pictures if it is to, leaves out what is no picture, and asks no more than it must', async () => {
    const picture = demonstration.pictures.values().next().value
    if (picture === undefined) throw new Error('The demonstration has no picture.')
    await start({}, { sources: { pictures: true } })
    tenant().putPicture('6f1c0a52-alex', picture.mediaType, picture.bytes)
    tenant().putPicture('6f1c0a52-tess', 'image/png', new Uint8Array([1, 2, 3]))
    expect(await instance.sync()).toMatchObject({ added: 5 })
    const alex = await store.personByAddress(ALEX)
    expect(alex?.picture).toMatch(/^[0-9a-f]{32}\.\w+$/)
    expect((await store.picture(alex?.picture?.slice(0, 32) ?? ''))?.bytes).toEqual(
      new Uint8Array(picture.bytes),
    )
    expect((await store.personByAddress(TESS))?.picture).toBeNull()
    expect(await instance.sync()).toMatchObject({ changed: 0 })
  })

  it('keeps no picture that was replaced, nor one of a person who is erased before it is applied', async () => {
    await start({}, { sources: { pictures: true } })
    const pictureOf = async () => {
      const [entry] = await store.directory.entries(`graph:${TENANT}`, 'user', ['6f1c0a52-jonas'])
      return entry?.picture?.slice(0, 32) ?? ''
    }
    const hashes: string[] = []
    for (const width of [11, 12]) {
      tenant().putPicture('6f1c0a52-jonas', 'image/png', png(width))
      await instance.sync()
      hashes.push(await pictureOf())
    }
    expect([...(await store.hasPictures(hashes))]).toEqual([hashes[1]])
    tenant().putPicture('6f1c0a52-jonas', 'image/png', png(13))
    await instance.sync({ try: true })
    hashes.push(await pictureOf())
    expect(new Set(hashes).size).toBe(3)
    expect((await store.hasPictures(hashes)).size).toBe(2)
    const jonas = await store.personByAddress(JONAS)
    await instance.service.context.people.erase(jonas?.id ?? '', 'test')
    expect((await store.hasPictures(hashes)).size).toBe(0)
  })

  it('leaves a picture as it is that Graph answers with an error, and syncs all the same', async () => {
    const picture = demonstration.pictures.values().next().value
    if (picture === undefined) throw new Error('The demonstration has no picture.')
    let isBroken = false
    const ask: typeof fetch = (address, init) =>
      isBroken && String(address).includes('/users/6f1c0a52-alex/photos/')
        ? Promise.resolve(Response.json({ error: { code: 'UnknownError' } }, { status: 500 }))
        : fetch(address, init)
    await start({}, { sources: { pictures: true, fetch: ask } })
    tenant().putPicture('6f1c0a52-alex', picture.mediaType, picture.bytes)
    await instance.sync()
    const alex = await store.personByAddress(ALEX)
    isBroken = true
    tenant().putPicture('6f1c0a52-tess', picture.mediaType, picture.bytes)
    expect(await instance.sync()).toMatchObject({ outcome: 'done', changed: 1 })
    expect((await store.personByAddress(ALEX))?.picture).toBe(alex?.picture)
    expect((await store.personByAddress(TESS))?.picture).toBe(alex?.picture)
  })
})
