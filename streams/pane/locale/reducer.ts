import { withChanges } from '../../kernel/changes.ts'
import { defineSlice } from '../../kernel/slice.ts'
import type { Locale } from './events.ts'
import type { Language } from '../../wire/languages.ts'

/** `loaded`: the languages whose texts are loaded. `requested`: the language whose texts are still loading, or null. */
export type LocaleState = Readonly<{
  language: Language
  chosen: boolean
  requested: Language | null
  loaded: readonly Language[]
}>

type Requested = Readonly<{ data: Readonly<{ language: Language }> }>
const request = (state: LocaleState, { data: { language } }: Requested): LocaleState =>
  withChanges(state, { requested: language })

export const locale = defineSlice<LocaleState, typeof Locale>()(
  { language: 'en', chosen: false, requested: null, loaded: ['en'] },
  {
    'locale/displayLanguageRead': request,
    'locale/languageRequested': request,
    'locale/languageChanged': (state, { data: { language } }) => {
      const loaded = state.loaded.includes(language) ? state.loaded : [...state.loaded, language]
      // Texts that arrive after the user chose another language are stored but not shown.
      if (state.requested !== null && state.requested !== language) return withChanges(state, { loaded })
      return withChanges(state, { language, chosen: true, requested: null, loaded })
    },
    'locale/languageFailed': (state, { data: { language } }) =>
      state.requested === language
        ? withChanges(state, { language: 'en', chosen: true, requested: null })
        : state,
  },
)
