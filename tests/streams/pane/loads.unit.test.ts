import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { App, type LoggedEvent } from '../../../streams/pane/events.ts'
import { isRetryAwaited } from '../../../streams/pane/rules.ts'
import { type AppState, evolveApp } from '../../../streams/pane/state.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { isSignedIn } from '../../../streams/message/auth/rules.ts'
import { Configuration } from '../../../streams/pane/configuration/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { type Attempt, hasFailedTemporarily, wasBegunBy, type Load } from '../../../streams/kernel/load.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import { Picture } from '../../../streams/pane/picture/events.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import { Settings } from '../../../streams/message/settings/events.ts'
import { toUserSettings } from '../../../streams/pane/settings/rules.ts'
import { defaultSettings } from '../../../streams/message/settings/settings.ts'
import { Subscription } from '../../../streams/pane/subscription/events.ts'
import { Variables } from '../../../streams/pane/variables/events.ts'
import { failure as anyFailure, logOfTypes } from '../../support/arbitraries.ts'
import {
  cachedSignature,
  freshState,
  profile,
  recorded,
  session,
  verification,
  stateAfter,
  variableStates,
} from '../../support/state.ts'

const NETWORK = { kind: 'network' } as const
const verified = Auth.verified(verification())
const recovered = Auth.sessionRecovered({ session: session() })
const opened = Variables.opened()
const saved = Variables.saved({ sent: {}, saved: { values: {}, changedFields: [] } })
const saveFailed = (failure: Parameters<typeof Variables.saveFailed>[0]['failure']) =>
  Variables.saveFailed({ failure })
const home = Router.navigated({ path: '/home' })

type Case = Readonly<{
  name: string
  select: (state: AppState) => Load<unknown> | Attempt
  begins: readonly LoggedEvent[]
  loaded: LoggedEvent
  failed: LoggedEvent
}>
const loads: readonly Case[] = [
  {
    name: 'configuration',
    select: ({ configuration }) => configuration,
    begins: [verified, recovered],
    loaded: Configuration.loaded({ value: { allowDefaultSignature: true } }),
    failed: Configuration.loadFailed({ failure: NETWORK }),
  },
  {
    name: 'subscription',
    select: ({ subscription }) => subscription,
    begins: [verified, recovered],
    loaded: Subscription.loaded({ value: 'full' }),
    failed: Subscription.loadFailed({ failure: NETWORK }),
  },
  {
    name: 'profile',
    select: ({ profile: load }) => load,
    begins: [verified, recovered],
    loaded: Profile.loaded({ value: profile() }),
    failed: Profile.loadFailed({ failure: NETWORK }),
  },
  {
    name: 'default signature',
    select: ({ defaults }) => defaults.load,
    begins: [verified, recovered],
    loaded: Defaults.loaded({ value: cachedSignature() }),
    failed: Defaults.loadFailed({ failure: NETWORK }),
  },
  {
    name: 'picture',
    select: ({ picture }) => picture.url,
    begins: [opened],
    loaded: Picture.loaded({ value: null }),
    failed: Picture.loadFailed({ failure: NETWORK }),
  },
  {
    name: 'variables',
    select: ({ variables }) => variables.load,
    begins: [opened],
    loaded: Variables.loaded({ asked: 0, definitions: [], states: variableStates(), values: {} }),
    failed: Variables.loadFailed({ failure: NETWORK }),
  },
]

const anyState = logOfTypes().map((log) => replayLog(freshState(), evolveApp, log))

describe.each(loads)('the load of the $name', ({ select, begins, loaded, failed }) => {
  test.each(begins)('begins on $type, once (memoised)', (event) => {
    const [first, second] = [recorded(event, 1), recorded(event, 2)]
    const pending = evolveApp(freshState(), first)
    expect(wasBegunBy(select(pending), first)).toBe(true)
    expect(select(evolveApp(pending, second))).toBe(select(pending))
    const ready = evolveApp(pending, recorded(loaded, 3))
    expect(select(evolveApp(ready, second))).toBe(select(ready))
    const lost = evolveApp(pending, recorded(failed, 3))
    expect(wasBegunBy(select(evolveApp(lost, second)), second)).toBe(true)
  })

  test('begins again after a failure when the user retries, and is not begun otherwise', () => {
    const retry = recorded(App.retryRequested(), 40)
    fc.assert(
      fc.property(anyState, (state) => {
        const before = select(state)
        const after = select(evolveApp(state, retry))
        if (before.status === 'fail') expect(wasBegunBy(after, retry)).toBe(true)
        else expect(after).toBe(before)
      }),
    )
  })

  test('begins again when the service is back, after a failure that passes by itself only', () => {
    const back = recorded(App.serviceReachable(), 40)
    fc.assert(
      fc.property(anyState, (state) => {
        const before = select(state)
        const after = select(evolveApp(state, back))
        if (hasFailedTemporarily(before)) expect(wasBegunBy(after, back)).toBe(true)
        else expect(after).toBe(before)
      }),
    )
  })
})

const changed = Defaults.changed({ id: 0, defaults: { master: 'c', reply: null } })

describe('the profile', () => {
  test.each([saved, changed, Defaults.changeFailed({ id: 0, failure: NETWORK })])(
    'loads again on $type, also while it is loading',
    (event) => {
      const again = recorded<LoggedEvent>(event, 7)
      for (const before of [stateAfter(verified), stateAfter(Profile.loaded({ value: profile() }))])
        expect(wasBegunBy(evolveApp(before, again).profile, again)).toBe(true)
    },
  )

  test('loads again at /home after a failure', () => {
    const lost = stateAfter(verified, Profile.loadFailed({ failure: NETWORK }))
    const arrival = recorded(home, 7)
    expect(wasBegunBy(evolveApp(lost, arrival).profile, arrival)).toBe(true)
    const elsewhere = recorded(Router.navigated({ path: '/app/dashboard' }), 7)
    expect(evolveApp(lost, elsewhere).profile).toBe(lost.profile)
    for (const before of [stateAfter(verified), stateAfter(Profile.loaded({ value: profile() }))])
      expect(evolveApp(before, arrival).profile).toBe(before.profile)
  })
})

test('the picture that the user saved stays when an earlier request is answered', () => {
  const url = 'https://a.example/new.png'
  const before = stateAfter(opened, Picture.saved({ url }))
  const late = evolveApp(before, recorded(Picture.loaded({ value: null })))
  expect(late.picture.url).toEqual({ status: 'success', value: url })
})

describe('the variables', () => {
  test.each([
    [{ kind: 'network' }, true],
    [{ kind: 'timeout' }, true],
    [{ kind: 'http', status: 409, code: 'variable_is_locked', data: null }, true],
    [{ kind: 'http', status: 409, code: 'variable_resync_failed', data: null }, true],
    [{ kind: 'http', status: 403, code: null, data: null }, false],
  ] as const)('load again after a save that failed with %j: %s', (failure, loadsAgain) => {
    const end = recorded(saveFailed(failure), 7)
    const { load } = evolveApp(stateAfter(opened), end).variables
    expect(wasBegunBy(load, end)).toBe(loadsAgain)
  })
})

describe('the settings', () => {
  const settings = { ...defaultSettings({ production: false, beta: false }), enableEmbedImages: true }
  const started = recorded(App.started())
  const loaded = recorded(Settings.loaded({ settings, userId: 'u-alex' }), 1)

  test.each([App.started(), verified, recovered])('[SET-2] load on $type, over the defaults', (event) => {
    const pending = evolveApp(freshState(), recorded<LoggedEvent>(event))
    expect(pending.settings.status).toBe('pending')
    expect(evolveApp(pending, loaded).settings).toMatchObject({
      ...settings,
      status: 'success',
      loaded: true,
    })
  })

  test('[SET-2] that cannot be loaded are the defaults, but for what could have been switched off for good', () => {
    const pending = evolveApp(freshState(), started)
    const lost = evolveApp(pending, recorded(Settings.loadFailed({ failure: NETWORK }), 1))
    expect(lost.settings.errors).toEqual([NETWORK])
    expect(toUserSettings(lost.settings)).toEqual({
      ...toUserSettings(freshState().settings),
      enableTelemetry: false,
      enableSilentSSO: false,
      enableSignaturePush: false,
    })
  })
})

test('something is awaited exactly when the return of the service begins a load', () => {
  const signedIn = logOfTypes()
    .map((log) => replayLog(stateAfter(verified), evolveApp, log))
    .filter(({ auth, signatures }) => isSignedIn(auth) && signatures.refresh.status !== 'pending')
  fc.assert(
    fc.property(signedIn, (state) => {
      const after = evolveApp(state, recorded(App.serviceReachable(), 40))
      expect(isRetryAwaited(state)).toBe(after !== state)
    }),
    { numRuns: 300 },
  )
  fc.assert(
    fc.property(anyState, anyFailure, (state, failure) => {
      const lost = evolveApp(state, recorded(Profile.loadFailed({ failure }), 40))
      const left = evolveApp(lost, recorded(Auth.signedOut({ reason: { kind: 'person' }, userId: null }), 41))
      expect(isRetryAwaited(left)).toBe(false)
    }),
  )
})
