import type { DirectoryRun, DirectoryState } from '../../organisation/directory/directory.ts'

/** The latest sync that is not a dry run, if its deactivations still await a decision. */
export function undecidedRun({ runs }: DirectoryState, declined: string | null): DirectoryRun | null {
  const [last] = runs.filter(({ isTrial }) => !isTrial)
  return last?.outcome === 'needsLeave' && last.id !== declined ? last : null
}

/** Puts a run first in the directory, replacing its earlier state. */
export const upsertRun = (directory: DirectoryState, run: DirectoryRun): DirectoryState => ({
  ...directory,
  isRunning: run.outcome === 'running',
  runs: [run, ...directory.runs.filter(({ id }) => id !== run.id)],
})

/** Whether a run changed nothing or, as a dry run, would change nothing. */
export const isUneventful = ({ added, changed, retired, returned, refused }: DirectoryRun): boolean =>
  added + changed + retired + returned + refused === 0
