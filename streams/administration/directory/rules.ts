import type { DirectoryRun, DirectoryState } from '../../organisation/directory/directory.ts'

/** The latest run that was no dry run, if its deactivations need approval and were not declined. */
export function runInQuestion({ runs }: DirectoryState, declined: string | null): DirectoryRun | null {
  const [last] = runs.filter(({ isTrial }) => !isTrial)
  return last?.outcome === 'needsLeave' && last.id !== declined ? last : null
}

/** The directory with this run first, in place of an earlier state of the same run. */
export const upsertRun = (directory: DirectoryState, run: DirectoryRun): DirectoryState => ({
  ...directory,
  isRunning: run.outcome === 'running',
  runs: [run, ...directory.runs.filter(({ id }) => id !== run.id)],
})

/** Whether a run changed nothing and would change nothing. */
export const isUneventful = ({ added, changed, retired, returned, refused }: DirectoryRun): boolean =>
  added + changed + retired + returned + refused === 0
