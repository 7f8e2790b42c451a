import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import { fittingLoad, isSameSelection } from '../../../streams/administration/plan/fitting.ts'
import { Fitting, Planning } from '../../../streams/administration/plan/events.ts'
import { selectShownRules } from '../../../streams/administration/plan/openPage.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { Session } from '../../../streams/administration/session/events.ts'
import { evolveAdministration } from '../../../streams/administration/state.ts'
import { canonicalText, type Selection } from '../../../streams/organisation/release/release.ts'
import { draftOf, releaseDocument } from '../../support/administration/plans.ts'
import { administrationStateAfter, at } from '../../support/administration/story.ts'
import { block, withTheseBlocks } from '../../support/blocks.ts'
import { recorded } from '../../support/state.ts'
import { EVERYONE, selection as anySelection } from '../organisation/arbitraries.ts'

const failure = { kind: 'network' } as const
const sales: Selection = { for: [[{ by: 'group', values: ['sales'] }]], not: [] }
const value = { people: 12, of: 240 }
const stateAfter = (...events: readonly AdministrationEvent[]) => administrationStateAfter(...events).fitting

test('the count of rules is that of equal rules, and not of others', () => {
  fc.assert(
    fc.property(anySelection, anySelection, (one, other) => {
      const isSame = canonicalText(one) === canonicalText(other)
      expect(isSameSelection(one, structuredClone(one))).toBe(true)
      expect(isSameSelection(one, other)).toBe(isSame)
      expect([isSameSelection(one, null), isSameSelection(null, one)]).toEqual([false, false])
      const counted = stateAfter(Fitting.shown({ selection: one }), Fitting.loaded({ value }))
      expect(fittingLoad(counted, other)).toEqual(isSame ? { status: 'success', value } : { status: 'idle' })
    }),
  )
})

test('rules that are counted already are not asked for twice, and others drop the count', () => {
  const shown = (selection: Selection) => Fitting.shown({ selection })
  const pending = administrationStateAfter(shown(sales))
  const again = evolveAdministration(pending, recorded(shown(structuredClone(sales)), 9))
  expect(again.fitting).toBe(pending.fitting)
  expect(stateAfter(shown(sales), Fitting.loaded({ value }), shown(sales)).load).toEqual({
    status: 'pending',
    asked: 2,
    value,
  })
  expect(stateAfter(shown(sales), Fitting.loaded({ value }), shown(EVERYONE))).toEqual({
    selection: EVERYONE,
    load: { status: 'pending', asked: 2 },
  })
})

test('a count that failed is tried again, and none is pending after the session', () => {
  const failed = [Fitting.shown({ selection: sales }), Fitting.loadFailed({ failure })]
  expect(stateAfter(...failed).load).toEqual({ status: 'fail', failure })
  expect(stateAfter(...failed, Place.retryRequested()).load).toEqual({ status: 'pending', asked: 2 })
  const expired = Session.expired({ failure })
  expect(stateAfter(Fitting.shown({ selection: sales }), expired).load).toEqual({ status: 'idle' })
})

test('the counted rules are those of the open signature, block or new banner', () => {
  const document = withTheseBlocks(releaseDocument, [block({ selection: sales })])
  const on = (path: string, ...more: readonly AdministrationEvent[]) =>
    selectShownRules(
      administrationStateAfter(
        ...at(path),
        Planning.draftRestored({ draft: draftOf({ document }) }),
        Place.entered({ path }),
        ...more,
      ),
    )
  const audience = (selection: Selection, isComplete: boolean) =>
    Planning.audienceChosen({ audience: { selection, isComplete } })
  expect(on('/signatures/id/a')).toEqual(EVERYONE)
  expect(on('/signatures/id/b')).toEqual(sales)
  expect(on('/blocks/id/autumn')).toEqual(sales)
  expect(on('/blocks/banner')).toEqual(EVERYONE)
  expect(on('/blocks/banner', audience(sales, true))).toEqual(sales)
  expect(on('/blocks/banner', audience(sales, false))).toBeNull()
  expect(on('/signatures/id/b', Session.expired({ failure }))).toBeNull()
  expect(on('/signatures/id/b', Planning.discarded())).toBeNull()
  for (const path of ['/signatures', '/signatures/id/gone', '/plan', '/people']) expect(on(path)).toBeNull()
})
