/** Unpacks folder archives within limits, and packs folders into archives. This module is a separate chunk. */
import { unzipSync, zipSync } from 'fflate'
import { decodeArchiveName } from '../../../streams/organisation/release/fileNames.ts'
import {
  chooseFolderFiles,
  type FolderRefusal,
  type ListedFile,
} from '../../../streams/administration/plan/folder.ts'

/** A folder's chosen files, by their paths inside the folder. */
export type FolderContent = Readonly<{ folder: string; files: ReadonlyMap<string, Uint8Array> }>

/** Unpacks a signature folder if its file list is within the limits. Unpacks no file beyond its listed size. */
export function unpackFolder(archive: Uint8Array, name: string): FolderContent | FolderRefusal {
  try {
    const listed: ListedFile[] = []
    unzipSync(archive, {
      filter: ({ name: path, originalSize: size }) => {
        listed.push({ path, size })
        return false
      },
    })
    const chosen = chooseFolderFiles(listed, name.replace(/\.zip$/i, ''))
    if ('reason' in chosen) return chosen
    const unpacked = unzipSync(archive, { filter: ({ name: path }) => chosen.paths.has(path) })
    return {
      folder: decodeArchiveName(chosen.folder),
      files: new Map(
        Object.entries(unpacked).flatMap(([path, bytes]) => {
          const inside = chosen.paths.get(path)
          return inside === undefined ? [] : [[decodeArchiveName(inside), bytes] as const]
        }),
      ),
    }
  } catch {
    return { reason: 'unreadable' }
  }
}

/** Packs all files into an archive with one folder. */
export const packFolder = (folder: string, files: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> =>
  zipSync(Object.fromEntries([...files].map(([path, bytes]) => [`${folder}/${path}`, bytes])))
