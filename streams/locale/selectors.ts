import type { AppState } from '../app/state.ts'
import type { Language } from './events.ts'

/** The Accept-Language of requests; null until a language is chosen. */
export const selectChosenLanguage = ({ locale }: AppState): Language | null =>
  locale.chosen ? locale.language : null
