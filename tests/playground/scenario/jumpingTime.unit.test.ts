import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { createJumpingTime } from '../../../src/playground/scenario/jumpingTime.ts'
import {
  emitAfter,
  emitAt,
  growingIntervals,
  now,
  debounceBy,
  timeLimit,
} from '../../../streams/kernel/time.ts'
import { NEVER, Subject } from 'rxjs'
import { createClock } from '../../support/clock.ts'

const START = Date.UTC(2026, 10, 20, 9)
const MINUTE_MS = 60_000

function arrange(ahead = 0) {
  const clock = createClock(START)
  return { clock, time: createJumpingTime(clock, ahead) }
}

describe('a clock that jumps', () => {
  test.prop([fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 8 }), fc.nat(90_000)])(
    'equals the base clock without a jump',
    (delays, ms) => {
      const { clock, time } = arrange()
      const fired: number[] = []
      const expected: number[] = []
      for (const delay of delays) {
        emitAfter(delay, time).subscribe(() => fired.push(now(time)))
        emitAfter(delay, clock).subscribe(() => expected.push(now(clock)))
      }
      clock.advance(ms)
      expect(fired).toEqual(expected)
      expect(now(time)).toBe(now(clock))
    },
  )

  test.prop([
    fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 1, maxLength: 8 }),
    fc.integer({ min: 1, max: 90_000 }),
  ])('[PLAY-3] fires due timers at once and in order, and the others earlier by the jump', (delays, ms) => {
    const { clock, time } = arrange()
    const fired: number[] = []
    for (const delay of delays) emitAfter(delay, time).subscribe(() => fired.push(delay))
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
    growingIntervals(3 * MINUTE_MS, MINUTE_MS, time).subscribe((tick) => ticks.push(tick))
    clock.advance(1_000)
    expect(ticks).toEqual([0])
    time.jump(24 * 60 * MINUTE_MS)
    clock.advance(1_000)
    expect(ticks).toEqual([0, 1])
    clock.advance(4 * MINUTE_MS)
    expect(ticks).toEqual([0, 1, 2])
  })

  it('starts ahead, keeps limits and debounces, and fires a timer whose moment it jumps over', () => {
    const { clock, time } = arrange(5 * MINUTE_MS)
    expect(now(time)).toBe(START + 5 * MINUTE_MS)
    const heard: string[] = []
    emitAt(START + 60 * MINUTE_MS, time).subscribe(() => heard.push('moment'))
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
    time.jump(60 * MINUTE_MS)
    clock.advance(0)
    expect(heard.sort()).toEqual(['late', 'moment', 'settled'])
  })

  it('does not fire a cancelled timer', () => {
    const { clock, time } = arrange()
    const heard: number[] = []
    emitAfter(1_000, time)
      .subscribe((value) => heard.push(value))
      .unsubscribe()
    time.jump(10_000)
    clock.advance(10_000)
    expect(heard).toEqual([])
  })
})
