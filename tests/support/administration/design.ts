/** Random templates with all that a person can select: tables, lines, links, pictures, conditions, parts and slots. */
import fc from 'fast-check'

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
