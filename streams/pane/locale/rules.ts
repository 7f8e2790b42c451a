import type { Language } from '../../wire/languages.ts'
import type { LocaleState } from './reducer.ts'

/** Whether the texts of a language still have to be loaded. */
export const mustLoadLanguage = (locale: LocaleState, language: Language): boolean =>
  !locale.loaded.includes(language)
