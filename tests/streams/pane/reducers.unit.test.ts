import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LoggedEvent } from '../../../streams/pane/events.ts'
import { type AppState, evolveApp } from '../../../streams/pane/state.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { configuration } from '../../../streams/pane/configuration/reducer.ts'
import { defaults } from '../../../streams/pane/defaults/reducer.ts'
import { defaultSignatureOf } from '../../../streams/message/defaults/rules.ts'
import { insertion } from '../../../streams/pane/insertion/reducer.ts'
import type { Recorded } from '../../../streams/kernel/event.ts'
import { wasBegunBy, loadedValue } from '../../../streams/kernel/load.ts'
import { createStore, replayLog } from '../../../streams/kernel/store.ts'
import { Locale } from '../../../streams/pane/locale/events.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { maintenance } from '../../../streams/pane/maintenance/reducer.ts'
import { picture } from '../../../streams/pane/picture/reducer.ts'
import { profile } from '../../../streams/pane/profile/reducer.ts'
import { selfTest } from '../../../streams/pane/selfTest/reducer.ts'
import { persistentChoicesIn } from '../../../streams/pane/settings/persistent.ts'
import { initialSettings } from '../../../streams/pane/settings/reducer.ts'
import { signatures } from '../../../streams/pane/signatures/reducer.ts'
import { subscription } from '../../../streams/pane/subscription/reducer.ts'
import { variables } from '../../../streams/pane/variables/reducer.ts'
import { eventData, eventOf, failure, logOfTypes, message } from '../../support/arbitraries.ts'
import { cases } from '../../support/cases.ts'
import { createClock } from '../../support/clock.ts'
import { deepFreeze, freshState, recorded, stateAfter, throughJson } from '../../support/state.ts'

beforeAll(() => {
  fc.configureGlobal({ ...fc.readConfigureGlobal(), ...cases(100, 2_000) })
})
afterAll(() => {
  fc.resetConfigureGlobal()
})

/** Most claims below are true of every state that a log leads to. */
const anyLog = logOfTypes()
const anyState = anyLog.map((log) => deepFreeze(replayLog(freshState(), evolveApp, log)))
/** The next event. */
const anyEvent = eventOf().map((event): Recorded<LoggedEvent> => deepFreeze(recorded(event, 40)))

/** Every object in a value, the value included. */
function partsOf(value: unknown, found = new Set<unknown>()): Set<unknown> {
  if (typeof value === 'object' && value !== null && !found.has(value)) {
    found.add(value)
    for (const part of Object.values(value)) partsOf(part, found)
  }
  return found
}

/** The paths where the new state has a new object with nothing new in it. Objects that came with the event are new. */
function needlesslyNew(before: unknown, after: unknown, given: ReadonlySet<unknown>, path = ''): string[] {
  if (before === after || given.has(after)) return []
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return []
  const old = before as Readonly<Record<string, unknown>>
  const fresh = after as Readonly<Record<string, unknown>>
  const keys = Object.keys(fresh)
  // Another insertion, not a change of the earlier one.
  if (fresh['id'] !== old['id']) return []
  if (keys.length === 0 || keys.some((key) => given.has(fresh[key]))) return []
  return keys.length === Object.keys(old).length && keys.every((key) => Object.is(old[key], fresh[key]))
    ? [path]
    : keys.flatMap((key) => needlesslyNew(old[key], fresh[key], given, `${path}/${key}`))
}

describe('every reducer', () => {
  test('accepts every event, changes no object that it is given, and never throws', () => {
    // Deeply frozen: a write would throw.
    fc.assert(
      fc.property(anyState, anyEvent, (state, event) => {
        const copy = throughJson(state)
        expect(Object.keys(evolveApp(state, event))).toEqual(Object.keys(state))
        expect(throughJson(state)).toEqual(copy)
      }),
      cases(400, 2_000),
    )
  })

  test.each(Object.keys(eventData) as LoggedEvent['type'][])('%s is handled', (type) => {
    fc.assert(
      fc.property(anyState, eventOf(type), (state, event) => {
        expect(evolveApp(state, recorded(event, 3))).toBeTypeOf('object')
      }),
      cases(20, 2_000),
    )
  })

  test('keeps the reference of every part that did not change', () => {
    fc.assert(
      fc.property(anyState, anyEvent, (state, event) => {
        // A page without objects makes the list no longer; signing out starts over.
        fc.pre(event.type !== 'signatures/pageLoaded' || event.data.page.objects.length > 0)
        fc.pre(event.type !== 'auth/signedOut')
        expect(needlesslyNew(state, evolveApp(state, event), partsOf(event))).toEqual([])
      }),
      cases(1_000),
    )
  })

  test('an event that is recorded twice has the effect of one', () => {
    const facts = eventOf(
      'app/retryRequested',
      'app/serviceReachable',
      'auth/sessionRecovered',
      'auth/verified',
      'chunks/loaded',
      'configuration/loaded',
      'defaults/loaded',
      'defaults/restored',
      'locale/languageFailed',
      'mailbox/itemChanged',
      'mailbox/messageRead',
      'mailbox/userRead',
      'maintenance/loaded',
      'picture/loaded',
      'profile/loaded',
      'router/navigated',
      'signatures/pageLoaded',
      'signatures/searched',
      'subscription/loaded',
      'variables/opened',
    )
    fc.assert(
      fc.property(anyState, facts, (state, event) => {
        const once = evolveApp(state, recorded(event, 40))
        // Where a page makes the list ask for the next one, a second page is the answer to that.
        fc.pre(
          event.type !== 'signatures/pageLoaded' ||
            !wasBegunBy(once.signatures[event.data.list].load, recorded(event, 40)),
        )
        expect(evolveApp(once, recorded(event, 41))).toEqual(once)
      }),
    )
  })

  test('a replay of the log gives the live state, also through JSON', () => {
    fc.assert(
      fc.property(fc.array(eventOf(), { maxLength: 40 }), (events) => {
        const store = createStore<AppState, LoggedEvent, null>({
          initial: freshState(),
          evolve: evolveApp,
          effects: {},
          deps: null,
          time: createClock(),
        })
        store.start()
        for (const event of events) store.record(event, 'test')
        expect(replayLog(freshState(), evolveApp, store.log)).toEqual(store.state$.value)
        expect(throughJson(replayLog(freshState(), evolveApp, throughJson(store.log)))).toEqual(
          throughJson(store.state$.value),
        )
      }),
    )
  })
})

describe('signing out', () => {
  test('leaves no data of the user in any slice that had some', () => {
    fc.assert(
      fc.property(anyState, eventData['auth/signedOut'], (state, data) => {
        const after = evolveApp(state, recorded(Auth.signedOut(data), 40))
        expect(after.auth).toMatchObject({ status: 'signedOut', reason: data.reason })
        // That edits are kept is shown only to the user who left.
        if (state.auth.status === 'success' || data.userId !== null)
          expect(after.auth).not.toHaveProperty('keptEdits')
        expect(after.profile).toEqual(profile.initial)
        // Answers that are still on their way belong to an earlier epoch.
        const { own, delegated } = signatures.initial
        expect(after.signatures).toEqual({
          ...signatures.initial,
          own: { ...own, epoch: state.signatures.own.epoch + 1 },
          delegated: { ...delegated, epoch: state.signatures.delegated.epoch + 1 },
        })
        expect(after.defaults).toEqual(defaults.initial)
        expect(after.insertion).toEqual(insertion.initial)
        expect(after.maintenance).toEqual(maintenance.initial)
        expect(after.variables).toEqual(variables.initial)
        expect(after.picture).toEqual(picture.initial)
        expect(after.selfTest).toEqual(selfTest.initial)
        expect(after.subscription).toEqual(subscription.initial)
        expect(after.configuration).toEqual(configuration.initial)
        // What was switched off for good is no data of the session.
        expect(after.settings).toEqual({
          ...initialSettings(state.settings.stage),
          ...persistentChoicesIn(state.settings),
        })
        expect(after.telemetry.context).toEqual(
          after.telemetry.platform ? [after.telemetry.platform.context] : [],
        )
      }),
    )
  })

  test('keeps what belongs to the mail client and the pane', () => {
    fc.assert(
      fc.property(anyState, eventData['auth/signedOut'], (state, data) => {
        const after = evolveApp(state, recorded(Auth.signedOut(data), 40))
        for (const slice of ['chunks', 'locale', 'mailbox', 'notifications', 'router'] as const)
          expect(after[slice]).toBe(state[slice])
      }),
    )
  })
})

describe('a request', () => {
  const requests = [
    {
      name: 'profile',
      ends: ['profile/loaded', 'profile/loadFailed'],
      status: ({ profile: load }: AppState) => load.status,
    },
    {
      name: 'configuration',
      ends: ['configuration/loaded', 'configuration/loadFailed'],
      status: ({ configuration: load }: AppState) => load.status,
    },
    {
      name: 'subscription',
      ends: ['subscription/loaded', 'subscription/loadFailed'],
      status: ({ subscription: load }: AppState) => load.status,
    },
    {
      name: 'default signature',
      ends: ['defaults/loaded', 'defaults/loadFailed'],
      status: ({ defaults: { load } }: AppState) => load.status,
    },
    {
      name: 'picture',
      ends: ['picture/loaded', 'picture/loadFailed'],
      status: ({ picture: { url } }: AppState) => url.status,
    },
    {
      name: 'variables',
      ends: ['variables/loaded', 'variables/loadFailed'],
      status: ({ variables: { load } }: AppState) => load.status,
    },
    {
      name: 'settings',
      ends: ['settings/loaded', 'settings/loadFailed'],
      status: ({ settings }: AppState) => settings.status,
    },
  ] as const

  test.each(requests)('for the $name is no longer pending after its answer', ({ ends, status }) => {
    fc.assert(
      fc.property(anyState, eventOf<LoggedEvent['type']>(...ends), (state, end) => {
        expect(status(evolveApp(state, recorded(end, 40)))).not.toBe('pending')
      }),
    )
  })

  test.each(['locale/languageChanged', 'locale/languageFailed'] as const)(
    'for a language is no longer pending after %s',
    (end) => {
      fc.assert(
        fc.property(anyState, eventOf(end), (state, answer) => {
          const asked = Locale.languageRequested({ language: answer.data.language })
          const { locale } = [asked, answer].reduce(
            (now, event) => evolveApp(now, recorded(event, 40)),
            state,
          )
          expect(locale.requested).toBeNull()
        }),
      )
    },
  )

  test.each([
    ['auth/verified', 'configuration/loadFailed', ({ configuration: load }: AppState) => loadedValue(load)],
    ['auth/verified', 'subscription/loadFailed', ({ subscription: load }: AppState) => loadedValue(load)],
    ['defaults/changeFailed', 'profile/loadFailed', ({ profile: load }: AppState) => loadedValue(load)],
    ['signatures/reloadDue', 'defaults/loadFailed', (state: AppState) => defaultSignatureOf(state.defaults)],
    [
      'signatures/nextPageRequested',
      'signatures/pageFailed',
      (state: AppState) => state.signatures.own.entries,
    ],
    ['variables/opened', 'picture/loadFailed', (state: AppState) => loadedValue(state.picture.url)],
    ['variables/opened', 'variables/loadFailed', (state: AppState) => state.variables.values],
    ['maintenance/ticked', 'maintenance/loadFailed', (state: AppState) => state.maintenance.status],
  ] as const)('that %s begins and %s ends keeps what was loaded before', (asked, failed, loaded) => {
    fc.assert(
      fc.property(anyState, eventOf(asked), eventOf(failed), (state, ask, fail) => {
        const after = [ask, fail].reduce((now, event) => evolveApp(now, recorded(event, 40)), state)
        expect(loaded(after)).toBe(loaded(state))
      }),
    )
  })
})

describe('the open item', () => {
  test('a message read from another item changes nothing', () => {
    fc.assert(
      fc.property(anyState, message, (state, read) => {
        const itemKey = 'item-elsewhere'
        const after = evolveApp(state, recorded(Mailbox.messageRead({ itemKey, message: read }), 40))
        expect(after).toBe(state)
      }),
    )
  })

  test('another item has nothing of the message before', () => {
    fc.assert(
      fc.property(anyState, eventData['mailbox/itemChanged'], (state, data) => {
        const after = evolveApp(state, recorded(Mailbox.itemChanged(data), 40))
        const { user, theme } = state.mailbox
        expect(after.mailbox).toEqual({ user, theme, item: data.item, message: null })
        const { interrupted } = after.insertion
        expect(after.insertion).toEqual({ ...insertion.initial, interrupted })
        expect(after.signatures.copy).toBeNull()
        expect(after.notifications.shownIn).toBeNull()
      }),
    )
  })
})

describe('the language in use', () => {
  test('is always a loaded one, and English is always loaded', () => {
    fc.assert(
      fc.property(
        logOfTypes(['locale/languageRequested', 'locale/languageChanged', 'locale/languageFailed']),
        (log) => {
          const { locale } = replayLog(freshState(), evolveApp, log)
          expect(locale.loaded).toContain('en')
          expect(locale.loaded).toContain(locale.language)
          expect(new Set(locale.loaded).size).toBe(locale.loaded.length)
        },
      ),
    )
  })

  test('is English after another language fails to load', () => {
    fc.assert(
      fc.property(
        anyState,
        fc.constantFrom('de' as const, 'fr' as const),
        failure,
        (state, language, why) => {
          const asked = evolveApp(
            state,
            recorded({ type: 'locale/languageRequested', data: { language } }, 40),
          )
          const { locale } = evolveApp(
            asked,
            recorded({ type: 'locale/languageFailed', data: { language, failure: why } }, 41),
          )
          expect(locale).toMatchObject({ language: 'en', requested: null })
        },
      ),
    )
  })

  test('is not one whose texts arrive after the user chose another; they are kept', () => {
    const { locale } = stateAfter(
      { type: 'locale/languageRequested', data: { language: 'de' } },
      { type: 'locale/displayLanguageRead', data: { language: 'fr' } },
      { type: 'locale/languageChanged', data: { language: 'de' } },
    )
    expect(locale).toEqual({ language: 'en', chosen: false, requested: 'fr', loaded: ['en', 'de'] })
  })
})
