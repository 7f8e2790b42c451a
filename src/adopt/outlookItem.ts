/** Reads an Outlook item (`.msg`, `.oft`): its html, its inline pictures and its sender. */
import { decompressRTF } from '@kenjiuno/decompressrtf'
import { type CFolder, Reader } from '@kenjiuno/msgreader/lib/Reader.js'
import { deEncapsulateSync } from 'rtf-stream-parser'
import { decodeWithEncoding, readHtmlText } from '../values/encoding.ts'
import { addAttachment, type FoundInFile, MAX_SAMPLE_CHARACTERS, NotAdopted } from './sample.ts'

const START = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

/** Whether a file is a compound file, the format of Outlook items. */
export const isCompoundFile = (bytes: Uint8Array): boolean =>
  START.every((byte, index) => bytes[index] === byte)

/** The tags of the item properties that are read (MS-OXPROPS). */
const BODY_HTML = '1013'
const BODY_RTF = '1009'
const SENDERS = ['5D01', '5D02', '0C1F', '0065']
const PROPERTIES = '__properties_version1.0'
const INTERNET_CODE_PAGE = 0x3fde_0003
const ATTACHMENT = /^__attach_version1\.0_/i
const CONTENT = '3701'
/** An attachment's content id, content location and names. */
const NAMES = ['3712', '3713', '3707', '3704']

const MAX_RTF_BYTES = 3_000_000
const MAX_ATTACHMENTS = 200
const MAX_NAME_BYTES = 4_000

/** Property types: text in UTF-16, text in the item's code page, and bytes. */
const TYPES = ['001F', '001E', '0102'] as const
type Value = Readonly<{ type: (typeof TYPES)[number]; bytes: Uint8Array }>

/** A property from a folder of the item. Null if there is none, or if it is larger than `limit`. */
function propertyOf(folder: CFolder, tag: string, limit: number): Value | null {
  const sets = folder.fileNameSets()
  for (const type of TYPES) {
    const found = sets.find(({ name }) => name.toUpperCase() === `__SUBSTG1.0_${tag}${type}`)
    // The size is checked first, because the reader allocates that many bytes even if the file is shorter.
    if (found !== undefined && found.length >= 0 && found.length <= limit)
      return { type, bytes: found.provider() }
  }
  return null
}

/** @param encoding the encoding of the item's code page */
const textOf = (value: Value | null, encoding: string): string => {
  if (value === null || value.type === '0102') return ''
  const text =
    (value.type === '001F'
      ? decodeWithEncoding(value.bytes, 'utf-16le')
      : readHtmlText(value.bytes, encoding).text) ?? ''
  let end = text.length
  while (text[end - 1] === '\0') end -= 1
  return text.slice(0, end)
}

/** Windows encodings whose names cannot be derived from the code page number. */
const ENCODINGS: ReadonlyMap<number, string> = new Map([
  [437, 'ibm866'],
  [866, 'ibm866'],
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10000, 'macintosh'],
  [20127, 'windows-1252'],
  [20866, 'koi8-r'],
  [21866, 'koi8-u'],
  [50220, 'iso-2022-jp'],
  [51932, 'euc-jp'],
  [51949, 'euc-kr'],
  [54936, 'gb18030'],
  [65001, 'utf-8'],
])

const encodingOf = (codePage: number): string =>
  ENCODINGS.get(codePage) ??
  (codePage > 28590 && codePage < 28606
    ? `iso-8859-${String(codePage - 28590)}`
    : `windows-${String(codePage)}`)

/** The code page of the item's html; null if not given. Each property takes 16 bytes after a header of 32. */
function codePageOf(folder: CFolder, limit: number): number | null {
  const properties = folder.fileNameSets().find(({ name, length }) => name === PROPERTIES && length <= limit)
  const bytes = properties?.provider() ?? new Uint8Array()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 32; at + 16 <= bytes.length; at += 16)
    if (view.getUint32(at, true) === INTERNET_CODE_PAGE) return view.getUint32(at + 8, true)
  return null
}

/** The html that Outlook embeds in RTF; null if the RTF has none. */
function htmlInRtf({ bytes }: Value): string | null {
  const size = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // The first number is the length of the data. A truncated file is not unpacked.
  if (bytes.length < 16 || size.getUint32(0, true) + 4 > bytes.length) return null
  const rtf = Buffer.from(decompressRTF(Array.from(bytes)))
  const { mode, text } = deEncapsulateSync(rtf, {
    decode: (part, encoding) =>
      decodeWithEncoding(part, /^cp\d+$/.test(encoding) ? encodingOf(Number(encoding.slice(2))) : encoding) ??
      part.toString('latin1'),
    warn: () => undefined,
  })
  return mode === 'html' ? String(text) : null
}

/**
 * @param given the encoding to use if the html's own is unclear; null if unknown
 * @throws NotAdopted for an item without html; any error for a damaged item
 */
export function readOutlookItem(bytes: Uint8Array, given: string | null): FoundInFile {
  const reader = new Reader(new DataView(bytes.slice().buffer))
  reader.parse()
  const root = reader.rootFolder()
  const limit = bytes.length
  const body = propertyOf(root, BODY_HTML, limit)
  const codePage = codePageOf(root, limit)
  const rtf = body === null ? propertyOf(root, BODY_RTF, Math.min(limit, MAX_RTF_BYTES)) : null
  const encoding = codePage === null ? null : encodingOf(codePage)
  const names = encoding ?? 'windows-1252'
  const read = body?.type === '0102' ? readHtmlText(body.bytes, encoding, given) : null
  const html = body === null ? rtf && htmlInRtf(rtf) : (read?.text ?? textOf(body, names))
  if (html === null || html.trim() === '')
    throw new NotAdopted('sample_without_html', 'The Outlook item has no html.')
  if (html.length > MAX_SAMPLE_CHARACTERS)
    throw new NotAdopted(
      'sample_too_large',
      `The mail has more than ${MAX_SAMPLE_CHARACTERS} characters of html.`,
    )

  const pictures = new Map<string, Uint8Array>()
  let room = limit
  for (const folder of root
    .subFolders()
    .filter(({ name }) => ATTACHMENT.test(name))
    .slice(0, MAX_ATTACHMENTS)) {
    const content = propertyOf(folder, CONTENT, room)
    if (content === null) continue
    room -= content.bytes.length
    const [id = '', ...others] = NAMES.map((tag) =>
      textOf(propertyOf(folder, tag, MAX_NAME_BYTES), names).trim(),
    )
    addAttachment(pictures, content.bytes, id, others)
  }
  const addresses = SENDERS.map((tag) =>
    textOf(propertyOf(root, tag, MAX_NAME_BYTES), names)
      .trim()
      .toLowerCase(),
  )
  return {
    html,
    pictures,
    isUnclear: read?.isUnclear ?? false,
    addresses: [...new Set(addresses)].filter((address) => address.includes('@')),
  }
}
