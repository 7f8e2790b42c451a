import fc from 'fast-check'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sanitizerContract } from '../engine/sanitizerContract.ts'
import { ALLOWED_ATTRIBUTES, ALLOWED_TAGS } from '../../streams/html/markup.ts'
import { cases } from '../support/cases.ts'
import { northwindPeople, signaturesOf } from '../support/northwind.ts'
import { brokenMarkup, harmlessMarkup, nastyMarkup, PICTURES } from '../support/markup.ts'
import { MAX_GROWTH } from '../growth/cases.ts'
import { image } from '../support/state.ts'
import { launchChromium } from './chromium.ts'
import { servePage } from './ownPage.ts'

// The sanitiser keeps the markup that real signatures need unchanged, and removes harmful markup.

let browser: Browser
let page: Page
let address: string
/** What the page said on its console. */
const said: string[] = []
const end: (() => unknown)[] = []

beforeAll(async () => {
  const served = await servePage('sanitizerPage.html')
  end.push(served.close)
  address = `${served.address}/`
  browser = await launchChromium()
  end.push(() => browser.close())
  page = await browser.newPage()
  page.on('console', (message) => {
    if (!message.location().url.endsWith('/favicon.ico')) said.push(message.text())
  })
  await page.goto(address)
  await page.waitForFunction(() => 'sanitize' in window)
})
afterAll(async () => {
  for (const close of end.reverse()) await close()
})

const sanitize = (html: string, profile: 'insert' | 'preview' = 'insert') =>
  page.evaluate(([dirty, wanted]) => window.sanitize(dirty, wanted), [html, profile] as const)

sanitizerContract('the sanitiser that ships', (html, profile, pictures = {}) =>
  page.evaluate(
    ([dirty, wanted, known]) => window.sanitize(dirty, wanted, (address) => known[address] ?? null),
    [html, profile, pictures] as const,
  ),
)

describe('the sanitiser keeps unchanged', () => {
  test.each([
    [
      'tables with their widths and colours',
      '<table cellpadding="0" cellspacing="0" border="0" width="420" bgcolor="#ffffff"><tbody><tr><td width="80" valign="top" align="left" style="padding:0 12px 0 0;border-right:1px solid #0a5">Alex</td></tr></tbody></table>',
    ],
    ['legacy presentational markup', '<font face="Arial" size="2" color="#336699">Alex <u>Kim</u></font>'],
    ['style blocks', '<style>.signet .name{ color: #0a5; font-weight: 700 }</style><p class="name">Alex</p>'],
    [
      'media queries in style blocks',
      '<style>@media (max-width:480px){.signet .wide{display:none}}</style><p class="wide">x</p>',
    ],
    [
      'links to telephones, mailboxes and pages',
      '<a href="tel:+4930123456">+49 30</a> <a href="mailto:a@b.example?subject=Hi">Mail</a> <a href="https://b.example/?a=1&amp;b=2">b</a>',
    ],
    ['content ids', '<img src="cid:lsi-attachlogo.png" width="40" height="40" alt="Logo">'],
    ['raster images as data', '<img src="data:image/png;base64,iVBORw0KGgo=" alt="Logo">'],
    [
      'declarations for Word',
      '<p style="mso-line-height-rule:exactly;mso-table-lspace:0pt;margin:0">Alex</p>',
    ],
    ['right-to-left text', '<p dir="rtl" lang="he">אלכס</p>'],
  ])('%s', async (_, html) => {
    expect(await sanitize(html)).toBe(html)
  })

  test('conditional comments for Word, also when one opens an element that another closes', async () => {
    const html =
      '<!--[if mso]><table width="420" cellpadding="0"><tr><td style="width:420px"><![endif]-->' +
      '<div style="max-width:420px">Alex</div><!--[if mso]></td></tr></table><![endif]-->'
    expect(await sanitize(html)).toBe(html)
    expect(await sanitize(html, 'preview')).toBe('<div style="max-width:420px">Alex</div>')
  })

  test('buttons in VML, and the conditional comments around markup that Word skips', async () => {
    const html =
      '<!--[if gte mso 9]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" xmlns:w="urn:schemas-microsoft-com:office:word" href="https://b.example/" style="height:36px;v-text-anchor:middle;width:120px" arcsize="10%" stroke="f" fillcolor="#0a5"><w:anchorlock /><center>Book</center></v:roundrect><![endif]-->' +
      '<!--[if !mso]><!--><a href="https://b.example/">Book</a><!--<![endif]-->'
    expect(await sanitize(html)).toBe(html)
  })

  test('conditional comments between the rows of a table, where a parser accepts no text', async () => {
    const html =
      '<table><tbody><!--[if mso]><tr><td height="8"></td></tr><![endif]--><tr><td>Alex</td></tr></tbody></table>'
    expect(await sanitize(html)).toBe(html)
  })
})

/** Markup, and what is left of it in a comment for Word. */
const HARMFUL: readonly (readonly [dirty: string, clean: string])[] = [
  ['<script>alert(1)</script>', ''],
  ['<p onclick="alert(1)">x</p>', '<p>x</p>'],
  ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
  ['<a href="&#106;avascript:alert(1)">x</a>', '<a>x</a>'],
  ['<a href="javascript&colon;alert(1)">x</a>', '<a>x</a>'],
  ["<a href='\\\\host\\share'>x</a>", '<a>x</a>'],
  ['<a href="file://host/share">x</a>', '<a>x</a>'],
  ['<v:fill src="\\\\host\\share\\a.png" color="#fff">', '<v:fill color="#fff">'],
  ['<v:imagedata src="data:image/svg+xml;base64,AA==">', '<v:imagedata>'],
  ['<iframe src="https://evil.example">x</iframe>', ''],
  ['<object data="x"><p>y</p></object>', ''],
  ['<form action="https://evil.example"><input name="password">x</form>', 'x'],
  ['<p style="width:expression(alert(1));color:red">x</p>', '<p style="color:red">x</p>'],
  ['<p style="background:url(&#106;avascript:alert(1))">x</p>', '<p>x</p>'],
  [
    '<style>@import "https://evil.example/a.css";p{behavior:url(x.htc);color:red}</style>',
    '<style>.signet p{color:red}</style>',
  ],
  ['<div style="position:fixed">x</div>', '<div>x</div>'],
  ['<scr<script></script>ipt>alert(1)</script>', 'ipt&gt;alert(1)'],
]

describe('the sanitiser removes, also in conditional comments for Word', () => {
  test.each(HARMFUL)('%s', async (dirty, clean) => {
    const found = await sanitize(`<p>a</p><!--[if mso]>${dirty}<![endif]-->`)
    // A comment that has nothing left is left out.
    expect(found).toBe(clean === '' ? '<p>a</p>' : `<p>a</p><!--[if mso]>${clean}<![endif]-->`)
  })

  test.each([
    ['no condition', '<!-- a remark -->'],
    ['a condition for another program', '<!--[if IE]><p>x</p><![endif]-->'],
    ['an unclosed condition', '<!--[if mso]><p>x</p>-->'],
    ['the form of an internal placeholder', '<!--kept:0-->'],
    ['an excessive length', `<!--[if mso]>${'x'.repeat(31_000)}<![endif]-->`],
  ])('a comment with %s', async (_, comment) => {
    expect(await sanitize(`<p>a</p>${comment}`)).toBe('<p>a</p>')
  })

  test('markup whose removal would otherwise close the comment', async () => {
    const found = await sanitize(
      '<!--[if mso]>-<-><img src=x onerror=alert(1)>-<x>-><b>x</b><![endif]--><p>a</p>',
    )
    expect(found.match(/-->/g)).toHaveLength(1)
    expect(
      await page.evaluate((html) => new DOMParser().parseFromString(html, 'text/html').images.length, found),
    ).toBe(0)
  })
})

describe('the sanitiser keeps for screen readers and links', () => {
  test('what an element is, what it says, and what is hidden', async () => {
    const html =
      '<table role="presentation"><tbody><tr><td role="none" aria-label="Address">x<img role="img" aria-hidden="true" alt=""></td></tr></tbody></table>'
    expect(await sanitize(html)).toBe(html)
    expect(await sanitize(html, 'preview')).toBe(html)
  })

  test('no other role, and nothing else of ARIA', async () => {
    expect(await sanitize('<p role="dialog" aria-hidden="yes" aria-live="off" aria-owns="x">x</p>')).toBe(
      '<p>x</p>',
    )
  })

  test('the targets of its own links, also of links in front of them', async () => {
    const html =
      '<a href="#legal-1">Legal</a><p id="legal-1">x</p><a name="top2">y</a><a href="#top2">Top</a>'
    expect(await sanitize(html)).toBe(html)
  })

  test('no other name, and none that a mail client or a script could take for its own', async () => {
    const names = [
      ...['divRplyFwdMsg1', 'x_1', 'gmail_1', 'olk-a', 'appendonsend-1', '_MailAutoSig1', 'a.1', '1a'],
      `a1${'b'.repeat(63)}`,
      // Without a digit or a hyphen, a document may have a property of that name.
      ...['Signature', 'legal', 'title'],
    ]
    const links = names.map((name) => `<a href="#${name}">x</a>`).join('')
    const marks = names.map((name) => `<p id="${name}">x</p><a name="${name}">x</a>`).join('')
    expect(await sanitize(links + marks + '<p id="legal-1">x</p><img name="legal-1">')).toBe(
      `${links}${names.map(() => '<p>x</p><a>x</a>').join('')}<p>x</p><img>`,
    )
    expect(await sanitize('<a href="#a-1">x</a><img name="a-1"><p name="a-1">x</p>')).toBe(
      '<a href="#a-1">x</a><img><p>x</p>',
    )
  })
})

describe('the sanitiser survives', () => {
  test('fields and pictures whose names stand for what a form or a document has', async () => {
    const names = [
      ...['attributes', 'childNodes', 'firstChild', 'nextSibling', 'nodeName', 'nodeType', 'parentNode'],
      ...[
        'appendChild',
        'cloneNode',
        'getAttributeNames',
        'ownerDocument',
        'querySelectorAll',
        'createElement',
      ],
    ]
    for (const name of names)
      expect(
        await sanitize(
          `<a href="#a-1">x</a><p id="a-1">y</p><img name="${name}"><form id="b"><input name="${name}"><b>z</b></form>end`,
        ),
      ).toBe('<a href="#a-1">x</a><p id="a-1">y</p><img><b>z</b>end')
  })

  test('20,000 characters of rules in each other, in a style, a comment and an attribute', async () => {
    const nested = 'a{'.repeat(10_000)
    expect(await sanitize(`<style>${nested}</style><p style="${nested}">x</p>`)).toBe(
      '<style></style><p>x</p>',
    )
    expect(await sanitize(`<svg><style>${nested}</style></svg><p>x</p>`)).toBe('<p>x</p>')
    expect(await sanitize(`<!--[if mso]><style>${nested}</style><![endif]-->x`)).toBe('x')
  })

  test('elements in elements: what is deeper than a hundred loses its tags', async () => {
    const nested = (depth: number) => `${'<b>'.repeat(depth)}x${'</b>'.repeat(depth)}`
    expect(await sanitize(nested(100))).toBe(nested(100))
    expect(await sanitize(`${'<b>'.repeat(400)}x`)).toBe(nested(100))
  })

  test('more comments for Word than any signature has, without those after the three hundredth', async () => {
    const comment = '<!--[if mso]><br><![endif]-->'
    expect(await sanitize(comment.repeat(301))).toBe(comment.repeat(300))
    // Comments that are left out do not count, and the count begins again with each signature.
    expect(await sanitize(`${'<!-- x -->'.repeat(301)}${comment}`)).toBe(comment)
  })

  test('html that is too long, or has too many tags, without reading it', async () => {
    expect(await sanitize('x'.repeat(200_001))).toBe('')
    expect(await sanitize('<br>'.repeat(10_001))).toBe('')
  })
})

describe('the steps of a page whose blocks of code are counted', () => {
  let counted: Page
  let devTools: CDPSession

  beforeAll(async () => {
    counted = await browser.newPage()
    devTools = await counted.context().newCDPSession(counted)
    await devTools.send('Profiler.enable')
    // Before the page's scripts: code that is compiled earlier counts only a part.
    await devTools.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    await counted.goto(address)
    await counted.waitForFunction(() => 'sanitize' in window)
  })
  afterAll(() => counted.close())

  /** How many blocks ran, however fast: the same on any machine. */
  async function stepsOf<Given>(work: (given: Given) => unknown, given: Given): Promise<number> {
    // Reading the counts resets them.
    await devTools.send('Profiler.takePreciseCoverage')
    await (counted.evaluate as (work: unknown, given: Given) => Promise<unknown>)(work, given)
    const { result } = await devTools.send('Profiler.takePreciseCoverage')
    return result
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0)
  }

  test('tell work that grows with the square of the length', async () => {
    const run = (length: number) =>
      stepsOf((most) => {
        let sum = 0
        for (let row = 0; row < most; row++) for (let column = 0; column < row; column++) sum += column
        return sum
      }, length)
    expect((await run(800)) / (await run(400))).toBeGreaterThan(3.5)
  })

  test.each([
    '<style></style>',
    '<style>a{b:c}</style>',
    '<p style="color:red">x</p>',
    '<a href="#x" id="x">x</a>',
    '<img src="https://cdn.example/a.png">',
    '<!--[if mso]><br><![endif]-->',
    '<svg></svg>',
    '<p a b c d>',
    '&lt;',
  ])('grow with the length of what is sanitised: %s', async (unit) => {
    const once = (length: number) =>
      stepsOf((html) => window.sanitize(html, 'insert').length, unit.repeat(length / unit.length))
    // The browser's own work on a page is counted, too, now and then.
    const run = async (length: number) => {
      let least = Infinity
      for (let times = 0; times < 5; times++) least = Math.min(least, await once(length))
      return least
    }
    expect((await run(40_000)) / (await run(20_000)), 'times as many steps').toBeLessThanOrEqual(MAX_GROWTH)
  })
})

test('for any html and any images: sanitising what is inserted or drawn changes nothing, and it stays in its place', async () => {
  const images = fc.subarray(PICTURES).map((urls) => urls.map((url) => image(url)))
  await fc.assert(
    fc.asyncProperty(brokenMarkup, images, async (given, known) => {
      const judged = await page.evaluate(([dirty, all]) => window.judge(dirty, all), [given, known] as const)
      if (judged === null) throw new Error('too large')
      expect(judged.insertedAgain).toBe(judged.inserted)
      expect(judged.inMessage).toBe(judged.inserted.trim() === '' ? null : judged.alone)
      expect(judged.drawnAgain).toBe(judged.drawn)
      expect(judged.drawn).not.toMatch(/<!--|<[^>]* (?:href|title)=/)
      const tags = new Set([...ALLOWED_TAGS, 'v:fill'])
      const attributes = new Set([...ALLOWED_ATTRIBUTES, 'id', 'name'])
      for (const name of ['contenteditable', 'data-signet-id', 'data-signet-hash', 'data-signet-mark'])
        attributes.add(name)
      expect(judged.tags.filter((tag) => !tags.has(tag))).toEqual([])
      expect(judged.attributes.filter((name) => !attributes.has(name))).toEqual([])
    }),
    cases(100, 5_000),
  )
})

/** The signatures of the demonstration, and their variants, by name. */
const SIGNATURES = northwindPeople.flatMap((owner) =>
  signaturesOf(owner, 'https://images.northwind.example').flatMap(({ name, html, variants }) =>
    [html, ...variants.map((variant) => variant.html)].map(
      (each, index) => [`${owner.id} ${name} ${index}`, each] as const,
    ),
  ),
)

/** Both sanitisers give the same, and a message stays as it is around it. */
const judgeMarkup = async (html: string, profile: 'insert' | 'preview' = 'insert') => {
  const found = await page.evaluate(([dirty, wanted]) => window.judgeMarkup(dirty, wanted), [
    html,
    profile,
  ] as const)
  expect(found.judged).toBe(found.written)
  expect(found.writtenAgain).toBe(found.written)
  expect(found.left).toEqual([])
  return found
}

describe('[AUTO-18] DOMPurify finds nothing to remove in what the sanitiser without a document writes:', () => {
  test.each(SIGNATURES)('%s', async (name, html) => {
    const { tree, ofBrowser } = await judgeMarkup(html)
    expect(tree.length > 0).toBe(html !== '')
    expect(tree).toEqual(ofBrowser)
    await judgeMarkup(html, 'preview')
    expect(name).not.toBe('')
  })

  test.each(HARMFUL)('of %s', async (dirty) => {
    for (const html of [
      dirty,
      `<p>a</p><!--[if mso]>${dirty}<![endif]-->`,
      `<table>${dirty}<tr><td>${dirty}`,
    ])
      await judgeMarkup(html)
  })

  test('of pieces in any order', async () => {
    await fc.assert(
      fc.asyncProperty(
        brokenMarkup,
        fc.constantFrom('insert' as const, 'preview' as const),
        async (html, profile) => {
          await judgeMarkup(html, profile)
        },
      ),
      cases(60, 4_000),
    )
  })

  test('of elements where they do not belong, with values that they should not have', async () => {
    await fc.assert(
      fc.asyncProperty(nastyMarkup, async (html) => {
        await judgeMarkup(html)
      }),
      cases(100, 6_000),
    )
  })

  test('of any legal markup, and it gives the same tree', async () => {
    await fc.assert(
      fc.asyncProperty(harmlessMarkup, async (html) => {
        const { tree, ofBrowser } = await judgeMarkup(html)
        expect(tree).toEqual(ofBrowser)
      }),
      cases(60, 4_000),
    )
  })
})

test('DOMPurify leaves the text alone of what it would change', async () => {
  const alone = (html: string, profile: 'insert' | 'preview' = 'insert') =>
    page.evaluate(([dirty, wanted]) => window.judgeAlone(dirty, wanted), [html, profile] as const)
  for (const kept of [
    '<p>a</p>b',
    '<style>.signet a{color:red}</style>b',
    '<!--[if mso]><br><![endif]-->b',
    '<a href="https://b.example/" title="b">b</a>',
    '<a href="#b-1">b</a><i id="b-1">c</i>',
    'b &lt;',
  ])
    expect(await alone(kept)).toBe(kept)
  for (const changed of [
    '<p onclick="a()">b</p>',
    '<script>a()</script><p>b</p>',
    '<a href="javascript:a()">b</a>',
    '<p style="color:red;position:fixed">b</p>',
    '<p style="position:fixed">b</p>',
    '<style>a{color:red}</style>b',
    '<!-- a -->b',
    '<i id="title">b</i>',
    '<i name="b-1">b</i>',
  ])
    expect([changed, await alone(changed)]).toEqual([changed, expect.not.stringMatching(/<[^b]|b>/)])
  expect(await alone('<a title="b">b</a>', 'preview')).toBe('b')
  expect(await alone('<p>&lt;a&gt; &amp;<p onclick="a()">b')).toBe('&lt;a&gt; &amp;<br>b')
})

describe('what a sanitiser gives is bounded by what it gets:', () => {
  test.each([
    'a href="#x"',
    'b',
    'big',
    'code',
    'em',
    'font',
    'i',
    'nobr',
    's',
    'small',
    'strike',
    'strong',
    'tt',
    'u',
  ])('the parser begins <%s> again in many paragraphs', async (element) => {
    const html = `<p><${element} title="${'&'.repeat(2_000)}"></p>${'<p>x'.repeat(3_000)}`
    const { length } = await sanitize(html)
    expect(length).toBeLessThan(8 * html.length + 40_000)
    expect(length).toBeGreaterThan(3_000)
  })
})

describe('a signature leaves the words around it where they are, and in sight:', () => {
  const cover =
    '<span style="display:inline-block;width:100%;height:300px;background:#fff;vertical-align:top">x</span>'
  const styles = [
    ...[
      'margin-top:-200px',
      'margin:-200px 0',
      'margin-block:-200px 0',
      'margin-top:-50vh',
      'margin-top:-15em',
    ],
    ...['margin-top:calc(0px - 200px)', 'margin-top:calc(-1 * 200px)', '-webkit-margin-before:-200px'],
    ...[
      'transform:translateY(-200px)',
      'translate:0 -200px',
      'scale:1 9',
      'rotate:180deg;transform-origin:50% 0',
    ],
    ...[
      'position:relative;top:-200px',
      'position:relative;inset:-200px 0 auto',
      'position:relative;bottom:200px',
    ],
    ...['position:relative;inset-block-start:-200px', 'position:fixed;inset:0', 'position:absolute;inset:0'],
    ...["offset-path:path('M 0 -200 L 1 -200')", "offset:path('M 0 -200 L 1 -200')"],
    ...['position:sticky;top:0;margin-bottom:-200px', 'zoom:.1;margin-top:-2000px'],
  ]
  test.each([
    ...styles.map((style) => `<div style="${style}">${cover}</div>`),
    ...styles.map(
      (style) => `<style>div.a{${style.replaceAll(';', '!important;')}}</style><div class="a">${cover}</div>`,
    ),
    `<style>body *{display:none!important}</style>`,
    `<style>html,body{visibility:hidden}</style>`,
    `<style>#above{display:none}#below{color:#fff}</style>`,
    `<style>.signet ~ *{display:none}</style>`,
    `<style>:root > body > :not(.signet){opacity:0}</style>`,
    `<style>:has(.signet) > *{font-size:1px}</style>`,
  ])('%s', async (html) => {
    const plain = await page.evaluate(() => window.beside('<p>Alex</p>', true))
    expect(plain.covered).toBe(0)
    const dirty = await page.evaluate((given) => window.beside(given, false), html)
    const harms = dirty.covered > 0 || JSON.stringify(dirty.boxes) !== JSON.stringify(plain.boxes)
    expect(harms).toBe(true)
    expect(await page.evaluate((given) => window.beside(given, true), html)).toEqual(plain)
  })
})

test('no signature makes the page write on its console', () => {
  expect(said).toEqual([])
})
