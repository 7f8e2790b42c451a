import { catchError, defer, type Observable, throwError } from 'rxjs'
import type { ChosenFileReader } from '../../effects/administration/ports.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { handleValue, type Handle } from '../../streams/kernel/handle.ts'
import { decodeTable } from '../values/tableText.ts'
import { toBase64 } from './adapters/folders.ts'

/** How many hex digits of its SHA-256 a picture's name contains. */
const HASH_DIGITS = 32

/** The hash that identifies a picture. */
export async function hashOf(content: BufferSource): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', content))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, HASH_DIGITS)
}

const reading = <Read>(file: Handle, read: (chosen: Blob) => Promise<Read>): Observable<Read> =>
  defer(() => {
    const chosen = handleValue(file)
    if (!(chosen instanceof Blob)) throw new Error('the handle has no file')
    return read(chosen)
  }).pipe(
    catchError((cause: unknown) =>
      throwError(() => new Failed({ kind: 'storage', action: 'read' }, { cause })),
    ),
  )

/** Reads a chosen file when its content is needed. Fails if the file was changed or moved after it was chosen. */
export const chosenFiles: ChosenFileReader = {
  text: (file) =>
    reading(file, async (chosen) => {
      const read = decodeTable(new Uint8Array(await chosen.arrayBuffer()))
      return 'text' in read ? read.text : chosen.text()
    }),
  picture: (file, mostBytes) =>
    reading(file, async (chosen) => {
      if (chosen.size > mostBytes) return null
      const content = await chosen.arrayBuffer()
      return {
        name: chosen instanceof File ? chosen.name.normalize('NFC') : '',
        base64: toBase64(new Uint8Array(content)),
        hash: await hashOf(content),
      }
    }),
}
