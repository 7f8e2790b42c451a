export type PageHeaderOptions = Readonly<{
  /**
   * `pane` runs inside a mail client; `standalone` is the pane in a browser of its own, and where sign-ins are answered;
   * `playground` is the page around the pane on a developer's machine.
   */
  page: 'pane' | 'standalone' | 'playground'
  /** The page is served over https. What only makes sense there is left out on http. */
  isSecure: boolean
  apiOrigin: string
  /** Further origins that the page may talk to, such as the playground's identity provider. */
  connectOrigins?: readonly string[]
  /** Where the pictures of signatures come from. */
  imageOrigins: readonly string[]
  /** Origins that may show the page in a frame; `'self'` is the page's own. Empty: nobody may. */
  frameAncestors: readonly string[]
  /** The page loads Microsoft's client library, which talks to Microsoft. */
  loadsOffice?: boolean
  /** Origins whose pages it may show, such as the sign-in's hidden frame; `'self'` is the page's own. */
  frameOrigins?: readonly string[]
  /** The origin of the hot-reload server, in development only. */
  hotReloadOrigin?: string
}>

/** Where Microsoft's library and what it loads come from; Microsoft publishes no list of them. */
const OFFICE_SCRIPTS = [
  'https://appsforoffice.microsoft.com',
  'https://ajax.aspnetcdn.com',
  'https://*.cdn.office.net',
]
const OFFICE_TELEMETRY = ['https://browser.pipe.aria.microsoft.com', 'https://*.events.data.microsoft.com']

/** The mail clients that show the pane in a frame; on the desktop it is a window of its own. */
export const OUTLOOK_ORIGINS: readonly string[] = [
  'https://outlook.office.com',
  'https://outlook.office365.com',
  'https://outlook.live.com',
  'https://outlook.cloud.microsoft',
  'https://outlook-sdf.office.com',
  'https://*.officeapps.live.com',
]

/**
 * The headers of an HTML page of Signet: what the page may load, whom it may talk to and who may frame it.
 * Throws a `TypeError` when something given as an origin is none, so that no address can smuggle in a directive.
 *
 * Trusted Types are not required: Parcel's lazy chunks, DOMPurify in the sandboxed preview and Microsoft's library
 * each create scripts or HTML by string, and one default policy wide enough for all three would let everything
 * through while looking like protection.
 */
export function pageHeaders(options: PageHeaderOptions): Record<string, string> {
  const { isSecure } = options
  // Itself: whether the page could be loaded anew is asked before it is.
  const connect = ["'self'", ...[options.apiOrigin, ...(options.connectOrigins ?? [])].map(checkedOrigin)]
  const images = options.imageOrigins.map(checkedOrigin)
  const orSelf = (name: string) => (name === "'self'" ? name : checkedOrigin(name))
  const ancestors = options.frameAncestors.map(orSelf)
  const frames = (options.frameOrigins ?? []).map(orSelf)
  const script = ["'self'"]
  if (options.loadsOffice) {
    script.push(...OFFICE_SCRIPTS)
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
    // Signatures carry their looks in style attributes and style elements. The frame that previews one inherits this
    // policy and may only narrow it, so the page around it has to allow inline styles for it.
    ['style-src', "'self'", "'unsafe-inline'"],
    ['img-src', "'self'", 'data:', 'blob:', ...images],
    ['font-src', "'self'"],
    ['connect-src', ...connect],
    // The playground shows the pane. Frames with a `srcdoc`, such as previews, are not asked about.
    ['frame-src', ...framed(options.page === 'playground' ? ["'self'", ...frames] : frames)],
    ['worker-src', "'none'"],
    ['manifest-src', "'none'"],
    ['media-src', "'none'"],
    ['object-src', "'none'"],
    ['form-action', "'none'"],
    ['base-uri', "'none'"],
    ['frame-ancestors', ...(ancestors.length > 0 ? ancestors : ["'none'"])],
    // On http it would send the page to an https server that does not exist.
    ...(isSecure ? [['upgrade-insecure-requests'] as const] : []),
  ]

  return {
    'Content-Security-Policy': directives.map((directive) => [...new Set(directive)].join(' ')).join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    // A sign-in window has to be able to answer the page that opened it; with the header it could not even close.
    ...(options.page === 'standalone' ? {} : { 'Cross-Origin-Opener-Policy': 'same-origin-allow-popups' }),
    'Cache-Control': 'no-store',
    ...(isSecure ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' } : {}),
  }
}

const framed = (origins: readonly string[]): readonly string[] => (origins.length > 0 ? origins : ["'none'"])

/** A wildcard host such as `https://*.officeapps.live.com` counts as an origin. */
function checkedOrigin(text: string): string {
  if (!/^https?:\/\/(\*\.)?[a-z0-9.-]+(:\d{1,5})?$/i.test(text)) throw new TypeError(`Not an origin: ${text}`)
  return text
}

/**
 * The headers of a file that a page loads. A name with a content hash never gets another content, unless the build is
 * one of `development`: its names have a hash of another kind. Icons are shown by the mail client, so by a page of
 * another origin.
 */
export function fileHeaders(name: string, development = false): Record<string, string> {
  const isIcon = /^icon-\d+\.png$/.test(name)
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': isIcon ? 'cross-origin' : 'same-origin',
    'Cache-Control':
      !development && /\.[0-9a-f]{8}\.[a-z0-9]+(\.map)?$/.test(name)
        ? 'public, max-age=31536000, immutable'
        : 'no-cache',
  }
}
