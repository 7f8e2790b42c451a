import { libraryOrigins } from './officeLibrary.ts'

export type PageHeaderOptions = Readonly<{
  /**
   * `pane` runs inside a mail client. `standalone` is the pane in a plain browser, and the redirect target for
   * sign-ins. `administration` is the administrators' page. `playground` is the page around the pane on a developer's
   * machine.
   */
  page: 'pane' | 'standalone' | 'administration' | 'playground'
  /** Whether the page is served over https. Over http, headers that need https are left out. */
  isSecure: boolean
  apiOrigin: string
  /** Further origins that the page may request, such as the playground's identity provider. */
  connectOrigins?: readonly string[]
  /** The origins that serve the images in signatures. */
  imageOrigins: readonly string[]
  /** Origins that may frame the page; `'self'` is the page's own. If empty, no page may frame it. */
  frameAncestors: readonly string[]
  /** The address of Microsoft's client library, for pages that load it. The library sends requests to Microsoft. */
  officeLibrary?: string
  /** Origins that the page may frame, such as that of the hidden sign-in frame; `'self'` is the page's own. */
  frameOrigins?: readonly string[]
  /** The origin of the hot-reload server, used in development only. */
  hotReloadOrigin?: string
}>

const OFFICE_TELEMETRY = ['https://browser.pipe.aria.microsoft.com', 'https://*.events.data.microsoft.com']

/** The web mail clients, which show the pane in a frame. Desktop clients show it in a window. */
export const OUTLOOK_ORIGINS: readonly string[] = [
  'https://outlook.office.com',
  'https://outlook.office365.com',
  'https://outlook.live.com',
  'https://outlook.cloud.microsoft',
  'https://outlook-sdf.office.com',
  'https://*.officeapps.live.com',
]

/**
 * Returns the headers of a Signet HTML page. Throws a `TypeError` for an invalid origin, so that no value can inject a
 * directive. Trusted Types are not required, because Parcel's lazy chunks, DOMPurify in the sandboxed preview and
 * Microsoft's library create scripts or HTML from strings. A default policy for all three would allow everything.
 */
export function pageHeaders(options: PageHeaderOptions): Record<string, string> {
  const { isSecure } = options
  // `'self'` is allowed because the pane checks that its own origin is reachable before it reloads.
  const connect = ["'self'", ...[options.apiOrigin, ...(options.connectOrigins ?? [])].map(checkedOrigin)]
  const images = options.imageOrigins.map(checkedOrigin)
  const orSelf = (origin: string) => (origin === "'self'" ? origin : checkedOrigin(origin))
  const ancestors = options.frameAncestors.map(orSelf)
  const frames = (options.frameOrigins ?? []).map(orSelf)
  const script = ["'self'"]
  if (options.officeLibrary) {
    script.push(...libraryOrigins(options.officeLibrary).map(checkedOrigin))
    connect.push(...OFFICE_TELEMETRY)
  }
  if (options.hotReloadOrigin) {
    const hotReload = checkedOrigin(options.hotReloadOrigin)
    script.push(hotReload)
    connect.push(hotReload, hotReload.replace(/^http/, 'ws'))
  }

  const directives: readonly (readonly [string, ...string[]])[] = [
    ['default-src', "'none'"],
    ['script-src', ...script],
    ['script-src-attr', "'none'"],
    // Signatures have inline styles. The preview frame needs them too; it inherits this policy and can only narrow it.
    ['style-src', "'self'", "'unsafe-inline'"],
    ['img-src', "'self'", 'data:', 'blob:', ...images],
    ['font-src', "'self'"],
    ['connect-src', ...connect],
    // Lets the playground frame the pane. The directive does not apply to `srcdoc` frames, such as previews.
    ['frame-src', ...orNone(options.page === 'playground' ? ["'self'", ...frames] : frames)],
    // Lets the playground run launch events in workers.
    ['worker-src', options.page === 'playground' ? "'self'" : "'none'"],
    ['manifest-src', "'none'"],
    ['media-src', "'none'"],
    ['object-src', "'none'"],
    ['form-action', "'none'"],
    ['base-uri', "'none'"],
    ['frame-ancestors', ...orNone(ancestors)],
    // Left out over http, where the browser would look for an https server that does not exist.
    ...(isSecure ? [['upgrade-insecure-requests'] as const] : []),
  ]

  return {
    'Content-Security-Policy': directives.map((directive) => [...new Set(directive)].join(' ')).join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    // Left out for `standalone`, because its sign-in window must reach its opener and close itself.
    ...(options.page === 'standalone' ? {} : { 'Cross-Origin-Opener-Policy': 'same-origin-allow-popups' }),
    // Pages contain no user data, so browsers may store them. They revalidate a page each time it opens.
    'Cache-Control': 'no-cache',
    ...(isSecure ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' } : {}),
  }
}

const orNone = (origins: readonly string[]): readonly string[] => (origins.length > 0 ? origins : ["'none'"])

/** Returns the origin if it is valid; its host may have a wildcard, as in `https://*.officeapps.live.com`. */
function checkedOrigin(text: string): string {
  if (!/^https?:\/\/(\*\.)?[a-z0-9.-]+(:\d{1,5})?$/i.test(text)) throw new TypeError(`Not an origin: ${text}`)
  return text
}

/** The administrators' page. The service also serves it at `/administration`. */
export const ADMINISTRATION_PAGE = 'administration.html'

/** The launch event program. Its name has no hash, because the manifest contains the name. */
export const LAUNCH_FILE = 'launch.js'
/** The launch event program with checks before sending, for manifests that handle the send event. */
export const LAUNCH_GUARD_FILE = 'launch-guard.js'
export const ALL_LAUNCH_FILES: readonly string[] = [LAUNCH_FILE, LAUNCH_GUARD_FILE]

/**
 * Lists the scripts of this origin that classic Outlook allows to sign in and to send requests during launch events.
 */
export const WELL_KNOWN_FILE = '.well-known/microsoft-officeaddins-allowed.json'

/** Files that mail clients load directly. These requests come from another origin or have none. */
const LOADED_BY_MAIL_CLIENTS = /^(icon-\d+\.png|launch(?:-guard)?\.js|\.well-known\/[^/]+)$/

/** Whether a file name contains a content hash. */
export const hasContentHash = (name: string): boolean => /\.[0-9a-f]{8}\.[a-z0-9]+(\.map)?$/.test(name)

/**
 * Returns the headers of a file other than a page. A file with a content hash in its name is immutable, but not in
 * `development`, where the name stays the same when the content changes.
 */
export function fileHeaders(name: string, development = false): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': LOADED_BY_MAIL_CLIENTS.test(name) ? 'cross-origin' : 'same-origin',
    'Cache-Control':
      !development && hasContentHash(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
}
