import type { AuthState } from '../auth/reducer.ts'
import type { Path } from './events.ts'
import { isPublicPath, plainPath, routeAt } from './routes.ts'

export const HOME_PATH = '/home'
export const DASHBOARD_PATH = '/app/dashboard'
export const LOGOUT_PATH = '/logout'

/** The layout around the pages that need a sign-in. The path itself redirects to the dashboard. */
const LAYOUT = '/app'

type Status = Readonly<{ status: string }>

const REDIRECT_FROM = 'redirectFrom'
const LOGOUT_FROM = `${LOGOUT_PATH}?${REDIRECT_FROM}=`
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
export function safeAppPath(path: string): Path | null {
  const parts = IN_APP.exec(path)?.[1]?.split('/')
  return parts?.every(isName) ? path : null
}

/** The path before the redirect to /logout, read from the query; null if the query has no safe path under /app. */
export function pathBeforeLogout(path: Path): Path | null {
  if (!path.startsWith(LOGOUT_FROM)) return null
  try {
    return safeAppPath(decodeURIComponent(path.slice(LOGOUT_FROM.length)))
  } catch {
    return null
  }
}

/** Whether this path is under the layout, which needs a sign-in. */
export const isAppPath = (path: Path): boolean => {
  const plain = plainPath(path)
  return plain === LAYOUT || plain.startsWith(`${LAYOUT}/`)
}

export const isHomePath = (path: Path): boolean => routeAt(path)?.name === 'HomeRoute'

export const isLogoutPath = (path: Path): boolean => routeAt(path)?.name === 'LogoutRoute'

/**
 * The target of the redirect for a user at this path; null without a redirect (specification, section 2). A signed-out
 * user is redirected from a route under /app to /logout, which keeps the path, and from there to the home route. After
 * a sign-in, the user is redirected to `wanted`. Until the session is known, only an unknown route redirects. An
 * unknown route redirects to the home route.
 */
export function redirectionFor(path: Path, auth: AuthState, wanted: Path | null = null): Path | null {
  const route = routeAt(path)
  if (isPublicPath(path)) return null
  const isApp = isAppPath(path)
  if (isApp && auth.status === 'signedOut')
    return safeAppPath(path) === null ? LOGOUT_PATH : LOGOUT_FROM + encodeURIComponent(path)
  if (plainPath(path) === LAYOUT) return auth.status === 'success' ? DASHBOARD_PATH : null
  if (route === null) return HOME_PATH
  switch (auth.status) {
    case 'success':
      return isApp || route.name === 'LogoutRoute' ? null : (wanted ?? DASHBOARD_PATH)
    case 'signedOut':
      return route.name === 'HomeRoute' ? null : HOME_PATH
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
