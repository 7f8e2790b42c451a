import fc from 'fast-check'
import { expect, it } from 'vitest'
import { demonstrationStartingAt, readDemonstration } from '../../src/service/demonstration/northwind.ts'
import { windowOf } from '../../streams/organisation/rules/rules.ts'

const demonstration = await readDemonstration()
const DAY_MS = 86_400_000
const anyTime = fc.date({
  min: new Date('2024-01-01'),
  max: new Date('2060-01-01'),
  noInvalidDate: true,
})

it('begins with its first banner, which ends two days later, on each day', () => {
  fc.assert(
    fc.property(anyTime, (date) => {
      const now = date.getTime()
      const { document } = demonstrationStartingAt(now, demonstration)
      const [first, second] =
        document.blocks?.flatMap(({ during }) => (during ? (windowOf(during) ?? []) : [])) ?? []
      const days = (at = 0) => (at - now) / DAY_MS
      expect(days(first?.opens)).toBeLessThan(0)
      // The days are those of Lisbon, and the clock's day is that of UTC.
      expect(days(first?.closes)).toBeGreaterThan(2 - 1 / 24)
      expect(days(first?.closes)).toBeLessThanOrEqual(3)
      expect(days(second?.opens)).toBeGreaterThan(60)
    }),
  )
})

it('keeps how long its banners stand and all else', () => {
  const { document } = demonstrationStartingAt(Date.parse('2027-02-14T23:59:59Z'), demonstration)
  expect(document.blocks?.map(({ during }) => during && `${during.from}/${during.to}`)).toEqual([
    '2027-01-23/2027-02-16',
    '2027-04-24/2027-05-26',
    null,
    null,
    null,
  ])
  const still = ({ blocks = [], ...rest }: typeof document) => ({
    ...rest,
    blocks: blocks.map(({ during: _, ...block }) => block),
  })
  expect(still(document)).toEqual(still(demonstration.document))
})
