import { createSimulatedProvider } from '../hosts/simulated.ts'
import { startPane } from '../pane.tsx'

const root = document.getElementById('root')
if (root) startPane(root, (tools) => [createSimulatedProvider({ pane: window, ...tools })])
