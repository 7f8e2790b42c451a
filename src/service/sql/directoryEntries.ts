/** The table of the users and groups that the directory last reported. */
import type { JsonObject } from '../../../streams/organisation/directory/directory.ts'
import type { Access } from './access.ts'
import { type Query, raw, type Sql, sql } from './query.ts'

export type EntryKind = 'user' | 'group'

/** A user or a group as a source reports it. */
export type ReportedEntry = Readonly<{
  id: string
  data: JsonObject
  /** In lower case: the sign-in name of a user, the display name of a group. */
  name: string | null
  /** In lower case: the source's own id or nickname. */
  externalId: string | null
  addresses: readonly string[]
  /** The id of a user's manager. The source may have no user with this id. */
  manager: string | null
  /** False for a removed or disabled user. */
  active: boolean
}>

export type DirectoryEntry = ReportedEntry &
  Readonly<{
    /** Grows with each change. */
    revision: number
    /** The directory no longer has the entry; its data was deleted. */
    removed: boolean
    /** The person of this entry was erased: the entry has no data, and ignores later reports. */
    erased: boolean
    /** The id of the person that the entry belongs to; null until the entry was applied. */
    person: string | null
    /** `<hash>.<extension>` of the picture in the directory. */
    picture: string | null
  }>

export type FoundGroup = Readonly<{
  source: string
  id: string
  name: string | null
  externalId: string | null
}>

const ENTRY_COLUMNS = raw(
  'id, revision, data, name, external_id as "externalId", addresses, manager, active, removed, erased, person, picture',
)
export const IS_THERE = raw('not removed and not erased')

export const readEntries = (query: Query, where: Sql) =>
  query<DirectoryEntry>`select ${ENTRY_COLUMNS} from directory_entry where organisation = $1 and ${where}`

/** The values of an entry without data. */
export const EMPTIED = raw(
  "data = '{}', name = null, external_id = null, addresses = '{}', manager = null, active = false, picture = null",
)

export function createEntryStore({ query, count }: Access) {
  const read = (where: Sql) => readEntries(query, where)

  return {
    /**
     * The entries with these ids, including removed and erased entries. Unknown ids have no entry.
     *
     * @param round only the entries that this round reported; null for all
     */
    entries: async (source: string, kind: EntryKind, ids: readonly string[], round: string | null = null) =>
      ids.length === 0
        ? []
        : read(sql`source = ${source} and kind = ${kind} and id = any (${ids}::text[])
            and (${round}::text is null or round = ${round}) order by id`),

    /** One page of entries in the order of their ids, after the id `after`, without removed and erased entries. */
    page: (source: string, kind: EntryKind, after: string | null, limit: number) =>
      read(
        sql`source = ${source} and kind = ${kind} and id > ${after ?? ''} and ${IS_THERE} order by id limit ${limit}`,
      ),

    /** Entries in the order of their ids, without the first `skip` entries, and without removed and erased entries. */
    slice: (source: string, kind: EntryKind, skip: number, limit: number) =>
      read(
        sql`source = ${source} and kind = ${kind} and ${IS_THERE} order by id limit ${limit} offset ${skip}`,
      ),

    count: (source: string, kind: EntryKind) =>
      count(sql`count(*)::int as count from directory_entry
        where organisation = $1 and source = ${source} and kind = ${kind} and ${IS_THERE}`),

    /** Finds entries, in the order of their ids, except removed and erased ones. The value in `by` is in lower case. */
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
      // Materialized, so that PostgreSQL uses the index of the condition even before the planner has statistics.
      const found = await query<DirectoryEntry>`
        with found as materialized (select * from directory_entry where ${whereOf()})
        select ${ENTRY_COLUMNS} from found
        where organisation = $1 and source = ${source} and kind = ${kind} and ${IS_THERE}`
      return found.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    },

    /** The groups whose id, name or external id is one of `names`, which are in lower case. */
    groupsNamed: async (sources: readonly string[], names: readonly string[]) =>
      names.length === 0
        ? []
        : query<FoundGroup>`
            select source, id, name, external_id as "externalId" from directory_entry
            where organisation = $1 and source = any (${sources}::text[]) and kind = 'group' and ${IS_THERE}
              and (name = any (${names}::text[]) or external_id = any (${names}::text[])
                or lower(id) = any (${names}::text[]))
            order by source, id`,
  }
}
