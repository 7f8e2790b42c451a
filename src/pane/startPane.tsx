import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { asyncScheduler, defer, distinctUntilChanged, EMPTY, from, map, switchMap } from 'rxjs'
import type { Log, Ports } from '../../effects/ports.ts'
import type { AppState } from '../../streams/app/state.ts'
import { selectBearer } from '../../streams/auth/selectors.ts'
import { now, type Time } from '../../streams/kernel/time.ts'
import { selectLogLevel } from '../../streams/settings/selectors.ts'
import { selectChosenLanguage } from '../../streams/locale/selectors.ts'
import { CrashBoundary, FatalPage } from '../../views/FatalPage.tsx'
import { Pane } from '../../views/Pane.tsx'
import { createTexts } from '../../views/text/texts.ts'
import { createAddress } from '../engine/adapters/address.ts'
import { createApi } from '../engine/adapters/api.ts'
import { browserPage, createChunkLoader } from '../engine/adapters/chunks.ts'
import { createClipboard } from '../engine/adapters/clipboard.ts'
import { createConnection } from '../engine/adapters/connection.ts'
import { createHttp } from '../engine/adapters/http.ts'
import { createLocales } from './locales.ts'
import { createLog } from '../engine/adapters/log.ts'
import { createOtherPanes } from '../engine/adapters/otherPanes.ts'
import { createPictureLoader } from '../engine/adapters/pictureChunk.ts'
import { createViewLoader } from './viewLoader.ts'
import { createSanitizerLoader } from '../engine/adapters/sanitizerChunk.ts'
import { createStorage } from '../engine/adapters/storage.ts'
import { createPlatform } from '../engine/adapters/telemetry.ts'
import { config } from '../engine/config.ts'
import { createApp, type SignetApp } from '../engine/createApp.ts'
import { chooseHost, type Hosted, type HostProvider } from '../engine/hosts/chooseHost.ts'

/** What a page that watches the pane, or moves its clock, brings along. */
export type Surroundings = Readonly<{
  /** Hears of the application once it runs; its log has what happened before. */
  onApp?: (app: SignetApp) => void
  /** The wall clock and real timers when left out. */
  time?: Time
  /** Makes the request objects of the calls to the service; the browser's own when left out. */
  createXhr?: () => XMLHttpRequest
}>

/**
 * Starts the pane in `element` with the first host that resolves. When none does, or a view crashes, a full page
 * says so in words: the pane is never blank.
 */
export function startPane(
  element: Element,
  createProviders: (tools: Readonly<{ time: Time; log: Log }>) => readonly HostProvider[],
  surroundings: Surroundings = {},
): void {
  const { locale, fallbackLocale, stage } = config
  const root = createRoot(element)
  const { time = { scheduler: asyncScheduler }, createXhr, onApp } = surroundings
  let readState: (() => AppState) | null = null
  const log = createLog(() =>
    readState ? selectLogLevel(readState()) : stage.production ? 'error' : 'trace',
  )
  const texts = createTexts({
    locale,
    fallback: fallbackLocale,
    production: stage.production,
    warn: (missing) => {
      log.warn('translation_missing', missing)
    },
  })
  // What cannot be loaded leaves English in use. Nobody asked for it, so it counts as no try of theirs.
  const initial = createLocales(texts, fallbackLocale, (load) => load)
  for (const language of new Set([locale, fallbackLocale]))
    initial.load(language).subscribe({
      next: () => void texts.changeLanguage(texts.language),
      error: () => {
        log.warn('locale_failed', { language })
      },
    })
  const loadChunk = createChunkLoader(browserPage)
  const locales = createLocales(texts, fallbackLocale, loadChunk)
  const views = createViewLoader(loadChunk)
  // Nobody loads what tells nobody.
  const analytics$ =
    config.analytics.key === ''
      ? EMPTY
      : defer(() => from(import('../engine/adapters/analytics.ts'))).pipe(
          map(({ createAnalytics }) =>
            createAnalytics({ ...config.analytics, version: config.version, time }),
          ),
        )
  const loadSanitizer = createSanitizerLoader(time, loadChunk)

  const run = ({ host, identity }: Hosted) => {
    const app: SignetApp = createApp(stage, (state): Ports => {
      readState = state
      return {
        host,
        identity,
        otherPanes: createOtherPanes(window, log),
        api: createApi(
          createHttp({
            baseUrl: config.apiUrl,
            version: config.version,
            token: () => selectBearer(state(), now(time)),
            language: () => selectChosenLanguage(state()),
            time,
            ...(createXhr ? { createXhr } : {}),
          }),
        ),
        storage: createStorage({ log, time }),
        pictures: createPictureLoader(loadChunk),
        analytics: { track: (event) => analytics$.pipe(switchMap((analytics) => analytics.track(event))) },
        clipboard: createClipboard(navigator),
        connection: createConnection(window),
        locales,
        views,
        address: createAddress(window),
        sanitizer: () => defer(() => from(loadSanitizer())),
        platform: createPlatform({ version: config.version, beta: stage.beta }, host, navigator),
        noticeText: ({ signature }) => texts.t('notice.notInMessage', { name: signature }),
        time,
        log,
      }
    })
    onApp?.(app)
    app.state$
      .pipe(
        map(({ mailbox }) => mailbox.theme),
        distinctUntilChanged(),
      )
      .subscribe((theme) => {
        if (theme === null) delete document.documentElement.dataset['theme']
        else document.documentElement.dataset['theme'] = theme
      })
    window.addEventListener('pagehide', (event) => {
      if (!event.persisted) app.stop()
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
              viewOf: views.viewOf,
              exportLog: () => exportLog(app.log),
              // Where a page has no clipboard this rejects, as where it is refused.
              copyText: async (text) => navigator.clipboard.writeText(text),
              version: config.version,
            }}
          />
        </CrashBoundary>
      </I18nextProvider>,
    )
    return app.state$
  }

  chooseHost(createProviders({ time, log }), { time, log })
    .pipe(
      switchMap(run),
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

const exportLog = (log: SignetApp['log']): Promise<string> =>
  import('../../streams/app/logFile.ts').then(({ writeLogFile }) =>
    writeLogFile(log, { software: config.version, stage: config.stage }),
  )
