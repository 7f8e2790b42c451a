import {
  attributeOf,
  decodeReferences,
  DOCUMENT_ELEMENTS,
  type OpenTag,
  tokensOf,
  VOID_ELEMENTS,
} from './tokens.ts'

// Finds the block with which Teams, Zoom or Webex invite to an online meeting. The mail client writes it into the body
// of the meeting, below what the author wrote.

/** The line above the block: of underscores in Teams, of strokes in Zoom. */
const SEPARATOR = /^(?:_{30,}|─{8,}|-- do not delete or change any of the following text)/i
/** The ids and classes of the block of Teams; a client may have renamed them, and not every client returns them. */
const MARKER = /(?:^|\s)(?:x_)*(?:meet_invite_block|me-email-)/i
/** Addresses of online meetings. */
const ADDRESS =
  /\/\/(?:teams\.(?:microsoft|live|cloud\.microsoft)[\w.]*\/(?:l\/meetup-join|meet)|aka\.ms\/jointeamsmeeting|[\w-]+\.zoom(?:gov)?\.(?:us|com)\/j\/|zoom\.us\/j\/|[\w-]+\.webex\.com\/)/i

const hasMarker = (tag: OpenTag): boolean =>
  ['id', 'class'].some((name) => MARKER.test(attributeOf(tag, name) ?? ''))

/** Where the block of an online meeting begins in HTML; null without one. */
function inHtml(body: string): number | null {
  /** The open elements, and from which of them on no text has come yet. */
  const open: Readonly<{ name: string; start: number }>[] = []
  let empty = 0
  /** Where elements of this name are in `open`. */
  const places = new Map<string, number[]>()
  let separator: number | null = null
  const here = (start: number): number => open[empty]?.start ?? start
  for (const token of tokensOf(body)) {
    if (token.kind === 'open') {
      if (hasMarker(token)) return separator ?? here(token.start)
      if (separator !== null && ADDRESS.test(decodeReferences(attributeOf(token, 'href') ?? '')))
        return separator
      if (token.name === 'img') empty = open.length
      if (VOID_ELEMENTS.has(token.name) || DOCUMENT_ELEMENTS.has(token.name)) continue
      const ofName = places.get(token.name)
      if (ofName) ofName.push(open.length)
      else places.set(token.name, [open.length])
      open.push({ name: token.name, start: token.start })
    } else if (token.kind === 'close') {
      const place = places.get(token.name)?.at(-1)
      if (place === undefined) continue
      for (const { name } of open.splice(place)) places.get(name)?.pop()
      empty = Math.min(empty, open.length)
    } else if (token.kind === 'text') {
      const text = decodeReferences(body.slice(token.start, token.end)).trim()
      if (text === '') continue
      // What comes below the last line of this kind belongs to the block.
      if (SEPARATOR.test(text)) separator = here(token.start)
      empty = open.length
    }
  }
  return null
}

function inText(body: string): number | null {
  let separator: number | null = null
  let start = 0
  for (const line of body.split('\n')) {
    if (SEPARATOR.test(line.trim())) separator = start
    else if (separator !== null && ADDRESS.test(line)) return separator
    start += line.length + 1
  }
  return null
}

/** Where the block of an online meeting begins in a body; null without one. */
export const onlineMeetingIn = (body: string, type: 'html' | 'text'): number | null =>
  type === 'html' ? inHtml(body) : inText(body)
