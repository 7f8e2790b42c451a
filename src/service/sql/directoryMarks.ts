/** Marks users of the directory as changed, so that the next sync applies them to their people. */
import type { OrganisationAccess } from './access.ts'
import { readEntries } from './directoryEntries.ts'
import { type Query, rawSql, type Sql, sql } from './query.ts'

export type IdRow = Readonly<{ id: string }>
export const idsOf = (rows: readonly IdRow[]): readonly string[] => rows.map(({ id }) => id)

/**
 * The table expression `inside`: these ids, and all direct and indirect members of the groups among them. `union` stops
 * the recursion if groups form a circle.
 */
export const insideExpression = (source: string, ids: readonly string[]): Sql => sql`inside (id) as (
  select unnest(${ids}::text[]) collate "C" union select m.member_id from inside join directory_member m
    on m.organisation = $1 and m.source = ${source} and m.group_id = inside.id)`
export const INSIDE_IDS = rawSql('array(select id from inside)')

/**
 * Locks users in order of id, so that requests never deadlock. The condition `USERS_ARE_LOCKED` makes a change wait for the
 * locks.
 */
export const lockedUsersExpression = (source: string, ids: Sql): Sql => sql`locked as materialized (
  select id from directory_entry
  where organisation = $1 and source = ${source} and kind = 'user' and id = any (${ids}) order by id for update)`
export const USERS_ARE_LOCKED = rawSql('(select count(*) from locked) > 0')

/** Marks users as changed: the users among these ids, and all users in the groups among these ids. */
export async function markUsers(query: Query, source: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await query`
    with recursive ${insideExpression(source, ids)}, ${lockedUsersExpression(source, INSIDE_IDS)}
    update directory_entry set changed = true, revision = revision + 1
    where organisation = $1 and source = ${source} and kind = 'user' and id = any (${INSIDE_IDS}) and not erased
      and ${USERS_ARE_LOCKED}`
}

const reportsOf = async (query: Query, source: string, managers: readonly string[], also = rawSql('')) =>
  managers.length === 0
    ? []
    : idsOf(
        await query<IdRow>`
          select id from directory_entry where organisation = $1 and source = ${source} and kind = 'user'
            and manager = any (${managers}::text[]) ${also} order by id`,
      )

/** Marks the users who report to these managers as changed. */
export const markReportingUsers = async (query: Query, source: string, managers: readonly string[]) =>
  markUsers(query, source, await reportsOf(query, source, managers))

/**
 * Locks users, and the users who report to them, until the transaction ends. Locks in order of id, like `lockedUsersExpression`.
 */
export const lockUsersAndReports = (query: Query, source: string, ids: readonly string[]) => query`
  select id from directory_entry where organisation = $1 and source = ${source} and kind = 'user'
    and (id = any (${ids}::text[]) or manager = any (${ids}::text[])) order by id for update`

/**
 * The condition for users last applied by an earlier version of Signet, which read fewer fields of the manager. Users
 * without a manager are not affected.
 */
const IS_FORMER = rawSql(
  'manager is not null and active and not erased and not changed and applied_revision is distinct from revision',
)

const IS_UNMARKED = rawSql('active and not erased and not changed')

export function createMarkStore({ query, run, count }: OrganisationAccess) {
  /** Marks the users of whom a condition is true. It is checked again after waiting for other writers. */
  const mark = (source: string, condition: Sql) => run`
    with locked as materialized (
      select id from directory_entry
      where organisation = $1 and source = ${source} and kind = 'user' and ${condition} order by id for update)
    update directory_entry set changed = true, revision = revision + 1
    where organisation = $1 and source = ${source} and kind = 'user' and id in (select id from locked)
      and ${condition}`

  return {
    /** The ids of the marked users who report to one of these managers. */
    reports: (source: string, managers: readonly string[]) =>
      reportsOf(query, source, managers, rawSql('and changed')),

    /** Marks the members of these groups, and of groups nested inside, as changed. */
    markMembers: (source: string, groups: readonly string[]) => markUsers(query, source, groups),

    /** Marks all active users. */
    markActive: (source: string) => mark(source, IS_UNMARKED),

    /** Marks the users who were last applied by an earlier version of Signet. */
    markFormer: (source: string) => mark(source, IS_FORMER),

    /** Whether an active user is marked, or would be marked by `markFormer`. */
    isWaiting: async (source: string): Promise<boolean> => {
      const [row] = await query<{ waits: boolean }>`
        select exists (select 1 from directory_entry where organisation = $1 and source = ${source}
          and kind = 'user' and changed and active)
          or exists (select 1 from directory_entry where organisation = $1 and source = ${source}
          and kind = 'user' and ${IS_FORMER}) as waits`
      return row?.waits === true
    },

    /** One page of the marked users, ordered by id, after the id `after`. `active` selects active or inactive users. */
    changedUsers: (source: string, active: boolean, after: string | null, limit: number) =>
      readEntries(
        query,
        sql`source = ${source} and kind = 'user' and changed and active = ${active}::boolean
          and id > ${after ?? ''} order by id limit ${limit}`,
      ),

    /** The number of marked users in these sources. */
    countChanged: (sources: readonly string[]) =>
      count(sql`count(*)::int as count from directory_entry
        where organisation = $1 and source = any (${sources}::text[]) and kind = 'user' and changed`),
  }
}
