/**
 * A program that syncs the service's people with Microsoft Graph once, and prints the cost as JSON. Graph runs in the
 * process that starts this program.
 *
 *     tsx directorySync.ts <address of the database> <address of Graph> <authority> <secret>
 */
import { randomUUID } from 'node:crypto'
import { createGraphSource } from '../../../src/service/directory/graph.ts'
import { runSync } from '../../../src/service/directory/runs.ts'
import { createPeople } from '../../../src/service/people/people.ts'
import { openStore } from '../../../src/service/sql/openStore.ts'
import { TENANT } from './organisation.ts'

export type SyncFigures = Readonly<{
  added: number
  changed: number
  read: number
  /** Processor time of the service, in milliseconds. */
  processorMs: number
  /** The largest growth of the heap during the sync, in bytes. */
  memoryBytes: number
}>

const [databaseUrl = '', graphUrl = '', authority = '', secret = ''] = process.argv.slice(2)
const store = await openStore({ kind: 'postgres', url: databaseUrl })
const releases = { current: () => null }
const people = createPeople({ store, releases, now: Date.now, newId: randomUUID })
const source = createGraphSource({
  tenant: TENANT,
  authority,
  url: graphUrl,
  clientId: 'bench',
  credential: { kind: 'secret', secret },
  now: Date.now,
  newId: randomUUID,
  store,
  pictures: false,
})

/** Reads the memory at every 20th report of progress only, because garbage collection takes time. */
const LOOK_EVERY = 20

globalThis.gc?.()
const before = process.memoryUsage().heapUsed
const computedMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const start = computedMs()
let most = before
let told = 0
let collectingMs = 0
const { outcome, failure, added, changed, read } = await runSync(
  { kind: 'graph', sources: [source], store, people, releases, now: Date.now },
  { id: randomUUID(), by: 'bench', isTrial: false, mayDeactivate: false },
  () => {
    told += 1
    if (told % LOOK_EVERY > 0) return
    // Collects first, so that garbage does not count.
    const begun = computedMs()
    globalThis.gc?.()
    collectingMs += computedMs() - begun
    most = Math.max(most, process.memoryUsage().heapUsed)
  },
  new AbortController().signal,
)
if (outcome !== 'done') throw new Error(`The sync is ${outcome}: ${failure?.message ?? ''}`)
const figures: SyncFigures = {
  added,
  changed,
  read,
  processorMs: computedMs() - start - collectingMs,
  memoryBytes: most - before,
}
process.stdout.write(JSON.stringify(figures))
await store.close()
