import { map, of, switchMap } from 'rxjs'
import { App } from '../../streams/pane/events.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { Locale } from '../../streams/pane/locale/events.ts'
import { mustLoadLanguage } from '../../streams/pane/locale/rules.ts'
import { toLanguage } from '../../streams/wire/languages.ts'
import type { AppEffect } from '../message/app.ts'

/** Uses the mail client's display language, or the fallback if the pane lacks that language. */
export const followDisplayLanguage: AppEffect = (event$, _state$, { host, locales }) =>
  event$.pipe(
    ofType(App.started),
    map(() => Locale.displayLanguageRead({ language: toLanguage(host.displayLanguage, locales.fallback) })),
  )

/** Loads a language's texts unless they are already loaded. The last request wins. */
export const loadLanguage: AppEffect = (event$, state$, { locales }) =>
  event$.pipe(
    ofType(Locale.displayLanguageRead, Locale.languageRequested),
    switchMap(({ data: { language } }) =>
      mustLoadLanguage(state$.value.locale, language)
        ? locales.load(language).pipe(
            settle(
              () => Locale.languageChanged({ language }),
              ({ failure }) => Locale.languageFailed({ language, failure }),
            ),
          )
        : of(Locale.languageChanged({ language })),
    ),
  )
