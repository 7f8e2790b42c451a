/** The BroadcastChannel on which the callback page announces a response to every page of its origin. */
export const RESPONSE_CHANNEL = 'signet.answers'

/**
 * `window` is the callback window's name, which its opener knows. `state` is the response's state; null if it has none.
 */
export type ResponseNotice = Readonly<{ window: string; state: string | null }>

/**
 * Reads the fields of the identity provider's response from an address. Null if the address has no response, for
 * example a route of the pane.
 */
export function readRedirectResponse({
  hash,
  search,
}: Readonly<{ hash: string; search: string }>): URLSearchParams | null {
  const isRoute = hash === '' || hash.startsWith('#/')
  const fields = new URLSearchParams(isRoute ? search : hash.slice(1))
  return ['state', 'code', 'error'].some((name) => fields.has(name)) ? fields : null
}
