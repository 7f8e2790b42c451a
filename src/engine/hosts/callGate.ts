import { catchError, defer, EMPTY, mergeAll, Observable, retry, Subject, tap } from 'rxjs'
import { Failed, isFailed } from '../../../streams/kernel/failure.ts'
import { type Time, emitAfter, timeLimit } from '../../../streams/kernel/time.ts'
import type { CallError, CallName, CallReply } from './mailClient.ts'

/** How many concurrent calls the mail client allows. */
const MAX_CONCURRENT_CALLS = 3
/** The default time limit of a call. */
const CALL_LIMIT_MS = 5_000

/** Office's code for a call whose item is no longer open. */
const ITEM_CHANGED = 9030

/** Office's code for too many concurrent calls. Calls that timed out here may still run in the mail client. */
const TOO_MANY_CALLS = 5100
/** The delay before `TOO_MANY_CALLS` is retried. */
const RETRY_DELAY_MS = 250

/**
 * The codes of temporary failures, by the reading call. Microsoft's library reports any failure to load custom
 * properties as 9020. Outlook on a Mac sometimes refuses to return the body, with the code 5001. The code 0 means that
 * the answer is not a body (`UNREADABLE_ANSWER`).
 */
const PASSING: Readonly<Record<string, readonly number[]>> = {
  loadCustomPropertiesAsync: [9020],
  'body.getAsync': [5001, 0],
}

/** The calls that write. After a refusal, nothing was written, so the call may be repeated. */
const WRITES: ReadonlySet<string> = new Set<CallName>([
  'body.setAsync',
  'body.setSignatureAsync',
  'addFileAttachmentFromBase64Async',
  'removeAttachmentAsync',
  'notificationMessages.replaceAsync',
  'notificationMessages.removeAsync',
  'customProperties.saveAsync',
  'sessionData.setAsync',
  'disableClientSignatureAsync',
  'roamingSettings.saveAsync',
])
/** Lower codes mean that the client refuses the data itself: its type, its format or its size. */
const FIRST_OF_CLIENT = 5_000
/**
 * Office's other codes for writes that would be refused again: not supported, not allowed, too large, too many, a wrong
 * argument, or a missing object.
 */
const FINAL: readonly number[] = [
  ...[5000, 5002, 5003, 5004, 5007, 5008, 5009, 5010, 5013, 7000],
  ...[9000, 9001, 9008, 9011, 9017, 9023, 9024, 9025, 9031, 9032, 9041, 9045, 9050, 9051, 9057],
]

const isPassing = (call: string, code: number): boolean =>
  WRITES.has(call)
    ? (code === 0 || code >= FIRST_OF_CLIENT) && code !== ITEM_CHANGED && !FINAL.includes(code)
    : PASSING[call]?.includes(code) === true

/** How often a temporary failure is retried. The number is limited, because the failure may be permanent. */
const RETRIES = 4

/**
 * Makes a call to the mail client on subscription. `send` runs at once or, if too many calls are running, when another
 * call ends. It is repeated while the client reports too many calls, and a few times after a temporary failure. If
 * `send` throws, the call fails. Fails with `host`, with `hostSilent` after `limitMs` milliseconds, or with `itemGone`.
 * Unsubscribing before `send` sends nothing. Unsubscribing later keeps the slot of the call until the client replies or
 * the time limit ends.
 */
export type CallGate = <Value>(call: string, send: Send<Value>, limitMs?: number) => Observable<Value>

type Send<Value> = (done: (reply: CallReply<Value>) => void) => void

const toFailed = (call: string, { code, name }: CallError): Failed =>
  new Failed(code === ITEM_CHANGED ? { kind: 'itemGone' } : { kind: 'host', call, code, name })

/** The failure of a call whose `send` threw. */
const toThrownFailed = (call: string, error: unknown): Failed => {
  if (isFailed(error)) return error
  const code = error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : 0
  return toFailed(call, { code, name: error instanceof Error ? error.name : 'Error', message: '' })
}

/** The mail client's refusal of a call. */
class Refused extends Error {
  constructor(readonly reply: CallError) {
    super()
  }
}

/** Sends a call once. Fails with `Refused`, or with the error that `send` throws. Later replies are ignored. */
const sendOnce = <Value>(send: Send<Value>): Observable<Value> =>
  new Observable((subscriber) => {
    send((reply) => {
      if (!reply.ok) return subscriber.error(new Refused(reply.error))
      subscriber.next(reply.value)
      subscriber.complete()
    })
  })

/** Sends a call until the mail client accepts it, within the time limit. */
const sendAgain = <Value>(
  call: string,
  send: Send<Value>,
  limitMs: number,
  time: Time,
): Observable<Value> => {
  let retries = RETRIES
  const mayPass = ({ code }: CallError) => code === TOO_MANY_CALLS || (isPassing(call, code) && retries-- > 0)
  return sendOnce(send).pipe(
    retry({
      delay: (error: unknown) => {
        if (error instanceof Refused && mayPass(error.reply)) return emitAfter(RETRY_DELAY_MS, time)
        throw error
      },
    }),
    catchError((error: unknown) => {
      throw error instanceof Refused ? toFailed(call, error.reply) : toThrownFailed(call, error)
    }),
    timeLimit(limitMs, time, () => new Failed({ kind: 'hostSilent', call })),
  )
}

/** Creates the gate for all calls to one mail client. Three calls can run at once; each ends within its time limit. */
export function createCallGate({ time }: Readonly<{ time: Time }>): CallGate {
  const calls$ = new Subject<Observable<unknown>>()
  calls$.pipe(mergeAll(MAX_CONCURRENT_CALLS)).subscribe()

  return (call, send, limitMs = CALL_LIMIT_MS) =>
    new Observable((subscriber) => {
      const call$ = defer(() => (subscriber.closed ? EMPTY : sendAgain(call, send, limitMs, time)))
      // The gate keeps the subscription, so the slot stays taken when the caller unsubscribes.
      calls$.next(
        call$.pipe(
          tap(subscriber),
          catchError(() => EMPTY),
        ),
      )
    })
}
