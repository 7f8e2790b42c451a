import { catchError, forkJoin, map, mergeMap, type Observable, of } from 'rxjs'
import {
  AuditLog,
  HistoryComparison,
  InsightLoad,
  MaintenanceChange,
  OverviewLoad,
  ReleasesLoad,
  RollBack,
} from '../../streams/administration/overview/events.ts'
import { Place } from '../../streams/administration/place/events.ts'
import type { AdministrationState } from '../../streams/administration/state.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { wasBegunBy, loadedValue } from '../../streams/kernel/load.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { numberReleases } from '../../streams/organisation/facts/history.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import type { AdministrationApi } from './ports.ts'
import {
  type AdministrationEffect,
  createAttemptEffect,
  createLoadEffect,
  createPageEffect,
  whileSignedIn,
} from './program.ts'

const loadOverview = createLoadEffect(
  (state) => state.overview,
  OverviewLoad,
  ({ api }) => api.overview(),
)

const loadInsight = createLoadEffect(
  (state) => state.insight,
  InsightLoad,
  ({ api }) => api.insight(),
)

const loadReleases = createLoadEffect(
  (state) => state.releases,
  ReleasesLoad,
  ({ api }) => api.releases(),
)

const rollBack = createAttemptEffect(
  (state) => state.rollBack.attempt,
  RollBack,
  ({ api }, { release, note }) => api.rollBack(release, note).pipe(map((history) => ({ release, history }))),
)

/** The signed-in administrator's own record; null if it is missing or unreadable. */
const ownPerson = (
  { session }: AdministrationState,
  api: AdministrationApi,
): Observable<PersonState | null> =>
  session.status === 'in'
    ? api.person(session.me.name, null).pipe(
        map(({ person }) => person),
        catchError(() => of(null)),
      )
    : of(null)

/** Loads the release of an unfolded entry and the release before it. Several entries can load at the same time. */
const compare: AdministrationEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(HistoryComparison.opened, Place.retryRequested),
    mergeMap((event) => {
      const { comparison, releases } = state$.value
      const history = numberReleases(loadedValue(releases)?.history ?? [])
      return history.flatMap(({ number, release }) => {
        const load = comparison[number]
        if (load === undefined || !wasBegunBy(load, event)) return []
        return [{ number, release, former: history.find((entry) => entry.number === number - 1) }]
      })
    }),
    mergeMap(({ number, release, former }) =>
      forkJoin({
        before: former ? api.release(former.release) : of(null),
        after: api.release(release),
        person: ownPerson(state$.value, api),
      }).pipe(
        settle(
          (value) => HistoryComparison.loaded({ number, value }),
          ({ failure }) => HistoryComparison.loadFailed({ number, failure }),
        ),
        whileSignedIn(event$),
      ),
    ),
  )

const setMaintenance = createAttemptEffect(
  (state) => state.maintenanceChange,
  MaintenanceChange,
  ({ api }, { status }) => api.setMaintenance(status).pipe(map((set) => ({ status: set }))),
)

const loadAudit = createPageEffect(
  (state) => state.audit,
  AuditLog,
  ({ api }, { after }) => api.audit(after),
)

export const overviewEffects = {
  loadOverview,
  loadInsight,
  loadReleases,
  rollBack,
  compare,
  setMaintenance,
  loadAudit,
}
