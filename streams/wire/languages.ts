/** BCP 47 tags. `pt` is European Portuguese. */
export const languages = ['de', 'en', 'es', 'fr', 'it', 'nl', 'pt', 'pt-BR'] as const
export type Language = (typeof languages)[number]

/**
 * The language of a BCP 47 tag (specification, section 1), with its region if the region has its own texts; null for a
 * language without texts.
 */
export const languageOf = (tag: string): Language | null => {
  const named = (name = '') => languages.find((language) => language.toLowerCase() === name)
  const whole = tag.toLowerCase().replace('_', '-')
  return named(whole) ?? named(whole.split('-')[0]) ?? null
}

/** `languageOf` with a fallback for languages without texts. */
export const toLanguage = (tag: string, fallback: Language = 'en'): Language => languageOf(tag) ?? fallback
