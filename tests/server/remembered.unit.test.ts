import { expect, it } from 'vitest'
import { createMemory, remembered } from '../../src/server/remembered.ts'

it('a result is computed once while it is among the last', () => {
  const asked: string[] = []
  const of = remembered((text) => {
    asked.push(text)
    return text.length
  }, 2)
  expect(['a', 'bb', 'a', 'ccc', 'bb', 'a'].map(of)).toEqual([1, 2, 1, 3, 2, 1])
  expect(asked).toEqual(['a', 'bb', 'ccc', 'a'])
})

it('beyond its number the oldest value is forgotten, and a value that is set again counts once', () => {
  const memory = createMemory<number>(2)
  for (const [name, value] of [
    ['a', 1],
    ['b', 2],
    ['b', 3],
  ] as const)
    memory.set(name, value)
  expect([memory.get('a'), memory.get('b')]).toEqual([1, 3])
  memory.set('c', 4)
  expect([memory.get('a'), memory.get('b'), memory.get('c')]).toEqual([undefined, 3, 4])
})
