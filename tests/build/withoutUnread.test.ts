import { expect, test } from 'vitest'
import { withoutUnread } from '../../src/build/withoutUnread.ts'

const left = (code: string): string => {
  const result = withoutUnread(code)
  expect(result).toHaveLength(code.length)
  return result.replace(/ +/g, ' ')
}

test('methods that the program does not call are left out', () => {
  expect(left('f({ a, foldOldest(b) { return b }, c })')).toBe('f({ a, c })')
  expect(left('f({ a, foldOldest() {} , addEffects(b) {}})')).toBe('f({ a, })')
})

test.each([
  'f({ foldOldest() {} }).foldOldest()',
  'f({ foldOldest() {} }, "foldOldest")',
  'const { foldOldest: a } = { foldOldest() {} }',
  'f({ foldOldest: a })',
  'f({ [foldOldest]() {} })',
  'f({ other() {} })',
])('nothing else is: %s', (code) => {
  expect(left(code)).toBe(code)
})
