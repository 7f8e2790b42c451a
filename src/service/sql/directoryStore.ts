/** Stores what the directory last reported, and which of its entries are not applied to people yet. */
import { randomUUID } from 'node:crypto'
import type {
  DirectoryRun,
  DirectorySample,
  JsonObject,
} from '../../../streams/organisation/directory/directory.ts'
import { canonicalText } from '../../../streams/organisation/release/release.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { conflictsAsMoved } from './conflicts.ts'
import { type Query, raw, runOf, type Sql, sql } from './query.ts'
import { VersionMoved } from './problems.ts'

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

export type MemberChange = Readonly<{ added: readonly string[]; removed: readonly string[] }>

export type FoundGroup = Readonly<{
  source: string
  id: string
  name: string | null
  externalId: string | null
}>

export const RUNS_KEPT = 50

/** The tables of the directory, in an order in which they can be emptied. */
export const DIRECTORY_TABLES = [
  'directory_member',
  'directory_entry',
  'directory_cursor',
  'directory_run',
  'directory_retired',
] as const

const ENTRY_COLUMNS = raw(
  'id, revision, data, name, external_id as "externalId", addresses, manager, active, removed, erased, person, picture',
)
const IS_THERE = raw('not removed and not erased')

/** The reported entries as rows of a statement. A line break separates addresses, which contain no white space. */
const told = (reported: readonly ReportedEntry[]): Sql => sql`unnest(
    ${reported.map(({ id }) => id)}::text[], ${reported.map(({ data }) => canonicalText(data))}::text[],
    ${reported.map(({ name }) => name)}::text[], ${reported.map(({ externalId }) => externalId)}::text[],
    ${reported.map(({ addresses }) => addresses.join('\n'))}::text[],
    ${reported.map(({ manager }) => manager)}::text[], ${reported.map(({ active }) => active)}::boolean[]
  ) as told (id, data, name, external_id, addresses, manager, active)`
const COLUMNS = raw(`
  organisation, source, kind, id, revision, data, name, external_id, addresses, manager, active, removed, erased,
  changed, round, person`)
const TOLD_ADDRESSES = raw("string_to_array(told.addresses, E'\\n')")
const valuesOf = (source: string, kind: EntryKind, round: string | null): Sql =>
  sql`$1, ${source}, ${kind}, told.id, 1, told.data::json, told.name, told.external_id, ${TOLD_ADDRESSES},
    told.manager, told.active, false, false, true, ${round}, null`
/** Whether a report differs from the stored entry. Data is compared as text, because equal data has equal text. */
const isOther = (as: Sql, addresses: Sql) =>
  sql`(directory_entry.removed or directory_entry.active <> ${as}.active
    or directory_entry.data::text <> ${as}.data::text or directory_entry.addresses <> ${addresses})`
const IS_OTHER = isOther(raw('excluded'), raw('excluded.addresses'))
/**
 * Whether a version that knows fewer fields of managers was the last one that applied a user. Without a manager, that
 * makes no difference.
 */
const IS_FORMER = raw(
  'manager is not null and active and not erased and not changed and applied_revision is distinct from revision',
)
/** The values of an entry without data. */
const EMPTIED = raw(
  "data = '{}', name = null, external_id = null, addresses = '{}', manager = null, active = false, picture = null",
)

/** `inside`: these ids, and all members of the groups among them, at any depth. `union` ends circles of groups. */
const insideOf = (source: string, ids: readonly string[]): Sql => sql`inside (id) as (
  select unnest(${ids}::text[]) collate "C" union select m.member_id from inside join directory_member m
    on m.organisation = $1 and m.source = ${source} and m.group_id = inside.id)`
const ALL_INSIDE = raw('array(select id from inside)')

/** Locks users in the order of their ids, before they are changed (`ARE_LOCKED`), so that requests never deadlock. */
const lockUsers = (source: string, ids: Sql): Sql => sql`locked as materialized (
  select id from directory_entry
  where organisation = $1 and source = ${source} and kind = 'user' and id = any (${ids}) order by id for update)`
const ARE_LOCKED = raw('(select count(*) from locked) > 0')

type Whose = Pick<PersonState, 'id' | 'account' | 'addresses'>

/**
 * A person's entries, applied or not. An entry with another account is another user's, even with the same address.
 * `offset 0` keeps PostgreSQL from reading the table instead of the view, where it could not use the index of addresses.
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

/** Empties the entries for good in the transaction that erases a person. Resolves with the pictures of the entries. */
export async function eraseEntries(query: Query, person: Whose): Promise<readonly string[]> {
  const entries = await query<{ source: string; id: string; picture: string | null }>`
    select source, id, picture from directory_entry where ${ofPerson(person)}`
  for (const source of new Set(entries.map((entry) => entry.source)))
    await lockReports(
      query,
      source,
      entries.filter((entry) => entry.source === source).map(({ id }) => id),
    )
  const erased = await query<{ source: string; id: string }>`
    update directory_entry set ${EMPTIED}, erased = true, changed = false, person = null, revision = revision + 1
    where ${ofPerson(person)} returning source, id`
  for (const { source, id } of erased) {
    await leaveGroups(query, source, id)
    await markReports(query, source, [id])
  }
  await scrubRuns(query, person.addresses)
  return entries.flatMap(({ picture }) => picture ?? [])
}

/** Deletes the samples that name one of these addresses from the stored runs. */
async function scrubRuns(query: Query, addresses: readonly string[]): Promise<void> {
  const names = (sample: DirectorySample) =>
    addresses.some((address) => sample.person === address || sample.reason?.includes(address) === true)
  for (const { run } of await query<{ run: DirectoryRun }>`
    select run from directory_run where organisation = $1`) {
    if (!run.samples.some(names)) continue
    const samples = run.samples.filter((sample) => !names(sample))
    await query`
      update directory_run set run = ${JSON.stringify({ ...run, samples })}::json
      where organisation = $1 and id = ${run.id}`
  }
}

const leaveGroups = (query: Query, source: string, id: string) => query`
  delete from directory_member where organisation = $1 and source = ${source} and member_id = ${id}`

/** Marks as changed: the users among these ids, and all users in the groups among these ids. */
async function markUsers(query: Query, source: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await query`
    with recursive ${insideOf(source, ids)}, ${lockUsers(source, ALL_INSIDE)}
    update directory_entry set changed = true, revision = revision + 1
    where organisation = $1 and source = ${source} and kind = 'user' and id = any (${ALL_INSIDE}) and not erased
      and ${ARE_LOCKED}`
}

const reportsOf = async (query: Query, source: string, managers: readonly string[], also = raw('')) =>
  managers.length === 0
    ? []
    : idsOf(
        await query<WithId>`
          select id from directory_entry where organisation = $1 and source = ${source} and kind = 'user'
            and manager = any (${managers}::text[]) ${also} order by id`,
      )

/** Marks the users who report to these managers as changed. */
const markReports = async (query: Query, source: string, managers: readonly string[]) =>
  markUsers(query, source, await reportsOf(query, source, managers))

/** Locks users and the users who report to them until the transaction ends, in the order of `lockUsers`. */
const lockReports = (query: Query, source: string, ids: readonly string[]) => query`
  select id from directory_entry where organisation = $1 and source = ${source} and kind = 'user'
    and (id = any (${ids}::text[]) or manager = any (${ids}::text[])) order by id for update`

type WithId = Readonly<{ id: string }>
const idsOf = (rows: readonly WithId[]): readonly string[] => rows.map(({ id }) => id)

export type DirectoryStore = ReturnType<typeof createDirectoryStore>

/**
 * A source is `graph:<tenant>` or `scim`. A *round* reads a whole source; its end removes the entries that the round
 * did not report. Each write marks the changed entries, and the users whose groups or manager changed; `settle` removes
 * the marks. Members of a group are users and groups; groups may contain each other in a circle.
 */
export function createDirectoryStore(
  query: Query,
  transaction: <Result>(work: (query: Query) => Promise<Result>) => Promise<Result>,
) {
  const run = runOf(query)
  const read = (where: Sql) =>
    query<DirectoryEntry>`select ${ENTRY_COLUMNS} from directory_entry where organisation = $1 and ${where}`
  const countOf = async (counted: Sql): Promise<number> => {
    const [row] = await query<{ count: number }>`select ${counted}`
    return row?.count ?? 0
  }

  async function removeWhere(inside: Query, source: string, kind: EntryKind, where: Sql): Promise<void> {
    const removed = await inside<WithId>`
      update directory_entry set ${EMPTIED}, removed = true, changed = true, revision = revision + 1
      where organisation = $1 and source = ${source} and kind = ${kind} and ${IS_THERE} and ${where}
      returning id`
    const ids = idsOf(removed)
    if (kind === 'user') await markReports(inside, source, ids)
    else
      for (const id of ids)
        await markUsers(inside, source, await dropMembers(inside, source, id, raw('true')))
  }

  const dropMembers = async (inside: Query, source: string, group: string, where: Sql) =>
    idsOf(
      await inside<WithId>`
        delete from directory_member where organisation = $1 and source = ${source} and group_id = ${group}
          and ${where} returning member_id as id`,
    )

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
      countOf(sql`count(*)::int as count from directory_entry
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

    /**
     * Stores what the source reported, in place of earlier reports. Erased entries stay erased.
     *
     * @param round the id of the round that reported the entries; null for single changes
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
            : await inside<WithId>`
                select told.id from ${rows} left join directory_entry on directory_entry.organisation = $1
                  and source = ${source} and kind = ${kind} and directory_entry.id = told.id
                where directory_entry.id is null
                  or (not erased and ${isOther(raw('told'), TOLD_ADDRESSES)})`
        await inside`
          insert into directory_entry (${COLUMNS}) select ${valuesOf(source, kind, round)} from ${rows}
          on conflict (organisation, source, kind, id) do update set
            revision = directory_entry.revision + (case when ${IS_OTHER} then 1 else 0 end),
            data = excluded.data, name = excluded.name, external_id = excluded.external_id,
            addresses = excluded.addresses, manager = excluded.manager, active = excluded.active, removed = false,
            changed = directory_entry.changed or ${IS_OTHER}, round = coalesce(excluded.round, directory_entry.round)
          where not directory_entry.erased`
        await markReports(inside, source, idsOf(others))
      })
    },

    /**
     * Replaces an entry if its revision is still `revision`, which the caller has read. Revision 0 adds a new entry.
     *
     * @throws VersionMoved when another writer was first, or another user of the source `scim` has the name
     */
    writeOver: async (
      source: string,
      kind: EntryKind,
      reported: ReportedEntry,
      revision: number,
    ): Promise<void> => {
      const { id } = reported
      const rows = told([reported])
      const written = await conflictsAsMoved(
        revision === 0
          ? query`
              insert into directory_entry (${COLUMNS}) select ${valuesOf(source, kind, null)} from ${rows}
              on conflict do nothing returning id`
          : // One statement, so that no mark comes between the lock and the write.
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
                  and revision = ${revision}::int and not erased and ${ARE_LOCKED}
                returning directory_entry.id),
              reports as (
                update directory_entry set changed = true, revision = revision + 1
                where organisation = $1 and source = ${source} and kind = ${kind} and manager = ${id}
                  and id <> ${id} and not erased and exists (select from written))
              select id from written`,
      )
      if (written.length === 0) throw new VersionMoved(`${kind} ${id} was written meanwhile`)
    },

    /** Marks entries as removed, and deletes their data, addresses and members. Ignores unknown ids. */
    remove: (source: string, kind: EntryKind, ids: readonly string[]) =>
      transaction(async (inside) => {
        if (kind === 'user') await lockReports(inside, source, ids)
        await removeWhere(inside, source, kind, sql`id = any (${ids}::text[])`)
      }),

    /** Removes the entries that this round did not report. */
    endRound: (source: string, kind: EntryKind, round: string) =>
      transaction((inside) => removeWhere(inside, source, kind, sql`round is distinct from ${round}`)),

    /** The ids of the users and groups that are direct members of a group. */
    members: async (source: string, group: string) =>
      idsOf(
        await query<WithId>`
          select member_id as id from directory_member
          where organisation = $1 and source = ${source} and group_id = ${group} order by member_id`,
      ),

    /** The ids of the groups that are direct members of a group. */
    subgroups: async (source: string, group: string) =>
      idsOf(
        await query<WithId>`
          select m.member_id as id from directory_member m join directory_entry e
            on e.organisation = m.organisation and e.source = m.source and e.kind = 'group' and e.id = m.member_id
          where m.organisation = $1 and m.source = ${source} and m.group_id = ${group} and not e.removed
          order by m.member_id`,
      ),

    /** The ids of the users among these ids, and of all users inside the groups among these ids, at any depth. */
    within: async (source: string, ids: readonly string[]) =>
      idsOf(
        await query<WithId>`
          with recursive ${insideOf(source, ids)} select id from inside where not exists (
            select 1 from directory_entry e where e.organisation = $1 and e.source = ${source} and e.kind = 'group'
              and e.id = inside.id)
          order by id`,
      ),

    /** The ids of the marked users who report to one of these managers. */
    reports: (source: string, managers: readonly string[]) =>
      reportsOf(query, source, managers, raw('and changed')),

    /** How many active users are in a group and in the groups inside it. */
    countMembers: async (source: string, group: string): Promise<number> => {
      const [row] = await query<{ count: number }>`
        with recursive ${insideOf(source, [group])}
        select count(*)::int as count from directory_entry
        where organisation = $1 and source = ${source} and kind = 'user' and id = any (${ALL_INSIDE}) and active`
      return row?.count ?? 0
    },

    /** The entries of a person, with the ids of their groups. */
    reportedOf: (person: Whose) =>
      query<
        Pick<DirectoryEntry, 'id' | 'data' | 'addresses' | 'active'> &
          Readonly<{ source: string; groups: readonly string[] }>
      >`
        select source, id, data, addresses, active, array(
          select group_id from directory_member m
          where m.organisation = $1 and m.source = e.source and m.member_id = e.id order by group_id
        ) as groups from directory_entry e where ${ofPerson(person)} order by source, id`,

    /** The groups that have these users or groups as direct members. */
    memberships: async (source: string, members: readonly string[]) =>
      members.length === 0
        ? []
        : query<Membership>`
            select member_id as member, group_id as "group" from directory_member
            where organisation = $1 and source = ${source} and member_id = any (${members}::text[])`,

    /** The groups that these users or groups are in, directly or through other groups; each pair once. */
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
        const joined = await inside<WithId>`
          insert into directory_member (organisation, source, group_id, member_id, round)
          select distinct $1, ${source}::text, ${group}::text, member, ${round}::text
          from unnest(${added}::text[]) as member
          where not exists (select 1 from directory_entry
            where organisation = $1 and source = ${source} and kind = 'user' and id = member and erased)
          on conflict do nothing returning member_id as id`
        const left = await dropMembers(inside, source, group, sql`member_id = any (${removed}::text[])`)
        await markUsers(inside, source, [...idsOf(joined), ...left])
      }),

    /** Removes from a group the members that this round did not report. */
    endMembersRound: (source: string, group: string, round: string) =>
      transaction(async (inside) =>
        markUsers(
          inside,
          source,
          await dropMembers(inside, source, group, sql`round is distinct from ${round}`),
        ),
      ),

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

    /** Marks the members of these groups, and of the groups inside them, as changed. */
    markMembers: (source: string, groups: readonly string[]) => markUsers(query, source, groups),

    /** Marks the users whom a former version applied last. */
    markFormer: (source: string) => run`
        with locked as materialized (
          select id from directory_entry
          where organisation = $1 and source = ${source} and kind = 'user' and ${IS_FORMER} order by id for update)
        update directory_entry set changed = true, revision = revision + 1
        where organisation = $1 and source = ${source} and kind = 'user' and id in (select id from locked)
          and ${IS_FORMER}`,

    /** Whether an active user is marked, or will be by `markFormer`. */
    isWaiting: async (source: string): Promise<boolean> => {
      const [row] = await query<{ waits: boolean }>`
        select exists (select 1 from directory_entry where organisation = $1 and source = ${source}
          and kind = 'user' and changed and active)
          or exists (select 1 from directory_entry where organisation = $1 and source = ${source}
          and kind = 'user' and ${IS_FORMER}) as waits`
      return row?.waits === true
    },

    /** One page of the marked users who are active, or who are not, in the order of their ids, after the id `after`. */
    changedUsers: (source: string, active: boolean, after: string | null, limit: number) =>
      read(sql`source = ${source} and kind = 'user' and changed and active = ${active}::boolean
        and id > ${after ?? ''} order by id limit ${limit}`),

    /** How many users of these sources are marked. */
    countChanged: (sources: readonly string[]) =>
      countOf(sql`count(*)::int as count from directory_entry
        where organisation = $1 and source = any (${sources}::text[]) and kind = 'user' and changed`),

    /** How many active people have a marked entry that is no longer active. */
    countDeactivating: (sources: readonly string[]) =>
      countOf(sql`count(distinct p.id)::int as count
        from directory_entry e join person p on p.organisation = e.organisation and p.id = e.person
        where e.organisation = $1 and e.source = any (${sources}::text[]) and e.kind = 'user' and e.changed
          and not e.active and p.active`),

    /** Records how many people were deactivated without approval, and when (`at`, in milliseconds since 1970). */
    noteDeactivated: (source: string, people: number, at: number) => run`
        insert into directory_retired (organisation, source, id, at, people)
        values ($1, ${source}, ${randomUUID()}, ${at}::bigint, ${people})`,

    /** How many people were deactivated without approval since a time. Deletes earlier records. */
    countDeactivated: async (source: string, since: number): Promise<number> => {
      await query`
        delete from directory_retired where organisation = $1 and source = ${source} and at < ${since}::bigint`
      return countOf(sql`coalesce(sum(people), 0)::int as count from directory_retired
        where organisation = $1 and source = ${source} and at >= ${since}::bigint`)
    },

    /** The ids of the people who are active in at least one source. */
    stillReported: async (people: readonly string[]): Promise<ReadonlySet<string>> => {
      const rows = await query<WithId>`
        select distinct person as id from directory_entry
        where organisation = $1 and person = any (${people}::text[]) and active`
      return new Set(idsOf(rows))
    },

    /** The active users of a source that belong to these people. */
    activeOf: async (source: string, people: readonly string[]) =>
      people.length === 0
        ? []
        : query<Readonly<{ id: string; person: string; changed: boolean }>>`
            select id, person, changed from directory_entry
            where organisation = $1 and source = ${source} and kind = 'user' and person = any (${people}::text[])
              and active and not erased order by id`,

    /** Removes the person from users whose person belongs to another user. */
    release: (source: string, ids: readonly string[]) => run`
        with ${lockUsers(source, sql`${ids}::text[]`)}
        update directory_entry set person = null
        where organisation = $1 and source = ${source} and kind = 'user' and id = any (${ids}::text[])
          and ${ARE_LOCKED}`,

    /** Stores the pictures of users, and marks the users whose picture changed. */
    keepPictures: (source: string, pictures: readonly Pick<DirectoryEntry, 'id' | 'picture'>[]) => run`
        update directory_entry set picture = told.picture, changed = true, revision = revision + 1
        from unnest(${idsOf(pictures)}::text[], ${pictures.map(({ picture }) => picture)}::text[])
          as told (id, picture)
        where organisation = $1 and source = ${source} and kind = 'user' and directory_entry.id = told.id and active
          and directory_entry.picture is distinct from told.picture`,

    /**
     * Stores the person of each applied user, and removes the user's mark unless its revision changed meanwhile.
     * Resolves with the ids of the users that were erased meanwhile.
     */
    settle: async (
      source: string,
      applied: readonly Pick<DirectoryEntry, 'id' | 'revision' | 'person'>[],
    ): Promise<readonly string[]> => {
      if (applied.length === 0) return []
      const ids = idsOf(applied)
      const settled = await query<WithId>`
        with ${lockUsers(source, sql`${ids}::text[]`)}
        update directory_entry set person = coalesce(applied.person, directory_entry.person),
          applied_revision = applied.revision, changed = directory_entry.revision <> applied.revision
        from unnest(${ids}::text[], ${applied.map(({ revision }) => revision)}::int[],
          ${applied.map(({ person }) => person)}::text[]) as applied (id, revision, person)
        where organisation = $1 and source = ${source} and kind = 'user' and directory_entry.id = applied.id
          and not erased and ${ARE_LOCKED}
        returning directory_entry.id`
      const known = new Set(idsOf(settled))
      return ids.filter((id) => !known.has(id))
    },

    /** Erases the entry of a person who was erased while no directory was connected. */
    eraseEntry: (source: string, id: string) =>
      transaction(async (inside) => {
        await lockReports(inside, source, [id])
        await inside`
          update directory_entry set ${EMPTIED}, erased = true, changed = false, person = null,
            revision = revision + 1
          where organisation = $1 and source = ${source} and kind = 'user' and id = ${id}`
        await leaveGroups(inside, source, id)
        await markReports(inside, source, [id])
      }),

    cursor: async (source: string, kind: string): Promise<string | null> => {
      const [row] = await query<{ cursor: string }>`
        select cursor from directory_cursor where organisation = $1 and source = ${source} and kind = ${kind}`
      return row?.cursor ?? null
    },
    cursors: async (source: string): Promise<ReadonlyMap<string, string>> => {
      const rows = await query<{ kind: string; cursor: string }>`
        select kind, cursor from directory_cursor where organisation = $1 and source = ${source} order by kind`
      return new Map(rows.map(({ kind, cursor }) => [kind, cursor]))
    },
    keepCursor: (source: string, kind: string, cursor: string) => run`
        insert into directory_cursor (organisation, source, kind, cursor)
        values ($1, ${source}, ${kind}, ${cursor})
        on conflict (organisation, source, kind) do update set cursor = excluded.cursor`,
    dropCursor: (source: string, kind: string) => run`
        delete from directory_cursor where organisation = $1 and source = ${source} and kind = ${kind}`,

    /**
     * Stores a run, or replaces the run with the same id. Keeps the last `RUNS_KEPT` runs, and the last successful run
     * that was no dry run. A run that has ended releases its lease.
     */
    keepRun: async (run: DirectoryRun): Promise<void> => {
      await query`
        with given_back as (
          delete from lease where organisation = $1 and holder = ${run.id} and ${run.until !== null}::boolean)
        insert into directory_run (organisation, id, at, run)
        values ($1, ${run.id}, ${run.at}::bigint, ${JSON.stringify(run)}::json)
        on conflict (organisation, id) do update set run = excluded.run`
      await query`
        delete from directory_run where organisation = $1 and id not in (
          select id from directory_run where organisation = $1 order by at desc, id desc limit ${RUNS_KEPT})
        and id is distinct from (
          select id from directory_run
          where organisation = $1 and run ->> 'outcome' = 'done' and run ->> 'isTrial' = 'false'
          order by at desc, id desc limit 1)`
    },
    /** The last runs, latest first. */
    runs: async (limit: number): Promise<readonly DirectoryRun[]> => {
      const rows = await query<{ run: DirectoryRun }>`
        select run from directory_run where organisation = $1 order by at desc, id desc limit ${limit}`
      return rows.map(({ run }) => run)
    },
  }
}

type Membership = Readonly<{ member: string; group: string }>
