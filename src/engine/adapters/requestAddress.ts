// Builds addresses as `URL` and `URLSearchParams` do, because the runtime of launch events has neither.

/** The parameters of a request by name. Undefined parameters are left out. */
export type RequestQuery = Readonly<Record<string, string | undefined>>

/** Replaces half a surrogate pair by the replacement character, as `URLSearchParams` does. */
const withoutHalves = (text: string): string =>
  text.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (found) =>
    found.length === 2 ? found : '\ufffd',
  )

/** Encodes a name or a value as forms do (application/x-www-form-urlencoded). */
const encode = (text: string): string =>
  encodeURIComponent(withoutHalves(text))
    .replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%20/g, '+')

/**
 * Builds the address of this path and query on the server of `baseUrl`, whose own path and query are ignored. `path`
 * begins with one slash. Throws when `baseUrl` names no server.
 */
export function addressOf(baseUrl: string, path: string, query: RequestQuery): string {
  const server = /^https?:\/\/[^/?#\\]+/i.exec(baseUrl)?.[0]
  if (server === undefined) throw new TypeError('the base address names no server')
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encode(name)}=${encode(value)}`],
  )
  return server + path + (parameters.length === 0 ? '' : `?${parameters.join('&')}`)
}
