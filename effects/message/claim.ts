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
  mergeMap,
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
 * This runtime's mark for its signatures in this item. It begins with the id of the runtime. It differs for each item,
 * because a signature of another item may be quoted in this one.
 */
export const markFor = (itemKey: string, { runtimeId }: Pick<MessagePorts, 'runtimeId'>): string =>
  `${runtimeId}-${contentHash(itemKey)}`

/** The marks of all runtimes that have written into an item, or wanted to, by its session data. */
export const marksIn = (session: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(session)
    .filter((name) => name.startsWith(WRITING))
    .map((name) => name.slice(WRITING.length))

/** The time after which another runtime that still claims the message is asked again. */
const LOOK_AGAIN_MS = 150
/** A claim that is older counts as that of a runtime that died. */
export const DEAD_AFTER_MS = 20_000
/** A claim is renewed at this interval while the work goes on. */
const RENEW_MS = 5_000
/** No write begins under a claim that is older, because the write must end before other runtimes ignore the claim. */
const SAFE_MS = 14_000

/**
 * The claim was lost: this runtime could not renew it for too long, and another runtime may have written in the
 * meantime.
 */
export class LostClaim extends Error {}

type ClaimPorts = Pick<MessagePorts, 'host' | 'runtimeId' | 'time' | 'log'>

/** Whether an entry of the session data says that another runtime writes, or wants to. */
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

/** This runtime's claim of one item, from its first work on the item to the end of the last. */
type Lease = Readonly<{
  /** Emits once, when this runtime may write for the first time. */
  granted$: Observable<unknown>
  /** Emits once, when the claim has been taken back. */
  released$: Observable<unknown>
  /** Claims, keeps the claim, and takes it back after `end`. */
  run$: Observable<never>
  /** Completes when this runtime may write (again). */
  regain$: Observable<never>
  isSafe: () => boolean
  end: () => void
}>

/** Emits once, when `fact$` becomes true. */
const once = (fact$: Observable<boolean>): Observable<boolean> => fact$.pipe(filter(Boolean), take(1))

/**
 * Lamport's one-bit algorithm over the session data. A runtime first raises its flag and then looks at the flags of the
 * others, so of two runtimes at least one sees the other. The one with the greater id lowers its flag and begins again;
 * the one with the smaller id waits. This is safe without a pause, however slow the calls are.
 */
function createLease(itemKey: string, isOpen: () => boolean, ports: ClaimPorts): Lease {
  const { host, time, log } = ports
  const key = WRITING + markFor(itemKey, ports)
  const ended$ = new BehaviorSubject(false)
  const granted$ = new BehaviorSubject(false)
  const released$ = new BehaviorSubject(false)
  /** When the current flag was sent; null while the flag is down. */
  let raisedAt: number | null = null
  /** Whether session data works. Without it there is no claim, and no claim to lose. */
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

  /** The keys of the other runtimes that write, or want to. */
  const others$ = defer(() => host.allSessionData(itemKey)).pipe(
    tap((all) => {
      isClaiming &&= all !== null
    }),
    mergeMap((all) =>
      of(
        Object.entries(all ?? {})
          .filter(isWriting(itemKey, ports))
          .map(([name]) => name),
      ),
    ),
  )

  /** Whether the flag should be up: true unless a runtime with a smaller id has raised its own. */
  let isWanting = true
  /** One look at the others; true when the message is claimed. */
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
      // A call without an answer may still raise the flag.
      if (isSilence(failure)) raisedAt ??= now(time)
      if (failure.kind !== 'itemGone') log.warn('message_not_claimed', { kind: failure.kind })
      return EMPTY
    }),
  )
  const isSafe = () => !isClaiming || age() < SAFE_MS
  const ticks$ = growingIntervals(RENEW_MS, 0, time).pipe(skip(1), takeUntil(end$))
  /** After a failed renewal, the next one tries again. */
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
  /** Begins to claim the item for a work. The work must call `end`. */
  begin: (itemKey: string) => void
  /** Emits once when this runtime may write into the item; at once without `begin`. */
  granted: (itemKey: string) => Observable<true>
  /** Whether this runtime may still write. */
  isHeld: (itemKey: string) => boolean
  /** Ends a work. After the last work on an item, the claim is taken back. Completes when that is done. */
  end: (itemKey: string) => Observable<never>
  /** Claims, renews the claims and takes them back. Subscribe before the first `begin`; never ends. */
  run$: Observable<never>
}>

/**
 * One writer at a time: while this runtime works on an item, other runtimes of Signet (a pane, another pane, a launch
 * event) wait, and this runtime waits for them. Its works on one item share one claim.
 *
 * At most one runtime writes at a time, however slow each call is, if the mail client shows every runtime all earlier
 * session data. Runtimes wait 20 seconds for one that died. There is no guarantee if the client shows session data
 * late, carries out a call after its time limit, or has runtimes whose clocks differ by seconds. Where session data is
 * missing (before Mailbox 1.11) or fails, work goes on without a claim.
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
    run$: begun$.pipe(mergeMap((run$) => run$)),
  }
}
