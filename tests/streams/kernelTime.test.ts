import fc from 'fast-check'
import { EMPTY, Observable, Subject, type Subscription, mergeMap, of, take, throwError, toArray } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { Failed, type Failure, toFailure } from '../../streams/kernel/failure.ts'
import { createSharing } from '../../streams/kernel/shareInFlight.ts'
import { settle } from '../../streams/kernel/settle.ts'
import {
  after,
  delayBy,
  growingIntervals,
  now,
  pause,
  settleDown,
  startAfter,
  timeLimit,
} from '../../streams/kernel/time.ts'
import { createClock } from '../support/clock.ts'
import { withMarbles } from '../support/marbles.ts'
import { HOUR_MS } from '../support/state.ts'

const MINUTE_MS = 60_000
const late = () => new Failed({ kind: 'timeout' })

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

  test('stop with their listener', () => {
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
  ])('of 5,000 ms: an answer at %s gives %s', (answer, expected) => {
    withMarbles(({ cold, clock, expectObservable, expectSubscriptions }) => {
      const answer$ = cold(answer)
      expectObservable(answer$.pipe(timeLimit(5_000, clock, late))).toBe(expected, { a: 'a' }, late())
      expectSubscriptions(answer$.subscriptions).toBe(answer.startsWith('4999') ? '^ 4998ms !' : '^ 4999ms !')
    })
  })

  test('limits the first value only', () => {
    withMarbles(({ cold, clock, expectObservable }) => {
      const answer$ = cold('4s a 60s b|')
      expectObservable(answer$.pipe(timeLimit(5_000, clock, late))).toBe('4s a 60s b|')
    })
  })
})

describe('the other timers', () => {
  test('after: one value, then the end', () => {
    withMarbles(({ clock, expectObservable }) => {
      expectObservable(after(200, clock)).toBe('200ms (a|)', { a: 0 })
    })
  })
  test('pause: the end alone', () => {
    withMarbles(({ clock, expectObservable }) => {
      expectObservable(pause(200, clock)).toBe('200ms |')
    })
  })
  test('delayBy: every value later', () => {
    withMarbles(({ cold, clock, expectObservable }) => {
      expectObservable(cold('a-b|').pipe(delayBy(10, clock))).toBe('10ms a-(b|)')
    })
  })
  test('settleDown: only what nothing follows in time', () => {
    withMarbles(({ hot, clock, expectObservable }) => {
      expectObservable(hot('a 5ms b 20ms c').pipe(settleDown(10, clock)), '^ 1s !').toBe('16ms b 20ms c')
    })
  })
  test('startAfter: what it makes is made when its time has come, and at once for 0', () => {
    withMarbles(({ cold, clock, expectObservable, expectSubscriptions }) => {
      const made$ = cold('-a|')
      expectObservable(startAfter(10, clock, () => made$)).toBe('10ms -a|')
      expectSubscriptions(made$.subscriptions).toBe('10ms ^-!')
      expectObservable(startAfter(0, clock, () => cold('-a|'))).toBe('-a|')
    })
  })
})

describe('settle', () => {
  const outcome = settle(
    (value: string): object => ({ value }),
    (failure) => ({ failure }),
  )
  const defect = (message: string) => ({ failure: { kind: 'defect', message } satisfies Failure })
  const cases: [string, Observable<string>, object][] = [
    ['a value', of('v'), { value: 'v' }],
    ['the first of several values', of('v', 'w'), { value: 'v' }],
    [
      'a value that is followed by no end',
      new Observable<string>((subscriber) => {
        subscriber.next('v')
      }),
      { value: 'v' },
    ],
    ['a failure', throwError(() => new Failed({ kind: 'network' })), { failure: { kind: 'network' } }],
    ['an error that nobody foresaw', throwError(() => new TypeError('x')), defect('TypeError: x')],
    ['an error that is no Error', throwError(() => 'x'), defect('x')],
    ['an end without a value', EMPTY, defect('completed without a value')],
  ]
  test.each(cases)('%s gives exactly one outcome and the end', (_, source$, expected) => {
    const told: unknown[] = []
    source$.pipe(outcome, toArray()).subscribe((values) => told.push(values))
    expect(told).toEqual([[expected]])
  })

  test('undefined is a value', () => {
    const told: unknown[] = []
    of(undefined)
      .pipe(
        settle(
          (value) => ({ value }),
          (failure) => ({ failure }),
        ),
      )
      .subscribe((value) => told.push(value))
    expect(told).toEqual([{ value: undefined }])
  })

  test('is cancelled with its listener', () => {
    const source$ = new Subject<string>()
    const listening = source$.pipe(outcome).subscribe()
    expect(source$.observed).toBe(true)
    listening.unsubscribe()
    expect(source$.observed).toBe(false)
  })

  test('a failure keeps its data on the way through the error channel', () => {
    const failure: Failure = { kind: 'http', status: 409, code: 'conflict', data: null }
    expect(toFailure(new Failed(failure))).toBe(failure)
  })
})

describe('sharing by key', () => {
  test('callers of one key share one running call; another key has its own', () => {
    withMarbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const share = createSharing()
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
    const share = createSharing()
    const answers: Subject<string>[] = []
    const call = () => {
      const answer$ = new Subject<string>()
      answers.push(answer$)
      return answer$
    }
    const told: string[] = []
    const ask = (name: string) =>
      share('key', call).subscribe({
        next: (value) => told.push(`${name}: ${value}`),
        error: (error: unknown) => told.push(`${name} failed: ${String(error)}`),
      })
    ask('first')
    ask('second')
    answers[0]?.error(new Error('down'))
    ask('third')
    answers[1]?.next('up')
    expect(answers).toHaveLength(2)
    expect(told).toEqual(['first failed: Error: down', 'second failed: Error: down', 'third: up'])
  })

  test('a finished call is forgotten: the next caller asks anew', () => {
    const share = createSharing()
    let calls = 0
    const call = () => of((calls += 1))
    const told: number[] = []
    share('key', call).subscribe((value) => told.push(value))
    share('key', call).subscribe((value) => told.push(value))
    expect(told).toEqual([1, 2])
  })

  test('the call is cancelled when its last caller leaves, and not before', () => {
    const share = createSharing()
    const source$ = new Subject<string>()
    const callers = [1, 2].map(() => share('key', () => source$).subscribe())
    callers[0]?.unsubscribe()
    expect(source$.observed).toBe(true)
    callers[1]?.unsubscribe()
    expect(source$.observed).toBe(false)
  })

  type Step = Readonly<{ do: 'ask' | 'leave' | 'answer' | 'fail' | 'end'; key: string; caller: number }>
  const step: fc.Arbitrary<Step> = fc.record({
    do: fc.constantFrom('ask', 'ask', 'leave', 'answer', 'fail', 'end'),
    key: fc.constantFrom('a', 'b'),
    caller: fc.nat(9),
  })

  test('never two running calls of one key, none that nobody waits for, whatever comes when', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const share = createSharing()
        const running = new Map<string, Set<Subject<number>>>()
        const callers: { key: string; asking: Subscription; told: string[] }[] = []
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
            const told: string[] = []
            const asking = share(key, call(key)).subscribe({
              next: () => told.push('value'),
              error: () => told.push('error'),
              complete: () => told.push('end'),
            })
            callers.push({ key, asking, told })
          } else if (what === 'leave') waiting[caller % Math.max(1, waiting.length)]?.asking.unsubscribe()
          else
            for (const answer$ of [...ofKey(key)]) {
              if (what === 'answer') answer$.next(1)
              if (what === 'end') answer$.complete()
              if (what === 'fail') answer$.error(new Error('down'))
              for (const { told } of waiting)
                expect(told.at(-1)).toBe({ answer: 'value', end: 'end', fail: 'error' }[what])
            }
          for (const each of ['a', 'b']) {
            const open = callers.filter((known) => known.key === each && !known.asking.closed).length
            expect(ofKey(each).size).toBe(open > 0 ? 1 : 0)
          }
        }
      }),
    )
  })

  test('a late caller of a running call is told what was told already', () => {
    const share = createSharing()
    const source$ = new Subject<string>()
    const told: string[] = []
    share('key', () => source$).subscribe()
    source$.next('early')
    share('key', () => of('late'))
      .pipe(take(1))
      .subscribe((value) => told.push(value))
    expect(told).toEqual(['early'])
  })
})
