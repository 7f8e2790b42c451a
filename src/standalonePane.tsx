import { config } from './config.ts'
import { createStandaloneProvider } from './hosts/standalone.ts'
import { startPane } from './pane.tsx'

/** The pane in a plain browser. In production there is no host for it, and the pane says so. */
export function startStandalonePane(): void {
  const root = document.getElementById('root')
  if (root)
    startPane(root, (tools) => [
      createStandaloneProvider({
        page: window,
        production: config.stage.production,
        signIn: config.signIn,
        ...tools,
      }),
    ])
}
