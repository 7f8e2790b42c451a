/** Writes the tables of people and their addresses when a person's facts change. */
import type { PersonFact } from '../../../streams/organisation/facts/events.ts'
import { mayChangePersonWords } from '../../../streams/organisation/facts/searchTerms.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import type { OrganisationAccess } from './access.ts'
import { reportConflicts } from './conflicts.ts'
import { erasePerson } from './erasing.ts'
import { EVENT_COLUMNS, eventColumnValues, factRows, PERSON_STREAM_PREFIX, type FactOrigin } from './facts.ts'
import { personRowValues, rowsOfPeople, PERSON_WRITTEN_COLUMNS } from './personRows.ts'
import { VersionConflict } from './problems.ts'
import { type Query, rawSql, type Sql, sql } from './query.ts'
import { newWordsSql, replacedWordsSql } from './searchTerms.ts'

/**
 * A person's state, computed from all facts, whose versions are `first` to `last`. `person` is null if no person
 * results from the facts.
 */
export type FoldedPerson = Readonly<{ id: string; person: PersonState | null; first: number; last: number }>

/**
 * A person without stored facts: the state after the first facts, whose versions are 0 to `person.revision - 1`.
 */
export type NewPerson = Readonly<{ person: PersonState; facts: readonly PersonFact[] }>

async function addAddresses(inside: Query, people: readonly PersonState[]) {
  const pairs = people.flatMap(({ id, addresses }) => addresses.map((address) => [id, address] as const))
  await inside`
    insert into address (organisation, address, person)
    select distinct $1, address, person from unnest(
      ${pairs.map(([, address]) => address)}::text[], ${pairs.map(([id]) => id)}::text[]
    ) as written (address, person)`
}

async function replaceAddresses(inside: Query, id: string, addresses: readonly string[]) {
  await inside`
    delete from address where organisation = $1 and person = ${id} and address <> all (${addresses}::text[])`
  await inside`
    insert into address (organisation, address, person)
    select distinct $1, address, ${id}::text from unnest(${addresses}::text[]) as address
    where address not in (select address from address where organisation = $1 and person = ${id})`
}

export function createPeopleWriter({ query, transaction }: OrganisationAccess) {
  return {
    /**
     * Appends facts, and updates the person's row and addresses from `next`, in one transaction. `next.revision` is
     * `expected` plus the number of facts. If `next` is null, the person's row, addresses, pictures, facts and
     * directory entries are erased. Only the fact of the erasure remains.
     *
     * @throws VersionConflict when another writer was first, or an address or account belongs to another person
     */
    appendPerson: async (
      id: string,
      expected: number,
      facts: readonly PersonFact[],
      next: PersonState | null,
      signed: FactOrigin,
    ): Promise<void> => {
      if (facts.length === 0) return
      if (next === null)
        return reportConflicts(transaction((inside) => erasePerson(inside, id, expected, signed)))
      const append = sql`
        insert into event (${EVENT_COLUMNS}) select ${eventColumnValues(PERSON_STREAM_PREFIX + id, expected, signed)}
        from written, ${factRows(facts)} returning version`
      const words = facts.some(mayChangePersonWords) ? replacedWordsSql(next) : rawSql('')
      // A person whose words are missing when the statement begins stays marked as without words, because the statement
      // cannot see words that are stored meanwhile.
      const change = async (inside: Query, where: Sql) => {
        const appended = await inside`
          with seen as materialized (
            select words_revision = revision as has_words from person where organisation = $1 and id = ${id}),
          written as (
            update person set (${PERSON_WRITTEN_COLUMNS}) = (${personRowValues(next)}),
              words_revision = case when seen.has_words then ${next.revision}::int end
            from seen
            where organisation = $1 and id = ${id} and revision = ${expected} and ${where} returning id)
          ${words} ${append}`
        return appended.length > 0
      }
      const add = async () => {
        const appended = await query`
          with written as (
            insert into person (organisation, id, ${PERSON_WRITTEN_COLUMNS}, words_revision)
            values ($1, ${id}, ${personRowValues(next)}, ${next.revision}::int) returning id),
          named as (
            insert into address (organisation, address, person)
            select distinct $1, address, ${id}::text from unnest(${next.addresses}::text[]) as address)
          ${newWordsSql(next)} ${append}`
        return appended.length > 0
      }
      /** Most changes keep the addresses, and then need one statement instead of a transaction. */
      const changeAny = async () =>
        (await change(query, sql`addresses = ${next.addresses}::text[]`)) ||
        transaction(async (inside) => {
          const isChanged = await change(inside, rawSql('true'))
          if (isChanged) await replaceAddresses(inside, id, next.addresses)
          return isChanged
        })
      if (!(await reportConflicts(expected === 0 ? add() : changeAny())))
        throw new VersionConflict(`${id} is not at ${expected} any more`)
    },
    /**
     * Adds many people with their facts, rows and addresses, in three statements of one transaction. Their words are
     * stored later, as those of replaced people. For the playground.
     *
     * @throws VersionConflict when one of them is stored already, or an address or account belongs to another person. Then
     *   nobody is added
     */
    addPeople: (people: readonly NewPerson[], { actor, at }: FactOrigin): Promise<void> =>
      reportConflicts(
        transaction(async (inside) => {
          const rows = people.map(({ person }) => person)
          const facts = people.flatMap(({ person, facts: own }) =>
            own.map((fact, version) => ({ ...fact, stream: PERSON_STREAM_PREFIX + person.id, version })),
          )
          await inside`
            insert into person (organisation, id, ${PERSON_WRITTEN_COLUMNS}) select $1, written.* from ${rowsOfPeople(rows)}`
          await addAddresses(inside, rows)
          await inside`
            insert into event (${EVENT_COLUMNS})
            select $1, stream, version, type, data::json, ${actor}, ${at}::bigint from unnest(
              ${facts.map(({ stream }) => stream)}::text[], ${facts.map(({ version }) => version)}::int[],
              ${facts.map(({ type }) => type)}::text[], ${facts.map(({ data }) => JSON.stringify(data))}::text[]
            ) as fact (stream, version, type, data)`
        }),
      ),
    /**
     * Replaces the rows and addresses of people by their folded state, in one transaction, without appending a fact.
     * Deletes the row if `person` is null. Resolves with the ids of people who were written after their facts were
     * read. Their rows stay unchanged.
     *
     * @throws VersionConflict when an address or account belongs to another person, or was written at the same time. Then
     *   nothing is replaced
     */
    replacePeople: (people: readonly FoldedPerson[]): Promise<readonly string[]> =>
      reportConflicts(
        transaction(async (inside) => {
          const ids = people.map(({ id }) => id)
          await inside`
            select id from person where organisation = $1 and id = any (${ids}::text[]) order by id for update`
          const stored = await inside<{ stream: string; first: number; last: number }>`
            select stream, min(version) as first, max(version) as last from event
            where organisation = $1 and stream = any (${ids.map((id) => PERSON_STREAM_PREFIX + id)}::text[]) group by stream`
          const places = new Map(stored.map((each) => [each.stream, each]))
          const isMoved = ({ id, first, last }: FoldedPerson) => {
            const place = places.get(PERSON_STREAM_PREFIX + id)
            return place?.first !== first || place.last !== last
          }
          const unmoved = people.filter((each) => !isMoved(each))
          const replaced = unmoved.map(({ id }) => id)
          const rows = unmoved.flatMap(({ person }) => person ?? [])
          await inside`delete from address where organisation = $1 and person = any (${replaced}::text[])`
          await inside`delete from person where organisation = $1 and id = any (${replaced}::text[])`
          await inside`
            insert into person (organisation, id, ${PERSON_WRITTEN_COLUMNS}) select $1, written.* from ${rowsOfPeople(rows)}`
          await addAddresses(inside, rows)
          return people.filter(isMoved).map(({ id }) => id)
        }),
      ),
  }
}
