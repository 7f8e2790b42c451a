import createDOMPurify from 'dompurify'
import type { Sanitize } from '../../../streams/html/plan.ts'
import { type Allowed, cleanComment } from './wordMarkup.ts'

// What may stand in a signature. DOMPurify alone keeps scripts out; what mail adds to that (links that leave the
// pane, overlays, forms, tracking by style, UNC paths that leak a password hash) is named here.

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
const PICTURE = /^(?:https?:\/\/|cid:|data:image\/(?:png|jpe?g|gif|webp);base64,)/i

/** Attributes whose value is an address; DOMPurify's own check of addresses would strip `bgcolor` and its like. */
const ADDRESSES: Readonly<Record<string, RegExp>> = {
  href: LINK,
  cite: LINK,
  src: PICTURE,
  background: PICTURE,
}

const FORBIDDEN_STYLE =
  /\\|expression\s*\(|javascript:|vbscript:|behaviou?r\s*:|-moz-binding|@import|position\s*:\s*(?:fixed|absolute|sticky)/i

const styleUrls = (style: string): string[] =>
  [...style.matchAll(/(?:url|image|image-set|src)\(\s*(['"]?)(.*?)\1\s*\)/gi)].map(([, , url]) => url ?? '')

const isHarmless = (declaration: string): boolean =>
  !FORBIDDEN_STYLE.test(declaration) && styleUrls(declaration).every((url) => PICTURE.test(url.trim()))

/** Declarations, without those that could move, load or run anything. Semicolons inside brackets and quotes do not part. */
const keepHarmless = (declarations: string): string =>
  (declarations.match(/(?:\([^)]*\)|"[^"]*"|'[^']*'|[^;])+/g) ?? []).filter(isHarmless).join(';')

const cleanStyleSheet = (css: string): string =>
  css
    .replace(/\/\*[\s\S]*?\*\/|<!--|-->/g, '')
    .replace(/@(?:import|charset|namespace|font-face)[^;{]*(?:;|\{[^}]*\})/gi, '')
    .replace(/\{([^{}]*)\}/g, (_, body: string) => `{${keepHarmless(body)}}`)
    .replaceAll('<', '')

/** What Word may read in a conditional comment is what stands outside of one. */
const ALLOWED: Allowed = {
  tags: new Set(TAGS),
  attributes: new Set(ATTRIBUTES),
  addresses: ADDRESSES,
  keepDeclarations: keepHarmless,
  cleanStyleSheet,
}

/** What stands for a comment that is kept while everything else is made safe; no comment from outside reads so. */
const PLACE = /<!--kept:(\d+)-->/g

/** Links lead nowhere in a preview: nobody leaves the pane by a click on a picture of a signature. */
const INERT_IN_PREVIEW = new Set(['href', 'title'])

/** A sanitiser of its own on this window, so that nobody else's hooks change it. */
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
    // The purifier takes an empty comment for harmless, and one with markup for an attack.
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
      .replace(PLACE, (_, place: string) => `<!--${comments[Number(place)] ?? ''}-->`)
  }
}
