import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWebServer, Refusal, type WebServer } from '../../../src/server/webServer.ts'
import type { DirectoryRun } from '../../../streams/organisation/directory/directory.ts'
import { type StoreProblem, StoreUnavailable } from '../../../src/service/sql/problems.ts'
import type { HealthSources } from '../../../src/service/operations/internalServer.ts'
import { createMonitoring, type Monitoring } from '../../../src/service/operations/operations.ts'

const PERSON = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
let lines: string[]
let operations: Monitoring
let app: WebServer
const health = {
  away: false,
  behind: 0,
  publishedAt: null as number | null,
  isClosing: false,
}
const asked: HealthSources = {
  ping: async () => {
    if (health.away) throw new Error('db.internal refused')
  },
  behindMs: () => health.behind,
  publishedAt: () => health.publishedAt,
  isClosing: () => health.isClosing,
  inMemory: () => ({ organisations: 3, bytes: 7_000 }),
  now: () => 100_000,
}

beforeEach(async () => {
  lines = []
  Object.assign(health, { away: false, behind: 0, publishedAt: null, isClosing: false })
  operations = createMonitoring({
    log: pino({ base: null }, { write: (line: string) => void lines.push(line) }),
    organisation: 'default',
    secret: new Uint8Array(32).fill(7),
    signInPath: '/authentication/addin/azure',
    personOf: ({ headers }) => headers.authorization ?? null,
  })
  app = (await createWebServer([], null, { trustedProxies: ['127.0.0.1'], onFailure: operations.failed })).app
  operations.watch(app)
  app.get('/people/:id', async () => ({ email: 'alex.kim@northwind.example' }))
  app.get('/crash', async () => {
    throw Object.assign(new TypeError('no row for\nalex.kim@northwind.example'), { code: 'E_ROW' })
  })
  app.post('/authentication/addin/azure', async () => {
    throw new Refusal(401, 'invalid_token', 'Not alex.kim@northwind.example.')
  })
})
afterEach(() => vi.useRealTimers())

const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)
const internal = async (path: string) => {
  const server = operations.createInternal(asked)
  const { statusCode, body } = await server.inject(path)
  return { status: statusCode, body }
}

describe('the log', () => {
  it('has a line for each request: its pattern, status, time, organisation, and the person as a hash', async () => {
    await app.inject({
      url: '/people/alex.kim@northwind.example?token=s3cret',
      headers: { authorization: PERSON, 'x-request-id': 'from-the-proxy' },
    })
    expect(logged()).toEqual([
      {
        level: 30,
        time: expect.any(Number) as number,
        msg: 'answered',
        request: 'from-the-proxy',
        method: 'GET',
        route: '/people/:id',
        status: 200,
        ms: expect.any(Number) as number,
        organisation: 'default',
        person: expect.stringMatching(/^[\w-]{12}$/) as string,
      },
    ])
  })

  it('has the same hash for the same person, and another with another secret', async () => {
    const hashWith = async (fill: number) => {
      const written: string[] = []
      const others = createMonitoring({
        log: pino({}, { write: (line: string) => void written.push(line) }),
        organisation: 'default',
        secret: new Uint8Array(32).fill(fill),
        signInPath: '/',
        personOf: () => PERSON,
      })
      const { app: other } = await createWebServer([], null)
      others.watch(other)
      await other.inject('/')
      return (JSON.parse(written[0] ?? '') as { person: string }).person
    }
    expect(await hashWith(1)).toBe(await hashWith(1))
    expect(await hashWith(2)).not.toBe(await hashWith(1))
  })

  it('tells an unexpected error by its name, code and place, not by its message', async () => {
    await app.inject('/crash')
    const [failed, answered] = logged()
    expect(failed).toMatchObject({ msg: 'failed', error: 'TypeError', code: 'E_ROW', route: '/crash' })
    expect(failed?.['stack']).toMatch(/^\s+at .*operations\.int\.test/)
    expect(answered).toMatchObject({ level: 50, status: 500, request: failed?.['request'] })
  })

  it('has no address, id or token, whatever is asked for', async () => {
    const secret = 'eyJhbGciOiJIUzI1NiJ9.e30.c2VjcmV0'
    for (const url of ['/people/alex.kim@northwind.example', `/nothing/${secret}`, '/crash', `/?t=${secret}`])
      await app.inject({
        url,
        headers: { authorization: PERSON, cookie: secret, 'x-request-id': 'a@b.example' },
      })
    await app.inject({
      method: 'POST',
      url: '/authentication/addin/azure',
      payload: { accessToken: secret, email: 'alex.kim@northwind.example' },
    })
    operations.renderingFailed('autumn', new Error('alex.kim@northwind.example'))
    expect(lines.length).toBe(7)
    expect((await internal('/metrics')).body + lines.join('')).not.toMatch(
      /alex|northwind|eyJ|c2Vj|7c9e6679|@b/,
    )
  })
})

describe('the metrics', () => {
  it('count requests by their pattern, sign-ins, failed signatures, and time the requests', async () => {
    for (const id of ['a', 'b']) await app.inject(`/people/${id}`)
    await app.inject({ method: 'POST', url: '/authentication/addin/azure', payload: {} })
    operations.renderingFailed('autumn', new Error('alex.kim@northwind.example'))
    const { body } = await internal('/metrics')
    expect(body).toContain('signet_requests_total{method="GET",route="/people/:id",status="200"} 2\n')
    expect(body).toContain('signet_request_seconds_count{route="/people/:id"} 2\n')
    expect(body).toContain('signet_sign_ins_total{status="401"} 1\n')
    expect(body).toContain('signet_rendering_failures_total 1\n')
    expect(body).toContain('process_cpu_seconds_total')
  })

  it('count on when they were read', async () => {
    const server = operations.createInternal(asked)
    const read = async () =>
      /signet_requests_total\{method="GET",route="\/people\/:id",status="200"\} (\d+)/.exec(
        (await server.inject('/metrics')).body,
      )?.[1]
    await app.inject('/people/a')
    expect(await read()).toBe('1')
    expect(await read()).toBe('1')
    await app.inject('/people/b')
    expect(await read()).toBe('2')
  })

  it('tell the version of package.json', async () => {
    const { version } = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'),
    ) as {
      version: string
    }
    expect((await internal('/metrics')).body).toContain(`signet_version_info{version="${version}"} 1\n`)
  })

  it('[SCALE-3] tell how many organisations are in memory, and what their releases take', async () => {
    const { body } = await internal('/metrics')
    expect(body).toContain('signet_organisations_in_memory 3\n')
    expect(body).toContain('signet_releases_bytes 7000\n')
  })

  it('tell the age of the release and how far behind the instance is', async () => {
    health.behind = 1_500
    expect((await internal('/metrics')).body).toMatch(/signet_release_behind_seconds 1\.5\n/)
    health.publishedAt = 40_000
    const again = createMonitoring({
      log: pino({ enabled: false }),
      organisation: 'default',
      secret: new Uint8Array(32),
      signInPath: '/',
      personOf: () => null,
    })
    const { body } = await again.createInternal(asked).inject('/metrics')
    expect(body).toMatch(/signet_release_age_seconds 60\n/)
  })
})

describe('the syncs with the directory', () => {
  const run: DirectoryRun = {
    id: 'r',
    source: 'graph',
    at: 10_000,
    until: 20_000,
    isTrial: false,
    by: 'directory',
    outcome: 'done',
    read: 3,
    added: 1,
    changed: 2,
    retired: 0,
    returned: 0,
    refused: 0,
    failure: null,
    samples: [{ person: 'alex.kim@northwind.example', change: 'added', fields: [], reason: null }],
  }
  const again = () =>
    createMonitoring({
      log: pino({}, { write: (line: string) => void lines.push(line) }),
      organisation: 'default',
      secret: new Uint8Array(32),
      signInPath: '/',
      personOf: () => null,
    })
  const metricsOf = async (syncs: () => Promise<readonly DirectoryRun[]>) =>
    (
      await again()
        .createInternal({ ...asked, syncs, now: () => 50_000 })
        .inject('/metrics')
    ).body

  it('are told by their outcome, and by the age of the last that was done; trials do not count', async () => {
    const runs: readonly DirectoryRun[] = [
      { ...run, outcome: 'running', until: null },
      { ...run, isTrial: true, until: 45_000 },
      { ...run, outcome: 'needsLeave', until: 40_000 },
      run,
    ]
    const body = await metricsOf(async () => runs)
    expect(body).toMatch(/signet_directory_sync_age_seconds 30\n/)
    expect(body).toContain('signet_directory_sync_outcome{outcome="needsLeave"} 1\n')
    expect(body).toContain('signet_directory_sync_outcome{outcome="done"} 0\n')
    expect(await metricsOf(() => Promise.reject(new Error('away')))).not.toMatch(/sync_age_seconds \d/)
  })

  it('[SRV-35] are logged with their counts, and without people', () => {
    const operations = again()
    operations.synced('default', {
      ...run,
      outcome: 'failed',
      failure: { code: 'forbidden', message: 'No.' },
    })
    operations.syncFailed('default', new Error('alex.kim@northwind.example'))
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { msg: 'synced', level: 50, outcome: 'failed', ms: 10_000, added: 1, failure: { code: 'forbidden' } },
      { msg: 'sync failed', error: 'Error' },
    ])
    expect(lines.join()).not.toContain('alex')
  })
})

describe('an instance', () => {
  it('is ready while its database answers and it knows what is published', async () => {
    expect(await internal('/ready')).toEqual({ status: 200, body: '{"ready":true,"problems":[]}' })
  })

  it.each([
    ['its database is away', { away: true }, 'The database does not answer.'],
    ['it is 31 s behind', { behind: 31_000 }, 'The instance is 31 s behind what is published.'],
    ['it is closing', { isClosing: true }, 'The service is closing.'],
  ])('is not ready when %s, and lives all the same', async (_, over, problem) => {
    Object.assign(health, over)
    const { status, body } = await internal('/ready')
    expect([status, JSON.parse(body)]).toEqual([503, { ready: false, problems: [problem] }])
    const again = createMonitoring({
      log: pino({ enabled: false }),
      organisation: 'default',
      secret: new Uint8Array(32),
      signInPath: '/',
      personOf: () => null,
    })
    expect((await again.createInternal(asked).inject('/live')).statusCode).toBe(200)
  })

  it.each([
    ['full', 'The database has no room on its disk.'],
    ['readOnly', 'The database takes no writes.'],
    ['busy', 'The database has too much to do.'],
  ] as const)('is not ready when writes fail because the database is %s', async (problem, sentence) => {
    const error = new StoreUnavailable('db.internal refused', { problem })
    const again = createMonitoring({
      log: pino({ enabled: false }),
      organisation: 'default',
      secret: new Uint8Array(32),
      signInPath: '/',
      personOf: () => null,
    })
    const ping = () => Promise.reject(error)
    const { statusCode, body } = await again.createInternal({ ...asked, ping }).inject('/ready')
    expect([statusCode, JSON.parse(body)]).toEqual([503, { ready: false, problems: [sentence] }])
  })

  it('[SCALE-6] is ready while only some statements fail, and says with what', async () => {
    const again = createMonitoring({
      log: pino({ enabled: false }),
      organisation: 'default',
      secret: new Uint8Array(32),
      signInPath: '/',
      personOf: () => null,
    })
    let lately: readonly StoreProblem[] = ['locked', 'cancelled']
    const ping = vi.fn(async () => {})
    const server = again.createInternal({ ...asked, ping, lately: () => lately })
    const ready = async () => {
      const { statusCode, body } = await server.inject('/ready')
      return [statusCode, JSON.parse(body)]
    }
    const problems = ['The database kept rows locked for too long.', 'The database cancelled a statement.']
    expect(await ready()).toEqual([200, { ready: true, problems }])
    ping.mockRejectedValue(new StoreUnavailable('x', { problem: 'full' }))
    const sentence = 'The database has no room on its disk.'
    expect(await ready()).toEqual([503, { ready: false, problems: [sentence, ...problems] }])
    lately = ['busy']
    ping.mockRejectedValue(new StoreUnavailable('x', { problem: 'busy' }))
    expect(await ready()).toEqual([503, { ready: false, problems: ['The database has too much to do.'] }])
  })

  it('is not ready when its database does not answer in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const server = operations.createInternal({ ...asked, ping: () => new Promise(() => {}) })
    const asking = server.inject('/ready')
    await vi.advanceTimersByTimeAsync(2_000)
    expect((await asking).statusCode).toBe(503)
  })
})

describe('what is logged besides', () => {
  const run: DirectoryRun = {
    id: 'r',
    source: 'scim',
    at: 10,
    until: 25,
    isTrial: true,
    by: 'x',
    outcome: 'done',
    samples: [],
    read: 6,
    added: 1,
    changed: 2,
    retired: 3,
    returned: 4,
    refused: 5,
    failure: null,
  }
  const rest = { time: expect.any(Number) as number, organisation: 'default' }

  it.each<[Partial<DirectoryRun>, number, object]>([
    [{}, 30, { outcome: 'done', ms: 15 }],
    [{ outcome: 'needsLeave', isTrial: false }, 40, { outcome: 'needsLeave', trial: false, ms: 15 }],
    [{ outcome: 'interrupted', until: null }, 30, { outcome: 'interrupted', ms: 0 }],
    [
      { outcome: 'failed', failure: { code: 'c', message: 'm' } },
      ...([50, { outcome: 'failed', failure: { code: 'c', message: 'm' }, ms: 15 }] as const),
    ],
  ])('of a sync that ended with %j', (change, level, expected) => {
    operations.synced('default', { ...run, ...change })
    expect(logged()).toEqual([
      {
        ...rest,
        level,
        msg: 'synced',
        sync: 'r',
        source: 'scim',
        trial: true,
        read: 6,
        added: 1,
        changed: 2,
        retired: 3,
        returned: 4,
        refused: 5,
        ...expected,
      },
    ])
  })

  it('of writes that fail, and succeed again', () => {
    operations.writesChanged(new StoreUnavailable('secret', { problem: 'full', sqlState: '53100' }))
    operations.writesChanged(new StoreUnavailable('secret'))
    operations.writesChanged(null)
    expect(logged()).toEqual([
      { ...rest, level: 50, msg: 'database takes no writes', database: 'full', sqlState: '53100' },
      { ...rest, level: 50, msg: 'database takes no writes', database: 'away' },
      { ...rest, level: 30, msg: 'database takes writes again' },
    ])
  })

  it('of what failed, whatever was thrown', () => {
    operations.renderingFailed('autumn', 'text')
    operations.syncFailed(
      'default',
      Object.assign(new StoreUnavailable('secret', { problem: 'busy' }), { code: 7 }),
    )
    const [rendering, sync] = logged()
    expect(rendering).toEqual({
      ...rest,
      level: 50,
      msg: 'rendering failed',
      signature: 'autumn',
      error: 'string',
    })
    expect(sync).toEqual({
      ...rest,
      level: 50,
      msg: 'sync failed',
      error: 'Error',
      database: 'busy',
      stack: expect.stringMatching(/^\s+at /) as string,
    })
  })

  it('of the original error behind a refusal, without its message', async () => {
    const { app: refusing } = await createWebServer([], null, { onRefusal: operations.refused })
    operations.watch(refusing)
    const cause = Object.assign(new RangeError('Invalid array length of maria@x.example'), { code: 'E_ODD' })
    refusing.get('/refused', () => {
      throw new Refusal(422, 'sample_unreadable', 'The sample cannot be read.', null, { cause })
    })
    await refusing.inject('/refused')
    await refusing.close()
    const line = logged().at(-1)
    expect(line).toMatchObject({ msg: 'answered', status: 422, error: 'RangeError', code: 'E_ODD' })
    expect(line?.['stack']).toContain('operations.int.test')
    expect(JSON.stringify(line)).not.toMatch(/Invalid array|maria/)
  })

  it('of why a request was refused, when that is the database', async () => {
    const { app: refusing } = await createWebServer([], null, { onRefusal: operations.refused })
    operations.watch(refusing)
    const causes: Record<string, Error> = {
      away: new StoreUnavailable('secret', { problem: 'readOnly', sqlState: '25006' }),
      other: new Error('secret'),
    }
    refusing.get<{ Params: { cause: string } }>('/:cause', async ({ params }) => {
      throw new Refusal(503, 'unavailable', 'No.', 5, { cause: causes[params.cause] })
    })
    await refusing.inject('/away')
    await refusing.inject('/other')
    const [away, other] = logged()
    expect(away).toMatchObject({ level: 50, status: 503, database: 'readOnly', sqlState: '25006' })
    expect(other).not.toHaveProperty('database')
    expect(other).not.toHaveProperty('person')
  })

  it('of an address that is none, and of a page, by no name of theirs', async () => {
    app.get('/hidden/:name', { config: { isPage: true } }, async () => ({}))
    await app.inject('/hidden/x')
    await app.inject('/none')
    expect(logged().map(({ route, level }) => [route, level])).toEqual([
      ['page', 30],
      ['unknown', 30],
    ])
  })
})

describe('the metrics of an instance', () => {
  it('count failures of the database by their reason, and sign-ins of their call alone', async () => {
    operations.storeFailed(new StoreUnavailable('x', { problem: 'full' }))
    app.get('/authentication/addin/azure', async () => ({}))
    await app.inject('/authentication/addin/azure')
    const { body } = await internal('/metrics')
    for (const [problem, count] of Object.entries({ full: 1, away: 0, busy: 0, readOnly: 0 }))
      expect(body).toContain(`signet_database_failures_total{problem="${problem}"} ${String(count)}\n`)
    expect(body).not.toMatch(/signet_sign_ins_total\{/)
    expect(body).not.toMatch(/signet_directory/)
    expect(body).toMatch(/signet_release_age_seconds 0\n/)
  })

  it('say of a directory that never synced that it did not', async () => {
    const server = operations.createInternal({ ...asked, syncs: async () => [] })
    const { body } = await server.inject('/metrics')
    expect(body).not.toMatch(/^signet_directory/m)
  })

  it.each([
    [30_000, 200],
    [30_001, 503],
  ])('are beside whether it is ready: %i ms behind is %i', async (behind, status) => {
    health.behind = behind
    expect((await internal('/ready')).status).toBe(status)
  })

  it('are beside all that keeps it from being ready', async () => {
    Object.assign(health, { away: true, behind: 45_400, isClosing: true })
    expect(JSON.parse((await internal('/ready')).body)).toEqual({
      ready: false,
      problems: [
        ...['The service is closing.', 'The database does not answer.'],
        'The instance is 45 s behind what is published.',
      ],
    })
  })
})
