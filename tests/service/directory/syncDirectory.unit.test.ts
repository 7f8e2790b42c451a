import { describe, expect, it } from 'vitest'
import {
  SYNC_LEASE_MS,
  SYNC_CHECK_INTERVAL_MS,
  syncDirectory,
  type SyncPort,
  scheduleSyncs,
} from '../../../src/service/directory/syncDirectory.ts'
import { createTimers } from '../../support/timers.ts'

const INTERVAL_MS = 15 * 60_000

/** What is told of a request: of its run, that another one is busy, or an error. */
type Told = readonly [at: number, request: string, what: unknown]

type Case = Readonly<{
  /** Over the port below: nothing ever ended, no other instance has the lease, and a run takes 1 s. */
  port?: Partial<Pick<SyncPort<string, string>, 'lease' | 'run'>> &
    Readonly<{ lastEnd?: () => Promise<number | null> }>
  /** Requests by their times. */
  asked?: readonly (readonly [at: number, request: string])[]
  intervalMs?: number | null
  /** When it is closed. */
  until: number
  expected: readonly Told[]
}>

/** A run that ends only when it is stopped. */
const untilStopped = (_request: string, _told: unknown, signal: AbortSignal) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', resolve)
  })

/** Plays a case on virtual time, and gives what was called. */
async function play({ port = {}, asked = [], intervalMs = INTERVAL_MS, until, expected }: Case) {
  const calls = { leases: 0, givenBack: [] as number[], runs: [] as string[] }
  const timers = createTimers()
  const closing = new AbortController()
  const told: Told[] = []
  let ended: number | null = null
  let holder: string | null = null
  const whole: SyncPort<string, string> = {
    async lease(request) {
      calls.leases += 1
      if (port.lease !== undefined) return port.lease(request)
      holder ??= request
      return holder === request
    },
    async giveBack(request) {
      calls.givenBack.push(timers.now())
      if (holder === request) holder = null
    },
    async run(request, tell, signal) {
      calls.runs.push(request)
      ended = timers.now() + 1000
      if (port.run !== undefined) return port.run(request, tell, signal)
      tell('begun')
      await new Promise<void>((resolve) => void timers.after(1000, resolve))
      return tell('done')
    },
  }
  const sync = async (request: string) => {
    const tell = (what: unknown) => void told.push([timers.now(), request, what])
    const outcome = await syncDirectory(whole, request, tell, closing.signal, timers).catch(tell)
    if (outcome === 'busy') tell(outcome)
  }
  scheduleSyncs(intervalMs, port.lastEnd ?? (async () => ended), () => sync('due'), closing.signal, timers)
  for (const [at, request] of asked) {
    await timers.pass(at - timers.now())
    void sync(request)
  }
  await timers.pass(until - timers.now())
  closing.abort()
  await timers.pass(0)
  expect(told).toEqual(expected)
  return calls
}

describe('syncing the directory', () => {
  it('begins at once, and an interval after the end of the last sync', async () => {
    const again = INTERVAL_MS + SYNC_CHECK_INTERVAL_MS
    const calls = await play({
      until: again + 2000,
      expected: [
        [0, 'due', 'begun'],
        [1000, 'due', 'done'],
        [again, 'due', 'begun'],
        [again + 1000, 'due', 'done'],
      ],
    })
    expect(calls.runs).toEqual(['due', 'due'])
    expect(calls.givenBack[0]).toBe(1000)
  })

  it('waits when another instance ended one meanwhile', async () => {
    const calls = await play({ port: { lastEnd: async () => 0 }, until: INTERVAL_MS - 1, expected: [] })
    expect([calls.leases, calls.runs]).toEqual([0, []])
  })

  it('begins exactly an interval after the last one ended', async () => {
    const calls = await play({
      port: { lastEnd: async () => 0, run: async () => null },
      until: INTERVAL_MS + 1,
      expected: [],
    })
    expect(calls.runs).toEqual(['due'])
  })

  it('never begins by itself without an interval', async () => {
    expect((await play({ intervalMs: null, until: 120 * 60_000, expected: [] })).leases).toBe(0)
  })

  it('refuses a request while one runs here, and takes the next', async () => {
    const calls = await play({
      intervalMs: null,
      asked: [
        [0, 'a'],
        [100, 'b'],
        [1100, 'a'],
      ],
      until: 3000,
      expected: [
        [0, 'a', 'begun'],
        [100, 'b', 'busy'],
        [1000, 'a', 'done'],
        [1100, 'a', 'begun'],
        [2100, 'a', 'done'],
      ],
    })
    expect([calls.runs, calls.givenBack]).toEqual([
      ['a', 'a'],
      [1000, 2100],
    ])
  })

  it('refuses a request while another instance has the lease, and does not give that back', async () => {
    const calls = await play({
      intervalMs: null,
      port: { lease: async () => false },
      asked: [[0, 'a']],
      until: 1000,
      expected: [[0, 'a', 'busy']],
    })
    expect([calls.runs, calls.givenBack]).toEqual([[], []])
  })

  it('renews the lease while a sync runs, and stops one whose lease is lost', async () => {
    let left = 4
    const calls = await play({
      port: { lease: async () => (left -= 1) > 0, run: untilStopped },
      intervalMs: null,
      asked: [[0, 'a']],
      until: 2 * SYNC_LEASE_MS,
      expected: [],
    })
    // Each before a half of the lease is over.
    expect([calls.leases, calls.givenBack]).toEqual([4, [(3 * SYNC_LEASE_MS) / 4]])
  })

  it('goes on while the lease cannot be asked for, and gives it back when it is stopped', async () => {
    let asked = 0
    const calls = await play({
      port: {
        async lease() {
          if ((asked += 1) > 1) throw new Error('away')
          return true
        },
        run: untilStopped,
      },
      intervalMs: null,
      asked: [[0, 'a']],
      until: SYNC_LEASE_MS,
      expected: [],
    })
    expect(calls.givenBack).toEqual([SYNC_LEASE_MS])
  })

  it('tells a sync that ends with an error, gives the lease back and goes on', async () => {
    const error = new Error('broken')
    const calls = await play({
      port: { run: () => Promise.reject(error) },
      intervalMs: null,
      asked: [
        [0, 'a'],
        [1, 'a'],
      ],
      until: 1000,
      expected: [
        [0, 'a', error],
        [1, 'a', error],
      ],
    })
    expect([calls.runs, calls.givenBack]).toEqual([
      ['a', 'a'],
      [0, 1],
    ])
  })

  it('looks again after it could not ask when the last one ended', async () => {
    let asked = 0
    const calls = await play({
      port: {
        async lastEnd() {
          if ((asked += 1) === 1) throw new Error('away')
          return null
        },
        run: async () => null,
      },
      until: SYNC_CHECK_INTERVAL_MS + 1,
      expected: [],
    })
    expect(calls.runs).toEqual(['due'])
  })

  it('tells nothing more of a sync that is stopped, neither its end nor its error', async () => {
    const stopped = (_: string, tell: (run: string) => void, signal: AbortSignal) =>
      untilStopped('', null, signal).then(() => {
        tell('interrupted')
        throw new Error('broken')
      })
    const calls = await play({
      port: { run: stopped },
      intervalMs: null,
      asked: [[0, 'a']],
      until: 10,
      expected: [],
    })
    expect(calls.givenBack).toEqual([10])
  })

  it('gives back at once the lease that it gets after it is closed', async () => {
    let give: (has: boolean) => void = () => {}
    const calls = await play({
      port: { lease: () => new Promise((resolve) => (give = resolve)) },
      intervalMs: null,
      asked: [[0, 'a']],
      until: 10,
      expected: [],
    })
    give(true)
    await new Promise(setImmediate)
    expect([calls.runs, calls.givenBack]).toEqual([[], [10]])
  })
})
