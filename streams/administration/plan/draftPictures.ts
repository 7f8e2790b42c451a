/** The pictures of a draft: what they weigh and what uses them; adds, scales down and removes them. */
import { base64ByteSize, type Raster, readRaster } from '../../html/raster.ts'
import type { Handle } from '../../kernel/handle.ts'
import { createSelector } from '../../kernel/selector.ts'
import type { ReleaseDocument } from '../../organisation/release/release.ts'
import { misbracedPlaceholders, parseTemplate } from '../../organisation/template/template.ts'
import {
  type BannerPicture,
  bannerSize,
  MAX_BANNER_BYTES,
  MAX_BANNER_EDGE_PX,
  pathOfContent,
  PICTURE_ENDINGS,
  type PictureRefusal,
} from './banners.ts'
import type { Draft, DraftPicture } from './draft.ts'
import { fileBaseName, freePath, newItemId } from './items.ts'

/** The parts of a draft that its pictures change. */
type DraftParts = Pick<Draft, 'document' | 'pictures'>

/** A picture's size in pixels. */
export type PictureSize = Pick<Raster, 'width' | 'height'>

/**
 * A picture of a draft, with its path below `pictures/`. Without `content`, the page does not have its content;
 * `raster` is null, too, if the content cannot be read.
 */
export type ListedPicture = Readonly<{
  path: string
  content: DraftPicture | null
  bytes: number
  raster: Raster | null
}>

/** Reading a picture takes time for its length, so each content is read once. */
const rasters = new WeakMap<DraftPicture, Raster | null>()

function rasterOf(content: DraftPicture): Raster | null {
  const known = rasters.get(content)
  if (known !== undefined) return known
  const raster = readRaster(content.base64)
  rasters.set(content, raster)
  return raster
}

/** Lists a draft's pictures by path. */
export const listedPictures = createSelector(
  [({ document }: DraftParts) => document.pictures, ({ pictures }: DraftParts) => pictures],
  (paths, contents): readonly ListedPicture[] =>
    Object.keys(paths)
      .sort()
      .map((path) => {
        const content = contents[paths[path] ?? ''] ?? null
        return {
          path,
          content,
          bytes: content ? base64ByteSize(content.base64) : 0,
          raster: content && rasterOf(content),
        }
      }),
)

/** A picture of a draft in the form of a read file; null if the draft lacks it, or the page lacks its content. */
export function draftPictureAt({ document, pictures }: DraftParts, path: string): BannerPicture | null {
  const hash = Object.hasOwn(document.pictures, path) ? (document.pictures[path] ?? '') : ''
  const content = Object.hasOwn(pictures, hash) ? pictures[hash] : undefined
  const raster = content && rasterOf(content)
  if (!raster) return null
  return { name: path.slice(path.lastIndexOf('/') + 1), base64: content.base64, hash, raster }
}

/** What uses a picture: the template or part at a path, or the list of the brand's logos. */
export type PictureUse = Readonly<{ kind: 'template'; path: string }> | Readonly<{ kind: 'logo' }>

/** What uses each picture, by the picture's path. A placeholder with wrong braces counts, because it will be corrected. */
export const pictureUses = createSelector(
  [({ templates }: ReleaseDocument) => templates, ({ brand }: ReleaseDocument) => brand],
  (templates, brand): ReadonlyMap<string, readonly PictureUse[]> => {
    const uses = new Map<string, PictureUse[]>()
    const addUse = (picture: string, use: PictureUse) => {
      const known = uses.get(picture)
      if (known) known.push(use)
      else uses.set(picture, [use])
    }
    for (const [path, text] of Object.entries(templates)) {
      const { placeholders } = parseTemplate(text, new Map()).template
      const named = [...placeholders, ...misbracedPlaceholders(text)].flatMap(({ kind, names }) =>
        kind === 'picture' ? names : [],
      )
      for (const picture of new Set(named)) addUse(picture, { kind: 'template', path })
    }
    for (const picture of new Set(brand?.logos)) addUse(picture, { kind: 'logo' })
    return uses
  },
)

/** The paths of the pictures that nothing in the document uses, sorted. */
export function unusedPictures(document: ReleaseDocument): readonly string[] {
  const uses = pictureUses(document)
  return Object.keys(document.pictures)
    .filter((path) => !uses.has(path))
    .sort()
}

/**
 * Removes the unused pictures among these paths; the same reference if there are none. Keeps the contents of the
 * document from which the draft began.
 */
export function withoutUnusedPictures<Of extends DraftParts & Pick<Draft, 'original'>>(
  draft: Of,
  paths: readonly string[],
): Of {
  const { document, original, pictures } = draft
  const removed = new Set(unusedPictures(document).filter((path) => paths.includes(path)))
  if (removed.size === 0) return draft
  const kept = Object.entries(document.pictures).filter(([path]) => !removed.has(path))
  const hashes = new Set([...kept.map(([, hash]) => hash), ...Object.values(original?.pictures ?? {})])
  return {
    ...draft,
    document: { ...document, pictures: Object.fromEntries(kept) },
    pictures: Object.fromEntries(Object.entries(pictures).filter(([hash]) => hashes.has(hash))),
  }
}

/** A draft with a picture. `isNew` is false if the draft had the same content already, at `path`. */
type WithPicture = Readonly<{ draft: DraftParts; path: string; isNew: boolean }>

function withPictureAt(draft: DraftParts, picture: BannerPicture, base: string): WithPicture {
  const { hash, base64, raster } = picture
  const { document, pictures } = draft
  const known = pathOfContent(document, hash)
  const path = known ?? freePath(base, PICTURE_ENDINGS[raster.type], Object.keys(document.pictures))
  return {
    path,
    isNew: known === undefined,
    draft: {
      pictures: Object.hasOwn(pictures, hash)
        ? pictures
        : { ...pictures, [hash]: { mediaType: raster.type, base64 } },
      document:
        known === undefined ? { ...document, pictures: { ...document.pictures, [path]: hash } } : document,
    },
  }
}

const withoutEnding = (path: string): string => {
  const dot = path.lastIndexOf('.')
  return dot > path.lastIndexOf('/') + 1 ? path.slice(0, dot) : path
}

/** Adds a picture at a free path made from its file name. The same content leads to the existing picture. */
export const withPicture = (draft: DraftParts, picture: BannerPicture): WithPicture =>
  withPictureAt(draft, picture, fileBaseName(newItemId(withoutEnding(picture.name), new Set(), 'picture')))

/** Adds a smaller copy beside the picture at `path`: `logo-440.png` beside `logo.png`. */
export const withSmallerPicture = (draft: DraftParts, path: string, smaller: BannerPicture): WithPicture =>
  withPictureAt(draft, smaller, `${withoutEnding(path)}-${String(smaller.raster.width)}`)

/** Mails with heavier pictures load slowly. */
export const HEAVY_PICTURE_BYTES = 100_000

/** Pictures with twice as many pixels as CSS pixels are sharp on every screen. */
const SHARPNESS = 2

/** Scaling a picture of another type could stop its animation. */
const SCALABLE: readonly Raster['type'][] = ['image/png', 'image/jpeg']

/**
 * The size to which a picture should be scaled down; null if it is not too large. A picture with more pixels than any
 * screen shows becomes as sharp as the sharpest screen; a heavy one becomes as wide as it is shown.
 *
 * @param shownWidth the picture's width in the signature, in CSS pixels
 */
export function scaledDownSize(
  { raster, bytes }: Readonly<{ raster: Raster; bytes: number }>,
  shownWidth = bannerSize(raster).width,
): PictureSize | null {
  const sharp = Math.max(1, Math.round(SHARPNESS * shownWidth))
  const shown = Math.max(1, Math.round(shownWidth))
  const width = raster.width > sharp ? sharp : bytes > HEAVY_PICTURE_BYTES ? shown : raster.width
  if (width >= raster.width || !SCALABLE.includes(raster.type)) return null
  return { width, height: Math.max(1, Math.round((raster.height * width) / raster.width)) }
}

/**
 * The size limit of a picture file that is read to be scaled down. Photos of phones have up to 15 MB, and the page holds
 * the content several times while it scales the picture.
 */
export const MAX_GIVEN_PICTURE_BYTES = 20 * 1024 * 1024

/** The length of the base64 that contains a picture's header. */
const HEADER_CHARACTERS = 1_000_000

/** A given picture beyond the limits of a release, which can be scaled down. `picture` refers to its file. */
export type LargePicture = Readonly<{ name: string; picture: Handle; bytes: number; raster: Raster }>

/** The size and type of a file that can be scaled down; null for other files. */
export function scalableRaster(base64: string): Raster | null {
  const raster = readRaster(base64.slice(0, HEADER_CHARACTERS))
  return raster && SCALABLE.includes(raster.type) ? raster : null
}

/** The size to which a picture beyond the limits is scaled down; null if no smaller copy can help. */
export function sizeWithinLimits(raster: Raster, shownWidth?: number): PictureSize | null {
  const heavy = { raster, bytes: MAX_BANNER_BYTES }
  const size = scaledDownSize(heavy, shownWidth) ?? scaledDownSize(heavy)
  return size && size.height <= MAX_BANNER_EDGE_PX ? size : null
}

/**
 * Why a picture was not added. `notScaled`: the browser could not redraw it. `notLighter`: the smaller copy weighs at
 * least as much.
 */
export type AddingRefusal = PictureRefusal | 'notScaled' | 'notLighter'

/** The pictures that are being added to the draft, and the results. */
export type PictureAdding = Readonly<{
  /** The number of files and copies that are still being made. */
  pending: number
  /** The picture that was added last; null before the first. */
  added: Readonly<{ path: string; isNew: boolean }> | null
  /** The files beyond the limits that can be scaled down, until the administrator decides. */
  large: readonly LargePicture[]
  /** The files that were not added since the latest ones were given. */
  refused: readonly Readonly<{ name: string; refusal: AddingRefusal }>[]
}>

export const NOTHING_ADDED: PictureAdding = { pending: 0, added: null, large: [], refused: [] }

/** One more file or copy is pending. Forgets earlier refusals, unless other files are still pending. */
export const withPending = (adding: PictureAdding): PictureAdding => ({
  ...adding,
  pending: adding.pending + 1,
  refused: adding.pending === 0 ? [] : adding.refused,
})

/** Links all pictures instead of attaching them, or only those that a template links. Then the document omits the field. */
export function withLinkedPictures(document: ReleaseDocument, isOn: boolean): ReleaseDocument {
  if ((document.linked ?? false) === isOn) return document
  const { linked: _, ...others } = document
  return isOn ? { ...others, linked: true } : others
}
