import { EMPTY, NEVER, of, throwError } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import {
  LEASE_MS,
  LOOK_INTERVAL_MS,
  syncDirectory,
  type Synced,
  type SyncPort,
} from '../../../effects/organisation/syncDirectory.ts'

const INTERVAL_MS = 15 * 60_000

type Case = Readonly<{
  /** Over the port below: nothing ever ended, no other instance has the lease, and a run takes 1 s. */
  port?: Partial<SyncPort<string, string>>
  /** Requests by their marbles. */
  asked?: string
  intervalMs?: number | null
  /** When it is unsubscribed. */
  until: string
  expected: string
  values?: Readonly<Record<string, Synced<string, string>>>
}>

const ran = (request: string, run: string) => ({ request, outcome: 'running', run }) as const
const busy = (request: string) => ({ request, outcome: 'busy' }) as const
const VALUES = {
  a: ran('a', 'begun'),
  A: ran('a', 'done'),
  d: ran('due', 'begun'),
  D: ran('due', 'done'),
  x: busy('a'),
  y: busy('b'),
  e: { request: 'a', outcome: 'failed', error: 'error' } as const,
}

/** Plays a case on virtual time, and gives what was called. */
function play({ port = {}, asked = '', intervalMs = INTERVAL_MS, until, expected, values }: Case) {
  const calls = { leases: 0, givenBack: [] as number[], runs: [] as string[], stopped: 0 }
  const scheduler = new TestScheduler((actual, wanted) => expect(actual).toEqual(wanted))
  scheduler.run(({ cold, expectObservable, hot }) => {
    let ended: number | null = null
    let holder: string | null = null
    const whole: SyncPort<string, string> = {
      lastEnd: () => of(ended),
      lease: (request) => {
        calls.leases += 1
        if (port.lease !== undefined) return port.lease(request)
        holder ??= request
        return of(holder === request)
      },
      giveBack: (request) => {
        calls.givenBack.push(scheduler.now())
        if (holder === request) holder = null
      },
      run: (request) => {
        calls.runs.push(request)
        ended = scheduler.now() + 1000
        return port.run?.(request) ?? cold('b 999ms (d|)', { b: 'begun', d: 'done' })
      },
      ...(port.lastEnd === undefined ? {} : { lastEnd: port.lastEnd }),
    }
    const asked$ = hot(asked === '' ? '-' : asked)
    const synced$ = syncDirectory(whole, asked$, () => 'due', intervalMs, { scheduler })
    expectObservable(synced$, until).toBe(expected, values ?? VALUES)
  })
  return calls
}

describe('syncing the directory', () => {
  it('begins at once, and an interval after the end of the last sync', () => {
    const calls = play({
      until: `${String(INTERVAL_MS + LOOK_INTERVAL_MS + 2000)}ms !`,
      expected: `d 999ms D ${String(INTERVAL_MS + LOOK_INTERVAL_MS - 1001)}ms d 999ms D`,
    })
    expect(calls.runs).toEqual(['due', 'due'])
    expect(calls.givenBack[0]).toBe(1000)
  })

  it('waits when another instance ended one meanwhile', () => {
    const calls = play({
      port: { lastEnd: () => of(0) },
      until: `${String(INTERVAL_MS - 1)}ms !`,
      expected: '',
    })
    expect([calls.leases, calls.runs]).toEqual([0, []])
  })

  it('begins exactly an interval after the last one ended', () => {
    const calls = play({
      port: { lastEnd: () => of(0), run: () => EMPTY },
      until: `${String(INTERVAL_MS + 1)}ms !`,
      expected: '',
    })
    expect(calls.runs).toEqual(['due'])
  })

  it('never begins by itself without an interval', () => {
    expect(play({ intervalMs: null, until: '120m !', expected: '' }).leases).toBe(0)
  })

  it('refuses a request while one runs here, and takes the next', () => {
    const calls = play({
      intervalMs: null,
      asked: 'a 99ms b 999ms a',
      until: '3s !',
      expected: 'a 99ms y 899ms A 99ms a 999ms A',
    })
    expect([calls.runs, calls.givenBack]).toEqual([
      ['a', 'a'],
      [1000, 2100],
    ])
  })

  it('refuses a request while another instance has the lease, and does not give that back', () => {
    const calls = play({
      intervalMs: null,
      port: { lease: () => of(false) },
      asked: 'a',
      until: '1s !',
      expected: 'x',
    })
    expect([calls.runs, calls.givenBack]).toEqual([[], []])
  })

  it('renews the lease while a sync runs, and stops one whose lease is lost', () => {
    let left = 4
    const calls = play({
      port: { lease: () => of((left -= 1) > 0), run: () => NEVER },
      intervalMs: null,
      asked: 'a',
      until: `${String(2 * LEASE_MS)}ms !`,
      expected: '',
    })
    // Each before a half of the lease is over.
    expect([calls.leases, calls.givenBack]).toEqual([4, [(3 * LEASE_MS) / 4]])
  })

  it('goes on while the lease cannot be asked for, and gives it back when it is stopped', () => {
    let asked = 0
    const calls = play({
      port: { lease: () => ((asked += 1) === 1 ? of(true) : throwError(() => 'away')), run: () => NEVER },
      intervalMs: null,
      asked: 'a',
      until: `${String(LEASE_MS)}ms !`,
      expected: '',
    })
    expect(calls.givenBack).toEqual([LEASE_MS])
  })

  it('tells a sync that ends with an error, gives the lease back and goes on', () => {
    const calls = play({
      port: { run: () => throwError(() => 'error') },
      intervalMs: null,
      asked: 'aa',
      until: '1s !',
      expected: 'ee',
    })
    expect([calls.runs, calls.givenBack]).toEqual([
      ['a', 'a'],
      [0, 1],
    ])
  })

  it('looks again after it could not ask when the last one ended', () => {
    let asked = 0
    const calls = play({
      port: { lastEnd: () => ((asked += 1) === 1 ? throwError(() => 'away') : of(null)), run: () => EMPTY },
      until: `${String(LOOK_INTERVAL_MS + 1)}ms !`,
      expected: '',
    })
    expect(calls.runs).toEqual(['due'])
  })
})
