import fc from 'fast-check'
import type { CallName, MailClient } from '../../src/engine/hosts/mailClient.ts'
import type { Time } from '../../streams/kernel/time.ts'

/** How many milliseconds later each call of an application arrives, in turns. */
export type Pace = readonly number[]

/** Steady, or changing from call to call. Within the time limits of a call, whatever fault is added. */
const pace: fc.Arbitrary<Pace> = fc.oneof(
  fc.constantFrom([0], [2], [30], [290], [700]),
  fc.array(fc.nat(400), { minLength: 1, maxLength: 8 }),
)
/** The paces of two runtimes that differ. */
export const twoPaces: fc.Arbitrary<readonly [Pace, Pace]> = fc
  .tuple(pace, pace)
  .filter(([one, other]) => one.join() !== other.join())

/**
 * What happens to the calls of this name, in turns: carried out so many milliseconds late and then answered, or carried
 * out and never answered. Later calls go well.
 */
export type Slip = Readonly<{ call: CallName; late: readonly (number | 'unanswered')[] }>

/** A line to the mail client. `cut`: nothing arrives any more, as when a runtime is killed. */
export type Line = Readonly<{ over: (client: MailClient, time: Time) => MailClient; cut: () => void }>

/** The mail client over a slow line of its own. */
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
          // As Office does with a call on an item that is open no more.
          if (client.currentItem()?.key === key) return client.call(name, args, answer)
          answer({ ok: false, error: { code: 9030, name: 'APICallFailedDueToItemChange', message: '' } })
        }, ms)
      },
    }),
  }
}
