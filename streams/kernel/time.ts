import type { MonoTypeOperatorFunction, Observable, SchedulerLike } from 'rxjs'
import { debounce, defer, delay, expand, ignoreElements, map, of, repeat, take, timeout, timer } from 'rxjs'

/** The clock and the timers: real in the pane, virtual in tests and in the playground. */
export type Time = Readonly<{ scheduler: SchedulerLike }>

/** The wall clock, in milliseconds since the epoch. */
export const now = ({ scheduler }: Time): number => scheduler.now()

/** Emits one value after `ms` milliseconds, then completes. */
export const emitAfter = (ms: number, { scheduler }: Time): Observable<0> => timer(ms, scheduler)

/** Delays every value by `ms` milliseconds. */
export const delayBy = <T>(ms: number, { scheduler }: Time): MonoTypeOperatorFunction<T> =>
  delay(ms, scheduler)

/**
 * Emits a value if no later value comes within `ms` milliseconds. Unlike `debounceTime`, which waits until `now` moves
 * on, it works with a stopped clock.
 */
export const debounceBy = <T>(ms: number, time: Time): MonoTypeOperatorFunction<T> =>
  debounce(() => emitAfter(ms, time))

/** Unsubscribes and fails with the result of `late` if the first value takes longer than `ms` milliseconds. */
export const timeLimit = <T>(
  ms: number,
  { scheduler }: Time,
  late: () => unknown,
): MonoTypeOperatorFunction<T> =>
  timeout({
    first: ms,
    scheduler,
    with: () => {
      throw late()
    },
  })

/**
 * Counts 0, 1, 2, …: 0 immediately, 1 after `first` milliseconds, then at intervals that grow by `growth` milliseconds
 * each. Never completes. Only one timer runs at a time, so that a machine that slept does not catch up in a burst.
 */
export const growingIntervals = (first: number, growth: number, time: Time): Observable<number> =>
  of(0).pipe(expand((tick) => emitAfter(first + tick * growth, time).pipe(map(() => tick + 1))))

/** Emits nothing, and completes after `ms` milliseconds. */
export const pauseFor = (ms: number, time: Time): Observable<never> =>
  emitAfter(ms, time).pipe(ignoreElements())

/**
 * The longest single timer. A longer wait uses several, because browsers limit a timer to 24.8 days and sleep stops it.
 */
const STEP_MS = 60_000

/**
 * Emits one value at this moment, or immediately if it is past; then completes. The moment is in milliseconds since the
 * epoch.
 */
export const emitAt = (moment: number, time: Time): Observable<0> =>
  defer(() => {
    const left = moment - now(time)
    return left <= 0 ? of<0>(0) : pauseFor(Math.min(left, STEP_MS), time)
  }).pipe(repeat(), take(1))
