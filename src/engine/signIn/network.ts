import type { INetworkModule, NetworkRequestOptions, NetworkResponse } from '@azure/msal-browser'
import type { Circumstances } from './libraryErrors.ts'

/** How long an access token lives when the answer does not say, in seconds (specification, section 9). */
export const DEFAULT_LIFETIME_S = 3599

/** The library's network, which also tells what the id token of the last token answer was. */
export type Network = Readonly<{ module: INetworkModule; lastIdToken: () => Circumstances['idToken'] }>

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

const judged = (token: unknown): Circumstances['idToken'] => {
  if (typeof token !== 'string' || token === '') return 'missing'
  return isReadable(token) ? 'readable' : 'unreadable'
}

/**
 * The network of the sign-in library. A token answer that says nothing of its lifetime gets the default one; one that
 * comes from a provider, or something before it, that can take no more is an error whatever it says. With
 * `allowsPlainLocalhost`, https://localhost is asked over http, for the identity provider of a developer's machine:
 * the library takes no authority that is not https.
 */
export function createNetwork(options: Readonly<{ allowsPlainLocalhost: boolean }>): Network {
  let idToken: Circumstances['idToken'] = null

  const send = async <T>(method: 'GET' | 'POST', url: string, request?: NetworkRequestOptions) => {
    const address = options.allowsPlainLocalhost
      ? url.replace(/^https:\/\/localhost:/, 'http://localhost:')
      : url
    const answer = await fetch(address, {
      method,
      headers: request?.headers ?? {},
      ...(request?.body === undefined ? {} : { body: request.body }),
      credentials: 'omit',
    })
    const isOverloaded = answer.status === 429 || answer.status >= 500
    const body: unknown = isOverloaded ? await answer.json().catch(() => ({})) : await answer.json()
    // Without an error the library would take it for an answer without tokens.
    if (method === 'POST' && isOverloaded && isRecord(body)) body['error'] ??= 'temporarily_unavailable'
    if (method === 'POST' && isRecord(body) && 'access_token' in body) {
      idToken = judged(body['id_token'])
      body['expires_in'] ??= DEFAULT_LIFETIME_S
    }
    return { headers: Object.fromEntries(answer.headers), status: answer.status, body } as NetworkResponse<T>
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
