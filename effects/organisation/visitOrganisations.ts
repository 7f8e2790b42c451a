import {
  catchError,
  concatMap,
  EMPTY,
  exhaustMap,
  expand,
  ignoreElements,
  mergeMap,
  type Observable,
  tap,
} from 'rxjs'
import { growingIntervals, now, type Time } from '../../streams/kernel/time.ts'

/** How often an instance looks which organisations are due. */
export const ROUND_INTERVAL_MS = 60_000

/** How many organisations are visited at the same time: the sync of a large one may take minutes. */
const AT_ONCE = 4

type Named = Readonly<{ id: string }>

export type VisitPort<Visited extends Named> = Readonly<{
  /** One page in the order of the ids, after the id `after`; empty after the last organisation. */
  page: (after: string) => Observable<readonly Visited[]>
  /** The time between two visits of an organisation, in milliseconds. */
  intervalMs: (organisation: Visited) => number
  /** Does what is due at an organisation, and completes. */
  visit: (organisation: Visited) => Observable<unknown>
}>

/**
 * Visits each organisation at the start, and whenever its interval has passed, some at the same time. A visit that failed
 * is made again in the next round. Never emits.
 */
export function visitOrganisations<Visited extends Named>(
  { page, intervalMs, visit }: VisitPort<Visited>,
  time: Time,
): Observable<never> {
  /** When each organisation was visited. */
  let visited = new Map<string, number>()

  function round(): Observable<unknown> {
    const before = visited
    // Organisations that are gone are forgotten, because each round notes only those that it meets.
    visited = new Map()
    const visitDue = (organisation: Visited): Observable<unknown> => {
      const last = before.get(organisation.id)
      const at = now(time)
      if (last !== undefined && at - last < intervalMs(organisation)) {
        visited.set(organisation.id, last)
        return EMPTY
      }
      return visit(organisation).pipe(
        tap({ complete: () => visited.set(organisation.id, at) }),
        catchError(() => EMPTY),
      )
    }
    const following = (organisations: readonly Visited[]): Observable<readonly Visited[]> => {
      const last = organisations.at(-1)
      return last === undefined ? EMPTY : page(last.id)
    }
    return page('').pipe(
      expand(following, 1),
      concatMap((organisations) => organisations),
      mergeMap(visitDue, AT_ONCE),
      catchError(() => {
        // The registry could not be read: organisations that were not read keep their times.
        visited = new Map([...before, ...visited])
        return EMPTY
      }),
    )
  }

  return growingIntervals(ROUND_INTERVAL_MS, 0, time).pipe(exhaustMap(round), ignoreElements())
}
