import { catchError, defer, of, tap, throwError } from 'rxjs'
import type { Identity, Log } from '../../../effects/ports.ts'
import { endsSignIn } from '../../../streams/auth/rules.ts'
import { Failed, toFailure } from '../../../streams/kernel/failure.ts'

/** One way to sign in through the mail client. Every one of them answers or fails within a time of its own. */
export type Step = Readonly<{
  name: string
  /** Whether the mail client offers it here and now. */
  isOffered(): boolean
  /** It opens a window, so that the person must have asked for it. */
  opensWindow: boolean
  accessToken: Identity['accessToken']
}>

/**
 * An identity of several ways, the first that the mail client offers first. One that fails makes way for the next,
 * unless its failure says that no other can help (`endsSignIn`). Each is tried at most once. Where none is offered it
 * fails with `auth` `host_13000`, otherwise with the failure of the last one that was tried.
 */
export function createLadder(steps: readonly Step[], log: Log): Identity {
  let method: string | null = null
  return {
    accessToken: (options) => {
      const climb = ([step, ...rest]: readonly Step[]): ReturnType<Identity['accessToken']> => {
        if (!step) return throwError(() => new Failed({ kind: 'auth', code: 'host_13000' }))
        return defer(() => step.accessToken(options)).pipe(
          tap(() => {
            method = step.name
          }),
          catchError((error: unknown) => {
            const failure = toFailure(error)
            if (rest.length === 0 || endsSignIn(failure))
              return throwError(() => new Failed(failure, { cause: error }))
            log.warn('sign_in_step_failed', {
              step: step.name,
              failure: 'code' in failure ? String(failure.code) : failure.kind,
            })
            return climb(rest)
          }),
        )
      }
      return defer(() =>
        climb(steps.filter((step) => step.isOffered() && !(step.opensWindow && options.silent === true))),
      )
    },
    // The person stays signed in to their mail client.
    signOut: () => of(undefined),
    method: () => method,
  }
}
