import { expect, test } from 'vitest'
import { findTyped, typeKey, TYPING_PAUSE } from '../../views/parts/typeAhead.ts'

const names = ['Standard', 'Short', 'With portrait', 'With legal notice']
const none = { text: '', at: -Infinity }
const type = (text: string) =>
  Array.from(text).reduce((typed, key, index) => typeKey(typed, key, index * 10), none)

test('keys in quick succession spell one word; after a pause a new one begins', () => {
  const first = typeKey(none, 's', 1000)
  expect(typeKey(first, 'h', 1000 + TYPING_PAUSE - 1).text).toBe('sh')
  expect(typeKey(first, 'h', 1000 + TYPING_PAUSE).text).toBe('h')
})

test('a longer text finds the name that begins so, capital or not, spaces included', () => {
  expect(findTyped(names, 0, type('sh'))).toBe(1)
  expect(findTyped(names, 0, type('with l'))).toBe(3)
})

test('the same letter again goes to the next name that begins with it, and round', () => {
  expect(findTyped(names, 0, type('s'))).toBe(1)
  expect(findTyped(names, 1, type('ss'))).toBe(0)
})

test('what no name begins with moves nothing', () => {
  expect(findTyped(names, 2, type('x'))).toBeNull()
  expect(findTyped([], 0, type('s'))).toBeNull()
})
