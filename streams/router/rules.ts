import type { AuthState } from '../auth/reducer.ts'
import type { Path } from './events.ts'
import { plainPath, routeAt } from './routes.ts'

export const HOME = '/home'
export const DASHBOARD = '/app/dashboard'
export const LOGOUT = '/logout'

/** The layout of the pane; it shows the dashboard. */
const LAYOUT = '/app'

const REDIRECT_FROM = 'redirectFrom'
const LOGOUT_FROM = `${LOGOUT}?${REDIRECT_FROM}=`
/** Parts of letters, digits and what stands in names: no scheme, no second slash in a row, nothing to be decoded. */
const IN_APP = /^\/app(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*(\?[A-Za-z0-9._~=&-]*)?$/

/** The same path when it is one of the routes that need a sign-in, and could be nothing else; null otherwise. */
export const inAppPath = (path: string): Path | null => (IN_APP.test(path) ? path : null)

/**
 * Where the person wanted to go when arriving at /logout sent them away from there; null when the path names nothing,
 * or nothing inside the pane.
 */
export function wantedBy(path: Path): Path | null {
  if (!path.startsWith(LOGOUT_FROM)) return null
  try {
    return inAppPath(decodeURIComponent(path.slice(LOGOUT_FROM.length)))
  } catch {
    return null
  }
}

/** Whether somebody at this path is where only those who are signed in may be. */
export const isInApp = (path: Path): boolean => {
  const plain = plainPath(path)
  return plain === LAYOUT || plain.startsWith(`${LAYOUT}/`)
}

export const isHome = (path: Path): boolean => routeAt(path)?.name === 'HomeRoute'

export const isLogout = (path: Path): boolean => routeAt(path)?.name === 'LogoutRoute'

/**
 * Where somebody at this path must go instead; null to stay (specification, section 2). Signed out, the routes under
 * /app lead to /logout, which remembers the path, and from there home; signing in leads to what is `wanted` since. While
 * it is not known yet who somebody is, nobody is sent away from a route that exists. What is no route leads home.
 */
export function redirectionFor(path: Path, auth: AuthState, wanted: Path | null = null): Path | null {
  const route = routeAt(path)
  // Signed in or not, every user may read it.
  if (route?.page === 'about') return null
  const isApp = isInApp(path)
  if (isApp && auth.status === 'signedOut')
    return inAppPath(path) === null ? LOGOUT : LOGOUT_FROM + encodeURIComponent(path)
  if (plainPath(path) === LAYOUT) return auth.status === 'success' ? DASHBOARD : null
  if (route === null) return HOME
  switch (auth.status) {
    case 'success':
      return isApp || route.name === 'LogoutRoute' ? null : (wanted ?? DASHBOARD)
    case 'signedOut':
      return route.name === 'HomeRoute' ? null : HOME
    case 'unknown':
    case 'pending':
      return null
  }
}
