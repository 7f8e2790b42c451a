import { expect, test } from 'vitest'
import { CASES, MAX_GROWTH } from './cases.ts'
import { growthOf } from './work.ts'

test.each(CASES)('$title takes steps in proportion to the length', ({ make, run, length }) => {
  expect(growthOf(make, run, length)).toBeLessThanOrEqual(MAX_GROWTH)
})
