import { lookBeforeSending } from './lookBeforeSending.ts'
import { startLaunch } from './startLaunch.ts'

// The program of launch-guard.js, for manifests with the event of sending (`npm run manifest -- --guard`).

startLaunch(lookBeforeSending)
