import type { Browser } from 'playwright-core'

/** Pictures of the pane's start. Times in milliseconds since its page was let through. */
export type Film = Readonly<{
  name: string
  /** The pane's position in the pictures. */
  box: Readonly<{ x: number; y: number; width: number; height: number }>
  signature: number
  /** In the order of time. Each picture is valid until the next. */
  frames: readonly Readonly<{ ms: number; png: string }>[]
}>

const STEP_MS = 100
const WIDTH_PX = 112
const HEIGHT_PX = 190

/** One picture with a row for each film, and a column for each tenth of a second up to `lengthMs`. */
export async function filmStrip(browser: Browser, films: readonly Film[], lengthMs: number): Promise<Buffer> {
  const moments = Array.from({ length: lengthMs / STEP_MS }, (_, index) => (index + 1) * STEP_MS)
  const rows = films.map(({ name, box, signature, frames }) => {
    const scale = WIDTH_PX / box.width
    const cells = moments.map((ms) => {
      const shown = frames.findLast((frame) => frame.ms <= ms) ?? frames[0]
      const isTold = signature <= ms
      const style = [
        `background-image:url(data:image/png;base64,${shown?.png ?? ''})`,
        `background-size:${String(1400 * scale)}px auto`,
        `background-position:${String(-box.x * scale)}px ${String(-box.y * scale)}px`,
      ].join(';')
      return `<td><div class="${isTold ? 'told' : ''}" style="${style}"></div></td>`
    })
    return `<tr><th colspan="${String(moments.length)}">${name}: signature in the message after ${(signature / 1000).toFixed(1)} s</th></tr><tr>${cells.join('')}</tr>`
  })
  const page = await browser.newPage({ viewport: { width: 1200, height: 600 } })
  try {
    await page.setContent(`<!doctype html><style>
      body { margin: 0; font: 13px system-ui, sans-serif; color: #242424; background: #fff }
      table { border-spacing: 4px; padding: 4px }
      th { text-align: left; font-weight: 600; padding-top: 4px }
      td { font-weight: 400; color: #616161 }
      div { width: ${String(WIDTH_PX)}px; height: ${String(HEIGHT_PX)}px; background-repeat: no-repeat; outline: 1px solid #d1d1d1; outline-offset: -1px }
      .told { outline: 2px solid #107c10; outline-offset: -2px }
    </style><table>${rows.join('')}<tr>${moments.map((ms) => `<td>${(ms / 1000).toFixed(1)} s</td>`).join('')}</tr></table>`)
    return await page.locator('table').screenshot()
  } finally {
    await page.close()
  }
}
