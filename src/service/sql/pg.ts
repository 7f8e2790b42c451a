/** PostgreSQL over a pool of connections. */
import pg from 'pg'
import { type Driver, type Session, unavailable } from './driver.ts'
import { STORE_PROBLEMS, StoreUnavailable } from './problems.ts'

const STATEMENT_LIMIT_MS = 5_000
/** How much longer the client waits than the database. The error of the database then arrives first, and says more. */
const GRACE_MS = 1_000
const CONNECTIONS = 10

const { BYTEA, INT8 } = pg.types.builtins

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (oid === INT8) return Number
    const parse = pg.types.getTypeParser(oid, format) as (value: string) => unknown
    return oid === BYTEA ? (value: string) => new Uint8Array(parse(value) as Buffer) : parse
  },
}

/** Connects at the first statement. */
export function openPostgres(url: string, statementLimitMs = STATEMENT_LIMIT_MS): Driver {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    types,
    statement_timeout: statementLimitMs,
    query_timeout: statementLimitMs + GRACE_MS,
    idle_in_transaction_session_timeout: statementLimitMs,
    connectionTimeoutMillis: STATEMENT_LIMIT_MS,
    keepAlive: true,
    application_name: 'signet',
  })
  // Without these listeners a lost connection would end the process. Statements on the connection fail in any case.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))

  /** The name of each statement, by its text. A connection prepares a statement with a name only once. */
  const names = new Map<string, string>()
  const nameOf = (sql: string) => {
    const known = names.get(sql)
    if (known !== undefined) return known
    const name = `s${String(names.size)}`
    names.set(sql, name)
    return name
  }

  const sessionOf = (client: pg.PoolClient): Session => ({
    query: async <Row extends object>(sql: string, parameters: readonly unknown[] = []) => {
      const statement = { name: nameOf(sql), text: sql, values: [...parameters] }
      return (await answered(client.query<Row>(statement))).rows
    },
    script: async (sql) => {
      await answered(client.query(sql))
    },
  })

  async function withConnection<Result>(run: (session: Session) => Promise<Result>): Promise<Result> {
    const client = await answered(pool.connect())
    try {
      const result = await run(sessionOf(client))
      client.release()
      return result
    } catch (error) {
      // The pool drops the connection when the database was unavailable on it.
      client.release(error instanceof StoreUnavailable)
      throw error
    }
  }

  let ended: Promise<void> | null = null
  const driver: Driver = {
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
          if (!(error instanceof StoreUnavailable)) await session.script('rollback')
          throw error
        }
      }),
    within: () => driver,
    close: () => (ended ??= pool.end()),
  }
  return driver
}

/** An error that is neither of the database nor of the program means that the connection failed. */
async function answered<Answer>(answering: Promise<Answer>): Promise<Answer> {
  try {
    return await answering
  } catch (error) {
    if (!(error instanceof Error) || error instanceof TypeError) throw error
    if (error instanceof pg.DatabaseError) throw unavailable(error) ?? error
    throw new StoreUnavailable(`${STORE_PROBLEMS.away}: ${error.message}`, { cause: error })
  }
}
