import fc from 'fast-check'
import { config, map, type Observable, Subject, type Subscription, tap } from 'rxjs'
import { describe, expect, test, vi } from 'vitest'
import { defineEvents, type EventOf, fact, ofType, type Recorded } from '../../streams/kernel/event.ts'
import { createEventStream, isEventStream } from '../../streams/kernel/eventStream.ts'
import { open } from '../../streams/kernel/field.ts'
import { createStore } from '../../streams/kernel/store.ts'
import { createClock } from '../support/clock.ts'
import { withMarbles } from '../support/marbles.ts'

const Lamps = defineEvents('lamps', {
  lit: fact({ number: open<number>() }),
  dimmed: fact({ number: open<number>() }),
  broken: fact({ number: open<number>() }),
})
type LampEvent = Recorded<EventOf<typeof Lamps>>

const creators = [Lamps.lit, Lamps.dimmed, Lamps.broken] as const
const event = (type: number, number: number): LampEvent => ({
  ...creators[type % creators.length]!({ number }),
  meta: { seq: number, at: 0, source: 'test' },
})

/** What feeds a stream: the store's own, and the model, a `Subject` over which `ofType` is a filter. */
type Source = Readonly<{ event$: Observable<LampEvent>; next(event: LampEvent): void; complete(): void }>
const model = (): Source => {
  const event$ = new Subject<LampEvent>()
  return { event$, next: (each) => event$.next(each), complete: () => event$.complete() }
}

type Step = Readonly<
  | { do: 'subscribe'; types: readonly number[] | null }
  | { do: 'unsubscribe'; listener: number }
  | { do: 'emit'; type: number }
  | { do: 'complete' | 'fail' }
>
const subscribe = fc.record({
  do: fc.constant('subscribe' as const),
  types: fc.option(fc.array(fc.nat({ max: 2 }), { maxLength: 3 })),
})
const unsubscribe = fc.record({ do: fc.constant('unsubscribe' as const), listener: fc.nat({ max: 9 }) })
const emit = fc.record({ do: fc.constant('emit' as const), type: fc.nat({ max: 2 }) })
const rarely = fc.record({ do: fc.constantFrom('complete' as const, 'fail' as const) })
const step = fc.oneof(
  { arbitrary: subscribe, weight: 4 },
  { arbitrary: unsubscribe, weight: 2 },
  { arbitrary: emit, weight: 4 },
  { arbitrary: rarely, weight: 1 },
)
/** What the test does, and what listeners do when they are told: the steps of `within` in turn, `null` for nothing. */
type Program = Readonly<{ steps: readonly Step[]; within: readonly (Step | null)[] }>
const programs: fc.Arbitrary<Program> = fc.record({
  steps: fc.array(
    fc.oneof({ arbitrary: fc.oneof(subscribe, emit), weight: 5 }, { arbitrary: step, weight: 1 }),
    { maxLength: 30 },
  ),
  within: fc.array(fc.option(step), { maxLength: 15 }),
})

/** Everything that the listeners are told, in order. */
function told(source: Source, { steps, within }: Program) {
  const { event$ } = source
  const lines: string[] = []
  const subscriptions: Subscription[] = []
  const left = [...within]
  let emitted = 0
  const run = (each: Step) => {
    switch (each.do) {
      case 'subscribe': {
        const name = subscriptions.length
        const typed$ = each.types ? event$.pipe(ofType(...each.types.map((type) => creators[type]!))) : event$
        const listener = {
          next: (number: number) => {
            lines.push(`${name} is told of ${number}`)
            const answer = left.shift()
            if (answer) run(answer)
          },
          error: () => lines.push(`${name} has failed`),
          complete: () => lines.push(`${name} is complete`),
        }
        subscriptions.push(
          typed$
            .pipe(
              map(({ data }) => {
                if (left[0]?.do !== 'fail') return data.number
                left.shift()
                throw new Error('fails')
              }),
            )
            .subscribe(listener),
        )
        return
      }
      case 'unsubscribe':
        subscriptions[each.listener % subscriptions.length]?.unsubscribe()
        return
      case 'emit':
        source.next(event(each.type, emitted++))
        return
      case 'complete':
        source.complete()
        return
      case 'fail':
        return
    }
  }
  for (const each of steps) run(each)
  return lines
}

describe('the stream of events', () => {
  test('tells its listeners what a Subject with filters tells them, in the same order', () => {
    fc.assert(
      fc.property(programs, (program) => {
        expect(told(createEventStream<LampEvent>(), program)).toEqual(told(model(), program))
      }),
      { numRuns: 1_000 },
    )
  })

  test('asks an event for its type once, however many listeners want others', () => {
    const events = createEventStream<LampEvent>()
    const { event$ } = events
    const heard: number[] = []
    for (let count = 0; count < 20; count++) event$.pipe(ofType(Lamps.dimmed, Lamps.broken)).subscribe()
    event$.pipe(ofType(Lamps.lit)).subscribe(({ data }) => heard.push(data.number))
    let asked = 0
    const lit = Object.defineProperty({ ...event(0, 7) }, 'type', {
      get: () => {
        asked += 1
        return Lamps.lit.type
      },
    })
    events.next(lit)
    expect(heard).toEqual([7])
    expect(asked).toBe(1)
  })

  test('a listener that throws keeps no other from being told, and its error is reported', () => {
    vi.useFakeTimers()
    try {
      for (const { event$, ...source } of [createEventStream<LampEvent>(), model()]) {
        const heard: string[] = []
        event$.pipe(tap(() => heard.push('before'))).subscribe()
        event$.pipe(ofType(Lamps.lit)).subscribe(() => {
          throw new RangeError('no lamp')
        })
        event$.pipe(ofType(Lamps.lit)).subscribe(() => heard.push('after'))
        source.next(event(0, 0))
        source.next(event(0, 1))
        expect(heard).toEqual(['before', 'after', 'before', 'after'])
        expect(() => vi.runAllTimers()).toThrow('no lamp')
        vi.clearAllTimers()
      }
    } finally {
      vi.useRealTimers()
    }
  })

  test('forgets a listener that has left', () => {
    vi.useFakeTimers()
    const late = vi.fn()
    config.onStoppedNotification = late
    try {
      const events = createEventStream<LampEvent>()
      const { event$ } = events
      const all = event$.subscribe()
      const lit = event$.pipe(ofType(Lamps.lit)).subscribe()
      events.next(event(0, 0))
      all.unsubscribe()
      events.next(event(0, 1))
      lit.unsubscribe()
      events.next(event(0, 2))
      events.complete()
      vi.runAllTimers()
      expect(late).not.toHaveBeenCalled()
    } finally {
      config.onStoppedNotification = null
      vi.useRealTimers()
    }
  })

  test('is what the effects of a store listen to', () => {
    const given: unknown[] = []
    const store = createStore<null, EventOf<typeof Lamps>, null>({
      initial: null,
      evolve: (state) => state,
      effects: {
        lamp: (event$) => {
          given.push(event$)
          return event$.pipe(
            ofType(Lamps.broken),
            map(() => Lamps.lit({ number: 1 })),
          )
        },
      },
      deps: null,
      time: createClock(),
    })
    store.start()
    store.record(Lamps.broken({ number: 0 }), 'test')
    expect(store.log.map(({ type }) => type)).toEqual(['lamps/broken', 'lamps/lit'])
    expect(given).toEqual([store.event$])
    expect(isEventStream(store.event$)).toBe(true)
  })
})

test('over another stream, `ofType` is a filter', () => {
  withMarbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
    const events = { l: event(0, 0), d: event(1, 1), b: event(2, 2) }
    const hot$ = hot<LampEvent>('   l-d-b-(ld)-|', events)
    expectObservable(hot$.pipe(ofType(Lamps.lit, Lamps.broken))).toBe('l---b-l----|', events)
    const broken$ = cold<LampEvent>('d-b-#', events)
    expectObservable(broken$.pipe(ofType(Lamps.broken)), '^--!').toBe('--b-', events)
    expectSubscriptions(broken$.subscriptions).toBe('^--!')
    expectObservable(cold<LampEvent>('d-b-#', events).pipe(ofType(Lamps.dimmed))).toBe('d---#', events)
  })
})
