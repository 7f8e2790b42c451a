import { EMPTY, NEVER, type Observable, of, throwError } from 'rxjs'
import { expect, it } from 'vitest'
import { WRITE_INTERVAL_MS, writeClicks } from '../../../effects/organisation/writeClicks.ts'
import { createClock } from '../../support/clock.ts'

function writing(answer: (times: number) => Observable<unknown>) {
  const clock = createClock()
  let times = 0
  const subscription = writeClicks(() => answer((times += 1)), clock).subscribe()
  return { clock, subscription, times: () => times }
}

it('writes clicks every five seconds, also after a failure, until it is ended', () => {
  const { clock, subscription, times } = writing((time) =>
    time === 2 ? throwError(() => new Error('away')) : of(null),
  )
  const before = times()
  clock.advance(WRITE_INTERVAL_MS - 1)
  expect(times()).toBe(before)
  clock.advance(1)
  expect(times()).toBe(before + 1)
  clock.advance(2 * WRITE_INTERVAL_MS)
  expect([times(), WRITE_INTERVAL_MS]).toEqual([before + 3, 5_000])
  subscription.unsubscribe()
  clock.advance(10 * WRITE_INTERVAL_MS)
  expect(times()).toBe(before + 3)
})

it('begins no batch before the one before is written', () => {
  const { clock, times } = writing((time) => (time === 2 ? NEVER : EMPTY))
  clock.advance(10 * WRITE_INTERVAL_MS)
  expect(times()).toBe(2)
})
