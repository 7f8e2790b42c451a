import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openBuilds } from '../../src/build/builds.ts'
import type { GroupName } from '../../src/build/groups.ts'
import { startPlayground } from '../../src/playground/launch.ts'
import { ensureChromium } from './chromium.ts'
import type { Servers } from './servers.ts'

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
  const tell = (line: string) => process.stderr.write(`${line}\n`)
  // One build for all: no address is in it.
  const builds = openBuilds({ tell })
  ending.push(() => Promise.resolve(builds.end()))
  const built = new Map<GroupName, Promise<string>>()
  const build = (name: GroupName): Promise<string> => {
    const building = built.get(name) ?? builds.build(name)
    built.set(name, building)
    return building
  }
  const start = async (worker: number): Promise<Servers> => {
    const playground = await startPlayground({
      ports: { pages: 0, service: 0, identityProvider: 0 },
      dataFolder: join(folder, `data-${String(worker)}`),
      builds: { build, end: () => {} },
      tell,
    })
    ending.push(playground.close)
    await playground.whole
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
