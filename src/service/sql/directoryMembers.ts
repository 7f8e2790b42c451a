/** The table of group members. Each write marks the users whose groups changed. */
import type { OrganisationAccess } from './access.ts'
import { INSIDE_IDS, idsOf, insideExpression, markUsers, type IdRow } from './directoryMarks.ts'
import { type Query, type Sql, sql } from './query.ts'

export type MemberChange = Readonly<{ added: readonly string[]; removed: readonly string[] }>

type Membership = Readonly<{ member: string; group: string }>

/** Deletes members of a group, and resolves with their ids. */
export const dropMembers = async (inside: Query, source: string, group: string, where: Sql) =>
  idsOf(
    await inside<IdRow>`
      delete from directory_member where organisation = $1 and source = ${source} and group_id = ${group}
        and ${where} returning member_id as id`,
  )

export const removeFromGroups = (query: Query, source: string, id: string) => query`
  delete from directory_member where organisation = $1 and source = ${source} and member_id = ${id}`

export function createMemberStore({ query, transaction }: OrganisationAccess) {
  return {
    /** The ids of a group's direct members, both users and groups. */
    members: async (source: string, group: string) =>
      idsOf(
        await query<IdRow>`
          select member_id as id from directory_member
          where organisation = $1 and source = ${source} and group_id = ${group} order by member_id`,
      ),

    /** The ids of the groups that are direct members of this group. */
    subgroups: async (source: string, group: string) =>
      idsOf(
        await query<IdRow>`
          select m.member_id as id from directory_member m join directory_entry e
            on e.organisation = m.organisation and e.source = m.source and e.kind = 'group' and e.id = m.member_id
          where m.organisation = $1 and m.source = ${source} and m.group_id = ${group} and not e.removed
          order by m.member_id`,
      ),

    /**
     * Expands ids of users and groups to ids of users: the users themselves, and all direct and indirect members of the
     * groups.
     */
    within: async (source: string, ids: readonly string[]) =>
      idsOf(
        await query<IdRow>`
          with recursive ${insideExpression(source, ids)} select id from inside where not exists (
            select 1 from directory_entry e where e.organisation = $1 and e.source = ${source} and e.kind = 'group'
              and e.id = inside.id)
          order by id`,
      ),

    /** The number of active users in a group and in the groups nested inside. */
    countMembers: async (source: string, group: string): Promise<number> => {
      const [row] = await query<{ count: number }>`
        with recursive ${insideExpression(source, [group])}
        select count(*)::int as count from directory_entry
        where organisation = $1 and source = ${source} and kind = 'user' and id = any (${INSIDE_IDS}) and active`
      return row?.count ?? 0
    },

    /** The groups that have these users or groups as direct members. */
    memberships: async (source: string, members: readonly string[]) =>
      members.length === 0
        ? []
        : query<Membership>`
            select member_id as member, group_id as "group" from directory_member
            where organisation = $1 and source = ${source} and member_id = any (${members}::text[])`,

    /** The groups that contain these users or groups, directly or indirectly. Each pair occurs once. */
    allMemberships: async (source: string, members: readonly string[]) =>
      members.length === 0
        ? []
        : query<Membership>`
            with recursive held (member, "group") as (
              select member_id, group_id from directory_member
              where organisation = $1 and source = ${source} and member_id = any (${members}::text[])
              union
              select held.member, m.group_id from held join directory_member m
                on m.organisation = $1 and m.source = ${source} and m.member_id = held."group")
            select member, "group" from held`,

    changeMembers: (source: string, group: string, change: MemberChange, round: string | null) =>
      transaction(async (inside) => {
        const { added, removed } = change
        if (round !== null)
          await inside`
            update directory_member set round = ${round}
            where organisation = $1 and source = ${source} and group_id = ${group}
              and member_id = any (${added}::text[])`
        const joined = await inside<IdRow>`
          insert into directory_member (organisation, source, group_id, member_id, round)
          select distinct $1, ${source}::text, ${group}::text, member, ${round}::text
          from unnest(${added}::text[]) as member
          where not exists (select 1 from directory_entry
            where organisation = $1 and source = ${source} and kind = 'user' and id = member and erased)
          on conflict do nothing returning member_id as id`
        const left = await dropMembers(inside, source, group, sql`member_id = any (${removed}::text[])`)
        await markUsers(inside, source, [...idsOf(joined), ...left])
      }),

    /** Removes the members of a group that this round did not report. */
    endMembersRound: (source: string, group: string, round: string) =>
      transaction(async (inside) =>
        markUsers(
          inside,
          source,
          await dropMembers(inside, source, group, sql`round is distinct from ${round}`),
        ),
      ),
  }
}
