/** What the service stores, in one SQL database. Every statement is for one organisation. */
import { addressForms } from '../../values/mailAddress.ts'
import type { Recorded } from '../../../streams/kernel/event.ts'
import type { Clicks } from '../../../streams/organisation/figures/clicks.ts'
import {
  type Account,
  Organisation,
  type OrganisationFact,
  type PersonFact,
} from '../../../streams/organisation/facts/events.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import type { OrganisationSummary } from '../../../streams/organisation/figures/operating.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { mayChangeWords } from '../../../streams/organisation/facts/searchTerms.ts'
import { conflictsAsMoved } from './conflicts.ts'
import { createDirectoryStore, DIRECTORY_TABLES, eraseEntries } from './directoryStore.ts'
import type { Driver, Session } from './driver.ts'
import { STORE_PROBLEMS, StoreUnavailable, VersionMoved } from './problems.ts'
import { askOf, type Query, queryOf, raw, runOf, type Sql, sql } from './query.ts'
import { type FactRow, readFact } from './storedFacts.ts'
import { createWordStore, withNewWords, withOtherWords } from './searchTerms.ts'

/** An address that counts its clicks. */
export type CountedLink = Readonly<{
  id: string
  block: string
  /** Where the link leads, as a header can have it. */
  address: string
}>

/** The actor of a write, and its time in milliseconds since 1970. */
export type Signed = Readonly<{ actor: string; at: number }>

export type Picture = Readonly<{ mediaType: string; bytes: Uint8Array }>

/** The place of a fact in the audit: its time in milliseconds since 1970, its stream and version. */
export type FactPlace = Readonly<{ at: number; stream: string; version: number }>

/** The place of a fact among the facts of all people. */
export type PersonPlace = Readonly<{ id: string; version: number }>

/** What the facts of a person give, from the version `first` to `last`, which are all. Null is no person. */
export type FoldedPerson = Readonly<{ id: string; person: PersonState | null; first: number; last: number }>

/** A key that signs bearers. `sealed` is the key, encrypted; `from` and `until` are in milliseconds since 1970. */
export type SealedKey = Readonly<{ id: string; sealed: Uint8Array; from: number; until: number }>

type Fact = OrganisationFact | PersonFact

/** A person as a row of the table of people. */
type PersonRow = Omit<PersonState, 'account'> & Readonly<{ tenant: string | null; oid: string | null }>

const PERSON = 'person/'
/** Sorts after the names of all streams of people. */
const AFTER_PERSONS = 'person0'

/** The lowest version of a fact. Versions below 0 record that people with the same id were erased earlier. */
const FIRST_VERSION = -(2 ** 31)

const READ_COLUMNS = raw(`
  id, revision, tenant, oid, active, addresses, language, directory, groups, own_values as "values", metadata,
  picture, directory_picture as "directoryPicture"`)
const WRITTEN_COLUMNS = raw(`
  revision, tenant, oid, active, addresses, language, directory, groups, own_values, metadata,
  picture, directory_picture`)

/** The values of `WRITTEN_COLUMNS`. */
const rowOf = (person: PersonState): Sql => sql`
  ${person.revision}::int, ${person.account?.tenant ?? null}, ${person.account?.oid ?? null},
  ${person.active}::boolean, ${person.addresses}::text[], ${person.language},
  ${JSON.stringify(person.directory)}::json, ${person.groups}::text[], ${JSON.stringify(person.values)}::json,
  ${JSON.stringify(person.metadata)}::json, ${person.picture}, ${person.directoryPicture}`

/** An array as PostgreSQL writes it as text. */
const arrayText = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`

/** Many rows of people, named `written`, with the id and the values of `WRITTEN_COLUMNS`. */
const rowsOfPeople = (people: readonly PersonState[]): Sql => sql`(
  select id, revision, tenant, oid, active, addresses::text[], language, directory::json, groups::text[],
    own_values::json, metadata::json, picture, directory_picture
  from unnest(
    ${people.map(({ id }) => id)}::text[], ${people.map(({ revision }) => revision)}::int[],
    ${people.map(({ account }) => account?.tenant ?? null)}::text[],
    ${people.map(({ account }) => account?.oid ?? null)}::text[],
    ${people.map(({ active }) => active)}::boolean[],
    ${people.map(({ addresses }) => arrayText(addresses))}::text[],
    ${people.map(({ language }) => language)}::text[],
    ${people.map(({ directory }) => JSON.stringify(directory))}::text[],
    ${people.map(({ groups }) => arrayText(groups))}::text[],
    ${people.map(({ values }) => JSON.stringify(values))}::text[],
    ${people.map(({ metadata }) => JSON.stringify(metadata))}::text[],
    ${people.map(({ picture }) => picture)}::text[],
    ${people.map(({ directoryPicture }) => directoryPicture)}::text[]
  ) as row (id, ${WRITTEN_COLUMNS})) as written`
/** The statements of most requests and of sign-ins, as one text each. */
const PERSON_OF_ACCOUNT = `select ${READ_COLUMNS.texts.join('')} from person
  where organisation = $1 and tenant = $2 and oid = $3`
const PERSON_WITH_ID = `select ${READ_COLUMNS.texts.join('')} from person where organisation = $1 and id = $2`

const people = new WeakMap<PersonRow, PersonState>()
/** The person of a row: the same object for the same row. */
function personOf(row: PersonRow): PersonState {
  const known = people.get(row)
  if (known !== undefined) return known
  const { tenant, oid, ...more } = row
  const person = { ...more, account: tenant === null || oid === null ? null : { tenant, oid } }
  people.set(row, person)
  return person
}

const EVENT_COLUMNS = raw('organisation, stream, version, type, data, actor, at')

/** The columns of new facts, whose versions begin at `from`. `fact` is a row of `rowsOf`. */
const eventsOf = (stream: string, from: number, { actor, at }: Signed): Sql =>
  sql`$1, ${stream}, ${from}::int + fact.place::int - 1, fact.type, fact.data::json, ${actor}, ${at}::bigint`
const rowsOf = (facts: readonly Fact[]): Sql => sql`unnest(
    ${facts.map(({ type }) => type)}::text[], ${facts.map(({ data }) => JSON.stringify(data))}::text[]
  ) with ordinality as fact (type, data, place)`

/** The types of facts that say what is published. */
const PUBLISHING = [Organisation.releasePublished.type, Organisation.releaseRolledBack.type]

/** The last sync, other than a dry run, that ended with one of these outcomes. */
const syncsWith = (...outcomes: readonly string[]): Sql => sql`
  select run ->> 'outcome' as outcome, (run ->> 'until')::bigint as until from directory_run
  where organisation = $1 and run ->> 'isTrial' = 'false' and run ->> 'outcome' = any (${outcomes}::text[])
  order by at desc, id desc limit 1`

type SummaryRow = Readonly<{ people: number; lastDone: number | null }> &
  (
    | Readonly<{ published: { release: string }; publishedAt: number }>
    | Readonly<{ published: null; publishedAt: null }>
  ) &
  (
    | Readonly<{ outcome: 'done' | 'needsLeave' | 'failed'; endedAt: number }>
    | Readonly<{ outcome: null; endedAt: null }>
  )

export type Store = ReturnType<typeof createStore>

/**
 * A call rejects with `StoreUnavailable` when the database is unavailable. A missing row is no error.
 *
 * @param organisation the organisation's id, which is the first part of every key
 */
export function createStore(driver: Driver, organisation: string) {
  const within = driver.within(organisation)
  const on = (session: Pick<Session, 'query'>): Query => queryOf(session, organisation)
  const query = on(within)
  const run = runOf(query)
  const ask = askOf(within, organisation)
  const inTransaction = <Result>(work: (query: Query) => Promise<Result>): Promise<Result> =>
    within.transaction((session) => work(on(session)))

  async function readFacts<Known extends Fact>(
    stream: string,
    from: number,
  ): Promise<readonly Recorded<Known>[]> {
    const rows = await query<FactRow>`
      select version, type, data, actor, at from event
      where organisation = $1 and stream = ${stream} and version >= ${from} order by version`
    return rows.map((row) => readFact(stream, row) as Recorded<Known>)
  }

  async function readPersons(where: Sql): Promise<readonly PersonState[]> {
    const rows = await query<PersonRow>`
      select ${READ_COLUMNS} from person where organisation = $1 and ${where}`
    return rows.map(personOf)
  }
  async function recalledPerson(statement: string, ...parameters: readonly string[]) {
    const [row] = await ask<PersonRow>(statement, parameters, true)
    return row === undefined ? null : personOf(row)
  }
  const readPerson = async (where: Sql): Promise<PersonState | null> => (await readPersons(where))[0] ?? null

  async function replaceAddresses(inside: Query, id: string, addresses: readonly string[]) {
    await inside`
      delete from address where organisation = $1 and person = ${id} and address <> all (${addresses}::text[])`
    await inside`
      insert into address (organisation, address, person)
      select distinct $1, address, ${id}::text from unnest(${addresses}::text[]) as address
      where address not in (select address from address where organisation = $1 and person = ${id})`
  }

  async function erase(id: string, expected: number, { actor, at }: Signed) {
    await inTransaction(async (inside) => {
      const [gone] = await inside<PersonRow>`
        delete from person where organisation = $1 and id = ${id} and revision = ${expected}
        returning ${READ_COLUMNS}`
      if (gone === undefined) throw new VersionMoved(`${id} is not at ${expected} any more`)
      await dropPictures(inside, id, await eraseEntries(inside, personOf(gone)))
      await inside`delete from address where organisation = $1 and person = ${id}`
      await inside`delete from told where organisation = $1 and person = ${id}`
      await inside`delete from event where organisation = $1 and stream = ${PERSON + id} and version >= 0`
      // The erasure has a version below 0, so that the same id can be imported again from version 0.
      await inside`
        insert into event (${EVENT_COLUMNS})
        select $1, ${PERSON + id}::text, coalesce(min(version), 0) - 1, 'person/erased', '{}'::json, ${actor}::text,
          ${at}::bigint
        from event where organisation = $1 and stream = ${PERSON + id}`
    })
  }

  /** Deletes these pictures and those in a person's facts, unless another person or a release names them. */
  async function dropPictures(inside: Query, id: string, pictures: readonly string[]) {
    const facts = await inside<{ data: unknown }>`
      select data from event where organisation = $1 and stream = ${PERSON + id}`
    const named = [...JSON.stringify(facts).matchAll(/"picture":"([0-9a-f]{32})\./g)].map(([, hash]) => hash)
    await dropUnnamed(inside, [...named, ...pictures.flatMap((picture) => picture.split('.', 1))])
  }

  async function dropUnnamed(inside: Query, hashes: readonly (string | undefined)[]) {
    if (hashes.length === 0) return
    const isNamed = (column: string) =>
      raw(`${column} >= picture.hash || '.' and ${column} < picture.hash || '/'`)
    await inside`
      delete from picture where organisation = $1 and hash = any (${hashes}::text[])
      and not exists (select 1 from person where person.organisation = $1 and ${isNamed('person.picture')})
      and not exists (
        select 1 from person where person.organisation = $1 and ${isNamed('person.directory_picture')})
      and not exists (
        select 1 from directory_entry
        where directory_entry.organisation = $1 and ${isNamed('directory_entry.picture')})
      and not exists (select 1 from release where release.organisation = $1
        and position(picture.hash in release.document::text) > 0)`
  }

  return {
    /** The facts of the organisation's stream from the version `from` on, in order. */
    organisationFacts: (from: number) => readFacts<OrganisationFact>('organisation', from),
    /** @throws VersionMoved when the stream's next version is not `expected` */
    appendOrganisation: async (
      expected: number,
      facts: readonly OrganisationFact[],
      signed: Signed,
    ): Promise<void> => {
      if (facts.length === 0) return
      const appended = await conflictsAsMoved(
        query`
          insert into event (${EVENT_COLUMNS})
          select ${eventsOf('organisation', expected, signed)} from ${rowsOf(facts)}
          where ${expected}::int = 0 or exists (
            select 1 from event
            where organisation = $1 and stream = 'organisation' and version = ${expected}::int - 1
          )
          returning version`,
      )
      if (appended.length === 0) throw new VersionMoved(`the organisation is not at ${expected}`)
    },

    person: (id: string) => recalledPerson(PERSON_WITH_ID, id),
    /** The person who has this address, written in any case. The person may be inactive. */
    personByAddress: (address: string) =>
      readPerson(
        sql`id = (select person from address where organisation = $1
          and address = any (${addressForms(address)}::text[]) order by address limit 1)`,
      ),
    personByAccount: (tenant: string, oid: string) => recalledPerson(PERSON_OF_ACCOUNT, tenant, oid),
    personsByAccount: (accounts: readonly Account[]) =>
      readPersons(sql`(tenant, oid) in (select tenant, oid from unnest(
          ${accounts.map(({ tenant }) => tenant)}::text[], ${accounts.map(({ oid }) => oid)}::text[]
        ) as account (tenant, oid)) order by id`),
    persons: (ids: readonly string[]) => readPersons(sql`id = any (${ids}::text[]) order by id`),
    /** The people who have one of these addresses, for delegations. */
    personsByAddress: (addresses: readonly string[]) =>
      readPersons(sql`id in (select person from address where organisation = $1
        and address = any (${addresses.flatMap(addressForms)}::text[])) order by id`),
    /** One page of the active people in the order of their ids, after the id `after`. */
    people: (after: string | null, limit: number) =>
      readPersons(
        sql`${after === null ? raw('') : sql`id > ${after} and`} active order by id limit (select ${limit}::int)`,
      ),
    /** How many people are active. */
    countPeople: async (): Promise<number> => {
      const [row] = await query<{ count: number }>`
        select count(*)::int as count from person where organisation = $1 and active`
      return row?.count ?? 0
    },
    /** What the operator of the installation sees of the organisation, in one statement. */
    summary: async (): Promise<OrganisationSummary> => {
      const [row] = await query<SummaryRow>`
        select counted.people, published.data as published, published.at as "publishedAt",
          ended.outcome, ended.until as "endedAt", done.until as "lastDone"
        from (select count(*)::int as people from person where organisation = $1 and active) as counted
        left join (
          select data, at from event
          where organisation = $1 and stream = 'organisation' and type = any (${PUBLISHING}::text[])
          order by version desc limit 1) as published on true
        left join (${syncsWith('done', 'needsLeave', 'failed')}) as ended on true
        left join (${syncsWith('done')}) as done on true`
      if (row === undefined) throw new Error('A count has one row.')
      const { people, lastDone } = row
      return {
        release: row.published && { id: row.published.release, at: row.publishedAt },
        people,
        lastSync: row.outcome && { at: row.endedAt, outcome: row.outcome },
        lastDone,
      }
    },
    personFacts: (id: string, from: number) =>
      readFacts<PersonFact>(PERSON + id, from <= 0 ? FIRST_VERSION : from),
    /**
     * Appends facts, and replaces the person's row and addresses by those of `next`, in one transaction.
     * `next.revision` is `expected` plus the number of facts. When `next` is null, the person's row, addresses,
     * pictures, facts and directory entries are erased; only the fact of the erasure stays.
     *
     * @throws VersionMoved when another writer was first, or an address or account belongs to another person
     */
    appendPerson: async (
      id: string,
      expected: number,
      facts: readonly PersonFact[],
      next: PersonState | null,
      signed: Signed,
    ): Promise<void> => {
      if (facts.length === 0) return
      if (next === null) return conflictsAsMoved(erase(id, expected, signed))
      const append = sql`
        insert into event (${EVENT_COLUMNS}) select ${eventsOf(PERSON + id, expected, signed)}
        from written, ${rowsOf(facts)} returning version`
      const words = facts.some(mayChangeWords) ? withOtherWords(next) : raw('')
      // Who had no words when the statement began stays without, because it does not see words that are stored meanwhile.
      const change = async (inside: Query, where: Sql) => {
        const appended = await inside`
          with seen as materialized (
            select words_revision = revision as has_words from person where organisation = $1 and id = ${id}),
          written as (
            update person set (${WRITTEN_COLUMNS}) = (${rowOf(next)}),
              words_revision = case when seen.has_words then ${next.revision}::int end
            from seen
            where organisation = $1 and id = ${id} and revision = ${expected} and ${where} returning id)
          ${words} ${append}`
        return appended.length > 0
      }
      const add = async () => {
        const appended = await query`
          with written as (
            insert into person (organisation, id, ${WRITTEN_COLUMNS}, words_revision)
            values ($1, ${id}, ${rowOf(next)}, ${next.revision}::int) returning id),
          named as (
            insert into address (organisation, address, person)
            select distinct $1, address, ${id}::text from unnest(${next.addresses}::text[]) as address)
          ${withNewWords(next)} ${append}`
        return appended.length > 0
      }
      /** A change that keeps the addresses, as most changes do, needs one statement instead of a transaction. */
      const changeAny = async () =>
        (await change(query, sql`addresses = ${next.addresses}::text[]`)) ||
        inTransaction(async (inside) => {
          const isChanged = await change(inside, raw('true'))
          if (isChanged) await replaceAddresses(inside, id, next.addresses)
          return isChanged
        })
      if (!(await conflictsAsMoved(expected === 0 ? add() : changeAny())))
        throw new VersionMoved(`${id} is not at ${expected} any more`)
    },
    /** The facts of all streams after the place `after`, in descending order of time, then stream, then version. */
    audit: async (
      after: FactPlace | null,
      limit: number,
    ): Promise<readonly Readonly<{ fact: Recorded<Fact>; place: FactPlace }>[]> => {
      const rows = await ask<FactRow & FactPlace>(
        `select stream, version, type, data, actor, at from event where organisation = $1
         ${after === null ? '' : 'and (at, stream, version) < ($3::bigint, $4, $5::bigint)'}
         order by at desc, stream desc, version desc limit $2`,
        [limit, ...(after === null ? [] : [after.at, after.stream, after.version])],
      )
      return rows.map(({ stream, ...row }) => ({
        fact: readFact(stream, row),
        place: { at: row.at, stream, version: row.version },
      }))
    },
    /** One page of the facts of all people, in the order of people's ids, then versions, after the place `after`. */
    peopleFacts: async (
      after: PersonPlace | null,
      limit: number,
    ): Promise<readonly (PersonPlace & Readonly<{ fact: Recorded<PersonFact> }>)[]> => {
      const rows = await query<FactRow & Readonly<{ stream: string }>>`
        select stream, version, type, data, actor, at from event
        where organisation = $1 and (stream, version) > (${PERSON + (after?.id ?? '')}, ${after?.version ?? 0}::int)
          and stream < ${AFTER_PERSONS}
        order by stream, version limit ${limit}`
      return rows.map(({ stream, ...row }) => ({
        id: stream.slice(PERSON.length),
        version: row.version,
        fact: readFact(stream, row) as Recorded<PersonFact>,
      }))
    },
    /** How many people have a row, including inactive ones. */
    countRows: async (): Promise<number> => {
      const [row] = await query<{ count: number }>`
        select count(*)::int as count from person where organisation = $1`
      return row?.count ?? 0
    },
    /** The addresses by which each of these people is found. A person without an address is not in the map. */
    addressesOf: async (ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> => {
      const rows = await query<{ id: string; addresses: readonly string[] }>`
        select person as id, array_agg(address) as addresses from address
        where organisation = $1 and person = any (${ids}::text[]) group by person`
      return new Map(rows.map(({ id, addresses }) => [id, addresses]))
    },
    /**
     * Replaces the rows and addresses of people by what their facts give, in one transaction, without appending a fact.
     * The row of a person who is null is deleted. Resolves with the ids of the people who were written since their facts
     * were read, whose rows stay as they are.
     *
     * @throws VersionMoved when an address or account belongs to another person, or was written at the same time. Then
     *   nothing is replaced
     */
    replacePeople: (people: readonly FoldedPerson[]): Promise<readonly string[]> =>
      conflictsAsMoved(
        inTransaction(async (inside) => {
          const ids = people.map(({ id }) => id)
          await inside`
            select id from person where organisation = $1 and id = any (${ids}::text[]) order by id for update`
          const stored = await inside<{ stream: string; first: number; last: number }>`
            select stream, min(version) as first, max(version) as last from event
            where organisation = $1 and stream = any (${ids.map((id) => PERSON + id)}::text[]) group by stream`
          const places = new Map(stored.map((each) => [each.stream, each]))
          const isMoved = ({ id, first, last }: FoldedPerson) => {
            const place = places.get(PERSON + id)
            return place?.first !== first || place.last !== last
          }
          const unmoved = people.filter((each) => !isMoved(each))
          const replaced = unmoved.map(({ id }) => id)
          const rows = unmoved.flatMap(({ person }) => person ?? [])
          const pairs = rows.flatMap(({ id, addresses }) =>
            addresses.map((address) => [id, address] as const),
          )
          await inside`delete from address where organisation = $1 and person = any (${replaced}::text[])`
          await inside`delete from person where organisation = $1 and id = any (${replaced}::text[])`
          await inside`
            insert into person (organisation, id, ${WRITTEN_COLUMNS}) select $1, written.* from ${rowsOfPeople(rows)}`
          await inside`
            insert into address (organisation, address, person)
            select distinct $1, address, person from unnest(
              ${pairs.map(([, address]) => address)}::text[], ${pairs.map(([id]) => id)}::text[]
            ) as written (address, person)`
          return people.filter(isMoved).map(({ id }) => id)
        }),
      ),

    release: async (id: string): Promise<ReleaseDocument | null> => {
      const [row] = await query<{ document: ReleaseDocument }>`
        select document from release where organisation = $1 and id = ${id}`
      return row?.document ?? null
    },
    /** Stores a release. One with the same id stays as it is. */
    keepRelease: (id: string, document: ReleaseDocument) => run`
        insert into release (organisation, id, document) values ($1, ${id}, ${JSON.stringify(document)}::json)
        on conflict (organisation, id) do nothing`,
    /** Stores where counted links lead. Their release is published next. */
    keepLinks: (links: readonly CountedLink[]) => run`
        insert into counted_link (organisation, id, block, address)
        select $1, link.id, link.block, link.address from unnest(
          ${links.map(({ id }) => id)}::text[], ${links.map(({ block }) => block)}::text[],
          ${links.map(({ address }) => address)}::text[]
        ) as link (id, block, address)
        on conflict (organisation, id) do nothing`,
    /** A counted link of any release that was ever published; null when there is none. */
    countedLink: async (id: string): Promise<CountedLink | null> => {
      const [row] = await query<CountedLink>`
        select id, block, address from counted_link where organisation = $1 and id = ${id}`
      return row ?? null
    },
    /** Adds to the clicks of days and blocks, each of which is named once. */
    addClicks: (clicks: readonly Clicks[]) => run`
        insert into counted_click (organisation, day, block, clicks)
        select $1, added.day, added.block, added.clicks::int from unnest(
          ${clicks.map(({ day }) => day)}::text[], ${clicks.map(({ block }) => block)}::text[],
          ${clicks.map((each) => String(each.clicks))}::text[]
        ) as added (day, block, clicks)
        order by added.day, added.block
        on conflict (organisation, day, block) do update
        set clicks = counted_click.clicks + excluded.clicks`,
    /** The clicks of all blocks from a day on. */
    clicksSince: (day: string) =>
      query<Clicks>`select day, block, clicks from counted_click where organisation = $1 and day >= ${day}`,
    /** Deletes the clicks of the days before a day. */
    dropOldClicks: (day: string) => run`delete from counted_click where organisation = $1 and day < ${day}`,
    /** `hash` is the SHA-256 of the content in hex, 32 characters. */
    picture: async (hash: string): Promise<Picture | null> => {
      const [row] = await query<Picture>`
        select media_type as "mediaType", bytes from picture where organisation = $1 and hash = ${hash}`
      return row ?? null
    },
    keepPicture: (hash: string, { mediaType, bytes }: Picture) => run`
        insert into picture (organisation, hash, media_type, bytes)
        values ($1, ${hash}, ${mediaType}, ${bytes}::bytea) on conflict (organisation, hash) do nothing`,
    /** Deletes a picture that no person and no release names. */
    dropPicture: (hash: string) => dropUnnamed(query, [hash]),
    /** The hashes whose pictures are stored. */
    hasPictures: async (hashes: readonly string[]): Promise<ReadonlySet<string>> => {
      const rows = await query<{ hash: string }>`
        select hash from picture where organisation = $1 and hash = any (${hashes}::text[])`
      return new Set(rows.map(({ hash }) => hash))
    },
    /** Stores what a person's add-in reports about itself, in place of the previous report. */
    keepReported: (person: string, reported: unknown, at: number) => run`
        insert into told (organisation, person, told, at)
        values ($1, ${person}, ${JSON.stringify(reported)}::json, ${at}::bigint)
        on conflict (organisation, person) do update set told = excluded.told, at = excluded.at`,
    reported: async (person: string): Promise<Readonly<{ reported: unknown; at: number }> | null> => {
      const [row] = await query<{ reported: unknown; at: number }>`
        select told as reported, at from told where organisation = $1 and person = ${person}`
      return row ?? null
    },
    /** One page of the reports that add-ins of active people sent since a time, in the order of the people's ids. */
    reportedByPeople: (after: string | null, limit: number, since: number) =>
      ask<Readonly<{ person: string; reported: unknown; at: number }>>(
        `select told.person, told.told as reported, told.at from told
         join person on person.organisation = told.organisation and person.id = told.person and person.active
         where told.organisation = $1 and told.at >= $2::bigint ${after === null ? '' : 'and told.person > $4'}
         order by told.person limit $3`,
        [since, limit, ...(after === null ? [] : [after])],
      ),
    /** Deletes the reports of add-ins that are older than a time. */
    dropOldReported: (before: number) =>
      run`delete from told where organisation = $1 and at < ${before}::bigint`,

    keys: () =>
      query<SealedKey>`
        select id, sealed, "from", until from signing_key where organisation = $1 order by "from", id`,
    keepKey: ({ id, sealed, from, until }: SealedKey) => run`
        insert into signing_key (organisation, id, sealed, "from", until)
        values ($1, ${id}, ${sealed}::bytea, ${from}::bigint, ${until}::bigint)
        on conflict (organisation, id) do update
        set sealed = excluded.sealed, "from" = excluded."from", until = excluded.until`,
    dropKey: (id: string) => run`delete from signing_key where organisation = $1 and id = ${id}`,

    /** The plan with this id; null when no such plan is stored. */
    plan: async (id: string): Promise<unknown> => {
      const [row] = await query<{ plan: unknown }>`
        select plan from plan where organisation = $1 and id = ${id}`
      return row?.plan ?? null
    },
    /** Stores a plan that expires at the time `until`. */
    keepPlan: (id: string, plan: unknown, until: number) => run`
        insert into plan (organisation, id, plan, until)
        values ($1, ${id}, ${JSON.stringify(plan)}::json, ${until}::bigint)
        on conflict (organisation, id) do update set plan = excluded.plan, until = excluded.until`,
    dropOldPlans: (now: number) => run`delete from plan where organisation = $1 and until <= ${now}::bigint`,

    /** Takes or renews a lease until the time `until`. False when another holder has the lease. */
    lease: async (name: string, holder: string, now: number, until: number): Promise<boolean> => {
      const rows = await query`
        insert into lease (organisation, name, holder, until) values ($1, ${name}, ${holder}, ${until}::bigint)
        on conflict (organisation, name) do update set holder = excluded.holder, until = excluded.until
        where lease.holder = excluded.holder or lease.until <= ${now}::bigint
        returning name`
      return rows.length > 0
    },
    isLeased: async (name: string, now: number): Promise<boolean> => {
      const rows = await query`
        select name from lease where organisation = $1 and name = ${name} and until > ${now}::bigint`
      return rows.length > 0
    },
    giveBack: (name: string, holder: string) =>
      run`delete from lease where organisation = $1 and name = ${name} and holder = ${holder}`,

    /** What the directory reported. */
    directory: createDirectoryStore(query, inTransaction),

    /** The words by which people are found. The writes of people keep them. */
    words: createWordStore<PersonRow>(query, inTransaction, { columns: READ_COLUMNS, personOf }),

    /** Resolves when the database responds and accepts writes. */
    ping: async (): Promise<void> => {
      const [answer] = await driver.query<{ state: string }>(
        "select current_setting('transaction_read_only') as state",
      )
      if (answer?.state === 'on')
        throw new StoreUnavailable(STORE_PROBLEMS.readOnly, { problem: 'readOnly', sqlState: '25006' })
    },
    /** Empties all tables of the organisation except the signing keys. For the playground and tests. */
    clear: () =>
      inTransaction(async (inside) => {
        const others = ['event', 'person', 'address', 'release', 'picture', 'told', 'lease', 'plan']
        const counted = ['counted_link', 'counted_click']
        for (const table of [...others, ...counted, ...DIRECTORY_TABLES])
          await inside`delete from ${raw(table)} where organisation = $1`
      }),
    /** Empties the tables of people and of the directory. For the playground and tests. */
    clearPeople: () =>
      inTransaction(async (inside) => {
        for (const table of ['person', 'address', 'told', ...DIRECTORY_TABLES])
          await inside`delete from ${raw(table)} where organisation = $1`
        await inside`delete from event where organisation = $1 and stream <> 'organisation'`
      }),
    close: () => driver.close(),
  }
}
