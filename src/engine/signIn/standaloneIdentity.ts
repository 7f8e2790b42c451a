import { type Observable, catchError, concatMap, defer, from, map, of, tap, throwError } from 'rxjs'
import type { Identity, Log } from '../../../effects/ports.ts'
import { signInFailure } from '../../../streams/pane/auth/signInCodes.ts'
import { Failed, toFailure } from '../../../streams/kernel/failure.ts'
import { createSecret, type Secret } from '../../../streams/kernel/secret.ts'
import type { Time } from '../../../streams/kernel/time.ts'
import { whenIdle } from './idle.ts'
import type { TokenGrant, WindowClient } from './library.ts'
import type { SignInConfig } from './officeIdentity.ts'

/** The key in local storage of the user who signed in last (specification, section 9). */
export const STANDALONE_USER_KEY = 'standalone_auth_user'

/** The name of the only sign-in method. */
const METHOD = 'workAccount'

/** Where the known user is stored: in the browser's local storage or a part of it. `clear` clears only that part. */
export type UserStorage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'>

/** The identity of a pane in a plain browser (specification, section 4, standalone host). */
export type StandaloneIdentity = Identity &
  Readonly<{
    /** The known user's e-mail; null while no user is known. Opens no window. */
    known(): string | null
    /**
     * Gets the known user's e-mail, without opening a window. If no user is known, clears the auth cache, opens the
     * sign-in window and remembers the user. A failure clears the auth cache and all local storage, and is passed on.
     */
    getUser(): Observable<string>
    /**
     * Gets a token through the sign-in window, with `loginHint`, or else the known user's address, as the hint. A
     * failure clears the auth cache and all local storage, and becomes AUTH_GENERIC_ERROR with its cause.
     */
    login(loginHint?: string): Observable<TokenGrant>
    /** Gets a token for the known user, without a window. `fresh` replaces a token that the service refused. */
    silentToken(fresh: boolean): Observable<Secret>
  }>

/** Reads and remembers the known user in `area`. A failure to store the user is only logged. */
const createKnownUser = (area: UserStorage, log: Log) => ({
  known: (): string | null => {
    try {
      const kept: unknown = JSON.parse(area.getItem(STANDALONE_USER_KEY) ?? 'null')
      if (typeof kept !== 'object' || kept === null || !('email' in kept)) return null
      return typeof kept.email === 'string' && kept.email !== '' ? kept.email : null
    } catch {
      return null
    }
  },
  remember: ({ email }: TokenGrant): void => {
    try {
      area.setItem(STANDALONE_USER_KEY, JSON.stringify({ email }))
    } catch (error) {
      log.warn('standalone_user_not_kept', { error: error instanceof Error ? error.name : 'unknown' })
    }
  },
})

/** Creates the identity of a pane in a plain browser. `client` loads the sign-in library at the first call. */
export function createStandaloneIdentity(
  options: Readonly<{ client: () => Promise<WindowClient>; area: UserStorage; log: Log }>,
): StandaloneIdentity {
  const { area, log } = options
  const client = () => defer(() => from(options.client()))
  const { known, remember } = createKnownUser(area, log)

  /** A failure to clear the cache is only logged, so that it does not replace the failure of the sign-in. */
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

  const firstSignIn = (): Observable<TokenGrant> =>
    clearCache().pipe(
      concatMap(client),
      concatMap((library) => library.popup({ purpose: 'login' })),
      tap(remember),
      clearingAll,
    )

  /** The token of the window that `getUser` opened, until it is used. */
  let granted: TokenGrant | null = null
  const getUser = (): Observable<string> =>
    defer(() => {
      const email = known()
      if (email !== null) return of(email)
      return firstSignIn().pipe(
        map((grant) => {
          granted = grant
          return grant.email
        }),
      )
    })

  const login = (loginHint?: string): Observable<TokenGrant> =>
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
        return throwError(() => signInFailure('AUTH_GENERIC_ERROR', cause, error))
      }),
    )

  const silentSignIn = (fresh = false): Observable<TokenGrant> =>
    defer(() => {
      const hint = known()
      if (hint === null) throw signInFailure('user_login_error')
      return client().pipe(concatMap((library) => library.silent(hint, fresh)))
    })

  return {
    known,
    getUser,
    login,
    silentToken: (fresh) => silentSignIn(fresh).pipe(map(({ accessToken }) => createSecret(accessToken))),
    // The window of `getUser` already returns a token, so no second window opens for it.
    accessToken: ({ silent = false, refused = [] }) =>
      defer(() => {
        if (refused.includes(METHOD)) throw new Failed({ kind: 'auth', code: 'host_13000' })
        if (silent) return silentSignIn()
        return getUser().pipe(
          concatMap((email) => {
            const grant = granted
            granted = null
            return grant ? of(grant) : login(email)
          }),
        )
      }).pipe(map(({ accessToken }) => createSecret(accessToken))),
    method: () => METHOD,
    account: known,
    signOut: () =>
      defer(() => {
        area.removeItem(STANDALONE_USER_KEY)
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
 * Creates the identity of a pane in a plain browser, with the sign-in library. The library is loaded when the browser
 * is idle, so that a click does not wait for it.
 */
export function openStandaloneIdentity(
  options: Readonly<{ page: Window; signIn: SignInConfig; time: Time; log: Log; area?: UserStorage }>,
): StandaloneIdentity {
  const { page, signIn, time, log, area = page.localStorage } = options
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
      // The next click loads the library again.
      opened = null
      throw error
    })
    return opened
  }
  whenIdle(page, () => void client().catch(() => undefined))
  return createStandaloneIdentity({ client, area, log })
}
