/** Serves an instance's health checks and metrics, on a port that users cannot reach. */
import Fastify, { type FastifyInstance } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import type { DirectoryRun } from '../../../streams/organisation/directory/directory.ts'
import { STORE_PROBLEMS, type StoreProblem, StoreUnavailable } from '../sql/problems.ts'

/** The sources of the health checks and metrics. */
export type HealthSources = Readonly<{
  /** Rejects when the database does not respond or does not accept writes. */
  ping: () => Promise<void>
  /** The problems of single statements in the last minute. They do not affect readiness. */
  lately?: () => readonly StoreProblem[]
  /** The time since the instance last read the organisation's stream, in milliseconds. */
  behindMs: () => number
  /** The publishing time of the current release, in milliseconds since 1970; null before the first release. */
  publishedAt: () => number | null
  isClosing: () => boolean
  /** The number of organisations in memory, and the approximate size of their releases in bytes. */
  inMemory: () => Readonly<{ organisations: number; bytes: number }>
  /** The last directory syncs, latest first; missing without a directory. */
  syncs?: () => Promise<readonly DirectoryRun[]>
  /** Milliseconds since 1970. */
  now: () => number
}>

const BEHIND_LIMIT_MS = 30_000
const PING_LIMIT_MS = 2_000

/** Creates a server with `/live`, `/ready` and `/metrics`. Adds the metrics of `health` to the registry. */
export function createInternalServer(health: HealthSources, registry: Registry): FastifyInstance {
  addMetrics(health, registry)
  const { ping, lately, behindMs, isClosing } = health
  const app = Fastify({ exposeHeadRoutes: true, forceCloseConnections: true })
  app.get('/live', async () => ({ live: true }))
  app.get('/ready', async (_, reply) => {
    const problems: string[] = []
    if (isClosing()) problems.push('The service is closing.')
    const problem = await databaseProblem(ping)
    if (problem !== null) problems.push(`${STORE_PROBLEMS[problem]}.`)
    const behind = behindMs()
    if (behind > BEHIND_LIMIT_MS)
      problems.push(`The instance is ${Math.round(behind / 1000)} s behind what is published.`)
    const ready = problems.length === 0
    for (const each of lately?.() ?? []) if (each !== problem) problems.push(`${STORE_PROBLEMS[each]}.`)
    return reply.code(ready ? 200 : 503).send({ ready, problems })
  })
  app.get('/metrics', async (_, reply) => reply.type(registry.contentType).send(await registry.metrics()))
  return app
}

function addMetrics(health: HealthSources, registry: Registry): void {
  const { behindMs, publishedAt, inMemory, syncs, now } = health
  const registers = [registry]
  if (syncs !== undefined) addSyncMetrics(syncs, now, registers)
  /** Adds a metric. It has no value while `read` returns null. */
  const measured = (name: string, help: string, read: () => number | null) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const value = read()
        if (value !== null) this.set(value)
      },
    })
  measured(
    'signet_release_behind_seconds',
    "How long ago the instance last read the organisation's stream.",
    () => behindMs() / 1000,
  )
  measured('signet_release_age_seconds', 'How long ago the current release was published.', () => {
    const at = publishedAt()
    return at === null ? null : (now() - at) / 1000
  })
  measured(
    'signet_organisations_in_memory',
    'How many organisations are in memory.',
    () => inMemory().organisations,
  )
  measured(
    'signet_releases_bytes',
    'About how many bytes the releases in memory take.',
    () => inMemory().bytes,
  )
}

const OUTCOMES = ['done', 'needsLeave', 'failed', 'interrupted'] as const

/** Adds the metrics of syncs. They have no value while the database is unreachable. */
function addSyncMetrics(
  syncs: NonNullable<HealthSources['syncs']>,
  now: () => number,
  registers: Registry[],
): void {
  const ended = async () =>
    (await syncs().catch(() => [])).filter((run) => !run.isTrial && run.until !== null)
  new Gauge({
    name: 'signet_directory_sync_age_seconds',
    help: 'Time since the end of the last successful sync with the directory.',
    registers,
    async collect() {
      const last = (await ended()).find(({ outcome }) => outcome === 'done')
      // Without a successful sync, removes the value, because 0 would clear an alert.
      this.remove()
      if (last !== undefined) this.set((now() - (last.until ?? last.at)) / 1000)
    },
  })
  new Gauge({
    name: 'signet_directory_sync_outcome',
    help: '1 for the outcome of the last sync with the directory.',
    labelNames: ['outcome'],
    registers,
    async collect() {
      const [last] = await ended()
      this.reset()
      if (last !== undefined)
        for (const outcome of OUTCOMES) this.set({ outcome }, last.outcome === outcome ? 1 : 0)
    },
  })
}

/** The database's problem, or null. A database that does not respond in time is `away`. */
const databaseProblem = (ping: () => Promise<void>): Promise<StoreProblem | null> =>
  new Promise((resolve) => {
    const limit = setTimeout(() => resolve('away'), PING_LIMIT_MS)
    void ping()
      .then(() => null)
      .catch((error: unknown) => (error instanceof StoreUnavailable ? error.problem : 'away'))
      .then(resolve)
      .finally(() => clearTimeout(limit))
  })
