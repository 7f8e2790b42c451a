/** The bundler's process: it builds the tasks sent by its parent. */
import process from 'node:process'
import { type BuildOptions, bundlePages, watchPages } from './bundle.ts'
import { buildLaunchFile } from './launchFile.ts'

export type BundlerTask =
  | Readonly<{ kind: 'pages'; options: BuildOptions }>
  | Readonly<{ kind: 'launchFile'; options: BuildOptions }>
  | Readonly<{ kind: 'watch'; options: BuildOptions & Readonly<{ hotReloadPort: number }> }>

/** Messages from this process to its parent. A watching task sends `done` or `failed` after each change. */
export type BundlerMessage =
  | Readonly<{ type: 'progress' }>
  | Readonly<{ type: 'done'; bundled: readonly string[] }>
  | Readonly<{ type: 'failed'; message: string }>

const say = (said: BundlerMessage): void => void process.send?.(said)

// buildProgress.mjs calls this function in the same process.
Reflect.set(globalThis, Symbol.for('signet.buildProgress'), () => say({ type: 'progress' }))

const run = async ({ kind, options }: BundlerTask): Promise<void> => {
  switch (kind) {
    case 'pages':
      return say({ type: 'done', bundled: await bundlePages(options) })
    case 'launchFile':
      return say({ type: 'done', bundled: await buildLaunchFile(options) })
    case 'watch':
      await watchPages({
        ...options,
        report: (problem) =>
          say(problem === null ? { type: 'done', bundled: [] } : { type: 'failed', message: problem }),
      })
  }
}

process.on('message', (task: BundlerTask) => {
  run(task).catch((error: unknown) =>
    say({ type: 'failed', message: error instanceof Error ? error.message : String(error) }),
  )
})
// When the parent ends, this process ends too.
process.on('disconnect', () => process.exit())
