import { asyncScheduler, NEVER, Subject } from 'rxjs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { config } from '../../src/engine/config.ts'
import type { LaunchStore } from '../../src/launch/createLaunchStore.ts'
import { createEventHandler } from '../../src/launch/eventHandler.ts'
import type { SendCheck } from '../../src/launch/lookBeforeSending.ts'
import type { OfficeLibrary } from '../../src/engine/hosts/officeCalls.ts'

// Events whose store does nothing, or ends.

const stopped: number[] = []
/** The stores in the order of their start, each with its `state$`. */
const states: Subject<never>[] = []
/** Whether each store is that of a message that leaves. */
const looks: boolean[] = []
const LOOK: SendCheck = { effects: {}, question: () => ({ allowEvent: true }) }
beforeEach(() => {
  vi.useFakeTimers()
  stopped.length = 0
  states.length = 0
  looks.length = 0
})
afterEach(() => {
  vi.useRealTimers()
})

function start() {
  const handler = createEventHandler(
    {
      office: {} as OfficeLibrary,
      officeRuntime: null,
      runtime: 'classic',
      look: LOOK,
      global: { waiting: [], handle: null, hasFailed: false, parts: null, onParts: [], log: () => [] },
      config,
      time: { scheduler: asyncScheduler },
    },
    (_, effects) => {
      looks.push(effects === LOOK.effects)
      const place = states.push(new Subject()) - 1
      const store = {
        state$: states[place],
        event$: NEVER,
        log: [],
        record: () => {},
        stop: () => stopped.push(place),
      }
      return store as unknown as LaunchStore
    },
  )
  const completed: (readonly [kind: string, answer: unknown])[] = []
  const raise = (kind: 'newMessage' | 'send') =>
    handler.handle(kind, { completed: (answer) => completed.push([kind, answer]) })
  return { raise, completed }
}

it('[MEET-6] a message leaves after 2 s, and any other event is over after 52 s, without their stores', () => {
  const { raise, completed } = start()
  raise('newMessage')
  raise('send')
  vi.advanceTimersByTime(1_999)
  expect(completed).toEqual([])
  vi.advanceTimersByTime(1)
  expect(completed).toEqual([['send', { allowEvent: true }]])
  vi.advanceTimersByTime(49_999)
  expect(completed).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(completed[1]).toEqual(['newMessage', { allowEvent: true }])
  vi.advanceTimersByTime(1)
  expect(stopped).toEqual([1, 0])
})

it('[MEET-6] a message leaves when its store ends, and the insertion beside it goes on', () => {
  const { raise, completed } = start()
  raise('newMessage')
  raise('send')
  states[1]?.error(new Error('defect'))
  expect(completed).toEqual([['send', { allowEvent: true }]])
  vi.advanceTimersByTime(1)
  expect(stopped).toEqual([1])
  states[0]?.error(new Error('defect'))
  expect(completed[1]).toEqual(['newMessage', { allowEvent: true }])
})

it('each message that leaves has a store of its own, and insertions share one', () => {
  const { raise } = start()
  for (const kind of ['newMessage', 'send', 'newMessage', 'send'] as const) raise(kind)
  expect(looks).toEqual([false, true, true])
})

it('an event after the end of an insertion has another store, also while a message leaves', () => {
  const { raise } = start()
  raise('send')
  raise('newMessage')
  states[1]?.error(new Error('defect'))
  raise('newMessage')
  expect(looks).toEqual([true, false, false])
  vi.advanceTimersByTime(1)
  expect(stopped).toEqual([1])
})
