import type { SignatureImage } from '../../streams/signatures/events.ts'
import type { Sanitize } from '../../streams/signatures/plan.ts'

/** The longest html that is drawn, in characters: parsing more would hold the pane up. */
export const MAX_PREVIEW_CHARACTERS = 200_000

/** The width that a signature is laid out in, in CSS pixels, before it is scaled to the place it has. */
export const LAYOUT_WIDTH = 600

/** A whole document for the sandboxed frame, or why there is none. */
export type PreviewDocument =
  Readonly<{ kind: 'document'; srcdoc: string }> | Readonly<{ kind: 'tooLong'; characters: number }>

/** What the base64 of a raster image begins with. An SVG is none: it can hold more than a picture. */
const rasterTypes: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['Qk', 'image/bmp'],
]

const dataUrls = (images: readonly SignatureImage[]): ReadonlyMap<string, string> =>
  new Map(
    images.flatMap(({ url, content, status }) => {
      const type = rasterTypes.find(([start]) => content.startsWith(start))?.[1]
      return status === 200 && type ? [[url, `data:${type};base64,${content}`] as const] : []
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

/**
 * The document in which a signature is previewed: sanitised, under a policy of its own, its links without a target,
 * the images whose content is known in place of their addresses. It is white, as mail is, in every theme.
 */
export function previewDocument(
  html: string,
  images: readonly SignatureImage[],
  imageOrigins: readonly string[],
  sanitize: Sanitize,
): PreviewDocument {
  if (html.length > MAX_PREVIEW_CHARACTERS) return { kind: 'tooLong', characters: html.length }
  const { body } = new DOMParser().parseFromString(sanitize(html, 'preview'), 'text/html')
  const known = dataUrls(images)
  const withData = (css: string): string =>
    css.replace(urlInCss, (whole, _quote, url: string) => {
      const data = known.get(url.trim())
      return data ? `url("${data}")` : whole
    })

  for (const link of body.querySelectorAll('[href]')) {
    const target = link.getAttribute('href')
    link.removeAttribute('href')
    link.removeAttribute('target')
    if (link.tagName === 'A') link.classList.add(LINK)
    if (target && !link.hasAttribute('title')) link.setAttribute('title', target)
  }
  for (const name of ['src', 'background'])
    for (const element of body.querySelectorAll(`[${name}]`)) {
      const data = known.get(element.getAttribute(name) ?? '')
      if (data) element.setAttribute(name, data)
    }
  for (const element of body.querySelectorAll('[style]'))
    element.setAttribute('style', withData(element.getAttribute('style') ?? ''))
  for (const element of body.querySelectorAll('style')) element.textContent = withData(element.textContent)

  return {
    kind: 'document',
    srcdoc: `<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="${policy(imageOrigins)}"><meta charset="utf-8"><meta name="color-scheme" content="only light"><style>${BASE}</style></head><body>${body.innerHTML}</body></html>`,
  }
}

/** Marks what was a link, so that it looks like one. */
const LINK = 'signet-link'
const BASE = `:root{color-scheme:only light;forced-color-adjust:none;background:#fff;overflow:hidden}body{margin:0;color:#000;font:14px/1.4 Aptos,Calibri,Arial,sans-serif}.${LINK}{color:#0563c1;text-decoration:underline}`
