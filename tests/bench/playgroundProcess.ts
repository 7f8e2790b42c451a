import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type * as launch from '../../src/playground/launch.ts'
import { runServer } from '../../src/server/serverProcess.ts'
import { createSharedBuild, type FormerBuild, loadFrom } from './formerCommit.ts'

// The playground of a commit as a process: playgroundProcess.ts <root of its sources> <folder for all it writes>

const [root = '', folder = ''] = process.argv.slice(2)
const { startPlayground } = (await loadFrom(root, 'src/playground/launch.ts')) as typeof launch

/** Until its builds were kept by their content, a commit took folders, and what builds its pages. */
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
  // A build of later pages would take processor time from what is measured.
  await playground.whole
  return playground
})
