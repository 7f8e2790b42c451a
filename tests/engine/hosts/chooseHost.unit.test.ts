import { type Observable, NEVER, defer, map, of, throwError, timer } from 'rxjs'
import { type RunHelpers, TestScheduler } from 'rxjs/testing'
import { describe, expect, test } from 'vitest'
import { type HostWithIdentity, chooseHost } from '../../../src/engine/hosts/chooseHost.ts'
import { type FakeLog, fakeLog } from '../../support/log.ts'

type Arranged = Readonly<{
  scheduler: TestScheduler
  hosted: HostWithIdentity
  log: FakeLog
  /** The providers that were subscribed to, in order. */
  tried: readonly string[]
  choose(...resolved$: Observable<HostWithIdentity | null>[]): Observable<HostWithIdentity>
}>

const withProviders = (run: (arranged: Arranged, helpers: RunHelpers) => void): void => {
  const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected))
  scheduler.run((helpers) => {
    const time = { scheduler }
    const log = fakeLog()
    // chooseHost reads nothing of a host.
    const hosted = {} as HostWithIdentity
    const tried: string[] = []
    const choose: Arranged['choose'] = (...resolved$) =>
      chooseHost(
        resolved$.map((resolve$, index) => ({
          name: `p${index}`,
          resolve: () =>
            defer(() => {
              tried.push(`p${index}`)
              return resolve$
            }),
        })),
        { time, log },
      )
    run({ scheduler, hosted, log, tried, choose }, helpers)
  })
}

describe('chooseHost', () => {
  test('[HOST-1] takes the first provider that resolves and tries none after it', () => {
    withProviders(({ scheduler, hosted, tried, choose }, { expectObservable, flush }) => {
      const other = { ...hosted }
      expectObservable(
        choose(of(null), timer(10, scheduler).pipe(map(() => hosted)), of(other)).pipe(
          map((chosen) => chosen === hosted),
        ),
      ).toBe('10ms (a|)', { a: true })
      flush()
      expect(tried).toEqual(['p0', 'p1'])
    })
  })

  test('[HOST-1] skips a provider that fails, throws or takes more than ten seconds, and logs each', () => {
    withProviders(({ hosted, log, choose }, { expectObservable, flush }) => {
      const throwing$ = defer((): Observable<null> => {
        throw new TypeError('at once')
      })
      expectObservable(
        choose(
          throwError(() => new Error('no')),
          throwing$,
          NEVER,
          of(hosted),
        ).pipe(map((chosen) => chosen === hosted)),
      ).toBe('10s (a|)', { a: true })
      flush()
      expect(log.lines.map(({ action, detail }) => [action, detail])).toEqual([
        ['host_failed', { provider: 'p0', failure: 'defect' }],
        ['host_failed', { provider: 'p1', failure: 'defect' }],
        ['host_failed', { provider: 'p2', failure: 'timeout' }],
      ])
    })
  })

  test('[HOST-1] fails when none resolves', () => {
    withProviders(({ choose }, { expectObservable }) => {
      expectObservable(choose(of(null), NEVER)).toBe('10s #', {}, new Error('no host resolved'))
      expectObservable(choose()).toBe('#', {}, new Error('no host resolved'))
    })
  })
})
