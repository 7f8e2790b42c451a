import {
  EMPTY,
  catchError,
  exhaustMap,
  filter,
  forkJoin,
  ignoreElements,
  map,
  merge,
  mergeMap,
  of,
  switchMap,
  take,
  takeUntil,
} from 'rxjs'
import { toCatalogueError } from '../../streams/pane/catalogue.ts'
import { App } from '../../streams/pane/events.ts'
import { sessionEndingFailure } from '../../streams/pane/sessionEnds.ts'
import { Auth, type Session } from '../../streams/message/auth/events.ts'
import { forgetsLastUser, isSignedIn, isUnexpired } from '../../streams/message/auth/rules.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { createSecret, revealSecret } from '../../streams/kernel/secret.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { now } from '../../streams/kernel/time.ts'
import { type AppEffect, whileSignedIn } from '../message/app.ts'
import { signInWith } from '../message/signIn.ts'
import { forgetLastUser, writeLastUser } from './lastUser.ts'

/** The session storage key of the session token and its user. */
export const SESSION_KEY = 'session'
/** The session storage key of the token's type (specification, section 3). Earlier versions stored no type. */
export const TOKEN_TYPE_KEY = 'tokenType'

/** The token type for requests. A stored token of another type is ignored. */
const BEARER = 'Bearer'

const parseSession = (value: unknown, type: unknown): Session | null => {
  const { token, userId, email, expiresAt } = (value ?? {}) as Record<string, unknown>
  return (type ?? BEARER) === BEARER &&
    typeof token === 'string' &&
    typeof userId === 'string' &&
    typeof email === 'string' &&
    typeof expiresAt === 'number'
    ? { token: createSecret(token), userId, email, expiresAt }
    : null
}

/** At the start, recovers a stored, unexpired session of the same mailbox. */
export const recoverSession: AppEffect = (event$, _state$, { host, storage, time, log }) =>
  event$.pipe(
    ofType(App.started),
    switchMap(() =>
      forkJoin({
        saved: storage.session.get(SESSION_KEY),
        type: storage.session.get(TOKEN_TYPE_KEY),
        user: host.user(),
      }).pipe(
        map(({ saved, type, user }) => {
          const session = parseSession(saved, type)
          const isTheirs = !user || session?.email.toLowerCase() === user.email.toLowerCase()
          return session && isTheirs && isUnexpired(session, now(time))
            ? Auth.sessionRecovered({ session })
            : Auth.sessionMissing()
        }),
        catchError((error: unknown) => {
          log.error('session_recovery_failed', { error: String(error) })
          return of(Auth.sessionMissing())
        }),
      ),
    ),
  )

/** Signs in silently once if there is no session, unless the user switched off silent sign-in. */
export const signInSilently: AppEffect = (event$, state$) =>
  event$.pipe(
    ofType(Auth.sessionMissing),
    switchMap(() =>
      state$.pipe(
        filter(({ settings }) => settings.status !== 'pending'),
        take(1),
        // Skips the silent sign-in if the user has already pressed the sign-in button.
        takeUntil(event$.pipe(ofType(Auth.signInRequested))),
      ),
    ),
    filter(({ settings }) => settings.enableSilentSSO),
    map(() => Auth.signInRequested({ silent: true })),
  )

/** Verifies the mail client's token and the user's address at the service (specification, section 4). */
export const signIn: AppEffect = (event$, _state$, { host, identity, api }) =>
  event$.pipe(
    ofType(Auth.signInRequested),
    exhaustMap(({ data: { silent } }) =>
      host.user().pipe(
        take(1),
        switchMap((known) =>
          signInWith(
            identity,
            {
              allowConsentPrompt: true,
              silent,
              ...(known?.email ? { loginHint: known.email } : {}),
            },
            // In a plain browser, the user is unknown until the identity returns a token.
            (accessToken) =>
              host.user().pipe(
                take(1),
                switchMap((user) => {
                  if (!user?.email) throw new Failed({ kind: 'auth', code: 'email_missing' })
                  if (!revealSecret(accessToken)) throw new Failed({ kind: 'auth', code: 'token_missing' })
                  return api.verify({ accessToken, email: user.email })
                }),
              ),
          ),
        ),
        settle((verified) => Auth.verified(verified), Auth.signInFailed),
        whileSignedIn(event$),
      ),
    ),
  )

/** Logs the user out after any failure to sign in or to verify. */
export const logOutAfterFailedSignIn: AppEffect = (event$, _state$, { log }) =>
  event$.pipe(
    ofType(Auth.signInFailed),
    map(({ data: { failure } }) => {
      const { code } = toCatalogueError(failure)
      log.error('handle_auth_error', {
        code,
        kind: failure.kind,
        detail: 'code' in failure ? failure.code : null,
        ...('cause' in failure ? { cause: failure.cause } : {}),
      })
      return Auth.signOutRequested({ reason: { kind: 'signInFailed', failure } })
    }),
  )

/** Ends the session when the service rejects it. */
export const logOutOnRejectedSession: AppEffect = (event$, state$) =>
  event$.pipe(
    map(sessionEndingFailure),
    filter((failure) => failure !== null),
    filter(() => isSignedIn(state$.value.auth)),
    map((failure) => Auth.signOutRequested({ reason: { kind: 'rejected', failure } })),
  )

/** Stores the session for the next pane, and its user as this browser's last user. */
export const storeSession: AppEffect = (event$, _state$, { storage }) =>
  event$.pipe(
    ofType(Auth.verified, Auth.renewed),
    switchMap(({ data: { session } }) => {
      const { token, userId, email, expiresAt } = session
      return merge(
        storage.session.set(TOKEN_TYPE_KEY, BEARER),
        storage.session.set(SESSION_KEY, { token: revealSecret(token), userId, email, expiresAt }),
        writeLastUser({ storage }, session),
      )
    }),
    ignoreElements(),
  )

/** Logs out once, even for several simultaneous reasons. */
export const logOut: AppEffect = (event$, state$) =>
  event$.pipe(
    ofType(Auth.signOutRequested),
    filter(() => state$.value.auth.status !== 'signedOut'),
    exhaustMap(({ data: { reason } }) => {
      const { auth } = state$.value
      const userId = auth.status === 'success' ? auth.session.userId : null
      const done$ = event$.pipe(ofType(Auth.signedOut), take(1), ignoreElements())
      return merge(of(Auth.signedOut({ reason, userId })), done$)
    }),
  )

/** Clears all session data and the private storage of the signed-out user. */
export const forgetSession: AppEffect = (event$, _state$, { storage }) =>
  event$.pipe(
    ofType(Auth.signedOut),
    // Users' storages are cleared in parallel, so that none waits for another.
    mergeMap(({ data: { reason, userId } }) =>
      merge(
        storage.session.clear(),
        forgetsLastUser(reason) ? forgetLastUser({ storage }) : EMPTY,
        userId === null
          ? EMPTY
          : merge(storage.privateRoaming(userId).clear(), storage.privateCache(userId).clear()),
      ),
    ),
    ignoreElements(),
  )
