import type { INetworkModule, NetworkRequestOptions, NetworkResponse } from '@azure/msal-browser'
import type { SignInContext } from './libraryErrors.ts'

/** The lifetime of an access token if the response has none (specification, section 9). */
const DEFAULT_LIFETIME_S = 3599

/** The library's network module. `lastIdToken` returns the state of the id token in the last token response. */
type Network = Readonly<{ module: INetworkModule; lastIdToken: () => SignInContext['idToken'] }>

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isReadable = (token: string): boolean => {
  try {
    const [, payload = ''] = token.split('.')
    return isRecord(JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))))
  } catch {
    return false
  }
}

const classify = (token: unknown): SignInContext['idToken'] => {
  if (typeof token !== 'string' || token === '') return 'missing'
  return isReadable(token) ? 'readable' : 'unreadable'
}

/**
 * Creates the network module of the sign-in library. A token response without a lifetime gets the default lifetime, and
 * a token response with status 429 or 5xx always gets an error. With `allowsPlainLocalhost`, a request to
 * https://localhost is sent over http, because the library accepts only https, even for an identity provider on a
 * developer's machine.
 */
export function createNetwork(options: Readonly<{ allowsPlainLocalhost: boolean }>): Network {
  let idToken: SignInContext['idToken'] = null

  const send = async <T>(method: 'GET' | 'POST', url: string, request?: NetworkRequestOptions) => {
    const address = options.allowsPlainLocalhost
      ? url.replace(/^https:\/\/localhost:/, 'http://localhost:')
      : url
    const response = await fetch(address, {
      method,
      headers: request?.headers ?? {},
      ...(request?.body === undefined ? {} : { body: request.body }),
      credentials: 'omit',
    })
    const isOverloaded = response.status === 429 || response.status >= 500
    const body: unknown = isOverloaded ? await response.json().catch(() => ({})) : await response.json()
    // Without an error in the body, the library would take the response for a success that lacks tokens.
    if (method === 'POST' && isOverloaded && isRecord(body)) body['error'] ??= 'temporarily_unavailable'
    if (method === 'POST' && isRecord(body) && 'access_token' in body) {
      idToken = classify(body['id_token'])
      body['expires_in'] ??= DEFAULT_LIFETIME_S
    }
    return {
      headers: Object.fromEntries(response.headers),
      status: response.status,
      body,
    } as NetworkResponse<T>
  }

  return {
    module: {
      sendGetRequestAsync: (url, request) => send('GET', url, request),
      sendPostRequestAsync: (url, request) => {
        idToken = null
        return send('POST', url, request)
      },
    },
    lastIdToken: () => idToken,
  }
}
