/** The table of releases. */
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import type { OrganisationAccess } from './access.ts'

export function createReleaseStore({ query, run }: OrganisationAccess) {
  return {
    release: async (id: string): Promise<ReleaseDocument | null> => {
      const [row] = await query<{ document: ReleaseDocument }>`
        select document from release where organisation = $1 and id = ${id}`
      return row?.document ?? null
    },
    /** Stores a release. An existing release with the same id is unchanged. */
    keepRelease: (id: string, document: ReleaseDocument) => run`
        insert into release (organisation, id, document) values ($1, ${id}, ${JSON.stringify(document)}::json)
        on conflict (organisation, id) do nothing`,
  }
}
