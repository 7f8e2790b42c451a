/** Finds the signature in a mail's html. */
import { type BodyElement, elementsOf } from '../../streams/html/elements.ts'
import { findSignatures, quoteStartIn } from '../../streams/html/message.ts'
import { attributeOf, decodeReferences, DOCUMENT_ELEMENTS, tokensOf } from '../../streams/html/tokens.ts'
import { createLetterCollector } from '../../streams/html/words.ts'
import { cutFragment } from './cutting.ts'
import { NotAdopted } from './sample.ts'

/**
 * Attributes of the element that mail clients put around a signature. They are ids in Outlook's editions, Apple Mail,
 * Yahoo, Samsung and Zoho, and classes in Gmail, Thunderbird and Proton. Older versions of Apple Mail use another
 * attribute.
 */
const AROUND: ReadonlyMap<string, RegExp> = new Map([
  [
    'id',
    /^(?:x_)*(?:signature\b|ms-outlook-mobile-signature|applemailsignature|ymail_\w*signature|composer_signature|zm-_id_-sgn)/i,
  ],
  [
    'class',
    /(?:^|\s)(?:x_)*(?:(?:gmail|moz)[_-]signature|applemailsignature|protonmail_signature_block)(?=\s|$)/i,
  ],
  ['apple-content-edited', /^true$/i],
])
/** Elements before a signature: the bookmark of classic Outlook, and the line break of Apple Mail. */
const BEFORE: ReadonlyMap<string, RegExp> = new Map([
  ['name', /^_MailAutoSig$/i],
  ['id', /^(?:x_)*lineBreakAtBeginningOfSignature$/i],
])

const isMarked = ({ tag }: BodyElement, marks: ReadonlyMap<string, RegExp>): boolean =>
  tag.attributes.some(({ name, value }) => marks.get(name)?.test(decodeReferences(value)))

type Read = Readonly<{
  quote: number
  elements: readonly BodyElement[]
  letters: string
  at: readonly number[]
}>

function read(html: string): Read {
  const collected = createLetterCollector(html, true)
  let pictures = 0
  const elements = elementsOf(
    tokensOf(html),
    html.length,
    (token) => {
      if (token.kind === 'text') collected.read(token.start, token.end)
      else if (token.kind === 'open' && token.name === 'img') pictures++
    },
    () => ({ letters: collected.count(), pictures, others: 0 }),
  )
  const { text, at } = collected.letters()
  return { quote: quoteStartIn(html, 'html'), elements, letters: text, at }
}

/**
 * The start of the outermost element whose text begins with this letter; null if only the document's own elements do.
 */
function startAround({ elements }: Read, letter: number, floor: number): number | null {
  const around = elements.find(
    ({ tag, before, after }) =>
      tag.start >= floor &&
      before.letters === letter &&
      after.letters > letter &&
      !DOCUMENT_ELEMENTS.has(tag.name),
  )
  return around?.tag.start ?? null
}

const hasContent = ({ before, after }: BodyElement): boolean =>
  after.letters > before.letters || after.pictures > before.pictures

/** Whether the element is before the quoted thread, in the author's own text. */
const isOwn = ({ tag }: BodyElement, { quote }: Read): boolean => tag.start < quote

/** The line of two dashes before a signature in plain-text mails. */
const DASHES = /\s*-- ?\s*(?:<br\s*\/?>|\n)/iy

function behindDashes(html: string, from: number): number {
  DASHES.lastIndex = from
  return DASHES.test(html) ? DASHES.lastIndex : from
}

function markedPart(html: string, mail: Read): readonly [from: number, to: number] | null {
  const { quote, elements } = mail
  const around = elements.find(
    (element) => isOwn(element, mail) && isMarked(element, AROUND) && hasContent(element),
  )
  if (around) return [behindDashes(html, around.tag.end), Math.min(around.innerEnd, quote)]
  const before = elements.find((element) => isOwn(element, mail) && isMarked(element, BEFORE))
  if (!before) return null
  // The bookmark is in the first paragraph of the signature.
  const paragraph = elements.findLast(
    ({ tag, end }) => tag.name === 'p' && tag.start <= before.tag.start && end >= before.end,
  )
  return [
    attributeOf(before.tag, 'name') === null ? before.end : (paragraph?.tag.start ?? before.tag.start),
    quote,
  ]
}

/**
 * Extracts the signature from a mail: by the marks of Signet or of a mail client, or from a given text up to the quoted
 * thread.
 *
 * @param from the text that the signature begins with; null looks for marks
 * @throws NotAdopted if it is not found
 */
export function signatureInMail(html: string, from: string | null): string {
  const mail = read(html)
  if (from !== null) {
    const wanted = createLetterCollector(from, false)
    wanted.read(0, from.length)
    const { text } = wanted.letters()
    const letter = text === '' ? -1 : mail.letters.indexOf(text)
    const at = mail.at[letter] ?? html.length
    if (letter < 0 || at >= mail.quote)
      throw new NotAdopted(
        'from_not_found',
        'The text with which the signature begins is not in the author’s part of the mail.',
      )
    return cutFragment(html, startAround(mail, letter, 0) ?? at, mail.quote)
  }
  const [ours] = findSignatures(html)
  if (ours) return ours.html
  const part = markedPart(html, mail)
  if (part === null)
    throw new NotAdopted(
      'signature_not_found',
      'No mail client marked a signature in the mail: give the text with which it begins (--from "Kind regards").',
    )
  return cutFragment(html, ...part)
}
