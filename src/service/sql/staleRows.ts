/**
 * Stores derived data of people again where it is stale, because a version of Signet that does not know this data wrote
 * the row.
 */
import type { OrganisationAccess } from './access.ts'
import { type Query, rawSql, type Sql } from './query.ts'

/** The number of people in a batch, which is one transaction. */
const PEOPLE_AT_ONCE = 100

/** The id, in the form used by the indexes of people with a stale row. */
export const STALE_ID = rawSql("(id || '')")

/**
 * Returns a function that stores the derived data of a batch of people, after the id `after`. It resolves with the last
 * id; null after the last batch. It skips people whom another instance is writing. Saving a person of the batch waits
 * for its end.
 *
 * @param isStale the condition for stale rows, which has an index on `STALE_ID`
 */
export const derivingStaleRows =
  <Row extends Readonly<{ id: string }>>(
    transaction: OrganisationAccess['transaction'],
    { columns, isStale }: Readonly<{ columns: Sql; isStale: Sql }>,
    derive: (inside: Query, rows: readonly Row[]) => Promise<void>,
  ) =>
  (after: string | null): Promise<string | null> =>
    transaction(async (inside) => {
      const rows = await inside<Row>`
        select ${columns} from person where organisation = $1 and ${isStale} and ${STALE_ID} > ${after ?? ''}
        order by ${STALE_ID} limit (select ${PEOPLE_AT_ONCE}::int) for no key update skip locked`
      if (rows.length > 0) await derive(inside, rows)
      return rows.length < PEOPLE_AT_ONCE ? null : (rows.at(-1)?.id ?? null)
    })
