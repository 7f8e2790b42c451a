/** The table of the users and groups last reported by the directory. */
import type { JsonObject } from '../../../streams/organisation/directory/directory.ts'
import type { OrganisationAccess } from './access.ts'
import { type Query, rawSql, type Sql, sql } from './query.ts'

export type EntryKind = 'user' | 'group'

/** A user or group as reported by a source. */
export type ReportedEntry = Readonly<{
  id: string
  data: JsonObject
  /** The sign-in name of a user or the display name of a group, in lower case. */
  name: string | null
  /** The id or nickname that the source itself uses, in lower case. */
  externalId: string | null
  addresses: readonly string[]
  /** The id of a user's manager. The source may not contain a user with this id. */
  manager: string | null
  /** False for a removed or disabled user. */
  active: boolean
}>

export type DirectoryEntry = ReportedEntry &
  Readonly<{
    /** Grows with each change. */
    revision: number
    /** Whether the directory no longer has the entry. If so, its data was deleted. */
    removed: boolean
    /** Whether this entry's person was erased. If so, the entry has no data, and ignores later reports. */
    erased: boolean
    /** The id of the person to whom the entry was applied; null until then. */
    person: string | null
    /** The directory picture, as `<hash>.<extension>`. */
    picture: string | null
  }>

export type FoundGroup = Readonly<{
  source: string
  id: string
  name: string | null
  externalId: string | null
}>

/** The beginning of an escaped character in JSON. */
const JSON_ESCAPE = '\\u'

const ENTRY_COLUMNS = rawSql(
  'id, revision, data, name, external_id as "externalId", addresses, manager, active, removed, erased, person, picture',
)
export const ENTRY_IS_PRESENT = rawSql('not removed and not erased')

export const readEntries = (query: Query, where: Sql) =>
  query<DirectoryEntry>`select ${ENTRY_COLUMNS} from directory_entry where organisation = $1 and ${where}`

/** The assignments that clear the data of an entry. */
export const EMPTY_ENTRY_COLUMNS = rawSql(
  "data = '{}', name = null, external_id = null, addresses = '{}', manager = null, active = false, picture = null",
)

export function createEntryStore({ query, count }: OrganisationAccess) {
  const read = (where: Sql) => readEntries(query, where)

  return {
    /**
     * The entries with these ids, including removed and erased entries. Ignores unknown ids.
     *
     * @param round limits the result to entries reported by this round; null for all
     */
    entries: async (source: string, kind: EntryKind, ids: readonly string[], round: string | null = null) =>
      ids.length === 0
        ? []
        : read(sql`source = ${source} and kind = ${kind} and id = any (${ids}::text[])
            and (${round}::text is null or round = ${round}) order by id`),

    /** One page of entries, ordered by id, after the id `after`. Omits removed and erased entries. */
    page: (source: string, kind: EntryKind, after: string | null, limit: number) =>
      read(
        sql`source = ${source} and kind = ${kind} and id > ${after ?? ''} and ${ENTRY_IS_PRESENT} order by id limit ${limit}`,
      ),

    /** Entries ordered by id, from position `skip` on. Omits removed and erased entries. */
    slice: (source: string, kind: EntryKind, skip: number, limit: number) =>
      read(
        sql`source = ${source} and kind = ${kind} and ${ENTRY_IS_PRESENT} order by id limit ${limit} offset ${skip}`,
      ),

    count: (source: string, kind: EntryKind) =>
      count(sql`count(*)::int as count from directory_entry
        where organisation = $1 and source = ${source} and kind = ${kind} and ${ENTRY_IS_PRESENT}`),

    /** Finds entries, ordered by id. Omits removed and erased entries. The value in `by` must be in lower case. */
    find: async (
      source: string,
      kind: EntryKind,
      by: Readonly<{ name: string } | { externalId: string } | { address: string }>,
    ) => {
      const whereOf = () => {
        if ('name' in by) return sql`organisation = $1 and kind = ${kind} and name = ${by.name}`
        if ('externalId' in by)
          return sql`organisation = $1 and kind = ${kind} and external_id = ${by.externalId}`
        return sql`organisation = $1 and (source, kind, id) in (
          select source, kind, id from entry_address where organisation = $1 and addresses @> ${[by.address]}::text[]
          offset 0)`
      }
      // Materialized, so that PostgreSQL uses the condition's index even before the planner has statistics.
      const found = await query<DirectoryEntry>`
        with found as materialized (select * from directory_entry where ${whereOf()})
        select ${ENTRY_COLUMNS} from found
        where organisation = $1 and source = ${source} and kind = ${kind} and ${ENTRY_IS_PRESENT}`
      return found.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    },

    /**
     * The indexes of those paths that lead to a value in the data of at least one entry. Omits removed and erased entries,
     * and entries with an escaped character, because PostgreSQL cannot read all of these.
     */
    filledPaths: async (
      source: string,
      kind: EntryKind,
      paths: readonly (readonly string[])[],
    ): Promise<ReadonlySet<number>> => {
      if (paths.length === 0) return new Set()
      const rows = await query<{ index: number }>`
        select nth::int - 1 as index
        from unnest(${paths.map((path) => JSON.stringify(path))}::text[]) with ordinality as asked (path, nth)
        where exists (
          select 1 from directory_entry
          where organisation = $1 and source = ${source} and kind = ${kind} and ${ENTRY_IS_PRESENT}
            and case when strpos(data::text, ${JSON_ESCAPE}) = 0
              then data #> array(select json_array_elements_text(asked.path::json)) is not null end)`
      return new Set(rows.map(({ index }) => index))
    },

    /** The groups with one of `names` as their id, name or external id. `names` must be in lower case. */
    groupsNamed: async (sources: readonly string[], names: readonly string[]) =>
      names.length === 0
        ? []
        : query<FoundGroup>`
            select source, id, name, external_id as "externalId" from directory_entry
            where organisation = $1 and source = any (${sources}::text[]) and kind = 'group' and ${ENTRY_IS_PRESENT}
              and (name = any (${names}::text[]) or external_id = any (${names}::text[])
                or lower(id) = any (${names}::text[]))
            order by source, id`,
  }
}
