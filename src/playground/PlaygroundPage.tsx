import { asyncScheduler, BehaviorSubject, defer } from 'rxjs'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nextProvider, useTranslation } from 'react-i18next'
import { Failed } from '../../streams/kernel/failure.ts'
import { languages } from '../../streams/locale/events.ts'
import { languageNames } from '../../views/text/languageNames.ts'
import '../../views/theme.css'
import { demoMailbox } from './mailbox/demo.ts'
import { type Mailbox, createMailbox } from './mailbox/mailbox.ts'
import { createControls } from './scenario/controls.ts'
import { ControlsContext, useControls, useStateOf } from './scenario/controlsState.ts'
import { MailClient } from './mailClient/MailClient.tsx'
import { MailboxContext, useMailbox, useMailboxState } from './mailClient/mailboxState.ts'
import * as css from './playground.module.css'
import { THEMES, type Theme, countFaults, readScenario, writeScenario } from './scenario/scenario.ts'
import { type Playground, createScripting } from './scenario/scripting.ts'
import { createServer } from './scenario/servers.ts'
import './timeline/session.ts'
import { TaskPane, showTheme } from './TaskPane.tsx'
import { chooseLanguage, loadTexts, showTexts } from './text.ts'

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

const Timeline = lazy(() => import('./timeline/Timeline.tsx').then((chunk) => ({ default: chunk.Timeline })))

const Faults = lazy(() => import('./scenario/Faults.tsx').then((chunk) => ({ default: chunk.Faults })))

const THEME_NAMES = {
  system: 'bar.themeSystem',
  light: 'bar.themeLight',
  dark: 'bar.themeDark',
} as const satisfies Record<Theme, string>

function Page({ paneFrame }: { paneFrame: PaneFrame }) {
  const { t } = useTranslation()
  const mailbox = useMailbox()
  const controls = useControls()
  const { person, accounts } = useMailboxState()
  const displayLanguage = accounts.find(({ address }) => address === person)?.displayLanguage ?? 'en-US'
  const { theme, language } = useStateOf(controls.look$)
  const loading = useStateOf(controls.reloads$)
  const session = useStateOf(controls.session$)
  const faults = countFaults(useStateOf(controls.scenario$))
  const [showsTimeline, setShowsTimeline] = useState(false)
  const [showsFaults, setShowsFaults] = useState(false)

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
    <div
      className={[css.page, showsFaults && css.withFaults, showsTimeline && css.withTimeline]
        .filter(Boolean)
        .join(' ')}
    >
      <header className={css.bar} aria-label={t('bar.label')}>
        <span className={css.mark} aria-hidden="true" />
        <h1>{t('title')}</h1>
        <a className={css.skip} href="#pane">
          {t('bar.toPane')}
        </a>
        <PersonSelect person={person} onChoose={controls.choosePerson} />
        <label>
          <span>{t('bar.language')}</span>
          <select
            value={language ?? ''}
            onChange={({ target }) =>
              controls.chooseLanguage(languages.find((each) => each === target.value) ?? null)
            }
          >
            <option value="">{t('bar.languageOwn')}</option>
            {languages.map((each) => (
              <option key={each} value={each} lang={each}>
                {languageNames[each]}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{t('bar.theme')}</span>
          <select
            value={theme}
            onChange={({ target }) =>
              controls.look$.next({ language, theme: THEMES.find((each) => each === target.value) ?? theme })
            }
          >
            {THEMES.map((each) => (
              <option key={each} value={each}>
                {t(THEME_NAMES[each])}
              </option>
            ))}
          </select>
        </label>
        <span className={css.tools}>
          <button
            type="button"
            className={css.tool}
            aria-expanded={showsFaults}
            onClick={() => setShowsFaults(!showsFaults)}
          >
            {faults === 0 ? t('bar.faults') : t('bar.faultsActive', { count: faults })}
          </button>
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
          <CopyLink />
        </span>
      </header>
      <Guide />
      {showsFaults && (
        <div className={css.faults}>
          <Suspense>
            <Faults isWatched={paneFrame.isWatched} onClose={() => setShowsFaults(false)} />
          </Suspense>
        </div>
      )}
      <MailClient />
      {showsTimeline && session && (
        <div className={css.dock}>
          <Suspense>
            <Timeline session={session} onClose={() => setShowsTimeline(false)} />
          </Suspense>
        </div>
      )}
      <TaskPane
        address={paneFrame.address}
        name={paneFrame.name?.(displayLanguage)}
        loading={loading}
        onReload={() => controls.reloads$.next(loading + 1)}
        onFrame={serve}
      />
    </div>
  )
}

/** The address brings everything that can be set. */
function CopyLink() {
  const { t } = useTranslation()
  const [outcome, setOutcome] = useState<'bar.copied' | 'bar.notCopied' | null>(null)
  return (
    <>
      <button
        type="button"
        className={css.tool}
        onClick={() => {
          navigator.clipboard.writeText(location.href).then(
            () => setOutcome('bar.copied'),
            () => setOutcome('bar.notCopied'),
          )
        }}
      >
        {t('bar.copyLink')}
      </button>
      <span role="status">{outcome && t(outcome)}</span>
    </>
  )
}

const GUIDE_READ = 'signet-playground-guide-read'

/** What there is to see, for whoever is here for the first time. */
function Guide() {
  const { t } = useTranslation()
  const [isRead, setRead] = useState(() => localStorage.getItem(GUIDE_READ) !== null)
  if (isRead) return null
  return (
    <section className={css.guide} aria-label={t('guide.label')}>
      <div>
        <p>{t('guide.see')}</p>
        <p>{t('guide.try')}</p>
        <p>{t('guide.faults')}</p>
        <p>{t('guide.timeline')}</p>
      </div>
      <button
        type="button"
        className={css.tool}
        onClick={() => {
          localStorage.setItem(GUIDE_READ, 'yes')
          setRead(true)
        }}
      >
        {t('guide.dismiss')}
      </button>
    </section>
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
const accessToken = (isOffline: () => boolean) => (email: string) =>
  defer(async () => {
    const unreachable = () => Promise.reject(new Failed({ kind: 'network' }))
    if (isOffline()) return unreachable()
    const response = await fetch(`${process.env['SIGNET_IDP_URL']}/mail-client/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email }),
    }).catch(unreachable)
    if (!response.ok) throw new Error(`The identity provider answered ${response.status}`)
    const { access_token } = (await response.json()) as { access_token: string }
    return access_token
  })

/** A reload finds the servers as they are; only who follows a link makes them so. */
const isReload = () =>
  performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type !== 'navigate')

/** Shows the playground in the page: a mail client at work, and the pane beside it, as the address says. */
export async function openPlayground(paneFrame: PaneFrame): Promise<void> {
  const root = document.getElementById('root')
  if (!root) return
  const wanted = readScenario(location.search)
  const offline$ = new BehaviorSubject(false)
  const mailbox = createMailbox(demoMailbox(), {
    time: { scheduler: asyncScheduler },
    accessToken: accessToken(() => offline$.value),
  })
  const controls = createControls({
    mailbox,
    service: createServer(process.env['SIGNET_API_URL'] ?? ''),
    identity: createServer(process.env['SIGNET_IDP_URL'] ?? ''),
    offline$,
  })
  window.playground = createScripting(mailbox, controls)
  if (paneFrame.isWatched)
    window.paneWatch = {
      opened: (session) => controls.session$.next(session),
      ahead: () => controls.ahead$.value,
      isOffline: () => offline$.value,
    }
  const bringing = controls.bring(wanted, !isReload())
  if (wanted.service.length + wanted.identity.length > 0) await bringing
  controls.scenario$.subscribe((scenario) => {
    const query = writeScenario(scenario, location.search)
    history.replaceState(null, '', `${location.pathname}${query && '?'}${query}${location.hash}`)
  })
  // Another page may have changed what the servers do.
  window.addEventListener('focus', () => {
    void controls.service.look()
    void controls.identity.look()
  })

  const own = navigator.languages
  // The pane starts at the time that the servers have.
  const [texts] = await Promise.all([
    loadTexts(chooseLanguage(wanted.language ? [wanted.language] : own)),
    bringing,
  ])
  const showLanguage = () => {
    document.documentElement.lang = texts.language
    document.title = texts.t('title')
  }
  showLanguage()
  controls.look$.subscribe(({ language }) => {
    const next = chooseLanguage(language ? [language] : own)
    if (next !== texts.language) void showTexts(texts, next).then(showLanguage)
  })
  createRoot(root).render(
    <I18nextProvider i18n={texts}>
      <MailboxContext value={mailbox}>
        <ControlsContext value={controls}>
          <Page paneFrame={paneFrame} />
        </ControlsContext>
      </MailboxContext>
    </I18nextProvider>,
  )
}
