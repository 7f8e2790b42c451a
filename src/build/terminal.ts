/** The build commands' progress line, and their exit on signals. */
import { constants } from 'node:os'
import process from 'node:process'
import { type BuildGroup, type GroupName, BUILD_GROUPS } from './groups.ts'
import type { BuildsOptions } from './builds.ts'

/** Builds that end within this time are not reported. */
const QUIET_MS = 2_000
/** How often a process checks whether npm is still running, in milliseconds. */
const LOOK_MS = 300

export type BuildProgress = ReturnType<typeof createBuildProgress>

/**
 * Shows progress in one line that updates in place. If the output is not a terminal, writes a line for each build.
 * Shows nothing during the first two seconds.
 *
 * @param now milliseconds
 */
export function createBuildProgress(
  output: Readonly<{ isTTY?: boolean; write: (text: string) => unknown }> = process.stdout,
  now: () => number = () => performance.now(),
) {
  const began = now()
  let shown = ''
  let isThere = false
  /** Removes the progress line. */
  const clear = (): void => {
    if (isThere && output.isTTY) output.write('\r\u001b[2K')
    isThere = false
  }
  return {
    /** Shows the current build in one line. `place` is a text such as "2 of 5". */
    show(title: string, place: string, steps: number): void {
      if (now() - began < QUIET_MS) return
      const line = `Building ${title} … ${place}`
      if (!output.isTTY) {
        if (line !== shown) output.write(`${line}\n`)
      } else output.write(`\r\u001b[2K${line}${steps === 0 ? '' : `, ${String(steps)} steps`}`)
      shown = line
      isThere = true
    },
    clear,
  }
}

/** Shows which of a command's groups is being built, with a position such as "2 of 5". */
export const showGroup =
  (progress: BuildProgress, groups: readonly GroupName[]) =>
  (group: BuildGroup, steps: number): void => {
    const index = groups.findIndex((name) => BUILD_GROUPS[name] === group)
    if (index !== -1) progress.show(group.title, `${String(index + 1)} of ${String(groups.length)}`, steps)
  }

/** Builds groups for a command whose output other programs may read, so progress goes to standard error. */
export async function buildWithProgress<Built>(
  groups: readonly GroupName[],
  build: (options: Required<Pick<BuildsOptions, 'tell' | 'onProgress'>>) => Promise<Built>,
): Promise<Built> {
  const progress = createBuildProgress(process.stderr)
  onSignals()
  try {
    return await build({
      tell: (line) => process.stderr.write(`${line}\n`),
      onProgress: showGroup(progress, groups),
    })
  } finally {
    progress.clear()
  }
}

type EndingSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** The exit code that a shell reports for a process ended by a signal. */
export const exitCodeOf = (signal: EndingSignal): number => 128 + constants.signals[signal]

/**
 * Calls `end` on Ctrl-C, SIGTERM and SIGHUP, and when npm has ended, because npm does not forward signals. By default,
 * exits at once, which also ends the bundler's process.
 */
export function onSignals(
  end: (signal: EndingSignal) => void = (signal) => process.exit(exitCodeOf(signal)),
): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(signal))
  if (process.env['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  const looking = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(looking)
    end('SIGTERM')
  }, LOOK_MS)
  looking.unref()
}
