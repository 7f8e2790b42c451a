import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { open, orNull, shape } from '../../kernel/field.ts'
import { defineLoad } from '../../kernel/load.ts'
import type { AuditPage, Insight, Overview, Releases } from '../../organisation/answers.ts'
import type { Maintenance } from '../../organisation/events.ts'

/** What is published and used now. */
export const OverviewLoad = defineLoad('overview', shape<Overview>()('overview'))
/** The counts of what people use. */
export const InsightLoad = defineLoad('insight', open<Insight>())
/** What was published, and when. */
export const ReleasesLoad = defineLoad('releases', shape<Releases>()('releases'))

export const RollBack = defineEvents('rollBack', {
  /** Publishes an earlier release once more. */
  requested: gesture({ release: open<string>(), note: shape<string>()('text') }),
  done: fact({ release: open<string>(), history: shape<Releases['history']>()('releases') }),
  failed: fact({ failure: failureField }),
})

export const MaintenanceChange = defineEvents('maintenanceChange', {
  requested: gesture({ status: open<Maintenance>() }),
  done: fact({ status: open<Maintenance>() }),
  failed: fact({ failure: failureField }),
})

export const Audit = defineEvents('audit', {
  moreRequested: gesture({}),
  /** `after` is what the page was asked with: null for the first. */
  pageLoaded: fact({ after: orNull(shape<string>()('text')), page: shape<AuditPage>()('audit') }),
  pageFailed: fact({ failure: failureField }),
})

export const overviewDomains = [
  OverviewLoad,
  InsightLoad,
  ReleasesLoad,
  RollBack,
  MaintenanceChange,
  Audit,
] as const
