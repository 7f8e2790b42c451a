/** Unpacks archives of folders within limits, and packs folders into archives. This module is a chunk of its own. */
import { unzipSync, zipSync } from 'fflate'
import { archivedName } from '../../../streams/organisation/release/fileNames.ts'
import {
  chooseFiles,
  type FolderRefusal,
  type ListedFile,
} from '../../../streams/administration/plan/folder.ts'

/** The chosen files of a folder, by their paths inside the folder. */
export type FolderContent = Readonly<{ folder: string; files: ReadonlyMap<string, Uint8Array> }>

/** Unpacks a folder of signatures if its list is within the limits. No file is unpacked beyond its listed size. */
export function unpack(archive: Uint8Array, name: string): FolderContent | FolderRefusal {
  try {
    const listed: ListedFile[] = []
    unzipSync(archive, {
      filter: ({ name: path, originalSize: size }) => {
        listed.push({ path, size })
        return false
      },
    })
    const chosen = chooseFiles(listed, name.replace(/\.zip$/i, ''))
    if ('reason' in chosen) return chosen
    const unpacked = unzipSync(archive, { filter: ({ name: path }) => chosen.paths.has(path) })
    return {
      folder: archivedName(chosen.folder),
      files: new Map(
        Object.entries(unpacked).flatMap(([path, bytes]) => {
          const inside = chosen.paths.get(path)
          return inside === undefined ? [] : [[archivedName(inside), bytes] as const]
        }),
      ),
    }
  } catch {
    return { reason: 'unreadable' }
  }
}

/** An archive that has all files in one folder. */
export const pack = (folder: string, files: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> =>
  zipSync(Object.fromEntries([...files].map(([path, bytes]) => [`${folder}/${path}`, bytes])))
