/** Finds people by their words, page by page. What an answer reads is bounded, however many people there are. */
import { mapping } from '../../../streams/kernel/steps.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { isFoundBy, wantedWords } from '../../../streams/organisation/facts/searchTerms.ts'
import { inTurns } from '../../server/timeSlices.ts'
import type { Store } from '../sql/store.ts'
import { MAX_COUNTED, type WordPlace } from '../sql/searchTerms.ts'

/** How many places of words one statement reads: the first statements read little, because most searches are narrow. */
const PLACES_AT_ONCE: readonly number[] = [64, 256, 768, 1_024]
/** How many places of each of several common words are tried, to see which of them leads to more people. */
const PLACES_TRIED = 16
/** How many people one statement reads where no words are asked for. */
const PEOPLE_AT_ONCE = 500
/** How many such statements one answer needs at most: of all people, and of people without words, which are folded. */
const MAX_OF_ALL = 20
const MAX_WITHOUT_WORDS = 4

/** A person who was found, and where the search goes on after them. */
export type FoundAt = Readonly<{ person: PersonState; after: string }>

/** What one statement found. `next` is where the search goes on; null when everything was searched. */
export type FoundPage = Readonly<{ found: readonly FoundAt[]; next: string | null }>

export type PeopleSearch = (text: string, after: string | null) => AsyncGenerator<FoundPage>

/** A place as a text: `<word> <person>`; without a word, it is in the people who have no words yet. */
const textOf = ({ word, person }: WordPlace): string => `${word} ${person}`

function placeIn(after: string): WordPlace | null {
  const space = after.indexOf(' ')
  return space < 0 ? null : { word: after.slice(0, space), person: after.slice(space + 1) }
}

/**
 * The active people of whom each word of a text begins a word, in the order of the rarest of these words, or of the one
 * that finds most at its first places when all are common; all people in the order of their ids when the text is empty.
 * It ends when everything was searched, or when one answer has read enough: then the last page has a `next`. A place of
 * another search begins at the start.
 */
export function createPeopleSearch(store: Pick<Store, 'people' | 'words'>): PeopleSearch {
  async function* everyone(after: string | null): AsyncGenerator<FoundPage> {
    let last = after
    for (let read = 0; read < MAX_OF_ALL; read += 1) {
      const page = await store.people(last, PEOPLE_AT_ONCE)
      last = page.at(-1)?.id ?? null
      const next = page.length < PEOPLE_AT_ONCE ? null : last
      yield { found: page.map((person) => ({ person, after: person.id })), next }
      if (next === null) return
    }
  }

  /** The rarest of several words; several, the longest first, when each is as common as words are counted. */
  async function rarest(wanted: readonly string[]): Promise<readonly string[]> {
    const counts = wanted.length > 1 ? await store.words.commonness(wanted) : []
    const least = Math.min(...counts)
    return least >= MAX_COUNTED ? wanted : wanted.slice(counts.indexOf(least)).slice(0, 1)
  }

  /** @returns what the places of the word `first` find after a place, and where the search goes on */
  async function pageOf(
    first: string,
    wanted: readonly string[],
    after: WordPlace | null,
    limit: number,
  ): Promise<Readonly<{ found: readonly FoundAt[]; last: WordPlace | null }>> {
    const others = wanted.filter((word) => word !== first)
    const places = await store.words.places(first, others, after, limit)
    const found = places.flatMap(({ place, person }) =>
      person === null ? [] : [{ person, after: textOf(place) }],
    )
    return { found, last: places.length < limit ? null : (places.at(-1)?.place ?? null) }
  }

  /** @yields pages of which the last one has no `next` when all words were searched */
  async function* byWords(wanted: readonly string[], after: WordPlace | null): AsyncGenerator<FoundPage> {
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

  /** The people whose words are not stored yet, after an upgrade: they are read one by one. */
  async function* withoutWords(wanted: readonly string[], after: string): AsyncGenerator<FoundPage> {
    let last = after
    for (let read = 0; read < MAX_WITHOUT_WORDS; read += 1) {
      const page = await store.words.unindexed(last, PEOPLE_AT_ONCE)
      last = page.at(-1)?.id ?? last
      const found = await inTurns(
        mapping(page, (person) =>
          isFoundBy(person, wanted) ? [{ person, after: textOf({ word: '', person: person.id }) }] : [],
        ),
      )
      const next = page.length < PEOPLE_AT_ONCE ? null : textOf({ word: '', person: last })
      yield { found: found.flat(), next }
      if (next === null) return
    }
  }

  async function* byAllWords(wanted: readonly string[], place: WordPlace | null): AsyncGenerator<FoundPage> {
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
    const wanted = wantedWords(text)
    const place = after === null ? null : placeIn(after)
    if (wanted.length === 0) return nothing()
    return place?.word === '' ? withoutWords(wanted, place.person) : byAllWords(wanted, place)
  }
}

async function* nothing(): AsyncGenerator<FoundPage> {}
