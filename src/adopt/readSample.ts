/** Reads the signature in a sample: a Word or Outlook file, a mail, or pasted html. */
import PostalMime from 'postal-mime'
import { decodeReferences, type Token, tokensOf } from '../../streams/html/tokens.ts'
import { isAddress } from '../../streams/organisation/release/names.ts'
import { cutFragment } from './cutting.ts'
import { repairMojibake, readHtmlText } from '../values/encoding.ts'
import { isCompoundFile, readOutlookItem } from './outlookItem.ts'
import {
  addAttachment,
  type FoundInFile,
  type FoundSignature,
  MAX_SAMPLE_BYTES,
  MAX_SAMPLE_CHARACTERS,
  NotAdopted,
  type SampleFile,
} from './sample.ts'
import { signatureInMail } from './signatureInMail.ts'

const MAX_NESTED_PARTS = 20
/** The nesting limit for mails inside mails, because each level holds a copy of all levels below it. */
const MAX_NESTED_MAILS = 1
const MAX_HEADERS_BYTES = 1_000_000

const unreadable = (message: string, cause?: unknown) =>
  new NotAdopted('sample_unreadable', message, null, cause)

function withinLimit(html: string): string {
  if (html.length <= MAX_SAMPLE_CHARACTERS) return html
  throw new NotAdopted('sample_too_large', `The html has more than ${MAX_SAMPLE_CHARACTERS} characters.`)
}

/** The selected part of a clipboard's html; the entire html if it has no clipboard marks. */
function selectedIn(html: string): string {
  const bounds: [Token | null, Token | null] = [null, null]
  for (const token of tokensOf(html))
    if (token.kind === 'comment') {
      const text = html.slice(token.start, token.end)
      if (/^<!--\s*StartFragment/i.test(text)) bounds[0] ??= token
      else if (/^<!--\s*EndFragment/i.test(text)) bounds[1] = token
    }
  const [start, end] = bounds
  return start === null
    ? html
    : cutFragment(html, start.end, end !== null && end.start > start.end ? end.start : html.length)
}

function readHtml({ bytes }: SampleFile, encoding: string | null): FoundInFile {
  // Html has no zero characters once it is decoded, even from UTF-16.
  const { text, isUnclear } = readHtmlText(bytes, null, encoding)
  const html = withinLimit(text)
  if (html.includes('\0')) throw unreadable('The file is not html.')
  return { html: selectedIn(html), pictures: new Map(), addresses: addressesIn(html), isUnclear }
}

const MAX_ADDRESSES = 20

const LONGEST_ADDRESS = 320
const IN_LINK = /\bmailto:([^\s"'<>?&%]{1,200}@[^\s"'<>?&%]{1,200})/gi
/** The characters between words in a text, which are never in an address. */
const BETWEEN = /[\s<>()[\]"“”„«»|,;:/\\]+/u
const STOPS = /[.!?…]+$/

/** Candidates for mail addresses in a tag or text: `mailto:` links, and words in texts. */
function* addressesOf(html: string, { kind, start, end }: Token): Generator<string, void> {
  const part = decodeReferences(html.slice(start, end))
  if (kind !== 'text') for (const [, address = ''] of part.matchAll(IN_LINK)) yield address
  else if (part.includes('@'))
    for (const word of part.split(BETWEEN)) if (word.length <= LONGEST_ADDRESS) yield word.replace(STOPS, '')
}

/** The addresses in links and texts of the html, in order. */
function addressesIn(html: string): readonly string[] {
  const found = new Set<string>()
  for (const token of tokensOf(html))
    for (const address of addressesOf(html, token)) {
      if (found.size >= MAX_ADDRESSES) return [...found]
      if (isAddress(address.toLowerCase())) found.add(address.toLowerCase())
    }
  return [...found]
}

async function readMail({ bytes }: SampleFile, from: string | null): Promise<FoundInFile> {
  const mail = await PostalMime.parse(bytes, {
    maxNestingDepth: MAX_NESTED_PARTS,
    maxRfc822NestingDepth: MAX_NESTED_MAILS,
    maxHeadersSize: MAX_HEADERS_BYTES,
    attachmentEncoding: 'arraybuffer',
  })
  if (mail.html === undefined || mail.html.trim() === '')
    throw new NotAdopted('sample_without_html', 'The mail has no html.')
  const pictures = new Map<string, Uint8Array>()
  for (const { contentId, content, filename } of mail.attachments) {
    const file = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
    addAttachment(pictures, file, contentId ?? '', [filename ?? ''])
  }
  const sender = mail.from?.address?.toLowerCase()
  return {
    // A mail can declare a wrong encoding, just as a file can.
    html: signatureInMail(repairMojibake(withinLimit(mail.html)), from),
    pictures,
    addresses: sender === undefined || sender === '' ? [] : [sender],
    isUnclear: mail.html.includes('\uFFFD'),
  }
}

const MAIL = /\.eml$/i
const HTML = /\.html?$/i

/** The signature in its own file; null if the file has another type. */
async function foundIn(
  file: SampleFile,
  from: string | null,
  encoding: string | null,
): Promise<FoundInFile | null> {
  if (isCompoundFile(file.bytes)) {
    const item = readOutlookItem(file.bytes, encoding)
    return { ...item, html: signatureInMail(item.html, from) }
  }
  if (MAIL.test(file.path)) return await readMail(file, from)
  return HTML.test(file.path) ? readHtml(file, encoding) : null
}

/**
 * @param files the signature or the mail, followed by the files that it names
 * @param from the text that a mail's signature begins with; null looks for the marks of mail clients
 * @param encoding the encoding to use if the html's own is unclear; null if unknown
 * @throws NotAdopted with a sentence; no content of a file causes another error
 */
export async function readSample(
  files: readonly SampleFile[],
  from: string | null,
  encoding: string | null = null,
): Promise<FoundSignature> {
  const [first, ...others] = files
  if (first === undefined) throw unreadable('The sample has no file.')
  if (files.reduce((sum, { bytes }) => sum + bytes.length, 0) > MAX_SAMPLE_BYTES)
    throw new NotAdopted('sample_too_large', `The files are larger than ${MAX_SAMPLE_BYTES} bytes together.`)
  try {
    const found = await foundIn(first, from, encoding)
    const given = others.map(({ path, bytes }) => [path, bytes] as const)
    if (found !== null) return { ...found, pictures: new Map([...found.pictures, ...given]), given: others }
  } catch (error) {
    if (error instanceof NotAdopted) throw error
    // Messages from libraries or from the engine would not help the user.
    throw unreadable('The file cannot be read: it is damaged, or not what its name says.', error)
  }
  throw unreadable('Signatures are read from .htm and .html, .eml, .msg and .oft.')
}
