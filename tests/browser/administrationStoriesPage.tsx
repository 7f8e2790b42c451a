import { VALUE_TOOLS } from '../../src/administration/valuesChunk.ts'
import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { asyncScheduler, BehaviorSubject } from 'rxjs'
import { createSanitizer } from '../../src/engine/adapters/sanitizer.ts'
import type { AdministrationState } from '../../streams/administration/state.ts'
import type { Language } from '../../streams/wire/languages.ts'
import { AdministrationPage } from '../../views/administration/AdministrationPage.tsx'
import { createAdministrationTexts } from '../../views/administration/text/texts.ts'
import de from '../../views/administration/text/de.json'
import { NOON } from '../support/administration/answers.ts'

// Draws the administration page over one state after the other, without a store and without effects.

declare global {
  interface Window {
    stories?: Readonly<{ draw(state: AdministrationState, language: Language): void }>
  }
}

const texts = createAdministrationTexts({
  locale: 'en',
  fallback: 'en',
  production: false,
  warn: ({ key }) => {
    throw new Error(`There is no text ${key}`)
  },
})
texts.addResourceBundle('de', 'translation', de)
const place = document.getElementById('root')
if (place) {
  const root = createRoot(place)
  const sanitize = createSanitizer(window)
  let drawn = 0
  window.stories = {
    draw(state, language) {
      void texts.changeLanguage(language)
      document.documentElement.lang = language
      root.render(
        <I18nextProvider i18n={texts}>
          <AdministrationPage
            key={drawn++}
            administration={{
              state$: new BehaviorSubject(state),
              record: () => undefined,
              loadSanitizer: () => Promise.resolve(sanitize),
              imageOrigins: [],
              documentation: 'https://signet.example.com/docs',
              loadValues: () => Promise.resolve(VALUE_TOOLS),
              time: {
                scheduler: {
                  now: () => NOON,
                  schedule: asyncScheduler.schedule.bind(asyncScheduler),
                },
              },
              version: '0.1.0',
            }}
          />
        </I18nextProvider>,
      )
    },
  }
}
