import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HeadlinePart } from '../../../streams/administration/plan/selectors.ts'
import { languages } from '../../../streams/wire/languages.ts'
import { headlineText } from '../../../views/administration/text/plan.ts'
import { createAdministrationTexts } from '../../../views/administration/text/texts.ts'

const TEXTS = join(import.meta.dirname, '../../../views/administration/text')

/** The function that translates into a language. A missing text fails the test. */
function translateInto(language: (typeof languages)[number]) {
  const texts = createAdministrationTexts({
    locale: language,
    fallback: language,
    production: false,
    warn: ({ key }) => {
      throw new Error(`There is no text ${key}`)
    },
  })
  const read = JSON.parse(readFileSync(join(TEXTS, `${language}.json`), 'utf8')) as object
  texts.addResourceBundle(language, 'translation', read)
  return (...[key, values]: Parameters<Parameters<typeof headlineText>[1]>) => texts.t(key, { ...values })
}

const part: fc.Arbitrary<HeadlinePart> = fc.record({
  kind: fc.constantFrom('signature', 'other', 'either', 'first', 'losing'),
  people: fc.integer({ min: 1, max: 2_000_000 }),
})

describe.each(languages)('the first sentence of a plan in %s', (language) => {
  const t = translateInto(language)
  const numbers = new Intl.NumberFormat(language)

  test('is one sentence with all numbers', () => {
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 0, max: 2_000_000 }),
        (parts, unchanged) => {
          const said = headlineText({ kind: 'people', parts, unchanged }, t)
          for (const count of [...parts.map(({ people }) => people), ...(unchanged === 0 ? [] : [unchanged])])
            expect(said).toContain(numbers.format(count))
          expect(said).toMatch(/^[^{}]+\.$/)
          expect(said.includes(';')).toBe(unchanged > 0)
        },
      ),
      { numRuns: 40 },
    )
  })

  test('is another one for each kind', () => {
    const kinds = ['nothing', 'nothingToday', 'rules'] as const
    const said = kinds.map((kind) => headlineText({ kind }, t))
    expect(new Set(said).size).toBe(kinds.length)
    for (const each of said) expect(each).toMatch(/^[^{}.]+\.$/)
  })
})

test('the first sentence of a plan has singular and plural, and leaves out what nobody gets', () => {
  const t = translateInto('en')
  const said = (parts: readonly HeadlinePart[], unchanged: number) =>
    headlineText({ kind: 'people', parts, unchanged }, t)
  expect(
    said(
      [
        { kind: 'signature', people: 84 },
        { kind: 'first', people: 3 },
        { kind: 'losing', people: 1 },
      ],
      112,
    ),
  ).toBe(
    'The signatures of 84 people change, 3 people without a signature get one, and 1 person loses every signature; nothing changes for the other 112 people.',
  )
  expect(said([{ kind: 'signature', people: 1 }], 1)).toBe(
    'The signatures of 1 person change; nothing changes for 1 other person.',
  )
  expect(said([{ kind: 'first', people: 1 }], 0)).toBe('1 person without a signature gets one.')
  expect(said([{ kind: 'other', people: 2 }], 0)).toBe(
    'Something other than signatures changes for 2 people.',
  )
})
