import { startLaunch } from './startLaunch.ts'

// The program of launch.js, for manifests without the send event.

startLaunch(null)
