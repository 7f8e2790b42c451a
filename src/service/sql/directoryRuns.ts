/** The tables of syncs: their runs, their cursors in each source, and the numbers of deactivated people. */
import { randomUUID } from 'node:crypto'
import type { DirectoryRun, DirectorySample } from '../../../streams/organisation/directory/directory.ts'
import type { OrganisationAccess } from './access.ts'
import { type Query, sql } from './query.ts'

export const MAX_STORED_RUNS = 50

/** Deletes samples that mention one of these addresses from the stored runs. */
export async function scrubRuns(query: Query, addresses: readonly string[]): Promise<void> {
  const names = (sample: DirectorySample) =>
    addresses.some((address) => sample.person === address || sample.reason?.includes(address) === true)
  for (const { run } of await query<{ run: DirectoryRun }>`
    select run from directory_run where organisation = $1`) {
    if (!run.samples.some(names)) continue
    const samples = run.samples.filter((sample) => !names(sample))
    await query`
      update directory_run set run = ${JSON.stringify({ ...run, samples })}::json
      where organisation = $1 and id = ${run.id}`
  }
}

export function createRunStore({ query, run, count }: OrganisationAccess) {
  return {
    cursor: async (source: string, kind: string): Promise<string | null> => {
      const [row] = await query<{ cursor: string }>`
        select cursor from directory_cursor where organisation = $1 and source = ${source} and kind = ${kind}`
      return row?.cursor ?? null
    },
    cursors: async (source: string): Promise<ReadonlyMap<string, string>> => {
      const rows = await query<{ kind: string; cursor: string }>`
        select kind, cursor from directory_cursor where organisation = $1 and source = ${source} order by kind`
      return new Map(rows.map(({ kind, cursor }) => [kind, cursor]))
    },
    keepCursor: (source: string, kind: string, cursor: string) => run`
        insert into directory_cursor (organisation, source, kind, cursor)
        values ($1, ${source}, ${kind}, ${cursor})
        on conflict (organisation, source, kind) do update set cursor = excluded.cursor`,
    dropCursor: (source: string, kind: string) => run`
        delete from directory_cursor where organisation = $1 and source = ${source} and kind = ${kind}`,

    /**
     * Stores a run, replacing any run with the same id. Keeps the last `MAX_STORED_RUNS` runs, and the last successful run
     * that was not a dry run. An ended run releases its lease.
     */
    keepRun: async (run: DirectoryRun): Promise<void> => {
      await query`
        with given_back as (
          delete from lease where organisation = $1 and holder = ${run.id} and ${run.until !== null}::boolean)
        insert into directory_run (organisation, id, at, run)
        values ($1, ${run.id}, ${run.at}::bigint, ${JSON.stringify(run)}::json)
        on conflict (organisation, id) do update set run = excluded.run`
      await query`
        delete from directory_run where organisation = $1 and id not in (
          select id from directory_run where organisation = $1 order by at desc, id desc limit ${MAX_STORED_RUNS})
        and id is distinct from (
          select id from directory_run
          where organisation = $1 and run ->> 'outcome' = 'done' and run ->> 'isTrial' = 'false'
          order by at desc, id desc limit 1)`
    },
    /** The last runs, latest first. */
    runs: async (limit: number): Promise<readonly DirectoryRun[]> => {
      const rows = await query<{ run: DirectoryRun }>`
        select run from directory_run where organisation = $1 order by at desc, id desc limit ${limit}`
      return rows.map(({ run }) => run)
    },

    /** Records the number and time of deactivations without approval. `at` is in milliseconds since 1970. */
    noteDeactivated: (source: string, people: number, at: number) => run`
        insert into directory_retired (organisation, source, id, at, people)
        values ($1, ${source}, ${randomUUID()}, ${at}::bigint, ${people})`,

    /** The number of people deactivated without approval since a time. Deletes earlier records. */
    countDeactivated: async (source: string, since: number): Promise<number> => {
      await query`
        delete from directory_retired where organisation = $1 and source = ${source} and at < ${since}::bigint`
      return count(sql`coalesce(sum(people), 0)::int as count from directory_retired
        where organisation = $1 and source = ${source} and at >= ${since}::bigint`)
    },
  }
}
