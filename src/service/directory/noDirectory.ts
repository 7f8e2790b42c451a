import { namedGroups } from '../../../streams/organisation/directory.ts'
import { DomainError } from '../domainError.ts'
import type { Directory, Releases } from '../serviceContext.ts'

/** Of an organisation whose people come from imports alone. */
export const noDirectory = (releases: Pick<Releases, 'current'>): Directory => ({
  async state() {
    const document = releases.current()?.document
    const groups = document === undefined ? [] : namedGroups(document)
    return {
      ...{ kind: 'none', sources: [], isRunning: false, runs: [] },
      groups: groups.map((named) => ({ named, members: null })),
    }
  },
  async sync() {
    throw new DomainError('no_directory', 'The service is connected to no directory.')
  },
})
