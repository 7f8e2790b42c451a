/** Links directory entries to people: stores which entries are applied, and to whom. */
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import type { OrganisationAccess } from './access.ts'
import { type DirectoryEntry, EMPTY_ENTRY_COLUMNS } from './directoryEntries.ts'
import {
  USERS_ARE_LOCKED,
  idsOf,
  lockUsersAndReports,
  lockedUsersExpression,
  markReportingUsers,
  type IdRow,
} from './directoryMarks.ts'
import { removeFromGroups } from './directoryMembers.ts'
import { scrubRuns } from './directoryRuns.ts'
import { type Query, type Sql, sql } from './query.ts'

type Whose = Pick<PersonState, 'id' | 'account' | 'addresses'>

/**
 * Selects a person's entries, applied or not. An entry with another account belongs to another user, even if the
 * address is the same. `offset 0` makes PostgreSQL evaluate the view separately. Otherwise it could not use the index
 * of addresses.
 */
function ofPerson({ id, account, addresses }: Whose): Sql {
  const oid = account?.oid ?? ''
  return sql`organisation = $1 and kind = 'user' and (source, id) in (
    select source, id from entry_address where organisation = $1 and kind = 'user' and (person = ${id}
      or (source = ${`graph:${account?.tenant ?? ''}`} and id = ${oid})
      or (person is null and not removed and addresses && ${addresses}::text[] and not (${oid}::text <> '' and (
        source like 'graph:%' or (coalesce(external_id, '') ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
          and external_id <> lower(${oid}::text)))))) offset 0)`
}

/**
 * Empties a person's entries permanently, in the transaction that erases the person. Resolves with the pictures of the
 * entries.
 */
export async function eraseEntries(query: Query, person: Whose): Promise<readonly string[]> {
  const entries = await query<{ source: string; id: string; picture: string | null }>`
    select source, id, picture from directory_entry where ${ofPerson(person)}`
  for (const source of new Set(entries.map((entry) => entry.source)))
    await lockUsersAndReports(
      query,
      source,
      entries.filter((entry) => entry.source === source).map(({ id }) => id),
    )
  const erased = await query<{ source: string; id: string }>`
    update directory_entry set ${EMPTY_ENTRY_COLUMNS}, erased = true, changed = false, person = null, revision = revision + 1
    where ${ofPerson(person)} returning source, id`
  for (const { source, id } of erased) {
    await removeFromGroups(query, source, id)
    await markReportingUsers(query, source, [id])
  }
  await scrubRuns(query, person.addresses)
  return entries.flatMap(({ picture }) => picture ?? [])
}

export function createAppliedEntryStore({ query, run, count, transaction }: OrganisationAccess) {
  return {
    /** A person's entries, with the ids of their groups. */
    reportedOf: (person: Whose) =>
      query<
        Pick<DirectoryEntry, 'id' | 'data' | 'addresses' | 'active'> &
          Readonly<{ source: string; groups: readonly string[] }>
      >`
        select source, id, data, addresses, active, array(
          select group_id from directory_member m
          where m.organisation = $1 and m.source = e.source and m.member_id = e.id order by group_id
        ) as groups from directory_entry e where ${ofPerson(person)} order by source, id`,

    /** The number of active people with a marked entry that is no longer active. */
    countDeactivating: (sources: readonly string[]) =>
      count(sql`count(distinct p.id)::int as count
        from directory_entry e join person p on p.organisation = e.organisation and p.id = e.person
        where e.organisation = $1 and e.source = any (${sources}::text[]) and e.kind = 'user' and e.changed
          and not e.active and p.active`),

    /** The ids of the people who are active in at least one source. */
    stillReported: async (people: readonly string[]): Promise<ReadonlySet<string>> => {
      const rows = await query<IdRow>`
        select distinct person as id from directory_entry
        where organisation = $1 and person = any (${people}::text[]) and active`
      return new Set(idsOf(rows))
    },

    /** The active users of a source who belong to these people. */
    activeOf: async (source: string, people: readonly string[]) =>
      people.length === 0
        ? []
        : query<Readonly<{ id: string; person: string; changed: boolean }>>`
            select id, person, changed from directory_entry
            where organisation = $1 and source = ${source} and kind = 'user' and person = any (${people}::text[])
              and active and not erased order by id`,

    /** Unlinks these users from their person, because the person belongs to another user. */
    release: (source: string, ids: readonly string[]) => run`
        with ${lockedUsersExpression(source, sql`${ids}::text[]`)}
        update directory_entry set person = null
        where organisation = $1 and source = ${source} and kind = 'user' and id = any (${ids}::text[])
          and ${USERS_ARE_LOCKED}`,

    /** Stores the pictures of users, and marks the users whose pictures changed. */
    keepPictures: (source: string, pictures: readonly Pick<DirectoryEntry, 'id' | 'picture'>[]) => run`
        update directory_entry set picture = told.picture, changed = true, revision = revision + 1
        from unnest(${idsOf(pictures)}::text[], ${pictures.map(({ picture }) => picture)}::text[])
          as told (id, picture)
        where organisation = $1 and source = ${source} and kind = 'user' and directory_entry.id = told.id and active
          and directory_entry.picture is distinct from told.picture`,

    /**
     * Links each applied user to its person, and unmarks the user unless its revision has changed meanwhile. Resolves
     * with the ids of the users that were erased meanwhile.
     */
    settle: async (
      source: string,
      applied: readonly Pick<DirectoryEntry, 'id' | 'revision' | 'person'>[],
    ): Promise<readonly string[]> => {
      if (applied.length === 0) return []
      const ids = idsOf(applied)
      const settled = await query<IdRow>`
        with ${lockedUsersExpression(source, sql`${ids}::text[]`)}
        update directory_entry set person = coalesce(applied.person, directory_entry.person),
          applied_revision = applied.revision, changed = directory_entry.revision <> applied.revision
        from unnest(${ids}::text[], ${applied.map(({ revision }) => revision)}::int[],
          ${applied.map(({ person }) => person)}::text[]) as applied (id, revision, person)
        where organisation = $1 and source = ${source} and kind = 'user' and directory_entry.id = applied.id
          and not erased and ${USERS_ARE_LOCKED}
        returning directory_entry.id`
      const known = new Set(idsOf(settled))
      return ids.filter((id) => !known.has(id))
    },

    /** Erases the entry of a person who was erased while no directory was connected. */
    eraseEntry: (source: string, id: string) =>
      transaction(async (inside) => {
        await lockUsersAndReports(inside, source, [id])
        await inside`
          update directory_entry set ${EMPTY_ENTRY_COLUMNS}, erased = true, changed = false, person = null,
            revision = revision + 1
          where organisation = $1 and source = ${source} and kind = 'user' and id = ${id}`
        await removeFromGroups(inside, source, id)
        await markReportingUsers(inside, source, [id])
      }),
  }
}
