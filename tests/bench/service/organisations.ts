/** Compares an installation of many organisations with an installation of one. Each has two instances and a database. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { PLAIN_FORMATS } from '../../../streams/organisation/template/formats.ts'
import { createReleases } from '../../../src/service/publishing/releases.ts'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { createStore } from '../../../src/service/sql/store.ts'
import { ADMINISTRATION_PATH } from '../../../streams/wire/administration/calls.ts'
import { publishDocument } from '../../support/demonstration.ts'
import { type Postgres, startPostgres } from '../../support/postgres.ts'
import { digits, median, spread, table, times } from '../figures.ts'
import { documentWith, found, idOf, ORGANISATION, TENANT } from './organisation.ts'
import { ask, askAll, type Asked, type MeasuredService, startService, watchPostgres } from './processes.ts'
import { type Provider, startProvider } from './provider.ts'
import { DEFAULT_PATH, HEADERS, signInOf } from './service.ts'

export type OrganisationsOptions = Readonly<{
  organisations: number
  people: number
  print: (report: string) => void
  note: (line: string) => void
}>

/**
 * The maximum number of users who send requests to each instance in a round. They are of different organisations, if
 * there are enough, and have different addresses, because sign-ins are limited by address.
 */
const ASKING = 1_000
const ROUNDS = 5
const SEARCHES = 50
const PUBLISHES = 5
const POLL_MS = 20

const nameOf = (organisation: number): string => `o${String(organisation).padStart(5, '0')}`
/** The tenant of an organisation, the same as in the SQL of `FILL_OTHERS`. */
export const tenantOf = (organisation: number): string =>
  `00000000-0000-4000-8000-${String(organisation).padStart(12, '0')}`

/** Statements that copy the organisation of the settings `count` times, with its release and its people. */
export const FILL_OTHERS = (count: number) => {
  const copy = (table: string, columns: string, where = '') =>
    `insert into ${table} (organisation, ${columns}) select 'o' || lpad(o::text, 5, '0'), ${columns}
     from ${table}, generate_series(1, ${String(count)}) as o where organisation = '${ORGANISATION}' ${where}`
  const tenant = "'00000000-0000-4000-8000-' || lpad(o::text, 12, '0')"
  return [
    copy('event', 'stream, version, type, data, actor, at'),
    copy('release', 'id, document'),
    copy('picture', 'hash, media_type, bytes'),
    copy('address', 'address, person'),
    `insert into person (organisation, id, revision, tenant, oid, active, addresses, language, directory, groups,
       own_values, metadata, picture, directory_picture, name_order, department_order, order_revision, words_revision)
     select 'o' || lpad(o::text, 5, '0'), id, revision, ${tenant}, oid, active, addresses, language, directory, groups,
       own_values, metadata, picture, directory_picture, name_order, department_order, order_revision, words_revision
     from person, generate_series(1, ${String(count)}) as o where organisation = '${ORGANISATION}'`,
    copy('person_word', 'word, person'),
    `insert into organisation (id, name, added_at)
     select 'o' || lpad(o::text, 5, '0'), 'Organisation ' || o, 0 from generate_series(1, ${String(count)}) as o`,
    `insert into tenant (tenant, organisation)
     select ${tenant}, 'o' || lpad(o::text, 5, '0') from generate_series(1, ${String(count)}) as o`,
    'analyze',
  ]
}

type Asker = Readonly<{ organisation: string; tenant: string; person: number }>

/** An installation, and the users who send requests to it. */
type Setting = Readonly<{
  instances: readonly MeasuredService[]
  databaseMs: () => Promise<number | null>
  signIns: readonly Asked[]
  askers: readonly Asker[]
  administrators: readonly string[]
  /** Publishes in the asker's organisation, like a third instance. Resolves with the release's id. */
  publish: (asker: Asker) => Promise<string>
  memoryAtStart: number
  sizes: readonly Readonly<{ table: string; bytes: number; rows: number }>[]
}>

type Keep = <Closing extends { close: () => unknown }>(closing: Closing) => Closing

async function openSetting(
  keep: Keep,
  { organisations, people, note }: Omit<OrganisationsOptions, 'print'>,
  { postgres, provider, folder }: Readonly<{ postgres: Postgres; provider: Provider; folder: string }>,
): Promise<Setting> {
  const url = await postgres.createDatabase()
  const address = { kind: 'postgres' as const, url }
  await (await found(address, people)).close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  if (organisations > 1) for (const statement of FILL_OTHERS(organisations)) await client.query(statement)
  const sizes = await sizesOf(client)
  await client.end()
  note(`Created ${organisations.toLocaleString('en-US')} × ${people.toLocaleString('en-US')} people`)

  const askers = Array.from({ length: Math.min(ASKING, people) }, (_, index): Asker => {
    if (organisations === 1) return { organisation: ORGANISATION, tenant: TENANT, person: 1 + index }
    const organisation = 1 + (index % organisations)
    return {
      organisation: nameOf(organisation),
      tenant: tenantOf(organisation),
      person: 1 + index,
    }
  })
  const signIns = await Promise.all(askers.map(({ tenant, person }) => signInOf(provider, person, tenant)))
  const administrators = await Promise.all(
    askers.slice(0, SEARCHES).map(({ tenant }) => provider.administrator(tenant)),
  )
  const driver = await openDatabase(address)
  keep({ close: () => driver.close() })
  const secret = randomBytes(32).toString('base64')
  const start = async () => keep(await startService(address, { provider, folder, secret }))
  const instances = [await start(), await start()]
  let version = 0
  return {
    instances,
    databaseMs: await watchPostgres(url),
    signIns,
    askers,
    administrators,
    sizes,
    memoryAtStart: await memoryOf(instances),
    async publish({ organisation, tenant }) {
      const store = createStore(driver, organisation)
      const releases = await createReleases({
        formats: PLAIN_FORMATS,
        store,
        name: 'Northwind Trading',
        tenants: [tenant],
        now: Date.now,
      })
      try {
        version += 1
        const document = documentWith({ organisation: `Northwind ${String(version)}` })
        return await publishDocument({ store, releases }, document, 'bench', 'bench')
      } finally {
        releases.end()
      }
    },
  }
}

const memoryOf = async (instances: readonly MeasuredService[]): Promise<number> =>
  (await Promise.all(instances.map(({ memoryBytes }) => memoryBytes()))).reduce((sum, each) => sum + each, 0)

/** The tables with rows, including their indexes, the largest first. */
async function sizesOf(client: pg.Client) {
  const { rows } = await client.query<{ table: string; bytes: string; rows: number }>(
    `select c.relname as table, pg_total_relation_size(c.oid) as bytes, greatest(c.reltuples, 0)::int as rows
     from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.reltuples > 0
     order by bytes desc`,
  )
  return rows.map((row) => ({ ...row, bytes: Number(row.bytes) }))
}

/** The cost of a round: processor time per answer of the service and of PostgreSQL, in ms; and answers per second. */
type Cost = Readonly<{ service: number; database: number | null; perSecond: number }>

async function costOf(
  { instances, databaseMs }: Setting,
  asked: readonly Asked[],
  status: number,
  heard: (
    text: string,
    headers: Readonly<Record<string, unknown>>,
    index: number,
    instance: number,
  ) => void = () => {},
): Promise<Cost> {
  const processor = async () =>
    (await Promise.all(instances.map(({ processorMs }) => processorMs()))).reduce((sum, ms) => sum + ms, 0)
  const count = asked.length * instances.length
  const [serviceBefore, databaseBefore, begun] = [await processor(), await databaseMs(), performance.now()]
  await Promise.all(
    instances.map(({ url }, instance) =>
      askAll(url, status, asked, ({ text, headers }, index) => heard(text, headers, index, instance)),
    ),
  )
  const seconds = (performance.now() - begun) / 1000
  const databaseAfter = await databaseMs()
  return {
    service: ((await processor()) - serviceBefore) / count,
    database:
      databaseBefore === null || databaseAfter === null ? null : (databaseAfter - databaseBefore) / count,
    perSecond: count / seconds,
  }
}

/** The users' requests, by name. `first` fills in the access tokens, and `tags` the entity tags, for later requests. */
function askersOf(setting: Setting) {
  const bearers: string[] = []
  const tags: string[] = []
  const as = (index: number, more: Readonly<Record<string, string>> = {}) => ({
    ...HEADERS,
    Authorization: `Bearer ${bearers[index] ?? ''}`,
    ...more,
  })
  const bodies = () =>
    setting.askers.map((_, index): Asked => ({ method: 'GET', path: DEFAULT_PATH, headers: as(index) }))
  const unchanged = () =>
    setting.askers.map((_, index): Asked => ({
      method: 'GET',
      path: DEFAULT_PATH,
      headers: as(index, { 'If-None-Match': tags[index] ?? '' }),
    }))
  const searches = () =>
    setting.administrators.map((token, index): Asked => ({
      method: 'GET',
      path: `${ADMINISTRATION_PATH}/people?search=${idOf(setting.askers[index]?.person ?? 0)}`,
      headers: { Authorization: `Bearer ${token}` },
    }))
  return {
    as,
    first: () =>
      costOf(setting, setting.signIns, 200, (text, _, index) => {
        bearers[index] = (JSON.parse(text) as { data: { access_token: string } }).data.access_token
      }),
    signIn: () => costOf(setting, setting.signIns, 200),
    tags: () =>
      costOf(setting, bodies(), 200, (_, headers, index) => void (tags[index] = String(headers['etag']))),
    body: () => costOf(setting, bodies(), 200),
    unchanged: () => costOf(setting, unchanged(), 304),
    search: () => costOf(setting, searches(), 200),
    /** Milliseconds from publishing until both instances have the new release. */
    async publish(round: number): Promise<number> {
      const [asker] = setting.askers.slice(round)
      if (asker === undefined) throw new Error('There are fewer askers than publishes.')
      const begun = performance.now()
      const release = await setting.publish(asker)
      await Promise.all(
        setting.instances.map(async ({ url }) => {
          for (;;) {
            const { headers } = await ask(url, { method: 'GET', path: DEFAULT_PATH, headers: as(round) })
            if (headers['x-signet-release'] === release) return
            await new Promise((resolve) => setTimeout(resolve, POLL_MS))
          }
        }),
      )
      return performance.now() - begun
    },
  }
}

export async function measureOrganisations({ organisations, people, print, note }: OrganisationsOptions) {
  const closing: { close: () => unknown }[] = []
  const keep: Keep = (one) => {
    closing.push(one)
    return one
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'signet-bench-'))
    keep({ close: () => rm(folder, { recursive: true, force: true }) })
    const provider = keep(await startProvider())
    const postgres = keep(await startPostgres())
    const parts = { postgres, provider, folder }
    const one = await openSetting(keep, { organisations: 1, people, note }, parts)
    const many = await openSetting(keep, { organisations, people, note }, parts)
    const [askOne, askMany] = [askersOf(one), askersOf(many)]
    const count = organisations.toLocaleString('en-US')
    print(
      `Node ${process.versions.node}, load ${digits(loadavg()[0] ?? 0)} on ${String(availableParallelism())} cores. ` +
        `${count} organisations of ${people.toLocaleString('en-US')} people, compared with one organisation; two instances each.\n`,
    )

    note('First sign-ins …')
    const first = { one: await askOne.first(), many: await askMany.first() }
    await askOne.tags()
    await askMany.tags()
    const costs: Readonly<{ name: string; one: readonly Cost[]; many: readonly Cost[] }>[] = [
      { name: 'first sign-in, which opens the organisation', one: [first.one], many: [first.many] },
    ]
    const measured = [
      ['304: the default is unchanged', 'unchanged'],
      ['default with its picture', 'body'],
      ['sign-in, which returns the default', 'signIn'],
      ['search for a person', 'search'],
    ] as const
    for (const [name, key] of measured) {
      note(`${name} …`)
      const rounds: Readonly<{ one: Cost; many: Cost }>[] = []
      // The first round is a warm-up.
      for (let round = 0; round <= ROUNDS; round += 1)
        rounds.push({ one: await askOne[key](), many: await askMany[key]() })
      const counted = rounds.slice(1)
      costs.push({ name, one: counted.map((round) => round.one), many: counted.map((round) => round.many) })
    }
    const ofCost = (all: readonly Cost[], read: (cost: Cost) => number | null) =>
      all.map(read).filter((value) => value !== null)
    const ratio = (on: (typeof costs)[number], read: (cost: Cost) => number | null) => {
      const [ours, theirs] = [ofCost(on.many, read), ofCost(on.one, read)]
      // PostgreSQL's time has steps of 10 ms, so it can be 0.
      return ours.length === 0 || theirs.length === 0 || median(theirs) === 0
        ? ''
        : times(median(ours) / median(theirs))
    }
    const medianOf = (all: readonly Cost[], read: (cost: Cost) => number | null) => {
      const values = ofCost(all, read)
      return values.length === 0 ? '' : digits(median(values))
    }
    print(
      table(
        `Processor time of an answer, ms (${String(ROUNDS)} rounds, in turns)`,
        [
          '',
          'one organisation',
          `${count} organisations`,
          'ratio',
          'PostgreSQL, one',
          `PostgreSQL, ${count}`,
          'ratio',
        ],
        costs.map((each) => [
          each.name,
          medianOf(each.one, ({ service }) => service),
          medianOf(each.many, ({ service }) => service),
          ratio(each, ({ service }) => service),
          medianOf(each.one, ({ database }) => database),
          medianOf(each.many, ({ database }) => database),
          ratio(each, ({ database }) => database),
        ]),
      ),
    )
    print(
      table(
        'Answers per second of both instances, with their clients on the same cores',
        ['', 'answers per second, one', `answers per second, ${count}`, 'ratio'],
        costs.map((each) => [
          each.name,
          medianOf(each.one, ({ perSecond }) => perSecond),
          medianOf(each.many, ({ perSecond }) => perSecond),
          ratio(each, ({ perSecond }) => perSecond),
        ]),
      ),
    )
    const memory = [await memoryOf(one.instances), await memoryOf(many.instances)] as const
    note('Publishing …')
    const published: { one: number[]; many: number[] } = { one: [], many: [] }
    for (let round = 0; round < PUBLISHES; round += 1) {
      published.one.push(await askOne.publish(round))
      published.many.push(await askMany.publish(round))
    }
    const megabytes = (bytes: number) => `${digits(bytes / 1_000_000)} MB`
    print(
      table(
        'Publishing, and memory of an instance',
        ['', 'one organisation', `${count} organisations`, 'ratio'],
        [
          [
            `publishing, until both instances have the new release, ms (${String(PUBLISHES)} runs each)`,
            spread(published.one),
            spread(published.many),
            times(median(published.many) / median(published.one)),
          ],
          ...(
            [
              ['memory after the start', one.memoryAtStart, many.memoryAtStart],
              ['memory after calls to all organisations', ...memory],
            ] as const
          ).map(([name, alone, all]) => [name, megabytes(alone / 2), megabytes(all / 2), times(all / alone)]),
        ],
      ),
    )
    const rows = many.sizes.reduce((sum, each) => sum + each.bytes, 0)
    print(
      table(
        `Tables of ${count} organisations, with their indexes`,
        ['', 'rows', 'MB', 'bytes per row', 'bytes per person'],
        [
          ...many.sizes.map((each) => [
            each.table,
            each.rows.toLocaleString('en-US'),
            digits(each.bytes / 1_000_000),
            digits(each.bytes / each.rows),
            digits(each.bytes / ((organisations + 1) * people)),
          ]),
          ['total', '', digits(rows / 1_000_000), '', digits(rows / ((organisations + 1) * people))],
        ],
      ),
    )
    note(`Done, load ${digits(loadavg()[0] ?? 0)}.`)
  } finally {
    for (const each of closing.toReversed()) await each.close()
  }
}
