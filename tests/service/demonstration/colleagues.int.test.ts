import { afterAll, beforeAll, expect, it } from 'vitest'
import { readDemonstration } from '../../../src/service/demonstration/northwind.ts'
import { type Running, start } from '../running.ts'

let running: Running
beforeAll(async () => {
  running = await start({ colleagues: true })
})
afterAll(() => running.stop())

it('starts with the five people and their colleagues, some of whom have left', async () => {
  const { store } = running.context
  const people = await store.people(null, 1_000)
  expect(people).toHaveLength(232)
  expect((await store.person('u-1'))?.addresses).toEqual(['alex.kim@northwind.example'])
  expect((await store.person('v-029'))?.active).toBe(false)
  expect((await store.reportedByPeople(null, 1_000, 0)).length).toBeGreaterThan(100)
})

it('restores a colleague who was erased', async () => {
  const { store, people } = running.context
  await people.erase('v-001', 'tests')
  expect(await store.person('v-001')).toBeNull()
  await running.reset()
  expect((await store.person('v-001'))?.directory['surname']).toBe('Ashworth')
})

it('restores a colleague who has left, and a report', async () => {
  const { store, people } = running.context
  await running.reset()
  const before = await store.reported('v-001')
  await people.erase('v-029', 'tests')
  await running.reset()
  expect((await store.person('v-029'))?.active).toBe(false)
  await store.keepReported('v-001', {}, 1)
  await running.reset()
  expect((await store.reported('v-001'))?.reported).toEqual(before?.reported)
})

it('stores the words of all people with a reset', async () => {
  const { store, people } = running.context
  await people.erase('v-001', 'tests')
  await running.reset()
  expect(await store.words.unindexed('', 1)).toEqual([])
})

it('has only the five without the option', async () => {
  expect((await readDemonstration()).colleagues).toEqual([])
})
