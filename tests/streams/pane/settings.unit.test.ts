import { describe, expect, test } from 'vitest'
import type { AppEvent } from '../../../streams/pane/events.ts'
import { type AppState, evolveApp, initialState } from '../../../streams/pane/state.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { Settings } from '../../../streams/message/settings/events.ts'
import {
  mergeStoredSettings,
  onlySwitches,
  SETTINGS_KEY,
  toUserSettings,
} from '../../../streams/pane/settings/rules.ts'
import {
  selectLogLevel,
  selectSwitchOutlivesPane,
  selectSettings,
} from '../../../streams/pane/settings/selectors.ts'
import { defaultSettings, type UserSettings } from '../../../streams/message/settings/settings.ts'
import {
  persistentChoicesOf,
  isProtection,
  parseMailboxChoices,
  persistentChoicesIn,
  withUserChoices,
} from '../../../streams/pane/settings/persistent.ts'
import { freshState, recorded, settingsLoaded, stateAfter } from '../../support/state.ts'

const stage = { production: false, beta: false }
const defaults = defaultSettings(stage)
const off = { enableTelemetry: false, enableSilentSSO: false, enableSignaturePush: false }
const network: Failure = { kind: 'network' }
const after = (state: AppState, ...events: readonly AppEvent[]): AppState =>
  events.reduce((reached, event, seq) => evolveApp(reached, recorded(event, seq)), state)

describe('[SET-6] the stored switches', () => {
  test.each<[string, unknown, Partial<UserSettings>, readonly string[]]>([
    ['nothing', null, {}, []],
    ['an empty record', {}, {}, []],
    [
      'a record',
      { enableLogs: false, enableEmbedImages: true },
      { enableLogs: false, enableEmbedImages: true },
      [],
    ],
    ['the JSON of an older version', '{"enableTelemetry":false}', { enableTelemetry: false }, []],
    ['the JSON of such JSON', JSON.stringify('{"enableLogs":false}'), { enableLogs: false }, []],
    ['a text that is no JSON', '{', {}, ['record']],
    ['the JSON of nothing', 'null', {}, ['record']],
    ['a list', [true], {}, ['record']],
    ['a number', 7, {}, ['record']],
    [
      'a value of another type',
      { enableLogs: 'no', enableTelemetry: false },
      { enableTelemetry: false },
      ['enableLogs'],
    ],
    [
      'unknown names',
      { alex: true, kim: false, enableLogs: false },
      { enableLogs: false },
      ['unknown', 'unknown'],
    ],
  ])('are read from %s', (_, stored, over, ignored) => {
    expect(mergeStoredSettings(stored, stage)).toEqual({ settings: { ...defaults, ...over }, ignored })
  })

  test('have a key of the specification', () => {
    expect(SETTINGS_KEY).toBe('lsi_addin_settings')
  })

  test('are changed by switches alone', () => {
    const changes = { enableLogs: false, enableTelemetry: true, enableSilentSSO: 'no', alex: true }
    expect(onlySwitches(changes as unknown as Partial<UserSettings>)).toEqual({
      enableLogs: false,
      enableTelemetry: true,
    })
  })

  test('are the eight, without the rest of the state', () => {
    const { settings } = stateAfter(settingsLoaded({ enableEmbedImages: true }))
    const expected = { ...defaultSettings({ production: true, beta: false }), enableEmbedImages: true }
    expect(toUserSettings(settings)).toEqual(expected)
    expect(selectSettings(stateAfter(settingsLoaded({ enableEmbedImages: true })))).toEqual(expected)
  })
})

describe('[SET-5] what is switched off for good', () => {
  test('is what protects a person, and only off', () => {
    expect(persistentChoicesIn({ ...defaults, ...off, enableLogs: false })).toEqual(off)
    expect(persistentChoicesIn(defaults)).toEqual({})
    expect(persistentChoicesIn({ enableTelemetry: 0, enableSilentSSO: null })).toEqual({})
    expect((Object.keys(defaults) as (keyof UserSettings)[]).filter(isProtection)).toEqual(Object.keys(off))
  })

  test.each<[unknown, unknown]>([
    [null, {}],
    ['off', {}],
    [[{ enableTelemetry: false }], {}],
    [{ 'u-1': null, 'u-2': 'off', 'u-3': [], 'u-4': {} }, { 'u-4': {} }],
    [{ 'u-1': { enableTelemetry: false, enableLogs: false } }, { 'u-1': { enableTelemetry: false } }],
  ])('is read from %o', (stored, expected) => {
    expect(parseMailboxChoices(stored)).toEqual(expected)
  })

  test.each<[string | null, object]>([
    ['u-1', { enableTelemetry: false }],
    ['u-2', { enableSilentSSO: false }],
    ['u-3', {}],
    [null, { enableTelemetry: false, enableSilentSSO: false }],
  ])('is that of %s; without a user, that of all', (userId, expected) => {
    const mailbox = { 'u-1': { enableTelemetry: false }, 'u-2': { enableSilentSSO: false } } as const
    expect(persistentChoicesOf(mailbox, userId)).toEqual(expected)
  })

  test('takes the place of what the same user chose before, and leaves no trace once all is on', () => {
    const other = { 'u-2': { enableSilentSSO: false } } as const
    const before = { ...other, 'u-1': { enableTelemetry: false } } as const
    expect(withUserChoices(before, 'u-1', { ...defaults, enableSignaturePush: false })).toEqual({
      ...other,
      'u-1': { enableSignaturePush: false },
    })
    expect(withUserChoices(before, 'u-1', defaults)).toEqual(other)
    expect(withUserChoices({}, 'u-1', { ...defaults, ...off })).toEqual({ 'u-1': off })
  })
})

describe('a change of the settings', () => {
  const updated = (lasting: boolean, changes: Partial<UserSettings> = { enableLogs: false }) =>
    Settings.updated({ changes, lasting })

  test('is pending until it is made, and says whether it lasts', () => {
    const asked = after(freshState(), Settings.updateRequested({ changes: { enableLogs: true } }))
    expect(asked.settings).toEqual({ ...freshState().settings, status: 'pending' })
    expect(after(asked, updated(false, { enableLogs: true })).settings).toEqual({
      ...freshState().settings,
      status: 'success',
      enableLogs: true,
      lasting: false,
    })
    expect(after(asked, updated(false), updated(true)).settings.lasting).toBe(true)
    expect(after(freshState(), Settings.resetRequested()).settings.status).toBe('pending')
  })

  test('that fails leaves the switches, and adds to the errors until they are cleared', () => {
    const failed = Settings.updateFailed({ failure: network })
    const twice = after(freshState(), settingsLoaded({ enableLogs: true }), failed, failed)
    expect(twice.settings).toMatchObject({ enableLogs: true, status: 'fail', errors: [network, network] })
    expect(after(twice, Settings.errorsCleared()).settings).toMatchObject({ enableLogs: true, errors: [] })
    const without = freshState()
    expect(after(without, Settings.errorsCleared())).toBe(without)
  })

  test('is undone by a sign-out, but for what was switched off for good', () => {
    const failed = Settings.updateFailed({ failure: network })
    const changes = { enableLogs: true, enableTelemetry: false, enableEmbedImages: true }
    const loaded = after(freshState(), settingsLoaded(changes), updated(false, {}), failed)
    const signedOut = Auth.signedOut({ reason: { kind: 'person' }, userId: 'u-1' })
    expect(after(loaded, signedOut).settings).toEqual({ ...freshState().settings, enableTelemetry: false })
  })

  test.each<[boolean, boolean, readonly boolean[]]>([
    [false, true, [true, true]],
    [false, false, [false, false]],
    [true, true, [true, false]],
    [true, false, [false, false]],
  ])(
    'outlives the pane: in production %s, stored %s: a protection, another switch',
    (production, lasting, expected) => {
      const state = after(initialState({ production, beta: false }), updated(lasting))
      expect([
        selectSwitchOutlivesPane(state, 'enableTelemetry'),
        selectSwitchOutlivesPane(state, 'enableLogs'),
      ]).toEqual(expected)
    },
  )

  test.each([
    [true, 'trace'],
    [false, 'error'],
  ] as const)('decides what the log shows: %s', (enableLogs, level) => {
    expect(selectLogLevel(stateAfter(settingsLoaded({ enableLogs })))).toBe(level)
  })
})
