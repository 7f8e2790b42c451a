/** Removes rules from foreign style sheets that no mail client supports, or that match nothing in the signature. */
import { cssTokensOf } from '../../streams/html/cssTokens.ts'
import {
  cleanDeclarations,
  cleanStyleSheet,
  closingTextOf,
  type WritePicture,
} from '../../streams/html/styles.ts'
import { readDeclarations } from '../../streams/html/declarations.ts'
import type { RemovalTally } from './tally.ts'

type Rule = Readonly<{ prelude: string; block: string | null }>

/** The rules in a sheet or in an `@media` block. An unclosed rule is skipped. */
function rulesOf(css: string): readonly Rule[] {
  const rules: Rule[] = []
  const closers: (string | undefined)[] = []
  let [prelude, block] = ['', '']
  for (const token of cssTokensOf(css)) {
    const { kind, text } = token
    if (closers.length > 0) {
      if (text === closers.at(-1)) {
        closers.pop()
        if (closers.length === 0) {
          rules.push({ prelude: prelude.trim(), block })
          prelude = block = ''
          continue
        }
      } else if (closingTextOf(token) !== undefined) closers.push(closingTextOf(token))
      block += text
    } else if (text === '{') closers.push('}')
    else if (text === ';' && prelude.trimStart().startsWith('@')) {
      rules.push({ prelude: prelude.trim(), block: null })
      prelude = ''
    } else if (kind !== 'htmlComment' && kind !== 'comment') prelude += text
  }
  return rules
}

/** Word properties that change how classic Outlook draws. All other Word properties are for Word's editor only. */
const DRAWN_BY_WORD =
  /^mso-(?:line-height-rule|height-rule|padding-alt|table-[lr]space|hide|text-raise|border-alt|font-width)$/
const OF_WORD =
  /^(?:mso-|tab-stops$|tab-interval$|page$|panose-|layout-grid|text-autospace$|punctuation-wrap$)/

const isOfEditor = (property: string): boolean => OF_WORD.test(property) && !DRAWN_BY_WORD.test(property)

const ACTIVE_PROPERTY = /behaviou?r|binding|^-o-link/
const ACTIVE_VALUE = /expression|javascript|vbscript|@import/i

/** Keeps the declarations that mail clients support, and counts the others in the tally. */
export function cleanStyle(style: string, writePicture: WritePicture, { take }: RemovalTally): string {
  const kept: string[] = []
  for (const { property, value, at, end } of readDeclarations(style)) {
    if (isOfEditor(property)) {
      take('style', property, 'noise')
      continue
    }
    const clean = cleanDeclarations(style.slice(at, end), writePicture).trim()
    if (clean !== '') kept.push(clean)
    else if (ACTIVE_PROPERTY.test(property) || ACTIVE_VALUE.test(value)) take('style', property, 'active')
    else take('style', property, /url\(/i.test(value) ? 'missing' : 'notMail')
  }
  return kept.join(';')
}

/**
 * The elements and classes in a signature; `classes` also has combinations such as `p.note`. Rules for anything else
 * have no effect.
 */
export type UsedNames = Readonly<{ elements: ReadonlySet<string>; classes: ReadonlySet<string> }>

const CLASS = /\.(-?[_a-z\u0080-\uffff][\w\u0080-\uffff-]*)/gi
/** An element with its first class, preceded by a separator. */
const ELEMENT =
  /(?:^|[^\w\u0080-\uffff.#:[-])([a-z][a-z\d]*)(?:\.(-?[_a-z\u0080-\uffff][\w\u0080-\uffff-]*))?/gi

/** The class names in the selectors of a cleaned sheet. */
export const classesIn = (sheet: string): ReadonlySet<string> => new Set(rulesOf(sheet).flatMap(namesIn))

const namesIn = ({ prelude, block }: Rule): readonly string[] =>
  prelude.startsWith('@') && block !== null
    ? rulesOf(block).flatMap(namesIn)
    : Array.from(prelude.matchAll(CLASS), ([, name = '']) => name)

/**
 * Whether a sheet has no visible effect: it contains only properties for Word's editor, and rules for removed classes.
 *
 * @param kept the classes that cleaning leaves on elements
 */
export const isInvisibleSheet = (sheet: string, kept: ReadonlySet<string>): boolean =>
  rulesOf(sheet).every((rule) => {
    if (rule.prelude.startsWith('@')) return !/^@(?:media|import)\b/i.test(rule.prelude)
    const isForNothing = selectorsOf(rule.prelude).every((selector) =>
      namesIn({ prelude: selector, block: null }).some((name) => !kept.has(name)),
    )
    return isForNothing || readDeclarations(rule.block ?? '').every(({ property }) => isOfEditor(property))
  })

/** The nesting limit of `@media` rules. */
const MAX_DEPTH = 3

/** Longer selectors are treated as if they matched nothing. */
const MAX_SELECTOR_CHARACTERS = 1_000

function isUsed(selector: string, { elements, classes }: UsedNames): boolean {
  if (selector.length > MAX_SELECTOR_CHARACTERS) return false
  // Attribute selectors and functions are ignored, because they only narrow the match.
  const plain = selector.replace(/\[[^\]]*\]|::?[\w-]+(?:\([^)]*\))?/g, '')
  return (
    Array.from(plain.matchAll(CLASS), ([, name = '']) => name).every((name) => classes.has(name)) &&
    Array.from(plain.matchAll(ELEMENT)).every(([, given = '', name]) => {
      const element = given.toLowerCase()
      if (name !== undefined && !classes.has(`${element}.${name}`)) return false
      return element === 'html' || element === 'body' || elements.has(element)
    })
  )
}

const selectorsOf = (prelude: string): readonly string[] =>
  /[([]/.test(prelude) ? [prelude] : prelude.split(',').map((selector) => selector.trim())

/** Keeps the rules of a sheet that affect the signature, and counts the others in the tally. */
export function cleanSheet(
  sheet: string,
  writePicture: WritePicture,
  used: UsedNames,
  tally: RemovalTally,
  depth = 0,
): string {
  const { take } = tally
  const kept: string[] = []
  for (const { prelude, block } of rulesOf(sheet)) {
    const name = /^@[\w-]+/.exec(prelude)?.[0].toLowerCase()
    if (name === '@media' && block !== null && depth < MAX_DEPTH) {
      const rules = cleanSheet(block, writePicture, used, tally, depth + 1)
      if (cleanStyleSheet(`${prelude}{a{color:red}}`, writePicture) === '') take('style', name, 'notMail')
      else if (rules !== '') kept.push(`${prelude}{\n${rules}\n}`)
    } else if (name !== undefined) take('style', name, name === '@import' ? 'active' : 'noise')
    else {
      const [fitting, other] = [[] as string[], [] as string[]]
      for (const selector of selectorsOf(prelude)) (isUsed(selector, used) ? fitting : other).push(selector)
      if (other.length > 0) take('style', 'style', 'noise', other.length)
      const written = fitting.filter((selector) => {
        const isTaken = cleanStyleSheet(`${selector}{color:red}`, writePicture) !== ''
        if (!isTaken) take('style', selector, 'notMail')
        return isTaken
      })
      const declarations = written.length === 0 ? '' : cleanStyle(block ?? '', writePicture, tally)
      if (declarations !== '') kept.push(`${written.join(', ')} {${declarations}}`)
    }
  }
  return kept.join('\n')
}

/** A rule for an element, a class, or both. `isLink` restricts it to elements with an address. */
type SimpleRule = Readonly<{
  element: string | null
  name: string | null
  isLink: boolean
  /** The declarations by property, in order. */
  declarations: ReadonlyMap<string, string>
}>

const SIMPLE = /^([a-z][a-z\d]*)?(?:\.(-?[_a-z][\w-]*))?(:link)?$/i
const OF_DOCUMENT = /^(?:html|body)$/i

const declarationsIn = (block: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const { property, at, end } of readDeclarations(block)) {
    // Deleting moves the property to the end, because a later declaration wins even over a shorthand between the two.
    found.delete(property)
    found.set(property, block.slice(at, end))
  }
  return found
}

const isImportant = (declaration: string): boolean => /!\s*important\s*$/i.test(declaration)

const rank = ({ element, name, isLink }: SimpleRule): number =>
  (element === null ? 0 : 1) + (name === null ? 0 : 10) + (isLink ? 10 : 0)

function simpleRule(selector: string, declarations: SimpleRule['declarations']): SimpleRule | null {
  const [, element, name, link] = SIMPLE.exec(selector) ?? []
  if ((element === undefined && name === undefined) || [...declarations.values()].some(isImportant))
    return null
  return {
    element: element?.toLowerCase() ?? null,
    name: name ?? null,
    isLink: link !== undefined,
    declarations,
  }
}

/** Whether all declarations in a media rule win over inline styles. */
const winsOverInline = ({ block }: Rule): boolean =>
  rulesOf(block ?? '').every((rule) =>
    rule.prelude.startsWith('@')
      ? winsOverInline(rule)
      : [...declarationsIn(rule.block ?? '').values()].every(isImportant),
  )

/** A sheet with more rules is for more than a signature, so it is not inlined. */
const MAX_INLINE_RULES = 200

export type DividedSheet = Readonly<{
  /** The rules that can be written as inline styles, in ascending precedence. */
  inline: readonly SimpleRule[]
  /** The remaining rules, which stay a style sheet. */
  sheet: string
}>

/**
 * Divides a cleaned sheet into rules to inline and a remaining sheet. Many mail clients drop style sheets and classes
 * but support inline styles. The entire sheet stays if inlining could change which declaration wins.
 */
export function divideSheet(sheet: string): DividedSheet {
  const whole = { inline: [], sheet }
  const inline: SimpleRule[] = []
  const rest: string[] = []
  for (const rule of rulesOf(sheet)) {
    const { prelude, block } = rule
    if (block === null) return whole
    if (prelude.startsWith('@')) {
      if (!winsOverInline(rule)) return whole
      rest.push(`${prelude}{${block}}`)
      continue
    }
    const selectors = selectorsOf(prelude)
    const ofDocument = selectors.filter((selector) => OF_DOCUMENT.test(selector))
    if (ofDocument.length > 0) rest.push(`${ofDocument.join(', ')} {${block}}`)
    const declarations = declarationsIn(block)
    for (const selector of selectors) {
      // Mail clients do not support visited links.
      if (OF_DOCUMENT.test(selector) || /^a:visited$/i.test(selector)) continue
      const simple = simpleRule(selector, declarations)
      if (simple === null || inline.length === MAX_INLINE_RULES) return whole
      inline.push(simple)
    }
  }
  return { inline: inline.sort((one, other) => rank(one) - rank(other)), sheet: rest.join('\n') }
}

/** The declarations for an element from these rules, except properties that its own style sets. */
export function inlineDeclarations(
  { name: element, classes, isLink }: Readonly<{ name: string; classes: readonly string[]; isLink: boolean }>,
  rules: readonly SimpleRule[],
  own: string,
): readonly string[] {
  const found = new Map<string, string>()
  for (const rule of rules) {
    const fits =
      (rule.element === null || rule.element === element) &&
      (rule.name === null || classes.includes(rule.name)) &&
      (!rule.isLink || isLink)
    if (!fits) continue
    for (const [property, declaration] of rule.declarations) {
      found.delete(property)
      found.set(property, declaration)
    }
  }
  for (const { property } of readDeclarations(own)) found.delete(property)
  return [...found.values()]
}
