import { type Language, languages } from './events.ts'
import type { LocaleState } from './reducer.ts'

/** The language part of a BCP 47 tag; one that Signet does not speak gives English (specification, section 1). */
export const toLanguage = (tag: string): Language => {
  const part = tag.split(/[-_]/, 1)[0]?.toLowerCase()
  return languages.find((language) => language === part) ?? 'en'
}

/** A language that is loaded is not loaded again. */
export const mustLoad = (locale: LocaleState, language: Language): boolean =>
  !locale.loaded.includes(language)
