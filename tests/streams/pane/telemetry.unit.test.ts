import { describe, expect, test } from 'vitest'
import { Auth } from '../../../streams/message/auth/events.ts'
import { evolveApp, initialState } from '../../../streams/pane/state.ts'
import { Settings } from '../../../streams/message/settings/events.ts'
import { type TelemetryPlatform, Telemetry } from '../../../streams/pane/telemetry/events.ts'
import {
  mergeContext,
  parseTelemetryContext,
  withLaunchResult,
} from '../../../streams/pane/telemetry/rules.ts'
import {
  selectMaySendTelemetry,
  selectSendsTelemetry,
  selectTelemetryPayload,
} from '../../../streams/pane/telemetry/selectors.ts'
import {
  analyticsRoles,
  trackOfDefault,
  trackOfInsertion,
  trackOfPlace,
  validTrack,
} from '../../../streams/pane/telemetry/track.ts'
import { freshState, profile, recorded, settingsLoaded, stateAfter } from '../../support/state.ts'

const platform: TelemetryPlatform = {
  package: { name: 'signet', version: '1.2.3' },
  context: { platform: 'PC', language: 'en' },
  beta: true,
  navigator: { userAgent: 'Test/1', language: 'en' },
}
const on = (name: string, over: object = {}) => ({ platform: name, language: 'en', ...over })
const [pc, mac] = [on('PC'), on('Mac')]

describe('where the user used Signet', () => {
  test.each([
    ['nothing', null, []],
    ['no list', { 0: pc, length: 1 }, []],
    ['a list', [pc, mac], [pc, mac]],
    ['an entry that is none', [null, 'PC', pc], [pc]],
    ['an entry without a platform', [{ language: 'en' }], []],
    ['an entry without a language', [{ platform: 'PC', language: 7 }], []],
    ['more than is known', [on('PC', { user: 'alex' })], [pc]],
    [
      'launches',
      ['went', 'failed', 'great', null].map((launch) => on('PC', { launch })),
      [on('PC', { launch: 'went' }), on('PC', { launch: 'failed' }), pc, pc],
    ],
  ])('is read from %s', (_, stored, expected) => {
    expect(parseTelemetryContext(stored)).toEqual(expected)
  })

  const went = { launch: 'went' } as const
  test.each([
    ['nothing new', [pc, mac], [], [pc, mac]],
    ['the same', [pc, mac], [mac, pc], [pc, mac]],
    ['another language', [pc, mac], [on('PC', { language: 'de' })], [on('PC', { language: 'de' }), mac]],
    ['another platform', [pc], [mac], [pc, mac]],
    ['nothing known', [], [pc], [pc]],
    [
      'no launch, with one that is known',
      [on('PC', went)],
      [on('PC', { language: 'de' })],
      [on('PC', { language: 'de', ...went })],
    ],
    ['a launch', [on('PC', { launch: 'failed' })], [on('PC', went)], [on('PC', went)]],
    ['one twice', [pc, mac, pc], [], [pc, mac]],
  ] as const)('is merged: %s', (_, known, added, expected) => {
    expect(mergeContext(known, added)).toEqual(expected)
  })

  test('is the same list when nothing is new', () => {
    const known = [pc, mac]
    expect(mergeContext(known, [])).toBe(known)
    expect(mergeContext(known, [mac])).toBe(known)
    expect(mergeContext(known, [{ ...mac }])).not.toBe(known)
  })

  test('has the result of a launch on its platform, once', () => {
    const known = [pc, mac]
    const [first, second] = withLaunchResult(known, 'Mac', 'already')
    expect([first, second]).toEqual([pc, { ...mac, ...went }])
    expect(first).toBe(pc)
    const again = withLaunchResult([on('PC', went)], 'PC', 'inserted')
    expect(again).toEqual([on('PC', went)])
    expect(withLaunchResult(known, undefined, 'failed')).toEqual(known)
    expect(withLaunchResult(known, 'Mac', 'none')).toEqual(known)
  })

  test('is the same state when an answer says nothing new', () => {
    const read = Telemetry.platformRead({ platform })
    const known = stateAfter(read, Telemetry.contextRestored({ context: [mac, pc] }))
    expect(known.telemetry.context).toEqual([mac, pc])
    for (const event of [
      Telemetry.contextRestored({ context: known.telemetry.context }),
      Telemetry.launchRead({ outcome: 'none' }),
    ])
      expect(evolveApp(known, recorded(event)).telemetry).toBe(known.telemetry)
    const more = evolveApp(known, recorded(Telemetry.contextRestored({ context: [mac, pc, on('iOS')] })))
    expect(more.telemetry.context).toEqual([mac, pc, on('iOS')])
    const signedOut = Auth.signedOut({ reason: { kind: 'person' }, userId: 'u-1' })
    expect(evolveApp(known, recorded(signedOut)).telemetry).toEqual({ platform, context: [platform.context] })
  })
})

describe('what is sent', () => {
  test('is nothing until the platform is known, and then all of it', () => {
    expect(selectTelemetryPayload(freshState())).toBeNull()
    const state = stateAfter(Telemetry.platformRead({ platform }), settingsLoaded({ enableLogs: true }))
    const payload = selectTelemetryPayload(state)
    expect(payload).toEqual({
      ...platform,
      context: [platform.context],
      settings: expect.anything() as unknown,
    })
    expect(payload?.settings).toMatchObject({ enableLogs: true, enableTelemetry: true })
  })

  test('is sent once the user’s settings are known, unless they switched it off', () => {
    const start = initialState({ production: true, beta: false })
    const loading = evolveApp(start, recorded(Settings.resetRequested()))
    expect(selectMaySendTelemetry(loading)).toBeNull()
    for (const enableTelemetry of [true, false]) {
      const state = stateAfter(settingsLoaded({ enableTelemetry }))
      expect([selectMaySendTelemetry(state), selectSendsTelemetry(state)]).toEqual([
        enableTelemetry,
        enableTelemetry,
      ])
    }
  })
})

describe('an event of analytics', () => {
  const user = profile()
  test.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['task_pane_open', {}, true],
    ['edit_profile', {}, true],
    ['disconnect', {}, true],
    ['signatures_opened', { folder: 'delegations' }, true],
    ['signatures_opened', { folder: 'other' }, true],
    ['signatures_opened', { folder: 'Sales' }, false],
    ['signatures_opened', {}, false],
    ['signatures_opened', { folders: 'other' }, false],
    ['signatures_opened', { folder: 'other', more: 'other' }, false],
    ['change_signature', { action: 'default_signature' }, true],
    ['change_signature', { action: 'manual_signature' }, true],
    ['change_signature', { action: 'c-standard' }, false],
    ['change_signature', { constructor: 'manual_signature' }, false],
    ['task_pane_open', { folder: 'other' }, false],
    ['constructor', {}, false],
    ['alex', {}, false],
  ])('%s with %o is sent: %s', (name, parameters, isSent) => {
    const sent = { name, userId: 'u-alex', parameters: { role: 'user', ...parameters } }
    expect(validTrack(name, parameters, user)).toEqual(isSent ? sent : null)
  })

  test.each([...analyticsRoles.map((role) => [role, true] as const), ['owner', false], ['', false]] as const)(
    'has a role of the catalogue: %s',
    (role, isSent) => {
      expect(validTrack('disconnect', { role }, user)?.parameters).toEqual(isSent ? { role } : undefined)
    },
  )

  test('has the role by the profile, and is not sent without one', () => {
    expect(validTrack('disconnect', {}, profile({ isAdmin: true }))?.parameters).toEqual({ role: 'admin' })
    expect(validTrack('disconnect', {}, null)).toBeNull()
    expect(validTrack('disconnect', {}, profile({ id: '' }))).toBeNull()
  })

  const changed = (action: string) => ({ name: 'change_signature', parameters: { action } })
  test.each([
    [{ kind: 'default' }, changed('default_signature')],
    [{ kind: 'entry', entryId: 'user-1-0-master' }, changed('manual_signature')],
    [{ kind: 'none' }, changed('manual_signature')],
    [{ kind: 'previous' }, null],
  ] as const)('follows an insertion of %o', (target, expected) => {
    expect(trackOfInsertion(target)).toEqual(expected)
    expect(trackOfDefault).toEqual(changed('default_signature'))
  })

  test.each([
    ['/app/settings/variables', { name: 'edit_profile', parameters: {} }],
    ['/app/settings/attributes', null],
    ['/app/signatures/delegations', { name: 'signatures_opened', parameters: { folder: 'delegations' } }],
    ['/app/signatures/main', { name: 'signatures_opened', parameters: { folder: 'other' } }],
    ['/app/signatures/Sales', { name: 'signatures_opened', parameters: { folder: 'other' } }],
    ['/app/dashboard', null],
    ['/nowhere', null],
  ])('follows the way to %s', (path, expected) => {
    expect(trackOfPlace(path)).toEqual(expected)
  })
})
