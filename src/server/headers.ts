import { libraryOrigins } from './officeLibrary.ts'

export type PageHeaderOptions = Readonly<{
  /**
   * `pane` runs inside a mail client; `standalone` is the pane in a plain browser, and the redirect target of sign-ins;
   * `administration` is the page of the administrators; `playground` is the page around the pane on a developer's
   * machine.
   */
  page: 'pane' | 'standalone' | 'administration' | 'playground'
  /** Whether the page is served over https. On http the headers that need https are left out. */
  isSecure: boolean
  apiOrigin: string
  /** Further origins that the page may send requests to, such as the playground's identity provider. */
  connectOrigins?: readonly string[]
  /** The origins of the images in signatures. */
  imageOrigins: readonly string[]
  /** Origins that may frame the page; `'self'` is the page's own. When empty, no origin may. */
  frameAncestors: readonly string[]
  /** The address of Microsoft's client library, which sends requests to Microsoft; for a page that loads it. */
  officeLibrary?: string
  /** Origins that the page may frame, such as that of the hidden sign-in frame; `'self'` is the page's own. */
  frameOrigins?: readonly string[]
  /** The origin of the hot-reload server, in development only. */
  hotReloadOrigin?: string
}>

const OFFICE_TELEMETRY = ['https://browser.pipe.aria.microsoft.com', 'https://*.events.data.microsoft.com']

/** The mail clients that show the pane in a frame. Desktop clients show it in a window. */
export const OUTLOOK_ORIGINS: readonly string[] = [
  'https://outlook.office.com',
  'https://outlook.office365.com',
  'https://outlook.live.com',
  'https://outlook.cloud.microsoft',
  'https://outlook-sdf.office.com',
  'https://*.officeapps.live.com',
]

/**
 * The headers of an HTML page of Signet. Throws a `TypeError` when an origin is invalid, so that no value can inject a
 * directive.
 *
 * Trusted Types are not required: Parcel's lazy chunks, DOMPurify in the sandboxed preview and Microsoft's library
 * each create scripts or HTML from strings, and one default policy that allows all three would allow everything.
 */
export function pageHeaders(options: PageHeaderOptions): Record<string, string> {
  const { isSecure } = options
  // `'self'`, because the pane checks that its own origin is reachable before it reloads.
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
    // Signatures are styled inline, also in the preview frame, which inherits this policy and can only narrow it.
    ['style-src', "'self'", "'unsafe-inline'"],
    ['img-src', "'self'", 'data:', 'blob:', ...images],
    ['font-src', "'self'"],
    ['connect-src', ...connect],
    // The playground frames the pane. The directive does not apply to `srcdoc` frames, such as previews.
    ['frame-src', ...orNone(options.page === 'playground' ? ["'self'", ...frames] : frames)],
    // The playground runs launch events in workers.
    ['worker-src', options.page === 'playground' ? "'self'" : "'none'"],
    ['manifest-src', "'none'"],
    ['media-src', "'none'"],
    ['object-src', "'none'"],
    ['form-action', "'none'"],
    ['base-uri', "'none'"],
    ['frame-ancestors', ...orNone(ancestors)],
    // Left out on http, where the browser would look for an https server that does not exist.
    ...(isSecure ? [['upgrade-insecure-requests'] as const] : []),
  ]

  return {
    'Content-Security-Policy': directives.map((directive) => [...new Set(directive)].join(' ')).join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    // Left out for `standalone`, where a sign-in window could otherwise neither reach its opener nor close.
    ...(options.page === 'standalone' ? {} : { 'Cross-Origin-Opener-Policy': 'same-origin-allow-popups' }),
    // Browsers may store a page, which has no data of a user. At each opening they ask whether it has changed.
    'Cache-Control': 'no-cache',
    ...(isSecure ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' } : {}),
  }
}

const orNone = (origins: readonly string[]): readonly string[] => (origins.length > 0 ? origins : ["'none'"])

/** Returns a valid origin, also one with a wildcard host such as `https://*.officeapps.live.com`. */
function checkedOrigin(text: string): string {
  if (!/^https?:\/\/(\*\.)?[a-z0-9.-]+(:\d{1,5})?$/i.test(text)) throw new TypeError(`Not an origin: ${text}`)
  return text
}

/** The page of the administrators. The service serves it at `/administration`, too. */
export const ADMINISTRATION_PAGE = 'administration.html'

/** The file of the program of launch events. Its name has no hash, because the manifest contains the name. */
export const LAUNCH_FILE = 'launch.js'
/** The same, with what looks for what is missing before a message leaves: for manifests with the event of sending. */
export const GUARD_FILE = 'launch-guard.js'
export const LAUNCH_FILES: readonly string[] = [LAUNCH_FILE, GUARD_FILE]

/** Where an origin lists the scripts that may sign in and send requests in classic Outlook's launch events. */
export const WELL_KNOWN_FILE = '.well-known/microsoft-officeaddins-allowed.json'

/** The files that mail clients load by themselves. Such a request comes from another origin, or from none. */
const LOADED_BY_MAIL_CLIENTS = /^(icon-\d+\.png|launch(?:-guard)?\.js|\.well-known\/[^/]+)$/

/** Whether a file has a hash of its content in its name. */
export const isHashed = (name: string): boolean => /\.[0-9a-f]{8}\.[a-z0-9]+(\.map)?$/.test(name)

/**
 * The headers of a file that is no page. A file with a content hash in its name is immutable, except in `development`,
 * where the name stays the same when the content changes.
 */
export function fileHeaders(name: string, development = false): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': LOADED_BY_MAIL_CLIENTS.test(name) ? 'cross-origin' : 'same-origin',
    'Cache-Control': !development && isHashed(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
}
