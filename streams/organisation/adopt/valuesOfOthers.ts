/**
 * Finds other people's values in the texts of a signature: whole names, titles, numbers and addresses from the
 * directory. Left in the template, they would appear in everyone's signature.
 */
import { isAddress, MANAGER_PREFIX } from '../release/names.ts'
import type { PersonState } from '../facts/state.ts'
import type { AdoptQuestion } from './adopted.ts'
import { contactValuesIn } from './personal.ts'
import { collapseBlanks } from './reading.ts'
import { phoneDigitsIn, nationalDigitsOf, PHONE_FIELD } from './values.ts'

/** The most words to look up. A signature has several hundred. */
const MAX_WORDS = 5_000
/** The most words of a name or a title. */
const MAX_PHRASE = 8
const MAX_VALUE_CHARACTERS = 200
/** The most texts to ask about. Nobody answers more questions. */
const MAX_FOUND = 30

const MIN_NAME_LETTERS = 4
/** The shortest one-word title to look up. Shorter titles, such as "Sales", are common to many people. */
const MIN_TITLE_LETTERS = 8

const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** Scripts that write names and titles without spaces. */
const WITHOUT_SPACES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u
const TITLE_FIELD = /^(?:jobTitle|job_title|title)$/

const lettersIn = (text: string): number => text.match(/[\p{L}\p{M}]/gu)?.length ?? 0

/** The key of a value, made of its words. */
const phraseOf = (value: string): string => (value.normalize('NFC').toLowerCase().match(WORD) ?? []).join(' ')

/**
 * The key of a number without its country; null for a number that is too short. The `#` keeps it distinct from words.
 */
function numberKey(text: string): string | null {
  const national = nationalDigitsOf(phoneDigitsIn(text))
  return national === null ? null : `#${national}`
}

const isName = (phrase: string): boolean =>
  phrase.includes(' ') ? lettersIn(phrase) >= MIN_NAME_LETTERS : WITHOUT_SPACES.test(phrase)

const isTitle = (phrase: string): boolean =>
  phrase.includes(' ') || lettersIn(phrase) >= MIN_TITLE_LETTERS || WITHOUT_SPACES.test(phrase)

/** Finds the texts that could be values. Maps each key to its text. */
function keysIn(texts: readonly string[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  const add = (key: string | null, text: string) => {
    if (key !== null && !keys.has(key)) keys.set(key, text)
  }
  let room = MAX_WORDS
  for (const given of texts) {
    const text = collapseBlanks(given.normalize('NFC'))
    for (const value of contactValuesIn(text)) {
      const address = value.toLowerCase()
      add(isAddress(address) ? address : numberKey(value), value)
    }
    const words = [...text.matchAll(WORD)].slice(0, room)
    room -= words.length
    for (const [first, { index: start }] of words.entries()) {
      let key = ''
      for (const { 0: word, index } of words.slice(first, first + MAX_PHRASE)) {
        key += `${key === '' ? '' : ' '}${word.toLowerCase()}`
        add(key, text.slice(start, index + word.length))
      }
    }
  }
  return keys
}

/** The keys of a person's own values, and of shared values such as the department. */
function keysOf({ directory, values, addresses }: PersonState) {
  const [own, shared] = [new Set(addresses), new Set<string>()]
  const { displayName = '', givenName = '', surname = '' } = directory
  for (const name of [displayName, `${givenName} ${surname}`, `${surname} ${givenName}`]) {
    const phrase = name.length > MAX_VALUE_CHARACTERS ? '' : phraseOf(name)
    if (isName(phrase)) own.add(phrase)
  }
  for (const [field, value] of [...Object.entries(directory), ...Object.entries(values)]) {
    if (value.length > MAX_VALUE_CHARACTERS || field.startsWith(MANAGER_PREFIX) || field === 'displayName')
      continue
    if (field === 'mail') own.add(value.trim().toLowerCase())
    else if (PHONE_FIELD.test(field)) own.add(numberKey(value) ?? '')
    else if (!TITLE_FIELD.test(field)) shared.add(phraseOf(value))
    else if (isTitle(phraseOf(value))) own.add(phraseOf(value))
  }
  return { own, shared }
}

export type ValueSearch = Readonly<{
  add: (person: PersonState) => void
  /**
   * Returns the texts that are someone's value, in order. Omits a text that more than half of the people have, and one
   * that is more often a shared value, such as a department, than a person's own.
   */
  found: () => readonly string[]
}>

/**
 * Finds which of these texts are values of other people, added one at a time. Memory grows with the texts and not with
 * the people.
 */
export function createValueSearch(texts: readonly string[]): ValueSearch {
  const keys = keysIn(texts)
  const counts = new Map<string, { own: number; shared: number }>()
  let people = 0
  const count = (found: ReadonlySet<string>, as: 'own' | 'shared') => {
    for (const key of found)
      if (keys.has(key)) {
        const known = counts.get(key) ?? { own: 0, shared: 0 }
        known[as]++
        counts.set(key, known)
      }
  }
  return {
    add: (person) => {
      people++
      const { own, shared } = keysOf(person)
      count(own, 'own')
      count(shared, 'shared')
    },
    found: () => {
      const isPersonal = (key: string) => {
        const { own, shared } = counts.get(key) ?? { own: 0, shared: 0 }
        return own > 0 && shared <= own && (own === 1 || own * 2 <= people)
      }
      const found = new Set<string>()
      for (const [key, text] of keys) if (found.size < MAX_FOUND && isPersonal(key)) found.add(text)
      return [...found].filter((text) => [...found].every((other) => other === text || !other.includes(text)))
    },
  }
}

/** Adds these texts to the question about personal texts. */
export function addPersonalQuestion(
  texts: readonly string[],
  questions: readonly AdoptQuestion[],
): readonly AdoptQuestion[] {
  const asked = questions.flatMap(({ kind, texts: known }) => (kind === 'personal' ? known : []))
  const isAsked = (text: string) => asked.some((known) => known.toLowerCase().includes(text.toLowerCase()))
  const added = texts.filter((text) => !isAsked(text))
  if (added.length === 0) return questions
  return [
    ...questions.filter(({ kind }) => kind !== 'personal'),
    { kind: 'personal', texts: [...asked, ...added] },
  ]
}
