import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { openField, nullableField, redactedField } from '../../kernel/field.ts'
import { defineAttempt, defineLoad } from '../../kernel/load.ts'
import { definePages } from '../../kernel/pages.ts'
import type { ReleaseHistory } from '../../wire/administration/publishing.ts'
import type { Insight } from '../../organisation/figures/insight.ts'
import type { AuditPage, Overview } from '../../wire/administration/insight.ts'
import type { ComparedReleases } from './comparison.ts'
import type { Maintenance } from '../../organisation/facts/events.ts'

/** The current release and who uses it. */
export const OverviewLoad = defineLoad('overview', redactedField<Overview>()('overview'))
/** How many people use each signature, version and mail client. */
export const InsightLoad = defineLoad('insight', openField<Insight>())
/** The history of releases. */
export const ReleasesLoad = defineLoad('releases', redactedField<ReleaseHistory>()('releases'))

/** Publishes an earlier release again. */
export const RollBack = defineAttempt(
  'rollBack',
  { release: openField<string>(), note: redactedField<string>()('text') },
  { release: openField<string>(), history: redactedField<ReleaseHistory['history']>()('releases') },
)

/** The changes in one history entry. `number` is the entry's number. */
export const HistoryComparison = defineEvents('comparison', {
  /** The administrator unfolds the entry. */
  opened: gesture({ number: openField<number>() }),
  loaded: fact({ number: openField<number>(), value: redactedField<ComparedReleases>()('compared') }),
  loadFailed: fact({ number: openField<number>(), failure: failureField }),
})

const status = openField<Maintenance>()
export const MaintenanceChange = defineAttempt('maintenanceChange', { status }, { status })

/** The audit log: which administrator changed what, latest change first. */
export const AuditLog = {
  ...definePages(
    'audit',
    {
      query: openField<null>(),
      after: nullableField(redactedField<string>()('text')),
      page: redactedField<AuditPage>()('audit'),
    },
    ({ facts }) => facts,
  ),
  ...defineEvents('audit', { moreRequested: gesture({}) }),
}

export const overviewDomains = [
  OverviewLoad,
  InsightLoad,
  ReleasesLoad,
  RollBack,
  HistoryComparison,
  MaintenanceChange,
  AuditLog,
] as const
