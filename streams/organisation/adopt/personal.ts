/**
 * Finds unreplaced texts that look personal: numbers, addresses, names and titles that match none of the person's
 * values. Each becomes a question, because everyone's mail would show them.
 */
import { percentDecoded } from '../../html/address.ts'
import { attributeOf, decodeReferences, tokensOf } from '../../html/tokens.ts'
import { isAddress } from '../release/names.ts'
import { ownProperty } from '../release/selectors.ts'
import type { PersonState } from '../facts/state.ts'
import { type Atom, collapseBlanks, type ReadHtml } from './reading.ts'

/** The most texts to ask about. Nobody answers more questions. */
const MAX_TEXTS = 30
const MAX_CHARACTERS = 100
const FEWEST_DIGITS = 6

const BETWEEN = /[\s<>()[\]"“”„«»|,;:/\\]+/u
/** A possible phone number that is not part of a word. */
const NUMBER = /(?:^|[^\p{L}\d.,])([+(]{0,2}\d[\d\s().\-/]{4,40})/gu
const NAMES: readonly string[] = ['displayName', 'givenName', 'surname']
const FEWEST_LETTERS = 3
const WORDS = /[\p{L}\p{M}\d]+/gu
/** Web addresses of profile pages, whose path names a person. */
const PROFILE =
  /^(?:https?:)?\/\/(?:[\w-]+\.)?(?:linkedin\.com\/(?:in|pub)|xing\.com\/profile|calendly\.com|(?:twitter|x)\.com|t\.me|wa\.me)\/./i
const DIRECT = /^\s*(?:mailto|tel|sms|callto|skype|sip|xmpp):\s*([^?]{1,200})/i

const wordsOf = (text: string): readonly string[] =>
  (text.normalize('NFC').toLowerCase().match(WORDS) ?? []).filter(({ length }) => length >= FEWEST_LETTERS)

const namesOf = (people: readonly PersonState[]): ReadonlySet<string> =>
  new Set(
    people.flatMap(({ directory, addresses: [address = ''] }) => [
      ...NAMES.flatMap((name) => wordsOf(ownProperty(directory, name) ?? '')),
      ...wordsOf(address.slice(0, Math.max(0, address.indexOf('@')))),
    ]),
  )

/** The addresses and numbers in a text. */
export function* contactValuesIn(text: string): Generator<string, void> {
  if (text.includes('@'))
    for (const word of text.split(BETWEEN)) {
      const address = word.replace(/[.!?…]+$/, '')
      if (isAddress(address.toLowerCase())) yield address
    }
  for (const [, found = ''] of text.matchAll(NUMBER))
    if (found.replace(/\D/g, '').length >= FEWEST_DIGITS) yield /^.*[^\s(./-]/s.exec(found.trim())?.[0] ?? ''
}

const LONGEST_TITLE = 60
const MAX_WORDS = 6

/** Whether a text can be a name or a title: a few words that form no sentence. */
function isTitle(text: string): boolean {
  const words = text.split(' ')
  return (
    text.length <= LONGEST_TITLE &&
    words.length <= MAX_WORDS &&
    /^\p{L}/u.test(text) &&
    !/^\p{Ll}/u.test(text) &&
    (text.match(/\p{L}/gu)?.length ?? 0) > FEWEST_LETTERS &&
    !/[\d@{}]|www\.|[.,:;!?]$/iu.test(text)
  )
}

/** A name after a label: two or three capitalised words. */
const NAMED = /:\s+(\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){1,2})$/u

/** The attributes to search, and what they contain. */
const KIND_OF: ReadonlyMap<string, Hidden['kind']> = new Map([
  ...['alt', 'title', 'aria-label'].map((name) => [name, 'text'] as const),
  ...['src', 'background'].map((name) => [name, 'picture'] as const),
  ['href', 'link'] as const,
])

type Bounds = Readonly<{ start: number; end: number }>

/** The visible texts between the placeholders of each line. `isWhole`: the line has no other content. */
function textsOf(
  atoms: readonly Atom[],
  places: readonly Bounds[],
): readonly Readonly<{ text: string; isWhole: boolean }>[] {
  const lines: { line: number; parts: Atom[][]; hasPlace: boolean }[] = []
  let next = 0
  let isAfterPlace = false
  for (const atom of atoms) {
    while ((places[next]?.end ?? Infinity) <= atom.start) next++
    let last = lines.at(-1)
    if (last?.line !== atom.line) lines.push((last = { line: atom.line, parts: [], hasPlace: false }))
    const isPlace = (places[next]?.start ?? Infinity) <= atom.start
    if (isPlace) last.hasPlace = true
    else if (isAfterPlace || last.parts.length === 0) last.parts.push([atom])
    else last.parts.at(-1)?.push(atom)
    isAfterPlace = isPlace
  }
  return lines.flatMap(({ parts, hasPlace }) =>
    parts.map((part) => ({
      text: collapseBlanks(
        part.map(({ before, text }, index) => (index === 0 ? text : before + text)).join(''),
      )
        .replaceAll('\u00a0', ' ')
        .trim(),
      isWhole: !hasPlace && parts.length === 1,
    })),
  )
}

/**
 * Finds the texts that look personal, in order and without duplicates.
 *
 * @param places the placeholders, in the order of the html
 */
export function personalTexts(
  { html, tokens, atoms }: ReadHtml,
  places: readonly Bounds[],
  people: readonly PersonState[],
): readonly string[] {
  const found = new Set<string>()
  const add = (text: string) => {
    if (text !== '' && found.size < MAX_TEXTS) found.add(text.slice(0, MAX_CHARACTERS))
  }
  const names = namesOf(people)
  const hasName = (text: string) => wordsOf(text).some((word) => names.has(word))
  const addIn = (text: string) => {
    for (const value of contactValuesIn(text)) add(value)
    if (hasName(text)) add(collapseBlanks(text).trim())
  }

  let isHead = true
  for (const { text, isWhole } of textsOf(atoms, places)) {
    const values = [...contactValuesIn(text)]
    for (const value of values) add(value)
    const rest = values.reduce((left, value) => left.replace(value, ''), text)
    if (values.length > 0 || /[\d@]|www\./i.test(text)) isHead = false
    const named = NAMED.exec(rest)?.[1]
    if (named !== undefined) add(named)
    else if ((isHead && isWhole && isTitle(text)) || hasName(rest)) add(rest.trim())
  }

  for (const { kind, text } of hiddenTexts({ html, tokens, atoms }, places))
    if (kind === 'text') addIn(text)
    else if (kind === 'link') addLink(text)
    else if (/^https?:/i.test(text) && hasName(percentDecoded(text))) add(text)

  function addLink(address: string): void {
    const direct = DIRECT.exec(address)?.[1]
    if (direct !== undefined) add(percentDecoded(direct).trim())
    else if (PROFILE.test(address.trim()) || hasName(percentDecoded(address))) add(address.trim())
  }
  return [...found]
}

type Hidden = Readonly<{ kind: 'text' | 'link' | 'picture'; text: string }>

/** Finds unreplaced texts outside lines: in comments for Word and in attributes. */
function* hiddenTexts({ html, tokens }: ReadHtml, places: readonly Bounds[]): Generator<Hidden, void> {
  const within = (start: number, end: number): boolean =>
    places.some((place) => place.start >= start && place.start < end)
  for (const token of tokens) {
    if (token.kind === 'comment') {
      const comment = html.slice(token.start, token.end)
      if (!/^<!--\[if\s/i.test(comment)) continue
      const inner = comment.slice('<!--'.length)
      for (const part of tokensOf(inner))
        if (part.kind === 'text') {
          const text = decodeReferences(inner.slice(part.start, part.end))
          yield { kind: 'text', text: text.replace(/\[if[^[\]]*\]>|<!\[endif\]/gi, '') }
        } else if (part.kind === 'open') yield { kind: 'link', text: attributeOf(part, 'href') ?? '' }
    }
    if (token.kind !== 'open') continue
    for (const { name, value, valueStart } of token.attributes) {
      const kind = KIND_OF.get(name)
      if (kind !== undefined && !within(valueStart, valueStart + value.length))
        yield { kind, text: decodeReferences(value) }
    }
  }
}

/** Finds the unreplaced texts, in which other people's values are then looked up. */
export function unreplacedTexts(read: ReadHtml, places: readonly Bounds[]): readonly string[] {
  const hidden = Array.from(hiddenTexts(read, places), ({ kind, text }) =>
    kind === 'text' ? text : kind === 'link' ? percentDecoded(DIRECT.exec(text)?.[1] ?? '') : '',
  )
  return [...textsOf(read.atoms, places).map(({ text }) => text), ...hidden].filter((text) => text !== '')
}
