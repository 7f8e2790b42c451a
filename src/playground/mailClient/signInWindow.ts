import { defer, from, map } from 'rxjs'
import { createSecret } from '../../../streams/kernel/secret.ts'
import type { Time } from '../../../streams/kernel/time.ts'
import type { SignInMethod } from '../../engine/signIn/fallbackChain.ts'
import type { TokenGrant } from '../../engine/signIn/library.ts'
import type { SignInConfig } from '../../engine/signIn/officeIdentity.ts'

/** Opens a window of the identity provider, in which the user chooses an account. */
export type OpenSignInWindow = (loginHint: string | undefined) => Promise<TokenGrant>

/** Returns a function that opens a sign-in window from the mail client's page, in place of Outlook's dialog. */
export const createSignInWindow =
  (
    options: Readonly<{ page: Readonly<{ origin: string }>; signIn: SignInConfig; time: Time }>,
  ): OpenSignInWindow =>
  async (loginHint) => {
    const { openWindowClient } = await import('../../engine/signIn/library.ts')
    const client = await openWindowClient({
      ...options.signIn,
      redirectUri: `${options.page.origin}/index.html`,
      allowsPlainLocalhost: true,
      time: options.time,
    })
    return client.popup({ purpose: 'login', ...(loginHint === undefined ? {} : { loginHint }) })
  }

/** Signs in through a window that the mail client opens; `open` is null if it cannot open one. */
export const createWindowMethod = (open: OpenSignInWindow | null): SignInMethod => ({
  name: 'window',
  isOffered: () => open !== null,
  opensWindow: true,
  signIn: ({ loginHint }) =>
    defer(() => from(open?.(loginHint) ?? Promise.reject(new Error('There is no window.')))).pipe(
      map(({ accessToken, email }) => ({ token: createSecret(accessToken), account: email })),
    ),
})
