import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DirectoryRun } from '../../../streams/organisation/directory/directory.ts'
import type {
  OrganisationsPage,
  OverseenOrganisation,
} from '../../../streams/organisation/figures/operating.ts'
import { beginRun } from '../../../streams/organisation/directory/sync.ts'
import type { CallerInfo } from '../../../streams/wire/administration/insight.ts'
import { listen, type RunningServer } from '../../../src/server/webServer.ts'
import { readDemonstration } from '../../../src/service/demonstration/northwind.ts'
import { operatorCalls } from '../../../src/service/http/administration/operating.ts'
import { createPeople } from '../../../src/service/people/people.ts'
import { createService, type Service } from '../../../src/service/service.ts'
import type { DatabaseDriver } from '../../../src/service/sql/driver.ts'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { createRegistry, OWN_ORGANISATION, type Registry } from '../../../src/service/sql/registry.ts'
import { createStore, type Store } from '../../../src/service/sql/store.ts'
import { createTimers } from '../../support/timers.ts'
import { newDatabase, USUAL_DATABASES } from '../../support/databases.ts'
import { publishDemonstration, publishDocument } from '../../support/demonstration.ts'
import { askAdministration } from './administrator.ts'
import { ALEX, JONAS, mailClientToken, startProvider } from '../running.ts'

const NOW = Date.parse('2026-11-23T12:00:00Z')
const HOUR_MS = 3_600_000
const OTHERS = 120

const run = (id: string, over: Partial<DirectoryRun> = {}): DirectoryRun => ({
  ...beginRun({ id, source: 'graph', at: NOW - HOUR_MS, isTrial: false, by: 'directory' }),
  until: NOW - HOUR_MS + 60_000,
  outcome: 'done',
  ...over,
})

describe.each(USUAL_DATABASES)('the organisations of an installation over %s', (kind) => {
  let driver: DatabaseDriver
  let registry: Registry
  let provider: RunningServer
  let service: Service
  let url: string
  let operator: string
  let organisations: readonly OverseenOrganisation[]
  let pages: readonly OrganisationsPage[]
  let asked: { organisation: string; sql: string; parameters: readonly unknown[] }[] = []

  /** Notes each statement of an organisation. */
  const storeOf = (organisation: string): Store => {
    const watched: DatabaseDriver = {
      ...driver,
      within(id) {
        const inside = driver.within(id)
        return {
          ...inside,
          query: (sql, parameters = []) => {
            asked.push({ organisation: id, sql, parameters })
            return inside.query(sql, parameters)
          },
        }
      },
    }
    return createStore(watched, organisation)
  }
  const ask = <Body>(path: string, token = operator) => askAdministration<Body>(url, token, 'GET', path)
  const overseen = (id: string) => organisations.find((each) => each.id === id)

  async function allPages(): Promise<readonly OrganisationsPage[]> {
    const read: OrganisationsPage[] = []
    let after: string | null = ''
    while (after !== null) {
      const path: string =
        after === '' ? '/organisations' : `/organisations?after=${encodeURIComponent(after)}`
      const answer = await ask<OrganisationsPage>(path)
      expect(answer.status).toBe(200)
      read.push(answer.body)
      after = answer.body.next
    }
    return read
  }

  beforeAll(async () => {
    driver = await openDatabase(await newDatabase(kind))
    registry = createRegistry(driver)
    provider = await startProvider({ now: () => NOW })
    service = await createService({
      store: {
        ...createStore({ ...driver, close: async () => {} }, OWN_ORGANISATION),
        summary: storeOf(OWN_ORGANISATION).summary,
      },
      others: { registry, storeOf, directoryFor: () => null },
      // No organisation is visited, because no time passes.
      timers: createTimers(),
      organisation: 'Hosting Ltd',
      tenants: [],
      authority: provider.url,
      tokenAudiences: ['api://signet'],
      scope: 'access_as_user',
      secret: randomBytes(32),
      publicUrl: () => 'https://signet.example.com',
      origins: [],
      now: () => NOW,
    })
    url = (await listen(service.app, 0)).url
    operator = await mailClientToken(provider, JONAS)
    await publishDemonstration(service.context)

    for (let index = 0; index < OTHERS; index += 1) {
      const id = `org-${String(index).padStart(3, '0')}`
      const tenants = [`tenant-${id}`]
      await registry.keep({ id, name: `Named ${id}`, tenants, directory: null, addedAt: NOW }, null)
    }
    const graph = { kind: 'graph', minutes: 15, pictures: false } as const
    const withGraph = (id: string) =>
      registry.keep(
        { id, name: `Named ${id}`, tenants: [`tenant-${id}`, `other-${id}`], directory: graph, addedAt: NOW },
        null,
      )
    await withGraph('org-001')
    await withGraph('org-002')
    await withGraph('org-003')
    await withGraph('org-004')
    await registry.markRemoved('org-005', NOW)

    // One organisation has the people, the releases and syncs; what its syncs say names people.
    const filled = createStore(driver, 'org-001')
    const { people } = await readDemonstration()
    const context = { store: filled, releases: service.context.releases }
    await createPeople({ ...context, now: () => NOW, newId: () => 'not needed' }).importRows(
      people,
      'test',
      false,
    )
    const [first] = people
    if (first === undefined || first.id === null) throw new Error('The demonstration has people.')
    await createPeople({ ...context, now: () => NOW, newId: () => 'not needed' }).write(
      first.id,
      { type: 'deactivate' },
      'test',
    )
    await filled.appendOrganisation(0, await service.context.store.organisationFacts(0), {
      actor: ALEX,
      at: NOW - HOUR_MS,
    })
    const samples = [{ person: ALEX, change: 'changed', fields: ['jobTitle'], reason: null }] as const
    await filled.directory.keepRun(run('1', { at: NOW - 5 * HOUR_MS, until: NOW - 4 * HOUR_MS, samples }))
    await filled.directory.keepRun(run('2', { outcome: 'failed', failure: { code: 'x', message: ALEX } }))
    await filled.directory.keepRun(run('3', { isTrial: true, at: NOW - 1000, until: NOW - 500 }))
    await filled.directory.keepRun(run('4', { outcome: 'running', at: NOW, until: null }))
    await createStore(driver, 'org-002').directory.keepRun(run('1', { outcome: 'needsLeave' }))
    await createStore(driver, 'org-003').directory.keepRun(run('1'))

    asked = []
    pages = await allPages()
    organisations = pages.flatMap((page) => page.organisations)
  })
  afterAll(async () => {
    await service.close()
    await provider.close()
    await driver.close()
  })

  it('are all listed once, that of the settings first, the others by their ids, fifty a page', () => {
    const ids = organisations.map(({ id }) => id)
    expect(pages.map((page) => page.organisations.length)).toEqual([50, 50, 21])
    expect(ids[0]).toBe('default')
    expect(ids.slice(1)).toEqual(
      Array.from({ length: OTHERS }, (_, index) => `org-${String(index).padStart(3, '0')}`),
    )
    expect(pages.map(({ at }) => at)).toEqual([NOW, NOW, NOW])
  })

  it('have what is published, their people, the last sync and what needs attention', () => {
    const release = service.context.releases.current()?.id ?? ''
    expect(overseen('default')).toEqual({
      id: 'default',
      name: 'Hosting Ltd',
      tenants: 0,
      directory: null,
      release: { id: release, at: NOW },
      people: 5,
      lastSync: null,
      alerts: [],
    })
    expect(overseen('org-000')).toEqual({
      id: 'org-000',
      name: 'Named org-000',
      tenants: 1,
      directory: null,
      release: null,
      people: 0,
      lastSync: null,
      alerts: ['unpublished', 'noPeople'],
    })
    expect(overseen('org-001')).toEqual({
      id: 'org-001',
      name: 'Named org-001',
      tenants: 2,
      directory: 'graph',
      release: { id: release, at: NOW - HOUR_MS },
      people: 4,
      lastSync: { at: NOW - HOUR_MS + 60_000, outcome: 'failed' },
      alerts: ['syncFailed', 'syncOld'],
    })
    expect(overseen('org-002')?.alerts).toEqual(['unpublished', 'noPeople', 'syncNeedsLeave'])
    expect(overseen('org-003')?.alerts).toEqual(['unpublished', 'noPeople'])
    expect(overseen('org-004')?.alerts).toEqual(['unpublished', 'noPeople', 'notSynced'])
    expect(overseen('org-005')?.alerts).toEqual(['removing'])
  })

  it('[SCALE-9] are each counted by one statement, which names the organisation', () => {
    expect(asked.map(({ organisation }) => organisation).sort()).toEqual(
      organisations.map(({ id }) => id).sort(),
    )
    for (const { organisation, sql, parameters } of asked) {
      expect(parameters[0]).toBe(organisation)
      const tables = [...sql.matchAll(/\bfrom (?:person|event|directory_run)\s+where organisation = \$1/g)]
      expect(tables).toHaveLength(4)
      expect([...sql.matchAll(/\b(?:from|join) (?!\()/g)]).toHaveLength(4)
    }
  })

  it('say no name and no address of a person, and nothing of a signature', async () => {
    const { document } = service.context.releases.current() ?? {}
    const people = await service.context.store.people(null, 100)
    const texts = textsIn(pages)
    const said = (part: string) => texts.filter((text) => text.includes(part))
    expect(people).toHaveLength(5)
    for (const { id, addresses, directory } of people)
      for (const part of [...addresses, ...Object.values(directory), id]) expect(said(part)).toEqual([])
    for (const { id, name } of document?.signatures ?? [])
      for (const part of [id, name]) expect(texts).not.toContain(part)
    expect(texts.filter((text) => /@|application|jobTitle/.test(text))).toEqual([])
  })

  it('are for the role of the installation alone, which opens nothing of an organisation', async () => {
    const administrator = await mailClientToken(provider, ALEX)
    expect(await ask('/organisations', administrator)).toMatchObject({
      status: 403,
      body: { code: 'role_missing' },
    })
    expect((await ask<CallerInfo>('/me')).body.roles).toEqual(['Signet.Operate'])
    for (const path of ['/overview', '/people?search=a', '/releases', '/audit', '/directory', '/insight'])
      expect(await ask(path), path).toMatchObject({ status: 403, body: { code: 'role_missing' } })
  })

  it('end with the page of an unknown or long id', async () => {
    const { body } = await ask<OrganisationsPage>('/organisations?after=zzz')
    expect(body).toEqual({ at: NOW, organisations: [], next: null })
    expect((await ask(`/organisations?after=${'a'.repeat(41)}`)).status).toBe(400)
  })

  it('show a rollback as the release that is published, since then', async () => {
    const { releases, store } = service.context
    const former = releases.current()?.id ?? ''
    const { document } = releases.current() ?? {}
    if (document === undefined) throw new Error('Nothing is published.')
    await publishDocument(service.context, { ...document, signatures: document.signatures.slice(1) })
    await releases.write({ type: 'rollBack', release: former, note: '' }, ALEX)
    expect((await store.summary()).release).toEqual({ id: former, at: NOW })
  })
})

/** Every text in an answer, keys too. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => [key, ...textsIn(each)])
}

describe('counting the organisations of a page', () => {
  it('asks a few at the same time, whatever order they answer in', async () => {
    let running = 0
    let most = 0
    const rows = Array.from({ length: 49 }, (_, index) => ({
      id: `o-${String(index)}`,
      name: '',
      tenants: [],
      directory: null,
      addedAt: 0,
      removedAt: null,
    }))
    const summary = async () => {
      running += 1
      most = Math.max(most, running)
      for (let turn = 0; turn < (running * 7) % 5; turn += 1) await Promise.resolve()
      running -= 1
      return { release: null, people: 1, lastSync: null, lastDone: null }
    }
    const calls = operatorCalls(
      {
        registry: { page: async () => rows },
        storeOf: () => ({ summary }) as unknown as Store,
        now: () => NOW,
      },
      () => ({ name: 'Own', tenants: [], directory: null }),
    )
    const page = await calls.organisations({
      query: {},
      params: undefined,
      body: undefined,
      client: new AbortController().signal,
      actor: '',
      roles: [],
    })
    expect(page.organisations.map(({ id }) => id)).toEqual(['default', ...rows.map(({ id }) => id)])
    expect(page.next).toBe('o-48')
    expect(most).toBe(4)
  })
})
