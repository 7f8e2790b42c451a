import { type Language, languages } from './events.ts'
import type { LocaleState } from './reducer.ts'

/**
 * The language part of a BCP 47 tag (specification, section 1); the fallback for a language without texts, which is
 * English unless the environment says otherwise.
 */
export const toLanguage = (tag: string, fallback: Language = 'en'): Language => {
  const part = tag.split(/[-_]/, 1)[0]?.toLowerCase()
  return languages.find((language) => language === part) ?? fallback
}

/** A language that is loaded is not loaded again. */
export const mustLoad = (locale: LocaleState, language: Language): boolean =>
  !locale.loaded.includes(language)
