import { rm } from 'node:fs/promises'
import { Parcel } from '@parcel/core'

/** What the pages read as `process.env.SIGNET_…`; every one of them is written into the built files. */
export type PageEnvironment = Readonly<Record<`SIGNET_${string}`, string>>

export type BuildOptions = Readonly<{
  /** Paths of the HTML pages. */
  pages: readonly string[]
  environment: PageEnvironment
  /** Where the built files go. Whatever else is in there is removed. */
  folder: string
  cacheFolder: string
}>

/** Builds the pages as they ship. Fails with an `Error` whose message names file, line and reason. */
export async function buildPages(options: BuildOptions): Promise<void> {
  // Parcel does not write again what it has written once: what an interrupted build left there would stay.
  await rm(options.folder, { recursive: true, force: true })
  const parcel = new Parcel({
    ...common(options),
    mode: 'production',
    env: environment(options, 'production'),
  })
  await parcel.run().catch((error: unknown) => {
    throw new Error(describe(error), { cause: error })
  })
}

/**
 * Builds the pages with hot reload and again at each change; resolves after the first build. `report` hears what
 * went wrong in a later one, and null when one went well. Returns what ends the watching.
 */
export async function watchPages(
  options: BuildOptions & Readonly<{ hotReloadPort: number; report: (problem: string | null) => void }>,
): Promise<() => Promise<void>> {
  await rm(options.folder, { recursive: true, force: true })
  const parcel = new Parcel({
    ...common(options),
    mode: 'development',
    env: environment(options, 'development'),
    hmrOptions: { port: options.hotReloadPort, host: 'localhost' },
  })
  let firstBuild: (() => void) | null = null
  const first = new Promise<void>((resolve) => {
    firstBuild = resolve
  })
  const watching = await parcel.watch((error, event) => {
    if (error) options.report(describe(error))
    else if (event?.type === 'buildFailure') options.report(describe(event))
    else options.report(null)
    firstBuild?.()
  })
  await first
  return async () => {
    await watching.unsubscribe()
  }
}

function common({ pages, folder, cacheFolder }: BuildOptions): ConstructorParameters<typeof Parcel>[0] {
  return {
    entries: [...pages],
    defaultConfig: '@parcel/config-default',
    cacheDir: cacheFolder,
    defaultTargetOptions: { distDir: folder, publicUrl: '/' },
    // Installing a package that an import misses would hide the mistake and change the lock file.
    shouldAutoInstall: false,
    shouldPatchConsole: false,
    logLevel: 'none',
  }
}

const environment = ({ environment }: BuildOptions, mode: string): Record<string, string> => ({
  ...environment,
  NODE_ENV: mode,
})

/** Parcel's diagnostics as plain lines. */
function describe(problem: unknown): string {
  if (!isDiagnosed(problem)) return problem instanceof Error ? problem.message : String(problem)
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

type Diagnosed = {
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
const isDiagnosed = (problem: unknown): problem is Diagnosed =>
  typeof problem === 'object' &&
  problem !== null &&
  'diagnostics' in problem &&
  Array.isArray(problem.diagnostics)
