import { lookBeforeSending } from './lookBeforeSending.ts'
import { startLaunch } from './startLaunch.ts'

// The program of launch-guard.js, for manifests with the send event (`npm run manifest -- --guard`).

startLaunch(lookBeforeSending)
