import { fc, test } from '@fast-check/vitest'
import { expect, it } from 'vitest'
import {
  ATTENTION_PATHS,
  attentionOf,
  type AttentionReason,
} from '../../../streams/administration/overview/attention.ts'
import { STRIP_DAYS, stripOf } from '../../../streams/administration/overview/strip.ts'
import { areaOf } from '../../../streams/administration/place/areas.ts'
import type { ChangingPeriod } from '../../../streams/organisation/figures/periods.ts'
import { DAY_MS, dayOf } from '../../../streams/organisation/release/names.ts'
import { isPeriodOpen } from '../../../streams/organisation/rules/rules.ts'
import { NOON, overview, published } from '../../support/administration/answers.ts'

const isWell = { maintenance: null, published: published(), people: 1, problems: [] }

test.prop([
  fc.constantFrom(null, 'planned' as const, 'active' as const),
  fc.constantFrom(null, published()),
  fc.nat(2),
  fc.subarray(overview().problems.slice()),
])('everything is well exactly without maintenance or problems, with a release and people', (...given) => {
  const [maintenance, release, people, problems] = given
  const attention = attentionOf({ maintenance, published: release, people, problems })
  expect(attention.length === 0).toBe(
    maintenance === null && release !== null && people > 0 && problems.length === 0,
  )
  for (const problem of problems)
    expect(attention).toContainEqual({ reason: problem.message, count: problem.count })
  for (const { reason } of attention) expect(areaOf(ATTENTION_PATHS[reason])).not.toBeNull()
})

it.each<[reason: AttentionReason, over: Partial<Parameters<typeof attentionOf>[0]>]>([
  ['inMaintenance', { maintenance: 'active' }],
  ['maintenancePlanned', { maintenance: 'planned' }],
  ['nothingPublished', { published: null }],
  ['noPeople', { people: 0 }],
])('needs attention for one reason: %s', (reason, over) => {
  expect(attentionOf({ ...isWell, ...over })).toEqual([{ reason, count: 1 }])
})

it('shows active maintenance first, and announced maintenance last', () => {
  const reasons = (maintenance: 'active' | 'planned') =>
    attentionOf({ ...isWell, maintenance, problems: [{ message: 'noSignature', count: 3 }] }).map(
      ({ reason }) => reason,
    )
  expect(reasons('active')).toEqual(['inMaintenance', 'noSignature'])
  expect(reasons('planned')).toEqual(['noSignature', 'maintenancePlanned'])
})

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']
const zone = fc.constantFrom(...ZONES)
const time = fc.integer({ min: -200 * 24, max: 200 * 24 }).map((hours) => NOON + (hours * DAY_MS) / 24)
// Sweden writes dates as the folder does.
const calendars = new Map(
  ZONES.map((timeZone) => [timeZone, new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })]),
)
const todayIn = (timeZone: string, at: number) => calendars.get(timeZone)?.format(at) ?? ''
const dayAfter = (day: string, days: number) => dayOf(Date.parse(day) + days * DAY_MS)
const changing = (id: string, from: string, to: string, timeZone: string): ChangingPeriod => ({
  of: 'block',
  id,
  name: id,
  during: { from, to, timeZone },
})

test.prop([time, zone, fc.integer({ min: -60, max: 29 }), fc.nat(60)])(
  'a period covers the days of its own time zone that an administrator wrote',
  (at, timeZone, first, length) => {
    const last = first + length
    fc.pre(first > 0 || (last >= 0 && last < 29))
    const today = todayIn(timeZone, at)
    const strip = stripOf({
      at,
      periods: [changing('a', dayAfter(today, first), dayAfter(today, last), timeZone)],
    })
    expect(strip).toMatchObject({ today, timeZone })
    expect(strip?.rows).toHaveLength(1)
    const end = STRIP_DAYS - 1
    expect(strip?.rows[0]).toMatchObject({
      first: Math.max(first, 0),
      last: Math.min(last, end),
      begins: first > 0,
      // On the last day, the clock decides whether the end is less than 30 times 24 hours away.
      ...(Math.abs(last - end) > 1 && { ends: last < end }),
    })
  },
)

test.prop([time, zone, zone, fc.integer({ min: 1, max: 28 }), fc.nat(60)])(
  'a period of another time zone covers each day on which it is open at some time, and no other',
  (at, timeZone, other, first, length) => {
    const today = todayIn(timeZone, at)
    const there = todayIn(other, at)
    const own = changing('own', dayAfter(today, 1), dayAfter(today, 2), timeZone)
    const { during } = changing('b', dayAfter(there, first), dayAfter(there, first + length), other)
    const row = stripOf({ at, periods: [own, { ...own, during }] })?.rows[1]
    const open = new Set<number>()
    for (let hour = 0; hour < 30 * 24; hour += 1) {
      const moment = at + (hour * DAY_MS) / 24
      const day = (Date.parse(todayIn(timeZone, moment)) - Date.parse(today)) / DAY_MS
      if (isPeriodOpen(during, moment)) open.add(Math.min(day, STRIP_DAYS - 1))
    }
    const days = [...open].sort((one, next) => one - next)
    expect(row?.first).toBe(days[0])
    // A period that is still open after the strip covers its last day.
    if (row?.ends === true) expect(row.last).toBe(days.at(-1))
    else expect(row?.last).toBe(STRIP_DAYS - 1)
  },
)

it('without a period in a known time zone, there is no strip', () => {
  expect(stripOf({ at: NOON, periods: [] })).toBeNull()
  const nowhere = changing('a', '2026-11-25', '2026-11-26', 'Europe/Nowhere')
  expect(stripOf({ at: NOON, periods: [nowhere] })).toBeNull()
  const berlin = changing('b', '2026-11-25', '2026-11-26', 'Europe/Berlin')
  expect(stripOf({ at: NOON, periods: [nowhere, berlin] })?.rows.map(({ id }) => id)).toEqual(['b'])
})
