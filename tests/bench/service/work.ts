/** Measures how one organisation's long work delays the others, and the process's memory. Several commits in turns. */
import { randomBytes } from 'node:crypto'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { ADMINISTRATION_PATH } from '../../../streams/wire/administration/calls.ts'
import type { Plan, PlanPage } from '../../../streams/wire/administration/publishing.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { openDatabase, type StoreAddress } from '../../../src/service/sql/openStore.ts'
import { createRegistry } from '../../../src/service/sql/registry.ts'
import { startPostgres } from '../../support/postgres.ts'
import { digits, quantile, spread, table } from '../figures.ts'
import { checkOut } from '../formerCommit.ts'
import { measureLines } from '../lines.ts'
import { documentWith, found } from './organisation.ts'
import { FILL_OTHERS, tenantOf } from './organisations.ts'
import { ask, type MeasuredService, startService } from './processes.ts'
import { type Provider, startProvider } from './provider.ts'
import { signInOf } from './service.ts'
import { waitsBeside } from './waits.ts'

const PROJECT = join(import.meta.dirname, '../../..')
/** The number of people in each small organisation. An address may sign in only 20 times a minute. */
const FEW_PEOPLE = 60
const LARGE = { id: 'large', tenant: '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d' }
const PEOPLE = 5_000
const LOOK_MS = 50
/** How long a process idles before its memory is read. */
const REST_MS = 1_000
/** How long a large plan runs before the small plan begins. */
const BEGUN_MS = 150

const PUBLISHED = documentWith({ hasBlocks: true })
/** A document that changes the signatures of all people, differently for each `version`. */
const changed = (version: string): ReleaseDocument =>
  documentWith({ hasBlocks: true, legal: `Legal, ${version}`, everyone: version })

export type WorkOptions = Readonly<{
  organisations: number
  /** The number of processes started for each commit. */
  starts: number
  /** Other commits with the same tables, measured in turns with this tree. */
  commits: readonly string[]
  print: (report: string) => void
  note: (line: string) => void
}>

/** The figures of all processes of one commit. Times in milliseconds, memory in bytes. */
type Figures = {
  started: number[]
  /** Memory with all organisations: at rest, the peak during plans, and at rest after them. */
  rest: number[]
  most: number[]
  after: number[]
  /** The duration of a plan alone, and while others request defaults; p95 and longest wait of these requests. */
  alone: number[]
  beside: number[]
  p95: number[]
  longest: number[]
  /** Longest waits for a default without a plan. */
  quiet: number[]
  /** The duration of a plan for few people, alone and beside a large plan. */
  small: { alone: number[]; beside: number[] }
}

const newFigures = (): Figures => ({
  started: [],
  rest: [],
  most: [],
  after: [],
  quiet: [],
  small: { alone: [], beside: [] },
  alone: [],
  beside: [],
  p95: [],
  longest: [],
})

/** A plan without its expiry, and the first page of its people. */
type Said = Readonly<{ plan: Omit<Plan, 'until'>; people: PlanPage }>

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/** Watches a process's memory. The returned function stops this, and resolves with the peak. */
function watchMemory({ memoryBytes }: MeasuredService) {
  let most = 0
  const over = new AbortController()
  const watching = (async () => {
    while (!over.signal.aborted) {
      most = Math.max(most, await memoryBytes())
      await pause(LOOK_MS)
    }
  })()
  return async () => {
    over.abort()
    await watching
    return most
  }
}

/** Makes plans as an administrator of a tenant. */
async function plannerOf(service: MeasuredService, provider: Provider, tenant: string) {
  const headers = { Authorization: `Bearer ${await provider.administrator(tenant)}` }
  const send = async <Answer>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> => {
    const { status, text } = await ask(service.url, {
      method,
      path: ADMINISTRATION_PATH + path,
      headers,
      body,
    })
    if (status >= 300) throw new Error(`${path}: ${String(status)} ${text.slice(0, 300)}`)
    return JSON.parse(text) as Answer
  }
  const plan = (document: ReleaseDocument) =>
    send<Plan>('POST', '/plans', { document, pictures: {}, at: Date.UTC(2026, 0, 1) })
  return {
    plan: (document: ReleaseDocument) => timed(() => plan(document)),
    async said(document: ReleaseDocument): Promise<Said> {
      const { until: _, ...made } = await plan(document)
      return { plan: made, people: await send<PlanPage>('GET', `/plans/${made.id}/people`) }
    },
  }
}

/** Signs in a person of each organisation, which opens the organisation. Resolves with their access tokens. */
async function signInAll(
  { url }: MeasuredService,
  provider: Provider,
  organisations: number,
): Promise<readonly string[]> {
  const bearers: string[] = []
  for (let organisation = 1; organisation <= organisations; organisation += 1) {
    const { text } = await ask(
      url,
      await signInOf(provider, 1 + (organisation % FEW_PEOPLE), tenantOf(organisation)),
    )
    const { data } = JSON.parse(text) as { data: { access_token: string } }
    bearers.push(data.access_token)
  }
  return bearers
}

/** Measures one process. Resolves with its first plan. */
async function measureOne(
  service: MeasuredService,
  provider: Provider,
  organisations: number,
  into: Figures,
): Promise<Said> {
  const large = await plannerOf(service, provider, LARGE.tenant)
  const small = await plannerOf(service, provider, tenantOf(1))
  const smallDocument = (version: string) => documentWith({ organisation: version })
  into.started.push(await service.memoryBytes())
  // The first plan is a warm-up.
  const said = await large.said(changed('first'))
  await small.plan(smallDocument('first'))
  const bearers = await signInAll(service, provider, organisations)
  await pause(REST_MS)
  into.rest.push(await service.memoryBytes())
  into.quiet.push(Math.max(...(await waitsBeside(service, bearers, () => pause(REST_MS)))))
  const most = watchMemory(service)
  into.alone.push(await large.plan(changed('alone')))
  const waits = await waitsBeside(service, bearers, async () => {
    into.beside.push(await large.plan(changed('beside defaults')))
  })
  into.p95.push(quantile(waits, 0.95))
  into.longest.push(Math.max(...waits))
  into.small.alone.push(await small.plan(smallDocument('alone')))
  const working = large.plan(changed('beside a small plan'))
  await pause(BEGUN_MS)
  into.small.beside.push(await small.plan(smallDocument('beside a large plan')))
  await working
  into.most.push(await most())
  await pause(REST_MS)
  into.after.push(await service.memoryBytes())
  return said
}

/**
 * Measures plans for 5,000 people in a service with many organisations.
 *
 * @throws Error when a commit makes another plan
 */
export async function measureWork({
  organisations,
  starts,
  commits,
  print,
  note,
}: WorkOptions): Promise<void> {
  const ending: (() => unknown)[] = []
  try {
    const sides = [{ name: 'this tree', project: PROJECT, figures: newFigures() }]
    for (const commit of commits) {
      const project = join(PROJECT, '.signet/bench', commit)
      await checkOut(commit, project)
      sides.push({ name: commit, project, figures: newFigures() })
    }
    const folder = await mkdtemp(join(tmpdir(), 'signet-bench-'))
    ending.unshift(() => rm(folder, { recursive: true, force: true }))
    const provider = await startProvider()
    ending.unshift(() => provider.close())
    const postgres = await startPostgres()
    ending.unshift(() => postgres.close())
    const url = await postgres.createDatabase()
    await fill({ kind: 'postgres', url }, url, organisations)
    const secret = randomBytes(32).toString('base64')
    let expected: Said | null = null
    for (let start = 0; start < starts; start += 1)
      // They take turns at being first.
      for (const { name, project, figures } of start % 2 === 0 ? sides : sides.toReversed()) {
        note(`${name}, start ${String(start + 1)}, load ${digits(loadavg()[0] ?? 0)} …`)
        const service = await startService({ kind: 'postgres', url }, { provider, folder, secret, project })
        try {
          const said = await measureOne(service, provider, organisations, figures)
          note(summaryOf(figures))
          expected ??= said
          if (!isDeepStrictEqual(said, expected)) throw new Error(`${name} makes another plan.`)
        } finally {
          await service.close()
        }
      }
    print(
      `Node ${process.versions.node}, load ${digits(loadavg()[0] ?? 0)} on ${String(availableParallelism())} cores.\n`,
    )
    print(report(sides, organisations, starts))
    for (const commit of commits) print(measureLines('HEAD', commit))
  } finally {
    for (const end of ending) await end()
  }
}

async function fill(address: StoreAddress, url: string, organisations: number): Promise<void> {
  await (await found(address, FEW_PEOPLE)).close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const statement of FILL_OTHERS(organisations)) await client.query(statement)
  await client.end()
  await (await found(address, PEOPLE, PUBLISHED, LARGE)).close()
  const driver = await openDatabase(address)
  const registered = { id: LARGE.id, name: 'Large', tenants: [LARGE.tenant], directory: null, addedAt: 0 }
  await createRegistry(driver).keep(registered, null)
  await driver.close()
}

/** The last process's figures, in one line. */
function summaryOf({ alone, beside, longest, most }: Figures): string {
  const last = (values: readonly number[]) => digits(values.at(-1) ?? 0)
  return `a plan alone ${last(alone)} ms, while others request defaults ${last(beside)} ms, longest wait ${last(longest)} ms, peak memory ${last(most.map((bytes) => bytes / 1_000_000))} MB`
}

function report(
  sides: readonly Readonly<{ name: string; figures: Figures }>[],
  organisations: number,
  starts: number,
): string {
  const line = (name: string, read: (figures: Figures) => readonly number[]) => [
    name,
    ...sides.map(({ figures }) => spread(read(figures))),
  ]
  const memory = (name: string, read: (figures: Figures) => readonly number[]) =>
    line(name, (figures) => read(figures).map((bytes) => bytes / 1_000_000))
  return table(
    `Plans for ${PEOPLE.toLocaleString('en-US')} people beside ${organisations.toLocaleString('en-US')} organisations (${String(starts)} processes each, in turns; median [least–most])`,
    ['', ...sides.map(({ name }) => name)],
    [
      memory('memory after the start, MB', ({ started }) => started),
      memory('memory at rest with all organisations, MB', ({ rest }) => rest),
      memory('peak memory during plans, MB', ({ most }) => most),
      memory('memory at rest after the plans, MB', ({ after }) => after),
      line(`a plan for ${PEOPLE.toLocaleString('en-US')} people alone, ms`, ({ alone }) => alone),
      line('the same while others request defaults, ms', ({ beside }) => beside),
      line('p95 of these defaults, ms', ({ p95 }) => p95),
      line('longest wait for a default during that plan, ms', ({ longest }) => longest),
      line('longest wait without a plan, ms', ({ quiet }) => quiet),
      line(`a plan for ${String(FEW_PEOPLE)} people alone, ms`, ({ small }) => small.alone),
      line(`the same during a plan for ${PEOPLE.toLocaleString('en-US')}, ms`, ({ small }) => small.beside),
    ],
  )
}
