/** Makes a banner: a block with a single picture, with or without a link. */
import { toPictureAddress } from '../../html/address.ts'
import { base64ByteSize, type Raster, readRaster } from '../../html/raster.ts'
import type { Block, Selection } from '../../organisation/release/release.ts'
import { escapeForTemplate, blocksOf, NEW_BLOCK_DEFAULTS, newBlockId, withAddedBlock } from './blocks.ts'
import type { Draft } from './draft.ts'
import { fileBaseName, freePath, hasId } from './items.ts'

/** The path of the page with the form for a banner. */
export const BANNER_PATH = '/blocks/banner'

/** The limits of a picture in a release: its size in bytes and its longer edge. */
export const MAX_BANNER_BYTES = 1024 * 1024
export const MAX_BANNER_EDGE_PX = 4096

/** The maximum width of a banner. It fits within the margins of a message, and shrinks on a phone. */
export const MAX_BANNER_WIDTH_PX = 440

/** A chosen picture file. `hash` is the first 32 hex digits of the content's SHA-256. */
export type ChosenPicture = Readonly<{ name: string; base64: string; hash: string }>

/** A picture that a release accepts. */
export type BannerPicture = ChosenPicture & Readonly<{ raster: Raster }>

/**
 * Why a release cannot use a picture file: `tooLarge` in bytes, `tooLong` at an edge, an unknown `format`, or
 * `unreadable` for the browser.
 */
export type PictureRefusal = 'format' | 'tooLarge' | 'tooLong' | 'unreadable'

/** The picture, or the reason for its refusal. `chosen: null` means that the file exceeds `MAX_BANNER_BYTES`. */
export function readBannerPicture(chosen: ChosenPicture | null): BannerPicture | PictureRefusal {
  if (chosen === null || base64ByteSize(chosen.base64) > MAX_BANNER_BYTES) return 'tooLarge'
  const raster = readRaster(chosen.base64)
  if (raster === null) return 'format'
  return Math.max(raster.width, raster.height) > MAX_BANNER_EDGE_PX ? 'tooLong' : { ...chosen, raster }
}

/** The people in the banner form. While a rule is incomplete, `selection` is the last complete one. */
export type BannerAudience = Readonly<{ selection: Selection; isComplete: boolean }>

export const FOR_EVERYONE: BannerAudience = { selection: NEW_BLOCK_DEFAULTS.selection, isComplete: true }

/** The values of the banner form, without the picture. */
export type Banner = Pick<Block, 'name' | 'slot' | 'selection' | 'during' | 'recipients'> &
  Readonly<{
    /** The alternative text of the picture. */
    alt: string
    /** An address from `linkAddress`; null for a picture without a link. */
    address: string | null
    /** Whether clicks on the link are counted. */
    isCounted: boolean
    /** The template to which the slot is added; null if a template already has the slot. */
    into: string | null
  }>

/** A placeholder has at most 500 characters, and `counted` comes before the address. */
const MAX_ADDRESS_CHARACTERS = 480

/** A host with a dot and a last label of letters, and perhaps a port: `www.example.com`, `example.com:8443`. */
const BARE_HOST = /^[^/?#:@\s]+\.(?:\p{L}{2,}|xn--[a-z\d-]+)(?::\d{1,5})?(?=[/?#]|$)/iu

/**
 * The typed web address with https; null if it is invalid. Adds `https://` to `www.example.com` and `example.com/page`.
 * Encodes characters that could end a placeholder.
 */
export function linkAddress(typed: string): string | null {
  const text = typed.trim()
  const address = toPictureAddress(BARE_HOST.test(text) ? `https://${text}` : text)
  return address?.startsWith('https:') && address.length <= MAX_ADDRESS_CHARACTERS ? address : null
}

/** The name of a banner, made from its file name: `Autumn fair 2` for `autumn-fair_2.png`. */
export function bannerNameOf(file: string): string {
  const dot = file.lastIndexOf('.')
  return fileNameWords(dot > 0 ? file.slice(0, dot) : file)
}

/** The words of a file name without its extension: `Autumn fair 2.0` for `autumn-fair_2.0`. */
export function fileNameWords(name: string): string {
  const words = name.replace(/[-_\s]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The display size of a picture in a message, in CSS pixels. */
export function bannerSize({ width, height }: Pick<Raster, 'width' | 'height'>) {
  const shown = Math.min(width, MAX_BANNER_WIDTH_PX)
  return { width: shown, height: Math.max(1, Math.round((height * shown) / width)) }
}

/** The template of a banner. Width and height are attributes because classic Outlook draws messages with Word. */
export function bannerTemplate(
  path: string,
  raster: Pick<Raster, 'width' | 'height'>,
  { alt, address, isCounted }: Pick<Banner, 'alt' | 'address' | 'isCounted'>,
): string {
  const { width, height } = bannerSize(raster)
  const size = `width="${String(width)}" height="${String(height)}"`
  const style = 'style="display:block;border:0;max-width:100%;height:auto;"'
  const image = `<img src="{{picture ${path}}}" ${size} alt="${escapeForTemplate(alt)}" ${style}>`
  const href = isCounted ? `{{counted ${address ?? ''}}}` : escapeForTemplate(address ?? '')
  return `<table cellpadding="0" cellspacing="0" border="0" role="presentation">
  <tr><td style="padding:12px 0 0 0;">${address === null ? image : `<a href="${href}">${image}</a>`}</td></tr>
</table>
`
}

/** Adds a slot at the end of a template, before any closing `body` and `html` tags. */
export function withSlotAtEnd(text: string, slot: string): string {
  const lower = text.toLowerCase()
  const ends = [lower.lastIndexOf('</body'), lower.lastIndexOf('</html')].filter((at) => at >= 0)
  const end = ends[0] ?? text.length
  const before = text.slice(0, end)
  return `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}{{block ${slot}}}\n${text.slice(end)}`
}

/** The file extension of a picture of each type. */
export const PICTURE_ENDINGS = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
} as const

/** The path of the document's picture with this content hash; undefined if it has none. */
export const pathOfContent = ({ pictures }: Draft['document'], hash: string): string | undefined =>
  Object.keys(pictures).find((path) => pictures[path] === hash)

/**
 * Adds a banner and its picture to a draft, first in its slot. If the block's id exists already, returns the draft
 * unchanged.
 */
export function withBanner(
  draft: Pick<Draft, 'document' | 'pictures'>,
  banner: Banner,
  { hash, base64, raster }: BannerPicture,
  id = newBlockId(draft.document, banner.name),
): Pick<Draft, 'document' | 'pictures'> & Readonly<{ id: string }> {
  const { document, pictures } = draft
  if (hasId(blocksOf(document), id)) return { ...draft, id }
  const { name, slot, selection, during, recipients, into } = banner
  const known = pathOfContent(document, hash)
  const path =
    known ??
    freePath(`banners/${fileBaseName(id)}`, PICTURE_ENDINGS[raster.type], Object.keys(document.pictures))
  const block = { ...NEW_BLOCK_DEFAULTS, id, name, slot, selection, during, recipients }
  const added = withAddedBlock(document, block, bannerTemplate(path, raster, banner), true)
  const before = into === null ? undefined : document.templates[into]
  return {
    id,
    pictures: { ...pictures, [hash]: { mediaType: raster.type, base64 } },
    document: {
      ...added,
      pictures: { ...document.pictures, [path]: hash },
      ...(into !== null &&
        before !== undefined && { templates: { ...added.templates, [into]: withSlotAtEnd(before, slot) } }),
    },
  }
}
