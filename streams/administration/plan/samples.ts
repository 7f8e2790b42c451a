/** Decides by name and size which of the chosen files are existing signatures, and which are the pictures of one. */
import type { Adopted } from '../../organisation/adopt/adopted.ts'
import type { PersonState } from '../../organisation/facts/state.ts'
import { MAX_SAMPLE_FILES, MAX_SAMPLES } from '../../wire/administration/adopting.ts'
import { isHidden, type ListedFile, MAX_FOLDER_BYTES, writtenPath } from './folder.ts'

/** What the service made of the samples, and the person of the first one; null if none is known. */
export type AdoptedFor = Readonly<{ adopted: Adopted; person: PersonState | null }>

/** A file of a sample: its content in base64. */
export type SampleFile = Readonly<{ path: string; base64: string }>

/**
 * An existing signature as it was chosen: first the file that has it, then its pictures. `name` is null for pictures
 * alone, as of a folder that is chosen behind its signature.
 */
export type ReadSample = Readonly<{ name: string | null; files: readonly SampleFile[] }>

export type SampleRefusal = Readonly<
  | { reason: 'noSignature' | 'unreadable' }
  /** `limit`: how many signatures there may be. */
  | { reason: 'tooMany'; limit: number }
  /** `limit`: of all files together, in bytes. */
  | { reason: 'tooLarge'; limit: number }
>

/** The files of a sample: `paths` maps each path in the list to the path that is sent. The first is the signature. */
export type ListedSample = Readonly<{ name: string | null; paths: ReadonlyMap<string, string> }>

/** The name of the file as which a paste is sent. */
export const PASTE = 'paste.html'

const SIGNATURE = /\.(?:html?|eml|msg)$/i
const HTML = /\.html?$/i
const PICTURE = /\.(?:png|jpe?g|gif|webp)$/i

/** The most files that are looked at: a folder of signatures has a few hundred. */
const MAX_LISTED = 5_000

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

/** The path up to the last dot. Word keeps the pictures of `a/Name.htm` in `a/Name_files`, whose ending has a language. */
const stemOf = (path: string): string => path.slice(0, path.lastIndexOf('.')).toLowerCase()

const isBeside = (stem: string, path: string): boolean => {
  const folder = folderOf(path).toLowerCase()
  return folder.startsWith(stem) && /^[-_.]/.test(folder.slice(stem.length))
}

/** Pictures chosen alone; they may belong to a signature chosen before. */
function picturesAlone(
  files: readonly Readonly<{ listed: string; path: string; size: number }>[],
): readonly ListedSample[] | SampleRefusal {
  const pictures = files.filter(({ path }) => PICTURE.test(path)).slice(0, MAX_SAMPLE_FILES - 1)
  if (pictures.length === 0) return { reason: 'noSignature' }
  const size = pictures.reduce((sum, file) => sum + file.size, 0)
  if (size > MAX_FOLDER_BYTES) return { reason: 'tooLarge', limit: MAX_FOLDER_BYTES }
  return [{ name: null, paths: new Map(pictures.map(({ listed, path }) => [listed, path])) }]
}

/**
 * The signatures with pictures that were chosen behind them: those of the folder that belongs to its file, or all of
 * them when there is one file of html alone. Null when they belong to none.
 */
export function withPictures<Chosen extends ReadSample>(
  samples: readonly Chosen[],
  pictures: readonly SampleFile[],
): readonly Chosen[] | null {
  const isHtml = ({ name }: ReadSample) => HTML.test(name ?? '')
  const isAlone = samples.filter(isHtml).length === 1
  const taken = samples.map((sample) => {
    if (!isHtml(sample)) return sample
    const [first, ...known] = sample.files
    const stem = stemOf(first?.path ?? '')
    const own = pictures.filter(({ path }) => isAlone || isBeside(stem, path))
    if (first === undefined || own.length === 0) return sample
    const paths = new Set(own.map(({ path }) => path))
    const files = [first, ...known.filter(({ path }) => !paths.has(path)), ...own]
    return { ...sample, files: files.slice(0, MAX_SAMPLE_FILES) }
  })
  return taken.some((sample, index) => sample !== samples[index]) ? taken : null
}

/**
 * The signatures among some files, each with its pictures: those in the folder that belongs to its file, or all pictures
 * when there is one signature alone. A page in the folder of a signature is a part of it, and no signature.
 */
export function samplesAmong(listed: readonly ListedFile[]): readonly ListedSample[] | SampleRefusal {
  const files = listed
    .slice(0, MAX_LISTED)
    .map(({ path, size }) => ({ listed: path, path: writtenPath(path), size }))
    .filter(({ path }) => !isHidden(path))
  const possible = files.filter(({ path }) => SIGNATURE.test(path))
  const stems = possible.filter(({ path }) => HTML.test(path)).map(({ path }) => stemOf(path))
  const signatures = possible.filter(({ path }) => !stems.some((stem) => isBeside(stem, path)))
  if (signatures.length === 0) return picturesAlone(files)
  if (signatures.length > MAX_SAMPLES) return { reason: 'tooMany', limit: MAX_SAMPLES }
  const pictures = files.filter(({ path }) => PICTURE.test(path))
  const samples = signatures.map((signature) => {
    const folder = folderOf(signature.path)
    const own = HTML.test(signature.path)
      ? pictures.filter(({ path }) => signatures.length === 1 || isBeside(stemOf(signature.path), path))
      : []
    const inside = (path: string) => (path.startsWith(folder) ? path.slice(folder.length) : path)
    return [signature, ...own]
      .slice(0, MAX_SAMPLE_FILES)
      .map(({ listed: key, path, size }) => ({ key, path: inside(path), size }))
  })
  const size = samples.flat().reduce((sum, file) => sum + file.size, 0)
  if (size > MAX_FOLDER_BYTES) return { reason: 'tooLarge', limit: MAX_FOLDER_BYTES }
  return samples.map((sample) => ({
    name: sample[0]?.path ?? '',
    paths: new Map(sample.map(({ key, path }) => [key, path])),
  }))
}
