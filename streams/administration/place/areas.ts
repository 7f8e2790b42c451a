import type { Role } from '../../wire/administration/insight.ts'

/** The areas of the administration page in navigation order, each with the role that its calls need. */
export const AREAS = {
  now: 'Signet.Read',
  signatures: 'Signet.Read',
  blocks: 'Signet.Read',
  plan: 'Signet.Read',
  history: 'Signet.Read',
  people: 'Signet.Read',
  directory: 'Signet.Read',
  maintenance: 'Signet.Read',
  audit: 'Signet.Audit',
  organisations: 'Signet.Operate',
} as const satisfies Record<string, Role>

export type Area = keyof typeof AREAS

export const areaNames = Object.keys(AREAS) as readonly Area[]

/** The areas in the navigation: the organisation's, and for operators the installation's. */
export const areasFor = (roles: readonly Role[]): readonly Area[] =>
  areaNames.filter((area) => area !== 'organisations' || roles.includes(AREAS[area]))

/** What people get, who gets it, and the service. */
export type AreaGroup = 'what' | 'who' | 'service'

/** The group of each area in the navigation. The start page stands before the groups. */
const GROUP_OF = {
  now: null,
  signatures: 'what',
  blocks: 'what',
  plan: 'what',
  history: 'what',
  people: 'who',
  directory: 'who',
  maintenance: 'service',
  audit: 'service',
  organisations: 'service',
} as const satisfies Record<Area, AreaGroup | null>

/** The areas in the navigation by their groups; a group is null for the start page. */
export const areaGroupsFor = (
  roles: readonly Role[],
): readonly Readonly<{ group: AreaGroup | null; areas: readonly Area[] }>[] =>
  ([null, 'what', 'who', 'service'] as const).map((group) => ({
    group,
    areas: areasFor(roles).filter((area) => GROUP_OF[area] === group),
  }))

/** The path of the start page. */
export const START_PATH = '/now'

/** The area of a path such as `/people/alex.kim@northwind.example`; null when no area has this path. */
export function areaOf(path: string): Area | null {
  const [, name] = path.split(/[/?]/, 2)
  return areaNames.find((area) => area === name) ?? null
}

/** The start page for operators without another role; null for everyone else. */
export const operatorStartPath = (roles: readonly Role[]): string | null =>
  roles.length > 0 && roles.every((role) => role === AREAS.organisations) ? '/organisations' : null

/** Whether the path is in this area. */
export const isInArea = (area: Area, path: string): boolean => areaOf(path) === area
