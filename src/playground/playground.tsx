import { demoMailbox } from './mailbox/demo.ts'
import { serveMailbox } from './mailbox/serve.ts'
import { createNestedBridge, nestedFaults, type NestedBridge } from './mailClient/nestedBridge.ts'
import { openPlayground } from './PlaygroundPage.tsx'

declare global {
  interface Window {
    /** Where the mail client signs in for what is nested in it; the pane takes it from here. */
    nestedAppAuthBridge?: NestedBridge
  }
}

const query = () => new URLSearchParams(location.search)

/** Whoever sits at the mailbox, signed in by the identity provider. */
const tokens = async (email: string) => {
  const response = await fetch(`${process.env['SIGNET_IDP_URL']}/mail-client/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
  })
  if (!response.ok) throw new Error(`The identity provider answered ${response.status}`)
  return (await response.json()) as { access_token: string; id_token: string }
}

/** `?identity=nested` signs in through the bridge; `?identity=nested-consent` and so on with a fault. */
const [kind, wanted] = (query().get('identity') ?? '').split('-')
if (kind === 'nested')
  window.nestedAppAuthBridge = createNestedBridge({
    email: () => query().get('person') ?? demoMailbox().person,
    tokens,
    fault: nestedFaults.find((fault) => fault === wanted) ?? null,
  })

void openPlayground({
  address: 'pane.html',
  isWatched: true,
  serve: (mailbox, pane) => serveMailbox(mailbox, pane, location.origin, window),
})
