import { asyncScheduler, catchError, distinctUntilChanged, EMPTY, map } from 'rxjs'
import { selectChosenLanguage } from '../../streams/pane/locale/selectors.ts'
import { config } from '../engine/config.ts'
import { createSimulatedProvider } from './mailClient/simulatedHost.ts'
import { createMailClientIdentity } from '../engine/signIn/officeIdentity.ts'
import { startPane } from '../pane/startPane.ts'
import { createJumpingTime } from './scenario/jumpingTime.ts'
import { createWindowMethod, type OpenSignInWindow } from './mailClient/signInWindow.ts'
import type { NestedBridge } from './mailClient/nestedBridge.ts'
import './timeline/session.ts'

/** The mail client's sign-in bridge. Outlook itself would add it to the pane's window. */
const { nestedAppAuthBridge, openSignInWindow } = window.parent as Window &
  Readonly<{ nestedAppAuthBridge?: NestedBridge; openSignInWindow?: OpenSignInWindow }>
if (nestedAppAuthBridge) Object.assign(window, { nestedAppAuthBridge })

const watch = window.parent.paneWatch
const time = createJumpingTime({ scheduler: asyncScheduler }, watch?.ahead() ?? 0)

/** Creates a request. While the playground is offline, the request fails with a network error. */
const createXhr = (): XMLHttpRequest => {
  const request = new XMLHttpRequest()
  if (watch?.isOffline())
    request.send = () => {
      time.scheduler.schedule(() => request.dispatchEvent(new ProgressEvent('error')))
    }
  return request
}

const root = document.getElementById('root')
if (root)
  startPane(
    root,
    (tools) => [
      createSimulatedProvider({
        pane: window,
        ...tools,
        identity: (mail) => {
          const options = { page: window, signIn: config.signIn, ...tools }
          return createMailClientIdentity(mail, createWindowMethod(openSignInWindow ?? null), options)
        },
      }),
    ],
    {
      time,
      createXhr,
      onApp: ({ log, base, event$, state$ }) =>
        watch?.opened({
          id: performance.timeOrigin,
          log,
          base,
          event$,
          language$: state$.pipe(
            map(selectChosenLanguage),
            distinctUntilChanged(),
            catchError(() => EMPTY),
          ),
          jump: time.jump,
          changeNetwork: (isOffline) => {
            window.dispatchEvent(new Event(isOffline ? 'offline' : 'online'))
          },
        }),
    },
  )
