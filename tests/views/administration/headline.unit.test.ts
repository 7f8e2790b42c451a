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

const count = fc.integer({ min: 1, max: 2_000_000 })
const parts: fc.Arbitrary<readonly HeadlinePart[]> = fc
  .tuple(count, count)
  .chain(([signatures, blocks]) =>
    fc.subarray<HeadlinePart>([
      { kind: 'signatures', count: signatures },
      { kind: 'blocks', count: blocks },
      { kind: 'default' },
      { kind: 'other' },
    ]),
  )

describe.each(languages)('the first sentence of a plan in %s', (language) => {
  const t = translateInto(language)
  const numbers = new Intl.NumberFormat(language)

  test('is one sentence with all numbers', () => {
    fc.assert(
      fc.property(
        parts,
        count,
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 0, max: 5 }),
        (named, changed, unchanged, losing) => {
          const all = changed + unchanged
          const said = headlineText({ kind: 'people', parts: named, changed, all, losing }, t)
          for (const each of [
            ...named.flatMap((part) => ('count' in part ? part.count : [])),
            all,
            ...(unchanged === 0 ? [] : [changed]),
            ...(losing === 0 ? [] : [losing]),
          ])
            expect(said).toContain(numbers.format(each))
          expect(said).toMatch(/^[^{}]+\.$/)
          expect(said.includes(';')).toBe(losing > 0)
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

test('the first sentence of a plan has singular and plural, and says for how many of all people', () => {
  const t = translateInto('en')
  const said = (parts: readonly HeadlinePart[], changed: number, losing = 0, all = 240) =>
    headlineText({ kind: 'people', parts, changed, all, losing }, t)
  expect(
    said(
      [
        { kind: 'signatures', count: 2 },
        { kind: 'blocks', count: 1 },
      ],
      214,
    ),
  ).toBe('Changes to 2 signatures and 1 block, for 214 of 240 people.')
  expect(said([{ kind: 'signatures', count: 1 }, { kind: 'default' }, { kind: 'other' }], 1, 1)).toBe(
    'Changes to 1 signature, default signatures, and other things, for 1 of 240 people; 1 person loses every signature.',
  )
  expect(said([{ kind: 'blocks', count: 2 }], 240)).toBe('Changes to 2 blocks, for all 240 people.')
  expect(said([], 1, 0, 1)).toBe('Changes for 1 person.')
  expect(said([], 3, 2)).toBe('Changes for 3 of 240 people; 2 people lose every signature.')
})
