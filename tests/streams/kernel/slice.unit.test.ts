import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defineEvents, type EventOf, fact, gesture, type Recorded } from '../../../streams/kernel/event.ts'
import { openField } from '../../../streams/kernel/field.ts'
import {
  combineSlices,
  defineSlice,
  evolveBySlice,
  type Handler,
  initialStateOf,
} from '../../../streams/kernel/slice.ts'
import { recorded } from '../../support/state.ts'

const Doors = defineEvents('doors', {
  opened: gesture({ by: openField<string>() }),
  closed: gesture({ by: openField<string>() }),
  painted: fact({ by: openField<string>() }),
})
type DoorEvent = EventOf<typeof Doors>
type Type = DoorEvent['type']
const anyEvent = fc
  .constantFrom(Doors.opened, Doors.closed, Doors.painted)
  .map((create): DoorEvent => create({ by: 'Ann' }))

/** Each part keeps the numbers of the events that it handled; `ignores` handles without a change. */
type Part = Readonly<{ seen: readonly number[] }>
type Plan = Readonly<Partial<Record<Type, 'notes' | 'ignores'>>>
const handle = {
  notes: ({ seen }: Part, { meta }: Recorded<DoorEvent>): Part => ({ seen: [...seen, meta.seq] }),
  ignores: (state: Part): Part => state,
}
const handlersOf = (plan: Plan) =>
  Object.fromEntries(Object.entries(plan).map(([type, how]) => [type, handle[how]])) as Readonly<
    Partial<Record<Type, Handler<Part, DoorEvent>>>
  >
const how = fc.constantFrom('notes' as const, 'ignores' as const)
const plan: fc.Arbitrary<Plan> = fc.record(
  { 'doors/opened': how, 'doors/closed': how, 'doors/painted': how },
  { requiredKeys: [] },
)
const plans = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'constructor'), plan, { maxKeys: 5 })
const logOf = (events: readonly DoorEvent[]) => events.map((event, seq) => recorded(event, seq))
const log = fc.array(anyEvent, { maxLength: 12 }).map(logOf)
const slicesOf = (names: readonly (readonly [string, Plan])[]) =>
  Object.fromEntries(
    names.map(([name, each]) => [
      name,
      defineSlice<Part, typeof Doors>()({ seen: [] }, handlersOf(each) as Record<never, never>),
    ]),
  )

test('a slice that handles every event folds each with its own handler', () => {
  const handler =
    (type: Type) =>
    ({ seen }: Part, event: Recorded<DoorEvent>): Part => ({
      seen: event.type === type ? [...seen, event.meta.seq] : [],
    })
  const slice = defineSlice<Part, typeof Doors>()(
    { seen: [] },
    {
      'doors/opened': handler('doors/opened'),
      'doors/closed': handler('doors/closed'),
      'doors/painted': handler('doors/painted'),
    },
  )
  fc.assert(
    fc.property(log, (events) => {
      const { seen } = events.reduce(evolveBySlice<Part, DoorEvent>(slice), slice.initial)
      expect(seen).toEqual(events.map(({ meta }) => meta.seq))
    }),
  )
})

describe('combined slices', () => {
  test('begin with the initial state of each', () => {
    const one = defineSlice<number, typeof Doors>()(1, {})
    const two = defineSlice<readonly string[], typeof Doors>()([], {})
    expect(initialStateOf({ one, two })).toEqual({ one: 1, two: [] })
    expect(initialStateOf({ two }).two).toBe(two.initial)
  })

  test('give an event to every slice that handles its type, with its own part, and to no other', () => {
    fc.assert(
      fc.property(plans, log, (given, events) => {
        const slices = slicesOf(Object.entries(given))
        const evolve = combineSlices<typeof slices, DoorEvent>(slices)
        const state = events.reduce(evolve, initialStateOf(slices))
        expect(Object.keys(state)).toEqual(Object.keys(given))
        for (const [name, each] of Object.entries(given))
          expect(state[name]).toEqual({
            seen: events.filter(({ type }) => each[type] === 'notes').map(({ meta }) => meta.seq),
          })
      }),
    )
  })

  test('keep the reference of the state when no part changed, and of each part that did not', () => {
    fc.assert(
      fc.property(plans, log, anyEvent, (given, events, event) => {
        const slices = slicesOf(Object.entries(given))
        const evolve = combineSlices<typeof slices, DoorEvent>(slices)
        const before = events.reduce(evolve, initialStateOf(slices))
        const after = evolve(before, recorded(event, 99))
        const changing = Object.keys(given).filter((name) => given[name]?.[event.type] === 'notes')
        if (changing.length === 0) expect(after).toBe(before)
        for (const name of Object.keys(given))
          expect(Object.is(after[name], before[name])).toBe(!changing.includes(name))
      }),
    )
  })

  test('take a part that is NaN for unchanged', () => {
    const part = defineSlice<number, typeof Doors>()(Number.NaN, { 'doors/opened': () => Number.NaN })
    const state = initialStateOf({ part })
    const event = recorded<DoorEvent>(Doors.opened({ by: 'Ann' }))
    expect(combineSlices<{ part: typeof part }, DoorEvent>({ part })(state, event)).toBe(state)
  })

  test('give the same state in any order of the slices', () => {
    const shuffled = plans.chain((given) => {
      const names = Object.entries(given)
      return fc.record({
        names: fc.constant(names),
        reordered: fc.shuffledSubarray(names, { minLength: names.length }),
      })
    })
    fc.assert(
      fc.property(shuffled, log, ({ names, reordered }, events) => {
        const [one, other] = [names, reordered].map((each) => {
          const slices = slicesOf(each)
          return events.reduce(combineSlices<typeof slices, DoorEvent>(slices), initialStateOf(slices))
        })
        expect(one).toEqual(other)
      }),
    )
  })

  test('ignore an event that no slice handles, also one named like a property of every object', () => {
    const part = defineSlice<Part, typeof Doors>()({ seen: [] }, { 'doors/opened': handle.notes })
    const evolve = combineSlices<{ part: typeof part }, DoorEvent>({ part })
    const state = initialStateOf({ part })
    for (const type of ['doors/closed', 'constructor', 'toString', '__proto__'])
      expect(evolve(state, recorded({ type, data: { by: '' } } as never))).toBe(state)
  })
})
