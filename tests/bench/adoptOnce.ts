import { readFileSync } from 'node:fs'
import { withReadingThread } from '../../src/adopt/readingApart.ts'
import { NotAdopted } from '../../src/adopt/sample.ts'

// Reads one sample, and prints the result, the processor time and the memory. Runs as a separate process, so that the
// process's memory is the memory of this reading.

const [file = ''] = process.argv.slice(2)
const before = process.cpuUsage()
const resident = process.memoryUsage().rss
const end = await withReadingThread(({ read }) =>
  read([{ path: file, bytes: readFileSync(file) }], null),
).then(
  ({ html }) => `${String(html.length)} characters`,
  (error: unknown) => (error instanceof NotAdopted ? error.code : String(error)),
)
const { user, system } = process.cpuUsage(before)
console.log(
  JSON.stringify({
    end,
    cpu: (user + system) / 1000,
    memory: process.resourceUsage().maxRSS * 1024 - resident,
  }),
)
