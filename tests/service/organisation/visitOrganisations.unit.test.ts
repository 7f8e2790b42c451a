import { expect, it } from 'vitest'
import {
  VISIT_ROUND_INTERVAL_MS,
  visitOrganisations,
} from '../../../src/service/organisation/visitOrganisations.ts'
import { createTimers } from '../../support/timers.ts'

type Place = Readonly<{ id: string; everyMs: number }>
const HOUR_MS = 3_600_000

const away = () => Promise.reject(new Error('away'))

/** Visits these organisations, two on a page. `answer` is the answer of the visit with this number. */
async function visiting(
  places: () => readonly Place[],
  answer: (id: string, times: number) => Promise<unknown> = async () => null,
  failing: () => boolean = () => false,
) {
  const timers = createTimers()
  const ending = new AbortController()
  const visits: string[] = []
  visitOrganisations<Place>(
    {
      page: async (after) =>
        failing()
          ? away()
          : places()
              .filter(({ id }) => id > after)
              .slice(0, 2),
      intervalMs: ({ everyMs }) => everyMs,
      visit: ({ id }) => answer(id, visits.push(id)),
    },
    ending.signal,
    timers,
  )
  await timers.pass(0)
  return { timers, visits, ending }
}

const places = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, everyMs: id === 'b' ? HOUR_MS : 24 * HOUR_MS }))

it('visits all organisations at the start, in their order, and again after their own intervals', async () => {
  const { timers, visits, ending } = await visiting(() => places)
  expect(visits).toEqual(['a', 'b', 'c', 'd', 'e'])
  await timers.pass(HOUR_MS - 1)
  expect(visits).toHaveLength(5)
  await timers.pass(1)
  expect(visits.slice(5)).toEqual(['b'])
  await timers.pass(23 * HOUR_MS)
  expect(visits.filter((id) => id === 'b')).toHaveLength(25)
  expect(visits.filter((id) => id === 'c')).toHaveLength(2)
  ending.abort()
  await timers.pass(24 * HOUR_MS)
  expect(visits.filter((id) => id === 'c')).toHaveLength(2)
})

it('visits an organisation again in the next round when its visit failed, and visits the others meanwhile', async () => {
  const { timers, visits } = await visiting(
    () => places,
    (id, times) => (id === 'c' && times < 6 ? away() : Promise.resolve('done')),
  )
  expect(visits).toEqual(['a', 'b', 'c', 'd', 'e'])
  await timers.pass(VISIT_ROUND_INTERVAL_MS)
  expect(visits.slice(5)).toEqual(['c'])
  await timers.pass(VISIT_ROUND_INTERVAL_MS)
  expect(visits).toHaveLength(6)
})

it('visits one that was added, and remembers the visits while the registry cannot be read', async () => {
  let known: readonly Place[] = places.slice(0, 3)
  let isAway = false
  const { timers, visits } = await visiting(
    () => known,
    async () => null,
    () => isAway,
  )
  isAway = true
  await timers.pass(VISIT_ROUND_INTERVAL_MS)
  isAway = false
  known = places
  await timers.pass(VISIT_ROUND_INTERVAL_MS)
  expect(visits).toEqual(['a', 'b', 'c', 'd', 'e'])
})

it('waits for visits before the next ones', async () => {
  const { timers, visits } = await visiting(
    () => places,
    () => new Promise(() => {}),
  )
  await timers.pass(10 * VISIT_ROUND_INTERVAL_MS)
  expect(visits).toEqual(['a', 'b', 'c', 'd'])
})
