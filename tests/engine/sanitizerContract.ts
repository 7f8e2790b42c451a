import { describe, expect, it } from 'vitest'
import { MAX_HTML_CHARACTERS } from '../../streams/html/limits.ts'

// What every sanitiser promises (streams/html/plan.ts): over the fake of the tests, and over the one that ships.

/** Sanitises with these pictures, by their addresses. */
export type SanitizerUnderTest = (
  html: string,
  profile: 'preview' | 'insert',
  pictures?: Readonly<Record<string, string>>,
) => Promise<string>

const LOGO = 'https://images.northwind.example/logo.png'
const html =
  `<p>Alex <a href="https://northwind.example/?a=1&amp;b=2" title="Northwind">site</a>` +
  ` <a href="mailto:alex@northwind.example">mail</a></p>` +
  `<table background="${LOGO}"><tbody><tr><td style="background:url(${LOGO})">x</td></tr></tbody></table>` +
  `<img src="${LOGO}" alt="Logo"><img src="${LOGO}?b" alt="Other">`

export function sanitizerContract(name: string, sanitize: SanitizerUnderTest): void {
  describe(`${name} keeps the contract of sanitisers:`, () => {
    it('for a message, links keep their addresses; in a preview they lead nowhere', async () => {
      expect(await sanitize(html, 'insert')).toBe(html)
      const preview = await sanitize(html, 'preview')
      expect(preview).toContain('<p>Alex <a>site</a> <a>mail</a></p>')
      expect(preview).toContain(`<img src="${LOGO}" alt="Logo">`)
    })

    it.each(['insert', 'preview'] as const)(
      '%s: a picture is replaced wherever it is shown',
      async (profile) => {
        const clean = await sanitize(html, profile, { [LOGO]: 'cid:lsi-attachlogo.png' })
        expect(clean.match(/cid:lsi-attachlogo\.png/g)).toHaveLength(3)
        expect(clean.split(LOGO)).toHaveLength(2)
        expect(clean).toContain(`<img src="${LOGO}?b" alt="Other">`)
      },
    )

    it.each(['insert', 'preview'] as const)('%s: sanitising the result changes nothing', async (profile) => {
      const clean = await sanitize(html, profile, { [LOGO]: 'cid:lsi-attachlogo.png' })
      expect(await sanitize(clean, profile)).toBe(clean)
    })

    it('html that is not readable gives nothing', async () => {
      const long = 'x'.repeat(MAX_HTML_CHARACTERS)
      expect(await sanitize(long, 'insert')).toBe(long)
      expect(await sanitize(`${long}x`, 'insert')).toBe('')
    })
  })
}
