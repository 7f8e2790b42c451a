import { type BodyType, type Mark, markId } from './message.ts'
import type { Content, SignatureImage } from './content.ts'
import { isPictureKey } from './address.ts'
import { contentHash } from './hash.ts'
import { isReadable, MAX_CHARACTERS } from './limits.ts'
import { readRaster } from './raster.ts'
import { shrink } from './shrink.ts'
import { toText } from './text.ts'
import { attributeOf, escapeText, tokensOf } from './tokens.ts'

/** The longest mark. A preview counts this many characters, so a signature that fits there fits in every message. */
export const MAX_MARK_CHARACTERS = 25
const LONGEST_MARK = 'm'.repeat(MAX_MARK_CHARACTERS)

/** The prefix of the names of inline images that Signet attaches (specification, section 9). */
export const IMAGE_PREFIX = 'lsi-attach'

/** The address that is shown in place of this picture's address; null when the picture's address stays. */
export type ReplacePicture = (address: string) => string | null

/**
 * Sanitises foreign HTML: `preview` for the sandboxed frame, where links lead nowhere, `insert` for the mail client.
 * Asks `replacePicture` for every place that shows a picture, by attribute or style, and judges the answer like an
 * address of the html. Sanitising the result again changes nothing. Html that is not readable (`isReadable`) gives the
 * empty string.
 */
export type Sanitize = (
  html: string,
  profile: 'preview' | 'insert',
  replacePicture?: ReplacePicture,
) => string

/** An image to attach; the body shows it as `cid:` + `name`. `content` is base64. */
export type PlannedImage = Readonly<{ name: string; url: string; content: string }>

/** Everything that an insertion writes. `content` goes to the mail client; it is the empty string for no signature. */
export type InsertionPlan =
  | Readonly<{
      kind: 'ready'
      type: BodyType
      content: string
      images: readonly PlannedImage[]
      hash: string
      combinedIds: string
    }>
  | Readonly<{ kind: 'tooLarge'; content: string }>

/** A plan that can be inserted. */
export type ReadyPlan = Extract<InsertionPlan, { kind: 'ready' }>

/** The input of a plan, for an insertion or a preview. */
export type Planned = Content & Readonly<{ combinedIds: string }>

/** Whether an image can be attached: it has status 200, an address that is in the html, and a picture as content. */
const isAttachable = ({ status, content, url }: SignatureImage): boolean =>
  status === 200 && isPictureKey(url) && readRaster(content) !== null

/** `lsi-attach` and the last path segment of the URL, in characters that a content id may have. */
function attachmentName(url: string): string {
  const path = url.replace(/[?#][^]*$/, '')
  const segment = path.slice(path.lastIndexOf('/') + 1).replace(/[^\w.-]+/g, '-')
  return IMAGE_PREFIX + (segment || 'image').slice(-200)
}

/** Names attachments by their URLs. A name contains `unique`, if any. A name that is already taken gets a number. */
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

/** Where the opening tag of the table around all of this html ends; null without this table, or if it has an id. */
function outerTable(html: string): number | null {
  let first: number | null = null
  let depth = 0
  for (const token of tokensOf(html)) {
    if (token.kind === 'open' && token.name === 'table') {
      if (first === null ? attributeOf(token, 'id') !== null : depth === 0) return null
      first ??= token.end
      depth += 1
    } else if (token.kind === 'close' && token.name === 'table') depth -= 1
    // Only blanks may stand outside of the table.
    else if (depth === 0 && (token.kind !== 'text' || html.slice(token.start, token.end).trim() !== ''))
      return null
  }
  return first
}

/**
 * Wraps a signature in a non-editable element with the marks by which Signet recognises it: attributes, which some
 * clients drop, and an id, which clients keep. The id stands on the table that encloses the whole signature, because
 * clients rewrite a wrapper and leave tables; without such a table, it stands on the wrapper. The returned function
 * takes the mark of the writing runtime. An empty signature gets no wrapper.
 */
function wrap(html: string, { hash, combinedIds }: Omit<Mark, 'mark'>): (mark: string) => string {
  if (html.trim() === '') return () => ''
  const table = outerTable(html)
  return (mark) => {
    const id = ` id="${escapeText(markId({ mark, hash, combinedIds }))}"`
    const content = table === null ? html : `${html.slice(0, table - 1)}${id}${html.slice(table - 1)}`
    return `<div class="signet" contenteditable="false" data-signet-id="${escapeText(combinedIds)}" data-signet-hash="${hash}" data-signet-mark="${escapeText(mark)}"${table === null ? id : ''}>${content}</div>`
  }
}

/** The plan of a content that does not fit. */
const tooLarge = (content: string): InsertionPlan => ({ kind: 'tooLarge', content })

/**
 * Plans what goes into a message, for a preview as for an insertion (specification, section 4, inserting a signature).
 * Only images with status 200 that the sanitised html shows are attached, each URL once, under names that the item does
 * not have yet (`takenNames`). If the names of the item cannot be read, every new name contains `unique`, which no name
 * of the item contains. The sanitiser writes content ids in place of the URLs. `mark` is the mark of the writing
 * runtime for the item, of at most `MAX_MARK_CHARACTERS`. Images with these URLs in `refused` cannot be attached: they
 * keep their URLs, and the others the names that they would have without `refused`.
 */
export function planInsertion(
  chosen: Planned,
  bodyType: BodyType,
  takenNames: readonly string[],
  sanitize: Sanitize,
  unique: string | null = null,
  mark = LONGEST_MARK,
  refused: readonly string[] = [],
): InsertionPlan {
  if (!isReadable(chosen.html)) return tooLarge(chosen.html)
  const { combinedIds } = chosen
  const hash = contentHash(chosen.html)
  if (bodyType === 'text') {
    const content = toText(sanitize(chosen.html, 'insert'))
    return content.length <= MAX_CHARACTERS
      ? { kind: 'ready', type: 'text', content, images: [], hash, combinedIds }
      : tooLarge(content)
  }

  const contents = new Map(
    chosen.images.filter(isAttachable).map(({ url, content }) => [url, content] as const),
  )
  const nameOf = createNamer(takenNames, unique)
  const images = new Map<string, PlannedImage>()
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
    if (longest.length > MAX_CHARACTERS) return tooLarge(longest)
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
  // The html was shortened after cleaning, so it is cleaned again.
  return isReadable(smaller) ? fit(sanitize(smaller, 'insert')) : plan
}
