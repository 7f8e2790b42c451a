import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  QUOTE_STYLES,
  type QuoteHead,
  quoteHtml,
  quoteText,
} from '../../../src/playground/mailbox/profiles.ts'
import { createQuoteFinder, quoteStartInText } from '../../../streams/html/quotes.ts'
import { tokensOf } from '../../../streams/html/tokens.ts'

const quoteIn = (html: string): number => {
  const finder = createQuoteFinder(html, true)
  for (const token of tokensOf(html)) finder.read(token)
  return finder.quote()
}
const HEAD: QuoteHead = [
  ['From', 'Sam <sam@northwind.example>'],
  ['Sent', 'Friday'],
  ['Subject', 'Berths'],
]
const KNOWN = QUOTE_STYLES.filter((style) => style !== 'unknown')
/** Of an author, with what a thread has, too, in other places. */
const words = fc.array(
  fc.constantFrom(
    'Hello',
    'From: Bergen',
    '-- ',
    '---',
    'a -----',
    '_____',
    'x > y',
    'wrote:',
    'De luxe: yes',
  ),
  { maxLength: 6 },
)

describe('the begin of a quoted thread', () => {
  test.each(KNOWN)(
    '[CLIENT-2] in html is found where %s quotes, behind anything that an author writes',
    (style) => {
      fc.assert(
        fc.property(words, words, (above, below) => {
          const author = above.map((line) => `<p>${line}</p>`).join('')
          const quote = quoteHtml(style, HEAD, below.map((line) => `<p>${line}</p>`).join(''))
          const found = quoteIn(author + quote)
          // Before any word of the thread, and behind every word of the author.
          expect(found).toBeGreaterThanOrEqual(author.length)
          expect(quote.slice(0, found - author.length)).not.toMatch(/Sam|Sent|Berths/)
          expect(quoteIn(author)).toBe(author.length)
        }),
      )
    },
  )

  test.each(KNOWN)('[CLIENT-2] in plain text is found where %s quotes', (style) => {
    fc.assert(
      fc.property(words, (above) => {
        const author = above.map((line) => `${line}\n`).join('')
        const quote = quoteText(style, HEAD, 'Hello\n\nSam')
        const found = quoteStartInText(author + quote)
        expect(found).toBeGreaterThanOrEqual(author.length)
        expect(quote.slice(0, found - author.length)).not.toMatch(/Sent|Berths/)
        expect(quoteStartInText(author)).toBe(author.length)
      }),
    )
  })

  test.each(['Von', 'De', 'Da', 'Van', 'От', '差出人', '发件人'])(
    'is found in the language whose header begins with %s',
    (label) => {
      expect(quoteIn(`<p>Hi</p><p><b>${label}: </b>Sam<br></p>`)).toBeLessThan(20)
      expect(quoteIn(`<p>Hi</p><p>${label}: Sam</p>`)).toBe(`<p>Hi</p><p>${label}: Sam</p>`.length)
    },
  )

  test('is the line that Word draws above the header, in either of its colours, and no other line', () => {
    for (const colour of ['solid #E1E1E1 1.0pt', 'solid #B5C4DF 1.0pt', '1pt solid rgb(225, 225, 225)']) {
      const line = `<div style="border:none;border-top:${colour}"><p>`
      expect(quoteIn(`<p>Hi</p>${line}From: Sam`)).toBe(9)
      expect(quoteIn(`<p>Hi</p>${line}Org. no. 1`)).toBe(`<p>Hi</p>${line}Org. no. 1`.length)
    }
    expect(quoteIn('<div style="border-top:solid red">From: Sam')).toBe(43)
  })

  test('is no line of dashes or underscores that an author writes', () => {
    for (const line of ['-----', '----------', '----- x', '_'.repeat(40)]) {
      expect(quoteIn(`<p>${line}</p>`)).toBe(line.length + 7)
      expect(quoteStartInText(`${line}\nHello`)).toBe(line.length + 6)
    }
    expect(quoteStartInText(`Hi\n${'_'.repeat(32)}\nFrom: Sam`)).toBe(3)
    expect(quoteStartInText('Hi\n-----Ursprüngliche Nachricht-----\n')).toBe(3)
    expect(quoteStartInText('Hi\n> quoted')).toBe(3)
  })

  const hasQuote = (html: string) => quoteIn(`<p>Hi</p>${html}`) === 9
  test.each([
    ['<div id="divRplyFwdMsg">', true],
    ['<div id="x_x_divRplyFwdMsg">', true],
    ['<div id="y_divRplyFwdMsg">', false],
    ['<div class="divRplyFwdMsg">', false],
    ['<div id="appendonsend">', true],
    ['<div id="mac_OLK_SRC_BODY_SECTION">', true],
    ['<div id="olk_src_body_section">', true],
    ['<div class="a moz-cite-prefix">', true],
    ['<div class="moz-forward-container">', true],
    ['<div class="moz-signature">', false],
    ['<div class="gmail_quote">', true],
    ['<div class="protonmail_quote">', true],
    ['<div class="gmail_signature">', false],
    ['<div id="gmail_quote">', false],
    ['<blockquote type="cite">', true],
    ['<blockquote type="cited">', false],
    ['<blockquote cite="cite">', false],
    ['<div id="&#100;ivRplyFwdMsg">', true],
    ['<p title="x" id="zwchr">', true],
    ['</div>', false],
  ])('is an element of a mail client: %s (%s)', (html, isQuote) => {
    expect(hasQuote(html)).toBe(isQuote)
  })

  const LINE = '<div style="border-top:solid #E1E1E1">'
  test.each([
    ['a bold field', '<b>From:</b> Sam', 12],
    ['a strong one', '<strong>From:</strong> Sam', 17],
    ['one that is bold no longer', '<b>Hi</b> <i>From:</i> Sam', null],
    ['one behind a tag in bold', '<b><i></i>From:</b> Sam', 19],
    ['one that is no field', '<b>From</b> Sam', null],
    ['one behind words', '<b>Yours From:</b> Sam', null],
    ['one of another width', '<b>From：</b> Sam', 12],
    ['a line and blanks before it', `${LINE}<p> &nbsp;</p><p>From: Sam`, 9],
    ['two lines before it', `${LINE}${LINE}<p>From: Sam`, 9],
    ['a line before other words', `${LINE}<p>Org. no. 1</p><p>From: Sam`, null],
    ['a line before a long text', `${LINE}<p>${'a'.repeat(721)}</p><p>From: Sam`, null],
    ['a separator behind a line', `${LINE}<p>-----Original-----`, 9],
    ['a separator', '<p>-----Original-----', 12],
    ['one with a short end', '<p>-----Original----', null],
    ['one with a short begin', '<p>----Original-----', null],
  ])('is found by %s', (_, html, place) => {
    const whole = `<p>Hi</p>${html}`
    expect(quoteIn(whole)).toBe(place ?? whole.length)
    expect(quoteIn(`${whole}<div id="zwchr">`)).toBe(place ?? whole.length)
  })

  test('is the first of several', () => {
    expect(quoteIn('<div id="zwchr">a</div><div id="zwchr">b</div>')).toBe(0)
    expect(quoteStartInText('a\n> b\n> c')).toBe(2)
    const plain = createQuoteFinder('a\n> b', false)
    for (const token of tokensOf('<div id="zwchr">')) plain.read(token)
    expect(plain.quote()).toBe(2)
  })

  const separator = (length: number) => `-----${'a'.repeat(length - 10)}-----`
  test.each([
    ['of 120 characters', `Hi\n${separator(120)}`, 3],
    ['of 121', `Hi\n${separator(121)}`, null],
    ['with blanks around it', `Hi\n  ${separator(20)} `, 3],
    ['of 20 underscores above a header', `Hi\n${'_'.repeat(20)}\nVon: Sam`, 3],
    ['of 19 underscores', `Hi\n${'_'.repeat(19)}\nVon: Sam`, null],
    ['of underscores above other words', `Hi\n${'_'.repeat(20)}\nSam: Von`, null],
    ['of underscores and a word', `Hi\n${'_'.repeat(20)}a\nVon: Sam`, null],
    ['of underscores at the end', `Hi\n${'_'.repeat(20)}`, null],
    ['with a mark in the middle', 'Hi a > b', null],
    ['with a mark at the begin', '> Hi', 0],
    ['behind empty ones', `\n\n> Hi`, 2],
  ])('in plain text is a line %s', (_, text, place) => {
    expect(quoteStartInText(text)).toBe(place ?? text.length)
  })
})
