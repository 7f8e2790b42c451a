import { startAdministration } from './startAdministration.tsx'

const root = document.getElementById('root')
if (root) startAdministration(root)
