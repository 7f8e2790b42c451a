/** What names an item for a person: the first words that it shows. */
import { attributeOf } from '../../html/tokens.ts'
import {
  parseTemplate,
  showsByItself,
  splitAtPlaceholders,
  variablesIn,
} from '../../organisation/template/template.ts'
import { conditionsOf, type DesignItem, elementOf, outlineOf, pictureIn } from './outline.ts'
import type { DecodeReference } from './typing.ts'

/** The most characters of a name, without its ellipsis. */
export const MAX_NAME_CHARACTERS = 24
/** The same for words that a screen reader reads. */
export const MAX_READ_CHARACTERS = 80
/** A longer word, such as an address, is cut where others are left out. */
const LONG_WORD = 12

/** The texts that templates show. */
export type ShownTexts = Readonly<{
  /** The text of a part; null if there is none. */
  partText: (name: string) => string | null
  /** What the preview's person has for a variable; empty for nothing. */
  valueOf: (variable: string) => string
  /** The display name of a variable. */
  nameOf: (variable: string) => string
  decode: DecodeReference
}>

/** Parts cannot contain themselves, but a faulty draft may say so. */
const MAX_PARTS_DEEP = 3
const TAG = /<[^<>]*>/g
const REFERENCE = /&(?:#x[\da-f]{1,8}|#\d{1,8}|[a-z][a-z\d]{1,31});/gi
const SPACES = /[\s\u00a0]+/

/** Returns the first words of an item as it is shown; an item without values for the person is named by its variables. */
export function createItemNamer({ partText, valueOf, nameOf, decode }: ShownTexts) {
  const outlines = new Map<string, readonly DesignItem[]>()
  const outline = (text: string) => {
    const known = outlines.get(text) ?? outlineOf(text)
    outlines.set(text, known)
    return known
  }

  function* words(
    text: string,
    item: DesignItem,
    showVariable: (variable: string) => string,
    parts = 0,
  ): Generator<string> {
    const { kind, name, children, content } = item
    const isMet = (names: readonly string[]) => names.some((each) => showVariable(each) !== '')
    const [only] = conditionsOf(item).filter(({ otherwise }) => otherwise !== null)
    if (conditionsOf(item).some(({ names, otherwise }) => otherwise === null && !isMet(names))) return
    if (kind === 'words') yield wordsIn(text.slice(content.from, content.to), showVariable, decode)
    else if (kind === 'picture') yield pictureText(item)
    else if (kind === 'part') {
      const of = partText(name)
      if (of !== null && parts < MAX_PARTS_DEEP)
        for (const each of outline(of)) yield* words(of, each, showVariable, parts + 1)
    } else
      for (const each of children)
        if (!only || each.from < only.inner.to === isMet(only.names))
          yield* words(text, each, showVariable, parts)
  }

  return (text: string, item: DesignItem, most = MAX_NAME_CHARACTERS): string =>
    firstWords(words(text, item, valueOf), most) || firstWords(words(text, item, nameOf), most)
}

/** Words and values as they are shown. */
const wordsIn = (
  source: string,
  showVariable: (variable: string) => string,
  decode: DecodeReference,
): string =>
  splitAtPlaceholders(source.replace(TAG, ' '))
    .map((piece) =>
      piece.startsWith('{{')
        ? placeholderText(piece, showVariable)
        : piece.replace(REFERENCE, (each) => decode(each)),
    )
    .join('')

const placeholderText = (source: string, showVariable: (variable: string) => string): string =>
  parseTemplate(source, new Map())
    .template.placeholders.filter(showsByItself)
    .flatMap(variablesIn)
    .map(showVariable)
    .find((value) => value !== '') ?? ''

/** The description of a picture, or else the name of its file. */
function pictureText(item: DesignItem): string {
  const image = elementOf(item)
  const described = image ? (attributeOf(image.tag, 'alt') ?? '').trim() : ''
  if (described !== '' && !described.includes('{{')) return described
  const { path = '' } = (image && pictureIn(image)) ?? {}
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The first words, with an ellipsis if there are more. */
function firstWords(texts: Iterable<string>, most: number): string {
  let name = ''
  for (const text of texts)
    for (const word of text.split(SPACES)) {
      if (word === '') continue
      const longer = name === '' ? word : `${name} ${word}`
      if (longer.length > most)
        return `${word.length > LONG_WORD ? Array.from(longer).slice(0, most).join('') : name}…`
      name = longer
    }
  return name
}
