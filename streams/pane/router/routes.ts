import { DELEGATIONS_FOLDER, MAIN_COLLECTION } from '../../message/signatures/entry.ts'
import type { Path } from './events.ts'

/** The pages. The code of a page that is not in the first chunk is loaded when a route needs the page. */
export type PageName = 'dashboard' | 'signatures' | 'settings' | 'selfTest' | 'variables' | 'about' | 'help'

/** Every route by its name (specification, section 2). `page` is null for a route without page code. */
export type Route =
  | Readonly<{ name: 'HomeRoute' | 'LogoutRoute' | 'LoadingRoute'; page: null }>
  | Readonly<{ name: 'DashboardRoute'; page: 'dashboard' }>
  | Readonly<{ name: 'SignaturesListRoute'; page: 'signatures'; type: string }>
  | Readonly<{ name: 'ConfigRoute' | 'AppSettingsRoute'; page: 'settings' }>
  | Readonly<{ name: 'SelfTestRoute'; page: 'selfTest' }>
  | Readonly<{ name: 'AttributesRoute' | 'VariablesRoute'; page: 'variables' }>
  | Readonly<{ name: 'AboutRoute'; page: 'about' }>
  | Readonly<{ name: 'HelpRoute'; page: 'help' }>

/** The path of the help page, also used in the manifest. */
export const HELP_PATH = '/help'

const fixed: Readonly<Record<string, Route>> = {
  '/home': { name: 'HomeRoute', page: null },
  '/app/dashboard': { name: 'DashboardRoute', page: 'dashboard' },
  '/app/settings/config': { name: 'ConfigRoute', page: 'settings' },
  '/app/settings/app': { name: 'AppSettingsRoute', page: 'settings' },
  '/app/settings/self-test': { name: 'SelfTestRoute', page: 'selfTest' },
  '/app/settings/attributes': { name: 'AttributesRoute', page: 'variables' },
  '/app/settings/variables': { name: 'VariablesRoute', page: 'variables' },
  '/pages/about': { name: 'AboutRoute', page: 'about' },
  '/about': { name: 'AboutRoute', page: 'about' },
  [HELP_PATH]: { name: 'HelpRoute', page: 'help' },
  '/auth': { name: 'LoadingRoute', page: null },
  '/auth/login': { name: 'LoadingRoute', page: null },
  '/auth/logout': { name: 'LoadingRoute', page: null },
  '/loading': { name: 'LoadingRoute', page: null },
  '/logout': { name: 'LogoutRoute', page: null },
}

const SIGNATURES = /^\/app\/signatures\/([^/]+)$/

/** The path of a folder's signature list: `main`, `delegations` or a collection. */
export const signaturesPath = (folder: string): Path => `/app/signatures/${encodeURIComponent(folder)}`

/** Decodes a part of a path. A part that cannot be decoded stays unchanged. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The path without its query and its trailing slash. */
export const plainPath = (path: Path): Path => path.replace(/\?[^]*$/, '').replace(/(.)\/$/, '$1')

/** The route of a path, ignoring its query; null for an unknown path. */
export function routeAt(path: Path): Route | null {
  const plain = plainPath(path)
  const known = Object.hasOwn(fixed, plain) ? fixed[plain] : undefined
  if (known) return known
  const type = SIGNATURES.exec(plain)?.[1]
  return type === undefined ? null : { name: 'SignaturesListRoute', page: 'signatures', type: decoded(type) }
}

/** Whether the page at this path can be read without a sign-in. */
export function isPublicPath(path: Path): boolean {
  const page = routeAt(path)?.page
  return page === 'about' || page === 'help'
}

/**
 * The key of the view at a path. All paths of a page share a key, except that each folder of signatures has its own. A
 * redirecting route has the key of its target, so that nothing is mounted twice at the start.
 */
export function viewKeyAt(path: Path): string {
  const route = routeAt(path)
  if (route === null || route.name === 'HomeRoute') return 'dashboard'
  if (route.page === null) return 'loading'
  return route.page === 'signatures' ? `signatures/${route.type}` : route.page
}

/** The collection whose signatures the page at this path shows; null for any other page. */
export function collectionAt(path: Path): string | null {
  const route = routeAt(path)
  if (
    route?.name !== 'SignaturesListRoute' ||
    route.type === MAIN_COLLECTION ||
    route.type === DELEGATIONS_FOLDER
  )
    return null
  return route.type
}
