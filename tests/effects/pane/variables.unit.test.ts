import { EMPTY, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import {
  AUTOSAVE_PAUSE_MS,
  draftsJournal,
  keepDrafts,
  loadVariables,
  reloadVariableStates,
  restoreDrafts,
  saveAfterPause,
  saveVariables,
  reportVariablesOpened,
} from '../../../effects/pane/variables.ts'
import { App, type AppEvent } from '../../../streams/pane/events.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import { type VariableDrafts, Variables } from '../../../streams/pane/variables/events.ts'
import type { VariableValues } from '../../../streams/wire/user.ts'
import { type Marbles, withMarbles } from '../../support/marbles.ts'
import { failing } from '../../support/ports.ts'
import { define, session, settingsLoaded, variableStates, verification } from '../../support/state.ts'

const failure = { kind: 'timeout' } as const
const recovered = Auth.sessionRecovered({ session: session() })
const verified = Auth.verified(verification())
const signedOut = Auth.signedOut({ reason: { kind: 'person' }, userId: 'u-alex' })
const definitions = [
  define('name'),
  define('title', { lookups: { azure: 'jobTitle' }, resettable: true }),
  define('company', { nonEditable: true }),
]
const values: VariableValues = { name: 'Alex', title: 'Captain', company: 'Northwind' }
const states = variableStates({ changedFields: ['jobTitle'], originalData: { jobTitle: 'Planner' } })
const loaded = Variables.loaded({ asked: -1, definitions, states, values })
const restored = Variables.draftsRestored({ drafts: {} })
const given: readonly AppEvent[] = [recovered, settingsLoaded(), restored, loaded]
const edited = (value: string, path = 'name') => Variables.edited({ path, value })
const typed = (value: string, path = 'name'): VariableDrafts => ({ [path]: { value, resync: false } })
const toDirectory: VariableDrafts = { title: { value: 'Planner', resync: true } }
const journalOf = ({ storage }: Marbles['ports']) => storage.privateDrafts('u-alex')
const owned = (drafts: VariableDrafts) => ({ version: 1, owner: 'u-alex', value: drafts })
/** The edits of each write, oldest first. */
const written = (ports: Marbles['ports']) =>
  journalOf(ports).set.calls.map(([, value]) => (value as ReturnType<typeof owned>).value)

describe('opening the details', () => {
  const there = Router.navigated({ path: '/app/settings/variables' })
  const elsewhere = Router.navigated({ path: '/app/settings/app' })

  test('is told when a signed-in user comes to the page, and at no other page', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      const happening$ = hot('t-e-n-t', { t: there, e: elsewhere, n: Router.navigated({ path: '/nowhere' }) })
      expectEvents(react({ tellOpened: reportVariablesOpened }, happening$, { given })).toBe('o-----o', {
        o: Variables.opened(),
      })
    })
  })

  test.each([verified, recovered])('is told when the user signs in there: $type', (signIn) => {
    withMarbles(({ hot, react, expectEvents }) => {
      const happened$ = react({ tellOpened: reportVariablesOpened }, hot('s', { s: signIn }), {
        given: [there],
      })
      expectEvents(happened$).toBe('o', { o: Variables.opened() })
    })
  })

  test('is not told of a page without a session, nor at a sign-in elsewhere', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      const happening$ = hot('t-e-s', { t: there, e: elsewhere, s: verified })
      expectEvents(react({ tellOpened: reportVariablesOpened }, happening$)).toBe('')
    })
  })
})

describe('loading the variables', () => {
  const opened = Variables.opened()
  const before = [recovered, settingsLoaded()]
  const loadedAt = (asked: number) => Variables.loaded({ asked, definitions, states, values })
  const answering = ({ cold, ports }: Pick<Marbles, 'cold' | 'ports'>, slow: string) => {
    ports.api.variableDefinitions.answers(of(definitions))
    ports.api.variableStates.answers(of(states))
    ports.api.variableValues.answers(cold(slow, { v: values }))
  }

  test('[VAR-1] brings all three together, with the number of the event that asked', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      answering({ cold, ports }, '5ms (v|)')
      const happening$ = hot('n-o', { n: Router.navigated({ path: '/' }), o: opened })
      expectEvents(react({ loadVariables }, happening$, { given: before })).toBe('7ms l', {
        l: loadedAt(1),
      })
      afterwards(() => {
        const { variableDefinitions, variableStates: askedStates, variableValues } = ports.api
        for (const { calls } of [variableDefinitions, askedStates, variableValues])
          expect(calls).toEqual([[]])
      })
    })
  })

  test('[VAR-1] fails with the first failure, and brings nothing of the others', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents }) => {
      answering({ cold, ports }, '5ms (v|)')
      ports.api.variableStates.answers(failing(failure))
      expectEvents(react({ loadVariables }, hot('o', { o: opened }), { given: before })).toBe('f', {
        f: Variables.loadFailed({ failure }),
      })
    })
  })

  test('[VAR-1] asks nothing for an event that begins no load', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const happening$ = hot('o-r-s', { o: opened, r: App.retryRequested(), s: App.serviceReachable() })
      expectEvents(react({ loadVariables }, happening$, { given })).toBe('')
      afterwards(() => {
        expect(ports.api.variableValues.calls).toEqual([])
      })
    })
  })

  test('[VAR-1] that begins again, after a save without an answer, ignores the answer of the former', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      answering({ cold, ports }, '5ms (v|)')
      const happening$ = hot('o-f', { o: opened, f: Variables.saveFailed({ failure }) })
      expectEvents(react({ loadVariables }, happening$, { given: before })).toBe('7ms l', {
        l: loadedAt(1),
      })
      afterwards(() => {
        expect(ports.api.variableValues.cancelled()).toBe(1)
      })
    })
  })

  test('ends with the session', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      answering({ cold, ports }, '5ms (v|)')
      expectEvents(
        react({ loadVariables }, hot('o-x', { o: opened, x: signedOut }), { given: before }),
        '^ 20ms !',
      ).toBe('')
      afterwards(() => {
        expect(ports.api.variableValues.cancelled()).toBe(1)
      })
    })
  })
})

describe('the edits of an earlier pane', () => {
  test.each([verified, recovered])('are restored at a sign-in: $type', (signIn) => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      journalOf(ports).get.answers(of(owned(typed('Al'))))
      expectEvents(react({ restoreDrafts }, hot('s', { s: signIn }))).toBe('r', {
        r: Variables.draftsRestored({ drafts: typed('Al') }),
      })
    })
  })

  test('are told to be none where nothing is kept, or where it is another user’s', () => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      journalOf(ports).get.answers(of(null), of({ ...owned(typed('Al')), owner: 'u-maria' }))
      expectEvents(react({ restoreDrafts }, hot('s-s', { s: verified }))).toBe('r-r', { r: restored })
    })
  })

  test('are not restored to whom has signed out meanwhile', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents }) => {
      journalOf(ports).get.answers(cold('5ms (g|)', { g: owned(typed('Al')) }))
      const happening$ = hot('s-x', { s: verified, x: signedOut })
      expectEvents(react({ restoreDrafts }, happening$), '^ 20ms !').toBe('')
    })
  })

  test('are not overwritten before they are read: an edit waits for them, and is written with them', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      const theirs = typed('Boss', 'title')
      journalOf(ports).get.answers(cold('9ms (g|)', { g: owned(theirs) }))
      const happening$ = hot('v-e', { v: verified, e: edited('Al') })
      expectEvents(react({ restoreDrafts, keepDrafts }, happening$), '^ 20ms !').toBe('9ms r', {
        r: Variables.draftsRestored({ drafts: theirs }),
      })
      afterwards(() => {
        expect(written(ports)).toEqual([{ ...theirs, ...typed('Al') }])
      })
    })
  })
})

describe('keeping the edits', () => {
  test('writes one that was typed before it was read that there are none of an earlier pane', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      journalOf(ports).get.answers(cold('9ms (g|)', { g: null }))
      const happening$ = hot('v-e', { v: verified, e: edited('Al') })
      expectEvents(react({ restoreDrafts, keepDrafts }, happening$), '^ 20ms !').toBe('9ms r', {
        r: restored,
      })
      afterwards(() => {
        expect(written(ports)).toEqual([typed('Al')])
      })
    })
  })

  const keeping = (
    marbles: string,
    events: Readonly<Record<string, AppEvent>>,
    expected: readonly VariableDrafts[],
    before: readonly AppEvent[] = given,
  ) => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      expectEvents(react({ keepDrafts }, hot(marbles, events), { given: before }), '^ 50ms !').toBe('')
      afterwards(() => {
        expect(written(ports)).toEqual(expected)
        expect(journalOf(ports).set.calls.map(([key]) => key)).toEqual(expected.map(() => draftsJournal.key))
      })
    })
  }

  test.each<[string, AppEvent, VariableDrafts, readonly AppEvent[]]>([
    ['an edit', edited('Al'), typed('Al'), []],
    ['a choice of the directory', Variables.marked({ path: 'title' }), toDirectory, []],
    ['its end', Variables.unmarked({ path: 'title' }), {}, [Variables.marked({ path: 'title' })]],
    ['a discard', Variables.discarded({ path: 'name' }), {}, [edited('Al')]],
    ['a discard of all', Variables.allDiscarded(), {}, [edited('Al')]],
    [
      'a load that has the edit',
      { ...loaded, data: { ...loaded.data, values: { name: 'Al' } } },
      {},
      [edited('Al')],
    ],
    [
      'a save',
      Variables.saved({ sent: typed('Al'), saved: { values: { name: 'Al' }, changedFields: [] } }),
      {},
      [edited('Al')],
    ],
    [
      'a refused save of what was typed back',
      Variables.saveFailed({ failure: { kind: 'http', status: 422, code: null, data: null } }),
      {},
      [edited('Al'), Variables.saveStarted({ sent: typed('Al') }), edited('Alex')],
    ],
    ['the edits of an earlier pane', Variables.draftsRestored({ drafts: typed('Al') }), typed('Al'), []],
  ])('writes them after %s', (_, event, expected, before) => {
    keeping('a', { a: event }, [expected], [...given, ...before])
  })

  test('writes the same edits once, and each other one', () => {
    const [a, b] = [edited('A'), edited('Al')]
    keeping('aab-a', { a, b }, [typed('A'), typed('Al'), typed('A')])
    keeping('ar', { a, r: restored }, [typed('A')])
  })

  test('writes nothing for whom is not signed in', () => {
    keeping('a', { a: edited('A') }, [], [settingsLoaded(), restored, loaded])
  })

  test('writes them one after the other, each for the user who made it', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      const maria = Auth.verified(verification({ userId: 'u-maria' }))
      journalOf(ports).set.answers(cold('9ms (k|)', { k: 'kept' as const }))
      const happening$ = hot('abxmre', {
        a: edited('A'),
        b: edited('Al'),
        x: signedOut,
        m: maria,
        r: restored,
        e: edited('M'),
      })
      expectEvents(react({ keepDrafts }, happening$, { given }), '^ 50ms !').toBe('')
      afterwards(() => {
        expect(written(ports)).toEqual([typed('A'), typed('Al')])
        expect(journalOf(ports).set.mostAtOnce()).toBe(1)
        const hers = ports.storage.privateDrafts('u-maria').set.calls.map(([, value]) => value)
        expect(hers).toEqual([
          { version: 1, owner: 'u-maria', value: {} },
          { version: 1, owner: 'u-maria', value: typed('M') },
        ])
      })
    })
  })

  test('[VAR-9] tells when the browser begins to refuse them, and when it keeps them again, once each', () => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      journalOf(ports).set.answers(of('kept'), of('refused'), of('untilClosed'), of('kept'), of('kept'))
      const happening$ = hot('abcde', {
        a: edited('A'),
        b: edited('Al'),
        c: edited('Ale'),
        d: edited('Alex!'),
        e: edited('A'),
      })
      expectEvents(react({ keepDrafts }, happening$, { given })).toBe('-n-y', {
        n: Variables.draftsWritten({ lasting: false }),
        y: Variables.draftsWritten({ lasting: true }),
      })
    })
  })

  test.each([
    ['has signed out', [signedOut]],
    ['is another one', [signedOut, Auth.verified(verification({ userId: 'u-maria' }))]],
  ])('tells nothing of a refused write whose user %s', (_, [x, m]) => {
    withMarbles(({ cold, hot, react, ports, expectEvents }) => {
      journalOf(ports).set.answers(cold('9ms (n|)', { n: 'refused' as const }))
      const happening$ = hot(m ? 'axm' : 'ax', { a: edited('A'), x, m } as Readonly<Record<string, AppEvent>>)
      expectEvents(react({ keepDrafts }, happening$, { given }), '^ 50ms !').toBe('')
    })
  })
})

describe('the count of the edits that are kept', () => {
  const counted = (count: number) => Auth.editsKept({ count })
  const both = { ...typed('Al'), ...typed('Boss', 'title') }

  test('is told after a sign-out, again after a second one, and when the last write is done', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents }) => {
      journalOf(ports).set.answers(cold('9ms (k|)', { k: 'kept' as const }))
      journalOf(ports).get.answers(of(owned(both)))
      const happening$ = hot('ax 20ms x', { a: edited('A'), x: signedOut })
      expectEvents(react({ keepDrafts }, happening$, { given }), '^ 50ms !').toBe('9ms c 12ms c', {
        c: counted(2),
      })
    })
  })

  test.each<[string, unknown, string]>([
    ['there are none', owned({}), 'fake'],
    ['nothing is kept', null, 'fake'],
    ['they are another user’s', { ...owned(both), owner: 'u-maria' }, 'fake'],
    ['storage is memory only', owned(both), 'memory'],
  ])('is not told when %s', (_, kept, driver) => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      journalOf(ports).get.answers(of(kept))
      journalOf(ports).driver.answers(of(driver))
      expectEvents(react({ keepDrafts }, hot('x', { x: signedOut }), { given })).toBe('')
    })
  })

  test('is not told when no user was signed in', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      const signedOut = Auth.signedOut({ reason: { kind: 'expired' }, userId: null })
      expectEvents(react({ keepDrafts }, hot('x', { x: signedOut }))).toBe('')
    })
  })

  test.each([verified, recovered])('is not told once the user signs in again: $type', (signIn) => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      journalOf(ports).get.answers(cold('9ms (g|)', { g: owned(both) }))
      const happening$ = hot('x-s', { x: signedOut, s: signIn })
      expectEvents(react({ keepDrafts }, happening$, { given }), '^ 50ms !').toBe('')
      afterwards(() => {
        expect(journalOf(ports).get.cancelled()).toBe(1)
      })
    })
  })

  test('is not told when the user is signed in before the last write is done', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents }) => {
      journalOf(ports).set.answers(cold('9ms (k|)', { k: 'kept' as const }))
      journalOf(ports).get.answers(of(owned(both)))
      const happening$ = hot('axs', { a: edited('A'), x: signedOut, s: verified })
      expectEvents(react({ keepDrafts }, happening$, { given }), '^ 50ms !').toBe('')
    })
  })
})

describe('the automatic save', () => {
  const automatic = [...given, settingsLoaded({ enableVariablesAutosave: true })]
  const due = Variables.saveRequested({ occasion: 'pause' })
  const pause = `${String(AUTOSAVE_PAUSE_MS)}ms`

  test.each([edited('Al'), Variables.marked({ path: 'title' }), Variables.unmarked({ path: 'title' })])(
    'is requested two seconds after the last $type',
    (event) => {
      expect(AUTOSAVE_PAUSE_MS).toBe(2_000)
      withMarbles(({ hot, react, expectEvents }) => {
        const happening$ = hot('a 998ms b', { a: edited('A'), b: event })
        expectEvents(react({ saveAfterPause }, happening$, { given: automatic }), '^ 9s !').toBe(
          `999ms ${pause} d`,
          { d: due },
        )
      })
    },
  )

  test('is requested only where the user switched it on', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      expectEvents(react({ saveAfterPause }, hot('a', { a: edited('A') }), { given }), '^ 9s !').toBe('')
    })
  })

  test('is not requested of whom has signed out, nor after another event', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      const happening$ = hot('a-x', { a: edited('A'), x: signedOut })
      expectEvents(react({ saveAfterPause }, happening$, { given: automatic }), '^ 9s !').toBe('')
    })
    withMarbles(({ hot, react, expectEvents }) => {
      const withoutUser = [settingsLoaded({ enableVariablesAutosave: true })]
      expectEvents(
        react({ saveAfterPause }, hot('a', { a: edited('A') }), { given: withoutUser }),
        '^ 9s !',
      ).toBe('')
    })
    withMarbles(({ hot, react, expectEvents }) => {
      const happening$ = hot('d', { d: Variables.allDiscarded() })
      expectEvents(react({ saveAfterPause }, happening$, { given: automatic }), '^ 9s !').toBe('')
    })
  })
})

describe('a save', () => {
  const requested = Variables.saveRequested({ occasion: 'person' })
  const saved = (sent: VariableDrafts, now: VariableValues) =>
    Variables.saved({ sent, saved: { values: now, changedFields: [] } })
  const requests = (ports: Marbles['ports']) => ports.api.saveVariables.calls.map(([change]) => change)
  const unsaved = [...given, edited('Al')]

  test('[VAR-6] sends every value with the edits over it and what the pane had, and tells the answer', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      const answer = { name: 'Al', title: 'Captain', company: 'Marine' }
      ports.api.saveVariables.answers(cold('5ms (a|)', { a: { values: answer, changedFields: [] } }))
      expectEvents(react({ saveVariables }, hot('r', { r: requested }), { given: unsaved })).toBe('s 4ms d', {
        s: Variables.saveStarted({ sent: typed('Al') }),
        d: saved(typed('Al'), answer),
      })
      afterwards(() => {
        expect(requests(ports)).toEqual([
          {
            values: { name: 'Al', title: 'Captain' },
            resetFields: [],
            base: { values: { name: 'Alex', title: 'Captain' } },
          },
        ])
      })
    })
  })

  test.each<[string, readonly AppEvent[]]>([
    ['without an edit', given],
    [
      'with edits of locked variables only',
      [...given, Variables.draftsRestored({ drafts: typed('X', 'company') })],
    ],
    ['of whom is not signed in', [settingsLoaded(), restored, loaded, edited('Al')]],
  ])('%s sends nothing, and tells nothing', (_, before) => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      expectEvents(react({ saveVariables }, hot('r', { r: requested }), { given: before })).toBe('')
      afterwards(() => {
        expect(requests(ports)).toEqual([])
      })
    })
  })

  test('[VAR-7] that fails tells why', () => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      ports.api.saveVariables.answers(failing(failure))
      expectEvents(react({ saveVariables }, hot('r', { r: requested }), { given: unsaved })).toBe('(sf)', {
        s: Variables.saveStarted({ sent: typed('Al') }),
        f: Variables.saveFailed({ failure }),
      })
    })
  })

  test('[VAR-7] that ends without an answer is a failure', () => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      ports.api.saveVariables.answers(EMPTY)
      expectEvents(react({ saveVariables }, hot('r', { r: requested }), { given: unsaved })).toBe('(sf)', {
        s: Variables.saveStarted({ sent: typed('Al') }),
        f: Variables.saveFailed({ failure: { kind: 'defect', message: 'completed without a value' } }),
      })
    })
  })

  test('waits for the one before, sends what was typed since, over the values that this brought', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      const first = { name: 'Al', title: 'Pilot', company: 'Northwind' }
      ports.api.saveVariables.answers(
        cold('9ms (a|)', { a: { values: first, changedFields: [] } }),
        cold('9ms (a|)', { a: { values: { ...first, name: 'Ali' }, changedFields: [] } }),
      )
      // The third finds nothing left to save.
      const happening$ = hot('retrr', { r: requested, e: edited('Al'), t: edited('Ali') })
      expectEvents(react({ saveVariables }, happening$, { given: unsaved }), '^ 50ms !').toBe(
        's 8ms (dt) 5ms e',
        {
          s: Variables.saveStarted({ sent: typed('Al') }),
          d: saved(typed('Al'), first),
          t: Variables.saveStarted({ sent: typed('Ali') }),
          e: saved(typed('Ali'), { ...first, name: 'Ali' }),
        },
      )
      afterwards(() => {
        expect(ports.api.saveVariables.mostAtOnce()).toBe(1)
        expect(requests(ports).map(({ base }) => base.values)).toEqual([
          { name: 'Alex', title: 'Captain' },
          { name: 'Al', title: 'Pilot' },
        ])
      })
    })
  })

  test('is not told of, and those that wait are not sent, once the session has ended', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.api.saveVariables.answers(cold('9ms (a|)', { a: { values, changedFields: [] } }))
      const happening$ = hot('r-r-x', { r: requested, x: signedOut })
      expectEvents(react({ saveVariables }, happening$, { given: unsaved }), '^ 50ms !').toBe('s', {
        s: Variables.saveStarted({ sent: typed('Al') }),
      })
      afterwards(() => {
        expect(requests(ports)).toHaveLength(1)
        expect(ports.api.saveVariables.cancelled()).toBe(1)
      })
    })
  })
})

describe('the directory’s values after a save', () => {
  const done = Variables.saved({ sent: {}, saved: { values, changedFields: [] } })
  const told = Variables.statesLoaded({ states })

  test('[VAR-6] are read again, and a failure is told', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents }) => {
      ports.api.variableStates.answers(cold('5ms (s|)', { s: states }), failing(failure))
      const happening$ = hot('d 9ms d', { d: done })
      expectEvents(react({ reloadStates: reloadVariableStates }, happening$, { given })).toBe('5ms t 4ms f', {
        t: told,
        f: Variables.statesFailed({ failure }),
      })
    })
  })

  test('are those after the latest save, and of no user who has signed out', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      const late = variableStates({ id: 'late' })
      ports.api.variableStates.answers(cold('5ms (s|)', { s: late }), cold('5ms (s|)', { s: states }))
      const happening$ = hot('d-d 9ms dx', { d: done, x: signedOut })
      expectEvents(react({ reloadStates: reloadVariableStates }, happening$, { given }), '^ 50ms !').toBe(
        '7ms t',
        { t: told },
      )
      afterwards(() => {
        expect(ports.api.variableStates.cancelled()).toBe(2)
        expect(ports.api.variableStates.calls).toHaveLength(3)
      })
    })
  })
})
