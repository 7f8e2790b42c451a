import { FIRST_PERSON } from '../mailbox/demo.ts'

// The mail client's side of nested app authentication, as Microsoft's sign-in library 5.29.0 expects it.

/** The bridge's faults. The page's URL can name one, as in `?identity=nested-consent`. */
export const NESTED_FAULTS = [
  'unanswered',
  'silent',
  'consent',
  'cancelled',
  'offline',
  'disabled',
  'noAccount',
  'otherAccount',
] as const
export type NestedFault = (typeof NESTED_FAULTS)[number]

/**
 * Reads the sign-in settings in a page's query. `?identity=nested` signs in through the bridge;
 * `?identity=nested-consent` gives the bridge the fault `consent`.
 */
export function readSignInSettings(
  search: string,
): Readonly<{ isNested: boolean; fault: NestedFault | null }> {
  const [kind, fault] = (new URLSearchParams(search).get('identity') ?? '').split('-')
  return {
    isNested: kind === 'nested',
    fault: (kind === 'nested' && NESTED_FAULTS.find((each) => each === fault)) || null,
  }
}

/** The second account signed in to the mail client, besides the mailbox's own. */
const secondAccount = (email: string): string =>
  email === FIRST_PERSON ? 'maria.silva@northwind.example' : FIRST_PERSON

/** The address of the account whose tokens the mail client returns, unless a request names an account. */
export const tokenAccount = (email: string, fault: NestedFault | null): string =>
  fault === 'otherAccount' ? secondAccount(email) : email

/** The object that the sign-in library looks up in the nested page's window. */
export type NestedBridge = Readonly<{
  addEventListener(type: string, listener: (message: string) => void): void
  removeEventListener(type: string, listener: (message: string) => void): void
  postMessage(message: string): void
}>

type BridgeRequest = Readonly<{
  requestId: string
  method: 'GetInitContext' | 'GetToken' | 'GetTokenPopup'
  /** `platformBrokerId` is the requested account's `homeAccountId`. */
  tokenParams?: Readonly<{ scope: string; platformBrokerId?: string }>
}>
/** A response's fields besides its type and id. */
type BridgeResponse = Readonly<Record<string, unknown>>

/** The status with which the bridge refuses every token request, by fault. */
const STATUSES: Readonly<Partial<Record<NestedFault, string>>> = {
  offline: 'NO_NETWORK',
  disabled: 'DISABLED',
  noAccount: 'ACCOUNT_UNAVAILABLE',
}

/** The suffix of each `homeAccountId`. */
const HOME = '.home'

const refused = (status: string, code = ''): BridgeResponse => ({ success: false, error: { status, code } })

/** Creates the bridge. `email` returns the address of the mailbox's user; `tokens` gets tokens for an address. */
export function createNestedBridge(
  options: Readonly<{
    email: () => string
    tokens: (email: string) => Promise<Readonly<{ access_token: string; id_token: string }>>
    fault: NestedFault | null
  }>,
): NestedBridge {
  const { email, tokens, fault } = options
  const listeners = new Set<(message: string) => void>()

  const token = async ({ tokenParams }: BridgeRequest): Promise<BridgeResponse> => {
    const named = tokenParams?.platformBrokerId?.replace(HOME, '')
    const user = named ?? tokenAccount(email(), fault)
    const { access_token, id_token } = await tokens(user)
    return {
      success: true,
      token: { access_token, id_token, expires_in: 3599, scope: tokenParams?.scope ?? '', properties: null },
      account: {
        homeAccountId: `${user}${HOME}`,
        environment: 'playground',
        tenantId: 'playground',
        username: user,
        localAccountId: user,
        name: user,
      },
    }
  }

  const answer = (request: BridgeRequest): Promise<BridgeResponse> | BridgeResponse | null => {
    if (request.method === 'GetInitContext') {
      if (fault === 'unanswered') return null
      return {
        success: true,
        initContext: { sdkName: 'playground', sdkVersion: '1', capabilities: { queryAccount: true } },
      }
    }
    if (fault === 'silent') return null
    if (fault === 'consent' || fault === 'cancelled') {
      if (request.method !== 'GetTokenPopup') return refused('USER_INTERACTION_REQUIRED', 'invalid_grant')
      if (fault === 'cancelled') return refused('USER_CANCEL')
    }
    const status = fault === null ? undefined : STATUSES[fault]
    return status === undefined ? token(request) : refused(status)
  }

  return {
    addEventListener: (_type, listener) => void listeners.add(listener),
    removeEventListener: (_type, listener) => void listeners.delete(listener),
    postMessage(message) {
      const request = JSON.parse(message) as BridgeRequest
      const answering = answer(request)
      if (answering === null) return
      void Promise.resolve(answering)
        .catch(() => refused('TRANSIENT_ERROR'))
        .then((fields) => {
          const response = { messageType: 'NestedAppAuthResponse', requestId: request.requestId, ...fields }
          for (const listener of listeners) listener(JSON.stringify(response))
        })
    },
  }
}
