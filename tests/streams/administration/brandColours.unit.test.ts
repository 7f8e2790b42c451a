import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { colourPlaces, hexColour, withColour } from '../../../streams/administration/plan/brandColours.ts'
import { colourValue } from '../../../streams/organisation/release/brand.ts'
import { GALLERY_NAMES, galleryTemplate } from '../../../streams/organisation/release/gallery.ts'
import { releaseDocument } from '../../support/administration/plans.ts'
import { northwind } from '../../support/northwind.ts'
import { COMPANIES } from '../../support/companySignatures.ts'

const A = '#336699'
const B = '#2563eb'
/** The notations of `A`; the last ones are only for colour attributes. */
const SPELLED = [
  '#336699',
  '#369',
  '#369F',
  '#336699ff',
  'rgb(51, 102, 153)',
  'rgb(20% 40% 60%)',
  'RGBA(51,102,153,1)',
]
const spelled = fc.constantFrom(...SPELLED)
const inAttribute = fc.constantFrom(...SPELLED, '336699', ' 336699 ', ' &#35;369 ', '&#x23;336699')

const written = (colour: string): string => (colour.endsWith(')') ? 'rgb(37,99,235)' : B)

/** Markup around a colour. */
type Around = readonly [before: string, after: string]
const inStyle: readonly Around[] = [
  ['<p style="color:', '">'],
  ['<p style="font:12px Arial;COLOR: ', ' !important;margin:0">'],
  ["<p style='border:1px solid ", "'>"],
  ['<p style="font-family:&quot;Source Sans 3&quot;;color:', '">'],
  ['<p style="border:1px ', ' solid">'],
  ['<td style="background:linear-gradient(', ',white) url(a.png)">'],
  ['<p style="color:{{#if phone}}', '{{else}}red{{/if}}">'],
  ['<p style="{{#if phone}}color:', ';{{/if}}margin:0">'],
  ['<p style="mso-highlight:', '">'],
  ['<style>#369 p{color:', '}</style>'],
  ['<style>@media (max-width:9px){a{b:c;border-color:red ', '}}</style>'],
  ['<!--[if mso]><style>p{color:', '}</style><![endif]-->'],
  ['<!--[if gte mso 9]><p style="color:', '"><![endif]-->'],
]
const inColour: readonly Around[] = [
  ['<td bgcolor="', '">'],
  ["<font COLOR='", "'>"],
  ['<body text="', '">'],
  ['<td {{#if phone}}bgcolor="', '"{{/if}}>'],
  ['<!--[if mso]><v:rect fillcolor="', '"><![endif]-->'],
  ['<!--[if mso]><v:rect stroke="t" strokecolor="', ' [3204]"><![endif]-->'],
]
/** Markup in which `A` is no colour. */
const OTHERS = [
  '#336699',
  'rgb(51,102,153)',
  '<a href="#336699">336699</a>',
  '<a id="#369" name="336699" class="#369" title="#336699">x</a>',
  '<img alt="#336699" src="#336699">',
  '<td width="336699" text="#369">',
  '<p style="background:url(#369);content:\'#369\';margin:0/* #369 */">',
  '<p style="color:&#369;">',
  '<p style="color:#3366990;background:#33669">',
  '<p style="color:{{first a}}#369{{b}}">',
  '<style>#369{margin:0} #369:hover{a:b}</style>',
  '<title>a{color:#369}</title>',
  '<!-- color:#369 <p style="color:#369"> -->',
  '<!--[if mso]><v:shape type="#369" href="#369" alt="#369">#369</v:shape><![endif]-->',
  '{{picture 336699.png}}',
  '<p style="color:{{#if phone}}red{{/if}}">',
  '<p style="color:#336698">',
  '&#369;',
]
const around = (each: Around, colour: string) => [
  each[0] + colour + each[1],
  each[0] + written(colour) + each[1],
]
const place = fc.oneof(
  fc.tuple(fc.constantFrom(...inStyle, ...inColour), spelled).map(([each, colour]) => around(each, colour)),
  fc
    .tuple(fc.constantFrom(...inColour.slice(0, 4)), inAttribute)
    .map(([each, colour]) => [
      each[0] + colour + each[1],
      each[0] + (colour.endsWith(')') ? written(colour) : colour.replace(/[^ ]+/, B)) + each[1],
    ]),
)
const other = fc.constantFrom(...OTHERS).map((each) => [each, each])
const pieces = fc.array(fc.oneof(place, other), { maxLength: 8 })
const joined = (all: readonly (readonly string[])[], index: 0 | 1) =>
  all.map((each) => each[index] ?? '').join('</p>\n')

/** Texts of which each part begins something that contains colours. */
const fragments = [
  ...['<p style="', '"', "'", '>', '<', '<!--[if mso]>', '<![endif]-->', '-->', '<style>', '</style>', 'a{'],
  ...['}', ';', ':', 'color:', 'bgcolor=', 'fillcolor="', '#369', '#336699', 'rgb(', '51,102,153', ')', ' '],
  ...[
    '{{',
    '}}',
    '{{#if a}}',
    '{{a}}',
    '&',
    '&#',
    '&quot;',
    '/*',
    '*/',
    'url(',
    '\\',
    'red',
    '=',
    'x',
    '<plaintext>',
  ],
]
const anyText = fc.oneof(
  fc.array(fc.constantFrom(...fragments), { maxLength: 30 }).map((all) => all.join('')),
  fc.string({ unit: 'grapheme' }),
)
const anyColour = fc.constantFrom(A, B, 'red', 'RGB(255,0,0)', '#12345680', 'blue', 'no colour', '')

const TEMPLATES = [
  ...Object.values(northwind.document.templates),
  ...GALLERY_NAMES.map((name) => galleryTemplate(name, releaseDocument).template),
  ...COMPANIES.map(({ html }) => html),
]

describe('the places of a colour', () => {
  test('are its colour values in every notation, and nothing else', () => {
    fc.assert(
      fc.property(pieces, (all) => {
        expect(withColour(joined(all, 0), A, B)).toBe(joined(all, 1))
      }),
    )
  })

  test('are apart and in order, and the texts there have its value', () => {
    fc.assert(
      fc.property(anyText, anyColour, (text, colour) => {
        let end = 0
        for (const { from, to, isFunction } of colourPlaces(text, colour)) {
          expect(from).toBeGreaterThanOrEqual(end)
          expect(to).toBeGreaterThan(from)
          expect(text.slice(from, to).endsWith(')')).toBe(isFunction)
          end = to
        }
        expect(end).toBeLessThanOrEqual(text.length)
      }),
    )
  })

  test.each<readonly [markup: string, colour: string, found: readonly string[]]>([
    ['<p style="border:1px rgb(51,102,153)solid">', A, ['rgb(51,102,153)']],
    ['<p style="color:navy;font-family:Navy,Arial">', '#000080', ['navy']],
    ['<p style="background:NAVY">', '#000080', ['NAVY']],
    ['<p style="--a:navy;--b:#000080">', '#000080', ['#000080']],
    ['<p style="color:{{navy}}">', 'navy', []],
    ['<p style="color:{{no such}} #369{{navy blue}}">', A, []],
    ['<p style="color:{{#if a}}#369{{ else }}navy{{ /if }}">', A, ['#369']],
    [
      '<!--[if mso]><v:fill type="gradient" colors="0 #369;1 red" angle="#369"><![endif]-->',
      A,
      ['#369', '#369'],
    ],
    ['<v:fill angle="#369">', A, []],
    ['<!--[if mso]><p title="#369"><![endif]--!>', A, []],
    ['<![if !mso]><td bgcolor=#369><![endif]>', A, ['#369']],
    ['<!--[if !mso]><!--><td bgcolor=369><td bgcolor=336699><!--<![endif]-->', A, ['336699']],
    ['<p style="color:&#x33;69;border-color:#369">', A, ['#369']],
    ['<p style="color:&#35;3&#54;9">', A, ['&#35;3&#54;9']],
    ['<p style="color:&#369 #369">', A, ['#369']],
    ['<td bgcolor="#369" bgcolor=\'#369\'>', A, ['#369', '#369']],
    ['<plaintext style="color:#369"><p style="color:#369">', A, ['#369']],
    ['<style>a{color:#369}<p style="color:#369">', A, ['#369']],
    ['<p style="color:#369', A, []],
    ['<p style="color:#36912380;border-color:#336">', '#36912380', ['#36912380']],
    [
      '<body link=blue text=blue alink=blue vlink=blue><p link=blue>',
      'blue',
      ['blue', 'blue', 'blue', 'blue'],
    ],
    ['<p style="color:red;background:rgb(a)">', 'no colour', []],
    ['<!--[if mso]><v:rect stroke="navy"><![endif]-->', 'navy', []],
    ['<!--[if mso]><td bgcolor="#369"><![endif]abc', A, []],
    ['<!--[if mso]><!--[if mso]><td bgcolor="#369"><![endif]-->', A, []],
  ])('in %s of %s', (markup, colour, found) => {
    expect(colourPlaces(markup, colour).map(({ from, to }) => markup.slice(from, to))).toEqual(found)
  })
})

test.each(
  (
    'color border-top-color background background-image border outline column-rule box-shadow mso-highlight ' +
    'mso-shading fill stroke text-decoration text-emphasis'
  ).split(' '),
)('the property %s has colours by name', (property) => {
  expect(colourPlaces(`<p style="${property}:navy">`, 'navy')).toHaveLength(1)
})

test.each('alt background class href id name o:href o:title src string title type usemap'.split(' '))(
  'the attribute %s of a comment for Word has no colours',
  (name) => {
    expect(colourPlaces(`<!--[if mso]><v:rect ${name}="#369"><![endif]-->`, A)).toEqual([])
  },
)

describe('a colour that is replaced', () => {
  test('changes the text at its places alone', () => {
    fc.assert(
      fc.property(anyText, anyColour, (text, colour) => {
        const after = withColour(text, colour, '#2563EB')
        const isSame = colourValue(colour) === colourValue(B)
        const places = isSame ? [] : colourPlaces(text, colour)
        let [end, shift] = [0, 0]
        for (const { from, to, isFunction } of places) {
          expect(after.slice(end + shift, from + shift)).toBe(text.slice(end, from))
          const by = isFunction ? 'rgb(37,99,235)' : B
          expect(after.startsWith(by, from + shift)).toBe(true)
          shift += by.length - (to - from)
          end = to
        }
        expect(after.slice(end + shift)).toBe(text.slice(end))
        if (places.length === 0) expect(after).toBe(text)
      }),
    )
  })

  test('is not used any more, and the new colour is used at as many more places', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(A, 'red'), (text, colour) => {
        const after = withColour(text, colour, B)
        expect(colourPlaces(after, colour)).toEqual([])
        expect(colourPlaces(after, B)).toHaveLength(
          colourPlaces(text, B).length + colourPlaces(text, colour).length,
        )
      }),
    )
  })

  test('comes back where it has six digits and the new colour was not used', () => {
    const canonical = fc.constantFrom(...inStyle, ...inColour).map(([before, after]) => [before + A + after])
    fc.assert(
      fc.property(fc.array(fc.oneof(canonical, other), { maxLength: 8 }), (all) => {
        const text = joined(all, 0)
        expect(withColour(withColour(text, A, B), B, A)).toBe(text)
      }),
    )
  })

  test('comes back in real templates that do not use the new colour', () => {
    for (const template of TEMPLATES) {
      const colours = [...new Set(template.match(/#[\da-f]{6}\b/gi))].slice(0, 2)
      for (const colour of colours) {
        // Two notations of a colour become one.
        const plain = withColour(withColour(template, colour, '#010203'), '#010203', colour)
        const there = withColour(plain, colour, B)
        expect(colourPlaces(template, B)).toEqual([])
        expect(withColour(there, B, colour)).toBe(plain)
        if (there === plain) expect(plain).toBe(template)
      }
    }
  })

  test('stays where the new colour is the same, is not opaque or is no colour', () => {
    for (const by of ['#336699', 'rgb(51,102,153)', '#33669980', 'transparent', ''])
      expect(withColour('<td bgcolor="#369">', A, by)).toBe('<td bgcolor="#369">')
  })
})

test('an opaque colour has six digits', () => {
  expect(
    ['navy', ' #369 ', '#369F', 'RGB(51,102,153)', '#3698', 'transparent', '369', ''].map(hexColour),
  ).toEqual([...['#000080', '#336699', '#336699', '#336699', null, null, null, null]])
})
