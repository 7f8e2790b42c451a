/** Random templates with all that a person can select: tables, lines, links, pictures, conditions, parts and slots. */
import fc from 'fast-check'
import type { DesignAct } from '../../../streams/administration/design/acts.ts'
import { changeByAct } from '../../../streams/administration/design/change.ts'
import type { NewElement } from '../../../streams/administration/design/elements.ts'
import { Designing } from '../../../streams/administration/design/events.ts'
import type { SourcePlace } from '../../../streams/administration/plan/wordPlaces.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'

/** The gesture of an act in this document; null if the act does not fit the item. */
export function actedIn(
  document: ReleaseDocument,
  { within = null, ...given }: Readonly<{ place: SourcePlace; act: DesignAct; within?: string | null }>,
) {
  const change = changeByAct(document, { ...given, within })
  return change && Designing.acted({ act: given.act, ...change })
}

const word = fc.constantFrom(
  'Tel.',
  'Kind regards',
  'R&amp;D',
  'a &middot; b',
  '&nbsp;',
  ' ',
  '\n',
  'é',
  '😀',
)
const value = fc.constantFrom('{{phone}}', '{{title}}', '{{first empty title}}', '{{phone phone}}')
const unseen = fc.constantFrom(
  '<!-- {{phone}} -->',
  '<b></b>',
  '{{#if empty}}{{/if}}',
  '<!--[if mso]>&nbsp;<![endif]-->',
)

/** Templates without errors that `signet check` finds in their markup. */
const { blocks } = fc.letrec<
  Readonly<Record<'inline' | 'inLink' | 'lines' | 'block' | 'blocks' | 'table', string>>
>((tie) => {
  const joined = (part: fc.Arbitrary<string>, maxLength: number) =>
    fc.array(part, { maxLength }).map((parts) => parts.join(''))
  const around = (pairs: readonly (readonly [string, string])[], inner: fc.Arbitrary<string>) =>
    fc.tuple(fc.constantFrom(...pairs), inner).map(([[open, close], content]) => open + content + close)
  return {
    inLink: joined(
      fc.oneof(
        { depthSize: 'small' },
        word,
        value,
        fc.constant('<img src="{{picture logo.png}}" alt="Logo" width="40">'),
        around([['<b style="color:red">', '</b>']], tie('inLink')),
      ),
      3,
    ),
    inline: fc.oneof(
      { depthSize: 'small' },
      word,
      value,
      unseen,
      around(
        [
          ['<a href="https://n.example/?a&amp;b">', '</a>'],
          ['<a href="tel:{{tel phone}}" style="color:red">', '</a>'],
        ],
        // An empty link is no error, but nobody sees it.
        tie('inLink').map((inner) => `${inner}Call`),
      ),
      around(
        [
          ['<span style="font-size:12px">', '</span>'],
          ['<b>', '</b>'],
          ['{{#if phone}}', '{{/if}}'],
          ['{{#if phone title}}', '{{else}}no{{/if}}'],
          ['{{#if phone}}<br>', '{{/if}}'],
          ['{{#if phone}}', '<br>{{/if}}'],
        ],
        joined(tie('inline'), 2),
      ),
    ),
    lines: fc
      .array(joined(tie('inline'), 3), { minLength: 1, maxLength: 3 })
      .chain((lines) => fc.constantFrom('<br>', '<br />\n').map((lineBreak) => lines.join(lineBreak))),
    table: fc
      .array(
        fc.tuple(
          fc.array(
            around(
              [
                ['<td>', '</td>'],
                ['<td style="padding:2px;color:#333333" bgcolor="#ffffff">', '</td>'],
                ['{{#if phone}}<td>', '</td>{{/if}}'],
              ],
              tie('blocks'),
            ),
            { minLength: 1, maxLength: 2 },
          ),
          fc.constantFrom(
            ['<tr>', '</tr>'],
            ['{{#if title}}<tr>', '</tr>{{/if}}'],
            ['<!--[if mso]><![endif]--><tr>', '</tr>\n'],
          ),
        ),
        { minLength: 1, maxLength: 2 },
      )
      .map((rows) => {
        const written = rows.map(([cells, [open = '', close = '']]) => open + cells.join('') + close)
        return `<table role="presentation">\n${written.join('\n')}</table>`
      }),
    block: fc.oneof(
      { depthSize: 'small' },
      tie('lines'),
      tie('table'),
      around(
        [
          ['<p style="margin:0">', '</p>'],
          ["<p align='left'>", '</p>'],
        ],
        tie('lines'),
      ),
      around(
        [
          ['<div>', '</div>'],
          ['{{#if title}}', '{{/if}}'],
          ['{{#if phone}}', '{{else}}<p>no</p>{{/if}}'],
        ],
        tie('blocks'),
      ),
      fc.constantFrom(
        '<hr>',
        '{{> legal}}',
        '{{block banner}}',
        '<p><img src="{{picture logo.png}}" alt="Logo" width="80" height="40" style="width:80px;height:40px"></p>',
        '<a href="{{web website}}"><img src="https://n.example/a.png" alt=""></a>',
      ),
    ),
    blocks: joined(tie('block'), 3),
  }
})

/** A template that `signet check` accepts, or that only an outer slot keeps from it. */
export const designTemplate: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: blocks },
  {
    weight: 1,
    arbitrary: blocks.map((inner) => `a${inner}<hr>{{#block promotion}}<div>{{block}}</div>{{/block}}`),
  },
)

const side = fc.constantFrom('top' as const, 'right' as const, 'bottom' as const, 'left' as const)
const colour = fc.constantFrom('#1f3a5f', '#ffffff')

const anyElement: fc.Arbitrary<NewElement> = fc.constantFrom<NewElement[]>(
  { kind: 'text', text: 'a < {{b}} & "c"' },
  { kind: 'valueLine', name: 'phone' },
  { kind: 'picture', path: 'logo.png', alternative: 'A "B"', width: 120, height: null },
  { kind: 'button', text: 'Book & go', address: 'https://n.example/?a&b', colour: '#1f3a5f' },
  { kind: 'social', links: [{ name: 'X', address: 'https://x.example/', picture: 'logo.png' }] },
  { kind: 'divider', colour: '#cccccc' },
  { kind: 'space', height: 12 },
  { kind: 'columns', texts: ['Left', 'Right'] },
  { kind: 'code', address: 'https://n.example/', alternative: 'Code' },
)

/** Any act that a person can do on an item. */
export const anyDesignAct: fc.Arbitrary<DesignAct> = fc.oneof(
  fc.constantFrom<DesignAct[]>(
    { kind: 'style', property: 'color', value: '#1f3a5f' },
    { kind: 'style', property: 'font-family', value: "'Source Sans 3',sans-serif" },
    { kind: 'style', property: 'font-weight', value: 'bold' },
    { kind: 'link', target: null },
    { kind: 'link', target: { kind: 'address', address: 'https://n.example/?a&b"' } },
    { kind: 'link', target: { kind: 'web', name: 'website' } },
    { kind: 'align', to: 'right' },
    { kind: 'picture', path: 'logo.png', size: { width: 200, height: 100 } },
    { kind: 'linkedPicture', isLinked: true },
    { kind: 'linkedPicture', isLinked: false },
    { kind: 'size', width: 90, height: 45 },
    { kind: 'alternative', text: 'A "B" {{c}}' },
    { kind: 'copy' },
    { kind: 'remove' },
    { kind: 'background', colour: null },
    { kind: 'condition', names: [] },
    { kind: 'condition', names: ['phone', 'title'] },
    { kind: 'value', from: 'phone', to: 'title' },
    { kind: 'value', from: 'title', to: 'phone' },
  ),
  fc.constantFrom(-2, -1, 1, 2).map((by): DesignAct => ({ kind: 'move', by })),
  fc.tuple(side, fc.nat(20)).map(([of, px]): DesignAct => ({ kind: 'room', side: of, px })),
  colour.map((of): DesignAct => ({ kind: 'background', colour: of })),
  fc
    .tuple(side, fc.nat(3), colour)
    .map(([of, px, ofLine]): DesignAct => ({ kind: 'border', side: of, px, colour: ofLine })),
  fc
    .tuple(fc.constantFrom('before' as const, 'after' as const), anyElement)
    .map(([where, element]): DesignAct => ({ kind: 'insert', where, element })),
)
