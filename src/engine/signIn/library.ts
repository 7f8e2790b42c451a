import {
  type AccountInfo,
  type AuthenticationResult,
  createNestablePublicClientApplication,
  createStandardPublicClientApplication,
  EventType,
  InteractionRequiredAuthError,
  type IPublicClientApplication,
} from '@azure/msal-browser'
import { filter, map, merge, Observable, share, switchMap, take, takeUntil } from 'rxjs'
import { checkSignIn } from '../../../streams/auth/checks.ts'
import { signInFailed, UNEXPECTED } from '../../../streams/auth/signInCodes.ts'
import { after, growingIntervals, type Time } from '../../../streams/kernel/time.ts'
import { ANSWERS, type Answered } from './answer.ts'
import { type Circumstances, toSignInFailed } from './libraryErrors.ts'
import { createNetwork } from './network.ts'

// The one module that knows the sign-in library. It is large: load it by `import()`, where and when it is needed.

/** Specification, section 9. */
export const FRAME_LIMIT_MS = 6_000
export const RENEWAL_OFFSET_S = 300
export const WATCH_INTERVAL_MS = 50
export const POPUP_SIZE = { width: 483, height: 600 }
/** How long the sign-in window may stay open, in milliseconds. */
export const WINDOW_LIMIT_MS = 300_000
/** How long an answer may take to arrive after its window has closed, in milliseconds. */
export const CLOSED_GRACE_MS = 300

/** Who signed in, and the token for the service. */
export type Granted = Readonly<{ accessToken: string; email: string }>

export type LibrarySettings = Readonly<{
  clientId: string
  authority: string
  /** The one permission that is asked for. */
  scope: string
  /** The callback page: index.html at the origin of the page. */
  redirectUri: string
  /** See `createNetwork`. */
  allowsPlainLocalhost: boolean
  time: Time
}>

/** Signing in with windows and hidden frames. Every failure is a `Failed` of the catalogue. */
export type WindowClient = Readonly<{
  /** Opens the sign-in window; needs a click of the last seconds, or browsers block it. */
  popup(how: Readonly<{ purpose: 'login' | 'token'; loginHint?: string }>): Promise<Granted>
  /** From the cache, by the refresh token, or in a hidden frame, for the person with this address. */
  silent(loginHint: string): Promise<Granted>
  /** Ends the session at the identity provider, in a window of its own. */
  signOut(): Promise<void>
  /** Forgets every account and token that this browser keeps. */
  forget(): Promise<void>
}>

const isAnswered = (message: unknown): message is Answered =>
  typeof message === 'object' && message !== null && 'window' in message && 'state' in message

function granted(result: AuthenticationResult | null): Granted {
  if (!result) throw signInFailed('AUTH_GENERIC_ERROR', UNEXPECTED.response)
  const account = result.account as AccountInfo | null
  if (!account) throw signInFailed('AUTH_GENERIC_ERROR', UNEXPECTED.account)
  return {
    accessToken: result.accessToken,
    email: account.idTokenClaims?.preferred_username ?? account.username,
  }
}

/** `trouble` only ever rejects; `end` is to be called in any case. */
type Watch = Readonly<{ trouble: Promise<never>; end: () => void }>

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
  // A window that was left while it was open still counts as open.
  let isLeft = false

  const failed = (error: unknown, purpose: Circumstances['purpose']) =>
    toSignInFailed(error, { purpose, idToken: network.lastIdToken() })

  /** Fails as soon as the window was closed without an answer, or the answer is to something else. */
  const watching = (correlationId: string, state: string | null): Watch => {
    const answer$ = new Observable<Answered>((subscriber) => {
      const channel = new BroadcastChannel(ANSWERS)
      channel.addEventListener('message', ({ data: heard }: MessageEvent<unknown>) => {
        if (isAnswered(heard) && heard.window.endsWith(correlationId)) subscriber.next(heard)
      })
      return () => channel.close()
    }).pipe(share())
    const opened$ = new Observable<Window>((subscriber) => {
      const callback = library.addEventCallback(
        ({ payload, correlationId: of }) => {
          if (of === correlationId && payload && 'popupWindow' in payload)
            subscriber.next(payload.popupWindow)
        },
        [EventType.POPUP_OPENED],
      )
      return () => {
        if (callback !== null) library.removeEventCallback(callback)
      }
    })
    const closed$ = opened$.pipe(
      switchMap((window) =>
        growingIntervals(WATCH_INTERVAL_MS, 0, time).pipe(
          filter(() => window.closed),
          take(1),
        ),
      ),
      switchMap(() => after(CLOSED_GRACE_MS, time)),
      map(() => signInFailed('user_cancelled')),
      takeUntil(answer$),
    )
    const foreign$ = answer$.pipe(
      filter((answered) => state !== null && answered.state?.split('|')[1] !== state),
      map(() => signInFailed('invalid_state_error')),
    )
    let end: (() => void) | null = null
    const trouble = new Promise<never>((_, reject) => {
      const watch = merge(foreign$, closed$).pipe(take(1)).subscribe(reject)
      end = () => watch.unsubscribe()
    })
    return { trouble, end: () => end?.() }
  }

  const inWindow = async <Result>(
    work: Promise<Result>,
    watch: Watch,
    purpose: Circumstances['purpose'],
  ): Promise<Result> => {
    try {
      return await Promise.race([
        work.catch((error: unknown) => {
          throw failed(error, purpose)
        }),
        watch.trouble.catch((error: unknown) => {
          isLeft = true
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
      if (problem) throw signInFailed(problem)
      const watch = watching(correlationId, state)
      const overrideInteractionInProgress = isLeft
      isLeft = false
      const work = library.acquireTokenPopup({
        ...request,
        state,
        overrideInteractionInProgress,
        popupWindowAttributes: { popupSize: POPUP_SIZE },
      })
      return granted(await inWindow(work, watch, purpose))
    },

    silent: async (loginHint) => {
      const request = { authority, scopes, correlationId: crypto.randomUUID(), loginHint }
      const problem = checkSignIn(request, 'silent')
      if (problem) throw signInFailed(problem)
      const account = library
        .getAllAccounts()
        .find(({ username }) => username.toLowerCase() === loginHint.toLowerCase())
      try {
        return granted(
          await (account
            ? library.acquireTokenSilent({ ...request, account, forceRefresh: false })
            : library.ssoSilent(request)),
        )
      } catch (error) {
        throw failed(error, 'silent')
      }
    },

    signOut: async () => {
      const correlationId = crypto.randomUUID()
      const [account] = library.getAllAccounts()
      const watch = watching(correlationId, null)
      const work = library.logoutPopup({
        correlationId,
        ...(account ? { account } : {}),
        popupWindowAttributes: { popupSize: POPUP_SIZE },
      })
      await inWindow(work, watch, 'login')
    },

    forget: () => library.clearCache(),
  }
}

/**
 * Signs in by sending this page to the identity provider and back, for a page that cannot open windows. Null while the
 * page is about to leave; what it comes back to asks again and gets who signed in.
 */
export async function signInByLeaving(
  settings: LibrarySettings & Readonly<{ startPage: string }>,
): Promise<Granted | null> {
  const { clientId, authority, scope, redirectUri, startPage } = settings
  const network = createNetwork(settings)
  const request = { authority, scopes: [scope], prompt: 'select_account', correlationId: crypto.randomUUID() }
  const problem = checkSignIn(request, 'popup')
  if (problem) throw signInFailed(problem)
  try {
    const library = await createStandardPublicClientApplication({
      auth: { clientId, authority, knownAuthorities: knownHost(authority), redirectUri },
      cache: { cacheLocation: 'sessionStorage' },
      system: { networkClient: network.module },
    })
    const result = await library.handleRedirectPromise()
    if (result) return granted(result)
    await library.acquireTokenRedirect({ ...request, redirectStartPage: startPage })
    return null
  } catch (error) {
    throw toSignInFailed(error, { purpose: 'login', idToken: network.lastIdToken() })
  }
}

const knownHost = (authority: string): string[] => (URL.canParse(authority) ? [new URL(authority).host] : [])

/** Signing in through the mail client that the page is nested in. */
export type NestedClient = Readonly<{
  /** Null when the mail client wants the person to do something, for which it must be asked by `interactive`. */
  silent(): Promise<Granted | null>
  interactive(): Promise<Granted>
}>

/** The caller makes sure of the bridge first: without it the library would sign in by windows of its own. */
export async function openNestedClient(
  settings: Pick<LibrarySettings, 'clientId' | 'authority' | 'scope'>,
): Promise<NestedClient> {
  const { clientId, authority, scope } = settings
  const request = { authority, scopes: [scope], correlationId: crypto.randomUUID() }
  const problem = checkSignIn(request, 'popup')
  if (problem) throw signInFailed(problem)
  const circumstances = { purpose: 'token', idToken: null } as const
  let library: IPublicClientApplication
  try {
    library = await createNestablePublicClientApplication({
      auth: { clientId, authority },
      cache: { cacheLocation: 'localStorage' },
    })
  } catch (error) {
    throw toSignInFailed(error, circumstances)
  }
  return {
    silent: async () => {
      try {
        return granted(await library.acquireTokenSilent({ scopes: [scope] }))
      } catch (error) {
        if (error instanceof InteractionRequiredAuthError) return null
        throw toSignInFailed(error, circumstances)
      }
    },
    interactive: async () => {
      try {
        return granted(await library.acquireTokenPopup({ scopes: [scope] }))
      } catch (error) {
        throw toSignInFailed(error, circumstances)
      }
    },
  }
}
