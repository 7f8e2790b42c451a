import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { asyncScheduler, BehaviorSubject, concatMap, Subject } from 'rxjs'
import { CrashBoundary } from '../../../views/FatalPage.tsx'
import type { PaneApp } from '../../../views/hooks/app.tsx'
import { View as About } from '../../../views/pages/About.tsx'
import { View as SelfTest } from '../../../views/pages/SelfTest.tsx'
import { View as Settings } from '../../../views/pages/Settings.tsx'
import { View as Variables } from '../../../views/pages/Variables.tsx'
import { Pane } from '../../../views/Pane.tsx'
import { createTexts } from '../../../views/text/texts.ts'
import { createLocales } from '../../pane/locales.ts'
import { config } from '../../engine/config.ts'
import type { Moment } from './session.ts'
import './session.ts'

// The pane as it was at some event: drawn by the views that ship, over a state that was folded. There are no effects
// and no store here, so what a person does in it goes nowhere.

const views = { about: About, selfTest: SelfTest, settings: Settings, variables: Variables } as const
const isThere = (view: string): view is keyof typeof views => Object.hasOwn(views, view)

const root = document.getElementById('root')
if (root) {
  const texts = createTexts({
    locale: config.locale,
    fallback: config.fallbackLocale,
    production: config.stage.production,
    warn: () => undefined,
  })
  const locales = createLocales(texts, config.fallbackLocale, (load) => load)
  const drawing = createRoot(root)
  const wanted$ = new Subject<Moment['state']['locale']['language']>()
  wanted$
    .pipe(
      concatMap((language) => locales.load(language).pipe(concatMap(() => texts.changeLanguage(language)))),
    )
    .subscribe()

  type Shown = { state$: BehaviorSubject<Moment['state']>; app: PaneApp; moment: Moment }
  let shown: Shown | null = null
  let drawings = 0
  const begin = (moment: Moment): Shown => {
    const state$ = new BehaviorSubject(moment.state)
    const begun: Shown = {
      state$,
      moment,
      app: {
        state$,
        record: () => undefined,
        loadSanitizer: () =>
          import('../../engine/adapters/sanitizer.ts').then(({ createSanitizer }) => createSanitizer(window)),
        imageOrigins: config.imageOrigins,
        time: {
          scheduler: {
            now: () => begun.moment.at,
            schedule: asyncScheduler.schedule.bind(asyncScheduler),
          },
        },
        viewOf: (view) => (isThere(view) ? views[view] : null),
        exportLog: () => Promise.resolve(begun.moment.exportLog()),
        copyText: () => Promise.resolve(),
        version: config.version,
      },
    }
    drawings += 1
    drawing.render(
      <I18nextProvider i18n={texts}>
        <CrashBoundary
          key={drawings}
          onReload={() => undefined}
          // The next moment is drawn anew.
          onCrash={() => {
            shown = null
          }}
        >
          <Pane app={begun.app} />
        </CrashBoundary>
      </I18nextProvider>,
    )
    return begun
  }

  window.replay = {
    show(moment) {
      const { language } = moment.state.locale
      if (language !== texts.language) wanted$.next(language)
      document.documentElement.lang = language
      const { theme } = moment.state.mailbox
      if (theme === null) delete document.documentElement.dataset['theme']
      else document.documentElement.dataset['theme'] = theme
      if (!shown) {
        shown = begin(moment)
        return
      }
      shown.moment = moment
      shown.state$.next(moment.state)
    },
  }
}
