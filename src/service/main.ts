/**
 * The signature service as a process: `npm run service`. Its settings are in the environment (docs/operations.md).
 * Prints the address on which it listens, then its log.
 */
import { runServer, UsageError } from '../server/serverProcess.ts'
import { gathered } from './operations/gathered.ts'
import { startProduction } from './production.ts'
import { readSettings } from './settings.ts'

await runServer(async () => {
  const read = readSettings(process.env)
  if ('problems' in read) throw new UsageError(read.problems.join('\n'))
  return startProduction(read.settings, gathered(process.stdout))
})
