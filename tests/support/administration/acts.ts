/** Random templates, and random palette edits to them. */
import fc from 'fast-check'
import { type PaletteAction, fontFamily } from '../../../streams/administration/plan/acts.ts'

const words = fc.constantFrom('Tel.', 'Kind regards', '&amp;', '&#x26;', ' ', '\n', '\r\n', 'é', '😀')
const values = fc.constantFrom('{{phone}}', '{{tel phone}}', '{{first empty title}}', '{{ title }}')
const other = fc.constantFrom(
  '<br>',
  '<!-- {{phone}} no -->',
  '<style>p{color:red}</style>',
  '<style></style>',
  '<img src="{{picture a.png}}" alt="">',
)

const { markup } = fc.letrec<{ markup: string; wrapped: string }>((tie) => ({
  markup: fc
    .array(fc.oneof(words, words, values, other, tie('wrapped')), { maxLength: 5 })
    .map((all) => all.join('')),
  wrapped: fc
    .tuple(
      fc.constantFrom(
        ['<p>', '</p>'],
        ['<b class="a" style="color:red;">', '</b>'],
        ['<table><tr><td>', '</td></tr></table>'],
        ['<a href="tel:{{tel phone}}">', '</a>'],
        ["<td width=10 nowrap title='{{title}} &amp; {{first empty phone}}'>", '</td >'],
        ['{{#if phone}}', '{{/if}}'],
        ['{{#if empty}}no{{else}}', '{{/if}}'],
      ),
      tie('markup'),
    )
    .map(([[open = '', close = ''], inner]) => open + inner + close),
}))

/** A valid template. */
export const template = markup

export const anyAct: fc.Arbitrary<PaletteAction> = fc.oneof(
  fc.constantFrom<PaletteAction[]>(
    { kind: 'field', name: 'phone' },
    { kind: 'slot', name: 'banner' },
    { kind: 'picture', path: 'logo.png', alternative: 'A "B" {{c}}', width: 120 },
    { kind: 'ifFilled', name: 'phone' },
    { kind: 'social', links: [{ name: 'X', address: 'https://x.example/?a&b', picture: null }] },
    { kind: 'style', property: 'color', value: '#1f3a5f' },
  ),
  fc
    .constantFrom('Arial', 'Source Sans 3', 'Georgia')
    .map((font): PaletteAction => ({ kind: 'style', property: 'font-family', value: fontFamily(font) })),
)
