/** Reads signature folders that the user drops or chooses, and packs folders into archives. */
import { catchError, defer, from, map, of } from 'rxjs'
import type { FilesByPath, SignatureFolders } from '../../../effects/administration/ports.ts'
import {
  chooseFolderFiles,
  type FolderRefusal,
  type ListedFile,
  MAX_FOLDER_BYTES,
  MAX_FOLDER_FILES,
} from '../../../streams/administration/plan/folder.ts'
import {
  type ReadSample,
  type SampleFile,
  type SampleRefusal,
  findSamples,
} from '../../../streams/administration/plan/samples.ts'
import { Failed, isFailed } from '../../../streams/kernel/failure.ts'
import { handleValue, type Handle } from '../../../streams/kernel/handle.ts'
import type { DroppedContent } from '../../../views/administration/plan/dropped.ts'
import type { LoadChunk } from '../../engine/adapters/chunks.ts'
import type { FolderContent } from './archive.ts'

/** The maximum size of an archive, in bytes. */
const MAX_ARCHIVE_BYTES = 2 * MAX_FOLDER_BYTES
const MAX_FOLDERS_DEEP = 12

const UNREADABLE = { reason: 'unreadable' } as const

type Listed = Readonly<{ path: string; file: File }>

const isArchive = (name: string) => /\.zip$/i.test(name)

/** Files and folders with these names are skipped, because `.git` alone can exceed all limits. */
const isSkipped = (name: string) => name.startsWith('.') || name === 'node_modules' || name === '__MACOSX'

/** Reads the next entries of a folder. An empty batch marks the end. */
const batch = (reader: FileSystemDirectoryReader): Promise<readonly FileSystemEntry[]> =>
  new Promise((resolve, reject) => {
    reader.readEntries(resolve, reject)
  })

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => {
    entry.file(resolve, reject)
  })

/** Lists all files of the entries. Stops above the limit, because the folder is then refused anyway. */
async function filesOf(entries: readonly FileSystemEntry[]): Promise<readonly Listed[]> {
  const found: Listed[] = []
  const limit = 2 * MAX_FOLDER_FILES
  async function visit(entry: FileSystemEntry, depth: number): Promise<void> {
    if (found.length > limit || isSkipped(entry.name)) return
    const path = entry.fullPath.replace(/^\//, '')
    if (entry.isFile) found.push({ path, file: await fileOf(entry as FileSystemFileEntry) })
    else if (depth < MAX_FOLDERS_DEEP) {
      const reader = (entry as FileSystemDirectoryEntry).createReader()
      for (let some = await batch(reader); some.length > 0; some = await batch(reader))
        for (const each of some) await visit(each, depth + 1)
    }
  }
  for (const entry of entries) await visit(entry, 0)
  return found
}

const listedFiles = (files: readonly File[]): readonly Listed[] =>
  files.map((file) => ({ path: file.webkitRelativePath || file.name, file }))

const listedIn = (dropped: DroppedContent): readonly Listed[] | Promise<readonly Listed[]> =>
  dropped.kind === 'files' ? listedFiles(dropped.files) : filesOf(dropped.entries)

/** Reads the dropped or chosen content behind a handle. */
const readBehind = <Content>(handle: Handle, read: (dropped: DroppedContent) => Promise<Content>) =>
  defer(() => {
    const dropped = handleValue(handle) as DroppedContent | undefined
    return dropped ? from(read(dropped)) : of(UNREADABLE)
  })

const bytesOf = async (file: File): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer())

/** Reads the files of a folder or archive. `unpackFolder` loads the code that reads archives. */
async function contentOf(
  dropped: DroppedContent,
  unpack: (archive: Uint8Array, name: string) => Promise<FolderContent | FolderRefusal>,
): Promise<FolderContent | FolderRefusal> {
  const listed = await listedIn(dropped)
  const [first] = listed
  if (first && listed.length === 1 && isArchive(first.file.name)) {
    if (first.file.size > MAX_ARCHIVE_BYTES) return { reason: 'tooLarge', limit: MAX_FOLDER_BYTES }
    return unpack(await bytesOf(first.file), first.file.name)
  }
  const sizes = listed.map(({ path, file }): ListedFile => ({ path, size: file.size }))
  const chosen = chooseFolderFiles(sizes, first?.path.split('/')[0] ?? '')
  if ('reason' in chosen) return chosen
  const files = new Map<string, Uint8Array>()
  for (const { path, file } of listed) {
    const inside = chosen.paths.get(path)
    if (inside !== undefined) files.set(inside, await bytesOf(file))
  }
  return { folder: chosen.folder, files }
}

/** Finds existing signatures in the files. Reads only the files of these signatures. */
async function samplesIn(dropped: DroppedContent): Promise<readonly ReadSample[] | SampleRefusal> {
  const listed = await listedIn(dropped)
  const chosen = findSamples(listed.map(({ path, file }) => ({ path, size: file.size })))
  if ('reason' in chosen) return chosen
  const files = new Map(listed.map(({ path, file }) => [path, file]))
  const samples: ReadSample[] = []
  for (const { name, paths } of chosen) {
    const read: SampleFile[] = []
    for (const [key, path] of paths) {
      const file = files.get(key)
      if (file) read.push({ path, base64: toBase64(await bytesOf(file)) })
    }
    samples.push({ name, files: read })
  }
  return samples
}

/** How many bytes to convert at once. Each byte is a call argument, and the number of arguments is limited. */
const STEP_BYTES = 0x8000

export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += STEP_BYTES)
    binary += String.fromCharCode(...bytes.subarray(at, at + STEP_BYTES))
  return btoa(binary)
}

export const fromBase64 = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))

const mapped = <From, To>(files: ReadonlyMap<string, From>, change: (from: From) => To) =>
  new Map([...files].map(([path, content]) => [path, change(content)] as const))

export function createFolders(
  loadChunk: LoadChunk,
  importing = () => import('./archive.ts'),
): SignatureFolders {
  const load = loadChunk(importing)
  const loaded = () =>
    load().catch((cause: unknown) => {
      throw new Failed({ kind: 'notLoaded' }, { cause })
    })
  const unpack = async (archive: Uint8Array, name: string) => (await loaded()).unpackFolder(archive, name)
  return {
    read: (handle) =>
      readBehind(handle, (dropped) => contentOf(dropped, unpack)).pipe(
        map((content) =>
          'reason' in content
            ? content
            : { folder: content.folder, files: Object.fromEntries(mapped(content.files, toBase64)) },
        ),
        catchError((error: unknown) => {
          if (isFailed(error)) throw error
          return of(UNREADABLE)
        }),
      ),
    samples: (handle) => readBehind(handle, samplesIn).pipe(catchError(() => of(UNREADABLE))),
    pack: (folder, files: FilesByPath) =>
      defer(() => from(loaded())).pipe(
        map(({ packFolder: pack }) => pack(folder, mapped(new Map(Object.entries(files)), fromBase64))),
      ),
  }
}
