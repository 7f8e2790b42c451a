/** Lists the tables from the database itself, so that a new table is never forgotten. */
import type { DatabaseDriver, DatabaseSession } from './driver.ts'

/** `type` is the type's name, as used in a cast. */
export type Column = Readonly<{ name: string; type: string }>

export type Table = Readonly<{
  name: string
  /** The columns of the primary key, in order. */
  key: readonly string[]
  /** The columns to write, without computed columns. */
  columns: readonly Column[]
  /** Whether each row belongs to an organisation, whose id is in the column `organisation`. */
  isOfOrganisations: boolean
}>

/** The tables about migrations. They belong to the program, not to its data. */
const OF_THE_PROGRAM = ['migration', 'migration_lock']
/** A table whose rows name organisations but belong to the installation. */
const TENANTS = 'tenant'
/** The table of leases, which expire. */
export const LEASES_TABLE = 'lease'
/** The table of the words that find people, and the column of `person` that shows whether their words are stored. */
export const WORDS_TABLE = 'person_word'
export const WORDS_REVISION_COLUMN = 'words_revision'
/** The keys that sign bearers, encrypted with the secret of their installation. */
export const SIGNING_KEYS_TABLE = 'signing_key'

/** Lists all tables except the migration tables, sorted by name. */
export async function tablesOf(session: Pick<DatabaseSession, 'query'>): Promise<readonly Table[]> {
  const found = await session.query<Omit<Table, 'isOfOrganisations'>>(
    `select c.relname as name,
       array(select a.attname::text from pg_index i cross join unnest(i.indkey) with ordinality as k (number, place)
         join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
         where i.indrelid = c.oid and i.indisprimary order by k.place) as key,
       (select json_agg(json_build_object('name', a.attname, 'type', t.typname) order by a.attnum)
         from pg_attribute a join pg_type t on t.oid = a.atttypid
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
     from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> all ($1::text[])
     order by c.relname collate "C"`,
    [OF_THE_PROGRAM],
  )
  return found.map(({ name, key, columns }) => ({
    name,
    key,
    columns,
    isOfOrganisations: name !== TENANTS && columns.some((column) => column.name === 'organisation'),
  }))
}

export const organisationTablesOf = async (
  session: Pick<DatabaseSession, 'query'>,
): Promise<readonly Table[]> => (await tablesOf(session)).filter(({ isOfOrganisations }) => isOfOrganisations)

/** Whether any table has a row of an organisation. */
export async function hasOrganisationRows(
  session: Pick<DatabaseSession, 'query'>,
  organisation: string,
): Promise<boolean> {
  for (const { name } of await organisationTablesOf(session)) {
    const found = await session.query(`select 1 from ${name} where organisation = $1 limit 1`, [organisation])
    if (found.length > 0) return true
  }
  return false
}

/** The number of rows that one statement deletes. Rows of large tables may have several megabytes each. */
const DELETED_AT_ONCE = 1_000
const LARGE_DELETED_AT_ONCE = 50
export const LARGE_TABLES: readonly string[] = ['picture', 'planned_picture', 'release']

/**
 * Deletes every row of an organisation, in batches. After an interruption, the next call continues. Another instance
 * may still write, so the call ends only when no table has a row of the organisation.
 *
 * @returns the number of deleted rows of each table; omits tables without deleted rows
 */
export async function deleteOrganisationRows(
  driver: DatabaseDriver,
  organisation: string,
): Promise<ReadonlyMap<string, number>> {
  const within = driver.within(organisation)
  const deleted = new Map<string, number>()
  const tables = await organisationTablesOf(within)
  for (;;) {
    let found = 0
    for (const { name, key } of tables) {
      const parts = key.join(', ')
      const limit = LARGE_TABLES.includes(name) ? LARGE_DELETED_AT_ONCE : DELETED_AT_ONCE
      const statement = `with gone as (delete from ${name} where organisation = $1 and (${parts}) in (
          select ${parts} from ${name} where organisation = $1 limit ${String(limit)}) returning 1)
        select count(*)::int as count from gone`
      for (;;) {
        const count = (await within.query<{ count: number }>(statement, [organisation]))[0]?.count ?? 0
        found += count
        if (count > 0) deleted.set(name, (deleted.get(name) ?? 0) + count)
        if (count < limit) break
      }
    }
    if (found === 0) return deleted
  }
}
