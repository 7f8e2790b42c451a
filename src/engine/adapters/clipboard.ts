import { defer, from } from 'rxjs'
import type { Clipboard } from '../../../effects/ports.ts'
import { Failed } from '../../../streams/kernel/failure.ts'

/**
 * The browser's clipboard. It writes the html, if there is any, together with the plain text. Fails with `clipboard`
 * when the browser refuses the write or gives the page no clipboard.
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
