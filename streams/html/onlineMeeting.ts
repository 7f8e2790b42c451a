import { type Bounds, type BodyElement, elementsOf, ZERO_COUNT } from './elements.ts'
import {
  attributeOf,
  decodeReferences,
  DOCUMENT_ELEMENTS,
  type OpenTag,
  tokensOf,
  VOID_ELEMENTS,
} from './tokens.ts'

// Finds the invitation to an online meeting in Teams, Zoom or Webex. The mail client writes this block into the
// meeting's body, below the author's text.

/** The line above the block: underscores in Teams, strokes in Zoom. */
const SEPARATOR = /^(?:_{30,}|─{8,}|-- do not delete or change any of the following text)/i
/** The classes of the Teams block and its parts, and the ids of its links, if a client returns them. */
const PART = /(?:^|\s)(?:x_)*me-email-/i
const LINK = /(?:^|\s)(?:x_)*meet_invite_block/i
/** Addresses of online meetings. */
const ADDRESS =
  /\/\/(?:[\w-]+\.)*(?:teams\.(?:microsoft|live|cloud\.microsoft)[\w.]*\/(?:l\/meetup-join|meet)|zoom(?:gov)?\.(?:us|com)\/(?:j|my|s|w)\/|webex\.com\/|aka\.ms\/jointeamsmeeting)/i
/** The maximum number of texts between the line above a block and the block's link. */
const TEXTS_TO_LINK = 6

/** A protected link contains the original address as a parameter. */
const isAddress = (text: string): boolean => ADDRESS.test(text.replace(/%2f/gi, '/'))

const leadsToMeeting = (tag: OpenTag): boolean => isAddress(decodeReferences(attributeOf(tag, 'href') ?? ''))

/** A position in a body. `texts` counts the texts above it; `passed` also counts element ends, breaks and pictures. */
type Place = Readonly<{ start: number; texts: number; passed: number }>

/** The start of the outermost element around this position that has nothing before it, not even an empty line. */
const startOf = ({ start, passed }: Place, elements: readonly BodyElement[]): number =>
  elements.find(
    ({ tag, before, end }) =>
      !DOCUMENT_ELEMENTS.has(tag.name) && tag.start <= start && end > start && before.letters === passed,
  )?.tag.start ?? start

/** The start of an online meeting's block in HTML, at the outermost element that begins there. */
function inHtml(body: string, signatures: readonly Bounds[]): number | null {
  let texts = 0
  let passed = 0
  let separator = null as Place | null
  let block = null as Place | null
  let next = 0
  const elements = elementsOf(
    tokensOf(body),
    body.length,
    (token) => {
      while ((signatures[next]?.end ?? Infinity) <= token.start) next++
      if (block || token.start >= (signatures[next]?.start ?? Infinity)) return
      const here = { start: token.start, texts, passed }
      if (token.kind === 'open') {
        const marks = `${attributeOf(token, 'class') ?? ''} ${attributeOf(token, 'id') ?? ''}`
        const [isLink, isPart] = [LINK.test(marks), PART.test(marks)]
        const between = separator ? texts - separator.texts : Infinity
        if ((isLink && separator) || (isPart && between === 1)) block = separator
        else if (between <= TEXTS_TO_LINK && leadsToMeeting(token)) block = separator
        else if (isLink || isPart) block = here
        if (VOID_ELEMENTS.has(token.name)) passed++
      } else if (token.kind === 'close') passed++
      else if (token.kind === 'text') {
        const text = decodeReferences(body.slice(token.start, token.end)).trim()
        if (text === '') return
        // Everything below the last line of this kind belongs to the block.
        if (SEPARATOR.test(text)) separator = here
        texts++
        passed++
      }
    },
    () => ({ ...ZERO_COUNT, letters: passed }),
  )
  return block && startOf(block, elements)
}

function inText(body: string, signatures: readonly Bounds[]): number | null {
  let separator: number | null = null
  let lines = 0
  let start = 0
  for (const line of body.split('\n')) {
    const at = start
    start += line.length + 1
    if (line.trim() === '' || signatures.some((each) => at >= each.start && at < each.end)) continue
    lines++
    if (SEPARATOR.test(line.trim())) {
      separator = at
      lines = 0
    } else if (separator !== null && lines <= TEXTS_TO_LINK && isAddress(line)) return separator
  }
  return null
}

/** The start of an online meeting's block in a body; null without one. Ignores Signet's signatures. */
export const onlineMeetingIn = (
  body: string,
  type: 'html' | 'text',
  signatures: readonly Bounds[] = [],
): number | null => (type === 'html' ? inHtml(body, signatures) : inText(body, signatures))
