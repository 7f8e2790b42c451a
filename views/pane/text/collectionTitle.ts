import type { Language } from '../../../streams/wire/languages.ts'

/** A letter that Dutch writes with two signs, which are both capitals at the start of a name. */
const DUTCH_LETTER = 'ij'

/** The name of a collection as a title: its first letter is a capital as the language writes it, and the rest stays. */
export function collectionTitle(name: string, language: Language): string {
  const [first = ''] = language === 'nl' && name.startsWith(DUTCH_LETTER) ? [DUTCH_LETTER] : name
  const capital = first.toLocaleUpperCase(language)
  // Some signs have no capital of their own, such as ß, and would become several letters.
  return capital.length === first.length ? capital + name.slice(first.length) : name
}
