import { describe, expect, test } from 'vitest'
import { expectsHtmlPage, refusalPage, type RefusedRequest } from '../../src/server/refusalPage.ts'
import { refusalTexts } from '../../src/server/refusalTexts.ts'
import { languages } from '../../streams/wire/languages.ts'

const page = (request: Partial<RefusedRequest>): string =>
  refusalPage({ status: 404, headers: {}, hasHome: true, details: [], ...request }).body

const HOME = '<a class="button primary" href="/">Go to the start page</a>'
const AGAIN = '<a class="button primary" href="">Try again</a>'

test.each([
  [404, 'notFound', HOME],
  [405, 'notTaken', HOME],
  [429, 'tooMany', AGAIN],
  [500, 'failed', AGAIN],
  [503, 'failed', AGAIN],
  [400, 'refused', HOME],
  [403, 'refused', HOME],
  [499, 'refused', HOME],
] as const)('the page of %i says %s, and leads on', (status, reason, link) => {
  const body = page({ status, details: [`${String(status)} code`] })
  const { heading, what, action } = refusalTexts.en[reason]
  expect(body).toContain(`<h1>${heading}</h1>\n<p>${what}</p>\n<p>${action}</p>\n${link}<details>`)
  expect(body).toContain(
    `<summary>For your helpdesk</summary><p lang="en"><code>${String(status)} code</code>`,
  )
  expect(page({ status, hasHome: false }).includes('<a ')).toBe(link === AGAIN)
})

describe('the language of the page', () => {
  test.each(languages)('may be %s', (language) => {
    const body = page({ headers: { 'accept-language': language } })
    expect(body).toContain(`<html lang="${language}">`)
    expect(body).toContain(`<h1>${refusalTexts[language].notFound.heading}</h1>`)
  })

  test.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['en;q=0.5, fr;q=0.8', 'fr'],
    ['fr; q=0.5, nl ; q=0.7', 'nl'],
    ['sv, it;q=0.4, es;q=0.3', 'it'],
    ['fr;q=0, es;q=0.1', 'es'],
    ['pt-PT', 'pt'],
    ['pt-br', 'pt-BR'],
    ['it, fr', 'it'],
    ['fr;q=x, nl;q=0.1', 'nl'],
    ['sv', 'en'],
    ['*', 'en'],
    ['"><script>', 'en'],
    ['', 'en'],
    [undefined, 'en'],
  ])('for Accept-Language %j is %s', (accepted, language) => {
    const body = page({ headers: accepted === undefined ? {} : { 'accept-language': accepted } })
    expect(/<html lang="([^"]*)">/.exec(body)?.[1]).toBe(language)
  })
})

test.each([
  [{ accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }, true],
  [{ accept: 'TEXT/HTML' }, true],
  [{ accept: '*/*' }, false],
  [{ accept: 'application/json' }, false],
  [{ accept: 'text/html-fragment' }, false],
  [{}, false],
  [{ accept: 'text/html', authorization: 'Bearer a' }, false],
])('whether %j is for a person: %s', (headers, expected) => {
  expect(expectsHtmlPage(headers)).toBe(expected)
})
