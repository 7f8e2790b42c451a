import './mendedBundler.ts'
import { rm } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { Parcel } from '@parcel/core'
import { addLoadHints, addLaunchFile } from './hints.ts'

const PROJECT = join(import.meta.dirname, '../..')

/** The configuration shared by all builds. */
const CONFIG = join(PROJECT, '.parcelrc')

/** Constants that pages read as `process.env.SIGNET_…`. The build inlines them, so they cannot be settings. */
export type PageEnvironment = Readonly<Record<`SIGNET_${string}`, string>>

export type BuildOptions = Readonly<{
  /**
   * Paths of the HTML pages. Pages in one build share chunks. This builds faster, but each page loads more files and
   * shared code cannot be inlined.
   */
  pages: readonly string[]
  environment: PageEnvironment
  /** The output folder, which the build empties first. */
  folder: string
  cacheFolder: string
  hasMaps?: boolean
}>

/**
 * Builds pages for production, with prefetch hints. Resolves with the project paths of all bundled files. Rejects with
 * an `Error` whose message names file, line and reason. Works only once per process because the bundler keeps state in
 * memory; `buildPages` in bundler.ts starts a process for each build.
 */
export async function bundlePages(options: BuildOptions): Promise<readonly string[]> {
  // Parcel does not rewrite files that its cache knows, so a partial file from an interrupted build would stay.
  await rm(options.folder, { recursive: true, force: true })
  const parcel = new Parcel(common(options, 'production'))
  const { bundleGraph } = await parcel.run().catch((error: unknown) => {
    throw new Error(describeBuildError(error), { cause: error })
  })
  for (const page of options.pages) {
    await addLaunchFile(options.folder, basename(page))
    await addLoadHints(options.folder, basename(page))
  }
  return bundledFiles(bundleGraph)
}

type BundleGraph = Awaited<ReturnType<Parcel['run']>>['bundleGraph']

/** Lists the project paths of the files that a build bundled, including files from packages. */
export function bundledFiles(bundleGraph: BundleGraph): readonly string[] {
  const files = new Set<string>()
  for (const bundle of bundleGraph.getBundles())
    bundle.traverseAssets(({ filePath }) => void files.add(relative(PROJECT, filePath)))
  return [...files].sort()
}

/**
 * Builds the pages with hot reload, and rebuilds them at each change. Calls `report` with each build's problem, or null
 * for success. Resolves after the first build.
 */
export async function watchPages(
  options: BuildOptions & Readonly<{ hotReloadPort: number; report: (problem: string | null) => void }>,
): Promise<void> {
  await rm(options.folder, { recursive: true, force: true })
  const parcel = new Parcel({
    ...common(options, 'development'),
    hmrOptions: { port: options.hotReloadPort, host: 'localhost' },
  })
  await new Promise<void>((resolve, reject) => {
    parcel
      .watch((error, event) => {
        if (error) options.report(describeBuildError(error))
        else if (event?.type === 'buildFailure') options.report(describeBuildError(event))
        else options.report(null)
        resolve()
      })
      .catch(reject)
  })
}

function common(
  { pages, environment, folder, cacheFolder, hasMaps = true }: BuildOptions,
  mode: 'production' | 'development',
): ConstructorParameters<typeof Parcel>[0] {
  return {
    mode,
    env: { ...environment, NODE_ENV: mode },
    entries: [...pages],
    config: CONFIG,
    cacheDir: cacheFolder,
    defaultTargetOptions: { distDir: folder, publicUrl: '/', sourceMaps: hasMaps },
    // Installing a package for a wrong import would hide the mistake and change the lock file.
    shouldAutoInstall: false,
    shouldPatchConsole: false,
    logLevel: 'none',
  }
}

/** Formats Parcel's diagnostics as plain lines. */
export function describeBuildError(problem: unknown): string {
  if (!hasDiagnostics(problem)) return problem instanceof Error ? problem.message : String(problem)
  return problem.diagnostics
    .map(({ message, codeFrames }) => {
      const frame = codeFrames?.[0]
      const start = frame?.codeHighlights[0]?.start
      const place = frame?.filePath
        ? `${frame.filePath}${start ? `:${start.line}:${start.column}` : ''}: `
        : ''
      return place + message
    })
    .join('\n')
}

type ParcelProblem = {
  diagnostics: readonly {
    message: string
    codeFrames?:
      | readonly {
          filePath?: string
          codeHighlights: readonly { start: { line: number; column: number } }[]
        }[]
      | null
  }[]
}
const hasDiagnostics = (problem: unknown): problem is ParcelProblem =>
  typeof problem === 'object' &&
  problem !== null &&
  'diagnostics' in problem &&
  Array.isArray(problem.diagnostics)
