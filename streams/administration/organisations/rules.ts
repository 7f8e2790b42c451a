import type { OverseenOrganisation } from '../../organisation/figures/operating.ts'

/** The operator's search: part of a name or id, and whether to show only organisations with alerts. */
export type OrganisationFilter = Readonly<{ search: string; onlyAlerts: boolean }>

/** Filters the organisations and keeps their order. The search ignores case and surrounding spaces. */
export function filterOrganisations(
  organisations: readonly OverseenOrganisation[],
  { search, onlyAlerts }: OrganisationFilter,
): readonly OverseenOrganisation[] {
  const part = search.trim().toLowerCase()
  return organisations.filter(
    ({ id, name, alerts }) =>
      (!onlyAlerts || alerts.length > 0) && (id.includes(part) || name.toLowerCase().includes(part)),
  )
}
