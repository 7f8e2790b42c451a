import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blockAppearsIn, type OpenTime } from '../../../../streams/html/slots.ts'
import { DAY_MS, startOfDay } from '../../../../streams/organisation/release/names.ts'
import {
  type Block,
  compileRelease,
  type Hours,
  type OwnDays,
  type Release,
  type ReleaseDocument,
} from '../../../../streams/organisation/release/release.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import {
  candidatesIn,
  findingHiddenBlocks,
  fitsAllMessages,
  openTimesOf,
} from '../../../../streams/organisation/rules/rules.ts'
import {
  enteredDays,
  hasOpenTimes,
  OPEN_DAYS,
  sharedTimes,
  timesOfHours,
} from '../../../../streams/organisation/rules/openTimes.ts'
import { runSteps } from '../../../../streams/kernel/steps.ts'
import { cases } from '../../../support/cases.ts'
import { block as blockOf } from '../../../support/blocks.ts'
import { document, EVERYONE, person, release } from '../arbitraries.ts'

const HOUR_MS = 60 * 60_000
const MINUTE_MS = 60_000
const BERLIN = 'Europe/Berlin'
const [sample] = fc.sample(document, { seed: 1, numRuns: 1 }) as [ReleaseDocument]
const [someone] = fc.sample(person, { seed: 1, numRuns: 1 }) as [PersonState]

const timeText = (minutes: number) =>
  [Math.floor(minutes / 60), minutes % 60].map((each) => String(each).padStart(2, '0')).join(':')

const span = fc
  .tuple(
    fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
    fc.tuple(fc.nat(24 * 60 - 1), fc.integer({ min: 1, max: 24 * 60 })).filter(([from, to]) => from < to),
  )
  .map(([days, [from, to]]) => ({ days, from: timeText(from), to: timeText(to) }))
const timeZone = fc.constantFrom(BERLIN, 'UTC', 'Australia/Lord_Howe', ...Intl.supportedValuesOf('timeZone'))
const hours: fc.Arbitrary<Hours> = fc.record({
  spans: fc.array(span, { minLength: 1, maxLength: 4 }),
  timeZone,
})
/** The clocks of most time zones change in March, April, October and November. */
const day = fc
  .record({
    year: fc.integer({ min: 2000, max: 2050 }),
    month: fc.oneof(fc.constantFrom(1, 2, 9, 10), fc.nat(11)),
    date: fc.integer({ min: 1, max: 28 }),
  })
  .map(({ year, month, date }) => Date.UTC(year, month, date))

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** An independent model: what the clocks of the time zone show decides, as one reads it from them. */
function createClock({ timeZone, spans }: Hours) {
  const clock = new Intl.DateTimeFormat('en-GB', {
    ...{ weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone },
  })
  /** Such as `Sun 02:30`. */
  const shownAt = (at: number) => clock.format(at).replace(',', '')
  return {
    shownAt,
    isOpen: (at: number): boolean => {
      const [weekday = '', time = ''] = shownAt(at).split(' ')
      return spans.some(
        ({ days, from, to }) => days.includes(DAYS.indexOf(weekday) + 1) && from <= time && time < to,
      )
    },
  }
}

const isIn = (times: readonly OpenTime[], at: number) =>
  blockAppearsIn({ audiences: [], replies: true, open: times }, { isReply: false, recipients: [], at })

describe('[PERSON-8] the times at which hours are open', () => {
  test('are those at which the clocks of any time zone show them, minute by minute where the clocks change', () => {
    fc.assert(
      fc.property(hours, day, (given, from) => {
        const times = timesOfHours(given, from)
        const { isOpen, shownAt } = createClock(given)
        const to = from + OPEN_DAYS * DAY_MS
        const moments: number[] = []
        for (let at = from; at < to; at += HOUR_MS) {
          moments.push(at)
          const isChange = shownAt(at).slice(4) !== shownAt(at + DAY_MS).slice(4)
          if (isChange && at % DAY_MS === 0)
            for (let minute = at; minute < at + DAY_MS; minute += MINUTE_MS) moments.push(minute)
        }
        expect(moments.filter((at) => at < to && isIn(times, at) !== isOpen(at))).toEqual([])
        for (const [opens, closes] of times) {
          expect([isOpen(opens), isOpen(closes - 1)]).toEqual([true, true])
          if (opens > from) expect(isOpen(opens - 1)).toBe(false)
          if (closes < to) expect(isOpen(closes)).toBe(false)
        }
        const ends = times.flat()
        expect(ends).toEqual([...new Set(ends)].sort((one, other) => one - other))
        expect(ends.every((at) => from <= at && at <= to)).toBe(true)
      }),
      cases(60, 10_000),
    )
  })

  const at = (text: string) => Date.parse(text)
  const open = (from: string, to: string, opens: string, zone = BERLIN) =>
    timesOfHours({ spans: [{ days: [7], from, to }], timeZone: zone }, at(opens))[0]

  test('begin at the next instant that exists where the clocks skip an hour', () => {
    expect(open('02:30', '05:00', '2026-03-29T00:00:00Z')).toEqual([
      at('2026-03-29T01:00:00Z'),
      at('2026-03-29T03:00:00Z'),
    ])
    expect(open('02:00', '03:00', '2026-03-29T00:00:00Z')?.[0]).toBe(at('2026-04-05T00:00:00Z'))
  })

  test('are twice where the clocks show an hour twice', () => {
    const spans = [{ days: [7], from: '02:00', to: '02:30' }]
    expect(timesOfHours({ spans, timeZone: BERLIN }, at('2026-10-25T00:00:00Z')).slice(0, 2)).toEqual([
      [at('2026-10-25T00:00:00Z'), at('2026-10-25T00:30:00Z')],
      [at('2026-10-25T01:00:00Z'), at('2026-10-25T01:30:00Z')],
    ])
  })

  test('join where one span ends and another begins', () => {
    const spans = [
      { days: [1, 2, 3, 4, 5, 6, 7], from: '12:00', to: '24:00' },
      { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '12:00' },
    ]
    const from = at('2026-03-01T00:00:00Z')
    expect(timesOfHours({ spans, timeZone: BERLIN }, from)).toEqual([[from, from + OPEN_DAYS * DAY_MS]])
  })
})

const withVariables = (values: Readonly<Record<string, string>>, blocks: readonly Block[]): Release =>
  compileRelease('r-1', {
    ...sample,
    blocks,
    mailboxes: [],
    variables: Object.entries(values).map(([path, value]) => ({
      ...{ path, from: null, value, edit: true, resync: false, hidden: false, label: null, group: null },
    })),
  })
const OWN_DAYS: OwnDays = { from: 'absence_from', to: 'absence_to', before: 3, timeZone: 'UTC' }
const away = blockOf({ id: 'away', ownDays: OWN_DAYS })
const NOW = Date.parse('2026-01-15T12:00:00Z')

/** The open times of the block, as the days `MM-DD` from the first to just before the second. */
const daysOf = (from: string, to: string, over: Partial<Block> = {}, at = NOW) => {
  const given = { ...away, ...over }
  const found = openTimesOf(
    withVariables({ absence_from: from, absence_to: to }, [given]),
    given,
    someone,
    at,
  )
  return found?.map((time) => time.map((each) => new Date(each).toISOString().slice(5, 16)))
}

describe("[PERSON-8] a person's own days", () => {
  test('open the block some days before, and close it by themselves', () => {
    expect(daysOf('2026-01-20', '2026-01-25')).toEqual([['01-17T00:00', '01-26T00:00']])
    expect(daysOf('2026-01-20', '2026-01-20', { ownDays: { ...OWN_DAYS, before: 0 } })).toEqual([
      ['01-20T00:00', '01-21T00:00'],
    ])
  })

  test('are days of the time zone', () => {
    expect(daysOf('2026-01-20', '2026-01-25', { ownDays: { ...OWN_DAYS, timeZone: BERLIN } })).toEqual([
      ['01-16T23:00', '01-25T23:00'],
    ])
  })

  test.each([
    ['missing', '', '2026-01-25'],
    ['missing at the end', '2026-01-20', ''],
    ['no day', 'next week', '2026-01-25'],
    ['a day that does not exist', '2026-01-20', '2026-02-30'],
    ['in the wrong order', '2026-01-20', '2026-01-19'],
    ['in a year that nobody means', '0202-01-20', '2026-01-25'],
  ])('never open the block if they are %s', (_, from, to) => {
    expect(daysOf(from, to)).toEqual([])
    const found = enteredDays(withVariables({ absence_from: from, absence_to: to }, []), OWN_DAYS, someone)
    expect(found).toEqual({ from, to, period: null })
  })

  test('are the times in both if the block has hours, too', () => {
    const given = { hours: { spans: [{ days: [2], from: '08:00', to: '18:00' }], timeZone: 'UTC' } }
    expect(daysOf('2026-01-20', '2026-01-25', given)).toEqual([['01-20T08:00', '01-20T18:00']])
  })
})

describe('[PERSON-8] a block with open times', () => {
  const timed = fc
    .record({ hours, before: fc.nat(20), isOwn: fc.boolean() })
    .map(({ before, isOwn, ...given }) =>
      blockOf({ id: 'timed', ...(isOwn ? { ownDays: { ...OWN_DAYS, before } } : given) }),
    )

  test('never fits all messages and hides no block', () => {
    fc.assert(
      fc.property(timed, fc.boolean(), (first, isAlsoTimed) => {
        const later = isAlsoTimed ? { ...first, id: 'later' } : blockOf({ id: 'later', during: first.during })
        const made = withVariables({}, [first, later])
        expect(fitsAllMessages(made, first)).toBe(false)
        expect(fitsAllMessages(made, blockOf({ id: 'timed' }))).toBe(true)
        expect(runSteps(findingHiddenBlocks(made.document)).size).toBe(0)
        expect(hasOpenTimes(later)).toBe(isAlsoTimed)
      }),
    )
  })

  test('is a candidate while it opens within the next days and its period is open', () => {
    fc.assert(
      fc.property(timed, fc.nat(80), fc.boolean(), (given, later, isInPeriod) => {
        const first = new Date(NOW + later * DAY_MS).toISOString().slice(0, 10)
        const block = {
          ...given,
          during: { from: '2026-01-01', to: isInPeriod ? '2026-02-10' : '2026-01-14', timeZone: 'UTC' },
        }
        const made = withVariables({ absence_from: first, absence_to: first }, [block])
        const times = openTimesOf(made, block, someone, NOW) ?? []
        expect(candidatesIn(made, 'banner', someone, NOW)).toEqual(
          times.length > 0 && isInPeriod ? [block] : [],
        )
        expect(candidatesIn(made, 'banner', someone, null)).toEqual([block])
        expect(times.every(([, closes]) => closes <= Date.parse('2026-02-11T00:00:00Z'))).toBe(true)
      }),
    )
  })

  test('is none without hours and own days', () => {
    fc.assert(
      fc.property(release, person, (made, owner) => {
        for (const each of made.document.blocks ?? [])
          expect(openTimesOf(made, each, owner, NOW) !== null).toBe(hasOpenTimes(each))
      }),
    )
  })

  test('has the same open times all through a UTC day', () => {
    fc.assert(
      fc.property(hours, day, fc.nat(DAY_MS - 1), (given, from, later) => {
        const block = blockOf({ hours: given, selection: EVERYONE })
        const made = withVariables({}, [block])
        expect(openTimesOf(made, block, someone, from + later)).toEqual(
          openTimesOf(made, block, someone, startOfDay(from)),
        )
      }),
      { numRuns: 20 },
    )
  })
})

test('two lists of times share those that are in both', () => {
  const times = fc
    .uniqueArray(fc.nat(30), { maxLength: 6 })
    .map((all) => [...all].sort((one, other) => one - other))
    .map((all) =>
      Array.from({ length: Math.floor(all.length / 2) }, (_, index): OpenTime => [
        all[2 * index] ?? 0,
        all[2 * index + 1] ?? 0,
      ]),
    )
  fc.assert(
    fc.property(times, times, fc.nat(30), (one, other, at) => {
      expect(isIn(sharedTimes(one, other), at)).toBe(isIn(one, at) && isIn(other, at))
    }),
  )
})
