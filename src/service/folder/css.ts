/** Splits style sheets and style attributes into declarations, selectors and at-rules with their offsets. */
import { type CSSToken, tokenizer, TokenType } from '@csstools/css-tokenizer'
import { MAX_STYLE_CHARACTERS } from '../../../streams/html/styles.ts'

/** `at` is where it begins and `end` where it ends, without the semicolon; in lower case where case does not matter. */
export type Declaration = Readonly<{ property: string; value: string; at: number; end: number }>

export type StyleSheet = Readonly<{
  declarations: readonly Declaration[]
  selectors: readonly Readonly<{ text: string; at: number }>[]
  /** Without `@`: `media`; `end` is behind its block, or its semicolon. */
  atRules: readonly Readonly<{ name: string; at: number; end: number }>[]
}>

const NOTHING: StyleSheet = { declarations: [], selectors: [], atRules: [] }

/** At-rules with rules in them; others have declarations. */
const NESTED: ReadonlySet<string> = new Set(['media', 'supports', 'layer', 'container', 'document'])

function tokensOf(css: string): readonly CSSToken[] {
  const { endOfFile, nextToken } = tokenizer({ css })
  const tokens: CSSToken[] = []
  while (!endOfFile()) tokens.push(nextToken())
  return tokens
}

const OPENERS: ReadonlySet<TokenType> = new Set([
  TokenType.Function,
  TokenType.OpenParen,
  TokenType.OpenSquare,
  TokenType.OpenCurly,
])
const CLOSERS: ReadonlySet<TokenType> = new Set([
  TokenType.CloseParen,
  TokenType.CloseSquare,
  TokenType.CloseCurly,
])

/** The declaration of these tokens; null for other tokens. */
function declarationOf(tokens: readonly CSSToken[]): Declaration | null {
  const isBlank = ([type]: CSSToken) => type === TokenType.Whitespace || type === TokenType.Comment
  const written = tokens.filter((token) => !isBlank(token))
  const [name, colon] = written
  const last = written.at(-1)
  if (name?.[0] !== TokenType.Ident || colon?.[0] !== TokenType.Colon || last === undefined) return null
  const value = tokens
    .slice(tokens.indexOf(colon) + 1)
    .map((token) => (token[0] === TokenType.Comment ? ' ' : token[1]))
    .join('')
    .trim()
  return { property: name[4].value.toLowerCase(), value, at: name[2], end: last[3] + 1 }
}

/** The declarations of a `style` attribute; longer ones than mail clients read have none. */
export function readDeclarations(css: string): readonly Declaration[] {
  return css.length > MAX_STYLE_CHARACTERS ? [] : split(tokensOf(css)).declarations
}

/** The content of a `style` element. */
export function readStyleSheet(css: string): StyleSheet {
  return css.length > MAX_STYLE_CHARACTERS ? NOTHING : split(tokensOf(css), true)
}

function split(tokens: readonly CSSToken[], isSheet = false): StyleSheet {
  const declarations: Declaration[] = []
  const selectors: { text: string; at: number }[] = []
  const atRules: { name: string; at: number; end: number }[] = []
  /** The open blocks from the outside: whether they have rules in them, and the at-rule they belong to. */
  const blocks: Readonly<{ hasRules: boolean; rule: { end: number } | null }>[] = []
  let brackets = 0
  let pending: CSSToken[] = []

  const flush = () => {
    const declaration = declarationOf(pending)
    if (declaration !== null) declarations.push(declaration)
    pending = []
  }
  for (const token of tokens) {
    const [type] = token
    const hasRules = blocks.at(-1)?.hasRules ?? isSheet
    if (type === TokenType.AtKeyword && brackets === 0)
      atRules.push({ name: token[4].value.toLowerCase(), at: token[2], end: token[3] + 1 })
    if (type === TokenType.OpenCurly && brackets === 0) {
      const first = pending.find(([kind]) => kind !== TokenType.Whitespace && kind !== TokenType.Comment)
      if (first?.[0] === TokenType.AtKeyword)
        blocks.push({ hasRules: NESTED.has(first[4].value.toLowerCase()), rule: atRules.at(-1) ?? null })
      else {
        if (first !== undefined && hasRules)
          selectors.push({
            text: pending
              .slice(pending.indexOf(first))
              .map(([, text]) => text)
              .join('')
              .trim(),
            at: first[2],
          })
        blocks.push({ hasRules: false, rule: null })
      }
      pending = []
    } else if (type === TokenType.CloseCurly && brackets === 0) {
      if (!hasRules) flush()
      pending = []
      const rule = blocks.pop()?.rule
      if (rule) rule.end = token[3] + 1
    } else if (type === TokenType.Semicolon && brackets === 0) {
      if (hasRules) pending = []
      else flush()
    } else {
      if (OPENERS.has(type)) brackets++
      else if (CLOSERS.has(type)) brackets = Math.max(0, brackets - 1)
      pending.push(token)
    }
  }
  if (!(blocks.at(-1)?.hasRules ?? isSheet)) flush()
  return { declarations, selectors, atRules }
}
