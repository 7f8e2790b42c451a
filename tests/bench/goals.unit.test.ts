import { describe, expect, it } from 'vitest'
import { type Goal, goalTable } from './goals.ts'

const goal = (over: Partial<Goal> = {}): Goal => ({
  name: 'signature in the message, cold',
  reference: 'former build',
  most: 1.1,
  ours: [110, 90, 300],
  theirs: [100, 180, 100],
  ...over,
})

/** The cells of each goal's row. */
const linesOf = (goals: readonly Goal[]): readonly (readonly string[])[] =>
  goalTable(goals)
    .split('\n')
    .slice(4, -1)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

describe('the table of goals', () => {
  it('has the ratio of the medians, and the range of the ratios of single rounds', () => {
    expect(linesOf([goal()])).toEqual([
      ['signature in the message, cold', 'former build', 'at most 1.10×', '1.100×', '0.50×–3.00×', 'reached'],
    ])
  })

  it('shows that a goal is missed, even by a thousandth', () => {
    expect(
      linesOf([goal({ ours: [110.1], theirs: [100] }), goal({ most: 0.45 })]).map((line) => line.slice(2)),
    ).toEqual([
      ['at most 1.10×', '1.101×', '1.10×–1.10×', 'missed'],
      ['at most 0.45×', '1.100×', '0.50×–3.00×', 'missed'],
    ])
  })

  it('refuses a goal that was not measured', () => {
    expect(() => goalTable([goal({ ours: [] })])).toThrow(RangeError)
    expect(() => goalTable([goal({ theirs: [] })])).toThrow(RangeError)
  })
})
