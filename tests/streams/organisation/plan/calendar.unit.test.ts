import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CALENDAR_DAYS,
  calendarOf,
  findingBlockStretches,
  type TimedBlock,
} from '../../../../streams/organisation/plan/calendar.ts'
import type { Block, Period } from '../../../../streams/organisation/release/release.ts'
import { runSteps } from '../../../../streams/kernel/steps.ts'
import { block as anyBlock } from '../../../support/blocks.ts'
import { releaseDocument } from '../../../support/administration/plans.ts'

const block = (id: string, over: Partial<Block> = {}): Block =>
  anyBlock({ id, name: id, recipients: 'external', ...over })
const days = (from: string, to: string, timeZone = 'Europe/Berlin'): Period => ({ from, to, timeZone })
const calendar = (...blocks: readonly Block[]) =>
  calendarOf({ ...releaseDocument, blocks }, '2026-11-26').map(({ slot, stretches }) => [
    slot,
    ...stretches.map((each) => [each.from, each.to, each.days, each.blocks.map(({ id }) => id).join(' ')]),
  ])

describe('the stretches of a slot', () => {
  const arbitraryTimed = fc.array(
    fc
      .record({
        opens: fc.integer({ min: -3, max: 12 }),
        length: fc.integer({ min: -1, max: 9 }),
        endsList: fc.boolean(),
      })
      .map(({ opens, length, endsList }) => ({ opens, closes: opens + length, endsList })),
    { maxLength: 6 },
  )

  test('say for every moment what stands then, and differ from one to the next', () => {
    fc.assert(
      fc.property(arbitraryTimed, fc.integer({ min: 0, max: 11 }), (periods, to) => {
        const timed: readonly TimedBlock[] = periods.map((each, index) => ({
          ...each,
          block: block(String(index)),
        }))
        const stretches = runSteps(findingBlockStretches(timed, 0, to))
        expect(stretches.map(({ from }) => from)).toEqual(
          to === 0 ? [] : [0, ...stretches.slice(0, -1).map((each) => each.to)],
        )
        if (to > 0) expect(stretches.at(-1)?.to).toBe(to)
        for (let at = 0; at < to; at += 1) {
          const open = timed.filter(({ opens, closes }) => opens <= at && at < closes)
          const last = open.findIndex(({ endsList }) => endsList)
          expect(stretches.find((each) => each.from <= at && at < each.to)?.blocks).toEqual(
            (last < 0 ? open : open.slice(0, last + 1)).map((each) => each.block),
          )
        }
        for (const [index, { blocks }] of stretches.slice(1).entries())
          expect(blocks).not.toEqual(stretches[index]?.blocks)
      }),
    )
  })
})

describe('the calendar', () => {
  test('has the next 90 days of each slot, in the order of the folder, with its gaps', () => {
    expect(
      calendar(
        block('winter', { during: days('2026-12-01', '2026-12-31') }),
        block('notice', { slot: 'notice' }),
        block('careers', { during: days('2026-12-24', '2027-06-30') }),
        block('over', { during: days('2026-10-01', '2026-11-25') }),
      ),
    ).toEqual([
      [
        'banner',
        ['2026-11-26', '2026-11-30', 5, ''],
        ['2026-12-01', '2026-12-23', 23, 'winter'],
        ['2026-12-24', '2026-12-31', 8, 'winter careers'],
        ['2027-01-01', '2027-02-23', 54, 'careers'],
      ],
      ['notice', ['2026-11-26', '2027-02-23', CALENDAR_DAYS, 'notice']],
    ])
    expect(calendar()).toEqual([])
  })

  test('ends the list with a block that stands for all people in all messages', () => {
    const all = { recipients: 'everyone' as const }
    const shown = (over: Partial<Block>) =>
      calendar(block('first', { ...all, ...over }), block('second'))[0]?.[1]?.[3]
    expect(shown({})).toBe('first')
    expect(shown({ share: 50 })).toBe('first second')
    expect(shown({ replies: false })).toBe('first second')
    expect(shown({ recipients: 'internal' })).toBe('first second')
    expect(shown({ selection: { for: [], not: [] } })).toBe('first second')
    expect(shown({ selection: { for: 'everyone', not: [[]] } })).toBe('first second')
  })

  test('takes the days of a block as its period writes them, in whatever time zone', () => {
    const shown = (timeZone: string) =>
      calendar(block('one', { during: days('2026-11-27', '2026-11-27', timeZone) }))
    expect(shown('Pacific/Kiritimati')).toEqual(shown('Pacific/Pago_Pago'))
    expect(shown('UTC')[0]?.[2]).toEqual(['2026-11-27', '2026-11-27', 1, 'one'])
  })

  test('leaves out a block whose period cannot be read or never opens', () => {
    expect(
      calendar(
        block('nowhere', { during: days('2026-12-01', '2026-12-31', 'Nowhere') }),
        block('never', { during: days('2026-12-31', '2026-12-01') }),
      ),
    ).toEqual([['banner', ['2026-11-26', '2027-02-23', 90, '']]])
  })
})
