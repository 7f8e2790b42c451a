import { Observable } from 'rxjs'
import { Failed } from '../../../streams/kernel/failure.ts'
import { type Time, after } from '../../../streams/kernel/time.ts'
import type { CallError } from './mailClient.ts'

/** The mail client allows this many calls at once. */
export const CALLS_AT_ONCE = 3
/** How long a call may take, in milliseconds. */
export const CALL_LIMIT_MS = 5_000

type Answer<Value> = Readonly<{ ok: true; value: Value }> | Readonly<{ ok: false; error: CallError }>

/** Office's number for a call whose item made way for another meanwhile. */
const ITEM_CHANGED = 9030

/** Office's number for a call that was one too many: calls that were given up may still be under way there. */
const TOO_MANY_CALLS = 5100
/** So long until such a call is made again, in milliseconds. */
const CALL_AGAIN_MS = 250

/**
 * One call to the mail client, cold: `send` runs on subscription or, while too many calls run, when one of them has
 * ended, and again while the client has no place for it. What it throws is the failure of the call; a `Failed` thrown
 * there sends nothing. Fails with `host`, `hostSilent` after `limitMs` milliseconds, or `itemGone`. Unsubscribing
 * before `send` sends nothing; unsubscribing later keeps the place, for the client is still at work.
 */
export type CallGate = <Value>(
  call: string,
  send: (done: (answer: Answer<Value>) => void) => void,
  limitMs?: number,
) => Observable<Value>

const refusal = (call: string, { code, name }: CallError): Failed =>
  new Failed(code === ITEM_CHANGED ? { kind: 'itemGone' } : { kind: 'host', call, code, name })

/** What a client threw at once. */
const thrown = (call: string, error: unknown): Failed => {
  if (error instanceof Failed) return error
  const code = error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : 0
  return refusal(call, { code, name: error instanceof Error ? error.name : 'Error', message: '' })
}

/** The one way to a mail client: at most `limit` calls at once, each answered once, or failed when its time is up. */
export function createCallGate(
  options: Readonly<{ time: Time; limit?: number; timeLimitMs?: number }>,
): CallGate {
  const { time, limit = CALLS_AT_ONCE, timeLimitMs = CALL_LIMIT_MS } = options
  const waiting: (() => void)[] = []
  let running = 0

  const leave = () => {
    running -= 1
    while (running < limit) {
      const next = waiting.shift()
      if (!next) return
      next()
    }
  }

  return (call, send, limitMs = timeLimitMs) =>
    new Observable((subscriber) => {
      const start = () => {
        running += 1
        let open = true
        const end = (tell: () => void) => {
          if (!open) return
          open = false
          clock.unsubscribe()
          tell()
          leave()
        }
        const clock = after(limitMs, time).subscribe(() =>
          end(() => subscriber.error(new Failed({ kind: 'hostSilent', call }))),
        )
        const attempt = () => {
          let answered = false
          try {
            send((answer) => {
              if (answered) return
              answered = true
              if (!answer.ok && answer.error.code === TOO_MANY_CALLS) {
                clock.add(after(CALL_AGAIN_MS, time).subscribe(attempt))
                return
              }
              end(() => {
                if (!answer.ok) return subscriber.error(refusal(call, answer.error))
                subscriber.next(answer.value)
                subscriber.complete()
              })
            })
          } catch (error) {
            end(() => subscriber.error(thrown(call, error)))
          }
        }
        attempt()
      }
      if (running < limit) start()
      else waiting.push(start)
      return () => {
        const place = waiting.indexOf(start)
        if (place >= 0) waiting.splice(place, 1)
      }
    })
}
