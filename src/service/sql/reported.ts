/** The table of telemetry that people's add-ins send. */
import type { OrganisationAccess } from './access.ts'

export function createReportStore({ query, run, ask }: OrganisationAccess) {
  return {
    /** Stores the telemetry of a person's add-in, replacing the previous report. */
    keepReported: (person: string, reported: unknown, at: number) => run`
        insert into told (organisation, person, told, at)
        values ($1, ${person}, ${JSON.stringify(reported)}::json, ${at}::bigint)
        on conflict (organisation, person) do update set told = excluded.told, at = excluded.at`,
    /** Stores the telemetry of several people who have none yet. For the playground. */
    addReports: (reports: readonly Readonly<{ person: string; reported: unknown; at: number }>[]) => run`
        insert into told (organisation, person, told, at)
        select $1, person, told::json, at::bigint from unnest(
          ${reports.map(({ person }) => person)}::text[],
          ${reports.map(({ reported }) => JSON.stringify(reported))}::text[],
          ${reports.map(({ at }) => String(at))}::text[]) as report (person, told, at)`,
    reported: async (person: string): Promise<Readonly<{ reported: unknown; at: number }> | null> => {
      const [row] = await query<{ reported: unknown; at: number }>`
        select told as reported, at from told where organisation = $1 and person = ${person}`
      return row ?? null
    },
    /** One page of the add-in reports since a time, ordered by person id. Omits inactive people. */
    reportedByPeople: (after: string | null, limit: number, since: number) =>
      ask<Readonly<{ person: string; reported: unknown; at: number }>>(
        `select told.person, told.told as reported, told.at from told
         join person on person.organisation = told.organisation and person.id = told.person and person.active
         where told.organisation = $1 and told.at >= $2::bigint ${after === null ? '' : 'and told.person > $4'}
         order by told.person limit $3`,
        [since, limit, ...(after === null ? [] : [after])],
      ),
    /** Deletes add-in reports older than a time. */
    dropOldReported: (before: number) =>
      run`delete from told where organisation = $1 and at < ${before}::bigint`,
  }
}
