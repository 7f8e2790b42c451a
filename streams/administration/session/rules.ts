import type { Failure } from '../../kernel/failure.ts'
import type { Role } from '../../wire/administration/insight.ts'
import { AREAS, areaOf } from '../place/areas.ts'
import type { OwnerState, SessionState } from './reducer.ts'

/** Whether a failed call ends the sign-in: the token is missing, or the service rejects it. */
export const endsSession = (failure: Failure): boolean =>
  failure.kind === 'auth' || (failure.kind === 'http' && failure.status === 401)

/** Whether the service rejects the account, so signing in again with the same account would fail. */
export const refusesAccount = (failure: Failure): boolean => failure.kind === 'http' && failure.status === 403

/** Whether the service rejected a call because a role is missing. */
export const lacksRole = (failure: Failure): boolean =>
  failure.kind === 'http' && failure.status === 403 && failure.code === 'role_missing'

/** The sign-in name of the administrator; empty before the sign-in. */
export const callerName = (session: SessionState): string => (session.status === 'in' ? session.me.name : '')

export const hasRole = (session: SessionState, role: Role): boolean =>
  session.status === 'in' && session.me.roles.includes(role)

/** Whether the administrator may load the data of the area at this path. */
export function mayEnter(session: SessionState, path: string): boolean {
  const area = areaOf(path)
  return area !== null && hasRole(session, AREAS[area])
}

/** Whether a different administrator has signed in. */
export const isOtherOwner = (before: OwnerState, now: OwnerState): boolean =>
  before !== null && now !== null && (before.name !== now.name || before.organisation !== now.organisation)
