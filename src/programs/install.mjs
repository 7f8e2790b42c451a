// Before a command of a package, as Vitest: installs what the lock file says, when it is not installed.
import { ensureInstalled } from './installation.mjs'

await ensureInstalled('all')
