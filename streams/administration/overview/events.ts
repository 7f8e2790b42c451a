import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { open, orNull, shape } from '../../kernel/field.ts'
import { defineAttempt, defineLoad } from '../../kernel/load.ts'
import { definePages } from '../../kernel/pages.ts'
import type { Releases } from '../../wire/administration/publishing.ts'
import type { Insight } from '../../organisation/figures/insight.ts'
import type { AuditPage, Overview } from '../../wire/administration/insight.ts'
import type { ComparedReleases } from './comparison.ts'
import type { Maintenance } from '../../organisation/facts/events.ts'

/** The current release and who uses it. */
export const OverviewLoad = defineLoad('overview', shape<Overview>()('overview'))
/** How many people use each signature, version and mail client. */
export const InsightLoad = defineLoad('insight', open<Insight>())
/** The history of releases. */
export const ReleasesLoad = defineLoad('releases', shape<Releases>()('releases'))

/** Publishes an earlier release again. */
export const RollBack = defineAttempt(
  'rollBack',
  { release: open<string>(), note: shape<string>()('text') },
  { release: open<string>(), history: shape<Releases['history']>()('releases') },
)

/** The changes in one history entry. `number` is the entry's number. */
export const Comparison = defineEvents('comparison', {
  /** The administrator unfolds the entry. */
  opened: gesture({ number: open<number>() }),
  loaded: fact({ number: open<number>(), value: shape<ComparedReleases>()('compared') }),
  loadFailed: fact({ number: open<number>(), failure: failureField }),
})

const status = open<Maintenance>()
export const MaintenanceChange = defineAttempt('maintenanceChange', { status }, { status })

/** The audit log: which administrator changed what, latest change first. */
export const Audit = {
  ...definePages(
    'audit',
    { query: open<null>(), after: orNull(shape<string>()('text')), page: shape<AuditPage>()('audit') },
    ({ facts }) => facts,
  ),
  ...defineEvents('audit', { moreRequested: gesture({}) }),
}

export const overviewDomains = [
  OverviewLoad,
  InsightLoad,
  ReleasesLoad,
  RollBack,
  Comparison,
  MaintenanceChange,
  Audit,
] as const
