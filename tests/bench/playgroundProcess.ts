import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type * as launch from '../../src/playground/launch.ts'
import { runServer } from '../../src/server/serverProcess.ts'
import { createSharedBuild, type FormerBuild, loadFrom } from './formerCommit.ts'

// Runs the playground of a commit: playgroundProcess.ts <root of its sources> <folder for all written files>

const [root = '', folder = ''] = process.argv.slice(2)
const { startPlayground } = (await loadFrom(root, 'src/playground/launch.ts')) as typeof launch

/** Options of older commits, which took the folders and the function that builds the pages. */
const former = {
  pagesFolder: join(folder, 'pages'),
  cacheFolder: join(folder, 'cache'),
  buildPages: createSharedBuild(join(folder, 'built'), async (options) => {
    const { buildPages } = (await loadFrom(root, 'src/build/bundle.ts')) as {
      buildPages: (options: FormerBuild) => Promise<void>
    }
    return buildPages(options)
  }),
}

await runServer(async () => {
  const playground = await startPlayground({
    ports: { pages: 0, service: 0, identityProvider: 0 },
    dataFolder: join(folder, 'data'),
    reset: true,
    ...(existsSync(join(root, 'src/build/builds.ts')) ? {} : former),
  })
  // Otherwise, building the remaining pages would slow down the measurement.
  await playground.whole
  return playground
})
