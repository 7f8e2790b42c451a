import type { Path } from './events.ts'

/** The views; those that are not in the first chunk are loaded when a route needs them. */
export type ViewName = 'dashboard' | 'signatures' | 'settings' | 'selfTest' | 'variables' | 'about'

/** Every route by its name (specification, section 2). `loading` and `onboarding` need nothing loaded. */
export type Route =
  | Readonly<{ name: 'HomeRoute' | 'LogoutRoute' | 'LoadingRoute'; view: null }>
  | Readonly<{ name: 'DashboardRoute'; view: 'dashboard' }>
  | Readonly<{ name: 'SignaturesListRoute'; view: 'signatures'; type: string }>
  | Readonly<{ name: 'ConfigRoute' | 'AppSettingsRoute'; view: 'settings' }>
  | Readonly<{ name: 'SelfTestRoute'; view: 'selfTest' }>
  | Readonly<{ name: 'AttributesRoute' | 'VariablesRoute'; view: 'variables' }>
  | Readonly<{ name: 'AboutRoute'; view: 'about' }>

const fixed: Readonly<Record<string, Route>> = {
  '/home': { name: 'HomeRoute', view: null },
  '/app/dashboard': { name: 'DashboardRoute', view: 'dashboard' },
  '/app/settings/config': { name: 'ConfigRoute', view: 'settings' },
  '/app/settings/app': { name: 'AppSettingsRoute', view: 'settings' },
  '/app/settings/self-test': { name: 'SelfTestRoute', view: 'selfTest' },
  '/app/settings/attributes': { name: 'AttributesRoute', view: 'variables' },
  '/app/settings/variables': { name: 'VariablesRoute', view: 'variables' },
  '/pages/about': { name: 'AboutRoute', view: 'about' },
  '/about': { name: 'AboutRoute', view: 'about' },
  '/auth': { name: 'LoadingRoute', view: null },
  '/auth/login': { name: 'LoadingRoute', view: null },
  '/auth/logout': { name: 'LoadingRoute', view: null },
  '/loading': { name: 'LoadingRoute', view: null },
  '/logout': { name: 'LogoutRoute', view: null },
}

const SIGNATURES = /^\/app\/signatures\/([^/]+)$/

/** The folder of the signatures list that holds what others share. */
export const DELEGATIONS = 'delegations'

/** The path without its query, and without a slash at its end. */
export const plainPath = (path: Path): Path => path.replace(/\?.*$/s, '').replace(/(.)\/$/, '$1')

/** The route of a path, its query left aside; null for a path that is none. */
export function routeAt(path: Path): Route | null {
  const plain = plainPath(path)
  const known = Object.hasOwn(fixed, plain) ? fixed[plain] : undefined
  if (known) return known
  const type = SIGNATURES.exec(plain)?.[1]
  return type === undefined ? null : { name: 'SignaturesListRoute', view: 'signatures', type }
}

/**
 * Names what is drawn at a path: the same for paths of one view, another one for another parameter of the route. What
 * leads on by itself is where it leads to, so that nothing is drawn twice at the start.
 */
export function placeAt(path: Path): string {
  const route = routeAt(path)
  if (route === null || route.name === 'HomeRoute') return 'dashboard'
  if (route.view === null) return 'loading'
  return route.view === 'signatures' ? `signatures/${route.type}` : route.view
}
