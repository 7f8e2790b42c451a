import { of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import {
  keepTelemetry,
  readLatestLaunch,
  readPlatform,
  restoreTelemetry,
  sendTelemetry,
  telemetryCache,
  trackActions,
} from '../../../effects/pane/telemetry.ts'
import { App, type AppEvent } from '../../../streams/pane/events.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { Insertion, type InsertionTarget } from '../../../streams/message/insertion/events.ts'
import { LAUNCH_RECORD_KEY } from '../../../streams/launch/record.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import { Screen } from '../../../streams/pane/screen/events.ts'
import { Settings } from '../../../streams/message/settings/events.ts'
import { Telemetry } from '../../../streams/pane/telemetry/events.ts'
import { type Marbles, withMarbles } from '../../support/marbles.ts'
import { failing } from '../../support/ports.ts'
import { compose, message, profile, session, settingsLoaded, verification } from '../../support/state.ts'

const failure = { kind: 'timeout' } as const
const verified = Auth.verified(verification())
const recovered = Auth.sessionRecovered({ session: session() })
const signedOut = Auth.signedOut({ reason: { kind: 'person' }, userId: 'u-alex' })
const pc = { platform: 'PC', language: 'en' }
const mac = { platform: 'Mac', language: 'en' }
const cacheOf = ({ storage }: Marbles['ports']) => storage.privateCache('u-alex')
const owned = (value: unknown) => ({ version: 1, owner: 'u-alex', value })
const restored = Telemetry.contextRestored({ context: [mac] })
const pending = Settings.updateRequested({ changes: {} })

test('the platform of the pane is told at the start', () => {
  withMarbles(({ hot, react, ports, expectEvents }) => {
    expectEvents(react({ readPlatform }, hot('sv', { s: App.started(), v: verified }))).toBe('p', {
      p: Telemetry.platformRead({ platform: ports.platform }),
    })
  })
})

describe('the last launch event of a message', () => {
  const opened = Mailbox.itemChanged({ item: compose('item-1') })
  const read = Mailbox.messageRead({ itemKey: 'item-1', message: message() })
  const record = JSON.stringify({ outcome: 'late', at: 1, ms: 2, age: null, runtime: 'page', told: [] })

  test('is read once the screen is there', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.host.sessionData.answers(of(record))
      const events = { r: read, d: Screen.due({ reason: 'late' }), l: Screen.loaded() }
      expectEvents(react({ readLaunch: readLatestLaunch }, hot('r-d-l', events), { given: [opened] })).toBe(
        '----o',
        {
          o: Telemetry.launchRead({ outcome: 'late' }),
        },
      )
      afterwards(() => {
        expect(ports.host.sessionData.calls).toEqual([['item-1', LAUNCH_RECORD_KEY]])
      })
    })
  })

  test('tells nothing where it left no record', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      const given = [opened, Screen.due({ reason: 'late' }), Screen.loaded()]
      expectEvents(react({ readLaunch: readLatestLaunch }, hot('r', { r: read }), { given })).toBe('')
    })
  })
})

describe('the platforms of the user', () => {
  test.each([
    ['those that are kept', owned([mac]), [mac]],
    ['none where nothing is kept', null, []],
    ['none of another user', { ...owned([mac]), owner: 'u-maria' }, []],
  ])('are restored: %s', (_, kept, context) => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      cacheOf(ports).get.answers(of(kept))
      expectEvents(react({ restoreTelemetry }, hot('v', { v: verified }))).toBe('r', {
        r: Telemetry.contextRestored({ context }),
      })
    })
  })

  test('are not restored once the session has ended', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents }) => {
      cacheOf(ports).get.answers(cold('5ms (k|)', { k: null }))
      const happening$ = hot('v-x', { v: verified, x: signedOut })
      expectEvents(react({ restoreTelemetry }, happening$), '^ 20ms !').toBe('')
    })
  })

  test('are kept when they were sent, and with each launch that is read afterwards', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const platformRead = Telemetry.platformRead({ platform: { ...ports.platform, context: pc } })
      const launch = Telemetry.launchRead({ outcome: 'inserted' })
      const events = {
        l: launch,
        s: Telemetry.sent(),
        m: Telemetry.launchRead({ outcome: 'late' }),
        x: signedOut,
      }
      const happened$ = react({ keepTelemetry }, hot('l-s-m-x-l', events), {
        given: [recovered, platformRead],
      })
      expectEvents(happened$).toBe('')
      afterwards(() => {
        expect(cacheOf(ports).set.calls).toEqual(
          (['went', 'failed'] as const).map((result) => [
            telemetryCache.key,
            owned([{ ...pc, launch: result }]),
          ]),
        )
      })
    })
  })

  test('are not kept without a session', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      expectEvents(react({ keepTelemetry }, hot('s', { s: Telemetry.sent() }))).toBe('')
      afterwards(() => {
        expect(ports.sent).toEqual([])
      })
    })
  })
})

describe('sending telemetry', () => {
  const sending = (
    marbles: string,
    expected: string,
    options: Readonly<{ given?: readonly AppEvent[]; isPlatformKnown?: boolean; times: number }>,
  ) => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const { given = [], isPlatformKnown = true, times } = options
      const platform = isPlatformKnown ? [Telemetry.platformRead({ platform: ports.platform })] : []
      const events = {
        r: restored,
        s: settingsLoaded(),
        o: settingsLoaded({ enableTelemetry: false }),
        x: signedOut,
      }
      expectEvents(react({ sendTelemetry }, hot(marbles, events), { given: [...platform, ...given] })).toBe(
        expected,
        {
          t: Telemetry.sent(),
        },
      )
      afterwards(() => {
        expect(ports.api.sendTelemetry.calls).toHaveLength(times)
      })
    })
  }

  test('waits for the settings of the user, and sends once', () => {
    sending('r-s-s', '--t', { given: [recovered, pending], times: 1 })
    sending('r', 't', { given: [recovered, settingsLoaded()], times: 1 })
  })

  test.each<[string, string, readonly AppEvent[], boolean]>([
    ['who switched it off', 'r-o-s', [recovered, pending], true],
    ['who has signed out meanwhile', 'r-x-s', [recovered, pending], true],
    ['who is not signed in', 'r', [settingsLoaded()], true],
    ['on a platform that is not known', 'r', [recovered, settingsLoaded()], false],
  ])('sends nothing for a user %s', (_, marbles, given, isPlatformKnown) => {
    sending(marbles, '', { given, isPlatformKnown, times: 0 })
  })

  test('records what is sent, and a failure', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.api.sendTelemetry.answers(failing(failure))
      const given = [
        Telemetry.platformRead({ platform: { ...ports.platform, context: pc } }),
        recovered,
        settingsLoaded(),
      ]
      expectEvents(react({ sendTelemetry }, hot('r', { r: restored }), { given })).toBe('f', {
        f: Telemetry.sendFailed({ failure }),
      })
      afterwards(() => {
        expect(ports.api.sendTelemetry.calls).toMatchObject([[{ context: [mac, pc], beta: false }]])
      })
    })
  })
})

describe('analytics', () => {
  const known = [recovered, settingsLoaded(), Profile.loaded({ value: profile() })]
  const tracked = (
    marbles: string,
    events: Readonly<Record<string, AppEvent>>,
    given: readonly AppEvent[],
    names: readonly string[],
  ) => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      expectEvents(react({ track: trackActions }, hot(marbles, events), { given })).toBe('')
      afterwards(() => {
        expect(
          ports.analytics.track.calls.map(([{ name, parameters }]) =>
            [name, ...Object.values(parameters).slice(1)].join(' '),
          ),
        ).toEqual(names)
        for (const [event] of ports.analytics.track.calls) expect(event.userId).toBe('u-alex')
      })
    })
  }
  const to = (path: string) => Router.navigated({ path })
  const [home, dashboard] = [to('/home'), to('/app/dashboard')]

  test.each([verified, recovered])(
    'has the opening of the pane at a sign-in, once all is known: $type',
    (signIn) => {
      const profileLoaded = Profile.loaded({ value: profile() })
      tracked('s-p-l-p', { s: signIn, p: profileLoaded, l: settingsLoaded() }, [pending], ['task_pane_open'])
    },
  )

  test('has the opening of the pane at home, and only with a session', () => {
    tracked('h-d', { h: home, d: dashboard }, known, ['task_pane_open'])
    tracked('h', { h: home }, known.slice(1), [])
  })

  test('has the way to the details and to a list', () => {
    tracked(
      'v-s-d',
      { v: to('/app/settings/variables'), s: to('/app/signatures/main'), d: dashboard },
      known,
      ['edit_profile', 'signatures_opened other'],
    )
  })

  test('forgets the way before what is known, when another follows or the session ends', () => {
    const [details, list] = [to('/app/settings/variables'), to('/app/signatures/main')]
    const profileLoaded = Profile.loaded({ value: profile() })
    tracked('v-s-p', { v: details, s: list, p: profileLoaded }, known.slice(0, 2), [
      'signatures_opened other',
    ])
    tracked('v-x-p', { v: details, x: signedOut, p: profileLoaded }, known.slice(0, 2), [])
  })

  const inserted = (target: InsertionTarget) =>
    Insertion.succeeded({
      id: 1,
      itemKey: 'item-1',
      target,
      content: { html: '', images: [] },
      inMessage: {
        name: '',
        combinedIds: '',
        hash: '',
        reason: { origin: 'default', composeType: null, reply: false },
      },
    })

  test('has each insertion, and each change of the default', () => {
    const events = {
      d: inserted({ kind: 'default' }),
      n: inserted({ kind: 'none' }),
      p: inserted({ kind: 'previous' }),
      c: Defaults.changed({ id: 0, defaults: { master: 'c-1', reply: null } }),
    }
    tracked('d-n-p-c', events, known, [
      'change_signature default_signature',
      'change_signature manual_signature',
      'change_signature default_signature',
    ])
  })

  test('has the end of a session once, though several answers end it', () => {
    const asked = Auth.signOutRequested({ reason: { kind: 'expired' } })
    tracked('a-a', { a: asked }, known, ['disconnect'])
    tracked('a', { a: asked }, [Auth.sessionMissing(), ...known.slice(1)], [])
    const again = { x: signedOut, v: verified, p: Profile.loaded({ value: profile() }), l: settingsLoaded() }
    tracked('a-a-x-v-p-l-a', { a: asked, ...again }, known, ['disconnect', 'task_pane_open', 'disconnect'])
  })

  test('has nothing of a user who switched it off', () => {
    const off = [recovered, settingsLoaded({ enableTelemetry: false }), Profile.loaded({ value: profile() })]
    tracked('h-i', { h: home, i: inserted({ kind: 'none' }) }, off, [])
  })

  test('goes on after a failure, which is logged', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.analytics.track.answers(failing(failure), of(undefined))
      expectEvents(react({ track: trackActions }, hot('h-h', { h: home }), { given: known })).toBe('')
      afterwards(() => {
        expect(ports.analytics.track.calls).toHaveLength(2)
        expect(ports.log.lines).toEqual([
          { level: 'warn', action: 'analytics_failed', detail: { event: 'task_pane_open', kind: 'timeout' } },
        ])
      })
    })
  })
})
