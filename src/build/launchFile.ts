import './mendedBundler.ts'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Parcel } from '@parcel/core'
import { LAUNCH_GUARD_FILE, LAUNCH_FILE } from '../server/headers.ts'
import { describeBuildError, bundledFiles, type PageEnvironment } from './bundle.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
const CONFIG = join(PROJECT, '.parcelrc')

/** The source of the first part of every launch file, then each file and the source of its program. */
const ASSOCIATE = 'src/launch/associate.ts'
const PROGRAMS = [
  [LAUNCH_FILE, 'src/launch/launch.ts'],
  [LAUNCH_GUARD_FILE, 'src/launch/launchGuard.ts'],
] as const

/** The first statement in `launch.js`. It declares the global from `src/launch/launchGlobal.ts`. */
const GLOBAL =
  'var signetLaunch={waiting:[],handle:null,hasFailed:false,parts:null,onParts:[],log:function(){return[]}};'

/** The code after the program. It completes every event if the program did not start. */
const FAILED =
  'catch(e){signetLaunch.hasFailed=!0;try{console.error(`[LSI] launch_not_started`,String(e))}catch(e){}for(let[,t]of signetLaunch.waiting.splice(0))try{t.completed({allowEvent:!0})}catch(e){}}'

/**
 * Wraps a built program, unchanged, so that a load error completes every event. `before` is the code before the
 * program.
 */
export function wrapProgram(associate: string, program: string): Readonly<{ before: string; code: string }> {
  const before = `${GLOBAL}\n${associate}\ntry{\n`
  return { before, code: `${before}${program}\n}${FAILED}\n` }
}

/** Reads a script that the bundler wrote into `folder`, without its source map reference. */
const readBuilt = async (folder: string, name: string): Promise<string> =>
  (await readFile(join(folder, name), 'utf8')).replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '')

/**
 * Builds `launch.js` and `launch-guard.js` for Outlook's launch events into `folder`, as classic scripts for every
 * client. They cannot throw at load, because Outlook would not report the error. Each file's source map covers the
 * program, but not the lines before it. Resolves and rejects as `bundlePages` does.
 */
export async function buildLaunchFile(
  options: Readonly<{ environment: PageEnvironment; folder: string; cacheFolder: string }>,
): Promise<readonly string[]> {
  const built = await mkdtemp(join(tmpdir(), 'signet-launch-'))
  try {
    const parcel = new Parcel({
      entries: [ASSOCIATE, ...PROGRAMS.map(([, source]) => source)].map((entry) => join(PROJECT, entry)),
      config: CONFIG,
      cacheDir: options.cacheFolder,
      mode: 'production',
      env: { ...options.environment, NODE_ENV: 'production' },
      targets: {
        launch: {
          distDir: built,
          context: 'browser',
          outputFormat: 'global',
          // The oldest engine of classic Outlook supports ES2016.
          engines: { browsers: ['Chrome >= 52'] },
          optimize: true,
          scopeHoist: true,
          sourceMap: true,
        },
      },
      defaultTargetOptions: { shouldScopeHoist: true, shouldOptimize: true, sourceMaps: true },
      shouldContentHash: false,
      logLevel: 'none',
    })
    const { bundleGraph } = await parcel.run().catch((error: unknown) => {
      throw new Error(describeBuildError(error), { cause: error })
    })
    await mkdir(options.folder, { recursive: true })
    const associate = await readBuilt(built, 'associate.js')
    for (const [file, source] of PROGRAMS) {
      const name = `${basename(source, '.ts')}.js`
      const { before, code } = wrapProgram(associate, await readBuilt(built, name))
      const { mappings, ...rest } = JSON.parse(await readFile(join(built, `${name}.map`), 'utf8')) as {
        mappings: string
      }
      await writeFile(join(options.folder, file), code)
      // In a source map, each semicolon starts a new line, so these skip the lines before the program.
      const lines = ';'.repeat(before.split('\n').length - 1)
      await writeFile(
        join(options.folder, `${file}.map`),
        JSON.stringify({ ...rest, mappings: lines + mappings }),
      )
    }
    return bundledFiles(bundleGraph)
  } finally {
    await rm(built, { recursive: true, force: true })
  }
}
