import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { createJumpingTime } from '../../../src/playground/scenario/jumpingTime.ts'
import { after, at, growingIntervals, now, debounceBy, timeLimit } from '../../../streams/kernel/time.ts'
import { NEVER, Subject } from 'rxjs'
import { createClock } from '../../support/clock.ts'

const START = Date.UTC(2026, 10, 20, 9)
const MINUTE = 60_000

function arrange(ahead = 0) {
  const clock = createClock(START)
  return { clock, time: createJumpingTime(clock, ahead) }
}

describe('a clock that jumps', () => {
  test.prop([fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 8 }), fc.nat(90_000)])(
    'without a jump is the clock below it',
    (delays, ms) => {
      const { clock, time } = arrange()
      const fired: number[] = []
      const expected: number[] = []
      for (const delay of delays) {
        after(delay, time).subscribe(() => fired.push(now(time)))
        after(delay, clock).subscribe(() => expected.push(now(clock)))
      }
      clock.advance(ms)
      expect(fired).toEqual(expected)
      expect(now(time)).toBe(now(clock))
    },
  )

  test.prop([
    fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 1, maxLength: 8 }),
    fc.integer({ min: 1, max: 90_000 }),
  ])('[PLAY-3] brings what is due at once, in order, and the rest that much sooner', (delays, ms) => {
    const { clock, time } = arrange()
    const fired: number[] = []
    for (const delay of delays) after(delay, time).subscribe(() => fired.push(delay))
    time.jump(ms)
    expect(now(time)).toBe(START + ms)
    expect(fired).toEqual([])
    clock.advance(0)
    const sorted = [...delays].sort((one, other) => one - other)
    expect(fired).toEqual(sorted.filter((delay) => delay <= ms))
    clock.advance(90_000)
    expect(fired).toEqual(sorted)
  })

  it('[PLAY-3] polls once after a jump of a day, not once for every interval of it', () => {
    const { clock, time } = arrange()
    const ticks: number[] = []
    growingIntervals(3 * MINUTE, MINUTE, time).subscribe((tick) => ticks.push(tick))
    clock.advance(1_000)
    expect(ticks).toEqual([0])
    time.jump(24 * 60 * MINUTE)
    clock.advance(1_000)
    expect(ticks).toEqual([0, 1])
    clock.advance(4 * MINUTE)
    expect(ticks).toEqual([0, 1, 2])
  })

  it('reaches a moment that a jump passes, keeps time limits and pauses, and is ahead from the start', () => {
    const { clock, time } = arrange(5 * MINUTE)
    expect(now(time)).toBe(START + 5 * MINUTE)
    const heard: string[] = []
    at(START + 60 * MINUTE, time).subscribe(() => heard.push('moment'))
    NEVER.pipe(timeLimit(5_000, time, () => new Error('late'))).subscribe({ error: () => heard.push('late') })
    const typed$ = new Subject<number>()
    typed$.pipe(debounceBy(300, time)).subscribe(() => heard.push('settled'))
    typed$.next(1)
    clock.advance(200)
    typed$.next(2)
    clock.advance(200)
    expect(heard).toEqual([])
    clock.advance(100)
    expect(heard).toEqual(['settled'])
    time.jump(60 * MINUTE)
    clock.advance(0)
    expect(heard.sort()).toEqual(['late', 'moment', 'settled'])
  })

  it('forgets a timer that is no longer wanted', () => {
    const { clock, time } = arrange()
    const heard: number[] = []
    after(1_000, time)
      .subscribe((value) => heard.push(value))
      .unsubscribe()
    time.jump(10_000)
    clock.advance(10_000)
    expect(heard).toEqual([])
  })
})
