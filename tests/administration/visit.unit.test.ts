import { expect, it } from 'vitest'
import { createVisitId } from '../../src/administration/visit.ts'

it('a visit has 24 hex digits, of random bytes', () => {
  const random = { getRandomValues: <T>(bytes: T): T => ((bytes as Uint8Array).set([0, 10, 255]), bytes) }
  expect(createVisitId(random as Crypto)).toBe(`000aff${'0'.repeat(18)}`)
  expect(createVisitId(crypto)).toMatch(/^[0-9a-f]{24}$/)
  expect(createVisitId(crypto)).not.toBe(createVisitId(crypto))
})
