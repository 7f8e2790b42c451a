import type { AppState } from '../state.ts'
import type { Language } from '../../wire/languages.ts'

/** The language that the pane is written in; null until a language is chosen. */
export const selectChosenLanguage = ({ locale }: AppState): Language | null =>
  locale.chosen ? locale.language : null

/** The language that requests send as Accept-Language, even while its texts are loading; null until one is chosen. */
export const selectRequestLanguage = ({ locale }: AppState): Language | null =>
  locale.requested ?? (locale.chosen ? locale.language : null)
