import { Observable, filter, map } from 'rxjs'
import { type RunHelpers, TestScheduler } from 'rxjs/testing'
import { expect } from 'vitest'
import type { AppEffect } from '../../effects/message/app.ts'
import type { Ports } from '../../effects/ports.ts'
import type { AppEvent, LoggedEvent } from '../../streams/pane/events.ts'
import { type AppState, evolveApp } from '../../streams/pane/state.ts'
import type { Event } from '../../streams/kernel/event.ts'
import { type Store, createStore } from '../../streams/kernel/store.ts'
import type { Time } from '../../streams/kernel/time.ts'
import { type FakePorts, fakePorts } from './ports.ts'
import { stateAfter, withoutMeta } from './state.ts'

/** The source of events recorded by a test. */
const TEST = 'test'

export type AppStore = Store<AppState, AppEvent, Ports>

export type Marbles = Pick<RunHelpers, 'hot' | 'cold' | 'expectObservable' | 'expectSubscriptions' | 'time'> &
  Readonly<{
    /** Virtual time: the marbles start at 0, and one frame is a millisecond. */
    clock: Time
    /** Fakes of every port. */
    ports: FakePorts
    /**
     * The events that these effects record in response to `happening$`, in a real store with `ports`. The `given`
     * events only set up the initial state; no effect receives them. The store stops at the unsubscription, so set its
     * time (`expectEvents`, second argument) if an effect has an endless timer.
     */
    react(
      effects: Readonly<Record<string, AppEffect>>,
      happening$: Observable<AppEvent>,
      options?: Readonly<{
        given?: readonly AppEvent[]
        ports?: Ports
        stores?: (store: AppStore) => unknown
      }>,
    ): Observable<LoggedEvent>
    /** Compares each event's type, data and time. */
    expectEvents(
      event$: Observable<Event>,
      subscription?: string,
    ): { toBe(marbles: string, events?: Readonly<Record<string, Event>>): void }
    /** Runs `check` once all marbles have been played. */
    afterwards(check: () => void): void
  }>

/**
 * Plays marbles on virtual time, so every duration is exact and nothing waits. Fails if a marble diagram does not
 * match.
 */
export function withMarbles(test: (marbles: Marbles) => void): void {
  const checks: (() => void)[] = []
  const scheduler = new TestScheduler((actual, expected) => {
    expect(actual).toEqual(expected)
  })
  scheduler.run(({ hot, cold, expectObservable, expectSubscriptions, time }) => {
    const clock: Time = { scheduler }
    const ports = fakePorts(clock)
    test({
      hot,
      cold,
      expectObservable,
      expectSubscriptions,
      time,
      clock,
      ports,
      react: (effects, happening$, { given = [], ports: own = ports, stores } = {}) =>
        new Observable<LoggedEvent>((subscriber) => {
          const store = createStore<AppState, AppEvent, Ports>({
            initial: stateAfter(...given),
            evolve: evolveApp,
            effects,
            deps: own,
            time: clock,
          })
          stores?.(store)
          const answers = store.event$.pipe(filter(({ meta }) => meta.source !== TEST)).subscribe(subscriber)
          store.start()
          const input = happening$.subscribe((event) => {
            store.record(event, TEST)
          })
          return () => {
            input.unsubscribe()
            answers.unsubscribe()
            store.stop()
          }
        }),
      expectEvents: (event$, subscription) => {
        const expectation = expectObservable(event$.pipe(map(withoutMeta)), subscription)
        return {
          toBe: (marbles, events) => {
            expectation.toBe(marbles, events)
          },
        }
      },
      afterwards: (check) => {
        checks.push(check)
      },
    })
  })
  for (const check of checks) check()
}
