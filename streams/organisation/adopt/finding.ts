/** Finds a person's values and other products' field names in the texts and attributes of html. */
import { percentDecoded } from '../../html/address.ts'
import type { OpenTag } from '../../html/tokens.ts'
import { firstAttributes } from '../../html/tokens.ts'
import { digitsOf } from '../template/template.ts'
import type { FoundPlaceholder } from './adopted.ts'
import type { Meaning, Meanings } from './meanings.ts'
import { productNameAt } from './products.ts'
import {
  type Atom,
  collapseBlanks,
  decodeText,
  type ReadHtml,
  readText,
  SEPARATORS,
  textOfAtoms,
} from './reading.ts'
import {
  phoneDigitsIn,
  valuesWithNumber,
  valueTreeKey,
  type PersonValue,
  type ValueIndex,
  webAddressKey,
} from './values.ts'

/** A text in the html, from `start` to `end`, that may be one of the person's values. */
export type FoundValue = Readonly<{
  kind: 'text' | 'tel' | 'web'
  start: number
  end: number
  /** The indexes of its first atom, and of the atom after it. Both are 0 in an attribute. */
  from: number
  to: number
  /** The name of the attribute; null for a text. */
  attribute: string | null
  /** Its possible meanings, likeliest first. */
  meanings: readonly Meaning[]
  /** The meanings whose value equals the text in all samples, when written as `{{x}}` or as `{{phone x}}`. */
  drawn: Readonly<Record<'text' | 'phone', readonly Meaning[]>>
  replaced: string
  /** Whether the text is in capitals and the value is not. */
  isUpper: boolean
  /** Whether the text is too short or too different to count as a value, unless it differs between people. */
  isWeak: boolean
  because: FoundPlaceholder['because']
}>

/** The values found in one sample, in the order of the html, and other products' unknown field names. */
export type FoundValues = Readonly<{ found: readonly FoundValue[]; unknown: readonly string[] }>

/** Characters allowed between the digits of a phone number. */
const IN_NUMBERS = new Set('()-./'.split(''))
const MAX_DIGITS = 20
const FEWEST_DIGITS = 6
const MAX_PARENTHESES = 2
const DIGITS = /^\d+$/
/** Characters that join two words into one, as in a mail address, a web page or a double name. */
const JOINS = new Set("@._-'/\\&+#=%~".split(''))
/** Characters between the parts of a line. */
const SEPARATES: ReadonlySet<string> = new Set([...SEPARATORS, ...',;:/-()<>[]»«→*+'.split('')])

const hasLetter = (text: string): boolean => /\p{L}/u.test(text)
const isNumber = (atom: Atom | undefined): boolean => atom !== undefined && DIGITS.test(atom.text)

/** Whether a value is so short that it counts only if it is alone in its line or cell. */
function isShort(text: string): boolean {
  return text.length <= 2 || (text.length <= 3 && !hasLetter(text))
}

/** The values that match the text up to the atom before `to`. */
type Match = Readonly<{ to: number; values: readonly PersonValue[] }>

/** Whether a range of atoms is not part of a longer word or address. */
function isWhole(atoms: readonly Atom[], from: number, to: number): boolean {
  const [first, last, next, after] = [atoms[from], atoms[to - 1], atoms[to], atoms[to + 1]]
  const [previous, before] = [atoms[from - 1], atoms[from - 2]]
  if (!first || !last) return false
  if (first.before === '' && previous?.line === first.line) {
    if (previous.kind === 'word' && first.kind === 'word') return false
    const isJoined = before?.kind === 'word' && before.line === first.line && previous.before === ''
    if (JOINS.has(previous.key) && (isJoined || previous.key === '@')) return false
  }
  if (next?.line === last.line && next.before === '') {
    if (next.kind === 'word' && last.kind === 'word') return false
    const isJoined = after?.kind === 'word' && after.line === last.line && after.before === ''
    if (JOINS.has(next.key) && isJoined) return false
  }
  return true
}

/** Whether a number is not part of a longer number. After a blank, it may be followed by another value. */
function isWholeNumber(
  { root }: ValueIndex,
  atoms: readonly Atom[],
  from: number,
  to: number,
  isAfterMatch: boolean,
): boolean {
  const [first, last, previous, next] = [atoms[from], atoms[to - 1], atoms[from - 1], atoms[to]]
  const isOwn = first?.key === '+' || first?.text.startsWith('00') === true
  const hasBefore = previous?.line === first?.line && (isNumber(previous) || previous?.key === '+')
  if (!isOwn && !isAfterMatch && hasBefore) return false
  if (next === undefined) return true
  if (next.line !== last?.line) return true
  if (isNumber(next)) {
    let node = root.next.get(next.key)
    for (let index = to + 1; node?.values.length === 0; index++) {
      const atom = atoms[index]
      node = atom?.line === next.line ? node.next.get(valueTreeKey(atom)) : undefined
    }
    return node !== undefined && next.before !== ''
  }
  const isExtended = next.key === '-' || (IN_NUMBERS.has(next.key) && next.before === '')
  return !(isExtended && isNumber(atoms[to + 1]))
}

const isClosed = (signs: readonly string[]): boolean =>
  signs.filter((sign) => sign === '(').length === signs.filter((sign) => sign === ')').length

/** Finds the longest value that begins at an atom; null without a match. */
function longestAt(
  values: ValueIndex,
  atoms: readonly Atom[],
  from: number,
  isAfterMatch: boolean,
): Match | null {
  const first = atoms[from]
  if (!first) return null
  const fits = (atom: Atom | undefined): atom is Atom =>
    atom !== undefined &&
    (atom === first || atom.isJoined) &&
    atom.line === first.line &&
    atom.style === first.style &&
    atom.kind !== 'picture'
  let match: Match | null = null
  let node = values.root.next.get(first.key)
  for (let to = from + 1; node; to++) {
    if (node.values.length > 0 && isWhole(atoms, from, to)) {
      const isTaken =
        hasLetter(node.values[0]?.text ?? '') || isWholeNumber(values, atoms, from, to, isAfterMatch)
      if (isTaken) match = { to, values: node.values }
    }
    const atom = atoms[to]
    node = fits(atom) ? node.next.get(valueTreeKey(atom)) : undefined
  }
  if (first.key !== '+' && first.key !== '(' && !DIGITS.test(first.text)) return match
  const written: string[] = []
  let count = 0
  let parentheses = 0
  for (let to = from; count <= MAX_DIGITS && to - from < 2 * MAX_DIGITS; to++) {
    const atom = atoms[to]
    if (!fits(atom)) break
    if (to > from && atom.key === '+') break
    if (!isNumber(atom) && !IN_NUMBERS.has(atom.key) && atom.key !== '+') break
    if (atom.key === '(') parentheses++
    if (parentheses > MAX_PARENTHESES) break
    written.push(atom.key)
    if (!isNumber(atom)) continue
    count += atom.text.length
    if (count < FEWEST_DIGITS) continue
    const phones = isClosed(written) ? valuesWithNumber(values, phoneDigitsIn(written.join(''))) : []
    const end = to + 1
    if (
      phones.length > 0 &&
      end >= (match?.to ?? 0) &&
      isWholeNumber(values, atoms, from, end, isAfterMatch)
    ) {
      const same = match?.to === end ? match.values : []
      match = { to: end, values: [...same, ...phones.filter((value) => !same.includes(value))] }
    }
  }
  return match
}

const NO_BREAK_BLANKS = /[\u00a0\u202f]/g
/** Whether a text equals the value's formatted number. Non-breaking blanks equal plain ones. */
const isPhoneAs = ({ phone }: PersonValue, text: string): boolean =>
  phone !== null && phone.replace(NO_BREAK_BLANKS, ' ') === text.replace(NO_BREAK_BLANKS, ' ')

/** Sorts the values for a text: equal ones first, then by rank. */
function inOrder(values: readonly PersonValue[], text: string): readonly PersonValue[] {
  const likeness = (value: PersonValue) => (value.text === text ? 2 : isPhoneAs(value, text) ? 1 : 0)
  return [...values].sort(
    (one, other) => likeness(other) - likeness(one) || one.meaning.rank - other.meaning.rank,
  )
}

const meaningsIn = (
  values: readonly PersonValue[],
  fits: (value: PersonValue) => boolean,
): readonly Meaning[] => values.filter(fits).map(({ meaning }) => meaning)
const drawnAs = (values: readonly PersonValue[], text: string): FoundValue['drawn'] => ({
  text: meaningsIn(values, (value) => value.text === text),
  phone: meaningsIn(values, (value) => isPhoneAs(value, text)),
})
const NOT_DRAWN: FoundValue['drawn'] = { text: [], phone: [] }

type InAtoms = Readonly<{
  found: readonly Readonly<{
    from: number
    to: number
    meanings: readonly Meaning[]
    drawn: FoundValue['drawn']
    text: string
    isUpper: boolean
    isWeak: boolean
    because: 'same' | 'written' | 'named'
  }>[]
  unknown: readonly string[]
}>

/** Finds values and field names in atoms. `values` is null when no person is known. */
function findIn(atoms: readonly Atom[], values: ValueIndex | null, meanings: Meanings): InAtoms {
  type Candidate = InAtoms['found'][number] & Readonly<{ isSure: boolean; isAlone: boolean }>
  const candidates: Candidate[] = []
  const unknown: string[] = []
  let matched = 0
  for (let from = 0; from < atoms.length;) {
    const atom = atoms[from]
    const product = productNameAt(atoms, from)
    if (product && !isOfOneStyle(atoms, from, product.to)) {
      from++
      continue
    }
    if (product) {
      const text = textOfAtoms(atoms, from, product.to)
      if (product.field === null) unknown.push(text)
      else {
        const of = { meanings: [meanings.ofField(product.field)], drawn: NOT_DRAWN }
        const found = { from, to: product.to, text, ...of }
        const sure = { isSure: true, isAlone: false, isWeak: false }
        candidates.push({ ...found, ...sure, isUpper: false, because: 'named' })
      }
      from = matched = product.to
      continue
    }
    const match = values && atom?.kind !== 'picture' ? longestAt(values, atoms, from, matched === from) : null
    if (!match) {
      from++
      continue
    }
    const text = textOfAtoms(atoms, from, match.to)
    const drawn = collapseBlanks(text)
    const ordered = inOrder(match.values, drawn)
    const value = ordered[0]?.text ?? ''
    // Non-breaking blanks count as plain ones.
    const isSame =
      value.replace(/\s/g, ' ') === drawn.replace(/\s/g, ' ') ||
      (ordered[0] !== undefined && isPhoneAs(ordered[0], drawn))
    const isOneWord = match.to === from + 1
    candidates.push({
      from,
      to: match.to,
      text,
      meanings: ordered.map(({ meaning }) => meaning),
      drawn: drawnAs(ordered, drawn),
      isUpper: !isSame && drawn === value.toUpperCase(),
      because: isSame ? 'same' : 'written',
      isSure: isSame || !isOneWord || isNumber(atom),
      isAlone: isShort(value),
      isWeak: false,
    })
    from = matched = match.to
  }
  const ends = new Set(candidates.map(({ to }) => to))
  const starts = new Set(candidates.map(({ from }) => from))
  const separatesAt = (index: number, line: number | undefined): boolean => {
    const atom = atoms[index]
    return !atom || atom.line !== line || atom.kind === 'picture' || SEPARATES.has(atom.key)
  }
  const isIn = ({ from, to, isSure, isAlone }: Candidate): boolean => {
    const line = atoms[from]?.line
    if (isAlone) return atoms[from - 1]?.line !== line && atoms[to]?.line !== line
    if (isSure) return true
    return (ends.has(from) || separatesAt(from - 1, line)) && (starts.has(to) || separatesAt(to, line))
  }
  return { found: candidates.map((each) => ({ ...each, isWeak: !isIn(each) })), unknown }
}

function isOfOneStyle(atoms: readonly Atom[], from: number, to: number): boolean {
  const first = atoms[from]
  for (let index = from + 1; index < to; index++) {
    const atom = atoms[index]
    if (atom?.style !== first?.style || atom?.line !== first?.line || atom?.isJoined !== true) return false
  }
  return true
}

/** Attributes whose text is shown or read aloud. */
const TEXTS: readonly string[] = ['alt', 'title', 'aria-label']
const OF_LINKS: readonly string[] = ['a', 'area']
const SCHEME = /^\s*(mailto|tel|sms):/i
const NUMBER = /^\+?[\d\s().-]+$/
/** Characters allowed between the digits of a number in a link (RFC 3966). */
const IN_DIALLED = /[\s().-]/g

export function findValues(read: ReadHtml, values: ValueIndex | null, meanings: Meanings): FoundValues {
  const { html, tokens, atoms } = read
  const inText = findIn(atoms, values, meanings)
  const unknown = [...inText.unknown]
  const found: FoundValue[] = inText.found.map(({ from, to, text, ...rest }) => ({
    kind: 'text',
    from,
    to,
    attribute: null,
    replaced: collapseBlanks(text),
    start: atoms[from]?.start ?? 0,
    end: atoms[to - 1]?.end ?? 0,
    ...rest,
  }))
  const texts = found.length

  function readLabel(name: string, start: number, end: number): void {
    const label = readText(html, start, end)
    const inLabel = findIn(label, values, meanings)
    unknown.push(...inLabel.unknown)
    for (const { from, to, text, ...rest } of inLabel.found)
      found.push({
        kind: 'text',
        from: 0,
        to: 0,
        attribute: name,
        replaced: collapseBlanks(text),
        ...rest,
        start: label[from]?.start ?? 0,
        end: label[to - 1]?.end ?? 0,
        isUpper: false,
      })
  }

  /** Finds the value in a link's address: a whole web address, or the mail address or number after the scheme. */
  function readAddress(start: number, end: number): void {
    const { text, places } = decodeText(html, start, end)
    const scheme = SCHEME.exec(text)
    const from = scheme?.[0].length ?? text.length - text.trimStart().length
    const rest = text.slice(from)
    const query = rest.indexOf('?')
    const address = (scheme && query >= 0 ? rest.slice(0, query) : rest).trimEnd()
    const kind = scheme === null ? 'web' : /^mailto/i.test(scheme[1] ?? '') ? 'text' : 'tel'
    const add = (
      matching: readonly PersonValue[],
      because: FoundValue['because'] | null,
      named?: Meaning,
    ) => {
      const ordered = inOrder(matching, address)
      const [first] = ordered
      if (!first && !named) return
      found.push({
        kind,
        from: 0,
        to: 0,
        attribute: 'href',
        replaced: address,
        isUpper: false,
        isWeak: false,
        start: places[from] ?? 0,
        end: places[from + address.length] ?? 0,
        meanings: named ? [named] : ordered.map(({ meaning }) => meaning),
        drawn: NOT_DRAWN,
        because: because ?? (first && writtenAs(kind, first) === address ? 'same' : 'written'),
      })
    }
    const words = readText(address, 0, address.length)
    const product = productNameAt(words, 0)
    if (product?.to === words.length) {
      if (product.field === null) unknown.push(address)
      else add([], 'named', meanings.ofField(product.field))
    } else if (values === null) return
    else if (kind === 'text') add(values.addresses.get(percentDecoded(address).toLowerCase()) ?? [], null)
    else if (kind === 'web') add(values.pages.get(webAddressKey(address) ?? '') ?? [], null)
    else {
      const number = percentDecoded(address)
      const same = values.dialled.get(number.replace(IN_DIALLED, ''))
      if (same) add(same, null)
      else if (NUMBER.test(number)) add(valuesWithNumber(values, phoneDigitsIn(number)), null)
    }
  }

  for (const token of tokens)
    if (token.kind === 'open')
      for (const { name, value, valueStart } of quotedAttributes(html, token)) {
        if (TEXTS.includes(name)) readLabel(name, valueStart, valueStart + value.length)
        else if (name === 'href' && OF_LINKS.includes(token.name))
          readAddress(valueStart, valueStart + value.length)
      }
  return {
    found: found.length === texts ? found : found.sort((one, other) => one.start - other.start),
    unknown,
  }
}

/** The kind of placeholder for a text: `{{phone x}}` if only the phone format equals the text. */
export function placeholderKindOf({
  kind,
  meanings: [meaning],
  drawn,
  because,
}: FoundValue): FoundValue['kind'] | 'phone' {
  const isDrawn = (as: 'text' | 'phone') => meaning !== undefined && drawn[as].includes(meaning)
  return kind === 'text' && because !== 'named' && !isDrawn('text') && isDrawn('phone') ? 'phone' : kind
}

/** The attributes of a tag that are in quotes, so that a value cannot end them. */
export const quotedAttributes = (html: string, token: OpenTag) =>
  firstAttributes(token).filter(({ valueStart }) => /["']/.test(html.charAt(valueStart - 1)))

/** The text that a placeholder of this kind writes for a value. */
const writtenAs = (kind: FoundValue['kind'], { text, tel }: PersonValue): string =>
  kind === 'tel' ? (tel ?? digitsOf(text)) : text
