import { asyncScheduler, defer } from 'rxjs'
import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nextProvider, useTranslation } from 'react-i18next'
import '../../views/theme.css'
import { DEMO_THEMES, demoMailbox } from '../mailbox/demo.ts'
import { type Mailbox, createMailbox } from '../mailbox/mailbox.ts'
import { MailClient } from './MailClient.tsx'
import { MailboxContext, useMailbox, useMailboxState } from './mailboxState.ts'
import * as css from './playground.module.css'
import { type Playground, createScripting } from './scripting.ts'
import type { PaneSession } from './session.ts'
import { TaskPane, showTheme } from './TaskPane.tsx'
import { chooseLanguage, loadTexts } from './text.ts'

declare global {
  interface Window {
    playground: Playground
  }
}

/** How the page and the pane in it find each other. */
export type PaneFrame = Readonly<{
  address: string
  /** What the frame is called before its address is set; `displayLanguage` is the person's. */
  name?: (displayLanguage: string) => string
  /** The pane tells the page around it what happens in it. */
  isWatched: boolean
  /** Serves the mailbox to the pane in this window. Returns what ends it. */
  serve: (mailbox: Mailbox, pane: Window) => () => void
}>

const Timeline = lazy(() => import('./Timeline.tsx').then((chunk) => ({ default: chunk.Timeline })))

type Theme = 'system' | 'light' | 'dark'
const THEMES = { system: 'bar.themeSystem', light: 'bar.themeLight', dark: 'bar.themeDark' } as const
const PERSON = 'person'

function Page({ paneFrame }: { paneFrame: PaneFrame }) {
  const { t } = useTranslation()
  const mailbox = useMailbox()
  const { person, accounts } = useMailboxState()
  const language = accounts.find(({ address }) => address === person)?.displayLanguage ?? 'en-US'
  const [theme, setTheme] = useState<Theme>('system')
  const [loading, setLoading] = useState(0)
  const [session, setSession] = useState<PaneSession | null>(null)
  const [showsTimeline, setShowsTimeline] = useState(false)
  const reload = () => setLoading((times) => times + 1)

  // Before the browser can have loaded the pane.
  useLayoutEffect(() => {
    window.paneWatch = { opened: setSession }
    return () => {
      delete window.paneWatch
    }
  }, [])
  useEffect(() => {
    showTheme(document, theme)
  }, [theme])
  const serve = useCallback(
    (element: HTMLIFrameElement | null) => {
      const pane = element?.contentWindow
      return pane ? paneFrame.serve(mailbox, pane) : undefined
    },
    [mailbox, paneFrame],
  )

  return (
    <div className={css.page}>
      <header className={css.bar} aria-label={t('bar.label')}>
        <span className={css.mark} aria-hidden="true" />
        <h1>{t('title')}</h1>
        <a className={css.skip} href="#pane">
          {t('bar.toPane')}
        </a>
        <PersonSelect
          person={person}
          onChoose={(address) => {
            mailbox.act({ type: 'choosePerson', address })
            const here = new URL(location.href)
            here.searchParams.set(PERSON, address)
            history.replaceState(null, '', here)
            reload()
          }}
        />
        <label>
          <span>{t('bar.theme')}</span>
          <select
            value={theme}
            onChange={({ target }) => {
              const chosen = target.value as Theme
              setTheme(chosen)
              // A mail client that looks as the system does leaves it to the pane to look there.
              mailbox.act({ type: 'setTheme', theme: chosen === 'system' ? null : DEMO_THEMES[chosen] })
            }}
          >
            {Object.entries(THEMES).map(([value, name]) => (
              <option key={value} value={value}>
                {t(name)}
              </option>
            ))}
          </select>
        </label>
        {paneFrame.isWatched && (
          <button
            type="button"
            className={css.tool}
            aria-expanded={showsTimeline}
            disabled={!session}
            onClick={() => setShowsTimeline(!showsTimeline)}
          >
            {t('bar.timeline')}
          </button>
        )}
      </header>
      <MailClient />
      {showsTimeline && session && (
        <div className={css.dock}>
          <Suspense>
            <Timeline session={session} theme={theme} onClose={() => setShowsTimeline(false)} />
          </Suspense>
        </div>
      )}
      <TaskPane
        address={paneFrame.address}
        name={paneFrame.name?.(language)}
        loading={loading}
        onReload={reload}
        onFrame={serve}
      />
    </div>
  )
}

function PersonSelect({ person, onChoose }: { person: string; onChoose: (address: string) => void }) {
  const { t } = useTranslation()
  const { accounts } = useMailboxState()
  return (
    <label>
      <span>{t('bar.person')}</span>
      <select value={person} onChange={({ target }) => onChoose(target.value)}>
        {accounts.map(({ address, name }) => (
          <option key={address} value={address}>
            {name || address}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The identity provider plays the mail client's part in signing in: a token for whoever sits at the mailbox. */
const accessToken = (email: string) =>
  defer(async () => {
    const response = await fetch(`${process.env['SIGNET_IDP_URL']}/mail-client/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email }),
    })
    if (!response.ok) throw new Error(`The identity provider answered ${response.status}`)
    const { access_token } = (await response.json()) as { access_token: string }
    return access_token
  })

/** The demonstration mailbox of the person whom the address names; of the first one when it names nobody. */
function openMailbox(): Mailbox {
  const wanted = new URLSearchParams(location.search).get(PERSON)
  const first = demoMailbox()
  const isKnown = first.accounts.some(({ address }) => address === wanted)
  return createMailbox(wanted !== null && isKnown ? demoMailbox(wanted) : first, {
    time: { scheduler: asyncScheduler },
    accessToken,
  })
}

/** Shows the playground in the page: a mail client at work, and the pane beside it. */
export async function openPlayground(paneFrame: PaneFrame): Promise<void> {
  const root = document.getElementById('root')
  if (!root) return
  const mailbox = openMailbox()
  window.playground = createScripting(mailbox)
  const texts = await loadTexts(chooseLanguage(navigator.languages))
  document.documentElement.lang = texts.language
  document.title = texts.t('title')
  createRoot(root).render(
    <I18nextProvider i18n={texts}>
      <MailboxContext value={mailbox}>
        <Page paneFrame={paneFrame} />
      </MailboxContext>
    </I18nextProvider>,
  )
}
