import fc from 'fast-check'
import { EMPTY, type Observable, Subject, concatMap, filter, map, mergeMap, of, startWith, tap } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { type Effect, type KernelEvent, MAX_RESTARTS } from '../../../streams/kernel/effect.ts'
import {
  defineEvents,
  type EventOf,
  fact,
  gesture,
  ofType,
  type Recorded,
} from '../../../streams/kernel/event.ts'
import { openField } from '../../../streams/kernel/field.ts'
import { createStore, EndlessLoop, MAX_EVENTS_AT_ONCE, replayLog } from '../../../streams/kernel/store.ts'
import { createClock } from '../../support/clock.ts'
import { throughJson } from '../../support/state.ts'

const Notes = defineEvents('notes', {
  /** Makes the `cascade` write `children` more, each one level lower. */
  written: fact({ level: openField<number>(), children: openField<number>() }),
  read: gesture({}),
  /** Two effects answer each other this many times. */
  asked: fact({ left: openField<number>() }),
  answered: fact({ left: openField<number>() }),
})
type NoteEvent = EventOf<typeof Notes>
type State = Readonly<{ seen: readonly number[]; levels: number; latest?: number }>
type NoteEffect = Effect<NoteEvent, State, Readonly<{ source$: Observable<NoteEvent> }>>

const initial: State = { seen: [], levels: 0 }
const evolve = (state: State, event: Recorded<NoteEvent | KernelEvent>): State =>
  event.type === 'notes/written'
    ? {
        seen: [...state.seen, event.meta.seq],
        levels: state.levels + event.data.level,
        latest: event.data.level,
      }
    : state

const write = (level: number, children: number) => Notes.written({ level, children })

/** Answers while the event is still being handled. */
const cascade: NoteEffect = (event$) =>
  event$.pipe(
    ofType(Notes.written),
    filter(({ data: { level } }) => level > 0),
    concatMap(({ data: { level, children } }) =>
      of(...Array.from({ length: children }, () => write(level - 1, children))),
    ),
  )

const createNotes = (
  effects: Readonly<Record<string, NoteEffect>>,
  options: Readonly<{ clock?: ReturnType<typeof createClock>; source$?: Observable<NoteEvent> }> = {},
) => {
  const { clock = createClock(), source$ = EMPTY } = options
  return createStore<State, NoteEvent, { source$: Observable<NoteEvent> }>({
    initial,
    evolve,
    effects,
    deps: { source$ },
    time: clock,
  })
}

const seqs = (events: readonly Recorded<NoteEvent | KernelEvent>[]) => events.map(({ meta }) => meta.seq)
const upTo = (length: number) => Array.from({ length }, (_, index) => index)

/** Effects that record some events as they start, and what each has heard. */
function createListeners() {
  const heard: Record<string, number[]> = {}
  const listening =
    (name: string, answers: number): NoteEffect =>
    (event$) =>
      event$.pipe(
        tap(({ meta }) => (heard[name] ??= []).push(meta.seq)),
        filter(() => false),
        map(() => Notes.read()),
        startWith(...upTo(answers).map(() => Notes.read())),
      )
  return { heard, listening }
}

/** Levels and children of the events that the user records. */
const cascades = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })), {
  minLength: 1,
  maxLength: 4,
})

/** In the order in which they are told of an event. */
const LISTENERS = ['state', 'first', 'second', 'third'] as const
/** Events by number: a listener records each when it is told of an earlier one; `null`: the user records it. */
const recordings = fc
  .array(fc.tuple(fc.nat(), fc.option(fc.constantFrom(...LISTENERS), { freq: 4 })), { maxLength: 30 })
  .map((drawn) => drawn.map(([cause, by], number) => ({ number, cause: number && cause % number, by })))

describe('the store', () => {
  test('every listener hears the same events in the order of their `seq`, also those recorded meanwhile', () => {
    fc.assert(
      fc.property(cascades, fc.integer({ min: 1, max: 3 }), (written, effects) => {
        const store = createNotes(Object.fromEntries(upTo(effects).map((n) => [`cascade${n}`, cascade])))
        const early: Recorded<NoteEvent | KernelEvent>[] = []
        const late: Recorded<NoteEvent | KernelEvent>[] = []
        store.event$.subscribe((event) => {
          early.push(event)
          // This listener records while it listens.
          if (event.type === 'notes/written' && event.data.level === 1) store.record(Notes.read(), 'early')
        })
        store.start()
        store.event$.subscribe((event) => late.push(event))
        for (const [level, children] of written) store.record(write(level, Math.min(children, 2)), 'person')
        expect(seqs(early)).toEqual(upTo(store.log.length))
        expect(late).toEqual(early)
        expect(early).toEqual(store.log)
      }),
    )
  })

  test('what a listener records waits its turn, and every listener is told of everything in one order', () => {
    fc.assert(
      fc.property(recordings, fc.boolean(), (all, isEarly) => {
        const byUser = all.filter(({ number, by }) => by === null || number === 0)
        const caused = (cause: number, by: string) =>
          all.filter((each) => each.number > 0 && each.cause === cause && each.by === by)
        const expected: number[] = []
        const handle = (queue: { number: number }[]) => {
          for (let next = queue.shift(); next; next = queue.shift()) {
            const { number } = next
            expected.push(number)
            queue.push(...LISTENERS.flatMap((by) => caused(number, by)))
          }
        }
        if (isEarly) handle([...byUser])
        else for (const each of byUser) handle([each])

        const store = createNotes({})
        const told: Readonly<{ by: string; number: number; value: State }>[] = []
        const tell = (by: string, number: number) => {
          told.push({ by, number, value: store.state$.value })
          for (const each of caused(number, by)) store.record(write(each.number, 0), by)
        }
        store.state$.subscribe(({ latest }) => {
          if (latest !== undefined) tell('state', latest)
        })
        for (const by of LISTENERS.slice(1))
          store.event$.subscribe(({ data }) => {
            if ('level' in data) tell(by, data.level)
          })
        if (!isEarly) store.start()
        for (const { number } of byUser) store.record(write(number, 0), 'person')
        if (isEarly) store.start()

        const states = expected.map((_, seq) => replayLog(initial, evolve, store.log.slice(0, seq + 1)))
        expect(told).toEqual(
          expected.flatMap((number, seq) => LISTENERS.map((by) => ({ by, number, value: states[seq] }))),
        )
        expect(store.log.map(({ data }) => 'level' in data && data.level)).toEqual(expected)
        expect(seqs(store.log)).toEqual(upTo(expected.length))
      }),
    )
  })

  test('a reducer that throws loses its event alone', () => {
    const store = createStore<State, NoteEvent, null>({
      initial,
      evolve: (state, event) => {
        if (event.type === 'notes/read') throw new RangeError('broken')
        return evolve(state, event)
      },
      effects: {},
      deps: null,
      time: createClock(),
    })
    store.event$.subscribe(({ meta }) => {
      if (meta.seq !== 0) return
      store.record(Notes.read(), 'listener')
      store.record(write(2, 0), 'listener')
    })
    store.start()
    // The listener's own recordings are handled before `record` returns, which throws what the reducer threw.
    expect(() => store.record(write(1, 0), 'person')).toThrow('broken')
    store.record(write(3, 0), 'person')
    expect(store.state$.value.seen).toEqual([0, 2, 3])
    expect(store.state$.value.latest).toBe(3)
  })

  test('a listener sees the state after exactly the events up to its own', () => {
    fc.assert(
      fc.property(cascades, (written) => {
        const store = createNotes({ cascade })
        const differences: unknown[] = []
        store.event$.subscribe(() => {
          differences.push([store.state$.value, replayLog(initial, evolve, store.log)])
        })
        store.start()
        for (const [level, children] of written) store.record(write(level, Math.min(children, 2)), 'person')
        expect(differences.length).toBe(store.log.length)
        for (const [value, expected] of differences as [State, State][]) expect(value).toEqual(expected)
      }),
    )
  })

  test('emits a new state before the event that made it', () => {
    const store = createNotes({})
    const told: string[] = []
    store.state$.subscribe(({ seen }) => told.push(`state ${seen.length}`))
    store.event$.subscribe(({ meta }) => told.push(`event ${meta.seq}`))
    store.start()
    store.record(write(0, 0), 'person')
    store.record(write(0, 0), 'person')
    expect(told).toEqual(['state 0', 'state 1', 'event 0', 'state 2', 'event 1'])
  })

  test('emits no state for an event that changes nothing', () => {
    const store = createNotes({})
    const states: State[] = []
    store.state$.subscribe((state) => states.push(state))
    store.start()
    store.record(Notes.read(), 'person')
    expect(states).toEqual([initial])
    expect(store.log).toHaveLength(1)
  })

  test('events recorded before the start wait for it, in order', () => {
    const store = createNotes({})
    store.record(write(1, 0), 'person')
    store.record(write(2, 0), 'app')
    expect(store.log).toEqual([])
    expect(store.state$.value).toBe(initial)
    store.start()
    expect(store.log.map(({ meta }) => meta.source)).toEqual(['person', 'app'])
    expect(store.state$.value.levels).toBe(3)
  })

  test('at start-up every effect hears every event, also one that another effect records at once', () => {
    const { heard, listening } = createListeners()
    const store = createNotes({
      first: listening('first', 2),
      silent: listening('silent', 0),
      last: listening('last', 1),
    })
    store.start()
    expect(store.log.map(({ meta }) => meta.source)).toEqual(['first', 'first', 'last'])
    expect(heard).toEqual({ first: [0, 1, 2], silent: [0, 1, 2], last: [0, 1, 2] })
  })

  describe('more effects', () => {
    test('hear every later event, also what one of them records at once, under their names', () => {
      const { heard, listening } = createListeners()
      const store = createNotes({ first: listening('first', 0) })
      store.start()
      store.record(Notes.read(), 'person')
      store.addEffects({ second: listening('second', 1), third: listening('third', 1) })
      store.record(Notes.read(), 'person')
      expect(heard).toEqual({ first: [0, 1, 2, 3], second: [1, 2, 3], third: [1, 2, 3] })
      expect(store.log.map(({ meta }) => meta.source)).toEqual(['person', 'second', 'third', 'person'])
    })

    test('that are added while an event is handled hear the next ones, and their own', () => {
      const { heard, listening } = createListeners()
      const store = createNotes({})
      store.event$.subscribe(({ meta }) => {
        if (meta.seq === 0) store.addEffects({ late: listening('late', 1), later: listening('later', 0) })
      })
      store.start()
      store.record(Notes.read(), 'person')
      store.record(Notes.read(), 'person')
      expect(heard).toEqual({ late: [1, 2], later: [1, 2] })
    })

    test('that are added before the start begin with it, after the others', () => {
      const { heard, listening } = createListeners()
      const store = createNotes({ first: listening('first', 1) })
      store.addEffects({ second: listening('second', 1) })
      expect(store.log).toEqual([])
      store.start()
      expect(store.log.map(({ meta }) => meta.source)).toEqual(['first', 'second'])
      expect(heard).toEqual({ first: [0, 1], second: [0, 1] })
    })

    test('restart after a crash, which is recorded with their name', () => {
      let starts = 0
      const store = createNotes({})
      store.start()
      store.addEffects({
        crashing: () => {
          starts += 1
          if (starts === 1) throw new RangeError('broken')
          return EMPTY
        },
      })
      expect(starts).toBe(2)
      expect(store.log.map(({ type, meta }) => [type, meta.source])).toEqual([
        ['kernel/effectCrashed', 'crashing'],
      ])
    })

    test('end with the store, and do not start after it', () => {
      const source$ = new Subject<NoteEvent>()
      const outside: NoteEffect = (_event$, _state$, deps) => deps.source$
      const store = createNotes({}, { source$ })
      store.start()
      store.addEffects({ outside })
      expect(source$.observed).toBe(true)
      store.stop()
      expect(source$.observed).toBe(false)
      store.addEffects({ outside })
      expect(source$.observed).toBe(false)
    })
  })

  test('a second start starts no effect again', () => {
    let starts = 0
    const counted: NoteEffect = () => {
      starts += 1
      return EMPTY
    }
    const store = createNotes({ counted })
    store.start()
    store.start()
    expect(starts).toBe(1)
  })

  test('an event carries a gapless `seq`, the time and its source', () => {
    const clock = createClock(1_000)
    const store = createNotes({ cascade }, { clock })
    store.start()
    store.record(write(1, 1), 'person')
    clock.advance(250)
    store.record(Notes.read(), 'app')
    expect(store.log.map(({ meta }) => meta)).toEqual([
      { seq: 0, at: 1_000, source: 'person' },
      { seq: 1, at: 1_000, source: 'cascade' },
      { seq: 2, at: 1_250, source: 'app' },
    ])
  })

  test('a replay of the log gives the live state, also through JSON', () => {
    fc.assert(
      fc.property(cascades, (written) => {
        const store = createNotes({ cascade })
        store.start()
        for (const [level, children] of written) store.record(write(level, children), 'person')
        expect(replayLog(initial, evolve, store.log)).toStrictEqual(store.state$.value)
        expect(replayLog(initial, evolve, throughJson(store.log))).toStrictEqual(store.state$.value)
      }),
      // A cascade of three levels has forty events.
      { numRuns: 50 },
    )
  })

  describe('with two effects that answer each other', () => {
    const asks: NoteEffect = (event$) =>
      event$.pipe(
        ofType(Notes.answered),
        filter(({ data: { left } }) => left > 0),
        map(({ data: { left } }) => Notes.asked({ left: left - 1 })),
      )
    const answers: NoteEffect = (event$) =>
      event$.pipe(
        ofType(Notes.asked),
        filter(({ data: { left } }) => left > 0),
        map(({ data: { left } }) => Notes.answered({ left: left - 1 })),
      )
    const started = () => {
      const source$ = new Subject<NoteEvent>()
      const store = createNotes(
        { asks, answers, outside: (_event$, _state$, deps) => deps.source$ },
        { source$ },
      )
      const ended: unknown[] = []
      store.state$.subscribe({ error: (error: unknown) => ended.push(error) })
      store.event$.subscribe({ complete: () => ended.push('event$') })
      store.record(Notes.read(), 'person')
      store.start()
      return { store, source$, ended }
    }

    test.each([1, 9_999, MAX_EVENTS_AT_ONCE])('handles %d events in one go, again and again', (count) => {
      const { store, ended } = started()
      store.record(Notes.asked({ left: count - 1 }), 'person')
      store.record(Notes.asked({ left: count - 1 }), 'person')
      expect(store.log).toHaveLength(1 + 2 * count)
      expect(ended).toEqual([])
    })

    test('stops when they do so for ever, and names the events', () => {
      const { store, source$, ended } = started()
      store.record(Notes.asked({ left: Infinity }), 'person')
      expect(store.log).toHaveLength(1 + MAX_EVENTS_AT_ONCE)
      expect(ended).toEqual([expect.any(EndlessLoop), 'event$'])
      const [{ message }] = ended as [EndlessLoop]
      expect(message).toBe('10000 events without a pause, the last of notes/asked, notes/answered')
      expect(source$.observed).toBe(false)
      store.record(Notes.read(), 'person')
      store.stop()
      expect(store.log).toHaveLength(1 + MAX_EVENTS_AT_ONCE)
      expect(store.state$.value).toEqual(initial)
    })
  })

  test('stop ends both streams and every effect; later events are ignored', () => {
    const source$ = new Subject<NoteEvent>()
    const store = createNotes({ outside: (_event$, _state$, deps) => deps.source$ }, { source$ })
    const ended: string[] = []
    store.start()
    store.state$.subscribe({ complete: () => ended.push('state$') })
    store.event$.subscribe({ complete: () => ended.push('event$') })
    source$.next(Notes.read())
    expect(source$.observed).toBe(true)
    store.stop()
    expect(ended).toEqual(['state$', 'event$'])
    expect(source$.observed).toBe(false)
    store.record(write(1, 0), 'person')
    store.start()
    expect(store.log).toHaveLength(1)
    expect(store.state$.value).toBe(initial)
  })

  test.each([0, 1, 2])('a stop while event %d is handled drops the waiting events', (last) => {
    const store = createNotes({ cascade })
    store.start()
    store.event$.subscribe(({ meta }) => {
      if (meta.seq === last) store.stop()
    })
    store.record(write(3, 3), 'person')
    expect(store.log).toHaveLength(last + 1)
    store.record(Notes.read(), 'person')
    expect(store.log).toHaveLength(last + 1)
  })

  test('a store stopped before its start never starts', () => {
    let starts = 0
    const counted: NoteEffect = () => {
      starts += 1
      return EMPTY
    }
    const store = createNotes({ counted })
    store.stop()
    store.start()
    expect(starts).toBe(0)
  })
})

describe('an effect that crashes', () => {
  const crashing: NoteEffect = (event$) =>
    event$.pipe(
      ofType(Notes.read),
      map(() => {
        throw new RangeError('no such page')
      }),
    )
  const crashes = (log: readonly Recorded<NoteEvent | KernelEvent>[]) =>
    log.flatMap((event) => (event.type === 'kernel/effectCrashed' ? [event] : []))

  test('is recorded by name and started again at most 10 times, while the others go on', () => {
    const answering: NoteEffect = (event$) =>
      event$.pipe(
        ofType(Notes.read),
        map(() => write(0, 0)),
      )
    const store = createNotes({ before: answering, crashing, after: answering })
    store.start()
    const rounds = MAX_RESTARTS + 5
    for (let round = 0; round < rounds; round++) store.record(Notes.read(), 'person')

    const reports = crashes(store.log)
    expect(MAX_RESTARTS).toBe(10)
    expect(reports.map(({ data: { restarts, givenUp } }) => ({ restarts, givenUp }))).toEqual(
      upTo(11).map((restarts) => ({ restarts, givenUp: restarts === 10 })),
    )
    for (const { data: report, meta } of reports) {
      expect(report).toMatchObject({ effect: 'crashing', message: 'RangeError: no such page' })
      expect(meta.source).toBe('crashing')
    }
    const answers = store.log.filter(({ type }) => type === 'notes/written').map(({ meta }) => meta.source)
    expect(answers.filter((source) => source === 'before')).toHaveLength(rounds)
    expect(answers.filter((source) => source === 'after')).toHaveLength(rounds)
  })

  test('is given up when it crashes at every start, and the store still opens', () => {
    let starts = 0
    const broken: NoteEffect = () => {
      starts += 1
      throw new Error('no start')
    }
    const store = createNotes({ broken, cascade })
    store.start()
    store.record(write(1, 1), 'person')
    expect(starts).toBe(MAX_RESTARTS + 1)
    expect(crashes(store.log).map(({ data: { message } }) => message)).toEqual(
      upTo(11).map(() => 'Error: no start'),
    )
    expect(store.log.filter(({ type }) => type === 'notes/written')).toHaveLength(2)
  })

  test('hears every event after its crash', () => {
    const heard: number[] = []
    const once: NoteEffect = (event$) =>
      event$.pipe(
        mergeMap(({ meta }) => {
          if (meta.seq === 1) throw new Error('once')
          heard.push(meta.seq)
          return EMPTY
        }),
      )
    const store = createNotes({ once })
    store.start()
    for (let round = 0; round < 3; round++) store.record(Notes.read(), 'person')
    // 0, the crash of 1 as 2, and the two that follow.
    expect(heard).toEqual([0, 2, 3])
    expect(crashes(store.log)).toHaveLength(1)
  })
})
