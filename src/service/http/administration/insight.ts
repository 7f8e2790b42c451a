/** The calls about the service itself: statistics, and the audit. */
import type { DirectoryRun } from '../../../../streams/organisation/directory/directory.ts'
import type { OverviewProblem } from '../../../../streams/wire/administration/insight.ts'
import { auditFactOf } from '../../../../streams/organisation/facts/audit.ts'
import { findingChangingPeriods } from '../../../../streams/organisation/figures/periods.ts'
import { numberReleases } from '../../../../streams/organisation/facts/history.ts'
import { displayName, variableLabelsOf } from '../../../../streams/organisation/release/selectors.ts'
import { runInSlices } from '../../../server/timeSlices.ts'
import { createInsightCounter } from '../../publishing/insight.ts'
import type { ServiceContext } from '../../context/serviceContext.ts'
import { openApi } from './openApi.ts'
import { VERSION } from '../../operations/version.ts'
import type { CallHandlers } from './routes.ts'

const FACTS_AT_ONCE = 100
/** The outcomes of finished syncs. Running and interrupted syncs have no result. */
const ENDS: ReadonlySet<DirectoryRun['outcome']> = new Set(['done', 'needsLeave', 'failed'])

export function insightCalls(context: ServiceContext) {
  const { store, releases, directory, now } = context
  const counted = createInsightCounter(context)
  let described: ReturnType<typeof openApi> | null = null

  /** The problems of the last finished sync, except dry runs. They stay while the next sync runs. */
  async function directoryProblems(): Promise<Readonly<Partial<Record<OverviewProblem, number>>>> {
    const { runs } = await directory.state()
    const last = runs.find(({ isTrial, outcome }) => !isTrial && ENDS.has(outcome))
    const many = (outcome: DirectoryRun['outcome']) => (last?.outcome === outcome ? 1 : 0)
    return { directoryFailed: many('failed'), directoryNeedsLeave: many('needsLeave') }
  }

  return {
    me: async ({ actor, roles }) => ({
      name: actor,
      roles,
      organisation: releases.state().name,
      version: VERSION,
    }),

    async overview() {
      const { people, withoutSignature, keptWithout, told, toldToday } = await counted()
      const { history, maintenance } = releases.state()
      const release = releases.current()
      const [last] = numberReleases(history)
      const document = release?.document ?? { signatures: [] }
      const changing = await runInSlices(findingChangingPeriods(document, now()))
      const problems = { noSignature: withoutSignature, ...(await directoryProblems()) }
      return {
        release: release?.id ?? null,
        published: history[0] ?? null,
        numbers: last ? { number: last.number, backTo: last.backTo } : null,
        people,
        keptWithout,
        told,
        toldToday,
        mailboxes: release?.document.mailboxes.length ?? 0,
        maintenance,
        problems: Object.entries(problems).flatMap(([message, count]) =>
          count > 0 ? [{ message: message as OverviewProblem, count }] : [],
        ),
        changing,
      }
    },

    async insight() {
      const { people, since, insight, clicks } = await counted()
      return { since, people, ...insight, ...(clicks && { clicks }) }
    },

    async audit({ query }) {
      const facts = await store.audit(query.after ?? null, FACTS_AT_ONCE)
      const last = facts.length < FACTS_AT_ONCE ? undefined : facts.at(-1)?.place
      const audited = facts.map(({ fact, place }) => auditFactOf(fact, place.stream))
      const release = releases.current()
      // If people change their own data, the actor is their id.
      const named = audited.flatMap(({ actor, person }) => (person === null ? [] : [person, actor]))
      const people = await store.persons([...new Set(named)])
      return {
        facts: audited,
        next: last === undefined ? null : `${last.at}.${last.version}.${last.stream}`,
        people: Object.fromEntries(
          people.map((person) => [
            person.id,
            {
              name: release ? displayName(release, person) : '',
              address: person.addresses[0] ?? person.id,
            },
          ]),
        ),
        labels: release ? variableLabelsOf(release) : {},
      }
    },

    openapi: async () => (described ??= openApi(VERSION)),
  } satisfies Partial<CallHandlers>
}
