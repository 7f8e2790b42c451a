import { FIRST_PERSON } from './mailbox/demo.ts'
import { serveMailbox } from './mailbox/serve.ts'
import { createNestedBridge, NESTED_FAULTS, type NestedBridge } from './mailClient/nestedBridge.ts'
import { fetchTokens, openPlayground } from './openPlayground.tsx'
import { classicRuntime, pageRuntime } from './startRuntime.ts'

declare global {
  interface Window {
    /** The sign-in bridge for nested pages. The pane copies it into its own window. */
    nestedAppAuthBridge?: NestedBridge
  }
}

const query = () => new URLSearchParams(location.search)

/** `?identity=nested` signs in through the bridge; `?identity=nested-consent` gives the bridge the fault `consent`. */
const [kind, faultName] = (query().get('identity') ?? '').split('-')
if (kind === 'nested')
  window.nestedAppAuthBridge = createNestedBridge({
    email: () => query().get('person') ?? FIRST_PERSON,
    tokens: fetchTokens,
    fault: NESTED_FAULTS.find((fault) => fault === faultName) ?? null,
  })

void openPlayground(
  {
    address: 'pane.html',
    isWatched: true,
    serve: (mailbox, pane) => serveMailbox(mailbox, pane, location.origin, window),
  },
  (surroundings$) => ({ page: pageRuntime(surroundings$), classic: classicRuntime(surroundings$) }),
)
