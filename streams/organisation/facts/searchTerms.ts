/** Finds people by words. A person's words and the words of a search are normalised in the same way. */
import type { PersonFact } from './events.ts'
import type { PersonState } from './state.ts'

/** The most words stored for a person. Addresses and names come first, so the limit cuts other values. */
export const MAX_PERSON_WORDS = 120
/** The longest word in code points. The rest is cut off. */
export const MAX_WORD_LENGTH = 32
/** The most words of a search that are used. */
export const MAX_SEARCH_WORDS = 8
/** The most characters read from a value. */
const MAX_READ = 1_000

/** Plain spellings of letters that Unicode does not decompose into a letter and a mark. */
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
/** How German and the Nordic languages spell these letters without marks. */
const SPELT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/** A word, or several words joined by hyphens or apostrophes. */
const CHUNK = /[\p{L}\p{N}]+(?:['’ʼ‐‑-][\p{L}\p{N}]+)*/gu
const PART = /[\p{L}\p{N}]+/gu

/** Normalises a text: lower case, no marks such as accents, one spelling for letters that look or mean the same. */
export const foldText = (text: string): string =>
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

/** Splits a normalised text into words. A hyphenated word yields its parts, and also the whole without the hyphen. */
function* wordsIn(text: string): Generator<string> {
  for (const [chunk] of text.matchAll(CHUNK)) {
    const parts = chunk.match(PART) ?? []
    yield* parts.map(cut)
    if (parts.length > 1) yield cut(parts.join(''))
  }
}

/** A person's searchable values, most important first. */
function* searched({ addresses, directory, values }: PersonState): Generator<string> {
  const { displayName = '', givenName = '', surname = '', ...others } = directory
  yield* [addresses[0] ?? '', displayName, givenName, surname]
  yield* addresses.slice(1)
  yield* Object.values(values)
  yield* Object.values(others)
}

/** The normalised words of a person's addresses, directory values and own values, in order and without duplicates. */
export function personWordsOf(person: PersonState): readonly string[] {
  const words = new Set<string>()
  for (const value of searched(person)) {
    const read = value.slice(0, MAX_READ)
    const spellings = new Set([foldText(read), foldText(spelt(read))])
    for (const spelling of spellings)
      for (const word of wordsIn(spelling)) {
        words.add(word)
        if (words.size === MAX_PERSON_WORDS) return [...words]
      }
  }
  return [...words]
}

/**
 * Splits a search into normalised words; a person matches if each one starts a word of theirs. Leaves out words that
 * start another search word, and keeps the `MAX_SEARCH_WORDS` longest. Empty if the search has no letters or digits.
 */
export function searchWords(search: string): readonly string[] {
  const words = new Set(Array.from(foldText(search.slice(0, MAX_READ)).matchAll(PART), ([word]) => cut(word)))
  // After sorting, a word comes directly before the words that start with it.
  const sorted = [...words].sort()
  const longest = new Set(sorted.filter((word, index) => sorted[index + 1]?.startsWith(word) !== true))
  return [...words]
    .filter((word) => longest.has(word))
    .sort((one, other) => other.length - one.length)
    .slice(0, MAX_SEARCH_WORDS)
}

/** Whether each search word is the start of one of the person's words. */
export function matchesSearchWords(person: PersonState, wanted: readonly string[]): boolean {
  const words = personWordsOf(person)
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
  'person/corrected': true,
  'person/correctionsEnded': true,
  'person/excluded': false,
  'person/exclusionEnded': false,
  'person/pinned': false,
  'person/pinEnded': false,
  'person/supplemented': true,
  'person/erased': true,
}

/** Whether a fact may change a person's words. */
export const mayChangePersonWords = ({ type }: PersonFact): boolean => CHANGES_WORDS[type]
