import { tap } from 'rxjs'
import { expect, test, vi } from 'vitest'
import { defineEvents, type EventOf, fact, ofType, type Recorded } from '../../../streams/kernel/event.ts'
import { openField } from '../../../streams/kernel/field.ts'
import { createStore } from '../../../streams/kernel/store.ts'
import { createClock } from '../../support/clock.ts'
import { withMarbles } from '../../support/marbles.ts'

const Lamps = defineEvents('lamps', {
  lit: fact({ number: openField<number>() }),
  dimmed: fact({ number: openField<number>() }),
  broken: fact({ number: openField<number>() }),
})
type LampEvent = Recorded<EventOf<typeof Lamps>>

const creators = [Lamps.lit, Lamps.dimmed, Lamps.broken] as const
const event = (type: number, number: number): LampEvent => ({
  ...creators[type % creators.length]!({ number }),
  meta: { seq: number, at: 0, source: 'test' },
})

test('a listener that throws keeps no other from hearing an event, and its error is reported', () => {
  vi.useFakeTimers()
  try {
    const store = createStore<null, EventOf<typeof Lamps>, null>({
      initial: null,
      evolve: (state) => state,
      effects: {},
      deps: null,
      time: createClock(),
    })
    store.start()
    const heard: string[] = []
    store.event$.pipe(tap(() => heard.push('before'))).subscribe()
    store.event$.pipe(ofType(Lamps.lit)).subscribe(() => {
      throw new RangeError('no lamp')
    })
    store.event$.pipe(ofType(Lamps.lit)).subscribe(() => heard.push('after'))
    store.record(Lamps.lit({ number: 0 }), 'test')
    store.record(Lamps.lit({ number: 1 }), 'test')
    expect(heard).toEqual(['before', 'after', 'before', 'after'])
    expect(() => vi.runAllTimers()).toThrow('no lamp')
    vi.clearAllTimers()
  } finally {
    vi.useRealTimers()
  }
})

test('`ofType` keeps the events of its creators', () => {
  withMarbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
    const events = { l: event(0, 0), d: event(1, 1), b: event(2, 2) }
    const hot$ = hot<LampEvent>('   l-d-b-(ld)-|', events)
    expectObservable(hot$.pipe(ofType(Lamps.lit, Lamps.broken))).toBe('l---b-l----|', events)
    const broken$ = cold<LampEvent>('d-b-#', events)
    expectObservable(broken$.pipe(ofType(Lamps.broken)), '^--!').toBe('--b-', events)
    expectSubscriptions(broken$.subscriptions).toBe('^--!')
  })
})
