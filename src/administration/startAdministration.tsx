import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import {
  asyncScheduler,
  catchError,
  defer,
  EMPTY,
  endWith,
  map,
  type Observable,
  of,
  race,
  shareReplay,
  take,
} from 'rxjs'
import { START_PATH } from '../../streams/administration/place/areas.ts'
import { readAdministrators } from '../../streams/administration/session/administrators.ts'
import { createCallSharing } from '../../streams/kernel/shareInFlight.ts'
import { emitAfter } from '../../streams/kernel/time.ts'
import { type Language, languageOf } from '../../streams/wire/languages.ts'
import { AdministrationPage } from '../../views/administration/AdministrationPage.tsx'
import { Crashed } from '../../views/administration/parts/Crashed.tsx'
import { createAdministrationTexts } from '../../views/administration/text/texts.ts'
import { CrashBoundary } from '../../views/shared/CrashBoundary.tsx'
import { createPaneAddress } from '../engine/adapters/address.ts'
import { browserPage, createChunkLoader } from '../engine/adapters/chunks.ts'
import { createConnection } from '../engine/adapters/connection.ts'
import { saveAsDownload } from '../engine/adapters/downloads.ts'
import { createHttp } from '../engine/adapters/http.ts'
import { createLog } from '../engine/adapters/log.ts'
import { createSanitizerLoader } from '../engine/adapters/sanitizerChunk.ts'
import { createStorage } from '../engine/adapters/storage.ts'
import { createTextsLoader } from '../engine/adapters/texts.ts'
import { config } from '../engine/config.ts'
import { servedSettings } from '../engine/served.ts'
import { openStandaloneIdentity } from '../engine/signIn/standaloneIdentity.ts'
import { createFolders } from './adapters/folders.ts'
import { createPictureScaling } from './adapters/scaling.ts'
import { createValuesLoader } from './adapters/values.ts'
import { createAdministrationApi } from './api.ts'
import { chosenFiles } from './chosenFiles.ts'
import { createAdministration } from './createAdministration.ts'
import { createAdministratorIdentity, userStorageOf } from './identity.ts'
import { TEXT_IMPORTS } from './locales.ts'
import { createVisitId } from './visit.ts'

/**
 * How long the first rendering waits for texts in the administrator's language. Without waiting, English would flash.
 */
const TEXTS_LIMIT_MS = 1_000

/** The first of the browser's languages for which texts exist, or else the configured language. */
const languageOfBrowser = (): Language =>
  navigator.languages.map(languageOf).find((language) => language !== null) ?? config.locale

/** Starts the administration page, and renders its views in `element` once the texts are loaded. */
export function startAdministration(element: Element): void {
  const time = { scheduler: asyncScheduler }
  const log = createLog(() => (config.stage.production ? 'error' : 'trace'))
  const loadChunk = createChunkLoader(browserPage)
  const loadSanitizer = createSanitizerLoader(time, loadChunk)
  const loadValues = createValuesLoader(loadChunk)
  const language = languageOfBrowser()
  const area = userStorageOf(localStorage)
  const identity = openStandaloneIdentity({ page: window, signIn: config.signIn, time, log, area })

  const administration = createAdministration(
    {
      api: createAdministrationApi(
        createHttp({
          baseUrl: config.apiUrl,
          version: config.version,
          // The sign-in library renews the token before it expires.
          token: () => identity.silentToken(false),
          renewToken: () => identity.silentToken(true),
          language: () => language,
          time,
          sharing: createCallSharing(),
        }),
      ),
      identity: createAdministratorIdentity(identity, area),
      address: createPaneAddress(window, START_PATH),
      connection: createConnection(window),
      files: chosenFiles,
      pictures: createPictureScaling(loadChunk),
      downloads: {
        save: ({ name, mediaType, content }) =>
          defer(() => {
            saveAsDownload(window, { name, mediaType }, [content as BlobPart])
            return of(undefined)
          }),
      },
      folders: createFolders(loadChunk),
      drafts: createStorage({ log, time }).privateDrafts('administration'),
      visit: createVisitId(crypto),
      time,
      log,
    },
    readAdministrators(servedSettings.SIGNET_ADMINISTRATORS),
  )

  const texts = createAdministrationTexts({
    locale: language,
    fallback: config.fallbackLocale,
    production: config.stage.production,
    warn: (missing) => {
      log.warn('translation_missing', missing)
    },
  })
  const root = createRoot(element)
  const draw = () => {
    document.documentElement.lang = texts.resolvedLanguage ?? 'en'
    root.render(
      <I18nextProvider i18n={texts}>
        <CrashBoundary
          instead={<Crashed onReload={() => location.reload()} />}
          onCrash={(error) =>
            log.error('view_crashed', { error: error instanceof Error ? error.name : 'unknown' })
          }
        >
          <AdministrationPage
            administration={{
              state$: administration.state$,
              record: administration.record,
              loadSanitizer,
              imageOrigins: config.imageOrigins,
              time,
              version: config.version,
              documentation: `${config.apiUrl}/docs`,
              loadValues,
            }}
          />
        </CrashBoundary>
      </I18nextProvider>,
    )
  }
  const loadTexts = createTextsLoader<object>(loadChunk, TEXT_IMPORTS)
  const texts$: Observable<unknown> =
    language === 'en'
      ? of(null)
      : loadTexts(language).pipe(
          map((loaded) => {
            texts.addResourceBundle(language, 'translation', loaded)
            // Views may already show the fallback language. Only this call passes the loaded texts to them.
            void texts.changeLanguage(language)
            document.documentElement.lang = language
          }),
          catchError(() => {
            log.warn('locale_failed', { language })
            return EMPTY
          }),
        )
  const added$ = texts$.pipe(shareReplay({ bufferSize: 1, refCount: false }), endWith(null))
  added$.subscribe()
  race(added$, emitAfter(TEXTS_LIMIT_MS, time)).pipe(take(1)).subscribe(draw)

  window.addEventListener('pagehide', (event) => {
    // The browser may show a persisted page again, so its program must keep running.
    if (!event.persisted) administration.stop()
  })
}
