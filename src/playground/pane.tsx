import { config } from '../config.ts'
import { createSimulatedProvider } from '../hosts/simulated.ts'
import { createMailLadder } from '../identity/officeIdentity.ts'
import { startPane } from '../pane.tsx'
import type { NestedBridge } from './nestedBridge.ts'
import './session.ts'

/** The mail client around the pane may sign in for it. In Outlook the bridge is there by itself. */
const { nestedAppAuthBridge } = window.parent as Window & Readonly<{ nestedAppAuthBridge?: NestedBridge }>
if (nestedAppAuthBridge) Object.assign(window, { nestedAppAuthBridge })

const root = document.getElementById('root')
if (root)
  startPane(
    root,
    (tools) => [
      createSimulatedProvider({
        pane: window,
        ...tools,
        identity: (mail) => createMailLadder(mail, { page: window, signIn: config.signIn, ...tools }),
      }),
    ],
    {
      onApp: ({ log, event$ }) => window.parent.paneWatch?.opened({ stage: config.stage, log, event$ }),
    },
  )
