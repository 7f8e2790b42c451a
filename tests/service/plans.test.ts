import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createPlans } from '../../src/service/plans.ts'
import type { ServiceContext } from '../../src/service/serviceContext.ts'
import { compileRelease } from '../../streams/organisation/release.ts'
import { largeDocument, person } from '../growth/largeDocument.ts'

it('other requests have their turns while the people of one page are planned', async () => {
  const people = Array.from({ length: 400 }, (_, index) => ({ ...person, id: `u-${String(index)}` }))
  const over = new AbortController()
  let turns = 0
  const counting = (async () => {
    for (; !over.signal.aborted; turns++) await setImmediate()
  })()
  /** The turns since the page was read: everything before has turns of its own. */
  let since = 0
  const store = {
    hasPictures: async () => new Set(),
    personsByAddress: async () => [],
    async people() {
      since = turns
      return people
    },
    async dropOldPlans() {
      since = turns - since
    },
    keepPlan: async () => undefined,
  }
  const before = compileRelease('a', largeDocument({ signatures: 60, templates: 2 }))
  const context = { store, releases: { current: () => before }, publicUrl: () => '', now: () => 0 }
  const plans = createPlans(context as unknown as ServiceContext)
  const { summary } = await plans.make(largeDocument({ signatures: 61, templates: 2, lines: 30 }), 0)
  over.abort()
  await counting
  expect(summary.people).toBe(people.length)
  expect(since).toBeGreaterThan(0)
})
