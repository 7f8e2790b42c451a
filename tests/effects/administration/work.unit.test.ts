import { NEVER, type Observable, of, throwError } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { describe, expect, test } from 'vitest'
import { peopleEffects } from '../../../effects/administration/people.ts'
import { planEffects } from '../../../effects/administration/plan.ts'
import type { AdministrationPorts } from '../../../effects/administration/ports.ts'
import {
  POLL_GROWTH_MS,
  FIRST_POLL_MS,
  SHOW_PROGRESS_AFTER_MS,
  workEffects,
} from '../../../effects/administration/work.ts'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import { PeopleImport } from '../../../streams/administration/people/events.ts'
import { Planning, Publishing } from '../../../streams/administration/plan/events.ts'
import { Session } from '../../../streams/administration/session/events.ts'
import {
  type AdministrationState,
  evolveAdministration,
  initialState,
} from '../../../streams/administration/state.ts'
import { Work } from '../../../streams/administration/work/events.ts'
import { runningLongWork } from '../../../streams/administration/work/reducer.ts'
import type { WorkKind } from '../../../streams/administration/work/rules.ts'
import { Failed } from '../../../streams/kernel/failure.ts'
import { createHandle } from '../../../streams/kernel/handle.ts'
import type { Progress } from '../../../streams/kernel/progress.ts'
import { createStore, replayLog } from '../../../streams/kernel/store.ts'
import { draftOf, planOf } from '../../support/administration/plans.ts'
import { VISIT } from '../../support/administration/ports.ts'
import { logOf } from '../../support/state.ts'

const begun = Planning.draftBegun({ draft: draftOf(), findings: [] })
const failure = { kind: 'network' } as const
const failing = () => throwError(() => new Failed(failure))

type Api = Readonly<Record<string, (...args: never[]) => Observable<unknown>>>
type Call = Readonly<{ name: string; args: readonly unknown[]; at: number }>

/** Plays events at their times over these answers until 20 s; `check` looks at what happened. */
function play(
  answers: (scheduler: TestScheduler) => Api,
  gestures: Readonly<Record<number, AdministrationEvent>>,
  check: (
    played: Readonly<{
      calls: (name: string) => readonly Call[]
      state: AdministrationState
      events: readonly AdministrationEvent[]
    }>,
  ) => void,
  given: readonly AdministrationEvent[] = [begun, Planning.sampleChosen()],
): void {
  const scheduler = new TestScheduler(() => undefined)
  const calls: Call[] = []
  const events: AdministrationEvent[] = []
  let state = initialState
  scheduler.run(() => {
    const answered = answers(scheduler)
    const api = new Proxy(
      {},
      {
        get:
          (_, name: string) =>
          (...args: never[]) => {
            calls.push({ name, args, at: scheduler.now() })
            return answered[name]?.(...args) ?? NEVER
          },
      },
    )
    const ports = { api, visit: VISIT, time: { scheduler }, files: { text: () => of('email\n') } }
    const store = createStore<AdministrationState, AdministrationEvent, AdministrationPorts>({
      initial: replayLog(initialState, evolveAdministration, logOf(...given)),
      evolve: evolveAdministration,
      effects: { ...planEffects, ...peopleEffects, ...workEffects, keepDraft: () => NEVER },
      deps: ports as unknown as AdministrationPorts,
      time: { scheduler },
    })
    store.event$.subscribe(({ type, data, meta }) => {
      if (meta.source !== 'test') events.push({ type, data } as AdministrationEvent)
    })
    store.start()
    for (const [at, event] of Object.entries(gestures))
      scheduler.schedule(() => {
        store.record(event, 'test')
      }, Number(at))
    scheduler.schedule(() => {
      state = store.state$.value
      store.stop()
    }, 20_000)
  })
  check({ calls: (name) => calls.filter((call) => call.name === name), state, events })
}

const progressIs = (progress: Progress) => () => of(progress)
const planIn = (ms: number) => (scheduler: TestScheduler) => ({
  missingPictures: () => of([]),
  plan: () => scheduler.createColdObservable(`${String(ms)}ms (p|)`, { p: planOf() }),
})

describe('work of the service', () => {
  test('that is short asks for no progress', () => {
    play(
      (scheduler) => ({
        ...planIn(SHOW_PROGRESS_AFTER_MS - 1)(scheduler),
        work: progressIs({ done: 1, of: 2 }),
      }),
      { 0: Planning.planRequested() },
      ({ calls, events }) => {
        expect(calls('work')).toEqual([])
        expect(events.map(({ type }) => type)).toEqual(['plan/planned'])
      },
    )
  })

  test('that lasts tells how far it is, more and more rarely, until it ends', () => {
    play(
      (scheduler) => ({ ...planIn(6_000)(scheduler), work: progressIs({ done: 500, of: 5_000 }) }),
      { 0: Planning.planRequested() },
      ({ calls, events, state }) => {
        const second = SHOW_PROGRESS_AFTER_MS + FIRST_POLL_MS
        const third = second + FIRST_POLL_MS + POLL_GROWTH_MS
        const [asked] = calls('plan')
        expect(calls('work')).toEqual(
          [SHOW_PROGRESS_AFTER_MS, second, third, third + FIRST_POLL_MS + 2 * POLL_GROWTH_MS]
            .filter((at) => at < 6_000)
            .map((at) => ({ name: 'work', args: [asked?.args[2]], at })),
        )
        expect(events[0]).toEqual(Work.lasted({ kind: 'plan', asked: 0 }))
        expect(events[1]).toEqual(
          Work.counted({ kind: 'plan', asked: 0, progress: { done: 500, of: 5_000 } }),
        )
        expect(events.at(-1)?.type).toBe('plan/planned')
        expect(runningLongWork(state, 'plan')).toBeNull()
      },
    )
  })

  test('goes on when a request for the progress fails or is slow', () => {
    let asked = 0
    const answers = [failing, () => NEVER]
    play(
      (scheduler) => ({
        ...planIn(15_000)(scheduler),
        work: () => answers[asked++]?.() ?? of({ done: 9, of: 9 }),
      }),
      { 0: Planning.planRequested() },
      ({ calls, events }) => {
        // The slow request is the last one, because the next one waits for it.
        expect(calls('work').map(({ at }) => at)).toEqual([
          SHOW_PROGRESS_AFTER_MS,
          SHOW_PROGRESS_AFTER_MS + FIRST_POLL_MS,
        ])
        expect(events.map(({ type }) => type)).toEqual(['work/lasted', 'plan/planned'])
      },
    )
  })

  test('is followed again when it is asked for again, by another name', () => {
    play(
      (scheduler) => ({ ...planIn(30_000)(scheduler), work: progressIs({ done: 1, of: 2 }) }),
      { 0: Planning.planRequested(), 2_500: Planning.planRequested() },
      ({ calls, state }) => {
        const names = calls('work').map(({ args: [name] }) => name)
        expect(names[0]).toBe(`${VISIT}00000000`)
        expect(new Set(names).size).toBe(2)
        expect(calls('work')[1]?.at).toBe(2_500 + SHOW_PROGRESS_AFTER_MS)
        expect(runningLongWork(state, 'plan')?.progress).toEqual({ done: 1, of: 2 })
      },
    )
  })

  test('is not followed after the session', () => {
    play(
      (scheduler) => ({ ...planIn(30_000)(scheduler), work: progressIs({ done: 1, of: 2 }) }),
      { 0: Planning.planRequested(), 2_500: Session.signedOut() },
      ({ calls }) => {
        expect(calls('work')).toHaveLength(1)
      },
    )
  })

  const planned = [
    begun,
    Planning.planRequested(),
    Planning.planned({ plan: planOf(), document: draftOf().document }),
  ]
  test.each<[WorkKind, AdministrationEvent, string, number]>([
    ['publish', Publishing.requested({ note: '', all: false }), 'publish', 2],
    ['try', PeopleImport.offered({ file: createHandle('f'), name: 'a.csv' }), 'importPeople', 2],
  ])('of the kind %s has the name with which it was asked for', (kind, gesture, call, place) => {
    play(
      () => ({ work: progressIs({ done: 1, of: 2 }) }),
      { 0: gesture },
      ({ calls, state }) => {
        expect(calls('work')[0]).toMatchObject({
          args: [calls(call)[0]?.args[place]],
          at: SHOW_PROGRESS_AFTER_MS,
        })
        expect(runningLongWork(state, kind)?.progress).toEqual({ done: 1, of: 2 })
      },
      planned,
    )
  })

  test('of an import has the name with which it was asked for', () => {
    const result = { added: 1, changed: 0, unchanged: 0, refused: [], problems: [] }
    play(
      () => ({
        importPeople: (_: string, isTrial: boolean) => (isTrial ? of(result) : NEVER),
        work: progressIs({ done: 1, of: 2 }),
      }),
      { 0: PeopleImport.offered({ file: createHandle('f'), name: 'a.csv' }), 100: PeopleImport.confirmed() },
      ({ calls, state }) => {
        expect(calls('work')[0]).toMatchObject({
          args: [calls('importPeople')[1]?.args[2]],
          at: 100 + SHOW_PROGRESS_AFTER_MS,
        })
        expect(runningLongWork(state, 'import')?.progress).toEqual({ done: 1, of: 2 })
      },
    )
  })
})

describe('a request to stop', () => {
  const kind = 'plan'
  const stop = Work.stopRequested({ kind, asked: 0 })

  test('is sent once, and the work ends with what the service says', () => {
    play(
      (scheduler) => ({
        ...planIn(30_000)(scheduler),
        work: progressIs({ done: 1, of: 2 }),
        stopWork: () => of(undefined),
      }),
      { 0: Planning.planRequested(), 3_500: stop, 3_600: stop },
      ({ calls, state, events }) => {
        expect(calls('stopWork')).toEqual([{ name: 'stopWork', args: [`${VISIT}00000000`], at: 3_500 }])
        expect(events).toContainEqual(Work.stopTaken({ kind, asked: 0 }))
        expect(runningLongWork(state, kind)?.stopping).toEqual({ status: 'success' })
      },
    )
  })

  test('that fails says so, and can be made again', () => {
    play(
      (scheduler) => ({
        ...planIn(30_000)(scheduler),
        work: progressIs({ done: 1, of: 2 }),
        stopWork: failing,
      }),
      { 0: Planning.planRequested(), 3_500: stop, 3_600: stop },
      ({ calls, state, events }) => {
        expect(calls('stopWork')).toHaveLength(2)
        expect(events).toContainEqual(Work.stopFailed({ kind, asked: 0, failure }))
        expect(runningLongWork(state, kind)?.stopping).toEqual({ status: 'fail', failure })
      },
    )
  })

  test('of work that is over asks nothing', () => {
    play(
      (scheduler) => ({ ...planIn(30_000)(scheduler), work: progressIs({ done: 1, of: 2 }) }),
      {
        0: Planning.planRequested(),
        3_500: Work.stopRequested({ kind, asked: 7 }),
        3_600: Work.stopRequested({ kind: 'import', asked: 0 }),
      },
      ({ calls }) => {
        expect(calls('stopWork')).toEqual([])
      },
    )
  })
})
