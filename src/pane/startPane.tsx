import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { catchError, distinctUntilChanged, EMPTY, map, switchMap } from 'rxjs'
import { selectChosenLanguage } from '../../streams/locale/selectors.ts'
import { CrashBoundary, FatalPage } from '../../views/FatalPage.tsx'
import { Pane } from '../../views/Pane.tsx'
import { createTexts } from '../../views/text/texts.ts'
import { config } from '../engine/config.ts'
import {
  type CreateProviders,
  createEngine,
  type RunningApp,
  type StartOptions,
} from '../engine/createEngine.ts'
import { createLocales } from './locales.ts'
import { createPageLoader } from './pageLoader.ts'

/**
 * Starts the pane in `element` with the first host that resolves. When none resolves, or a view crashes, a full-page
 * message says so: the pane is never blank.
 */
export function startPane(
  element: Element,
  createProviders: CreateProviders,
  options: StartOptions = {},
): void {
  const { locale, fallbackLocale, stage } = config
  const { start, time, log, loadChunk, loadSanitizer } = createEngine(options)
  const root = createRoot(element)
  const texts = createTexts({
    locale,
    fallback: fallbackLocale,
    production: stage.production,
    warn: (missing) => {
      log.warn('translation_missing', missing)
    },
  })
  // These loads happen without a user's request: they never reload the page, and a failure leaves English in use.
  const initial = createLocales(texts, fallbackLocale, (load) => load)
  for (const language of new Set([locale, fallbackLocale]))
    initial.load(language).subscribe({
      next: () => void texts.changeLanguage(texts.language),
      error: () => {
        log.warn('locale_failed', { language })
      },
    })
  const pages = createPageLoader(loadChunk)

  const draw = (app: RunningApp) => {
    app.state$
      .pipe(
        map(({ mailbox }) => mailbox.theme),
        distinctUntilChanged(),
      )
      .subscribe({
        next: (theme) => {
          if (theme === null) delete document.documentElement.dataset['theme']
          else document.documentElement.dataset['theme'] = theme
        },
        error: () => undefined,
      })
    root.render(
      <I18nextProvider i18n={texts}>
        <CrashBoundary
          onReload={reload}
          onCrash={(error) => {
            log.error('view_crashed', { error: error instanceof Error ? error.name : 'unknown' })
          }}
        >
          <Pane
            app={{
              state$: app.state$,
              record: app.record,
              loadSanitizer,
              imageOrigins: config.imageOrigins,
              time,
              viewOf: pages.viewOf,
              version: config.version,
            }}
          />
        </CrashBoundary>
      </I18nextProvider>,
    )
    return app.state$.pipe(
      // The boundary shows that the pane stopped.
      catchError((error: unknown) => {
        log.error('store_stopped', { error: error instanceof Error ? error.message : 'unknown' })
        return EMPTY
      }),
    )
  }

  start(createProviders, {
    locales: createLocales(texts, fallbackLocale, loadChunk),
    chunks: pages,
    noticeText: ({ signature }) => texts.t('notice.notInMessage', { name: signature }),
  })
    .pipe(
      switchMap(draw),
      map((state) => selectChosenLanguage(state) ?? locale),
      distinctUntilChanged(),
    )
    .subscribe({
      next: (language) => {
        document.documentElement.lang = language
        void texts.changeLanguage(language)
      },
      error: (error: unknown) => {
        log.error('no_host', { error: error instanceof Error ? error.message : 'unknown' })
        root.render(
          <I18nextProvider i18n={texts}>
            <FatalPage cause="noHost" onReload={reload} />
          </I18nextProvider>,
        )
      },
    })
}

const reload = () => {
  location.reload()
}
