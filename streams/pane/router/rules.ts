import type { AuthState } from '../auth/reducer.ts'
import type { Path } from './events.ts'
import { isOpenToAll, plainPath, routeAt } from './routes.ts'

export const HOME = '/home'
export const DASHBOARD = '/app/dashboard'
export const LOGOUT = '/logout'

/** The layout around the pages that need a sign-in. The path itself redirects to the dashboard. */
const LAYOUT = '/app'

type Status = Readonly<{ status: string }>

const REDIRECT_FROM = 'redirectFrom'
const LOGOUT_FROM = `${LOGOUT}?${REDIRECT_FROM}=`
/** Matches a path under /app whose parts are encoded like `encodeURIComponent` does, without a double slash. */
const IN_APP = /^\/app((?:\/(?:[\w.~!'()*-]|%[\dA-Fa-f]{2})+)*)\/?(?:\?(?:[\w.~=&+-]|%[\dA-Fa-f]{2})*)?$/

/** Whether a part of a path is a plain name, so that no browser can resolve it to another path. */
function isName(part: string): boolean {
  try {
    const name = decodeURIComponent(part)
    // A browser ignores some control characters in an address.
    return !/\p{Cc}/u.test(name) && !name.split(/[/\\]/).some((each) => each === '.' || each === '..')
  } catch {
    return false
  }
}

/** The path, if it is safe and its route needs a sign-in; otherwise null. */
export function inAppPath(path: string): Path | null {
  const parts = IN_APP.exec(path)?.[1]?.split('/')
  return parts?.every(isName) ? path : null
}

/** The path before the redirect to /logout, read from the query; null if the query has no safe path under /app. */
export function wantedBy(path: Path): Path | null {
  if (!path.startsWith(LOGOUT_FROM)) return null
  try {
    return inAppPath(decodeURIComponent(path.slice(LOGOUT_FROM.length)))
  } catch {
    return null
  }
}

/** Whether this path is under the layout, which needs a sign-in. */
export const isInApp = (path: Path): boolean => {
  const plain = plainPath(path)
  return plain === LAYOUT || plain.startsWith(`${LAYOUT}/`)
}

export const isHome = (path: Path): boolean => routeAt(path)?.name === 'HomeRoute'

export const isLogout = (path: Path): boolean => routeAt(path)?.name === 'LogoutRoute'

/**
 * The target of the redirect for a user at this path; null without a redirect (specification, section 2). A signed-out
 * user is redirected from a route under /app to /logout, which keeps the path, and from there to the home route. After
 * a sign-in, the user is redirected to `wanted`. Until the session is known, only an unknown route redirects. An
 * unknown route redirects to the home route.
 */
export function redirectionFor(path: Path, auth: AuthState, wanted: Path | null = null): Path | null {
  const route = routeAt(path)
  if (isOpenToAll(path)) return null
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

/**
 * Whether the pane may leave the home route: the profile is loaded or has failed, and the settings are known, so the
 * pane can decide whether to record its opening (specification, section 2).
 */
export const mayLeaveHome = ({
  profile,
  settings,
}: Readonly<Record<'profile' | 'settings', Status>>): boolean =>
  (profile.status === 'success' || profile.status === 'fail') && settings.status !== 'pending'
