/** The connected directory. Only one instance runs a sync at a time. */
import { createSerial } from '../../../streams/kernel/serial.ts'
import type { DirectoryRun } from '../../../streams/organisation/directory/directory.ts'
import type { Directory, Releases } from '../context/serviceContext.ts'
import { DomainError } from '../operations/domainError.ts'
import { runEvery, REAL_TIMERS, type Timers } from '../operations/timers.ts'
import type { Store } from '../sql/store.ts'
import { MAX_SHOWN_RUNS, readDirectoryState, SYNC_LEASE } from './directoryState.ts'
import { type SyncRunPorts, runSync, SyncStopRequested, type SyncRequest } from './runs.ts'
import { SYNC_LEASE_MS, syncDirectory, type SyncPort, scheduleSyncs } from './syncDirectory.ts'

export type DirectoryOptions = Omit<SyncRunPorts, 'store'> &
  Readonly<{
    store: Store
    releases: Pick<Releases, 'current'>
    /** The time from the end of one sync to the next, in milliseconds. With null, syncs run only on request. */
    intervalMs: number | null
    newId: () => string
    /** Called after each sync, with the run. */
    synced?: ((run: DirectoryRun) => void) | undefined
    /** Called with the unexpected error of a sync. */
    failed?: ((error: unknown) => void) | undefined
    timers?: Timers
  }>

/** A directory that Signet polls, in contrast to SCIM, which pushes. */
export type PolledDirectory = Pick<DirectoryOptions, 'kind' | 'sources' | 'intervalMs'>

/** The directory of an organisation: syncs read it, or it pushes changes through SCIM. */
export type ConfiguredDirectory =
  | Readonly<{
      kind: 'scim'
      /** The attributes that the settings name. */
      attributes: readonly string[]
    }>
  | PolledDirectory

export type ConnectedDirectory = Directory &
  Readonly<{
    /** The end of the last sync, in milliseconds since 1970; null before the first sync. Ignores dry runs. */
    lastEnd: () => Promise<number | null>
    /** Resolves when this instance runs no sync. */
    idle: () => Promise<void>
    /** Whether this instance runs no sync. */
    isIdle: () => boolean
    /** Stops a running sync, and releases its lease. */
    end: () => Promise<void>
  }>

/** The actor of sweeps and of scheduled syncs. */
export const SYNC_ACTOR = 'directory'
/** How often a sync checks whether an administrator asked to stop it, in milliseconds. */
const STOP_LOOK_MS = 1_000
/** How long a stop request is stored, in milliseconds. A running sync reads it long before it expires. */
const STOP_KEPT_MS = 15 * 60 * 1000

/** The name of a run in stop requests. */
const workOf = (run: string) => `sync ${run}`

/** Runs syncs, on a schedule and on request, until `end` is called. */
export function createDirectory(options: DirectoryOptions): ConnectedDirectory {
  const { store, intervalMs, newId, now, timers = REAL_TIMERS } = options
  const { directory } = store
  const closing = new AbortController()
  /** The syncs of this instance that have not released their lease yet. */
  const running = new Set<Promise<unknown>>()
  /** Runs the lease requests of a run one after the other. */
  const inTurn = createSerial()

  const port: SyncPort<SyncRequest, DirectoryRun> = {
    lease: ({ id }) => inTurn(() => store.lease(SYNC_LEASE, id, now(), now() + SYNC_LEASE_MS), id),
    // `keepRun` releases the lease at the end of a run. This call covers two further cases: a late renewal took the
    // lease again, or the end of the run could not be stored.
    giveBack: ({ id }) => inTurn(() => store.giveBack(SYNC_LEASE, id), id).catch(() => undefined),
    async run(request, told, signal) {
      const [asked, ended] = [new AbortController(), new AbortController()]
      const look = async () => {
        const by = await store.stopRequest(workOf(request.id), now())
        if (by !== null) asked.abort(new SyncStopRequested(by))
      }
      runEvery(STOP_LOOK_MS, ended.signal, look, timers, 'later')
      try {
        await runSync(options, request, told, AbortSignal.any([signal, asked.signal]))
      } finally {
        ended.abort()
      }
    },
  }

  /** @param begun called with the run when it begins, and at each step of its progress */
  async function sync(request: SyncRequest, begun: (run: DirectoryRun) => void): Promise<'busy' | 'ended'> {
    const told = (run: DirectoryRun) => {
      if (run.until !== null) options.synced?.(run)
      begun(run)
    }
    const syncing = syncDirectory(port, request, told, closing.signal, timers)
    running.add(syncing)
    try {
      return await syncing
    } catch (error) {
      if (!closing.signal.aborted) options.failed?.(error)
      throw error
    } finally {
      running.delete(syncing)
    }
  }

  async function lastEnd(): Promise<number | null> {
    const runs = await directory.runs(MAX_SHOWN_RUNS)
    const ends = runs.flatMap(({ isTrial, outcome, until, stoppedBy }) =>
      // A sync that an administrator stopped counts as the last one, so the next begins only when it is due.
      isTrial || (outcome === 'interrupted' && stoppedBy === undefined) || until === null ? [] : [until],
    )
    return ends.length === 0 ? null : Math.max(...ends)
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.allSettled(running)
  }

  const due = () =>
    sync({ id: newId(), by: SYNC_ACTOR, isTrial: false, mayDeactivate: false }, () => undefined)
  scheduleSyncs(intervalMs, lastEnd, due, closing.signal, timers)

  return {
    state: () => readDirectoryState(options),

    async sync({ isTrial, mayDeactivate }, actor) {
      const request = { id: newId(), by: actor, isTrial, mayDeactivate }
      return new Promise<DirectoryRun>((resolve, reject) => {
        // The promise resolves when the sync begins, long before the sync ends.
        sync(request, resolve).then((outcome) => {
          if (outcome === 'busy') reject(new DomainError('sync_running', 'A sync is running already.'))
          else reject(new DomainError('closing', 'The service is closing. Try again.'))
        }, reject)
      })
    },

    async stop(actor) {
      const running = (await directory.runs(MAX_SHOWN_RUNS)).find(({ outcome }) => outcome === 'running')
      if (running) await store.requestStop(workOf(running.id), actor, now() + STOP_KEPT_MS)
    },

    lastEnd,
    idle,
    isIdle: () => running.size === 0,

    async end() {
      closing.abort()
      await idle()
    },
  }
}
