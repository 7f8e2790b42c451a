import { spawn, type ChildProcess } from 'node:child_process'
import { rm } from 'node:fs/promises'
import process from 'node:process'
import { programArguments } from '../programs/programArguments.ts'
import type { BuildOptions } from './bundle.ts'
import type { BundlerMessage, BundlerTask } from './bundlerProgram.ts'

/** A build counts as hanging after this time without progress, in milliseconds. */
const SILENCE_MS = 180_000
const STDERR_CHARACTERS = 4_000

export type BundlerOptions = Readonly<{
  /** Prints a line to the terminal. */
  tell: (line: string) => void
  /** Called at each build step. */
  onProgress?: () => void
  /** The arguments for `process.execPath` that start the bundler's process. */
  program?: readonly string[]
}>

export type Bundler = ReturnType<typeof createBundler>

type Ending = Exclude<BundlerMessage, { type: 'progress' }> | Readonly<{ type: 'died'; how: string }>

/** Runs the bundler in separate processes, because its native code may crash or hang. They end with this process. */
export function createBundler(options: BundlerOptions) {
  const { tell, onProgress = () => {} } = options
  const program = options.program ?? programArguments('src/build/bundlerProgram.ts')
  let child: ChildProcess | null = null
  let isEnded = false

  const kill = () => void child?.kill('SIGKILL')
  process.on('exit', kill)

  /** Runs a task once, in a new process. Calls `heard` when a build ends or the process dies. */
  const attempt = (task: BundlerTask, heard: (ending: Ending) => void): void => {
    const running = spawn(process.execPath, program, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    child = running
    let stderr = ''
    let silence: NodeJS.Timeout | undefined
    let isSilent = false
    const listen = () => {
      clearTimeout(silence)
      silence = setTimeout(() => {
        isSilent = true
        running.kill('SIGKILL')
      }, SILENCE_MS)
    }
    const rest = () => {
      clearTimeout(silence)
      running.off('message', onMessage).off('exit', onExit).off('error', onError)
      running.stderr?.off('data', onStderr)
    }
    const onStderr = (text: Buffer) => {
      stderr = (stderr + text.toString()).slice(-STDERR_CHARACTERS)
    }
    const onMessage = (said: BundlerMessage) => {
      listen()
      if (said.type === 'progress') return onProgress()
      // A watching process has nothing to report between two changes, so its silence does not count as hanging.
      clearTimeout(silence)
      if (task.kind !== 'watch') {
        rest()
        running.kill('SIGKILL')
      }
      heard(said)
    }
    const onExit = (code: number | null, signal: string | null) => {
      child = null
      rest()
      const how = isSilent
        ? `reported nothing for ${String(SILENCE_MS / 1000)} s`
        : `was ended by ${signal ?? `code ${String(code)}`}`
      heard({ type: 'died', how: stderr === '' ? how : `${how} (${stderr.trim()})` })
    }
    const onError = (error: Error) => {
      child = null
      rest()
      heard({ type: 'died', how: error.message })
    }
    running.on('message', onMessage).on('exit', onExit).on('error', onError)
    running.stderr?.on('data', onStderr)
    listen()
    running.send(task, (error) => {
      if (error) running.kill('SIGKILL')
    })
  }

  /** Runs a task, and retries it once if its process dies. Calls `heard` with how each build ended. */
  const guard = (
    title: string,
    task: BundlerTask,
    heard: (ending: Exclude<Ending, { type: 'died' }>) => void,
  ) => {
    let deaths = 0
    const begin = () =>
      attempt(task, (ending) => {
        if (isEnded) return heard({ type: 'failed', message: 'The build was stopped.' })
        if (ending.type !== 'died') {
          deaths = 0
          return heard(ending)
        }
        deaths += 1
        if (deaths > 1)
          return heard({
            type: 'failed',
            message:
              `Building ${title} failed twice: the bundler ${ending.how}. This is a fault of the bundler, and not of ` +
              'the sources. Run the command again; if that does not help, delete the folder dist and try once more.',
          })
        tell(`Building ${title} is started again: the bundler ${ending.how}.`)
        // The bundler's cache may be damaged, so the retry starts with an empty one. Each build empties the output
        // itself.
        rm(task.options.cacheFolder, { recursive: true, force: true }).then(begin, begin)
      })
    begin()
  }

  return {
    /**
     * Runs a task in its own process, because the bundler keeps state in memory. Run only one task at a time. A build
     * that crashes or hangs is retried once with an empty cache, and `tell` reports this. Resolves with the bundled
     * files. Rejects with an `Error` that describes the problem in the sources, or says that the bundler failed twice.
     *
     * @param title names the build within a message, such as `the pane`
     */
    build: (title: string, task: BundlerTask) =>
      new Promise<readonly string[]>((resolve, reject) =>
        guard(title, task, (ending) =>
          ending.type === 'done' ? resolve(ending.bundled) : reject(new Error(ending.message)),
        ),
      ),
    /**
     * Builds now and at each change. Calls `report` with each problem, or null for success. Resolves after the first
     * build.
     */
    watch: (title: string, task: BundlerTask & { kind: 'watch' }, report: (problem: string | null) => void) =>
      new Promise<void>((resolve) =>
        guard(title, task, (ending) => {
          report(ending.type === 'done' ? null : ending.message)
          resolve()
        }),
      ),
    /** Kills the bundler's process. A running build rejects. */
    end: (): void => {
      isEnded = true
      kill()
      process.off('exit', kill)
    },
  }
}

/** Builds pages outside the groups, such as test pages. Resolves and rejects as `Bundler.build` does. */
export async function buildPages(
  options: BuildOptions,
  tell: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
): Promise<void> {
  const bundler = createBundler({ tell })
  try {
    await bundler.build('the pages', { kind: 'pages', options })
  } finally {
    bundler.end()
  }
}
