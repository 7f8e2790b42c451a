/** The statements of the store. The first parameter of each is the organisation. */
import type { OrganisationFact, PersonFact } from '../../../streams/organisation/events.ts'
import type { Recorded } from '../../../streams/kernel/event.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release.ts'
import type { PersonState } from '../../../streams/organisation/state.ts'
import { conflictsAsMoved } from './conflicts.ts'
import type { Driver, Session } from './driver.ts'
import { createDirectoryStore, DIRECTORY_TABLES, eraseEntries } from './sqlDirectoryStore.ts'
import {
  type FactPlace,
  type Picture,
  type SealedKey,
  type Signed,
  type Store,
  STORE_PROBLEMS,
  StoreUnavailable,
  VersionMoved,
} from './store.ts'
import { type FactRow, readFact } from './storedFacts.ts'

type Fact = OrganisationFact | PersonFact

type PersonRow = Readonly<{
  id: string
  revision: number
  tenant: string | null
  oid: string | null
  active: boolean
  addresses: readonly string[]
  language: string | null
  directory: PersonState['directory']
  groups: readonly string[]
  own_values: PersonState['values']
  metadata: PersonState['metadata']
  picture: string | null
  directory_picture: string | null
}>

const ORGANISATION = 'organisation'
const PERSON = 'person/'
/** Sorts after all streams of people. */
const AFTER_PERSONS = 'person0'

/** The least version: versions below 0 are of earlier erasures. */
const FIRST_VERSION = -(2 ** 31)

const PERSON_COLUMNS =
  'id, revision, tenant, oid, active, addresses, language, directory, groups, own_values, metadata, picture, directory_picture'
const SELECT_PERSON = `select ${PERSON_COLUMNS} from person`

/** Appends the facts in $4 and $5 from version $3, if the row was written. */
const APPEND = `
  insert into event (organisation, stream, version, type, data, actor, at)
  select $1, 'person/' || $2, $3::int + fact.place::int - 1, fact.type, fact.data::json, $6, $7::bigint
  from written, unnest($4::text[], $5::text[]) with ordinality as fact (type, data, place)
  returning version`

const INSERT_PERSON = `
  insert into person (organisation, ${PERSON_COLUMNS})
  values ($1, $2, $8::int, $9, $10, $11::boolean, $12::text[], $13, $14::json, $15::text[], $16::json, $17::json, $18, $19)`

const ADD_PERSON = `
  with written as (${INSERT_PERSON} returning id),
  named as (
    insert into address (organisation, address, person)
    select distinct $1, address, $2 from unnest($12::text[]) as address
  )
  ${APPEND}`

const UPDATE_PERSON = `
  update person set revision = $8::int, tenant = $9, oid = $10, active = $11::boolean, addresses = $12::text[],
    language = $13, directory = $14::json, groups = $15::text[], own_values = $16::json, metadata = $17::json,
    picture = $18, directory_picture = $19
  where organisation = $1 and id = $2 and revision = $3`

const CHANGE_PERSON = `with written as (${UPDATE_PERSON} and addresses = $12::text[] returning id) ${APPEND}`
const CHANGE_PERSON_AND_ADDRESSES = `with written as (${UPDATE_PERSON} returning id) ${APPEND}`

/** @param organisation its id, the first part of every key */
export function createStore(driver: Driver, organisation: string): Store {
  const on = (session: Session) =>
    async function query<Row extends object>(sql: string, ...parameters: readonly unknown[]) {
      return session.query<Row>(sql, [organisation, ...parameters.map(withoutNul)])
    }
  const query = on(driver)

  async function readFacts<Known extends Fact>(
    stream: string,
    from: number,
  ): Promise<readonly Recorded<Known>[]> {
    const rows = await query<FactRow>(
      'select version, type, data, actor, at from event where organisation = $1 and stream = $2 and version >= $3 order by version',
      stream,
      from,
    )
    return rows.map((row) => readFact(stream, row) as Recorded<Known>)
  }

  async function readPerson(sql: string, ...parameters: readonly unknown[]): Promise<PersonState | null> {
    const [row] = await query<PersonRow>(`${SELECT_PERSON} where organisation = $1 and ${sql}`, ...parameters)
    return row === undefined ? null : personOf(row)
  }
  async function readPersons(sql: string, ...parameters: readonly unknown[]) {
    const rows = await query<PersonRow>(`${SELECT_PERSON} where organisation = $1 and ${sql}`, ...parameters)
    return rows.map(personOf)
  }

  async function replaceAddresses(session: Session, id: string, addresses: readonly string[]) {
    await on(session)(
      'delete from address where organisation = $1 and person = $2 and address <> all ($3::text[])',
      id,
      addresses,
    )
    await on(session)(
      `insert into address (organisation, address, person)
       select distinct $1, address, $2 from unnest($3::text[]) as address
       where address not in (select address from address where organisation = $1 and person = $2)`,
      id,
      addresses,
    )
  }

  async function erase(id: string, expected: number, facts: readonly PersonFact[], signed: Signed) {
    await driver.transaction(async (session) => {
      const inside = on(session)
      const [gone] = await inside<PersonRow>(
        `delete from person where organisation = $1 and id = $2 and revision = $3 returning ${PERSON_COLUMNS}`,
        id,
        expected,
      )
      if (gone === undefined) throw new VersionMoved(`${id} is not at ${String(expected)} any more`)
      await dropPictures(session, id, await eraseEntries(inside, personOf(gone)))
      for (const table of ['address', 'told'])
        await inside(`delete from ${table} where organisation = $1 and person = $2`, id)
      await inside('delete from event where organisation = $1 and stream = $2 and version >= 0', PERSON + id)
      const erased = facts.filter(({ type }) => type === 'person/erased')
      // Below 0, so that the same id can be imported again from version 0.
      await inside(
        `insert into event (organisation, stream, version, type, data, actor, at)
         select $1, $2, coalesce(min(version), 0) - 1, $3, $4::json, $5, $6::bigint
         from event where organisation = $1 and stream = $2`,
        PERSON + id,
        erased[0]?.type ?? 'person/erased',
        '{}',
        signed.actor,
        signed.at,
      )
    })
  }

  /** Drops these pictures and those in the facts of a person, unless another person or a release has them. */
  async function dropPictures(session: Session, id: string, pictures: readonly string[]) {
    const facts = await on(session)<{ data: unknown }>(
      'select data from event where organisation = $1 and stream = $2',
      PERSON + id,
    )
    const named = [...JSON.stringify(facts).matchAll(/"picture":"([0-9a-f]{32})\./g)].map(([, hash]) => hash)
    await dropUnnamed(session, [...named, ...pictures.flatMap((picture) => picture.split('.', 1))])
  }

  async function dropUnnamed(session: Session, hashes: readonly (string | undefined)[]) {
    if (hashes.length === 0) return
    await on(session)(
      `delete from picture where organisation = $1 and hash = any ($2::text[])
       and not exists (select 1 from person where person.organisation = $1
         and person.picture >= picture.hash || '.' and person.picture < picture.hash || '/')
       and not exists (select 1 from person where person.organisation = $1
         and person.directory_picture >= picture.hash || '.' and person.directory_picture < picture.hash || '/')
       and not exists (select 1 from directory_entry where directory_entry.organisation = $1
         and directory_entry.picture >= picture.hash || '.' and directory_entry.picture < picture.hash || '/')
       and not exists (select 1 from release where release.organisation = $1
         and position(picture.hash in release.document::text) > 0)`,
      hashes,
    )
  }

  return {
    organisationFacts: (from) => readFacts(ORGANISATION, from),
    async appendOrganisation(expected, facts, { actor, at }) {
      if (facts.length === 0) return
      const appended = await conflictsAsMoved(
        query(
          `insert into event (organisation, stream, version, type, data, actor, at)
           select $1, 'organisation', $2::int + fact.place::int - 1, fact.type, fact.data::json, $5, $6::bigint
           from unnest($3::text[], $4::text[]) with ordinality as fact (type, data, place)
           where $2::int = 0 or exists (
             select 1 from event where organisation = $1 and stream = 'organisation' and version = $2::int - 1
           )
           returning version`,
          expected,
          ...columnsOf(facts),
          actor,
          at,
        ),
      )
      if (appended.length === 0) throw new VersionMoved(`the organisation is not at ${String(expected)}`)
    },

    person: (id) => readPerson('id = $2', id),
    personByAddress: (address) =>
      readPerson(
        'id = (select person from address where organisation = $1 and address = $2)',
        address.toLowerCase(),
      ),
    personByAccount: (tenant, oid) => readPerson('tenant = $2 and oid = $3', tenant, oid),
    personsByAccount: (accounts) =>
      readPersons(
        '(tenant, oid) in (select tenant, oid from unnest($2::text[], $3::text[]) as account (tenant, oid)) order by id',
        accounts.map(({ tenant }) => tenant),
        accounts.map(({ oid }) => oid),
      ),
    persons: (ids) => readPersons('id = any ($2::text[]) order by id', ids),
    personsByAddress: (addresses) =>
      readPersons(
        'id in (select person from address where organisation = $1 and address = any ($2::text[])) order by id',
        addresses.map((address) => address.toLowerCase()),
      ),
    people: (after, limit) =>
      after === null
        ? readPersons('active order by id limit $2', limit)
        : readPersons('id > $2 and active order by id limit $3', after, limit),
    async countPeople() {
      const [row] = await query<{ count: number }>(
        'select count(*)::int as count from person where organisation = $1 and active',
      )
      return row?.count ?? 0
    },
    personFacts: (id, from) => readFacts(PERSON + id, from <= 0 ? FIRST_VERSION : from),
    async appendPerson(id, expected, facts, next, signed) {
      if (facts.length === 0) return
      if (next === null) return conflictsAsMoved(erase(id, expected, facts, signed))
      const head = [id, expected, ...columnsOf(facts), signed.actor, signed.at]
      const write = async (session: Session, sql: string) => {
        const appended = await on(session)(sql, ...head, ...valuesOf(next))
        return appended.length > 0
      }
      const isWritten = await conflictsAsMoved(
        expected === 0
          ? write(driver, ADD_PERSON)
          : write(driver, CHANGE_PERSON).then(
              (isChanged) =>
                isChanged ||
                driver.transaction(async (session) => {
                  const isMoved = !(await write(session, CHANGE_PERSON_AND_ADDRESSES))
                  if (!isMoved) await replaceAddresses(session, id, next.addresses)
                  return !isMoved
                }),
            ),
      )
      if (!isWritten) throw new VersionMoved(`${id} is not at ${String(expected)} any more`)
    },
    async audit(after, limit) {
      const select = 'select stream, version, type, data, actor, at from event where organisation = $1'
      const order = 'order by at desc, stream desc, version desc limit $2'
      const rows =
        after === null
          ? await query<FactRow & FactPlace>(`${select} ${order}`, limit)
          : await query<FactRow & FactPlace>(
              `${select} and (at, stream, version) < ($3::bigint, $4, $5::bigint) ${order}`,
              limit,
              after.at,
              after.stream,
              after.version,
            )
      return rows.map(({ stream, ...row }) => ({
        fact: readFact(stream, row),
        place: { at: row.at, stream, version: row.version },
      }))
    },
    async personStreams(after, limit) {
      const rows = await query<{ stream: string }>(
        'select distinct stream from event where organisation = $1 and stream > $2 and stream < $3 order by stream limit $4',
        PERSON + (after ?? ''),
        AFTER_PERSONS,
        limit,
      )
      return rows.map(({ stream }) => stream.slice(PERSON.length))
    },
    replacePerson: (id, next) =>
      conflictsAsMoved(
        driver.transaction(async (session) => {
          const inside = on(session)
          await inside('select id from person where organisation = $1 and id = $2 for update', id)
          const [last] = await inside<{ next: number }>(
            'select coalesce(max(version), -1) + 1 as next from event where organisation = $1 and stream = $2 and version >= 0',
            PERSON + id,
          )
          if (last?.next !== (next?.revision ?? 0)) throw new VersionMoved(`${id} was written meanwhile`)
          await inside('delete from person where organisation = $1 and id = $2', id)
          if (next !== null) {
            await session.query(REPLACE_PERSON, [organisation, id, ...valuesOf(next)].map(withoutNul))
          }
          await replaceAddresses(session, id, next?.addresses ?? [])
        }),
      ),

    async release(id) {
      const [row] = await query<{ document: ReleaseDocument }>(
        'select document from release where organisation = $1 and id = $2',
        id,
      )
      return row?.document ?? null
    },
    async keepRelease(id, document) {
      await query(
        'insert into release (organisation, id, document) values ($1, $2, $3::json) on conflict (organisation, id) do nothing',
        id,
        JSON.stringify(document),
      )
    },
    async picture(hash) {
      const [row] = await query<{ media_type: string; bytes: Uint8Array }>(
        'select media_type, bytes from picture where organisation = $1 and hash = $2',
        hash,
      )
      return row === undefined ? null : { mediaType: row.media_type, bytes: row.bytes }
    },
    async keepPicture(hash, { mediaType, bytes }: Picture) {
      await query(
        'insert into picture (organisation, hash, media_type, bytes) values ($1, $2, $3, $4::bytea) on conflict (organisation, hash) do nothing',
        hash,
        mediaType,
        bytes,
      )
    },
    dropPicture: (hash) => dropUnnamed(driver, [hash]),
    async hasPictures(hashes) {
      const rows = await query<{ hash: string }>(
        'select hash from picture where organisation = $1 and hash = any ($2::text[])',
        hashes,
      )
      return new Set(rows.map(({ hash }) => hash))
    },
    async keepReported(person, reported, at) {
      await query(
        `insert into told (organisation, person, told, at) values ($1, $2, $3::json, $4::bigint)
         on conflict (organisation, person) do update set told = excluded.told, at = excluded.at`,
        person,
        JSON.stringify(reported),
        at,
      )
    },
    async reported(person) {
      const [row] = await query<{ reported: unknown; at: number }>(
        'select told as reported, at from told where organisation = $1 and person = $2',
        person,
      )
      return row ?? null
    },
    reportedByPeople: (after, limit, since) =>
      query(
        `select told.person, told.told as reported, told.at from told
         join person on person.organisation = told.organisation and person.id = told.person and person.active
         where told.organisation = $1 and told.at >= $2::bigint ${after === null ? '' : 'and told.person > $4'}
         order by told.person limit $3`,
        since,
        limit,
        ...(after === null ? [] : [after]),
      ),
    async dropOldReported(before) {
      await query('delete from told where organisation = $1 and at < $2::bigint', before)
    },

    keys: () =>
      query<SealedKey>(
        'select id, sealed, "from", until from signing_key where organisation = $1 order by "from", id',
      ),
    async keepKey({ id, sealed, from, until }) {
      await query(
        `insert into signing_key (organisation, id, sealed, "from", until)
         values ($1, $2, $3::bytea, $4::bigint, $5::bigint)
         on conflict (organisation, id) do update
         set sealed = excluded.sealed, "from" = excluded."from", until = excluded.until`,
        id,
        sealed,
        from,
        until,
      )
    },
    async dropKey(id) {
      await query('delete from signing_key where organisation = $1 and id = $2', id)
    },

    async plan(id) {
      const [row] = await query<{ plan: unknown }>(
        'select plan from plan where organisation = $1 and id = $2',
        id,
      )
      return row?.plan ?? null
    },
    async keepPlan(id, plan, until) {
      await query(
        `insert into plan (organisation, id, plan, until) values ($1, $2, $3::json, $4::bigint)
         on conflict (organisation, id) do update set plan = excluded.plan, until = excluded.until`,
        id,
        JSON.stringify(plan),
        until,
      )
    },
    async dropOldPlans(now) {
      await query('delete from plan where organisation = $1 and until <= $2::bigint', now)
    },

    async lease(name, holder, now, until) {
      const rows = await query(
        `insert into lease (organisation, name, holder, until) values ($1, $2, $3, $5::bigint)
         on conflict (organisation, name) do update set holder = excluded.holder, until = excluded.until
         where lease.holder = excluded.holder or lease.until <= $4::bigint
         returning name`,
        name,
        holder,
        now,
        until,
      )
      return rows.length > 0
    },
    async isLeased(name, now) {
      const rows = await query(
        'select name from lease where organisation = $1 and name = $2 and until > $3::bigint',
        name,
        now,
      )
      return rows.length > 0
    },
    async giveBack(name, holder) {
      await query('delete from lease where organisation = $1 and name = $2 and holder = $3', name, holder)
    },

    directory: createDirectoryStore(query, (run) => driver.transaction((session) => run(on(session)))),

    async ping() {
      const [answer] = await driver.query<{ state: string }>(
        "select current_setting('transaction_read_only') as state",
      )
      if (answer?.state === 'on')
        throw new StoreUnavailable(STORE_PROBLEMS.readOnly, {
          problem: 'readOnly',
          sqlState: '25006',
        })
    },
    clear: () =>
      driver.transaction(async (session) => {
        for (const table of [
          'event',
          'person',
          'address',
          'release',
          'picture',
          'told',
          'lease',
          'plan',
          ...DIRECTORY_TABLES,
        ])
          await on(session)(`delete from ${table} where organisation = $1`)
      }),
    clearPeople: () =>
      driver.transaction(async (session) => {
        for (const table of ['person', 'address', 'told', ...DIRECTORY_TABLES])
          await on(session)(`delete from ${table} where organisation = $1`)
        await on(session)("delete from event where organisation = $1 and stream <> 'organisation'")
      }),
    close: () => driver.close(),
  }
}

const REPLACE_PERSON = `
  insert into person (organisation, ${PERSON_COLUMNS})
  values ($1, $2, $3::int, $4, $5, $6::boolean, $7::text[], $8, $9::json, $10::text[], $11::json, $12::json, $13, $14)`

/** Text of PostgreSQL has no NUL: what is asked for with one is not found. */
const withoutNul = (value: unknown): unknown => {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
  return Array.isArray(value) ? value.map(withoutNul) : value
}

const columnsOf = (facts: readonly Fact[]): [types: readonly string[], data: readonly string[]] => [
  facts.map(({ type }) => type),
  facts.map(({ data }) => JSON.stringify(data)),
]

const valuesOf = (person: PersonState): readonly unknown[] => [
  person.revision,
  person.account?.tenant ?? null,
  person.account?.oid ?? null,
  person.active,
  person.addresses,
  person.language,
  JSON.stringify(person.directory),
  person.groups,
  JSON.stringify(person.values),
  JSON.stringify(person.metadata),
  person.picture,
  person.directoryPicture,
]

const personOf = ({ tenant, oid, own_values, directory_picture, ...row }: PersonRow): PersonState => ({
  ...row,
  account: tenant === null || oid === null ? null : { tenant, oid },
  values: own_values,
  directoryPicture: directory_picture,
})
