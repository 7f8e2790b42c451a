import { expect, it } from 'vitest'
import { createRateWindows } from '../../src/server/rateWindows.ts'
import { Refusal } from '../../src/server/webServer.ts'

const clock = 1_000_000

it('beyond a number of names the oldest is forgotten, so that made-up names do not fill the memory', () => {
  const windows = createRateWindows(1, 10, () => clock)
  for (let index = 0; index < 10; index++) windows.count(String(index))
  expect(() => windows.refuseFull('0')).toThrow(Refusal)
  // One more than there may be, until the next is asked for.
  windows.count('10')
  windows.refuseFull('0')
  for (const name of ['1', '10']) expect(() => windows.refuseFull(name)).toThrow(Refusal)
})

it('a long name has a window of its own, as a short one has', () => {
  const windows = createRateWindows(1, 10, () => clock)
  const [one, other] = ['a', 'b'].map((end) => `${'x'.repeat(1_000)}${end}`) as [string, string]
  windows.admit(one)
  expect(() => windows.admit(one)).toThrow(Refusal)
  expect(() => windows.admit(other)).not.toThrow()
})
