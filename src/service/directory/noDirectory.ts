import { ruleGroupNames } from '../../../streams/organisation/directory/directory.ts'
import { DomainError } from '../operations/domainError.ts'
import type { Directory, Releases } from '../context/serviceContext.ts'

/** A directory without syncs, for an organisation that only imports people. */
export const noDirectory = (releases: Pick<Releases, 'current'>): Directory => ({
  state: async () => ({
    kind: 'none',
    sources: [],
    isRunning: false,
    runs: [],
    groups: ruleGroupNames(releases.current()).map((named) => ({ named, members: null })),
  }),
  async sync() {
    throw new DomainError('no_directory', 'The service is connected to no directory.')
  },
  stop: async () => undefined,
})
