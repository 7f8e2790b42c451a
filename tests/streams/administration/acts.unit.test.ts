import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type PaletteAction,
  performAction,
  variablesInSelection,
  fontFamily,
  networkIconOf,
  type TextSelection,
} from '../../../streams/administration/plan/acts.ts'
import { applyEdits, type TemplateEdit } from '../../../streams/administration/plan/draft.ts'
import { tokensOf } from '../../../streams/html/tokens.ts'
import { parseTemplate, renderTemplate } from '../../../streams/organisation/template/template.ts'
import { anyAct, template } from '../../support/administration/acts.ts'
import { cases } from '../../support/cases.ts'

/** A text with its selection: `[` and `]` are its bounds, `|` is a cursor. */
function read(written: string): readonly [text: string, selected: TextSelection] {
  const text = written.replace(/[[\]|]/g, '')
  const from = written.search(/[[|]/)
  const to = written.includes('|') ? from : written.indexOf(']') - 1
  return [text, { from, to }]
}
const after = (written: string, act: PaletteAction): string => {
  const [text, selected] = read(written)
  const { edits, selected: then } = performAction(text, selected, act)
  const changed = applyEdits(text, edits)
  return then.from === then.to
    ? `${changed.slice(0, then.from)}|${changed.slice(then.from)}`
    : `${changed.slice(0, then.from)}[${changed.slice(then.from, then.to)}]${changed.slice(then.to)}`
}

const phone: PaletteAction = { kind: 'field', name: 'phone' }
const slot: PaletteAction = { kind: 'slot', name: 'banner' }
const logo: PaletteAction = { kind: 'picture', path: 'logo.png', alternative: 'A & "B"', width: 120 }
const ifPhone: PaletteAction = { kind: 'ifFilled', name: 'phone' }
const navy: PaletteAction = { kind: 'style', property: 'color', value: '#1f3a5f' }

describe('a field', () => {
  test.each([
    ['<p>T |</p>', '<p>T {{phone}}|</p>'],
    ['<p>[T]</p>', '<p>{{phone}}|</p>'],
    ['<p>a {{ti|tle}} b</p>', '<p>a {{title}}{{phone}}| b</p>'],
    ['<p>a {{ti[tle}} b]</p>', '<p>a {{phone}}|</p>'],
    ['<a href="tel:|">', '<a href="tel:{{phone}}|">'],
    ['<a href="tel:[+49]">', '<a href="tel:{{phone}}|">'],
    ['<p>[a</p><p>b]</p>', '<p>a</p><p>b{{phone}}|</p>'],
    ['[{{#if a}}b]{{/if}}', '{{#if a}}b{{phone}}|{{/if}}'],
    ['<ta|ble role="a">b', '<table role="a">{{phone}}|b'],
    ['<td wi|dth="1">b', '<td width="1">{{phone}}|b'],
    ['<td | width="1">b', '<td  width="1">{{phone}}|b'],
    ['<td width=|"1">b', '<td width="1">{{phone}}|b'],
    ['<td width="1"|>b', '<td width="1">{{phone}}|b'],
    ['<td width=1|0>b', '<td width=10>{{phone}}|b'],
    ["<td width='1|'>b", "<td width='1{{phone}}|'>b"],
    ['<td wi[dth="1]">b', '<td width="1">{{phone}}|b'],
    ['<a href="?a&am|p;b">', '<a href="?a&amp;{{phone}}|b">'],
    ['<a href="[{{#if a}}b]{{/if}}">', '<a href="{{#if a}}b{{phone}}|{{/if}}">'],
    ['<a href="{{te[l fax}}b]">', '<a href="{{phone}}|">'],
    ['<p>a</p|>b', '<p>a</p>{{phone}}|b'],
    ['a &am|p; b', 'a &amp;{{phone}}| b'],
    ['a &#x2[6; b] c', 'a {{phone}}| c'],
    ['<!-- a | b -->c', '<!-- a  b -->{{phone}}|c'],
    ['<style media="|">a{}</style>b', '<style media="">a{}</style>{{phone}}|b'],
    ['<style>.a{|}</style>b', '<style>.a{}</style>{{phone}}|b'],
    ['<style>|</style>b', '<style></style>{{phone}}|b'],
    ['a<p cla|', 'a{{phone}}|<p cla'],
    ['a<style>b|', 'a{{phone}}|<style>b'],
    ['[a <!-- b]', 'a {{phone}}|<!-- b'],
    ['a</|', 'a{{phone}}|</'],
  ])('in %j gives %j', (written, expected) => {
    expect(after(written, phone)).toBe(expected)
  })
})

describe('an element', () => {
  test.each([
    ['<p>|</p>', '<p>{{block banner}}|</p>'],
    ['<p>[a b]</p>', '<p>{{block banner}}|</p>'],
    ['<p cla|ss="a">b</p>', '<p class="a">{{block banner}}|b</p>'],
    ['<!-- a|b -->c', '<!-- ab -->{{block banner}}|c'],
    ['<p>[a<br>]b</p>', '<p>a<br>{{block banner}}|b</p>'],
    ['{{ph|one}}', '{{phone}}{{block banner}}|'],
    ['<style>|</style>a', '<style></style>{{block banner}}|a'],
    ['<style>.a{[b]}</style>a', '<style>.a{b}</style>{{block banner}}|a'],
    ['a<style>|', 'a{{block banner}}|<style>'],
  ])('in %j gives %j', (written, expected) => {
    expect(after(written, slot)).toBe(expected)
  })

  test('is a picture with its text, and its width if that is known', () => {
    expect(after('|', logo)).toBe('<img src="{{picture logo.png}}" alt="A &amp; &quot;B&quot;" width="120">|')
    expect(after('|', { ...logo, alternative: '{{a}}', width: null })).toBe(
      '<img src="{{picture logo.png}}" alt="&#123;&#123;a&#125;&#125;">|',
    )
  })

  test('is a row of links, with the line ends of the text', () => {
    const links = [
      { name: 'LinkedIn', address: 'https://l.example/?a&b', picture: 'social/linkedin.png' },
      { name: 'X', address: 'https://x.example/', picture: null },
    ]
    const lines = [
      '<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>',
      '  <td style="padding-right:8px"><a href="https://l.example/?a&amp;b"><img src="{{picture social/linkedin.png}}" alt="LinkedIn" width="24" height="24" border="0"></a></td>',
      '  <td><a href="https://x.example/">X</a></td>',
      '</tr></table>',
    ]
    expect(after('|', { kind: 'social', links })).toBe(`${lines.join('\n')}|`)
    expect(after('a\r\n|', { kind: 'social', links })).toBe(`a\r\n${lines.join('\r\n')}|`)
    expect(after('a|b', { kind: 'social', links: [] })).toBe('a|b')
  })
})

describe('a condition', () => {
  test.each([
    ['<p>[T {{phone}}]</p>', '<p>{{#if phone}}[T {{phone}}]{{/if}}</p>'],
    ['<p>a|b</p>', '<p>a{{#if phone}}[{{phone}}]{{/if}}b</p>'],
    ['<p>|{{phone}}</p>', '<p>{{#if phone}}[{{phone}}]{{/if}}</p>'],
    ['<p>{{phone}}|</p>', '<p>{{#if phone}}[{{phone}}]{{/if}}</p>'],
    ['{{title}}|{{phone}}', '{{title}}{{#if phone}}[{{phone}}]{{/if}}'],
    ['{{title}}|{{first phone}}', '{{title}}{{#if phone}}[{{first phone}}]{{/if}}'],
    ['{{title}}|', '{{#if phone}}[{{title}}]{{/if}}'],
    ['{{#if ti|tle}}b{{/if}}', '{{#if title}}{{#if phone}}[{{phone}}]{{/if}}b{{/if}}'],
    ['<a href="tel:{{ph|one}}">b</a>', '<a href="tel:{{phone}}">{{#if phone}}[{{phone}}]{{/if}}b</a>'],
    ['a<p [cla]', 'a{{#if phone}}[{{phone}}]{{/if}}<p cla'],
    ['<p>{{ph|one}}</p>', '<p>{{#if phone}}[{{phone}}]{{/if}}</p>'],
    ['<p cl|ass="a">b</p>', '<p class="a">{{#if phone}}[{{phone}}]{{/if}}b</p>'],
    ['<b>[a<i>b]</i></b>', '<b>{{#if phone}}[a<i>b</i>]{{/if}}</b>'],
    ['<tr><td>[a</td><td>b]</td></tr>', '<tr>{{#if phone}}[<td>a</td><td>b</td>]{{/if}}</tr>'],
    ['{{#if a}}b[{{else}}c]{{/if}}', '{{#if phone}}[{{#if a}}b{{else}}c{{/if}}]{{/if}}'],
    [
      '{{#block banner}}<p>[{{block}}</p>{{/block}}]',
      '{{#if phone}}[{{#block banner}}<p>{{block}}</p>{{/block}}]{{/if}}',
    ],
    ['[a<br>]b', '{{#if phone}}[a<br>]{{/if}}b'],
    ['<style>.a{[b]}</style>', '{{#if phone}}[<style>.a{b}</style>]{{/if}}'],
  ])('around %j gives %j', (written, expected) => {
    expect(after(written, ifPhone)).toBe(expected)
  })

  test('is about the fields that the selection shows', () => {
    const fields = (written: string) => variablesInSelection(...read(written))
    expect(fields('[{{#if z}}T {{phone}} {{tel mobile}} {{first phone fax}}]{{title}}')).toEqual([
      'phone',
      'mobile',
      'fax',
    ])
    expect(fields('{{ph|one}}{{title}}')).toEqual(['phone'])
    expect(fields('a | b {{phone}}')).toEqual([])
    expect(fields('{{phone}}|{{title}}')).toEqual(['phone', 'title'])
    expect(fields('<a href="tel:{{ph|one}}">{{title}}</a>')).toEqual([])
    expect(fields('[<a href="tel:{{phone}}">b</a>]')).toEqual(['phone'])
    expect(fields('a<p {{phone}} [cla]')).toEqual([])
  })
})

describe('a style', () => {
  test.each([
    ['<p>a [b] c</p>', '<p>a <span style="color:#1f3a5f">[b]</span> c</p>'],
    ['<p>[ b ]</p>', '<p style="color:#1f3a5f">[ b ]</p>'],
    ['<p>a|</p>', '<p style="color:#1f3a5f">a|</p>'],
    ['a|b<br>c', '<span style="color:#1f3a5f">a|b</span><br>c'],
    [
      '<td style="color:red; font-size:9px">[{{phone}}]</td>',
      '<td style="color:#1f3a5f; font-size:9px">[{{phone}}]</td>',
    ],
    ['<td style="font-size:9px">[a]</td>', '<td style="font-size:9px;color:#1f3a5f">[a]</td>'],
    ['<td style="font-size:9px;">[a]</td>', '<td style="font-size:9px;color:#1f3a5f">[a]</td>'],
    ['<td style="background-color:red">[a]</td>', '<td style="background-color:red;color:#1f3a5f">[a]</td>'],
    ["<td style='COLOR : red'>[a]</td>", "<td style='color:#1f3a5f'>[a]</td>"],
    ['<td style=color:red>[a]</td>', '<td style="color:#1f3a5f">[a]</td>'],
    [
      '<td style="font-family:&quot;A;B&quot;;color:red">[a]</td>',
      '<td style="font-family:&quot;A;B&quot;;color:#1f3a5f">[a]</td>',
    ],
    [
      '<td style="background:url(a;color:b);color:red">[a]</td>',
      '<td style="background:url(a;color:b);color:#1f3a5f">[a]</td>',
    ],
    ['<p clas|s="a">b</p>', '<p style="color:#1f3a5f" class="a">b</p>'],
    [
      '{{#if a}}[b{{/if}}c]',
      '{{#if a}}<span style="color:#1f3a5f">[b</span>{{/if}}<span style="color:#1f3a5f">c]</span>',
    ],
    ['[<!-- a -->]', '[<!-- a -->]'],
    ['<style med|ia="a">b</style>', '<style media="a">b</style>'],
    ['<style>[b]</style>', '<style>b</style>'],
    ['<p>{{ph[one}} a]</p>', '<p style="color:#1f3a5f">{{ph[one}} a]</p>'],
  ])('of %j gives %j', (written, expected) => {
    expect(after(written, navy).replace(/[[\]|]/g, '')).toBe(expected.replace(/[[\]|]/g, ''))
  })

  test('keeps the selection around the same words', () => {
    expect(after('<p>a [b] c</p>', navy)).toBe('<p>a <span style="color:#1f3a5f">[b]</span> c</p>')
    expect(after('<p>a|</p>', navy)).toBe('<p style="color:#1f3a5f">a|</p>')
  })

  test('is a font with a family that stands in for it', () => {
    expect(
      ['Arial', 'Times New Roman', 'Source Sans 3', 'Consolas', 'Noto Serif', 'PT Sans Serif'].map(
        fontFamily,
      ),
    ).toEqual([
      'Arial,sans-serif',
      'Times New Roman,serif',
      "'Source Sans 3',sans-serif",
      'Consolas,monospace',
      'Noto Serif,serif',
      'PT Sans Serif,sans-serif',
    ])
    const font: PaletteAction = { kind: 'style', property: 'font-family', value: fontFamily('Source Sans 3') }
    expect(after("<td style='a:b'>[a]</td>", font)).toContain(
      `style='a:b;font-family:"Source Sans 3",sans-serif'`,
    )
  })
})

test('the icon of a network is the picture that has its name as a word', () => {
  expect(networkIconOf(['x/box.png', 'social/X-24.png', 'social/linkedin.png'], 'x')).toBe('social/X-24.png')
  expect(networkIconOf(['x/box.png'], 'x')).toBeNull()
})

test('acts on a template at its limit are made', () => {
  const text = '&amp;'.repeat(200_000)
  expect(performAction(text, { from: 2, to: 2 }, phone).edits).toEqual([
    { from: 5, to: 5, insert: '{{phone}}' },
  ])
})

describe('acts on any template', () => {
  const values = { phone: '+49 30', title: 'Head', empty: '' }
  const context = { values, pictureUrl: (path: string) => `https://p.example/${path}` }
  const rendered = (text: string) => renderTemplate(parseTemplate(text, new Map()).template, context)
  const problems = (text: string) => parseTemplate(text, new Map()).problems.length
  const place = fc.tuple(fc.nat(200), fc.nat(200)).map(([one, other]) => ({ from: one, to: other }))

  test('are edits whose undoing gives the same bytes, the last place first, within the text [ADOPT-8]', () => {
    fc.assert(
      fc.property(template, place, anyAct, (text, selected, act) => {
        const { edits, selected: then } = performAction(text, selected, act)
        const changed = applyEdits(text, edits)
        for (const [index, { from, to }] of edits.entries()) {
          expect(from).toBeLessThanOrEqual(to)
          expect(to).toBeLessThanOrEqual(edits[index - 1]?.from ?? text.length)
        }
        // Undone from the first place on, each by its own length.
        const undone = edits.toReversed().reduce(
          (undo, { from, to, insert }) => ({
            text: undo.text.slice(0, from) + text.slice(from, to) + undo.text.slice(from + insert.length),
          }),
          { text: changed },
        )
        expect(undone.text).toBe(text)
        expect(then.from).toBeLessThanOrEqual(then.to)
        expect(then.to).toBeLessThanOrEqual(changed.length)
      }),
      cases(300),
    )
  })

  test('break no placeholder, and keep what is read where they give a style [ADOPT-8]', () => {
    fc.assert(
      fc.property(template, place, anyAct, (text, selected, act) => {
        const changed = applyEdits(text, performAction(text, selected, act).edits)
        expect(problems(changed)).toBe(problems(text))
        if (act.kind !== 'style') return
        const shown = (html: string) => html.replace(/<[^>]*>/g, '')
        expect(shown(rendered(changed))).toBe(shown(rendered(text)))
      }),
      cases(300),
    )
  })

  type Part = Readonly<{ from: number; to: number; is: string }>

  /** Tags, comments, style sheets, references and placeholders. Of an open tag, its name and those of its attributes. */
  const partsOf = (text: string): readonly Part[] => {
    const { placeholders } = parseTemplate(text, new Map()).template
    return [
      ...placeholders.map(({ at, end }) => ({ from: at, to: end, is: text.slice(at, end) })),
      ...[...tokensOf(text)].flatMap((token): Part[] => {
        const { start: from, end: to } = token
        if (token.kind === 'open') {
          const names = token.attributes.map(({ name }) => name).filter((name) => name !== 'style')
          return [{ from, to, is: ['<', token.name, ...names].join(' ') }]
        }
        const source = text.slice(from, to)
        if (token.kind !== 'text') return [{ from, to, is: source }]
        return [...source.matchAll(/&#?\w+;/g)].map(({ 0: is, index }) => ({
          from: from + index,
          to: from + index + is.length,
          is,
        }))
      }),
    ]
  }
  const ending = fc.constantFrom(
    '',
    '',
    '<p cla',
    '<a href="',
    '<!-- {{phone}}',
    '<style>p{',
    '</style',
    '</',
  )
  const anyText = fc.tuple(template, ending).map(([text, end]) => text + end)

  test('leave all markup, references and placeholders whole, but for selected words [ADOPT-8]', () => {
    fc.assert(
      fc.property(anyText, place, anyAct, (text, selected, act) => {
        const { edits } = performAction(text, selected, act)
        const now = partsOf(applyEdits(text, edits)).map(({ from, to, is }) => [from, to, is].join(' '))
        const lengthOf = (before: readonly TemplateEdit[]) =>
          before.reduce((sum, { from, to, insert }) => sum + insert.length - (to - from), 0)
        for (const { from, to, is } of partsOf(text)) {
          if (edits.some((edit) => edit.from <= from && to <= edit.to)) {
            expect(is).toMatch(/^[{&]/)
            continue
          }
          const start = from + lengthOf(edits.filter((edit) => edit.to <= from))
          const end = to + lengthOf(edits.filter((edit) => edit.from < to))
          expect(now).toContain([start, end, is].join(' '))
        }
      }),
      cases(500),
    )
  })

  test('put a condition around something, and change nothing for people who have the value', () => {
    fc.assert(
      fc.property(anyText, place, (text, selected) => {
        const { edits, selected: then } = performAction(text, selected, ifPhone)
        const changed = applyEdits(text, edits)
        expect(then.from).toBeLessThan(then.to)
        expect(changed).toContain(`{{#if phone}}${changed.slice(then.from, then.to)}{{/if}}`)
        // Where nothing is selected, and no value is at the cursor, the condition brings one.
        const [edit, ...others] = edits
        const value = edit && others.length === 0 ? [{ ...edit, insert: '{{phone}}' }] : []
        expect(rendered(changed)).toBe(rendered(applyEdits(text, value)))
      }),
      cases(300),
    )
  })
})
