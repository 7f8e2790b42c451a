import { describe, expect, it } from 'vitest'
import { type Insertion, launchTable } from './launchTable.ts'

const pane = (ms: number): Insertion => ({ ms, calls: 23, whole: null })
const launched = (ms: number, calls: number, requests: number): Insertion => ({
  ms,
  calls,
  whole: { calls: calls + 6, requests },
})

/** The cells of the row with this name. */
const lineOf = (report: string, name: string): readonly string[] | undefined =>
  report
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .find(([, first]) => first === name)
    ?.slice(2, -1)

describe('the table of launch events', () => {
  const ways = [
    { name: 'pane', insertions: [pane(400), pane(200), pane(100)] },
    { name: 'kept', insertions: [launched(90, 23, 0), launched(300, 23, 0), launched(100, 23, 0)] },
    { name: 'cold', insertions: [launched(500, 24, 4), launched(400, 26, 4), launched(100, 25, 5)] },
  ]
  const report = launchTable('Title', ways, 'pane')

  it('has the median, the range and the ratio of medians', () => {
    expect(lineOf(report, 'pane')?.slice(0, 2)).toEqual(['200 [100–400]', '1.00×'])
    expect(lineOf(report, 'kept')?.slice(0, 2)).toEqual(['100 [90.0–300]', '0.50×'])
    expect(lineOf(report, 'cold')?.slice(0, 2)).toEqual(['400 [100–500]', '2.00×'])
  })

  it('has the calls and requests, as a range if runs differ; for the pane, only the calls until the signature', () => {
    expect(lineOf(report, 'pane')?.slice(2)).toEqual(['23', '', ''])
    expect(lineOf(report, 'kept')?.slice(2)).toEqual(['23', '29', '0'])
    expect(lineOf(report, 'cold')?.slice(2)).toEqual(['24–26', '30–32', '4–5'])
  })

  it('refuses a reference that was not measured', () => {
    expect(() => launchTable('Title', ways, 'another')).toThrow(RangeError)
    expect(() => launchTable('Title', [{ name: 'pane', insertions: [] }], 'pane')).toThrow(RangeError)
  })
})
