import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mapInSteps, type Steps } from '../../streams/kernel/steps.ts'
import { createTimeSlicer, type EventLoop } from '../../src/server/timeSlices.ts'

/** A thread whose clock moves only with the work that runs on it. Counts in milliseconds. */
function virtualThread() {
  let at = 0
  const soon: (() => void)[] = []
  const later: { at: number; run: () => void }[] = []
  const thread: EventLoop = {
    now: () => at,
    soon: (run) => void soon.push(run),
    later: (run, ms) => void later.push({ at: at + ms, run }),
  }
  return {
    thread,
    work: (ms: number) => {
      at += ms
    },
    /** Runs what is due, then the continuations; without anything due, the clock moves to the next timer. */
    turn: async (): Promise<void> => {
      later.sort((one, other) => one.at - other.at)
      if (soon.length === 0 && later[0] !== undefined) at = Math.max(at, later[0].at)
      const due = [
        ...soon.splice(0),
        ...later.splice(0, later.filter((each) => each.at <= at).length).map(({ run }) => run),
      ]
      for (const run of due) {
        run()
        for (let tick = 0; tick < 20; tick += 1) await Promise.resolve()
      }
    },
    isIdle: () => soon.length === 0 && later.length === 0,
    now: () => at,
  }
}

const STEP_MS = 0.1

/** Steps of 0.1 ms each, which note when they ran. */
function* stepping(count: number, work: (ms: number) => void, noted: (step: number) => void): Steps<number> {
  for (let step = 0; step < count; step += 1) {
    work(STEP_MS)
    noted(step)
    yield
  }
  return count
}

describe('long work', () => {
  it('[SCALE-3] of all organisations together has a fifth of the time while requests wait', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), async (works) => {
        const { thread, work, turn, now } = virtualThread()
        const turns = createTimeSlicer(thread)
        turns.asked()
        let ran = 0
        const count = () => {
          ran += 1
        }
        for (let each = 0; each < works; each += 1) void turns.run(stepping(2_000, work, count))
        // Each may begin at once.
        const [first, from] = [ran, now()]
        for (let each = 0; each < 200; each += 1) await turn()
        expect(((ran - first) * STEP_MS) / (now() - from)).toBeLessThanOrEqual(0.21)
        expect(((ran - first) * STEP_MS) / (now() - from)).toBeGreaterThan(0.1)
      }),
    )
  })

  it('[SCALE-3] of many calls runs one slice between what arrives', async () => {
    const { thread, work, turn } = virtualThread()
    const turns = createTimeSlicer(thread)
    const ran: number[] = []
    for (let each = 0; each < 5; each += 1) void turns.run(stepping(1_000, work, () => ran.push(each)))
    for (let each = 0; each < 50; each += 1) {
      const before = ran.length
      await turn()
      // Slices of 0.8 ms have 8 steps, or 9 by the rounding of the clock.
      expect(ran.length - before).toBeLessThanOrEqual(9)
      expect(new Set(ran.slice(before)).size).toBe(1)
    }
    // All have the same number of turns.
    const turnsOf = [0, 1, 2, 3, 4].map((each) => ran.filter((one) => one === each).length)
    expect(Math.max(...turnsOf) - Math.min(...turnsOf)).toBeLessThanOrEqual(9)
  })

  it('does not rest while no request waits', async () => {
    const { thread, work, turn, now, isIdle } = virtualThread()
    const turns = createTimeSlicer(thread)
    turns.asked()
    turns.answered()
    let result = 0
    void turns.run(stepping(500, work, () => {})).then((count) => {
      result = count
    })
    while (!isIdle()) await turn()
    expect(result).toBe(500)
    expect(now()).toBeCloseTo(500 * STEP_MS)
  })

  it('goes on at once when the last request is answered', async () => {
    const { thread, work, turn, now, isIdle } = virtualThread()
    const turns = createTimeSlicer(thread)
    turns.asked()
    void turns.run(stepping(500, work, () => {}))
    for (let each = 0; each < 4; each += 1) await turn()
    turns.answered()
    const from = now()
    while (!isIdle()) await turn()
    expect(now() - from).toBeLessThan(500 * STEP_MS)
  })

  it('that waits for the database takes turns, too', async () => {
    const { thread, work, turn, now } = virtualThread()
    const turns = createTimeSlicer(thread)
    turns.asked()
    let parts = 0
    const inTurn = turns.taking(2)
    void (async () => {
      for (; ; parts += 1) {
        work(2)
        await inTurn()
      }
    })()
    const from = now()
    for (let each = 0; each < 100; each += 1) await turn()
    // Of two at once, each part of 2 ms counts 1 ms, and rests four.
    expect((now() - from) / parts).toBeGreaterThanOrEqual(4)
  })

  it('that waited for a lock rests half a second, and goes on when the last request is answered', async () => {
    const { thread, work, turn, now } = virtualThread()
    const turns = createTimeSlicer(thread)
    turns.asked()
    const inTurn = turns.taking(1)
    let ended = 0
    const wait = () => {
      work(5_000)
      void inTurn()?.then(() => {
        ended += 1
      })
      return now()
    }
    const from = wait()
    while (ended === 0) await turn()
    expect(now() - from).toBeCloseTo(500)
    const again = wait()
    await turn()
    turns.answered()
    while (ended === 1) await turn()
    expect(now() - again).toBeLessThanOrEqual(10)
  })

  it('that is short never waits', () => {
    const { thread } = virtualThread()
    const turns = createTimeSlicer(thread)
    turns.asked()
    let result: readonly number[] = []
    void turns.run(mapInSteps([1, 2, 3], (item) => item * 2)).then((mapped) => {
      result = mapped
    })
    return Promise.resolve().then(() => expect(result).toEqual([2, 4, 6]))
  })

  it('ends with the error of a step', async () => {
    const { thread } = virtualThread()
    const failing = mapInSteps([1], () => {
      throw new Error('broken')
    })
    await expect(createTimeSlicer(thread).run(failing)).rejects.toThrow('broken')
  })

  it('ends at its next slice once its client has left', async () => {
    const { thread, work, turn, isIdle } = virtualThread()
    const leaving = new AbortController()
    let ran = 0
    const running = createTimeSlicer(thread).run(
      stepping(10_000, work, () => {
        ran += 1
      }),
      { client: leaving.signal },
    )
    const ended = expect(running).rejects.toThrow('The client left.')
    await turn()
    await turn()
    leaving.abort(new Error('The client left.'))
    const before = ran
    while (!isIdle()) await turn()
    await ended
    expect(before).toBeGreaterThan(0)
    expect(ran).toBe(before)
  })
})
