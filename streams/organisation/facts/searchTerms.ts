/** The words by which a person is found. A person and a search are folded alike. */
import type { PersonFact } from './events.ts'
import type { PersonState } from './state.ts'

/** How many words a person has at most. The addresses and names come first, so that further values lose their words. */
export const MAX_WORDS = 120
/** How many code points of a word count. */
export const MAX_WORD_LENGTH = 32
/** How many words of a search count. */
export const MAX_WANTED = 8
/** How many characters of a value are read. */
const MAX_READ = 1_000

/** Letters that Unicode takes apart into no letter and mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ə: 'e',
  ς: 'σ',
}
/** How letters with marks are written without them in German and the Nordic languages. */
const SPELT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/** Parts that a hyphen or an apostrophe joins. */
const CHUNK = /[\p{L}\p{N}]+(?:['’ʼ‐‑-][\p{L}\p{N}]+)*/gu
const PART = /[\p{L}\p{N}]+/gu

/** A text in lower case, without marks such as accents, and with one spelling for letters that look or mean the same. */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþħŧŋıəς]/g, (letter) => LETTERS[letter] ?? letter)

const spelt = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüøå]/g, (letter) => SPELT[letter] ?? letter)

const cut = (word: string): string =>
  word.length <= MAX_WORD_LENGTH ? word : Array.from(word).slice(0, MAX_WORD_LENGTH).join('')

/** The words of a folded text: its parts, and what a hyphen or an apostrophe joins, also as one word. */
function* wordsIn(text: string): Generator<string> {
  for (const [chunk] of text.matchAll(CHUNK)) {
    const parts = chunk.match(PART) ?? []
    yield* parts.map(cut)
    if (parts.length > 1) yield cut(parts.join(''))
  }
}

/** The values of a person that are searched, in the order in which their words count. */
function* searched({ addresses, directory, values }: PersonState): Generator<string> {
  const { displayName = '', givenName = '', surname = '', ...others } = directory
  yield* [addresses[0] ?? '', displayName, givenName, surname]
  yield* addresses.slice(1)
  yield* Object.values(values)
  yield* Object.values(others)
}

/** The folded words of a person's addresses, values of the directory and own values, each once, in their order. */
export function wordsOf(person: PersonState): readonly string[] {
  const words = new Set<string>()
  for (const value of searched(person)) {
    const read = value.slice(0, MAX_READ)
    const spellings = new Set([folded(read), folded(spelt(read))])
    for (const spelling of spellings)
      for (const word of wordsIn(spelling)) {
        words.add(word)
        if (words.size === MAX_WORDS) return [...words]
      }
  }
  return [...words]
}

/**
 * The folded words of a search, each of which begins a word of a person who is found. A word that begins another one
 * is left out, and so are the shortest of more than `MAX_WANTED`. Empty when the search has no letter and no digit.
 */
export function wantedWords(search: string): readonly string[] {
  const words = new Set(Array.from(folded(search.slice(0, MAX_READ)).matchAll(PART), ([word]) => cut(word)))
  // Sorted, a word that begins others stands directly before one of them.
  const sorted = [...words].sort()
  const longest = new Set(sorted.filter((word, index) => sorted[index + 1]?.startsWith(word) !== true))
  return [...words]
    .filter((word) => longest.has(word))
    .sort((one, other) => other.length - one.length)
    .slice(0, MAX_WANTED)
}

/** Whether each wanted word begins a word of the person. */
export function isFoundBy(person: PersonState, wanted: readonly string[]): boolean {
  const words = wordsOf(person)
  return wanted.every((each) => words.some((word) => word.startsWith(each)))
}

const CHANGES_WORDS: Readonly<Record<PersonFact['type'], boolean>> = {
  'person/imported': true,
  'person/directoryChanged': true,
  'person/accountBound': false,
  'person/departed': false,
  'person/returned': false,
  'person/valuesSaved': true,
  'person/metadataSaved': false,
  'person/pictureChanged': false,
  'person/pictureRemoved': false,
  'person/defaultChosen': false,
  'person/erased': true,
}

/** Whether the words of a person may be others after a fact. */
export const mayChangeWords = ({ type }: PersonFact): boolean => CHANGES_WORDS[type]
