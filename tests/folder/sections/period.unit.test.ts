import { fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { readSpans } from '../../../src/folder/sections/hours.ts'
import { whyNoSuchDay, readBlockPeriod, readPeriod } from '../../../src/folder/sections/period.ts'
import { createSectionReader, type SectionReader } from '../../../src/folder/sections/reader.ts'
import type { EntryFields } from '../../../src/folder/yaml.ts'
import type { Finding } from '../../../src/folder/finding.ts'
import { hoursText, isTimeOfDay } from '../../../streams/organisation/release/hours.ts'
import { hours } from '../documents.ts'

function readAs<Read>(yaml: string, readOf: (reader: SectionReader, of: EntryFields) => Read) {
  const problems: Finding[] = []
  const reader = createSectionReader(yaml, problems)
  const period = readOf(reader, reader.record(reader.root, ['during', 'time-zone']))
  const told = problems.map(({ line, column, code }) => `${line}:${column} ${code}`)
  return { period, told, says: problems.map(({ message }) => message) }
}
const read = (yaml: string) => readAs(yaml, readPeriod)
const readOfBlock = (yaml: string) =>
  readAs(yaml, (reader, of) => readBlockPeriod(reader, of, 'blocks.autumn'))

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
    ['during: Mon-Fri 08:00-18:00', '1:1 during'],
    ['during: 2026-09-01/2026-11-30 08:00-18:00', '1:1 during'],
    ['during: { from: absence_from, to: absence_to }', '1:1 during'],
  ])('is none, with the place of what is wrong: %j', (yaml, told) => {
    const { says: _, ...found } = read(yaml)
    expect(found).toEqual({ period: null, told: [told] })
  })

  it('[PERSON-8] of a signature has no hours, which a block has', () => {
    for (const during of ['Mon 08:00-18:00', '{ from: absence_from, to: absence_to }'])
      expect(read(`during: ${during}`).says).toEqual([
        'A signature has whole days, the same for everyone: put the part that changes into a block.',
      ])
  })
})

const WEEK = { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }
const FORM = 'Hours are weekdays and times: Mon-Fri 08:00-18:00, Sat 09:00-12:00.'

describe('[PERSON-8] the period of a block', () => {
  it('has days, hours, or both', () => {
    const period = { from: '2026-09-01', to: '2026-11-30', timeZone: 'Europe/Berlin' }
    const ofWeek = { spans: [WEEK], timeZone: 'Europe/Berlin' }
    const zone = '\ntime-zone: Europe/Berlin'
    expect(readOfBlock(`during: 2026-09-01/2026-11-30${zone}`).period).toEqual({ during: period })
    expect(readOfBlock(`during: Mon-Fri 08:00-18:00${zone}`).period).toEqual({ during: null, hours: ofWeek })
    expect(readOfBlock(`during: 2026-09-01/2026-11-30 Mon-Fri 08:00-18:00${zone}`).period).toEqual({
      during: period,
      hours: ofWeek,
    })
    expect(readOfBlock('').period).toEqual({ during: null })
  })

  it('has the variables with the days that a person enters', () => {
    const ownDays = { from: 'absence_from', to: 'absence_to', before: 14, timeZone: 'Europe/Berlin' }
    const written = 'from: absence_from, to: absence_to'
    expect(readOfBlock(`during: { ${written}, days-before: 14 }\ntime-zone: Europe/Berlin`).period).toEqual({
      during: null,
      ownDays,
    })
    expect(readOfBlock(`during: { ${written} }`).period).toEqual({
      during: null,
      ownDays: { ...ownDays, before: 0, timeZone: 'UTC' },
    })
  })

  it.each([
    [
      'during: { from: absence_from }',
      '"during" needs "to": the variable in which a person enters the last day.',
    ],
    [
      'during: { to: absence_to }',
      '"during" needs "from": the variable in which a person enters the first day.',
    ],
    ['during: { from: 2026-09-01, to: absence_to }', 'There is no variable "2026-09-01".'],
    [
      'during: { from: a, to: b, days-before: 367 }',
      '"days-before" is a number of days, from 0 to 366: "367" is not.',
    ],
    ['during: { from: a, to: b }\ntime-zone: Berlin', '"Berlin" is not a time zone: Europe/Berlin.'],
    ['during: Mon 08:00-18:00\ntime-zone: Berlin', '"Berlin" is not a time zone: Europe/Berlin.'],
    ['time-zone: Europe/Berlin', '"time-zone" needs "during".'],
    ['during: tomorrow', '"during" is two days: 2026-09-01/2026-11-30.'],
    ['during: 2026-02-30/2026-11-30 Mon 08:00-18:00', '2026-02-30 is not a day: 2026-02 has 28 days.'],
    ['during: 08:00-18:00', `"08:00-18:00" is no weekday. ${FORM}`],
    ['during: Mon-Fry 08:00-18:00', `"Mon-Fry" is no weekday. ${FORM}`],
    ['during: Mon-Wed-Fri 08:00-18:00', `"Mon-Wed-Fri" is no weekday. ${FORM}`],
    ['during: Mon-Fri 8-18', `"8-18" is no time. ${FORM}`],
    ['during: Mon 08:00-18:00 09:00-10:00', `"08:00-18:00 09:00-10:00" is no time. ${FORM}`],
    ['during: Mon 08:00-18:00, Sat-Sun', `"Sat-Sun" has no time. ${FORM}`],
    ['during: Mon 08:00-18:60', '"18:60" is no time of the day, from 00:00 to 24:00.'],
    ['during: Mon 08:00-08:00', '"08:00-08:00" is no time: it ends when it begins.'],
    [
      'during: Mon-Fri 22:00-06:00',
      '"22:00-06:00" ends on the next day: write Mon-Fri 22:00-24:00, Tue-Sat 00:00-06:00.',
    ],
    ['during: Sat, Sun 18:00-00:00', '"18:00-00:00" ends on the next day: write the end of a day as 24:00.'],
    [`during: ${Array(51).fill('Mon 08:00-09:00').join(', ')}`, 'Hours have at most 50 times.'],
  ])('is told with its mistake: %s', (yaml, says) => {
    expect(readOfBlock(yaml).says).toEqual([says])
  })

  it('is read again as it is written', () => {
    fc.assert(
      fc.property(hours, (given) => {
        expect(readSpans(hoursText(given))).toEqual(given.spans)
      }),
    )
  })

  it('is read in other spellings, too', () => {
    expect(readSpans('mon, TUE,Wed-Fri   8:00-18:00')).toEqual([WEEK])
    expect(readSpans('Sat-Mon 0:00-24:00')).toEqual([{ days: [1, 6, 7], from: '00:00', to: '24:00' }])
  })

  it('is a week that can be written, or one sentence, whatever the text', () => {
    const part = fc.constantFrom('Mon', '-', 'Fri', ' ', ',', '08:00', '24:00', '25:00', '2', 'x')
    fc.assert(
      fc.property(fc.string({ unit: part }), (text) => {
        const spans = readSpans(text)
        if (typeof spans === 'string') {
          expect(spans).toMatch(/\.$/)
          return
        }
        for (const { days, from, to } of spans) {
          expect(days).toEqual([...new Set(days)].sort())
          expect([days.length > 0, isTimeOfDay(from), isTimeOfDay(to), from < to]).not.toContain(false)
        }
        expect(readSpans(hoursText({ spans }))).toEqual(spans)
      }),
    )
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
