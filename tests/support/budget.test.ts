import { afterEach, expect, test, vi } from 'vitest'
import { expectWithin } from './budget.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

// One line: ten characters of each of two modules.
const code = 'aaaaaaaaaabbbbbbbbbb'
const map = JSON.stringify({
  version: 3,
  names: [],
  sources: ['streams/a.ts', 'views/b.ts'],
  mappings: 'AAAA,UCAA',
})

test('a budget that is exceeded names its modules, the largest first', () => {
  const longer = { code: `${code}bb`, map }
  expect(() => {
    expectWithin('the file', [longer], { plain: 20, gzip: 1_000 })
  }).toThrow(/the file: plain 22 of 20 \(110\.0 %\)[^]*12 views\/b\.ts\n +10 streams\/a\.ts/)
  expect(() => {
    expectWithin('the file', [longer], { gzip: 5 })
  }).toThrow(/the file: gzip \d+ of 5/)
})

test.each([
  [21, 0],
  [20, 1],
])('a budget of %i characters for 20 is spoken of %i times', (plain, times) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  expectWithin('the file', [{ code, map }], { plain, gzip: 1_000 })
  expect(write).toHaveBeenCalledTimes(times)
})
