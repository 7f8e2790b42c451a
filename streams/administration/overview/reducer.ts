import type { Failure } from '../../kernel/failure.ts'
import { defineSlice, within } from '../../kernel/slice.ts'
import {
  type Attempt,
  failed,
  forgetOutcome,
  idle,
  type Load,
  loadAgain,
  pending,
  retryFailed,
  success,
} from '../../kernel/load.ts'
import type { AuditFact, Insight, Overview, Releases } from '../../organisation/answers.ts'
import type { AdministrationEvent } from '../events.ts'
import { areaOf, type Area } from '../place/areas.ts'
import { InsightLoad, MaintenanceChange, OverviewLoad, ReleasesLoad, RollBack } from './events.ts'

type Asking = Readonly<{ meta: Readonly<{ seq: number }> }>
type Entering = Asking & Readonly<{ data: Readonly<{ path: string }> }>

/** Loads again whenever one of these areas is entered: what others published meanwhile is shown. */
const whenIn =
  (...areas: readonly Area[]) =>
  <Value>(state: Load<Value>, event: Entering): Load<Value> =>
    areas.some((area) => area === areaOf(event.data.path)) ? loadAgain(state, event) : state

const isConflict = (failure: Failure): boolean => failure.kind === 'http' && failure.status === 409

export const overview = defineSlice<Load<Overview>, AdministrationEvent>()(idle as Load<Overview>, {
  ...OverviewLoad.handlers,
  // The directory asks to retire so many of how many people.
  'place/entered': whenIn('now', 'maintenance', 'directory'),
  'place/retryRequested': retryFailed,
  'maintenanceChange/done': (state, { data: { status } }) =>
    'value' in state ? { ...state, value: { ...state.value, maintenance: status } } : state,
})

export const insight = defineSlice<Load<Insight>, AdministrationEvent>()(idle as Load<Insight>, {
  ...InsightLoad.handlers,
  'place/entered': whenIn('now'),
  'place/retryRequested': retryFailed,
})

export const releases = defineSlice<Load<Releases>, AdministrationEvent>()(idle as Load<Releases>, {
  ...ReleasesLoad.handlers,
  'place/entered': whenIn('history'),
  'place/retryRequested': retryFailed,
  'rollBack/done': (state, { data: { release, history } }) =>
    'value' in state ? { ...state, value: { ...state.value, current: release, history } } : state,
  // Another administrator was faster: the history shows it.
  'rollBack/failed': (state, event) => (isConflict(event.data.failure) ? loadAgain(state, event) : state),
})

/** `release` is the one that was rolled back to last. */
export type RollBackState = Readonly<{ attempt: Attempt; release: string | null }>

const noRollBack: RollBackState = { attempt: idle, release: null }

export const rollBack = defineSlice<RollBackState, AdministrationEvent>()(noRollBack, {
  ...within('attempt', { ...RollBack.handlers, 'place/entered': forgetOutcome }),
  'rollBack/done': (_, { data: { release } }) => ({ attempt: success, release }),
})

export const maintenanceChange = defineSlice<Attempt, AdministrationEvent>()(idle as Attempt, {
  ...MaintenanceChange.handlers,
  'place/entered': forgetOutcome,
})

/**
 * `facts` is null until the first page is loaded. `asked` is the `after` of the page that is, or was, asked for; `next`
 * is null after the last page.
 */
export type AuditState = Readonly<{
  facts: readonly AuditFact[] | null
  next: string | null
  asked: string | null
  load: Attempt
}>

const noAudit: AuditState = { facts: null, next: null, asked: null, load: idle }

export const audit = defineSlice<AuditState, AdministrationEvent>()(noAudit, {
  'place/entered': (state, event) =>
    areaOf(event.data.path) === 'audit' ? { ...state, asked: null, load: pending(event) } : state,
  'audit/moreRequested': (state, event) =>
    state.next === null || state.load.status === 'pending'
      ? state
      : { ...state, asked: state.next, load: pending(event) },
  'place/retryRequested': (state, event) =>
    state.load.status === 'fail' ? { ...state, load: pending(event) } : state,
  'audit/pageLoaded': (state, { data: { after, page } }) => ({
    ...state,
    facts: after === null ? page.facts : [...(state.facts ?? []), ...page.facts],
    next: page.next,
    load: success,
  }),
  'audit/pageFailed': (state, { data: { failure } }) => ({ ...state, load: failed(failure) }),
})

/** The slices of the area, by their names in the state. */
export const overviewSlices = { overview, insight, releases, rollBack, maintenanceChange, audit }
