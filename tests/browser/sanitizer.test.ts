import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildPages } from '../../src/build/bundle.ts'
import { listen, portOf } from '../../src/build/ports.ts'
import { createPageServer } from '../../src/build/server.ts'
import { sanitizerContract } from '../engine/sanitizerContract.ts'
import { launchChromium } from './chromium.ts'

// The sanitiser keeps the markup that real signatures need unchanged, and removes harmful markup.

const PROJECT = join(import.meta.dirname, '..', '..')

let browser: Browser
let page: Page
const end: (() => unknown)[] = []

beforeAll(async () => {
  await mkdir(join(PROJECT, 'dist'), { recursive: true })
  const folder = await mkdtemp(join(PROJECT, 'dist', 'sanitizer-'))
  end.push(() => rm(folder, { recursive: true, force: true }))
  await buildPages({
    pages: [[join(import.meta.dirname, 'sanitizerPage.html')]],
    environment: {},
    folder: join(folder, 'pages'),
    cacheFolder: join(folder, 'cache'),
  })
  const server = createServer(
    createPageServer({ folder: join(folder, 'pages'), index: 'sanitizerPage.html', headersOf: () => ({}) }),
  )
  await listen(server, 0)
  end.push(() => server.close())
  browser = await launchChromium()
  end.push(() => browser.close())
  page = await browser.newPage()
  await page.goto(`http://localhost:${String(portOf(server))}/`)
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
    ['style blocks', '<style>.name { color: #0a5; font-weight: 700 }</style><p class="name">Alex</p>'],
    [
      'media queries in style blocks',
      '<style>@media (max-width:480px){.wide{display:none}}</style><p class="wide">x</p>',
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

describe('the sanitiser removes, also in conditional comments for Word', () => {
  test.each([
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
      '<style>p{color:red}</style>',
    ],
    ['<div style="position:fixed">x</div>', '<div>x</div>'],
    ['<scr<script></script>ipt>alert(1)</script>', 'ipt&gt;alert(1)'],
  ])('%s', async (dirty, clean) => {
    const found = await sanitize(`<p>a</p><!--[if mso]>${dirty}<![endif]-->`)
    expect(found).toBe(`<p>a</p><!--[if mso]>${clean}<![endif]-->`)
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
