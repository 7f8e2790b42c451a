/** The operator's view of the organisations in an installation: figures and alerts, without people and signatures. */
import { count, time } from '../../kernel/limits.ts'
import { list, nullable, object, oneOf, type OutOf, text } from '../../kernel/schema.ts'

const alert = oneOf(
  /** The organisation's data is being deleted. This alert replaces all others. */
  'removing',
  /** No release was ever published. */
  'unpublished',
  /** No person is active. */
  'noPeople',
  /** The last sync failed. */
  'syncFailed',
  /** The last sync waits for an administrator's approval. */
  'syncNeedsLeave',
  /** The organisation has a directory, but no sync has ended yet. */
  'notSynced',
  /** The last complete read of Microsoft Graph was long ago. */
  'syncOld',
)
export type Alert = OutOf<typeof alert>

const release = object({ id: text, at: time })

/** The result of a sync, and when it ended. */
const sync = object({ at: time, outcome: oneOf('done', 'needsLeave', 'failed') })

const overseen = object({
  id: text,
  name: text,
  /** The number of tenants whose users can sign in; 0 if the organisation's identity provider has no tenants. */
  tenants: count,
  directory: nullable(oneOf('graph', 'scim')),
  /** The current release and its publishing time. */
  release: nullable(release),
  /** The number of active people. */
  people: count,
  /** The last sync with a result, excluding dry runs. */
  lastSync: nullable(sync),
  alerts: list(alert),
})
export type OverseenOrganisation = OutOf<typeof overseen>

/** One page of organisations: first the organisation from the settings, then the others in the order of their ids. */
export const organisationsPage = object({
  /** The time of the answer. */
  at: time,
  organisations: list(overseen),
  /** The value for `after` in the next request; null for the last page. */
  next: nullable(text),
})
export type OrganisationsPage = OutOf<typeof organisationsPage>

/** The stored data of an organisation. `lastDone` is the end of the last successful sync. */
export type OrganisationSummary = Pick<OverseenOrganisation, 'release' | 'people' | 'lastSync'> &
  Readonly<{ lastDone: number | null }>

/** An organisation's directory. `minutes` is the interval between syncs. */
export type OverseenDirectory = Readonly<{ kind: 'graph'; minutes: number }> | Readonly<{ kind: 'scim' }>

/** A complete sync is overdue after three intervals, but not before three hours. */
const OLD_INTERVALS = 3
const OLD_MS = 3 * 60 * 60_000

const oldAfter = (minutes: number): number => Math.max(OLD_MS, OLD_INTERVALS * minutes * 60_000)

/**
 * Returns the alerts for an organisation.
 *
 * @param at now, in milliseconds since 1970
 */
export function alertsOf(
  { release, people, lastSync, lastDone }: OrganisationSummary,
  { directory, isRemoved }: Readonly<{ directory: OverseenDirectory | null; isRemoved: boolean }>,
  at: number,
): readonly Alert[] {
  if (isRemoved) return ['removing']
  const alerts: Alert[] = []
  if (release === null) alerts.push('unpublished')
  if (people === 0) alerts.push('noPeople')
  if (directory === null) return alerts
  if (lastSync === null) alerts.push('notSynced')
  else if (lastSync.outcome === 'failed') alerts.push('syncFailed')
  else if (lastSync.outcome === 'needsLeave') alerts.push('syncNeedsLeave')
  if (directory.kind === 'graph' && lastDone !== null && at - lastDone > oldAfter(directory.minutes))
    alerts.push('syncOld')
  return alerts
}
