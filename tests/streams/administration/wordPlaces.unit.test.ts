import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draftPreviewOf } from '../../../streams/administration/plan/preview.ts'
import {
  isPlaceSelected,
  type RenderedPiece,
  placedWords,
  type SourcePlace,
  withSourceMarks,
} from '../../../streams/administration/plan/wordPlaces.ts'
import { asClassicOutlook } from '../../../streams/html/classicOutlook.ts'
import { sanitizeMarkup } from '../../../streams/html/sanitizeMarkup.ts'
import { attributeOf, decodeReferences, tokensOf } from '../../../streams/html/tokens.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { alex, releaseDocument } from '../../support/administration/plans.ts'
import { block } from '../../support/blocks.ts'
import { cases } from '../../support/cases.ts'
import { variableOf } from '../../support/variables.ts'

const A = 'templates/a.html'
const LEGAL = 'templates/legal.part.html'
const BANNER = 'templates/banner.html'
const PICTURES = 'https://signet.example/images'

/** A document whose signature has this template, with a part and a block of these texts. */
const documentOf = (text: string, part = '', ofBlock = ''): ReleaseDocument => ({
  ...releaseDocument,
  variables: [
    ...releaseDocument.variables,
    variableOf('title', { from: 'jobTitle' }),
    variableOf('site', { from: 'site' }),
    variableOf('empty', {}),
    variableOf('display_name', { from: 'displayName' }),
  ],
  signatures: releaseDocument.signatures.filter(({ id }) => id === 'a'),
  blocks: [block({ id: 'fair', slot: 'banner', template: BANNER })],
  templates: { [A]: text, [LEGAL]: part, [BANNER]: ofBlock },
})

const shownOf = (document: ReleaseDocument, person: PersonState = alex): string =>
  draftPreviewOf(
    document,
    { path: A, person, at: Date.UTC(2026, 9, 1), use: 'signature', recipients: null },
    PICTURES,
  ).html ?? ''

const clean = (html: string) => sanitizeMarkup(sanitizeMarkup(html, 'insert'), 'preview')

const piecesOf = (html: string): readonly RenderedPiece[] =>
  [...tokensOf(html)].flatMap((token): RenderedPiece[] => {
    if (token.kind === 'text')
      return [{ kind: 'text', text: decodeReferences(html.slice(token.start, token.end)) }]
    return token.kind === 'open'
      ? [{ kind: 'element', name: token.name, classes: attributeOf(token, 'class') }]
      : []
  })

function wordsOf(document: ReleaseDocument, person: PersonState = alex) {
  const marked = withSourceMarks(document)
  const pieces = piecesOf(clean(shownOf(document, person)))
  const words = placedWords(piecesOf(clean(shownOf(marked.document, person))), pieces).flatMap(
    ({ number, ...word }) => {
      const place = marked.places[number]
      return place ? [{ ...word, place }] : []
    },
  )
  return { pieces, words }
}

const sourceOf = ({ templates }: ReleaseDocument, { path, from, to }: SourcePlace) =>
  templates[path]?.slice(from, to) ?? ''

/** What is shown, and the source that it comes from. */
function told(document: ReleaseDocument) {
  const { pieces, words } = wordsOf(document)
  return words.map(({ piece, from, to, place }) => {
    const shown = pieces[piece]
    return [
      shown?.kind === 'text' ? shown.text.slice(from, to) : 'picture',
      place.path === A ? sourceOf(document, place) : `${place.path}: ${sourceOf(document, place)}`,
    ]
  })
}

const person: PersonState = {
  ...alex,
  directory: { ...alex.directory, jobTitle: 'Head of <Sales> & "More"', site: 'https://a.example/?b=1&c=2' },
}

describe('the places of words', () => {
  test('are those of words, placeholders and pictures, in parts and blocks, too [ADOPT-8]', () => {
    const document = documentOf(
      '<p>Kind&nbsp;regards, {{display_name}}!\n<img src="{{picture logo.png}}" alt="N"></p>' +
        '<script>no</script>{{> legal}}<table>{{#block banner}}<tr><td>{{block}}</td></tr>{{/block}}</table>',
      '{{#if phone}}T {{phone}}{{else}}none{{/if}}',
      '<b>Come</b>',
    )
    expect(told(document)).toEqual([
      ['Kind regards,', 'Kind&nbsp;regards,'],
      ['Alex Kim', '{{display_name}}'],
      ['!', '!'],
      ['picture', '<img src="{{picture logo.png}}" alt="N">'],
      ['T', `${LEGAL}: T`],
      ['+49 30 5550', `${LEGAL}: {{phone}}`],
      ['Come', `${BANNER}: Come`],
    ])
  })

  test('let no empty block stand', () => {
    const document = documentOf(
      '<p>a</p>{{#block banner}}<p>around {{block}}</p>{{/block}}',
      '',
      '{{empty}}{{first empty empty}}',
    )
    expect(told(document)).toEqual([['a', 'a']])
  })

  test('are none when the signature with marks shows something else', () => {
    const shown: readonly RenderedPiece[] = [{ kind: 'text', text: 'a' }]
    const picture: RenderedPiece = { kind: 'element', name: 'img', classes: null }
    expect(placedWords([{ kind: 'text', text: 'b' }], shown)).toEqual([])
    expect(placedWords([...shown, picture], shown)).toEqual([])
    // Without a mark, nothing has a place.
    expect(placedWords([...shown, picture], [...shown, picture])).toEqual([])
  })

  const literal = fc.constantFrom('Tel.', 'Kind', 'regards', '&amp;', 'a&lt;b', '3', 'é', '😀', 'x&nbsp;y')
  const value = fc.constantFrom(
    ...['{{display_name}}', '{{phone}}', '{{tel phone}}', '{{title}}', '{{web site}}', '{{empty}}'],
    ...['{{first empty title}}', '{{legal_line}}', '{{ phone }}', '{{web empty}}'],
  )
  const picture = fc.constantFrom(
    '<img src="{{picture logo.png}}" alt="Logo">',
    '<IMG alt="" src="https://p.example/a.png" class="x">',
  )
  const blank = fc.constantFrom(' ', '\n', '')
  const other = fc.constantFrom(
    '<br>',
    '<!-- {{phone}} no -->',
    '<style>p{color:red}</style>',
    '<script>b</script>',
    '{{nonsense here}}',
  )
  const { markup } = fc.letrec<{ markup: string; wrapped: string }>((tie) => ({
    markup: fc
      .array(
        fc.oneof(
          { weight: 3, arbitrary: fc.tuple(fc.oneof(literal, value), blank).map((all) => all.join('')) },
          picture,
          other,
          tie('wrapped'),
        ),
        { maxLength: 6 },
      )
      .map((all) => all.join('')),
    wrapped: fc
      .tuple(
        fc.constantFrom(
          ['<p>', '</p>'],
          ['<b class="y">', '</b>'],
          ['<table><tr><td>', '</td></tr></table>'],
          ['<a href="mailto:{{email}}">', '</a>'],
          ['{{#if phone}}', '{{/if}}'],
          ['{{#if empty}}no{{else}}', '{{/if}}'],
        ),
        tie('markup'),
      )
      .map(([[open = '', close = ''], inner]) => open + inner + close),
  }))
  const document = fc
    .tuple(
      markup,
      markup,
      markup,
      markup,
      fc.constantFrom('{{block banner}}', '{{#block banner}}<p>New {{block}}</p>{{/block}}'),
    )
    .map(([before, after, part, ofBlock, slot]) =>
      documentOf(`${before}{{> legal}}${slot}${after}`, part, ofBlock),
    )

  test('hold each word, or are the placeholder that made it, in random templates [ADOPT-8]', () => {
    fc.assert(
      fc.property(document, (given) => {
        const { pieces, words } = wordsOf(given, person)
        const covered = pieces.map((piece) =>
          piece.kind === 'text' ? piece.text.replace(/\S/g, '#') : piece.name === 'img' ? '#' : '',
        )
        for (const { piece, from, to, place } of words) {
          const shown = pieces[piece]
          const source = sourceOf(given, place)
          covered[piece] =
            shown?.kind === 'text'
              ? (covered[piece] ?? '').slice(0, from) +
                ' '.repeat(to - from) +
                (covered[piece] ?? '').slice(to)
              : ''
          if (shown?.kind !== 'text') expect(source).toMatch(/^<img /i)
          else if (source.startsWith('{{'))
            expect(decodeReferences(clean(shownOf(documentOf(source), person)))).toBe(
              shown.text.slice(from, to),
            )
          else expect(decodeReferences(source)).toBe(shown.text.slice(from, to))
        }
        // Nothing that is seen is left without a place.
        expect(covered.join('').trim()).toBe('')
      }),
      cases(150),
    )
  })

  test('are the same in the approximation of classic Outlook', () => {
    fc.assert(
      fc.property(document, (given) => {
        const marked = withSourceMarks(given)
        const placesIn = (drawn: (html: string) => string) => {
          const pieces = (of: ReleaseDocument) => piecesOf(clean(drawn(shownOf(of, person))))
          return placedWords(pieces(marked.document), pieces(given)).map(({ number }) => number)
        }
        expect(placesIn(asClassicOutlook)).toEqual(placesIn((html) => html))
      }),
      cases(150),
    )
  })

  test('change nothing of what is rendered but the marks', () => {
    fc.assert(
      fc.property(document, (given) => {
        const marked = shownOf(withSourceMarks(given).document, person)
        expect(marked.replace(/[\ufdd0-\ufde0]| class="signet-from-\d+"/g, '')).toBe(shownOf(given, person))
      }),
      cases(150),
    )
  })
})

test('a place is selected by a cursor at it, and by a selection that has a part of it', () => {
  const place = { path: A, from: 3, to: 7 }
  const by = (from: number, to: number, path = A) => isPlaceSelected(place, { path, from, to })
  expect([by(2, 2), by(3, 3), by(5, 5), by(7, 7), by(8, 8)]).toEqual([false, true, true, true, false])
  expect([by(0, 3), by(0, 4), by(6, 9), by(7, 9), by(4, 5), by(0, 9)]).toEqual([
    false,
    true,
    true,
    false,
    true,
    true,
  ])
  expect(by(4, 4, LEGAL)).toBe(false)
  expect(isPlaceSelected(place, null)).toBe(false)
})
