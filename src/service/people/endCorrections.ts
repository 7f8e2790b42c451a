/** Ends the corrections whose last day is over. */
import { dayOf } from '../../../streams/organisation/release/names.ts'
import type { People } from '../context/serviceContext.ts'
import { DomainError } from '../operations/domainError.ts'
import { readingPages } from '../sql/pages.ts'
import type { CorrectionPlace } from '../sql/people.ts'
import type { Store } from '../sql/store.ts'

/** The actor in the facts of corrections that end by themselves. */
export const CALENDAR_ACTOR = 'calendar'
const PEOPLE_AT_ONCE = 100

/** @param now milliseconds since 1970 */
export async function endCorrections(
  store: Pick<Store, 'peopleCorrectedUntil'>,
  people: Pick<People, 'write'>,
  now: number,
): Promise<void> {
  const day = dayOf(now)
  const read = (after: CorrectionPlace | null, limit: number) => store.peopleCorrectedUntil(day, after, limit)
  for await (const page of readingPages(read, PEOPLE_AT_ONCE, (place) => place))
    for (const { id } of page)
      try {
        await people.write(id, { type: 'endCorrections', day }, CALENDAR_ACTOR)
      } catch (error) {
        // The person was erased or written meanwhile; the next call tries again.
        if (!(error instanceof DomainError)) throw error
      }
}
