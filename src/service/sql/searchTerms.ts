/**
 * The index of words that find people. A search reads a limited number of rows, however many people there are: it reads
 * a limited number of places in index order, and drops those whose word has another beginning. The statement has no
 * condition for the end of this range, because a planner without statistics would then read and sort all earlier
 * places. A literal limit has the same effect. The planner estimates a limit from a subquery as a tenth of all rows,
 * and so uses the index.
 */
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { personWordsOf } from '../../../streams/organisation/facts/searchTerms.ts'
import { type Query, rawSql, type Sql, sql } from './query.ts'
import { derivingStaleRows, STALE_ID } from './staleRows.ts'

/** The number at which counting the uses of a word ends. */
export const MAX_COUNTED_USES = 1_000

/** The condition for people whose words are outdated, because a version of Signet without words wrote the row. */
const IS_STALE = rawSql('words_revision is distinct from revision')

/** A place in the index of words, which is ordered by word and person. */
export type WordPlace = Readonly<{ word: string; person: string }>

/** The columns of the table of people, and the conversion of its rows. */
export type PersonTable<Row> = Readonly<{ columns: Sql; personOf: (row: Row) => PersonState }>

/** SQL that stores the words of a new person, for the statement that inserts the row. It begins with a comma. */
export const newWordsSql = (person: PersonState): Sql => sql`, worded as (
  insert into person_word (organisation, word, person)
  select $1, word, ${person.id}::text from unnest(${personWordsOf(person)}::text[]) as word)`

/**
 * SQL that replaces the words of the person whose id `written` returns. It begins with a comma. The statement cannot
 * see words that another transaction stores meanwhile, so the row must then count as stale.
 */
export function replacedWordsSql(person: PersonState): Sql {
  const words = personWordsOf(person)
  return sql`, unworded as (
    delete from person_word using written
    where person_word.organisation = $1 and person_word.person = written.id and word <> all (${words}::text[])),
  worded as (
    insert into person_word (organisation, word, person)
    select $1, word, written.id from written, unnest(${words}::text[]) as word
    where word not in (select word from person_word where organisation = $1 and person = ${person.id})
    on conflict do nothing)`
}

export function createWordStore<Row extends { readonly id: string }>(
  query: Query,
  inTransaction: <Result>(work: (query: Query) => Promise<Result>) => Promise<Result>,
  { columns, personOf }: PersonTable<Row>,
) {
  return {
    /** Indexes a batch of people whose words are stale (`derivingStaleRows`). */
    index: derivingStaleRows<Row>(inTransaction, { columns, isStale: IS_STALE }, async (inside, rows) => {
      const ids = rows.map(({ id }) => id)
      const words = rows.flatMap((row) =>
        personWordsOf(personOf(row)).map((word) => ({ word, person: row.id })),
      )
      const given = sql`unnest(
        ${words.map(({ person }) => person)}::text[], ${words.map(({ word }) => word)}::text[]) as given (person, word)`
      await inside`
        delete from person_word where organisation = $1 and person = any (${ids}::text[])
        and not exists (
          select 1 from ${given} where given.person = person_word.person and given.word = person_word.word)`
      await inside`
        insert into person_word (organisation, word, person) select $1, given.word, given.person from ${given}
        on conflict do nothing`
      await inside`
        update person set words_revision = revision where organisation = $1 and id = any (${ids}::text[])`
    }),
    /**
     * Counts the stored words that begin with each of the wanted words, up to `MAX_COUNTED_USES`. Keeps the order of
     * `wanted`.
     */
    commonness: async (wanted: readonly string[]): Promise<readonly number[]> => {
      const rows = await query<{ count: number }>`
        select (
          select count(*) filter (where starts_with(counted.word, wanted.word))::int from (
            select word from person_word where organisation = $1 and word >= wanted.word
            order by word, person limit (select ${MAX_COUNTED_USES}::int)) as counted) as count
        from unnest(${wanted}::text[]) with ordinality as wanted (word, place) order by wanted.place`
      return rows.map(({ count }) => count)
    },
    /**
     * The places of words that begin with `first`, after the place `after`, in order. `person` is only set at the first
     * place of each active person whose words also match all of `others`.
     */
    places: async (
      first: string,
      others: readonly string[],
      after: WordPlace | null,
      limit: number,
    ): Promise<readonly Readonly<{ place: WordPlace; person: PersonState | null }>[]> => {
      const from = after ?? { word: first, person: '' }
      const rows = await query<Readonly<{ placeWord: string; placePerson: string }> & (Row | { id: null })>`
        with place as materialized (
          select word, person as holder from person_word
          where organisation = $1 and (word, person) > (${from.word}, ${from.person})
          order by word, person limit (select ${limit}::int))
        select place.word as "placeWord", place.holder as "placePerson", found.* from place
        left join lateral (
          select ${columns} from person, (
            select array_agg(word) as words from person_word
            where organisation = $1 and person = place.holder) as own
          where person.organisation = $1 and person.id = place.holder and active and words_revision = revision
          and place.word = (
            select min(each collate "C") from unnest(own.words) as each where starts_with(each, ${first}))
          and not exists (
            select 1 from unnest(${others}::text[]) as wanted
            where not exists (select 1 from unnest(own.words) as each where starts_with(each, wanted)))
        ) as found on true
        where starts_with(place.word, ${first})
        order by place.word, place.holder`
      return rows.map(({ placeWord, placePerson, ...row }) => ({
        place: { word: placeWord, person: placePerson },
        person: row.id === null ? null : personOf(row as unknown as Row),
      }))
    },
    /** The active people whose words are stale, ordered by id, after the id `after`. */
    unindexed: async (after: string, limit: number): Promise<readonly PersonState[]> => {
      const rows = await query<Row>`
        select ${columns} from person where organisation = $1 and ${IS_STALE} and active and ${STALE_ID} > ${after}
        order by ${STALE_ID} limit (select ${limit}::int)`
      return rows.map(personOf)
    },
  }
}
