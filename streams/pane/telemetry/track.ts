import type { UserProfile } from '../../wire/user.ts'
import type { Path } from '../router/events.ts'
import { routeAt } from '../router/routes.ts'
import { DELEGATIONS_FOLDER } from '../../message/signatures/entry.ts'
import type { InsertionTarget } from '../../message/insertion/events.ts'

/** Team roles as analytics names them (specification, section 6). */
export const analyticsRoles = [
  'user',
  'admin',
  'subsidiary_manager',
  'admin_campaign',
  'admin_campaign_global',
] as const

/** The events of analytics with the allowed values of their parameters. Nothing else is sent (section 5). */
const catalogue = {
  task_pane_open: { role: analyticsRoles },
  signatures_opened: { folder: ['delegations', 'other'], role: analyticsRoles },
  change_signature: { action: ['default_signature', 'manual_signature'], role: analyticsRoles },
  edit_profile: { role: analyticsRoles },
  disconnect: { role: analyticsRoles },
} as const

/** `userId` is the profile's id; parameters are values of the catalogue, never a user's data. */
export type Track = Readonly<{
  name: string
  userId: string
  parameters: Readonly<Record<string, string>>
}>

/**
 * The event to send. Null without a profile, for an event that is not in the catalogue, and for a parameter that is
 * missing, unknown or has a value that is not allowed.
 */
export function validTrack(
  name: string,
  parameters: Readonly<Record<string, string>>,
  profile: Pick<UserProfile, 'id' | 'isAdmin'> | null,
): Track | null {
  if (!profile?.id || !Object.hasOwn(catalogue, name)) return null
  const allowed: Readonly<Record<string, readonly string[]>> = catalogue[name as keyof typeof catalogue]
  const given: Readonly<Record<string, string>> = { role: profile.isAdmin ? 'admin' : 'user', ...parameters }
  const names = Object.keys(given)
  const isValid =
    names.length === Object.keys(allowed).length &&
    names.every(
      (parameter) =>
        Object.hasOwn(allowed, parameter) && allowed[parameter]?.includes(given[parameter] ?? ''),
    )
  return isValid ? { name, userId: profile.id, parameters: given } : null
}

/** An event of analytics before it is checked. */
export type TrackCandidate = Readonly<{ name: string; parameters: Readonly<Record<string, string>> }>

const changeSignature = (action: 'default_signature' | 'manual_signature'): TrackCandidate => ({
  name: 'change_signature',
  parameters: { action },
})

/** The analytics event of choosing another default signature. */
export const trackOfDefault = changeSignature('default_signature')

/** The analytics event of an insertion: of the default, or of a signature that the user chose. Null for Undo. */
export function trackOfInsertion(target: InsertionTarget): TrackCandidate | null {
  if (target.kind === 'previous') return null
  return changeSignature(target.kind === 'default' ? 'default_signature' : 'manual_signature')
}

/** The analytics event of entering a route (specification, section 2); null for most routes. */
export function trackOfPlace(path: Path): TrackCandidate | null {
  const route = routeAt(path)
  if (route?.name === 'VariablesRoute') return { name: 'edit_profile', parameters: {} }
  if (route?.name !== 'SignaturesListRoute') return null
  const folder = route.type === DELEGATIONS_FOLDER ? 'delegations' : 'other'
  return { name: 'signatures_opened', parameters: { folder } }
}
