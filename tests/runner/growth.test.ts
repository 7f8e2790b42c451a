import { expect, test } from 'vitest'
import { growsLinearly } from '../support/growth.ts'

const text = (length: number): string => 'a'.repeat(length)

const readOnce = (input: string): number => {
  let sum = 0
  for (const char of input) sum += char.charCodeAt(0)
  return sum
}

test('reading each character once grows linearly', () => {
  growsLinearly(text, readOnce)
})

test('reading the rest at each character does not grow linearly', () => {
  expect(() => {
    growsLinearly(text, (input) => input.replace(/a*b/g, ''))
  }).toThrow('times as long for twice the length')
})
