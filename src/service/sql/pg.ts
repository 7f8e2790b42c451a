/** PostgreSQL through a pool of connections. The connections may go through a pooler in transaction mode. */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import { type DatabaseDriver, type DatabaseSession, asStoreUnavailable } from './driver.ts'
import { errorReason } from '../../server/reasons.ts'
import { STORE_PROBLEMS, StoreUnavailable } from './problems.ts'
import { ORGANISATION_SETTING, refusingDriverFor, type RowSecurity } from './rowSecurity.ts'

const STATEMENT_LIMIT_MS = 5_000
/**
 * How much longer the client waits than the database. The database's error then arrives first, and is more specific.
 */
const GRACE_MS = 1_000
/**
 * How long a statement waits for one lock. It is shorter than the limit of statements, so that a lock timeout is
 * reported as `locked`.
 */
const LOCK_LIMIT_MS = 2_000
export const POOL_SIZE = 10
/** The number of statement texts whose names are cached. The service has several hundred. */
const MAX_TEXTS = 1_000

const { BYTEA, INT8 } = pg.types.builtins

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (oid === INT8) return Number
    const parse = pg.types.getTypeParser(oid, format) as (value: string) => unknown
    return oid === BYTEA ? (value: string) => new Uint8Array(parse(value) as Buffer) : parse
  },
}

/** Settings by name and value. They apply until the transaction ends. */
type Settings = readonly (readonly [name: string, value: string])[]

const settingOf = (settings: Settings): string =>
  settings.map(([name, value]) => `set local ${name} = ${pg.escapeLiteral(value)};`).join(' ')

/** The names of prepared statements, by text. A name is a hash, so that all instances use the same name. */
const names = new LRUCache<string, string>({
  max: MAX_TEXTS,
  memoMethod: (text) => createHash('sha256').update(text).digest('base64url').slice(0, 22),
})

/** Matches a statement that only reads. */
const READS = /^\s*select\b/i

/**
 * Connects at the first statement. Each statement is a transaction that begins with its settings. A read takes one
 * round trip, a write takes two.
 *
 * @param wall the row security between organisations; null where no organisation is hidden, for example while migrating
 * @param limitMs the time limit of a statement; `lockLimitMs` is its time limit for one lock
 */
export function openPostgres(
  url: string,
  wall: RowSecurity | null = null,
  limitMs = STATEMENT_LIMIT_MS,
  lockLimitMs = LOCK_LIMIT_MS,
): DatabaseDriver {
  const limits: Settings = [
    ['statement_timeout', String(limitMs)],
    ['lock_timeout', String(lockLimitMs)],
    ['idle_in_transaction_session_timeout', String(limitMs)],
  ]
  /**
   * Connections without a pooler. Only these keep limits and prepared statements, because a pooler may run the next
   * transaction in another process.
   */
  const direct = new WeakSet<pg.PoolClient>()
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    types,
    pipeline: true,
    query_timeout: limitMs + GRACE_MS,
    connectionTimeoutMillis: STATEMENT_LIMIT_MS,
    keepAlive: true,
    application_name: 'signet',
  })
  // Without these listeners, a lost connection would end the process. The connection's statements fail anyway.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    const isPooled = `pg_backend_pid() <> ${String(processOf(client) ?? 0)}`
    const kept = limits.map(([name, value]) => `set_config('${name}', '${value}', ${isPooled})`)
    client.query<{ isPooled: boolean }>(`select ${isPooled} as "isPooled", ${kept.join(', ')}`).then(
      ({ rows: [row] }) => {
        if (row?.isPooled === false) direct.add(client)
      },
      () => {},
    )
  })

  /** Runs statements on a connection. The pool drops the connection if the database was unavailable. */
  async function onConnection<Result>(run: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await answered(pool.connect())
    try {
      const result = await run(client)
      client.release()
      return result
    } catch (error) {
      client.release(error instanceof StoreUnavailable)
      throw error
    }
  }

  const sessionOf = (client: pg.PoolClient): DatabaseSession => ({
    query: async <Row extends object>(text: string, parameters: readonly unknown[] = []) => {
      const name = direct.has(client) ? names.memo(text) : undefined
      const statement = { name, text, values: checked(parameters) }
      return (await answered(client.query<Row>(statement))).rows
    },
    script: async (sql) => {
      await answered(client.query(sql))
    },
  })

  /** Runs statements in transactions that begin with these settings. */
  const within = (organisation: Settings): Omit<DatabaseDriver, 'within' | 'close'> => {
    const [always, ifPooled] = [settingOf(organisation), settingOf([...organisation, ...limits])]
    const settingFor = (client: pg.PoolClient) => (direct.has(client) ? always : ifPooled)
    return {
      query: <Row extends object>(sql: string, parameters?: readonly unknown[]) =>
        onConnection(async (client) => {
          const { query, script } = sessionOf(client)
          const begun = script(`begin; ${settingFor(client)}`)
          // The database runs a statement even if its settings have failed. So a write waits for its settings, and the
          // rows of a read are discarded in that case.
          const mayRun =
            READS.test(sql) ||
            (await begun.then(
              () => true,
              () => false,
            ))
          const asked = mayRun ? query<Row>(sql, parameters) : Promise.resolve([])
          const ended = await Promise.allSettled([begun, asked, script('commit')])
          const failed = ended.find((each) => each.status === 'rejected')
          if (failed) throw failed.reason
          return asked
        }),
      script: (sql) => onConnection((client) => sessionOf(client).script(`${settingFor(client)} ${sql}`)),
      transaction: (run, isSnapshot = false) =>
        onConnection(async (client) => {
          const session = sessionOf(client)
          const begin = isSnapshot ? 'begin isolation level repeatable read read only' : 'begin'
          try {
            await session.script(`${begin}; ${settingFor(client)}`)
            const result = await run(session)
            await session.script('commit')
            return result
          } catch (error) {
            if (!(error instanceof StoreUnavailable)) await session.script('rollback')
            throw error
          }
        }),
    }
  }

  let ended: Promise<void> | null = null
  const driver: DatabaseDriver = {
    ...within([]),
    within: (organisation) => {
      if (wall === null) return driver
      const settings: Settings = [
        ['role', wall.role],
        [ORGANISATION_SETTING, organisation],
      ]
      return refusingDriverFor(wall, organisation) ?? within(wall.missing.length === 0 ? settings : [])
    },
    close: () => (ended ??= pool.end()),
  }
  return driver
}

/** The process id of a connection, as reported by the server. A pooler reports its own number. */
const processOf = (client: pg.Client) =>
  (client as pg.Client & Readonly<{ processID: number | null }>).processID

const isValue = (value: unknown): boolean =>
  value === null ||
  ['string', 'number', 'boolean', 'bigint', 'undefined'].includes(typeof value) ||
  value instanceof Uint8Array ||
  (Array.isArray(value) && value.every(isValue))

/**
 * Returns a copy of the parameters.
 *
 * @throws TypeError for an object, which would become JSON
 */
function checked(parameters: readonly unknown[]): unknown[] {
  if (parameters.every(isValue)) return [...parameters]
  throw new TypeError('A parameter is a text, a number, a boolean, bytes, an array of these, or null.')
}

/** Converts an error. If neither the database nor the program raised it, the connection has failed. */
function failureOf(error: unknown): Error {
  if (error instanceof TypeError || error instanceof StoreUnavailable) return error
  if (error instanceof pg.DatabaseError) return asStoreUnavailable(error) ?? error
  return new StoreUnavailable(`${STORE_PROBLEMS.away}: ${errorReason(error, 'the connection failed')}`, {
    cause: error,
  })
}

async function answered<Answer>(answering: Promise<Answer>): Promise<Answer> {
  try {
    return await answering
  } catch (error) {
    throw failureOf(error)
  }
}
