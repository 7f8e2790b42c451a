import { startLaunch } from './startLaunch.ts'

// The program of launch.js, for manifests without the event of sending.

startLaunch(null)
