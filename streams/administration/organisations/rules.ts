import type { Overseen } from '../../organisation/figures/operating.ts'

/** What the operator looks for: a part of a name or an id, and whether only organisations with alerts are shown. */
export type Wanted = Readonly<{ search: string; onlyAlerts: boolean }>

/** The organisations that fit, in their order. Case and spaces around the search do not count. */
export function fitting(
  organisations: readonly Overseen[],
  { search, onlyAlerts }: Wanted,
): readonly Overseen[] {
  const part = search.trim().toLowerCase()
  return organisations.filter(
    ({ id, name, alerts }) =>
      (!onlyAlerts || alerts.length > 0) && (id.includes(part) || name.toLowerCase().includes(part)),
  )
}
