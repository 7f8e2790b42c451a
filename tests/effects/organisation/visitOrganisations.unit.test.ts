import { EMPTY, NEVER, type Observable, of, throwError } from 'rxjs'
import { expect, it } from 'vitest'
import { ROUND_INTERVAL_MS, visitOrganisations } from '../../../effects/organisation/visitOrganisations.ts'
import { createClock } from '../../support/clock.ts'

type Place = Readonly<{ id: string; everyMs: number }>
const HOUR_MS = 3_600_000

/** Visits these organisations, two on a page. `answer` is the answer of the visit with this number. */
function visiting(
  places: () => readonly Place[],
  answer: (id: string, times: number) => Observable<unknown> = () => EMPTY,
  failing: () => boolean = () => false,
) {
  const clock = createClock()
  const visits: string[] = []
  const subscription = visitOrganisations<Place>(
    {
      page: (after) =>
        failing()
          ? throwError(() => new Error('away'))
          : of(
              places()
                .filter(({ id }) => id > after)
                .slice(0, 2),
            ),
      intervalMs: ({ everyMs }) => everyMs,
      visit: ({ id }) => answer(id, visits.push(id)),
    },
    clock,
  ).subscribe()
  return { clock, visits, subscription }
}

const places = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, everyMs: id === 'b' ? HOUR_MS : 24 * HOUR_MS }))

it('visits all organisations at the start, in their order, and again after their own intervals', () => {
  const { clock, visits, subscription } = visiting(() => places)
  expect(visits).toEqual(['a', 'b', 'c', 'd', 'e'])
  clock.advance(HOUR_MS - 1)
  expect(visits).toHaveLength(5)
  clock.advance(1)
  expect(visits.slice(5)).toEqual(['b'])
  clock.advance(23 * HOUR_MS)
  expect(visits.filter((id) => id === 'b')).toHaveLength(25)
  expect(visits.filter((id) => id === 'c')).toHaveLength(2)
  subscription.unsubscribe()
  clock.advance(24 * HOUR_MS)
  expect(visits.filter((id) => id === 'c')).toHaveLength(2)
})

it('visits an organisation again in the next round when its visit failed, and visits the others meanwhile', () => {
  const { clock, visits } = visiting(
    () => places,
    (id, times) => (id === 'c' && times < 6 ? throwError(() => new Error('away')) : of('done')),
  )
  expect(visits).toEqual(['a', 'b', 'c', 'd', 'e'])
  clock.advance(ROUND_INTERVAL_MS)
  expect(visits.slice(5)).toEqual(['c'])
  clock.advance(ROUND_INTERVAL_MS)
  expect(visits).toHaveLength(6)
})

it('visits one that was added, and remembers the visits while the registry cannot be read', () => {
  let known: readonly Place[] = places.slice(0, 3)
  let isAway = false
  const { clock, visits } = visiting(
    () => known,
    () => EMPTY,
    () => isAway,
  )
  isAway = true
  clock.advance(ROUND_INTERVAL_MS)
  isAway = false
  known = places
  clock.advance(ROUND_INTERVAL_MS)
  expect(visits).toEqual(['a', 'b', 'c', 'd', 'e'])
})

it('waits for visits before the next ones', () => {
  const { clock, visits } = visiting(
    () => places,
    () => NEVER,
  )
  clock.advance(10 * ROUND_INTERVAL_MS)
  expect(visits).toEqual(['a', 'b', 'c', 'd'])
})
