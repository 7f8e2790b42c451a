import type { Language } from '../../wire/languages.ts'
import type { LocaleState } from './reducer.ts'

/** A language that is loaded is not loaded again. */
export const mustLoad = (locale: LocaleState, language: Language): boolean =>
  !locale.loaded.includes(language)
