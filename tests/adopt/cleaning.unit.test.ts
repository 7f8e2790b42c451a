import { fc, it as check } from '@fast-check/vitest'
import { parse, type DefaultTreeAdapterMap } from 'parse5'
import { describe, expect, it } from 'vitest'
import { cleanSignature } from '../../src/adopt/cleanSignature.ts'
import { NotAdopted } from '../../src/adopt/sample.ts'
import { checkingDocument } from '../../src/folder/checkFolder.ts'
import { pictureHash } from '../../src/folder/pictures.ts'
import { ALLOWED_ATTRIBUTES, ALLOWED_TAGS } from '../../streams/html/markup.ts'
import { sanitizeMarkup } from '../../streams/html/sanitizeMarkup.ts'
import { runSteps } from '../../streams/kernel/steps.ts'
import { firstRelease } from '../../streams/organisation/release/firstRelease.ts'
import { cases } from '../support/cases.ts'
import { COMPANIES } from '../support/companySignatures.ts'
import { png } from '../folder/pictures.ts'

// What is foreign, active or noise goes, and is named; what is seen stays.

const LOGO = png(4, 2)
const LOGO_FILE = `adopted/${pictureHash(LOGO)}.png`
const clean = (html: string, pictures: Readonly<Record<string, Uint8Array>> = {}) =>
  cleanSignature(html, new Map(Object.entries(pictures)))
/** What was taken out, as `reason kind name count`. */
const told = (html: string, pictures: Readonly<Record<string, Uint8Array>> = {}) =>
  clean(html, pictures).takenOut.map(({ reason, kind, name, count }) => `${reason} ${kind} ${name} ${count}`)

/** What the check says of a template, without what depends on pictures of the folder. */
function findingsOf(template: string, pictures: readonly string[] = []) {
  const document = firstRelease('Northwind', 'northwind.example')
  const [name] = Object.keys(document.templates)
  return runSteps(
    checkingDocument(
      {
        ...document,
        templates: { [name ?? '']: template },
        pictures: Object.fromEntries(pictures.map((path) => [path, pictureHash(LOGO)])),
      },
      0,
    ),
  ).filter(({ code }) => code !== 'styleBound' && code !== 'noLabel')
}

const WORD = `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head><meta http-equiv=Content-Type content="text/html; charset=windows-1252"><meta name=Generator content="Microsoft Word 15">
<link rel=File-List href="sig_files/filelist.xml">
<!--[if gte mso 9]><xml><o:OfficeDocumentSettings><o:AllowPNG/></o:OfficeDocumentSettings></xml><![endif]-->
<style><!--
 /* Font Definitions */
 @font-face {font-family:Calibri; panose-1:2 15 5 2 2 2 4 3 2 4;}
 p.MsoNormal, li.MsoNormal, div.MsoNormal {mso-style-unhide:no; margin:0cm; font-size:11.0pt; font-family:"Calibri",sans-serif; mso-fareast-font-family:Calibri;}
 p.MsoHeader {margin:1cm}
 @page WordSection1 {size:612.0pt 792.0pt;}
 div.WordSection1 {page:WordSection1;}
--></style></head>
<body lang=EN-GB link="#0563C1" style='tab-interval:36.0pt;font-family:Arial'><div class=WordSection1>
<p class=MsoNormal><span style='mso-fareast-language:EN-GB'><o:p>&nbsp;</o:p></span></p>
<p class=MsoNormal><b><span lang=EN-US style='font-size:10.0pt;mso-no-proof:yes;color:#1F497D'>Maria Silva</span></b><o:p></o:p></p>
<p class=MsoNormal><b></b></p>
<p class=MsoNormal><!--[if gte vml 1]><v:shape><v:imagedata src="sig_files/image001.png"/></v:shape><![endif]--><![if !vml]><img width=96 height=48 src="sig_files/image001.png" v:shapes="Picture_x0020_1"><![endif]></p>
</div></body></html>`

describe('a signature of Word', () => {
  const { html, pictures, takenOut } = clean(WORD, { 'sig_files/image001.png': LOGO })

  it('keeps what is seen, with the rules that fit it in its elements [ADOPT-2]', () => {
    const normal = 'style="margin:0cm;font-size:11.0pt;font-family:&quot;Calibri&quot;,sans-serif"'
    expect(html.split('\n')).toEqual([
      '<!--[if gte mso 9]><xml><o:officedocumentsettings><o:allowpng /></o:officedocumentsettings></xml><![endif]-->',
      '<div lang="EN-GB" style="font-family:Arial"><div>',
      `<p ${normal}>&nbsp;</p>`,
      `<p ${normal}><b><span lang="EN-US" style="font-size:10.0pt;color:#1F497D">Maria Silva</span></b></p>`,
      `<p ${normal}><img width="96" height="48" src="{{picture ${LOGO_FILE}}}" alt=""></p>`,
      '</div></div>',
    ])
    expect([...pictures]).toEqual([[LOGO_FILE, LOGO]])
  })

  it('says what was taken out, and why [ADOPT-2]', () => {
    const names = takenOut.map(({ reason, kind, name }) => `${reason} ${kind} ${name}`)
    expect(names).toEqual(
      expect.arrayContaining([
        ...['noise element o:p', 'noise element meta', 'noise element link'],
        ...[
          'noise comment [if gte vml 1]',
          'noise style mso-no-proof',
          'noise style mso-fareast-font-family',
        ],
        ...['noise style @font-face', 'noise style @page', 'noise attribute v:shapes', 'noise empty p'],
        ...['noise attribute class WordSection1', 'noise attribute xmlns:o'],
      ]),
    )
    expect(new Set(takenOut.map(({ reason }) => reason))).toEqual(new Set(['noise']))
  })

  it('is a template without a finding of the check', () => {
    expect(findingsOf(html, [LOGO_FILE])).toEqual([])
  })
})

describe('what the insertion keeps', () => {
  const BUTTON =
    '<!--[if mso]><v:roundrect xmlns:w="urn:schemas-microsoft-com:office:word" href="https://northwind.example/" style="height:40px;width:120px" fillcolor="#0a5a3c"><w:anchorlock></w:anchorlock><center>Visit us</center></v:roundrect><![endif]-->'

  it.each([
    ['a button for Word', BUTTON],
    [
      'settings that Word draws by',
      '<!--[if gte mso 9]><xml><o:pixelsperinch>96</o:pixelsperinch></xml><![endif]-->',
    ],
    ['marks that reveal', '<!--[if !mso]><!-->'],
    ['marks that reveal to others', '<!--[if !ie]><!-->'],
    [
      'a class of a sheet for Word',
      '<!--[if mso]><style>.wide{width:600px}</style><![endif]--><b class="wide">y</b>',
    ],
  ])('stays: %s [ADOPT-2]', (_what, markup) => {
    const html = `<p>x</p><div>${markup}</div>`
    expect(clean(html).html).toBe(sanitizeMarkup(html, 'insert'))
    expect(sanitizeMarkup(html, 'insert').replace('.signet ', '')).toBe(html)
  })

  it('is revealed by a comment where a mark of Word reveals it [ADOPT-2]', () => {
    const marked = (begin: string, end: string) => `<p>x</p>${begin}<b>y</b>${end}`
    expect(clean(marked('<![if !mso]>', '<![endif]>')).html).toBe(
      marked('<!--[if !mso]><!-->', '<!--<![endif]-->'),
    )
    expect(clean(marked('<![if !vml]>', '<![endif]>')).html).toBe(marked('', ''))
  })

  it.each([
    ['dir="rtl" lang="ar"', '<div dir="rtl" lang="ar">'],
    ['bgcolor="00ff00" text="navy"', '<div style="background-color:#00ff00;color:navy">'],
    ['style="margin:0;width:100%;padding:4px;background:#eee"', '<div style="padding:4px;background:#eee">'],
    ['class="note"', '<div style="color:red">'],
    ['leftmargin="0" xmlns:v="x"', ''],
  ])('of the tag of a document goes to an element around: %s [ADOPT-2]', (attributes, around) => {
    const html = `<style>.note{color:red}</style><html><body ${attributes}><p>x</p></body></html>`
    expect(clean(html).html).toBe(around === '' ? '<p>x</p>' : `${around}<p>x</p></div>`)
  })

  it('has the colour of links of the document, unless a link has its own [ADOPT-2]', () => {
    const links = '<a href="https://a.example/">a</a><a style="color:red" href="https://b.example/">b</a>'
    expect(clean(`<body link="#0563C1">${links}</body>`).html).toBe(
      '<a href="https://a.example/" style="color:#0563C1">a</a><a style="color:red" href="https://b.example/">b</a>',
    )
  })
})

describe('what goes', () => {
  it.each([
    ['a script', '<p>x</p><script>alert(1)</script>', ['active element script 1']],
    [
      'a handler',
      '<p onclick="x()" onload=y>x</p>',
      ['active attribute onclick 1', 'active attribute onload 1'],
    ],
    ['the handler of the body', '<body onload=y><p>x</p>', ['active attribute onload 1']],
    ['a link that runs', '<a href="java\nscript:x()">x</a>', ['active address javascript: 1']],
    ['a link to a file', '<a href="file:///c:/x">x</a>', ['notMail address file: 1']],
    ['a link that leads nowhere', '<a href="#">x</a>', ['notMail address # 1']],
    ['a style that runs', '<p style="width:expression(x);color:red">x</p>', ['active style width 1']],
    ['a style that moves', '<p style="position:fixed;color:red">x</p>', ['notMail style position 1']],
    [
      'what loads elsewhere',
      '<p>x</p><iframe src="https://a.example"></iframe>',
      ['active element iframe 1'],
    ],
    ['a form', '<form action="https://a.example"><p>x</p></form>', ['active element form 1']],
    [
      'a picture in sizes',
      '<img src="https://a.example/a.png" srcset="b 2x">',
      ['active attribute srcset 1'],
    ],
    ['a drawing', '<p>x</p><svg><path onload=x /></svg>', ['notMail element svg 1']],
    ['a sheet from elsewhere', '<style>@import "x";p{color:red}</style><p>x</p>', ['active style @import 1']],
    ['a rule for nothing', '<style>h1{color:red}</style><p>x</p>', ['noise style style 1']],
    [
      'an attribute of a program',
      '<p data-x=1 foo=2>x</p>',
      ['notMail attribute foo 1', 'noise attribute data-x 1'],
    ],
    ['a cell without a table', '<td>x</td>', ['notMail element td 1']],
    ['a picture whose file is missing', '<p>x<img src="a/b.png"></p>', ['missing picture b.png 1']],
    [
      'a path of one computer',
      '<p>x<img src="file:///c:/logo.png"></p>',
      ['missing picture file:///c:/logo.png 1'],
    ],
    ['a comment', '<!-- x --><p>x</p>', ['noise comment comment 1']],
    [
      'a comment whose sheet draws nothing',
      '<!--[if gte mso 10]>\n<style>\n/* x */ p {mso-style-name:"a"; mso-style-parent:""}\n@page a {size:1cm}\n' +
        'table.b, td.c {font-size:1pt}</style>\n<![endif]--><p>x</p>',
      ['noise comment [if gte mso 10] 1'],
    ],
  ])('is named: %s [ADOPT-2]', (_, html, expected) => {
    expect(told(html)).toEqual(expected)
    expect(findingsOf(clean(html).html)).toEqual([])
  })

  it('is a picture that is none, or too large, and an own file of none [ADOPT-2]', () => {
    const html =
      '<p>x<img src="a.png"><img src="b.png"><img src="cid:c"><img src="data:image/svg+xml;base64,AAAA"></p>'
    expect(
      told(html, { 'a.png': Buffer.from('<svg/>'), 'b.png': png(5000, 1), 'cid:c': png(1, 1, 2_000_000) }),
    ).toEqual([
      ...[
        'unreadable picture a.png 1',
        'unreadable picture data: 1',
        'limit picture b.png 1',
        'limit picture cid:c 1',
      ],
    ])
  })

  it('says at most 300 names, and one for the others', () => {
    const html = `<p ${Array.from({ length: 400 }, (_, index) => `x${String(index)}=1`).join(' ')}>x</p>`
    const { takenOut } = clean(html)
    expect(takenOut).toHaveLength(301)
    expect(takenOut.find(({ name }) => name === '…')?.count).toBe(100)
  })
})

describe('a picture', () => {
  it('that only a link leads to stays linked, by https [ADOPT-2]', () => {
    const { html, linked, takenOut } = clean(
      '<img src="http://cdn.example/a.png" alt="A"><img src="https://cdn.example/b.png" alt="">',
    )
    expect(linked).toEqual(['https://cdn.example/a.png', 'https://cdn.example/b.png'])
    expect(html).toBe(
      '<img src="https://cdn.example/a.png" alt="A"><img src="https://cdn.example/b.png" alt="">',
    )
    expect(takenOut).toEqual([{ kind: 'address', name: 'http:', reason: 'notMail', count: 1 }])
  })

  it('becomes a file by its content, wherever it stands: once for the same content', () => {
    const data = `data:image/png;base64,${LOGO.toString('base64')}`
    const { html, pictures } = clean(
      `<table background="a.png"><tr><td style="background:url('x/a.png')"><img src="${data}"><img src="cid:y"></td></tr></table>`,
      { 'a.png': LOGO, 'x/a.png': LOGO, 'cid:y': LOGO },
    )
    expect([...pictures.keys()]).toEqual([LOGO_FILE])
    expect(html.split(`{{picture ${LOGO_FILE}}}`)).toHaveLength(5)
    expect(findingsOf(html, [LOGO_FILE])).toEqual([])
  })

  it('that was fetched is a file, too', () => {
    for (const address of ['https://cdn.example/b.png', 'http://cdn.example/b.png']) {
      const { html, linked } = clean(`<img src="${address}">`, { 'https://cdn.example/b.png': LOGO })
      expect({ html, linked }).toEqual({ html: `<img src="{{picture ${LOGO_FILE}}}" alt="">`, linked: [] })
    }
  })
})

describe('a style sheet', () => {
  const sheetOf = (sheet: string, body: string) =>
    /<style>\n([^]*)\n<\/style>/.exec(clean(`<style>${sheet}</style>${body}`).html)?.[1]

  it('keeps the rules that fit an element, a class, or an element with its class', () => {
    const sheet =
      'p{color:red}h1,p.a{color:blue}.a>b,.b{color:green}div.a{color:black}.a:hover{x:1;color:red}'
    expect(sheetOf(sheet, '<p class="a"><b>x</b></p><div>y</div>')?.split('\n')).toEqual([
      ...['p {color:red}', 'p.a {color:blue}', '.a>b {color:green}', '.a:hover {x:1;color:red}'],
    ])
  })

  it('keeps rules of a medium, and of the body', () => {
    const sheet =
      'body{margin:0}@media (max-width:400px){.a{width:100%}.b{width:0}}@media print{@media x{p{color:red}}}'
    expect(sheetOf(sheet, '<p class="a">x</p>')).toBe(
      'body {margin:0}\n@media (max-width:400px){\n.a {width:100%}\n}\n@media print{\n@media x{\np {color:red}\n}\n}',
    )
  })

  it('leaves out what is not closed, and what no mail client takes', () => {
    expect(sheetOf('p:hover{color:red}p::before(x){color:red}p{color:blue', '<p>x</p>')).toBe(
      'p:hover {color:red}',
    )
  })

  it('becomes the style of the elements, in the order in which its rules win', () => {
    const sheet =
      '.a{color:green;font-size:9pt}p{color:red;margin:0}p.a{color:blue}p{margin:1px}a:link,a:visited{color:navy}a{color:red;font-size:8pt}@media print{p{color:red!important}}body{margin:0}'
    const body =
      '<p>1</p><p class="a b" style="margin-top:2px;font-size:7pt">2</p><a href="https://a.example">3</a><a>4</a>'
    expect(clean(`<style>${sheet}</style>${body}`).html.split('\n')).toEqual([
      ...['<style>', '@media print{', 'p {color:red!important}', '}', 'body {margin:0}', '</style>'],
      '<p style="color:red;margin:1px">1</p><p style="margin:1px;color:blue;margin-top:2px;font-size:7pt">2</p><a href="https://a.example" style="font-size:8pt;color:navy">3</a><a style="color:red;font-size:8pt">4</a>',
    ])
  })

  it.each([
    ['a rule that is more than an element and a class', 'p{color:red}p b{color:blue}'],
    ['a rule that wins over inline styles', 'p{color:red!important}'],
    ['a rule of a medium that would lose to them', '@media print{p{color:red}}p{color:blue}'],
    ['more rules than a signature has', '.a{color:red}'.repeat(201)],
    ['more characters than a signature may have', `p{font-family:${'x'.repeat(20_000)}}`],
  ])('stays one with %s', (_, sheet) => {
    const { html } = clean(`<style>${sheet}</style><p class="a">x<b>y</b></p><p>z</p>`)
    expect(html).toContain('<style>')
    expect(html).not.toContain('style=')
  })
})

describe('what stays', () => {
  it('are tables and inline styles as they are, and what only Word draws', () => {
    const html =
      '<!--[if mso]><table width="400"><tr><td><![endif]--><table cellpadding="0" border="0"><tbody><tr><td style="padding:0 4px;mso-line-height-rule:exactly">x</td></tr></tbody></table><!--[if mso]></td></tr></table><![endif]-->'
    expect(clean(html)).toMatchObject({ html, takenOut: [] })
  })

  it.each([
    '<style>p{font-family:Arial}</style>',
    '<style>p{mso-line-height-rule:exactly}</style>',
    '<style>p{mso-style-name:a}</style><p>y</p>',
    '<style>@media print{p{color:red}}</style>',
  ])('is a comment for Word that draws something: %s', (inner) => {
    expect(told(`<!--[if mso]>${inner}<![endif]--><p>x</p>`)).toEqual([])
  })

  it('are braces of the text', () => {
    expect(clean('<p>{{x}} %%FirstName%%</p>').html).toBe('<p>{{x}} %%FirstName%%</p>')
  })

  it('is the blank of an empty element between words', () => {
    expect(clean('<p>a<span> </span>b<i></i> c</p>').html).toBe('<p>a b c</p>')
  })

  it('is an empty paragraph that has a height, and one of the text', () => {
    const html = '<p style="height:4px"></p><p>&nbsp;</p>x<p style="color:red"></p>'
    expect(clean(html).html).toBe('<p style="height:4px"></p><p>&nbsp;</p>x')
  })

  it('is something: a signature of which nothing is left is refused', () => {
    expect(() => clean('<script>x</script><p></p>')).toThrow(NotAdopted)
    expect(() => clean(`${'<i>'.repeat(10_001)}x`)).toThrow('after cleaning')
  })

  it.each(COMPANIES.map(({ kind, html }) => [kind, html] as const))(
    'of a company passes the check: %s [ADOPT-1]',
    (_, html) => {
      const cleaned = clean(html)
      expect(findingsOf(cleaned.html).filter(({ code }) => code !== 'emptyLink')).toEqual([])
      expect(cleaned.takenOut.filter(({ reason }) => reason === 'active')).toEqual([])
    },
  )
})

type Node = DefaultTreeAdapterMap['node']

/** All elements as a browser's parser makes them. */
function elementsIn(html: string): readonly DefaultTreeAdapterMap['element'][] {
  const found: DefaultTreeAdapterMap['element'][] = []
  const visit = (node: Node) => {
    if ('tagName' in node) found.push(node)
    if ('childNodes' in node) for (const child of node.childNodes) visit(child)
    if ('content' in node) visit(node.content)
  }
  visit(parse(html))
  return found
}

const PIECES = [
  ...['<script>', '</script>', '<img src=x onerror=alert(1)>', '<svg onload=alert(1)>', '</svg>', '<math>'],
  ...['<style>', '</style>', '@import "https://evil.example";', 'p{background:url(https://evil.example/x)}'],
  ...['<p style="background:url(javascript:x)">', '<p style="', '"', "'", '>', '<', '</p>', '<!--', '-->'],
  ...[
    '<!--[if mso]>',
    '<![endif]-->',
    '<!--[if gte vml 1]>',
    '<![if !vml]>',
    '<v:imagedata src="https://e/x">',
  ],
  ...[
    '<a href="javascript:alert(1)">',
    '<a href=" data:text/html,x">',
    '<a href="&#106;avascript:x">',
    '</a>',
  ],
  ...['<iframe srcdoc="<script>">', '<object data=x>', '<embed src=x>', '<base href=https://evil.example>'],
  ...[
    '<meta http-equiv=refresh content="0;url=x">',
    '<link rel=stylesheet href=x>',
    '<form action=x>',
    '<input>',
  ],
  ...[
    '<template>',
    '<noscript>',
    '<textarea>',
    '<title>',
    '<xmp>',
    '<plaintext>',
    '<select>',
    '<table>',
    '<td>',
  ],
  ...[
    '<xml>',
    '</xml>',
    '<o:p>',
    '</o:p>',
    '<span>',
    '</span>',
    '<img src="a.png">',
    '<img src="cid:a"',
    '<body ',
  ],
  ...[
    'onload=x',
    'style=',
    'src=//evil.example/x',
    'x',
    ' ',
    '\n',
    '&nbsp;',
    '&#x3c;script&#x3e;',
    '\0',
    '{{picture x}}',
  ],
  ...[
    '<img src="data:text/html;base64,AAAA">',
    '<img src="https://ok.example/a.png">',
    'é',
    '</',
    '<p\0>',
    '/',
  ],
]

const hostile = fc
  .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ maxLength: 6 })), {
    maxLength: 40,
  })
  .map((pieces) => pieces.join(''))

describe('of any html', () => {
  check.prop([hostile], cases(1_000))(
    'no script, handler or request comes through but the linked pictures that are named [ADOPT-2]',
    (html) => {
      let cleaned
      try {
        cleaned = clean(html, { 'a.png': LOGO })
      } catch (error) {
        expect(error).toBeInstanceOf(NotAdopted)
        return
      }
      const known = new Set([...cleaned.linked, `{{picture ${LOGO_FILE}}}`])
      for (const { tagName, attrs, childNodes } of elementsIn(cleaned.html)) {
        expect(ALLOWED_TAGS.has(tagName) || ['html', 'head', 'body'].includes(tagName), tagName).toBe(true)
        for (const { name, value } of attrs) {
          expect(ALLOWED_ATTRIBUTES.has(name) || name === 'id' || name === 'name', name).toBe(true)
          if (name === 'src' || name === 'background') expect(known).toContain(value)
          if (name === 'href') expect(value).toMatch(/^(?:https?:|mailto:|tel:|ftp:|#|[^:]*(?:[/?#]|$))/i)
          if (name === 'style') expectQuiet(value, known)
        }
        if (tagName === 'img') expect(attrs.map(({ name }) => name)).toContain('alt')
        if (tagName === 'style')
          for (const child of childNodes) if ('value' in child) expectQuiet(child.value, known)
      }
    },
  )

  check.prop([hostile], cases(300))(
    'the check refuses nothing of the markup that is left [ADOPT-2]',
    (html) => {
      let cleaned
      try {
        cleaned = clean(html, { 'a.png': LOGO })
      } catch {
        return
      }
      const refused = /^(?:element|handler|attribute|address|activeStyle|emptyLink|\w+LeftOut)$/
      expect(findingsOf(cleaned.html, [LOGO_FILE]).filter(({ code }) => refused.test(code))).toEqual([])
    },
  )
})

function expectQuiet(css: string, known: ReadonlySet<string>): void {
  expect(css).not.toMatch(/expression|javascript|@import|behavior|-moz-binding/i)
  for (const [, address = ''] of css.matchAll(/url\(\s*['"]?([^'")]*)/gi)) expect(known).toContain(address)
}
