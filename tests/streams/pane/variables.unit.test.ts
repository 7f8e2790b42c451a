import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { App, type LoggedEvent } from '../../../streams/pane/events.ts'
import { evolveApp } from '../../../streams/pane/state.ts'
import type { Recorded } from '../../../streams/kernel/event.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { wasBegunBy } from '../../../streams/kernel/load.ts'
import { type VariableDraft, type VariableDrafts, Variables } from '../../../streams/pane/variables/events.ts'
import type { VariableDefinition, VariableValues, VariableStates } from '../../../streams/wire/user.ts'
import { htmlWithEdits } from '../../../streams/pane/variables/preview.ts'
import { variables, type VariablesState } from '../../../streams/pane/variables/reducer.ts'
import {
  buildVariables,
  type DirectoryStanding,
  draftsToSend,
  isVariableShown,
  parseDrafts,
  toSavePayload,
  toVariablesError,
  variableValueOf,
} from '../../../streams/pane/variables/rules.ts'
import {
  selectMissingPaths,
  selectSaveError,
  selectUnsavedCount,
  selectVariableGroups,
  selectVariables,
} from '../../../streams/pane/variables/selectors.ts'
import { fromShownText, linkAddressOf, toShownText } from '../../../streams/pane/variables/sanitizeText.ts'
import { definition as anyDefinition, variableStates as anyStates } from '../../support/arbitraries.ts'
import { define, freshState, recorded, stateAfter } from '../../support/state.ts'
import { cases } from '../../support/cases.ts'

const inSync: VariableStates = { id: 'u-alex', changedFields: [], originalData: {} }
const jobTitle = define('job_title', {
  customType: 'mapped',
  lookups: { azure: 'jobTitle' },
  resettable: true,
})
const outOfSync: VariableStates = {
  id: 'u-alex',
  changedFields: ['jobTitle'],
  originalData: { jobTitle: 'Planner' },
}
const loadedWith = (
  definitions: readonly VariableDefinition[],
  values: VariableValues = {},
  states: VariableStates = inSync,
) => Variables.loaded({ asked: 0, definitions, states, values })
const evolve = (state: VariablesState, event: Recorded<LoggedEvent>): VariablesState =>
  evolveApp({ ...freshState(), variables: state }, event).variables
const evolveAll = (...events: readonly Recorded<LoggedEvent>[]): VariablesState =>
  events.reduce(evolve, variables.initial)
const happened = (event: LoggedEvent, seq = 1) => recorded(event, seq)

describe('the list of variables', () => {
  test('[VAR-2] groups and weighs by type, in the order of the groups', () => {
    const definitions = [
      define('a', { customType: 'campaign' }),
      define('b', { customType: 'rest' }),
      define('c', { customType: 'mapped' }),
      define('d'),
      define('e', { customType: 'personal' }),
    ]
    const shown = buildVariables(definitions, inSync, {}, {})
    expect(shown.map(({ path, group, weight, sourceType }) => [path, group, weight, sourceType])).toEqual([
      ['d', 'NULL', 0, 'rest'],
      ['c', 'default', 1, 'mapped'],
      ['b', 'product', 2, 'rest'],
      ['a', 'custom', 3, 'campaign'],
      ['e', 'custom', 3, 'personal'],
    ])
  })

  test('[VAR-2] is sorted by weight, and keeps its order within a group', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyDefinition, { selector: ({ path }) => path, maxLength: 5 }),
        anyStates,
        (definitions, states) => {
          const shown = buildVariables(definitions, states, {}, {})
          const weights = shown.map(({ weight }) => weight)
          expect(weights).toEqual(weights.toSorted((one, other) => one - other))
          for (const weight of new Set(weights)) {
            const paths = shown.filter((each) => each.weight === weight).map(({ path }) => path)
            expect(paths).toEqual(definitions.map(({ path }) => path).filter((path) => paths.includes(path)))
          }
        },
      ),
    )
  })

  test('[VAR-3] has names from the texts or the organisation, and no hidden ones, address or picture', () => {
    const definitions = [
      define('first_name'),
      define('pronouns', { customType: 'personal', displayName: 'Pronouns' }),
      define('nameless', { customType: 'personal' }),
      define('job', { customType: 'mapped', displayName: 'not used' }),
      define('email'),
      define('picture_url'),
      define('secret', { hidden: true }),
    ]
    expect(
      buildVariables(definitions, inSync, { email: 'a@b.example' }, {}).map(
        ({ translationKey }) => translationKey,
      ),
    ).toEqual(['variable.first_name', 'variable.job', 'Pronouns', 'variable.nameless'])
  })

  test('[VAR-4] marks drafts, locked variables and those that differ from the directory', () => {
    const definitions = [
      jobTitle,
      { ...jobTitle, path: 'locked', nonEditable: true },
      { ...jobTitle, path: 'fixed', resettable: false },
      define('other', { lookups: { azure: 'mail' }, resettable: true }),
    ]
    const values = { job_title: 'Captain', locked: 'x', fixed: 'y', other: 'z' }
    const shown = buildVariables(definitions, outOfSync, values, { other: { value: 'new', resync: false } })
    const byPath = Object.fromEntries(shown.map((each) => [each.path, each]))
    expect(byPath['job_title']).toMatchObject({
      value: 'Captain',
      savedValue: 'Captain',
      directoryValue: 'Planner',
      isDraft: false,
      isLocked: false,
      isOutOfSync: true,
      isResyncable: true,
    })
    expect(byPath['locked']).toMatchObject({ isLocked: true, isOutOfSync: true, isResyncable: false })
    expect(byPath['fixed']).toMatchObject({ isOutOfSync: true, isResyncable: false })
    expect(byPath['other']).toMatchObject({
      value: 'new',
      savedValue: 'z',
      directoryValue: null,
      isDraft: true,
      isOutOfSync: false,
      isResyncable: false,
    })
  })

  test('reads own values only, none of the prototype', () => {
    expect(variableValueOf({}, 'constructor')).toBe('')
    expect(buildVariables([define('constructor')], inSync, {}, {})[0]?.value).toBe('')
  })

  test('[SET-5] offers the directory and marks empty variables only when the settings say so', () => {
    const loaded = loadedWith(
      [jobTitle, define('website'), define('fax', { nonEditable: true })],
      {},
      outOfSync,
    )
    const state = stateAfter(loaded)
    const switched = (settings: object) => ({ ...state, settings: { ...state.settings, ...settings } })
    expect(selectVariables(switched({})).filter(({ isResyncable }) => isResyncable)).toHaveLength(1)
    const off = switched({ enableVariablesResync: false })
    expect(selectVariables(off).filter(({ isResyncable, standing }) => isResyncable || standing)).toEqual([])
    expect(selectMissingPaths(switched({}))).toEqual([])
    expect(selectMissingPaths(switched({ enableVariablesMissing: true }))).toEqual(['website', 'job_title'])
    expect(selectVariableGroups(state).map(({ group }) => group)).toEqual(['NULL', 'default'])
  })
})

describe('following the directory', () => {
  const loaded = happened(loadedWith([jobTitle], { job_title: 'Captain' }, outOfSync))
  const { path } = jobTitle

  test('[VAR-5] marking takes its value, unmarking and discarding restore the saved one', () => {
    const marked = evolveAll(loaded, happened(Variables.marked({ path })))
    expect(marked.drafts).toEqual({ job_title: { value: 'Planner', resync: true } })
    expect(evolve(marked, happened(Variables.unmarked({ path }))).drafts).toEqual({})
    expect(evolve(marked, happened(Variables.discarded({ path }))).drafts).toEqual({})
    expect(evolve(marked, happened(Variables.allDiscarded())).drafts).toEqual({})
  })

  test('[VAR-5] unmarking keeps an edit that was typed, and discarding takes it back', () => {
    const typed = evolveAll(loaded, happened(Variables.edited({ path, value: 'Admiral' })))
    expect(evolve(typed, happened(Variables.unmarked({ path })))).toBe(typed)
    expect(evolve(typed, happened(Variables.discarded({ path }))).drafts).toEqual({})
    const state = evolveAll(loaded)
    for (const event of [
      Variables.unmarked({ path }),
      Variables.discarded({ path }),
      Variables.allDiscarded(),
    ])
      expect(evolve(state, happened(event))).toBe(state)
  })

  test("[VAR-5] an edit of a marked variable replaces the directory's value", () => {
    const edited = evolveAll(
      loaded,
      happened(Variables.marked({ path })),
      happened(Variables.edited({ path, value: 'Admiral' })),
    )
    expect(edited.drafts).toEqual({ job_title: { value: 'Admiral', resync: false } })
  })

  test.each<readonly [string, VariableDraft | null, string, DirectoryStanding]>([
    ['another value', null, 'Captain', 'differs'],
    ['another value that is typed', { value: 'Admiral', resync: false }, 'Captain', 'differs'],
    ['the directory’s value that is typed', { value: 'Planner', resync: false }, 'Captain', 'same'],
    ['the directory’s value that is saved', null, 'Planner', 'same'],
    ['another value, over the directory’s', { value: '', resync: false }, 'Planner', 'differs'],
    ['the choice to follow it', { value: 'Planner', resync: true }, 'Captain', 'willFollow'],
    [
      'the choice to follow it, with its saved value',
      { value: 'Planner', resync: true },
      'Planner',
      'willFollow',
    ],
  ])('%s stands to the directory as what it is', (_, draft, saved, standing) => {
    const drafts = draft ? { [path]: draft } : {}
    const standingOf = (definition: VariableDefinition, states: VariableStates) =>
      buildVariables([definition], states, { [path]: saved }, drafts)[0]?.standing
    expect(standingOf(jobTitle, outOfSync)).toBe(standing)
    expect(standingOf({ ...jobTitle, nonEditable: true }, outOfSync)).toBe(null)
    expect(standingOf({ ...jobTitle, resettable: false }, outOfSync)).toBe(null)
    expect(standingOf(jobTitle, inSync)).toBe(null)
  })

  test('[VAR-5] a locked variable, or one in sync, cannot be marked', () => {
    const locked = happened(loadedWith([{ ...jobTitle, nonEditable: true }], {}, outOfSync))
    expect(evolveAll(locked, happened(Variables.marked({ path }))).drafts).toEqual({})
    const same = happened(loadedWith([jobTitle], {}, inSync))
    expect(evolveAll(same, happened(Variables.marked({ path }))).drafts).toEqual({})
  })
})

describe('the load of the variables', () => {
  const failed = (failure: Parameters<typeof Variables.loadFailed>[0]['failure']) =>
    happened(Variables.loadFailed({ failure }), 2)
  const begins = (state: VariablesState, event: LoggedEvent) => {
    const asking = happened(event, 9)
    const next = evolve(state, asking)
    if (wasBegunBy(next.load, asking)) return true
    expect(next).toBe(state)
    return false
  }

  test('begins when the user opens the page, and not again while it runs or after it succeeded', () => {
    const opened = Variables.opened()
    expect(begins(variables.initial, opened)).toBe(true)
    const running = evolveAll(happened(opened))
    expect(begins(running, opened)).toBe(false)
    expect(begins(evolveAll(happened(opened), happened(loadedWith([jobTitle]), 2)), opened)).toBe(false)
    expect(begins(evolveAll(happened(opened), failed({ kind: 'network' })), opened)).toBe(true)
  })

  test('begins again when the user retries, or when the service is back, only after a failure', () => {
    const offline = evolveAll(happened(Variables.opened()), failed({ kind: 'network' }))
    const refused = evolveAll(
      happened(Variables.opened()),
      failed({ kind: 'http', status: 403, code: null, data: null }),
    )
    const loaded = evolveAll(happened(loadedWith([jobTitle])))
    const answers = [offline, refused, loaded].map((state) => [
      begins(state, App.retryRequested()),
      begins(state, App.serviceReachable()),
    ])
    expect(answers).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ])
  })
})

describe('a save', () => {
  const definitions = [jobTitle, define('website'), define('fax', { nonEditable: true }), define('email')]
  const values = { job_title: 'Captain', website: 'https://a.example', fax: '1', email: 'a@b.example' }

  test('[VAR-6] sends values with the edits over them, and the fields to reset; no locked variable', () => {
    const sent: VariableDrafts = {
      job_title: { value: 'Planner', resync: true },
      fax: { value: '2', resync: true },
      email: { value: 'c@d.example', resync: false },
      '': { value: '', resync: true },
    }
    expect(toSavePayload(definitions, values, draftsToSend(definitions, sent))).toEqual({
      values: { job_title: 'Planner', website: 'https://a.example' },
      resetFields: ['job_title'],
      base: { values: { job_title: 'Captain', website: 'https://a.example' } },
    })
  })

  test('tells what the pane had of each value, but of one that was typed as the pane had it', () => {
    const baseOf = (sent: VariableDrafts, had: VariableValues = values) =>
      toSavePayload(definitions, had, sent).base.values
    const typed = (value: string): VariableDrafts => ({ website: { value, resync: false } })
    expect(baseOf({})).toEqual({ job_title: 'Captain', website: 'https://a.example' })
    expect(baseOf(typed('new'))).toEqual({ job_title: 'Captain', website: 'https://a.example' })
    expect(baseOf(typed('https://a.example'))).toEqual({ job_title: 'Captain' })
    expect(baseOf(typed('new'), { job_title: 'Captain' })).toEqual({ job_title: 'Captain' })
  })

  test('that brings what others changed names those that are shown, and none that this pane typed', () => {
    const all = [...definitions, define('secret', { hidden: true }), define('toString')]
    const had = { ...values, secret: 'a' }
    const saved = { ...had, website: 'b', fax: '2', secret: 'b', email: 'd@e.example', picture_url: 'new' }
    const named = (sent: VariableDrafts, answered: VariableValues = saved) => {
      const state = evolveAll(
        happened(loadedWith(all, had)),
        happened(Variables.saved({ sent, saved: { values: answered, changedFields: [] } })),
      )
      expect(evolve(state, happened(Variables.saveStarted({ sent }))).changedByOthers).toEqual([])
      return state.changedByOthers
    }
    expect(named({})).toEqual(['website', 'fax'])
    expect(named({ website: { value: ' b', resync: false } })).toEqual(['fax'])
    // The directory moved after it was chosen.
    const chosen: VariableDrafts = { job_title: { value: 'Planner', resync: true } }
    expect(named(chosen, { ...values, job_title: 'Pilot' })).toEqual(['job_title'])
    expect(named(chosen, { ...values, job_title: 'Planner' })).toEqual([])
    expect(named({}, {})).toEqual([])
    expect(named({}, had)).toEqual([])
  })

  test('[VAR-6] never sends a locked variable or an empty name, for any edits', () => {
    const drafts = fc.dictionary(
      fc.constantFrom('', 'job_title', 'website', 'toString', 'email'),
      fc.record({ value: fc.string(), resync: fc.boolean() }),
    )
    fc.assert(
      fc.property(fc.array(anyDefinition, { maxLength: 5 }), drafts, (all, edits) => {
        const payload = toSavePayload(all, {}, draftsToSend(all, edits))
        const locked = all.filter(({ nonEditable }) => nonEditable).map(({ path }) => path)
        const editable = all
          .filter((each) => !each.nonEditable && isVariableShown(each))
          .map(({ path }) => path)
        for (const path of [...Object.keys(payload.values), ...payload.resetFields]) {
          expect(path).not.toBe('')
          expect(editable).toContain(path)
          if (!editable.includes(path)) expect(locked).not.toContain(path)
        }
      }),
    )
  })

  test('[VAR-6] replaces values and changed fields, and clears the fields to reset', () => {
    const sent: VariableDrafts = { job_title: { value: 'Planner', resync: true } }
    const after = evolveAll(
      happened(loadedWith(definitions, values, outOfSync)),
      happened(Variables.marked({ path: 'job_title' })),
      happened(Variables.saveStarted({ sent })),
      happened(
        Variables.saved({ sent, saved: { values: { ...values, job_title: 'Planner' }, changedFields: [] } }),
      ),
    )
    expect(after.drafts).toEqual({})
    expect(after.values['job_title']).toBe('Planner')
    expect(after.states.changedFields).toEqual([])
    expect(after.save).toEqual({ status: 'success' })
  })

  test.each([
    [{ kind: 'http', status: 409, code: 'variable_is_locked', data: null }, 'VARIABLES_UPDATE_LOCKED_ERROR'],
    [
      { kind: 'http', status: 409, code: 'variable_resync_failed', data: null },
      'VARIABLES_UPDATE_RESYNC_ERROR',
    ],
    [{ kind: 'http', status: 503, code: 'variable', data: null }, 'VARIABLES_UPDATE_GENERIC_ERROR'],
    [{ kind: 'network' }, 'VARIABLES_UPDATE_GENERIC_ERROR'],
    [{ kind: 'malformed', at: 'data' }, 'VARIABLES_UPDATE_GENERIC_ERROR'],
  ] as const)('[VAR-7] that fails keeps every edit, and has a code: %j is %s', (failure, code) => {
    expect(toVariablesError(failure)).toBe(code)
    const edited = Variables.edited({ path: 'website', value: 'https://b.example' })
    const sent: VariableDrafts = { website: { value: 'https://b.example', resync: false } }
    const state = stateAfter(
      loadedWith(definitions, values),
      edited,
      Variables.saveStarted({ sent }),
      Variables.saveFailed({ failure }),
    )
    expect(state.variables.drafts).toEqual(sent)
    expect(selectSaveError(state)).toBe(code)
    expect(selectUnsavedCount(state)).toBe(1)
    const again = evolveApp(state, recorded(Variables.saveStarted({ sent })))
    expect(selectSaveError(again)).toBeNull()
    expect(again.variables.drafts).toEqual(sent)
  })

  test.each<[Failure, 'may have succeeded' | 'shows that the pane is behind' | 'is refused']>([
    [{ kind: 'network' }, 'may have succeeded'],
    [{ kind: 'timeout' }, 'may have succeeded'],
    [{ kind: 'malformed', at: 'data' }, 'may have succeeded'],
    [{ kind: 'defect', message: 'completed without a value' }, 'may have succeeded'],
    [{ kind: 'http', status: 409, code: 'variable_is_locked', data: null }, 'shows that the pane is behind'],
    [
      { kind: 'http', status: 409, code: 'variable_resync_failed', data: null },
      'shows that the pane is behind',
    ],
    [{ kind: 'http', status: 422, code: null, data: null }, 'is refused'],
  ])('[VAR-7] that fails with %j %s', (failure, means) => {
    const sent: VariableDrafts = { website: { value: 'new', resync: false } }
    const state = evolveAll(
      happened(loadedWith(definitions, values)),
      happened(Variables.edited({ path: 'website', value: 'new' })),
      happened(Variables.saveStarted({ sent }), 2),
      happened(Variables.saveFailed({ failure }), 3),
    )
    expect(state).toMatchObject({ save: { status: 'fail', failure }, sent: {}, settledAt: 3 })
    expect(state.load).toEqual(
      means === 'is refused' ? { status: 'success' } : { status: 'pending', asked: 3 },
    )
    // What was sent may be stored: what the pane had is then an edit as well.
    const back = Variables.edited({ path: 'website', value: values.website })
    const after = evolve(state, happened(back, 4))
    const uncertain = means === 'may have succeeded'
    expect(after.drafts).toEqual(uncertain ? { website: { value: values.website, resync: false } } : {})
    // The next load shows it; one from before does not.
    const load = (asked: number) => Variables.loaded({ asked, definitions, states: inSync, values })
    expect(evolve(after, happened(load(2), 5)).drafts).toEqual(after.drafts)
    expect(evolve(after, happened(load(3), 5)).drafts).toEqual({})
  })

  test('[VAR-7] that may have succeeded is remembered beside an earlier one, until a save succeeds', () => {
    const failed = (path: string, seq: number) => [
      happened(Variables.saveStarted({ sent: { [path]: { value: 'new', resync: false } } }), seq),
      happened(Variables.saveFailed({ failure: { kind: 'timeout' } }), seq + 1),
    ]
    const state = evolveAll(
      happened(loadedWith(definitions, values)),
      ...failed('website', 2),
      ...failed('job_title', 4),
    )
    expect(Object.keys(state.unsure)).toEqual(['website', 'job_title'])
    const saved = Variables.saved({ sent: {}, saved: { values, changedFields: [] } })
    expect(evolve(state, happened(saved, 6)).unsure).toEqual({})
  })

  test('a load from before a save does not undo it', () => {
    const sent: VariableDrafts = { website: { value: 'new', resync: false } }
    const state = evolveAll(
      happened(loadedWith(definitions, values), 1),
      happened(Variables.saveStarted({ sent }), 5),
      happened(Variables.saved({ sent, saved: { values: { website: 'new' }, changedFields: [] } }), 6),
      happened(Variables.loaded({ asked: 4, definitions, states: inSync, values }), 7),
    )
    expect(state.values['website']).toBe('new')
  })
})

// The service answers late, or not at all, or its answer is lost after it has saved; the user types meanwhile.
describe('typing, saving, failing and answering in any order', () => {
  type Step =
    | Readonly<{ do: 'edit'; path: string; value: string }>
    | Readonly<{ do: 'discard'; path: string }>
    | Readonly<{ do: 'save' | 'reload' | 'answerLoad' | 'closeAndReopen' }>
    | Readonly<{ do: 'answer'; how: 'saved' | 'refused' | 'lost' | 'lostBefore' }>

  const paths = ['a', 'b', 'c']
  const anyStep: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('edit' as const),
        path: fc.constantFrom(...paths),
        value: fc.constantFrom('', '0', '1'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('discard' as const), path: fc.constantFrom(...paths) }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('save' as const) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('answer' as const),
        how: fc.constantFrom('saved', 'saved', 'refused', 'lost', 'lostBefore'),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('reload' as const, 'answerLoad' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('closeAndReopen' as const) }) },
  )
  const definitions = paths.map((path) => define(path))

  /** Runs a schedule over the reducer, and gives the values of the form and of the service in the end. */
  function play(steps: readonly Step[], knowsBases: boolean) {
    let seq = 10
    let state = evolveAll(
      happened(Variables.draftsRestored({ drafts: {} }), 1),
      happened(loadedWith(definitions, { a: '0', b: '0', c: '0' }), 2),
    )
    let atService: VariableValues = { a: '0', b: '0', c: '0' }
    /** What the user wants each to be. */
    const wanted: Record<string, string> = { ...atService }
    let flying: (ReturnType<typeof toSavePayload> & Readonly<{ sent: VariableDrafts }>) | null = null
    const stored = ({ values, base }: ReturnType<typeof toSavePayload>): VariableValues => {
      const changed = Object.entries(values).filter(
        ([path, value]) => !knowsBases || base.values[path] !== value,
      )
      return { ...atService, ...Object.fromEntries(changed) }
    }
    let load = null as Readonly<{ asked: number; values: VariableValues }> | null
    const tell = (event: LoggedEvent) => {
      seq += 1
      const asking = recorded(event, seq)
      state = evolve(state, asking)
      if (wasBegunBy(state.load, asking)) load = { asked: seq, values: atService }
    }
    const shownOf = (path: string) =>
      buildVariables(definitions, state.states, state.values, state.drafts).find((each) => each.path === path)
        ?.value
    const check = () => {
      for (const path of paths)
        if (shownOf(path) !== wanted[path]) throw new Error(`${path} shows ${String(shownOf(path))}`)
    }
    const answerSave = (how: Extract<Step, { do: 'answer' }>['how']) => {
      if (!flying) return
      const { sent } = flying
      if (how === 'saved' || how === 'lost') atService = stored(flying)
      flying = null
      if (how === 'saved') tell(Variables.saved({ sent, saved: { values: atService, changedFields: [] } }))
      else if (how === 'refused')
        tell(Variables.saveFailed({ failure: { kind: 'http', status: 409, code: null, data: null } }))
      else tell(Variables.saveFailed({ failure: { kind: 'timeout' } }))
    }

    for (const each of steps) {
      switch (each.do) {
        case 'edit':
          wanted[each.path] = each.value
          tell(Variables.edited({ path: each.path, value: each.value }))
          break
        case 'discard':
          if (Object.hasOwn(state.drafts, each.path))
            wanted[each.path] = variableValueOf(state.values, each.path)
          tell(Variables.discarded({ path: each.path }))
          break
        case 'save': {
          const sent = draftsToSend(definitions, state.drafts)
          if (flying || Object.keys(sent).length === 0) break
          flying = { sent, ...toSavePayload(definitions, state.values, sent) }
          tell(Variables.saveStarted({ sent }))
          break
        }
        case 'answer':
          answerSave(each.how)
          break
        case 'reload':
          tell(Variables.loadFailed({ failure: { kind: 'network' } }))
          tell(Variables.opened())
          break
        case 'answerLoad':
          if (load) tell(Variables.loaded({ ...load, definitions, states: inSync }))
          load = null
          break
        case 'closeAndReopen': {
          // The journal has the edits after the last event. The save under way succeeds, and the pane does not hear of it.
          const journal = parseDrafts(JSON.parse(JSON.stringify(state.drafts)))
          if (flying) atService = stored(flying)
          flying = null
          load = null
          state = evolveAll(
            happened(Variables.draftsRestored({ drafts: journal }), seq),
            happened(
              Variables.loaded({ asked: seq, definitions, states: inSync, values: atService }),
              seq + 1,
            ),
          )
          seq += 2
        }
      }
      check()
    }
    // In the end every edit is saved.
    answerSave('saved')
    for (let round = 0; round < 2; round += 1) {
      const sent = draftsToSend(definitions, state.drafts)
      if (Object.keys(sent).length === 0) break
      flying = { sent, ...toSavePayload(definitions, state.values, sent) }
      tell(Variables.saveStarted({ sent }))
      answerSave('saved')
    }
    check()
    return { state, atService, wanted }
  }

  test('[VAR-7] no edit is lost in the form, nor at the service in the end', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40, size: 'max' }), fc.boolean(), (steps, knowsBases) => {
        const { state, atService, wanted } = play(steps, knowsBases)
        expect(state.drafts).toEqual({})
        expect(atService).toEqual(wanted)
      }),
      {
        ...cases(200, 10_000),
        examples: [
          [
            [
              { do: 'edit', path: 'a', value: '1' },
              { do: 'save' },
              { do: 'answer', how: 'lost' },
              { do: 'edit', path: 'a', value: '0' },
              { do: 'save' },
              { do: 'answer', how: 'saved' },
            ],
            true,
          ],
        ],
      },
    )
  }, 300_000)
})

describe('a value as it is shown', () => {
  const hidden = fc
    .constantFrom(
      ...[
        0x00, 0x1b, 0xad, 0x61c, 0x200b, 0x200e, 0x2028, 0x202e, 0x2060, 0x2066, 0x2800, 0x3164, 0xfeff,
        0xe0041,
      ],
    )
    .map((code) => String.fromCodePoint(code))
  const markup = fc.constantFrom(
    '<b>',
    '<script>',
    '&lt;',
    'javascript:alert(1)',
    'data:text/html,x',
    '[U+',
    ']',
  )
  const value = fc
    .array(fc.oneof(hidden, markup, fc.string({ unit: 'grapheme' })))
    .map((parts) => parts.join(''))
  /** What a reader can tell apart: not joined, not turned, not left out. */
  const INVISIBLE =
    /(?![\t\n\r\u200c]|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u

  test('[VAR-8] has every character, and none that is invisible or turns the text', () => {
    fc.assert(
      fc.property(value, (given) => {
        const shown = toShownText(given)
        expect(shown).not.toMatch(INVISIBLE)
        expect(toShownText(shown)).toBe(shown)
        if (!INVISIBLE.test(given)) expect(shown).toBe(given)
        // A mark that was typed stays a text, unless the value has its character too.
        if (!/\[U\+[\dA-F]{4,6}\]/.test(given)) expect(fromShownText(shown, given)).toBe(given)
      }),
    )
    expect(toShownText('Ext: 12, a < b & Zoë 👩‍👧 ❤️')).toBe('Ext: 12, a < b & Zoë 👩‍👧 ❤️')
    expect(toShownText('gpj.exe\u202E')).toBe('gpj.exe[U+202E]')
    expect(fromShownText('[U+202E]Alex [U+200B]', '\u202Eale')).toBe('\u202EAlex [U+200B]')
  })

  test.each([
    ['https://northwind.example', true],
    ['HTTP://northwind.example', true],
    ['mailto:a@b.example', true],
    ['tel:+44 20', true],
    ['ftp://a.example', true],
    ['data:image/png;base64,AAAA', true],
    ['/people/alex', true],
    ['people/alex', true],
    ['#top', true],
    ['?page=2', true],
    ['javascript:alert(1)', false],
    ['java\nscript:alert(1)', false],
    ['\u0001javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['vbscript:x', false],
    ['file:///etc/passwd', false],
    ['//evil.example', false],
    ['\\\\server\\share', false],
    ['', false],
    ['Alex Kim', false],
  ])('[VAR-8] %s is a link: %s', (value, isLink) => {
    expect(linkAddressOf(value) !== null).toBe(isLink)
  })

  test.each<[string, string | null]>([
    [' https://a.example/\u200B ', 'https://a.example/'],
    ['ht\ntps://a.example/\t\r', 'https://a.example/'],
    ['see https://a.example', null],
    ['http:', 'http:'],
    ['telephone:1', null],
    ['xhttp://a.example', null],
    ...[
      ...['png', 'apng', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'bmp'],
      ...['svg+xml', 'x-icon', 'vnd.microsoft.icon'],
    ].flatMap((type): [string, string | null][] => [
      [`DATA:image/${type},A`, `DATA:image/${type},A`],
      [`data:image/${type.toUpperCase()};base64,A`, `data:image/${type.toUpperCase()};base64,A`],
      [`data:image/${type}x,A`, null],
    ]),
    ['data:image/tiff;base64,A', null],
    ['data:image/,A', null],
    ['data:image/png', null],
    ['an image: data:image/png;base64,A', null],
    ['./me', './me'],
    ['..', '..'],
    ['me', 'me'],
    ['page.html', 'page.html'],
    ['..', '..'],
    ['ü', 'ü'],
    ['me:', null],
    ['a b', null],
    ['me?', 'me?'],
    ['me#top', 'me#top'],
    ['me/x:y', 'me/x:y'],
    ['x:me/y', null],
    ['a b/c', null],
    ['a\\b/c', null],
    ['\\/a', null],
    ['/\\a', null],
    ['..', '..'],
  ])('[VAR-8] as an address, %j is %j', (value, address) => {
    expect(linkAddressOf(value)).toBe(address)
  })

  test.each([
    ['a\u0001b', 'a[U+0001]b'],
    ['\u{E0041}\u00AD', '[U+E0041][U+00AD]'],
    ['a\tb\r\nc\u200C\u200D\uFE0E\uFE0F', 'a\tb\r\nc\u200C\u200D\uFE0E\uFE0F'],
  ])('[VAR-8] shows %j as %j', (value, shown) => {
    expect(toShownText(value)).toBe(shown)
    expect(fromShownText(shown, value)).toBe(value)
    expect(fromShownText('[U+0002] [U+01] [U+0001', value)).toBe('[U+0002] [U+01] [U+0001')
  })

  test('[VAR-8] is a link with each relative address, and none leads to another host', () => {
    const part = fc.stringMatching(/^[A-Za-z0-9._~-]{1,8}$/)
    const relative = fc
      .tuple(
        fc.constantFrom('', '/', './', '../'),
        fc.array(part, { maxLength: 3 }),
        fc.constantFrom('', '?a=b:c', '#d'),
      )
      .map(([start, parts, end]) => start + parts.join('/') + end)
      .filter((address) => address !== '')
    fc.assert(
      fc.property(fc.oneof(relative, fc.string({ unit: 'binary' })), (address) => {
        const link = linkAddressOf(address)
        if (link === null || /^[a-z][a-z\d+.-]*:/i.test(link)) return
        expect(new URL(link, 'https://base.example/x/y').host).toBe('base.example')
      }),
    )
    fc.assert(
      fc.property(relative, (address) => {
        expect(linkAddressOf(address)).toBe(address)
      }),
    )
  })

  test('[VAR-8] is a link only with an allowed scheme, or with none', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          fc.string().map((text) => `x${text}:y`),
        ),
        (value) => {
          const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(linkAddressOf(value) ?? '')?.[1]?.toLowerCase()
          expect(['http', 'https', 'mailto', 'tel', 'ftp', 'data', undefined]).toContain(scheme)
        },
      ),
    )
  })
})

describe('the preview of edits', () => {
  const edit = (value: string): VariableDraft => ({ value, resync: false })
  const html =
    '<style>.Alex{color:red}</style><td title="Alex"><a href="tel:+4420"><b>Alex &amp; Co</b></a> Alexander +44 20' +
    '<img alt="Alex" src="https://x.example/Alex.png"></td>'

  test('replaces whole old values in text, links and alternative texts only', () => {
    expect(
      htmlWithEdits(html, { name: 'Alex', phone: '+44 20' }, { name: edit('<Zoë>'), phone: edit('+1 2') }),
    ).toBe(
      '<style>.Alex{color:red}</style><td title="Alex"><a href="tel:+12"><b>&lt;Zoë&gt; &amp; Co</b></a> Alexander +1 2' +
        '<img alt="&lt;Zoë&gt;" src="https://x.example/Alex.png"></td>',
    )
  })

  test('[VAR-8] shows the hidden characters of an edit', () => {
    expect(htmlWithEdits('<p>Alex</p>', { name: 'Alex' }, { name: edit('A\u202Exel') })).toBe(
      '<p>A[U+202E]xel</p>',
    )
  })

  test('swaps two values at once, the longer one first', () => {
    const edits = { a: edit('Kim'), b: edit('Alex') }
    expect(htmlWithEdits('<p>Alex Kim, Alex</p>', { a: 'Alex', b: 'Kim' }, edits)).toBe(
      '<p>Kim Alex, Kim</p>',
    )
    expect(
      htmlWithEdits('<p>Alex Kim</p>', { a: 'Alex', b: 'Alex Kim' }, { a: edit('X'), b: edit('Y') }),
    ).toBe('<p>Y</p>')
  })

  test.each([
    ['https://a.example/me', true],
    ['mailto:me@a.example', true],
    ['tel:+4420', true],
    ['ftp://a.example/me', true],
    ['data:image/avif;base64,AAAA', true],
    ['me.html', true],
    ['#me', true],
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['//evil.example', false],
  ])('[VAR-8] leads a link to the edit %s: %s', (address, isAllowed) => {
    const link = (to: string) => `<a href="${to}">me</a>`
    const shown = htmlWithEdits(link('start.html'), { site: 'start.html' }, { site: edit(address) })
    expect(shown).toBe(link(isAllowed ? address : 'start.html'))
  })

  test('adds no harmful link and no markup', () => {
    const link = '<a href="https://a.example/me">me</a>'
    expect(htmlWithEdits(link, { site: 'https://a.example/me' }, { site: edit('javascript:alert(1)') })).toBe(
      link,
    )
    fc.assert(
      fc.property(fc.string(), (value) => {
        const shown = htmlWithEdits('<p>Alex</p>', { name: 'Alex' }, { name: edit(value) })
        expect(shown.slice(3, -4)).not.toMatch(/[<>"]/)
      }),
    )
  })

  test('finds a value literally, with any characters', () => {
    expect(htmlWithEdits('<p>Jean-Luc</p>', { name: 'Jean-Luc' }, { name: edit('Ana') })).toBe('<p>Ana</p>')
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (saved) => {
        expect(htmlWithEdits('<p>~</p>', { name: saved }, { name: edit('Ana') })).toBe(
          saved === '~' ? '<p>Ana</p>' : '<p>~</p>',
        )
      }),
      { examples: [['-'], ['~'], ['a-b'], ['\\d'], ['[^']] },
    )
  })

  test('finds whole values only, also side by side and beside parts of words', () => {
    const shown = (text: string, ...values: string[]) =>
      htmlWithEdits(
        text,
        Object.fromEntries(values.map((value) => [value, value])),
        Object.fromEntries(values.map((value) => [value, edit('Ana')])),
      )
    expect(shown('(x)(x), (x)', '(x)')).toBe('AnaAna, Ana')
    expect(shown('Dr Berg, ADr Berg, Dr Bergen', 'Dr Berg', 'Berg')).toBe('Ana, ADr Ana, Dr Bergen')
    expect(shown('𝒜Alex 🙂Alex éAlex', 'Alex')).toBe('𝒜Alex 🙂Ana éAlex')
    expect(shown('a🙂🙂', '🙂')).toBe('a🙂Ana')
    expect(shown('&amp;', 'amp')).toBe('&amp;')
  })

  test.each([
    [1_000, true],
    [1_001, false],
  ])('looks for an old value of %i characters: %s', (length, isFound) => {
    const before = 'a'.repeat(length)
    expect(htmlWithEdits(`<p>${before}</p>`, { name: before }, { name: edit('new') })).toBe(
      `<p>${isFound ? 'new' : before}</p>`,
    )
  })

  test.each([
    ['<a href="/Alex/">Alex</a>', '<a href="/new/">new</a>'],
    ["<a href='/Alex/'>a</a>", "<a href='/Alex/'>a</a>"],
    ['<a href=Alex/>a</a>', '<a href=Alex/>a</a>'],
    ['<img alt="Alex" title="Alex">', '<img alt="new" title="Alex">'],
    ['<p>a</p><!-- Alex -->', '<p>a</p><!-- Alex -->'],
    ['<p>Alex</p> and Alex', '<p>new</p> and new'],
    ['Alex', 'new'],
    ['AlexAlex', 'AlexAlex'],
    ['7Alex Alex7 #Alex &Alex', '7Alex Alex7 #Alex &Alex'],
  ])('of %s is %s', (before, after) => {
    expect(htmlWithEdits(before, { name: 'Alex' }, { name: edit('new') })).toBe(after)
  })

  test('finds a value with blanks in a link without these, and brings no blanks into a link', () => {
    const link = (path: string) => `<a href="/${path}/">a</a>`
    for (const path of ['a b', 'ab'])
      expect(htmlWithEdits(link(path), { name: 'a b' }, { name: edit('c d') })).toBe(
        link(path === 'ab' ? 'cd' : 'a b'),
      )
    expect(htmlWithEdits(link('a+b'), { name: 'a+b' }, { name: edit('c+d') })).toBe(link('c+d'))
  })

  test('changes nothing for blanks, or where the value is the same', () => {
    expect(htmlWithEdits('<p>a b</p>', { name: ' ' }, { name: edit('new') })).toBe('<p>a b</p>')
    expect(htmlWithEdits('<p>Alex\u202E</p>', { name: 'Alex\u202E' }, { name: edit('Alex\u202E') })).toBe(
      '<p>Alex\u202E</p>',
    )
  })

  test('changes nothing without an edit, or for an empty old value', () => {
    expect(htmlWithEdits(html, { name: 'Alex' }, {})).toBe(html)
    expect(htmlWithEdits(html, { name: '' }, { name: edit('new') })).toBe(html)
  })
})
