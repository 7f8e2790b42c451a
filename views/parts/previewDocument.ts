import type { BodyType } from '../../streams/mailbox/events.ts'
import {
  type InsertionPlan,
  type Planned,
  planInsertion,
  type ReadyPlan,
  type Sanitize,
} from '../../streams/html/plan.ts'

/** The longest html that is drawn, in characters: parsing more would hold the pane up. */
export const MAX_PREVIEW_CHARACTERS = 200_000

/** The width that a signature is laid out in, in CSS pixels, before it is scaled to the place it has. */
export const LAYOUT_WIDTH = 600

/**
 * A whole document for the sandboxed frame, with the `body` that stands in it and its plan; or why there is none: nobody inserts
 * what is `tooLarge`, nobody even looks into what is `tooLong`.
 */
export type PreviewDocument =
  | Readonly<{ kind: 'document'; srcdoc: string; body: string; plan: ReadyPlan }>
  | Extract<InsertionPlan, { kind: 'tooLarge' }>
  | Readonly<{ kind: 'tooLong'; characters: number }>

/** What the base64 of an image that is attached begins with. */
const rasterTypes: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

/** The attached images by the reference that the signature shows them with. */
const dataUrls = ({ images }: ReadyPlan): ReadonlyMap<string, string> =>
  new Map(
    images.map(({ name, content }) => {
      const type = rasterTypes.find(([start]) => content.startsWith(start))?.[1] ?? 'image/png'
      return [`cid:${name}`, `data:${type};base64,${content}`]
    }),
  )

const urlInCss = /url\(\s*(["']?)(.*?)\1\s*\)/gi

/** Only what is an origin may stand in the policy: anything else could add a directive to it. */
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

/** Parsed beside the page: nothing in it runs or loads. */
const parse = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body

/** The same with links that lead nowhere but look like links. */
function withInertLinks(html: string): string {
  const body = parse(html)
  for (const link of body.querySelectorAll('[href]')) {
    link.removeAttribute('href')
    link.classList.add(LINK)
  }
  return body.innerHTML
}

/** The same with each attached image in place of the reference to it. */
function withImages(html: string, plan: ReadyPlan): string {
  const known = dataUrls(plan)
  if (known.size === 0) return html
  const body = parse(html)
  const withData = (css: string): string =>
    css.replace(urlInCss, (whole, _quote, url: string) => {
      const data = known.get(url.trim())
      return data ? `url("${data}")` : whole
    })
  for (const name of ['src', 'background'])
    for (const element of body.querySelectorAll(`[${name}]`)) {
      const data = known.get(element.getAttribute(name) ?? '')
      if (data) element.setAttribute(name, data)
    }
  for (const element of body.querySelectorAll('[style]'))
    element.setAttribute('style', withData(element.getAttribute('style') ?? ''))
  for (const element of body.querySelectorAll('style')) element.textContent = withData(element.textContent)
  return body.innerHTML
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const bodyOf = (plan: ReadyPlan, sanitize: Sanitize): string =>
  plan.type === 'text'
    ? `<pre>${escape(plan.content)}</pre>`
    : withImages(sanitize(withInertLinks(plan.content), 'preview'), plan)

/**
 * A document around a body, under a policy of its own. It is white, as mail is, in every theme, unless `look` says
 * otherwise.
 */
export const frameDocument = (body: string, imageOrigins: readonly string[], look = ''): string =>
  `<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="${policy(imageOrigins)}"><meta charset="utf-8"><meta name="color-scheme" content="only light"><style>${BASE}${look}</style></head><body>${body}</body></html>`

/**
 * The document in which a signature is previewed: what an insertion into a message of this type would write, the
 * contents of its attached images in place of the references to them, its links without a target, and all of that
 * sanitised once more, as what is drawn in the pane.
 */
export function previewDocument(
  planned: Planned,
  bodyType: BodyType,
  imageOrigins: readonly string[],
  sanitize: Sanitize,
): PreviewDocument {
  const characters = planned.html.length
  if (characters > MAX_PREVIEW_CHARACTERS) return { kind: 'tooLong', characters }
  const plan = planInsertion(planned, bodyType, [], sanitize)
  if (plan.kind === 'tooLarge') return plan
  const body = bodyOf(plan, sanitize)
  return { kind: 'document', srcdoc: frameDocument(body, imageOrigins), body, plan }
}

/** Marks what was a link, so that it looks like one where the signature does not say how it looks. */
export const LINK = 'signet-link'
const BASE = `:root{color-scheme:only light;forced-color-adjust:none;background:#fff;overflow:hidden}body{margin:0;color:#000;font:14px/1.4 Aptos,Calibri,Arial,sans-serif}pre{margin:0;font:14px/1.4 Consolas,Menlo,monospace;white-space:pre-wrap}:where(.${LINK}){color:#0563c1;text-decoration:underline}`
