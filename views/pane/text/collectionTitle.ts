import type { Language } from '../../../streams/wire/languages.ts'

/** The Dutch letter ij consists of two characters, and both are capitals at the start of a name. */
const DUTCH_LETTER = 'ij'

/** The name of a collection as a title: capitalises the first letter by the language's rules, and keeps the rest. */
export function collectionTitle(name: string, language: Language): string {
  const [first = ''] = language === 'nl' && name.startsWith(DUTCH_LETTER) ? [DUTCH_LETTER] : name
  const capital = first.toLocaleUpperCase(language)
  // Some letters, such as ß, have no single capital and would become several letters.
  return capital.length === first.length ? capital + name.slice(first.length) : name
}
