import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPlayground } from '../../src/playground/launch.ts'
import { ensureChromium } from './chromium.ts'
import { createSharedBuild } from './sharedBuild.ts'
import type { Servers } from './servers.ts'

const PROJECT = join(import.meta.dirname, '../..')

/**
 * Starts the shared resources of the tests of one browser: one playground per worker, with its own data and the same
 * pages. Resolves with a function that ends them.
 */
export default async function startOnce({
  name,
  config,
  provide,
}: TestProject): Promise<() => Promise<void>> {
  const ending: (() => Promise<unknown>)[] = []
  const end = async () => {
    for (const each of ending.splice(0).reverse()) await each()
  }
  const folder = await mkdtemp(join(tmpdir(), 'signet-browser-tests-'))
  ending.push(() => rm(folder, { recursive: true, force: true }))
  const buildPages = createSharedBuild(join(PROJECT, 'node_modules/.cache/browser-tests-pages'))
  const start = async (worker: number): Promise<Servers> => {
    const playground = await startPlayground({
      ports: { pages: 0, service: 0, identityProvider: 0 },
      dataFolder: join(folder, `data-${String(worker)}`),
      pagesFolder: join(folder, `pages-${String(worker)}`),
      cacheFolder: join(PROJECT, 'node_modules/.cache/parcel/browser-tests'),
      buildPages,
      tell: (line) => process.stderr.write(`${line}\n`),
    })
    ending.push(playground.close)
    return {
      pages: playground.url,
      service: playground.serviceUrl,
      identityProvider: playground.identityProviderUrl,
      claim: join(folder, `claim-${String(worker)}`),
    }
  }
  provide('browserName', name === 'browser' ? 'chromium' : name)
  // Installs a missing one once, before each worker starts its own.
  if (name === 'browser') ensureChromium('shell')
  const starting = Array.from({ length: config.maxWorkers }, (_, worker) => start(worker + 1))
  try {
    provide('servers', await Promise.all(starting))
    return end
  } catch (error) {
    // Ends also those that are still starting.
    await Promise.allSettled(starting)
    await end()
    throw error
  }
}
