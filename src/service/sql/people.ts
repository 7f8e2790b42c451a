/** The tables of people and of their addresses. Both change with the facts of a person. */
import { addressForms } from '../../values/mailAddress.ts'
import type { Account, PersonFact } from '../../../streams/organisation/facts/events.ts'
import { mayChangeWords } from '../../../streams/organisation/facts/searchTerms.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import type { Access } from './access.ts'
import { conflictsAsMoved } from './conflicts.ts'
import { erasePerson } from './erasing.ts'
import { EVENT_COLUMNS, eventsOf, factRows, PERSON, type Signed } from './facts.ts'
import {
  type PersonRow,
  personOf,
  READ_COLUMNS,
  recalledPersonOf,
  rowOf,
  rowsOfPeople,
  WRITTEN_COLUMNS,
} from './personRows.ts'
import { VersionMoved } from './problems.ts'
import { type Query, raw, type Sql, sql } from './query.ts'
import { withNewWords, withOtherWords } from './searchTerms.ts'

/** What the facts of a person give, from the version `first` to `last`, which are all. Null is no person. */
export type FoldedPerson = Readonly<{ id: string; person: PersonState | null; first: number; last: number }>

/** The statements of most requests and of sign-ins, as one text each. */
const PERSON_OF_ACCOUNT = `select ${READ_COLUMNS.texts.join('')} from person
  where organisation = $1 and tenant = $2 and oid = $3`
const PERSON_WITH_ID = `select ${READ_COLUMNS.texts.join('')} from person where organisation = $1 and id = $2`

async function replaceAddresses(inside: Query, id: string, addresses: readonly string[]) {
  await inside`
    delete from address where organisation = $1 and person = ${id} and address <> all (${addresses}::text[])`
  await inside`
    insert into address (organisation, address, person)
    select distinct $1, address, ${id}::text from unnest(${addresses}::text[]) as address
    where address not in (select address from address where organisation = $1 and person = ${id})`
}

export function createPeopleStore({ query, ask, count, transaction }: Access, organisation: string) {
  async function readPersons(where: Sql): Promise<readonly PersonState[]> {
    const rows = await query<PersonRow>`
      select ${READ_COLUMNS} from person where organisation = $1 and ${where}`
    return rows.map(personOf)
  }
  async function recalledPerson(statement: string, ...parameters: readonly string[]) {
    const [row] = await ask<PersonRow>(statement, parameters)
    return row === undefined ? null : recalledPersonOf(organisation, row)
  }
  const readPerson = async (where: Sql): Promise<PersonState | null> => (await readPersons(where))[0] ?? null

  return {
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
    countPeople: () => count(sql`count(*)::int as count from person where organisation = $1 and active`),
    /** How many people have a row, including inactive ones. */
    countRows: () => count(sql`count(*)::int as count from person where organisation = $1`),
    /** The addresses by which each of these people is found. A person without an address is not in the map. */
    addressesOf: async (ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> => {
      const rows = await query<{ id: string; addresses: readonly string[] }>`
        select person as id, array_agg(address) as addresses from address
        where organisation = $1 and person = any (${ids}::text[]) group by person`
      return new Map(rows.map(({ id, addresses }) => [id, addresses]))
    },
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
      if (next === null)
        return conflictsAsMoved(transaction((inside) => erasePerson(inside, id, expected, signed)))
      const append = sql`
        insert into event (${EVENT_COLUMNS}) select ${eventsOf(PERSON + id, expected, signed)}
        from written, ${factRows(facts)} returning version`
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
        transaction(async (inside) => {
          const isChanged = await change(inside, raw('true'))
          if (isChanged) await replaceAddresses(inside, id, next.addresses)
          return isChanged
        })
      if (!(await conflictsAsMoved(expected === 0 ? add() : changeAny())))
        throw new VersionMoved(`${id} is not at ${expected} any more`)
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
        transaction(async (inside) => {
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
  }
}
