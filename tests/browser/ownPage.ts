import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { buildPages } from '../../src/build/bundler.ts'
import { listenLocally, portOf } from '../../src/build/ports.ts'
import { createPageServer } from '../../src/server/pages.ts'

const DIST = join(import.meta.dirname, '../../dist')

/**
 * Builds a page that only tests have, from nothing, and serves it. `name` is its file in this folder. Resolves with its
 * address, and with what ends the server and deletes the page.
 */
export async function servePage(
  name: string,
): Promise<Readonly<{ address: string; close: () => Promise<void> }>> {
  await mkdir(DIST, { recursive: true })
  const folder = await mkdtemp(join(DIST, 'page-'))
  const pages = join(folder, 'pages')
  const close = () => rm(folder, { recursive: true, force: true })
  try {
    await buildPages({
      pages: [join(import.meta.dirname, name)],
      environment: {},
      folder: pages,
      cacheFolder: join(folder, 'cache'),
      hasMaps: false,
    })
  } catch (error) {
    await close()
    throw error
  }
  const server = createServer(createPageServer({ folders: [pages], index: name, headersOf: () => ({}) }))
  await listenLocally(server, 0)
  return {
    address: `http://localhost:${String(portOf(server))}`,
    close: async () => {
      server.close()
      await close()
    },
  }
}
