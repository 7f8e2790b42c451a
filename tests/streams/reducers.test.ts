import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LoggedEvent } from '../../streams/app/events.ts'
import { type AppState, evolveApp } from '../../streams/app/state.ts'
import { Auth } from '../../streams/auth/events.ts'
import type { Recorded } from '../../streams/kernel/event.ts'
import { createStore, replay } from '../../streams/kernel/store.ts'
import { Locale } from '../../streams/locale/events.ts'
import { Mailbox } from '../../streams/mailbox/events.ts'
import { initialMaintenance } from '../../streams/maintenance/reducer.ts'
import { initialConfiguration } from '../../streams/configuration/reducer.ts'
import { initialPicture } from '../../streams/picture/reducer.ts'
import { initialProfile } from '../../streams/profile/reducer.ts'
import { initialSettings } from '../../streams/settings/reducer.ts'
import { initialSignatures } from '../../streams/signatures/reducer.ts'
import { initialSubscription } from '../../streams/subscription/reducer.ts'
import { initialVariables } from '../../streams/variables/reducer.ts'
import { eventData, eventOf, failure, logOfTypes, message } from '../support/arbitraries.ts'
import { createClock } from '../support/clock.ts'
import { deepFreeze, freshState, recorded, stateAfter, throughJson } from '../support/state.ts'

/** What has happened to whom: most of what follows is true of every state that a log leads to. */
const anyLog = logOfTypes()
const anyState = anyLog.map((log) => deepFreeze(replay(freshState(), evolveApp, log)))
/** What happens next. */
const anyEvent = eventOf().map((event): Recorded<LoggedEvent> => deepFreeze(recorded(event, 40)))

/** Everything that hangs on a value. */
function partsOf(value: unknown, found = new Set<unknown>()): Set<unknown> {
  if (typeof value === 'object' && value !== null && !found.has(value)) {
    found.add(value)
    for (const part of Object.values(value)) partsOf(part, found)
  }
  return found
}

/** Where the new state has an object of its own with nothing new in it. What came with the event is new. */
function needlesslyNew(before: unknown, after: unknown, given: ReadonlySet<unknown>, path = ''): string[] {
  if (before === after || given.has(after)) return []
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return []
  const old = before as Readonly<Record<string, unknown>>
  const fresh = after as Readonly<Record<string, unknown>>
  const keys = Object.keys(fresh)
  // Another insertion, not a change of the one before.
  if (fresh['id'] !== old['id']) return []
  if (keys.length === 0 || keys.some((key) => given.has(fresh[key]))) return []
  return keys.length === Object.keys(old).length && keys.every((key) => Object.is(old[key], fresh[key]))
    ? [path]
    : keys.flatMap((key) => needlesslyNew(old[key], fresh[key], given, `${path}/${key}`))
}

describe('every reducer', () => {
  test('knows every event, changes nothing that it is given, and never throws', () => {
    // Frozen through and through: a write would throw.
    fc.assert(
      fc.property(anyState, anyEvent, (state, event) => {
        const copy = throughJson(state)
        expect(Object.keys(evolveApp(state, event))).toEqual(Object.keys(state))
        expect(throughJson(state)).toEqual(copy)
      }),
      { numRuns: 400 },
    )
  })

  test.each(Object.keys(eventData) as LoggedEvent['type'][])('%s is handled', (type) => {
    fc.assert(
      fc.property(anyState, eventOf(type), (state, event) => {
        expect(evolveApp(state, recorded(event, 3))).toBeTypeOf('object')
      }),
      { numRuns: 20 },
    )
  })

  test('gives the same reference for everything that did not change', () => {
    fc.assert(
      fc.property(anyState, anyEvent, (state, event) => {
        // A page without objects lengthens the list by nothing; whoever signs out starts over.
        fc.pre(event.type !== 'signatures/pageLoaded' || event.data.page.objects.length > 0)
        fc.pre(event.type !== 'auth/signedOut')
        expect(needlesslyNew(state, evolveApp(state, event), partsOf(event))).toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })

  test('an event that is told twice has the effect of one', () => {
    const facts = eventOf(
      'auth/verified',
      'locale/languageFailed',
      'mailbox/itemChanged',
      'mailbox/messageRead',
      'mailbox/userRead',
      'maintenance/loaded',
      'maintenance/pollingStarted',
      'profile/loaded',
      'router/navigated',
      'signatures/cacheLoaded',
      'signatures/pageLoaded',
      'signatures/snapshotRestored',
    )
    fc.assert(
      fc.property(anyState, facts, (state, event) => {
        const once = evolveApp(state, recorded(event, 40))
        expect(evolveApp(once, recorded(event, 41))).toEqual(once)
      }),
    )
  })

  test('folding the log gives the live state, also after a journey through JSON', () => {
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
        expect(replay(freshState(), evolveApp, store.log)).toEqual(store.state$.value)
        expect(throughJson(replay(freshState(), evolveApp, throughJson(store.log)))).toEqual(
          throughJson(store.state$.value),
        )
      }),
    )
  })
})

describe('signing out', () => {
  test('leaves nothing of the person in any of the stores that knew them', () => {
    fc.assert(
      fc.property(anyState, eventData['auth/signedOut'], (state, data) => {
        const after = evolveApp(state, recorded(Auth.signedOut(data), 40))
        const { auth, profile, signatures, maintenance } = after
        expect(auth).toMatchObject({ status: 'signedOut', reason: data.reason })
        // That edits wait is told to nobody but who left.
        if (state.auth.status === 'success' || data.userId !== null)
          expect(auth).not.toHaveProperty('keptEdits')
        expect(profile).toEqual(initialProfile)
        // What is still on its way of their lists is of an earlier epoch.
        const { own, delegated } = initialSignatures
        expect(signatures).toEqual({
          ...initialSignatures,
          own: { ...own, epoch: state.signatures.own.epoch + 1 },
          delegated: { ...delegated, epoch: state.signatures.delegated.epoch + 1 },
        })
        expect(maintenance).toEqual(initialMaintenance)
        expect(after.variables).toEqual(initialVariables)
        expect(after.picture).toEqual(initialPicture)
        expect(after.subscription).toEqual(initialSubscription)
        expect(after.configuration).toEqual(initialConfiguration)
        expect(after.settings).toEqual(initialSettings(state.settings.stage))
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
        for (const slice of ['mailbox', 'locale', 'router'] as const) expect(after[slice]).toBe(state[slice])
      }),
    )
  })
})

describe('a call', () => {
  const calls = [
    {
      name: 'profile',
      ends: ['profile/loaded', 'profile/loadFailed'],
      status: ({ profile }: AppState) => profile.status,
    },
    {
      name: 'default signature',
      ends: ['signatures/cacheLoaded', 'signatures/cacheFailed'],
      status: ({ signatures }: AppState) => signatures.default.status,
    },
    {
      name: 'change of the default',
      ends: ['signatures/defaultChanged', 'signatures/defaultChangeFailed'],
      status: ({ signatures }: AppState) => signatures.defaultChange?.status,
    },
  ] as const

  test.each(calls)('for the $name is no longer pending once it was answered', ({ ends, status }) => {
    fc.assert(
      fc.property(anyState, eventOf(...ends), (state, end) => {
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
    ['profile/loadRequested', 'profile/loadFailed', ({ profile }: AppState) => profile.profile],
    ['signatures/cacheRequested', 'signatures/cacheFailed', (s: AppState) => s.signatures.default.signature],
    ['signatures/pageRequested', 'signatures/pageFailed', (s: AppState) => s.signatures.own.entries],
    ['maintenance/ticked', 'maintenance/loadFailed', ({ maintenance }: AppState) => maintenance.status],
  ] as const)('%s, and %s after it, keep what was loaded before', (asked, failed, loaded) => {
    fc.assert(
      fc.property(anyState, eventOf(asked), eventOf(failed), (state, ask, fail) => {
        const after = [ask, fail].reduce((now, event) => evolveApp(now, recorded(event, 40)), state)
        expect(loaded(after)).toBe(loaded(state))
      }),
    )
  })
})

describe('the open item', () => {
  test('what was read of another item changes nothing', () => {
    fc.assert(
      fc.property(anyState, message, (state, read) => {
        const itemKey = 'item-elsewhere'
        const after = evolveApp(state, recorded(Mailbox.messageRead({ itemKey, message: read }), 40))
        expect(after).toBe(state)
      }),
    )
  })

  test('another item knows nothing of the message before', () => {
    fc.assert(
      fc.property(anyState, eventData['mailbox/itemChanged'], (state, data) => {
        const { mailbox, signatures } = evolveApp(state, recorded(Mailbox.itemChanged(data), 40))
        const { user, theme } = state.mailbox
        expect(mailbox).toEqual({ user, theme, item: data.item, message: null })
        expect(signatures.inMessage).toBeNull()
        expect(signatures.insertion).toBeNull()
      }),
    )
  })
})

describe('the language in use', () => {
  test('is always one that is loaded, and English always is', () => {
    fc.assert(
      fc.property(
        logOfTypes(['locale/languageRequested', 'locale/languageChanged', 'locale/languageFailed']),
        (log) => {
          const { locale } = replay(freshState(), evolveApp, log)
          expect(locale.loaded).toContain('en')
          expect(locale.loaded).toContain(locale.language)
          expect(new Set(locale.loaded).size).toBe(locale.loaded.length)
        },
      ),
    )
  })

  test('a language that fails to load leaves English in use', () => {
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

  test('texts that come after another language was asked for are kept, not shown', () => {
    const { locale } = stateAfter(
      { type: 'locale/languageRequested', data: { language: 'de' } },
      { type: 'locale/languageRequested', data: { language: 'fr' } },
      { type: 'locale/languageChanged', data: { language: 'de' } },
    )
    expect(locale).toEqual({ language: 'en', chosen: false, requested: 'fr', loaded: ['en', 'de'] })
  })
})
