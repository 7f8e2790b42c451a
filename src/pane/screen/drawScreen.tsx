import type { ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import type { ChunkLoader, Log } from '../../../effects/ports.ts'
import type { Sanitize } from '../../../streams/html/plan.ts'
import type { Time } from '../../../streams/kernel/time.ts'
import type { Language } from '../../../streams/wire/languages.ts'
import type { Notice } from '../../../streams/pane/notifications/events.ts'
import { HELP_PATH } from '../../../streams/pane/router/routes.ts'
import { FatalPage } from '../../../views/pane/FatalPage.tsx'
import { CrashBoundary } from '../../../views/shared/CrashBoundary.tsx'
import { Pane } from '../../../views/pane/Pane.tsx'
import { noticeText } from '../../../views/pane/text/noticeText.ts'
import { createTexts, type Texts } from '../../../views/pane/text/texts.ts'
import type { LoadChunk } from '../../engine/adapters/chunks.ts'
import { config, supportUrl } from '../../engine/config.ts'
import type { SignetApp } from '../../engine/createApp.ts'
import { gestureEffects } from './gestureEffects.ts'
import { createPageLoader } from './pageLoader.ts'

/** The screen that the user sees. Drawing replaces everything in its element. */
export type Screen = Readonly<{
  pages: ChunkLoader
  /** The effects that gestures start. The application needs them from the first drawing onwards. */
  effects: typeof gestureEffects
  noticeText(notice: Notice): string
  /** Adds the texts of a language. */
  addTexts(language: Language, texts: Texts): void
  /** Shows this language, or English while its texts are missing. */
  show(language: Language): void
  draw(app: Pick<SignetApp, 'state$' | 'record'>): void
  /** Shows that no mail client answered. At the address of the help page, shows the help page instead. */
  drawNoHost(): void
}>

type ScreenTools = Readonly<{
  time: Time
  log: Log
  loadChunk: LoadChunk
  loadSanitizer: () => Promise<Sanitize>
}>

const reload = () => {
  location.reload()
}

/** Draws the screen in `element`. When a view crashes, a full-page message explains it, so the pane is never blank. */
export function createScreen(element: Element, { time, log, loadChunk, loadSanitizer }: ScreenTools): Screen {
  const { locale, fallbackLocale, stage } = config
  const root = createRoot(element)
  const pages = createPageLoader(loadChunk)
  const loadHelp = loadChunk(() => import('../../../views/pane/settings/Help.tsx'))
  const texts = createTexts({
    locale,
    fallback: fallbackLocale,
    production: stage.production,
    warn: (missing) => {
      log.warn('translation_missing', missing)
    },
  })
  return {
    pages,
    effects: gestureEffects,
    noticeText: (notice) => noticeText(notice, (key, values) => texts.t(key, { ...values })),
    addTexts: (language, added) => {
      texts.addResourceBundle(language, 'translation', added)
      // Without this call, views that are drawn already would keep the texts of the fallback language.
      void texts.changeLanguage(texts.language)
    },
    show: (language) => void texts.changeLanguage(language),
    draw: ({ state$, record }) => {
      root.render(
        <I18nextProvider i18n={texts}>
          <CrashBoundary
            instead={<FatalPage cause="crash" onReload={reload} />}
            onCrash={(error) =>
              log.error('view_crashed', { error: error instanceof Error ? error.name : 'unknown' })
            }
          >
            <Pane
              app={{
                state$,
                record,
                loadSanitizer,
                imageOrigins: config.imageOrigins,
                time,
                viewOf: pages.viewOf,
                version: config.version,
                supportUrl,
              }}
            />
          </CrashBoundary>
        </I18nextProvider>,
      )
    },
    drawNoHost: () => {
      const drawAlone = (page: ReactElement) => {
        root.render(<I18nextProvider i18n={texts}>{page}</I18nextProvider>)
      }
      const drawFatal = () => {
        drawAlone(<FatalPage cause="noHost" onReload={reload} />)
      }
      // The manifest's help link opens in a browser without a mail client, so it shows the help page instead.
      if (location.hash !== `#${HELP_PATH}`) drawFatal()
      else
        loadHelp()
          .then(({ StandaloneHelp: HelpAlone }) => {
            drawAlone(<HelpAlone version={config.version} supportUrl={supportUrl} />)
          })
          .catch(drawFatal)
    },
  }
}
