import './mendedBundler.ts'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Parcel } from '@parcel/core'
import { LAUNCH_FILE } from '../server/headers.ts'
import { describe, filesIn, type PageEnvironment } from './bundle.ts'
import { withFirstLets } from './firstLets.ts'
import { minifyAgain, withoutMap } from './minifyAgain.ts'
import { minifyFirst } from './minifyFirst.ts'
import { checkPrivateNames, PRIVATE_NAMES } from './privateNames.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
const CONFIG = join(PROJECT, '.parcelrc')

/** The sources of `launch.js`, in their order. */
const ENTRIES = ['src/launch/associate.ts', 'src/launch/launch.ts'] as const

/** The first statement of `launch.js`. It declares the global of `src/launch/launchGlobal.ts`. */
const GLOBAL =
  'var signetLaunch={waiting:[],handle:null,hasFailed:false,parts:null,onParts:[],log:function(){return[]}};'

const MAP = `${LAUNCH_FILE}.map`

/** The code after the program. If the program did not start, this code completes every event. */
const FAILED =
  'catch(error){signetLaunch.hasFailed=true;try{console.error("[LSI] launch_not_started",String(error))}catch(none){}signetLaunch.waiting.splice(0).forEach(function(each){try{each[1].completed()}catch(gone){}})}'

/**
 * Builds `launch.js` for Outlook's launch events into `folder`: one classic script for every client. Nothing in it can
 * throw at load, because Outlook would not report the error. The source map beside it covers the program, but not the
 * lines before the program. Resolves and rejects as `bundlePages` does.
 */
export async function buildLaunchFile(
  options: Readonly<{ environment: PageEnvironment; folder: string; cacheFolder: string }>,
): Promise<readonly string[]> {
  const built = await mkdtemp(join(tmpdir(), 'signet-launch-'))
  try {
    const parcel = new Parcel({
      entries: ENTRIES.map((entry) => join(PROJECT, entry)),
      config: CONFIG,
      cacheDir: options.cacheFolder,
      mode: 'production',
      env: { ...options.environment, NODE_ENV: 'production' },
      targets: {
        launch: {
          distDir: built,
          context: 'browser',
          outputFormat: 'global',
          // The oldest engine of classic Outlook has ES2016.
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
      throw new Error(describe(error), { cause: error })
    })
    const [associate = '', program = '', map = ''] = await Promise.all(
      ['associate.js', LAUNCH_FILE, MAP].map((name) => readFile(join(built, name), 'utf8')),
    )
    const before = `${GLOBAL}\n${withoutMap(associate)}\ntry{\n`
    checkPrivateNames(withoutMap(program), map)
    const first = await minifyFirst(LAUNCH_FILE, withFirstLets(withoutMap(program)), map)
    const small = await minifyAgain(LAUNCH_FILE, first.code, first.map, {
      compress: { target: 'es2016' },
      mangleProps: { include: PRIVATE_NAMES },
    })
    const { mappings, ...rest } = small.map
    await mkdir(options.folder, { recursive: true })
    await writeFile(join(options.folder, LAUNCH_FILE), `${before}${small.code}\n}${FAILED}\n`)
    // In a source map, one semicolon stands for each line before the program.
    const lines = ';'.repeat(before.split('\n').length - 1)
    await writeFile(join(options.folder, MAP), JSON.stringify({ ...rest, mappings: lines + mappings }))
    return filesIn(bundleGraph)
  } finally {
    await rm(built, { recursive: true, force: true })
  }
}
