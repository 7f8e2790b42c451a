/** Tags of BCP 47. `pt` is the Portuguese of Portugal. */
export const languages = ['de', 'en', 'es', 'fr', 'it', 'nl', 'pt', 'pt-BR'] as const
export type Language = (typeof languages)[number]

/** A BCP 47 tag's language (specification, section 1), with its region if that has own texts; null without texts. */
export const languageOf = (tag: string): Language | null => {
  const named = (name = '') => languages.find((language) => language.toLowerCase() === name)
  const whole = tag.toLowerCase().replace('_', '-')
  return named(whole) ?? named(whole.split('-')[0]) ?? null
}

/** `languageOf` with a fallback for languages without texts. */
export const toLanguage = (tag: string, fallback: Language = 'en'): Language => languageOf(tag) ?? fallback
