/** One sync: reads what the sources tell, and brings it to the people, or tells what that would change. */
import {
  type DirectoryFailure,
  type DirectoryRun,
  type DirectorySample,
  MOST_SAMPLES,
  namedGroups,
  needsLeave,
} from '../../../streams/organisation/directory.ts'
import type { Store } from '../sql/store.ts'
import type { People, Releases } from '../world.ts'
import { applyChanges, nameGroups, type UserOf } from './apply.ts'

/** What a directory did not answer as it should. The message is a sentence for the operator and names no person. */
export class DirectoryError extends Error {
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** A tenant of a directory, or what pushes to the service. */
export type DirectorySource = Readonly<{
  /** `graph:<tenant>` or `scim`. */
  source: string
  /**
   * Reads what changed since the last reading into the mirror.
   *
   * @param named the groups that rules name
   * @param told is called with the number of entries of each page
   * @throws DirectoryError and then nothing of the source is applied
   */
  read: (named: readonly string[], told: (entries: number) => void, signal: AbortSignal) => Promise<void>
  userOf: UserOf
}>

export type SyncRequest = Readonly<{
  id: string
  by: string
  isTrial: boolean
  /** It may retire more than 5 % of the people. */
  mayRetire: boolean
}>

export type RunPorts = Readonly<{
  kind: 'graph' | 'scim'
  sources: readonly DirectorySource[]
  store: Pick<Store, 'directory' | 'persons' | 'countPeople'>
  people: Pick<People, 'importEach' | 'write' | 'erase'>
  releases: Pick<Releases, 'current'>
  /** Milliseconds since 1970. */
  now: () => number
}>

/** Of the 50 samples so many are of one kind, so that there is room for each of the five. */
export const MOST_OF_A_KIND = MOST_SAMPLES / 5

/**
 * @param progress is told the run when it begins, and after each page
 * @returns the run as it ended; `interrupted` after `signal`
 * @throws StoreUnavailable; the run is told to be interrupted by the next one
 */
export async function runSync(
  { kind, sources, store, people, releases, now }: RunPorts,
  { id, by, isTrial, mayRetire }: SyncRequest,
  progress: (run: DirectoryRun) => void,
  signal: AbortSignal,
): Promise<DirectoryRun> {
  const { directory } = store
  let run: DirectoryRun = {
    ...{ id, source: kind, at: now(), until: null, isTrial, by, outcome: 'running' },
    ...{ read: 0, added: 0, changed: 0, retired: 0, returned: 0, refused: 0, failure: null, samples: [] },
  }
  const keep = async (change: Partial<DirectoryRun>): Promise<DirectoryRun> => {
    run = { ...run, ...change }
    await directory.keepRun(run)
    progress(run)
    return run
  }

  await endLostRuns(directory, now())
  await keep({})
  try {
    const document = releases.current()?.document
    const named = document === undefined ? [] : namedGroups(document)
    const failures: DirectoryFailure[] = []
    const readable: DirectorySource[] = []
    for (const source of sources) {
      try {
        await source.read(named, (entries) => (run = { ...run, read: run.read + entries }), signal)
        readable.push(source)
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error
        failures.push({ code: error.code, message: error.message })
      }
      await keep({})
    }
    const namings = []
    for (const { source } of readable) namings.push(await nameGroups(directory, source, named))

    const retiring = await directory.countRetiring(readable.map(({ source }) => source))
    const isScim = kind === 'scim'
    // Whom SCIM keeps back waits for a person, however few they are now; what else it told does not wait with them.
    const isTooMany = !mayRetire && (isScim ? retiring > 0 : needsLeave(retiring, await store.countPeople()))
    const only = { isTrial: isTrial || (isTooMany && !isScim), retires: mayRetire || !isScim }
    for (const [index, { source, userOf }] of readable.entries()) {
      const applying = { ...{ source, userOf, actor: by, signal }, ...only }
      for await (const samples of applyChanges({ store, people }, applying, namings[index] ?? new Map()))
        if (samples.length > 0) await keep(counted(run, samples))
    }
    const [failure = null] = failures
    const outcome = failure !== null ? 'failed' : isTooMany ? 'needsLeave' : 'done'
    return await keep({ outcome, failure, until: now() })
  } catch (error) {
    if (signal.aborted) return keep({ outcome: 'interrupted', until: now() })
    await keep({ outcome: 'failed', failure: UNEXPECTED, until: now() })
    throw error
  }
}

const UNEXPECTED: DirectoryFailure = {
  code: 'unexpected',
  message: 'The sync ended with an unexpected error, which the log of the service has.',
}

/** Runs of an instance that ended without saying so. */
async function endLostRuns(directory: RunPorts['store']['directory'], at: number): Promise<void> {
  for (const run of await directory.runs(MOST_SAMPLES))
    if (run.outcome === 'running') await directory.keepRun({ ...run, outcome: 'interrupted', until: at })
}

/** What a run tells of the changes after these, too. */
export function counted(run: DirectoryRun, samples: readonly DirectorySample[]): Partial<DirectoryRun> {
  const count = (change: DirectorySample['change']) =>
    samples.reduce((sum, sample) => sum + (sample.change === change ? 1 : 0), run[change])
  const kept = [...run.samples]
  for (const sample of samples)
    if (kept.filter(({ change }) => change === sample.change).length < MOST_OF_A_KIND) kept.push(sample)
  return {
    added: count('added'),
    changed: count('changed'),
    retired: count('retired'),
    returned: count('returned'),
    refused: count('refused'),
    samples: kept,
  }
}
