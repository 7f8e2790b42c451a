import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  QUOTE_STYLES,
  type QuoteHead,
  quoteHtml,
  quoteText,
} from '../../../src/playground/mailbox/profiles.ts'
import { createQuoteFinder, quoteInText } from '../../../streams/html/quotes.ts'
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
        const found = quoteInText(author + quote)
        expect(found).toBeGreaterThanOrEqual(author.length)
        expect(quote.slice(0, found - author.length)).not.toMatch(/Sent|Berths/)
        expect(quoteInText(author)).toBe(author.length)
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
      expect(quoteInText(`${line}\nHello`)).toBe(line.length + 6)
    }
    expect(quoteInText(`Hi\n${'_'.repeat(32)}\nFrom: Sam`)).toBe(3)
    expect(quoteInText('Hi\n-----Ursprüngliche Nachricht-----\n')).toBe(3)
    expect(quoteInText('Hi\n> quoted')).toBe(3)
  })
})
