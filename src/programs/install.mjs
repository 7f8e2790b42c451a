// Runs before a package's command, such as Vitest: installs the lock file's packages if needed.
import { ensureInstalled } from './installation.mjs'

await ensureInstalled('all')
