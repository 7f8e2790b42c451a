/** Summarises an organisation for the operator of the installation. */
import { Organisation } from '../../../streams/organisation/facts/events.ts'
import type { OrganisationSummary } from '../../../streams/organisation/figures/operating.ts'
import type { OrganisationAccess } from './access.ts'
import { type Sql, sql } from './query.ts'

/** The types of facts that change the published release. */
const PUBLISHING = [Organisation.releasePublished.type, Organisation.releaseRolledBack.type]

/** Selects the last sync that ended with one of these outcomes, ignoring dry runs. */
const syncsWith = (...outcomes: readonly string[]): Sql => sql`
  select run ->> 'outcome' as outcome, (run ->> 'until')::bigint as until from directory_run
  where organisation = $1 and run ->> 'isTrial' = 'false' and run ->> 'outcome' = any (${outcomes}::text[])
  order by at desc, id desc limit 1`

type SummaryRow = Readonly<{ people: number; lastDone: number | null }> &
  (
    | Readonly<{ published: { release: string }; publishedAt: number }>
    | Readonly<{ published: null; publishedAt: null }>
  ) &
  (
    | Readonly<{ outcome: 'done' | 'needsLeave' | 'failed'; endedAt: number }>
    | Readonly<{ outcome: null; endedAt: null }>
  )

export function createSummaryStore({ query }: OrganisationAccess) {
  return {
    /** The organisation as the operator of the installation sees it, read in one statement. */
    summary: async (): Promise<OrganisationSummary> => {
      const [row] = await query<SummaryRow>`
        select counted.people, published.data as published, published.at as "publishedAt",
          ended.outcome, ended.until as "endedAt", done.until as "lastDone"
        from (select count(*)::int as people from person where organisation = $1 and active) as counted
        left join (
          select data, at from event
          where organisation = $1 and stream = 'organisation' and type = any (${PUBLISHING}::text[])
          order by version desc limit 1) as published on true
        left join (${syncsWith('done', 'needsLeave', 'failed')}) as ended on true
        left join (${syncsWith('done')}) as done on true`
      if (row === undefined) throw new Error('A count has one row.')
      const { people, lastDone } = row
      return {
        release: row.published && { id: row.published.release, at: row.publishedAt },
        people,
        lastSync: row.outcome && { at: row.endedAt, outcome: row.outcome },
        lastDone,
      }
    },
  }
}
