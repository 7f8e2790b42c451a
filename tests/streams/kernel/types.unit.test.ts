import { describe, expectTypeOf, test } from 'vitest'
import type { AppEvent, LoggedEvent, PaneGesture } from '../../../streams/pane/events.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { defineEvents, type EventOf, fact, gesture, type GestureOf } from '../../../streams/kernel/event.ts'
import {
  idField,
  type KindOf,
  listField,
  openField,
  nullableField,
  redactedField,
  type ValueOf,
} from '../../../streams/kernel/field.ts'
import { idleStatus, type Load, loadOnce } from '../../../streams/kernel/load.ts'
import {
  combineSlices,
  defineSlice,
  evolveBySlice,
  type HandledBy,
  type MisplacedEvents,
  type StateOf,
} from '../../../streams/kernel/slice.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import { Settings } from '../../../streams/message/settings/events.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { profile } from '../../support/state.ts'

// The claims are checked by the compiler: where a line below an expected error compiles, the check of the types fails.

type Visitor = Readonly<{ name: string; badge: number }>

const Doors = defineEvents('doors', {
  opened: gesture({ by: redactedField<Visitor>()('visitor') }),
  closed: gesture({}),
  painted: fact({ colours: listField(openField<number>()), painter: nullableField(idField('user')) }),
})
type DoorEvent = EventOf<typeof Doors>
type Door = Readonly<{ isOpen: boolean }>
const initial: Door = { isOpen: false }

/** Holds code that the compiler checks and that never runs. */
const neverRun = (_code: () => unknown): void => {}

describe('an event', () => {
  test('has the type and the data of its declaration', () => {
    expectTypeOf<DoorEvent['type']>().toEqualTypeOf<'doors/opened' | 'doors/closed' | 'doors/painted'>()
    expectTypeOf(Doors.opened).parameters.toEqualTypeOf<[data: { readonly by: Visitor }]>()
    expectTypeOf(Doors.closed).parameters.toEqualTypeOf<[]>()
    expectTypeOf(Doors.painted).parameters.toEqualTypeOf<
      [data: { readonly colours: readonly number[]; readonly painter: string | null }]
    >()
  })

  test('does not compile with a field whose privacy is not named', () => {
    neverRun(() => [
      // @ts-expect-error A bare text names no redactor.
      gesture({ by: 'open' }),
      // @ts-expect-error Nor does a sample value of the type.
      fact({ by: { name: '', badge: 0 } }),
      // @ts-expect-error Nor does the type alone.
      fact<{ by: string }>({ by: openField<string>() }),
      // @ts-expect-error Nor does a constructor.
      defineEvents('doors', { locked: gesture({ by: String }) }),
    ])
  })

  test('does not compile unless it is declared a gesture or a fact', () => {
    neverRun(() =>
      // @ts-expect-error It is neither a gesture nor a fact.
      defineEvents('doors', { locked: 'open' }),
    )
  })

  test('does not compile without its data, or with data of another type', () => {
    neverRun(() => [
      // @ts-expect-error The visitor is missing.
      Doors.opened({}),
      // @ts-expect-error A number is no colour list.
      Doors.painted({ colours: 1, painter: null }),
      // @ts-expect-error This event has no data.
      Doors.closed({ by: null }),
    ])
  })
})

describe('a view', () => {
  const record = (_event: PaneGesture): void => {}

  test('may record every gesture', () => {
    neverRun(() => {
      record(Auth.signInRequested({ silent: false }))
      record(Insertion.chosen({ entryId: 'user-1-0-master', itemKey: 'item-1' }))
      record(Router.navigationRequested({ to: '/app' }))
    })
    expectTypeOf<GestureOf<typeof Doors>['type']>().toEqualTypeOf<'doors/opened' | 'doors/closed'>()
    expectTypeOf<PaneGesture>().toExtend<AppEvent>()
  })

  test('does not compile when it records a fact', () => {
    neverRun(() => {
      // @ts-expect-error Only the service says who the user is.
      record(Profile.loaded({ value: profile() }))
      // @ts-expect-error Only the start-up finds no session.
      record(Auth.sessionMissing())
      // @ts-expect-error Only the service changes a default.
      record(Defaults.changed({ combinedIds: 'c', use: 'master' }))
      // @ts-expect-error A fact without data is no gesture, either.
      record(Signatures.reloadDue())
      // @ts-expect-error Only an effect knows that settings were saved.
      record(Settings.updated({ changes: {}, lasting: true }))
    })
    expectTypeOf<Extract<PaneGesture, { type: 'auth/verified' | 'app/started' }>>().toBeNever()
    expectTypeOf<Extract<LoggedEvent, { type: 'auth/verified' }>>().not.toBeNever()
  })
})

describe('a slice', () => {
  test('does not compile with a handler of a misspelt event', () => {
    neverRun(() =>
      defineSlice<Door, typeof Doors>()(initial, {
        'doors/closed': () => ({ isOpen: false }),
        // @ts-expect-error There is no such event.
        'doors/opend': () => ({ isOpen: true }),
      }),
    )
    neverRun(() =>
      defineSlice<Door, typeof Auth>()(initial, {
        // @ts-expect-error Nor is this one an event of these creators.
        'auth/verifyed': () => initial,
      }),
    )
  })

  test('does not compile with a handler that gives another state, or reads other data', () => {
    neverRun(() => [
      defineSlice<Door, typeof Doors>()(initial, {
        // @ts-expect-error A door is no text.
        'doors/opened': () => 'open',
      }),
      defineSlice<Door, typeof Doors>()(initial, {
        // @ts-expect-error The event has no `by`.
        'doors/closed': (_, { data: { by } }) => ({ isOpen: by === null }),
      }),
    ])
  })

  test('does not fold alone unless it handles every event', () => {
    const painted = { 'doors/opened': () => initial, 'doors/painted': () => initial }
    const whole = { ...painted, 'doors/closed': () => initial }
    evolveBySlice<Door, DoorEvent>(defineSlice<Door, typeof Doors>()(initial, whole))
    const part = defineSlice<Door, typeof Doors>()(initial, painted)
    // @ts-expect-error Nothing handles `doors/closed`.
    neverRun(() => evolveBySlice<Door, DoorEvent>(part))
  })

  test('gives its handlers the data of their event', () => {
    defineSlice<Door, typeof Doors>()(initial, {
      'doors/opened': (state, { data }) => {
        expectTypeOf(state).toEqualTypeOf<Door>()
        expectTypeOf(data.by).toEqualTypeOf<Visitor>()
        return state
      },
    })
  })

  test('of a load handles events of the right value only', () => {
    defineSlice<Load<Visitor>, typeof Doors>()(idleStatus, { 'doors/closed': loadOnce })
    neverRun(() => [
      // @ts-expect-error A door that is no load has nothing to load.
      defineSlice<Door, typeof Doors>()(initial, { 'doors/closed': loadOnce }),
    ])
  })
})

describe('slices together', () => {
  const doors = defineSlice<Door, typeof Doors>()(initial, { 'doors/opened': () => ({ isOpen: true }) })
  const count = defineSlice<number, typeof Doors>()(0, {
    'doors/opened': (before) => before + 1,
    'doors/closed': (before) => before,
  })
  const slices = { doors, count }
  type Slices = typeof slices
  test('have the state of each, and handle the events of all', () => {
    expectTypeOf<StateOf<Slices>>().toEqualTypeOf<{ readonly doors: Door; readonly count: number }>()
    expectTypeOf<HandledBy<Slices>>().toEqualTypeOf<'doors/opened' | 'doors/closed'>()
    expectTypeOf(combineSlices<Slices, DoorEvent>(slices)).returns.toEqualTypeOf<StateOf<Slices>>()
  })

  test('do not compile while an event is neither handled nor named as not folded', () => {
    expectTypeOf<MisplacedEvents<DoorEvent, Slices, 'doors/painted'>>().toEqualTypeOf<
      Readonly<Record<never, never>>
    >()
    neverRun(() => {
      // @ts-expect-error No slice handles doors/painted.
      const misplaced: MisplacedEvents<DoorEvent, Slices, never> = {}
      return misplaced
    })
  })

  test('do not compile when an event named as not folded is handled, or does not exist', () => {
    neverRun(() => {
      // @ts-expect-error Two slices handle doors/opened.
      const handled: MisplacedEvents<DoorEvent, Slices, 'doors/painted' | 'doors/opened'> = {}
      // @ts-expect-error No event has this name.
      const unknown: MisplacedEvents<DoorEvent, Slices, 'doors/painted' | 'doors/locked'> = {}
      return [handled, unknown]
    })
  })
})

describe('a table of redactors', () => {
  type Redact<Value> = (value: Value) => Value
  type Fields = (typeof Doors.opened.fields)['by'] | (typeof Doors.painted.fields)['colours' | 'painter']
  /** As `Redactors` in pane/redact.ts, without what it takes apart by itself. */
  type Redactors = { readonly [Field in Fields as KindOf<Field>]: Redact<ValueOf<Field>> }
  const record =
    <Value extends object>(_fields: {
      readonly [Name in keyof Value]-?: Redact<Value[Name]>
    }): Redact<Value> =>
    (value) =>
      value
  const keep = <Value>(value: Value): Value => value

  test('has the kinds and values of all fields', () => {
    const complete: Redactors = {
      visitor: record<Visitor>({ name: () => '', badge: keep }),
      'open[]': keep,
      'user?': () => null,
    }
    expectTypeOf(complete.visitor).toEqualTypeOf<Redact<Visitor>>()
    expectTypeOf<Redactors['user?']>().toEqualTypeOf<Redact<string | null>>()
  })

  test('does not compile when it lacks a kind', () => {
    neverRun(() => {
      // @ts-expect-error The visitor has no redactor.
      const incomplete: Redactors = { 'open[]': keep, 'user?': keep }
      return incomplete
    })
  })

  test('does not compile when a value has a field without a redactor', () => {
    neverRun(() =>
      // @ts-expect-error The badge has no redactor.
      record<Visitor>({ name: keep }),
    )
  })

  test('does not compile with a redactor of another value', () => {
    neverRun(() => {
      // @ts-expect-error A visitor is no text.
      const wrong: Redactors = { visitor: (text: string) => text, 'open[]': keep, 'user?': keep }
      return wrong
    })
  })
})
