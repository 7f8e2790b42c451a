import { config } from '../engine/config.ts'
import { createStandaloneProvider } from '../engine/hosts/standalone.ts'
import { openStandaloneIdentity } from '../engine/signIn/standaloneIdentity.ts'
import { startPane } from './startPane.ts'

/** Starts the pane in a plain browser. In production no mail client answers there, and the pane says so. */
export function startStandalonePane(): void {
  const root = document.getElementById('root')
  if (root)
    startPane(root, (tools) => [
      createStandaloneProvider({
        page: window,
        production: config.stage.production,
        createIdentity: () => openStandaloneIdentity({ page: window, signIn: config.signIn, ...tools }),
        log: tools.log,
      }),
    ])
}
