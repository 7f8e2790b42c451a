import fc from 'fast-check'
import { expect, test } from 'vitest'
import { languages } from '../../../streams/wire/languages.ts'
import { collectionTitle } from '../../../views/pane/text/collectionTitle.ts'

const anyLanguage = fc.constantFrom(...languages)

test('a title of a collection differs from its name in the first letter only, and only in its case', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), anyLanguage, (name, language) => {
      const title = collectionTitle(name, language)
      const letters = language === 'nl' && name.startsWith('ij') ? 2 : 1
      const rest = (text: string) => Array.from(text).slice(letters).join('')
      expect(title).toHaveLength(name.length)
      expect(rest(title)).toBe(rest(name))
      expect(
        [name, name.toLocaleUpperCase(language).slice(0, title.length)].map((each) => each[0]),
      ).toContain(title[0])
      expect(collectionTitle(title, language)).toBe(title)
    }),
  )
})

test.each([
  ['campaigns', 'en', 'Campaigns'],
  ['élégance', 'fr', 'Élégance'],
  ['übersee', 'de', 'Übersee'],
  ['ßtrasse', 'de', 'ßtrasse'],
  ['ijsland', 'nl', 'IJsland'],
  ['ijsland', 'de', 'Ijsland'],
  ['IT and law', 'en', 'IT and law'],
  ['2026 fairs', 'en', '2026 fairs'],
  ['𐐨𐐩', 'en', '𐐀𐐩'],
  ['', 'en', ''],
] as const)('%s in %s is %s', (name, language, title) => {
  expect(collectionTitle(name, language)).toBe(title)
})
