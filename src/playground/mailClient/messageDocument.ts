/**
 * The empty document for a message body. It is separate from the page, so that a signature's styles and elements cannot
 * affect the page. It is light in every theme, because messages are written for a white background.
 */
export const MESSAGE_DOCUMENT = `<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="script-src 'none'; form-action 'none'; base-uri 'none'">
<style>
  :root { color-scheme: light; background: #fff; color: #000; }
  body { margin: 0; padding: 12px 20px 24px; font: 15px/1.4 Aptos, Calibri, 'Segoe UI', sans-serif; min-height: calc(100vh - 36px); box-sizing: content-box; }
  [data-part] { outline: none; border-radius: 4px; overflow-wrap: break-word; }
  [data-part='author'] { min-height: 5em; }
  [data-part='author']:only-child { min-height: 60vh; }
  /* Fixed and absolute elements of a signature stay inside it. */
  [data-part='signature'], [data-part='second'] { margin-top: 8px; contain: layout; }
  [data-part='online'], [data-part='quoted'] { margin-top: 16px; }
  [data-part='signature']:focus-visible { box-shadow: 0 0 0 2px #fff, 0 0 0 4px #0f6cbd; }
  [data-part]:empty:not([data-part='author']) { display: none; }
  [data-type='text'] [data-part] { white-space: pre-wrap; font-family: Consolas, 'Courier New', monospace; }
  /* Where a picture has less room than its size, it is drawn smaller, and keeps its proportions. */
  img { max-width: 100%; object-fit: contain; }
</style><body></body>`
