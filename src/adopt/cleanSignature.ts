/**
 * Cleans a foreign signature: removes markup that mail clients reject or that only the authoring program reads. The
 * rest looks the same as before: tables and inline styles are not rewritten.
 */
import { toLinkAddress } from '../../streams/html/address.ts'
import {
  isWithinHtmlLimits,
  MAX_SIGNATURE_CHARACTERS,
  MAX_HTML_CHARACTERS,
  MAX_TAGS,
} from '../../streams/html/limits.ts'
import { ALLOWED_ATTRIBUTES, ALLOWED_TAGS, TAGS_REMOVED_WITH_CONTENT } from '../../streams/html/markup.ts'
import { sanitizeMarkup } from '../../streams/html/sanitizeMarkup.ts'
import { htmlToText } from '../../streams/html/text.ts'
import {
  type Attribute,
  attributeOf,
  decodeReferences,
  DOCUMENT_ELEMENTS,
  escapeText,
  firstAttributes,
  nameSet,
  type OpenTag,
  tokensOf,
  VOID_ELEMENTS,
} from '../../streams/html/tokens.ts'
import { cleanDeclarations } from '../../streams/html/styles.ts'
import { cleanComment, encodeForComment, UNDECODED_REFERENCE } from '../../streams/html/wordMarkup.ts'
import type { RemovedMarkup, UnusedFile } from '../../streams/organisation/adopt/adopted.ts'
import { readDeclarations } from '../../streams/html/declarations.ts'
import { createPictureFinder, pictureAddressesIn } from './pictureFiles.ts'
import { pictureAddressIn, createPictureCollector } from './pictures.ts'
import { NotAdopted } from './sample.ts'
import {
  classesIn,
  cleanSheet,
  cleanStyle,
  type DividedSheet,
  divideSheet,
  isInvisibleSheet,
  inlineDeclarations,
  type UsedNames,
} from './styleSheets.ts'
import { createRemovalTally, type RemovalTally } from './tally.ts'

type CleanSignature = Readonly<{
  /** The html, with each picture replaced by `{{picture adopted/<hash>.png}}`. */
  html: string
  /** The pictures that came with the signature, by path below `pictures/`. */
  pictures: ReadonlyMap<string, Uint8Array>
  /** The addresses of pictures that are linked instead of embedded. */
  linked: readonly string[]
  /** The addresses of pictures that were removed because their files are missing. */
  missing: readonly string[]
  /** Why a given file is not among the pictures; null if it is. */
  unusedBecause: (bytes: Uint8Array) => UnusedFile['reason'] | null
  takenOut: readonly RemovedMarkup[]
}>

/** Elements that run code, load content or take input. All other removed elements merely do not belong in mail. */
const ACTIVE_TAGS = nameSet(
  'applet base bgsound button embed form frame frameset iframe input object param script select textarea',
)
/** Elements that belong in a document's head. */
const HEAD_TAGS = nameSet('meta title link')
/** Attributes that load or send data. */
const ACTIVE_ATTRIBUTES = nameSet(
  'action data dynsrc formaction longdesc lowsrc manifest ping poster srcdoc srcset xlink:href',
)
const ACTIVE_SCHEME = /^\s*(?:javascript|vbscript|data|livescript|mocha):/i
/** Links that lead nowhere. */
const EMPTY_LINK = /^(?:#|(?:mailto|tel|sms):|https?:\/*)?$/i

/** Elements that are invisible without content, unless their style draws a box. */
const NOTHING_WITHOUT_CONTENT = nameSet(
  'b big code del div em font i ins p s small span strike strong sub sup u',
)
/** Elements that have no effect without attributes, if they are the only child of another element. */
const NOTHING_WITHOUT_ATTRIBUTES = nameSet('span font')
/** Page layout properties, which do not affect the content's own look. */
const OF_PAGE = /^(?:margin(?:-|$)|(?:(?:min|max)-)?(?:width|height)$)/
/** Attributes of a document's own tags, each with the style property that replaces it. */
const AS_STYLE: ReadonlyMap<string, string> = new Map([
  ['bgcolor', 'background-color'],
  ['text', 'color'],
])
const COLOUR_WITHOUT_SIGN = /^\s*([\da-f]{6})\s*$/i
const DRAWS_BOX = /(?:[\s;"]|min-)height|padding|border|width|background/i
/** Marks around content only for Word, or only for other programs, such as `<![if !vml]>`. */
const MARK = /^<!\[(if\s[^\]]*|endif)\]/i
const CONDITION = /^\s*(\[if\s[^\]]{0,80}\])>/i

const schemeOf = (address: string): string => /^\s*([a-z][a-z\d+.-]{0,20}:)/i.exec(address)?.[1] ?? address

/** The text between `<!--` and `-->`. */
const contentOf = (written: string): string => written.slice(4).replace(/--!?>$/, '')

/** The elements, classes and style sheets of html, with the classes in style sheets for Word. */
type Survey = UsedNames &
  Readonly<{
    sheets: readonly string[]
    ofWord: ReadonlySet<string>
    /** The link colour from the body tag; null if it has none. */
    link: string | null
  }>

/** Collects the names of elements and classes in html, as in `p`, `note` and `p.note`, and its style sheets. */
function survey(html: string): Survey {
  const elements = new Set<string>()
  const classes = new Set<string>()
  const sheets: string[] = []
  const forWord: string[] = []
  let link: string | null = null
  for (const token of tokensOf(html)) {
    if (token.kind === 'raw' && token.name === 'style') sheets.push(html.slice(token.start, token.end))
    if (token.kind === 'comment') {
      const comment = contentOf(html.slice(token.start, token.end))
      if (CONDITION.test(comment))
        for (const inner of tokensOf(comment))
          if (inner.kind === 'raw' && inner.name === 'style')
            forWord.push(comment.slice(inner.start, inner.end))
    }
    if (token.kind !== 'open') continue
    if (token.name === 'body') link ??= attributeOf(token, 'link')
    elements.add(token.name)
    for (const name of (attributeOf(token, 'class') ?? '').split(/\s+/))
      if (name !== '') classes.add(name).add(`${token.name}.${name}`)
  }
  const ofWord = new Set<string>()
  for (const sheet of forWord)
    if (!isInvisibleSheet(sheet, classes)) for (const name of classesIn(sheet)) ofWord.add(name)
  return { elements, classes, sheets, ofWord, link }
}

type Pictures = ReturnType<typeof createPictureCollector>

/** Thrown when inlining style sheets would make a signature too long. */
class TooMuchInline extends Error {}

/**
 * Returns a function that writes the attributes of an allowed element. It returns null for a picture that cannot be
 * shown.
 */
function attributeWriter(
  { inline, sheet }: DividedSheet,
  ofWord: ReadonlySet<string>,
  pictures: Pictures,
  tally: RemovalTally,
) {
  const { take } = tally
  const styled = new Set([...classesIn(sheet), ...ofWord])
  const isInlined = new Set(inline.map(({ name }) => name))
  let room = MAX_SIGNATURE_CHARACTERS

  /** Writes an attribute other than `style`; null for a picture that cannot be shown. */
  function write(tag: string, { name, value }: Attribute): string | null {
    const written = (text: string) => ` ${name}="${encodeForComment(text)}"`
    if (name.startsWith('on')) take('attribute', name, 'active')
    else if (name === 'src' || name === 'background') {
      const address = pictures.write(pictureAddressIn(value))
      return address === null ? (name === 'src' ? null : '') : written(escapeText(address))
    } else if (name === 'href' || name === 'cite') {
      // Browsers ignore these blanks in an address.
      const address = decodeReferences(value).replace(/[\t\n\r]/g, '')
      if (toLinkAddress(address) === null)
        take('address', schemeOf(address), ACTIVE_SCHEME.test(address) ? 'active' : 'notMail')
      else if (EMPTY_LINK.test(address.trim())) take('address', address.trim() || name, 'notMail')
      else return written(value)
    } else if (name === 'class') {
      const names = decodeReferences(value).split(/\s+/)
      const kept = names.filter((each) => styled.has(each))
      const gone = names.filter((each) => each !== '' && !styled.has(each))
      for (const each of gone) if (!isInlined.has(each)) take('attribute', `class ${each}`, 'noise')
      return kept.length === 0 ? '' : written(escapeText(kept.join(' ')))
    } else if (name === 'id' || (name === 'name' && tag === 'a') || ALLOWED_ATTRIBUTES.has(name))
      return written(value)
    else if (ACTIVE_ATTRIBUTES.has(name)) take('attribute', name, 'active')
    else take('attribute', name, /^(?:data-|xmlns|x_)|:/.test(name) ? 'noise' : 'notMail')
    return ''
  }

  /** The style of an element: first from the style sheets, then its own. */
  function style(tag: OpenTag, value: string): string {
    const isDecoded = !UNDECODED_REFERENCE.test(value)
    const own = isDecoded ? cleanStyle(decodeReferences(value), pictures.write, tally) : ''
    if (!isDecoded) take('attribute', 'style', 'unreadable')
    const classes = (attributeOf(tag, 'class') ?? '').split(/\s+/)
    const isLink = attributeOf(tag, 'href') !== null
    const inlined = inlineDeclarations({ name: tag.name, classes, isLink }, inline, own)
    room -= inlined.join(';').length
    if (room < 0) throw new TooMuchInline()
    const all = own === '' ? inlined : [...inlined, own]
    return all.length === 0 ? '' : ` style="${escapeText(all.join(';'))}"`
  }

  return (tag: OpenTag): string | null => {
    const written: string[] = []
    const attributes = firstAttributes(tag)
    for (const attribute of attributes) {
      const one = attribute.name === 'style' ? style(tag, attribute.value) : write(tag.name, attribute)
      if (one === null) return null
      written.push(one)
    }
    if (!attributes.some(({ name }) => name === 'style')) written.push(style(tag, ''))
    // Screen readers skip a picture with an empty text; without an `alt` they would read its address aloud.
    if (tag.name === 'img' && !tag.attributes.some(({ name }) => name === 'alt')) written.push(' alt=""')
    return written.join('')
  }
}

/**
 * Makes an element around the signature from the visible attributes of a document tag. `others` are the names of the
 * tag's other attributes.
 */
function aroundOf(tag: OpenTag): Readonly<{ element: OpenTag; others: readonly string[] }> {
  const attributes: Attribute[] = []
  const others: string[] = []
  const styles: string[] = []
  for (const attribute of firstAttributes(tag)) {
    const { name, value } = attribute
    const property = AS_STYLE.get(name)
    if (property !== undefined) styles.push(`${property}:${value.replace(COLOUR_WITHOUT_SIGN, '#$1')}`)
    else if (name === 'background')
      styles.push(`background-image:url('${pictureAddressIn(value).replaceAll("'", '%27')}')`)
    else if (name === 'style') {
      for (const { property: each, at, end } of readDeclarations(decodeReferences(value)))
        if (!OF_PAGE.test(each)) styles.push(decodeReferences(value).slice(at, end))
    } else if (ALLOWED_ATTRIBUTES.has(name) && !OF_PAGE.test(name)) attributes.push(attribute)
    else if (name !== 'link') others.push(name)
  }
  const style = { name: 'style', value: escapeText(styles.join(';')), valueStart: 0, start: 0, end: 0 }
  return { element: { ...tag, name: 'div', attributes: [...attributes, style] }, others }
}

/**
 * An open element: `part` is its index in the output; `seen` and `blanks` count the visible items and blank texts
 * before its content.
 */
type Open = Readonly<{
  name: string
  part: number
  seen: number
  blanks: number
  goesWhenEmpty: boolean
  isBare: boolean
}>

/** Whether a conditional comment contains nothing but style sheets that have no effect. */
function isEmptySheet(comment: string, kept: ReadonlySet<string>): boolean {
  const markup = comment.replace(CONDITION, '').replace(/<!\[endif\]$/i, '')
  let hasSheet = false
  for (const token of tokensOf(markup)) {
    const text = markup.slice(token.start, token.end)
    if (token.kind === 'raw' && token.name === 'style' && isInvisibleSheet(text, kept)) hasSheet = true
    else if (token.kind === 'text' ? text.trim() !== '' : !/^<\/?style\b/i.test(text)) return false
  }
  return hasSheet
}

/** Returns a function that writes comments and marks. It returns null for a comment or mark to remove. */
function commentWriter(classes: ReadonlySet<string>, pictures: Pictures, { take }: RemovalTally) {
  /** The open marks `<![if …]>`; true if the mark became a comment. */
  const marks: boolean[] = []

  /**
   * Writes a mark about `mso` as an equivalent comment, because mail clients drop the mark. Only Word's editor reads
   * other marks.
   */
  function writeMark(mark: string): string | null {
    if (mark.toLowerCase() === 'endif') return marks.pop() === true ? '<!--<![endif]-->' : null
    const isOfEditor = !/\bmso\b/i.test(mark)
    const reveals = isOfEditor ? null : cleanComment(`[${mark}]><!`, pictures.write)
    marks.push(reveals !== null)
    if (reveals !== null) return `<!--${reveals}-->`
    take('comment', `[${mark}]`, 'noise')
    return null
  }

  return (written: string): string | null => {
    if (!written.startsWith('<!--')) {
      const mark = MARK.exec(written)?.[1]
      return mark === undefined ? null : writeMark(mark)
    }
    const inner = contentOf(written)
    const clean = isEmptySheet(inner, classes) ? null : cleanComment(inner, pictures.write)
    if (clean !== null) return `<!--${clean}-->`
    const condition = CONDITION.exec(inner)?.[1]
    if (inner.trim().toLowerCase() !== '<![endif]') take('comment', condition ?? 'comment', 'noise')
    return null
  }
}

const reasonOf = (name: string): RemovedMarkup['reason'] =>
  ACTIVE_TAGS.has(name) ? 'active' : HEAD_TAGS.has(name) || name.includes(':') ? 'noise' : 'notMail'

/** Removes markup that does not belong in mail, and all style sheets. `used` describes the same html. */
function strip(
  html: string,
  styles: DividedSheet,
  used: Survey,
  pictures: Pictures,
  tally: RemovalTally,
): string {
  const { take } = tally
  const { classes, ofWord } = used
  const attributesOf = attributeWriter(styles, ofWord, pictures, tally)
  const commentOf = commentWriter(classes, pictures, tally)
  const parts: string[] = []
  const open: Open[] = []
  const openOf = new Map<string, number>()
  /** The number of visible items so far. */
  let seen = 0
  let blanks = 0
  let preformatted = 0
  /** The element that is being removed with its content; `depth` counts the open elements of the same name. */
  let leftOut = null as { readonly name: string; depth: number } | null
  /** The positions in `parts` of the tags of bare elements, inner elements first. */
  const bare: (readonly [open: number, close: number])[] = []

  /**
   * Moves the visible styles of a document's own tags to an element around the signature, because these tags are
   * removed.
   */
  function inherit(tag: OpenTag): void {
    const { element, others } = aroundOf(tag)
    for (const name of others) take('attribute', name, name.startsWith('on') ? 'active' : 'noise')
    const attributes = attributesOf(element)
    if (attributes !== null && attributes !== '') parts.push(`<div${attributes}>`)
  }

  function begin(tag: OpenTag): void {
    const { name } = tag
    const isVoid = VOID_ELEMENTS.has(name)
    if (name === 'style') return
    if (DOCUMENT_ELEMENTS.has(name)) {
      inherit(tag)
      return
    }
    if (name === 'xml' || TAGS_REMOVED_WITH_CONTENT.has(name)) {
      take('element', name, name === 'xml' ? 'noise' : reasonOf(name))
      const isWhole = html[tag.end - 2] === '/' && (name === 'svg' || name === 'math' || name === 'xml')
      if (!isVoid && !isWhole) leftOut = { name, depth: 1 }
      return
    }
    if (!ALLOWED_TAGS.has(name)) {
      take('element', name, reasonOf(name))
      for (const attribute of firstAttributes(tag))
        if (attribute.name.startsWith('on')) take('attribute', attribute.name, 'active')
      return
    }
    const attributes = attributesOf(tag)
    if (attributes === null) return
    if (isVoid) {
      seen++
      parts.push(`<${name}${attributes}>`)
      return
    }
    const isBare = attributes === '' && NOTHING_WITHOUT_ATTRIBUTES.has(name)
    const goesWhenEmpty =
      NOTHING_WITHOUT_CONTENT.has(name) && !DRAWS_BOX.test(attributes) && !/ (?:id|name)=/.test(attributes)
    if (!NOTHING_WITHOUT_CONTENT.has(name) && name !== 'a') seen++
    open.push({ name, part: parts.length, seen, blanks, goesWhenEmpty, isBare })
    openOf.set(name, (openOf.get(name) ?? 0) + 1)
    if (name === 'pre') preformatted++
    parts.push(`<${name}${attributes}>`)
  }

  /** Closes the innermost open element of this name. The sanitiser closes elements still open inside it. */
  function close(name: string): void {
    if (name === 'br') parts.push('<br>')
    if (!ALLOWED_TAGS.has(name) || name === 'style' || name === 'br') return
    if ((openOf.get(name) ?? 0) === 0) return
    for (;;) {
      const last = open.pop()
      if (last === undefined) return
      openOf.set(last.name, (openOf.get(last.name) ?? 0) - 1)
      if (last.name === 'pre') preformatted--
      if (last.name !== name) continue
      if (last.goesWhenEmpty && seen === last.seen) {
        // Blanks are kept, except between blocks.
        const hasBlank = blanks > last.blanks
        take('empty', name, 'noise')
        parts.length = last.part
        if (hasBlank && name !== 'p' && name !== 'div') parts.push(' ')
      } else {
        if (last.isBare) bare.push([last.part, parts.length])
        parts.push(`</${name}>`)
      }
      return
    }
  }

  function comment(written: string): void {
    const clean = commentOf(written)
    if (clean === null) return
    if (written.startsWith('<!--')) seen++
    parts.push(clean)
  }

  function text(given: string): void {
    const isBlank = preformatted === 0 && !/[^\t\n\f\r ]/.test(given)
    if (isBlank) blanks++
    else seen++
    parts.push(isBlank && given.includes('\n') ? '\n' : given)
  }

  for (const token of tokensOf(html)) {
    if (leftOut !== null) {
      if ((token.kind === 'open' || token.kind === 'close') && token.name === leftOut.name)
        leftOut.depth += token.kind === 'open' ? 1 : -1
      if (leftOut.depth === 0) leftOut = null
    } else if (token.kind === 'open') begin(token)
    else if (token.kind === 'close') close(token.name)
    else if (token.kind === 'text') text(html.slice(token.start, token.end))
    else if (token.kind === 'comment') comment(html.slice(token.start, token.end))
  }
  unwrap(parts, bare, tally)
  const written = parts.join('')
  return /<pre[\s>]/.test(written) ? written : written.replace(/\n[\n\t\r ]*\n/g, '\n')
}

const MAX_UNWRAPPED = 20

/** The neighbouring part, skipping empty ones; an empty text after too many of them. */
function partBeside(parts: readonly string[], at: number, step: 1 | -1): string {
  for (let count = 1; count <= MAX_UNWRAPPED; count++) {
    const part = parts[at + step * count]
    if (part === undefined || part !== '') return part ?? ''
  }
  return ''
}

/**
 * Removes bare elements that wrap the entire content of another element. Removing others would shift letters by a
 * fraction of a pixel.
 */
function unwrap(
  parts: string[],
  bare: readonly (readonly [open: number, close: number])[],
  { take }: RemovalTally,
): void {
  for (const [open, close] of bare) {
    if (!/^<\w/.test(partBeside(parts, open, -1)) || !partBeside(parts, close, 1).startsWith('</')) continue
    take('empty', /\w+/.exec(parts[open] ?? '')?.[0] ?? '', 'noise')
    parts[open] = parts[close] = ''
  }
}

/** The number of uses of each element, attribute and style property in html. */
function namesIn(html: string): ReadonlyMap<string, number> {
  const names = new Map<string, number>()
  const add = (kind: RemovedMarkup['kind'], name: string) => {
    const key = `${kind} ${name}`
    names.set(key, (names.get(key) ?? 0) + 1)
  }
  for (const token of tokensOf(html)) {
    if (token.kind === 'comment') add('comment', 'comment')
    if (token.kind !== 'open') continue
    add('element', token.name)
    for (const { name, value } of firstAttributes(token)) {
      add('attribute', name)
      if (name === 'style')
        for (const { property } of readDeclarations(decodeReferences(value))) add('style', property)
    }
  }
  return names
}

/** Adds everything to the tally that the sanitiser removed. */
function tellLeftOut(before: string, after: string, { take }: RemovalTally): void {
  const left = namesIn(after)
  for (const [key, count] of namesIn(before)) {
    const gone = count - (left.get(key) ?? 0)
    const at = key.indexOf(' ')
    const [kind, name] = [key.slice(0, at), key.slice(at + 1)]
    if (gone > 0)
      take(kind as RemovedMarkup['kind'], name, name === 'id' || name === 'name' ? 'noise' : 'notMail', gone)
  }
}

/** @throws NotAdopted if nothing is left, or if the rest is longer than mail clients accept */
export function cleanSignature(html: string, contents: ReadonlyMap<string, Uint8Array>): CleanSignature {
  try {
    return cleaned(html, contents, divideSheet)
  } catch (error) {
    if (!(error instanceof TooMuchInline)) throw error
    return cleaned(html, contents, (sheet) => ({ inline: [], sheet }))
  }
}

/** Adds the document's link colour to the styles, for links without a colour of their own. */
function withLinks(styles: DividedSheet, colour: string | null, { take }: RemovalTally): DividedSheet {
  const clean =
    colour === null
      ? ''
      : cleanDeclarations(`color:${colour.replace(COLOUR_WITHOUT_SIGN, '#$1')}`, () => null).trim()
  if (clean === '') return styles
  // A remaining style sheet has its own colours, and an inline style would override them.
  if (styles.sheet.trim() !== '') {
    take('attribute', 'link', 'notMail')
    return styles
  }
  const links = { element: 'a', name: null, isLink: true, declarations: new Map([['color', clean]]) }
  return { ...styles, inline: [links, ...styles.inline] }
}

function cleaned(
  html: string,
  contents: ReadonlyMap<string, Uint8Array>,
  divided: (sheet: string) => DividedSheet,
): CleanSignature {
  const tally = createRemovalTally()
  const pictures = createPictureCollector(createPictureFinder(contents, pictureAddressesIn(html)), tally)
  const used = survey(html)
  const sheets = used.sheets.map((each) => cleanSheet(each, pictures.write, used, tally)).join('\n')
  const styles = withLinks(divided(sheets), used.link, tally)
  const { sheet } = styles
  const stripped = strip(html, styles, used, pictures, tally).trim()
  if (!isWithinHtmlLimits(stripped + sheet))
    throw new NotAdopted(
      'sample_too_large',
      `The signature has more than ${MAX_HTML_CHARACTERS} characters or ${MAX_TAGS} tags after cleaning.`,
    )
  const clean = sanitizeMarkup(stripped, 'insert').trim()
  tellLeftOut(stripped, clean, tally)
  if (htmlToText(clean) === '' && !/<(?:img|hr)|\sbackground/.test(clean))
    throw new NotAdopted('signature_empty', 'Nothing of the signature is left to see after cleaning.')
  const written = sheet.trim() === '' ? clean : `<style>\n${sheet.trim()}\n</style>\n${clean}`
  return {
    html: pictures.withPlaceholders(written),
    pictures: pictures.files(),
    linked: pictures.linked(),
    missing: pictures.missing(),
    unusedBecause: pictures.unusedBecause,
    takenOut: tally.list(),
  }
}
