// Classic Outlook renders with Word, which reads conditional comments and VML. Signatures use them for fixed widths, round
// buttons and background pictures. A browser's parser sees such a comment as one string, so this module sanitises its
// markup tag by tag.

/** The allow-list for HTML, in lower-case names; `addresses` maps attributes with an address to the allowed addresses. */
export type AllowedMarkup = Readonly<{
  tags: ReadonlySet<string>
  attributes: ReadonlySet<string>
  addresses: Readonly<Record<string, RegExp>>
  keepDeclarations: (style: string) => string
  cleanStyleSheet: (css: string) => string
}>

const WORD_TAGS = new Set(
  (
    'o:allowpng o:lock o:officedocumentsettings o:p o:pixelsperinch v:background v:fill v:f v:formulas v:group ' +
    'v:image v:imagedata v:line v:oval v:path v:rect v:roundrect v:shape v:shapetype v:stroke v:textbox ' +
    'w:anchorlock w:wrap xml'
  ).split(' '),
)

const WORD_ATTRIBUTES = new Set(
  (
    'adj angle arcsize aspect aspectratio color2 coordorigin coordsize eqn fill fillcolor fillok focus from inset ' +
    'joinstyle o:spt opacity origin path position stroke strokecolor stroked strokeweight to v:ext v:text-anchor xmlns:o ' +
    'xmlns:v xmlns:w filled'
  ).split(' '),
)

/** A longer comment does not fit into a signature. */
const MAX_COMMENT_CHARACTERS = 30_000

/** `[if mso]>…<![endif]`: only Word reads the content. */
const FOR_WORD = /^\[if\s+([\w\s!&|().]{1,60})\]>([\s\S]*)<!\[endif\]$/i
/** `[if !mso]><!` and `<![endif]`: around content that Word skips. */
const AROUND_OTHERS = /^(?:\[if\s+[\w\s!&|().]{1,60}\]>\s*<!|<!\[endif\])$/i

const TAG = /<(\/?)([a-z][\w:]*)((?:"[^"]*"|'[^']*'|[^"'<>])*)>/gi
const ATTRIBUTE = /([a-z][\w:-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+)))?/gi

const ENCODED = /&(?:#|\w+;)|[<>]/

const written = (name: string, value: string) =>
  value === '' ? '' : ` ${name}="${value.replaceAll('&', '&amp;')}"`

const attributesOf = (attributes: string, allowed: AllowedMarkup): string =>
  [...attributes.matchAll(ATTRIBUTE)]
    .map(([, name = '', double, single, bare]): string => {
      const attribute = name.toLowerCase()
      const value = (double ?? single ?? bare ?? '').replace(/"|&quot;/g, "'").replaceAll('&amp;', '&')
      // Entities are not decoded here, so an encoded value is dropped.
      if (ENCODED.test(value)) return ''
      if (attribute === 'style') return written(name, allowed.keepDeclarations(value).trim())
      const address = allowed.addresses[attribute]
      const isKept = address
        ? address.test(value.trim())
        : allowed.attributes.has(attribute) || WORD_ATTRIBUTES.has(attribute)
      return isKept ? written(name, value) : ''
    })
    .join('')

/** The markup without tags and attributes that are not allowed; text stays. */
function cleanMarkup(markup: string, allowed: AllowedMarkup): string {
  const withoutScripts = markup
    .replace(
      /<(script|iframe|object|embed|template|noscript|svg|math|textarea|title)\b[\s\S]*?(?:<\/\1\s*>|$)/gi,
      '',
    )
    .replace(
      /<(style)\b[^>]*>([\s\S]*?)(?:<\/style\s*>|$)/gi,
      (_, _tag, css: string) => `<style>${allowed.cleanStyleSheet(css)}</style>`,
    )
  let clean = ''
  let end = 0
  for (const match of withoutScripts.matchAll(TAG)) {
    const [whole, close = '', name = '', attributes = ''] = match
    clean += withoutScripts.slice(end, match.index).replaceAll('<', '')
    end = match.index + whole.length
    const tag = name.toLowerCase()
    if (!allowed.tags.has(tag) && !WORD_TAGS.has(tag)) continue
    const ending = /\/\s*$/.test(attributes) ? ' /' : ''
    clean += close === '/' ? `</${name}>` : `<${name}${attributesOf(attributes, allowed)}${ending}>`
  }
  return clean + withoutScripts.slice(end).replaceAll('<', '')
}

/**
 * The sanitised content of a comment for Word, without `<!--` and `-->`: a condition about Word with clean markup, or the
 * marks around content that Word skips. Null for every other comment.
 */
export function cleanComment(comment: string, allowed: AllowedMarkup): string | null {
  if (comment.length > MAX_COMMENT_CHARACTERS) return null
  const text = comment.trim()
  if (AROUND_OTHERS.test(text)) return text
  const [, condition = '', markup = ''] = FOR_WORD.exec(text) ?? []
  if (!/\bmso\b/i.test(condition)) return null
  return `[if ${condition}]>${cleanMarkup(markup, allowed).replace(/-+(?=!?>)/g, '')}<![endif]`
}
