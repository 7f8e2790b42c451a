import { asyncScheduler } from 'rxjs'
import { config } from '../engine/config.ts'
import { FIRST_PERSON } from './mailbox/demo.ts'
import { serveMailbox } from './mailbox/serve.ts'
import { createNestedBridge, type NestedBridge, readSignInSettings } from './mailClient/nestedBridge.ts'
import { createSignInWindow, type OpenSignInWindow } from './mailClient/signInWindow.ts'
import { fetchTokens, openPlayground } from './openPlayground.tsx'
import { classicRuntimeStart, pageRuntimeStart } from './startRuntime.ts'

declare global {
  interface Window {
    /** The sign-in bridge for nested pages. The pane copies it into its own window. */
    nestedAppAuthBridge?: NestedBridge
    /** Opens a sign-in window for the pane. */
    openSignInWindow?: OpenSignInWindow
  }
}

const query = () => new URLSearchParams(location.search)

const { isNested, fault } = readSignInSettings(location.search)
if (isNested)
  window.nestedAppAuthBridge = createNestedBridge({
    email: () => query().get('person') ?? FIRST_PERSON,
    tokens: fetchTokens,
    fault,
  })

window.openSignInWindow = createSignInWindow({
  page: location,
  signIn: config.signIn,
  time: { scheduler: asyncScheduler },
})

void openPlayground(
  {
    address: 'pane.html',
    isWatched: true,
    serve: (mailbox, pane) => serveMailbox(mailbox, pane, location.origin, window),
  },
  (surroundings$) => ({ page: pageRuntimeStart(surroundings$), classic: classicRuntimeStart(surroundings$) }),
)
