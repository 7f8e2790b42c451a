import { withChanges } from '../kernel/changes.ts'
import type { Recorded } from '../kernel/event.ts'
import { assertNever } from '../kernel/event.ts'
import type { Language, LocaleEvent } from './events.ts'

/** `loaded` are the languages whose texts are there; `requested` is what the person last asked for. */
export type LocaleState = Readonly<{
  language: Language
  chosen: boolean
  requested: Language | null
  loaded: readonly Language[]
}>

export const initialLocale: LocaleState = { language: 'en', chosen: false, requested: null, loaded: ['en'] }

export function evolveLocale(state: LocaleState, event: Recorded<LocaleEvent>): LocaleState {
  switch (event.type) {
    case 'locale/languageRequested':
      return withChanges(state, { requested: event.data.language })
    case 'locale/languageChanged': {
      const { language } = event.data
      const loaded = state.loaded.includes(language) ? state.loaded : [...state.loaded, language]
      // Texts that arrive after the person asked for another language are kept, not shown.
      if (state.requested !== null && state.requested !== language) return withChanges(state, { loaded })
      return withChanges(state, { language, chosen: true, requested: null, loaded })
    }
    case 'locale/languageFailed':
      return state.requested === event.data.language
        ? withChanges(state, { language: 'en', chosen: true, requested: null })
        : state
    default:
      return assertNever(event)
  }
}
