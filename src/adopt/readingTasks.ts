/** Tasks on foreign files, run in a separate thread (readingApart.ts). */
import type { RemovedMarkup, UnusedFile } from '../../streams/organisation/adopt/adopted.ts'
import {
  type CleanSample,
  deriveTemplate,
  type FoundTemplate,
} from '../../streams/organisation/adopt/template.ts'
import type { Variable } from '../../streams/organisation/release/release.ts'
import { UNSEALED_FORMATS } from '../values/formats.ts'
import { withEmbeddedPictures } from './asItWas.ts'
import { cleanSignature } from './cleanSignature.ts'
import { htmlInWord } from '../../streams/html/wordReading.ts'
import { readSample } from './readSample.ts'
import { NotAdopted, type NotAdoptedCode, type SampleFile } from './sample.ts'

export type ReadingTask =
  | Readonly<{
      kind: 'read'
      files: readonly SampleFile[]
      from: string | null
      /** The contents of fetched pictures, by address. */
      fetched: readonly SampleFile[]
      /** The encoding to use if the html's own is unclear; null if unknown. */
      encoding: string | null
      /** Whether to return `withEmbeddedPictures`, which can be many times as long as the sample. */
      isDrawn: boolean
    }>
  | Readonly<{ kind: 'find'; samples: readonly CleanSample[]; variables: readonly Variable[] }>

/** A sample after reading and cleaning. */
export type ReadSample = Readonly<{
  html: string
  pictures: readonly SampleFile[]
  linked: readonly string[]
  /** The addresses, other than links, whose files are missing. */
  missing: readonly string[]
  /** The paths of the given files that are pictures of the signature. */
  used: readonly string[]
  unusedFiles: readonly UnusedFile[]
  takenOut: readonly RemovedMarkup[]
  /** As in `FoundSignature`. */
  addresses: readonly string[]
  isUnclear: boolean
  /** The html before cleaning, with its pictures embedded; null if not requested, or too long. */
  asItWas: string | null
  /** The uncleaned html as Word reads it; null if not requested, or if all mail clients read the same html. */
  asWordReads: string | null
}>

export type ReadingAnswer =
  | Readonly<{ kind: 'read'; sample: ReadSample }>
  | Readonly<{ kind: 'found'; template: FoundTemplate }>
  /** `cause` is the error of a library, for the log; undefined if there is none. */
  | Readonly<{ kind: 'refused'; code: NotAdoptedCode; message: string; cause: unknown }>

/**
 * Whether a file is in the folder that Word writes beside `Name.htm`, such as `Name_files`. Word also keeps pictures
 * there that the signature does not show.
 */
function isInFolderOf(signature: string, path: string): boolean {
  const stem = signature.slice(0, signature.lastIndexOf('.')).toLowerCase()
  return path.toLowerCase().startsWith(stem) && /^[-_.][^/]*\//.test(path.slice(stem.length))
}

export async function answerReadingTask(task: ReadingTask): Promise<ReadingAnswer> {
  try {
    if (task.kind === 'find')
      return { kind: 'found', template: deriveTemplate(task.samples, task.variables, UNSEALED_FORMATS) }
    const found = await readSample(task.files, task.from, task.encoding)
    const contents = new Map([
      ...found.pictures,
      ...task.fetched.map(({ path, bytes }) => [path, bytes] as const),
    ])
    const { html, pictures, linked, missing, takenOut, unusedBecause } = cleanSignature(found.html, contents)
    const given = found.given.map(({ path, bytes }) => ({ path, reason: unusedBecause(bytes) }))
    const forWord = task.isDrawn ? htmlInWord(found.html) : found.html
    return {
      kind: 'read',
      sample: {
        html,
        linked,
        missing,
        used: given.flatMap(({ path, reason }) => (reason === null ? [path] : [])),
        unusedFiles: given.flatMap(({ path, reason }) =>
          reason === null || (reason === 'unused' && isInFolderOf(task.files[0]?.path ?? '', path))
            ? []
            : [{ path, reason }],
        ),
        takenOut,
        addresses: found.addresses,
        isUnclear: found.isUnclear,
        pictures: [...pictures].map(([path, bytes]) => ({ path, bytes })),
        asItWas: task.isDrawn ? withEmbeddedPictures({ html: found.html, pictures: contents }) : null,
        asWordReads:
          task.isDrawn && forWord !== found.html
            ? withEmbeddedPictures({ html: forWord, pictures: contents })
            : null,
      },
    }
  } catch (error) {
    if (error instanceof NotAdopted) {
      const { code, message, cause } = error
      return { kind: 'refused', code, message, cause }
    }
    const message = 'The sample cannot be read.'
    const cause = error instanceof Error ? error : String(error)
    return { kind: 'refused', code: 'sample_unreadable', message, cause }
  }
}
