import { Observable } from 'rxjs'
import { Failed, isFailed } from '../../../streams/kernel/failure.ts'
import { type Time, after } from '../../../streams/kernel/time.ts'
import type { CallError, CallReply } from './mailClient.ts'

/** How many concurrent calls the mail client allows. */
const MAX_CONCURRENT_CALLS = 3
/** The default time limit of a call. */
const CALL_LIMIT_MS = 5_000

/** Office's code for a call whose item is no longer the open one. */
const ITEM_CHANGED = 9030

/** Office's code for too many concurrent calls: calls that timed out here may still run in the mail client. */
const TOO_MANY_CALLS = 5100
/** The delay before a retry after `TOO_MANY_CALLS`. */
const RETRY_DELAY_MS = 250

/**
 * The code of a failure that may pass, for each call. For calls that load custom properties, Microsoft's library
 * reports 9020 in place of every other code. Outlook on a Mac sometimes refuses to give the body, with the code 5001.
 */
const PASSING: Readonly<Record<string, number>> = {
  loadCustomPropertiesAsync: 9020,
  'customProperties.saveAsync': 9020,
  'body.getAsync': 5001,
}
/** How often a call with a code of `PASSING` is retried. The number is limited, because the failure may last. */
const RETRIES = 4

/**
 * One call to the mail client, which starts on subscription. `send` runs at once or, while too many calls run, when
 * another call ends. `send` runs again while the client refuses the call because too many calls run, and a few times
 * after a code of `PASSING`. An error that `send` throws is the failure of the call. Fails with `host`, with
 * `hostSilent` after `limitMs` milliseconds, or with `itemGone`. Unsubscribing before `send` sends nothing.
 * Unsubscribing later keeps the slot of the call until the client replies or the time limit ends.
 */
export type CallGate = <Value>(
  call: string,
  send: (done: (reply: CallReply<Value>) => void) => void,
  limitMs?: number,
) => Observable<Value>

const toFailed = (call: string, { code, name }: CallError): Failed =>
  new Failed(code === ITEM_CHANGED ? { kind: 'itemGone' } : { kind: 'host', call, code, name })

/** The failure of a call whose `send` threw. */
const toThrownFailed = (call: string, error: unknown): Failed => {
  if (isFailed(error)) return error
  const code = error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : 0
  return toFailed(call, { code, name: error instanceof Error ? error.name : 'Error', message: '' })
}

/** The gate for every call to one mail client. At most three calls run at once. Each ends once, within a time limit. */
export function createCallGate({ time }: Readonly<{ time: Time }>): CallGate {
  const waiting: (() => void)[] = []
  let running = 0

  const release = () => {
    running -= 1
    while (running < MAX_CONCURRENT_CALLS) {
      const next = waiting.shift()
      if (!next) return
      next()
    }
  }

  return (call, send, limitMs = CALL_LIMIT_MS) =>
    new Observable((subscriber) => {
      const start = () => {
        running += 1
        let isOpen = true
        const end = (emit: () => void) => {
          if (!isOpen) return
          isOpen = false
          timers.unsubscribe()
          emit()
          release()
        }
        const timers = after(limitMs, time).subscribe(() =>
          end(() => subscriber.error(new Failed({ kind: 'hostSilent', call }))),
        )
        let retries = RETRIES
        const mayPass = ({ code }: CallError) =>
          code === TOO_MANY_CALLS || (code === PASSING[call] && retries-- > 0)
        const attempt = () => {
          let isReplied = false
          try {
            send((reply) => {
              if (isReplied) return
              isReplied = true
              if (!reply.ok && mayPass(reply.error)) {
                timers.add(after(RETRY_DELAY_MS, time).subscribe(attempt))
                return
              }
              end(() => {
                if (!reply.ok) return subscriber.error(toFailed(call, reply.error))
                subscriber.next(reply.value)
                subscriber.complete()
              })
            })
          } catch (error) {
            end(() => subscriber.error(toThrownFailed(call, error)))
          }
        }
        attempt()
      }
      if (running < MAX_CONCURRENT_CALLS) start()
      else waiting.push(start)
      return () => {
        const index = waiting.indexOf(start)
        if (index >= 0) waiting.splice(index, 1)
      }
    })
}
