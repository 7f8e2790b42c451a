/**
 * A backup: a database as lines of JSON. The first line is a head. Each table has a line that names its columns, and a
 * line with an array for each row. The last line has the number of rows. Values are in PostgreSQL's text form, which
 * the embedded database reads too. Signing keys stay encrypted.
 */
import {
  list,
  nullable,
  number,
  object,
  oneOf,
  orNull,
  map,
  type OutOf,
  type Schema,
  text,
} from '../../../streams/kernel/schema.ts'
import type { Driver, Session } from './driver.ts'

/** The tables of a backup, each with the columns that order its pages. Leases expire, so a backup has none. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  event: ['organisation', 'stream', 'version'],
  person: ['organisation', 'id'],
  address: ['organisation', 'address'],
  release: ['organisation', 'id'],
  picture: ['organisation', 'hash'],
  told: ['organisation', 'person'],
  signing_key: ['organisation', 'id'],
  plan: ['organisation', 'id'],
  directory_entry: ['organisation', 'source', 'kind', 'id'],
  directory_member: ['organisation', 'source', 'group_id', 'member_id'],
  directory_cursor: ['organisation', 'source', 'kind'],
  directory_run: ['organisation', 'id'],
  directory_retired: ['organisation', 'source', 'id'],
  counted_link: ['organisation', 'id'],
  counted_click: ['organisation', 'day', 'block'],
}

/** The page size for large tables, whose rows may have some megabytes each. */
const LARGE_PAGE_ROWS = 4
const PAGE_ROWS = 500
const LARGE_TABLES = ['picture', 'release']

const BATCH_CHARACTERS = 4_000_000

type Column = Readonly<{ name: string; type: string }>

const head = object({ signet: oneOf('backup'), migrations: number })
const table = object({ table: text, columns: list(text) })
const end = object({ rows: number })
const row = list(nullable(text))
type Row = OutOf<typeof row>

const is = <Out>(schema: Schema<Out>, value: unknown): value is Out =>
  orNull(map(schema, () => true)).read(value, '') !== null

/** Writes a backup of the database at one moment. `write` gets each line without its line break. */
export async function backUp(driver: Driver, write: (line: string) => Promise<void>): Promise<void> {
  const isSnapshot = true
  await driver.transaction(async (session) => {
    await waitForFiles(session)
    await write(JSON.stringify({ signet: 'backup', migrations: await migrationsOf(session) }))
    let rows = 0
    for (const [name, key] of Object.entries(TABLES)) {
      const columns = await columnsOf(session, name)
      await write(JSON.stringify({ table: name, columns: columns.map((column) => column.name) }))
      for await (const values of readRows(session, name, key, columns)) {
        await write(JSON.stringify(values))
        rows += 1
      }
    }
    await write(JSON.stringify({ rows }))
  }, isSnapshot)
}

async function* readRows(session: Session, name: string, key: readonly string[], columns: readonly Column[]) {
  const limit = LARGE_TABLES.includes(name) ? LARGE_PAGE_ROWS : PAGE_ROWS
  const places = key.map((part) => columns.findIndex((column) => column.name === part))
  const after = places.map((place, index) => `$${String(index + 1)}::${columns[place]?.type ?? ''}`)
  const page = (where: string) =>
    `select array[${columns.map((column) => `"${column.name}"::text`).join(', ')}] as row from ${name} ${where}
     order by ${key.join(', ')} limit ${String(limit)}`
  const following = page(`where (${key.join(', ')}) > (${after.join(', ')})`)
  let rows = await session.query<{ row: Row }>(page(''))
  for (;;) {
    for (const found of rows) yield found.row
    const last = rows.at(-1)
    if (last === undefined || rows.length < limit) return
    rows = await session.query(
      following,
      places.map((place) => last.row[place]),
    )
  }
}

/**
 * Fills an empty database with the lines of a backup, in one transaction.
 *
 * @throws Error with a sentence when the database has data, or when the lines are not a complete backup
 */
export async function restore(driver: Driver, lines: AsyncIterable<string>): Promise<void> {
  await driver.transaction(async (session) => {
    await waitForFiles(session)
    for (const name of Object.keys(TABLES)) {
      const found = await session.query(`select 1 from ${name} limit 1`)
      if (found.length > 0) throw new Error('The database has data already: restore into an empty one.')
    }
    let insert = createInsert(session, '', [])
    let [at, rows, isWhole] = [0, 0, false]
    for await (const line of lines) {
      at += 1
      const value = parseLine(line)
      if (at === 1) {
        const known = await migrationsOf(session)
        if (!is(head, value)) throw new Error('This is not a backup of Signet.')
        if (value.migrations > known)
          throw new Error('The backup is of a newer Signet: restore it with that version.')
      } else if (is(row, value) && !isWhole) {
        rows += 1
        await insert.add(value, at)
      } else if (is(table, value) && value.table in TABLES) {
        await insert.flush()
        const columns = await columnsOf(session, value.table)
        insert = createInsert(
          session,
          value.table,
          value.columns.map((name) => known(columns, name, at)),
        )
      } else if (is(end, value) && value.rows === rows) {
        isWhole = true
      } else {
        throw new Error(`Line ${String(at)} is not a line of a backup.`)
      }
    }
    await insert.flush()
    if (!isWhole) throw new Error('The backup is incomplete: its end is missing.')
  })
}

function known(columns: readonly Column[], name: string, line: number): Column {
  const found = columns.find((column) => column.name === name)
  if (found === undefined) throw new Error(`Line ${String(line)} names an unknown column.`)
  return found
}

/** Inserts rows into one table, many rows in one statement. */
function createInsert(session: Session, name: string, columns: readonly Column[]) {
  const names = columns.map((column) => `"${column.name}"`).join(', ')
  const sql = `insert into ${name} (${names})
    select ${columns.map(({ type }, index) => `c${String(index)}::${type}`).join(', ')}
    from unnest(${columns.map((_, index) => `$${String(index + 1)}::text[]`).join(', ')})
      as r (${columns.map((_, index) => `c${String(index)}`).join(', ')})`
  let waiting: Row[] = []
  let characters = 0
  async function flush(): Promise<void> {
    if (waiting.length === 0) return
    await session.query(
      sql,
      columns.map((_, index) => waiting.map((values) => values[index])),
    )
    waiting = []
    characters = 0
  }
  return {
    flush,
    async add(values: Row, line: number): Promise<void> {
      if (columns.length === 0 || values.length !== columns.length)
        throw new Error(`Line ${String(line)} is not a row of its table.`)
      waiting.push(values)
      characters += values.reduce((sum, value) => sum + (value?.length ?? 0), 0)
      if (waiting.length >= PAGE_ROWS || characters >= BATCH_CHARACTERS) await flush()
    },
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** Lifts the idle limit of the transaction, which may have to wait for the file of the backup. */
const waitForFiles = (session: Session) => session.script('set local idle_in_transaction_session_timeout = 0')

async function migrationsOf(session: Session): Promise<number> {
  const [found] = await session.query<{ count: number }>('select count(*)::int as count from migration')
  return found?.count ?? 0
}

const columnsOf = (session: Session, name: string): Promise<readonly Column[]> =>
  session.query(
    `select column_name as name, udt_name as type from information_schema.columns
     where table_schema = current_schema() and table_name = $1 order by ordinal_position`,
    [name],
  )
