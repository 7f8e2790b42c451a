import {
  type AccountInfo,
  type AuthenticationResult,
  createNestablePublicClientApplication,
  createStandardPublicClientApplication,
  InteractionRequiredAuthError,
  type IPublicClientApplication,
} from '@azure/msal-browser'
import { checkSignIn } from '../../../streams/pane/auth/checks.ts'
import { signInFailure, UNEXPECTED_STATES } from '../../../streams/pane/auth/signInCodes.ts'
import type { Time } from '../../../streams/kernel/time.ts'
import { type SignInContext, toSignInFailed } from './libraryErrors.ts'
import { createNetwork } from './network.ts'
import { watchWindow, type WindowWatch } from './windowWatch.ts'

// Only this module makes the clients of the sign-in library. The library is large, so load this module by `import()`.

// The time limit of a sign-in in a hidden frame (specification, section 9).
export const FRAME_LIMIT_MS = 6_000
const RENEWAL_OFFSET_S = 300
const POPUP_SIZE_PX = { width: 483, height: 600 }
/** How long the sign-in window may stay open. */
const WINDOW_LIMIT_MS = 300_000
/** The user's e-mail, and the token for the service. */
export type TokenGrant = Readonly<{ accessToken: string; email: string }>

type LibrarySettings = Readonly<{
  clientId: string
  authority: string
  /** The only permission that is requested. */
  scope: string
  /** The callback page: index.html at the page's origin. */
  redirectUri: string
  /** Whether requests to https://localhost are sent over http; see `createNetwork`. */
  allowsPlainLocalhost: boolean
  time: Time
}>

/** Signs in with windows and hidden frames. Fails only with `Failed` and a code from the specification (section 8). */
export type WindowClient = Readonly<{
  /** Opens the sign-in window; browsers block it without a recent click. */
  popup(how: Readonly<{ purpose: 'login' | 'token'; loginHint?: string }>): Promise<TokenGrant>
  /** Gets a user's token from the cache (not with `fresh`), with the refresh token, or in a hidden frame. */
  silent(loginHint: string, fresh?: boolean): Promise<TokenGrant>
  /** Ends the session at the identity provider, in a separate window. */
  signOut(): Promise<void>
  /** Clears every account and token from the browser's cache. */
  forget(): Promise<void>
}>

function toGrant(result: AuthenticationResult | null): TokenGrant {
  if (!result) throw signInFailure('AUTH_GENERIC_ERROR', UNEXPECTED_STATES.response)
  const account = result.account as AccountInfo | null
  if (!account) throw signInFailure('AUTH_GENERIC_ERROR', UNEXPECTED_STATES.account)
  return {
    accessToken: result.accessToken,
    email: account.idTokenClaims?.preferred_username ?? account.username,
  }
}

export async function openWindowClient(settings: LibrarySettings): Promise<WindowClient> {
  const { clientId, authority, scope, redirectUri, time } = settings
  const network = createNetwork(settings)
  const scopes = [scope]
  const library = await createStandardPublicClientApplication({
    auth: {
      clientId,
      authority,
      knownAuthorities: knownHost(authority),
      redirectUri,
      postLogoutRedirectUri: redirectUri,
    },
    cache: { cacheLocation: 'localStorage' },
    system: {
      networkClient: network.module,
      iframeBridgeTimeout: FRAME_LIMIT_MS,
      popupBridgeTimeout: WINDOW_LIMIT_MS,
      tokenRenewalOffsetSeconds: RENEWAL_OFFSET_S,
    },
  })
  // Whether the last sign-in window was given up. The flag is needed because the library counts a window as open even
  // after the user closed it.
  let isAbandoned = false

  const failed = (error: unknown, purpose: SignInContext['purpose']) =>
    toSignInFailed(error, { purpose, idToken: network.lastIdToken() })

  const inWindow = async <Result>(
    work: Promise<Result>,
    watch: WindowWatch,
    purpose: SignInContext['purpose'],
  ): Promise<Result> => {
    try {
      return await Promise.race([
        work.catch((error: unknown) => {
          throw failed(error, purpose)
        }),
        watch.failure.catch((error: unknown) => {
          isAbandoned = true
          throw error
        }),
      ])
    } finally {
      watch.end()
    }
  }

  return {
    popup: async ({ purpose, loginHint }) => {
      const correlationId = crypto.randomUUID()
      const state = crypto.randomUUID()
      const request = {
        authority,
        scopes,
        prompt: 'select_account',
        correlationId,
        ...(loginHint === undefined ? {} : { loginHint }),
      }
      const problem = checkSignIn(request, 'popup')
      if (problem) throw signInFailure(problem)
      const watch = watchWindow(library, correlationId, state, time)
      const overrideInteractionInProgress = isAbandoned
      isAbandoned = false
      const work = library.acquireTokenPopup({
        ...request,
        state,
        overrideInteractionInProgress,
        popupWindowAttributes: { popupSize: POPUP_SIZE_PX },
      })
      return toGrant(await inWindow(work, watch, purpose))
    },

    silent: async (loginHint, fresh = false) => {
      const request = { authority, scopes, correlationId: crypto.randomUUID(), loginHint }
      const problem = checkSignIn(request, 'silent')
      if (problem) throw signInFailure(problem)
      const account = accountNamed(loginHint, library)
      try {
        return toGrant(
          await (account
            ? library.acquireTokenSilent({ ...request, account, forceRefresh: fresh })
            : library.ssoSilent(request)),
        )
      } catch (error) {
        throw failed(error, 'silent')
      }
    },

    signOut: async () => {
      const correlationId = crypto.randomUUID()
      const [account] = library.getAllAccounts()
      const watch = watchWindow(library, correlationId, null, time)
      const work = library.logoutPopup({
        correlationId,
        ...(account ? { account } : {}),
        popupWindowAttributes: { popupSize: POPUP_SIZE_PX },
      })
      await inWindow(work, watch, 'login')
    },

    forget: () => library.clearCache(),
  }
}

/**
 * Signs in by a redirect of this page to the identity provider and back, for a page that cannot open windows. Returns
 * null when the redirect begins. The page to which the provider redirects calls this function again and gets the token.
 */
export async function signInByRedirect(
  settings: LibrarySettings & Readonly<{ startPage: string }>,
): Promise<TokenGrant | null> {
  const { clientId, authority, scope, redirectUri, startPage } = settings
  const network = createNetwork(settings)
  const request = { authority, scopes: [scope], prompt: 'select_account', correlationId: crypto.randomUUID() }
  const problem = checkSignIn(request, 'popup')
  if (problem) throw signInFailure(problem)
  try {
    const library = await createStandardPublicClientApplication({
      auth: { clientId, authority, knownAuthorities: knownHost(authority), redirectUri },
      cache: { cacheLocation: 'sessionStorage' },
      system: { networkClient: network.module },
    })
    const result = await library.handleRedirectPromise()
    if (result) return toGrant(result)
    await library.acquireTokenRedirect({ ...request, redirectStartPage: startPage })
    return null
  } catch (error) {
    throw toSignInFailed(error, { purpose: 'login', idToken: network.lastIdToken() })
  }
}

/** The account with this name, if it signed in before. */
const accountNamed = (
  name: string,
  library: Pick<IPublicClientApplication, 'getAllAccounts'>,
): AccountInfo | undefined =>
  library.getAllAccounts().find(({ username }) => username.toLowerCase() === name.toLowerCase())

function knownHost(authority: string): string[] {
  try {
    return [new URL(authority).host]
  } catch {
    return []
  }
}

/** Signs in through the mail client around the page. */
export type NestedClient = Readonly<{
  /**
   * Returns null when the mail client has to ask the user something. The caller must then use `interactive`. The token
   * belongs to the account in `loginHint` if that account signed in before; otherwise the mail client chooses the
   * account. With `fresh`, the library's cache is skipped.
   */
  silent(loginHint: string | undefined, fresh: boolean): Promise<TokenGrant | null>
  interactive(loginHint: string | undefined): Promise<TokenGrant>
}>

/**
 * Connects to the mail client for nested sign-in. The caller must check for the bridge first: without the bridge, the
 * library would open its own windows.
 */
export async function openNestedClient(
  settings: Pick<LibrarySettings, 'clientId' | 'authority' | 'scope'>,
): Promise<NestedClient> {
  const { clientId, authority, scope } = settings
  const problem = checkSignIn({ authority, scopes: [scope] }, 'popup')
  if (problem) throw signInFailure(problem)
  const context = { purpose: 'token', idToken: null } as const
  let library: IPublicClientApplication
  try {
    library = await createNestablePublicClientApplication({
      auth: { clientId, authority },
      cache: { cacheLocation: 'localStorage' },
    })
  } catch (error) {
    throw toSignInFailed(error, context)
  }
  const requestFor = (loginHint: string | undefined) => {
    const account = loginHint === undefined ? undefined : accountNamed(loginHint, library)
    return { scopes: [scope], ...(account ? { account } : {}) }
  }
  return {
    silent: async (loginHint, fresh) => {
      const request = requestFor(loginHint)
      const acquire = (forceRefresh: boolean) => library.acquireTokenSilent({ ...request, forceRefresh })
      try {
        const result = await acquire(fresh)
        // The library's cache returns the account that it used last, whichever account was requested.
        const isOther =
          result.fromCache &&
          request.account !== undefined &&
          result.account.homeAccountId !== request.account.homeAccountId
        return toGrant(isOther ? await acquire(true) : result)
      } catch (error) {
        if (error instanceof InteractionRequiredAuthError) return null
        throw toSignInFailed(error, context)
      }
    },
    interactive: async (loginHint) => {
      try {
        return toGrant(await library.acquireTokenPopup(requestFor(loginHint)))
      } catch (error) {
        throw toSignInFailed(error, context)
      }
    },
  }
}
