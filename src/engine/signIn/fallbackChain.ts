import { catchError, defer, map, type Observable, of, tap, throwError } from 'rxjs'
import type { Identity, Log, TokenOptions } from '../../../effects/ports.ts'
import { endsSignIn } from '../../../streams/message/auth/rules.ts'
import { Failed, toFailure } from '../../../streams/kernel/failure.ts'
import type { Secret } from '../../../streams/kernel/secret.ts'

/** A token, and the account that the identity provider names for it; null when the account is unknown. */
export type SignInGrant = Readonly<{ token: Secret; account: string | null }>

/** One method of signing in through the mail client. A sign-in succeeds or fails within the method's own time limit. */
export type SignInMethod = Readonly<{
  name: string
  /** Whether the mail client offers this method at present. */
  isOffered(): boolean
  /** Whether the method opens a window. If it does, it is attempted only when the user asked for the sign-in. */
  opensWindow: boolean
  /** With `fresh`, the method ignores cached tokens, because the service has refused the last one. */
  signIn(options: Omit<TokenOptions, 'refused'> & Readonly<{ fresh?: boolean }>): Observable<SignInGrant>
}>

/** The code from a mail client without this method. */
const NOT_OFFERED = 'host_13000'

/**
 * Creates an identity that attempts the offered methods in order, each once per sign-in. A failure leads to the next
 * method, unless no other method can help (`endsSignIn`). Failures are logged, except `host_13000`, which means that
 * the mail client does not offer the method after all. Fails with `auth` and `host_13000` when no method is offered,
 * otherwise with the failure of the last attempt.
 */
export function createFallbackChain(methods: readonly SignInMethod[], log: Log): Identity {
  let succeeded: Readonly<{ method: string; account: string | null }> | null = null
  /** The methods whose last token the service refused. */
  const refusedLast = new Set<string>()
  return {
    accessToken: ({ refused = [], ...options }) => {
      const attempt = ([method, ...rest]: readonly SignInMethod[]): ReturnType<Identity['accessToken']> => {
        if (!method) return throwError(() => new Failed({ kind: 'auth', code: NOT_OFFERED }))
        const fresh = refusedLast.has(method.name) ? { fresh: true } : {}
        return defer(() => method.signIn({ ...options, ...fresh })).pipe(
          tap(({ account }) => {
            succeeded = { method: method.name, account }
            refusedLast.delete(method.name)
          }),
          map(({ token }) => token),
          catchError((error: unknown) => {
            const failure = toFailure(error)
            if (rest.length === 0 || endsSignIn(failure))
              return throwError(() => new Failed(failure, { cause: error }))
            const reported = 'code' in failure ? String(failure.code) : failure.kind
            if (reported !== NOT_OFFERED)
              log.warn('sign_in_method_failed', { method: method.name, failure: reported })
            return attempt(rest)
          }),
        )
      }
      return defer(() => {
        for (const name of refused) refusedLast.add(name)
        return attempt(
          methods.filter(
            (method) =>
              !refused.includes(method.name) &&
              method.isOffered() &&
              !(method.opensWindow && options.silent === true),
          ),
        )
      })
    },
    // There is nothing to do, because the user stays signed in to the mail client.
    signOut: () => of(undefined),
    method: () => succeeded?.method ?? null,
    account: () => succeeded?.account ?? null,
  }
}
