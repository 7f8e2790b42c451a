import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allItems, outlineOf } from '../../../streams/administration/design/outline.ts'
import {
  type DecodeReference,
  piecesIn,
  rangeOfShown,
  typeableText,
  type TypedPiece,
  typedEdits,
} from '../../../streams/administration/design/typing.ts'
import { applyEdits } from '../../../streams/administration/plan/draft.ts'
import { sanitizeMarkup } from '../../../streams/html/sanitizeMarkup.ts'
import { decodeReferences, tokensOf } from '../../../streams/html/tokens.ts'
import { parseTemplate } from '../../../streams/organisation/template/template.ts'
import { cases } from '../../support/cases.ts'
import { realTemplates } from '../../support/templates.ts'

const decode: DecodeReference = decodeReferences
/** A decoder that knows a name of the 2,231. */
const knowing: DecodeReference = (reference) =>
  ({ '&middot;': '·', '&NotEqualTilde;': '≂̸' })[reference] ?? decodeReferences(reference)

const text = (words: string): TypedPiece => ({ kind: 'text', text: words })
const value = (name: string): TypedPiece => ({ kind: 'value', source: `{{${name}}}` })

/** What the pieces are once they are typed, with ordinary spaces. Values as they are written. */
const seenOf = (pieces: readonly TypedPiece[]): string =>
  pieces
    .map((piece) => (piece.kind === 'value' ? `\0${piece.source}\0` : typeableText(piece.text)))
    .join('')
    .replaceAll('\u00a0', ' ')

/** The words between brackets, and the same text without them. */
function read(marked: string): readonly [text: string, range: { from: number; to: number }] {
  const from = marked.indexOf('[')
  const to = marked.indexOf(']') - 1
  return [marked.replace('[', '').replace(']', ''), { from, to }]
}
const typed = (marked: string, pieces: readonly TypedPiece[], by: DecodeReference = decode): string => {
  const [before, range] = read(marked)
  const edits = typedEdits(before, range, pieces, by)
  return edits === null ? 'refused' : applyEdits(before, edits)
}

const anyWords = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          '<',
          '>',
          '&',
          '"',
          '{',
          '}',
          '{{',
          '}}',
          '{{phone}}',
          '{{#if a}}',
          '</p>',
          '<br>',
          '<b',
          '<!--',
          '&amp;',
          '&lt',
        ],
        ...[
          ' ',
          '  ',
          '\t',
          '\n',
          '\r\n',
          '\r',
          '\u2028',
          '\u00a0',
          '\0',
          '\x07',
          '\x85',
          '\ufdd0',
          '\ufffc',
          '\ud83d',
        ],
        ...['😀', 'é', 'שלום', 'مرحبا', 'a', 'amp;', 'lt;', '#60;', 'if a}}', '/b>', ';'],
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))
const anyPieces = fc.array(
  fc.oneof(
    anyWords.map(text),
    fc.constantFrom('phone', 'tel phone', 'first empty title', ' title ').map(value),
  ),
  { maxLength: 5 },
)
const source = fc
  .array(
    fc.constantFrom(
      ...[
        'a',
        'lt;',
        'x',
        'amp',
        '&',
        '<',
        '>',
        '{',
        '}',
        '{{',
        '}}',
        '{{a!}}',
        '&amp;',
        '&lt;',
        '&#123;',
        '&middot;',
        '&foo;',
      ],
      ...[
        ' ',
        '\n',
        ' \n ',
        '&#32;',
        '&#10;',
        '&nbsp;',
        '\u2028',
        '\x07',
        '&#7;',
        '😀',
        'é',
        '<br>',
        '<br/>',
        '<BR class="a">',
      ],
      ...['{{phone}}', '{{ title }}', '{{tel phone}}', '"', ';', '#', '/', '!'],
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(''))

/** Source, the range of its words, and the pieces that it shows. */
const anyPlace = fc
  .tuple(
    fc.constantFrom(
      ['<p>', '</p>'],
      ['', ''],
      ['<td>{{#if phone}}', '{{/if}}</td>'],
      ['a<br>&middot; <b> ', '\n</b> x'],
    ),
    source,
  )
  .filter(([, inner]) => inner !== '')
  .map(([[before, after], inner]) => ({
    before: `${before}${inner}${after}`,
    range: { from: before.length, to: before.length + inner.length },
  }))
  .filter(({ before, range }) => piecesIn(before, range, decode) !== null)

/** The pieces after some of their characters are changed, as a person does. */
const changedPieces = (
  pieces: readonly TypedPiece[],
  at: number,
  length: number,
  insert: readonly TypedPiece[],
) => {
  const units = pieces.flatMap((piece): readonly TypedPiece[] =>
    piece.kind === 'value' ? [piece] : Array.from(piece.text, text),
  )
  const from = at % (units.length + 1)
  return [...units.slice(0, from), ...insert, ...units.slice(from + length)]
}

/** What a browser shows of a template, with placeholders as `seenOf` writes them, and ordinary spaces. */
function visible(template: string): string {
  const { placeholders } = parseTemplate(template, new Map()).template
  const marked = placeholders
    .toReversed()
    .reduce(
      (rest, { at, end }, index) =>
        `${rest.slice(0, at)}${String.fromCodePoint(0xfdd0 + placeholders.length - 1 - index)}${rest.slice(end)}`,
      template,
    )
  const html = sanitizeMarkup(marked, 'insert')
  const words = Array.from(tokensOf(html), (token) => {
    if (token.kind === 'open' && token.name === 'br') return '<'
    return token.kind === 'text' ? html.slice(token.start, token.end).replace(/[\t\n\f\r ]+/g, ' ') : ''
  })
  return decodeReferences(words.join('').replace(/ ?< ?/g, '\n'))
    .replaceAll('\u00a0', ' ')
    .replace(/[\ufdd0-\ufdef]/g, (mark) => {
      const { at = 0, end = 0 } = placeholders[mark.charCodeAt(0) - 0xfdd0] ?? {}
      return `\0${template.slice(at, end)}\0`
    })
}

describe('typed words', () => {
  test('are shown as they were typed, by changing nothing but their range [EDIT-3]', () => {
    fc.assert(
      fc.property(anyPlace, anyPieces, ({ before, range }, pieces) => {
        const edits = typedEdits(before, range, pieces, decode)
        expect(edits?.length).toBeLessThanOrEqual(1)
        for (const { from, to } of edits ?? []) {
          expect(from).toBeGreaterThanOrEqual(range.from)
          expect(to).toBeGreaterThanOrEqual(from)
          expect(to).toBeLessThanOrEqual(range.to)
        }
        const after = applyEdits(before, edits ?? [])
        const now = { from: range.from, to: range.to + after.length - before.length }
        expect(seenOf(piecesIn(after, now, decode) ?? [text('null')])).toBe(seenOf(pieces))
      }),
      cases(600),
    )
  })

  test('are shown as they were changed, character by character [EDIT-3]', () => {
    fc.assert(
      fc.property(anyPlace, fc.nat(20), fc.nat(3), anyPieces, ({ before, range }, at, length, insert) => {
        const pieces = changedPieces(piecesIn(before, range, decode) ?? [], at, length, insert)
        const after = applyEdits(before, typedEdits(before, range, pieces, decode) ?? [])
        const now = { from: range.from, to: range.to + after.length - before.length }
        expect(seenOf(piecesIn(after, now, decode) ?? [text('null')])).toBe(seenOf(pieces))
      }),
      cases(600),
    )
  })

  test('are what a client shows of the cleaned signature [EDIT-3]', () => {
    fc.assert(
      fc.property(anyPieces, fc.nat(20), fc.nat(3), anyPieces, (first, at, length, insert) => {
        const begun = typed('<p>[x]</p>', first)
        const range = { from: 3, to: begun.length - 4 }
        const pieces = changedPieces(piecesIn(begun, range, decode) ?? [], at, length, insert)
        const after = applyEdits(begun, typedEdits(begun, range, pieces, decode) ?? [])
        expect(visible(after)).toBe(seenOf(pieces))
      }),
      cases(300),
    )
  })

  test('add no tag but line breaks, and no placeholder but the values [EDIT-3]', () => {
    fc.assert(
      fc.property(anyPieces, (pieces) => {
        const after = typed('<p>[x]</p>', pieces)
        const tags = Array.from(tokensOf(after)).filter(({ kind }) => kind !== 'text')
        expect(tags.map(({ start, end }) => after.slice(start, end)).filter((tag) => tag !== '<br>')).toEqual(
          ['<p>', '</p>'],
        )
        const { template, problems } = parseTemplate(after, new Map())
        expect(problems).toEqual([])
        expect(template.placeholders.map(({ at, end }) => after.slice(at, end))).toEqual(
          pieces.flatMap((piece) => (piece.kind === 'value' ? [piece.source] : [])),
        )
      }),
      cases(300),
    )
  })

  test('that are as before change nothing [EDIT-3]', () => {
    fc.assert(
      fc.property(anyPlace, fc.boolean(), ({ before, range }, knows) => {
        const by = knows ? knowing : decode
        expect(typedEdits(before, range, piecesIn(before, range, by) ?? [], by)).toEqual([])
      }),
      cases(400),
    )
  })

  test('that are typed one after the other are those typed at once [EDIT-3]', () => {
    fc.assert(
      fc.property(anyWords, (words) => {
        let after = '<p>x</p>'
        const characters = Array.from(typeableText(words))
        for (const [index] of characters.entries()) {
          const range = { from: 3, to: after.length - 4 }
          const pieces = [text(`x${characters.slice(0, index + 1).join('')}`)]
          after = applyEdits(after, typedEdits(after, range, pieces, decode) ?? [])
        }
        expect(visible(after)).toBe(seenOf([text(`x${words}`)]))
      }),
      cases(200),
    )
  })

  test('leave other source of real templates byte for byte [EDIT-3]', async () => {
    for (const { text: before } of await realTemplates())
      for (const { kind, content } of allItems(outlineOf(before)).slice(0, 12)) {
        if (kind !== 'words') continue
        const pieces = piecesIn(before, content, decode) ?? []
        expect(typedEdits(before, content, pieces, decode)).toEqual([])
        const [edit] = typedEdits(before, content, [...pieces, text('!')], decode) ?? []
        expect(edit?.to).toBe(content.to)
        expect(edit?.insert).toMatch(/^[^{]*!$/)
        expect(before.slice(edit?.from, edit?.to)).not.toMatch(/[<{]/)
      }
  })

  test.each([
    ['<p>[a]</p>', [text('ab')], '<p>ab</p>'],
    ['<p>[a &middot; b]</p>', [text('a &middot; bc')], '<p>a &middot; bc</p>'],
    ['<p>[a &#183; b]</p>', [text('a · c')], '<p>a &#183; c</p>'],
    ['<p>[a]</p>', [text('a  b')], '<p>a &nbsp;b</p>'],
    ['<p>[a]</p>', [text(' a ')], '<p>&nbsp;a&nbsp;</p>'],
    ['<p>[a]</p>', [text('a \n b')], '<p>a&nbsp;<br>&nbsp;b</p>'],
    ['<p>[a b]</p>', [text('a\tb\r\nc')], '<p>a b<br>c</p>'],
    ['<p>[a<br>\n  b]</p>', [text('a\nc')], '<p>a<br>\n  c</p>'],
    ['<p>[a<br>\n  b]</p>', [text('a\ncb')], '<p>a<br>\n  cb</p>'],
    ['<p>[a <br> b]</p>', [text('axb')], '<p>axb</p>'],
    ['<p>[a <br> b]</p>', [text('ax\nb')], '<p>ax <br> b</p>'],
    ['<p>[a<br> <br>b]</p>', [text('a\nx\nb')], '<p>a<br> x<br>b</p>'],
    ['<p>[a  b]</p>', [text('a b')], '<p>a  b</p>'],
    ['<p>[a  b]</p>', [text('a xb')], '<p>a xb</p>'],
    ['<p>[R&D]</p>', [text('R&Dlt;')], '<p>R&amp;Dlt;</p>'],
    ['<p>[R&D x]</p>', [text('R&D y')], '<p>R&D y</p>'],
    ['<p>[1 <x 2]</p>', [text('1')], 'refused'],
    ['<p>[1 < x]</p>', [text('1 <x')], '<p>1 &lt;x</p>'],
    ['<p>[{x{a}}]</p>', [text('{{a}}')], '<p>&#123;&#123;a&#125;&#125;</p>'],
    ['<p>[{{a!}}]</p>', [text('{{a}}')], '<p>&#123;&#123;a&#125;&#125;</p>'],
    ['<p>[a {{b}} c]</p>', [text('a '), value('d'), text(' c')], '<p>a {{d}} c</p>'],
    ['<p>[a {{b}} c]</p>', [text('a  c')], '<p>a &nbsp;c</p>'],
    ['<p>[a {{b}} c]</p>', [value('b'), text('a  c')], '<p>{{b}}a &nbsp;c</p>'],
    ['<p>[{{ b }}]</p>', [{ kind: 'value', source: '{{ b }}' } as const, text('c')], '<p>{{ b }}c</p>'],
    ['<p>[a]</p>', [], '<p></p>'],
    ['<p>[a<br>]</p>', [text('a')], '<p>a</p>'],
    ['<p>[ a]</p>', [text('b')], '<p>b</p>'],
    ['<p>[a&#32; b]</p>', [text('a c')], '<p>a c</p>'],
    ['<p>[a&#10;b]</p>', [text('a b')], '<p>a&#10;b</p>'],
    ['<p>a[ ]b</p>', [text('c')], '<p>acb</p>'],
    ['<p>[a<b>b</b>]</p>', [text('ab')], 'refused'],
    ['<p>[a<!-- b -->]</p>', [text('a')], 'refused'],
    ['<ul><li>[a]<li>b</ul>', [text('c')], '<ul><li>c<li>b</ul>'],
    ['<p>[a</p>]', [text('c')], 'refused'],
    ['<p>a</[p>]', [text('a')], 'refused'],
    ['<p>{{[a}}]</p>', [text('a')], 'refused'],
    ['[<p>a</p>]', [text('a')], 'refused'],
    ['{{#if a}}[b]{{else}}c{{/if}}', [text('d')], '{{#if a}}d{{else}}c{{/if}}'],
    ['{{#if a}}b{{else}}[c]{{/if}}', [text('d')], '{{#if a}}b{{else}}d{{/if}}'],
    ['{{#block a}}[b]{{block}}{{/block}}', [text('d')], '{{#block a}}d{{block}}{{/block}}'],
  ])('in %s, %j give %s', (marked, pieces, expected) => {
    expect(typed(marked, pieces)).toBe(expected)
  })

  test('of a browser, which knows all names, leave the references beside them', () => {
    expect(typed('<p>[a &middot; b]</p>', [text('a · c')], knowing)).toBe('<p>a &middot; c</p>')
    expect(typed('<p>[a &middot; b]</p>', [text('a - b')], knowing)).toBe('<p>a - b</p>')
    expect(typed('<p>[a&NotEqualTilde;b]</p>', [text('a≂̸c')], knowing)).toBe('<p>a&NotEqualTilde;c</p>')
    expect(typed('<p>[a&NotEqualTilde;b]</p>', [text('a≂b')], knowing)).toBe('<p>a≂b</p>')
    expect(typed('<p>[x&NotEqualTilde;b]</p>', [text('c≂̸b')], knowing)).toBe('<p>c&NotEqualTilde;b</p>')
  })
})

describe('a value of a person', () => {
  test('is removed, moved or replaced as a whole [EDIT-4]', () => {
    fc.assert(
      fc.property(anyPlace, anyPieces, ({ before, range }, pieces) => {
        const after = applyEdits(before, typedEdits(before, range, pieces, decode) ?? [])
        const now =
          piecesIn(after, { from: range.from, to: range.to + after.length - before.length }, decode) ?? []
        const values = (all: readonly TypedPiece[]) => all.filter(({ kind }) => kind === 'value')
        expect(values(now)).toEqual(values(pieces))
      }),
      cases(300),
    )
  })
})

test('what is shown has its place in the source', () => {
  const [before, range] = read('<p>[a &amp; {{b}}<br>\n c&middot;😀]</p>')
  const at = (from: number, to: number) => {
    const found = rangeOfShown(before, range, { from, to }, knowing)
    return found && before.slice(found.from, found.to)
  }
  expect(at(0, 1)).toBe('a')
  expect(at(2, 3)).toBe('&amp;')
  expect(at(4, 5)).toBe('{{b}}')
  expect(at(3, 6)).toBe(' {{b}}<br>')
  expect(at(6, 7)).toBe('c')
  expect(at(7, 8)).toBe('&middot;')
  expect(at(8, 10)).toBe('😀')
  expect(at(0, 10)).toBe('a &amp; {{b}}<br>\n c&middot;😀')
  expect(rangeOfShown(before, range, { from: 2, to: 2 }, knowing)).toEqual({ from: 5, to: 5 })
  expect(rangeOfShown(before, range, { from: 10, to: 10 }, knowing)).toEqual({ from: range.to, to: range.to })
  expect(rangeOfShown(before, range, { from: 20, to: 30 }, knowing)).toEqual({ from: range.to, to: range.to })
  expect(rangeOfShown('<hr>', { from: 0, to: 4 }, { from: 0, to: 0 }, decode)).toBeNull()
  expect(rangeOfShown('a', { from: 0, to: 0 }, { from: 0, to: 0 }, decode)).toEqual({ from: 0, to: 0 })
})
