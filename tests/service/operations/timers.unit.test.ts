import { describe, expect, it, vi } from 'vitest'
import { runEvery, withTimeLimit, pause, REAL_TIMERS } from '../../../src/service/operations/timers.ts'
import { createTimers } from '../../support/timers.ts'

function running(
  run: (times: number) => Promise<unknown> = async () => null,
  first: 'at once' | 'later' = 'later',
) {
  const timers = createTimers()
  const ending = new AbortController()
  const begun: number[] = []
  runEvery(10, ending.signal, () => run(begun.push(timers.now())), timers, first)
  return { timers, ending, begun }
}

describe('every', () => {
  it('calls after each interval, also after a failure, until the signal aborts', async () => {
    const { timers, ending, begun } = running((times) =>
      times === 1 ? Promise.reject(new Error('away')) : Promise.resolve(),
    )
    await timers.pass(9)
    expect(begun).toEqual([])
    await timers.pass(21)
    expect(begun).toEqual([10, 20, 30])
    ending.abort()
    await timers.pass(100)
    expect(begun).toHaveLength(3)
  })

  it('calls nothing for a signal that has aborted before', async () => {
    const timers = createTimers()
    const run = vi.fn(async () => null)
    for (const first of ['at once', 'later'] as const) runEvery(10, AbortSignal.abort(), run, timers, first)
    await timers.pass(100)
    expect(run).not.toHaveBeenCalled()
  })

  it('calls at once, before it returns, and again after each interval', async () => {
    const { timers, begun } = running(undefined, 'at once')
    expect(begun).toEqual([0])
    await timers.pass(20)
    expect(begun).toEqual([0, 10, 20])
  })

  it('leaves out the calls that are due while one runs, and keeps the times of the others', async () => {
    let end = () => {}
    const { timers, begun } = running(() => new Promise<void>((resolve) => (end = resolve)))
    await timers.pass(25)
    expect(begun).toEqual([10])
    end()
    await timers.pass(5)
    expect(begun).toEqual([10, 30])
  })

  it('does not fail because of a call that throws', async () => {
    const { timers, begun } = running(() => {
      throw new Error('broken')
    })
    await timers.pass(20)
    expect(begun).toEqual([10, 20])
  })
})

describe('in time', () => {
  it('is what ends before the limit, whose timer is cancelled', async () => {
    const timers = createTimers()
    let aborted: AbortSignal | null = null
    const waiting = withTimeLimit(10, timers, (signal) => ((aborted = signal), pause(9, timers)))
    await timers.pass(9)
    expect(await waiting).toBe(true)
    await timers.pass(10)
    expect(aborted).toMatchObject({ aborted: false })
  })

  it('is not what takes longer, whose signal aborts', async () => {
    const timers = createTimers()
    let aborted: AbortSignal | null = null
    const waiting = withTimeLimit(10, timers, (signal) => ((aborted = signal), pause(11, timers)))
    await timers.pass(10)
    expect(await waiting).toBe(false)
    expect(aborted).toMatchObject({ aborted: true })
  })

  it('rejects with the error of the work', async () => {
    const failing = withTimeLimit(10, createTimers(), () => Promise.reject(new Error('broken')))
    await expect(failing).rejects.toThrow('broken')
  })
})

it('real timers call once, and not after they are cancelled', () => {
  vi.useFakeTimers({ now: 1000 })
  try {
    const calls: number[] = []
    REAL_TIMERS.after(5, () => calls.push(REAL_TIMERS.now()))
    REAL_TIMERS.after(5, () => calls.push(0))()
    vi.advanceTimersByTime(100)
    expect(calls).toEqual([1005])
  } finally {
    vi.useRealTimers()
  }
})
