/** Finds people by words, page by page. Each answer reads a limited amount, however many people there are. */
import { mapInSteps } from '../../../streams/kernel/steps.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { matchesSearchWords, searchWords } from '../../../streams/organisation/facts/searchTerms.ts'
import { runInSlices } from '../../server/timeSlices.ts'
import type { Store } from '../sql/store.ts'
import { MAX_COUNTED_USES, type WordPlace } from '../sql/searchTerms.ts'

/**
 * The number of word places that each statement reads. The first statements read few, because most searches are narrow.
 */
const PLACES_AT_ONCE: readonly number[] = [64, 256, 768, 1_024]
/** The number of places to try for each of several common words, to find the word that leads to most people. */
const PLACES_TRIED = 16
/** The number of people per statement in a search without words. */
const PEOPLE_AT_ONCE = 500
/**
 * The statement limits of one answer: for listing everyone, and for matching people without stored words one by one.
 */
const MAX_OF_ALL = 20
const MAX_WITHOUT_WORDS = 4

/** A found person, and the place from which the search continues. */
export type SearchHit = Readonly<{ person: PersonState; after: string }>

/** The people found by one statement. `next` is the place to continue from; null at the end of the search. */
export type SearchPage = Readonly<{ found: readonly SearchHit[]; next: string | null }>

export type PeopleSearch = (text: string, after: string | null) => AsyncGenerator<SearchPage>

/** A place as text: `<word> <person>`. Without a word, the place is among the people without stored words. */
const textOf = ({ word, person }: WordPlace): string => `${word} ${person}`

function placeIn(after: string): WordPlace | null {
  const space = after.indexOf(' ')
  return space < 0 ? null : { word: after.slice(0, space), person: after.slice(space + 1) }
}

/**
 * Finds active people who have, for each searched word, a word that begins with it. An empty text finds everyone, in
 * order of id. Results are in the order of the places of the rarest word; if all words are common, of the word whose
 * first places find most people. The search ends when everything was searched, or after the statement limit of one
 * answer. The last page then has a `next`. A place from another search is ignored.
 */
export function createPeopleSearch(store: Pick<Store, 'people' | 'words'>): PeopleSearch {
  async function* everyone(after: string | null): AsyncGenerator<SearchPage> {
    let last = after
    for (let read = 0; read < MAX_OF_ALL; read += 1) {
      const page = await store.people(last, PEOPLE_AT_ONCE)
      last = page.at(-1)?.id ?? null
      const next = page.length < PEOPLE_AT_ONCE ? null : last
      yield { found: page.map((person) => ({ person, after: person.id })), next }
      if (next === null) return
    }
  }

  /** The rarest word. If all words are too common to count, returns all of them, the longest first. */
  async function rarest(wanted: readonly string[]): Promise<readonly string[]> {
    const counts = wanted.length > 1 ? await store.words.commonness(wanted) : []
    const least = Math.min(...counts)
    return least >= MAX_COUNTED_USES ? wanted : wanted.slice(counts.indexOf(least)).slice(0, 1)
  }

  /** @returns the people found after a place of the word `first`, and the place to continue from */
  async function pageOf(
    first: string,
    wanted: readonly string[],
    after: WordPlace | null,
    limit: number,
  ): Promise<Readonly<{ found: readonly SearchHit[]; last: WordPlace | null }>> {
    const others = wanted.filter((word) => word !== first)
    const places = await store.words.places(first, others, after, limit)
    const found = places.flatMap(({ place, person }) =>
      person === null ? [] : [{ person, after: textOf(place) }],
    )
    return { found, last: places.length < limit ? null : (places.at(-1)?.place ?? null) }
  }

  /** @yields pages. The last page has no `next` if the search is complete */
  async function* byWords(wanted: readonly string[], after: WordPlace | null): AsyncGenerator<SearchPage> {
    const leading = wanted.filter((word) => after?.word.startsWith(word))
    const [first = '', ...more] = leading.length > 0 ? leading : await rarest(wanted)
    let [leader, last] = [first, after]
    if (more.length > 0) {
      let most = await pageOf(first, wanted, null, PLACES_TRIED)
      for (const word of more) {
        const tried = await pageOf(word, wanted, null, PLACES_TRIED)
        if (tried.found.length > most.found.length) [leader, most] = [word, tried]
      }
      last = most.last
      yield { found: most.found, next: last && textOf(last) }
      if (last === null) return
    }
    for (const limit of PLACES_AT_ONCE) {
      const page = await pageOf(leader, wanted, last, limit)
      last = page.last
      yield { found: page.found, next: last && textOf(last) }
      if (last === null) return
    }
  }

  /** People whose words are not stored yet, for example after an upgrade. They are matched one by one. */
  async function* withoutWords(wanted: readonly string[], after: string): AsyncGenerator<SearchPage> {
    let last = after
    for (let read = 0; read < MAX_WITHOUT_WORDS; read += 1) {
      const page = await store.words.unindexed(last, PEOPLE_AT_ONCE)
      last = page.at(-1)?.id ?? last
      const found = await runInSlices(
        mapInSteps(page, (person) =>
          matchesSearchWords(person, wanted)
            ? [{ person, after: textOf({ word: '', person: person.id }) }]
            : [],
        ),
      )
      const next = page.length < PEOPLE_AT_ONCE ? null : textOf({ word: '', person: last })
      yield { found: found.flat(), next }
      if (next === null) return
    }
  }

  async function* byAllWords(wanted: readonly string[], place: WordPlace | null): AsyncGenerator<SearchPage> {
    const isKnown = place !== null && wanted.some((word) => place.word.startsWith(word))
    let isOver = false
    for await (const { found, next } of byWords(wanted, isKnown ? place : null)) {
      isOver = next === null
      yield { found, next: next ?? textOf({ word: '', person: '' }) }
    }
    if (isOver) yield* withoutWords(wanted, '')
  }

  return function search(text, after) {
    if (text.trim() === '') return everyone(after)
    const wanted = searchWords(text)
    const place = after === null ? null : placeIn(after)
    if (wanted.length === 0) return nothing()
    return place?.word === '' ? withoutWords(wanted, place.person) : byAllWords(wanted, place)
  }
}

async function* nothing(): AsyncGenerator<SearchPage> {}
