import fc from 'fast-check'
import type { CallName, MailClient } from '../../src/engine/hosts/mailClient.ts'
import type { Time } from '../../streams/kernel/time.ts'

/** The delays of an application's calls in milliseconds, used in turn. */
export type Pace = readonly number[]

/** Steady or changing from call to call. With any added fault, a call stays within its time limit. */
const pace: fc.Arbitrary<Pace> = fc.oneof(
  fc.constantFrom([0], [2], [30], [290], [700]),
  fc.array(fc.nat(400), { minLength: 1, maxLength: 8 }),
)
/** Two different paces, for two runtimes. */
export const twoPaces: fc.Arbitrary<readonly [Pace, Pace]> = fc
  .tuple(pace, pace)
  .filter(([one, other]) => one.join() !== other.join())

/**
 * Faults for the calls of this name, used in turn. A number delays the call by so many milliseconds; `unanswered`
 * executes it without an answer. Later calls succeed.
 */
export type Slip = Readonly<{ call: CallName; late: readonly (number | 'unanswered')[] }>

/** A line to the mail client. After `cut` nothing arrives, as when a runtime is killed. */
export type Line = Readonly<{ over: (client: MailClient, time: Time) => MailClient; cut: () => void }>

/** Creates a separate slow line to the mail client. */
export function createLine(pace: Pace, slip: Slip | null = null): Line {
  let calls = 0
  let slips = 0
  let isCut = false
  return {
    cut: () => {
      isCut = true
    },
    over: (client, time) => ({
      start: client.start,
      currentItem: client.currentItem,
      theme: client.theme,
      on: client.on,
      call: (name, args, done) => {
        if (isCut) return
        const slipped = name === slip?.call ? (slip.late[slips++] ?? 0) : 0
        const ms = (pace[calls++ % pace.length] ?? 0) + (slipped === 'unanswered' ? 0 : slipped)
        const answer: typeof done = (reply) => {
          if (slipped !== 'unanswered' && !isCut) done(reply)
        }
        if (ms === 0) return client.call(name, args, answer)
        const { key } = client.currentItem() ?? {}
        time.scheduler.schedule(() => {
          // Like Office, fails a call if its item is no longer open.
          if (client.currentItem()?.key === key) return client.call(name, args, answer)
          answer({ ok: false, error: { code: 9030, name: 'APICallFailedDueToItemChange', message: '' } })
        }, ms)
      },
    }),
  }
}
