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
import { growingIntervals, now, pauseFor } from '../../streams/kernel/time.ts'
import { isHostSilence } from './attempts.ts'
import type { MessagePorts } from '../ports.ts'

/**
 * The prefix of the session data keys with which runtimes claim an item. The rest of a key is the runtime's mark for
 * the item. The value is the time of the claim in milliseconds since the epoch, or empty while the runtime does not
 * write.
 */
export const CLAIM_KEY_PREFIX = 'lsi_writing_'

/**
 * This runtime's mark for its signatures in this item. The mark begins with the runtime's id. It is unique per item,
 * because this item may quote a signature from another item.
 */
export const signatureMarkFor = (itemKey: string, { runtimeId }: Pick<MessagePorts, 'runtimeId'>): string =>
  `${runtimeId}-${contentHash(itemKey)}`

/** The marks in the item's session data, from all runtimes that wrote or wanted to write. */
export const marksInSession = (session: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(session)
    .filter((name) => name.startsWith(CLAIM_KEY_PREFIX))
    .map((name) => name.slice(CLAIM_KEY_PREFIX.length))

/** How long this runtime waits before it checks again for another runtime's claim. */
const LOOK_AGAIN_MS = 150
/** Older claims no longer count, because their runtime has probably died. */
export const CLAIM_LIFETIME_MS = 20_000
/** How often a claim is renewed while work continues. */
const RENEW_MS = 5_000
/** No write may begin under an older claim: a write must end before other runtimes ignore the claim. */
const SAFE_MS = 14_000

/** This runtime could not renew its claim in time, so another runtime may have written since. */
export class LostClaimError extends Error {}

type ClaimPorts = Pick<MessagePorts, 'host' | 'runtimeId' | 'time' | 'log'>

/** Whether a session data entry shows that another runtime holds or wants a claim with this prefix. */
const isClaiming =
  (itemKey: string, prefix: string, ports: Pick<ClaimPorts, 'runtimeId' | 'time'>) =>
  ([name, value]: readonly [string, string]): boolean => {
    if (!name.startsWith(prefix) || name === prefix + signatureMarkFor(itemKey, ports) || value === '')
      return false
    return Math.abs(now(ports.time) - Number(value)) <= CLAIM_LIFETIME_MS
  }

/** Whether another runtime is writing into the item; false if session data cannot be read. */
export const isItemClaimedByOther = (
  itemKey: string,
  ports: Pick<ClaimPorts, 'host' | 'runtimeId' | 'time'>,
): Observable<boolean> =>
  ports.host
    .allSessionData(itemKey)
    .pipe(map((all) => Object.entries(all ?? {}).some(isClaiming(itemKey, CLAIM_KEY_PREFIX, ports))))

/** This runtime's claim on one item, from the start of the first job on the item to the end of the last job. */
type Lease = Readonly<{
  /** Emits once, when this runtime first gets permission to write. */
  granted$: Observable<unknown>
  /** Emits once, when the claim is released. */
  released$: Observable<unknown>
  /** Claims the item, renews the claim, and releases it after `end`. */
  run$: Observable<never>
  /** Claims the item again. Completes when this runtime may write. */
  regain$: Observable<never>
  isSafe: () => boolean
  end: () => void
}>

/** Emits once, when `fact$` becomes true. */
const once = (fact$: Observable<boolean>): Observable<boolean> => fact$.pipe(filter(Boolean), take(1))

/**
 * Lamport's one-bit algorithm on the session data. A runtime raises its flag, then reads all other flags, so at least
 * one of two runtimes sees the other's flag. The runtime with the greater id lowers its flag and starts again; the
 * runtime with the smaller id waits. The algorithm needs no pauses and is safe even if calls are slow.
 */
function createLease(itemKey: string, prefix: string, isOpen: () => boolean, ports: ClaimPorts): Lease {
  const { host, time, log } = ports
  const key = prefix + signatureMarkFor(itemKey, ports)
  const ended$ = new BehaviorSubject(false)
  const granted$ = new BehaviorSubject(false)
  const released$ = new BehaviorSubject(false)
  /** When this runtime last raised its flag, in milliseconds since the epoch; null while the flag is lowered. */
  let raisedAt: number | null = null
  /** Whether session data works. Without session data there is no claim to lose. */
  let hasSessionData = true
  /** The session data as last read. */
  let lastRead: Readonly<Record<string, string>> = {}

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
  const wait$ = defer(() => race(pauseFor(LOOK_AGAIN_MS, time), end$.pipe(ignoreElements())))

  /** The claim keys of other runtimes that write or want to write, as last read. */
  const knownOthers = () =>
    Object.entries(lastRead)
      .filter(isClaiming(itemKey, prefix, ports))
      .map(([name]) => name)
  const others$ = defer(() => host.allSessionData(itemKey)).pipe(
    map((all) => {
      hasSessionData = all !== null
      lastRead = all ?? lastRead
      return knownOthers()
    }),
  )

  /** Whether to raise the flag: true unless a runtime with a smaller id has raised its own. */
  let isWanting = true
  /** Checks the other runtimes' flags once. Emits true when this runtime has claimed the message. */
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
    // A busy mail client may fail a call although session data works. Another runtime's claim still holds then.
    catchError((error: unknown) => {
      if (toFailure(error).kind === 'itemGone' || knownOthers().length === 0) throw error
      isWanting = true
      return concat(wait$, of(false))
    }),
  )
  const acquire$ = defer(() => {
    hasSessionData = true
    isWanting = true
    return step$.pipe(repeat())
  }).pipe(
    takeWhile((isClaimed) => !isClaimed && !ended$.value),
    ignoreElements(),
    catchError((error: unknown) => {
      const failure = toFailure(error)
      hasSessionData = false
      // The mail client may still raise the flag after its time limit, so the flag counts as raised.
      if (isHostSilence(failure)) raisedAt ??= now(time)
      if (failure.kind !== 'itemGone') log.warn('message_not_claimed', { kind: failure.kind })
      return EMPTY
    }),
  )
  const isSafe = () => !hasSessionData || age() < SAFE_MS
  const ticks$ = growingIntervals(RENEW_MS, 0, time).pipe(skip(1), takeUntil(end$))
  /** Renews the claim. Ignores a failure, because the next renewal tries again. */
  const renew$ = defer(() => (hasSessionData && isSafe() ? raise$ : EMPTY)).pipe(catchError(() => EMPTY))
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
  /** Begins to claim the item for a job. Call `end` when the job ends. */
  begin: (itemKey: string) => void
  /** Emits once, when this runtime may write into the item. Without `begin`, emits immediately. */
  granted: (itemKey: string) => Observable<true>
  /** Whether this runtime may still write into the item. */
  isHeld: (itemKey: string) => boolean
  /** Ends a job. After the item's last job, releases the claim. Completes when the claim is released. */
  end: (itemKey: string) => Observable<never>
  /** Claims items, renews claims and releases them. Never ends. Subscribe before the first `begin`. */
  run$: Observable<never>
}>

/**
 * Lets only one runtime of Signet (a pane or a launch event) write into an item at a time; the others wait. All jobs of
 * a runtime on one item share a claim.
 *
 * At most one runtime writes at a time, however slow the calls are, if the mail client shows every runtime all earlier
 * session data. If a runtime dies, the others wait 20 seconds. There is no guarantee if the client shows session data
 * late, executes a call after its time limit, or has runtimes whose clocks differ by seconds. If session data is
 * missing (before Mailbox 1.11) or fails, jobs run without a claim.
 *
 * @param prefix of the session data keys. Claims with other prefixes do not wait for each other
 */
export function createClaims(
  ports: ClaimPorts,
  isOpen: (itemKey: string) => boolean,
  prefix = CLAIM_KEY_PREFIX,
): Claims {
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
      const lease = createLease(itemKey, prefix, () => isOpen(itemKey), ports)
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
