import type { AuthState } from '../auth/reducer.ts'
import type { Path } from './events.ts'

export const HOME = '/home'
export const DASHBOARD = '/app/dashboard'
export const LOGOUT = '/logout'

const routeOf = (path: Path): string => path.replace(/\?.*$/s, '')
const isUnder = (path: Path, base: string): boolean => path === base || path.startsWith(`${base}/`)

/**
 * Where somebody at this path must go instead; null to stay (specification, section 2). Signed out, the routes under
 * /app lead to /logout, which remembers the path, and from there home. While it is not known yet who somebody is,
 * nobody is sent away from a route that exists.
 */
export function redirectionFor(path: Path, auth: AuthState): Path | null {
  const route = routeOf(path)
  const isApp = isUnder(route, '/app')
  switch (auth.status) {
    case 'success':
      return (isApp && route !== '/app') || route === LOGOUT ? null : DASHBOARD
    case 'signedOut':
      if (isApp) return auth.reason ? `${LOGOUT}?redirectFrom=${encodeURIComponent(path)}` : null
      return route === HOME ? null : HOME
    case 'unknown':
    case 'pending':
      return isApp || route === HOME || route === LOGOUT ? null : HOME
  }
}
