// The mail client's side of nested app authentication, as Microsoft's sign-in library 5.29.0 speaks it.

/** What may go wrong on demand. */
export const nestedFaults = [
  'unanswered',
  'silent',
  'consent',
  'cancelled',
  'offline',
  'disabled',
  'noAccount',
] as const
export type NestedFault = (typeof nestedFaults)[number]

/** What the library finds in the page that is nested. */
export type NestedBridge = Readonly<{
  addEventListener(type: string, listener: (message: string) => void): void
  removeEventListener(type: string, listener: (message: string) => void): void
  postMessage(message: string): void
}>

type Request = Readonly<{
  requestId: string
  method: 'GetInitContext' | 'GetToken' | 'GetTokenPopup'
  tokenParams?: Readonly<{ scope: string }>
}>
type Answer = Readonly<Record<string, unknown>>

const refused = (status: string, code = ''): Answer => ({ success: false, error: { status, code } })

/** `tokens` signs the person of the mailbox in, who is `email`. */
export function createNestedBridge(
  options: Readonly<{
    email: () => string
    tokens: (email: string) => Promise<Readonly<{ access_token: string; id_token: string }>>
    fault: NestedFault | null
  }>,
): NestedBridge {
  const { email, tokens, fault } = options
  const listeners = new Set<(message: string) => void>()

  const token = async ({ tokenParams }: Request): Promise<Answer> => {
    const person = email()
    const { access_token, id_token } = await tokens(person)
    return {
      success: true,
      token: { access_token, id_token, expires_in: 3599, scope: tokenParams?.scope ?? '', properties: null },
      account: {
        homeAccountId: `${person}.home`,
        environment: 'playground',
        tenantId: 'playground',
        username: person,
        localAccountId: person,
        name: person,
      },
    }
  }

  const answer = (request: Request): Promise<Answer> | Answer | null => {
    if (request.method === 'GetInitContext') {
      if (fault === 'unanswered') return null
      return {
        success: true,
        initContext: { sdkName: 'playground', sdkVersion: '1', capabilities: { queryAccount: true } },
      }
    }
    const isAsking = request.method === 'GetTokenPopup'
    switch (fault) {
      case 'silent':
        return null
      case 'consent':
        return isAsking ? token(request) : refused('USER_INTERACTION_REQUIRED', 'invalid_grant')
      case 'cancelled':
        return isAsking ? refused('USER_CANCEL') : refused('USER_INTERACTION_REQUIRED', 'invalid_grant')
      case 'offline':
        return refused('NO_NETWORK')
      case 'disabled':
        return refused('DISABLED')
      case 'noAccount':
        return refused('ACCOUNT_UNAVAILABLE')
      case 'unanswered':
      case null:
        return token(request)
    }
  }

  return {
    addEventListener: (_type, listener) => void listeners.add(listener),
    removeEventListener: (_type, listener) => void listeners.delete(listener),
    postMessage(message) {
      const request = JSON.parse(message) as Request
      const answered = answer(request)
      if (answered === null) return
      void Promise.resolve(answered)
        .catch(() => refused('TRANSIENT_ERROR'))
        .then((told) => {
          const response = { messageType: 'NestedAppAuthResponse', requestId: request.requestId, ...told }
          for (const listener of listeners) listener(JSON.stringify(response))
        })
    },
  }
}
