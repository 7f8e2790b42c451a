import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PAST_DAYS, TIMELINE_DAYS, timelineOf } from '../../../streams/administration/plan/periods.ts'
import { DAY_MS, dayOf } from '../../../streams/organisation/release/names.ts'
import type { Block, Period, ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { block as anyBlock } from '../../support/blocks.ts'
import { blocksDocument, releaseDocument } from '../../support/administration/plans.ts'
import { document } from '../organisation/arbitraries.ts'

const TODAY = '2026-11-23'
const during = (from: string, to: string): Period => ({ from, to, timeZone: 'Europe/Berlin' })
const [corporate, sales] = releaseDocument.signatures
if (!corporate || !sales) throw new Error('The document has two signatures')
const withPeriods = (...periods: readonly (Period | null)[]): ReleaseDocument => ({
  ...releaseDocument,
  signatures: periods.map((each, index) => ({ ...corporate, id: `s${String(index)}`, during: each })),
})
const block = (id: string, over: Partial<Block> = {}): Block =>
  anyBlock({ id, name: id, recipients: 'everyone', ...over })
const items = (of: ReleaseDocument) => timelineOf(of, TODAY).items
const dayAfter = (days: number) => dayOf(Date.parse(`${TODAY}T00:00:00Z`) + days * DAY_MS)

describe('the timeline of a draft', () => {
  test('has bars in the timeline that neither touch nor overlap, for any draft', () => {
    fc.assert(
      fc.property(document, (any) => {
        const timeline = timelineOf(any, TODAY)
        expect(timeline.first).toBe(dayAfter(-PAST_DAYS))
        for (const { bars, during: period, isBehind } of timeline.items) {
          let end = -1
          for (const { from, to } of bars) {
            expect(from).toBeGreaterThan(end)
            expect(to).toBeGreaterThan(from)
            end = to
          }
          expect(end).toBeLessThanOrEqual(TIMELINE_DAYS)
          expect(period !== null || isBehind).toBe(true)
        }
      }),
    )
  })

  test('has the days of a period, both included, and whether it is open today', () => {
    fc.assert(
      fc.property(fc.integer({ min: -40, max: 120 }), fc.integer({ min: 0, max: 120 }), (opens, length) => {
        const found = items(withPeriods(during(dayAfter(opens), dayAfter(opens + length))))
        const closes = opens + length + 1
        if (closes <= -PAST_DAYS) {
          expect(found).toEqual([])
          return
        }
        const [from, to] = [Math.max(opens + PAST_DAYS, 0), Math.min(closes + PAST_DAYS, TIMELINE_DAYS)]
        expect(found).toMatchObject([
          {
            kind: 'signature',
            state: opens > 0 ? 'coming' : closes <= 0 ? 'over' : 'open',
            isBehind: false,
            bars: from < to ? [{ from, to }] : [],
          },
        ])
      }),
    )
  })

  test('leaves out what is always open, and sorts by the opening day', () => {
    const found = items(
      withPeriods(during('2026-12-01', '2026-12-02'), null, during('2026-11-01', '2027-12-31')),
    )
    expect(found.map(({ id }) => id)).toEqual(['s2', 's0'])
  })

  test('leaves out a period in an unknown time zone', () => {
    expect(items(withPeriods({ ...during('2026-12-01', '2026-12-02'), timeZone: 'Mars/Olympus' }))).toEqual(
      [],
    )
  })

  test('has blocks only on days on which no other block is before them', () => {
    const found = items({
      ...releaseDocument,
      blocks: [
        block('fair', { during: during(dayAfter(2), dayAfter(4)) }),
        block('late', { during: during(dayAfter(3), dayAfter(5)) }),
        block('careers'),
        block('notice', { slot: 'notice' }),
      ],
    })
    expect(found.map(({ id, isBehind, bars }) => [id, isBehind, bars])).toEqual([
      [
        'careers',
        true,
        [
          { from: 0, to: PAST_DAYS + 2 },
          { from: PAST_DAYS + 6, to: TIMELINE_DAYS },
        ],
      ],
      ['fair', false, [{ from: PAST_DAYS + 2, to: PAST_DAYS + 5 }]],
      ['late', true, [{ from: PAST_DAYS + 5, to: PAST_DAYS + 6 }]],
    ])
  })

  test('says that a block is behind another one today', () => {
    const states = (...blocks: readonly Block[]) =>
      items({ ...releaseDocument, blocks }).map(({ state }) => state)
    const today = during(TODAY, TODAY)
    expect(states(block('fair', { during: today }), block('careers'))).toEqual(['behind', 'open'])
    expect(states(block('fair', { during: today }), block('late', { during: today }))).toEqual([
      'open',
      'behind',
    ])
  })

  test('joins the days of a block on which other blocks of its place change', () => {
    const [harbour] = items(blocksDocument)
    expect(harbour).toMatchObject({ id: 'autumn', bars: [{ from: 11, to: 46 }], isBehind: false })
  })

  test('has the first days of months', () => {
    expect(timelineOf(releaseDocument, TODAY).months).toEqual([
      { day: '2026-12-01', from: 22 },
      { day: '2027-01-01', from: 53 },
      { day: '2027-02-01', from: 84 },
    ])
  })
})
