/**
 * Estimates from inline styles how readable a signature is, by the same rules as the pane's large preview. The pane
 * measures what a browser draws. Here only inline styles are known, so other styles give no finding.
 */
import {
  type Colour,
  readabilityIssues,
  type ReadabilityIssue,
  type DrawnText,
  WHITE,
} from '../../streams/html/readability.ts'
import { VOID_ELEMENTS } from '../../streams/html/tokens.ts'
import { readDeclarations } from '../../streams/html/declarations.ts'
import { quoteUntrusted } from './finding.ts'
import { htmlTokens, type HtmlToken } from './htmlTokens.ts'

/** The style of a text. Null means unknown. */
type Style = Readonly<{
  colour: Colour | null
  background: Colour | null
  size: number | null
  bold: boolean
}>

const BOLD: ReadonlySet<string> = new Set('b strong th h1 h2 h3 h4 h5 h6'.split(' '))
/** Elements that a start tag of the same name closes implicitly. */
const CLOSES_ITSELF: ReadonlySet<string> = new Set('p td th tr li'.split(' '))

const BLACK: Colour = { red: 0, green: 0, blue: 0, alpha: 1 }
const NAMED: Readonly<Record<string, Colour>> = { black: BLACK, white: WHITE }

function colourOf(text: string): Colour | null {
  const written = text.trim().toLowerCase()
  const [, short] = /^#([\da-f]{3})$/.exec(written) ?? []
  const digits = short === undefined ? /^#([\da-f]{6})$/.exec(written)?.[1] : short.replace(/./g, '$&$&')
  if (digits !== undefined) {
    const channel = (at: number) => parseInt(digits.slice(at, at + 2), 16)
    return { red: channel(0), green: channel(2), blue: channel(4), alpha: 1 }
  }
  const channels = /^rgb\((\d{1,3}),\s*(\d{1,3}),\s*(\d{1,3})\)$/.exec(written)
  if (channels)
    return { red: Number(channels[1]), green: Number(channels[2]), blue: Number(channels[3]), alpha: 1 }
  return NAMED[written] ?? null
}

function sizeOf(text: string): number | null {
  const [, number = '', unit] = /^(\d+(?:\.\d+)?)(px|pt)$/.exec(text.trim().toLowerCase()) ?? []
  return unit === undefined ? null : Number(number) * (unit === 'pt' ? 4 / 3 : 1)
}

function styleOf({ name, attributes }: Extract<HtmlToken, { kind: 'open' }>, around: Style): Style {
  let style: Style = { ...around, bold: around.bold || BOLD.has(name) }
  // Browsers choose the colour of a link and the size of a heading, so both are unknown here.
  if (name === 'a') style = { ...style, colour: null }
  if (/^h\d$/.test(name)) style = { ...style, size: null }
  for (const attribute of attributes) {
    if (attribute.name === 'bgcolor') style = { ...style, background: colourOf(attribute.value) }
    else if (attribute.name === 'background') style = { ...style, background: null }
    else if (attribute.name === 'color') style = { ...style, colour: colourOf(attribute.value) }
    else if (attribute.name === 'size' && name === 'font') style = { ...style, size: null }
    // Style sheets are not read, so an element with a class has an unknown colour and size.
    else if (attribute.name === 'class') style = { ...style, colour: null, size: null }
    else if (attribute.name === 'style')
      for (const { property, value } of readDeclarations(attribute.value)) {
        if (property === 'color') style = { ...style, colour: colourOf(value) }
        else if (property === 'background-color' || property === 'background')
          style = { ...style, background: colourOf(value) }
        else if (property === 'background-image') style = { ...style, background: null }
        else if (property === 'font-size') style = { ...style, size: sizeOf(value) }
        else if (property === 'font') style = { ...style, size: null }
        else if (property === 'font-weight') style = { ...style, bold: /^(bold|[6-9]00)$/.test(value) }
      }
  }
  return style
}

const PLAIN: Style = { colour: BLACK, background: WHITE, size: 16, bold: false }

function sentenceOf(issue: ReadabilityIssue): string | null {
  switch (issue.kind) {
    // Rounded down, because "4.5 to 1, 4.5 is needed" would contradict itself.
    case 'contrast':
      return `${quoteUntrusted(issue.text)} is hard to read: its contrast is ${(Math.floor(issue.ratio * 10) / 10).toFixed(1)} to 1, ${issue.needed} is needed.`
    case 'small':
      return `${quoteUntrusted(issue.text)} is hard to read: it is ${issue.size.toFixed(1)} pixels high.`
    default:
      return null
  }
}

/** Returns a sentence for each text in rendered html whose inline styles make it hard to read. */
export function legibilityProblems(html: string): readonly string[] {
  const texts: DrawnText[] = []
  const open: { name: string; style: Style }[] = []
  for (const token of htmlTokens(html)) {
    const style = open.at(-1)?.style ?? PLAIN
    if (token.kind === 'open' && !VOID_ELEMENTS.has(token.name)) {
      if (CLOSES_ITSELF.has(token.name) && open.at(-1)?.name === token.name) open.pop()
      open.push({ name: token.name, style: styleOf(token, open.at(-1)?.style ?? PLAIN) })
    } else if (token.kind === 'close') {
      const at = open.findLastIndex(({ name }) => name === token.name)
      if (at >= 0) open.length = at
    } else if (token.kind === 'text' && token.raw === null && style.size !== null) {
      const { colour, background, size, bold } = style
      texts.push({ text: token.text, colour: colour ?? BLACK, background: colour && background, size, bold })
    }
  }
  const seen = { texts, images: [], width: 0, room: 0 }
  return readabilityIssues(seen, 'light').flatMap((issue) => sentenceOf(issue) ?? [])
}
