import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPlayground } from '../../src/playground/launch.ts'
import { ensureChromium } from './chromium.ts'

declare module 'vitest' {
  /** Addresses of the running playground, without a slash at the end: `inject('playgroundUrl')`. */
  interface ProvidedContext {
    playgroundUrl: string
    serviceUrl: string
    identityProviderUrl: string
  }
}

/** Makes sure of a browser and starts one playground, with data of its own, for all browser tests. Ends both after them. */
export default async function startOnce({ provide }: TestProject): Promise<() => Promise<void>> {
  ensureChromium()
  const folder = await mkdtemp(join(tmpdir(), 'signet-browser-tests-'))
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  try {
    const playground = await startPlayground({
      ports: { pages: 0, service: 0, identityProvider: 0 },
      dataFolder: join(folder, 'data'),
      pagesFolder: join(folder, 'pages'),
      cacheFolder: join(folder, 'cache'),
      tell: (line) => process.stderr.write(`${line}\n`),
    })
    provide('playgroundUrl', playground.url)
    provide('serviceUrl', playground.serviceUrl)
    provide('identityProviderUrl', playground.identityProviderUrl)
    return async () => {
      await playground.close()
      await removeFolder()
    }
  } catch (error) {
    await removeFolder()
    throw error
  }
}
