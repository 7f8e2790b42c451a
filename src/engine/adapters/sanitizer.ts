import createDOMPurify from 'dompurify'
import type { Sanitize } from '../../../streams/html/plan.ts'
import { type AllowedMarkup, cleanComment } from './wordMarkup.ts'

// The allow-list for signatures. DOMPurify alone removes scripts; these rules add the risks of mail: overlays, forms,
// tracking by style, UNC paths that leak a password hash, links with attachments.

const TAGS = (
  'a abbr address b big blockquote br caption center cite code col colgroup dd del div dl dt em figcaption figure ' +
  'font h1 h2 h3 h4 h5 h6 hr i img ins li ol p pre q s small span strike strong style sub sup table tbody td tfoot ' +
  'th thead tr tt u ul'
).split(' ')

const ATTRIBUTES = (
  'abbr align alt bgcolor background border cellpadding cellspacing cite class clear color colspan dir face headers ' +
  'height href hspace lang noshade nowrap rowspan rules scope size span src start style summary title type valign ' +
  'value vspace width'
).split(' ')

const LINK = /^(?:https?:|mailto:(?!.*[?&]attach)|tel:|ftp:|#|\/(?!\/)|[^\s\\/:?#]+(?:[/?#]|$))/i
const PICTURE_URL = /^(?:https?:\/\/|cid:|data:image\/(?:png|jpe?g|gif|webp);base64,)/i

/** Attributes whose value is an address. DOMPurify's own check of addresses would also remove `bgcolor` and the like. */
const ADDRESSES: Readonly<Record<string, RegExp>> = {
  href: LINK,
  cite: LINK,
  src: PICTURE_URL,
  background: PICTURE_URL,
}

const FORBIDDEN_STYLE =
  /\\|expression\s*\(|javascript:|vbscript:|behaviou?r\s*:|-moz-binding|@import|position\s*:\s*(?:fixed|absolute|sticky)/i

const styleUrls = (style: string): string[] =>
  [...style.matchAll(/(?:url|image|image-set|src)\(\s*(['"]?)(.*?)\1\s*\)/gi)].map(([, , url]) => url ?? '')

const isHarmless = (declaration: string): boolean =>
  !FORBIDDEN_STYLE.test(declaration) && styleUrls(declaration).every((url) => PICTURE_URL.test(url.trim()))

/** The declarations that move, load and run nothing. Semicolons inside brackets and quotes do not separate. */
const keepHarmless = (declarations: string): string =>
  (declarations.match(/(?:\([^)]*\)|"[^"]*"|'[^']*'|[^;])+/g) ?? []).filter(isHarmless).join(';')

const cleanStyleSheet = (css: string): string =>
  css
    .replace(/\/\*[\s\S]*?\*\/|<!--|-->/g, '')
    .replace(/@(?:import|charset|namespace|font-face)[^;{]*(?:;|\{[^}]*\})/gi, '')
    .replace(/\{([^{}]*)\}/g, (_, body: string) => `{${keepHarmless(body)}}`)
    .replaceAll('<', '')

/** The same rules apply inside conditional comments for Word. */
const ALLOWED: AllowedMarkup = {
  tags: new Set(TAGS),
  attributes: new Set(ATTRIBUTES),
  addresses: ADDRESSES,
  keepDeclarations: keepHarmless,
  cleanStyleSheet,
}

/** The placeholder of a kept comment during sanitising. A comment of the input never has this form. */
const PLACEHOLDER = /<!--kept:(\d+)-->/g

/** Removed in a preview, so that a click does not leave the pane. */
const INERT_IN_PREVIEW = new Set(['href', 'title'])

/** A sanitiser with its own DOMPurify instance, so that hooks of other code do not affect it. */
export function createSanitizer(window: Window & typeof globalThis): Sanitize {
  const purifier = createDOMPurify(window)
  let profile: 'preview' | 'insert' = 'insert'
  let comments: string[] = []

  purifier.addHook('uponSanitizeAttribute', (_, data) => {
    const allowed = ADDRESSES[data.attrName]
    if (profile === 'preview' && INERT_IN_PREVIEW.has(data.attrName)) data.keepAttr = false
    else if (allowed) data.keepAttr = allowed.test(data.attrValue.trim())
    else if (data.attrName === 'style') {
      data.attrValue = keepHarmless(data.attrValue)
      data.keepAttr = data.attrValue.trim() !== ''
    }
    if (data.keepAttr && allowed) data.forceKeepAttr = true
  })
  purifier.addHook('uponSanitizeElement', (node, data) => {
    if (data.tagName === 'style' && node.textContent) node.textContent = cleanStyleSheet(node.textContent)
    if (data.tagName !== '#comment') return
    const kept = profile === 'insert' ? cleanComment(node.nodeValue ?? '', ALLOWED) : null
    // DOMPurify treats a comment with markup as an attack, and keeps an empty one.
    node.nodeValue = kept === null ? '' : `kept:${String(comments.push(kept) - 1)}`
  })

  return (html, wanted) => {
    profile = wanted
    comments = []
    return purifier
      .sanitize(html, {
        ALLOWED_TAGS: [...TAGS, '#comment'],
        ALLOWED_ATTR: ATTRIBUTES,
        ALLOW_DATA_ATTR: false,
        ALLOW_ARIA_ATTR: false,
        FORCE_BODY: true,
      })
      .replaceAll('<!---->', '')
      .replace(PLACEHOLDER, (_, index: string) => `<!--${comments[Number(index)] ?? ''}-->`)
  }
}
