import { describe, expect, it } from 'vitest'
import { readDeclarations, readStyleSheet } from '../../streams/html/declarations.ts'
import { readCsv, readingCsv } from '../../src/folder/csv.ts'
import { decodeCsv, decodeUtf8 } from '../../src/folder/encoding.ts'
import { createTemplateTexts, expandTemplate } from '../../src/folder/expanded.ts'
import { filesBelow, filesInRequest, readBytes, type FolderFiles } from '../../src/folder/files.ts'
import {
  type Finding,
  errorFinding,
  warningFinding,
  sortFindings,
  andList,
  quoteUntrusted,
} from '../../src/folder/finding.ts'
import { htmlTokens, wordMarkup } from '../../src/folder/htmlTokens.ts'
import { createNearestFinder, didYouMean } from '../../src/folder/near.ts'
import { readingNames, readingPeople, readPeople } from '../../src/folder/people.ts'
import { readTemplates } from '../../src/folder/templates.ts'
import { withoutUnsupported } from '../../src/folder/readers.ts'
import { runSteps, type Steps } from '../../streams/kernel/steps.ts'
import { templatePartsOf } from '../../streams/organisation/release/release.ts'

// What reading and checking a folder are made of, each by itself.

const said = (findings: readonly Finding[]): readonly string[] =>
  findings.map(
    ({ file, line, column, level, code, message }) =>
      `${file}:${String(line)}:${String(column)} ${level} ${code}: ${message}`,
  )

describe('styles', () => {
  it.each<readonly [css: string, declarations: readonly (readonly [string, string, string])[]]>([
    ['', []],
    ['color', []],
    ['color:', [['color', '', 'color:']]],
    ['color:red', [['color', 'red', 'color:red']]],
    ['COLOR : Red ;', [['color', 'Red', 'COLOR : Red']]],
    [
      'a:b;c:d',
      [
        ['a', 'b', 'a:b'],
        ['c', 'd', 'c:d'],
      ],
    ],
    [';;a:b;;', [['a', 'b', 'a:b']]],
    ['a b;c:d', [['c', 'd', 'c:d']]],
    ['7:b;c:d', [['c', 'd', 'c:d']]],
    ['/* x */ a /**/ : b/*y*/c /* z */', [['a', 'b c', 'a /**/ : b/*y*/c']]],
    [
      'a:url(x;y);b:f(1;2)',
      [
        ['a', 'url(x;y)', 'a:url(x;y)'],
        ['b', 'f(1;2)', 'b:f(1;2)'],
      ],
    ],
    [
      'a:[1;2];b:(1;2)',
      [
        ['a', '[1;2]', 'a:[1;2]'],
        ['b', '(1;2)', 'b:(1;2)'],
      ],
    ],
    [
      'a:b);c:d',
      [
        ['a', 'b)', 'a:b)'],
        ['c', 'd', 'c:d'],
      ],
    ],
    ['a:f(g(1);2)', [['a', 'f(g(1);2)', 'a:f(g(1);2)']]],
    ['a:"x;y"', [['a', '"x;y"', 'a:"x;y"']]],
    [`a:${'x'.repeat(99_998)}`, [['a', 'x'.repeat(99_998), `a:${'x'.repeat(99_998)}`]]],
    [`a:${'x'.repeat(99_999)}`, []],
  ])('of an attribute are its declarations: %.80s', (css, declarations) => {
    const read = readDeclarations(css)
    expect(read.map(({ property, value, at, end }) => [property, value, css.slice(at, end)])).toEqual(
      declarations,
    )
  })

  it.each<
    readonly [
      css: string,
      read: Readonly<{ styles?: readonly string[]; of?: readonly string[]; rules?: readonly string[] }>,
    ]
  >([
    ['', {}],
    ['p', {}],
    ['a:b', {}],
    ['p{a:b}', { styles: ['a:b'], of: ['p'] }],
    [' p , td > a { a:b; c:d } .x{}', { styles: ['a:b', 'c:d'], of: ['p , td > a', '.x'] }],
    ['/* x */ p /* y */ {a:b}', { styles: ['a:b'], of: ['p /* y */'] }],
    ['{a:b}', { styles: ['a:b'] }],
    ['p{a:b', { styles: ['a:b'], of: ['p'] }],
    ['p{a:b}}q{c:d}', { styles: ['a:b', 'c:d'], of: ['p', 'q'] }],
    ['@import "a.css"; p{a:b}', { styles: ['a:b'], of: ['p'], rules: ['import @import'] }],
    [
      '@MEDIA print { p { a:b } } q{c:d}',
      { styles: ['a:b', 'c:d'], of: ['p', 'q'], rules: ['media @MEDIA print { p { a:b } }'] },
    ],
    [
      '@media a{@supports (b){p{a:b}}}',
      {
        styles: ['a:b'],
        of: ['p'],
        rules: ['media @media a{@supports (b){p{a:b}}}', 'supports @supports (b){p{a:b}}'],
      },
    ],
    [
      '@layer x{p{a:b}}@container y{p{a:b}}@document z{p{a:b}}',
      {
        styles: ['a:b', 'a:b', 'a:b'],
        of: ['p', 'p', 'p'],
        rules: ['layer @layer x{p{a:b}}', 'container @container y{p{a:b}}', 'document @document z{p{a:b}}'],
      },
    ],
    [
      '@font-face { a:b; c:d } p{e:f}',
      { styles: ['a:b', 'c:d', 'e:f'], of: ['p'], rules: ['font-face @font-face { a:b; c:d }'] },
    ],
    ['@media print{a:b;}', { rules: ['media @media print{a:b;}'] }],
    ['@media print{a:b}', { rules: ['media @media print{a:b}'] }],
    ['@media print', { rules: ['media @media'] }],
    ['p{a:f(@x)}', { styles: ['a:f(@x)'], of: ['p'] }],
    ['p[a="{"]{a:b}', { styles: ['a:b'], of: ['p[a="{"]'] }],
    ['p(a{b}c){a:b}', { styles: ['a:b'], of: ['p(a{b}c)'] }],
    ['p{q{a:b}c:d}', { styles: ['a:b', 'c:d'], of: ['p'] }],
    ['a;p{a:b}', { styles: ['a:b'], of: ['p'] }],
    [`p{a:${'x'.repeat(99_996)}`, { styles: [`a:${'x'.repeat(99_996)}`], of: ['p'] }],
    [`p{a:${'x'.repeat(99_997)}`, {}],
  ])(
    'of a sheet are its declarations, selectors and at-rules: %.80s',
    (css, { styles = [], of = [], rules = [] }) => {
      const { declarations, selectors, atRules } = readStyleSheet(css)
      expect(declarations.map(({ at, end }) => css.slice(at, end))).toEqual(styles)
      expect(selectors.map(({ text }) => text)).toEqual(of)
      for (const { text, at } of selectors) expect(css.slice(at).startsWith(text)).toBe(true)
      expect(atRules.map(({ name, at, end }) => `${name} ${css.slice(at, end)}`)).toEqual(rules)
    },
  )
})

describe('the name that was meant', () => {
  const near = (text: string, ...names: readonly string[]) => runSteps(createNearestFinder(() => names)(text))

  it.each<readonly [text: string, names: readonly string[], meant: string | null]>([
    ['phone', ['phone'], null],
    ['Phone', ['phone'], 'phone'],
    ['mobile phone', ['mobile_phone'], 'mobile_phone'],
    ['mobile-phone', ['mobilePhone'], 'mobilePhone'],
    ['phon', ['phone'], 'phone'],
    ['phonee', ['phone'], 'phone'],
    ['phome', ['phone'], 'phone'],
    ['pohne', ['phone'], 'phone'],
    ['pnohe', ['phone'], null],
    ['phona', ['zebra', 'phone', 'phono'], 'phone'],
    ['abc', ['abcd'], 'abcd'],
    ['abd', ['abc'], null],
    ['abdd', ['abcd'], 'abcd'],
    ['hall 1', ['hall 2'], null],
    ['room1', ['room1a'], 'room1a'],
    ['hall 1', ['Hall-1'], 'Hall-1'],
    ['halll 1', ['hall 1'], 'hall 1'],
    [`${'a'.repeat(63)}b`, [`${'a'.repeat(63)}c`], `${'a'.repeat(63)}c`],
    [`${'a'.repeat(64)}b`, [`${'a'.repeat(64)}c`], null],
    ['A'.repeat(65), ['a'.repeat(65)], 'a'.repeat(65)],
    ['phone', [], null],
  ])('by %j of %j is %j', (text, names, meant) => {
    expect(near(text, ...names)).toBe(meant)
  })

  it('is found by one slip among 10,000 names, and among more as a whole only', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `name${'x'.repeat(index % 7)}${String(index)}`)
    expect(near('phon', 'phone', ...names.slice(1))).toBe('phone')
    expect(near('phon', 'phone', ...names)).toBeNull()
    expect(near('PHONE', 'phone', ...names)).toBe('phone')
  })

  it('is looked for in names that are read once, when it is first asked', () => {
    let reads = 0
    const nearest = createNearestFinder(() => {
      reads += 1
      return ['phone']
    })
    expect(reads).toBe(0)
    expect([runSteps(nearest('fone')), runSteps(nearest('phonee'))]).toEqual([null, 'phone'])
    expect(reads).toBe(1)
  })

  it('is asked for in a sentence', () => {
    expect(didYouMean('phone')).toBe(' Did you mean "phone"?')
    expect(didYouMean(null)).toBe('')
  })
})

describe('a finding', () => {
  it.each([
    ['a\n\tb\u0000\u202ec', '"a b c"'],
    ['x'.repeat(60), `"${'x'.repeat(60)}"`],
    ['x'.repeat(61), `"${'x'.repeat(59)}…"`],
    [`${' '.repeat(239)}xyz`, '" x"'],
    ['', '""'],
  ])('quotes %j as %j', (text, quoted) => {
    expect(quoteUntrusted(text)).toBe(quoted)
  })

  it.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c'], 'a, b and c'],
  ])('lists %j as %j', (words, text) => {
    expect(andList(words)).toBe(text)
  })

  it('stands in order of file, line and column, and those of one place as they were found', () => {
    const at = (file: string, line: number, column: number, code = '') =>
      errorFinding({ file, line, column }, code, '')
    const order = [at('a', 1, 9), at('a', 2, 1), at('a', 2, 3), at('b', 1, 1, 'y'), at('b', 1, 1, 'x')]
    expect(sortFindings([2, 3, 0, 4, 1].map((index) => order[index]!))).toEqual(order)
    expect(sortFindings([...order].reverse()).slice(0, 3)).toEqual(order.slice(0, 3))
  })

  it('is an error, or a warning', () => {
    const place = { file: 'f', line: 2, column: 3 }
    expect(errorFinding(place, 'c', 'm')).toEqual({ ...place, level: 'error', code: 'c', message: 'm' })
    expect(warningFinding(place, 'c', 'm')).toEqual({ ...place, level: 'warning', code: 'c', message: 'm' })
  })
})

describe('a template with its parts', () => {
  const expanded = (html: string, parts: Readonly<Record<string, string>> = {}) => {
    const templates = {
      'templates/a.html': html,
      ...Object.fromEntries(
        Object.entries(parts).map(([name, text]) => [`templates/${name}.part.html`, text]),
      ),
    }
    return expandTemplate('templates/a.html', createTemplateTexts(templates, templatePartsOf(templates)))
  }

  it('is one text whose offsets lead back to the files', () => {
    const found = expanded('a\n{{> p}}{{v}}b{{> p}}', { p: 'x\n{{w}}y{{> p}}z' })
    expect(found?.text).toBe('a\nx\n{{w}}yz{{v}}bx\n{{w}}yz')
    expect(found?.masked).toBe('a\nx\nxxxxxyzxxxxxbx\nxxxxxyz')
    expect(found?.uses.map(({ kind, names, at, end }) => [kind, names, found.text.slice(at, end)])).toEqual([
      ['text', ['w'], '{{w}}'],
      ['text', ['v'], '{{v}}'],
      ['text', ['w'], '{{w}}'],
    ])
    const places = Array.from(found?.text ?? '', (_, offset) => {
      const { file, line, column } = found?.placeOf(offset) ?? { file: '', line: 0, column: 0 }
      return `${file === 'templates/a.html' ? 'a' : 'p'}${String(line)}:${String(column)}`
    })
    expect(places.join(' ')).toBe(
      'a1:1 a1:2 p1:1 p1:2 p2:1 p2:2 p2:3 p2:4 p2:5 p2:6 p2:14 a2:8 a2:9 a2:10 a2:11 a2:12 a2:13 ' +
        'p1:1 p1:2 p2:1 p2:2 p2:3 p2:4 p2:5 p2:6 p2:14',
    )
  })

  it.each<
    readonly [what: string, html: string, parts: Readonly<Record<string, string>>, length: number | null]
  >([
    ['200,000 characters', 'x'.repeat(200_000), {}, 200_000],
    ['one more', 'x'.repeat(200_001), {}, null],
    ['200,000 with a part', `${'x'.repeat(199_990)}{{> p}}`, { p: 'y'.repeat(10) }, 200_000],
    ['one more with a part', `${'x'.repeat(199_990)}{{> p}}`, { p: 'y'.repeat(11) }, null],
    ['one more behind a part', `${'x'.repeat(199_980)}{{> p}}z`, { p: 'y'.repeat(20) }, null],
    ['parts that are too long together', '{{> p}}{{> p}}', { p: 'y'.repeat(100_001) }, null],
    ['10,000 tags', '<b>'.repeat(10_000), {}, 30_000],
    ['10,001 tags', '<b>'.repeat(10_001), {}, null],
    ['an unknown part', 'a{{> q}}b', {}, 2],
  ])('is read up to a length and a number of tags: %s', (_, html, parts, length) => {
    expect(expanded(html, parts)?.text.length ?? null).toBe(length)
  })
})

describe('html', () => {
  it.each<readonly [html: string, tokens: readonly string[]]>([
    ['a b', ['text "a b" = a b']],
    ['<p>a &amp; b</P>', ['open p = <p>', 'text "a & b" = a &amp; b', 'close p = </P>']],
    [
      '<style>a<b></style>c',
      ['open style = <style>', 'text "a<b>" in style = a<b>', 'close style = </style>', 'text "c" = c'],
    ],
    [
      '<title>a<b></b></title>',
      ['open title = <title>', 'text "a<b></b>" in title = a<b></b>', 'close title = </title>'],
    ],
    [
      '<plaintext></plaintext>',
      ['open plaintext = <plaintext>', 'text "</plaintext>" in plaintext = </plaintext>'],
    ],
    [
      '<script>"</p>"</script>',
      ['open script = <script>', 'text ""</p>"" in script = "</p>"', 'close script = </script>'],
    ],
    ['<!-- a -->', ['comment " a " = <!-- a -->']],
    ['<!-- a', ['comment "" = <!-- a']],
    ['<!a>', ['comment "" = <!a>']],
    ['<!doctype html>', ['open !doctype = <!doctype html>']],
    ['a\0b', ['text "a\0b" = a\0b']],
  ])('is split into %j', (html, tokens) => {
    const shown = htmlTokens(`--${html}`.slice(2), 5).map((token) => {
      const written = html.slice(token.at - 5, token.end - 5)
      if (token.kind === 'comment') return `comment "${token.text}" = ${written}`
      if (token.kind === 'text')
        return `text "${token.text}"${token.raw === null ? '' : ` in ${token.raw}`} = ${written}`
      return `${token.kind} ${token.name} = ${written}`
    })
    expect(shown).toEqual(tokens)
  })

  it.each<readonly [attribute: string, value: string, written: string, isQuoted: boolean]>([
    ['a="b"', 'b', 'b', true],
    [`A = 'b "c'`, 'b "c', 'b "c', true],
    ['a="&amp;"', '&', '&amp;', true],
    ['a=b', 'b', 'b', false],
    ['a', '', '', false],
    ['a=""', '', '', true],
  ])('has attributes with the range of their value: %s', (attribute, value, written, isQuoted) => {
    const html = `<p ${attribute} z>`
    const [token] = htmlTokens(html, 7)
    const [found] = token?.kind === 'open' ? token.attributes : []
    expect(found).toMatchObject({ name: 'a', value, isQuoted })
    expect(html.slice((found?.at ?? 0) - 7, (found?.end ?? 0) - 7)).toBe(attribute)
    expect(html.slice((found?.from ?? 0) - 7, (found?.to ?? 0) - 7)).toBe(written)
  })

  it.each([
    ['<!--[if mso]>a<![endif]-->', 'a'],
    ['<!--[IF gte mso 9]><p>b</p><![ENDIF]-->', '<p>b</p>'],
    ['<!--[if mso]><![endif]-->', ''],
    ['<!--[if mso]>a-->', null],
    ['<!--a<![endif]-->', null],
    ['<!-- [if mso]>a<![endif]-->', null],
    ['<!--[if mso]>a<![endif] -->', null],
    [`<!--[if ${'x'.repeat(80)}]>a<![endif]-->`, 'a'],
    [`<!--[if ${'x'.repeat(81)}]>a<![endif]-->`, null],
  ])('has markup for classic Outlook alone: %.60s', (html, word) => {
    const text = `x${html}`
    const comment = htmlTokens(text).find((token) => token.kind === 'comment')
    const found = comment && wordMarkup(comment)
    expect(found?.html ?? null).toBe(word)
    if (found) expect(text.slice(found.at, found.at + found.html.length)).toBe(word)
  })
})

describe('what classic Outlook shows', () => {
  it.each([
    ['<p>a</p>', '<p>a</p>'],
    ['a<!--[if mso]>b<![endif]-->c', 'abc'],
    ['a<!--[if !mso]><!-->b<!--<![endif]-->c', 'ac'],
    ['a<!--[if !mso]><!-->b', 'a'],
    ['a<!-- x -->b', 'ab'],
    ['a<!--[if !mso]><!-->b<!-- x -->c<!--<![ENDIF]-->d', 'ad'],
  ])('of %s is %s', (html, shown) => {
    expect(withoutUnsupported(html, 'outlook-windows')).toBe(shown)
  })
})

describe('the bytes of a file', () => {
  const SAVE = 'Save the file in UTF-8.'
  const latin = (text: string) => Buffer.from(text, 'latin1')

  it.each<readonly [what: string, bytes: Buffer, text: string | null, told: readonly string[]]>([
    ['UTF-8', Buffer.from('Grüße €'), 'Grüße €', []],
    ['a byte order mark', Buffer.from('\uFEFFa'), 'a', []],
    ['nothing', Buffer.from(''), '', []],
    ['the character for a lost one', Buffer.from('a\uFFFDb'), 'a\uFFFDb', []],
    [
      'UTF-16',
      Buffer.from([0xff, 0xfe, 0x61, 0]),
      null,
      [`f:1:1 error notUtf8: The file is in UTF-16. ${SAVE}`],
    ],
    [
      'UTF-16 the other way',
      Buffer.from([0xfe, 0xff, 0, 0x61]),
      null,
      [`f:1:1 error notUtf8: The file is in UTF-16. ${SAVE}`],
    ],
    [
      'half of that mark',
      Buffer.from([0xff]),
      null,
      [`f:1:1 error notUtf8: The file is not in UTF-8; read in Windows-1252, here stands "ÿ". ${SAVE}`],
    ],
    ['a zero', Buffer.from('a\nb\0'), null, [`f:2:2 error notUtf8: The file is not text in UTF-8. ${SAVE}`]],
    [
      'a zero at the beginning',
      Buffer.from('\0a'),
      null,
      [`f:1:1 error notUtf8: The file is not text in UTF-8. ${SAVE}`],
    ],
    [
      'a byte that Windows-1252 does not have',
      latin('a\nbc\x9d'),
      null,
      [`f:2:3 error notUtf8: The file is not text in UTF-8. ${SAVE}`],
    ],
    [
      'a word of 50 letters',
      latin(`x ${'a'.repeat(25)}ü${'b'.repeat(25)}`),
      null,
      [
        `f:1:28 error notUtf8: The file is not in UTF-8; read in Windows-1252, here stands "${'a'.repeat(20)}ü${'b'.repeat(19)}". ${SAVE}`,
      ],
    ],
    [
      'a word between others',
      latin('ab. c-1ü-2d, e'),
      null,
      [`f:1:8 error notUtf8: The file is not in UTF-8; read in Windows-1252, here stands "c-1ü-2d". ${SAVE}`],
    ],
    [
      'a name of another encoding in UTF-8',
      Buffer.concat([Buffer.from('Grüße, '), latin('Müller')]),
      null,
      [`f:1:9 error notUtf8: The file is not in UTF-8; read in Windows-1252, here stands "Müller". ${SAVE}`],
    ],
  ])('are read, or told: %s', (_, bytes, text, told) => {
    const problems: Finding[] = []
    expect(decodeUtf8(bytes, 'f', problems)).toBe(text)
    expect(said(problems)).toEqual(told)
  })

  it.each<readonly [bytes: Buffer, text: string | null, told: readonly string[]]>([
    [Buffer.from('Grüße'), 'Grüße', []],
    [
      latin('a,Grüße'),
      'a,Grüße',
      [
        'f:1:5 warning csv.windows1252: The file is not in UTF-8, and was read in Windows-1252, as Excel writes it: here stands "Grüße".',
      ],
    ],
    [Buffer.from([0xff, 0xfe]), null, [`f:1:1 error notUtf8: The file is in UTF-16. ${SAVE}`]],
    [Buffer.from('\0'), null, [`f:1:1 error notUtf8: The file is not text in UTF-8. ${SAVE}`]],
  ])('of a spreadsheet are read in Windows-1252, too: %j', (bytes, text, told) => {
    const problems: Finding[] = []
    expect(decodeCsv(bytes, 'f', problems)).toBe(text)
    expect(said(problems)).toEqual(told)
  })
})

describe('values with separators', () => {
  const cell = (length: number) => 'x'.repeat(length)

  it.each<readonly [what: string, text: string, problem: unknown]>([
    ['10,000 characters', cell(10_000), null],
    ['10,001', cell(10_001), { line: 1, column: 10_002, code: 'longCell' }],
    ['10,000 in quotes', `"${cell(10_000)}"`, null],
    ['10,001 in quotes', `"${cell(10_001)}"`, { line: 1, column: 10_004, code: 'longCell' }],
    ['10,000 with a quote in it', `"${cell(9_999)}"""`, null],
    ['10,001 with a quote in it', `"${cell(10_000)}"""`, { line: 1, column: 10_004, code: 'longCell' }],
    ['200 cells', `a${',a'.repeat(199)}`, null],
    ['201 cells', `a${',a'.repeat(200)}`, { line: 1, column: 402, code: 'tooManyCells' }],
    [
      'an open quote behind lines in quotes',
      '"a\nb",c\n"d\n"",e"f',
      { line: 4, column: 6, code: 'afterQuote' },
    ],
    ['an open quote in the second line', 'a\nb,"c\nd', { line: 2, column: 3, code: 'unclosed' }],
    ['a quote behind a mark', '\uFEFFa"', { line: 1, column: 2, code: 'quote' }],
    ['a quote at the end', '"a"', null],
  ])('have a limit, and a place of what is wrong: %s', (_, text, problem) => {
    expect(readCsv(text).problem).toEqual(problem)
  })

  it.each<readonly [text: string, rows: readonly (readonly [line: number, ...cells: string[]])[]]>([
    ['', []],
    ['\n\r\n', []],
    ['a;b,c', [[1, 'a;b', 'c']]],
    [
      'a\r\nb\rc',
      [
        [1, 'a'],
        [2, 'b'],
        [3, 'c'],
      ],
    ],
    [
      'a,\n,b\n',
      [
        [1, 'a', ''],
        [2, '', 'b'],
      ],
    ],
    ['"",a', [[1, '', 'a']]],
    ['"a""b"', [[1, 'a"b']]],
    [
      '"a\n\n b"\nc',
      [
        [1, 'a\n\n b'],
        [4, 'c'],
      ],
    ],
  ])('are rows with the line where they begin: %j', (text, rows) => {
    expect(readCsv(text).rows.map(({ line, cells }) => [line, ...cells])).toEqual(rows)
  })

  it('are separated by a semicolon, too', () => {
    expect(readCsv('a;"b;c",d;e', ';').problem).toEqual({ line: 1, column: 8, code: 'afterQuote' })
    expect(readCsv('a,b;"c;d"', ';').rows[0]?.cells).toEqual(['a,b', 'c;d'])
  })
})

describe('what may be long', () => {
  const stepsOf = (steps: Steps<unknown>): number => {
    let count = 0
    while (steps.next().done !== true) count += 1
    return count
  }
  const rows = (count: number) =>
    ['email', ...Array.from({ length: count }, (_, index) => `p${String(index)}@a.example`)].join('\n')
  const KIB = 1024
  const short = (kib: number) => 'a,bcde\n'.repeat(Math.ceil((kib * KIB) / 7)).slice(0, kib * KIB)
  const people = (count: number) => readPeople(rows(count), 'p.csv', null).rows
  const names = (count: number) => Array.from({ length: count }, (_, index) => `name ${String(index)}`)

  it.each<readonly [what: string, steps: () => Steps<unknown>, count: number]>([
    ['50 names', () => createNearestFinder(() => names(50))('x'), 1],
    ['51 names', () => createNearestFinder(() => names(51))('x'), 2],
    ['16 KiB of rows', () => readingCsv(short(16)), 0],
    ['17 KiB of rows', () => readingCsv(short(17)), 1],
    ['192 KiB of long rows', () => readingCsv(`${'a'.repeat(9_999)},`.repeat(19).concat('\n').repeat(3)), 2],
    ['33 KiB of empty lines', () => readingCsv('\n'.repeat(33 * KIB)), 2],
    ['100 people', () => readingPeople(rows(100), 'p.csv', null), 100],
    ['the names of 101 people', () => readingNames(people(101)), 101],
  ])('is read in steps: %s', (_, steps, count) => {
    expect(stepsOf(steps())).toBe(count)
  })
})

describe('the files of a folder', () => {
  const sent = (...paths: readonly string[]) =>
    filesInRequest(new Map(paths.map((path) => [path, Buffer.from(path)])))

  it('that were sent are there by their paths, with their folders', async () => {
    const files = sent('signet.yaml', 'templates/a/b.html', 'templates/c.html')
    expect(await Promise.all(['signet.yaml', 'templates', 'pictures'].map(files.kindOf))).toEqual([
      'file',
      'folder',
      null,
    ])
    expect(await files.entries('templates')).toEqual([
      { name: 'a', kind: 'folder' },
      { name: 'c.html', kind: 'file' },
    ])
    expect(await files.entries('pictures')).toEqual([])
    expect(await files.read('templates/c.html', 16)).toEqual(Buffer.from('templates/c.html'))
    expect(await files.read('templates/c.html', 15)).toEqual({ reason: 'tooLarge' })
    expect(await files.read('templates/a', 100)).toEqual({ reason: 'noFile' })
    expect(await files.read('templates/d.html', 100)).toBeNull()
  })

  it.each([[['templates/a', 'templates/a/b.html']], [['templates/a/b.html', 'templates/a']]])(
    'that are folders, too, are folders: %j',
    async (paths) => {
      expect(await sent(...paths).entries('templates')).toEqual([{ name: 'a', kind: 'folder' }])
    },
  )

  it('that lie too deep are refused at their folder', async () => {
    const problems: Finding[] = []
    const path = `templates/${'a/'.repeat(20)}b.html`
    expect(await filesBelow(sent(path, 'templates/1/2/3/4/5/6/b.html'), 'templates', problems)).toEqual([
      'templates/1/2/3/4/5/6/b.html',
    ])
    expect(problems.map(({ file, code }) => [file, code])).toEqual([
      [`templates/${'a/'.repeat(8)}`.slice(0, -1), 'fileName'],
    ])
  })

  type Entry = Awaited<ReturnType<FolderFiles['entries']>>[number]
  const stub = (entries: readonly Entry[]): FolderFiles => ({
    kindOf: () => Promise.resolve('folder'),
    entries: (path) => Promise.resolve(path === 'templates' ? entries : []),
    read: (path) => Promise.resolve(Buffer.from(path)),
  })

  it('are found in the order of their names, and what is no file is told', async () => {
    const problems: Finding[] = []
    const entries = [
      ...['b', 'a', '.a', 'c'].map((name) => ({ name: `${name}.html`, kind: 'file' as const })),
      { name: 'link.html', kind: 'link' as const },
      { name: 'pipe.html', kind: 'other' as const },
      { name: 'folder', kind: 'folder' as const },
    ]
    const found = await filesBelow(stub(entries), 'templates', problems)
    expect(found).toEqual(['templates/a.html', 'templates/b.html', 'templates/c.html'])
    expect(said(problems)).toEqual([
      'templates/link.html:1:1 error link: This is a link; put the file itself into the folder.',
      'templates/pipe.html:1:1 error noFile: This is not a file.',
    ])
  })

  it('are 20,000 at most', async () => {
    const entries = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `${String(index)}.html`, kind: 'file' as const }))
    for (const [count, told] of [
      [20_000, []],
      [20_001, ['templates:1:1 error tooManyFiles: There are more than 20000 files in templates.']],
    ] as const) {
      const problems: Finding[] = []
      expect(await filesBelow(stub(entries(count)), 'templates', problems)).toHaveLength(20_000)
      expect(said(problems)).toEqual(told)
    }
  })

  it.each([
    [{ reason: 'link' } as const, 'link: This is a link; put the file itself into the folder.'],
    [{ reason: 'noFile' } as const, 'noFile: This is not a file.'],
    [{ reason: 'tooLarge' } as const, 'tooLarge: The file is larger than 7 bytes.'],
    [{ reason: 'notReadable', code: 'EACCES' } as const, 'notReadable: The file cannot be read (EACCES).'],
  ])('that are not read are told with the reason: %j', async (unread, sentence) => {
    const problems: Finding[] = []
    const files: FolderFiles = { ...stub([]), read: () => Promise.resolve(unread) }
    expect(await readBytes(files, 'a.html', 7, problems)).toBeNull()
    expect(said(problems)).toEqual([`a.html:1:1 error ${sentence}`])
  })

  it('are templates of 200,000 characters each and 5,000,000 together', async () => {
    const reading = async (lengths: readonly number[]) => {
      const problems: Finding[] = []
      const entries = lengths.map((_, index) => ({
        name: `${String(100 + index)}.html`,
        kind: 'file' as const,
      }))
      const files: FolderFiles = {
        ...stub(entries),
        read: (path) =>
          Promise.resolve(Buffer.alloc(lengths[Number(/\d+/.exec(path)?.[0] ?? '') - 100] ?? 0, 'x')),
      }
      const { size } = await readTemplates(files, problems)
      return [size, ...said(problems)]
    }
    const full = Array.from({ length: 25 }, () => 200_000)
    expect(await reading(full)).toEqual([25])
    expect(await reading([200_001, 1])).toEqual([
      1,
      'templates/100.html:1:1 error tooLarge: The template is longer than 200000 characters.',
    ])
    expect(await reading([...full, 1, 1])).toEqual([
      25,
      'templates/125.html:1:1 error tooLarge: The templates are longer than 5000000 characters together.',
    ])
  })
})
