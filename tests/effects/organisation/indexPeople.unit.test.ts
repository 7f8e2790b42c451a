import { NEVER, type Observable, of, throwError } from 'rxjs'
import { expect, it } from 'vitest'
import { INDEX_INTERVAL_MS, indexPeople } from '../../../effects/organisation/indexPeople.ts'
import { createClock } from '../../support/clock.ts'

function indexing(answer: (times: number) => Observable<string | null>) {
  const clock = createClock()
  const asked: (string | null)[] = []
  const subscription = indexPeople((after) => answer(asked.push(after)), clock).subscribe()
  return { clock, subscription, asked }
}

it('[SCALE-4] stores the words of batch after batch at once, and looks for more every ten minutes', () => {
  const { clock, subscription, asked } = indexing((times) => of(times === 1 ? 'm' : times === 2 ? 'z' : null))
  clock.advance(0)
  expect(asked).toEqual([null, 'm', 'z'])
  clock.advance(INDEX_INTERVAL_MS - 1)
  expect(asked).toHaveLength(3)
  clock.advance(1)
  expect(asked).toEqual([null, 'm', 'z', null])
  subscription.unsubscribe()
  clock.advance(5 * INDEX_INTERVAL_MS)
  expect([asked.length, INDEX_INTERVAL_MS]).toEqual([4, 600_000])
})

it('begins again after a failed batch, at the next time', () => {
  const { clock, asked } = indexing((times) =>
    times === 1 ? of('m') : times === 2 ? throwError(() => new Error('away')) : of(null),
  )
  clock.advance(0)
  expect(asked).toEqual([null, 'm'])
  clock.advance(INDEX_INTERVAL_MS)
  expect(asked).toEqual([null, 'm', null])
})

it('begins no second batch while one runs', () => {
  const { clock, asked } = indexing(() => NEVER)
  clock.advance(10 * INDEX_INTERVAL_MS)
  expect(asked).toEqual([null])
})
