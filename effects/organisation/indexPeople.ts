import { catchError, EMPTY, exhaustMap, expand, ignoreElements, type Observable } from 'rxjs'
import { growingIntervals, type Time } from '../../streams/kernel/time.ts'

/** How often people are looked for whose words another version did not store. */
export const INDEX_INTERVAL_MS = 10 * 60 * 1000

/** Stores the next batch after an id; emits the last id of the batch, or null when nothing is left. */
type Index = (after: string | null) => Observable<string | null>

/** Stores the words of people who have none, batch after batch. A failure ends the batches. Never emits. */
export const indexPeopleOnce = (index: Index): Observable<never> =>
  index(null).pipe(
    expand((last) => (last === null ? EMPTY : index(last))),
    catchError(() => EMPTY),
    ignoreElements(),
  )

/** Stores the words of people who have none, at once and every 10 minutes. Several instances may do this. Never emits. */
export const indexPeople = (index: Index, time: Time): Observable<never> =>
  growingIntervals(INDEX_INTERVAL_MS, 0, time).pipe(exhaustMap(() => indexPeopleOnce(index)))
