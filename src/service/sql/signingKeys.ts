/** The table of the keys that sign bearers. */
import type { OrganisationAccess } from './access.ts'

/**
 * An encrypted key that signs bearers. `sealed` is the encrypted key; `from` and `until` are in milliseconds since
 * 1970.
 */
export type SealedKey = Readonly<{ id: string; sealed: Uint8Array; from: number; until: number }>

export function createKeyStore({ query, run }: OrganisationAccess) {
  return {
    keys: () =>
      query<SealedKey>`
        select id, sealed, "from", until from signing_key where organisation = $1 order by "from", id`,
    keepKey: ({ id, sealed, from, until }: SealedKey) => run`
        insert into signing_key (organisation, id, sealed, "from", until)
        values ($1, ${id}, ${sealed}::bytea, ${from}::bigint, ${until}::bigint)
        on conflict (organisation, id) do update
        set sealed = excluded.sealed, "from" = excluded."from", until = excluded.until`,
    dropKey: (id: string) => run`delete from signing_key where organisation = $1 and id = ${id}`,
  }
}
