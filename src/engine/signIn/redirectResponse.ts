/** The BroadcastChannel on which the callback page announces a response to every page of its origin. */
export const RESPONSE_CHANNEL = 'signet.answers'

/**
 * `window` is the name of the callback page's window, which the window's opener knows. `state` is the `state` of the
 * response; null without one.
 */
export type ResponseNotice = Readonly<{ window: string; state: string | null }>

/**
 * The fields of the identity provider's response in an address; null when the address has no response. A route of the
 * pane is no response.
 */
export function readRedirectResponse({
  hash,
  search,
}: Readonly<{ hash: string; search: string }>): URLSearchParams | null {
  const isRoute = hash === '' || hash.startsWith('#/')
  const fields = new URLSearchParams(isRoute ? search : hash.slice(1))
  return ['state', 'code', 'error'].some((name) => fields.has(name)) ? fields : null
}
