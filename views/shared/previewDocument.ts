import type { BodyType } from '../../streams/html/message.ts'
import { tooLargeError, type TooLargeError } from '../../streams/html/parts.ts'
import { type PlanInput, planInsertion, type ReadyPlan, type Sanitize } from '../../streams/html/plan.ts'
import { escapeText } from '../../streams/html/tokens.ts'
import { readRaster } from '../../streams/html/raster.ts'

/** The width at which a signature is laid out before it is scaled, in CSS pixels. */
export const LAYOUT_WIDTH_PX = 600

/**
 * A document for the sandboxed frame, its `body` and its plan; `tooLarge` if the signature is too large to insert.
 * `isBlank`: the signature has nothing visible.
 */
export type PreviewDocument =
  | Readonly<{ kind: 'document'; srcdoc: string; body: string; plan: ReadyPlan; isBlank: boolean }>
  | TooLargeError

/**
 * The maximum number of characters of all pictures in a preview, because a signature can repeat a large picture a
 * thousand times.
 */
export const MAX_TOTAL_PICTURE_CHARACTERS = 20_000_000

/** The attached images as data URLs, by their reference in the html. */
const dataUrls = ({ images }: ReadyPlan): ReadonlyMap<string, string> =>
  new Map(
    images.flatMap(({ name, content }) => {
      const raster = readRaster(content)
      return raster ? [[`cid:${name}`, `data:${raster.type};base64,${content}`] as const] : []
    }),
  )

/** Keeps only origins, because any other text could add a directive to the policy. */
const origins = (candidates: readonly string[]): readonly string[] =>
  candidates.filter((candidate) => /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/i.test(candidate))

const policy = (imageOrigins: readonly string[]): string =>
  [
    "default-src 'none'",
    ['img-src data:', ...origins(imageOrigins)].join(' '),
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

/** Parses the html into an inert document, in which nothing runs or loads. */
const parse = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body

/** Removes the targets of links, but keeps their look. */
function withInertLinks(html: string): string {
  const body = parse(html)
  for (const link of body.querySelectorAll('[href]')) {
    link.removeAttribute('href')
    link.classList.add(INERT_LINK_CLASS)
  }
  return body.innerHTML
}

/** The visible content besides text: pictures, lines, and areas with a colour or an edge. */
const SEEN = 'img,hr,[bgcolor],[background],[border],[style*=background],[style*=border]'

function isBlank({ type, content }: ReadyPlan): boolean {
  if (type === 'text') return content.trim() === ''
  const body = parse(content)
  for (const style of body.querySelectorAll('style')) style.remove()
  return body.textContent.trim() === '' && body.querySelector(SEEN) === null
}

const REFUSED = 'data:image/png;base64,'

/**
 * The source for a picture that the preview's policy would refuse. It has the picture's address where the data of a PNG
 * belongs, so the browser shows a picture that could not be loaded.
 */
const refused = (address: string): string =>
  REFUSED + btoa(Array.from(new TextEncoder().encode(address), (byte) => String.fromCharCode(byte)).join(''))

/** Reads a refused picture's address from its source in a preview; null if the source is another picture's. */
export function refusedPictureAddress(source: string): string | null {
  // `http` and `cid:` in base64. The content of a real picture begins with neither.
  if (!source.startsWith(`${REFUSED}aHR0c`) && !source.startsWith(`${REFUSED}Y2lk`)) return null
  const bytes = Uint8Array.from(atob(source.slice(REFUSED.length)), (char) => char.charCodeAt(0))
  return new TextDecoder().decode(bytes)
}

/** Whether the policy lets the picture at this address load. The policy allows the origins in `allowed`. */
function mayLoad(address: string, allowed: readonly string[]): boolean {
  if (address.startsWith('data:')) return true
  try {
    return allowed.includes(new URL(address).origin)
  } catch {
    return false
  }
}

/**
 * The body of a preview. Pictures that the policy refuses get the source from `refused`, because each refused address
 * would log an error in the console.
 */
function bodyOf(plan: ReadyPlan, imageOrigins: readonly string[], sanitize: Sanitize): string {
  if (plan.type === 'text') return `<pre>${escapeText(plan.content)}</pre>`
  const known = dataUrls(plan)
  const allowed = origins(imageOrigins)
  let characters = 0
  const shown = (address: string): string | undefined => {
    const picture = known.get(address)
    characters += picture?.length ?? 0
    return characters <= MAX_TOTAL_PICTURE_CHARACTERS ? picture : undefined
  }
  return sanitize(
    withInertLinks(plan.content),
    'preview',
    (address) => shown(address) ?? (mayLoad(address, allowed) ? null : refused(address)),
  )
}

/** A document with its own content security policy. It is white, as mail is, unless the styles in `look` differ. */
export const frameDocument = (body: string, imageOrigins: readonly string[], look = ''): string =>
  `<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="${policy(imageOrigins)}"><meta charset="utf-8"><meta name="color-scheme" content="only light"><style>${BASE}${look}</style></head><body>${body}</body></html>`

/**
 * Makes the preview of a signature: the html that an insertion into a message of this type would write. Attached images
 * become data URLs, links lose their targets, and the result is sanitised again for the pane.
 */
export function previewDocument(
  planned: PlanInput,
  bodyType: BodyType,
  imageOrigins: readonly string[],
  sanitize: Sanitize,
): PreviewDocument {
  const plan = planInsertion(planned, bodyType, [], sanitize)
  if (plan.kind === 'tooLarge') return tooLargeError(plan.content)
  const body = bodyOf(plan, imageOrigins, sanitize)
  return { kind: 'document', srcdoc: frameDocument(body, imageOrigins), body, plan, isBlank: isBlank(plan) }
}

/** The class of links without a target. They look like links, unless the signature styles them. */
export const INERT_LINK_CLASS = 'signet-link'
const BASE = `:root{color-scheme:only light;forced-color-adjust:none;background:#fff;overflow:hidden}body{margin:0;color:#000;font:14px/1.4 Aptos,Calibri,Arial,sans-serif}pre{margin:0;font:14px/1.4 Consolas,Menlo,monospace;white-space:pre-wrap}:where(.${INERT_LINK_CLASS}){color:#0563c1;text-decoration:underline}`
