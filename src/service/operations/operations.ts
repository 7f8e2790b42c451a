/** The log, the metrics and the health checks of an instance. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { DirectoryRun } from '../../../streams/organisation/directory/directory.ts'
import type { WebServer } from '../../server/webServer.ts'
import { createKeyedHash } from '../../server/keyedHash.ts'
import { STORE_PROBLEMS, StoreUnavailable } from '../sql/problems.ts'
import { createInternalServer, type HealthSources } from './internalServer.ts'
import { VERSION } from './version.ts'

export type MonitoringOptions = Readonly<{
  log: Logger
  /** The id of the organisation, for the log. */
  organisation: string
  /** The key that hashes the ids of people in the log. */
  secret: Uint8Array
  signInPath: string
  /** The user id in the bearer of a request; null without a bearer. */
  personOf: (request: FastifyRequest) => string | null
}>

export type Monitoring = ReturnType<typeof createMonitoring>

const PERSON_CHARACTERS = 12
/** The number of cached hashes of people. */
const MAX_HASHES = 10_000
const DURATIONS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMonitoring(options: MonitoringOptions) {
  const { log, organisation, secret, signInPath, personOf } = options
  const hashed = createKeyedHash(secret, 'people in the log', PERSON_CHARACTERS)
  const hashes = new LRUCache<string, string>({ max: MAX_HASHES, memoMethod: (person) => hashed(person) })

  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers })
  new Gauge({
    name: 'signet_version_info',
    help: 'Always 1; the label has the version.',
    labelNames: ['version'],
    registers,
  }).set({ version: VERSION }, 1)
  const countRequest = createRequestMetrics(registers)
  const signIns = counter('signet_sign_ins_total', 'Sign-ins by the status of the response.', 'status')
  const failures = counter(
    'signet_rendering_failures_total',
    'Signatures that were left out because their template could not be rendered.',
  )
  const storeFailures = counter(
    'signet_database_failures_total',
    'Statements that failed because of the state of the database, by its problem.',
    'problem',
  )
  for (const problem of Object.keys(STORE_PROBLEMS)) storeFailures.inc({ problem }, 0)
  const causes = new WeakMap<FastifyRequest, object>()

  return {
    /** Logs and counts requests. Must be called before routes are added. */
    watch: (app: WebServer): void => {
      app.addHook('onResponse', (request, reply, done) => {
        const { method } = request
        const route = routeOf(request)
        const { statusCode: status, elapsedTime } = reply
        countRequest(method, route, status, elapsedTime / 1000)
        if (method === 'POST' && route === signInPath) signIns.inc({ status })
        const person = personOf(request)
        log[status < 500 ? 'info' : 'error'](
          {
            request: request.id,
            method,
            route,
            status,
            ms: Math.round(elapsedTime * 10) / 10,
            organisation: (request.organisation as Readonly<{ id: string }> | undefined)?.id ?? organisation,
            ...(person === null ? {} : { person: hashes.memo(person) }),
            ...causes.get(request),
          },
          'answered',
        )
        done()
      })
    },

    /** Logs an unexpected error without its message, which may contain personal data. */
    failed: (error: Error, request: FastifyRequest): void => {
      log.error({ request: request.id, route: routeOf(request), ...described(error) }, 'failed')
    },

    /** Adds the cause of a refusal to the request's log. Omits its message, which may contain personal data. */
    refused: (cause: unknown, request: FastifyRequest): void => {
      causes.set(request, cause instanceof StoreUnavailable ? problemOf(cause) : described(cause))
    },

    /** Counts statements that failed due to the state of the database. */
    storeFailed: ({ problem }: StoreUnavailable): void => {
      storeFailures.inc({ problem })
    },

    /** Logs when writes begin to fail, and when they succeed again. */
    writesChanged: (problem: StoreUnavailable | null): void => {
      if (problem === null) log.info({ organisation }, 'database takes writes again')
      else log.error({ organisation, ...problemOf(problem) }, 'database takes no writes')
    },

    /** Logs and counts a signature that was omitted because its template failed to render. */
    renderingFailed: (signature: string, error: unknown, of = organisation): void => {
      failures.inc()
      log.error({ organisation: of, signature, ...described(error) }, 'rendering failed')
    },

    /** Logs the end of a directory sync, without its samples, which name people. */
    synced: (
      organisation: string,
      { id: sync, source, outcome, isTrial: trial, at, until, failure, ...counts }: DirectoryRun,
    ): void => {
      const { read, added, changed, retired, returned, refused } = counts
      const people = { added, changed, retired, returned, refused }
      const failed = failure === null ? {} : { failure }
      const ms = (until ?? at) - at
      const level = LEVELS[outcome] ?? 'info'
      log[level]({ organisation, sync, source, outcome, trial, ms, read, ...people, ...failed }, 'synced')
    },

    syncFailed: (organisation: string, error: unknown): void => {
      log.error({ organisation, ...described(error) }, 'sync failed')
    },

    /** Creates the server for health checks and metrics, with all metrics of the instance. */
    createInternal: (health: HealthSources): FastifyInstance => createInternalServer(health, registry),
  }
}

/** Adds the metrics of requests. Returns a function that counts a request that took `seconds`. */
function createRequestMetrics(registers: Registry[]) {
  /** The number of requests since the metrics were last read, by method, route and status. */
  const answered = new Map<string, number>()
  new Counter({
    name: 'signet_requests_total',
    help: 'Requests with a response.',
    registers,
    labelNames: ['method', 'route', 'status'],
    collect() {
      for (const [labels, count] of answered) this.labels(...labels.split(' ')).inc(count)
      answered.clear()
    },
  })
  const durations = new Histogram({
    name: 'signet_request_seconds',
    help: 'Duration of requests.',
    labelNames: ['route'],
    buckets: DURATIONS_SECONDS,
    registers,
  })
  return (method: string, route: string, status: number, seconds: number): void => {
    const labels = `${method} ${route} ${String(status)}`
    answered.set(labels, (answered.get(labels) ?? 0) + 1)
    durations.observe({ route }, seconds)
  }
}

const LEVELS: Partial<Record<DirectoryRun['outcome'], 'error' | 'warn'>> = {
  failed: 'error',
  needsLeave: 'warn',
}
/** Describes an error for the log, without its message, which may contain personal data. */
function described(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { error: typeof error }
  const { name, stack = '' } = error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  // Keeps only the frames of the stack, because the message before them may have several lines.
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  const cause = error instanceof StoreUnavailable ? problemOf(error) : {}
  return { error: name, code, ...cause, stack: frames.join('\n') }
}

/** The route's pattern. The log shows it instead of the path, which may contain an id or a name. */
const routeOf = ({ routeOptions }: FastifyRequest): string =>
  routeOptions.config.isPage === true ? 'page' : (routeOptions.url ?? 'unknown')

/** Describes a database problem for the log, without its message, which may contain personal data. */
const problemOf = ({ problem, sqlState }: StoreUnavailable) => ({
  database: problem,
  ...(sqlState === null ? {} : { sqlState }),
})
