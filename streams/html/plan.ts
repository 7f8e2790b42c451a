import { type BodyType, type SignatureMark, markId } from './message.ts'
import type { SignatureContent, SignatureImage } from './content.ts'
import { keepsPictureAddress } from './address.ts'
import { contentHash } from './hash.ts'
import { isWithinHtmlLimits, MAX_SIGNATURE_CHARACTERS } from './limits.ts'
import { readRaster } from './raster.ts'
import { shrink } from './shrink.ts'
import { htmlToText } from './text.ts'
import { attributeOf, escapeText, tokensOf } from './tokens.ts'

/**
 * The maximum length of a mark. Previews count this many characters, so a signature that fits there fits in every
 * message.
 */
export const MAX_MARK_CHARACTERS = 25
const LONGEST_MARK = 'm'.repeat(MAX_MARK_CHARACTERS)

/** The prefix of the names of inline images that Signet attaches (specification, section 9). */
export const IMAGE_PREFIX = 'lsi-attach'

/** Returns the address to show instead of a picture's address; null to keep the picture's address. */
export type ReplacePicture = (address: string) => string | null

/**
 * Sanitises foreign HTML: `preview` for the sandboxed frame, where links do nothing, `insert` for the mail client.
 * Calls `replacePicture` for every place that shows a picture, in attributes and styles, and checks the result like an
 * address in the html. Sanitising twice gives the same html. Unreadable html (`isWithinHtmlLimits`) gives an empty string.
 */
export type Sanitize = (
  html: string,
  profile: 'preview' | 'insert',
  replacePicture?: ReplacePicture,
) => string

/** An image to attach, which the body shows as `cid:` + `name`. `content` is base64. */
export type ImageToAttach = Readonly<{ name: string; url: string; content: string }>

/** Everything that an insertion writes. `content` is for the mail client; it is empty without a signature. */
export type InsertionPlan =
  | Readonly<{
      kind: 'ready'
      type: BodyType
      content: string
      images: readonly ImageToAttach[]
      hash: string
      combinedIds: string
    }>
  | Readonly<{ kind: 'tooLarge'; content: string }>

/** A plan that can be inserted. */
export type ReadyPlan = Extract<InsertionPlan, { kind: 'ready' }>

/** The input for a plan, for an insertion or a preview. */
export type PlanInput = SignatureContent & Readonly<{ combinedIds: string }>

/** Whether an image can be attached: it has status 200, its address is in the html, and its content is a picture. */
const isAttachable = ({ status, content, url }: SignatureImage): boolean =>
  status === 200 && keepsPictureAddress(url) && readRaster(content) !== null

/** `lsi-attach` and the URL's last path segment, in characters allowed in a content id. */
function attachmentName(url: string): string {
  const path = url.replace(/[?#][^]*$/, '')
  const segment = path.slice(path.lastIndexOf('/') + 1).replace(/[^\w.-]+/g, '-')
  return IMAGE_PREFIX + (segment || 'image').slice(-200)
}

/**
 * Names attachments after their URLs. Each name contains `unique`, if given. A name that is already taken gets a
 * number.
 */
function createNamer(takenNames: readonly string[], unique: string | null): (url: string) => string {
  const taken = new Set(takenNames)
  const numbers = new Map<string, number>()
  return (url) => {
    const name = attachmentName(url)
    const dot = name.lastIndexOf('.')
    const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
    const marked = unique === null ? stem : `${stem}-${unique}`
    const first = marked + extension
    let number = numbers.get(first) ?? 1
    let free = number === 1 ? first : `${marked}-${String(number)}${extension}`
    while (taken.has(free)) free = `${marked}-${String(++number)}${extension}`
    numbers.set(first, number)
    taken.add(free)
    return free
  }
}

/** The end of the opening tag of the table around the whole html; null without such a table, or if it has an id. */
function outerTable(html: string): number | null {
  let first: number | null = null
  let depth = 0
  for (const token of tokensOf(html)) {
    if (token.kind === 'open' && token.name === 'table') {
      if (first === null ? attributeOf(token, 'id') !== null : depth === 0) return null
      first ??= token.end
      depth += 1
    } else if (token.kind === 'close' && token.name === 'table') depth -= 1
    // Outside the table, only blanks are allowed.
    else if (depth === 0 && (token.kind !== 'text' || html.slice(token.start, token.end).trim() !== ''))
      return null
  }
  return first
}

/**
 * Wraps a signature in a non-editable element with Signet's marks: attributes, which some clients drop, and an id,
 * which clients keep. The id is on the table around the whole signature, because clients rewrite a wrapper and leave
 * tables. Without such a table, it is on the wrapper. The returned function takes the mark of the writing runtime. An
 * empty signature gets no wrapper.
 */
function wrap(html: string, { hash, combinedIds }: Omit<SignatureMark, 'mark'>): (mark: string) => string {
  if (html.trim() === '') return () => ''
  const table = outerTable(html)
  return (mark) => {
    const id = ` id="${escapeText(markId({ mark, hash, combinedIds }))}"`
    const content = table === null ? html : `${html.slice(0, table - 1)}${id}${html.slice(table - 1)}`
    return `<div class="signet" contenteditable="false" data-signet-id="${escapeText(combinedIds)}" data-signet-hash="${hash}" data-signet-mark="${escapeText(mark)}"${table === null ? id : ''}>${content}</div>`
  }
}

/** The plan for content that is too large. */
const tooLarge = (content: string): InsertionPlan => ({ kind: 'tooLarge', content })

/**
 * Plans the content to write into a message, for a preview or an insertion (specification, section 4, inserting a
 * signature). It attaches only images with status 200 that the sanitised html shows. Each URL is attached once, under a
 * name that the item does not have yet (`takenNames`). If the item's names cannot be read, every new name contains
 * `unique`, which is in none of the item's names. The sanitiser replaces the URLs by content ids. `mark` is the writing
 * runtime's mark for the item, up to `MAX_MARK_CHARACTERS` long. Images with URLs in `refused` cannot be attached, so
 * they keep their URLs. The other images keep the names that they would have without `refused`.
 */
export function planInsertion(
  chosen: PlanInput,
  bodyType: BodyType,
  takenNames: readonly string[],
  sanitize: Sanitize,
  unique: string | null = null,
  mark = LONGEST_MARK,
  refused: readonly string[] = [],
): InsertionPlan {
  if (!isWithinHtmlLimits(chosen.html)) return tooLarge(chosen.html)
  const { combinedIds } = chosen
  const hash = contentHash(chosen.html)
  if (bodyType === 'text') {
    const content = htmlToText(sanitize(chosen.html, 'insert'))
    return content.length <= MAX_SIGNATURE_CHARACTERS
      ? { kind: 'ready', type: 'text', content, images: [], hash, combinedIds }
      : tooLarge(content)
  }

  const contents = new Map(
    chosen.images.filter(isAttachable).map(({ url, content }) => [url, content] as const),
  )
  const nameOf = createNamer(takenNames, unique)
  const images = new Map<string, ImageToAttach>()
  const attach = (url: string): string | null => {
    const content = contents.get(url)
    if (content === undefined) return null
    const image = images.get(url) ?? { name: nameOf(url), url, content }
    images.set(url, image)
    return refused.includes(url) ? null : `cid:${image.name}`
  }
  const html = sanitize(chosen.html, 'insert', attach)
  const fit = (clean: string): InsertionPlan => {
    const marked = wrap(clean, { hash, combinedIds })
    const longest = marked(LONGEST_MARK)
    if (longest.length > MAX_SIGNATURE_CHARACTERS) return tooLarge(longest)
    return {
      kind: 'ready',
      type: 'html',
      content: marked(mark),
      images: [...images.values()].filter(({ url }) => !refused.includes(url)),
      hash,
      combinedIds,
    }
  }
  const plan = fit(html)
  if (plan.kind === 'ready') return plan
  const smaller = shrink(html)
  // The html was shortened after sanitising, so it is sanitised again.
  return isWithinHtmlLimits(smaller) ? fit(sanitize(smaller, 'insert')) : plan
}
