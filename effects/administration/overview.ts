import { filter, map, switchMap } from 'rxjs'
import {
  Audit,
  InsightLoad,
  MaintenanceChange,
  OverviewLoad,
  ReleasesLoad,
  RollBack,
} from '../../streams/administration/overview/events.ts'
import { began } from '../../streams/kernel/load.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { type AdministrationEffect, createAttempt, createLoad, whileSignedIn } from './program.ts'

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

const rollBack = createAttempt(
  (state) => state.rollBack.attempt,
  RollBack,
  ({ api }, { release, note }) => api.rollBack(release, note).pipe(map((history) => ({ release, history }))),
)

const setMaintenance = createAttempt(
  (state) => state.maintenanceChange,
  MaintenanceChange,
  ({ api }, { status }) => api.setMaintenance(status).pipe(map((set) => ({ status: set }))),
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
