import { type Observable, catchError, concatMap, defer, from, map, of, tap, throwError } from 'rxjs'
import type { Identity, Log } from '../../../effects/ports.ts'
import { signInFailed } from '../../../streams/auth/signInCodes.ts'
import { toFailure } from '../../../streams/kernel/failure.ts'
import { createSecret } from '../../../streams/kernel/secret.ts'
import type { Time } from '../../../streams/kernel/time.ts'
import { whenIdle } from './idle.ts'
import type { Granted, WindowClient } from './library.ts'
import type { SignInConfig } from './officeIdentity.ts'

/** Where the person who signed in last is remembered, in local storage (specification, section 9). */
export const STANDALONE_USER = 'standalone_auth_user'

/** The identity of a pane in a plain browser (specification, section 4, standalone host). */
export type StandaloneIdentity = Identity &
  Readonly<{
    /** The known user's e-mail; null while the user is empty. Opens nothing. */
    known(): string | null
    /**
     * A known user is given without a window. Otherwise the auth cache is cleared and the sign-in window opened; its
     * person is remembered and given. A failure clears the auth cache and all local storage, and is passed on.
     */
    getUser(): Observable<string>
    /**
     * A token through the sign-in window, for the address given or the known user's. A failure clears the auth cache and
     * all local storage and is AUTH_GENERIC_ERROR, whose cause is what really happened.
     */
    login(loginHint?: string): Observable<Granted>
  }>

/** `client` opens the sign-in library when it is first needed; `area` is the browser's local storage. */
export function createStandaloneIdentity(
  options: Readonly<{ client: () => Promise<WindowClient>; area: globalThis.Storage; log: Log }>,
): StandaloneIdentity {
  const { area, log } = options
  const client = () => defer(() => from(options.client()))

  const known = (): string | null => {
    try {
      const kept: unknown = JSON.parse(area.getItem(STANDALONE_USER) ?? 'null')
      if (typeof kept !== 'object' || kept === null || !('email' in kept)) return null
      return typeof kept.email === 'string' && kept.email !== '' ? kept.email : null
    } catch {
      return null
    }
  }

  const remember = ({ email }: Granted) => {
    try {
      area.setItem(STANDALONE_USER, JSON.stringify({ email }))
    } catch (error) {
      log.warn('standalone_user_not_kept', { error: error instanceof Error ? error.name : 'unknown' })
    }
  }

  /** What goes wrong here hides nothing of what went wrong before. */
  const clearCache = () =>
    client().pipe(
      concatMap((library) => library.forget()),
      catchError((error: unknown) => {
        log.warn('auth_cache_not_cleared', { failure: toFailure(error).kind })
        return of(undefined)
      }),
    )
  const clearAll = () =>
    clearCache().pipe(
      tap(() => {
        try {
          area.clear()
        } catch (error) {
          log.warn('local_storage_not_cleared', { error: error instanceof Error ? error.name : 'unknown' })
        }
      }),
    )
  const clearingAll = <Value>(work$: Observable<Value>): Observable<Value> =>
    work$.pipe(
      catchError((error: unknown) =>
        clearAll().pipe(
          map(() => {
            throw error
          }),
        ),
      ),
    )

  const first = (): Observable<Granted> =>
    clearCache().pipe(
      concatMap(client),
      concatMap((library) => library.popup({ purpose: 'login' })),
      tap(remember),
      clearingAll,
    )

  const login = (loginHint?: string): Observable<Granted> =>
    client().pipe(
      concatMap((library) => {
        const hint = loginHint ?? known()
        return library.popup({ purpose: 'token', ...(hint === null ? {} : { loginHint: hint }) })
      }),
      tap(remember),
      clearingAll,
      catchError((error: unknown) => {
        const failure = toFailure(error)
        const cause = 'code' in failure ? String(failure.code) : failure.kind
        return throwError(() => signInFailed('AUTH_GENERIC_ERROR', cause, error))
      }),
    )

  const silently = (): Observable<Granted> =>
    defer(() => {
      const hint = known()
      if (hint === null) throw signInFailed('user_login_error')
      return client().pipe(concatMap((library) => library.silent(hint)))
    })

  return {
    known,
    getUser: () =>
      defer(() => {
        const email = known()
        return email === null ? first().pipe(map((granted) => granted.email)) : of(email)
      }),
    login,
    // Who has just said who they are in the window is not sent to another window for the token that came with it.
    accessToken: ({ silent = false }) =>
      defer(() => {
        if (silent) return silently()
        return known() === null ? first() : login()
      }).pipe(map(({ accessToken }) => createSecret(accessToken))),
    method: () => 'workAccount',
    signOut: () =>
      defer(() => {
        area.removeItem(STANDALONE_USER)
        return client().pipe(concatMap((library) => library.signOut()))
      }).pipe(
        catchError((error: unknown) => {
          const failure = toFailure(error)
          log.warn('sign_out_incomplete', { code: 'code' in failure ? String(failure.code) : failure.kind })
          return clearCache()
        }),
      ),
  }
}

/**
 * The identity of a pane in a plain browser over the sign-in library, which is loaded when the browser is idle, so that
 * a click finds it.
 */
export function openStandaloneIdentity(
  options: Readonly<{ page: Window; signIn: SignInConfig; time: Time; log: Log }>,
): StandaloneIdentity {
  const { page, signIn, time, log } = options
  const open = () =>
    import('./library.ts').then(({ openWindowClient }) =>
      openWindowClient({
        ...signIn,
        redirectUri: `${page.location.origin}/index.html`,
        allowsPlainLocalhost: true,
        time,
      }),
    )
  let opened: ReturnType<typeof open> | null = null
  const client = () => {
    opened ??= open().catch((error: unknown) => {
      // What could not be loaded is tried again at the next click.
      opened = null
      throw error
    })
    return opened
  }
  whenIdle(page, () => void client().catch(() => undefined))
  return createStandaloneIdentity({ client, area: page.localStorage, log })
}
