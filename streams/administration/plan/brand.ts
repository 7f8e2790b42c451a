/** Edits a draft's brand: its colours, fonts and logos. Templates can follow a changed colour or a replaced logo. */
import { blendOver, contrast, LEAST_CONTRAST, WHITE } from '../../html/readability.ts'
import type { Insight } from '../../organisation/figures/insight.ts'
import { colourValue, isColour, isColourName, isFontName } from '../../organisation/release/brand.ts'
import type { Brand, ReleaseDocument } from '../../organisation/release/release.ts'
import { parseTemplate } from '../../organisation/template/template.ts'
import { blocksOf } from './blocks.ts'
import { colourPlaces, hexColour, withColour } from './brandColours.ts'
import type { BrandEdit } from './brandEdit.ts'
import { editsBetween, templatesOf } from './draft.ts'

/** The path of the page with the form for the brand. */
export const BRAND_PATH = '/signatures/brand'

/** Fonts that Windows and macOS both have, so that most recipients see them. */
export const MAIL_SAFE_FONTS = [
  ...['Arial', 'Courier New', 'Georgia', 'Tahoma', 'Times New Roman', 'Trebuchet MS', 'Verdana'],
] as const

/** `isFollowed`: the templates also use the new colour or the new logo. */
export type BrandChange =
  | Readonly<{ kind: 'colourAdded'; name: string; colour: string }>
  | Readonly<{
      kind: 'colourChanged'
      from: string
      name: string
      colour: string
      isFollowed: boolean
    }>
  | Readonly<{ kind: 'colourRemoved'; name: string }>
  | Readonly<{ kind: 'fontAdded' | 'fontRemoved'; font: string }>
  | Readonly<{ kind: 'logoAdded' | 'logoRemoved'; path: string }>
  | Readonly<{ kind: 'logoReplaced'; path: string; by: string; isFollowed: boolean }>

const NO_BRAND: Brand = { colours: {}, fonts: [], logos: [] }
export const brandOf = ({ brand = NO_BRAND }: ReleaseDocument): Brand => brand

/** The problem of a colour's name; null if the brand accepts it. `kept` is the name that the colour already has. */
export function colourNameProblem(
  { colours }: Brand,
  name: string,
  kept: string | null,
): 'name' | 'taken' | null {
  if (!isColourName(name)) return 'name'
  return name !== kept && Object.hasOwn(colours, name) ? 'taken' : null
}

const isSameFont = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The problem of a new font's name; null if the brand accepts it. */
export function fontProblem({ fonts }: Brand, font: string): 'font' | 'taken' | null {
  if (!isFontName(font)) return 'font'
  return fonts.some((each) => isSameFont(each, font)) ? 'taken' : null
}

/** The contrast of a colour with white if it is too low for text; null if it is high enough. */
export function lowContrast(colour: string): number | null {
  const value = colourValue(colour)
  if (value === null) return null
  const [red = 0, green = 0, blue = 0, alpha = 0] = [0, 2, 4, 6].map((at) =>
    parseInt(value.slice(at, at + 2), 16),
  )
  const ratio = contrast(blendOver({ red, green, blue, alpha: alpha / 255 }, WHITE), WHITE)
  return ratio < LEAST_CONTRAST ? ratio : null
}

/** The bounds of a picture's path in each of its placeholders, in text order. */
function picturePlaces(text: string, path: string): readonly Readonly<{ from: number; to: number }>[] {
  return parseTemplate(text, new Map())
    .template.placeholders.filter(({ kind, names }) => kind === 'picture' && names[0] === path)
    .map(({ at, end }) => {
      // Before the path is the word `picture`, which can also be a part of it.
      const from = at + text.slice(at, end).lastIndexOf(path)
      return { from, to: from + path.length }
    })
}

/** Replaces a picture in its placeholders. Returns the text itself if the picture is not in it. */
export function withPicture(text: string, path: string, by: string): string {
  let written = ''
  let end = 0
  for (const { from, to } of picturePlaces(text, path)) {
    written += text.slice(end, from) + by
    end = to
  }
  return written + text.slice(end)
}

/** A part of the brand that templates can use. */
export type BrandPart = Readonly<{ colour: string } | { picture: string }>

/** How many times the templates use a part of the brand, and the ids of the signatures and blocks that show it. */
export type BrandUse = Readonly<{ places: number; signatures: readonly string[]; blocks: readonly string[] }>

export function brandUse(document: ReleaseDocument, part: BrandPart): BrandUse {
  const counts = new Map(
    Object.entries(document.templates).map(([path, text]) => [
      path,
      'colour' in part ? colourPlaces(text, part.colour).length : picturePlaces(text, part.picture).length,
    ]),
  )
  const idsOf = (items: ReleaseDocument['signatures'] | ReturnType<typeof blocksOf>) =>
    items
      .filter((item) => templatesOf(document, item).some((path) => (counts.get(path) ?? 0) > 0))
      .map(({ id }) => id)
  return {
    places: [...counts.values()].reduce((sum, count) => sum + count, 0),
    signatures: idsOf(document.signatures),
    blocks: idsOf(blocksOf(document)),
  }
}

/** An opaque colour from a text field as `#1f3a5f`, also without its `#`; null for any other text. */
export const typedColour = (text: string): string | null => hexColour(text) ?? hexColour(`#${text.trim()}`)

/** How many people have one of these signatures as their default in the published release. */
export const peopleWith = ({ signatures }: BrandUse, figures: Pick<Insight, 'signatures'>): number =>
  figures.signatures
    .filter(({ signature }) => signatures.includes(signature))
    .reduce((sum, { people }) => sum + people, 0)

/** Replaces parts of the document's brand. Omits the field of an empty brand. */
function withBrand(document: ReleaseDocument, changes: Partial<Brand>): ReleaseDocument {
  const brand = { ...brandOf(document), ...changes }
  if (Object.keys(brand.colours).length + brand.fonts.length + brand.logos.length > 0)
    return { ...document, brand }
  const { brand: _, ...others } = document
  return others
}

/** Edits all templates; the same reference if all texts stay the same. */
function withTemplates(document: ReleaseDocument, edit: (text: string) => string): ReleaseDocument {
  const templates = Object.entries(document.templates)
  const edited = templates.map(([path, text]) => [path, edit(text)] as const)
  return edited.some(([path, text]) => text !== document.templates[path])
    ? { ...document, templates: Object.fromEntries(edited) }
    : document
}

/** Changes the brand, and the templates that follow; the same reference if nothing changes. */
export function withBrandChange(document: ReleaseDocument, change: BrandChange): ReleaseDocument {
  const brand = brandOf(document)
  const { colours, fonts, logos } = brand
  switch (change.kind) {
    case 'colourAdded': {
      const { name, colour } = change
      if (colourNameProblem(brand, name, null) !== null || !isColour(colour)) return document
      return withBrand(document, { colours: { ...colours, [name]: colour } })
    }
    case 'colourChanged': {
      const { from, name, colour, isFollowed } = change
      const before = Object.hasOwn(colours, from) ? colours[from] : undefined
      if (before === undefined || (name === from && colour === before)) return document
      if (colourNameProblem(brand, name, from) !== null || !isColour(colour)) return document
      const after = Object.entries(colours).map((each): readonly [string, string] =>
        each[0] === from ? [name, colour] : each,
      )
      const changed = withBrand(document, { colours: Object.fromEntries(after) })
      return isFollowed ? withTemplates(changed, (text) => withColour(text, before, colour)) : changed
    }
    case 'colourRemoved': {
      if (!Object.hasOwn(colours, change.name)) return document
      const { [change.name]: _, ...others } = colours
      return withBrand(document, { colours: others })
    }
    case 'fontAdded':
      if (fontProblem(brand, change.font) !== null) return document
      return withBrand(document, { fonts: [...fonts, change.font] })
    case 'fontRemoved':
      if (!fonts.includes(change.font)) return document
      return withBrand(document, { fonts: fonts.filter((font) => font !== change.font) })
    case 'logoAdded':
      if (!canBeLogo(document, change.path)) return document
      return withBrand(document, { logos: [...logos, change.path] })
    case 'logoRemoved':
      if (!logos.includes(change.path)) return document
      return withBrand(document, { logos: logos.filter((path) => path !== change.path) })
    case 'logoReplaced': {
      const { path, by, isFollowed } = change
      if (!logos.includes(path) || !canBeLogo(document, by)) return document
      const changed = withBrand(document, { logos: logos.map((each) => (each === path ? by : each)) })
      return isFollowed ? withTemplates(changed, (text) => withPicture(text, path, by)) : changed
    }
  }
}

/** What a change of the brand writes into the document; null if nothing changes. */
export function brandEdit(document: ReleaseDocument, change: BrandChange): BrandEdit | null {
  const changed = withBrandChange(document, change)
  if (changed === document) return null
  return {
    brand: changed.brand ?? null,
    templates: Object.entries(changed.templates).flatMap(([path, text]) => {
      const edits = editsBetween(document.templates[path] ?? '', text)
      return edits.length === 0 ? [] : [{ path, edits }]
    }),
  }
}

/** Whether the document has this picture, and it is no logo yet. */
const canBeLogo = (document: ReleaseDocument, path: string): boolean =>
  Object.hasOwn(document.pictures, path) && !brandOf(document).logos.includes(path)
