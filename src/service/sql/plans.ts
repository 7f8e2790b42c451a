/** The table of plans. */
import type { Access } from './access.ts'

export function createPlanStore({ query, run }: Access) {
  return {
    /** The plan with this id; null when no such plan is stored. */
    plan: async (id: string): Promise<unknown> => {
      const [row] = await query<{ plan: unknown }>`
        select plan from plan where organisation = $1 and id = ${id}`
      return row?.plan ?? null
    },
    /** Stores a plan that expires at the time `until`. */
    keepPlan: (id: string, plan: unknown, until: number) => run`
        insert into plan (organisation, id, plan, until)
        values ($1, ${id}, ${JSON.stringify(plan)}::json, ${until}::bigint)
        on conflict (organisation, id) do update set plan = excluded.plan, until = excluded.until`,
    dropOldPlans: (now: number) => run`delete from plan where organisation = $1 and until <= ${now}::bigint`,
  }
}
