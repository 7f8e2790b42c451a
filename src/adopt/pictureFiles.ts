/** Decides which of the given files each picture address in foreign html means. No address is ever requested. */
import { attributeOf, decodeReferences, tokensOf } from '../../streams/html/tokens.ts'
import { pathSpellings } from '../../streams/organisation/release/fileNames.ts'
import { decodeWithEncoding } from '../values/encoding.ts'

/** Addresses beyond this number get only the file with exactly their path. */
const MAX_ADDRESSES = 2_000
const MAX_ADDRESS_CHARACTERS = 4_000

const SCHEME = /^([a-z][a-z\d+.-]*:)?[/\\]*/i
const URL_OF_STYLE = /url\(\s*["']?([^"')]{1,500})/gi
const SOURCE_IN_COMMENT = /\ssrc\s{0,9}=\s{0,9}["']?([^"'\s>]{1,500})/gi
/** Elements whose `src` is no picture. */
const NO_PICTURES: ReadonlySet<string> = new Set(
  'script iframe frame embed video audio source track'.split(' '),
)

function* addressesOf(html: string): Generator<string, void> {
  for (const token of tokensOf(html)) {
    if (token.kind === 'raw' || token.kind === 'comment') {
      const text = decodeReferences(html.slice(token.start, token.end))
      for (const [, address = ''] of text.matchAll(URL_OF_STYLE)) yield address
      for (const [, address = ''] of text.matchAll(SOURCE_IN_COMMENT)) yield address
    }
    if (token.kind !== 'open') continue
    if (!NO_PICTURES.has(token.name)) yield attributeOf(token, 'src') ?? ''
    yield attributeOf(token, 'background') ?? ''
    for (const [, address = ''] of (attributeOf(token, 'style') ?? '').matchAll(URL_OF_STYLE)) yield address
  }
}

/** The addresses of the pictures in html, without duplicates, up to `MAX_ADDRESSES`. Embedded pictures are left out. */
export function pictureAddressesIn(html: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const given of addressesOf(html)) {
    if (found.size >= MAX_ADDRESSES) break
    const address = given.trim()
    if (address !== '' && address.length <= MAX_ADDRESS_CHARACTERS && !/^data:/i.test(address))
      found.add(address)
  }
  return found
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

/** The parts of a path in each of its spellings, the file name first. */
const partsOf = (path: string): readonly (readonly string[])[] =>
  [...new Set(pathSpellings(path))].map((each) =>
    each
      .split('/')
      .filter((part) => !['', '.', '..'].includes(part))
      .reverse(),
  )

const isRelative = (address: string): boolean => SCHEME.exec(address)?.[0] === ''

/** The path in an address, with the host but without scheme and query. A content id may begin with a file name. */
function pathIn(address: string): string {
  const [start = '', scheme = ''] = SCHEME.exec(address) ?? []
  const path = picturePathOf(address.slice(start.length))
  return scheme.toLowerCase() === 'cid:' ? (path.split('@', 1)[0] ?? '') : path
}

/** The path in an address as it is written, because a program may save a file under an encoded name. */
const writtenPathIn = (address: string): string =>
  (address.slice(SCHEME.exec(address)?.[0].length).split(/[?#]/, 1)[0] ?? '').replaceAll('\\', '/')

/** The file name that an address ends with; empty if it ends with none. */
export const fileNameIn = (address: string): string => pathIn(address).split('/').at(-1) ?? ''

/** The same for all addresses that mean one picture: those that differ only in scheme, query, case or encoding. */
const keyOf = (address: string): string =>
  /^cid:/i.test(address) ? address : (partsOf(pathIn(address))[0]?.join('/') ?? '')

type PictureFile = Readonly<{ bytes: Uint8Array; parts: readonly (readonly string[])[] }>

/** The number of equal parts at the end of two paths. */
function sharedParts(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length)
  let count = 0
  while (count < most && one[count] === other[count]) count += 1
  return count
}

const EXACT = Infinity

/** How well a file fits an address: the number of equal parts at the end of their paths. */
function fitOf(address: string, spellings: readonly (readonly string[])[], { parts }: PictureFile): number {
  let best = 0
  for (const wanted of spellings)
    for (const given of parts) {
      const shared = sharedParts(wanted, given)
      const isWhole = isRelative(address) && shared === wanted.length && shared === given.length
      best = Math.max(best, isWhole ? EXACT : shared)
    }
  return best
}

const hasSameContent = ({ bytes: one }: PictureFile, { bytes: other }: PictureFile): boolean =>
  one === other || Buffer.compare(one, other) === 0

function filesOf(contents: ReadonlyMap<string, Uint8Array>): readonly PictureFile[] {
  const named = new Map<Uint8Array, string[]>()
  for (const [name, bytes] of contents)
    if (!/^(?:cid|https?):/i.test(name)) named.set(bytes, [...(named.get(bytes) ?? []), name])
  return [...named].map(([bytes, names]) => ({
    bytes,
    parts: names.flatMap((name) => partsOf(name.replaceAll('\\', '/'))),
  }))
}

export type PictureFinder = Readonly<{
  /** The content of the file that an address means; undefined if there is none, or if it is not clear which. */
  find: (address: string) => Uint8Array | undefined
  /** Whether an address has the name of this file but did not get it, because others have the name, too. */
  isUnclear: (bytes: Uint8Array) => boolean
}>

/**
 * Gives each address the file whose path fits best. Differences in case, Unicode form and encoding do not count, nor
 * does the query. A file goes to one address only, unless several mean the same picture; if two addresses or two files
 * fit equally well, none of them is taken.
 *
 * @param contents the contents of pictures, by address, path or file name
 * @param addresses all addresses of the html
 */
export function createPictureFinder(
  contents: ReadonlyMap<string, Uint8Array>,
  addresses: Iterable<string>,
): PictureFinder {
  const byName = new Map<string, Set<PictureFile>>()
  for (const file of filesOf(contents))
    for (const [name] of file.parts)
      if (name !== undefined) byName.set(name, (byName.get(name) ?? new Set()).add(file))
  const exactly = (address: string) => contents.get(address) ?? contents.get(picturePathOf(address))

  const unclear = new Set<Uint8Array>()
  const claims = new Map<Uint8Array, Readonly<{ fit: number; keys: Set<string> }>>()
  const claim = (bytes: Uint8Array, fit: number, key: string) => {
    const known = claims.get(bytes)
    if (known !== undefined && fit !== known.fit) unclear.add(bytes)
    if (known === undefined || fit > known.fit) claims.set(bytes, { fit, keys: new Set([key]) })
    else if (fit === known.fit) known.keys.add(key)
  }
  for (const address of addresses) {
    const exact = exactly(address)
    if (exact !== undefined) {
      claim(exact, EXACT, keyOf(address))
      continue
    }
    const spellings = [...partsOf(pathIn(address)), ...partsOf(writtenPathIn(address))]
    const files = new Set(spellings.flatMap(([name = '']) => [...(byName.get(name) ?? [])]))
    let best: readonly PictureFile[] = []
    let fit = 0
    for (const file of files) {
      const own = fitOf(address, spellings, file)
      best = own > fit ? [file] : own === fit ? [...best, file] : best
      fit = Math.max(fit, own)
    }
    const [first, ...others] = best
    if (first === undefined) continue
    if (others.every((other) => hasSameContent(first, other))) claim(first.bytes, fit, keyOf(address))
    else for (const { bytes } of best) unclear.add(bytes)
  }

  const found = new Map<string, Uint8Array>()
  for (const [bytes, { fit, keys }] of claims) {
    if (fit === EXACT || keys.size === 1) for (const key of keys) found.set(key, bytes)
    else unclear.add(bytes)
  }
  return {
    find: (address) => exactly(address) ?? found.get(keyOf(address)),
    isUnclear: (bytes) => unclear.has(bytes),
  }
}
