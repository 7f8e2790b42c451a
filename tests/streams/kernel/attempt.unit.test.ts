import fc from 'fast-check'
import { NEVER, type Observable, Subject, throwError } from 'rxjs'
import { describe, expect, test } from 'vitest'
import type { Kernel } from '../../../streams/kernel/effect.ts'
import { defineEvents, type EventOf, fact } from '../../../streams/kernel/event.ts'
import { type Failure, Failed } from '../../../streams/kernel/failure.ts'
import { openField } from '../../../streams/kernel/field.ts'
import {
  dropPending,
  type Attempt,
  attemptOnce,
  defineAttempt,
  settlePending,
  failedStatus,
  forgetOutcome,
  idleStatus,
  type Load,
  successStatus,
} from '../../../streams/kernel/load.ts'
import { attemptEffect } from '../../../streams/kernel/loading.ts'
import { combineSlices, defineSlice, handlersWithin } from '../../../streams/kernel/slice.ts'
import { createStore } from '../../../streams/kernel/store.ts'
import { failure } from '../../support/arbitraries.ts'
import { createClock } from '../../support/clock.ts'
import { recorded } from '../../support/state.ts'

const door = openField<string>()
const Knock = defineAttempt('knock', { times: openField<number>() }, { by: openField<string>() }, { door })
const House = defineEvents('house', { left: fact({}), closed: fact({}) })
type HouseEvent = EventOf<typeof Knock> | EventOf<typeof House>
type Visit = Readonly<{ name: string; knocking: Attempt }>

const slices = {
  visit: defineSlice<Visit, typeof House | typeof Knock>()(
    { name: 'Ann', knocking: idleStatus },
    handlersWithin('knocking', {
      ...Knock.handlers,
      'house/left': forgetOutcome,
      'house/closed': dropPending<Attempt>,
    }),
  ),
}
const evolve = combineSlices<typeof slices, HouseEvent>(slices)

const attempt: fc.Arbitrary<Attempt> = fc.oneof(
  fc.constantFrom<Attempt>(idleStatus, successStatus),
  fc.nat(9).map((asked) => ({ status: 'pending' as const, asked })),
  failure.map(failedStatus),
)
const visit = attempt.map((knocking) => ({ visit: { name: 'Ann', knocking } }))
const noAnswer: Failure = { kind: 'timeout' }
const requested = Knock.requested({ times: 3 })
const done = Knock.done({ door: 'front', by: 'Ben' })

/** What each event makes of an attempt that is pending, and of one that is not. */
const outcomes: readonly (readonly [
  event: HouseEvent,
  pending: (before: Attempt) => Attempt,
  other: (before: Attempt) => Attempt,
])[] = [
  [requested, (before) => before, () => ({ status: 'pending', asked: 20 })],
  [done, () => successStatus, (before) => before],
  [Knock.failed({ door: 'front', failure: noAnswer }), () => failedStatus(noAnswer), (before) => before],
  [House.left(), (before) => before, () => idleStatus],
  [House.closed(), () => idleStatus, (before) => before],
]

describe('an attempt', () => {
  test.each(outcomes)('takes %j by whether it is pending', (event, pending, other) => {
    fc.assert(
      fc.property(visit, (state) => {
        const before = state.visit.knocking
        const after = evolve(state, recorded(event, 20))
        expect(after).toEqual({
          visit: { name: 'Ann', knocking: before.status === 'pending' ? pending(before) : other(before) },
        })
        if (after.visit.knocking === before) expect(after).toBe(state)
      }),
    )
  })

  test('has events of its domain, with what it is about in both outcomes', () => {
    expect(requested).toEqual({ type: 'knock/requested', data: { times: 3 } })
    expect([Knock.requested.by, Knock.done.by, Knock.failed.by]).toEqual(['gesture', 'fact', 'fact'])
    expect(Knock.requested.fields).toEqual({ times: 'open' })
    expect(Knock.done.fields).toEqual({ door, by: 'open' })
    expect(Knock.failed.fields).toEqual({ door, failure: 'failure' })
    expect(Object.keys(defineAttempt('ring', {}, {}).done.fields)).toEqual([])
  })
})

test('an answer changes a load only while it is pending, and giving up leaves no value', () => {
  const pending: Load<number> = { status: 'pending', asked: 1, value: 1 }
  const answer: Load<number> = { status: 'success', value: 2 }
  expect(settlePending<Load<number>>(pending, answer)).toBe(answer)
  expect(dropPending(pending)).toBe(idleStatus)
  for (const state of [idleStatus, answer, failedStatus(noAnswer)] as const) {
    expect(settlePending<Load<number>>(state, { status: 'success', value: 3 })).toBe(state)
    expect(dropPending(state)).toBe(state)
  }
})

describe('the effect of an attempt', () => {
  type Deps = Readonly<{ knock: (times: number, name: string) => Observable<Readonly<{ by: string }>> }>
  const Ring = defineAttempt('ring', { times: openField<number>() }, { by: openField<string>() })
  type RingEvent = EventOf<typeof Ring> | EventOf<typeof House>
  const ring = {
    ringing: defineSlice<Attempt, typeof House | typeof Ring>()(idleStatus as Attempt, {
      ...Ring.handlers,
      'house/left': attemptOnce,
    }),
    name: defineSlice<string, never>()('Ann', {}),
  }
  type State = Readonly<{ ringing: Attempt; name: string }>
  const start = (knock: Deps['knock']) => {
    const store = createStore<State, RingEvent, Deps>({
      initial: { ringing: idleStatus, name: 'Ann' },
      evolve: combineSlices<typeof ring, RingEvent | EventOf<typeof Kernel>>(ring),
      effects: {
        ring: attemptEffect<RingEvent, State, Deps>()(
          ({ ringing }) => ringing,
          Ring,
          (deps, { times }, { name }) => deps.knock(times, name),
        ),
      },
      deps: { knock },
      time: createClock(),
    })
    store.start()
    return {
      status: () => store.state$.value.ringing,
      ring: (times: number) => {
        store.record(Ring.requested({ times }), 'person')
      },
      leave: () => {
        store.record(House.left(), 'test')
      },
    }
  }

  test('makes one request at a time, and ends with its outcome', () => {
    const answers: Subject<Readonly<{ by: string }>>[] = []
    const asked: unknown[] = []
    const { ring: press, status } = start((...given) => {
      const answer$ = new Subject<Readonly<{ by: string }>>()
      asked.push(given)
      answers.push(answer$)
      return answer$
    })
    press(1)
    press(2)
    expect(asked).toEqual([[1, 'Ann']])
    answers[0]?.next({ by: 'Ben' })
    expect(status()).toEqual(successStatus)
    press(3)
    expect(asked).toEqual([
      [1, 'Ann'],
      [3, 'Ann'],
    ])
    expect(status().status).toBe('pending')
  })

  test('makes none for another event that began it: that one does not say what to ask for', () => {
    const asked: unknown[] = []
    const { leave, status } = start((...given) => {
      asked.push(given)
      return NEVER
    })
    leave()
    expect(status().status).toBe('pending')
    expect(asked).toEqual([])
  })

  test('says why it failed', () => {
    const { ring: press, status } = start(() => throwError(() => new Failed(noAnswer)))
    press(1)
    expect(status()).toEqual(failedStatus(noAnswer))
  })
})
