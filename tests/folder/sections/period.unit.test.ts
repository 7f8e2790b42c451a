import { describe, expect, it } from 'vitest'
import { whyNoSuchDay, readPeriod } from '../../../src/folder/sections/period.ts'
import { createSectionReader } from '../../../src/folder/sections/reader.ts'
import type { Finding } from '../../../src/folder/finding.ts'

function read(yaml: string) {
  const problems: Finding[] = []
  const reader = createSectionReader(yaml, problems)
  const period = readPeriod(reader, reader.record(reader.root, ['during', 'time-zone']))
  return { period, told: problems.map(({ line, column, code }) => `${line}:${column} ${code}`) }
}

describe('a period', () => {
  it('is in UTC without a time zone', () => {
    expect(read('during: 2026-09-01/2026-11-30').period).toEqual({
      from: '2026-09-01',
      to: '2026-11-30',
      timeZone: 'UTC',
    })
  })

  it.each([
    ['during: 2026-09-01', '1:1 during'],
    ['during: 2026-09-01/2026-11-30/2026-12-01', '1:1 during'],
    ['time-zone: Europe/Berlin', '1:1 timeZone'],
    ['during: 2026-09-01/2026-11-30\ntime-zone: Berlin', '2:1 timeZone'],
  ])('is none, with the place of what is wrong: %j', (yaml, told) => {
    expect(read(yaml)).toEqual({ period: null, told: [told] })
  })
})

describe('a day that does not exist', () => {
  it.each([
    ['2026-02-30', '2026-02-30 is not a day: 2026-02 has 28 days.'],
    ['2028-02-30', '2028-02-30 is not a day: 2028-02 has 29 days.'],
    ['2026-13-01', '2026-13-01 is not a day: there is no month 13.'],
    ['2026-02-28', null],
    ['tomorrow', null],
  ])('has a reason: %s', (day, reason) => {
    expect(whyNoSuchDay(day)).toBe(reason)
  })
})
