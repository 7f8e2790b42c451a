import { catchError, defer, type Observable, switchMap, take } from 'rxjs'
import { refusesAccount, showsRefusedAccount, refusalWithAccount } from '../../streams/message/auth/rules.ts'
import { Failed, toFailure } from '../../streams/kernel/failure.ts'
import type { Secret } from '../../streams/kernel/secret.ts'
import type { Identity, TokenOptions } from '../ports.ts'

/**
 * Gets a token and passes it to `verify`. Tries one sign-in method after the other until the service accepts an
 * account. A refusal names the account and the mailbox (`loginHint`), unless both have the same name.
 */
export function signInWith<Verified>(
  identity: Pick<Identity, 'accessToken' | 'method' | 'account'>,
  { refused = [], ...options }: TokenOptions,
  verify: (accessToken: Secret) => Observable<Verified>,
): Observable<Verified> {
  const goOn = (error: unknown): Observable<Verified> => {
    const failure = toFailure(error)
    const method = identity.method()
    if (!refusesAccount(failure)) throw error
    const refusal = new Failed(refusalWithAccount(failure, identity.account(), options.loginHint), {
      cause: error,
    })
    if (method === null || refused.includes(method)) throw refusal
    return signInWith(identity, { ...options, refused: [...refused, method] }, verify).pipe(
      catchError((next: unknown) => {
        throw showsRefusedAccount(toFailure(next), options.silent === true) ? refusal : next
      }),
    )
  }
  return defer(() => identity.accessToken(refused.length === 0 ? options : { ...options, refused })).pipe(
    take(1),
    switchMap((accessToken) => verify(accessToken).pipe(catchError(goOn))),
  )
}
