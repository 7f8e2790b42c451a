/** Writes a release or a starter folder in the format of `docs/signatures-as-a-folder.md`. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { firstRelease } from '../../streams/organisation/release/firstRelease.ts'
import { galleryTemplate, type GalleryName } from '../../streams/organisation/release/gallery.ts'
import type { ReleaseDocument } from '../../streams/organisation/release/release.ts'
import type { Steps } from '../../streams/kernel/steps.ts'
import { documentSchema } from '../../streams/wire/administration/document.ts'
import { runInSlices } from '../server/timeSlices.ts'
import { mismatchIn, readInSteps } from '../../streams/wire/reading.ts'
import { writingSignetYaml } from './changedYaml.ts'
import type { FolderPicture } from './pictures.ts'
import { listFilesOf } from './recipientLists.ts'
import { readSignetYaml } from './signetYaml.ts'
import { PICTURES_FOLDER, SIGNET_FILE } from '../../streams/organisation/release/paths.ts'
import { PlainError } from '../server/reasons.ts'

/**
 * Creates the folder.
 *
 * @throws Error when the folder is not empty
 */
async function makeEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length > 0) throw new PlainError(`${folder} is not empty.`)
}

async function write(folder: string, path: string, content: Uint8Array): Promise<void> {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content, { flag: 'wx' })
}

function* checking(document: ReleaseDocument): Steps<ReleaseDocument> {
  try {
    return yield* readInSteps(documentSchema, document)
  } catch (error) {
    const mismatch = mismatchIn(error)
    throw mismatch === null
      ? error
      : new PlainError(`The document cannot be a folder: ${mismatch}`, { cause: error })
  }
}

/**
 * Returns the files of a release's folder by path, in steps. `readFolder` reads the same document back.
 *
 * @param pictures the pictures by hash
 * @param yaml the `signet.yaml` to edit; without it, a new one is written
 * @throws Error with a sentence when a picture is missing, or when the document could not be read back, for example
 *   because its `signet.yaml` is too large
 */
export function* composingFiles(
  document: ReleaseDocument,
  pictures: ReadonlyMap<string, Pick<FolderPicture, 'bytes'>>,
  yaml?: string,
): Steps<ReadonlyMap<string, Uint8Array>> {
  // The schema check guarantees that all paths in the document are below the folder.
  const checked = yield* checking(document)
  const written = yield* writingSignetYaml(checked, yaml ?? null)
  return folderFilesOf(checked, pictures, written, describedIn(checked, written))
}

/** The description in a written `signet.yaml`, which is read only if some of its recipient lists may be files. */
const describedIn = (document: ReleaseDocument, written: string): Pick<ReleaseDocument, 'lists'> =>
  document.lists === undefined ? {} : readSignetYaml(written, []).document

const missing = (path: string) => new PlainError(`The picture ${path} is missing.`)

/**
 * Returns the files of a folder by path.
 *
 * @param yaml the text of its `signet.yaml`
 * @param described the document in its `signet.yaml`. Recipient lists that it lacks become files
 * @throws Error when a picture is missing
 */
export function folderFilesOf(
  document: ReleaseDocument,
  pictures: ReadonlyMap<string, Pick<FolderPicture, 'bytes'>>,
  yaml: string,
  described: Pick<ReleaseDocument, 'lists'>,
): ReadonlyMap<string, Uint8Array> {
  const { templates, pictures: hashes } = document
  const files = new Map<string, Uint8Array>()
  files.set(SIGNET_FILE, Buffer.from(yaml))
  for (const [path, text] of listFilesOf(document, described)) files.set(path, Buffer.from(text))
  for (const [path, text] of Object.entries(templates)) files.set(path, Buffer.from(text))
  for (const [path, hash] of Object.entries(hashes)) {
    const picture = pictures.get(hash)
    if (picture === undefined) throw missing(path)
    files.set(`${PICTURES_FOLDER}/${path}`, picture.bytes)
  }
  return files
}

/** Pictures by hash, as a map or as its entries. */
type GivenPictures =
  | Iterable<readonly [hash: string, Pick<FolderPicture, 'bytes'>]>
  | AsyncIterable<readonly [hash: string, Pick<FolderPicture, 'bytes'>]>

/**
 * Writes a release as a folder, with one picture in memory at a time. `signet.yaml` comes last, so a folder that has it
 * is complete. An error leaves the folder empty.
 *
 * @throws PlainError when a picture is missing, when the folder is not empty, or when the document could not be read
 *   back
 */
export async function writeFolder(
  document: ReleaseDocument,
  pictures: GivenPictures,
  folder: string,
): Promise<void> {
  const checked = await runInSlices(checking(document))
  const described = await runInSlices(writingSignetYaml(checked, null))
  await makeEmpty(folder)
  try {
    for (const [path, text] of listFilesOf(checked, null)) await write(folder, path, Buffer.from(text))
    for (const [path, text] of Object.entries(checked.templates)) await write(folder, path, Buffer.from(text))
    const wanted = new Map<string, string[]>()
    for (const [path, hash] of Object.entries(checked.pictures))
      wanted.set(hash, [...(wanted.get(hash) ?? []), path])
    for await (const [hash, { bytes }] of pictures) {
      for (const path of wanted.get(hash) ?? []) await write(folder, `${PICTURES_FOLDER}/${path}`, bytes)
      wanted.delete(hash)
    }
    for (const [path = ''] of wanted.values()) throw missing(path)
    await write(folder, SIGNET_FILE, Buffer.from(described))
  } catch (error) {
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
    throw error
  }
}

/**
 * Writes a starter folder: one template, its pictures, and one signature for everyone.
 *
 * @param template the gallery template to use; null for a short one
 * @throws Error with a sentence when the folder is not empty, or when `domain` is not a domain
 */
export async function initFolder(
  folder: string,
  {
    organisation,
    domain,
    template = null,
  }: Readonly<{ organisation: string; domain: string; template?: GalleryName | null }>,
): Promise<void> {
  const offered = template === null ? null : galleryTemplate(template, firstRelease(organisation, domain))
  const byHash = Object.values(offered?.pictures ?? {}).map(
    ({ hash, mediaType, base64 }) => [hash, { mediaType, bytes: Buffer.from(base64, 'base64') }] as const,
  )
  await writeFolder(firstRelease(organisation, domain, offered), new Map(byHash), folder)
}
