import {
  type DirectoryState,
  isGroupNamed,
  ruleGroupNames,
} from '../../../streams/organisation/directory/directory.ts'
import type { Store } from '../sql/store.ts'
import type { SyncRunPorts } from './runs.ts'

/** The name of the lease that a running sync holds. */
export const SYNC_LEASE = 'directory'
/** The number of runs that administrators see. */
export const MAX_SHOWN_RUNS = 20

type Read = Pick<SyncRunPorts, 'kind' | 'sources' | 'releases' | 'now'> & Readonly<{ store: Store }>

/** The directory as administrators see it: its last runs, and the groups that rules name. */
export async function readDirectoryState(options: Read): Promise<DirectoryState> {
  const { kind, sources, store, releases, now } = options
  let isLeased = await store.isLeased(SYNC_LEASE, now())
  let runs = await store.directory.runs(MAX_SHOWN_RUNS)
  if (!isLeased && runs.some(({ outcome }) => outcome === 'running')) {
    // Reads the lease again, because the run may have begun or ended between the two reads.
    isLeased = await store.isLeased(SYNC_LEASE, now())
    if (!isLeased) runs = await store.directory.runs(MAX_SHOWN_RUNS)
  }
  const shown = runs.map((each) =>
    each.outcome === 'running' && !isLeased ? ({ ...each, outcome: 'interrupted' } as const) : each,
  )
  return {
    kind,
    sources: sources.map(({ source }) => source),
    isRunning: isLeased,
    runs: shown,
    groups: await groupsOf(options, ruleGroupNames(releases.current())),
  }
}

/** Counts the members of the groups with these names, in all sources. */
async function groupsOf(
  { sources, store: { directory } }: Read,
  names: readonly string[],
): Promise<DirectoryState['groups']> {
  const found = await directory.groupsNamed(
    sources.map(({ source }) => source),
    names.map((name) => name.toLowerCase()),
  )
  return Promise.all(
    names.map(async (named) => {
      const groups = found.filter((group) => isGroupNamed(named, group))
      const members = await Promise.all(groups.map(({ source, id }) => directory.countMembers(source, id)))
      return {
        named,
        members: members.length === 0 ? null : members.reduce((sum, count) => sum + count, 0),
      }
    }),
  )
}
