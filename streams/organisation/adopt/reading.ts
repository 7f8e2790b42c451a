/** Reads html as words with their offsets, so that a text can be found across elements and replaced in the html. */
import { decodeReferences, nameSet, type Token, tokensOf } from '../../html/tokens.ts'

/** A word, a punctuation mark or an inline picture, from `start` to `end` in the html. */
export type Atom = Readonly<{
  kind: 'word' | 'sign' | 'picture'
  text: string
  /** The text, normalised and case-folded. */
  key: string
  /** The blanks before it in its line. Blanks that html collapses are one space. */
  before: string
  /** Whether the blanks before it have the same style as the atom. */
  isJoined: boolean
  start: number
  end: number
  /** The number of its style. Texts inside the same elements have equal numbers. */
  style: number
  /** The number of its line. Breaks and the edges of blocks and cells end a line. */
  line: number
  /** The index of its token. */
  token: number
}>

/** `tokens` cover the html without gaps. `atoms` are in the order of the html. */
export type ReadHtml = Readonly<{ html: string; tokens: readonly Token[]; atoms: readonly Atom[] }>

/** Elements that do not end a line. */
const INLINE = nameSet(
  'a abbr b bdi bdo big cite code del dfn em font i img ins kbd mark o:p q s samp small span strike strong sub sup ' +
    'tt u var wbr',
)
const WITHOUT_CONTENT = nameSet('img wbr')

/** Whether a tag ends the line before it. */
export const isLineEdge = (token: Token): boolean =>
  (token.kind === 'open' || token.kind === 'close') && !INLINE.has(token.name)

/** Characters that only separate the parts of a line. */
export const SEPARATORS: ReadonlySet<string> = new Set('|·•∙⋅‧')

const WORD = /[\p{L}\p{M}\p{N}]/u
const DASHES = /^[\u2010-\u2015\u2212]$/
const QUOTES = /^[\u2018\u2019\u02bc\u00b4`]$/
/** Blanks that html collapses into one space. */
const COLLAPSED = /[\t\n\f\r ]+/g
const BLANK = /^\s$/

/** Normalises a text and folds its case. */
function keyOf(text: string): string {
  if (DASHES.test(text)) return '-'
  return QUOTES.test(text) ? "'" : text.normalize('NFC').toLowerCase()
}

/** Collapses the blanks of a text as html does. */
export const collapseBlanks = (text: string): string => text.replace(COLLAPSED, ' ')

/** Decoded text. The character at index `i` is in the html from `places[i]` to `places[i + 1]`. */
export type DecodedText = Readonly<{ text: string; places: readonly number[] }>

const REFERENCE = /&[#\w]{1,9};/g
/** The longest word to join from fragments. No value contains a longer word. */
const MAX_WORD_CHARACTERS = 100
const NO_BREAK = /^&nbsp;$/i

/** Decodes the character references of html between two offsets. */
export function decodeText(html: string, start: number, end: number): DecodedText {
  const source = html.slice(start, end)
  const places: number[] = []
  const parts: string[] = []
  let done = 0
  const copy = (until: number) => {
    for (let at = done; at < until; at++) places.push(start + at)
    parts.push(source.slice(done, until))
    done = until
  }
  for (const { 0: reference, index } of source.matchAll(REFERENCE)) {
    const text = NO_BREAK.test(reference) ? '\u00a0' : decodeReferences(reference)
    if (text === reference) continue
    copy(index)
    places.push(...text.split('').map(() => start + index))
    parts.push(text)
    done = index + reference.length
  }
  copy(source.length)
  places.push(end)
  return { text: parts.join(''), places }
}

type Around = Readonly<{ style: number; line: number; token: number }>

/** Blanks after an atom. `of` is the style of the last one; `isOne`: all of them have this style. */
type Blanks = Readonly<{ text: string; of: number; isOne: boolean }>

/** Divides a decoded text into atoms. `left` has the blanks after the last atom, for the next text. */
function atomsOf(
  { text, places }: DecodedText,
  around: Around,
  before: Blanks,
): Readonly<{ atoms: readonly Atom[]; left: Blanks }> {
  const atoms: Atom[] = []
  let { text: blanks, isOne } = before
  if (blanks !== '' && before.of !== around.style) isOne = false
  let at = 0
  const add = (kind: 'word' | 'sign', end: number) => {
    const part = text.slice(at, end)
    atoms.push({
      ...around,
      kind,
      text: part,
      key: keyOf(part),
      before: collapseBlanks(blanks),
      isJoined: isOne,
      start: places[at] ?? 0,
      end: places[end] ?? 0,
    })
    blanks = ''
    isOne = true
    at = end
  }
  while (at < text.length) {
    let end = at
    for (; end < text.length; end += characterAt(text, end).length)
      if (!WORD.test(characterAt(text, end))) break
    if (end > at) add('word', end)
    else if (BLANK.test(text.charAt(at))) blanks += text.charAt(at++)
    else add('sign', at + characterAt(text, at).length)
  }
  return { atoms, left: { text: blanks, of: around.style, isOne } }
}

const characterAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0)

const NO_BLANKS: Blanks = { text: '', of: 0, isOne: true }

/** The atoms of a text from `start` to `end` in the html, read as one line. */
export const readText = (html: string, start: number, end: number): readonly Atom[] =>
  atomsOf(decodeText(html, start, end), { style: 0, line: 0, token: 0 }, NO_BLANKS).atoms

/** The atoms of a value, with their offsets in the value. */
export const readValue = (value: string): readonly Atom[] =>
  atomsOf({ text: value, places: [] }, { style: 0, line: 0, token: 0 }, NO_BLANKS).atoms

/** The visible text of a range of atoms. */
export function textOfAtoms(atoms: readonly Atom[], from: number, to: number): string {
  const parts: string[] = []
  for (let index = from; index < to; index++) {
    const atom = atoms[index]
    if (atom) parts.push(index === from ? '' : atom.before, atom.text)
  }
  return parts.join('')
}

/** Attributes that leave the text style of an element unchanged. */
const WITHOUT_STYLE = nameSet('lang xml:lang')
/** Word's classes for spelling and grammar mistakes. */
const OF_WORD = /^\s*(?:spelle|grame)\s*$/i

const isNeutral = (token: Extract<Token, { kind: 'open' }>): boolean =>
  (token.name === 'span' || token.name === 'font') &&
  token.attributes.every(
    ({ name, value }) => WITHOUT_STYLE.has(name) || (name === 'class' && OF_WORD.test(value)),
  )

export function readHtml(html: string): ReadHtml {
  const tokens: Token[] = []
  const atoms: Atom[] = []
  /** Style numbers, by the number of the outer style and the tag. */
  const styles = new Map<string, number>()
  const open: { name: string; around: number }[] = []
  const opened = new Map<string, number>()
  let style = 0
  let line = 0
  let blanks = NO_BLANKS
  for (const token of tokensOf(html)) {
    const index = tokens.push(token) - 1
    if (isLineEdge(token)) {
      line++
      blanks = NO_BLANKS
    }
    if (token.kind === 'text') {
      const read = atomsOf(decodeText(html, token.start, token.end), { style, line, token: index }, blanks)
      blanks = read.left
      for (const atom of read.atoms) {
        const last = atoms.at(-1)
        // Joins parts of one word that are in different elements, if they have the same style.
        const isPart =
          last?.kind === 'word' && atom.kind === 'word' && atom.before === '' && last.token < index
        const isShort = isPart && last.text.length < MAX_WORD_CHARACTERS
        if (isShort && last.line === line && last.style === style) {
          const text = last.text + atom.text
          atoms[atoms.length - 1] = { ...last, text, key: keyOf(text), end: atom.end }
        } else atoms.push(atom)
      }
    } else if (token.kind === 'open' && WITHOUT_CONTENT.has(token.name)) {
      if (token.name !== 'img') continue
      const { start, end } = token
      atoms.push({
        kind: 'picture',
        text: '',
        key: '',
        before: collapseBlanks(blanks.text),
        isJoined: false,
        start,
        end,
        style,
        line,
        token: index,
      })
      blanks = NO_BLANKS
    } else if (token.kind === 'open' && INLINE.has(token.name)) {
      open.push({ name: token.name, around: style })
      opened.set(token.name, (opened.get(token.name) ?? 0) + 1)
      if (!isNeutral(token)) {
        const key = `${String(style)} ${html.slice(token.start, token.end)}`
        style = styles.get(key) ?? styles.size + 1
        styles.set(key, style)
      }
    } else if (token.kind === 'close' && (opened.get(token.name) ?? 0) > 0) {
      for (let last = open.pop(); last; last = open.pop()) {
        opened.set(last.name, (opened.get(last.name) ?? 1) - 1)
        style = last.around
        if (last.name === token.name) break
      }
    }
  }
  return { html, tokens, atoms }
}
