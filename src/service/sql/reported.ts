/** The table of what the add-ins of people report about themselves. */
import type { Access } from './access.ts'

export function createReportStore({ query, run, ask }: Access) {
  return {
    /** Stores what a person's add-in reports about itself, in place of the previous report. */
    keepReported: (person: string, reported: unknown, at: number) => run`
        insert into told (organisation, person, told, at)
        values ($1, ${person}, ${JSON.stringify(reported)}::json, ${at}::bigint)
        on conflict (organisation, person) do update set told = excluded.told, at = excluded.at`,
    reported: async (person: string): Promise<Readonly<{ reported: unknown; at: number }> | null> => {
      const [row] = await query<{ reported: unknown; at: number }>`
        select told as reported, at from told where organisation = $1 and person = ${person}`
      return row ?? null
    },
    /** One page of the reports that add-ins of active people sent since a time, in the order of the people's ids. */
    reportedByPeople: (after: string | null, limit: number, since: number) =>
      ask<Readonly<{ person: string; reported: unknown; at: number }>>(
        `select told.person, told.told as reported, told.at from told
         join person on person.organisation = told.organisation and person.id = told.person and person.active
         where told.organisation = $1 and told.at >= $2::bigint ${after === null ? '' : 'and told.person > $4'}
         order by told.person limit $3`,
        [since, limit, ...(after === null ? [] : [after])],
      ),
    /** Deletes the reports of add-ins that are older than a time. */
    dropOldReported: (before: number) =>
      run`delete from told where organisation = $1 and at < ${before}::bigint`,
  }
}
