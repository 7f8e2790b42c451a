/** The table of leases. A lease lets only one instance at a time do a task. */
import type { OrganisationAccess } from './access.ts'

export function createLeaseStore({ query, run }: OrganisationAccess) {
  return {
    /** Takes or renews a lease until the time `until`. Resolves with false when another holder has the lease. */
    lease: async (name: string, holder: string, now: number, until: number): Promise<boolean> => {
      const rows = await query`
        insert into lease (organisation, name, holder, until) values ($1, ${name}, ${holder}, ${until}::bigint)
        on conflict (organisation, name) do update set holder = excluded.holder, until = excluded.until
        where lease.holder = excluded.holder or lease.until <= ${now}::bigint
        returning name`
      return rows.length > 0
    },
    isLeased: async (name: string, now: number): Promise<boolean> => {
      const rows = await query`
        select name from lease where organisation = $1 and name = ${name} and until > ${now}::bigint`
      return rows.length > 0
    },
    giveBack: (name: string, holder: string) =>
      run`delete from lease where organisation = $1 and name = ${name} and holder = ${holder}`,
  }
}
