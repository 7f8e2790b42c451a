import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as bundle from '../../src/build/bundle.ts'
import { freshPages, sourcesOf } from '../../src/build/freshPages.ts'
import type * as launch from '../../src/playground/launch.ts'
import { runServer } from '../../src/server/serverProcess.ts'
import { createSharedBuild } from '../browser/sharedBuild.ts'

// The playground of a commit as a process: playgroundProcess.ts <root of its sources> <folder for all it writes>

const [root = '', folder = ''] = process.argv.slice(2)
const load = (file: string): Promise<unknown> => import(pathToFileURL(join(root, file)).href)
const { startPlayground } = (await load('src/playground/launch.ts')) as typeof launch
const buildPages = async (options: bundle.BuildOptions): Promise<void> => {
  const { buildPages: build } = (await load('src/build/bundle.ts')) as typeof bundle
  return build(options)
}

await runServer(() =>
  startPlayground({
    ports: { pages: 0, service: 0, identityProvider: 0 },
    dataFolder: join(folder, 'data'),
    pagesFolder: join(folder, 'pages'),
    cacheFolder: join(folder, 'cache'),
    reset: true,
    buildPages: createSharedBuild(join(folder, 'built'), (options) =>
      freshPages(options, sourcesOf(root), buildPages),
    ),
  }),
)
