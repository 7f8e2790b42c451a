import { type Element, elementsOf, NOTHING } from './elements.ts'
import { attributeOf, decodeReferences, DOCUMENT_ELEMENTS, type OpenTag, tokensOf } from './tokens.ts'

// Finds the block with which Teams, Zoom or Webex invite to an online meeting. The mail client writes it into the body
// of the meeting, below what the author wrote.

/** The line above the block: of underscores in Teams, of strokes in Zoom. */
const SEPARATOR = /^(?:_{30,}|─{8,}|-- do not delete or change any of the following text)/i
/** The classes of the block of Teams and of its parts, and the ids of its links, as far as a client returns them. */
const PART = /(?:^|\s)(?:x_)*me-email-/i
const LINK = /(?:^|\s)(?:x_)*meet_invite_block/i
/** Addresses of online meetings. */
const ADDRESS =
  /\/\/(?:teams\.(?:microsoft|live|cloud\.microsoft)[\w.]*\/(?:l\/meetup-join|meet)|aka\.ms\/jointeamsmeeting|[\w-]+\.zoom(?:gov)?\.(?:us|com)\/j\/|zoom\.us\/j\/|[\w-]+\.webex\.com\/)/i

const hasMarker = (tag: OpenTag, marker: RegExp): boolean =>
  ['id', 'class'].some((name) => marker.test(attributeOf(tag, name) ?? ''))
const leadsToMeeting = (tag: OpenTag): boolean =>
  ADDRESS.test(decodeReferences(attributeOf(tag, 'href') ?? ''))

/** A place in a body, and how many texts and pictures stand above it. */
type Place = Readonly<{ start: number; shown: number }>

/** Where the outermost element begins that has nothing above this place. */
const startOf = ({ start, shown }: Place, elements: readonly Element[]): number =>
  elements.find(
    ({ tag, before, end }) =>
      !DOCUMENT_ELEMENTS.has(tag.name) && tag.start <= start && end > start && before.letters === shown,
  )?.tag.start ?? start

/** Where the block of an online meeting begins in HTML: with the outermost element that begins with it. */
function inHtml(body: string): number | null {
  /** How many texts and pictures have come so far. */
  let shown = 0
  let separator = null as Place | null
  let block = null as Place | null
  const elements = elementsOf(
    tokensOf(body),
    body.length,
    (token) => {
      if (block) return
      const here = { start: token.start, shown }
      if (token.kind === 'open') {
        const isLink = hasMarker(token, LINK)
        const isPart = hasMarker(token, PART)
        const isAtLine = isPart && separator?.shown === shown - 1
        if (separator && (isLink || isAtLine || leadsToMeeting(token))) block = separator
        else if (isLink || isPart) block = here
        if (token.name === 'img') shown++
      } else if (token.kind === 'text') {
        const text = decodeReferences(body.slice(token.start, token.end)).trim()
        if (text === '') return
        // What comes below the last line of this kind belongs to the block.
        if (SEPARATOR.test(text)) separator = here
        shown++
      }
    },
    () => ({ ...NOTHING, letters: shown }),
  )
  return block && startOf(block, elements)
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
