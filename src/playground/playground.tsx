import { served } from '../engine/served.ts'
import { FIRST_PERSON } from './mailbox/demo.ts'
import { serveMailbox } from './mailbox/serve.ts'
import { createNestedBridge, NESTED_FAULTS, type NestedBridge } from './mailClient/nestedBridge.ts'
import { openPlayground } from './openPlayground.tsx'
import { classicRuntime, pageRuntime } from './startRuntime.ts'

declare global {
  interface Window {
    /** Signs in for nested pages. The pane copies it into its own window. */
    nestedAppAuthBridge?: NestedBridge
  }
}

const query = () => new URLSearchParams(location.search)

/** Signs in the user of the mailbox at the identity provider. */
const tokens = async (email: string) => {
  const response = await fetch(`${served.SIGNET_IDP_URL}/mail-client/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
  })
  if (!response.ok) throw new Error(`The identity provider answered ${response.status}`)
  return (await response.json()) as { access_token: string; id_token: string }
}

/** `?identity=nested` signs in through the bridge, `?identity=nested-consent` with the bridge's fault `consent`. */
const [kind, faultName] = (query().get('identity') ?? '').split('-')
if (kind === 'nested')
  window.nestedAppAuthBridge = createNestedBridge({
    email: () => query().get('person') ?? FIRST_PERSON,
    tokens,
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
