/** Runs one sync: reads the sources, then applies the changes to people. A dry run only reports the changes. */
import {
  type DirectoryFailure,
  type DirectoryRun,
  MAX_RUN_SAMPLES,
  ruleGroupNames,
} from '../../../streams/organisation/directory/directory.ts'
import {
  beginRun,
  evolveRun,
  syncScopeOf,
  type SyncEvent,
} from '../../../streams/organisation/directory/sync.ts'
import { STORE_PROBLEMS, StoreUnavailable } from '../sql/problems.ts'
import type { Store } from '../sql/store.ts'
import type { People, Releases } from '../context/serviceContext.ts'
import { applyMarkedEntries, updateAttributes, updateGroupNames, type UserOfEntry } from './apply.ts'
import { PlainError } from '../../server/reasons.ts'

/** A failed request to the directory. The message is for the operator and names no person. */
export class DirectoryError extends PlainError {
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** The abort reason of a sync that an administrator asked to stop. */
export class SyncStopRequested extends Error {
  constructor(readonly by: string) {
    super(`${by} asked to stop the sync.`)
  }
}

/** A source of the directory: a tenant of Microsoft Graph, or SCIM. */
export type DirectorySource = Readonly<{
  /** `graph:<tenant>` or `scim`. */
  source: string
  /** The attributes that the settings name. */
  attributes: readonly string[]
  /**
   * The names in `attributes` that the source does not have; for a source that pushes its changes, that nobody has yet.
   *
   * @throws DirectoryError
   */
  unknownAttributes: (signal: AbortSignal) => Promise<readonly string[]>
  /**
   * Reads the changes since the last sync into the directory mirror; null for a source that pushes its changes.
   *
   * @param named the groups that rules name
   * @param reported gets the number of entries on each page
   * @param unknown the attributes that the source does not have
   * @throws DirectoryError; then no change from the source is applied
   */
  read:
    | ((
        named: readonly string[],
        reported: (entries: number) => void,
        signal: AbortSignal,
        unknown: readonly string[],
      ) => Promise<void>)
    | null
  userOf: UserOfEntry
}>

export type SyncRequest = Readonly<{
  id: string
  by: string
  isTrial: boolean
  /** Whether the sync may deactivate more than 5 % of the people. */
  mayDeactivate: boolean
}>

export type SyncRunPorts = Readonly<{
  kind: 'graph' | 'scim'
  sources: readonly DirectorySource[]
  store: Pick<Store, 'directory' | 'persons' | 'countPeople'>
  people: Pick<People, 'importEach' | 'write' | 'erase'>
  releases: Pick<Releases, 'current'>
  /** Milliseconds since 1970. */
  now: () => number
}>

/**
 * Runs one sync, and stores its progress.
 *
 * @param progress gets the run when it begins, and after each page
 * @returns the ended run, with the outcome `interrupted` if `signal` aborted it
 * @throws StoreUnavailable; the next sync then marks this run as interrupted
 */
export async function runSync(
  { kind, sources, store, people, releases, now }: SyncRunPorts,
  { id, by, isTrial, mayDeactivate }: SyncRequest,
  progress: (run: DirectoryRun) => void,
  signal: AbortSignal,
): Promise<DirectoryRun> {
  const { directory } = store
  let run = beginRun({ id, source: kind, at: now(), isTrial, by })
  const fold = (event: SyncEvent) => (run = evolveRun(run, event))
  const keep = async (): Promise<DirectoryRun> => {
    await directory.keepRun(run)
    progress(run)
    return run
  }
  const record = (event: SyncEvent) => {
    fold(event)
    return keep()
  }

  await endLostRuns(directory, now())
  await keep()
  try {
    const named = ruleGroupNames(releases.current())
    const failures: DirectoryFailure[] = []
    const readable: DirectorySource[] = []
    for (const source of sources) {
      try {
        const unknown = await source.unknownAttributes(signal)
        if (unknown.length > 0) await record({ type: 'attributesCompared', source: source.source, unknown })
        await source.read?.(named, (entries) => fold({ type: 'entriesRead', entries }), signal, unknown)
        readable.push(source)
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error
        failures.push({ code: error.code, message: error.message })
      }
      await keep()
    }
    const namings = []
    for (const { source, attributes } of readable) {
      await updateAttributes(directory, source, attributes)
      namings.push(await updateGroupNames(directory, source, named))
      await directory.markFormer(source)
    }

    const applied = readable.map(({ source }) => source)
    const deactivating = await directory.countDeactivating(applied)
    fold({ type: 'entriesCounted', entries: await directory.countChanged(applied) })
    const scope = syncScopeOf(kind, { isTrial, mayDeactivate }, deactivating, await store.countPeople())
    for (const [index, { source, userOf }] of readable.entries()) {
      const applying = { source, userOf, actor: by, naming: namings[index] ?? new Map(), ...scope }
      for await (const { entries, samples } of applyMarkedEntries({ store, people }, applying, signal)) {
        fold({ type: 'entriesApplied', entries })
        await record({ type: 'peopleChanged', samples })
      }
    }
    const [failure = null] = failures
    return await record({ type: 'ended', at: now(), failure, needsApproval: scope.needsApproval })
  } catch (error) {
    if (signal.aborted) {
      const by = signal.reason instanceof SyncStopRequested ? signal.reason.by : null
      return record({ type: 'interrupted', at: now(), by })
    }
    await record({ type: 'ended', at: now(), failure: failureOf(error, run), needsApproval: false })
    throw error
  }
}

/** Describes the failure of a sync for administrators. Includes the number of changed people, except in a dry run. */
function failureOf(
  error: unknown,
  { added, changed, retired, returned, isTrial }: DirectoryRun,
): DirectoryFailure {
  if (!(error instanceof StoreUnavailable)) return UNEXPECTED
  const done = added + changed + retired + returned
  const reached = isTrial
    ? ''
    : ` The sync changed at least ${done} of the people before it stopped; the next one brings the rest.`
  return { code: 'database', message: `${STORE_PROBLEMS[error.problem]}.${reached}` }
}

const UNEXPECTED: DirectoryFailure = {
  code: 'unexpected',
  message: 'The sync ended with an unexpected error, which the log of the service has.',
}

/** Marks unfinished runs of killed instances as interrupted. */
async function endLostRuns(directory: SyncRunPorts['store']['directory'], at: number): Promise<void> {
  for (const run of await directory.runs(MAX_RUN_SAMPLES))
    if (run.outcome === 'running')
      await directory.keepRun(evolveRun(run, { type: 'interrupted', at, by: null }))
}
