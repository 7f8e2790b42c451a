import fc from 'fast-check'
import { firstValueFrom, forkJoin } from 'rxjs'
import { expect } from 'vitest'
import type { Api } from '../../effects/ports.ts'
import type { LoggedEvent } from '../../streams/pane/events.ts'
import { evolveApp } from '../../streams/pane/state.ts'
import type { Release } from '../../streams/organisation/release/release.ts'
import { replacedFields, variableValues } from '../../streams/organisation/release/selectors.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import { type VariableDrafts, Variables } from '../../streams/pane/variables/events.ts'
import type { VariableValues } from '../../streams/wire/user.ts'
import { draftsToSend, toSavePayload } from '../../streams/pane/variables/rules.ts'
import { freshState, recorded } from './state.ts'

// One person's two panes and a directory sync, in any order. Each save takes time to arrive; the service's result is
// then compared with a model.

/** Four details from the demonstration, with their source fields; not all can be reset to follow the field again. */
export const DETAILS = [
  { path: 'job_title', from: 'jobTitle', resync: true },
  { path: 'department', from: 'department', resync: true },
  { path: 'office', from: 'officeLocation' },
  { path: 'pronouns' },
] as const
const PATHS = DETAILS.map(({ path }) => path)
const FIELDS = DETAILS.flatMap((each) => ('from' in each ? [each.from] : []))

/** The person at the service. */
export type SharedPerson = Readonly<{
  api: Pick<Api, 'variableDefinitions' | 'variableStates' | 'variableValues' | 'saveVariables'>
  release: Release
  row: () => PersonState | Promise<PersonState>
  /** Changes the directory's values. */
  sync: (fields: VariableValues) => unknown
}>

/** The details in a pane. A save is in transit until `arrive`. */
export function createSavingPane(api: SharedPerson['api']) {
  let seq = 0
  let state = freshState()
  let flying: Readonly<{ sent: VariableDrafts; request: ReturnType<typeof toSavePayload> }> | null = null
  const tell = (event: LoggedEvent) => {
    seq += 1
    state = evolveApp(state, recorded(event, seq))
  }
  return {
    tell,
    variables: () => state.variables,
    async load() {
      const loaded = await firstValueFrom(
        forkJoin({
          definitions: api.variableDefinitions(),
          states: api.variableStates(),
          values: api.variableValues(),
        }),
      )
      tell(Variables.loaded({ asked: seq, ...loaded }))
    },
    begin() {
      const { definitions, values, drafts } = state.variables
      const sent = draftsToSend(definitions, drafts)
      if (flying !== null || Object.keys(sent).length === 0) return
      flying = { sent, request: toSavePayload(definitions, values, sent) }
      tell(Variables.saveStarted({ sent }))
    },
    /** Returns the saved edits and the pane's earlier values; null if no save was in transit. */
    async arrive() {
      if (flying === null) return null
      const { sent, request } = flying
      flying = null
      const had = state.variables.values
      const saved = await firstValueFrom(api.saveVariables(request))
      tell(Variables.saved({ sent, saved }))
      const states = await firstValueFrom(api.variableStates())
      tell(Variables.statesLoaded({ states }))
      return { sent, had }
    },
  }
}
type SavingPane = ReturnType<typeof createSavingPane>

export type SharedStep =
  | Readonly<{ do: 'edit'; pane: 0 | 1; path: string; value: string }>
  | Readonly<{ do: 'mark'; pane: 0 | 1; path: string }>
  | Readonly<{ do: 'begin' | 'arrive' | 'load'; pane: 0 | 1 }>
  | Readonly<{ do: 'sync'; field: string; value: string }>

const pane = fc.constantFrom(0 as const, 1 as const)
const path = fc.constantFrom(...PATHS)
const value = fc.constantFrom('', 'one', 'two', 'three')
export const sharedStep: fc.Arbitrary<SharedStep> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('edit' as const), pane, path, value }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('mark' as const), pane, path }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('begin' as const), pane }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('arrive' as const), pane }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('load' as const), pane }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('sync' as const), field: fc.constantFrom(...FIELDS), value }),
  },
)

/** A model that records only each detail's last writer: the directory or the person. */
function createModel({ directory: fields, values }: PersonState) {
  const directory: Record<string, string> = { ...fields }
  const own = new Map(Object.entries(values))
  const from = new Map<string, string>(
    DETAILS.flatMap((each) => ('from' in each ? [[each.path, each.from]] : [])),
  )
  const now = (at: string) => own.get(at) ?? directory[from.get(at) ?? ''] ?? ''
  return {
    directory,
    own: () => Object.fromEntries(own),
    values: (): VariableValues => Object.fromEntries(PATHS.map((each) => [each, now(each)])),
    save(sent: VariableDrafts) {
      for (const [at, draft] of Object.entries(sent)) {
        if (draft.resync) own.delete(at)
        // An unchanged value gets no new writer.
        else if (draft.value !== now(at)) own.set(at, draft.value)
      }
    },
  }
}

/** Plays the steps, then saves all remaining edits. Throws if the service or a pane differs from the model. */
export async function playShared(person: SharedPerson, steps: readonly SharedStep[]): Promise<void> {
  const model = createModel(await person.row())
  const panes = [createSavingPane(person.api), createSavingPane(person.api)] as const
  const sync = async (field: string, told: string) => {
    model.directory[field] = told
    await person.sync({ ...model.directory })
  }
  async function arrive(each: SavingPane) {
    const arrived = await each.arrive()
    if (arrived === null) return
    const { sent, had } = arrived
    model.save(sent)
    const { values, states, changedByOthers } = each.variables()
    // The pane shows the current values, and names the values that others changed.
    const now = model.values()
    expect(values).toMatchObject(now)
    expect(states.changedFields).toEqual(replacedFields(person.release, await person.row()))
    const others = PATHS.filter((at) => {
      const draft = sent[at]
      return draft === undefined ? had[at] !== now[at] : draft.resync && draft.value !== now[at]
    })
    expect(new Set(changedByOthers)).toEqual(new Set(others))
  }
  async function act(step: SharedStep) {
    if (step.do === 'sync') return sync(step.field, step.value)
    const at = panes[step.pane]
    if (step.do === 'edit') at.tell(Variables.edited({ path: step.path, value: step.value }))
    else if (step.do === 'mark') at.tell(Variables.marked({ path: step.path }))
    else if (step.do === 'load') await at.load()
    else if (step.do === 'begin') at.begin()
    else await arrive(at)
  }
  for (const each of panes) await each.load()
  for (const each of steps) {
    await act(each)
    expect(await person.row()).toMatchObject({ values: model.own(), directory: model.directory })
  }
  for (const each of [...panes, ...panes]) {
    await arrive(each)
    each.begin()
    await arrive(each)
  }
  // Details that no save wrote still follow the directory.
  for (const field of FIELDS) await sync(field, 'later')
  const row = await person.row()
  expect(row.values).toEqual(model.own())
  expect(variableValues(person.release, row, { pictureUrl: '' })).toMatchObject(model.values())
}
