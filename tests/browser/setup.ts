import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPlayground } from '../../src/playground/launch.ts'
import { ensureChromium } from './chromium.ts'
import type {} from './servers.ts'

/**
 * Makes sure of a browser and starts a playground for each worker, with data of its own, for all browser tests. Ends
 * all of them after the tests.
 */
export default async function startOnce({ config, provide }: TestProject): Promise<() => Promise<void>> {
  ensureChromium()
  const ending: (() => Promise<unknown>)[] = []
  const end = async () => {
    for (const each of ending.splice(0).reverse()) await each()
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'signet-browser-tests-'))
    ending.push(() => rm(folder, { recursive: true, force: true }))
    const started = []
    for (let worker = 1; worker <= config.maxWorkers; worker += 1) {
      const playground = await startPlayground({
        ports: { pages: 0, service: 0, identityProvider: 0 },
        dataFolder: join(folder, `data-${String(worker)}`),
        pagesFolder: join(folder, `pages-${String(worker)}`),
        cacheFolder: join(folder, 'cache'),
        tell: (line) => process.stderr.write(`${line}\n`),
      })
      ending.push(playground.close)
      started.push({
        pages: playground.url,
        service: playground.serviceUrl,
        identityProvider: playground.identityProviderUrl,
        claim: join(folder, `claim-${String(worker)}`),
      })
    }
    provide('servers', started)
    return end
  } catch (error) {
    await end()
    throw error
  }
}
