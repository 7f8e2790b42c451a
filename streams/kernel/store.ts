import { BehaviorSubject, type Observable, Subject, type Subscription } from 'rxjs'
import { type Effect, type KernelEvent, type StateStream, superviseEffect } from './effect.ts'
import type { Event, Evolve, Recorded } from './event.ts'
import { now, type Time } from './time.ts'

/** Effects by their name in the log. */
export type Effects<E, State, Deps> = Readonly<Record<string, Effect<E, State, Deps>>>

export type Store<State, E extends Event, Deps> = Readonly<{
  /**
   * Emits the state on subscription and after each change. Completes after `stop`, or fails with `EndlessLoop`; `value`
   * stays readable.
   */
  state$: StateStream<State>
  /** Emits every event in the order of its `seq`, after the state has evolved. Completes when the store stops. */
  event$: Observable<Recorded<E | KernelEvent>>
  /**
   * The recorded events, oldest first, except those that `foldOldest` removed. Folding them over `base()` gives the
   * state.
   */
  log: readonly Recorded<E | KernelEvent>[]
  /** The state before the first event of `log`. */
  base(): State
  /** Folds the oldest `count` events of `log` into `base()`, and returns them. */
  foldOldest(count: number): readonly Recorded<E | KernelEvent>[]
  /** Records an event. The event waits in the queue while another one is handled. Ignored after `stop`. */
  record(event: E, source: string): void
  /** Starts every effect, then opens the queue, so that no effect misses an event of the start-up. */
  start(): void
  /**
   * Starts more effects under new names. They receive every later event, including the events that they record as they
   * start. If they are added before `start`, they start together with the first effects. Ignored after `stop`.
   */
  addEffects(effects: Effects<E, State, Deps>): void
  /** Ends every effect and both streams. */
  stop(): void
}>

/** Folds a log into a state, without effects. */
export const replayLog = <State, E>(
  initial: State,
  evolve: Evolve<State, E>,
  log: Iterable<Recorded<E>>,
): State => {
  let state = initial
  for (const event of log) state = evolve(state, event)
  return state
}

/** The maximum number of events that the store handles without a pause. */
export const MAX_EVENTS_AT_ONCE = 10_000
/** How many of the last event types `EndlessLoop` names. */
const NAMED_EVENTS = 20

/**
 * The error of a store whose effects trigger each other endlessly. The message has the last event types, but no data.
 */
export class EndlessLoop extends Error {
  override readonly name = 'EndlessLoop'
  constructor(lastTypes: readonly string[]) {
    super(`${MAX_EVENTS_AT_ONCE} events without a pause, the last of ${[...new Set(lastTypes)].join(', ')}`)
  }
}

/**
 * Creates an event store with a queue. One loop takes an event, evolves the state, emits `state$` (only when the
 * reference changed), emits `event$`, and takes the next. Every listener sees the same order, and the state is never
 * older than the event. After `MAX_EVENTS_AT_ONCE` events without a pause the store stops.
 */
export function createStore<State, E extends Event, Deps>(options: {
  initial: State
  evolve: Evolve<State, E | KernelEvent>
  effects: Effects<E, State, Deps>
  deps: Deps
  time: Time
}): Store<State, E, Deps> {
  type Any = E | KernelEvent
  const { initial, evolve, deps, time } = options
  let { effects } = options
  let current = initial
  const states$ = new BehaviorSubject(initial)
  // After a failure, the subject's `value` throws, while this `value` still returns the last state.
  const state$ = Object.defineProperty(states$.asObservable(), 'value', {
    get: () => current,
  }) as StateStream<State>
  const events$ = new Subject<Recorded<Any>>()
  const event$ = events$.asObservable()
  const log: Recorded<Any>[] = []
  const waiting: { event: Any; source: string }[] = []
  const running: Subscription[] = []
  let base = initial
  let recordings = 0
  let phase: 'closed' | 'open' | 'handling' | 'stopped' = 'closed'

  const handle = ({ type, data }: Any, source: string) => {
    const meta = { seq: recordings++, at: now(time), source }
    const recorded = { type, data, meta } as Recorded<Any>
    log.push(recorded)
    const state = evolve(current, recorded)
    if (state !== current) {
      current = state
      states$.next(state)
    }
    events$.next(recorded)
  }
  /** Handles the waiting events. `handled` counts the events since the store was last idle. */
  const handleWaiting = (handled: number) => {
    let taken = 0
    phase = 'handling'
    try {
      for (let next = waiting[taken]; next; next = waiting[taken]) {
        taken++
        if (handled++ === MAX_EVENTS_AT_ONCE)
          return end(new EndlessLoop(log.slice(-NAMED_EVENTS).map(({ type }) => type)))
        handle(next.event, next.source)
        if (isStopped()) return
      }
    } finally {
      // When a reducer throws, the remaining events wait until the next event is recorded.
      waiting.splice(0, taken)
      if (!isStopped()) phase = 'open'
    }
  }
  const end = (error?: EndlessLoop) => {
    phase = 'stopped'
    for (const subscription of running) subscription.unsubscribe()
    if (error) states$.error(error)
    else states$.complete()
    events$.complete()
  }
  const run = (started: typeof effects) => {
    for (const [name, effect] of Object.entries(started)) {
      const output$ = superviseEffect(name, () => effect(event$ as Observable<Recorded<E>>, state$, deps))
      running.push(output$.subscribe((event) => record(event, name)))
    }
  }
  const isStopped = () => (phase as string) === 'stopped'
  const record = (event: Any, source: string) => {
    if (phase === 'stopped') return
    if (phase !== 'open' || waiting.length > 0) {
      waiting.push({ event, source })
      if (phase === 'open') handleWaiting(0)
      return
    }
    phase = 'handling'
    try {
      handle(event, source)
    } finally {
      if (!isStopped()) phase = 'open'
    }
    if (waiting.length > 0 && !isStopped()) handleWaiting(1)
  }

  return {
    state$,
    event$,
    log,
    base: () => base,
    foldOldest(count) {
      const oldest = log.splice(0, count)
      base = replayLog(base, evolve, oldest)
      return oldest
    },
    record,
    start() {
      if (phase !== 'closed') return
      run(effects)
      handleWaiting(0)
    },
    addEffects(more) {
      if (phase === 'closed') effects = { ...effects, ...more }
      else if (phase === 'handling') run(more)
      else if (phase === 'open') {
        // The events that the new effects record at their start wait until all new effects listen.
        phase = 'handling'
        run(more)
        handleWaiting(0)
      }
    },
    stop() {
      end()
    },
  }
}
