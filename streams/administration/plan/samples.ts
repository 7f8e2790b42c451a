/** Finds the existing signatures among the chosen files by name and size, with their pictures. */
import type { AdoptedTemplate } from '../../organisation/adopt/adopted.ts'
import type { PersonState } from '../../organisation/facts/state.ts'
import { MAX_SAMPLE_FILES, MAX_SAMPLES } from '../../wire/administration/adopting.ts'
import { isHiddenPath, type ListedFile, MAX_FOLDER_BYTES, normalisedPath } from './folder.ts'

/** The service's result for the samples, and the first sample's person; null if unknown. */
export type AdoptedSamples = Readonly<{ adopted: AdoptedTemplate; person: PersonState | null }>

/** A file of a sample, with its content in base64. */
export type SampleFile = Readonly<{ path: string; base64: string }>

/**
 * A chosen existing signature: its file first, then its pictures. `name` is null for pictures alone, such as a picture
 * folder chosen after its signature.
 */
export type ReadSample = Readonly<{ name: string | null; files: readonly SampleFile[] }>

export type SampleRefusal = Readonly<
  | { reason: 'noSignature' | 'unreadable' }
  /** `limit` is the maximum number of signatures. */
  | { reason: 'tooMany'; limit: number }
  /** `limit` is the maximum total size in bytes. */
  | { reason: 'tooLarge'; limit: number }
>

/** The files of a sample. `paths` maps each listed path to the path to send. The signature comes first. */
export type ListedSample = Readonly<{ name: string | null; paths: ReadonlyMap<string, string> }>

/** The file name for pasted content. */
export const PASTED_FILE_NAME = 'paste.html'

const SIGNATURE = /\.(?:html?|eml|msg)$/i
const HTML = /\.html?$/i
/** Also pictures that mail does not show, so that the service says so. */
const PICTURE = /\.(?:png|jpe?g|gif|webp|svg|bmp|tiff?|ico|avif|heic)$/i
/** A file that may be given as a picture, unlike those that Outlook keeps beside the pictures of a signature. */
const GIVEN_ALONE = /\.(?!(?:xml|thmx|mso|rtf|txt|emz|wmz)$)[a-z\d]{2,5}$/i
/** Outlook numbers the pictures of each signature anew, so a file with such a name is of one signature only. */
const NUMBERED = /(?:^|\/)image\d{3}\.[a-z]+$/i

/** The maximum number of files to check: a folder of signatures has a few hundred. */
const MAX_LISTED = 5_000

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

/**
 * The path without its extension. Word keeps the pictures of `a/Name.htm` in `a/Name_files`; the `_files` suffix
 * depends on the language.
 */
const stemOf = (path: string): string => path.slice(0, path.lastIndexOf('.')).toLowerCase()

const isBeside = (stem: string, path: string): boolean => {
  const folder = folderOf(path).toLowerCase()
  return folder.startsWith(stem) && /^[-_.]/.test(folder.slice(stem.length))
}

/**
 * Whether a signature gets a picture. A picture in the folder of a signature is only for this one, any other picture for
 * all signatures. A single HTML file gets all pictures.
 */
function isPictureOf(picture: string, signature: string, signatures: readonly string[]): boolean {
  const pages = signatures.filter((path) => HTML.test(path))
  if (pages.length === 1 && HTML.test(signature)) return true
  const owners = pages.filter((path) => isBeside(stemOf(path), picture))
  return owners.length > 0 ? owners.includes(signature) : !NUMBERED.test(picture)
}

/** Returns pictures that were chosen alone, because they may belong to an earlier chosen signature. */
function picturesAlone(
  files: readonly Readonly<{ listed: string; path: string; size: number }>[],
): readonly ListedSample[] | SampleRefusal {
  const pictures = files.filter(({ path }) => GIVEN_ALONE.test(path)).slice(0, MAX_SAMPLE_FILES - 1)
  if (pictures.length === 0) return { reason: 'noSignature' }
  const size = pictures.reduce((sum, file) => sum + file.size, 0)
  if (size > MAX_FOLDER_BYTES) return { reason: 'tooLarge', limit: MAX_FOLDER_BYTES }
  return [{ name: null, paths: new Map(pictures.map(({ listed, path }) => [listed, path])) }]
}

/**
 * Adds pictures that were chosen after their signatures, each to the signatures that get it (`isPictureOf`). Null if
 * there is none.
 */
export function samplesWithPictures<Chosen extends ReadSample>(
  samples: readonly Chosen[],
  pictures: readonly SampleFile[],
): readonly Chosen[] | null {
  const signatures = samples.map(({ files }) => files[0]?.path ?? '')
  const taken = samples.map((sample) => {
    const [first, ...known] = sample.files
    const own = pictures.filter(({ path }) => isPictureOf(path, first?.path ?? '', signatures))
    if (first === undefined || own.length === 0) return sample
    const paths = new Set(own.map(({ path }) => path))
    const files = [first, ...known.filter(({ path }) => !paths.has(path)), ...own]
    return { ...sample, files: files.slice(0, MAX_SAMPLE_FILES) }
  })
  return taken.some((sample, index) => sample !== samples[index]) ? taken : null
}

/**
 * Finds the signatures among some files, each with its pictures (`isPictureOf`). A page inside a signature's folder is
 * not a signature by itself.
 */
export function findSamples(listed: readonly ListedFile[]): readonly ListedSample[] | SampleRefusal {
  const files = listed
    .slice(0, MAX_LISTED)
    .map(({ path, size }) => ({ listed: path, path: normalisedPath(path), size }))
    .filter(({ path }) => !isHiddenPath(path))
  const possible = files.filter(({ path }) => SIGNATURE.test(path))
  const stems = possible.filter(({ path }) => HTML.test(path)).map(({ path }) => stemOf(path))
  const signatures = possible.filter(({ path }) => !stems.some((stem) => isBeside(stem, path)))
  if (signatures.length === 0) return picturesAlone(files)
  if (signatures.length > MAX_SAMPLES) return { reason: 'tooMany', limit: MAX_SAMPLES }
  const pictures = files.filter(({ path }) => PICTURE.test(path))
  const samples = signatures.map((signature) => {
    const folder = folderOf(signature.path)
    const own = pictures.filter(({ path }) =>
      isPictureOf(
        path,
        signature.path,
        signatures.map((each) => each.path),
      ),
    )
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
