import { EMPTY, filter, ignoreElements, map, switchMap, takeUntil } from 'rxjs'
import { App } from '../../streams/pane/events.ts'
import { Auth, type Session } from '../../streams/message/auth/events.ts'
import { renewalTime } from '../../streams/message/auth/rules.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { emitAt } from '../../streams/kernel/time.ts'
import type { AppEffect } from '../message/app.ts'

/** Throws if the renewed session belongs to another user. */
const sameAs = (before: Session) => (after: Session) => {
  if (after.userId !== before.userId) throw new Failed({ kind: 'malformed', at: 'data.access_token' })
  return after
}

/**
 * Renews a session once, 300 s before it expires. If that fails, the session is used until it expires (specification,
 * section 9).
 */
export const renewSession: AppEffect = (event$, _state$, { api, time }) =>
  event$.pipe(
    ofType(Auth.verified, Auth.sessionRecovered, Auth.renewed, Auth.signedOut),
    switchMap((event) => {
      if (event.type === 'auth/signedOut') return EMPTY
      const { session } = event.data
      // Does not renew a renewed session that is already due again; otherwise renewals would never end.
      const isShort = event.type === 'auth/renewed' && renewalTime(session) <= event.meta.at
      if (isShort) return EMPTY
      return emitAt(renewalTime(session), time).pipe(
        switchMap(() => api.renew()),
        map(sameAs(session)),
        settle((renewed) => Auth.renewed({ session: renewed }), Auth.renewalFailed),
        takeUntil(emitAt(session.expiresAt, time)),
      )
    }),
  )

/** Ends the session when its token expires. */
export const endExpiredSession: AppEffect = (event$, _state$, { time }) =>
  event$.pipe(
    ofType(Auth.verified, Auth.sessionRecovered, Auth.renewed, Auth.signedOut),
    switchMap((event) =>
      event.type === 'auth/signedOut'
        ? EMPTY
        : emitAt(event.data.session.expiresAt, time).pipe(
            map(() => Auth.signOutRequested({ reason: { kind: 'expired' } })),
          ),
    ),
  )

/** Signs the user out here after a sign-out in another pane. */
export const followOtherPanes: AppEffect = (event$, state$, { otherPanes }) =>
  event$.pipe(
    ofType(App.started),
    switchMap(() => otherPanes.signedOut$),
    filter((userId) => {
      const { auth } = state$.value
      return auth.status === 'success' && auth.session.userId === userId
    }),
    map(() => Auth.signOutRequested({ reason: { kind: 'elsewhere' } })),
  )

/** Notifies other panes when the user signs out here. */
export const tellOtherPanes: AppEffect = (event$, _state$, { otherPanes }) =>
  event$.pipe(
    ofType(Auth.signedOut),
    switchMap(({ data: { reason, userId } }) =>
      reason.kind === 'person' && userId !== null ? otherPanes.tellSignedOut(userId) : EMPTY,
    ),
    ignoreElements(),
  )

/** When the user signs out here, signs them out at the identity provider, too. */
export const signOutIdentity: AppEffect = (event$, _state$, { identity }) =>
  event$.pipe(
    ofType(Auth.signedOut),
    filter(({ data: { reason } }) => reason.kind === 'person'),
    switchMap(() => identity.signOut()),
    ignoreElements(),
  )
