/** PostgreSQL over a pool of connections. */
import pg from 'pg'
import type { Driver, Session } from './driver.ts'
import { StoreUnavailable } from './store.ts'

const STATEMENT_LIMIT_MS = 5_000
/** Above the database's own limit, which tells more: for a connection that is silent. */
const ANSWER_LIMIT_MS = 6_000
const CONNECTIONS = 10

/** Classes and codes of SQLSTATE: the connection, resources, an operator's hand, the system; a standby that took over. */
const UNAVAILABLE = /^(08|53|57|58)|^(25006|25P03|55P03)$/

const { BYTEA, INT8 } = pg.types.builtins

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (oid === INT8) return Number
    const parse = pg.types.getTypeParser(oid, format) as (value: string) => unknown
    return oid === BYTEA ? (value: string) => new Uint8Array(parse(value) as Buffer) : parse
  },
}

/** Connects at the first statement. */
export function openPostgres(url: string): Driver {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    types,
    statement_timeout: STATEMENT_LIMIT_MS,
    query_timeout: ANSWER_LIMIT_MS,
    idle_in_transaction_session_timeout: ANSWER_LIMIT_MS,
    connectionTimeoutMillis: STATEMENT_LIMIT_MS,
    keepAlive: true,
    application_name: 'signet',
  })
  // An idle connection that ends is dropped; the next statement makes another.
  pool.on('error', () => {})

  /** Statements are prepared once in each connection, by a name for each text. */
  const names = new Map<string, string>()
  const nameOf = (sql: string) => {
    const known = names.get(sql)
    if (known !== undefined) return known
    const name = `s${String(names.size)}`
    names.set(sql, name)
    return name
  }

  const sessionOf = (client: pg.PoolClient): Session => ({
    query: async <Row extends object>(sql: string, parameters: readonly unknown[] = []) =>
      (await client.query<Row>({ name: nameOf(sql), text: sql, values: [...parameters] })).rows,
    script: async (sql) => {
      await client.query(sql)
    },
  })

  /** A connection that failed is not used again. */
  async function withConnection<Result>(run: (session: Session) => Promise<Result>): Promise<Result> {
    const client = await pool.connect().catch((error: unknown) => {
      throw unavailableOr(error)
    })
    try {
      const result = await run(sessionOf(client))
      client.release()
      return result
    } catch (error) {
      const failure = unavailableOr(error)
      client.release(failure instanceof StoreUnavailable)
      throw failure
    }
  }

  return {
    query: (sql, parameters) => withConnection((session) => session.query(sql, parameters)),
    script: (sql) => withConnection((session) => session.script(sql)),
    transaction: (run, isSnapshot = false) =>
      withConnection(async (session) => {
        await session.script(isSnapshot ? 'begin isolation level repeatable read read only' : 'begin')
        try {
          const result = await run(session)
          await session.script('commit')
          return result
        } catch (error) {
          if (!(unavailableOr(error) instanceof StoreUnavailable)) await session.script('rollback')
          throw error
        }
      }),
    close: () => pool.end(),
  }
}

function unavailableOr(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error
  if (error instanceof pg.DatabaseError) {
    if (!UNAVAILABLE.test(error.code ?? '')) return error
  } else if (!(error instanceof Error) || !isConnectionError(error)) {
    return error
  }
  return new StoreUnavailable(`The database does not answer: ${error.message}`, { cause: error })
}

/** Errors of the socket have a code; those of the client and its pool only their words. */
const isConnectionError = (error: Error): boolean =>
  'syscall' in error ||
  /^(Connection terminated|Client has encountered|Client was closed|Query read timeout|timeout exceeded|timeout expired|Cannot use a pool|The server does not support)/.test(
    error.message,
  ) ||
  ('code' in error &&
    typeof error.code === 'string' &&
    /^(E[A-Z]+|EAI_[A-Z]+|ERR_[A-Z_]+)$/.test(error.code)) ||
  error instanceof AggregateError
