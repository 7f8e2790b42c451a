import { type Observable, concatMap, defer, from, map, of } from 'rxjs'
import { Failed } from '../../../streams/kernel/failure.ts'
import { createSecret } from '../../../streams/kernel/secret.ts'
import { type Time, timeLimit } from '../../../streams/kernel/time.ts'
import type { SignInMethod } from './fallbackChain.ts'
import type { NestedClient } from './library.ts'

/** The time limit of each call that does not ask the user. The library itself has no limit. */
export const NESTED_LIMIT_MS = 6_000
/** How long the mail client's own windows may stay open. */
export const NESTED_WINDOW_LIMIT_MS = 120_000

/**
 * Nested app authentication: the mail client signs in for the page inside it. `isOffered` must check for the bridge.
 * `open` loads the library and connects to the mail client. Fails with `auth`, or with `hostSilent` when the mail
 * client does not answer in time.
 */
export function createNestedMethod(
  options: Readonly<{ isOffered: () => boolean; open: () => Promise<NestedClient>; time: Time }>,
): SignInMethod {
  const { isOffered, time } = options
  let opened: Promise<NestedClient> | null = null
  // Runs `work` within a time limit. After a timeout, the next attempt connects to the mail client again.
  const bounded = <Value>(work: () => Promise<Value>, limitMs: number): Observable<Value> =>
    defer(() => from(work())).pipe(
      timeLimit(limitMs, time, () => {
        opened = null
        return new Failed({ kind: 'hostSilent', call: 'nestedAppAuth' })
      }),
    )
  const connect = () => {
    opened ??= options.open().catch((error: unknown) => {
      opened = null
      throw error
    })
    return opened
  }
  return {
    name: 'nested',
    opensWindow: false,
    isOffered,
    signIn: ({ allowConsentPrompt, loginHint, fresh = false }) =>
      bounded(connect, NESTED_LIMIT_MS).pipe(
        concatMap((client) =>
          bounded(() => client.silent(loginHint, fresh), NESTED_LIMIT_MS).pipe(
            concatMap((grant) =>
              grant || !allowConsentPrompt
                ? of(grant)
                : bounded(() => client.interactive(loginHint), NESTED_WINDOW_LIMIT_MS),
            ),
          ),
        ),
        map((grant) => {
          if (!grant) throw new Failed({ kind: 'auth', code: 'interaction_required' })
          return { token: createSecret(grant.accessToken), account: grant.email }
        }),
      ),
  }
}
