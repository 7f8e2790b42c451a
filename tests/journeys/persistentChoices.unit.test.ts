import fc from 'fast-check'
import { map, of, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createWholeApp } from '../support/app.ts'
import type { Ports } from '../../effects/ports.ts'
import { App } from '../../streams/pane/events.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import { Settings } from '../../streams/message/settings/events.ts'
import { selectSwitchOutlivesPane, selectSettings } from '../../streams/pane/settings/selectors.ts'
import { SETTINGS_KEY } from '../../streams/pane/settings/rules.ts'
import {
  defaultSettings,
  type BuildStage,
  type UserSettings,
} from '../../streams/message/settings/settings.ts'
import { allProtectionsOff } from '../../streams/pane/settings/persistent.ts'
import { development, openPane, type Pane, production, START } from '../support/pane.ts'
import { failing } from '../support/ports.ts'
import { HOUR_MS, verification } from '../support/state.ts'

// What a person switched off of telemetry, silent sign-in and insertion by itself: through the whole application over
// the mailbox model, in both stages, from one pane to the next.

const ALEX = 'alex.kim@northwind.example'
const MARIA = 'maria.silva@northwind.example'
const stages = [
  ['in production', production],
  ['outside production', development],
] as const

/** A pane that is open and has done what it does by itself. Everybody can sign in, as the user of their mailbox. */
function open(
  stage: BuildStage,
  prepare: (pane: Pick<Pane, 'ports' | 'clock'>) => void = () => undefined,
): Pane {
  const pane = openPane({
    stage,
    prepare(world) {
      world.ports.api.verify.answers(({ email }) =>
        of(
          verification({ email, userId: `user of ${email.toLowerCase()}`, expiresAt: START + 24 * HOUR_MS }),
        ),
      )
      prepare(world)
    },
  })
  pane.clock.advance(1000)
  return pane
}

/** Closes the pane, and opens another one in the same browser. `session`: whether the browser's session goes on. */
function reopen(pane: Pane, stage: BuildStage, session: 'same' | 'new' = 'new'): Pane {
  pane.app.stop()
  if (session === 'new') pane.ports.storage.session.clear().subscribe()
  pane.mailbox.act({ type: 'newMessage' })
  const app = createWholeApp(stage, (): Ports => pane.ports)
  const opened = { ...pane, app }
  pane.clock.advance(1000)
  return opened
}

const change = ({ app, clock }: Pane, changes: Partial<UserSettings>) => {
  app.record(Settings.updateRequested({ changes }))
  clock.advance(100)
}
const signIn = ({ app, clock }: Pane) => {
  app.record(Auth.signInRequested({ silent: false }))
  clock.advance(1000)
}
const signOut = ({ app, clock }: Pane) => {
  app.record(Auth.signOutRequested({ reason: { kind: 'person' } }))
  clock.advance(1000)
}
const told = ({ app }: Pane, type: string) => app.log.filter((event) => event.type === type).length
const settingsOf = ({ app }: Pane) => selectSettings(app.state$.value)
const statusOf = ({ app }: Pane) => app.state$.value.auth.status
const isSilent = ({ app }: Pane) =>
  app.log.some((event) => event.type === 'auth/signInRequested' && event.data.silent)

describe.each(stages)('%s', (_, stage) => {
  it('[SET-5] [TEL-1] telemetry that was switched off stays off, also after a sign-out, until it is switched on', () => {
    const first = open(stage)
    const { api, analytics } = first.ports
    expect(api.sendTelemetry.calls).toHaveLength(1)
    expect(analytics.track.calls.length).toBeGreaterThan(0)
    change(first, { enableTelemetry: false })
    const tracked = analytics.track.calls.length
    signOut(first)
    signIn(first)
    expect(statusOf(first)).toBe('success')
    const second = reopen(first, stage)
    expect(statusOf(second)).toBe('success')
    expect(settingsOf(second).enableTelemetry).toBe(false)
    expect(api.sendTelemetry.calls).toHaveLength(1)
    expect(analytics.track.calls).toHaveLength(tracked)

    change(second, { enableTelemetry: true })
    const third = reopen(second, stage)
    expect(settingsOf(third).enableTelemetry).toBe(true)
    expect(api.sendTelemetry.calls).toHaveLength(2)
    expect(analytics.track.calls.length).toBeGreaterThan(tracked)
  })

  it('[SET-5] [AUTH-2] silent sign-in that was switched off stays off, also after a sign-out; the button signs in', () => {
    const first = open(stage)
    change(first, { enableSilentSSO: false })
    const second = reopen(first, stage)
    expect(isSilent(second)).toBe(false)
    expect(second.app.state$.value.auth).toEqual({ status: 'signedOut', reason: null })
    signIn(second)
    expect(statusOf(second)).toBe('success')
    signOut(second)
    const third = reopen(second, stage)
    expect(isSilent(third)).toBe(false)
    signIn(third)
    change(third, { enableSilentSSO: true })
    expect(isSilent(reopen(third, stage))).toBe(true)
  })

  it('[AUTH-2] the sign-in page is shown when silent sign-in is off, wherever the pane was opened', () => {
    const first = open(stage)
    change(first, { enableSilentSSO: false })
    first.ports.address.path$.next('/app/signatures/main')
    const second = reopen(first, stage)
    expect(second.app.state$.value.router.path).toBe('/home')
    signIn(second)
    expect(second.app.state$.value.router.path).toBe('/app/signatures/main')
  })

  it('[SET-5] insertion by itself that was switched off stays off: before the sign-in, after it, and signed out', () => {
    const first = open(stage)
    expect(told(first, 'insertion/defaultDue')).toBe(1)
    change(first, { enableSignaturePush: false })
    let pane = first
    for (const next of ['same', 'new'] as const) {
      pane = reopen(pane, stage, next)
      expect(told(pane, 'defaults/restored')).toBe(1)
      expect(told(pane, 'defaults/loaded')).toBe(1)
      expect(told(pane, 'insertion/defaultDue')).toBe(0)
      expect(pane.message().body.signature).toBe('')
    }
    const second = reopen(pane, stage)
    signOut(second)
    second.mailbox.act({ type: 'newMessage' })
    signIn(second)
    expect(told(second, 'insertion/defaultDue')).toBe(0)
    change(second, { enableSignaturePush: true })
    expect(told(second, 'insertion/defaultDue')).toBe(1)
    expect(told(reopen(second, stage), 'insertion/defaultDue')).toBe(1)
  })

  it('[SET-5] nothing is sent, signed in or inserted before the choices are read, although that takes five seconds', () => {
    const pane = open(stage)
    pane.app.stop()
    const { api, analytics, storage } = pane.ports
    // The session goes on, so that only what is sent and inserted waits.
    const { get } = storage.persistent
    for (const next of ['same', 'new'] as const) {
      const counts = () => [
        api.sendTelemetry.calls.length,
        analytics.track.calls.length,
        api.verify.calls.length,
      ]
      const before = counts()
      get.answers(() => timer(5000, pane.clock.scheduler).pipe(map(() => null)))
      const slow = reopen(pane, stage, next)
      slow.clock.advance(3900)
      expect(counts()).toEqual(before)
      expect(told(slow, 'insertion/defaultDue')).toBe(0)
      slow.clock.advance(20_000)
      expect(told(slow, 'insertion/defaultDue')).toBe(1)
      expect(counts()[1]).toBeGreaterThan(before[1] ?? 0)
      expect(counts()[2]).toBe((before[2] ?? 0) + (next === 'new' ? 1 : 0))
      slow.app.stop()
    }
  })

  it('[SET-5] [AUTH-2] what cannot be read counts as switched off, and the sign-in page offers its button', () => {
    const first = open(stage)
    const { api, storage } = first.ports
    storage.persistent.get.answers(of(undefined))
    const [sent, verified] = [api.sendTelemetry.calls.length, api.verify.calls.length]
    const second = reopen(first, stage)
    expect(settingsOf(second)).toEqual({ ...defaultSettings(stage), ...allProtectionsOff })
    expect(second.app.state$.value.settings).toMatchObject({
      status: 'fail',
      errors: [{ kind: 'storage', action: 'read' }],
    })
    expect(api.verify.calls).toHaveLength(verified)
    expect(statusOf(second)).toBe('signedOut')
    signIn(second)
    expect(statusOf(second)).toBe('success')
    expect(api.sendTelemetry.calls).toHaveLength(sent)
    expect(told(second, 'insertion/defaultDue')).toBe(0)
    // It is unknown what a change would overwrite.
    change(second, { enableTelemetry: true })
    expect(settingsOf(second).enableTelemetry).toBe(false)
    expect(second.app.state$.value.settings.errors.at(-1)).toEqual({ kind: 'storage', action: 'write' })

    storage.persistent.get.answers((mailbox) => of(storage.persistent.content()[mailbox] ?? null))
    signOut(second)
    signIn(second)
    expect(settingsOf(second)).toMatchObject({ enableTelemetry: true, enableSignaturePush: true })
    expect(api.sendTelemetry.calls).toHaveLength(sent + 1)
    expect(told(second, 'insertion/defaultDue')).toBe(1)
  })

  it('[SET-3] a choice that storage refuses changes nothing, and the settings are not written', () => {
    const pane = open(stage)
    const { persistent, privateRoaming } = pane.ports.storage
    const settings = privateRoaming(`user of ${ALEX}`)
    change(pane, { enableSilentSSO: false })
    const before = [persistent.content(), settings.content()]
    const values = settingsOf(pane)
    persistent.set.answers(of('refused'))
    change(pane, { enableTelemetry: false })
    expect([persistent.content(), settings.content()]).toEqual(before)
    expect(settingsOf(pane)).toEqual(values)
  })

  it('[SET-3] a choice that is kept is taken back when the settings are refused', () => {
    const pane = open(stage)
    const { persistent, privateRoaming } = pane.ports.storage
    change(pane, { enableSilentSSO: false })
    const before = persistent.content()
    const values = settingsOf(pane)
    privateRoaming(`user of ${ALEX}`).set.answers(of('refused'))
    change(pane, { enableTelemetry: false, enableSilentSSO: true })
    expect(persistent.content()).toEqual(before)
    expect(settingsOf(pane)).toEqual(values)
    expect(pane.app.state$.value.settings.status).toBe('fail')
  })

  it('[SET-3] where only memory works, a choice holds until the pane is closed, and the pane knows it', () => {
    const pane = open(stage)
    pane.ports.storage.persistent.set.answers(of('untilClosed'))
    expect(selectSwitchOutlivesPane(pane.app.state$.value, 'enableTelemetry')).toBe(true)
    change(pane, { enableTelemetry: false })
    expect(settingsOf(pane).enableTelemetry).toBe(false)
    expect(selectSwitchOutlivesPane(pane.app.state$.value, 'enableTelemetry')).toBe(false)
  })

  it('[SET-3] a reset switches everything on again, for the next pane too', () => {
    const first = open(stage)
    change(first, allProtectionsOff)
    expect(settingsOf(first)).toMatchObject(allProtectionsOff)
    first.app.record(Settings.resetRequested())
    first.clock.advance(100)
    expect(settingsOf(first)).toEqual(defaultSettings(stage))
    const second = reopen(first, stage)
    expect(settingsOf(second)).toEqual(defaultSettings(stage))
    expect(isSilent(second)).toBe(true)
  })

  it('[SET-5] belongs to a mailbox: the next person of this device in another one has everything on', () => {
    const first = open(stage)
    change(first, allProtectionsOff)
    first.mailbox.act({ type: 'choosePerson', address: MARIA })
    const sent = first.ports.api.sendTelemetry.calls.length
    const hers = reopen(first, stage)
    expect(hers.app.state$.value.auth).toMatchObject({ session: { email: expect.stringMatching(/maria/i) } })
    expect(isSilent(hers)).toBe(true)
    expect(settingsOf(hers)).toEqual(defaultSettings(stage))
    expect(hers.ports.api.sendTelemetry.calls).toHaveLength(sent + 1)
    change(hers, { enableTelemetry: false })
    hers.mailbox.act({ type: 'choosePerson', address: ALEX })
    const his = reopen(hers, stage)
    expect(isSilent(his)).toBe(false)
    expect(settingsOf(his)).toMatchObject(allProtectionsOff)
  })

  it('[SET-5] belongs to a person: another one in the same mailbox signs in to settings of their own', () => {
    const first = open(stage)
    change(first, allProtectionsOff)
    const second = reopen(first, stage)
    second.ports.api.verify.answers(() =>
      of(verification({ email: ALEX, userId: 'u-temp', expiresAt: START + 24 * HOUR_MS })),
    )
    // Until a user signed in, it may be the first user.
    expect(isSilent(second)).toBe(false)
    signIn(second)
    expect(settingsOf(second)).toEqual(defaultSettings(stage))
    change(second, { enableSilentSSO: false })
    change(second, { enableSilentSSO: true })
    expect(first.ports.storage.persistent.content()[ALEX]).toEqual({ [`user of ${ALEX}`]: allProtectionsOff })
  })

  it('[SET-5] belongs to a person: a session that goes on has the choices of its own user, also when it is found after the choices', () => {
    const first = open(stage)
    change(first, { enableTelemetry: false, enableSignaturePush: false })
    signOut(first)
    first.ports.api.verify.answers(() =>
      of(verification({ email: ALEX, userId: 'u-temp', expiresAt: START + 24 * HOUR_MS })),
    )
    signIn(first)
    expect(settingsOf(first)).toEqual(defaultSettings(stage))
    const { session: stored } = first.ports.storage
    stored.get.answers((key) =>
      timer(300, first.clock.scheduler).pipe(map(() => stored.content()[key] ?? null)),
    )
    const second = reopen(first, stage, 'same')
    expect(statusOf(second)).toBe('success')
    expect(settingsOf(second)).toEqual(defaultSettings(stage))
  })

  it('[SET-3] a change that still waits when the session ends is dropped, and so is what is no switch', () => {
    const pane = open(stage)
    const { persistent } = pane.ports.storage
    persistent.set.answers(() => timer(500, pane.clock.scheduler).pipe(map(() => 'kept' as const)))
    pane.app.record(Settings.updateRequested({ changes: { enableSilentSSO: false } }))
    pane.app.record(Settings.updateRequested({ changes: { enableEmbedImages: true } }))
    signOut(pane)
    expect(settingsOf(pane)).toEqual(defaultSettings(stage))
    expect(told(pane, 'settings/updated')).toBe(0)

    signIn(pane)
    const junk = { enableLogs: 'yes', other: true } as unknown as Partial<UserSettings>
    change(pane, junk)
    pane.clock.advance(1000)
    expect(told(pane, 'settings/updated')).toBe(1)
    expect(settingsOf(pane)).toEqual(defaultSettings(stage))
    expect(pane.app.state$.value.settings).not.toHaveProperty('other')
  })

  it('[SET-5] [AUTH-2] belongs to the mailbox, also when the account of the user has another address', () => {
    const first = open(stage)
    signOut(first)
    first.ports.api.verify.answers(() =>
      of(
        verification({
          email: 'a.kim@northwind.example',
          userId: 'u-alias',
          expiresAt: START + 24 * HOUR_MS,
        }),
      ),
    )
    signIn(first)
    change(first, { enableSilentSSO: false })
    expect(first.ports.storage.persistent.content()[ALEX]).toEqual({ 'u-alias': { enableSilentSSO: false } })
    expect(isSilent(reopen(first, stage))).toBe(false)
  })

  it('[SET-5] [TEL-1] telemetry is sent once the choices are read, when everything else is known before', () => {
    const first = open(stage)
    const { api, storage } = first.ports
    storage.persistent.get.answers(() => timer(500, first.clock.scheduler).pipe(map(() => null)))
    const sent = api.sendTelemetry.calls.length
    const second = reopen(first, stage)
    signOut(second)
    signIn(second)
    expect(told(second, 'telemetry/contextRestored')).toBeGreaterThan(0)
    second.clock.advance(5000)
    expect(api.sendTelemetry.calls).toHaveLength(sent + 2)
  })

  it('[SET-5] [TEL-1] nothing is sent of a session that ends before the choices are read', () => {
    const first = open(stage)
    const { api, analytics, storage } = first.ports
    signOut(first)
    storage.persistent.get.answers(() => timer(5000, first.clock.scheduler).pipe(map(() => null)))
    const counts = () => [api.sendTelemetry.calls.length, analytics.track.calls.length]
    const before = counts()
    signIn(first)
    expect(statusOf(first)).toBe('success')
    signOut(first)
    first.clock.advance(20_000)
    expect(counts()).toEqual(before)
  })

  it('[SET-6] junk among the choices is ignored', () => {
    for (const junk of [7, 'off', [], { u: 7, 'user of x': { enableTelemetry: 'no', enableLogs: false } }]) {
      const pane = open(stage, ({ ports }) => {
        ports.storage.persistent.set(ALEX, junk).subscribe()
      })
      expect(settingsOf(pane)).toEqual(defaultSettings(stage))
      expect(isSilent(pane)).toBe(true)
    }
  })

  it('[SET-5] off stays off through any days of changes, sign-outs, panes and mailboxes', () => {
    type Step = Partial<UserSettings> | 'signOut' | 'signIn' | 'reopen' | 'otherMailbox' | 'retry'
    const step: fc.Arbitrary<Step> = fc.oneof(
      fc.record(
        {
          enableTelemetry: fc.boolean(),
          enableSilentSSO: fc.boolean(),
          enableSignaturePush: fc.boolean(),
          enableEmbedImages: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
      fc.constantFrom<Step>('signOut', 'signIn', 'reopen', 'otherMailbox', 'retry'),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        let pane = open(stage)
        let mailbox = ALEX
        const off: Record<string, object> = { [ALEX]: {}, [MARIA]: {} }
        for (const each of steps) {
          if (each === 'signOut') signOut(pane)
          else if (each === 'signIn') signIn(pane)
          else if (each === 'reopen') pane = reopen(pane, stage)
          else if (each === 'retry') pane.app.record(App.retryRequested())
          else if (each === 'otherMailbox') {
            mailbox = mailbox === ALEX ? MARIA : ALEX
            pane.mailbox.act({ type: 'choosePerson', address: mailbox })
            pane = reopen(pane, stage)
          } else if (statusOf(pane) === 'success') {
            change(pane, each)
            const now = settingsOf(pane)
            off[mailbox] = Object.fromEntries(
              Object.keys(allProtectionsOff)
                .filter((name) => !now[name as keyof typeof allProtectionsOff])
                .map((name) => [name, false]),
            )
          }
          const { enableTelemetry, enableSilentSSO, enableSignaturePush } = settingsOf(pane)
          const on = { enableTelemetry: true, enableSilentSSO: true, enableSignaturePush: true }
          expect({ enableTelemetry, enableSilentSSO, enableSignaturePush }).toEqual({
            ...on,
            ...off[mailbox],
          })
        }
        pane.app.stop()
      }),
      { numRuns: 15 },
    )
  })
})

describe('the five other switches', () => {
  it('[SET-2] hold for the open pane only in production, and say so; the stored ones are not even read', () => {
    const first = open(production)
    change(first, { enableEmbedImages: true, enableVariablesResync: false })
    expect(settingsOf(first)).toMatchObject({ enableEmbedImages: true, enableVariablesResync: false })
    for (const name of Object.keys(settingsOf(first)) as (keyof UserSettings)[])
      expect(selectSwitchOutlivesPane(first.app.state$.value, name), name).toBe(name in allProtectionsOff)
    const area = first.ports.storage.privateRoaming(`user of ${ALEX}`)
    expect(area.content()).toHaveProperty(SETTINGS_KEY)
    const second = reopen(first, production)
    expect(settingsOf(second)).toEqual(defaultSettings(production))
    expect(area.get.calls).toEqual([])
  })

  it('[SET-2] last outside production, and none of them says otherwise', () => {
    const first = open(development)
    change(first, { enableEmbedImages: true })
    for (const name of Object.keys(settingsOf(first)) as (keyof UserSettings)[])
      expect(selectSwitchOutlivesPane(first.app.state$.value, name), name).toBe(true)
    expect(settingsOf(reopen(first, development)).enableEmbedImages).toBe(true)
  })

  it('[SET-2] of the last person are not used in another mailbox', () => {
    const first = open(development)
    change(first, { enableEmbedImages: true })
    first.mailbox.act({ type: 'choosePerson', address: MARIA })
    first.ports.api.verify.answers(failing({ kind: 'network' }))
    const hers = reopen(first, development)
    expect(statusOf(hers)).toBe('signedOut')
    expect(settingsOf(hers)).toEqual(defaultSettings(development))
  })
})
