import { percentDecoded } from './address.ts'
import { type Bounds, type BodyElement, elementsOf, outermostParts } from './elements.ts'
import { createQuoteFinder } from './quotes.ts'
import { htmlToText } from './text.ts'
import { attributeOf, DOCUMENT_ELEMENTS, type OpenTag, type Token, tokensOf } from './tokens.ts'
import {
  createLetterCollector,
  type Fingerprint,
  fingerprintOf,
  type Letters,
  fingerprintPlaces,
  RECOGNISED_LETTERS,
} from './words.ts'

// Reads a message's body, HTML or text, even after the mail client rewrote it. Nothing here changes a body.

export type BodyType = 'html' | 'text'

/**
 * The data for recognising a signature in its message. `mark` identifies the runtime that wrote it into this item. In
 * clients that return no marks, `words` and `pictures` find the signature; `pictures: null` means that the record has
 * no room for their names. `copies`: how often these words occurred above the quoted thread, and inside it, when the
 * body was read back. `seen`: how the signature was recognised in that body, if at all. `around`: the line breaks added
 * with it to a plain text, above and below it.
 */
export type SignatureTrace = Readonly<{
  mark: string
  words: Fingerprint
  pictures: readonly string[] | null
  copies: readonly [own: number, quoted: number]
  seen: 'mark' | 'words' | null
  around?: readonly [above: number, below: number]
}>

/**
 * A Signet signature in a body. `start` and `end` are its wrapper's bounds. `html` is its content now; `hash` is the
 * hash of the content that was inserted.
 */
export type FoundSignature = Readonly<{
  combinedIds: string
  hash: string
  html: string
  start: number
  end: number
}>

/**
 * Facts about a message besides its body: the marks of the runtimes that wrote into it, whether it is a reply or a
 * forward, and the signature in its record.
 */
export type MessageFacts = Readonly<{
  marks: readonly string[]
  isAnswer: boolean
  inserted: Readonly<{ combinedIds: string; hash: string; trace?: SignatureTrace | null }> | null
}>

const NOTHING_KNOWN: MessageFacts = { marks: [], isAnswer: false, inserted: null }

// ---- The mark of a signature ----

/** The data that identify a signature. They are attributes of the wrapper, and also an id, which more clients keep. */
export type SignatureMark = Readonly<{ mark: string; hash: string; combinedIds: string }>

const MARK = /^((?:x_)*)signet_([\w-]+?)_([\da-z]+)_([^]*)$/

/** The id of a signature's wrapper. `mark` contains only letters, digits and hyphens. */
export const markId = ({ mark, hash, combinedIds }: SignatureMark): string =>
  `signet_${mark}_${hash}_${encodeURIComponent(combinedIds)}`

/**
 * The mark in this tag; null without one. `isQuoted`: a client has renamed the id. `mark` is null in older messages.
 */
export function markOn(
  tag: OpenTag,
): Readonly<{ mark: string | null; hash: string; combinedIds: string; isQuoted: boolean }> | null {
  const [, quoted = '', mark, hash, ids = ''] = MARK.exec(attributeOf(tag, 'id') ?? '') ?? []
  if (mark !== undefined && hash !== undefined)
    return { mark, hash, combinedIds: percentDecoded(ids), isQuoted: quoted !== '' }
  const own = tag.name === 'div' ? attributeOf(tag, 'data-signet-hash') : null
  return own === null
    ? null
    : {
        mark: attributeOf(tag, 'data-signet-mark'),
        hash: own,
        combinedIds: attributeOf(tag, 'data-signet-id') ?? '',
        isQuoted: false,
      }
}

// ---- Signatures ----

/**
 * Whether a client marks its own signature with this tag: web and new Outlook by an id, classic Outlook by a bookmark.
 */
const marksClientSignature = ({ attributes }: OpenTag): boolean =>
  attributes.some(
    ({ name, value }) => /\b_MailAutoSig\b/i.test(value) || (name === 'id' && /^Signature\b/i.test(value)),
  )

type Read = Readonly<{
  ours: readonly FoundSignature[]
  clients: readonly Bounds[]
  quote: number
  isCopied: boolean
}>

/**
 * Finds the message's own Signet signatures (`ours`), the mail client's own signatures (`clients`), and the start of
 * the quoted thread (`quote`). A signature is the message's own if it has one of the message's marks, or if it is above
 * the quoted thread. In a reply or a forward, the position counts only for signatures without a mark, from old
 * versions, and only if a thread is recognised. `isCopied`: the quoted thread contains a mark of this message.
 */
function readMarked(body: string, { marks, isAnswer }: MessageFacts): Read {
  const quotes = createQuoteFinder(body, true)
  const elements = elementsOf(tokensOf(body), body.length, quotes.read)
  const quote = quotes.quote()
  const ours: FoundSignature[] = []
  const clients: Bounds[] = []
  let isCopied = false
  for (const { tag, innerEnd, end } of elements) {
    const { start } = tag
    if (start < quote && marksClientSignature(tag)) clients.push({ start, end })
    const marked = markOn(tag)
    if (!marked) continue
    const isKnown = marked.mark !== null && marks.includes(marked.mark)
    if (isKnown && (marked.isQuoted || start >= quote)) isCopied = true
    const isAbove = start < quote && !(isAnswer && (marked.mark !== null || quote === body.length))
    if (marked.isQuoted || !(isKnown || isAbove)) continue
    const { combinedIds, hash } = marked
    ours.push({
      combinedIds,
      hash,
      html: body.slice(tag.end, innerEnd),
      start,
      end,
    })
  }
  return { ours: outermostParts(ours), clients, quote, isCopied: isCopied }
}

// ---- The words of a signature ----

/** The content ids of the inline images in a body. */
export const contentIds = (body: string): ReadonlySet<string> =>
  new Set([...body.matchAll(/\bcid:([^"'()<>\s&]+)/gi)].map(([, id = '']) => id))

/** The tokens in a body. Plain text is a single token. */
const tokensIn = (body: string, type: BodyType): Iterable<Token> =>
  type === 'html' ? tokensOf(body) : [{ kind: 'text', start: 0, end: body.length }]

/** The letters in a body, and the start of its quoted thread. Without a thread, `quote` is the body's length. */
function readWords(body: string, type: BodyType): Readonly<{ letters: Letters; quote: number }> {
  const letters = createLetterCollector(body, type === 'html')
  const quotes = createQuoteFinder(body, type === 'html')
  for (const token of tokensIn(body, type)) {
    quotes.read(token)
    if (token.kind === 'text') letters.read(token.start, token.end)
  }
  return { letters: letters.letters(), quote: quotes.quote() }
}

/** Whether the letter at this index is above the quoted thread. */
const isAbove =
  ({ at }: Letters, quote: number) =>
  (place: number): boolean =>
    (at[place] ?? quote) < quote

const fingerprint = (content: string, type: BodyType): Fingerprint =>
  fingerprintOf(readWords(content, type).letters)

/** Whether two contents have the same letters. */
export const isSameText = (one: string, other: string, type: BodyType): boolean =>
  readWords(one, type).letters.text === readWords(other, type).letters.text

/** The start of the quoted thread in a body. Without a thread, the body's length. */
export const quoteStartIn = (body: string, type: BodyType): number => readWords(body, type).quote

/** The number of copies of these words above a body's quoted thread, and in the thread. */
function copiesOf(body: string, words: Fingerprint, type: BodyType): SignatureTrace['copies'] {
  const { letters, quote } = readWords(body, type)
  const places = fingerprintPlaces(letters, words)
  const own = places.filter(isAbove(letters, quote)).length
  return [own, places.length - own]
}

/**
 * Whether the record with this trace was copied from the quoted message: some clients copy records into a forward. True
 * if the mark is in the quoted thread or a client has renamed it. Also true if the quoted thread has all recorded
 * copies of the words.
 */
export function isCopied(body: string, { mark, words, copies }: SignatureTrace, type: BodyType): boolean {
  if (type === 'html' && readMarked(body, { ...NOTHING_KNOWN, marks: [mark] }).isCopied) return true
  const [own, quoted] = copiesOf(body, words, type)
  return words[0] >= RECOGNISED_LETTERS && own === 0 && quoted >= copies[0] + copies[1]
}

/**
 * Whether the author's part of a body contains this signature's words in one piece. Some clients remove the mark when a
 * message is sent again. `written` is the planned signature; as plain text, it also has the texts of the pictures. Null
 * for a signature with fewer than `RECOGNISED_LETTERS` letters.
 */
export const hasSignatureWords = (
  { body, type }: Pick<ReadBody, 'body' | 'type'>,
  html: string,
  written: Pick<Written, 'content' | 'type'>,
): boolean | null => standTogether(readWords(body, type), html, written)

function standTogether(
  { letters, quote }: ReturnType<typeof readWords>,
  html: string,
  written: Pick<Written, 'content' | 'type'>,
): boolean | null {
  const known = [readWords(html, 'html'), readWords(written.content, written.type)]
    .map((content) => content.letters.text)
    .filter(({ length }) => length >= RECOGNISED_LETTERS)
  if (known.length === 0) return null
  return known.some((words) => {
    // If the first occurrence is in the quoted thread, so are all others.
    const place = letters.text.indexOf(words)
    return place >= 0 && isAbove(letters, quote)(place + words.length - 1)
  })
}

/** The sequences of `RECOGNISED_LETTERS` letters in `htmls` that are in none of `others`. */
export function distinctPieces(htmls: readonly string[], others: readonly string[]): ReadonlySet<string> {
  const pieces = new Set(htmls.flatMap(runsOf))
  for (const run of others.flatMap(runsOf)) pieces.delete(run)
  return pieces
}

const runsOf = (html: string): readonly string[] => {
  const { text } = readWords(html, 'html').letters
  const count = Math.max(0, text.length - RECOGNISED_LETTERS + 1)
  return Array.from({ length: count }, (_, index) => text.slice(index, index + RECOGNISED_LETTERS))
}

/** Searches the words of a body. The body is read only once. */
export function createWordSearch({ body, type }: Pick<ReadBody, 'body' | 'type'>) {
  const read = readWords(body, type)
  const { text, at } = read.letters
  const first = at.findIndex((place) => place >= read.quote)
  const own = first < 0 ? text : text.slice(0, first)
  return {
    /** `hasSignatureWords` for this body. */
    has: (html: string, written: Pick<Written, 'content' | 'type'>) => standTogether(read, html, written),
    /** Whether the author's part contains the words as often as when they were written. */
    hasTraced: ({ words, copies: [count] }: SignatureTrace): boolean =>
      fingerprintPlaces(read.letters, words).filter(isAbove(read.letters, read.quote)).length >=
      Math.max(1, count),
    /** Whether the author's part contains one of these pieces. */
    hasPiece: (pieces: ReadonlySet<string>): boolean => {
      if (pieces.size > 0)
        for (let end = RECOGNISED_LETTERS; end <= own.length; end++)
          if (pieces.has(own.slice(end - RECOGNISED_LETTERS, end))) return true
      return false
    },
  }
}

/** The characters that mail clients write before each quoted line of a plain text. */
const QUOTED_LINE = /^[> ]+/gm

/** Searches the quoted thread of a body for signatures in earlier messages. The thread is read only once. */
export function createThreadSearch({ body, type }: Pick<ReadBody, 'body' | 'type'>) {
  const quoted = body.slice(quoteStartIn(body, type))
  const thread = type === 'html' ? quoted : quoted.replace(QUOTED_LINE, '')
  const { text } = readWords(thread, type).letters
  const marks =
    type === 'html'
      ? [...tokensOf(thread)].flatMap((token) =>
          token.kind === 'open' ? (markOn(token)?.combinedIds ?? []) : [],
        )
      : []
  return {
    /** Whether Signet's mark of this signature is in the thread. */
    hasMark: (combinedIds: string): boolean => marks.includes(combinedIds),
    /**
     * Whether the thread has the words of these pieces of html, in order. Other words may be between the pieces. False
     * if the pieces have fewer than `RECOGNISED_LETTERS` letters together.
     */
    hasInOrder: (htmls: readonly string[]): boolean => {
      const pieces = htmls.map((html) => readWords(html, 'html').letters.text)
      if (pieces.join('').length < RECOGNISED_LETTERS) return false
      let from = 0
      return pieces.every((piece) => {
        const place = text.indexOf(piece, from)
        from = place + piece.length
        return place >= 0
      })
    },
  }
}

/**
 * The bounds of the lines with these letters. The bounds exclude other letters before them in the first line, and after
 * them in the last line.
 */
function linesOf(text: string, { at }: Letters, from: number, to: number): Bounds {
  const [first = 0, last = 0] = [at[from], at[to - 1]]
  const start = text.lastIndexOf('\n', first) + 1
  const next = text.indexOf('\n', last)
  const end = next < 0 ? text.length : text[next - 1] === '\r' ? next - 1 : next
  return {
    start: (at[from - 1] ?? -1) < start ? start : first,
    end: (at[to] ?? Infinity) < end ? last + 1 : end,
  }
}

/** The lines of every copy of these words in a plain text, including copies in the quoted thread. */
export function copyPlacesInText(body: string, words: Fingerprint): readonly Bounds[] {
  const { letters } = readWords(body, 'text')
  return fingerprintPlaces(letters, words).map((from) => linesOf(body, letters, from, from + words[0]))
}

/** The number of copies of these words in a plain text. */
export const copiesInText = (body: string, words: Fingerprint): number =>
  fingerprintPlaces(readWords(body, 'text').letters, words).length

/** The fingerprint of a plain text. */
export const textFingerprint = (text: string): Fingerprint => fingerprint(text, 'text')

const OF_TABLE = /^t(?:able|body|foot|head|[dhr])$/

/**
 * Finds a body's recorded signature by its words and pictures: in HTML as the elements that contain nothing else, in
 * plain text as lines. The signature must begin above the quoted thread. Its words must occur there at least as often
 * as when the signature was written.
 */
function findRecorded(body: string, { inserted }: MessageFacts, type: BodyType): readonly FoundSignature[] {
  const { trace, combinedIds = '', hash = '' } = inserted ?? {}
  if (!trace || combinedIds === '') return []
  const { words, pictures, copies } = trace
  const collected = createLetterCollector(body, type === 'html')
  const quotes = createQuoteFinder(body, type === 'html')
  /**
   * `texts` are texts with letters, `shown` the pictures in the signature. `before` is the number of letters before a
   * text or a picture, `after` the number of letters up to its end.
   */
  const texts: (Bounds & Readonly<{ before: number; after: number }>)[] = []
  const shown: Readonly<{ before: number; name: string }>[] = []
  let others = 0
  const elements = elementsOf(
    tokensIn(body, type),
    body.length,
    (token) => {
      quotes.read(token)
      const { kind, start, end } = token
      const before = collected.count()
      if (kind === 'text') {
        collected.read(start, end)
        if (collected.count() > before) texts.push({ start, end, before, after: collected.count() })
      } else if (kind === 'open')
        for (const name of contentIds(body.slice(start, end)))
          if (pictures?.includes(name)) shown.push({ before, name })
          else others++
    },
    () => ({ letters: collected.count(), pictures: shown.length, others }),
  )
  const quote = quotes.quote()
  const letters = collected.letters()
  const [count] = words
  const places = fingerprintPlaces(letters, words).filter(isAbove(letters, quote))
  const from = count === 0 ? shown[0]?.before : places[0]
  if (from === undefined || (count > 0 && places.length < copies[0])) return []
  const to = from + count
  const isIn = (before: number, after: number) => from <= before && after <= to
  const names = new Set(shown.filter(({ before }) => isIn(before, before)).map(({ name }) => name))
  // If all pictures of the signature are found, the other pictures are the author's. Otherwise one of them may be a
  // signature picture that the client renamed.
  const hasAll = pictures?.every((name) => names.has(name)) === true
  if (count < RECOGNISED_LETTERS && !(hasAll && names.size > 0)) return []
  const isPart = ({ tag: { name }, before, after }: BodyElement) =>
    isIn(before.letters, after.letters) &&
    (after.letters > before.letters || after.pictures > before.pictures) &&
    !DOCUMENT_ELEMENTS.has(name) &&
    (!hasAll || before.others === after.others || OF_TABLE.test(name))
  const parts: readonly Bounds[] =
    type === 'text'
      ? [linesOf(body, letters, from, to)]
      : [
          ...elements.filter(isPart).map(({ tag: { start }, end }) => ({ start, end })),
          ...texts
            .filter(({ before, after }) => before < to && from < after)
            .map(({ start, end, before, after }) => ({
              start: before < from ? (letters.at[from] ?? start) : start,
              end: after > to ? (letters.at[to] ?? end) : end,
            })),
        ]
  const start = parts.reduce((least, part) => Math.min(least, part.start), body.length)
  const end = parts.reduce((most, part) => Math.max(most, part.end), 0)
  return start < Math.min(end, quote) ? [{ combinedIds, hash, html: body.slice(start, end), start, end }] : []
}

// ---- Questions about a body ----

/**
 * The message's own Signet signatures, without those in the quoted thread. They are found by their marks. If the client
 * returned no marks, they are found by the words in the message's record.
 */
export function findSignatures(
  body: string,
  known: MessageFacts = NOTHING_KNOWN,
  type: BodyType = 'html',
): readonly FoundSignature[] {
  const { ours } = type === 'text' ? { ours: [] } : readMarked(body, known)
  return ours.length > 0 ? ours : findRecorded(body, known, type)
}

/** The parts of a plan that its trace is built from. */
type Written = Readonly<{
  type: BodyType
  content: string
  images: readonly Readonly<{ name: string }>[]
  hash: string
  combinedIds: string
}>

/** The maximum number of picture names in a trace. */
const MAX_PICTURES = 12

/**
 * Finds the newly written signature in the body that the client returned. `found` is null if the signature is not
 * recognised; `trace` has the data for finding it again.
 */
export function findInsertedSignature(
  { type, content, images, hash, combinedIds }: Written,
  body: string,
  known: MessageFacts,
): Readonly<{ found: FoundSignature | null; trace: SignatureTrace }> {
  const [mark = ''] = known.marks
  const words = fingerprint(content, type)
  const pictures = images.length > MAX_PICTURES ? null : images.map(({ name }) => name)
  const trace: SignatureTrace = { mark, words, pictures, copies: [1, 0], seen: null }
  const now = { ...known, inserted: { combinedIds, hash, trace } }
  const marked = type === 'html' ? readMarked(body, now).ours.find((each) => each.hash === hash) : undefined
  const found = marked ?? findRecorded(body, now, type)[0] ?? null
  const [own, quoted] = copiesOf(body, words, type)
  const seen = marked ? 'mark' : found && 'words'
  return { found, trace: { ...trace, copies: [Math.max(1, own), quoted], seen } }
}

/**
 * The bounds of every signature in the author's part, in order: Signet's signatures, and the mail client's own, which
 * `setSignatureAsync` also replaces. A client's signature ends at the quoted thread or earlier.
 */
function boundsOfSignatures(body: string, known: MessageFacts, type: BodyType): readonly Bounds[] {
  if (type === 'text') return findRecorded(body, known, type)
  const { ours, clients, quote } = readMarked(body, known)
  const own = ours.length > 0 ? ours : findRecorded(body, known, type)
  let next = 0
  const others = clients.flatMap(({ start, end: closed }) => {
    const end = Math.min(closed, quote)
    while ((own[next]?.end ?? Infinity) <= start) next++
    // A Signet signature that the client also marked as its own counts once.
    return (own[next]?.start ?? Infinity) < end ? [] : [{ start, end }]
  })
  return [...own, ...others].sort((one, other) => one.start - other.start)
}

/** The words in a body, in order, without the words in signatures. An insertion must preserve them. */
export function visibleTextOf(
  body: string,
  known: MessageFacts = NOTHING_KNOWN,
  type: BodyType = 'html',
): string {
  const between: string[] = []
  let end = 0
  for (const found of boundsOfSignatures(body, known, type)) {
    between.push(body.slice(end, found.start))
    end = Math.max(end, found.end)
  }
  between.push(body.slice(end))
  const rest = between.join(' ')
  return (type === 'html' ? htmlToText(rest) : rest).replace(/[\s\u200B\uFEFF]+/g, ' ').trim()
}

/** A body, with the known facts about the message at the time of reading. */
export type ReadBody = Readonly<{ body: string; known: MessageFacts; type: BodyType }>

/**
 * Whether an insertion preserved every word of the author and of the quoted thread, in order. Newly typed words, and a
 * client's signature between the words, do not count as a loss.
 */
export function preservesText(before: ReadBody, after: ReadBody): boolean {
  const former = visibleTextOf(before.body, before.known, before.type).replaceAll(' ', '')
  let found = 0
  for (const character of visibleTextOf(after.body, after.known, after.type))
    if (former.startsWith(character, found)) found += character.length
  return found === former.length
}
