import type { AppState } from '../app/state.ts'
import type { Language } from './events.ts'

/** What requests carry as Accept-Language; null until a language was chosen. */
export const selectChosenLanguage = ({ locale }: AppState): Language | null =>
  locale.chosen ? locale.language : null
