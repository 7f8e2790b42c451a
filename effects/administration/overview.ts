import { exhaustMap, filter, map, switchMap } from 'rxjs'
import {
  Audit,
  InsightLoad,
  MaintenanceChange,
  OverviewLoad,
  ReleasesLoad,
  RollBack,
} from '../../streams/administration/overview/events.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { began } from '../../streams/kernel/load.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { type AdministrationEffect, createLoad, whileSignedIn } from './program.ts'

const loadOverview = createLoad(
  (state) => state.overview,
  OverviewLoad,
  ({ api }) => api.overview(),
)

const loadInsight = createLoad(
  (state) => state.insight,
  InsightLoad,
  ({ api }) => api.insight(),
)

const loadReleases = createLoad(
  (state) => state.releases,
  ReleasesLoad,
  ({ api }) => api.releases(),
)

/** A request that has begun is finished: another one meanwhile is none. */
const rollBack: AdministrationEffect = (event$, _state$, { api }) =>
  event$.pipe(
    ofType(RollBack.requested),
    exhaustMap(({ data: { release, note } }) =>
      api.rollBack(release, note).pipe(
        settle(
          (history) => RollBack.done({ release, history }),
          (failure) => RollBack.failed({ failure }),
        ),
      ),
    ),
  )

const setMaintenance: AdministrationEffect = (event$, _state$, { api }) =>
  event$.pipe(
    ofType(MaintenanceChange.requested),
    exhaustMap(({ data: { status } }) =>
      api.setMaintenance(status).pipe(
        settle(
          (set) => MaintenanceChange.done({ status: set }),
          (failure) => MaintenanceChange.failed({ failure }),
        ),
      ),
    ),
  )

/** Loads the page that was asked for; a later request cancels an earlier one. */
const loadAudit: AdministrationEffect = (event$, state$, { api }) =>
  event$.pipe(
    filter((event) => began(state$.value.audit.load, event)),
    map(() => state$.value.audit.asked),
    switchMap((after) =>
      api.audit(after).pipe(
        settle(
          (page) => Audit.pageLoaded({ after, page }),
          (failure) => Audit.pageFailed({ failure }),
        ),
        whileSignedIn(event$),
      ),
    ),
  )

export const overviewEffects = {
  loadOverview,
  loadInsight,
  loadReleases,
  rollBack,
  setMaintenance,
  loadAudit,
}
