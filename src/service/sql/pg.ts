/** PostgreSQL over a pool of connections, which may lead to a pooler in transaction mode. */
import { createHash } from 'node:crypto'
import pg from 'pg'
import { serialize } from 'pg-protocol'
import { type Driver, type Session, unavailable } from './driver.ts'
import { createMemory, type Memory } from '../../server/remembered.ts'
import { reasonOf } from '../../server/reasons.ts'
import { STORE_PROBLEMS, StoreUnavailable } from './problems.ts'
import { ORGANISATION_SETTING, refusalOf, type Wall } from './rowSecurity.ts'

const STATEMENT_LIMIT_MS = 5_000
/** How much longer the client waits than the database. The error of the database then arrives first, and says more. */
const GRACE_MS = 1_000
/** How long a statement waits for one lock. It is shorter than the limit of statements, so that a lock is told as one. */
const LOCK_LIMIT_MS = 2_000
export const CONNECTIONS = 10
/** How many rows are recalled, each of at most so many characters. */
const MAX_RECALLED = 5_000
const MAX_RECALLED_LENGTH = 4_096

const [EXECUTE, SYNC, DESCRIBE] = [serialize.execute(), serialize.sync(), serialize.describe({ type: 'P' })]

const { BYTEA, INT8 } = pg.types.builtins

type Parse = (text: string) => unknown

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (oid === INT8) return Number
    const parse = pg.types.getTypeParser(oid, format) as (value: string) => unknown
    return oid === BYTEA ? (value: string) => new Uint8Array(parse(value) as Buffer) : parse
  },
}

/**
 * Connects at the first statement.
 *
 * @param wall what hides organisations from each other; null where no organisation is hidden, as while migrating
 * @param limitMs the time limit of a statement; `lockLimitMs` is how long it waits for one lock
 */
export function openPostgres(
  url: string,
  wall: Wall | null = null,
  limitMs = STATEMENT_LIMIT_MS,
  lockLimitMs = LOCK_LIMIT_MS,
): Driver {
  const connections = new WeakMap<pg.PoolClient, Connection>()
  const recalled = createMemory<Recalled>(MAX_RECALLED)
  const limits: Settings = [
    ['statement_timeout', String(limitMs)],
    ['lock_timeout', String(lockLimitMs)],
    ['idle_in_transaction_session_timeout', String(limitMs)],
  ]
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    types,
    query_timeout: limitMs + GRACE_MS,
    connectionTimeoutMillis: STATEMENT_LIMIT_MS,
    keepAlive: true,
    application_name: 'signet',
  })
  // Without these listeners a lost connection would end the process. Statements on the connection fail in any case.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))

  const sessionOf = (client: pg.PoolClient, connection: Connection, prelude: Prelude | null): Session => ({
    query: <Row extends object>(sql: string, parameters: readonly unknown[] = []) =>
      new Promise<readonly Row[]>((resolve, reject) => {
        client.query(
          new Statement(connection, prelude, sql, parameters.map(parameterOf), (error, rows) =>
            error === null ? resolve(rows as readonly Row[]) : reject(failureOf(error)),
          ),
        )
      }),
    script: async (sql) => {
      await answered(client.query(prelude === null ? sql : `${prelude.script}; ${sql}`))
    },
  })

  async function greeted(client: pg.PoolClient): Promise<Connection> {
    const connection = await answered(greet(client, limits))
    connections.set(client, connection)
    return connection
  }

  /** Runs statements in transactions that begin with these settings. */
  const within = (organisation: Settings): Omit<Driver, 'within' | 'close'> => {
    const [direct, pooled] = [preludeOf(organisation), preludeOf([...organisation, ...limits])]
    const preludeFor = ({ isPooled }: Connection) => (isPooled ? pooled : direct)

    async function withConnection<Result>(
      run: (client: pg.PoolClient, connection: Connection) => Promise<Result>,
    ): Promise<Result> {
      const client = await answered(pool.connect())
      try {
        const result = await run(client, connections.get(client) ?? (await greeted(client)))
        client.release()
        return result
      } catch (error) {
        // The pool drops the connection when the database was unavailable on it.
        client.release(error instanceof StoreUnavailable)
        throw error
      }
    }

    /** Like a query through `withConnection`, with one promise for all, because most requests are one statement. */
    const query = <Row extends object>(
      sql: string,
      parameters: readonly unknown[] = [],
      isRecalled = false,
    ) =>
      new Promise<readonly Row[]>((resolve, reject) => {
        const values = parameters.map(parameterOf)
        pool.connect((unconnected, client) => {
          if (client === undefined) return reject(failureOf(unconnected))
          let isOver = false
          const end = (error: unknown, rows: readonly object[]) => {
            // A time limit and the connection may both say that a statement failed.
            if (isOver) return
            isOver = true
            const failure = error === null ? null : failureOf(error)
            client.release(failure instanceof StoreUnavailable)
            if (failure === null) resolve(rows as readonly Row[])
            else reject(failure)
          }
          const ask = (connection: Connection) => {
            const rows = isRecalled ? recalled : null
            client.query(new Statement(connection, preludeFor(connection), sql, values, end, rows))
          }
          const connection = connections.get(client)
          if (connection === undefined) void greeted(client).then(ask, (error: unknown) => end(error, []))
          else ask(connection)
        })
      })

    return {
      query,
      script: (sql) =>
        withConnection((client, connection) =>
          sessionOf(client, connection, preludeFor(connection)).script(sql),
        ),
      transaction: (run, isSnapshot = false) =>
        withConnection(async (client, connection) => {
          const session = sessionOf(client, connection, null)
          const begin = isSnapshot ? 'begin isolation level repeatable read read only' : 'begin'
          try {
            const prelude = preludeFor(connection)
            await session.script(prelude === null ? begin : `${begin}; ${prelude.script}`)
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
  const driver: Driver = {
    ...within([]),
    within: (organisation) => {
      if (wall === null) return driver
      const settings: Settings = [
        ['role', wall.role],
        [ORGANISATION_SETTING, organisation],
      ]
      return refusalOf(wall, organisation) ?? within(wall.missing.length === 0 ? settings : [])
    },
    close: () => (ended ??= pool.end()),
  }
  return driver
}

/** The names and values of settings, which end with the transaction. */
type Settings = readonly (readonly [name: string, value: string])[]

/**
 * What makes settings: a statement without rows, with the values as parameters, and the same as a script. `bound` is the
 * messages that run the statement where it is prepared.
 */
type Prelude = Readonly<{ sql: string; values: readonly string[]; script: string; bound: Buffer }>

/** Null for no settings. */
function preludeOf(settings: Settings): Prelude | null {
  if (settings.length === 0) return null
  const made = settings.map(([name], at) => `set_config('${name}', $${String(at + 1)}, true) is null`)
  const written = settings.map(([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, true)`)
  const sql = `select where ${made.join(' or ')}`
  const values = settings.map(([, value]) => value)
  return {
    sql,
    values,
    script: `select ${written.join(', ')}`,
    bound: Buffer.concat([serialize.bind({ statement: nameOf(sql), values }), EXECUTE]),
  }
}

type Column = Readonly<{ name: string; parse: Parse }>

/** A connection, and the statements that are prepared on it; null when that is uncertain. */
type Connection = Readonly<{ isPooled: boolean; prepared: Map<string, readonly Column[] | null> }>

/**
 * Finds out whether a pooler is between, which answers with a process of its own. Only a connection without one can keep
 * the limits and prepared statements: in transaction mode, the next transaction may be of another process.
 */
async function greet(client: pg.PoolClient, limits: Settings): Promise<Connection> {
  const { processID } = client as pg.PoolClient & Readonly<{ processID: number | null }>
  const isOther = `pg_backend_pid() <> ${String(processID ?? 0)}`
  const kept = limits.map(([name, value]) => `set_config('${name}', '${value}', ${isOther})`)
  const { rows } = await client.query<{ isPooled: boolean }>(
    `select ${isOther} as "isPooled", ${kept.join(', ')}`,
  )
  return { isPooled: rows[0]?.isPooled !== false, prepared: new Map() }
}

/** The names of statements. They follow from the texts, so that all instances give the same statement the same name. */
const names = new Map<string, string>()
function nameOf(sql: string): string {
  const known = names.get(sql)
  if (known !== undefined) return known
  const name = createHash('sha256').update(sql).digest('base64url').slice(0, 22)
  names.set(sql, name)
  return name
}

/** The columns of a row as PostgreSQL sends them. */
type Texts = readonly (string | null)[]
/** A row that was read, and what it was read from. */
type Recalled = Readonly<{ texts: Texts; row: object }>

type Answer = (error: Error | null, rows: readonly object[]) => void

/**
 * A statement and the settings before it, in one round trip and one transaction. The connection prepares a statement
 * once, and is told its columns once.
 */
class Statement implements pg.Submittable {
  callback: Answer
  readonly #connection: Connection
  readonly #prelude: Prelude | null
  readonly #sql: string
  readonly #values: readonly Value[]
  readonly #rows: object[] = []
  readonly #preparing: string[] = []
  readonly #recalled: Memory<Recalled> | null
  #columns: readonly Column[]
  #unreadable: Error | null = null

  constructor(
    connection: Connection,
    prelude: Prelude | null,
    sql: string,
    values: readonly Value[],
    callback: Answer,
    recalled: Memory<Recalled> | null = null,
  ) {
    this.#recalled = recalled
    this.#connection = connection
    this.#prelude = prelude
    this.#sql = sql
    this.#values = values
    this.#columns = (connection.isPooled ? null : connection.prepared.get(sql)) ?? []
    this.callback = callback
  }

  /** Writes all messages in one piece, which costs less than gathering five. */
  submit(connection: pg.Connection): void {
    const settings = this.#prelude === null ? [] : this.#settingsOf(this.#prelude)
    connection.stream.write(Buffer.concat([...settings, ...this.#messagesOf(this.#sql, this.#values), SYNC]))
  }

  #settingsOf({ sql, values, bound }: Prelude): readonly Buffer[] {
    const { isPooled, prepared } = this.#connection
    return !isPooled && prepared.get(sql) ? [bound] : this.#messagesOf(sql, values)
  }

  #messagesOf(sql: string, values: readonly Value[]): readonly Buffer[] {
    const { isPooled, prepared } = this.#connection
    const statement = isPooled ? '' : nameOf(sql)
    const known = isPooled ? undefined : prepared.get(sql)
    const bound = serialize.bind({ statement, values: [...values] })
    if (known) return [bound, EXECUTE]
    if (!isPooled) this.#preparing.push(sql)
    return [
      // When a statement failed, it is uncertain whether it was prepared before. A name that is unknown can be closed, too.
      ...(known === null ? [serialize.close({ type: 'S', name: statement })] : []),
      serialize.parse({ name: statement, text: sql }),
      bound,
      ...(sql === this.#sql ? [DESCRIBE] : []),
      EXECUTE,
    ]
  }

  handleRowDescription({ fields }: Readonly<{ fields: readonly pg.FieldDef[] }>): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: types.getTypeParser(dataTypeID, 'text') as Parse,
    }))
  }

  handleDataRow({ fields }: Readonly<{ fields: Texts }>): void {
    try {
      this.#rows.push(this.#recalled === null ? this.#read(fields) : this.#recall(fields, this.#recalled))
    } catch (error) {
      // An error in a listener of the connection would end the process.
      this.#unreadable = new TypeError('A value of the database cannot be read.', { cause: error })
    }
  }

  #read(fields: Texts): object {
    const row: Record<string, unknown> = {}
    // Without an iterator, because all rows pass here.
    this.#columns.forEach(({ name, parse }, at) => {
      const text = fields[at] ?? null
      row[name] = text === null ? null : parse(text)
    })
    return row
  }

  /** The row of the same statement with the same values, if it still has these texts. */
  #recall(texts: Texts, recalled: Memory<Recalled>): object {
    const key = `${nameOf(this.#sql)} ${String(this.#rows.length)} ${this.#values.join(' ')}`
    const known = recalled.get(key)
    if (known?.texts.every((text, at) => text === texts[at])) return known.row
    const row = this.#read(texts)
    const length = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)
    if (length <= MAX_RECALLED_LENGTH) recalled.set(key, { texts, row })
    return row
  }

  handleReadyForQuery(): void {
    for (const sql of this.#preparing)
      this.#connection.prepared.set(sql, sql === this.#sql ? this.#columns : [])
    this.callback(this.#unreadable, this.#rows)
  }

  handleError(error: Error): void {
    for (const sql of this.#preparing) this.#connection.prepared.set(sql, null)
    this.callback(error, [])
  }

  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyData(): void {}
  handleCopyInResponse(): void {}
}

/** A parameter in PostgreSQL's text form; bytes stay bytes. */
type Value = string | Buffer | null

function parameterOf(value: unknown): Value {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value)
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (Array.isArray(value)) return arrayOf(value)
  throw new TypeError('A parameter is a text, a number, a boolean, bytes, an array of these, or null.')
}

const arrayOf = (values: readonly unknown[]): string =>
  `{${values
    .map((value) => {
      if (Array.isArray(value)) return arrayOf(value)
      const text = parameterOf(value)
      if (text === null) return 'NULL'
      return typeof text === 'string'
        ? `"${text.replace(/[\\"]/g, '\\$&')}"`
        : `"\\\\x${text.toString('hex')}"`
    })
    .join(',')}}`

/** An error that is neither of the database nor of the program means that the connection failed. */
function failureOf(error: unknown): Error {
  if (error instanceof TypeError || error instanceof StoreUnavailable) return error
  if (error instanceof pg.DatabaseError) return unavailable(error) ?? error
  return new StoreUnavailable(`${STORE_PROBLEMS.away}: ${reasonOf(error, 'the connection failed')}`, {
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
