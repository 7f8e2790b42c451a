/** The table of pictures in releases and of people. */
import type { OrganisationAccess } from './access.ts'
import { type Query, rawSql } from './query.ts'

export type Picture = Readonly<{ mediaType: string; bytes: Uint8Array }>

/** Deletes these pictures, except pictures that a person, a directory entry or a release uses. */
export async function dropUnusedPictures(inside: Query, hashes: readonly (string | undefined)[]) {
  if (hashes.length === 0) return
  const isNamed = (column: string) =>
    rawSql(`${column} >= picture.hash || '.' and ${column} < picture.hash || '/'`)
  await inside`
    delete from picture where organisation = $1 and hash = any (${hashes}::text[])
    and not exists (select 1 from person where person.organisation = $1 and ${isNamed('person.picture')})
    and not exists (
      select 1 from person where person.organisation = $1 and ${isNamed('person.directory_picture')})
    and not exists (
      select 1 from directory_entry
      where directory_entry.organisation = $1 and ${isNamed('directory_entry.picture')})
    and not exists (select 1 from release where release.organisation = $1
      and position(picture.hash in release.document::text) > 0)`
}

export function createPictureStore({ query, run }: OrganisationAccess) {
  return {
    /** `hash` is the first 32 hex digits of a SHA-256. */
    picture: async (hash: string): Promise<Picture | null> => {
      const [row] = await query<Picture>`
        select media_type as "mediaType", bytes from picture where organisation = $1 and hash = ${hash}`
      return row ?? null
    },
    keepPicture: (hash: string, { mediaType, bytes }: Picture) => run`
        insert into picture (organisation, hash, media_type, bytes)
        values ($1, ${hash}, ${mediaType}, ${bytes}::bytea) on conflict (organisation, hash) do nothing`,
    /** Deletes a picture, unless a person, a directory entry or a release uses it. */
    dropPicture: (hash: string) => dropUnusedPictures(query, [hash]),
    /** Finds which of these pictures are stored. */
    hasPictures: async (hashes: readonly string[]): Promise<ReadonlySet<string>> => {
      const rows = await query<{ hash: string }>`
        select hash from picture where organisation = $1 and hash = any (${hashes}::text[])`
      return new Set(rows.map(({ hash }) => hash))
    },
  }
}
