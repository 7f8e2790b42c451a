import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  afterAct,
  exclusionForm,
  type HandAct,
  type HandTarget,
  isActPossible,
  outdatedReasonOf,
  pinForm,
  valueForm,
} from '../../../streams/administration/people/byHand.ts'
import {
  Correction,
  OnePerson,
  People,
  UnsignedPeople,
} from '../../../streams/administration/people/events.ts'
import { UNSIGNED_PEOPLE_PATH } from '../../../streams/administration/people/rules.ts'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { evolveAdministration, initialState } from '../../../streams/administration/state.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import { type SetByHand, setByHandOf } from '../../../streams/organisation/facts/corrections.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { explained, found } from '../../support/administration/people.ts'
import { changedMeanwhile, down, signatureGone } from '../../support/administration/story.ts'
import { deepFreeze, logOf } from '../../support/state.ts'
import { setByHand } from '../organisation/arbitraries.ts'

const FIELDS = ['department', 'country', 'phone']

const ORIGIN = { by: 'admin@in.example', at: 1 }
/** A person for whom this is set by hand. */
const personWith = ({ fields, excluded, pinned }: SetByHand): PersonState => ({
  ...explained().person,
  directory: Object.fromEntries(Object.entries(fields).map(([field, { value }]) => [field, value])),
  corrections: {
    fields: Object.fromEntries(Object.entries(fields).map(([field, set]) => [field, { ...set, ...ORIGIN }])),
    supplement: {},
    under: {},
    ...(excluded && { excluded: { ...excluded, ...ORIGIN } }),
    ...(pinned && { pinned: { ...pinned, ...ORIGIN } }),
  },
})
const NOBODY = explained().person

const target: fc.Arbitrary<HandTarget> = fc.oneof(
  fc.constantFrom(...FIELDS).map((field) => ({ kind: 'value' as const, field })),
  fc.constantFrom({ kind: 'excluded' as const }, { kind: 'pinned' as const }),
)
const end = fc.constantFrom('removed' as const, 'day' as const)
const until = fc.record({ end, day: fc.constantFrom('2026-12-24', '2027-01-01') })
const act: fc.Arbitrary<HandAct> = fc.oneof(
  fc.record({
    kind: fc.constant('value' as const),
    field: fc.constantFrom(...FIELDS),
    value: fc.string(),
    until: fc.oneof(until, fc.constant({ end: 'changed' as const, day: '2026-12-24' })),
  }),
  fc.record({ kind: fc.constant('excluded' as const), until }),
  fc.record({
    kind: fc.constant('pinned' as const),
    signature: fc.constantFrom('s0', 's1', 'other'),
    until,
  }),
  target.map((each) => ({ kind: 'takeBack' as const, target: each })),
)

/** What is set, without what an act is about. */
function others({ fields, excluded, pinned }: SetByHand, about: HandTarget) {
  const left = Object.entries(fields).filter(([field]) => about.kind !== 'value' || field !== about.field)
  return {
    fields: Object.fromEntries(left),
    excluded: about.kind === 'excluded' ? undefined : excluded,
    pinned: about.kind === 'pinned' ? undefined : pinned,
  }
}

describe('an act by hand', () => {
  test('sets or ends what it is about, and leaves everything else', () => {
    fc.assert(
      fc.property(setByHand, act, (set, each) => {
        const about = each.kind === 'takeBack' ? each.target : each
        const after = afterAct(personWith(set), each)
        expect(others(after, about)).toEqual(others(set, about))
        const now = {
          value: about.kind === 'value' ? after.fields[about.field] : undefined,
          excluded: after.excluded,
          pinned: after.pinned,
        }[about.kind]
        if (each.kind === 'takeBack') {
          expect(now).toBeUndefined()
          expect(JSON.stringify(after)).not.toContain('undefined')
        } else {
          const ends = each.until.end === 'day' ? each.until.day : each.until.end
          expect(now).toEqual(
            each.kind === 'value'
              ? { value: each.value, until: ends }
              : each.kind === 'pinned'
                ? { signature: each.signature, until: ends }
                : { until: ends },
          )
        }
      }),
    )
  })

  test('begins with what is set, so that saving at once changes nothing', () => {
    fc.assert(
      fc.property(setByHand, (set) => {
        const person = personWith(set)
        for (const field of Object.keys(set.fields))
          expect(afterAct(person, valueForm(person, field, 'shown'))).toEqual(setByHandOf(person))
        if (set.excluded) expect(afterAct(person, exclusionForm(person))).toEqual(setByHandOf(person))
        const pin = set.pinned && pinForm(person, ['other', set.pinned.signature])
        if (pin) expect(afterAct(person, pin)).toEqual(setByHandOf(person))
      }),
    )
  })

  test('is otherwise about the value that there is, until the directory says something else', () => {
    const form = { kind: 'value', until: { end: 'changed', day: '' } }
    expect(valueForm(NOBODY, 'jobTitle', 'shown')).toMatchObject({ ...form, value: 'Seller' })
    expect(valueForm(NOBODY, 'office', 'shown')).toMatchObject({ ...form, value: 'shown' })
    expect(exclusionForm(NOBODY)).toEqual({ kind: 'excluded', until: { end: 'removed', day: '' } })
  })

  test('gives the first of the published signatures, if what was given is gone, and none without any', () => {
    const given = personWith({ fields: {}, pinned: { signature: 'gone', until: '2026-12-24' } })
    expect(pinForm(given, ['a', 'b'])).toEqual({
      kind: 'pinned',
      signature: 'a',
      until: { end: 'day', day: '2026-12-24' },
    })
    expect(pinForm(NOBODY, ['a', 'b'])).toMatchObject({ signature: 'a', until: { end: 'removed' } })
    expect(pinForm(NOBODY, [])).toBeNull()
  })

  test.each([
    ['2026-12-24', true],
    ['2026-12-25', true],
    ['2026-12-23', false],
    ['', false],
    ['2026-02-30', false],
    ['24.12.2026', false],
  ])('until %j is possible on 2026-12-24: %s', (day, isPossible) => {
    const entered = { kind: 'excluded', until: { end: 'day', day } } as const
    expect(isActPossible(entered, '2026-12-24')).toBe(isPossible)
    expect(isActPossible({ kind: 'excluded', until: { end: 'removed', day } }, '2026-12-24')).toBe(true)
    expect(isActPossible({ kind: 'takeBack', target: { kind: 'pinned' } }, '2026-12-24')).toBe(true)
  })

  test.each<readonly [Failure, string | null]>([
    [changedMeanwhile, 'personChanged'],
    [signatureGone, 'signatureGone'],
    [down, null],
    [{ kind: 'network' }, null],
  ])('over an earlier state is told by the code: %j', (failure, reason) => {
    expect(outdatedReasonOf(failure)).toBe(reason)
  })
})

const stateAfter = (...events: readonly AdministrationEvent[]) =>
  deepFreeze(replayLog(initialState, evolveAdministration, logOf(...events)))
const person = 'p-ana'
const anaAt = Place.entered({ path: '/people/p-ana' })
const shown = [
  anaAt,
  OnePerson.explained({ person, value: explained() }),
  OnePerson.drawFailed({ person, failure: down }),
]
const form: HandAct = { kind: 'excluded', until: { end: 'removed', day: '' } }
const entered = Correction.entered({ act: form })
const other = Correction.entered({ act: { ...form, until: { end: 'day', day: '' } } })
const asked = [...shown, entered, Correction.requested()]

describe('the form of what is set by hand', () => {
  test('is closed by the administrator, and by nothing else before it is saved', () => {
    expect(stateAfter(...shown, entered).onePerson).toMatchObject({ act: form })
    expect(stateAfter(...shown, entered, Correction.closed()).onePerson).toMatchObject({ act: null })
    expect(stateAfter(...asked, Correction.closed(), other).onePerson).toMatchObject({
      act: form,
      correcting: { status: 'pending', asked: 4 },
    })
    expect(stateAfter(entered).onePerson).toBeNull()
    const before = stateAfter(...shown)
    expect(replayLog(before, evolveAdministration, logOf(Correction.closed()))).toBe(before)
  })

  test('is sent once, and only with an end that can be, for a person who is there', () => {
    expect(stateAfter(...asked, Correction.requested()).onePerson?.correcting).toEqual({
      status: 'pending',
      asked: 4,
    })
    const idle = { correcting: { status: 'idle' } }
    expect(stateAfter(...shown, Correction.requested()).onePerson).toMatchObject(idle)
    expect(stateAfter(...shown, other, Correction.requested()).onePerson).toMatchObject(idle)
    expect(stateAfter(anaAt, entered, Correction.requested()).onePerson).toMatchObject(idle)
    const failed = [anaAt, OnePerson.explainFailed({ person, failure: down }), entered]
    expect(stateAfter(...failed, Correction.requested()).onePerson).toMatchObject(idle)
    const again = OnePerson.dayChosen({ day: '2026-10-01' })
    expect(stateAfter(...shown, again, entered, Correction.requested()).onePerson).toMatchObject(idle)
  })

  test('is closed once it is saved, and the person is loaded again', () => {
    const { onePerson } = stateAfter(...asked, Correction.done({ person }))
    expect(onePerson).toMatchObject({
      act: null,
      correcting: { status: 'success' },
      explained: { status: 'pending', asked: 5, value: explained() },
      drawn: { status: 'pending', asked: 5 },
    })
    const opened = stateAfter(...asked, Correction.done({ person }), entered)
    expect(opened.onePerson).toMatchObject({ act: form, correcting: { status: 'idle' } })
  })

  test('stays after a failure, with what is entered, and shows what others changed meanwhile', () => {
    const failedWith = (failure: Failure) => stateAfter(...asked, Correction.failed({ person, failure }))
    expect(failedWith(down).onePerson).toMatchObject({
      act: form,
      correcting: { status: 'fail', failure: down },
      explained: { status: 'success' },
    })
    for (const failure of [changedMeanwhile, signatureGone])
      expect(failedWith(failure).onePerson).toMatchObject({
        act: form,
        correcting: { status: 'fail', failure },
        explained: { status: 'pending', asked: 5, value: explained() },
      })
    const later = [...asked, Correction.failed({ person, failure: changedMeanwhile })]
    // What is there now must be seen first.
    expect(stateAfter(...later, Correction.requested()).onePerson?.correcting.status).toBe('fail')
    const seen = [...later, OnePerson.explained({ person, value: explained() })]
    expect(stateAfter(...seen, entered).onePerson?.correcting.status).toBe('fail')
    expect(stateAfter(...seen, Correction.requested()).onePerson?.correcting).toEqual({
      status: 'pending',
      asked: 7,
    })
  })

  test('of another visit is not closed, and the answer for another person changes nothing', () => {
    const left = [...asked, Place.entered({ path: '/people/p-ben' }), anaAt, entered]
    expect(stateAfter(...left, Correction.done({ person })).onePerson).toMatchObject({
      act: form,
      correcting: { status: 'idle' },
      explained: { status: 'pending', asked: 8 },
    })
    const before = stateAfter(...asked)
    for (const answer of [
      Correction.done({ person: 'p-ben' }),
      Correction.failed({ person: 'p-ben', failure: changedMeanwhile }),
    ])
      expect(replayLog(before, evolveAdministration, logOf(answer)).onePerson).toBe(before.onePerson)
  })

  test('loads the lists again once it is saved, as far as they were loaded', () => {
    const page = { people: [found(person)], next: null }
    const list = [Place.entered({ path: '/people' }), People.pageLoaded({ query: '', after: null, page })]
    const unsigned = [
      Place.entered({ path: UNSIGNED_PEOPLE_PATH }),
      UnsignedPeople.pageLoaded({ query: '', after: null, page }),
    ]
    const done = Correction.done({ person })
    expect(stateAfter(...list, ...asked, done)).toMatchObject({
      people: { items: [found(person)], load: { status: 'pending', asked: 7 } },
      unsigned: { load: { status: 'idle' } },
    })
    expect(stateAfter(...unsigned, ...asked, done).unsigned.load).toMatchObject({ asked: 7 })
  })
})
