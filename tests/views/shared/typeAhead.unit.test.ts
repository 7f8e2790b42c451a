import { expect, test } from 'vitest'
import {
  findTypedName,
  NOTHING_TYPED,
  addTypedKey,
  TYPING_PAUSE_MS,
} from '../../../views/shared/typeAhead.ts'

const names = ['Standard', 'Short', 'With portrait', 'With legal notice']
const type = (text: string, current = 0) =>
  Array.from(text).reduce(
    (typed, key, index) => addTypedKey(typed, { key, at: index * 10, current }),
    NOTHING_TYPED,
  )

test('keys in quick succession spell one word; after a pause a new word begins', () => {
  const first = addTypedKey(NOTHING_TYPED, { key: 's', at: 1000, current: 2 })
  expect(addTypedKey(first, { key: 'h', at: 1000 + TYPING_PAUSE_MS - 1, current: 1 })).toMatchObject({
    text: 'sh',
    from: 2,
  })
  expect(addTypedKey(first, { key: 'h', at: 1000 + TYPING_PAUSE_MS, current: 1 })).toMatchObject({
    text: 'h',
    from: 1,
  })
})

test('a word finds the first name that begins with it, ignoring case, spaces included', () => {
  expect(findTypedName(names, 0, type('sh'))).toBe(1)
  expect(findTypedName(names, 0, type('with l'))).toBe(3)
})

test('a word is found from the name that was active at its first letter', () => {
  expect(findTypedName(names, 1, type('standard', 0))).toBe(0)
})

test('a repeated letter finds the next name that begins with it, and wraps around', () => {
  expect(findTypedName(names, 0, type('s'))).toBe(1)
  expect(findTypedName(names, 1, type('ss'))).toBe(0)
})

test('a word that begins no name moves nothing', () => {
  expect(findTypedName(names, 2, type('x'))).toBeNull()
  expect(findTypedName([], 0, type('s'))).toBeNull()
})
