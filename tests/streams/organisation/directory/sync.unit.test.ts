import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DirectorySample } from '../../../../streams/organisation/directory/directory.ts'
import {
  beginRun,
  evolveRun,
  MAX_SAMPLES_OF_A_KIND,
  syncScopeOf,
  type SyncEvent,
} from '../../../../streams/organisation/directory/sync.ts'

const begun = beginRun({ id: 'run', source: 'graph', at: 1, isTrial: false, by: 'test' })
const sample = (change: DirectorySample['change'], person: string): DirectorySample => ({
  change,
  person,
  fields: [],
  reason: null,
})
const change = fc.constantFrom('added', 'changed', 'retired', 'returned', 'refused')
const samples = fc.array(
  change.chain((each) => fc.nat(99).map((at) => sample(each, `p${String(at)}`))),
  { maxLength: 30 },
)
const failure = { code: 'away', message: 'No answer.' }

describe('a run', () => {
  it('runs, and tells nothing, when it begins', () => {
    expect(begun).toEqual({
      id: 'run',
      source: 'graph',
      at: 1,
      until: null,
      isTrial: false,
      by: 'test',
      outcome: 'running',
      read: 0,
      added: 0,
      changed: 0,
      retired: 0,
      returned: 0,
      refused: 0,
      failure: null,
      samples: [],
    })
  })

  it('keeps the last that each source said of attributes it does not have, and nothing where all are there', () => {
    const source = fc.constantFrom('graph:a', 'graph:b', 'scim')
    const told = fc.array(fc.tuple(source, fc.uniqueArray(fc.constantFrom('x', 'y', 'z'))), { maxLength: 6 })
    fc.assert(
      fc.property(told, (all) => {
        const run = all.reduce(
          (before, [of, unknown]) => evolveRun(before, { type: 'attributesCompared', source: of, unknown }),
          begun,
        )
        const latest = new Map(all)
        const { unknownAttributes, ...others } = run
        expect(others).toEqual(begun)
        expect(new Map(unknownAttributes?.map(({ source: of, names }) => [of, names]))).toEqual(
          new Map([...latest].filter(([, names]) => names.length > 0)),
        )
        expect('unknownAttributes' in run).toBe([...latest.values()].some(({ length }) => length > 0))
      }),
    )
  })

  it('counts all that was read and changed, in whatever pages it came, and has the first ten of each kind', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), samples), { maxLength: 4 }), (pages) => {
        const events = pages.flatMap(([entries, some]): readonly SyncEvent[] => [
          { type: 'entriesRead', entries },
          { type: 'peopleChanged', samples: some },
        ])
        const run = events.reduce(evolveRun, begun)
        const all = pages.flatMap(([, some]) => some)
        expect(run.read).toBe(pages.reduce((sum, [entries]) => sum + entries, 0))
        for (const kind of ['added', 'changed', 'retired', 'returned', 'refused'] as const) {
          const ofKind = all.filter((each) => each.change === kind)
          expect(run[kind]).toBe(ofKind.length)
          expect(run.samples.filter((each) => each.change === kind)).toEqual(
            ofKind.slice(0, MAX_SAMPLES_OF_A_KIND),
          )
        }
      }),
    )
  })

  it.each([
    ['done', null, false],
    ['needsLeave', null, true],
    ['failed', failure, false],
    ['failed', failure, true],
  ] as const)('ends as %s: %#', (outcome, failed, needsApproval) => {
    const ended = { type: 'ended', at: 7, failure: failed, needsApproval } as const
    expect(evolveRun(begun, ended)).toEqual({ ...begun, outcome, failure: failed, until: 7 })
  })

  it('is interrupted with what it told until then', () => {
    const read = evolveRun(begun, { type: 'entriesRead', entries: 2 })
    expect(evolveRun(read, { type: 'interrupted', at: 7, by: null })).toEqual({
      ...begun,
      read: 2,
      outcome: 'interrupted',
      until: 7,
    })
    expect(evolveRun(read, { type: 'interrupted', at: 7, by: 'alex' })).toEqual({
      ...begun,
      read: 2,
      outcome: 'interrupted',
      until: 7,
      stoppedBy: 'alex',
    })
  })

  it('counts what is applied, which never goes back and never exceeds what there is to apply', () => {
    expect(begun.progress).toBeUndefined()
    const pages = fc.array(fc.nat(300), { maxLength: 10 })
    fc.assert(
      fc.property(fc.nat(2_000), pages, (all, applied) => {
        let run = evolveRun(begun, { type: 'entriesCounted', entries: all })
        expect(run.progress).toEqual({ done: 0, of: all })
        let sum = 0
        for (const entries of applied) {
          run = evolveRun(run, { type: 'entriesApplied', entries })
          sum += entries
          expect(run.progress).toEqual({ done: sum, of: Math.max(all, sum) })
        }
      }),
    )
  })

  it('has those who wait now, not those who waited before', () => {
    const waiting = Array.from({ length: 12 }, (_, at) => sample('retired', String(at)))
    const held = (people: number, some: readonly DirectorySample[]) =>
      ({ type: 'deactivationsHeld', people, samples: some }) as const
    const run = evolveRun(evolveRun(begun, held(9, waiting.slice(0, 9))), held(12, waiting))
    expect(run).toEqual({ ...begun, retired: 12, samples: waiting.slice(0, MAX_SAMPLES_OF_A_KIND) })
  })
})

describe('a sync', () => {
  it.each([
    // Of Graph, all waits while more than 5 % would retire.
    ['graph', false, 5, { needsApproval: false, isTrial: false, deactivates: true }],
    ['graph', false, 6, { needsApproval: true, isTrial: true, deactivates: true }],
    ['graph', true, 6, { needsApproval: false, isTrial: false, deactivates: true }],
    // Of SCIM, those alone who would retire.
    ['scim', false, 0, { needsApproval: false, isTrial: false, deactivates: false }],
    ['scim', false, 1, { needsApproval: true, isTrial: false, deactivates: false }],
    ['scim', true, 6, { needsApproval: false, isTrial: false, deactivates: true }],
  ] as const)('of %s that may retire: %s, over %i of 100 people', (kind, mayDeactivate, retiring, scope) => {
    expect(syncScopeOf(kind, { isTrial: false, mayDeactivate }, retiring, 100)).toEqual(scope)
    expect(syncScopeOf(kind, { isTrial: true, mayDeactivate }, retiring, 100)).toEqual({
      ...scope,
      isTrial: true,
    })
  })
})
