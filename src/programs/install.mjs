// Runs before a command of a package, such as Vitest: installs the packages of the lock file, unless they are
// installed.
import { ensureInstalled } from './installation.mjs'

await ensureInstalled('all')
