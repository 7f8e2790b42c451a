import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanDeclarations, cleanStyleSheet, MAX_STYLE_CHARACTERS } from '../../../streams/html/styles.ts'
import { toPictureAddress } from '../../../streams/html/address.ts'
import { cases } from '../../support/cases.ts'

const declarations = (style: string) => cleanDeclarations(style, toPictureAddress)
const sheet = (css: string) => cleanStyleSheet(css, toPictureAddress)
/** The declaration in front of another, which must survive it. */
const beside = (declaration: string) => declarations(`${declaration};color:red`)

describe('declarations are kept as they are', () => {
  test.each([
    'color: #0a5',
    'margin:0 auto!important',
    'font:italic bold 12px/1.4 "Segoe UI", Arial, sans-serif',
    "font-family:'Courier New'",
    String.raw`font-family:"\5FAE\8F6F\96C5\9ED1"`,
    'mso-line-height-rule:exactly',
    'mso-table-lspace:0pt',
    'mso-style-parent:""',
    'mso-ansi-language:#0400',
    'mso-padding-alt:0cm 5.4pt 0cm 5.4pt',
    'width:calc(100% - (2 * 8px))',
    'color:rgba(0, 0, 0, .5)',
    'background:#fff url(https://cdn.example/a.png) no-repeat 0 0',
    'background-image:url(cid:lsi-attacha.png)',
    'background-image:linear-gradient(to right, red 0%, blue 100%)',
    '-webkit-text-size-adjust:100%',
    '--brand:#0a5',
    'color:var(--brand, red)',
    'position:relative',
    'font-family:constructor',
    'margin:-1px +2px 1e1px',
    'grid-template-columns:[start] 1fr [end]',
  ])('%s', (declaration) => {
    expect(beside(declaration)).toBe(`${declaration};color:red`)
  })

  test.each([
    ["background:url('https://cdn.example/a.png')", 'background:url(https://cdn.example/a.png)'],
    ['background:url( "https://cdn.example/a(1).png" )', "background:url('https://cdn.example/a(1).png')"],
    ['background:URL(https://cdn.example/a.png)', 'background:url(https://cdn.example/a.png)'],
    ['background:url("https://cdn.example/a b.png")', 'background:url(https://cdn.example/a%20b.png)'],
    [String.raw`background:url("https://cdn.ex\61mple/a.png")`, 'background:url(https://cdn.example/a.png)'],
    ['color:red ! important', 'color:red !important'],
    ['color:/* brand */red', 'color: red'],
    ['/* brand */color:red', 'color:red'],
  ])('%s, written as %s', (given, written) => {
    expect(declarations(given)).toBe(written)
  })
})

describe('declarations are left out, and only they', () => {
  test.each([
    'position:fixed',
    'position:/**/fixed',
    'POSITION : absolute',
    String.raw`p\6fsition:fixed`,
    String.raw`position:f\69xed`,
    'position:var(--x)',
    'position:sticky!important',
    'position:relative fixed',
    'behavior:url(https://evil.example/a.htc)',
    String.raw`\62 ehavior:url(#default#time2)`,
    '-moz-binding:url(https://evil.example/a.xml#x)',
    "-o-link:'javascript:alert(1)'",
    'width:expression(alert(1))',
    'width:exp/**/ression(alert(1))',
    String.raw`width:ex\70ression(alert(1))`,
    'background:url(javascript:alert(1))',
    String.raw`background:url(\6aavascript:alert(1))`,
    'background:url(//evil.example/a.png)',
    String.raw`background:url(\\\\evil.example\\a.png)`,
    'background:url(data:image/svg+xml;base64,AAAA)',
    'background:url("https://cdn.example/a.png" x)',
    'background:url(var(--x))',
    'background:image("https://cdn.example/a.png")',
    'background:image-set("https://evil.example/a.png" 1x)',
    'background:-webkit-image-set(url(https://cdn.example/a.png) 1x)',
    'background:src("https://evil.example/a.png")',
    'background:cross-fade(url(https://cdn.example/a.png), red)',
    '--x:url(//evil.example/a.png)',
    '--x:{a:b}',
    '--x:image-set("//evil.example/a.png" 1x)',
    'background:element(#x)',
    'content:attr(title)',
    'filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src="//evil.example")',
    'color:red\\9',
    '*zoom:1',
    'color',
    'color:',
    'color:red}',
    'color:red)',
    'color:@import',
    'color:a<b',
    'content:"</style>"',
    'color:red!x',
    'a{color:blue}',
    '@import "https://evil.example/a.css"',
    `width:${'calc('.repeat(20)}1px${')'.repeat(20)}`,
  ])('%s', (declaration) => {
    expect(beside(declaration)).toBe('color:red')
  })

  test.each(['color:blue', 'margin:0', 'background:url(https://cdn.example/a.png)'])(
    'what nothing closes takes the rest with it, but not what is before: %s',
    (declaration) => {
      for (const open of ['a:(', 'a:[', 'a:{', 'a:calc(', 'a:url(', 'a:url("', 'a:"', "a:'", 'a:/*', 'a:\\'])
        expect(declarations(`${declaration};${open};color:red`)).toBe(declaration)
    },
  )
})

describe('rules are kept as they are', () => {
  test.each([
    '.name { color: #0a5; font-weight: 700 }',
    'a:hover,a[href^="tel:"]>span~b+i::before{color:red}',
    '#outlook a{padding:0}',
    'p.MsoNormal, li.MsoNormal{margin:0cm;mso-style-unhide:no}',
    'div:not(.a):nth-child(2n+1){color:red}',
    String.raw`.sm\:hidden{color:red}`,
    'u + .body .gmail-fix{display:none}',
    '@media only screen and (max-width:480px){.wide{display:none!important}}',
    '@media (prefers-color-scheme:dark){.name{color:#fff}}',
    '@media (width >= 600px){a{color:red}}',
    '@media screen{@media (max-width:480px){a{color:red}}}',
    'a{color:red}\n\nb{color:blue}',
  ])('%s', (css) => {
    expect(sheet(css)).toBe(css)
  })
})

describe('rules are left out, and only they', () => {
  test.each([
    '@import "https://evil.example/a.css";',
    '@import url(https://evil.example/a.css) screen;',
    String.raw`@\69mport "https://evil.example/a.css";`,
    '@charset "utf-7";',
    '@namespace x url(https://evil.example);',
    '@font-face{font-family:x;src:url(https://evil.example/a.woff)}',
    String.raw`@f\6fnt-face{font-family:x;src:url(https://evil.example/a.woff)}`,
    '@keyframes x{from{color:red}}',
    '@supports (color:red){a{color:blue}}',
    '@page WordSection1{size:612pt 792pt}',
    '@layer x;',
    '@container (width>1px){a{color:red}}',
    String.raw`@med\69 a{b{color:blue}}`,
    '@media url(https://evil.example){b{color:blue}}',
    '@media a<b{b{color:blue}}',
    '@media screen{@import "https://evil.example/a.css";}',
    '@media screen{b{position:fixed}}',
    '@media screen{@font-face{src:url(https://evil.example)}}',
    'b{position:fixed}',
    'b{}',
    'b<i{color:blue}',
    '</style><script>alert(1)</script>{color:blue}',
    'b;c{color:blue}',
    '}b{color:blue}',
    '<!-- b{position:fixed} -->',
    '/* b{color:blue} */',
    '"b"{color:blue',
  ])('%s', (css) => {
    const clean = sheet(`i{color:red}${css}`)
    expect(clean.trim().replace('"b"', '')).toBe('i{color:red}')
  })

  test('a nested rule, with the rest of what it may belong to', () => {
    expect(sheet('a{color:red;&:hover{position:fixed}}b{color:blue}')).toBe('a{color:red}b{color:blue}')
  })

  test.each([
    'a{',
    'a{b:(',
    'a{b:"',
    "a{b:'",
    'a{b:url(',
    '/*',
    '@media a{',
    '@font-face{',
    '@import "x',
    'a[',
    '(',
  ])('what nothing closes takes the rest with it, but not what is before: %s', (open) => {
    expect(sheet(`i{color:red}${open} b{color:blue}`)).toBe('i{color:red}')
  })

  test('a sheet over the limit, as a whole', () => {
    const rule = 'i{color:red}'
    const fits = rule + ' '.repeat(MAX_STYLE_CHARACTERS - rule.length)
    expect(sheet(fits)).toBe(fits)
    expect(sheet(`${fits} `)).toBe('')
    expect(declarations(`color:red;${' '.repeat(MAX_STYLE_CHARACTERS)}`)).toBe('')
  })
})

const piece = fc.constantFrom(
  ...[
    'a',
    'b{',
    '}',
    '{',
    ':',
    ';',
    'color',
    'position',
    'fixed',
    'url(',
    ')',
    '(',
    '"',
    "'",
    '/*',
    '*/',
    '<',
    '>',
  ],
  ...[
    '\\',
    '\n',
    ' ',
    '@import',
    '@media',
    '@\\69mport',
    'screen',
    '!important',
    'https://a.example/b.png',
    '//evil.example',
  ],
  ...[
    'javascript:x',
    'expression(',
    'var(',
    '--x',
    '<!--',
    '-->',
    '[',
    ']',
    ',',
    '#',
    '.',
    '1px',
    '100%',
    '\0',
    '\u00e4',
    '</style>',
  ],
  ...['behavior', 'image-set(', 'U+26', '\\70', 'calc(', '+', '-', '\\\n'],
)
const css = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))

test('for any text: what is written is clean, has no `<`, and loads only what is allowed', () => {
  fc.assert(
    fc.property(css, (given) => {
      for (const clean of [sheet, declarations]) {
        const written = clean(given)
        expect(clean(written)).toBe(written)
        expect(written).not.toContain('<')
        // What is in a string stays text.
        const outsideStrings = written.replace(/"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'/g, '""')
        expect(outsideStrings).not.toMatch(
          /@(?!media)|(?:expression|image-set)\(|(?:^|[{;]\s*)(?:position|behavior)\s*:/i,
        )
        for (const [, address] of outsideStrings.matchAll(/url\(([^)]*)/gi))
          expect(address).toBe('https://a.example/b.png')
      }
    }),
    cases(500),
  )
})

test('for any text: it ends neither the rules before it nor those after it', () => {
  fc.assert(
    fc.property(css, (given) => {
      const written = sheet(`i{color:red}${given}`)
      expect(written.startsWith('i{color:red}')).toBe(true)
      const clean = sheet(given)
      expect(sheet(`${clean}u{color:blue}`)).toBe(`${clean}u{color:blue}`)
      expect(declarations(`${declarations(given)};color:blue`).endsWith('color:blue')).toBe(true)
    }),
    cases(200),
  )
})

test('pictures are those that the caller writes', () => {
  const write = (address: string) => (address === 'https://cdn.example/a.png' ? 'cid:a.png' : null)
  expect(
    cleanDeclarations(
      'background:url("https://cdn.example/a.png");list-style:url(https://cdn.example/b.png)',
      write,
    ),
  ).toBe('background:url(cid:a.png)')
  expect(cleanStyleSheet('a{background:url(https://cdn.example/a.png)}', write)).toBe(
    'a{background:url(cid:a.png)}',
  )
})
