import { LAUNCH_GUARD_FILE } from '../server/headers.ts'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Matches the file names of the screen's chunks. */
const SCREEN = /\bdrawScreen\.[0-9a-f]{8}\.(?:js|css)\b/g

/** The first script of a built page; null for a page without a script. */
const firstScript = (html: string): string | null =>
  /<script type=module src=\/([^ >]+)/.exec(html)?.[1] ?? null

/**
 * Adds a hint to a pane's built page: the browser prefetches the screen at the lowest priority while it loads the
 * engine. Other pages stay unchanged, including index.html, which receives the identity provider's redirects and is a
 * pane only on a developer's machine. `file` is the page's name in `folder`.
 */
export async function addLoadHints(folder: string, file: string): Promise<void> {
  if (file === 'index.html') return
  const path = join(folder, file)
  const html = await readFile(path, 'utf8')
  const entry = firstScript(html)
  if (entry === null) return
  const chunks = new Set((await readFile(join(folder, entry), 'utf8')).match(SCREEN))
  if (chunks.size === 0) return
  const hints = [...chunks].map(
    (chunk) => `<link rel=prefetch as=${chunk.endsWith('.js') ? 'script' : 'style'} href="/${chunk}">`,
  )
  await writeFile(path, html.replace('</title>', `</title>${hints.join('')}`))
}

/**
 * Adds `launch-guard.js`, which handles every event, to the launch event page, after Microsoft's library. Parcel builds
 * this file separately.
 */
export async function addLaunchFile(folder: string, file: string): Promise<void> {
  if (file !== 'launch.html') return
  const path = join(folder, file)
  const html = await readFile(path, 'utf8')
  await writeFile(path, html.replace('<script type=module', `<script src=/${LAUNCH_GUARD_FILE}></script>$&`))
}
