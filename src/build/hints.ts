import { GUARD_FILE } from '../server/headers.ts'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The chunk of the screen, by the name of its module. */
const SCREEN = /\bdrawScreen\.[0-9a-f]{8}\.(?:js|css)\b/g

/** The name of the script that a built page starts with; null for a page without one. */
const firstScript = (html: string): string | null =>
  /<script type=module src=\/([^ >]+)/.exec(html)?.[1] ?? null

/**
 * Adds a hint to the built page of a pane: the browser prefetches the screen at the lowest priority while it loads the
 * engine. Other pages stay unchanged. index.html is one of them: it receives the redirects of the identity provider,
 * and is a pane only on a developer's machine. `file` is the page's name in `folder`.
 */
export async function addHints(folder: string, file: string): Promise<void> {
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
 * Adds `launch-guard.js`, which handles every event, to the page of launch events, after Microsoft's library. Parcel
 * builds this file separately.
 */
export async function addLaunchFile(folder: string, file: string): Promise<void> {
  if (file !== 'launch.html') return
  const path = join(folder, file)
  const html = await readFile(path, 'utf8')
  await writeFile(path, html.replace('<script type=module', `<script src=/${GUARD_FILE}></script>$&`))
}
