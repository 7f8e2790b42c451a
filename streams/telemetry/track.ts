import type { LoggedEvent } from '../app/events.ts'
import type { Profile } from '../profile/events.ts'

/** Team roles as analytics names them (specification, section 6). */
export const roles = [
  'user',
  'admin',
  'subsidiary_manager',
  'admin_campaign',
  'admin_campaign_global',
] as const

/** Every event of analytics with the values that its parameters may have; others are not sent (section 5). */
const catalogue = {
  task_pane_open: { role: roles },
  signatures_opened: { folder: ['delegations', 'other'], role: roles },
  change_signature: { action: ['default_signature', 'manual_signature'], role: roles },
  edit_profile: { role: roles },
  disconnect: { role: roles },
} as const

/** `userId` is the profile's id; parameters are values of the catalogue, never a person's data. */
export type Track = Readonly<{
  name: string
  userId: string
  parameters: Readonly<Record<string, string>>
}>

/**
 * The event as it may be sent; null when nobody is known, when it is none of the catalogue, or when a parameter is
 * missing, unknown or none of its values.
 */
export function validTrack(
  name: string,
  parameters: Readonly<Record<string, string>>,
  profile: Pick<Profile, 'id' | 'isAdmin'> | null,
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

/** What analytics tells of what happened (specification, section 2); null of nearly everything. */
export function trackOf(
  event: LoggedEvent,
): Readonly<{ name: string; parameters: Readonly<Record<string, string>> }> | null {
  if (event.type === 'signatures/insertionSucceeded') {
    const action = event.data.target.kind === 'default' ? 'default_signature' : 'manual_signature'
    return { name: 'change_signature', parameters: { action } }
  }
  if (event.type === 'auth/signOutRequested') return { name: 'disconnect', parameters: {} }
  return event.type === 'router/navigated' ? trackOfPath(event.data.path) : null
}

function trackOfPath(path: string): ReturnType<typeof trackOf> {
  const folder = /^\/app\/signatures\/([^/?]+)/.exec(path)?.[1]
  if (folder !== undefined)
    return {
      name: 'signatures_opened',
      parameters: { folder: folder === 'delegations' ? 'delegations' : 'other' },
    }
  return /^\/app\/settings\/variables(?:[/?]|$)/.test(path) ? { name: 'edit_profile', parameters: {} } : null
}
