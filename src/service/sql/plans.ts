/** The tables of plans, and of pictures that are uploaded before they are published. */
import type { OrganisationAccess } from './access.ts'
import type { Picture } from './pictures.ts'

export function createPlanStore({ query, run }: OrganisationAccess) {
  return {
    /** The plan with this id; null for an unknown id. */
    plan: async (id: string): Promise<unknown> => {
      const [row] = await query<{ plan: unknown }>`
        select plan from plan where organisation = $1 and id = ${id}`
      return row?.plan ?? null
    },
    /** Stores a plan that expires at the time `until`. */
    keepPlan: (id: string, plan: unknown, until: number) => run`
        insert into plan (organisation, id, plan, until)
        values ($1, ${id}, ${JSON.stringify(plan)}::json, ${until}::bigint)
        on conflict (organisation, id) do update set plan = excluded.plan, until = excluded.until`,

    /** A picture that was uploaded for a plan, and has not expired. */
    plannedPicture: async (hash: string, now: number): Promise<Picture | null> => {
      const [row] = await query<Picture>`
        select media_type as "mediaType", bytes from planned_picture
        where organisation = $1 and hash = ${hash} and until > ${now}::bigint`
      return row ?? null
    },
    /** Finds which of these planned pictures are stored and have not expired. */
    hasPlannedPictures: async (hashes: readonly string[], now: number): Promise<ReadonlySet<string>> => {
      const rows = await query<{ hash: string }>`
        select hash from planned_picture
        where organisation = $1 and hash = any (${hashes}::text[]) and until > ${now}::bigint`
      return new Set(rows.map(({ hash }) => hash))
    },
    /** Stores a picture that expires at the time `until`, or later if a plan needs it longer. */
    keepPlannedPicture: (hash: string, { mediaType, bytes }: Picture, until: number) => run`
        insert into planned_picture (organisation, hash, media_type, bytes, until)
        values ($1, ${hash}, ${mediaType}, ${bytes}::bytea, ${until}::bigint)
        on conflict (organisation, hash) do update set until = greatest(planned_picture.until, excluded.until)`,
    /**
     * Extends the expiry of planned pictures to the time `until` or later. Resolves with the hashes of the extended
     * pictures.
     */
    extendPlannedPictures: async (
      hashes: readonly string[],
      now: number,
      until: number,
    ): Promise<ReadonlySet<string>> => {
      const rows = await query<{ hash: string }>`
        update planned_picture set until = greatest(until, ${until}::bigint)
        where organisation = $1 and hash = any (${hashes}::text[]) and until > ${now}::bigint returning hash`
      return new Set(rows.map(({ hash }) => hash))
    },
    /** Moves a planned picture to the published pictures, which have an address and do not expire. */
    publishPicture: (hash: string) => run`
        with published as (
          delete from planned_picture where organisation = $1 and hash = ${hash} returning hash, media_type, bytes)
        insert into picture (organisation, hash, media_type, bytes)
        select $1, hash, media_type, bytes from published on conflict (organisation, hash) do nothing`,
  }
}
