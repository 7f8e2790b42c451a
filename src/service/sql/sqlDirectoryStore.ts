/** The statements of the directory's mirror. */
import { randomUUID } from 'node:crypto'
import type { DirectoryRun, DirectorySample, JsonObject } from '../../../streams/organisation/directory.ts'
import { canonicalText } from '../../../streams/organisation/release.ts'
import { conflictsAsMoved } from './conflicts.ts'
import {
  type DirectoryEntry,
  type DirectoryStore,
  type EntryKind,
  RUNS_KEPT,
  type ReportedEntry,
} from './directoryStore.ts'
import { VersionMoved } from './store.ts'

/** A statement whose first parameter is the organisation. */
export type Query = <Row extends object>(
  sql: string,
  ...parameters: readonly unknown[]
) => Promise<readonly Row[]>

/** The tables of the directory, in an order in which they can be emptied. */
export const DIRECTORY_TABLES = [
  'directory_member',
  'directory_entry',
  'directory_cursor',
  'directory_run',
  'directory_retired',
] as const

type EntryRow = Readonly<{
  id: string
  revision: number
  data: JsonObject
  name: string | null
  external_id: string | null
  addresses: readonly string[]
  manager: string | null
  active: boolean
  removed: boolean
  erased: boolean
  person: string | null
  picture: string | null
}>

const ENTRY_COLUMNS =
  'id, revision, data, name, external_id, addresses, manager, active, removed, erased, person, picture'
const SELECT_ENTRY = `select ${ENTRY_COLUMNS} from directory_entry where organisation = $1`

const entryOf = ({ external_id: externalId, ...row }: EntryRow): DirectoryEntry => ({ ...row, externalId })

/** Rows of entries from arrays of texts; addresses contain no white space. */
const TOLD = `unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::boolean[])
  as told (id, data, name, external_id, addresses, manager, active)`
const COLUMNS =
  'organisation, source, kind, id, revision, data, name, external_id, addresses, manager, active, removed, erased, changed, round, person'
const VALUES = `$1, $2, $3, told.id, 1, told.data::json, told.name, told.external_id,
  string_to_array(told.addresses, E'\\n'), told.manager, told.active, false, false, true`
const isOther = (told: string, addresses: string) =>
  `(directory_entry.removed or directory_entry.active <> ${told}.active
  or directory_entry.data::text <> ${told}.data::text or directory_entry.addresses <> ${addresses})`
const IS_OTHER = isOther('excluded', 'excluded.addresses')
const TOLD_ADDRESSES = "string_to_array(told.addresses, E'\\n')"
/** The values of an entry without data. */
const EMPTIED =
  "data = '{}', name = null, external_id = null, addresses = '{}', manager = null, active = false, picture = null"

const columnsOf = (reported: readonly ReportedEntry[]): readonly unknown[] => [
  reported.map(({ id }) => id),
  // Equal data gives equal text.
  reported.map(({ data }) => canonicalText(data)),
  reported.map(({ name }) => name),
  reported.map(({ externalId }) => externalId),
  reported.map(({ addresses }) => addresses.join('\n')),
  reported.map(({ manager }) => manager),
  reported.map(({ active }) => active),
]

/** `inside`: these ids, and all members of groups among them; `union` ends circles. */
const insideOf = (ids: string): string => `inside (id) as (
  select unnest(${ids}) collate "C" union select m.member_id from inside join directory_member m
    on m.organisation = $1 and m.source = $2 and m.group_id = inside.id)`
const ALL_INSIDE = 'array(select id from inside)'

/**
 * Locks users in the order of their ids, before the statement changes them (`ARE_LOCKED`), so that concurrent requests wait
 * for each other without a deadlock.
 */
const lockUsers = (ids: string, before = ''): string => `with recursive ${before} locked as materialized (
  select id from directory_entry where organisation = $1 and source = $2 and kind = 'user' and id = any (${ids})
  order by id for update)`
const ARE_LOCKED = '(select count(*) from locked) > 0'

type Whose = Parameters<DirectoryStore['reportedOf']>[0]

/** An entry with another account belongs to another user, even with the same address. */
const OF_ANOTHER_ACCOUNT = `($4 <> '' and (source like 'graph:%' or
  (coalesce(external_id, '') ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' and external_id <> lower($4))))`
/** The entries of a person, also if not applied yet. */
const OF_PERSON = `organisation = $1 and kind = 'user' and (person = $2 or (source = $3 and id = $4)
  or (person is null and not removed and addresses && $5::text[] and not ${OF_ANOTHER_ACCOUNT}))`
const ofPerson = ({ id, account, addresses }: Whose): readonly unknown[] => [
  id,
  `graph:${account?.tenant ?? ''}`,
  account?.oid ?? '',
  addresses,
]

/**
 * Empties the entries of a person in the transaction that erases them; the entries then ignore later reports. Resolves with
 * the pictures of the entries.
 */
export async function eraseEntries(query: Query, person: Whose): Promise<readonly string[]> {
  const entries = await query<{ source: string; id: string; picture: string | null }>(
    `select source, id, picture from directory_entry where ${OF_PERSON}`,
    ...ofPerson(person),
  )
  for (const source of new Set(entries.map((entry) => entry.source)))
    await lockReports(
      query,
      source,
      entries.filter((entry) => entry.source === source).map(({ id }) => id),
    )
  const erased = await query<{ source: string; id: string }>(
    `update directory_entry set ${EMPTIED}, erased = true, changed = false, person = null, revision = revision + 1
     where ${OF_PERSON} returning source, id`,
    ...ofPerson(person),
  )
  for (const { source, id } of erased) {
    await leaveGroups(query, source, id)
    await markUsers(query, source, await reportsOf(query, source, [id]))
  }
  await scrubRuns(query, person.addresses)
  return entries.flatMap(({ picture }) => picture ?? [])
}

/** Drops samples of runs with these addresses. */
async function scrubRuns(query: Query, addresses: readonly string[]): Promise<void> {
  const names = (sample: DirectorySample) =>
    addresses.some((address) => sample.person === address || sample.reason?.includes(address) === true)
  const runs = await query<{ run: DirectoryRun }>('select run from directory_run where organisation = $1')
  for (const { run } of runs) {
    if (!run.samples.some(names)) continue
    const samples = run.samples.filter((sample) => !names(sample))
    await query(
      'update directory_run set run = $3::json where organisation = $1 and id = $2',
      run.id,
      JSON.stringify({ ...run, samples }),
    )
  }
}

async function leaveGroups(query: Query, source: string, id: string): Promise<void> {
  await query(
    'delete from directory_member where organisation = $1 and source = $2 and member_id = $3',
    source,
    id,
  )
}

/** Marks the users among these ids, and the users in groups among them. */
const markUsers = (query: Query, source: string, ids: readonly string[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : query(
        `${lockUsers(ALL_INSIDE, `${insideOf('$3::text[]')},`)}
         update directory_entry set changed = true, revision = revision + 1
         where organisation = $1 and source = $2 and kind = 'user' and id = any (${ALL_INSIDE}) and not erased
           and ${ARE_LOCKED}`,
        source,
        ids,
      )

async function reportsOf(
  query: Query,
  source: string,
  managers: readonly string[],
  also: '' | 'and changed' = '',
) {
  if (managers.length === 0) return []
  const rows = await query<{ id: string }>(
    `select id from directory_entry
     where organisation = $1 and source = $2 and kind = 'user' and manager = any ($3::text[]) ${also} order by id`,
    source,
    managers,
  )
  return rows.map(({ id }) => id)
}

/** Locks users and their reports as `lockUsers` does, for several statements. */
const lockReports = (query: Query, source: string, ids: readonly string[]) =>
  query(
    `select id from directory_entry where organisation = $1 and source = $2 and kind = 'user'
       and (id = any ($3::text[]) or manager = any ($3::text[])) order by id for update`,
    source,
    ids,
  )

export function createDirectoryStore(
  query: Query,
  transaction: <Result>(run: (query: Query) => Promise<Result>) => Promise<Result>,
): DirectoryStore {
  const read = async (sql: string, ...parameters: readonly unknown[]) =>
    (await query<EntryRow>(`${SELECT_ENTRY} and ${sql}`, ...parameters)).map(entryOf)

  /** Marks the users who report to these managers. */
  const markReports = async (inside: Query, source: string, managers: readonly string[]) =>
    markUsers(inside, source, await reportsOf(inside, source, managers))

  const idsOf = (rows: readonly Readonly<{ member_id: string }>[]) => rows.map(({ member_id }) => member_id)

  async function removeWhere(
    inside: Query,
    source: string,
    kind: EntryKind,
    where: string,
    parameter: unknown,
  ): Promise<void> {
    const removed = await inside<{ id: string }>(
      `update directory_entry set ${EMPTIED}, removed = true, changed = true, revision = revision + 1
       where organisation = $1 and source = $2 and kind = $3 and not removed and not erased and ${where}
       returning id`,
      source,
      kind,
      parameter,
    )
    const ids = removed.map(({ id }) => id)
    if (kind === 'user') await markReports(inside, source, ids)
    else
      for (const id of ids) {
        const left = await inside<{ member_id: string }>(
          'delete from directory_member where organisation = $1 and source = $2 and group_id = $3 returning member_id',
          source,
          id,
        )
        await markUsers(inside, source, idsOf(left))
      }
  }

  return {
    entries: (source, kind, ids) =>
      ids.length === 0
        ? Promise.resolve([])
        : read('source = $2 and kind = $3 and id = any ($4::text[]) order by id', source, kind, ids),
    page: (source, kind, after, limit) =>
      read(
        'source = $2 and kind = $3 and id > $4 and not removed and not erased order by id limit $5',
        source,
        kind,
        after ?? '',
        limit,
      ),
    slice: (source, kind, skip, limit) =>
      read(
        'source = $2 and kind = $3 and not removed and not erased order by id limit $4 offset $5',
        source,
        kind,
        limit,
        skip,
      ),
    async count(source, kind) {
      const [row] = await query<{ count: number }>(
        `select count(*)::int as count from directory_entry
         where organisation = $1 and source = $2 and kind = $3 and not removed and not erased`,
        source,
        kind,
      )
      return row?.count ?? 0
    },
    async find(source, kind, by) {
      const [where, value] =
        'name' in by
          ? ['organisation = $1 and kind = $3 and name = $4', by.name]
          : 'externalId' in by
            ? ['organisation = $1 and kind = $3 and external_id = $4', by.externalId]
            : ['addresses @> $4::text[]', [by.address]]
      // Uses one index even before the planner has statistics.
      const rows = await query<EntryRow>(
        `with found as materialized (select * from directory_entry where ${where})
         select ${ENTRY_COLUMNS} from found
         where organisation = $1 and source = $2 and kind = $3 and not removed and not erased`,
        source,
        kind,
        value,
      )
      return rows.map(entryOf).sort((one, other) => (one.id < other.id ? -1 : 1))
    },
    async write(source, kind, reported, round) {
      if (reported.length === 0) return
      const parameters = [source, kind, ...columnsOf(reported)]
      await transaction(async (inside) => {
        const others =
          kind === 'group'
            ? []
            : await inside<{ id: string }>(
                `select told.id from ${TOLD} left join directory_entry on directory_entry.organisation = $1
                   and source = $2 and kind = $3 and directory_entry.id = told.id
                 where directory_entry.id is null or (not erased and ${isOther('told', TOLD_ADDRESSES)})`,
                ...parameters,
              )
        await inside(
          `insert into directory_entry (${COLUMNS}) select ${VALUES}, $11, null from ${TOLD}
           on conflict (organisation, source, kind, id) do update set
             revision = directory_entry.revision + (case when ${IS_OTHER} then 1 else 0 end),
             data = excluded.data, name = excluded.name, external_id = excluded.external_id,
             addresses = excluded.addresses, manager = excluded.manager, active = excluded.active, removed = false,
             changed = directory_entry.changed or ${IS_OTHER}, round = coalesce(excluded.round, directory_entry.round)
           where not directory_entry.erased`,
          ...parameters,
          round,
        )
        await markReports(
          inside,
          source,
          others.map(({ id }) => id),
        )
      })
    },
    async writeOver(source, kind, reported, revision) {
      const parameters = [source, kind, ...columnsOf([reported])]
      const written = await conflictsAsMoved(
        revision === 0
          ? query(
              `insert into directory_entry (${COLUMNS}) select ${VALUES}, null, null from ${TOLD}
               on conflict do nothing returning id`,
              ...parameters,
            )
          : // One statement, so that no mark comes between the lock and the write.
            query(
              `with locked as materialized (
                 select id from directory_entry where organisation = $1 and source = $2 and kind = $3
                   and (id = ($4::text[])[1] or manager = ($4::text[])[1]) order by id for update),
               written as (
                 update directory_entry set revision = directory_entry.revision + 1, data = told.data::json,
                   name = told.name, external_id = told.external_id, addresses = ${TOLD_ADDRESSES},
                   manager = told.manager, active = told.active, removed = false, changed = true
                 from ${TOLD}
                 where organisation = $1 and source = $2 and kind = $3 and directory_entry.id = told.id
                   and revision = $11::int and not erased and ${ARE_LOCKED}
                 returning directory_entry.id),
               reports as (
                 update directory_entry set changed = true, revision = revision + 1
                 where organisation = $1 and source = $2 and kind = $3 and manager = ($4::text[])[1]
                   and id <> ($4::text[])[1] and not erased and exists (select from written))
               select id from written`,
              ...parameters,
              revision,
            ),
      )
      if (written.length === 0) throw new VersionMoved(`${kind} ${reported.id} was written meanwhile`)
    },
    remove: (source, kind, ids) =>
      transaction(async (inside) => {
        if (kind === 'user') await lockReports(inside, source, ids)
        await removeWhere(inside, source, kind, 'id = any ($4::text[])', ids)
      }),
    endRound: (source, kind, round) =>
      transaction((inside) => removeWhere(inside, source, kind, 'round is distinct from $4', round)),

    members: async (source, group) =>
      idsOf(
        await query<{ member_id: string }>(
          `select member_id from directory_member
           where organisation = $1 and source = $2 and group_id = $3 order by member_id`,
          source,
          group,
        ),
      ),
    subgroups: async (source, group) =>
      idsOf(
        await query<{ member_id: string }>(
          `select m.member_id from directory_member m join directory_entry e
             on e.organisation = m.organisation and e.source = m.source and e.kind = 'group' and e.id = m.member_id
           where m.organisation = $1 and m.source = $2 and m.group_id = $3 and not e.removed order by m.member_id`,
          source,
          group,
        ),
      ),
    async within(source, ids) {
      const rows = await query<{ id: string }>(
        `with recursive ${insideOf('$3::text[]')} select id from inside where not exists (
           select 1 from directory_entry e where e.organisation = $1 and e.source = $2 and e.kind = 'group' and e.id = inside.id)
         order by id`,
        source,
        ids,
      )
      return rows.map(({ id }) => id)
    },
    reports: (source, managers) => reportsOf(query, source, managers, 'and changed'),
    async countMembers(source, group) {
      const [row] = await query<{ count: number }>(
        `with recursive ${insideOf('array[$3::text]')}
         select count(*)::int as count from directory_entry where organisation = $1 and source = $2 and kind = 'user'
           and id = any (${ALL_INSIDE}) and active`,
        source,
        group,
      )
      return row?.count ?? 0
    },
    reportedOf: (person) =>
      query(
        `select source, id, data, addresses, active, array(
           select group_id from directory_member m where m.organisation = $1 and m.source = e.source and m.member_id = e.id
           order by group_id
         ) as groups from directory_entry e where ${OF_PERSON} order by source, id`,
        ...ofPerson(person),
      ),
    memberships: (source, members) =>
      members.length === 0
        ? Promise.resolve([])
        : query(
            `select member_id as member, group_id as "group" from directory_member
             where organisation = $1 and source = $2 and member_id = any ($3::text[])`,
            source,
            members,
          ),
    allMemberships: (source, members) =>
      members.length === 0
        ? Promise.resolve([])
        : query(
            `with recursive held (member, "group") as (
               select member_id, group_id from directory_member
               where organisation = $1 and source = $2 and member_id = any ($3::text[])
               union
               select held.member, m.group_id from held join directory_member m
                 on m.organisation = $1 and m.source = $2 and m.member_id = held."group")
             select member, "group" from held`,
            source,
            members,
          ),
    changeMembers: (source, group, { added, removed }, round) =>
      transaction(async (inside) => {
        if (round !== null)
          await inside(
            `update directory_member set round = $5
             where organisation = $1 and source = $2 and group_id = $3 and member_id = any ($4::text[])`,
            source,
            group,
            added,
            round,
          )
        const joined = await inside<{ member_id: string }>(
          `insert into directory_member (organisation, source, group_id, member_id, round)
           select distinct $1, $2, $3, member, $5 from unnest($4::text[]) as member
           where not exists (select 1 from directory_entry
             where organisation = $1 and source = $2 and kind = 'user' and id = member and erased)
           on conflict do nothing returning member_id`,
          source,
          group,
          added,
          round,
        )
        const left = await inside<{ member_id: string }>(
          `delete from directory_member where organisation = $1 and source = $2 and group_id = $3
             and member_id = any ($4::text[]) returning member_id`,
          source,
          group,
          removed,
        )
        await markUsers(inside, source, [...idsOf(joined), ...idsOf(left)])
      }),
    endMembersRound: (source, group, round) =>
      transaction(async (inside) => {
        const left = await inside<{ member_id: string }>(
          `delete from directory_member where organisation = $1 and source = $2 and group_id = $3
             and round is distinct from $4 returning member_id`,
          source,
          group,
          round,
        )
        await markUsers(inside, source, idsOf(left))
      }),
    groupsNamed: (sources, names) =>
      names.length === 0
        ? Promise.resolve([])
        : query(
            `select source, id, name, external_id as "externalId" from directory_entry
             where organisation = $1 and source = any ($2::text[]) and kind = 'group' and not removed and not erased
               and (name = any ($3::text[]) or external_id = any ($3::text[]) or lower(id) = any ($3::text[]))
             order by source, id`,
            sources,
            names,
          ),
    async markMembers(source, groups) {
      await markUsers(query, source, groups)
    },

    changedUsers: (source, active, after, limit) =>
      read(
        "source = $2 and kind = 'user' and changed and active = $3::boolean and id > $4 order by id limit $5",
        source,
        active,
        after ?? '',
        limit,
      ),
    async countDeactivating(sources) {
      const [row] = await query<{ count: number }>(
        `select count(distinct p.id)::int as count
         from directory_entry e join person p on p.organisation = e.organisation and p.id = e.person
         where e.organisation = $1 and e.source = any ($2::text[]) and e.kind = 'user' and e.changed
           and not e.active and p.active`,
        sources,
      )
      return row?.count ?? 0
    },
    async noteDeactivated(source, people, at) {
      await query(
        'insert into directory_retired (organisation, source, id, at, people) values ($1, $2, $3, $4::bigint, $5)',
        source,
        randomUUID(),
        at,
        people,
      )
    },
    async countDeactivated(source, since) {
      await query(
        'delete from directory_retired where organisation = $1 and source = $2 and at < $3::bigint',
        source,
        since,
      )
      const [row] = await query<{ people: number }>(
        `select coalesce(sum(people), 0)::int as people from directory_retired
         where organisation = $1 and source = $2 and at >= $3::bigint`,
        source,
        since,
      )
      return row?.people ?? 0
    },
    async stillReported(people) {
      const rows = await query<{ person: string }>(
        'select distinct person from directory_entry where organisation = $1 and person = any ($2::text[]) and active',
        people,
      )
      return new Set(rows.map(({ person }) => person))
    },
    async keepPictures(source, pictures) {
      await query(
        `update directory_entry set picture = told.picture, changed = true, revision = revision + 1
         from unnest($3::text[], $4::text[]) as told (id, picture)
         where organisation = $1 and source = $2 and kind = 'user' and directory_entry.id = told.id and active
           and directory_entry.picture is distinct from told.picture`,
        source,
        pictures.map(({ id }) => id),
        pictures.map(({ picture }) => picture),
      )
    },
    async settle(source, applied) {
      if (applied.length === 0) return []
      const settled = await query<{ id: string }>(
        `${lockUsers('$3::text[]')}
         update directory_entry set person = coalesce(applied.person, directory_entry.person),
           changed = directory_entry.revision <> applied.revision
         from unnest($3::text[], $4::int[], $5::text[]) as applied (id, revision, person)
         where organisation = $1 and source = $2 and kind = 'user' and directory_entry.id = applied.id and not erased
           and ${ARE_LOCKED}
         returning directory_entry.id`,
        source,
        applied.map(({ id }) => id),
        applied.map(({ revision }) => revision),
        applied.map(({ person }) => person),
      )
      const known = new Set(settled.map(({ id }) => id))
      return applied.map(({ id }) => id).filter((id) => !known.has(id))
    },
    eraseEntry: (source, id) =>
      transaction(async (inside) => {
        await lockReports(inside, source, [id])
        await inside(
          `update directory_entry set ${EMPTIED}, erased = true, changed = false, person = null,
             revision = revision + 1
           where organisation = $1 and source = $2 and kind = 'user' and id = $3`,
          source,
          id,
        )
        await leaveGroups(inside, source, id)
        await markReports(inside, source, [id])
      }),

    async cursor(source, kind) {
      const [row] = await query<{ cursor: string }>(
        'select cursor from directory_cursor where organisation = $1 and source = $2 and kind = $3',
        source,
        kind,
      )
      return row?.cursor ?? null
    },
    async cursors(source) {
      const rows = await query<{ kind: string; cursor: string }>(
        'select kind, cursor from directory_cursor where organisation = $1 and source = $2 order by kind',
        source,
      )
      return new Map(rows.map(({ kind, cursor }) => [kind, cursor]))
    },
    async keepCursor(source, kind, cursor) {
      await query(
        `insert into directory_cursor (organisation, source, kind, cursor) values ($1, $2, $3, $4)
         on conflict (organisation, source, kind) do update set cursor = excluded.cursor`,
        source,
        kind,
        cursor,
      )
    },
    async dropCursor(source, kind) {
      await query(
        'delete from directory_cursor where organisation = $1 and source = $2 and kind = $3',
        source,
        kind,
      )
    },

    async keepRun(run) {
      await query(
        `with given_back as (delete from lease where organisation = $1 and holder = $2 and $5::boolean)
         insert into directory_run (organisation, id, at, run) values ($1, $2, $3::bigint, $4::json)
         on conflict (organisation, id) do update set run = excluded.run`,
        run.id,
        run.at,
        JSON.stringify(run),
        run.until !== null,
      )
      await query(
        `delete from directory_run where organisation = $1 and id not in (
           select id from directory_run where organisation = $1 order by at desc, id desc limit $2)
         and id is distinct from (
           select id from directory_run
           where organisation = $1 and run ->> 'outcome' = 'done' and run ->> 'isTrial' = 'false'
           order by at desc, id desc limit 1)`,
        RUNS_KEPT,
      )
    },
    async runs(limit) {
      const rows = await query<{ run: DirectoryRun }>(
        'select run from directory_run where organisation = $1 order by at desc, id desc limit $2',
        limit,
      )
      return rows.map(({ run }) => run)
    },
  }
}
