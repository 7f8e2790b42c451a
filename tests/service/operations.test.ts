import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWebServer, Refusal, type WebServer } from '../../src/server/webServer.ts'
import type { DirectoryRun } from '../../streams/organisation/directory.ts'
import { StoreUnavailable } from '../../src/service/sql/store.ts'
import { createOperations, type Health, type Operations } from '../../src/service/operations.ts'

const PERSON = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
let lines: string[]
let operations: Operations
let app: WebServer
const health = {
  away: false,
  behind: 0,
  publishedAt: null as number | null,
  isClosing: false,
}
const asked: Health = {
  ping: async () => {
    if (health.away) throw new Error('db.internal refused')
  },
  behindMs: () => health.behind,
  publishedAt: () => health.publishedAt,
  isClosing: () => health.isClosing,
  now: () => 100_000,
}

beforeEach(async () => {
  lines = []
  Object.assign(health, { away: false, behind: 0, publishedAt: null, isClosing: false })
  operations = createOperations({
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
        ...{ level: 30, time: expect.any(Number) as number, msg: 'answered' },
        ...{ request: 'from-the-proxy', method: 'GET', route: '/people/:id', status: 200 },
        ...{ ms: expect.any(Number) as number, organisation: 'default' },
        person: expect.stringMatching(/^[\w-]{12}$/) as string,
      },
    ])
  })

  it('has the same hash for the same person, and another with another secret', async () => {
    const hashWith = async (fill: number) => {
      const written: string[] = []
      const others = createOperations({
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
    expect(failed?.['stack']).toMatch(/^\s+at .*operations\.test/)
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

  it('tell the version of package.json', async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
      version: string
    }
    expect((await internal('/metrics')).body).toContain(`signet_version_info{version="${version}"} 1\n`)
  })

  it('tell the age of the release and how far behind the instance is', async () => {
    health.behind = 1_500
    expect((await internal('/metrics')).body).toMatch(/signet_release_behind_seconds 1\.5\n/)
    health.publishedAt = 40_000
    const again = createOperations({
      ...{ log: pino({ enabled: false }), organisation: 'default', secret: new Uint8Array(32) },
      ...{ signInPath: '/', personOf: () => null },
    })
    const { body } = await again.createInternal(asked).inject('/metrics')
    expect(body).toMatch(/signet_release_age_seconds 60\n/)
  })
})

describe('the syncs with the directory', () => {
  const run: DirectoryRun = {
    ...{
      id: 'r',
      source: 'graph',
      at: 10_000,
      until: 20_000,
      isTrial: false,
      by: 'directory',
      outcome: 'done',
    },
    ...{ read: 3, added: 1, changed: 2, retired: 0, returned: 0, refused: 0, failure: null },
    samples: [{ person: 'alex.kim@northwind.example', change: 'added', fields: [], reason: null }],
  }
  const again = () =>
    createOperations({
      ...{ log: pino({}, { write: (line: string) => void lines.push(line) }), organisation: 'default' },
      ...{ secret: new Uint8Array(32), signInPath: '/', personOf: () => null },
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
    operations.synced({ ...run, outcome: 'failed', failure: { code: 'forbidden', message: 'No.' } })
    operations.syncFailed(new Error('alex.kim@northwind.example'))
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
    const again = createOperations({
      ...{ log: pino({ enabled: false }), organisation: 'default', secret: new Uint8Array(32) },
      ...{ signInPath: '/', personOf: () => null },
    })
    expect((await again.createInternal(asked).inject('/live')).statusCode).toBe(200)
  })

  it.each([
    ['full', 'The database has no room on its disk.'],
    ['readOnly', 'The database takes no writes.'],
    ['busy', 'The database has too much to do.'],
  ] as const)('is not ready when writes fail because the database is %s', async (problem, sentence) => {
    const error = new StoreUnavailable('db.internal refused', { problem })
    const again = createOperations({
      ...{ log: pino({ enabled: false }), organisation: 'default', secret: new Uint8Array(32) },
      ...{ signInPath: '/', personOf: () => null },
    })
    const ping = () => Promise.reject(error)
    const { statusCode, body } = await again.createInternal({ ...asked, ping }).inject('/ready')
    expect([statusCode, JSON.parse(body)]).toEqual([503, { ready: false, problems: [sentence] }])
  })

  it('is not ready when its database does not answer in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const server = operations.createInternal({ ...asked, ping: () => new Promise(() => {}) })
    const asking = server.inject('/ready')
    await vi.advanceTimersByTimeAsync(2_000)
    expect((await asking).statusCode).toBe(503)
  })
})
