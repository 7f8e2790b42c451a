/** Collects the files of a sample from disk: a file, and the pictures beside or below it that its html names. */
import { lstat, readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { pathSpellings } from '../../streams/organisation/release/fileNames.ts'
import { MAX_SAMPLE_FILES } from '../../streams/wire/administration/adopting.ts'
import { decodeHtml } from '../values/encoding.ts'
import { fileNameIn, pictureAddressesIn, picturePathOf } from './pictureFiles.ts'
import {
  MAX_SAMPLE_BYTES,
  MAX_SAMPLE_CHARACTERS,
  type FindFiles,
  NotAdopted,
  type SampleFile,
} from './sample.ts'

const PICTURE = /\.(?:png|jpe?g|gif|webp)$/i

/** A path below the html's folder; null for an address, or for a path that leaves the folder. */
function pathBelow(address: string): string | null {
  const path = picturePathOf(address)
  const isBelow =
    path !== '' &&
    !/^(?:[a-z][a-z\d+.-]*:|[/\\])/i.test(path) &&
    !path.split('/').some((part) => part === '..')
  return isBelow ? path : null
}

/** The relative paths of the pictures in html, without duplicates. */
export function picturesNamedIn(html: string): readonly string[] {
  if (html.length > MAX_SAMPLE_CHARACTERS) return []
  const paths = [...pictureAddressesIn(html)].flatMap((address) => pathBelow(address) ?? [])
  return [...new Set(paths)].slice(0, MAX_SAMPLE_FILES - 1)
}

/** The bytes of a file; null if it is not a regular file, or is larger than `limit`. Links are not followed. */
async function bytesOf(path: string | Buffer, limit: number): Promise<Uint8Array | null> {
  const found = await lstat(path).catch(() => null)
  return found?.isFile() === true && found.size <= limit ? readFile(path) : null
}

/**
 * Returns a function that finds a file below a folder, ignoring differences in Unicode form, case and encoding of
 * names. It returns the path including the folder; null if there is no such file. Links are not followed.
 */
function findingBelow(folder: string) {
  const read = new Map<string, Promise<readonly string[]>>()
  // A file whose name is not UTF-8 can only be opened by the name's bytes.
  const namesIn = (path: string): Promise<readonly string[]> => {
    const names =
      read.get(path) ??
      readdir(Buffer.from(path, 'latin1'), { encoding: 'latin1' }).catch((): readonly string[] => [])
    read.set(path, names)
    return names
  }
  return async (path: string): Promise<Buffer | null> => {
    let found = Buffer.from(folder).toString('latin1')
    const parts = path.split('/')
    for (const [index, part] of parts.entries()) {
      const readings = pathSpellings(part)
      const name = (await namesIn(found)).find((each) =>
        pathSpellings(each).some((reading) => readings.includes(reading)),
      )
      if (name === undefined) return null
      found = `${found}${sep}${name}`
      const isFolder = (await lstat(Buffer.from(found, 'latin1')).catch(() => null))?.isDirectory() === true
      if (isFolder !== index < parts.length - 1) return null
    }
    return Buffer.from(found, 'latin1')
  }
}

/**
 * @param encoding the encoding to use if the html's own is unclear; null if unknown
 * @throws NotAdopted when the file cannot be read
 */
export async function filesOfSample(
  file: string,
  encoding: string | null = null,
): Promise<readonly SampleFile[]> {
  const bytes = await bytesOf(file, MAX_SAMPLE_BYTES)
  if (bytes === null)
    throw new NotAdopted('sample_unreadable', `${file} is no file of at most ${MAX_SAMPLE_BYTES} bytes.`)
  const files: SampleFile[] = [{ path: basename(file), bytes }]
  if (!/\.html?$/i.test(file)) return files
  let room = MAX_SAMPLE_BYTES - bytes.length
  const find = findingBelow(dirname(file))
  for (const path of picturesNamedIn(decodeHtml(bytes, encoding))) {
    const there = (await bytesOf(join(dirname(file), path), room)) ?? null
    const other = there === null ? await find(path) : null
    const picture = there ?? (other && (await bytesOf(other, room)))
    if (picture === null) continue
    room -= picture.length
    files.push({ path, bytes: picture })
  }
  return files
}

/**
 * Returns a function that finds pictures beside a sample's file by the last part of their addresses: `logo.png` for
 * `https://www.example.com/img/logo.png`.
 */
export function picturesBeside(file: string): FindFiles {
  const find = findingBelow(dirname(file))
  return async (addresses, limit) => {
    const found = new Map<string, SampleFile>()
    let room = limit
    for (const name of new Set(addresses.map(fileNameIn))) {
      if (!PICTURE.test(name) || found.size >= MAX_SAMPLE_FILES) continue
      const path = await find(name)
      const bytes = path && (await bytesOf(path, room))
      if (path === null || bytes === null) continue
      room -= bytes.length
      found.set(path.toString('latin1'), { path: name, bytes })
    }
    return [...found.values()]
  }
}
