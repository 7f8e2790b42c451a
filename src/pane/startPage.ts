import { config } from '../engine/config.ts'
import type { CreateProviders } from '../engine/createEngine.ts'
import { createOfficeProvider } from '../engine/hosts/office.ts'
import { createStandaloneProvider } from '../engine/hosts/standalone.ts'
import { createOfficeIdentity } from '../engine/signIn/officeIdentity.ts'
import { openStandaloneIdentity } from '../engine/signIn/standaloneIdentity.ts'
import { startPane } from './startPane.ts'

/** The hosts that each shipped page tries, in this order (specification, section 1). */
const createProviders: CreateProviders = (tools) => {
  const signIn = { page: window, signIn: config.signIn, ...tools }
  return [
    createOfficeProvider({
      window,
      ...tools,
      identity: (mail, office) => createOfficeIdentity(mail, office, signIn),
    }),
    createStandaloneProvider({
      page: window,
      production: config.stage.production,
      createIdentity: () => openStandaloneIdentity(signIn),
      log: tools.log,
    }),
  ]
}

/** Starts the pane of a shipped page: in Outlook, else in a plain browser. With neither, the page shows a message. */
export function startPage(): void {
  const root = document.getElementById('root')
  if (root) startPane(root, createProviders)
}
