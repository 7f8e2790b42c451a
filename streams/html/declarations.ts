/** Splits style sheets and style attributes into declarations, selectors and at-rules with their offsets. */
import { type CssToken, cssTokensOf, decodeCssEscapes } from './cssTokens.ts'
import { closingTextOf, MAX_STYLE_CHARACTERS } from './styles.ts'

/**
 * `at` and `end` are offsets of the declaration without its semicolon; `valueAt` is the offset after its colon. The
 * `value` is without comments. `property` is in lower case.
 */
export type Declaration = Readonly<{
  property: string
  value: string
  at: number
  valueAt: number
  end: number
}>

export type StyleSheet = Readonly<{
  declarations: readonly Declaration[]
  selectors: readonly Readonly<{ text: string; at: number }>[]
  /**
   * `name` is without `@`: `media`. `end` is the offset after the rule's block, or after its name if there is no block.
   */
  atRules: readonly Readonly<{ name: string; at: number; end: number }>[]
}>

const NOTHING: StyleSheet = { declarations: [], selectors: [], atRules: [] }

/** The at-rules that contain rules. Other at-rules contain declarations. */
const NESTED: ReadonlySet<string> = new Set(['media', 'supports', 'layer', 'container', 'document'])

const CLOSERS: ReadonlySet<string> = new Set([')', ']', '}'])

type Placed = CssToken & Readonly<{ at: number; end: number }>

function placed(css: string): readonly Placed[] {
  let end = 0
  return cssTokensOf(css).map((token) => {
    const at = end
    end += token.text.length
    return { ...token, at, end }
  })
}

/** The text of an identifier or at-keyword, unescaped and in lower case. */
const nameOf = ({ text }: CssToken): string => decodeCssEscapes(text).toLowerCase()

const isWritten = ({ kind }: CssToken): boolean => kind !== 'blank' && kind !== 'comment'

/** The declaration in these tokens; null if they form none. */
function declarationOf(tokens: readonly Placed[]): Declaration | null {
  const written = tokens.filter(isWritten)
  const [name, colon] = written
  const last = written.at(-1)
  if (name?.kind !== 'ident' || colon?.text !== ':' || last === undefined) return null
  const value = tokens
    .slice(tokens.indexOf(colon) + 1)
    .map(({ kind, text }) => (kind === 'comment' ? ' ' : text))
    .join('')
    .trim()
  return { property: nameOf(name), value, at: name.at, valueAt: colon.end, end: last.end }
}

/** The declarations in a `style` attribute. An attribute longer than mail clients read counts as empty. */
export function readDeclarations(css: string): readonly Declaration[] {
  return css.length > MAX_STYLE_CHARACTERS ? [] : split(css).declarations
}

/** Splits the content of a `style` element. Content longer than mail clients read counts as empty. */
export function readStyleSheet(css: string): StyleSheet {
  return css.length > MAX_STYLE_CHARACTERS ? NOTHING : split(css, true)
}

function split(css: string, isSheet = false): StyleSheet {
  const declarations: Declaration[] = []
  const selectors: { text: string; at: number }[] = []
  const atRules: { name: string; at: number; end: number }[] = []
  /** The open blocks, outermost first. `hasRules` is true for a block of rules. `rule` is the block's at-rule. */
  const blocks: Readonly<{ hasRules: boolean; rule: { end: number } | null }>[] = []
  let brackets = 0
  let pending: Placed[] = []

  const flush = () => {
    const declaration = declarationOf(pending)
    if (declaration !== null) declarations.push(declaration)
    pending = []
  }
  for (const token of placed(css)) {
    const { kind, text, at, end } = token
    const hasRules = blocks.at(-1)?.hasRules ?? isSheet
    if (kind === 'atKeyword' && brackets === 0) atRules.push({ name: nameOf(token).slice(1), at, end })
    if (text === '{' && brackets === 0) {
      const first = pending.find(isWritten)
      if (first?.kind === 'atKeyword')
        blocks.push({ hasRules: NESTED.has(nameOf(first).slice(1)), rule: atRules.at(-1) ?? null })
      else {
        if (first !== undefined && hasRules)
          selectors.push({ text: css.slice(first.at, at).trim(), at: first.at })
        blocks.push({ hasRules: false, rule: null })
      }
      pending = []
    } else if (text === '}' && brackets === 0) {
      if (!hasRules) flush()
      pending = []
      const rule = blocks.pop()?.rule
      if (rule) rule.end = end
    } else if (text === ';' && brackets === 0) {
      if (hasRules) pending = []
      else flush()
    } else {
      if (closingTextOf(token) !== undefined) brackets++
      else if (CLOSERS.has(text)) brackets = Math.max(0, brackets - 1)
      pending.push(token)
    }
  }
  if (!(blocks.at(-1)?.hasRules ?? isSheet)) flush()
  return { declarations, selectors, atRules }
}
