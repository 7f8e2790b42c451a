// Runs before a command of a package, such as Vitest: installs the lock file's packages, unless they are installed.
import { ensureInstalled } from './installation.mjs'

await ensureInstalled('all')
