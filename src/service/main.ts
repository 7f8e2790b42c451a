/**
 * The signature service as a process: `npm run service`. Its settings are in the environment (docs/operations.md).
 * Prints the address on which it listens, then its log.
 */
import { pino } from 'pino'
import { runServer, UsageError } from '../server/serverProcess.ts'
import { startProduction } from './production.ts'
import { readSettings } from './settings.ts'

const STDOUT = 1

await runServer(async () => {
  const read = readSettings(process.env)
  if ('problems' in read) throw new UsageError(read.problems.join('\n'))
  // The requests of a moment cost one write. pino writes what still waits when the process ends, unless it is killed.
  const output = pino.destination({ dest: STDOUT, sync: false, minLength: 4_096, periodicFlush: 100 })
  return startProduction(read.settings, output)
})
