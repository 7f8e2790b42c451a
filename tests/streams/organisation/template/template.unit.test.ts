import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { describe, expect, test } from 'vitest'
import {
  isUsableValue,
  misbracedPlaceholders,
  parsePart,
  parseTemplate,
  picturePlaceholder,
  type PlaceholderKind,
  type RenderContext,
  renderTemplate,
  type ShownValue,
  type Template,
} from '../../../../streams/organisation/template/template.ts'

type Values = Readonly<Record<string, string>>

const read = (text: string, parts: Readonly<Record<string, string>> = {}) =>
  parseTemplate(text, new Map(Object.entries(parts)))

const render = (text: string, values: Values = {}, parts: Readonly<Record<string, string>> = {}) =>
  renderTemplate(read(text, parts).template, { values, pictureUrl: (path) => `https://x.example/${path}` })

const problems = (text: string, parts: Readonly<Record<string, string>> = {}) =>
  read(text, parts).problems.map(({ at, code, name }) => [at, code, name])

test('what is rendered of a short template with a long value ends where no reader takes more', () => {
  const html = render('{{a}}{{> p}}'.repeat(100), { a: 'x'.repeat(10_000) }, { p: '{{a}}'.repeat(1_000) })
  expect(html.length).toBeGreaterThan(1_000_000)
  expect(html.length).toBeLessThan(2_100_000)
})

describe('a placeholder', () => {
  test.each([
    ['{{a}}', 'A &lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;'],
    ['{{ a }}', 'A &lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;'],
    ['{{tel phone}}', '+493012345'],
    ['{{tel office}}', '030123'],
    ['{{web site}}', 'HTTPS://a.example/?b=1&amp;c=&quot;'],
    ['{{web script}}', '#'],
    ['{{web empty}}', '#'],
    ['mailto:{{mail}}', 'mailto:a@b.example'],
    ['{{first empty missing mail a}}', 'a@b.example'],
    ['{{first empty missing}}', ''],
    ['{{missing}}{{constructor}}{{__proto__}}', ''],
    ['{{picture a/b c.png}}', 'https://x.example/a/b c.png'],
    ['{{picture a"b.png}}', 'https://x.example/a&quot;b.png'],
  ])('%s renders %s', (text, html) => {
    expect(
      render(text, {
        a: `A <b> & "c" 'd'`,
        phone: '+49 (30) 123-45',
        office: '030 / 12+3',
        site: 'HTTPS://a.example/?b=1&c="',
        script: 'javascript:alert(1)',
        mail: 'a@b.example',
        empty: '',
      }),
    ).toBe(html)
    expect(problems(text)).toEqual([])
  })

  test.each([
    '{{}}',
    '{{#if}}',
    '{{#if a-b}}',
    '{{tel a b}}',
    '{{web a b}}',
    '{{first a-b}}',
    '{{>}}',
    '{{a.b}}',
    '{{#each a}}',
    '{{',
    'a {{a',
    '{{a}',
  ])('%s is none, and is named', (text) => {
    expect(problems(text).map(([, code]) => code)).toEqual(['unknownPlaceholder'])
  })

  test.each([
    [{}, 'no'],
    [{ b: 'B' }, 'yes'],
    [{ a: 'A' }, 'yes'],
    [{ a: 'A', b: 'B', c: 'C' }, 'yes'],
    [{ c: 'C' }, 'no'],
  ])('{{#if a b}} holds while one of its values is not empty: with %j it says %s', (values, shown) => {
    expect(written('{{#if a b}}yes{{else}}no{{/if}}', values)).toBe(shown)
  })

  const written = (text: string, values: Values = {}, more: Partial<RenderContext> = {}) =>
    renderTemplate(read(text).template, { values, pictureUrl: () => '', ...more })

  test('[ADOPT-9] may write a phone number, and a value that is none as it is', () => {
    const phone = (value: string) => (value.startsWith('0') ? `+49 & ${value.slice(1)}` : null)
    const values = { a: '030', b: 'ask <Bo>', phone: '7' }
    expect(written('{{phone a}}|{{phone b}}|{{phone c}}|{{phone}}', values, { phone })).toBe(
      '+49 &amp; 30|ask &lt;Bo&gt;||7',
    )
    expect(written('{{phone a}}', values)).toBe('030')
    expect(problems('{{phone a b}}').length + problems('{{phone a-b}}').length).toBe(2)
  })

  test('[ADOPT-9] has the lines of an address in the text, and one line in a tag', () => {
    const values = { address: 'A & B, C' }
    const text =
      '<!-- it\'s > --><p title="{{address}}" a=\'"{{address}}\'>{{address}}</p>1 < 2 {{address}}<b {{address}}>{{first x address}}{{#if address}}x{{/if}}'
    expect(written(text, values, { addressLines: ['A & B', 'C'] })).toBe(
      '<!-- it\'s > --><p title="A &amp; B, C" a=\'"A &amp; B, C\'>A &amp; B<br>C</p>1 < 2 A &amp; B<br>C<b A &amp; B, C>A &amp; B, Cx',
    )
    expect(written('<p>{{address}}</p>', values)).toBe('<p>A &amp; B, C</p>')
    expect(
      written('<!--[if mso]><td>{{address}}</td><![endif]-->', values, { addressLines: ['A', 'C'] }),
    ).toBe('<!--[if mso]><td>A<br>C</td><![endif]-->')
    expect(written('{{address}}', {}, { addressLines: [] })).toBe('')
  })

  test('[ADOPT-10] may be the picture of a QR code: of an address, or of the card of what is shown', () => {
    const qrUrl = (code: string) => `https://x.example/?a&${code}`
    const cardOf = (shown: readonly ShownValue[]) =>
      shown.map(({ kind, name, text }) => `${kind} ${name} ${text}`).join('; ')
    const values = { a: '1', b: '2' }
    expect(written('{{qr https://a.example/?b=1&amp;c}}', values, { qrUrl })).toBe(
      'https://x.example/?a&amp;https://a.example/?b=1&amp;c',
    )
    expect(written('{{qr vcard}} {{a}}{{tel b}}{{web b}}{{c}}', values, { qrUrl, cardOf })).toBe(
      'https://x.example/?a&amp;text a 1; tel b 2 12#',
    )
    expect(written('{{qr vcard}}{{c}}', values, { qrUrl, cardOf })).toBe('')
    expect(written('{{qr vcard}}{{a}}', values)).toBe('1')
    for (const wrong of ['{{qr a}}', '{{qr mailto:a@b.example}}', '{{qr vcard x}}', '{{qr https://a b}}'])
      expect(problems(wrong).map(([, code]) => code)).toEqual(['unknownPlaceholder'])
  })

  test('may name a value of the manager', () => {
    const values = { 'manager.a': 'M', a: 'A' }
    expect(
      written('{{manager.a}}{{#if manager.b}}x{{/if}}{{first b manager.a}}{{phone manager.a}}', values),
    ).toBe('MMM')
    for (const wrong of ['{{managers.a}}', '{{manager.a.b}}', '{{block manager.a}}', '{{manager.}}'])
      expect(problems(wrong).map(([, code]) => code)).toEqual(['unknownPlaceholder'])
  })

  test('is told with its place, and with what it names', () => {
    const text = 'x{{a}}{{tel b}}{{first c d}}{{#if e}}{{else}}{{/if}}{{> f}}{{picture g/h.png}}'
    const found = read(text, { f: '{{z}}' }).template.placeholders
    expect(found.map(({ kind, names }) => [kind, ...names])).toEqual([
      ['text', 'a'],
      ['tel', 'b'],
      ['first', 'c', 'd'],
      ['if', 'e'],
      ['else'],
      ['end'],
      ['part', 'f'],
      ['picture', 'g/h.png'],
    ])
    expect(found.map(({ at, end }) => text.slice(at, end)).join('')).toBe(text.slice(1))
  })

  test.each<readonly [text: string, kind: PlaceholderKind, ...names: string[]]>([
    ['{{ if }}', 'text', 'if'],
    ['{{picture}}', 'text', 'picture'],
    ['{{first}}', 'text', 'first'],
    ['{{tel}}', 'text', 'tel'],
    ['{{\n a\t}}', 'text', 'a'],
    ['{{first a}}', 'first', 'a'],
    ['{{picture  a   b.png }}', 'picture', 'a b.png'],
    ['{{>a/b}}', 'part', 'a/b'],
    ['{{> a  b}}', 'part', 'a b'],
    ['{{ /if }}', 'end'],
    [`{{${'a'.repeat(100)}}}`, 'text', 'a'.repeat(100)],
    [`{{picture ${'a'.repeat(492)}}}`, 'picture', 'a'.repeat(492)],
  ])('%j is one', (text, kind, ...names) => {
    const [placeholder, ...more] = parsePart(text).template.placeholders
    expect(placeholder).toEqual({ kind, names, at: 0, end: text.length })
    expect(more).toEqual([])
  })

  test.each<readonly [text: string, at: number, name: string]>([
    ['a{{ b  c }}', 1, 'b  c'],
    ['{{#if a-b}}', 0, '#if a-b'],
    ['{{/if a}}', 0, '/if a'],
    ['{{else a}}', 0, 'else a'],
    ['{{>a b}}', 0, '>a b'],
    ['{{tel a-b}}', 0, 'tel a-b'],
    ['{{first a b-c}}', 0, 'first a b-c'],
    ['{{a.b}}', 0, 'a.b'],
    [`{{${'a'.repeat(101)}}}`, 0, 'a'.repeat(101)],
    [`x{{picture ${'a'.repeat(493)}}}`, 1, `picture ${'a'.repeat(32)}`],
    ['{{a}}b{{c', 6, 'c'],
  ])('%j is none, and is named at its place', (text, at, name) => {
    expect(problems(text)).toEqual([[at, 'unknownPlaceholder', name]])
  })

  test.each([
    ['{{picture a.png}}', 'a.png', false],
    ['{{picture a.png linked}}', 'a.png', true],
    ['{{ picture  a.png\n linked }}', 'a.png', true],
    ['{{picture linked a.png}}', 'linked a.png', false],
    ['{{picture linked}}', 'linked', false],
    ['{{picture linked linked}}', 'linked', true],
    ['{{picture a.png Linked}}', 'a.png Linked', false],
  ])('%j is the picture %s, linked: %s', (text, path, isLinked) => {
    const { template } = read(text)
    expect(template.placeholders).toEqual([
      { kind: 'picture', names: [path], at: 0, end: text.length, ...(isLinked && { isLinked }) },
    ])
    const shown: unknown[] = []
    renderTemplate(template, { values: {}, pictureUrl: (...given) => String(shown.push(given)) })
    expect(shown).toEqual([[path, isLinked]])
    expect(read(picturePlaceholder(path, isLinked)).template.steps).toEqual(template.steps)
  })

  test('stands for its value only: braces in a value are text', () => {
    expect(render('{{a}}{{b}}', { a: '{{b}}', b: '{{#if a}}' })).toBe('{{b}}{{#if a}}')
  })
})

describe('a condition', () => {
  const text = 'a{{#if x}}b{{#if y}}c{{else}}d{{/if}}e{{else}}f{{#if y}}g{{/if}}h{{/if}}i'
  test.each([
    ['', '', 'afhi'],
    ['', '1', 'afghi'],
    ['1', '', 'abdei'],
    ['1', '1', 'abcei'],
  ])('nests: x %j and y %j render %s', (x, y, html) => {
    expect(render(text, { x, y })).toBe(html)
  })

  test.each([
    ['{{#if a}}x', [[0, 'unclosed', 'a']], 'x'],
    ['{{#if a}}{{#if b}}x{{/if}}', [[0, 'unclosed', 'a']], ''],
    ['x{{/if}}y', [[1, 'unexpectedClose', '/if']], 'xy'],
    ['x{{else}}y', [[1, 'unexpectedElse', 'else']], 'xy'],
    ['{{#if a}}x{{else}}y{{else}}z{{/if}}', [[19, 'unexpectedElse', 'else']], 'x'],
  ])('%s is named, and renders', (text, found, html) => {
    expect(problems(text)).toEqual(found)
    expect(render(text, { a: '1' })).toBe(html)
  })

  test('nests as deep as a template is long', () => {
    const deep = 10_000
    const text = `${'{{#if a}}'.repeat(deep)}x${'{{/if}}'.repeat(deep)}`
    expect(problems(text)).toEqual([])
    expect(render(text, { a: '1' })).toBe('x')
    expect(render(text)).toBe('')
  })
})

describe('a part', () => {
  const parts = { legal: '<p>{{line}}{{#if a}}!{{/if}}</p>', outer: '{{> legal}}', open: '{{#if a}}x' }

  test('is rendered where it is named, with the same values', () => {
    expect(render('{{> legal}}-{{>legal}}', { line: '<', a: '1' }, parts)).toBe('<p>&lt;!</p>-<p>&lt;!</p>')
    expect(problems('{{> legal}}', parts)).toEqual([])
  })

  test('that is unknown, or in a part, is left out and named', () => {
    expect(problems('x{{> other}}', parts)).toEqual([[1, 'unknownPart', 'other']])
    expect(render('x{{> other}}y', {}, parts)).toBe('xy')
    expect(parsePart(parts.outer).problems).toEqual([{ at: 0, code: 'partInPart', name: 'legal' }])
    expect(render('x{{> outer}}y', {}, parts)).toBe('xy')
  })

  test('ends its own conditions', () => {
    expect(render('{{> open}}y', {}, parts)).toBe('y')
    expect(problems('{{> open}}{{/if}}', parts)).toEqual([[10, 'unexpectedClose', '/if']])
  })

  test('counts to the length of the template', () => {
    const many = '{{> x}}'.repeat(3)
    expect(problems(many, { x: 'x'.repeat(400_000) })).toEqual([[14, 'tooLong', 'x']])
    expect(render(many, {}, { x: 'x'.repeat(400_000) })).toHaveLength(800_000)
    expect(problems('x'.repeat(1_000_001))).toEqual([[1_000_000, 'tooLong', '']])
  })
})

describe('the length of a template', () => {
  const full = 'x'.repeat(1_000_000)

  test.each([
    [full, []],
    [`${full}y`, [{ at: 1_000_000, code: 'tooLong', name: '' }]],
  ])('is limited, by itself and as a part', (text, found) => {
    for (const parsed of [parsePart(text), parseTemplate(text, new Map())]) {
      expect(parsed.problems).toEqual(found)
      expect(renderTemplate(parsed.template, { values: {}, pictureUrl: () => '' })).toBe(full)
    }
  })

  test('has room for its parts up to the limit', () => {
    const text = `${'x'.repeat(999_900)}{{> p}}`
    const room = 1_000_000 - text.length
    expect(problems(text, { p: 'y'.repeat(room) })).toEqual([])
    expect(problems(text, { p: 'y'.repeat(room + 1) })).toEqual([[999_900, 'tooLong', 'p']])
    expect(problems(`${text}{{> q}}`, { p: 'y'.repeat(room - 7), q: 'z' })).toEqual([
      [999_907, 'tooLong', 'q'],
    ])
  })

  test('ends what is rendered behind a million characters', () => {
    const rendered = (length: number) => render('{{a}}{{b}}c', { a: 'x'.repeat(length), b: 'y' })
    expect(rendered(999_999).slice(-3)).toBe('xyc')
    expect(rendered(1_000_000).slice(-3)).toBe('xxy')
    expect(rendered(1_000_001).slice(-3)).toBe('xxx')
  })
})

test('a part that was read before is not read again', () => {
  const known = new Map<string, Template>([['a', parsePart('known').template]])
  const { template } = parseTemplate(
    '{{> a}}{{> b}}{{> b}}',
    new Map(Object.entries({ a: 'A', b: 'B' })),
    known,
  )
  expect(renderTemplate(template, { values: {}, pictureUrl: () => '' })).toBe('knownBB')
  const parts = template.steps.flatMap((step) => (step.kind === 'part' ? [step.template] : []))
  expect(parts).toEqual([known.get('a'), known.get('b'), known.get('b')])
  expect(parts[1]).toBe(parts[2])
})

test.each<readonly [text: string, found: readonly (readonly [string, PlaceholderKind, string])[]]>([
  ['{{a}} {{#if b}}', []],
  ['{a}', [['{a}', 'text', 'a']]],
  ['x{ tel  a }y', [['{ tel  a }', 'tel', 'tel  a']]],
  ['{{{a}}}', [['{{{a}}}', 'text', 'a']]],
  ['{{{a}}', [['{{{a}}', 'text', 'a']]],
  ['{{a}}}', [['{{a}}}', 'text', 'a']]],
  ['{{a}', [['{{a}', 'text', 'a']]],
  ['{a}}', [['{a}}', 'text', 'a']]],
  [
    '{a}{b}',
    [
      ['{a}', 'text', 'a'],
      ['{b}', 'text', 'b'],
    ],
  ],
  ['{a b}', []],
  ['{}', []],
  [
    `{picture ${'a'.repeat(492)}}`,
    [[`{picture ${'a'.repeat(492)}}`, 'picture', `picture ${'a'.repeat(492)}`]],
  ],
  [`{picture ${'a'.repeat(493)}}`, []],
])('placeholders with other braces than two are found in %j', (text, found) => {
  expect(
    misbracedPlaceholders(text).map(({ at, end, kind, content }) => [text.slice(at, end), kind, content]),
  ).toEqual(found)
})

test.each<readonly [kind: PlaceholderKind, value: string, gives: boolean]>([
  ['web', 'https://a.example', true],
  ['web', 'HTTP://a.example', true],
  ['web', 'www.a.example', false],
  ['web', 'x https://a.example', false],
  ['web', '', false],
  ['tel', '+49', true],
  ['tel', 'none', false],
  ['text', 'x', true],
  ['text', '', false],
])('as %s, %j gives an address: %s', (kind, value, gives) => {
  expect(isUsableValue(kind, value)).toBe(gives)
})

/** What a browser makes of html but for its texts: elements with the names of their attributes, and comments. */
type Node = DefaultTreeAdapterTypes.ChildNode
const structureOf = (nodes: readonly Node[]): unknown =>
  nodes.flatMap((node) => {
    if (node.nodeName === '#text') return []
    return 'tagName' in node
      ? [[node.tagName, node.attrs.map(({ name }) => name), structureOf(node.childNodes)]]
      : [node.nodeName]
  })

const VALUES = ['plain', 'other', 'third']
const value = fc.constantFrom(...VALUES)
/** As `signet check` lets them stand: in text and in quoted attributes. */
const template: fc.Arbitrary<string> = fc.letrec<{ html: string }>((tie) => ({
  html: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    value.map((name) => `<p>x{{${name}}}</p>`),
    value.map((name) => `<a href="{{web ${name}}}" title='{{${name}}}'>y{{first ${name}}}</a>`),
    value.map((name) => `<a href="tel:{{tel ${name}}}">T</a><a href="mailto:{{${name}}}">M</a>`),
    value.map(
      (name) => `<table><tr><td width="1">a{{${name}}}<br>{{${name}}}</table><img alt="{{${name}}}">`,
    ),
    fc.constant('{{> part}}'),
    fc
      .tuple(value, tie('html'), tie('html'))
      .map(([name, yes, no]) => `{{#if ${name}}}${yes}{{else}}${no}{{/if}}`),
    fc.tuple(tie('html'), tie('html')).map(([one, other]) => `<div>${one}</div>${other}`),
  ),
})).html
const pieces = fc.array(
  fc.oneof(
    fc.constantFrom('<', '>', '"', "'", '&', '--', '<!--', '-->', ']]>', '</p>', '</td>', '<script>', '\0'),
    fc.constantFrom('{{', '}}', '{{/if}}', '&quot;', '&#34', ' onload=', '`', '=', '/', '\\', '\n', '\u2028'),
    fc.constantFrom('javascript:', 'https://', '" x="', "' y='", '<svg/onload=1>', '<plaintext>', '</a>'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }),
  ),
  { minLength: 1, maxLength: 6 },
)
const hostile = fc
  .tuple(fc.constantFrom('', 'https://a.example/'), pieces)
  .map(([start, rest]) => start + rest.join(''))

test('[SRV-16] no value changes the structure of the rendered template', () => {
  const parts = { part: '<i title="{{plain}}">z{{other}}</i>' }
  fc.assert(
    fc.property(template, fc.tuple(hostile, hostile, hostile), (text, [plain, other, third]) => {
      const harmless = render(text, { plain: 'a', other: 'b', third: 'c' }, parts)
      const rendered = render(text, { plain, other, third }, parts)
      expect(structureOf(parseFragment(rendered).childNodes)).toEqual(
        structureOf(parseFragment(harmless).childNodes),
      )
    }),
    { numRuns: 300 },
  )
})

test('a value reads as it was written, in text and in attributes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (plain) => {
      fc.pre(!/[\r\0]/.test(plain))
      const [element] = parseFragment(render('<p title="{{a}}">x{{a}}</p>', { a: plain })).childNodes
      expect(element && 'attrs' in element && element.attrs[0]?.value).toBe(plain)
      const [text] = element && 'childNodes' in element ? element.childNodes : []
      expect(text && 'value' in text && text.value).toBe(`x${plain}`)
    }),
  )
})

test('an address goes to http or https, whatever the value', () => {
  fc.assert(
    fc.property(fc.oneof(hostile, fc.webUrl()), (site) => {
      const [link] = parseFragment(render('<a href="{{web site}}">x</a>', { site })).childNodes
      const href = link && 'attrs' in link ? link.attrs[0]?.value : undefined
      expect(href).toMatch(/^(#$|https?:\/\/)/i)
    }),
  )
})
