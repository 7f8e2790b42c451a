/**
 * Puts dropped or chosen content behind a handle. Reads the entries during the event, because they are gone afterwards.
 */
import { createHandle, type Handle } from '../../../streams/kernel/handle.ts'

export type DroppedContent =
  | Readonly<{ kind: 'entries'; entries: readonly FileSystemEntry[] }>
  | Readonly<{ kind: 'files'; files: readonly File[] }>

export function droppedHandle({ items, files }: DataTransfer): Handle {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const dropped: DroppedContent =
    entries.length > 0 ? { kind: 'entries', entries } : { kind: 'files', files: [...files] }
  return createHandle(dropped)
}

export const chosenFilesHandle = (files: FileList): Handle =>
  createHandle({ kind: 'files', files: [...files] } satisfies DroppedContent)
