import { Subject } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { followConnection, retryWhenReachable } from '../../../effects/pane/recovery.ts'
import { App, type AppEvent } from '../../../streams/pane/events.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { Connection } from '../../../streams/pane/connection/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { Variables } from '../../../streams/pane/variables/events.ts'
import { Maintenance } from '../../../streams/pane/maintenance/events.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { withMarbles } from '../../support/marbles.ts'
import {
  cachedSignature,
  profile,
  session,
  settingsLoaded,
  signaturePage,
  variableStates,
  verification,
} from '../../support/state.ts'

const busy = (retryAfter?: number): Failure => ({
  kind: 'http',
  status: 503,
  code: null,
  data: null,
  retryAfter,
})
const failed = (retryAfter?: number) => Profile.loadFailed({ failure: busy(retryAfter) })
const signedIn = [Auth.sessionRecovered({ session: session() })]
const loaded = Maintenance.loaded({ status: null })

/** What happens, and when what failed is asked again. */
function plays(happening: string, retries: string, events: Readonly<Record<string, AppEvent>>): void {
  withMarbles(({ hot, react, expectEvents }) => {
    const happening$ = hot(happening, { m: loaded, ...events })
    expectEvents(react({ retryWhenReachable }, happening$, { given: signedIn }), '^ 3m !').toBe(retries, {
      r: App.serviceReachable(),
    })
  })
}

describe('what failed without the service', () => {
  test('is asked again when the service is back, at once where it did not ask for time', () => {
    plays('f 9ms m', '10ms r', { f: failed() })
  })

  test('[SRV-27] is not asked again before the time that the service asked for', () => {
    plays('f 9ms m', '5000ms r', { f: failed(5_000) })
    // The time is over by then.
    plays('f 5999ms m', '6000ms r', { f: failed(5_000) })
  })

  test('waits for the latest of several times, once, also for one that comes while it waits', () => {
    plays('(fg) 6ms m', '8000ms r', { f: failed(8_000), g: failed(2_000) })
    plays('f 9ms m 989ms g', '9000ms r', { f: failed(5_000), g: failed(8_000) })
    plays('f 9ms m 9ms m', '5000ms r', { f: failed(5_000) })
  })

  test('is not asked again by the time alone', () => {
    plays('f', '', { f: failed(5_000) })
  })

  test('waits as long when the network is back', () => {
    withMarbles(({ hot, react, ports, expectEvents, clock }) => {
      const back$ = new Subject<void>()
      const happening$ = hot('sf', { s: App.started(), f: failed(5_000) })
      clock.scheduler.schedule(() => {
        back$.next()
      }, 10)
      const over = { ...ports, connection: { ...ports.connection, back$ } }
      expectEvents(
        react({ retryWhenReachable }, happening$, { given: signedIn, ports: over }),
        '^ 9s !',
      ).toBe('5001ms r', { r: App.serviceReachable() })
      expect(back$.observed).toBe(false)
    })
  })
})

describe('the connection', () => {
  const lost: AppEvent = Connection.changed({ isLost: true })
  const back: AppEvent = Connection.changed({ isLost: false })
  const network: Failure = { kind: 'network' }

  test('is lost and back when the browser says so, each once', () => {
    withMarbles(({ hot, react, ports, expectEvents, clock }) => {
      const { lost$, back$ } = ports.connection
      for (const [at, subject$] of [
        [10, lost$],
        [20, lost$],
        [30, back$],
        [40, back$],
      ] as const)
        clock.scheduler.schedule(() => {
          subject$.next()
        }, at)
      expectEvents(react({ followConnection }, hot('s', { s: App.started() })), '^ 90ms !').toBe(
        '10ms l 19ms b',
        {
          l: lost,
          b: back,
        },
      )
    })
  })

  test.each<[string, AppEvent]>([
    ['a sign-in', Auth.verified(verification())],
    ['a renewed session', Auth.renewed({ session: session() })],
    ['the profile', Profile.loaded({ value: profile() })],
    ['the default', Defaults.loaded({ value: cachedSignature() })],
    ['a page of the list', Signatures.pageLoaded({ list: 'own', epoch: 0, page: signaturePage(1) })],
    [
      'the list',
      Signatures.refreshed({ epoch: 0, own: { page: 1, total: 0, objects: [] }, delegated: null }),
    ],
    ['the maintenance status', loaded],
    ['the details', Variables.loaded({ asked: 0, definitions: [], states: variableStates(), values: {} })],
    ['saved details', Variables.saved({ sent: {}, saved: { values: {}, changedFields: [] } })],
    ['a refusal', failed()],
  ])('is lost after a request without an answer, and back with the next answer: %s', (_, answer) => {
    withMarbles(({ hot, react, expectEvents }) => {
      const happening$ = hot('n-n-t-a-a', {
        n: Profile.loadFailed({ failure: network }),
        t: Profile.loadFailed({ failure: { kind: 'timeout' } }),
        a: answer,
      })
      expectEvents(react({ followConnection }, happening$)).toBe('l-----b', { l: lost, b: back })
    })
  })

  test('says nothing of what the pane reads from the browser', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      expectEvents(react({ followConnection }, hot('s', { s: settingsLoaded() }), { given: [lost] })).toBe('')
    })
  })
})
