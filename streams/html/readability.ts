/** Red, green and blue from 0 to 255, opacity from 0 to 1. */
export type Colour = Readonly<{ red: number; green: number; blue: number; alpha: number }>

/** How a mail client shows a message. `highContrast` replaces all colours by the reader's own. */
export type PreviewTheme = 'light' | 'dark' | 'highContrast'

/**
 * A piece of text as drawn. `size` is in CSS pixels. `background` is null over a picture, where contrast is unknown.
 */
export type DrawnText = Readonly<{
  text: string
  colour: Colour
  background: Colour | null
  size: number
  bold: boolean
}>

/**
 * A picture as drawn. `alternative` is null without an alternative text. `isAllOfLink`: the picture is the only content
 * of a link. `foreign`: previews load nothing from the picture's origin.
 */
export type DrawnImage = Readonly<{
  name: string
  alternative: string | null
  isAllOfLink: boolean
  loading: 'loaded' | 'failed' | 'foreign'
}>

/** A signature as drawn. `width` is its own width, `room` the available width, both in CSS pixels. */
export type DrawnSignature = Readonly<{
  texts: readonly DrawnText[]
  images: readonly DrawnImage[]
  width: number
  room: number
}>

/**
 * A readability issue. Every kind except `wide` names the text or image. `ratio` and `needed` are contrasts, 4.5 for
 * 4.5:1.
 */
export type ReadabilityIssue =
  | Readonly<{ kind: 'wide'; width: number }>
  | Readonly<{ kind: 'contrast'; text: string; ratio: number; needed: number }>
  | Readonly<{ kind: 'small'; text: string; size: number }>
  | Readonly<{ kind: 'noAlternative' | 'notLoaded' | 'foreign'; image: string }>

type OfPlace = Exclude<ReadabilityIssue, { kind: 'wide' }>

/** The smallest text size that is easy to read, in CSS pixels. */
export const SMALLEST_TEXT_PX = 9

/** The minimum contrast of text, and of large text (WCAG 2.2, success criterion 1.4.3). */
export const LEAST_CONTRAST = 4.5
const LEAST_CONTRAST_LARGE = 3
/** The minimum sizes of large text, in CSS pixels. */
const LARGE = { normal: 24, bold: 18.66 } as const

const linear = (channel: number): number => {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** Relative luminance of an opaque colour, from 0 to 1 (WCAG 2.2). */
const luminance = ({ red, green, blue }: Colour): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

/** The contrast of two opaque colours, from 1 to 21, in either order (WCAG 2.2). */
export function contrast(one: Colour, other: Colour): number {
  const [first, second] = [luminance(one), luminance(other)]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

/** The colour that results from drawing `top` over the opaque colour `under`. */
export function blendOver(top: Colour, under: Colour): Colour {
  const mix = (above: number, below: number) => above * top.alpha + below * (1 - top.alpha)
  return {
    red: mix(top.red, under.red),
    green: mix(top.green, under.green),
    blue: mix(top.blue, under.blue),
    alpha: 1,
  }
}

export const WHITE: Colour = { red: 255, green: 255, blue: 255, alpha: 1 }
/** The lightness of white in dark mode. Black becomes white. */
const DARKEST = 0.12

/** A colour in dark mode: swaps light and dark, and keeps the hue. Clients differ; Outlook is similar. */
export function toDarkMode({ red, green, blue, alpha }: Colour): Colour {
  const channels = [red / 255, green / 255, blue / 255] as const
  const [most, least] = [Math.max(...channels), Math.min(...channels)]
  const lightness = (most + least) / 2
  const range = most - least
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * lightness - 1))
  const turned = 1 - (1 - DARKEST) * lightness
  const turnedRange = saturation * (1 - Math.abs(2 * turned - 1))
  // Each channel keeps its relative position between the darkest and the lightest channel, so the hue is unchanged.
  const place = (channel: number) =>
    Math.min(
      255,
      Math.max(
        0,
        255 * (turned - turnedRange / 2 + (range === 0 ? 0 : ((channel - least) / range) * turnedRange)),
      ),
    )
  return { red: place(channels[0]), green: place(channels[1]), blue: place(channels[2]), alpha }
}

const MAX_EXCERPT_CHARACTERS = 40
const excerpt = (text: string): string => {
  const words = text.trim().replace(/\s+/g, ' ')
  return words.length <= MAX_EXCERPT_CHARACTERS
    ? words
    : `${words.slice(0, MAX_EXCERPT_CHARACTERS - 1).trimEnd()}…`
}

function ofText(
  { text, colour, background, size, bold }: DrawnText,
  theme: PreviewTheme,
): readonly OfPlace[] {
  const place = excerpt(text)
  if (place === '' || size === 0) return []
  const found: OfPlace[] = []
  if (size < SMALLEST_TEXT_PX) found.push({ kind: 'small', text: place, size })
  if (background && theme !== 'highContrast') {
    const turned = theme === 'dark' ? toDarkMode : (same: Colour) => same
    const under = turned(background)
    const ratio = contrast(blendOver(turned(colour), under), under)
    const needed = size >= (bold ? LARGE.bold : LARGE.normal) ? LEAST_CONTRAST_LARGE : LEAST_CONTRAST
    if (ratio < needed) found.push({ kind: 'contrast', text: place, ratio, needed })
  }
  return found
}

function ofImage({ name, alternative, isAllOfLink, loading }: DrawnImage): readonly OfPlace[] {
  const image = excerpt(alternative ?? '') || excerpt(name)
  const isSilent = alternative === null || (isAllOfLink && alternative.trim() === '')
  return [
    ...(loading === 'failed' ? [{ kind: 'notLoaded', image } as const] : []),
    ...(loading === 'foreign' ? [{ kind: 'foreign', image } as const] : []),
    ...(isSilent ? [{ kind: 'noAlternative', image } as const] : []),
  ]
}

/**
 * The readability issues of a signature in this theme: first `wide`, then issues of texts, then issues of images. Each
 * issue is listed once for a text or image.
 */
export function readabilityIssues(
  { texts, images, width, room }: DrawnSignature,
  theme: PreviewTheme,
): readonly ReadabilityIssue[] {
  const places = [...texts.flatMap((text) => ofText(text, theme)), ...images.flatMap(ofImage)]
  const known = new Set<string>()
  const each = places.filter((place) => {
    const name = `${place.kind} ${'text' in place ? place.text : place.image}`
    if (known.has(name)) return false
    known.add(name)
    return true
  })
  return width > room ? [{ kind: 'wide', width }, ...each] : each
}
