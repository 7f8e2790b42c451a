/** The connected directory. Of all instances, only one runs a sync at a time. */
import {
  asyncScheduler,
  catchError,
  defer,
  EMPTY,
  exhaustMap,
  filter,
  firstValueFrom,
  Observable,
  type SchedulerLike,
  skip,
  Subject,
} from 'rxjs'
import { LEASE_MS, type Synced, syncDirectory } from '../../../effects/organisation/syncDirectory.ts'
import { createSerial } from '../../../streams/kernel/serial.ts'
import {
  type DirectoryRun,
  type DirectoryState,
  isGroupNamed,
  namedGroups,
} from '../../../streams/organisation/directory/directory.ts'
import { DomainError } from '../operations/domainError.ts'
import type { Store } from '../sql/store.ts'
import type { Directory, Releases } from '../context/serviceContext.ts'
import { growingIntervals } from '../../../streams/kernel/time.ts'
import { type RunPorts, runSync, StopAsked, type SyncRequest } from './runs.ts'

export type DirectoryOptions = Omit<RunPorts, 'store'> &
  Readonly<{
    store: Store
    releases: Pick<Releases, 'current'>
    /** The time from the end of one sync to the next, in milliseconds; null for syncs only on request. */
    intervalMs: number | null
    newId: () => string
    /** Gets each run that ended. */
    synced?: ((run: DirectoryRun) => void) | undefined
    /** Gets the unexpected error of a sync. */
    failed?: ((error: unknown) => void) | undefined
    scheduler?: SchedulerLike
  }>

/** A directory that syncs read. */
export type PolledDirectory = Pick<DirectoryOptions, 'kind' | 'sources' | 'intervalMs'>

/** The directory of an organisation: read by syncs, or sent through SCIM. */
export type ConfiguredDirectory = Readonly<{ kind: 'scim' }> | PolledDirectory

export type ConnectedDirectory = Directory &
  Readonly<{
    /** When the last sync ended, in milliseconds since 1970; null before the first. Dry runs do not count. */
    lastEnd: () => Promise<number | null>
    /** Resolves when this instance runs no sync. */
    idle: () => Promise<void>
    /** Whether this instance runs no sync. */
    isIdle: () => boolean
    /** Stops a running sync, and releases its lease. */
    end: () => Promise<void>
  }>

/** The name of the lease that a running sync holds. */
export const SYNC_LEASE = 'directory'
const MAX_RUNS = 20
/** The actor of scheduled syncs. */
const ACTOR = 'directory'
/** How often a sync looks whether an administrator asked to stop it, in milliseconds. */
const STOP_LOOK_MS = 1_000
/** How long a request to stop is kept, in milliseconds. A sync reads it sooner, or has ended. */
const STOP_KEPT_MS = 15 * 60 * 1000

/** The name by which a run is asked to stop. */
const workOf = (run: string) => `sync ${run}`

type Event = Synced<SyncRequest, DirectoryRun>

/** Runs syncs, on a schedule and on request, until `end`. */
export function createDirectory(options: DirectoryOptions): ConnectedDirectory {
  const { kind, sources, store, releases, intervalMs, newId, now, scheduler = asyncScheduler } = options
  const { directory } = store
  const asked$ = new Subject<SyncRequest>()
  const event$ = new Subject<Event>()
  const running = new Map<string, Promise<unknown>>()
  /** Requests for the lease that come from the same run are made one after the other. */
  const inTurn = createSerial()

  const run = (request: SyncRequest) =>
    new Observable<DirectoryRun>((subscriber) => {
      const stop = new AbortController()
      const stopping = growingIntervals(STOP_LOOK_MS, 0, { scheduler })
        .pipe(
          skip(1),
          exhaustMap(() =>
            defer(() => store.stopRequest(workOf(request.id), now())).pipe(catchError(() => EMPTY)),
          ),
        )
        .subscribe((asked) => {
          if (asked !== null) stop.abort(new StopAsked(asked))
        })
      const ended = runSync(options, request, (progress) => subscriber.next(progress), stop.signal)
      running.set(request.id, ended)
      void ended.then(
        () => subscriber.complete(),
        (error: unknown) => subscriber.error(error),
      )
      return () => {
        stopping.unsubscribe()
        stop.abort()
      }
    })

  const lastEnd = async () => {
    const runs = await directory.runs(MAX_RUNS)
    const ends = runs.flatMap(({ isTrial, outcome, until, stoppedBy }) =>
      // A sync that an administrator stopped does not begin again before it is due.
      isTrial || (outcome === 'interrupted' && stoppedBy === undefined) || until === null ? [] : [until],
    )
    return ends.length === 0 ? null : Math.max(...ends)
  }

  const following = syncDirectory<SyncRequest, DirectoryRun>(
    {
      lastEnd: () => defer(lastEnd),
      lease: ({ id }) => defer(() => inTurn(() => store.lease(SYNC_LEASE, id, now(), now() + LEASE_MS), id)),
      // `keepRun` releases the lease at the end of a run. This call also releases the lease after a late renewal, and
      // when the end could not be stored. The call waits until the run has stopped, because another instance may then
      // begin a run.
      giveBack({ id }) {
        const stopped = Promise.allSettled([running.get(id)])
        const givenBack = inTurn(() => stopped.then(() => store.giveBack(SYNC_LEASE, id)), id)
          .catch(() => undefined)
          .finally(() => running.delete(id))
        running.set(id, givenBack)
      },
      run,
    },
    asked$,
    () => ({ id: newId(), by: ACTOR, isTrial: false, mayDeactivate: false }),
    intervalMs,
    { scheduler },
  ).subscribe((event) => {
    if (event.outcome === 'failed') options.failed?.(event.error)
    if (event.outcome === 'running' && event.run.until !== null) options.synced?.(event.run)
    event$.next(event)
  })

  async function groupsOf(names: readonly string[]): Promise<DirectoryState['groups']> {
    const lower = names.map((name) => name.toLowerCase())
    const found = await directory.groupsNamed(
      sources.map(({ source }) => source),
      lower,
    )
    return Promise.all(
      names.map(async (named) => {
        const groups = found.filter((group) => isGroupNamed(named, group))
        const members = await Promise.all(groups.map(({ source, id }) => directory.countMembers(source, id)))
        return {
          named,
          members: members.length === 0 ? null : members.reduce((sum, count) => sum + count, 0),
        }
      }),
    )
  }

  return {
    async state() {
      let isLeased = await store.isLeased(SYNC_LEASE, now())
      let runs = await directory.runs(MAX_RUNS)
      if (!isLeased && runs.some(({ outcome }) => outcome === 'running')) {
        // The lease is read again, because the run may have begun, or even ended, between the two reads.
        isLeased = await store.isLeased(SYNC_LEASE, now())
        if (!isLeased) runs = await directory.runs(MAX_RUNS)
      }
      const shown = runs.map((each) =>
        each.outcome === 'running' && !isLeased ? ({ ...each, outcome: 'interrupted' } as const) : each,
      )
      return {
        kind,
        sources: sources.map(({ source }) => source),
        isRunning: isLeased,
        runs: shown,
        groups: await groupsOf(namedGroups(releases.current())),
      }
    },

    async sync({ isTrial, mayDeactivate }, actor) {
      const id = newId()
      const own$ = event$.pipe(filter(({ request }) => request.id === id))
      const first = firstValueFrom(own$, { defaultValue: null })
      asked$.next({ id, by: actor, isTrial, mayDeactivate })
      const event = await first
      if (event === null) throw new DomainError('closing', 'The service is closing. Try again.')
      if (event.outcome === 'failed') throw event.error
      if (event.outcome === 'busy') throw new DomainError('sync_running', 'A sync is running already.')
      return event.run
    },

    async stop(actor) {
      const running = (await directory.runs(MAX_RUNS)).find(({ outcome }) => outcome === 'running')
      if (running) await store.requestStop(workOf(running.id), actor, now() + STOP_KEPT_MS)
    },

    lastEnd,
    async idle() {
      while (running.size > 0) await Promise.allSettled(running.values())
    },
    isIdle: () => running.size === 0,

    async end() {
      following.unsubscribe()
      await Promise.all(running.values())
      event$.complete()
    },
  }
}
