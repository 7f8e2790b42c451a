/** The tables of counted links and their clicks. */
import type { DailyClicks } from '../../../streams/organisation/figures/clicks.ts'
import type { OrganisationAccess } from './access.ts'

/** A link whose clicks are counted. */
export type CountedLink = Readonly<{
  id: string
  block: string
  /** The target of the link, in the form of an HTTP header. */
  address: string
}>

export function createClickStore({ query, run }: OrganisationAccess) {
  return {
    /** Stores the targets of counted links. Must be called before their release is published. */
    keepLinks: (links: readonly CountedLink[]) => run`
        insert into counted_link (organisation, id, block, address)
        select $1, link.id, link.block, link.address from unnest(
          ${links.map(({ id }) => id)}::text[], ${links.map(({ block }) => block)}::text[],
          ${links.map(({ address }) => address)}::text[]
        ) as link (id, block, address)
        on conflict (organisation, id) do nothing`,
    /** A counted link of any release that was ever published; null for an unknown id. */
    countedLink: async (id: string): Promise<CountedLink | null> => {
      const [row] = await query<CountedLink>`
        select id, block, address from counted_link where organisation = $1 and id = ${id}`
      return row ?? null
    },
    /** Adds clicks to the stored counts. Each pair of day and block may occur only once. */
    addClicks: (clicks: readonly DailyClicks[]) => run`
        insert into counted_click (organisation, day, block, clicks)
        select $1, added.day, added.block, added.clicks::int from unnest(
          ${clicks.map(({ day }) => day)}::text[], ${clicks.map(({ block }) => block)}::text[],
          ${clicks.map((each) => String(each.clicks))}::text[]
        ) as added (day, block, clicks)
        order by added.day, added.block
        on conflict (organisation, day, block) do update
        set clicks = counted_click.clicks + excluded.clicks`,
    /** The clicks on all blocks on this day and later. */
    clicksSince: (day: string) =>
      query<DailyClicks>`select day, block, clicks from counted_click where organisation = $1 and day >= ${day}`,
    /** Deletes the clicks before a day. */
    dropOldClicks: (day: string) => run`delete from counted_click where organisation = $1 and day < ${day}`,
  }
}
