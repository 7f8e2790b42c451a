import { catchError, defer, from, map, throwError } from 'rxjs'
import type { Downloads } from '../../../effects/ports.ts'
import { Failed } from '../../../streams/kernel/failure.ts'

/** The file name of the log. */
const LOG_FILE = 'signet-log.json'

/** Downloads a file in the browser. */
export function saveAsDownload(
  page: Pick<Window & typeof globalThis, 'document' | 'URL' | 'Blob'>,
  { name, mediaType }: Readonly<{ name: string; mediaType: string }>,
  parts: Iterable<BlobPart>,
): void {
  const url = page.URL.createObjectURL(new page.Blob([...parts], { type: mediaType }))
  const link = page.document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  page.URL.revokeObjectURL(url)
}

/**
 * The browser's downloads. `exportLog` returns the log in parts, and rejects when the export's code cannot be loaded.
 */
export const createDownloads = (
  page: Parameters<typeof saveAsDownload>[0],
  exportLog: () => Promise<Iterable<string>>,
): Downloads => ({
  saveLog: () =>
    defer(() => from(exportLog())).pipe(
      catchError((cause: unknown) => throwError(() => new Failed({ kind: 'notLoaded' }, { cause }))),
      map((parts) => {
        saveAsDownload(page, { name: LOG_FILE, mediaType: 'application/json' }, parts)
      }),
    ),
})
