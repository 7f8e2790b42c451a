import { afterEach, expect, test, vi } from 'vitest'
import { whenIdle } from '../../../src/engine/signIn/idle.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('runs the work once, when the browser is idle', () => {
  vi.useFakeTimers()
  const idle: (() => void)[] = []
  const work = vi.fn()
  whenIdle({ requestIdleCallback: (call) => idle.push(call as () => void) }, work)
  vi.runAllTimers()
  expect(work).not.toHaveBeenCalled()
  for (const call of idle) call()
  expect(work).toHaveBeenCalledTimes(1)
})

test('runs the work once, in a later task, in a browser without idle callbacks', () => {
  vi.useFakeTimers()
  const work = vi.fn()
  whenIdle({}, work)
  expect(work).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(work).toHaveBeenCalledTimes(1)
})
