import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  keptRowShift,
  type PlacedRows,
  placeRows,
  type VirtualRow,
} from '../../../views/pane/signatures/virtual.ts'

const GAP_PX = 8
const NOTHING_MEASURED: ReadonlyMap<string, number> = new Map()

const place = (rows: readonly VirtualRow[]) => placeRows(rows, NOTHING_MEASURED, GAP_PX)

/** Rows with different keys. */
const rowsArbitrary = fc.uniqueArray(
  fc.record({
    key: fc.integer({ min: 0, max: 40 }).map((number) => `row-${number}`),
    height: fc.integer({ min: 20, max: 200 }),
    text: fc.constant(0),
  }),
  { selector: ({ key }) => key, minLength: 1, maxLength: 20 },
)

/** Two lists one after the other, and what is in sight of the first. */
const changeArbitrary = fc
  .tuple(rowsArbitrary, rowsArbitrary, fc.nat({ max: 3_000 }), fc.integer({ min: 100, max: 800 }))
  .map(([before, after, from, height]) => ({
    before: place(before),
    after: place(after),
    sight: { from: from + 1, to: from + 1 + height },
  }))

const topOf = ({ keys, tops }: PlacedRows, key: string): number => tops[keys.indexOf(key)] ?? NaN
const isInSight = ({ keys, tops, total }: PlacedRows, key: string, sight: { from: number; to: number }) => {
  const index = keys.indexOf(key)
  return index >= 0 && tops[index]! < sight.to && (tops[index + 1] ?? total) > sight.from
}

describe('rows', () => {
  test('are placed one below another, with gaps, by their measured heights', () => {
    const rows = [
      { key: 'a', height: 100, text: 0 },
      { key: 'b', height: 50, text: 40 },
      { key: 'c', height: 10, text: 10 },
    ]
    expect(placeRows(rows, NOTHING_MEASURED, 8)).toEqual({
      keys: ['a', 'b', 'c'],
      tops: [0, 108, 166],
      total: 176,
    })
    expect(placeRows(rows, new Map([['b', 80]]), 8).tops).toEqual([0, 108, 196])
    expect(placeRows([], NOTHING_MEASURED, 8)).toEqual({ keys: [], tops: [], total: 0 })
  })

  test('are as high as their text when it is twice the usual size, and a measured one as it is', () => {
    const rows = [
      { key: 'a', height: 100, text: 36 },
      { key: 'b', height: 50, text: 20 },
      { key: 'c', height: 10, text: 0 },
    ]
    expect(placeRows(rows, NOTHING_MEASURED, 8, 32).tops).toEqual([0, 144, 222])
    expect(placeRows(rows, new Map([['a', 120]]), 8, 32).tops).toEqual([0, 128, 206])
  })
})

describe('[CHOOSE-8] while the list changes,', () => {
  test('the row that the user looks at stays, if it is in sight and stays in the list', () => {
    fc.assert(
      fc.property(
        changeArbitrary.chain((change) =>
          fc.record({
            change: fc.constant(change),
            looked: fc.shuffledSubarray([...change.before.keys]),
          }),
        ),
        ({ change: { before, after, sight }, looked }) => {
          const held = looked.find((key) => isInSight(before, key, sight) && after.keys.includes(key))
          fc.pre(held !== undefined)
          const moved = keptRowShift(before, after, sight, looked)
          expect(topOf(after, held) - moved).toBe(topOf(before, held))
        },
      ),
    )
  })

  test('the first row in sight stays, else the nearest one above it, else the nearest below', () => {
    fc.assert(
      fc.property(changeArbitrary, ({ before, after, sight }) => {
        const first = Math.max(
          0,
          before.tops.findLastIndex((top) => top <= sight.from),
        )
        const nearest =
          before.keys.slice(0, first + 1).findLast((key) => after.keys.includes(key)) ??
          before.keys.slice(first).find((key) => after.keys.includes(key))
        const moved = keptRowShift(before, after, sight, [])
        expect(moved).toBe(nearest === undefined ? 0 : topOf(after, nearest) - topOf(before, nearest))
      }),
    )
  })

  test('what comes takes the place of what waited for it', () => {
    const row = (key: string) => ({ key, height: 92, text: 0 })
    const before = place(['a', 'b', 'next page', 'z'].map(row))
    const after = place(['a', 'b', 'c', 'd', 'next', 'z'].map(row))
    // The place of the next page is the first in sight: the pages come into it.
    expect(keptRowShift(before, after, { from: 210, to: 900 }, [])).toBe(0)
    // The last option has the focus: all of them are above it.
    expect(keptRowShift(before, after, { from: 210, to: 900 }, ['z'])).toBe(200)
    // It has the focus somewhere else.
    expect(keptRowShift(before, after, { from: 110, to: 190 }, ['z'])).toBe(0)
  })

  test('nothing is held at the top of the list, but what has the focus or the pointer', () => {
    const row = (key: string) => ({ key, height: 92, text: 0 })
    const before = place(['a', 'b'].map(row))
    const after = place(['new', 'a', 'b'].map(row))
    expect(keptRowShift(before, after, { from: -50, to: 500 }, [])).toBe(0)
    expect(keptRowShift(before, after, { from: -50, to: 500 }, ['b'])).toBe(100)
  })
})
