import { defer, from } from 'rxjs'
import type { Clipboard } from '../../../effects/ports.ts'
import { Failed } from '../../../streams/kernel/failure.ts'

/**
 * The browser's clipboard; writes html, where there is some, and plain text together. Fails with `clipboard` where the browser refuses, or
 * gives the page no clipboard.
 */
export const createClipboard = (navigator: Navigator): Clipboard => ({
  write: ({ html, text }) =>
    defer(() => {
      const write = async () => {
        if (html === null) {
          await navigator.clipboard.writeText(text)
          return
        }
        const item = new ClipboardItem({
          'text/html': new Blob([html], { type: 'text/html' }),
          'text/plain': new Blob([text], { type: 'text/plain' }),
        })
        await navigator.clipboard.write([item])
      }
      return from(
        write().catch(() => {
          throw new Failed({ kind: 'clipboard' })
        }),
      )
    }),
})
