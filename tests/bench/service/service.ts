import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ADMINISTRATION_PATH, CALLS } from '../../../streams/wire/administration/calls.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import type { StoreAddress } from '../../../src/service/sql/openStore.ts'
import { startPostgres, type Postgres } from '../../support/postgres.ts'
import { digits, median, spread, table, times } from '../figures.ts'
import { addressOf, documentWith, found, idOf } from './organisation.ts'
import type { Load } from './load.ts'
import {
  ask,
  askAll,
  type Asked,
  loadMs,
  type Measured,
  type MeasuredService,
  startBare,
  startService,
  watchPostgres,
} from './processes.ts'
import { type PlanCosts, planCosts } from './plan.ts'
import { type Provider, startProvider } from './provider.ts'

// Compares the signature service with a bare server on the same rows. Each person has 5 of 20 signatures.

export type ServiceOptions = Readonly<{
  /** Also measures publishing to this many people; null for no further size. */
  people: number | null
  print: (report: string) => void
  note: (line: string) => void
}>

const PEOPLE = 5_000
const FEW_PEOPLE = 1_000
/** The number of people who send requests: one each per round, below the service's limits. */
const ASKING = 1_000
const ROUNDS = 9
const PLANS = 3
const PLANS_IN_TURNS = 5
const PUBLISHES = 9
const REWRITES = 3
const SIGNATURES_EACH = 5
const CORES_FOR_TWO = 4
const LOAD_ROUNDS = 3
/** How often everyone sends a request in a round. All rounds together stay below the service's limit per user. */
const LOADS = 20

export const DEFAULT_PATH = '/signatures-cache/api/v1/signature/addin?build_base64=true'
const SIGN_IN_PATH = '/authentication/addin/azure'
const SAVE_PATH = '/api/addin/user/variables_with_options'
export const HEADERS = {
  'X-Api-Version': '1.0.0',
  'X-Addin-Version': '0.1.0',
  'X-LSI-Version': '1.0',
  'X-Addin-Trigger': 'taskpane',
}

const everyone = Array.from({ length: ASKING }, (_, index) => index + 1)
const rounds = <Value>(count: number, one: (round: number) => Promise<Value>): Promise<Value[]> =>
  Array.from({ length: count }).reduce<Promise<Value[]>>(
    async (before, _, round) => [...(await before), await one(round)],
    Promise.resolve([]),
  )

/** The people who send requests: their sign-ins, and after `prepare`, their bearers and the tags of their defaults. */
type Askers = Readonly<{
  signIns: readonly Asked[]
  bearers: string[]
  tags: string[]
  as: (index: number, more?: Readonly<Record<string, string>>) => Readonly<Record<string, string>>
}>

/** A sign-in request of a person, with a new token. */
export async function signInOf(provider: Provider, person: number, tenant?: string): Promise<Asked> {
  const body = { accessToken: await provider.tokenOf(person, tenant), email: addressOf(person) }
  return { method: 'POST', path: SIGN_IN_PATH, headers: HEADERS, body }
}
const newSignIns = (provider: Provider, people = everyone): Promise<readonly Asked[]> =>
  Promise.all(people.map((person) => signInOf(provider, person)))

async function createAskers(provider: Provider): Promise<Askers> {
  const bearers: string[] = []
  const signIns = await newSignIns(provider)
  return {
    signIns,
    bearers,
    tags: [],
    as: (index, more = {}) => ({ ...HEADERS, Authorization: `Bearer ${bearers[index] ?? ''}`, ...more }),
  }
}

/** The requests of one round, by measurement. */
const requestsOf = {
  unchanged: ({ as, tags }: Askers) =>
    everyone.map((_, index): Asked => ({
      method: 'GET',
      path: DEFAULT_PATH,
      headers: as(index, { 'If-None-Match': tags[index] ?? '' }),
    })),
  body: ({ as }: Askers) =>
    everyone.map((_, index): Asked => ({ method: 'GET', path: DEFAULT_PATH, headers: as(index) })),
  /** The same as `body`, with a new address in each round. */
  first: ({ as }: Askers, round: number) =>
    everyone.map((_, index): Asked => ({
      method: 'GET',
      path: `${DEFAULT_PATH}&round=${String(round)}`,
      headers: as(index),
    })),
  save: ({ as }: Askers, round: number) =>
    everyone.map((_, index): Asked => ({
      method: 'PUT',
      path: SAVE_PATH,
      headers: as(index),
      body: { data: { phone: `+351 21 ${String(3_000_000 + 1_000 * round + index)}` }, reset_fields: [] },
    })),
}

/** Signs in everyone, and requests their defaults once. Resolves with one of the bodies. */
async function prepare(service: MeasuredService, askers: Askers): Promise<string> {
  await askAll(service.url, 200, askers.signIns, ({ text }, index) => {
    const { data } = JSON.parse(text) as { data: { access_token: string } }
    askers.bearers[index] = data.access_token
  })
  let one = ''
  await askAll(service.url, 200, requestsOf.body(askers), ({ text, headers }, index) => {
    one = text
    askers.tags[index] = String(headers['etag'])
  })
  return one
}

/** The processor time per request of a round, in milliseconds. */
async function perRequest(
  { url, processorMs }: Measured,
  status: number,
  asked: readonly Asked[],
): Promise<number> {
  const before = await processorMs()
  await askAll(url, status, asked)
  return ((await processorMs()) - before) / asked.length
}

type Round = Readonly<{ service: number; bare: number; database: number | null }>

/** Measures the service and the bare server in turns. Drops the first two rounds, which are a warm-up. */
async function compare(
  service: MeasuredService,
  bare: Measured,
  databaseMs: () => Promise<number | null>,
  status: number,
  ours: (round: number) => readonly Asked[],
  theirs: readonly Asked[],
): Promise<readonly Round[]> {
  const all = await rounds(ROUNDS + 2, async (round): Promise<Round> => {
    const before = await databaseMs()
    const serviceMs = await perRequest(service, status, ours(round))
    const after = await databaseMs()
    return {
      service: serviceMs,
      bare: await perRequest(bare, status, theirs),
      database: before === null || after === null ? null : (after - before) / ASKING,
    }
  })
  return all.slice(2)
}

function comparedRow(name: string, all: readonly Round[], target: string): string[] {
  const of = (read: (round: Round) => number | null) => all.map(read).filter((value) => value !== null)
  const database = of((round) => round.database)
  return [
    name,
    spread(of((round) => round.service)),
    spread(of((round) => round.bare)),
    times(median(of((round) => round.service / round.bare))),
    target,
    database.length === 0 ? '' : digits(median(database)),
  ]
}

const seconds = (ms: number): string => `${digits(ms / 1000)} s`
const megabytes = (bytes: number): string => `${digits(bytes / 1_000_000)} MB`

/** Publishes like a third instance. Measures the time until all instances have the release, and their processor time. */
async function publishMs(
  publish: (document: ReturnType<typeof documentWith>) => Promise<string>,
  instances: readonly MeasuredService[],
  askers: Askers,
) {
  const processor = async () =>
    (await Promise.all(instances.map(({ processorMs }) => processorMs()))).reduce((sum, ms) => sum + ms, 0)
  let asked = 0
  const answers = async ({ url }: MeasuredService, release: string) => {
    for (;;) {
      // Another user each time, because of the service's limits.
      const headersOf = askers.as(asked++ % ASKING)
      const { headers } = await ask(url, { method: 'GET', path: DEFAULT_PATH, headers: headersOf })
      if (headers['x-signet-release'] === release) return
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
  return rounds(PUBLISHES, async (round) => {
    const document = documentWith({ organisation: `Northwind ${String(round)} ${String(Date.now())}` })
    const idle = await processor()
    const before = performance.now()
    const release = await publish(document)
    await Promise.all(instances.map((instance) => answers(instance, release)))
    return { ms: performance.now() - before, processor: (await processor()) - idle }
  })
}
/** Long, so that polling costs little. */
const POLL_MS = 50

/** Rewrites one file with all people, as an earlier version did at each save: 5,000 people with 5 signatures each. */
async function rewriteMs(folder: string, html: string): Promise<Readonly<{ ms: number[]; bytes: number }>> {
  const values = { first_name: 'Maria', last_name: 'Silva', job_title: 'Account manager', phone: '+351 21 1' }
  const all = Array.from({ length: PEOPLE }, (_, index) => idOf(index + 1))
  const organisation = {
    maintenance: null,
    definitions: [],
    people: all.map((id) => ({
      id,
      email: `${id}@northwind.example`,
      isAdmin: false,
      clientName: 'Northwind',
      delegations: [],
      photo: null,
      values,
      directory: values,
      metadata: {},
      adminDefault: null,
      planId: 'full',
      mayChooseDefault: true,
      addinInfo: null,
    })),
    signatures: all.flatMap((ownerId) =>
      Array.from({ length: SIGNATURES_EACH }, (_, order) => ({
        combinedIds: `${String(order)}-${ownerId}`,
        ownerId,
        name: 'Signature',
        template: html,
        variants: [],
        audiences: [],
        order,
      })),
    ),
  }
  const file = join(folder, 'organisation.json')
  let bytes = 0
  const ms = await rounds(REWRITES, async () => {
    const before = process.cpuUsage()
    const text = JSON.stringify(organisation, null, 1)
    bytes = text.length
    await writeFile(`${file}.new`, text)
    await rename(`${file}.new`, file)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return { ms, bytes }
}

/** The number of unchanged defaults per second, requested by two processes. */
async function perSecond(
  instances: readonly MeasuredService[],
  askers: Askers,
  folder: string,
): Promise<number> {
  const asked = requestsOf.unchanged(askers)
  const all = await Promise.all(
    [0, 1].map(async (index) => {
      const file = join(folder, `load${String(index)}.json`)
      const url = instances[index % instances.length]?.url ?? ''
      const half = asked.filter((_, at) => at % 2 === index)
      await writeFile(file, JSON.stringify({ url, status: 304, asked: half, times: LOADS } satisfies Load))
      return (1000 * LOADS * half.length) / (await loadMs(file))
    }),
  )
  return all.reduce((sum, each) => sum + each, 0)
}

async function measureTwo(
  instances: readonly MeasuredService[],
  { askers, setting, print }: Pick<Reported, 'askers' | 'setting' | 'print'>,
): Promise<void> {
  if (availableParallelism() < CORES_FOR_TWO) {
    print(
      `Two instances were not compared with one, because that takes ${String(CORES_FOR_TWO)} cores: for both instances, PostgreSQL and their clients.\n`,
    )
    return
  }
  // The tags have changed with the releases.
  for (const instance of instances) await prepare(instance, askers)
  const both = await rounds(LOAD_ROUNDS, async () => {
    const one = await perSecond(instances.slice(0, 1), askers, setting.folder)
    return { one, two: await perSecond(instances, askers, setting.folder) }
  })
  print(
    table(
      'Requests per second, for the unchanged default',
      ['', 'requests per second', 'ratio', 'target'],
      [
        ['one instance', spread(both.map(({ one }) => one)), '1.00×', ''],
        [
          'two instances',
          spread(both.map(({ two }) => two)),
          times(median(both.map(({ one, two }) => two / one))),
          'at least 1.80×',
        ],
      ],
    ),
  )
}

/** Runs `work`. Afterwards, closes everything that it started, the last first. */
async function withAll<Result>(
  work: (keep: <Closing extends { close: () => unknown }>(closing: Closing) => Closing) => Promise<Result>,
): Promise<Result> {
  const closing: { close: () => unknown }[] = []
  try {
    return await work((one) => {
      closing.push(one)
      return one
    })
  } finally {
    for (const one of closing.toReversed()) await one.close()
  }
}

/** Measures only the rules of people and messages. */
export async function measureRules({ print, note }: Omit<ServiceOptions, 'people'>): Promise<void> {
  await withAll(async (keep) => {
    const folder = await mkdtemp(join(tmpdir(), 'signet-bench-'))
    keep({ close: () => rm(folder, { recursive: true, force: true }) })
    const provider = keep(await startProvider())
    const postgres = keep(await startPostgres())
    const setting = { provider, folder, secret: randomBytes(32).toString('base64') }
    await measureFeature(rulesBy(provider), { keep, postgres, setting, print, note })
  })
}

export async function measureService({ people, print, note }: ServiceOptions): Promise<void> {
  await withAll(async (keep) => {
    const folder = await mkdtemp(join(tmpdir(), 'signet-bench-'))
    keep({ close: () => rm(folder, { recursive: true, force: true }) })
    const provider = keep(await startProvider())
    const postgres = keep(await startPostgres())
    const setting = { provider, folder, secret: randomBytes(32).toString('base64') }
    const load = () => `load ${digits(loadavg()[0] ?? 0)} on ${String(availableParallelism())} cores`
    note(`Signing tokens …`)
    const askers = await createAskers(provider)
    print(`Node ${process.versions.node}, ${load()}, ${PEOPLE.toLocaleString('en-US')} people.\n`)

    const memory: string[][] = []
    const costs = await withAll((keepHere) =>
      measurePostgres({ keep: keepHere, postgres, setting, askers, memory, print, note }),
    )
    await withAll((keepHere) => measureFeature(BLOCKS, { keep: keepHere, postgres, setting, print, note }))
    await withAll((keepHere) =>
      measureFeature(rulesBy(provider), { keep: keepHere, postgres, setting, print, note }),
    )
    await withAll((keepHere) =>
      measureEmbedded({ keep: keepHere, setting, askers, costs, memory, print, note }),
    )
    print(table('Memory of the service', ['', 'after the start', 'after the load', 'target'], memory))
    const sizes = [FEW_PEOPLE, PEOPLE, ...(people === null ? [] : [people])]
    const published = await rounds(sizes.length, (index) =>
      withAll((keepHere) =>
        measurePublishing({
          keep: keepHere,
          postgres,
          setting,
          askers,
          note,
          print,
          people: sizes[index] ?? 0,
          isCompared: sizes[index] === PEOPLE,
        }),
      ),
    )
    print(
      table(
        `Publishing, until two instances have the new release (${String(PUBLISHES)} runs each)`,
        [
          '',
          'ms, median [least–most]',
          'target, ms',
          'processor time of both, ms',
          'one default afterwards, ms',
        ],
        published,
      ),
    )
    note(`Done, ${load()}.`)
  })
}

type Costs = Readonly<{ unchanged: number; body: number; signIn: number; save: number }>
type Parts = Readonly<{
  keep: <Closing extends { close: () => unknown }>(closing: Closing) => Closing
  setting: Readonly<{ provider: Provider; folder: string; secret: string }>
  askers: Askers
  note: (line: string) => void
}>
type Reported = Parts & Readonly<{ memory: string[][]; print: (report: string) => void }>

async function measurePostgres({
  keep,
  postgres,
  setting,
  askers,
  memory,
  print,
  note,
}: Reported & Readonly<{ postgres: Postgres }>): Promise<Costs> {
  const { provider } = setting
  note('PostgreSQL …')
  const url = await postgres.createDatabase()
  const address: StoreAddress = { kind: 'postgres', url }
  keep(await found(address, PEOPLE))
  const service = keep(await startService(address, setting))
  const atStart = await service.memoryBytes()
  const bare = keep(await startBare(url, provider.publicKey))
  const databaseMs = await watchPostgres(url)

  const one = await prepare(service, askers)
  await ask(bare.url, { method: 'PUT', path: '/ready', body: Buffer.from(one) })
  const idPaths = (kind: string) =>
    everyone.map((person): Asked => ({ method: 'GET', path: `/${kind}/${idOf(person)}` }))
  const inTurns = (status: number, ours: (round: number) => readonly Asked[], theirs: readonly Asked[]) =>
    compare(service, bare, databaseMs, status, ours, theirs)
  note('Unchanged defaults …')
  const unchanged = await inTurns(304, () => requestsOf.unchanged(askers), idPaths('unchanged'))
  note('Defaults with pictures …')
  const body = await inTurns(200, () => requestsOf.body(askers), idPaths('body'))
  note('Sign-ins …')
  const bareSignIns = askers.signIns.map((asked): Asked => ({ ...asked, path: '/sign-in' }))
  const signIn = await inTurns(200, () => askers.signIns, bareSignIns)
  note('First defaults and first sign-ins …')
  const first = await inTurns(200, (round) => requestsOf.first(askers, round), idPaths('body'))
  // Other people, because of the service's limits.
  const others = everyone.map((person) => ASKING + person)
  const tokens = await rounds(ROUNDS + 2, () => newSignIns(provider, others))
  const firstSignIn = await inTurns(200, (round) => tokens[round] ?? [], bareSignIns)
  note('Saves …')
  const save = await inTurns(200, (round) => requestsOf.save(askers, round), idPaths('body'))
  print(
    table(
      `Processor time of a request (PostgreSQL, ${String(ROUNDS)} rounds of ${ASKING.toLocaleString('en-US')}, in turns)`,
      ['', 'service, ms', 'bare server, ms', 'ratio', 'target', 'PostgreSQL, ms'],
      [
        comparedRow('304: the default is unchanged', unchanged, '3.00×'),
        comparedRow(`default with its picture, ${String(Math.round(one.length / 1000))} kB`, body, '3.00×'),
        comparedRow('the same, first rendering for a person', first, ''),
        comparedRow('sign-in, which returns the default', signIn, '3.00×'),
        comparedRow('the same, with a new access token', firstSignIn, ''),
      ],
    ),
  )

  note('Rewriting one file …')
  const rewrite = await rewriteMs(setting.folder, (JSON.parse(one) as { signature: string }).signature)
  const saveMs = median(save.map((round) => round.service))
  const saveDatabaseMs = save.map(({ database }) => database).filter((value) => value !== null)
  const withDatabase = saveMs + (saveDatabaseMs.length === 0 ? 0 : median(saveDatabaseMs))
  print(
    table(
      'A save',
      ['', 'processor time, ms', 'vs. a save', 'target'],
      [
        ['service', spread(save.map((round) => round.service)), '', ''],
        ['service and PostgreSQL', digits(withDatabase), '1.00×', ''],
        [
          `rewriting one file with all people, ${megabytes(rewrite.bytes)}`,
          spread(rewrite.ms),
          times(median(rewrite.ms) / withDatabase),
          'at least 100×',
        ],
      ],
    ),
  )
  memory.push(['PostgreSQL', megabytes(atStart), megabytes(await service.memoryBytes()), '200 MB'])

  note('Plans …')
  const plansOf = (document: (round: number) => ReleaseDocument) =>
    rounds(PLANS, (round) => planCosts(service, provider, document(round), PEOPLE))
  const template = await plansOf((round) => documentWith({ everyone: `everyone, ${String(round)}` }))
  const part = await plansOf((round) => documentWith({ legal: `<p>{{legal_line}} ${String(round)}</p>` }))
  print(
    table(
      `A plan for ${PEOPLE.toLocaleString('en-US')} people (${String(PLANS)} runs each)`,
      ['', 'planning', 'ms per person', 'listing the people', 'decoding in the page', 'target'],
      (
        [
          ['change of the template of one signature that everyone has', template],
          ['change of a part that the templates of all signatures use', part],
        ] as const
      ).map(([name, all]) => {
        const of = (cost: keyof PlanCosts) => median(all.map((each) => each[cost]))
        return [
          name,
          seconds(of('plan')),
          digits(of('plan') / PEOPLE),
          seconds(of('people')),
          seconds(of('decoding')),
          '3 s in total',
        ]
      }),
    ),
  )
  const of = (all: readonly Round[]) => median(all.map((round) => round.service))
  return { unchanged: of(unchanged), body: of(body), signIn: of(signIn), save: saveMs }
}

type Feature = Readonly<{
  /** Its name after `with`, and the name of the service without it. */
  name: string
  without: string
  /** The options of both documents. */
  options: Readonly<Record<'without' | 'with', Parameters<typeof documentWith>[0]>>
  /** The highest ratio of an answer. */
  target: string
  /** Changes the people of the service that has the feature. */
  prepare?: (service: MeasuredService) => Promise<void>
}>

const BLOCKS: Feature = {
  name: '12 blocks',
  without: 'without blocks',
  options: { without: {}, with: { hasBlocks: true } },
  target: '1.20×',
}

/** The rules of people and messages. Every twentieth person is corrected or has a signature by hand. */
const rulesBy = (provider: Provider): Feature => ({
  name: 'rules of people and messages',
  without: 'with 12 plain blocks',
  options: { without: { hasBlocks: true }, with: { hasBlocks: true, hasRules: true } },
  target: '1.10×',
  prepare: (service) => correctPeople(service, provider),
})

const CORRECTED_EACH = 20

/** Corrects two values of some people, and gives some a certain signature. */
async function correctPeople(service: MeasuredService, provider: Provider): Promise<void> {
  const headers = { Authorization: `Bearer ${await provider.administrator()}` }
  const until = 'removed'
  for (let person = CORRECTED_EACH; person <= PEOPLE; person += CORRECTED_EACH) {
    const corrections =
      person % (5 * CORRECTED_EACH) === 0
        ? { fields: {}, pinned: { signature: 'everyone', until } }
        : {
            fields: {
              jobTitle: { value: 'Head of sales', until },
              absenceFrom: { value: '2099-12-20', until },
            },
          }
    const { status, text } = await ask(service.url, {
      method: 'PUT',
      path: ADMINISTRATION_PATH + CALLS.correct.path.replace(':id', idOf(person)),
      headers,
      body: { revision: 1, ...corrections },
    })
    if (status !== 200) throw new Error(`A person was not corrected: ${String(status)} ${text.slice(0, 300)}`)
  }
}

/**
 * Measures how much a feature adds to an answer, and to a plan of the same change. In turns with a service without the
 * feature.
 */
async function measureFeature(
  { name: feature, without: former, options, target, prepare: change }: Feature,
  {
    keep,
    postgres,
    setting,
    note,
    print,
  }: Omit<Reported, 'askers' | 'memory'> & Readonly<{ postgres: Postgres }>,
): Promise<void> {
  const start = async (kind: 'without' | 'with') => {
    const address: StoreAddress = { kind: 'postgres', url: await postgres.createDatabase() }
    keep(await found(address, PEOPLE, documentWith(options[kind])))
    return keep(await startService(address, setting))
  }
  const [without, withFeature] = [await start('without'), await start('with')]
  await change?.(withFeature)
  note(`Answers with ${feature} …`)
  const ask = async (service: MeasuredService) => {
    const askers = await createAskers(setting.provider)
    await prepare(service, askers)
    return {
      again: () => perRequest(service, 200, requestsOf.body(askers)),
      first: (round: number) => perRequest(service, 200, requestsOf.first(askers, round)),
    }
  }
  const [one, other] = [await ask(without), await ask(withFeature)]
  // One kind after the other, because the service cannot keep the answers of both kinds.
  const inTurns = async (kind: 'again' | 'first') =>
    (
      await rounds(ROUNDS + 1, async (round) => ({
        without: await one[kind](round),
        withFeature: await other[kind](round),
      }))
    ).slice(1)
  const answers = { again: await inTurns('again'), first: await inTurns('first') }
  const answerRow = (name: string, kind: 'again' | 'first', target: string) => {
    const [one, other] = (['without', 'withFeature'] as const).map((each) =>
      answers[kind].map((round) => round[each]),
    ) as [number[], number[]]
    return [name, spread(one), spread(other), times(median(other) / median(one)), target]
  }
  print(
    table(
      `The default with its picture, with ${feature} (${String(ROUNDS)} rounds of ${ASKING.toLocaleString('en-US')}, in turns)`,
      ['', `${former}, ms`, `with ${feature}, ms`, 'ratio', 'target'],
      [
        answerRow('processor time of an answer', 'again', target),
        answerRow('the same, first rendering for a person', 'first', ''),
      ],
    ),
  )
  note(`Plans with ${feature} …`)
  const changes = {
    'change of the template of one signature that everyone has': (round: number) => ({
      everyone: `everyone, ${String(round)}`,
    }),
    'change of a part that the templates of all signatures use': (round: number) => ({
      legal: `<p>{{legal_line}} ${String(round)}</p>`,
    }),
  }
  const rows: (readonly string[])[] = []
  for (const [name, changed] of Object.entries(changes)) {
    const all = await rounds(PLANS_IN_TURNS + 1, async (round) => {
      const one = await planCosts(
        without,
        setting.provider,
        documentWith({ ...options.without, ...changed(round) }),
        PEOPLE,
      )
      const document = documentWith({ ...options.with, ...changed(round) })
      const other = await planCosts(withFeature, setting.provider, document, PEOPLE)
      return { without: one.plan, withFeature: other.plan }
    })
    // The first round is a warm-up.
    const [one, other] = (['without', 'withFeature'] as const).map((each) =>
      median(all.slice(1).map((round) => round[each])),
    ) as [number, number]
    rows.push([name, seconds(one), seconds(other), times(other / one), '1.30×'])
  }
  print(
    table(
      `A plan for ${PEOPLE.toLocaleString('en-US')} people with ${feature} (${String(PLANS_IN_TURNS)} runs each, in turns)`,
      ['', former, `with ${feature}`, 'ratio', 'target'],
      rows,
    ),
  )
}

async function measureEmbedded({
  keep,
  setting,
  askers,
  costs,
  memory,
  print,
  note,
}: Reported & Readonly<{ costs: Costs }>): Promise<void> {
  note('The embedded database …')
  const address: StoreAddress = { kind: 'embedded', folder: join(setting.folder, 'embedded') }
  const { close } = await found(address, PEOPLE)
  await close()
  const service = keep(await startService(address, setting))
  const atStart = await service.memoryBytes()
  await prepare(service, askers)
  const measure = async (status: number, asked: (round: number) => readonly Asked[]) =>
    median((await rounds(ROUNDS, (round) => perRequest(service, status, asked(round)))).slice(2))
  const embedded: Costs = {
    unchanged: await measure(304, () => requestsOf.unchanged(askers)),
    body: await measure(200, () => requestsOf.body(askers)),
    signIn: await measure(200, () => askers.signIns),
    save: await measure(200, (round) => requestsOf.save(askers, round)),
  }
  const rows: readonly (readonly [string, keyof Costs])[] = [
    ['304: the default is unchanged', 'unchanged'],
    ['default with its picture', 'body'],
    ['sign-in, which returns the default', 'signIn'],
    ['a save', 'save'],
  ]
  print(
    table(
      'Processor time of a request (embedded database, in the same process)',
      ['', 'ms', 'vs. the service on PostgreSQL'],
      rows.map(([name, key]) => [name, digits(embedded[key]), times(embedded[key] / costs[key])]),
    ),
  )
  memory.push(['embedded database', megabytes(atStart), megabytes(await service.memoryBytes()), '500 MB'])
}

async function measurePublishing({
  keep,
  postgres,
  setting,
  askers,
  people,
  isCompared,
  note,
  print,
}: Omit<Reported, 'memory'> & Readonly<{ postgres: Postgres; people: number; isCompared: boolean }>): Promise<
  string[]
> {
  note(`Publishing to ${people.toLocaleString('en-US')} people …`)
  const url = await postgres.createDatabase()
  const address: StoreAddress = { kind: 'postgres', url }
  const { publish } = keep(await found(address, people))
  note('Created the rows')
  const instances = [keep(await startService(address, setting)), keep(await startService(address, setting))]
  for (const instance of instances) await prepare(instance, askers)
  const published = await publishMs(publish, instances, askers)
  const [first] = instances
  if (first === undefined) throw new Error('No instance')
  const bodies = await rounds(ROUNDS, () => perRequest(first, 200, requestsOf.body(askers)))
  if (isCompared) await measureTwo(instances, { askers, setting, print })
  return [
    `${people.toLocaleString('en-US')} people`,
    spread(published.map(({ ms }) => ms)),
    '5,000',
    digits(median(published.map(({ processor }) => processor))),
    spread(bodies),
  ]
}
