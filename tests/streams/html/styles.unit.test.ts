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
    'position:relative',
    'font-family:constructor',
    'margin:1px +2px 1e1px',
    'text-indent:-18.0pt',
    'letter-spacing:-.5px',
    'list-style:url(https://cdn.example/a.png) inside',
    'border-radius:9999px',
    'max-width:9999px',
    'background-position:-9999px calc(50% - 1px)',
    'height:2000px',
    'font:700 200px/12.5 Arial',
    'font-size:1250%',
    'line-height:12.5',
    'box-shadow:0 -20px 14pt .5em #000',
    'width:calc((480px - 100%) * 480)',
    'margin-top:calc(36px + 1em)',
    'margin-top:calc(18px * 2)',
    'font-size:clamp(12px, 2vw, 16px)',
    `height:calc(${'1px + '.repeat(8)}1px)`,
    'mso-element:para-border-div',
    'mso-table-lspace:7.05pt',
    'aspect-ratio:1000/500',
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
    '--x:url(//evil.example/a.png)',
    '--brand:#0a5',
    'color:var(--brand, red)',
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
    '--x:{a:b}',
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

  describe('when they move a box out of its place, or draw beside it:', () => {
    test.each([
      'margin:-1px',
      'margin:0 0 0 -1px!important',
      'margin:-1e-3px',
      'margin:- 1px',
      'margin-top:-0.5em',
      'margin-block-start:-50%',
      'margin-inline:1px -1px',
      'MARGIN-BOTTOM:-1Q',
      'margin:calc(0px - 99px)',
      'margin-top:min(1px, -1px)',
      'margin-top:calc(1px*-1)',
      '-webkit-margin-before:-9px',
      'mso-margin-top-alt:-9pt',
      'transform:translateY(-99px)',
      'transform:none',
      '-webkit-transform:rotate(9deg)',
      'translate:0 -99px',
      'rotate:180deg',
      'scale:9',
      'zoom:9',
      'offset:path("M 0 -99")',
      'offset-path:none',
      'top:-99px',
      'bottom:99px',
      'inset:-99px 0 0',
      'inset-block-start:-99px',
      'left:-99px',
      'right:99px',
      'writing-mode:vertical-lr',
      '-webkit-box-reflect:above',
      'border-image:linear-gradient(red,red) 1/1px/99px',
      'box-shadow:0 -21px 0 0 #fff',
      'text-shadow:0 -2em #fff',
      'outline:21px solid #fff',
      'outline-offset:99px',
      'filter:drop-shadow(0 -99px #fff)',
      '-webkit-text-stroke:21px #fff',
      'text-underline-offset:-21px',
      'mso-position-vertical:top',
      'mso-element-top:-99pt',
      'mso-table-top:-99pt',
      'mso-table-anchor-vertical:page',
    ])('%s', (declaration) => {
      expect(beside(declaration)).toBe('color:red')
    })
  })

  describe('when a size is larger than any signature needs:', () => {
    test.each([
      'height:2001px',
      'width:-2001px',
      'width:1e9px',
      'width:1e999px',
      'min-width:126em',
      'padding-top:53cm',
      'margin-top:21in',
      'height:calc(1px * 1000000)',
      'padding:calc(1px / 0.0001)',
      'padding:calc(1px * 10)',
      'padding:calc(1px * 9.9)',
      'padding:calc(1px * 9 * 9)',
      `height:calc(${'1px + '.repeat(10)}1px)`,
      'height:min(2001px, 1px)',
      'font-size:201px',
      'font-size:12.6em',
      'font-size:1251%',
      'font:700 12px/13 Arial',
      'font:700 12px / 13 Arial',
      'font:700 201px/1 Arial',
      'line-height:12.6',
      'text-indent:-201px',
      'letter-spacing:201px',
      'flex:0 0 2001px',
    ])('%s', (declaration) => {
      expect(beside(declaration)).toBe('color:red')
    })
  })

  test.each([
    'content',
    'cursor',
    'filter',
    'mask-image',
    'clip-path',
    'shape-outside',
    'mso-data',
    'border',
  ])('when %s has a picture: only backgrounds and lists have one', (property) => {
    expect(beside(`${property}:url(https://cdn.example/a.png)`)).toBe('color:red')
    expect(beside(`${property}:url("https://cdn.example/a.png")`)).toBe('color:red')
  })

  test.each(['color:blue', 'margin:0', 'background:url(https://cdn.example/a.png)'])(
    'what nothing closes takes the rest with it, but not what is before: %s',
    (declaration) => {
      for (const open of ['a:(', 'a:[', 'a:{', 'a:calc(', 'a:url(', 'a:url("', 'a:"', "a:'", 'a:/*', 'a:\\'])
        expect(declarations(`${declaration};${open};color:red`)).toBe(declaration)
    },
  )
})

describe('rules count in the wrapper of the signature only', () => {
  test.each([
    ['.name { color: #0a5; font-weight: 700 }', '.signet .name{ color: #0a5; font-weight: 700 }'],
    [
      'a:hover,a[href^="tel:"]>span~b+i::before{color:red}',
      '.signet a:hover,.signet a[href^="tel:"]>span~b+i::before{color:red}',
    ],
    ['#outlook a{padding:0}', '.signet #outlook a{padding:0}'],
    [
      'p.MsoNormal, li.MsoNormal{margin:0cm;mso-style-unhide:no}',
      '.signet p.MsoNormal,.signet li.MsoNormal{margin:0cm;mso-style-unhide:no}',
    ],
    [
      'div:not(.a, .b):nth-child(2n+1)[title="a,b"]{color:red}',
      '.signet div:not(.a, .b):nth-child(2n+1)[title="a,b"]{color:red}',
    ],
    [String.raw`.sm\:hidden{color:red}`, String.raw`.signet .sm\:hidden{color:red}`],
    ['u + .body .gmail-fix{display:none}', '.signet u + .body .gmail-fix{display:none}'],
    [
      '@media only screen and (max-width:480px){.wide{display:none!important}}',
      '@media only screen and (max-width:480px){.signet .wide{display:none!important}}',
    ],
    [
      '@media (prefers-color-scheme:dark){.name{color:#fff}}',
      '@media (prefers-color-scheme:dark){.signet .name{color:#fff}}',
    ],
    ['@media (width >= 600px){a{color:red}}', '@media (width >= 600px){.signet a{color:red}}'],
    [
      '@media screen{@media (max-width:480px){a{color:red}}}',
      '@media screen{@media (max-width:480px){.signet a{color:red}}}',
    ],
    ['a{color:red}\n\nb{color:blue}', '.signet a{color:red}\n\n.signet b{color:blue}'],
    ['body *{display:none!important}', '.signet *{display:none!important}'],
    ['*{color:red}', '.signet *{color:red}'],
    ['html,body{color:red}', '.signet,.signet{color:red}'],
    ['HTML > body>p{color:red}', '.signet>p{color:red}'],
    [':root{color:red}', '.signet{color:red}'],
    ['html body p{color:red}', '.signet p{color:red}'],
    ['htmlbody p,body.a p{color:red}', '.signet htmlbody p,.signet body.a p{color:red}'],
    ['[data-ogsc] .name{color:red}', '[data-ogsc] .signet .name{color:red}'],
    ['[data-ogsb]  body{color:red}', '[data-ogsb]  .signet{color:red}'],
    ['.signet>p,.signet p,.signet{color:red}', '.signet>p,.signet p,.signet{color:red}'],
    ['.signet~p{color:red}', '.signet .signet~p{color:red}'],
    ['.signet ~ p{color:red}', '.signet .signet ~ p{color:red}'],
    ['.signet/**/+p{color:red}', '.signet .signet +p{color:red}'],
    ['.signets p{color:red}', '.signet .signets p{color:red}'],
    [':is(body, html) :has(p){color:red}', '.signet :is(body, html) :has(p){color:red}'],
  ])('%s', (css, written) => {
    expect(sheet(css)).toBe(written)
    expect(sheet(written)).toBe(written)
  })

  test.each(['~ p', '+ p', 'body ~ p', 'html + *', '[data-ogsc] ~ p', '|p', '', 'p,', ',p', 'body |p'])(
    'a selector that could name something beside it takes its rule with it: %s',
    (selector) => {
      expect(sheet(`${selector}{color:blue}i{color:red}`)).toBe('.signet i{color:red}')
    },
  )
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
    expect(clean.trim()).toBe('.signet i{color:red}')
  })

  test('a nested rule, with the rest of what it may belong to', () => {
    expect(sheet('a{color:red;&:hover{position:fixed}}b{color:blue}')).toBe(
      '.signet a{color:red}.signet b{color:blue}',
    )
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
    expect(sheet(`i{color:red}${open} b{color:blue}`)).toBe('.signet i{color:red}')
  })

  test('a sheet over the limit, as a whole', () => {
    const rule = '.signet i{color:red}'
    const fits = rule + ' '.repeat(MAX_STYLE_CHARACTERS - rule.length)
    expect(sheet(fits)).toBe(fits)
    expect(sheet(`${fits} `)).toBe('')
    // What is written counts, too.
    expect(sheet(fits.replace('.signet ', ' '.repeat(7)))).toBe('')
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
      expect(written.startsWith('.signet i{color:red}')).toBe(true)
      const clean = sheet(given)
      expect(sheet(`${clean}u{color:blue}`)).toBe(`${clean}.signet u{color:blue}`)
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
    '.signet a{background:url(cid:a.png)}',
  )
})

test.each([
  ['color : red', 'color: red'],
  ['color /* a */ : red', 'color: red'],
  [' /**/ color:red', '  color:red'],
  [';;color:red', 'color:red'],
  ...[
    'color',
    ' color',
    'color ',
    'color/**/',
    'color red',
    'a b:c',
    '1:2',
    'co!lor:red',
    ' :red',
    'color:',
  ].map((style) => [style, '']),
])('the declaration %j is written as %j', (style, written) => {
  expect(cleanDeclarations(style, () => null)).toBe(written)
})
