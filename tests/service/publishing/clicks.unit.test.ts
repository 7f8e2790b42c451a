import { fc, test } from '@fast-check/vitest'
import { firstValueFrom, Subject } from 'rxjs'
import { expect, it } from 'vitest'
import type { DailyClicks } from '../../../streams/organisation/figures/clicks.ts'
import {
  createClickCounter,
  CLICK_WRITE_INTERVAL_MS,
  scheduleClickWrites,
} from '../../../src/service/publishing/clicks.ts'
import { createTimers } from '../../support/timers.ts'

// Clicks between a request and the database, without one.

/** A store that fails where a test says so. */
function table() {
  const state = { fails: false }
  const batches: (readonly DailyClicks[])[] = []
  return {
    state,
    batches,
    total: () => batches.flat().reduce((sum, { clicks }) => sum + clicks, 0),
    addClicks: async (batch: readonly DailyClicks[]) => {
      if (state.fails) throw new Error('away')
      batches.push(batch)
    },
  }
}

const NIGHT = Date.parse('2026-11-26T23:59:59.999Z')

it('are written in one batch, by day of UTC and block, and only once', async () => {
  const store = table()
  let at = NIGHT
  const { count, write } = createClickCounter(store, () => at)
  for (const block of ['fair', 'other', 'fair']) count(block)
  at += 1
  count('fair')
  await write()
  expect(store.batches).toEqual([
    [
      { day: '2026-11-26', block: 'fair', clicks: 2 },
      { day: '2026-11-26', block: 'other', clicks: 1 },
      { day: '2026-11-27', block: 'fair', clicks: 1 },
    ],
  ])
  await write()
  expect(store.batches).toHaveLength(1)
})

test.prop([fc.array(fc.constantFrom('click', 'write', 'fails', 'works'), { maxLength: 40 })])(
  'are not lost by a database that fails for a while',
  async (steps) => {
    const store = table()
    const { count, write } = createClickCounter(store, () => NIGHT)
    for (const step of steps) {
      if (step === 'click') count('fair')
      else if (step === 'write') await write().catch(() => undefined)
      else store.state.fails = step === 'fails'
    }
    store.state.fails = false
    await write()
    expect(store.total()).toBe(steps.filter((step) => step === 'click').length)
  },
)

it('that come while a batch is written wait for the next one, which waits for it', async () => {
  const store = table()
  const gate$ = new Subject<null>()
  const begun: number[] = []
  const { count, write } = createClickCounter(
    {
      addClicks: async (batch) => {
        begun.push(batch.length)
        if (begun.length === 1) await firstValueFrom(gate$)
        await store.addClicks(batch)
      },
    },
    () => NIGHT,
  )
  count('fair')
  const first = write()
  await Promise.resolve()
  count('fair')
  const second = write()
  await Promise.resolve()
  expect(begun).toEqual([1])
  gate$.next(null)
  await Promise.all([first, second])
  expect(store.batches.map(([each]) => each?.clicks)).toEqual([1, 1])
})

it('fill no memory while the database is away: only so many days and blocks wait', async () => {
  const store = table()
  const { count, write } = createClickCounter(store, () => NIGHT, 2)
  for (const block of ['a', 'b', 'c', 'a']) count(block)
  await write()
  expect(store.batches[0]?.map(({ block, clicks }) => [block, clicks])).toEqual([
    ['a', 2],
    ['b', 1],
  ])
})

function writing(answer: (times: number) => Promise<void>) {
  const timers = createTimers()
  const ending = new AbortController()
  let times = 0
  scheduleClickWrites(() => answer((times += 1)), ending.signal, timers)
  return { timers, ending, times: () => times }
}

it('are written every five seconds, also after a failure, until it is ended', async () => {
  const { timers, ending, times } = writing(async (time) => {
    if (time === 2) throw new Error('away')
  })
  const before = times()
  await timers.pass(CLICK_WRITE_INTERVAL_MS - 1)
  expect(times()).toBe(before)
  await timers.pass(1)
  expect(times()).toBe(before + 1)
  await timers.pass(2 * CLICK_WRITE_INTERVAL_MS)
  expect([times(), CLICK_WRITE_INTERVAL_MS]).toEqual([before + 3, 5_000])
  ending.abort()
  await timers.pass(10 * CLICK_WRITE_INTERVAL_MS)
  expect(times()).toBe(before + 3)
})

it('are written in no batch before the one before is written', async () => {
  const { timers, times } = writing((time) => (time === 2 ? new Promise(() => {}) : Promise.resolve()))
  await timers.pass(10 * CLICK_WRITE_INTERVAL_MS)
  expect(times()).toBe(2)
})
