import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type EventOf, defineEvents, fact, gesture, type Recorded } from '../../../streams/kernel/event.ts'
import { isTemporary } from '../../../streams/kernel/failure.ts'
import { openField, nullableField } from '../../../streams/kernel/field.ts'
import {
  hasFailedTemporarily,
  wasBegunBy,
  defineLoad,
  failedStatus,
  failureOf,
  forgetValue,
  idleStatus,
  type Load,
  loadAgain,
  loadSucceeded,
  loadOnce,
  pendingStatus,
  retryTemporary,
  retryFailed,
  loadedValue,
} from '../../../streams/kernel/load.ts'
import { combineSlices, defineSlice } from '../../../streams/kernel/slice.ts'
import { failure } from '../../support/arbitraries.ts'
import { recorded } from '../../support/state.ts'

/** null is a value like any other: a user may have no picture. */
const value = fc.constantFrom(null, 0, 1, 2)
type Value = number | null
const seq = fc.nat(9)
const known = fc.constantFrom<Readonly<{ value?: Value }>>({}, { value: null }, { value: 0 }, { value: 2 })
const anyLoad: fc.Arbitrary<Load<Value>> = fc.oneof(
  fc.constant(idleStatus),
  fc.tuple(seq, known).map(([asked, rest]) => ({ status: 'pending' as const, asked, ...rest })),
  value.map((each) => ({ status: 'success' as const, value: each })),
  fc.tuple(failure, known).map(([why, rest]) => ({ ...failedStatus(why), ...rest })),
)

const Score = defineLoad('score', nullableField(openField<number>()))
const Game = defineEvents('game', {
  opened: gesture({}),
  reloaded: gesture({}),
  retried: gesture({}),
  online: fact({}),
  left: fact({}),
})
type GameEvent = EventOf<typeof Score> | EventOf<typeof Game>
const slices = {
  score: defineSlice<Load<Value>, typeof Game | typeof Score>()(idleStatus, {
    'game/opened': loadOnce,
    'game/reloaded': loadAgain,
    'game/retried': retryFailed,
    'game/online': retryTemporary,
    'game/left': forgetValue,
    ...Score.handlers,
  }),
}
const evolve = combineSlices<typeof slices, GameEvent>(slices)
const step = (score: Load<Value>, event: Recorded<GameEvent>) => evolve({ score }, event).score

const anyEvent: fc.Arbitrary<GameEvent> = fc.oneof(
  fc.constantFrom(Game.opened(), Game.reloaded(), Game.retried(), Game.online(), Game.left()),
  value.map((each) => Score.loaded({ value: each })),
  failure.map((each) => Score.loadFailed({ failure: each })),
)
const log = fc
  .array(anyEvent, { maxLength: 20 })
  .map((events) => events.map((event, index) => recorded(event, index)))

/** The load begins, and keeps its value. */
const expectBegun = (before: Load<Value>, after: Load<Value>, asked: number) => {
  const rest = 'value' in before ? { value: before.value } : {}
  expect(after).toStrictEqual({ status: 'pending', asked, ...rest })
}

describe('a load', () => {
  const handlers = [
    ['loadAgain', loadAgain, () => true],
    ['loadOnce', loadOnce, ({ status }) => status === 'idle' || status === 'fail'],
    ['retryFailed', retryFailed, ({ status }) => status === 'fail'],
    ['retryAwaited', retryTemporary, (load) => load.status === 'fail' && isTemporary(load.failure)],
  ] satisfies [string, typeof loadAgain, (load: Load<Value>) => boolean][]

  test.each(handlers)('%s begins it exactly when it should, and keeps its value', (_, handler, begins) => {
    fc.assert(
      fc.property(anyLoad, fc.integer({ min: 10, max: 20 }), (load, asked) => {
        const after = handler(load, { meta: { seq: asked } })
        if (begins(load)) expectBegun(load, after, asked)
        else expect(after).toBe(load)
        expect(loadedValue(after)).toBe(loadedValue(load))
      }),
    )
  })

  test('forget leaves nothing of it', () => {
    expect(forgetValue()).toStrictEqual({ status: 'idle' })
    expect(loadedValue(forgetValue())).toBeUndefined()
  })

  test('a success has its value, and keeps its reference for the same value', () => {
    fc.assert(
      fc.property(anyLoad, value, (load, each) => {
        const after = loadSucceeded(load, each)
        expect(after).toStrictEqual({ status: 'success', value: each })
        expect(after === load).toBe(load.status === 'success' && load.value === each)
        expect(loadSucceeded(after, each)).toBe(after)
      }),
    )
  })

  test('began names the event that began it, and no other', () => {
    fc.assert(
      fc.property(anyLoad, seq, (load, other) => {
        expect(wasBegunBy(load, { meta: { seq: other } })).toBe(
          load.status === 'pending' && load.asked === other,
        )
      }),
    )
    expect(wasBegunBy(pendingStatus({ meta: { seq: 3 } }), { meta: { seq: 3 } })).toBe(true)
  })

  test('has a failure exactly when it failed, and awaits the service when that passes by itself', () => {
    fc.assert(
      fc.property(anyLoad, (load) => {
        expect(failureOf(load)).toBe(load.status === 'fail' ? load.failure : null)
        expect(hasFailedTemporarily(load)).toBe(load.status === 'fail' && isTemporary(load.failure))
      }),
    )
    for (const status of [429, 501, 503])
      expect(hasFailedTemporarily(failedStatus({ kind: 'http', status, code: null, data: null }))).toBe(true)
    for (const status of [400, 401, 404, 500])
      expect(hasFailedTemporarily(failedStatus({ kind: 'http', status, code: null, data: null }))).toBe(false)
  })
})

describe('a slice of defineLoad', () => {
  test('has events and handlers of its domain', () => {
    expect(Score.loaded({ value: 2 })).toEqual({ type: 'score/loaded', data: { value: 2 } })
    expect(Score.loaded.fields).toEqual({ value: 'open?' })
    expect(Score.loadFailed.type).toBe('score/loadFailed')
    expect(Object.keys(Score.handlers)).toEqual(['score/loaded', 'score/loadFailed'])
  })

  test('keeps the value of the last answer through every later load and failure, until it is forgotten', () => {
    fc.assert(
      fc.property(log, (events) => {
        let score: Load<Value> = slices.score.initial
        let last: Value | undefined
        for (const event of events) {
          score = step(score, event)
          if (event.type === 'score/loaded') last = event.data.value
          if (event.type === 'game/left') last = undefined
          expect(loadedValue(score)).toBe(last)
          // Without a value there is no key for it, so that a log in JSON replays to the same state.
          expect('value' in score).toBe(last !== undefined)
        }
      }),
    )
  })

  test('ends with the outcome of its answer', () => {
    fc.assert(
      fc.property(anyLoad, value, failure, (load, each, why) => {
        expect(step(load, recorded(Score.loaded({ value: each })))).toStrictEqual({
          status: 'success',
          value: each,
        })
        const rest = 'value' in load ? { value: load.value } : {}
        expect(step(load, recorded(Score.loadFailed({ failure: why })))).toStrictEqual({
          status: 'fail',
          failure: why,
          ...rest,
        })
      }),
    )
  })

  test('began is true right after the event that began it, and never for another of the log', () => {
    fc.assert(
      fc.property(log, (events) => {
        let score: Load<Value> = slices.score.initial
        let beganWith: number | null = null
        for (const event of events) {
          const before = score
          score = step(score, event)
          if (score !== before) beganWith = score.status === 'pending' ? event.meta.seq : null
          for (const each of events) expect(wasBegunBy(score, each)).toBe(each.meta.seq === beganWith)
        }
      }),
    )
  })
})
