import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withoutUnsupported } from '../../../src/folder/readers.ts'
import { asClassicOutlook } from '../../../streams/html/classicOutlook.ts'
import { sanitizeMarkup } from '../../../streams/html/sanitizeMarkup.ts'
import { tokensOf } from '../../../streams/html/tokens.ts'
import { cases } from '../../support/cases.ts'
import { brokenMarkup, nastyMarkup } from '../../support/markup.ts'

// What classic Outlook draws of a signature.

const PROPERTIES = (
  'accent-color align-items animation aspect-ratio background-blend-mode background-clip background-image ' +
  'background-origin background-position background-repeat background-size border-image border-radius ' +
  'border-spacing box-shadow box-sizing caption-side clip-path column-count empty-cells filter float ' +
  'font-kerning font-stretch hyphens justify-content list-style-image list-style-position max-block-size ' +
  'min-inline-size mix-blend-mode object-fit object-position opacity orphans outline outline-offset overflow ' +
  'overflow-wrap position resize shape-margin shape-outside tab-size table-layout text-align-last ' +
  'text-decoration-color text-decoration-thickness text-emphasis text-emphasis-position text-orientation ' +
  'text-overflow text-shadow text-underline-offset text-wrap transition user-select visibility white-space ' +
  'white-space-collapse widows word-spacing z-index color background-color font-family font-size font-weight ' +
  'font-style line-height text-align text-decoration vertical-align letter-spacing border border-top ' +
  'border-collapse list-style-type direction text-indent padding margin width height'
).split(' ')

const inCell = (style: string) => `<table><tr><td style="${style}">x</td></tr></table>`

describe('classic Outlook draws', () => {
  test.each(PROPERTIES)('%s only if Can I email says so', (property) => {
    const html = inCell(`${property}:1px`)
    expect(asClassicOutlook(html)).toBe(withoutUnsupported(html, 'outlook-windows').replace(' style=""', ''))
  })

  test.each([
    ['p', 'padding:4px', false],
    ['td', 'padding-left:4px', true],
    ['a', 'padding:4px', false],
    ['div', 'width:9px', false],
    ['img', 'width:9px', false],
    ['table', 'width:9px', true],
    ['img', 'height:9px', true],
    ['div', 'height:9px', false],
    ['img', 'max-width:9px', false],
    ['table', 'max-width:9px', true],
    ['span', 'margin:4px', false],
    ['p', 'margin:4px', true],
    ['table', 'margin:0 auto', false],
    ['div', 'display:none', true],
    ['img', 'display:none', false],
    ['a', 'display:inline-block', false],
    ['td', 'display:flex', false],
    ['td', 'background:#036', true],
    ['td', 'background:navy!important', true],
    ['td', 'background:rgb(1,2,3)', true],
    ['td', 'background:#036 url(a.png)', false],
    ['td', 'background:url(a.png)', false],
    ['td', 'background:linear-gradient(red,blue)', false],
    ['td', 'color:rgba(1,2,3,.5)', false],
    ['td', 'width:calc(1px + 2px)', false],
    ['td', 'font-size:1rem', false],
    ['td', 'font-size:1em', true],
    ['td', 'color:initial', false],
    ['td', 'text-transform:lowercase', false],
    ['td', 'text-transform:uppercase', true],
    ['td', '-webkit-border-radius:4px', false],
    ['td', 'margin-inline-start:4px', false],
    ['td', 'max-inline-size:4px', false],
    ['td', 'border-top-left-radius:4px', false],
    ['td', 'row-gap:4px', false],
    ['td', 'flex-direction:row', false],
    ['td', 'background-color:red', true],
    ['td', 'mso-line-height-rule:exactly', true],
  ])('%s with %s: %s', (element, style, isDrawn) => {
    const drawn = asClassicOutlook(`<${element} style="color:red;${style}">`)
    expect(drawn).toBe(`<${element} style="color:red;${isDrawn ? style : ''}">`)
  })

  test('no background picture, and no element that it does not know', () => {
    expect(asClassicOutlook('<td background="a.png" bgcolor="#036"><figure>x</figure>')).toBe(
      '<td bgcolor="#036">x',
    )
  })

  test('the values of styles with semicolons and quotes', () => {
    const html = `<p style="font-family:'A;opacity:1',&quot;B&quot;;opacity:1">`
    expect(asClassicOutlook(html)).toBe(`<p style="font-family:'A;opacity:1',&quot;B&quot;;">`)
  })

  test.each([
    ['.a{color:red;opacity:1}', '.a{color:red;}'],
    ['.signet td.a, .signet th{padding:1px}', '.signet td.a,.signet th{padding:1px}'],
    ['.signet p{padding:1px;color:red}', '.signet p{color:red}'],
    ['.a{padding:1px}', '.a{padding:1px}'],
    ['@media (max-width:400px){.a{color:red}}.b{color:red}', '.b{color:red}'],
    ['a:hover{color:red}.a > b{color:red}.a + b{color:red}*{color:red}[dir]{color:red}', ''],
    ['a:hover,a:link,.a.b{color:red}', 'a:link{color:red}'],
    ['.a{opacity:1}', ''],
    ['.a{color:red', ''],
  ])('of the style sheet %s only %s', (sheet, drawn) => {
    expect(asClassicOutlook(`<style>${sheet}</style>`)).toBe(`<style>${drawn}</style>`)
  })

  test('what is written for Word, and not what is hidden from it', () => {
    const html = '<!--[if mso]><b>Word</b><![endif]--><!--[if !mso]><!--><i>others</i><!--<![endif]-->'
    expect(asClassicOutlook(html)).toBe('<b>Word</b>')
  })

  test('a shape in its size', () => {
    const html = '<!--[if mso]><v:rect style="width:90px" fillcolor="#036">x</v:rect><![endif]-->'
    expect(asClassicOutlook(html)).toBe(
      '<span style="display:inline-block;background-color:#036;width:90px">x</span>',
    )
  })
})

describe('of any clean signature', () => {
  const clean = (profile: 'insert' | 'preview') =>
    fc.oneof(brokenMarkup, nastyMarkup).map((html) => sanitizeMarkup(html, profile))
  const seen = (html: string) =>
    Array.from(tokensOf(html)).flatMap((token) =>
      token.kind === 'text'
        ? html.slice(token.start, token.end)
        : token.kind === 'open' && token.name === 'img'
          ? '<img>'
          : [],
    )

  test('all words and pictures stay in their order, without comments for Word', () => {
    fc.assert(
      fc.property(clean('preview'), (html) => {
        expect(seen(asClassicOutlook(html)).join('')).toBe(seen(html).join(''))
      }),
      cases(200),
    )
  })

  test('a second time changes nothing', () => {
    fc.assert(
      fc.property(clean('insert'), (html) => {
        const once = asClassicOutlook(html)
        expect(asClassicOutlook(once)).toBe(once)
      }),
      cases(200),
    )
  })

  test('the sanitiser removes no word or picture of it', () => {
    fc.assert(
      fc.property(clean('preview'), (html) => {
        const drawn = asClassicOutlook(html)
        expect(seen(sanitizeMarkup(drawn, 'preview')).join('')).toBe(seen(drawn).join(''))
      }),
      cases(200),
    )
  })
})
