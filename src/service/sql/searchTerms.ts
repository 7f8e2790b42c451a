/**
 * The words by which people are found. A search reads a bounded number of rows, however many people there are: it follows
 * the order of the words for so many places, and ends where they no longer begin with what is asked for. A statement
 * with that end in it would seem so cheap to a planner without statistics that it reads and sorts all places before it.
 * So would a limit that it knows: a limit from a subquery counts as a tenth of all rows, for which it follows the index.
 */
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { wordsOf } from '../../../streams/organisation/facts/searchTerms.ts'
import { type Query, raw, type Sql, sql } from './query.ts'

/** How many people get their words in one transaction. */
const INDEXED_AT_ONCE = 100
/** Up to how many uses of a word are counted. */
export const MAX_COUNTED = 1_000

/** The words of the person are not those of the row: another version wrote the row, and knows no words. */
const IS_STALE = raw('words_revision is distinct from revision')
/** The id as the index of these people has it. */
const STALE_ID = raw("(id || '')")

/** A place in the words of all people, which are ordered by word, then person. */
export type WordPlace = Readonly<{ word: string; person: string }>

/** What the words need of the table of people. */
export type PersonTable<Row> = Readonly<{ columns: Sql; personOf: (row: Row) => PersonState }>

/** Begins with a comma: stores the words of a new person, whose row the same statement inserts. */
export const withNewWords = (person: PersonState): Sql => sql`, worded as (
  insert into person_word (organisation, word, person)
  select $1, word, ${person.id}::text from unnest(${wordsOf(person)}::text[]) as word)`

/**
 * Begins with a comma: replaces the words of a person, whose id `written` returns. Words that another transaction stored
 * meanwhile are not seen, so the row must then count as stale.
 */
export function withOtherWords(person: PersonState): Sql {
  const words = wordsOf(person)
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
    /**
     * Stores the words of people whose words are stale, after the id `after`. Resolves with the last id; null when it
     * was the last batch. Another instance takes other people meanwhile, and a save of one of them waits.
     */
    index: (after: string | null): Promise<string | null> =>
      inTransaction(async (inside) => {
        const rows = await inside<Row>`
          select ${columns} from person where organisation = $1 and ${IS_STALE} and ${STALE_ID} > ${after ?? ''}
          order by ${STALE_ID} limit (select ${INDEXED_AT_ONCE}::int) for no key update skip locked`
        if (rows.length === 0) return null
        const ids = rows.map(({ id }) => id)
        const words = rows.flatMap((row) => wordsOf(personOf(row)).map((word) => ({ word, person: row.id })))
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
        return rows.length < INDEXED_AT_ONCE ? null : (ids.at(-1) ?? null)
      }),
    /** How many words of people begin with each of the wanted words, counted up to `MAX_COUNTED`, in their order. */
    commonness: async (wanted: readonly string[]): Promise<readonly number[]> => {
      const rows = await query<{ count: number }>`
        select (
          select count(*) filter (where starts_with(counted.word, wanted.word))::int from (
            select word from person_word where organisation = $1 and word >= wanted.word
            order by word, person limit (select ${MAX_COUNTED}::int)) as counted) as count
        from unnest(${wanted}::text[]) with ordinality as wanted (word, place) order by wanted.place`
      return rows.map(({ count }) => count)
    },
    /**
     * The places of words that begin with `first`, after the place `after`, in their order. `person` is the active
     * person of the place who has a word for each of `others`, too; null when there is none, and at all places of a
     * person but the first.
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
    /** The active people whose words are stale, after the id `after`, in the order of their ids. */
    unindexed: async (after: string, limit: number): Promise<readonly PersonState[]> => {
      const rows = await query<Row>`
        select ${columns} from person where organisation = $1 and ${IS_STALE} and active and ${STALE_ID} > ${after}
        order by ${STALE_ID} limit (select ${limit}::int)`
      return rows.map(personOf)
    },
  }
}
