import type { BodyType } from '../mailbox/events.ts'
import type { Chosen } from '../insertion/rules.ts'
import type { SignatureImage } from '../signatures/signature.ts'
import { contentHash } from './hash.ts'
import { type PartSize, partsOf, shrink } from './shrink.ts'
import { toText } from './text.ts'

/** The prefix of the names of inline images that Signet attaches (specification, section 9). */
export const IMAGE_PREFIX = 'lsi-attach'

/** Outlook's limit for a signature, in characters. */
export const MAX_CHARACTERS = 30_000

/** The size of base64 content in bytes. */
export const base64Bytes = (base64: string): number => Math.floor((base64.replace(/=+$/, '').length * 3) / 4)

/** Sanitises foreign HTML: `preview` for the sandboxed frame, `insert` for the mail client. */
export type Sanitize = (html: string, profile: 'preview' | 'insert') => string

/** An image to attach; the body shows it as `cid:` + `name`. `content` is base64. */
export type PlannedImage = Readonly<{ name: string; url: string; content: string }>

/**
 * Everything that an insertion writes. `content` goes to the mail client; no signature is the empty string. `tooLarge`
 * has the size that it would have, in characters.
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

/** A plan that can be inserted. */
export type ReadyPlan = Extract<InsertionPlan, { kind: 'ready' }>

/** The input of a plan, for an insertion or a preview. */
export type Planned = Pick<Chosen, 'html' | 'images' | 'combinedIds'>

/** A URL as the sanitiser writes it in an attribute. */
const writtenAs = (url: string): readonly string[] => {
  const escaped = url.replaceAll('&', '&amp;')
  return escaped === url ? [url] : [escaped, url]
}

/** Where markup shows a picture: an attribute or a style. A link to it, or its address as text, does not. */
const SHOWS = `[\\s"'/](?:src|background)\\s*=\\s*["']?|\\b(?:url|image|src)\\(\\s*(?:["']|&quot;|&#39;|&apos;)?`
/** What can follow a URL there; a longer URL with this prefix is another URL. */
const ENDS = `["')\\s>]|&quot;|&#39;|&apos;`

const escapeForPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** Matches every place that shows the picture at exactly this URL; the first group is the text before it. */
const showing = (url: string): RegExp =>
  new RegExp(`(${SHOWS})(?:${writtenAs(url).map(escapeForPattern).join('|')})(?=${ENDS})`, 'g')

/** Raster images that mail clients draw, by the prefix of their base64. */
const RASTER = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD[dl]h|UklGR[\w+/]{7}RUJQ)/

/** The size limit of an attached image, so that the message can still be sent. */
export const MAX_IMAGE_BYTES = 5_000_000

/** Whether an image can be attached: it has status 200, a type that mail clients draw, and an allowed size. */
const isAttachable = ({ status, content }: SignatureImage): boolean =>
  status === 200 && RASTER.test(content) && base64Bytes(content) <= MAX_IMAGE_BYTES

/** `lsi-attach` and the last path segment of the URL, in characters that a content id may have. */
function attachmentName(url: string): string {
  const path = url.replace(/[?#].*$/s, '')
  const segment = path.slice(path.lastIndexOf('/') + 1).replace(/[^\w.-]+/g, '-')
  return IMAGE_PREFIX + (segment || 'image').slice(-200)
}

/** The name with `mark`, if any, and with the first number that makes it unique. */
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

/** The non-editable wrapper with the marker by which Signet recognises its own signature. */
const wrap = (html: string, combinedIds: string, hash: string): string =>
  `<div class="signet" contenteditable="false" data-signet-id="${attribute(combinedIds)}" data-signet-hash="${hash}">${html}</div>`

/**
 * Plans what goes into a message, for a preview as for an insertion (specification, section 4, inserting a signature).
 * Only images with status 200 that the sanitised html shows are attached, each URL once, under names that the item does
 * not have yet (`takenNames`). Where these are unreadable, `mark`, which no name of the item contains, goes into every
 * name. The URLs become content-id references.
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

/** The plan if it fits, else a shrunk one; one that is still too large becomes `tooLarge` with its parts. */
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
