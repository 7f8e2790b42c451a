import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import {
  isBeyondLimit,
  peopleLimitIn,
  limitOfPlan,
} from '../../../../streams/organisation/plan/peopleLimit.ts'
import type { PublishLimits, ReleaseDocument } from '../../../../streams/organisation/release/release.ts'
import { releaseDocument } from '../../../support/administration/plans.ts'

const limit = fc.oneof(
  fc.record({ most: fc.nat(200), of: fc.constant('people' as const) }),
  fc.record({ most: fc.nat(100), of: fc.constant('percent' as const) }),
)
const limits = fc.option(
  limit.map((people): PublishLimits => ({ people })),
  { nil: undefined },
)
const counted = fc
  .record({ people: fc.nat(200), changed: fc.nat(200) })
  .map(({ people, changed }) => ({ people: Math.max(people, changed), changed }))

const documentWith = (of: PublishLimits | undefined): ReleaseDocument => ({
  ...releaseDocument,
  ...(of && { limits: of }),
})

/** Whether these limits alone let so many of all people change. */
const allows = (of: PublishLimits | undefined, changed: number, people: number): boolean => {
  if (!of) return true
  return of.people.of === 'people' ? changed <= of.people.most : changed * 100 <= people * of.people.most
}

describe('a limit of people', () => {
  test.each([
    ['0', { most: 0, of: 'people' }],
    ['50', { most: 50, of: 'people' }],
    ['999999999', { most: 999_999_999, of: 'people' }],
    ['0%', { most: 0, of: 'percent' }],
    ['10%', { most: 10, of: 'percent' }],
    ['100%', { most: 100, of: 'percent' }],
    ...['', '%', '101%', '1000000000', '-1', '1.5', '1.5%', '10 %', '0x1F', '1e3', 'ten'].map(
      (text) => [text, null] as const,
    ),
  ] as const)('reads %j', (text, read) => {
    expect(peopleLimitIn(text)).toEqual(read)
  })

  test.prop([limits, limits, counted])(
    '[ADOPT-13] is kept when both documents allow what changes, so that no publish takes its own limit away',
    (before, after, { people, changed }) => {
      const found = limitOfPlan(documentWith(before), documentWith(after), { people, changed }, true)
      expect(isBeyondLimit(found ? { limit: found } : {})).toBe(
        !(allows(before, changed, people) && allows(after, changed, people)),
      )
      expect(found === null).toBe(before === undefined && after === undefined)
    },
  )

  test.prop([limit, counted])(
    'of a first release is its own, and a plan for another moment is beyond each',
    (one, people) => {
      const document = documentWith({ people: one })
      expect(limitOfPlan(null, document, people, true)).toEqual(limitOfPlan(document, document, people, true))
      const later = limitOfPlan(null, document, people, false)
      expect([later?.changed, later && isBeyondLimit({ limit: later })]).toEqual([null, true])
    },
  )
})
