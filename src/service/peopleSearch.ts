/** Finds people by their words, page by page. What an answer reads is bounded, however many people there are. */
import { mapping } from '../../streams/kernel/steps.ts'
import type { PersonState } from '../../streams/organisation/state.ts'
import { isFoundBy, wantedWords } from '../../streams/organisation/words.ts'
import { inTurns } from '../server/turns.ts'
import type { Store } from './sql/store.ts'
import type { WordPlace } from './sql/wordStore.ts'

/** How many places of words one statement reads: the first statements read little, because most searches are narrow. */
const PLACES_AT_ONCE: readonly number[] = [64, 256, 768, 1_024]
/** How many people one statement reads where no words are asked for. */
const PEOPLE_AT_ONCE = 500
/** How many such statements one answer needs at most: of all people, and of people without words, which are folded. */
const MOST_OF_ALL = 20
const MOST_WITHOUT_WORDS = 4

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
 * The active people of whom each word of a text begins a word, in the order of the rarest of these words; all people in
 * the order of their ids when the text is empty. It ends when everything was searched, or when one answer has read
 * enough: then the last page has a `next`. A place of another search begins at the start.
 */
export function createPeopleSearch(store: Pick<Store, 'people' | 'words'>): PeopleSearch {
  async function* everyone(after: string | null): AsyncGenerator<FoundPage> {
    let last = after
    for (let read = 0; read < MOST_OF_ALL; read += 1) {
      const page = await store.people(last, PEOPLE_AT_ONCE)
      last = page.at(-1)?.id ?? null
      const next = page.length < PEOPLE_AT_ONCE ? null : last
      yield { found: page.map((person) => ({ person, after: person.id })), next }
      if (next === null) return
    }
  }

  /** The rarest of several words. */
  async function rarest(wanted: readonly string[]): Promise<string> {
    const counts = wanted.length > 1 ? await store.words.commonness(wanted) : []
    return wanted[counts.indexOf(Math.min(...counts))] ?? wanted[0] ?? ''
  }

  /** @yields pages of which the last one has no `next` when all words were searched */
  async function* byWords(wanted: readonly string[], after: WordPlace | null): AsyncGenerator<FoundPage> {
    const first = wanted.find((word) => after?.word.startsWith(word)) ?? (await rarest(wanted))
    const others = wanted.filter((word) => word !== first)
    let last = after
    for (const limit of PLACES_AT_ONCE) {
      const places = await store.words.places(first, others, last, limit)
      last = places.at(-1)?.place ?? null
      const next = places.length < limit ? null : last && textOf(last)
      const found = places.flatMap(({ place, person }) =>
        person === null ? [] : [{ person, after: textOf(place) }],
      )
      yield { found, next }
      if (next === null) return
    }
  }

  /** The people whose words are not stored yet, after an upgrade: they are read one by one. */
  async function* withoutWords(wanted: readonly string[], after: string): AsyncGenerator<FoundPage> {
    let last = after
    for (let read = 0; read < MOST_WITHOUT_WORDS; read += 1) {
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
