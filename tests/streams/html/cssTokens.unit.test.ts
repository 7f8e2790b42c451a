import { type CSSToken, TokenType, tokenizer } from '@csstools/css-tokenizer'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CssKind, type CssToken, cssTokensOf } from '../../../streams/html/cssTokens.ts'

// A tokenizer that follows the standard, and is too large for the files that ship, says what is right.

const KINDS: Readonly<Record<TokenType, CssKind>> = {
  [TokenType.AtKeyword]: 'atKeyword',
  [TokenType.BadString]: 'bad',
  [TokenType.BadURL]: 'bad',
  [TokenType.CDC]: 'htmlComment',
  [TokenType.CDO]: 'htmlComment',
  [TokenType.CloseCurly]: 'sign',
  [TokenType.CloseParen]: 'sign',
  [TokenType.CloseSquare]: 'sign',
  [TokenType.Colon]: 'sign',
  [TokenType.Comma]: 'sign',
  [TokenType.Comment]: 'comment',
  [TokenType.Delim]: 'sign',
  [TokenType.Dimension]: 'dimension',
  [TokenType.EOF]: 'bad',
  [TokenType.Function]: 'function',
  [TokenType.Hash]: 'hash',
  [TokenType.Ident]: 'ident',
  [TokenType.Number]: 'number',
  [TokenType.OpenCurly]: 'sign',
  [TokenType.OpenParen]: 'sign',
  [TokenType.OpenSquare]: 'sign',
  [TokenType.Percentage]: 'percentage',
  [TokenType.Semicolon]: 'sign',
  [TokenType.String]: 'string',
  [TokenType.URL]: 'url',
  [TokenType.UnicodeRange]: 'bad',
  [TokenType.Whitespace]: 'blank',
}
/** What another value than the text is needed of. */
const WITH_VALUE: ReadonlySet<CssKind> = new Set(['function', 'string', 'url'])

function expected(css: string): readonly CssToken[] {
  const broken = new Set<CSSToken>()
  const { endOfFile, nextToken } = tokenizer(
    { css },
    {
      onParseError: (error) => {
        if ('token' in error) broken.add(error.token as CSSToken)
      },
    },
  )
  const tokens: CssToken[] = []
  while (!endOfFile()) {
    const token = nextToken()
    const kind = broken.has(token) ? 'bad' : KINDS[token[0]]
    const { value } = (token[4] ?? {}) as { value?: string }
    tokens.push({ kind, text: token[1], value: WITH_VALUE.has(kind) ? (value ?? '') : token[1] })
  }
  return tokens
}
/** What is broken has no value. */
const compared = (tokens: readonly CssToken[]) =>
  tokens.map(({ kind, text, value }) => (kind === 'bad' ? { kind, text } : { kind, text, value }))

const piece = fc.oneof(
  fc.constantFrom(
    ...[
      'url(',
      'URL( ',
      'u\\72l(',
      '\\75 rl(',
      'url',
      '(',
      ')',
      '"',
      "'",
      '/*',
      '*/',
      '/',
      '*',
      '<!--',
      '-->',
    ],
    ...[
      '--',
      '-',
      '+',
      '.',
      '1',
      '0',
      '1e',
      'e',
      'E+',
      '%',
      '#',
      '@',
      'a',
      'Z',
      'f',
      '_',
      'x(',
      '!',
      '<',
      '>',
    ],
    ...[':', ';', ',', '[', ']', '{', '}', '\\', '\\\n', '\\4', '\\41 ', '\\0', '\\d800', '\\110000', '\\g'],
    ...[
      '\n',
      '\r',
      '\r\n',
      '\f',
      '\t',
      ' ',
      '\0',
      '\x01',
      '\x0b',
      '\x1f',
      '\x7f',
      '\xa0',
      '\xb7',
      '\xd7',
      '\xe4',
    ],
    ...[
      '\ud83d',
      '\ude00',
      '\u{1f600}',
      '\u037e',
      '\u200c',
      '\u2028',
      '\u2fef',
      '\u3000',
      '\ue000',
      '\uffff',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 2 }),
)
const css = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))

test('any text has the tokens that the standard says', () => {
  fc.assert(
    fc.property(css, (given) => {
      expect(compared(cssTokensOf(given))).toEqual(compared(expected(given)))
    }),
    { numRuns: process.env['LONG'] === undefined ? 5_000 : 500_000 },
  )
})

test('each character is one that names may begin with, and may have, as the standard says', () => {
  for (let code = 0; code <= 0xffff; code++) {
    const given = `${String.fromCharCode(code)} a${String.fromCharCode(code)}`
    const [found, right] = [cssTokensOf(given), expected(given)].map((tokens) =>
      compared(tokens)
        .map(({ kind, text }) => `${kind} ${text}`)
        .join('|'),
    )
    if (found !== right) expect({ code, found }).toEqual({ code, found: right })
  }
})
