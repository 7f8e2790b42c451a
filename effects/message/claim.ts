import {
  BehaviorSubject,
  EMPTY,
  type Observable,
  Subject,
  catchError,
  concat,
  defer,
  endWith,
  exhaustMap,
  filter,
  ignoreElements,
  map,
  mergeAll,
  of,
  race,
  repeat,
  skip,
  switchMap,
  take,
  takeUntil,
  takeWhile,
  tap,
} from 'rxjs'
import { contentHash } from '../../streams/html/hash.ts'
import { toFailure } from '../../streams/kernel/failure.ts'
import { growingIntervals, now, pause } from '../../streams/kernel/time.ts'
import { isSilence } from './attempts.ts'
import type { MessagePorts } from '../ports.ts'

/**
 * The prefix of the keys in an item's session data by which the runtimes tell each other which of them writes. The rest
 * of a key is the runtime's mark for the item. The value is the time of the claim in milliseconds since the epoch; it
 * is empty when the runtime does not write.
 */
export const WRITING = 'lsi_writing_'

/**
 * The mark that this runtime gives its signatures in this item. The mark begins with the id of the runtime, and differs
 * for each item, because a signature of another item may be quoted in this one.
 */
export const markFor = (itemKey: string, { runtimeId }: Pick<MessagePorts, 'runtimeId'>): string =>
  `${runtimeId}-${contentHash(itemKey)}`

/** The marks of all runtimes that wrote into an item or wanted to write, from the item's session data. */
export const marksIn = (session: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(session)
    .filter((name) => name.startsWith(WRITING))
    .map((name) => name.slice(WRITING.length))

/** How long this runtime waits before it looks again whether another runtime still claims the message. */
const LOOK_AGAIN_MS = 150
/** The age at which a claim no longer counts, because its runtime has probably died. */
export const DEAD_AFTER_MS = 20_000
/** A claim is renewed at this interval while the work goes on. */
const RENEW_MS = 5_000
/** From this age of a claim, no write may begin: a write must end before other runtimes ignore the claim. */
const SAFE_MS = 14_000

/** The claim was lost: this runtime could not renew it in time, and another runtime may have written since. */
export class LostClaim extends Error {}

type ClaimPorts = Pick<MessagePorts, 'host' | 'runtimeId' | 'time' | 'log'>

/** Whether an entry of the session data says that another runtime writes or wants to write. */
const isWriting =
  (itemKey: string, ports: Pick<ClaimPorts, 'runtimeId' | 'time'>) =>
  ([name, value]: readonly [string, string]): boolean => {
    if (!name.startsWith(WRITING) || name === WRITING + markFor(itemKey, ports) || value === '') return false
    return Math.abs(now(ports.time) - Number(value)) <= DEAD_AFTER_MS
  }

/** Whether another runtime writes into the item now; false where session data cannot be read. */
export const isWrittenByOther = (
  itemKey: string,
  ports: Pick<ClaimPorts, 'host' | 'runtimeId' | 'time'>,
): Observable<boolean> =>
  ports.host
    .allSessionData(itemKey)
    .pipe(map((all) => Object.entries(all ?? {}).some(isWriting(itemKey, ports))))

/** This runtime's claim of one item. It lasts from the runtime's first work on the item to the end of the last work. */
type Lease = Readonly<{
  /** Emits once, when this runtime may write for the first time. */
  granted$: Observable<unknown>
  /** Emits once, when the claim has been given up. */
  released$: Observable<unknown>
  /** Claims the item, renews the claim, and gives the claim up after `end`. */
  run$: Observable<never>
  /** Claims the item again. Completes when this runtime may write. */
  regain$: Observable<never>
  isSafe: () => boolean
  end: () => void
}>

/** Emits once, when `fact$` becomes true. */
const once = (fact$: Observable<boolean>): Observable<boolean> => fact$.pipe(filter(Boolean), take(1))

/**
 * Lamport's one-bit algorithm over the session data. A runtime first raises its flag and then looks at the flags of the
 * others, so of two runtimes at least one sees the other's flag. The runtime with the greater id lowers its flag and
 * begins again; the runtime with the smaller id waits. The algorithm is safe without a pause, however slow the calls
 * are.
 */
function createLease(itemKey: string, isOpen: () => boolean, ports: ClaimPorts): Lease {
  const { host, time, log } = ports
  const key = WRITING + markFor(itemKey, ports)
  const ended$ = new BehaviorSubject(false)
  const granted$ = new BehaviorSubject(false)
  const released$ = new BehaviorSubject(false)
  /** When this runtime last raised its flag, in milliseconds since the epoch; null while the flag is down. */
  let raisedAt: number | null = null
  /** Whether session data works. Without session data there is no claim that could be lost. */
  let isClaiming = true

  const age = () => (raisedAt === null ? Infinity : now(time) - raisedAt)
  const end$ = once(ended$)
  const raise$ = defer(() => {
    const at = now(time)
    return host.setSessionData(itemKey, key, String(at)).pipe(tap(() => (raisedAt = at)))
  }).pipe(ignoreElements())
  const lower$ = defer(() => {
    raisedAt = null
    return host.setSessionData(itemKey, key, '')
  }).pipe(ignoreElements())
  const wait$ = defer(() => race(pause(LOOK_AGAIN_MS, time), end$.pipe(ignoreElements())))

  /** The claim keys of the other runtimes that write or want to write. */
  const others$ = defer(() => host.allSessionData(itemKey)).pipe(
    tap((all) => {
      isClaiming &&= all !== null
    }),
    map((all) =>
      Object.entries(all ?? {})
        .filter(isWriting(itemKey, ports))
        .map(([name]) => name),
    ),
  )

  /** Whether the flag should be up: true unless a runtime with a smaller id has raised its own flag. */
  let isWanting = true
  /** One look at the flags of the other runtimes. Emits true when this runtime has claimed the message. */
  const step$ = defer(() => concat(isWanting && age() > RENEW_MS ? raise$ : EMPTY, others$)).pipe(
    switchMap((others): Observable<boolean> => {
      const isFirst = others.every((name) => name > key)
      if (isWanting && others.length === 0) return of(true)
      if (isWanting !== isFirst) {
        isWanting = isFirst
        return isFirst ? of(false) : concat(lower$, wait$, of(false))
      }
      return concat(wait$, of(false))
    }),
  )
  const acquire$ = defer(() => {
    isClaiming = true
    isWanting = true
    return step$.pipe(repeat())
  }).pipe(
    takeWhile((isClaimed) => !isClaimed && !ended$.value),
    ignoreElements(),
    catchError((error: unknown) => {
      const failure = toFailure(error)
      isClaiming = false
      // The mail client did not answer, but may still raise the flag, so the flag counts as raised.
      if (isSilence(failure)) raisedAt ??= now(time)
      if (failure.kind !== 'itemGone') log.warn('message_not_claimed', { kind: failure.kind })
      return EMPTY
    }),
  )
  const isSafe = () => !isClaiming || age() < SAFE_MS
  const ticks$ = growingIntervals(RENEW_MS, 0, time).pipe(skip(1), takeUntil(end$))
  /** Renews the claim. A failure is ignored, because the next renewal tries again. */
  const renew$ = defer(() => (isClaiming && isSafe() ? raise$ : EMPTY)).pipe(catchError(() => EMPTY))
  const release$ = defer(() => (raisedAt === null || !isOpen() ? EMPTY : lower$)).pipe(
    catchError((error: unknown) => {
      log.warn('claim_not_taken_back', { kind: toFailure(error).kind })
      return EMPTY
    }),
  )
  const tell = (told$: BehaviorSubject<boolean>): Observable<never> =>
    defer(() => {
      told$.next(true)
      return EMPTY
    })

  return {
    granted$: once(granted$),
    released$: once(released$),
    run$: concat(acquire$, tell(granted$), ticks$.pipe(exhaustMap(() => renew$)), release$, tell(released$)),
    regain$: acquire$,
    isSafe,
    end: () => ended$.next(true),
  }
}

export type Claims = Readonly<{
  /** Begins to claim the item for a work. When that work has ended, `end` must be called. */
  begin: (itemKey: string) => void
  /** Emits once, when this runtime may write into the item. Without `begin`, it emits immediately. */
  granted: (itemKey: string) => Observable<true>
  /** Whether this runtime may still write into the item. */
  isHeld: (itemKey: string) => boolean
  /** Ends a work. After the last work on an item, gives the claim up. Completes when the claim has been given up. */
  end: (itemKey: string) => Observable<never>
  /** Claims items, renews the claims and gives them up. Never ends. Subscribe before the first `begin`. */
  run$: Observable<never>
}>

/**
 * Lets one runtime of Signet (a pane or a launch event) write into an item at a time: each runtime waits while another
 * one works on the item. All works of this runtime on one item share one claim.
 *
 * At most one runtime writes at a time, however slow each call is, if the mail client shows every runtime all earlier
 * session data. For a runtime that died, the others wait 20 seconds. There is no guarantee if the client shows session
 * data late, carries out a call after its time limit, or has runtimes whose clocks differ by seconds. Where session
 * data is missing (before Mailbox 1.11) or fails, work goes on without a claim.
 */
export function createClaims(ports: ClaimPorts, isOpen: (itemKey: string) => boolean): Claims {
  const leases = new Map<string, { readonly lease: Lease; works: number }>()
  const begun$ = new Subject<Observable<never>>()
  const ending = new Map<string, Lease>()
  return {
    begin(itemKey) {
      const held = leases.get(itemKey)
      if (held) {
        held.works += 1
        return
      }
      const lease = createLease(itemKey, () => isOpen(itemKey), ports)
      leases.set(itemKey, { lease, works: 1 })
      const former = ending.get(itemKey)
      begun$.next(former ? concat(former.released$.pipe(ignoreElements()), lease.run$) : lease.run$)
    },
    granted: (itemKey) =>
      defer(() => {
        const held = leases.get(itemKey)
        if (!held) return of(true as const)
        const { granted$, isSafe, regain$ } = held.lease
        return concat(
          granted$.pipe(ignoreElements()),
          defer(() => (isSafe() ? EMPTY : regain$)),
        ).pipe(endWith(true as const))
      }),
    isHeld: (itemKey) => leases.get(itemKey)?.lease.isSafe() ?? true,
    end: (itemKey) =>
      defer(() => {
        const held = leases.get(itemKey)
        if (!held) return EMPTY
        held.works -= 1
        if (held.works > 0) return EMPTY
        const { lease } = held
        leases.delete(itemKey)
        ending.set(itemKey, lease)
        lease.end()
        return lease.released$.pipe(
          tap(() => {
            if (ending.get(itemKey) === lease) ending.delete(itemKey)
          }),
          ignoreElements(),
        )
      }),
    run$: begun$.pipe(mergeAll()),
  }
}
