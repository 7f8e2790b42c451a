import type { MonoTypeOperatorFunction, Observable, SchedulerLike } from 'rxjs'
import {
  EMPTY,
  concat,
  debounce,
  defer,
  delay,
  expand,
  ignoreElements,
  map,
  of,
  repeat,
  take,
  timeout,
  timer,
} from 'rxjs'

/** The clock and the timers of the whole house: real in the pane, virtual in tests and in the playground. */
export type Time = Readonly<{ scheduler: SchedulerLike }>

/** The wall clock, in milliseconds since the epoch. */
export const now = ({ scheduler }: Time): number => scheduler.now()

/** One value after `ms` milliseconds, then completes. */
export const after = (ms: number, { scheduler }: Time): Observable<0> => timer(ms, scheduler)

/** Passes everything on `ms` milliseconds later. */
export const delayBy = <T>(ms: number, { scheduler }: Time): MonoTypeOperatorFunction<T> =>
  delay(ms, scheduler)

/** Passes a value on once `ms` milliseconds went by without another. Works with a clock that stands still, too. */
export const debounceBy = <T>(ms: number, time: Time): MonoTypeOperatorFunction<T> =>
  debounce(() => after(ms, time))

/** Fails with what `late` makes when the first value takes longer than `ms` milliseconds; unsubscribes from the source. */
export const timeLimit =
  <T>(ms: number, { scheduler }: Time, late: () => unknown): MonoTypeOperatorFunction<T> =>
  (source$) =>
    source$.pipe(
      timeout({
        first: ms,
        scheduler,
        with: () => {
          throw late()
        },
      }),
    )

/**
 * Counts 0, 1, 2, …: 0 at once, 1 after `first` milliseconds, and each later interval `growth` milliseconds longer
 * than the one before. Never completes; one timer at a time, so that a sleeping machine causes no burst.
 */
export const growingIntervals = (first: number, growth: number, time: Time): Observable<number> =>
  of(0).pipe(expand((tick) => after(first + tick * growth, time).pipe(map(() => tick + 1))))

/** Completes after `ms` milliseconds without a value. */
export const pause = (ms: number, time: Time): Observable<never> => after(ms, time).pipe(ignoreElements())

/** Subscribes to what `create` makes only after `ms` milliseconds. */
export const deferBy = <T>(ms: number, time: Time, create: () => Observable<T>): Observable<T> =>
  concat(ms > 0 ? pause(ms, time) : EMPTY, defer(create))

/** A timer counts no further than 24.8 days, and not while the machine sleeps. */
const STEP_MS = 60_000

/** One value at this moment, in milliseconds since the epoch, or at once when it has passed; then completes. */
export const at = (moment: number, time: Time): Observable<0> =>
  defer(() => {
    const left = moment - now(time)
    return left <= 0 ? of<0>(0) : pause(Math.min(left, STEP_MS), time)
  }).pipe(repeat(), take(1))
