import {
  type Colour,
  toDarkMode,
  blendOver,
  type DrawnSignature,
  type DrawnImage,
  type PreviewTheme,
  WHITE,
} from '../../streams/html/readability.ts'
import type { ReadyPlan } from '../../streams/html/plan.ts'
import { INERT_LINK_CLASS, refusedPictureAddress } from './previewDocument.ts'

/** Reads a computed colour; null if it is not `rgb()` or `rgba()`. */
export function readColour(css: string): Colour | null {
  const [, list] = /^rgba?\(([^)]*)\)$/.exec(css) ?? []
  const [red, green, blue, alpha = 1] = (list ?? '').split(/[\s,/]+/).map(Number)
  if (red === undefined || green === undefined || blue === undefined) return null
  return [red, green, blue, alpha].some(Number.isNaN) ? null : { red, green, blue, alpha }
}

const writeColour = ({ red, green, blue, alpha }: Colour): string =>
  `rgba(${[red, green, blue].map(Math.round).join(', ')}, ${String(alpha)})`

/** Computes a value that each element derives from its parent's value, once per element. */
function inheriting<Value>(
  outermost: Value,
  next: (outer: Value, element: Element) => Value,
): (element: Element) => Value {
  const known = new Map<Element, Value>()
  return (element) => {
    const unknown: Element[] = []
    let value = outermost
    for (let each: Element | null = element; each; each = each.parentElement) {
      const found = known.get(each)
      if (found !== undefined) {
        value = found
        break
      }
      unknown.push(each)
    }
    for (const each of unknown.reverse()) {
      value = next(value, each)
      known.set(each, value)
    }
    return value
  }
}

type StyleOf = (element: Element) => CSSStyleDeclaration

/**
 * An element's background colour, blended with its ancestors' backgrounds; null if a background picture is behind it.
 */
const readBackgrounds = (styleOf: StyleOf) =>
  inheriting<Colour | null>(WHITE, (outer, element) => {
    const { backgroundColor, backgroundImage } = styleOf(element)
    const colour = backgroundImage === 'none' ? readColour(backgroundColor) : null
    if (!colour || colour.alpha === 1) return colour
    return outer && blendOver(colour, outer)
  })

const readOpacities = (styleOf: StyleOf) =>
  inheriting(1, (outer, element) => outer * Number(styleOf(element).opacity))

const isDrawn = (element: Element, styleOf: StyleOf): boolean =>
  element.getClientRects().length > 0 && styleOf(element).visibility === 'visible'

function loadingOf(image: HTMLImageElement): DrawnImage['loading'] {
  if (image.naturalWidth > 0) return 'loaded'
  return refusedPictureAddress(image.src) === null ? 'failed' : 'foreign'
}

/** The file name of a picture by its source: the content of an attached picture, or the address of a refused one. */
function namesFrom({ images }: ReadyPlan): (source: string) => string {
  const urls = new Map(images.map(({ content, url }) => [content, url]))
  return (source) => {
    const content = source.startsWith('data:') ? source.slice(source.indexOf(',') + 1) : null
    const url = refusedPictureAddress(source) ?? (content === null ? source : (urls.get(content) ?? ''))
    return url.replace(/[?#].*$/s, '').replace(/^.*\//s, '')
  }
}

/** Reads the visible content of a plan's document, which must be loaded completely. */
export function readDrawnSignature(document: Document, plan: ReadyPlan): DrawnSignature {
  const view = document.defaultView
  const { scrollWidth: width, clientWidth: room } = document.documentElement
  if (!view) return { texts: [], images: [], width, room }
  const styleOf: StyleOf = (element) => view.getComputedStyle(element)
  const backgroundOf = readBackgrounds(styleOf)
  const opacityOf = readOpacities(styleOf)
  const nameOf = namesFrom(plan)
  const linksWithText = new Map<Element, boolean>()
  const hasText = (link: Element): boolean => {
    const known = linksWithText.get(link) ?? link.textContent.trim() !== ''
    linksWithText.set(link, known)
    return known
  }
  const texts: DrawnSignature['texts'][number][] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    const text = node.nodeValue ?? ''
    if (!element || text.trim() === '' || !isDrawn(element, styleOf)) continue
    const { color, fontSize, fontWeight } = styleOf(element)
    const colour = readColour(color)
    if (!colour) continue
    texts.push({
      text,
      colour: { ...colour, alpha: colour.alpha * opacityOf(element) },
      background: backgroundOf(element),
      size: parseFloat(fontSize),
      bold: Number(fontWeight) >= 700,
    })
  }
  const images = [...document.querySelectorAll('img')]
    // Tracking pixels and hidden pictures do not count as content.
    .filter((image) => isDrawn(image, styleOf) && image.width > 1 && image.height > 1)
    .map((image): DrawnImage => {
      const link = image.closest(`.${INERT_LINK_CLASS}`)
      return {
        name: nameOf(image.src),
        alternative: image.getAttribute('alt'),
        isAllOfLink: link !== null && !hasText(link),
        loading: loadingOf(image),
      }
    })
  return { texts, images, width, room }
}

const COLOURS = [
  'color',
  'background-color',
  'border-top-color',
  'border-right-color',
  'border-bottom-color',
  'border-left-color',
] as const

/** Inverts every colour of a drawn document, as a dark mode does, but keeps the pictures. Returns the body. */
export function darkenDocument(document: Document): string {
  const view = document.defaultView
  const elements = [...document.body.querySelectorAll<HTMLElement>('*')]
  // Reads all colours before it changes any; otherwise inherited colours would be inverted twice.
  const inverted = elements.map((element) => {
    const style = view?.getComputedStyle(element)
    return COLOURS.flatMap((name) => {
      const colour = readColour(style?.getPropertyValue(name) ?? '')
      return colour && colour.alpha > 0 ? [[name, writeColour(toDarkMode(colour))] as const] : []
    })
  })
  elements.forEach((element, index) => {
    for (const [name, colour] of inverted[index] ?? []) element.style.setProperty(name, colour, 'important')
  })
  return document.body.innerHTML
}

/** The background of a message in each theme, in CSS. */
export const PAPER_COLOURS: Readonly<Record<PreviewTheme, string>> = {
  light: writeColour(WHITE),
  dark: writeColour(toDarkMode(WHITE)),
  highContrast: writeColour({ ...WHITE, red: 0, green: 0, blue: 0 }),
}

/** The styles of a dark mode: the background, and the colour of text that has no colour. */
export const DARK_MODE_CSS = `:root{background:${PAPER_COLOURS.dark}}body{color:${writeColour(toDarkMode({ ...WHITE, red: 0, green: 0, blue: 0 }))}}`

/** The styles of a high-contrast theme: text, links and borders have the reader's colours. */
export const HIGH_CONTRAST_CSS = `:root{background:${PAPER_COLOURS.highContrast}}*{color:#fff!important;border-color:#fff!important;background-color:${PAPER_COLOURS.highContrast}!important}.${INERT_LINK_CLASS},.${INERT_LINK_CLASS} *{color:#8ee3f0!important}`
