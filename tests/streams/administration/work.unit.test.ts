import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import { PeopleImport } from '../../../streams/administration/people/events.ts'
import { Planning, Publishing } from '../../../streams/administration/plan/events.ts'
import { evolveAdministration, initialState } from '../../../streams/administration/state.ts'
import { Work } from '../../../streams/administration/work/events.ts'
import { runningLongWork } from '../../../streams/administration/work/reducer.ts'
import {
  workRequestSeq,
  spokenProgress,
  type WorkKind,
  workKinds,
  workName,
} from '../../../streams/administration/work/rules.ts'
import { createHandle } from '../../../streams/kernel/handle.ts'
import { idleStatus } from '../../../streams/kernel/load.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import { draftOf, planOf, releaseDocument } from '../../support/administration/plans.ts'
import { cases } from '../../support/cases.ts'
import { deepFreeze, logOf } from '../../support/state.ts'

const after = (...events: readonly AdministrationEvent[]) =>
  replayLog(deepFreeze(initialState), evolveAdministration, logOf(...events))
const result = { added: 1, changed: 0, unchanged: 0, refused: [], problems: [] }
const begun = Planning.draftBegun({ draft: draftOf(), findings: [] })
const planned = Planning.planned({ plan: planOf(), document: releaseDocument })
const offered = PeopleImport.offered({ file: createHandle(''), name: 'a.csv' })

const asking: Readonly<Record<WorkKind, readonly AdministrationEvent[]>> = {
  check: [Planning.folderChosen({ folder: createHandle('') })],
  plan: [begun, Planning.planRequested()],
  publish: [begun, Planning.planRequested(), planned, Publishing.requested({ note: '', all: false })],
  try: [offered],
  import: [offered, PeopleImport.tried({ result }), PeopleImport.confirmed()],
}

describe('work', () => {
  test.each(workKinds)('of the kind %s is under way from its request', (kind) => {
    const events = asking[kind]
    const state = after(...events)
    expect(workKinds.map((each) => workRequestSeq(state, each))).toEqual(
      workKinds.map((each) => (each === kind ? events.length - 1 : null)),
    )
    expect(workRequestSeq(after(...events.slice(0, -1)), kind)).toBeNull()
  })

  test('of what is published is no check', () => {
    expect(workRequestSeq(after(Planning.publishedChosen()), 'check')).toBeNull()
  })

  test('is shown once it lasts, and until it ends', () => {
    const events = asking.plan
    const lasted = Work.lasted({ kind: 'plan', asked: 1 })
    expect(runningLongWork(after(...events), 'plan')).toBeNull()
    expect(runningLongWork(after(...events, lasted), 'plan')).toEqual({
      asked: 1,
      progress: { done: 0, of: 0 },
      stopping: idleStatus,
    })
    expect(runningLongWork(after(...events, lasted, planned), 'plan')).toBeNull()
    // Another plan is asked for: what was counted belongs to the former one.
    expect(runningLongWork(after(...events, lasted, Planning.planRequested()), 'plan')).toBeNull()
  })

  test('has numbers that never go back and never exceed the whole, whatever is reported', () => {
    const count = fc.nat({ max: 50 })
    const reports = fc.array(fc.tuple(fc.constantFrom(1, 2), fc.record({ done: count, of: count })))
    fc.assert(
      fc.property(reports, (all) => {
        let state = after(...asking.plan, Work.lasted({ kind: 'plan', asked: 1 }))
        let before = { done: 0, of: 0 }
        for (const [asked, progress] of all) {
          const [event] = logOf(Work.counted({ kind: 'plan', asked, progress }))
          const was = state
          if (event) state = evolveAdministration(state, event)
          const now = runningLongWork(state, 'plan')?.progress ?? before
          if (asked === 2) expect(state).toBe(was)
          expect(now.done).toBeGreaterThanOrEqual(before.done)
          expect(now.of).toBeGreaterThanOrEqual(before.of)
          expect(now.done).toBeLessThanOrEqual(now.of)
          before = now
        }
      }),
      cases(100),
    )
  })

  test('that the service stops is not asked to stop again', () => {
    const work = { kind: 'plan', asked: 1 } as const
    const lasted = [...asking.plan, Work.lasted(work), Work.stopRequested(work), Work.stopTaken(work)]
    const state = after(...lasted)
    expect(state.work.plan?.stopping).toEqual({ status: 'success' })
    expect(after(...lasted, Work.stopRequested(work)).work).toEqual(state.work)
    expect(after(...lasted, Work.lasted(work)).work).toEqual(state.work)
  })
})

test('the name of work has 32 digits', () => {
  const visit = 'ab'.repeat(12)
  expect(workName(visit, 0)).toBe(`${visit}00000000`)
  expect(workName(visit, 0x1f)).toBe(`${visit}0000001f`)
})

test.each([
  [{ done: 0, of: 0 }, 0],
  [{ done: 24, of: 100 }, 0],
  [{ done: 25, of: 100 }, 0.25],
  [{ done: 99, of: 100 }, 0.75],
  [{ done: 100, of: 100 }, 1],
])('of %o screen readers say %d', (progress, part) => {
  expect(spokenProgress(progress)).toBe(part)
})
