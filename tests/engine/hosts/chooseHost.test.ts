import { type Observable, NEVER, defer, map, of, throwError, timer } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { describe, expect, test } from 'vitest'
import type { Log } from '../../../effects/ports.ts'
import { type Hosted, chooseHost } from '../../../src/engine/hosts/chooseHost.ts'
import { createHosted } from '../../../src/engine/hosts/mailHost.ts'
import { demoMailbox } from '../../../src/playground/mailbox/demo.ts'
import { createMailbox } from '../../../src/playground/mailbox/mailbox.ts'

type Setting = Readonly<{
  scheduler: TestScheduler
  hosted: Hosted
  logged: string[]
  /** The providers that were asked, in order. */
  asked: string[]
  choose(...resolved$: Observable<Hosted | null>[]): Observable<Hosted>
}>

const withProviders = (
  run: (
    setting: Setting,
    expectObservable: (stream$: Observable<unknown>) => {
      toBe: (marbles: string, values?: unknown, error?: unknown) => void
    },
    flush: () => void,
  ) => void,
): void => {
  const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected))
  scheduler.run(({ expectObservable, flush }) => {
    const time = { scheduler }
    const logged: string[] = []
    const log: Log = {
      warn: (action, detail) => void logged.push(`${action} ${String(detail?.provider)}`),
      error: (action, detail) => void logged.push(`${action} ${String(detail?.provider)}`),
    }
    const mailbox = createMailbox(demoMailbox(), { time, accessToken: (email) => of(email) })
    const hosted = createHosted(mailbox.client, { name: 'simulated', time, log })
    const asked: string[] = []
    const choose: Setting['choose'] = (...resolved$) =>
      chooseHost(
        resolved$.map((resolve$, index) => ({
          name: `p${index}`,
          resolve: () =>
            defer(() => {
              asked.push(`p${index}`)
              return resolve$
            }),
        })),
        { time, log, limitMs: 1_000 },
      )
    run({ scheduler, hosted, logged, asked, choose }, expectObservable, flush)
  })
}

describe('choosing the host', () => {
  test('[HOST-1] takes the first provider that resolves and asks none after it', () => {
    withProviders(({ scheduler, hosted, asked, choose }, expectObservable, flush) => {
      const other = { ...hosted }
      expectObservable(
        choose(of(null), timer(10, scheduler).pipe(map(() => hosted)), of(other)).pipe(
          map((chosen) => chosen === hosted),
        ),
      ).toBe('10ms (a|)', { a: true })
      flush()
      expect(asked).toEqual(['p0', 'p1'])
    })
  })

  test('[HOST-1] passes over one that fails, one that throws and one that takes too long, and logs each', () => {
    withProviders(({ hosted, logged, choose }, expectObservable, flush) => {
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
      ).toBe('1s (a|)', { a: true })
      flush()
      expect(logged).toEqual(['host_failed p0', 'host_failed p1', 'host_failed p2'])
    })
  })

  test('[HOST-1] fails when none resolves', () => {
    withProviders(({ choose }, expectObservable) => {
      expectObservable(choose(of(null), NEVER)).toBe('1s #', {}, new Error('no host resolved'))
      expectObservable(choose()).toBe('#', {}, new Error('no host resolved'))
    })
  })
})
