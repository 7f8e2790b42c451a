import { of, Subject } from 'rxjs'
import { expect, test } from 'vitest'
import { SEARCH_PAUSE_MS } from '../../../effects/administration/plan.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { Planning, Suggestions } from '../../../streams/administration/plan/events.ts'
import { fittingLoad } from '../../../streams/administration/plan/fitting.ts'
import { selectShownRules } from '../../../streams/administration/plan/openPage.ts'
import { Failed } from '../../../streams/kernel/failure.ts'
import type { Selection } from '../../../streams/organisation/release/release.ts'
import type { FieldValues } from '../../../streams/organisation/rules/fieldValues.ts'
import type { FittingPeople } from '../../../streams/wire/administration/people.ts'
import { NOON, releaseId } from '../../support/administration/answers.ts'
import { draftOf, releaseDocument } from '../../support/administration/plans.ts'
import { fakeAdministrationPorts, startAdministrationAt } from '../../support/administration/ports.ts'
import { createClock } from '../../support/clock.ts'

const SALES: Selection = { for: [[{ by: 'group', values: ['sales'] }]], not: [] }
const SUPPORT: Selection = { for: [[{ by: 'group', values: ['support'] }]], not: [] }

function open(path: string) {
  const clock = createClock(NOON)
  const ports = fakeAdministrationPorts(clock)
  const { pictures } = draftOf()
  ports.api.exported.answers(of({ release: releaseId('c'), document: releaseDocument, pictures }))
  const asked: { selection: Selection; answer$: Subject<FittingPeople> }[] = []
  ports.api.countPeople.answers((selection) => {
    const answer$ = new Subject<FittingPeople>()
    asked.push({ selection, answer$ })
    return answer$
  })
  const page = startAdministrationAt(path, ports)
  const shown = () => {
    const rules = selectShownRules(page.state$.value)
    return rules && fittingLoad(page.state$.value.fitting, rules)
  }
  return {
    clock,
    ports,
    page,
    shown,
    asked,
    rules: () => asked.map(({ selection }) => selection),
    answer: (index: number, people: number) => {
      asked[index]?.answer$.next({ people, of: 240 })
      asked[index]?.answer$.complete()
    },
    choose: (selection: Selection) => {
      page.record(Planning.signatureChanged({ signature: 'b', changes: { selection } }))
    },
  }
}

test('people are counted once for each pause in typing', () => {
  const { clock, rules, choose } = open('/signatures/id/b')
  clock.advance(SEARCH_PAUSE_MS - 1)
  expect(rules()).toEqual([])
  clock.advance(1)
  expect(rules()).toEqual([SALES])
  choose(SUPPORT)
  clock.advance(SEARCH_PAUSE_MS - 1)
  choose({ ...SUPPORT, not: SALES.for === 'everyone' ? [] : SALES.for })
  clock.advance(SEARCH_PAUSE_MS - 1)
  choose(SUPPORT)
  expect(rules()).toHaveLength(1)
  clock.advance(SEARCH_PAUSE_MS)
  expect(rules()).toEqual([SALES, SUPPORT])
})

test('an answer about earlier rules is ignored, also when it is late', () => {
  const { clock, shown, asked, choose, answer } = open('/signatures/id/b')
  clock.advance(SEARCH_PAUSE_MS)
  choose(SUPPORT)
  answer(0, 12)
  expect(shown()).toEqual({ status: 'idle' })
  clock.advance(SEARCH_PAUSE_MS)
  choose(SALES)
  clock.advance(SEARCH_PAUSE_MS)
  expect(asked[1]?.answer$.observed).toBe(false)
  answer(2, 13)
  expect(shown()).toEqual({ status: 'success', value: { people: 13, of: 240 } })
})

test('edits of anything but the rules count nobody again', () => {
  const { clock, page, rules, answer } = open('/signatures/id/b')
  clock.advance(SEARCH_PAUSE_MS)
  answer(0, 12)
  page.record(Planning.signatureChanged({ signature: 'b', changes: { name: 'Other' } }))
  page.record(Planning.signatureChanged({ signature: 'b', changes: { selection: structuredClone(SALES) } }))
  clock.advance(SEARCH_PAUSE_MS)
  expect(rules()).toEqual([SALES])
})

test('people are counted again for who comes back to a page, and nobody is counted on other pages', () => {
  const { clock, page, rules, answer } = open('/signatures')
  clock.advance(SEARCH_PAUSE_MS)
  expect(rules()).toEqual([])
  const go = (to: string) => {
    page.record(Place.linkFollowed({ to }))
    clock.advance(SEARCH_PAUSE_MS)
  }
  go('/blocks/banner')
  answer(0, 240)
  go('/signatures')
  go('/signatures/id/a')
  const everyone: Selection = { for: 'everyone', not: [] }
  expect(rules()).toEqual([everyone, everyone])
})

test('values are looked for at once, while one types after each pause, and only once', () => {
  const { page, ports, clock } = open('/signatures/id/b')
  const seek = (search: string) => page.record(Suggestions.sought({ field: 'department', search }))
  seek('')
  clock.advance(0)
  expect(ports.api.fieldValues.calls).toEqual([['department', '']])
  seek('')
  seek('s')
  clock.advance(SEARCH_PAUSE_MS - 1)
  seek('sa')
  clock.advance(SEARCH_PAUSE_MS - 1)
  expect(ports.api.fieldValues.calls).toHaveLength(1)
  clock.advance(1)
  seek('sa')
  clock.advance(SEARCH_PAUSE_MS)
  expect(ports.api.fieldValues.calls).toEqual([
    ['department', ''],
    ['department', 'sa'],
  ])
})

test('values for an earlier text are ignored', () => {
  const { page, ports, clock } = open('/signatures/id/b')
  const [first$, second$] = [new Subject<FieldValues>(), new Subject<FieldValues>()]
  ports.api.fieldValues.answers(first$, second$)
  page.record(Suggestions.sought({ field: 'group', search: '' }))
  clock.advance(0)
  page.record(Suggestions.sought({ field: 'city', search: '' }))
  expect(first$.observed).toBe(false)
  clock.advance(0)
  const berlin = { values: [{ value: 'Berlin', people: 3 }] }
  second$.next(berlin)
  expect(page.state$.value.suggestions).toEqual({
    sought: { field: 'city', search: '' },
    load: { status: 'success', value: berlin },
  })
})

test('a count that failed is made again on request', () => {
  const { clock, page, shown, asked, answer } = open('/signatures/id/b')
  clock.advance(SEARCH_PAUSE_MS)
  asked[0]?.answer$.error(new Failed({ kind: 'network' }))
  expect(shown()).toEqual({ status: 'fail', failure: { kind: 'network' } })
  page.record(Place.retryRequested())
  expect(shown()).toMatchObject({ status: 'pending' })
  answer(1, 1)
  expect(shown()).toMatchObject({ status: 'success', value: { people: 1 } })
})
