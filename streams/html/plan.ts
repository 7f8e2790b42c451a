import type { BodyType } from '../mailbox/events.ts'
import type { Chosen } from '../insertion/rules.ts'
import type { SignatureImage } from '../signatures/signature.ts'
import { contentHash } from './hash.ts'
import { type PartSize, partsOf, shrink } from './shrink.ts'
import { toText } from './text.ts'

/** Names of inline images that Signet attaches begin so (specification, section 9). */
export const IMAGE_PREFIX = 'lsi-attach'

/** The most that Outlook takes as a signature, in characters. */
export const MAX_CHARACTERS = 30_000

/** Bytes behind a base64 text. */
export const base64Bytes = (base64: string): number => Math.floor((base64.replace(/=+$/, '').length * 3) / 4)

/** Makes HTML that came from outside safe: `preview` for drawing in the sandboxed frame, `insert` for the mail client. */
export type Sanitize = (html: string, profile: 'preview' | 'insert') => string

/** An image to attach; the body shows it as `cid:` + `name`. `content` is base64. */
export type PlannedImage = Readonly<{ name: string; url: string; content: string }>

/**
 * Everything that an insertion writes. `content` is what the mail client gets; an empty signature is the empty
 * string. `tooLarge` carries what it would have been, in characters.
 */
export type InsertionPlan =
  | Readonly<{
      kind: 'ready'
      type: BodyType
      content: string
      images: readonly PlannedImage[]
      hash: string
    }>
  | Readonly<{ kind: 'tooLarge'; characters: number; limit: number; parts: readonly PartSize[] }>

/** A plan that can be carried out. */
export type ReadyPlan = Extract<InsertionPlan, { kind: 'ready' }>

/** What an insertion is planned from: of a chosen signature, or of one that is only looked at. */
export type Planned = Pick<Chosen, 'html' | 'images' | 'combinedIds'>

/** A URL as it can stand in an attribute that the sanitiser wrote. */
const writtenAs = (url: string): readonly string[] => {
  const escaped = url.replaceAll('&', '&amp;')
  return escaped === url ? [url] : [escaped, url]
}

/** Where markup shows a picture: in an attribute or in a style. A link to a picture, or its address in the text, shows none. */
const SHOWS = `[\\s"'/](?:src|background)\\s*=\\s*["']?|\\b(?:url|image|src)\\(\\s*(?:["']|&quot;|&#39;|&apos;)?`
/** Whatever can follow a URL there; a longer URL that begins the same is another URL. */
const ENDS = `["')\\s>]|&quot;|&#39;|&apos;`

const escapeForPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** Finds every place that shows the picture at exactly this URL; the first group is what stands before it. */
const showing = (url: string): RegExp =>
  new RegExp(`(${SHOWS})(?:${writtenAs(url).map(escapeForPattern).join('|')})(?=${ENDS})`, 'g')

/** Raster images that mail clients draw, by how their base64 begins. */
const RASTER = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD[dl]h|UklGR[\w+/]{7}RUJQ)/

/** The most bytes of one image that is still attached, so that no message grows too heavy to send. */
export const MAX_IMAGE_BYTES = 5_000_000

/** Whether an image can be attached: it came with status 200, is of a type that mail clients draw, and not too heavy. */
const isAttachable = ({ status, content }: SignatureImage): boolean =>
  status === 200 && RASTER.test(content) && base64Bytes(content) <= MAX_IMAGE_BYTES

/** `lsi-attach` and the last path segment of the URL, in characters that a content id may have. */
function attachmentName(url: string): string {
  const path = url.replace(/[?#].*$/s, '')
  const segment = path.slice(path.lastIndexOf('/') + 1).replace(/[^\w.-]+/g, '-')
  return IMAGE_PREFIX + (segment || 'image').slice(-200)
}

/** The name, with the mark if there is one, and with the first number that makes it unique. */
function uniqueName(name: string, taken: ReadonlySet<string>, mark: string | null): string {
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  const marked = mark === null ? stem : `${stem}-${mark}`
  let unique = marked
  for (let number = 2; taken.has(unique + extension); number++) unique = `${marked}-${String(number)}`
  return unique + extension
}

const attribute = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The non-editable wrapper with the marker by which Signet knows its own signature. */
const wrap = (html: string, combinedIds: string, hash: string): string =>
  `<div class="signet" contenteditable="false" data-signet-id="${attribute(combinedIds)}" data-signet-hash="${hash}">${html}</div>`

/**
 * Plans what goes into a message, for a preview as for an insertion (specification, section 4, inserting a
 * signature). Only images with status 200 that the sanitised html shows are attached, each URL once, under names that
 * the item does not have yet (`takenNames`; where they cannot all be read, `mark` goes into every name: what no name of
 * the item has); their URLs become content-id references.
 */
export function planInsertion(
  chosen: Planned,
  bodyType: BodyType,
  takenNames: readonly string[],
  sanitize: Sanitize,
  mark: string | null = null,
): InsertionPlan {
  const hash = contentHash(chosen.html)
  const html = sanitize(chosen.html, 'insert')
  if (html.trim() === '') return { kind: 'ready', type: bodyType, content: '', images: [], hash }
  if (bodyType === 'text')
    return fit({ kind: 'ready', type: 'text', content: toText(html), images: [], hash })

  const taken = new Set(takenNames)
  const images: PlannedImage[] = []
  let content = html
  for (const image of chosen.images) {
    const { url, content: base64 } = image
    if (url === '' || !isAttachable(image) || !showing(url).test(content)) continue
    const name = uniqueName(attachmentName(url), taken, mark)
    taken.add(name)
    images.push({ name, url, content: base64 })
    content = content.replace(showing(url), (_, before: string) => `${before}cid:${name}`)
  }
  return fit({ kind: 'ready', type: 'html', content: wrap(content, chosen.combinedIds, hash), images, hash })
}

/** The plan as it is when it fits, else without what nobody sees; what is still too large is refused with its parts. */
function fit(plan: ReadyPlan): InsertionPlan {
  if (plan.content.length <= MAX_CHARACTERS) return plan
  const content = plan.type === 'html' ? shrink(plan.content) : plan.content
  return content.length <= MAX_CHARACTERS
    ? { ...plan, content }
    : {
        kind: 'tooLarge',
        characters: content.length,
        limit: MAX_CHARACTERS,
        parts: partsOf(content).slice(0, 3),
      }
}
