import { createOfficeProvider } from './hosts/office.ts'
import { startPane } from './pane.tsx'

const root = document.getElementById('root')
if (root) startPane(root, (tools) => [createOfficeProvider({ window, ...tools })])
