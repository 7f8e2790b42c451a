import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DirectoryLoad, DirectorySync, SyncStop } from '../../../streams/administration/directory/events.ts'
import { isUneventful, undecidedRun, upsertRun } from '../../../streams/administration/directory/rules.ts'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { Session } from '../../../streams/administration/session/events.ts'
import { evolveAdministration, initialState } from '../../../streams/administration/state.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import type { DirectoryRun } from '../../../streams/organisation/directory/directory.ts'
import { directoryOf, run } from '../../support/administration/people.ts'
import { deepFreeze, logOf } from '../../support/state.ts'

const stateAfter = (...events: readonly AdministrationEvent[]) =>
  deepFreeze(replayLog(initialState, evolveAdministration, logOf(...events)))
const entered = Place.entered({ path: '/directory' })
const loaded = DirectoryLoad.loaded({ value: directoryOf() })
const failure = { kind: 'http', status: 409, code: 'sync_running', data: null } as const

const outcome = fc.constantFrom<DirectoryRun['outcome']>(
  'running',
  'done',
  'needsLeave',
  'failed',
  'interrupted',
)
const runs = fc
  .array(fc.record({ isTrial: fc.boolean(), outcome }), { maxLength: 5 })
  .map((all) => all.map((each, index) => run({ ...each, id: `run-${String(index)}` })))

describe('a run', () => {
  test('is in question only while it is the last that was no dry run, and was not declined', () => {
    fc.assert(
      fc.property(runs, fc.option(fc.constantFrom('run-0', 'run-1')), (all, declined) => {
        const last = all.find(({ isTrial }) => !isTrial)
        const asks = last?.outcome === 'needsLeave' && last.id !== declined
        expect(undecidedRun(directoryOf({ runs: all }), declined)).toEqual(asks ? last : null)
      }),
    )
  })

  test('that began stands first, once', () => {
    fc.assert(
      fc.property(runs, fc.constantFrom('run-0', 'run-9'), outcome, (all, id, how) => {
        const begun = run({ id, outcome: how })
        const after = upsertRun(directoryOf({ runs: all }), begun)
        expect(after.runs).toEqual([begun, ...all.filter((each) => each.id !== id)])
        expect(after.isRunning).toBe(how === 'running')
      }),
    )
  })

  test.each(['added', 'changed', 'retired', 'returned', 'refused'] as const)(
    'is eventful when it has %s',
    (count) => {
      expect(isUneventful(run())).toBe(true)
      expect(isUneventful(run({ [count]: 1 }))).toBe(false)
    },
  )
})

describe('the directory', () => {
  test('is loaded whenever its area is entered, and only then', () => {
    expect(stateAfter(entered).directory).toEqual({ status: 'pending', asked: 0 })
    expect(stateAfter(Place.entered({ path: '/people' })).directory.status).toBe('idle')
    expect(stateAfter(entered, loaded, entered).directory).toMatchObject({
      status: 'pending',
      value: directoryOf(),
    })
    expect(stateAfter(entered, loaded, Session.signedOut()).directory.status).toBe('idle')
  })

  test('shows a run as soon as it began, in place of an answer that may not know it', () => {
    const begun = run({ id: 'run-2', outcome: 'running', until: null })
    expect(stateAfter(entered, loaded, DirectorySync.done({ run: begun })).directory).toEqual({
      status: 'pending',
      asked: 2,
      value: { ...directoryOf(), isRunning: true, runs: [begun, run()] },
    })
    expect(stateAfter(entered, DirectorySync.done({ run: begun })).directory).toEqual({
      status: 'pending',
      asked: 1,
    })
  })

  test('is asked again at each check, one request at a time, and when another run is under way', () => {
    expect(
      stateAfter(entered, loaded, DirectorySync.checkDue(), DirectorySync.checkDue()).directory,
    ).toMatchObject({
      asked: 2,
    })
    expect(stateAfter(entered, loaded, DirectorySync.failed({ failure })).directory.status).toBe('pending')
    expect(
      stateAfter(entered, loaded, DirectorySync.failed({ failure: { kind: 'network' } })).directory.status,
    ).toBe('success')
  })

  test('is loaded again after a failure', () => {
    const failed = [entered, DirectoryLoad.loadFailed({ failure: { kind: 'network' } })]
    expect(stateAfter(...failed, Place.retryRequested()).directory).toMatchObject({
      status: 'pending',
      asked: 2,
    })
  })
})

describe('a sync', () => {
  test('is asked for once at a time, as what it is', () => {
    fc.assert(
      fc.property(fc.constantFrom('try', 'sync', 'deactivate'), (kind) => {
        const asked = stateAfter(DirectorySync.requested({ kind }), DirectorySync.requested({ kind: 'sync' }))
        expect(asked.sync).toMatchObject({ kind, attempt: { status: 'pending', asked: 0 } })
      }),
    )
  })

  test('says that it could not begin, until the area is entered again', () => {
    const failed = [DirectorySync.requested({ kind: 'sync' }), DirectorySync.failed({ failure })]
    expect(stateAfter(...failed).sync.attempt).toEqual({ status: 'fail', failure })
    expect(stateAfter(...failed, entered).sync.attempt.status).toBe('idle')
    expect(stateAfter(DirectorySync.requested({ kind: 'sync' }), entered).sync.attempt.status).toBe('pending')
    expect(
      stateAfter(DirectorySync.requested({ kind: 'sync' }), DirectorySync.done({ run: run() })).sync.attempt
        .status,
    ).toBe('success')
  })

  test('is stopped once, and a request to stop does not count for the next one', () => {
    const running = DirectoryLoad.loaded({ value: directoryOf({ isRunning: true }) })
    const stopping = [running, SyncStop.requested(), SyncStop.requested(), SyncStop.done()]
    const stoppingAfter = (...events: readonly AdministrationEvent[]) => stateAfter(...events).sync.stopping
    expect(stoppingAfter(running, SyncStop.requested(), SyncStop.requested())).toMatchObject({ asked: 1 })
    expect(stoppingAfter(...stopping, running)).toEqual({ status: 'success' })
    expect(stoppingAfter(...stopping, loaded)).toEqual({ status: 'idle' })
    expect(stoppingAfter(...stopping, DirectorySync.requested({ kind: 'sync' }))).toEqual({ status: 'idle' })
    expect(stoppingAfter(running, SyncStop.requested(), SyncStop.failed({ failure }))).toEqual({
      status: 'fail',
      failure,
    })
  })

  test('that was declined stays declined, until the administrator signs out', () => {
    const declined = DirectorySync.declined({ run: 'run-1' })
    const before = stateAfter(declined)
    expect(before.sync.declined).toBe('run-1')
    expect(stateAfter(declined, entered).sync.declined).toBe('run-1')
    expect(evolveAdministration(before, { ...declined, meta: { seq: 9, at: 0, source: 'test' } })).toBe(
      before,
    )
    expect(stateAfter(declined, Session.signedOut()).sync.declined).toBeNull()
  })
})
