/**
 * A backup is a database as lines of JSON. The first line is a header. Each table then has a line with its column
 * names, and a line with an array for each row. The last line contains the number of rows. Values are in PostgreSQL's
 * text form, which the embedded database can also read. Signing keys stay encrypted. An export of an organisation has
 * the same format, with a different header and only the rows of the organisation.
 */
import {
  flag,
  list,
  nullable,
  number,
  object,
  oneOf,
  orNull,
  mapSchema,
  type OutOf,
  type Schema,
  text,
  variant,
} from '../../../streams/kernel/schema.ts'
import type { DatabaseDriver, DatabaseSession } from './driver.ts'
import { registerOrganisation, type RegisteredOrganisation } from './registry.ts'
import {
  type Column,
  hasOrganisationRows,
  LARGE_TABLES,
  LEASES_TABLE,
  organisationTablesOf,
  SIGNING_KEYS_TABLE,
  type Table,
  WORDS_TABLE,
  WORDS_REVISION_COLUMN,
  tablesOf,
} from './tables.ts'
import { PlainError } from '../../server/reasons.ts'

/** The page size for large tables, whose rows may have several megabytes each. */
const LARGE_PAGE_ROWS = 4
const PAGE_ROWS = 500

const BATCH_CHARACTERS = 4_000_000

const head = object({ signet: oneOf('backup'), migrations: number })
const exportHead = object({
  signet: oneOf('organisation'),
  migrations: number,
  organisation: text,
  name: text,
  tenants: list(text),
  directory: nullable(
    variant(
      'kind',
      object({ kind: oneOf('graph'), minutes: number, pictures: flag }),
      object({ kind: oneOf('scim') }),
    ),
  ),
  scimToken: nullable(text),
})
const table = object({ table: text, columns: list(text) })
const end = object({ rows: number })
const row = list(nullable(text))
type Row = OutOf<typeof row>

/** The registration of an exported organisation. `scimToken` is the SHA-256 of the token, in hex. */
export type ExportedOrganisation = Pick<RegisteredOrganisation, 'name' | 'tenants' | 'directory'> &
  Readonly<{ organisation: string; scimToken: string | null }>

const is = <Out>(schema: Schema<Out>, value: unknown): value is Out =>
  orNull(mapSchema(schema, () => true)).read(value, '') !== null

type Write = (line: string) => Promise<void>

/** Writes a backup from a snapshot of the database. `write` gets each line without its line break. */
export async function backUp(driver: DatabaseDriver, write: Write): Promise<void> {
  await writeSnapshot(driver, write, async (session) => {
    await write(JSON.stringify({ signet: 'backup', migrations: await migrationsOf(session) }))
    return writeRows(session, await backedUp(session), null, write)
  })
}

/**
 * Writes a snapshot of an organisation. Omits its signing keys, because only the exporting service can decrypt them.
 */
export async function exportOrganisation(
  driver: DatabaseDriver,
  exported: ExportedOrganisation,
  write: Write,
): Promise<void> {
  const { organisation } = exported
  const migrations = await migrationsOf(driver)
  await writeSnapshot(driver.within(organisation), write, async (session) => {
    await write(JSON.stringify({ signet: 'organisation', migrations, ...exported }))
    return writeRows(session, await exportable(session), organisation, write)
  })
}

async function writeSnapshot(
  driver: Pick<DatabaseDriver, 'transaction'>,
  write: Write,
  writeTo: (session: DatabaseSession) => Promise<number>,
): Promise<void> {
  const isSnapshot = true
  await driver.transaction(async (session) => {
    await waitForFiles(session)
    await write(JSON.stringify({ rows: await writeTo(session) }))
  }, isSnapshot)
}

/** Backups omit leases, which expire, and words, which are derived from people. */
const backedUp = async (session: DatabaseSession): Promise<readonly Table[]> =>
  withoutWords(await tablesOf(session)).filter(({ name }) => name !== LEASES_TABLE)

const exportable = async (session: DatabaseSession): Promise<readonly Table[]> =>
  withoutWords(await organisationTablesOf(session)).filter(
    ({ name }) => name !== LEASES_TABLE && name !== SIGNING_KEYS_TABLE,
  )

/** Omits the table of search words, and the column that marks a person's words as stored. */
const withoutWords = (tables: readonly Table[]): readonly Table[] =>
  tables
    .filter(({ name }) => name !== WORDS_TABLE)
    .map((each) => ({ ...each, columns: each.columns.filter(({ name }) => name !== WORDS_REVISION_COLUMN) }))

/** Writes the rows of one organisation, or all rows if `organisation` is null. Resolves with the number of rows. */
async function writeRows(
  session: DatabaseSession,
  tables: readonly Table[],
  organisation: string | null,
  write: Write,
): Promise<number> {
  let rows = 0
  for (const each of tables) {
    await write(JSON.stringify({ table: each.name, columns: each.columns.map(({ name }) => name) }))
    for await (const values of readRows(session, each, organisation)) {
      await write(JSON.stringify(values))
      rows += 1
    }
  }
  return rows
}

async function* readRows(
  session: DatabaseSession,
  { name, key, columns }: Table,
  organisation: string | null,
) {
  const limit = LARGE_TABLES.includes(name) ? LARGE_PAGE_ROWS : PAGE_ROWS
  const own = organisation === null ? [] : [organisation]
  const parts = key.filter((part) => organisation === null || part !== 'organisation')
  const places = parts.map((part) => columns.findIndex((column) => column.name === part))
  const after = places.map(
    (place, index) => `$${String(own.length + index + 1)}::${columns[place]?.type ?? ''}`,
  )
  const page = (...conditions: readonly string[]) => {
    const all = [...own.map(() => 'organisation = $1'), ...conditions]
    const where = all.length === 0 ? '' : `where ${all.join(' and ')}`
    return `select array[${columns.map((column) => `"${column.name}"::text`).join(', ')}] as row from ${name} ${where}
     order by ${parts.join(', ')} limit ${String(limit)}`
  }
  const following = page(`(${parts.join(', ')}) > (${after.join(', ')})`)
  let rows = await session.query<{ row: Row }>(page(), own)
  for (;;) {
    for (const found of rows) yield found.row
    const last = rows.at(-1)
    if (last === undefined || rows.length < limit) return
    rows = await session.query(following, [...own, ...places.map((place) => last.row[place])])
  }
}

/**
 * Fills an empty database with the lines of a backup, in one transaction.
 *
 * @throws PlainError when the database has data, or when the lines are not a complete backup
 */
export const restoreBackup = (driver: DatabaseDriver, lines: AsyncIterable<string>): Promise<void> =>
  afterFirst(lines, (first, rest) =>
    driver.transaction(async (session) => {
      await waitForFiles(session)
      const tables = await backedUp(session)
      for (const { name } of tables) {
        const found = await session.query(`select 1 from ${name} limit 1`)
        if (found.length > 0)
          throw new PlainError('The database has data already: restore into an empty one.')
      }
      if (first === null) throw new PlainError(INCOMPLETE)
      const value = valueOf(first)
      if (!is(head, value)) throw new PlainError('This is not a backup of Signet.')
      if (value.migrations > (await migrationsOf(session)))
        throw new PlainError('The backup is of a newer Signet: restore it with that version.')
      await readRowsOf(session, rest, tables, null)
    }),
  )

/**
 * Adds an organisation from the lines of its export, in one transaction.
 *
 * @param admit gets the exported registration, and resolves with the registration to use here. If it rejects, nothing
 *   is imported.
 * @param addedAt milliseconds since 1970
 * @returns the registration of the organisation, and the number of its rows
 * @throws PlainError when the lines are not a complete export, when the organisation has data here already, or when one
 *   of its tenants or its SCIM token belongs to another organisation
 */
export const importOrganisation = (
  driver: DatabaseDriver,
  lines: AsyncIterable<string>,
  admit: (exported: ExportedOrganisation) => Promise<ExportedOrganisation>,
  addedAt: number,
): Promise<Readonly<{ imported: ExportedOrganisation; rows: number }>> =>
  afterFirst(lines, async (first, rest) => {
    const value = valueOf(first ?? '')
    if (!is(exportHead, value)) throw new PlainError('This is not an export of an organisation of Signet.')
    if (value.migrations > (await migrationsOf(driver)))
      throw new PlainError('The export is of a newer Signet: import it with that version.')
    const imported = await admit(exportHead.read(value, ''))
    const { organisation: id, name, tenants, directory, scimToken } = imported
    const rows = await driver.transaction(async (session) => {
      await waitForFiles(session)
      if (await hasOrganisationRows(session, id))
        throw new PlainError(`There is data of ${id} already: signet organisation remove ${id} deletes it.`)
      if (!(await registerOrganisation(session, { id, name, tenants, directory, addedAt }, scimToken)))
        throw new PlainError(`A tenant or the SCIM token of ${id} belongs to another organisation.`)
      return readRowsOf(session, rest, await exportable(session), id)
    })
    return { imported, rows }
  })

const INCOMPLETE = 'The backup is incomplete: its end is missing.'

/** Runs a function with the first line and the lines after it. `first` is null if there are no lines. */
async function afterFirst<Result>(
  lines: AsyncIterable<string>,
  run: (first: string | null, rest: AsyncIterable<string>) => Promise<Result>,
): Promise<Result> {
  const reading = lines[Symbol.asyncIterator]()
  try {
    const first = await reading.next()
    const rest = { [Symbol.asyncIterator]: () => ({ next: () => reading.next() }) }
    return await run(first.done === true ? null : first.value, rest)
  } finally {
    await reading.return?.()
  }
}

/**
 * Inserts the rows of a backup or an export, from the line after the header.
 *
 * @param organisation the owner of the inserted rows; null keeps each row's owner
 * @returns the number of rows
 */
async function readRowsOf(
  session: DatabaseSession,
  lines: AsyncIterable<string>,
  tables: readonly Table[],
  organisation: string | null,
): Promise<number> {
  let insert = createInsert(session, '', [], organisation)
  let [at, rows, isWhole] = [1, 0, false]
  for await (const line of lines) {
    at += 1
    const value = valueOf(line)
    const named = is(table, value) ? tables.find(({ name }) => name === value.table) : undefined
    if (is(row, value) && !isWhole) {
      rows += 1
      await insert.add(value, at)
    } else if (is(table, value) && named !== undefined) {
      await insert.flush()
      const columns = value.columns.map((name) => known(named.columns, name, at))
      insert = createInsert(session, named.name, columns, organisation)
    } else if (is(end, value) && value.rows === rows) {
      isWhole = true
    } else {
      throw new PlainError(`Line ${String(at)} is not a line of a backup.`)
    }
  }
  await insert.flush()
  if (!isWhole) throw new PlainError(INCOMPLETE)
  return rows
}

function known(columns: readonly Column[], name: string, line: number): Column {
  const found = columns.find((column) => column.name === name)
  if (found === undefined) throw new PlainError(`Line ${String(line)} names an unknown column.`)
  return found
}

/**
 * Inserts rows into one table, with many rows in each statement.
 *
 * @param organisation the owner of the inserted rows; null keeps each row's owner
 */
function createInsert(
  session: DatabaseSession,
  name: string,
  columns: readonly Column[],
  organisation: string | null,
) {
  const isOwned = (column: Column) => organisation !== null && column.name === 'organisation'
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
      columns.map((column, index) =>
        waiting.map((values) => (isOwned(column) ? organisation : values[index])),
      ),
    )
    waiting = []
    characters = 0
  }
  return {
    flush,
    async add(values: Row, line: number): Promise<void> {
      if (columns.length === 0 || values.length !== columns.length)
        throw new PlainError(`Line ${String(line)} is not a row of its table.`)
      waiting.push(values)
      characters += values.reduce((sum, value) => sum + (value?.length ?? 0), 0)
      if (waiting.length >= PAGE_ROWS || characters >= BATCH_CHARACTERS) await flush()
    },
  }
}

function valueOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** Lifts the idle limit of the transaction, because it may have to wait for the backup file. */
const waitForFiles = (session: DatabaseSession) =>
  session.script('set local idle_in_transaction_session_timeout = 0')

async function migrationsOf(session: Pick<DatabaseSession, 'query'>): Promise<number> {
  const [found] = await session.query<{ count: number }>('select count(*)::int as count from migration')
  return found?.count ?? 0
}
