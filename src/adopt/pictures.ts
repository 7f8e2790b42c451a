/** Finds the pictures in foreign html, and names them by their content. */
import { toPictureAddress } from '../../streams/html/address.ts'
import { decodeReferences } from '../../streams/html/tokens.ts'
import type { UnusedFile } from '../../streams/organisation/adopt/adopted.ts'
import { MAX_PICTURE_BYTES } from '../folder/files.ts'
import { pictureFormat, pictureHash } from '../folder/pictures.ts'
import { readPictureFormat } from '../folder/pictureFormats.ts'
import { type PictureFinder, picturePathOf } from './pictureFiles.ts'
import type { RemovalTally } from './tally.ts'

/** Made-up addresses for the pictures that came with the signature, until placeholders replace them. */
const ADOPTED = 'https://adopted.signet.invalid/'
const FOLDER = 'adopted'

const DATA = /^data:[^,]{0,200};base64,/i
const SCHEME = /^[a-z][a-z\d+.-]*:/i

/** The maximum number of pictures in a signature. */
const MAX_PICTURES = 100

/** Why a content without a format that mail clients show cannot be kept. */
const refusalOf = (content: Buffer): 'limit' | 'unreadable' =>
  content.length > MAX_PICTURE_BYTES || readPictureFormat(content) !== null ? 'limit' : 'unreadable'

type Resolved = string | Readonly<{ name: string; reason: 'missing' | 'unreadable' | 'limit' }>

/** The file name at the end of a path or an address. */
export const fileNameOf = (address: string): string => {
  const [path = ''] = address.split(/[?#]/, 1)
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

export function createPictureCollector({ find, isUnclear }: PictureFinder, { take }: RemovalTally) {
  const files = new Map<string, Uint8Array>()
  const linked = new Set<string>()
  const missing = new Set<string>()
  const resolved = new Map<string, Resolved>()
  /** The results by file content, because several addresses can lead to one file. */
  const read = new Map<Uint8Array, Resolved>()

  function keep(bytes: Uint8Array, name: string): Resolved {
    const known = read.get(bytes)
    if (known !== undefined) return typeof known === 'string' ? known : { ...known, name }
    const kept = written(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), name)
    read.set(bytes, kept)
    return kept
  }

  function written(content: Buffer, name: string): Resolved {
    const format = pictureFormat(content)
    if (format === null) return { name, reason: refusalOf(content) }
    const file = `${pictureHash(content)}.${format.extension}`
    if (!files.has(file) && files.size >= MAX_PICTURES) return { name, reason: 'limit' }
    files.set(file, content)
    return `${ADOPTED}${file}`
  }

  function resolve(address: string): Resolved {
    const data = DATA.exec(address)?.[0]
    if (data !== undefined)
      return keep(Buffer.from(address.slice(data.length).replace(/\s/g, ''), 'base64'), 'data:')
    const path = picturePathOf(address)
    const name = fileNameOf(path) || address.slice(0, 40)
    const content = find(address)
    const kept = content === undefined ? null : keep(content, name)
    const isLink = /^https?:/i.test(address)
    // A picture from the web stays linked if its file cannot replace it.
    if (kept !== null && (typeof kept === 'string' || !isLink)) return kept
    if (!isLink) {
      missing.add(address)
      return { name: SCHEME.test(address) ? address : name, reason: 'missing' }
    }
    // Mail clients request pictures over https, and `signet check` rejects http.
    const secure = toPictureAddress(address.replace(/^http:/i, 'https:'))
    if (secure === null || secure.startsWith(ADOPTED)) return { name: address, reason: 'unreadable' }
    const fetched = find(secure)
    const ofFetched = fetched === undefined ? null : keep(fetched, name)
    if (typeof ofFetched === 'string') return ofFetched
    if (secure.slice(0, 6) !== address.slice(0, 6).toLowerCase()) take('address', 'http:', 'notMail')
    linked.add(secure)
    return secure
  }

  return {
    /** Returns the address to write for a picture. Returns null for a picture that cannot be shown, and counts it. */
    write: (address: string): string | null => {
      const trimmed = address.trim()
      const known = resolved.get(trimmed) ?? resolve(trimmed)
      resolved.set(trimmed, known)
      if (typeof known === 'string') return known
      take('picture', known.name, known.reason)
      return null
    },
    /** The html with placeholders for the embedded pictures. */
    withPlaceholders: (html: string): string =>
      html.replace(
        /https:\/\/adopted\.signet\.invalid\/([\da-f]{32}\.(?:png|jpg|gif|webp))/g,
        (whole, file) => (files.has(String(file)) ? `{{picture ${FOLDER}/${String(file)}}}` : whole),
      ),
    /** The pictures that came with the signature, by path below `pictures/`. */
    files: (): ReadonlyMap<string, Uint8Array> =>
      new Map([...files].map(([file, bytes]) => [`${FOLDER}/${file}`, bytes])),
    linked: (): readonly string[] => [...linked],
    /** The addresses, other than links, whose files are missing. */
    missing: (): readonly string[] => [...missing],
    /** Why a given file is not used; null if it is. */
    unusedBecause: (bytes: Uint8Array): UnusedFile['reason'] | null => {
      const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const format = pictureFormat(content)
      if (format === null) return refusalOf(content)
      if (files.has(`${pictureHash(content)}.${format.extension}`)) return null
      return isUnclear(bytes) ? 'unclear' : typeof read.get(bytes) === 'object' ? 'limit' : 'unused'
    },
  }
}

/** The picture address in an attribute's value. */
export const pictureAddressIn = (value: string): string => decodeReferences(value).trim()
