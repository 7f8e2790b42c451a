import fc from 'fast-check'
import { EMPTY, Observable, Subject, type Subscription, mergeMap, of, take, throwError, toArray } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { Failed, type Failure, toFailure } from '../../../streams/kernel/failure.ts'
import { createCallSharing } from '../../../streams/kernel/shareInFlight.ts'
import { settle } from '../../../streams/kernel/settle.ts'
import {
  emitAfter,
  delayBy,
  growingIntervals,
  now,
  pauseFor,
  debounceBy,
  timeLimit,
} from '../../../streams/kernel/time.ts'
import { createClock } from '../../support/clock.ts'
import { withMarbles } from '../../support/marbles.ts'
import { HOUR_MS } from '../../support/state.ts'

const MINUTE_MS = 60_000
const timedOut = () => new Failed({ kind: 'timeout' })

describe('growing intervals', () => {
  test('tick at 0, 3, 7, 12 … minutes, exactly, for 24 hours', () => {
    const clock = createClock()
    const ticks: [number, number][] = []
    const ticking = growingIntervals(3 * MINUTE_MS, MINUTE_MS, clock).subscribe((tick) => {
      ticks.push([tick, now(clock) / MINUTE_MS])
    })
    clock.advance(24 * HOUR_MS)
    ticking.unsubscribe()
    // The sum of 3, 4, 5, … up to the n-th interval; 51 intervals fit into 1,440 minutes.
    const expected = Array.from({ length: 52 }, (_, tick) => [tick, (tick * (tick + 5)) / 2])
    expect(ticks).toEqual(expected)
    expect(ticks.slice(0, 4).map(([, minute]) => minute)).toEqual([0, 3, 7, 12])
  })

  test('end with their subscription', () => {
    const clock = createClock()
    let ticks = 0
    const ticking = growingIntervals(10, 5, clock).subscribe(() => (ticks += 1))
    clock.advance(25)
    ticking.unsubscribe()
    clock.advance(1_000)
    expect(ticks).toBe(3)
  })
})

describe('a time limit', () => {
  test.each([
    ['4999ms (a|)', '4999ms (a|)'],
    ['5000ms (a|)', '5000ms (a|)'],
    ['5001ms (a|)', '5000ms #'],
  ])('of 5,000 ms: a value at %s gives %s', (answer, expected) => {
    withMarbles(({ cold, clock, expectObservable, expectSubscriptions }) => {
      const answer$ = cold(answer)
      expectObservable(answer$.pipe(timeLimit(5_000, clock, timedOut))).toBe(expected, { a: 'a' }, timedOut())
      expectSubscriptions(answer$.subscriptions).toBe(answer.startsWith('4999') ? '^ 4998ms !' : '^ 4999ms !')
    })
  })

  test('applies to the first value only', () => {
    withMarbles(({ cold, clock, expectObservable }) => {
      const answer$ = cold('4s a 60s b|')
      expectObservable(answer$.pipe(timeLimit(5_000, clock, timedOut))).toBe('4s a 60s b|')
    })
  })
})

describe('the other timers', () => {
  test('after: one value, then completes', () => {
    withMarbles(({ clock, expectObservable }) => {
      expectObservable(emitAfter(200, clock)).toBe('200ms (a|)', { a: 0 })
    })
  })
  test('pause: completes without a value', () => {
    withMarbles(({ clock, expectObservable }) => {
      expectObservable(pauseFor(200, clock)).toBe('200ms |')
    })
  })
  test('delayBy: each value later', () => {
    withMarbles(({ cold, clock, expectObservable }) => {
      expectObservable(cold('a-b|').pipe(delayBy(10, clock))).toBe('10ms a-(b|)')
    })
  })
  test('debounceBy: only the last value before a pause', () => {
    withMarbles(({ hot, clock, expectObservable }) => {
      expectObservable(hot('a 5ms b 20ms c').pipe(debounceBy(10, clock)), '^ 1s !').toBe('16ms b 20ms c')
    })
  })
  test('debounceBy: emits after the pause while `now` stands still', () => {
    const clock = createClock()
    clock.scheduler.now = () => 0
    const typed$ = new Subject<string>()
    const heard: string[] = []
    typed$.pipe(debounceBy(10, clock)).subscribe((value) => heard.push(value))
    typed$.next('a')
    clock.advance(6)
    typed$.next('b')
    clock.advance(9)
    expect(heard).toEqual([])
    clock.advance(1)
    expect(heard).toEqual(['b'])
  })
})

describe('settle', () => {
  const outcome = settle(
    (value: string): object => ({ value }),
    (failed) => failed,
  )
  const defect = (message: string) => ({ failure: { kind: 'defect', message } satisfies Failure })
  const cases: [string, Observable<string>, object][] = [
    ['a value', of('v'), { value: 'v' }],
    ['the first of several values', of('v', 'w'), { value: 'v' }],
    [
      'a value without a completion',
      new Observable<string>((subscriber) => {
        subscriber.next('v')
      }),
      { value: 'v' },
    ],
    ['a failure', throwError(() => new Failed({ kind: 'network' })), { failure: { kind: 'network' } }],
    ['an unexpected error', throwError(() => new TypeError('x')), defect('TypeError: x')],
    ['an error that is no Error', throwError(() => 'x'), defect('x')],
    ['a completion without a value', EMPTY, defect('completed without a value')],
  ]
  test.each(cases)('%s gives exactly one outcome, then completes', (_, source$, expected) => {
    const received: unknown[] = []
    source$.pipe(outcome, toArray()).subscribe((values) => received.push(values))
    expect(received).toEqual([[expected]])
  })

  test('undefined is a value', () => {
    const received: unknown[] = []
    of(undefined)
      .pipe(
        settle(
          (value) => ({ value }),
          (failed) => failed,
        ),
      )
      .subscribe((value) => received.push(value))
    expect(received).toEqual([{ value: undefined }])
  })

  test('unsubscribes from its source with its listener', () => {
    const source$ = new Subject<string>()
    const listening = source$.pipe(outcome).subscribe()
    expect(source$.observed).toBe(true)
    listening.unsubscribe()
    expect(source$.observed).toBe(false)
  })

  test('a failure keeps its data through the error channel', () => {
    const failure: Failure = { kind: 'http', status: 409, code: 'conflict', data: null }
    expect(toFailure(new Failed(failure))).toBe(failure)
  })
})

describe('sharing by key', () => {
  test('callers of one key share one call; another key has its own', () => {
    withMarbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const share = createCallSharing()
      const one$ = cold('----(a|)')
      const two$ = cold('--(b|)')
      const asking = (marble: string, key: string, call$: Observable<string>) =>
        hot(marble).pipe(mergeMap(() => share(key, () => call$)))
      expectObservable(asking('a', '1', one$)).toBe('----a')
      expectObservable(asking('--a', '1', one$)).toBe('----a')
      expectObservable(asking('--a', '2', two$)).toBe('----b')
      expectSubscriptions(one$.subscriptions).toBe(['^---!'])
    })
  })

  test('a failure reaches every caller and is forgotten', () => {
    const share = createCallSharing()
    const answers: Subject<string>[] = []
    const call = () => {
      const answer$ = new Subject<string>()
      answers.push(answer$)
      return answer$
    }
    const received: string[] = []
    const ask = (name: string) =>
      share('key', call).subscribe({
        next: (value) => received.push(`${name}: ${value}`),
        error: (error: unknown) => received.push(`${name} failed: ${String(error)}`),
      })
    ask('first')
    ask('second')
    answers[0]?.error(new Error('down'))
    ask('third')
    answers[1]?.next('up')
    expect(answers).toHaveLength(2)
    expect(received).toEqual(['first failed: Error: down', 'second failed: Error: down', 'third: up'])
  })

  test('a finished call is forgotten: the next caller makes a new one', () => {
    const share = createCallSharing()
    let calls = 0
    const call = () => of((calls += 1))
    const received: number[] = []
    share('key', call).subscribe((value) => received.push(value))
    share('key', call).subscribe((value) => received.push(value))
    expect(received).toEqual([1, 2])
  })

  test('the call is cancelled with its last caller, and not before', () => {
    const share = createCallSharing()
    const source$ = new Subject<string>()
    const callers = [1, 2].map(() => share('key', () => source$).subscribe())
    callers[0]?.unsubscribe()
    expect(source$.observed).toBe(true)
    callers[1]?.unsubscribe()
    expect(source$.observed).toBe(false)
  })

  type Step = Readonly<{ do: 'ask' | 'leave' | 'answer' | 'fail' | 'end'; key: string; caller: number }>
  const anyStep: fc.Arbitrary<Step> = fc.record({
    do: fc.constantFrom('ask', 'ask', 'leave', 'answer', 'fail', 'end'),
    key: fc.constantFrom('a', 'b'),
    caller: fc.nat(9),
  })

  test('one call per key while a caller waits for it, none otherwise, in any order of events', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
        const share = createCallSharing()
        const running = new Map<string, Set<Subject<number>>>()
        const callers: { key: string; asking: Subscription; received: string[] }[] = []
        const ofKey = (key: string) => running.get(key) ?? new Set()
        const call = (key: string) => () =>
          new Observable<number>((subscriber) => {
            const answer$ = new Subject<number>()
            running.set(key, ofKey(key).add(answer$))
            subscriber.add(answer$.subscribe(subscriber))
            return () => ofKey(key).delete(answer$)
          })
        for (const { do: what, key, caller } of steps) {
          const waiting = callers.filter((each) => each.key === key && !each.asking.closed)
          if (what === 'ask') {
            const received: string[] = []
            const asking = share(key, call(key)).subscribe({
              next: () => received.push('value'),
              error: () => received.push('error'),
              complete: () => received.push('end'),
            })
            callers.push({ key, asking, received })
          } else if (what === 'leave') waiting[caller % Math.max(1, waiting.length)]?.asking.unsubscribe()
          else
            for (const answer$ of [...ofKey(key)]) {
              if (what === 'answer') answer$.next(1)
              if (what === 'end') answer$.complete()
              if (what === 'fail') answer$.error(new Error('down'))
              for (const { received } of waiting)
                expect(received.at(-1)).toBe({ answer: 'value', end: 'end', fail: 'error' }[what])
            }
          for (const each of ['a', 'b']) {
            const open = callers.filter((known) => known.key === each && !known.asking.closed).length
            expect(ofKey(each).size).toBe(open > 0 ? 1 : 0)
          }
        }
      }),
    )
  })

  test('a late caller of a running call gets the values so far', () => {
    const share = createCallSharing()
    const source$ = new Subject<string>()
    const received: string[] = []
    share('key', () => source$).subscribe()
    source$.next('early')
    share('key', () => of('late'))
      .pipe(take(1))
      .subscribe((value) => received.push(value))
    expect(received).toEqual(['early'])
  })
})
