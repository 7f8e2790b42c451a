import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import {
  asyncScheduler,
  BehaviorSubject,
  combineLatest,
  concatMap,
  defer,
  map,
  type Observable,
  pairwise,
} from 'rxjs'
import { Failed } from '../../streams/kernel/failure.ts'
import '../../views/shared/theme.css'
import { servedSettings } from '../engine/served.ts'
import type { RuntimeKind } from './raisedEvents.ts'
import { createRuntimeHost, type StartRuntime } from './runtimeHost.ts'
import { demoMailboxAt } from './mailbox/demo.ts'
import { createMailbox } from './mailbox/mailbox.ts'
import { tokenAccount, readSignInSettings } from './mailClient/nestedBridge.ts'
import { MailboxContext } from './mailClient/mailboxContext.ts'
import { type PaneFrame, PlaygroundPage } from './PlaygroundPage.tsx'
import { createControls } from './scenario/controls.ts'
import { ControlsContext } from './scenario/controlsContext.ts'
import { createJumpingTime } from './scenario/jumpingTime.ts'
import { readScenario, writeScenario } from './scenario/scenario.ts'
import { createScripting } from './scenario/scripting.ts'
import { createServerControl } from './scenario/servers.ts'
import type { RuntimeEnvironment } from './mailbox/wire.ts'
import './timeline/session.ts'
import { loadTexts, showTexts } from './text.ts'

/** Gets tokens as a mail client does: the identity provider issues them for the mailbox's user. */
export async function fetchTokens(
  email: string,
): Promise<Readonly<{ access_token: string; id_token: string }>> {
  const response = await fetch(`${servedSettings.SIGNET_IDP_URL}/mail-client/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
  }).catch(networkFailure)
  if (!response.ok) throw new Error(`The identity provider answered ${response.status}`)
  return (await response.json()) as { access_token: string; id_token: string }
}

const networkFailure = () => Promise.reject(new Failed({ kind: 'network' }))

/** Whether the page was reloaded. A reload keeps the servers' faults; only following a link sets them. */
const isReload = () =>
  performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type !== 'navigate')

/** Creates the launch event runtimes that the page can start. */
type CreateRuntimes = (
  surroundings$: Observable<RuntimeEnvironment>,
) => Readonly<Partial<Record<RuntimeKind, StartRuntime>>>

/** Renders the playground into `#root`, with the scenario from the page's address. */
export async function openPlayground(paneFrame: PaneFrame, createRuntimes: CreateRuntimes): Promise<void> {
  const root = document.getElementById('root')
  if (!root) return
  const linked = readScenario(location.search)
  const offline$ = new BehaviorSubject(false)
  const time = createJumpingTime({ scheduler: asyncScheduler })
  const { fault } = readSignInSettings(location.search)
  const mailbox = createMailbox(demoMailboxAt(Date.now()), {
    time,
    accessToken: (email) =>
      defer(async () =>
        offline$.value ? networkFailure() : (await fetchTokens(tokenAccount(email, fault))).access_token,
      ),
  })
  const controls = createControls({
    mailbox,
    service: createServerControl(servedSettings.SIGNET_API_URL ?? ''),
    identity: createServerControl(servedSettings.SIGNET_IDP_URL ?? ''),
    offline$,
  })
  controls.ahead$.pipe(pairwise()).subscribe(([from, to]) => time.jump(to - from))
  const runtimeHost = createRuntimeHost({
    mailbox,
    time: { scheduler: asyncScheduler },
    runtimes: createRuntimes(
      combineLatest([offline$, controls.ahead$]).pipe(map(([isOffline, ahead]) => ({ isOffline, ahead }))),
    ),
    mode: () => controls.launchMode$.value,
    faults: {
      has: (fault) => controls.launchFaults$.value.has(fault),
      clear: (fault) => controls.setLaunchFault(fault, false),
    },
  })
  window.playground = createScripting(mailbox, controls, runtimeHost)
  if (paneFrame.isWatched)
    window.paneWatch = {
      opened: (session) => controls.session$.next(session),
      ahead: () => controls.ahead$.value,
      isOffline: () => offline$.value,
    }
  const applying = controls.apply(linked, !isReload())
  if (linked.service.length + linked.identity.length > 0) await applying
  controls.scenario$.subscribe((scenario) => {
    const query = writeScenario(scenario, location.search)
    history.replaceState(null, '', `${location.pathname}${query && '?'}${query}${location.hash}`)
  })
  // Another playground page may have changed the servers' faults.
  window.addEventListener('focus', () => {
    void controls.service.refresh()
    void controls.identity.refresh()
  })

  // The pane starts with the servers' clock, so the scenario must be applied first. Applying it sets the user at once,
  // so the language here is already the language of the scenario's user.
  const [texts] = await Promise.all([loadTexts(controls.language$.value), applying])
  const showLanguage = () => {
    document.documentElement.lang = texts.language
    document.title = texts.t('title')
  }
  showLanguage()
  controls.language$.pipe(concatMap((next) => showTexts(texts, next))).subscribe(showLanguage)
  controls.appearance$.subscribe(({ theme }) => {
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
  })
  runtimeHost.start()
  createRoot(root).render(
    <I18nextProvider i18n={texts}>
      <MailboxContext value={mailbox}>
        <ControlsContext value={controls}>
          <PlaygroundPage paneFrame={paneFrame} runtimeHost={runtimeHost} />
        </ControlsContext>
      </MailboxContext>
    </I18nextProvider>,
  )
}
