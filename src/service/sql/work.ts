/** The tables of long work: its progress, which the work writes, and stop requests, which its client writes. */
import type { Progress } from '../../../streams/kernel/progress.ts'
import type { OrganisationAccess } from './access.ts'

export function createWorkStore({ query, run }: OrganisationAccess) {
  return {
    /** The progress of work; null when none is stored, or when it has expired. */
    progress: async (work: string, now: number): Promise<Progress | null> => {
      const [row] = await query<Progress>`
        select done, total as "of" from progress
        where organisation = $1 and work = ${work} and until > ${now}::bigint`
      return row ?? null
    },
    /** Stores the progress of work until the time `until`. */
    keepProgress: (work: string, { done, of }: Progress, until: number) => run`
        insert into progress (organisation, work, done, total, until)
        values ($1, ${work}, ${done}::bigint, ${of}::bigint, ${until}::bigint)
        on conflict (organisation, work) do update
        set done = excluded.done, total = excluded.total, until = excluded.until`,
    /** The actor who asked to stop work; null without a request, or when it has expired. */
    stopRequest: async (work: string, now: number): Promise<string | null> => {
      const [row] = await query<{ actor: string }>`
        select actor from stop_request where organisation = $1 and work = ${work} and until > ${now}::bigint`
      return row?.actor ?? null
    },
    /** Stores a request to stop work, until the time `until`. */
    requestStop: (work: string, actor: string, until: number) => run`
        insert into stop_request (organisation, work, actor, until)
        values ($1, ${work}, ${actor}, ${until}::bigint)
        on conflict (organisation, work) do update set actor = excluded.actor, until = excluded.until`,
  }
}
