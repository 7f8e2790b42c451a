/** Decides what needs an administrator's attention, and where to act on it. */
import type { Overview, OverviewProblem } from '../../wire/administration/insight.ts'
import { UNSIGNED_PEOPLE_PATH } from '../people/rules.ts'

/** `inMaintenance` and `maintenancePlanned` remain until an administrator ends or begins the maintenance. */
export type AttentionReason =
  'inMaintenance' | 'nothingPublished' | 'noPeople' | OverviewProblem | 'maintenancePlanned'

/** `count` is the number of people or syncs; 1 for other reasons. */
export type Attention = Readonly<{ reason: AttentionReason; count: number }>

/** The page where the administrator can act on each reason. */
export const ATTENTION_PATHS: Readonly<Record<AttentionReason, string>> = {
  inMaintenance: '/maintenance',
  nothingPublished: '/signatures',
  noPeople: '/people',
  noSignature: UNSIGNED_PEOPLE_PATH,
  directoryFailed: '/directory',
  directoryNeedsLeave: '/directory',
  maintenancePlanned: '/maintenance',
}

const once = (reason: AttentionReason, isSo: boolean): readonly Attention[] =>
  isSo ? [{ reason, count: 1 }] : []

/** Lists what needs attention, the most urgent first; empty when everything is well. */
export const attentionOf = ({
  maintenance,
  published,
  people,
  problems,
}: Pick<Overview, 'maintenance' | 'published' | 'people' | 'problems'>): readonly Attention[] => [
  ...once('inMaintenance', maintenance === 'active'),
  ...once('nothingPublished', published === null),
  ...once('noPeople', people === 0),
  ...problems.map(({ message, count }) => ({ reason: message, count })),
  ...once('maintenancePlanned', maintenance === 'planned'),
]
