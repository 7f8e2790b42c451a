/** Finds the pictures in foreign html, and names them by their content. */
import { toPictureAddress } from '../../streams/html/address.ts'
import { decodeReferences } from '../../streams/html/tokens.ts'
import { pathSpellings } from '../../streams/organisation/release/fileNames.ts'
import { MAX_PICTURE_BYTES } from '../folder/files.ts'
import { pictureFormat, pictureHash } from '../folder/pictures.ts'
import { readPictureFormat } from '../folder/pictureFormats.ts'
import { decodeWithEncoding } from '../values/encoding.ts'
import type { RemovalTally } from './tally.ts'

/** Made-up addresses for the pictures that came with the signature, until placeholders replace them. */
const ADOPTED = 'https://adopted.signet.invalid/'
const FOLDER = 'adopted'

const DATA = /^data:[^,]{0,200};base64,/i
const SCHEME = /^[a-z][a-z\d+.-]*:/i

/** The maximum number of pictures in a signature. */
const MAX_PICTURES = 100

type Resolved = string | Readonly<{ name: string; reason: 'missing' | 'unreadable' | 'limit' }>

/** The file name at the end of a path or an address. */
export const fileNameOf = (address: string): string => {
  const [path = ''] = address.split(/[?#]/, 1)
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

/** Decodes percent-encoded bytes that are not UTF-8 as Windows-1252. */
const percentDecodedAsWindows = (path: string): string =>
  path.replace(/(?:%[\da-f]{2})+/gi, (run) => {
    const bytes = run
      .split('%')
      .slice(1)
      .map((hex) => parseInt(hex, 16))
    return decodeWithEncoding(Uint8Array.from(bytes), 'windows-1252') ?? run
  })

/** Converts a relative address to a path: decoded, with slashes, without a leading `./`. */
export function picturePathOf(address: string): string {
  const [path = ''] = address.trim().split(/[?#]/, 1)
  return decodedPath(path)
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return percentDecodedAsWindows(path)
  }
}

/**
 * Returns a function that finds a picture by its address in the html. It ignores differences in Unicode form, case and
 * encoding.
 *
 * @param contents the contents of pictures, by address, path or file name
 */
export function createPictureFinder(
  contents: ReadonlyMap<string, Uint8Array>,
): (address: string) => Uint8Array | undefined {
  let byReading: Map<string, Uint8Array> | null = null
  const all = () => {
    if (byReading !== null) return byReading
    byReading = new Map()
    for (const [path, bytes] of contents)
      for (const each of [path, fileNameOf(path)])
        for (const reading of pathSpellings(each)) if (!byReading.has(reading)) byReading.set(reading, bytes)
    return byReading
  }
  return (address) => {
    const path = picturePathOf(address)
    const exact = contents.get(address) ?? contents.get(path) ?? contents.get(fileNameOf(path))
    if (exact !== undefined || SCHEME.test(address) || path === '') return exact
    for (const each of [path, fileNameOf(path)])
      for (const reading of pathSpellings(each)) {
        const found = all().get(reading)
        if (found !== undefined) return found
      }
    return undefined
  }
}

/** @param contents the contents of pictures, by address, path or file name */
export function createPictureCollector(contents: ReadonlyMap<string, Uint8Array>, { take }: RemovalTally) {
  const find = createPictureFinder(contents)
  const files = new Map<string, Uint8Array>()
  const linked = new Set<string>()
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
    if (format === null) {
      const isPicture = content.length > MAX_PICTURE_BYTES || readPictureFormat(content) !== null
      return { name, reason: isPicture ? 'limit' : 'unreadable' }
    }
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
    if (content !== undefined) return keep(content, name)
    if (!/^https?:/i.test(address)) return { name: SCHEME.test(address) ? address : name, reason: 'missing' }
    // Mail clients request pictures over https, and `signet check` rejects http.
    const secure = toPictureAddress(address.replace(/^http:/i, 'https:'))
    if (secure === null || secure.startsWith(ADOPTED)) return { name: address, reason: 'unreadable' }
    const fetched = contents.get(secure)
    if (fetched !== undefined) return keep(fetched, name)
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
  }
}

/** The picture address in an attribute's value. */
export const pictureAddressIn = (value: string): string => decodeReferences(value).trim()
