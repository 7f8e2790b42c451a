/** Writes the users and groups that the directory reports, and marks the changes since the last report. */
import { canonicalText } from '../../../streams/organisation/release/release.ts'
import type { OrganisationAccess } from './access.ts'
import { reportConflicts } from './conflicts.ts'
import {
  EMPTY_ENTRY_COLUMNS,
  type EntryKind,
  ENTRY_IS_PRESENT,
  type ReportedEntry,
} from './directoryEntries.ts'
import {
  USERS_ARE_LOCKED,
  idsOf,
  lockUsersAndReports,
  markReportingUsers,
  markUsers,
  type IdRow,
} from './directoryMarks.ts'
import { dropMembers } from './directoryMembers.ts'
import { VersionConflict } from './problems.ts'
import { type Query, rawSql, type Sql, sql } from './query.ts'

/**
 * The reported entries as rows of a statement. Addresses are separated by line breaks, because they contain no white
 * space.
 */
const told = (reported: readonly ReportedEntry[]): Sql => sql`unnest(
    ${reported.map(({ id }) => id)}::text[], ${reported.map(({ data }) => canonicalText(data))}::text[],
    ${reported.map(({ name }) => name)}::text[], ${reported.map(({ externalId }) => externalId)}::text[],
    ${reported.map(({ addresses }) => addresses.join('\n'))}::text[],
    ${reported.map(({ manager }) => manager)}::text[], ${reported.map(({ active }) => active)}::boolean[]
  ) as told (id, data, name, external_id, addresses, manager, active)`
const COLUMNS = rawSql(`
  organisation, source, kind, id, revision, data, name, external_id, addresses, manager, active, removed, erased,
  changed, round, person`)
const TOLD_ADDRESSES = rawSql("string_to_array(told.addresses, E'\\n')")
const valuesOf = (source: string, kind: EntryKind, round: string | null): Sql =>
  sql`$1, ${source}, ${kind}, told.id, 1, told.data::json, told.name, told.external_id, ${TOLD_ADDRESSES},
    told.manager, told.active, false, false, true, ${round}, null`
/** Whether a report differs from the stored entry. Compares data as text, because equal data has equal text. */
const isOther = (as: Sql, addresses: Sql) =>
  sql`(directory_entry.removed or directory_entry.active <> ${as}.active
    or directory_entry.data::text <> ${as}.data::text or directory_entry.addresses <> ${addresses})`
const IS_OTHER = isOther(rawSql('excluded'), rawSql('excluded.addresses'))

async function removeWhere(inside: Query, source: string, kind: EntryKind, where: Sql): Promise<void> {
  const removed = await inside<IdRow>`
    update directory_entry set ${EMPTY_ENTRY_COLUMNS}, removed = true, changed = true, revision = revision + 1
    where organisation = $1 and source = ${source} and kind = ${kind} and ${ENTRY_IS_PRESENT} and ${where}
    returning id`
  const ids = idsOf(removed)
  if (kind === 'user') await markReportingUsers(inside, source, ids)
  else
    for (const id of ids)
      await markUsers(inside, source, await dropMembers(inside, source, id, rawSql('true')))
}

export function createEntryWriter({ query, transaction }: OrganisationAccess) {
  return {
    /**
     * Stores entries reported by the source, replacing earlier reports. Erased entries stay erased.
     *
     * @param round the id of the round that reported the entries; null for individual changes
     */
    write: async (
      source: string,
      kind: EntryKind,
      reported: readonly ReportedEntry[],
      round: string | null,
    ): Promise<void> => {
      if (reported.length === 0) return
      const rows = told(reported)
      await transaction(async (inside) => {
        const others =
          kind === 'group'
            ? []
            : await inside<IdRow>`
                select told.id from ${rows} left join directory_entry on directory_entry.organisation = $1
                  and source = ${source} and kind = ${kind} and directory_entry.id = told.id
                where directory_entry.id is null
                  or (not erased and ${isOther(rawSql('told'), TOLD_ADDRESSES)})`
        await inside`
          insert into directory_entry (${COLUMNS}) select ${valuesOf(source, kind, round)} from ${rows}
          on conflict (organisation, source, kind, id) do update set
            revision = directory_entry.revision + (case when ${IS_OTHER} then 1 else 0 end),
            data = excluded.data, name = excluded.name, external_id = excluded.external_id,
            addresses = excluded.addresses, manager = excluded.manager, active = excluded.active, removed = false,
            changed = directory_entry.changed or ${IS_OTHER}, round = coalesce(excluded.round, directory_entry.round)
          where not directory_entry.erased`
        await markReportingUsers(inside, source, idsOf(others))
      })
    },

    /**
     * Replaces an entry if its revision is still `revision`. Revision 0 adds a new entry.
     *
     * @throws VersionConflict when another writer was first, or another SCIM user has the name
     */
    writeOver: async (
      source: string,
      kind: EntryKind,
      reported: ReportedEntry,
      revision: number,
    ): Promise<void> => {
      const { id } = reported
      const rows = told([reported])
      const written = await reportConflicts(
        revision === 0
          ? query`
              insert into directory_entry (${COLUMNS}) select ${valuesOf(source, kind, null)} from ${rows}
              on conflict do nothing returning id`
          : // A single statement, so that nobody can mark the entry between the lock and the write.
            query`
              with locked as materialized (
                select id from directory_entry where organisation = $1 and source = ${source} and kind = ${kind}
                  and (id = ${id} or manager = ${id}) order by id for update),
              written as (
                update directory_entry set revision = directory_entry.revision + 1, data = told.data::json,
                  name = told.name, external_id = told.external_id, addresses = ${TOLD_ADDRESSES},
                  manager = told.manager, active = told.active, removed = false, changed = true
                from ${rows}
                where organisation = $1 and source = ${source} and kind = ${kind} and directory_entry.id = told.id
                  and revision = ${revision}::int and not erased and ${USERS_ARE_LOCKED}
                returning directory_entry.id),
              reports as (
                update directory_entry set changed = true, revision = revision + 1
                where organisation = $1 and source = ${source} and kind = ${kind} and manager = ${id}
                  and id <> ${id} and not erased and exists (select from written))
              select id from written`,
      )
      if (written.length === 0) throw new VersionConflict(`${kind} ${id} was written meanwhile`)
    },

    /** Marks entries as removed, and deletes their data, addresses and members. Ignores unknown ids. */
    remove: (source: string, kind: EntryKind, ids: readonly string[]) =>
      transaction(async (inside) => {
        if (kind === 'user') await lockUsersAndReports(inside, source, ids)
        await removeWhere(inside, source, kind, sql`id = any (${ids}::text[])`)
      }),

    /** Removes the entries that this round did not report. */
    endRound: (source: string, kind: EntryKind, round: string) =>
      transaction((inside) => removeWhere(inside, source, kind, sql`round is distinct from ${round}`)),
  }
}
