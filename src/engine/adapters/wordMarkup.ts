// Classic Outlook draws with Word: what other mail clients take for a comment, it reads. There signatures keep their
// fixed widths, their round buttons and their background pictures, as conditional comments and VML. A browser's
// parser sees one string in such a comment, so it is gone through tag by tag here.

/** What may stand in HTML: lower-case names; `addresses` are the attributes that hold an address, and which they may. */
export type Allowed = Readonly<{
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

/** No longer comment fits into a signature. */
const MAX_CHARACTERS = 30_000

/** `[if mso]>…<![endif]`: read by Word alone. */
const FOR_WORD = /^\[if\s+([\w\s!&|().]{1,60})\]>([\s\S]*)<!\[endif\]$/i
/** `[if !mso]><!` and `<![endif]`: around what everybody but Word reads. */
const AROUND_OTHERS = /^(?:\[if\s+[\w\s!&|().]{1,60}\]>\s*<!|<!\[endif\])$/i

const TAG = /<(\/?)([a-z][\w:]*)((?:"[^"]*"|'[^']*'|[^"'<>])*)>/gi
const ATTRIBUTE = /([a-z][\w:-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+)))?/gi

const ENCODED = /&(?:#|\w+;)|[<>]/

const written = (name: string, value: string) =>
  value === '' ? '' : ` ${name}="${value.replaceAll('&', '&amp;')}"`

const attributesOf = (attributes: string, allowed: Allowed): string =>
  [...attributes.matchAll(ATTRIBUTE)]
    .map(([, name = '', double, single, bare]): string => {
      const attribute = name.toLowerCase()
      const value = (double ?? single ?? bare ?? '').replace(/"|&quot;/g, "'").replaceAll('&amp;', '&')
      // Nobody decodes here: what is written in another way than it reads does not pass.
      if (ENCODED.test(value)) return ''
      if (attribute === 'style') return written(name, allowed.keepDeclarations(value).trim())
      const address = allowed.addresses[attribute]
      const isKept = address
        ? address.test(value.trim())
        : allowed.attributes.has(attribute) || WORD_ATTRIBUTES.has(attribute)
      return isKept ? written(name, value) : ''
    })
    .join('')

/** The markup with every tag and attribute that is not allowed taken out; text stays. */
function cleanMarkup(markup: string, allowed: Allowed): string {
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
 * A comment as Word may get it, without `<!--` and `-->`: a condition about Word with clean markup in it, or the
 * marks around what Word leaves out. Null for every other comment.
 */
export function cleanComment(comment: string, allowed: Allowed): string | null {
  if (comment.length > MAX_CHARACTERS) return null
  const text = comment.trim()
  if (AROUND_OTHERS.test(text)) return text
  const [, condition = '', markup = ''] = FOR_WORD.exec(text) ?? []
  if (!/\bmso\b/i.test(condition)) return null
  return `[if ${condition}]>${cleanMarkup(markup, allowed).replace(/-+(?=!?>)/g, '')}<![endif]`
}
