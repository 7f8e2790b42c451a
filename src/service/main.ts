/**
 * The signature service as a process: `npm run service`. Reads its settings from the environment (docs/operations.md).
 * Prints its address, then its log.
 */
import { pino } from 'pino'
import { runServer, UsageError } from '../server/serverProcess.ts'
import { startProduction } from './production.ts'
import { readSettings } from './settings.ts'

const STDOUT = 1

await runServer(async () => {
  const read = readSettings(process.env)
  if ('problems' in read) throw new UsageError(read.problems.join('\n'))
  // Buffers log lines, so that a burst of requests costs one write. pino flushes the buffer at exit, unless the process
  // is killed.
  const output = pino.destination({ dest: STDOUT, sync: false, minLength: 4_096, periodicFlush: 100 })
  return startProduction(read.settings, output)
})
