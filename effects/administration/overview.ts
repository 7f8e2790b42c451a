import { map } from 'rxjs'
import {
  Audit,
  InsightLoad,
  MaintenanceChange,
  OverviewLoad,
  ReleasesLoad,
  RollBack,
} from '../../streams/administration/overview/events.ts'
import { createAttempt, createLoad, createPages } from './program.ts'

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

const loadAudit = createPages(
  (state) => state.audit,
  Audit,
  ({ api }, { after }) => api.audit(after),
)

export const overviewEffects = {
  loadOverview,
  loadInsight,
  loadReleases,
  rollBack,
  setMaintenance,
  loadAudit,
}
