import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import {
  asyncScheduler,
  BehaviorSubject,
  concatMap,
  EMPTY,
  endWith,
  ignoreElements,
  Subject,
  tap,
} from 'rxjs'
import type { PaneApp } from '../../../views/pane/app.tsx'
import { View as About } from '../../../views/pane/settings/About.tsx'
import { View as Help } from '../../../views/pane/settings/Help.tsx'
import { View as SelfTest } from '../../../views/pane/settings/SelfTest.tsx'
import { View as Settings } from '../../../views/pane/settings/Settings.tsx'
import { View as Variables } from '../../../views/pane/variables/Variables.tsx'
import { FatalPage } from '../../../views/pane/FatalPage.tsx'
import { CrashBoundary } from '../../../views/shared/CrashBoundary.tsx'
import { Pane } from '../../../views/pane/Pane.tsx'
import { createTexts } from '../../../views/pane/text/texts.ts'
import { createTextsLoader } from '../../pane/locales.ts'
import { config, supportUrl } from '../../engine/config.ts'
import type { SessionMoment } from './session.ts'
import './session.ts'

// Shows the pane at an event in a log: its views with a folded state. Without a store and effects, actions do nothing.

const VIEWS = {
  about: About,
  help: Help,
  selfTest: SelfTest,
  settings: Settings,
  variables: Variables,
} as const
const hasView = (view: string): view is keyof typeof VIEWS => Object.hasOwn(VIEWS, view)

const root = document.getElementById('root')
if (root) {
  const texts = createTexts({
    locale: config.locale,
    fallback: config.fallbackLocale,
    production: config.stage.production,
    warn: () => undefined,
  })
  const loadTexts = createTextsLoader((load) => load)
  const reactRoot = createRoot(root)
  const language$ = new Subject<SessionMoment['state']['locale']['language']>()
  language$
    .pipe(
      concatMap((language) =>
        (language === 'en' ? EMPTY : loadTexts(language)).pipe(
          tap((loaded) => texts.addResourceBundle(language, 'translation', loaded)),
          ignoreElements(),
          endWith(language),
        ),
      ),
      concatMap((language) => texts.changeLanguage(language)),
    )
    .subscribe()

  type Rendered = { state$: BehaviorSubject<SessionMoment['state']>; app: PaneApp; moment: SessionMoment }
  let rendered: Rendered | null = null
  let renderings = 0
  const render = (moment: SessionMoment): Rendered => {
    const state$ = new BehaviorSubject(moment.state)
    const fresh: Rendered = {
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
            now: () => fresh.moment.at,
            schedule: asyncScheduler.schedule.bind(asyncScheduler),
          },
        },
        viewOf: (view) => (hasView(view) ? VIEWS[view] : null),
        version: config.version,
        supportUrl,
      },
    }
    renderings += 1
    reactRoot.render(
      <I18nextProvider i18n={texts}>
        <CrashBoundary
          key={renderings}
          instead={<FatalPage cause="crash" onReload={() => undefined} />}
          // Removes the crashed pane, so that the next moment renders a new one.
          onCrash={() => {
            rendered = null
          }}
        >
          <Pane app={fresh.app} />
        </CrashBoundary>
      </I18nextProvider>,
    )
    return fresh
  }

  window.replay = {
    show(moment) {
      const { language } = moment.state.locale
      if (language !== texts.language) language$.next(language)
      document.documentElement.lang = language
      const { theme } = moment.state.mailbox
      if (theme === null) delete document.documentElement.dataset['theme']
      else document.documentElement.dataset['theme'] = theme
      if (!rendered) {
        rendered = render(moment)
        return
      }
      rendered.moment = moment
      rendered.state$.next(moment.state)
    },
  }
}
