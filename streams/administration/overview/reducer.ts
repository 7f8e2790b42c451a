import type { Place } from '../place/events.ts'
import type { Session } from '../session/events.ts'
import { withChanges } from '../../kernel/changes.ts'
import { isConflict } from '../../kernel/failure.ts'
import type { Publishing } from '../plan/events.ts'
import { defineSlice, handlersWithin } from '../../kernel/slice.ts'
import {
  type BeginEvent,
  type Attempt,
  forgetOutcome,
  idleStatus,
  type Load,
  loadAgain,
  loadSucceeded,
  loadFailed,
  loadOnce,
  retryFailed,
  successStatus,
} from '../../kernel/load.ts'
import { loadFirstPage, loadMorePages, noPages, type Pages, retryPage } from '../../kernel/pages.ts'
import type { ReleaseHistory } from '../../wire/administration/publishing.ts'
import type { AuditFact } from '../../organisation/facts/audit.ts'
import type { Insight } from '../../organisation/figures/insight.ts'
import type { AuditPage, Overview } from '../../wire/administration/insight.ts'
import { areaOf, type Area } from '../place/areas.ts'
import type { ComparedReleases } from './comparison.ts'
import {
  AuditLog,
  type HistoryComparison,
  InsightLoad,
  MaintenanceChange,
  OverviewLoad,
  ReleasesLoad,
  RollBack,
} from './events.ts'

type Entering = BeginEvent & Readonly<{ data: Readonly<{ path: string }> }>

/** Another administrator may have published, so entering one of these areas loads the data again. */
const whenIn =
  (...areas: readonly Area[]) =>
  <Value>(state: Load<Value>, event: Entering): Load<Value> =>
    areas.some((area) => area === areaOf(event.data.path)) ? loadAgain(state, event) : state

export const overview = defineSlice<
  Load<Overview>,
  typeof MaintenanceChange | typeof OverviewLoad | typeof Place
>()(idleStatus as Load<Overview>, {
  ...OverviewLoad.handlers,
  // The area Directory needs the number of people: it compares the deactivations of a sync with that number.
  'place/entered': whenIn('now', 'maintenance', 'directory'),
  'place/retryRequested': retryFailed,
  'maintenanceChange/done': (state, { data: { status } }) =>
    'value' in state ? { ...state, value: { ...state.value, maintenance: status } } : state,
})

export const insight = defineSlice<Load<Insight>, typeof InsightLoad | typeof Place>()(
  idleStatus as Load<Insight>,
  {
    ...InsightLoad.handlers,
    'place/entered': whenIn('now', 'signatures', 'blocks'),
    'place/retryRequested': retryFailed,
  },
)

/** Updates the loaded releases after a publication or rollback. */
const withHistory = (
  state: Load<ReleaseHistory>,
  {
    data: { release, history },
  }: Readonly<{ data: Pick<ReleaseHistory, 'history'> & Readonly<{ release: string }> }>,
): Load<ReleaseHistory> =>
  'value' in state ? { ...state, value: { ...state.value, current: release, history } } : state

export const releases = defineSlice<
  Load<ReleaseHistory>,
  typeof Place | typeof Publishing | typeof ReleasesLoad | typeof RollBack
>()(idleStatus as Load<ReleaseHistory>, {
  ...ReleasesLoad.handlers,
  // The area Plan shows the numbers of the draft's base and of the release that it publishes.
  'place/entered': whenIn('history', 'plan'),
  'place/retryRequested': retryFailed,
  'rollBack/done': withHistory,
  'publishing/done': withHistory,
  // Another administrator published first. The reloaded history shows that release.
  'rollBack/failed': (state, event) => (isConflict(event.data.failure) ? loadAgain(state, event) : state),
})

/** `release` is the release from the last rollback; null before the first rollback. */
export type RollBackState = Readonly<{ attempt: Attempt; release: string | null }>

const noRollBack: RollBackState = { attempt: idleStatus, release: null }

export const rollBack = defineSlice<RollBackState, typeof Place | typeof RollBack>()(noRollBack, {
  ...handlersWithin('attempt', { ...RollBack.handlers, 'place/entered': forgetOutcome }),
  'rollBack/done': (_, { data: { release } }) => ({ attempt: successStatus, release }),
})

/** The unfolded entries of the history, by number. An entry never changes. */
export type ComparisonState = Readonly<Record<number, Load<ComparedReleases>>>

export const historyComparison = defineSlice<
  ComparisonState,
  typeof HistoryComparison | typeof Place | typeof Session
>()(
  {},
  {
    'comparison/opened': (state, event) => {
      const { number } = event.data
      return withChanges(state, { [number]: loadOnce(state[number] ?? idleStatus, event) })
    },
    'comparison/loaded': (state, { data: { number, value } }) =>
      withChanges(state, { [number]: loadSucceeded(state[number] ?? idleStatus, value) }),
    'comparison/loadFailed': (state, { data: { number, failure } }) =>
      withChanges(state, { [number]: loadFailed(state[number] ?? idleStatus, failure) }),
    'place/retryRequested': (state, event) =>
      withChanges(
        state,
        Object.fromEntries(Object.entries(state).map(([number, load]) => [number, retryFailed(load, event)])),
      ),
    // The end of the session cancels these requests, so unfolding an entry again loads it.
    'session/expired': (state) =>
      Object.fromEntries(Object.entries(state).filter(([, load]) => load.status !== 'pending')),
  },
)

export const maintenanceChange = defineSlice<Attempt, typeof MaintenanceChange | typeof Place>()(
  idleStatus as Attempt,
  {
    ...MaintenanceChange.handlers,
    'place/entered': forgetOutcome,
  },
)

export type AuditState = Pages<null, AuditFact> &
  /** The people named in the listed facts, by id, and the labels of fields. */
  Readonly<{ people?: AuditPage['people'] | undefined; labels?: AuditPage['labels'] | undefined }>

export const auditLog = defineSlice<AuditState, typeof AuditLog | typeof Place>()(
  noPages(null) as AuditState,
  {
    ...AuditLog.handlers,
    'audit/pageLoaded': (state, event) => {
      const after = AuditLog.handlers['audit/pageLoaded'](state, event)
      if (after === state) return state
      const { people, labels } = event.data.page
      const earlier = event.data.after === null ? {} : state.people
      return { ...after, people: people && { ...earlier, ...people }, labels }
    },
    'place/entered': (state, event) =>
      areaOf(event.data.path) === 'audit' ? loadFirstPage(state, event) : state,
    'audit/moreRequested': loadMorePages,
    'place/retryRequested': retryPage,
  },
)

export const overviewSlices = {
  overview,
  insight,
  releases,
  rollBack,
  comparison: historyComparison,
  maintenanceChange,
  audit: auditLog,
}
