import { expect, test } from 'vitest'
import { toPictureAddress } from '../../streams/html/address.ts'
import { contentHash } from '../../streams/html/hash.ts'
import { cleanDeclarations } from '../../streams/html/styles.ts'
import { growthOf, stepsOf } from './work.ts'

const text = (length: number): string => 'a'.repeat(length)
const growth = (run: (input: string) => unknown) => growthOf(text, run, 500)

test('each turn of a loop is counted, in the code of the project and in the parsers that it uses', () => {
  expect(stepsOf(() => contentHash(text(1_000)))).toBeGreaterThanOrEqual(1_000)
  const declarations = (count: number) =>
    stepsOf(() => cleanDeclarations('a:b;'.repeat(count), toPictureAddress))
  expect(declarations(200) - declarations(100)).toBeGreaterThan(400)
})

test('the same work is the same number of steps, each time', () => {
  const count = () => stepsOf(() => cleanDeclarations('color:red;margin:0', toPictureAddress))
  expect(count()).toBe(count())
})

test.each<[string, (input: string) => unknown]>([
  ['an expression that goes on', (input) => input.replace(/a/g, 'b')],
  ['an expression with alternatives', (input) => [...input.matchAll(/(?:ab|a(?=a|$))/g)]],
  ['a search for the next place', (input) => input.split('').map((_, at) => input.indexOf('a', at))],
  ['joining', (input) => input.split('').join('b')],
])('%s is linear', (_, run) => {
  expect(growth(run)).toBeLessThanOrEqual(2.05)
})

test.each<[string, (input: string) => unknown]>([
  [
    'an expression that searches the rest at each place',
    (input) => input.split('').map((_, at) => /[bc]/.test(input.slice(at))),
  ],
  ['a search that never finds', (input) => input.split('').map((_, at) => input.indexOf('b', at))],
  [
    'a list that is searched for each entry',
    (input) => input.split('').filter((_, at, all) => all.includes('b', at)),
  ],
  ['a list that is copied for each entry', (input) => input.split('').map((_, at, all) => all.slice(at))],
  ['a text in lower case for each character', (input) => input.split('').map(() => input.toLowerCase())],
])('%s is not', (_, run) => {
  expect(growth(run)).toBeGreaterThan(3.5)
})

test('an expression that is not linear is refused', () => {
  const composed = new RegExp(['a', 'b'].join('*'), 'g')
  expect(() => stepsOf(() => text(5).replace(composed, ''))).toThrow('/a*b/g is not linear.')
})
