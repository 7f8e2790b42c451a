import { concat, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { readLaunchFacts, storeLaunchFacts } from '../../../effects/pane/launchFacts.ts'
import { loadSettings, logSettingsErrors, updateSettings } from '../../../effects/pane/settings.ts'
import { storePersistentChoices, readPersistentChoices } from '../../../effects/pane/persistentChoices.ts'
import { App, type AppEvent } from '../../../streams/pane/events.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { LAUNCH_FACTS_KEY, parseLaunchFacts } from '../../../streams/launch/facts.ts'
import { Settings } from '../../../streams/message/settings/events.ts'
import { defaultSettings, type UserSettings } from '../../../streams/message/settings/settings.ts'
import { createClock } from '../../support/clock.ts'
import { type Marbles, withMarbles } from '../../support/marbles.ts'
import { failing, type FakePorts, fakePorts } from '../../support/ports.ts'
import { hostUser, session, settingsLoaded, verification } from '../../support/state.ts'

const MAILBOX = 'alex.kim@northwind.example'
const KEY_OF_FACTS = `${MAILBOX} ${LAUNCH_FACTS_KEY}`
const recovered = Auth.sessionRecovered({ session: session() })
const verified = Auth.verified(verification())
const signedOut = Auth.signedOut({ reason: { kind: 'person' }, userId: 'u-alex' })
const defaults = defaultSettings({ production: true, beta: false })
const off = { enableSignaturePush: false } as const
const failedTo = (action: 'read' | 'write') => ({ kind: 'storage', action }) as const
const withRoaming = (ports: FakePorts, facts: object): FakePorts => ({
  ...ports,
  host: { ...ports.host, roaming: { [LAUNCH_FACTS_KEY]: facts } },
})

describe('loading the settings', () => {
  const load = (
    marbles: string,
    expected: string,
    {
      loaded = {},
      prepare = () => undefined,
      given = [],
    }: Readonly<{
      loaded?: Partial<UserSettings>
      prepare?: (ports: Marbles['ports']) => unknown
      given?: readonly AppEvent[]
    }> = {},
  ) => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      prepare(ports)
      const events = {
        s: App.started(),
        v: verified,
        r: recovered,
        x: signedOut,
        u: Settings.updated({ changes: {}, lasting: true }),
      }
      expectEvents(react({ loadSettings }, hot(marbles, events), { given }), '^ 50ms !').toBe(expected, {
        l: settingsLoaded(loaded),
        f: Settings.loadFailed({ failure: failedTo('read') }),
      })
    })
  }

  test('[SET-2] is done at the start and with each session, in production with the defaults', () => {
    load('s-v-r', 'l-l-l')
  })

  test('does nothing else', () => {
    load('u', '')
  })

  test('[SET-5] brings what this user switched off for good', () => {
    load('v', 'l', {
      loaded: { enableTelemetry: false },
      prepare: ({ storage }) =>
        storage.persistent
          .set(MAILBOX, { 'u-alex': { enableTelemetry: false }, 'u-maria': { enableSilentSSO: false } })
          .subscribe(),
    })
  })

  test('fails where the choices cannot be read', () => {
    load('v', 'f', { prepare: ({ storage }) => storage.persistent.get.answers(of(undefined)) })
  })

  test('ends with the session', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents }) => {
      ports.storage.persistent.get.answers(cold('5ms (n|)', { n: null }))
      expectEvents(react({ loadSettings }, hot('v-x', { v: verified, x: signedOut })), '^ 50ms !').toBe('')
    })
  })
})

describe('what is switched off for good in a mailbox', () => {
  const read = (
    user: Parameters<typeof readPersistentChoices>[1],
    facts: object | null,
    prepare: (ports: FakePorts) => unknown = () => undefined,
  ) => {
    const fakes = fakePorts(createClock())
    prepare(fakes)
    const seen: unknown[] = []
    readPersistentChoices(facts ? withRoaming(fakes, facts) : fakes, user).subscribe({
      next: (value) => seen.push(value),
      error: (error: unknown) => seen.push(error),
    })
    return seen
  }
  const alex = { userId: 'u-alex', email: MAILBOX }
  const facts = { off: true, userId: 'u-alex', at: 1 }

  test.each<[string, Parameters<typeof readPersistentChoices>[1], object | null, object]>([
    ['nothing', alex, null, {}],
    ['by this user on another device', alex, facts, off],
    ['by another user on another device', alex, { ...facts, userId: 'u-maria' }, {}],
    ['by any user, before one is known', null, facts, off],
    ['no longer', alex, { ...facts, off: false }, {}],
  ])('is %s', (_, user, told, expected) => {
    expect(read(user, told)).toEqual([expected])
  })

  test('is nothing where no mailbox is known, and cannot be read where storage fails', () => {
    const unknown = ({ host }: FakePorts) => {
      host.user.answers(of(null))
    }
    expect(read(null, null, unknown)).toEqual([{}])
    expect(read(null, facts, unknown)).toEqual([off])
    const [error] = read(alex, null, ({ storage }) => {
      storage.persistent.get.answers(of(undefined))
    })
    expect(error).toMatchObject({ failure: failedTo('read') })
  })

  const keep = (
    written: readonly ('kept' | 'untilClosed' | 'refused')[],
    next: 'kept' | 'untilClosed' | 'refused' = 'kept',
    prepare: (ports: FakePorts) => unknown = () => undefined,
  ) => {
    const fakes = fakePorts(createClock())
    const before = { 'u-alex': { enableTelemetry: false } }
    fakes.storage.persistent.get.answers(of(before))
    const [first = 'kept', ...rest] = written
    fakes.storage.persistent.set.answers(of(first), ...rest.map((each) => of(each)))
    prepare(fakes)
    let asked = 0
    const seen: unknown[] = []
    storePersistentChoices(fakes, alex, { ...defaults, ...off }, () => {
      asked += 1
      return of(next)
    }).subscribe((value) => seen.push(value))
    return { seen, asked, before, calls: fakes.storage.persistent.set.calls }
  }

  test.each([
    ['kept', 'kept', 'kept', 1],
    ['untilClosed', 'kept', 'untilClosed', 1],
    ['kept', 'untilClosed', 'untilClosed', 1],
    ['refused', 'kept', 'refused', 0],
  ] as const)('is %s before the settings, which are %s: %s', (written, next, expected, times) => {
    const { seen, asked, calls } = keep([written], next)
    expect([seen, asked]).toEqual([[expected], times])
    expect(calls).toEqual([[MAILBOX, { 'u-alex': off }]])
  })

  test('is as before where the settings are refused', () => {
    const { seen, before, calls } = keep(['kept'], 'refused')
    expect(seen).toEqual(['refused'])
    expect(calls).toEqual([
      [MAILBOX, { 'u-alex': off }],
      [MAILBOX, before],
    ])
  })

  test('is not overwritten where it cannot be read', () => {
    const { seen, asked, calls } = keep(['kept'], 'kept', ({ storage }) => {
      storage.persistent.get.answers(of(undefined))
    })
    expect([seen, asked, calls]).toEqual([['refused'], 0, []])
  })

  test('belongs to the address of the user where the mail client reports none', () => {
    const { calls } = keep(['kept'], 'kept', ({ host }) => {
      host.user.answers(of(hostUser({ email: '' })))
    })
    expect(calls.map(([key]) => key)).toEqual([MAILBOX])
  })
})

describe('a change of the settings', () => {
  const change = (changes: object) => Settings.updateRequested({ changes })

  test('[SET-3] is written, with the rest, and then made', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const given = [recovered, settingsLoaded({ enableEmbedImages: true })]
      const happening$ = hot('c-r', { c: change({ ...off, alex: true }), r: Settings.resetRequested() })
      expectEvents(react({ updateSettings }, happening$, { given })).toBe('u-d', {
        u: Settings.updated({ changes: off, lasting: true }),
        d: Settings.updated({ changes: defaults, lasting: true }),
      })
      afterwards(() => {
        expect(ports.storage.privateRoaming('u-alex').set.calls).toEqual([
          ['lsi_addin_settings', { ...defaults, enableEmbedImages: true, ...off }],
          ['lsi_addin_settings', defaults],
        ])
        expect(ports.storage.persistent.set.calls).toEqual([
          [MAILBOX, { 'u-alex': off }],
          [MAILBOX, {}],
        ])
      })
    })
  })

  test('[SET-3] holds until the pane is closed without a user, and stores nothing', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      expectEvents(
        react({ updateSettings }, hot('c', { c: change(off) }), { given: [settingsLoaded()] }),
      ).toBe('u', {
        u: Settings.updated({ changes: off, lasting: false }),
      })
      afterwards(() => {
        expect(ports.sent).toEqual([])
      })
    })
  })

  test.each(['refused', 'untilClosed'] as const)('[SET-3] that storage answers with %s', (written) => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      ports.storage.privateRoaming('u-alex').set.answers(of(written))
      const given = [recovered, settingsLoaded()]
      expectEvents(react({ updateSettings }, hot('c', { c: change(off) }), { given })).toBe('u', {
        u:
          written === 'refused'
            ? Settings.updateFailed({ failure: failedTo('write') })
            : Settings.updated({ changes: off, lasting: false }),
      })
    })
  })

  test('[SET-3] is made after the one before it, and not after the session', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      const slow = ports.storage.privateRoaming('u-alex')
      slow.set.answers(cold('9ms (k|)', { k: 'kept' as const }))
      const [a, b] = [change(off), change({ enableLogs: true })]
      const given = [recovered, settingsLoaded()]
      expectEvents(
        react({ updateSettings }, hot('ab 20ms abx', { a, b, x: signedOut }), { given }),
        '^ 90ms !',
      ).toBe('9ms u 8ms w', {
        u: Settings.updated({ changes: off, lasting: true }),
        w: Settings.updated({ changes: { enableLogs: true }, lasting: true }),
      })
      afterwards(() => {
        expect(slow.set.calls.map(([, value]) => (value as UserSettings).enableLogs)).toEqual([
          false,
          true,
          true,
        ])
        expect(slow.set.mostAtOnce()).toBe(1)
      })
    })
  })

  test('is logged where it fails, like the loading', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const happening$ = hot('l-u-s', {
        l: Settings.loadFailed({ failure: failedTo('read') }),
        u: Settings.updateFailed({ failure: failedTo('write') }),
        s: settingsLoaded(),
      })
      expectEvents(react({ logSettingsErrors }, happening$)).toBe('')
      afterwards(() => {
        expect(ports.log.lines).toEqual(
          ['settings/loadFailed', 'settings/updateFailed'].map((action) => ({
            level: 'error',
            action: 'settings_failed',
            detail: { action, kind: 'storage' },
          })),
        )
      })
    })
  })
})

describe('what launch events are told', () => {
  const told = (
    events: readonly AppEvent[],
    {
      given = [recovered, settingsLoaded()],
      roaming = {},
      prepare = () => undefined,
    }: Readonly<{
      given?: readonly AppEvent[]
      roaming?: object
      prepare?: (ports: FakePorts) => unknown
    }>,
    check: (facts: readonly unknown[], ports: FakePorts) => void,
  ) => {
    withMarbles(({ cold, react, ports, expectEvents, afterwards }) => {
      prepare(ports)
      const own = withRoaming(ports, roaming)
      const happening$ = concat(...events.map((event) => cold('5ms (e|)', { e: event })))
      expectEvents(
        react({ tellLaunchEvents: storeLaunchFacts }, happening$, { given, ports: own }),
        '^ 99ms !',
      ).toBe('')
      afterwards(() => {
        check(
          ports.host.saveRoaming.calls.map(([name, facts]) => {
            expect(name).toBe(LAUNCH_FACTS_KEY)
            return facts
          }),
          ports,
        )
        expect(ports.storage.persistent.set.calls).toEqual(
          ports.host.saveRoaming.calls.map(([, facts]) => [KEY_OF_FACTS, facts]),
        )
      })
    })
  }
  const nothing = parseLaunchFacts(null)
  const updated = Settings.updated({ changes: off, lasting: true })

  test.each<[string, AppEvent, object, readonly object[]]>([
    [
      'an insertion by itself that is switched off',
      updated,
      {},
      [{ ...nothing, off: true, userId: 'u-alex', at: 5 }],
    ],
    ['the same again', updated, { off: true, at: 1 }, []],
    [
      'one that is switched on',
      settingsLoaded(),
      { off: true, at: 1 },
      [{ ...nothing, userId: 'u-alex', at: 5 }],
    ],
    ['settings that say nothing new', settingsLoaded(), {}, []],
    ['a sign-out', signedOut, {}, [{ ...nothing, signedOutAt: 5, isSignedOut: true, at: 5 }]],
    [
      'a second sign-out',
      signedOut,
      { isSignedOut: true, off: true, signedOutAt: 1, at: 1 },
      [{ ...nothing, off: true, signedOutAt: 5, isSignedOut: true, at: 5 }],
    ],
    [
      'a sign-in after it',
      verified,
      { isSignedOut: true, signedOutAt: 1, at: 1 },
      [{ ...nothing, signedOutAt: 1, at: 5 }],
    ],
    ['any other sign-in', verified, { off: true, at: 1 }, []],
    [
      'a session that the service ended',
      Auth.signedOut({ reason: { kind: 'expired' }, userId: 'u-alex' }),
      {},
      [],
    ],
  ])('is %s', (_, event, roaming, expected) => {
    told([event], { roaming }, (facts) => {
      expect(facts).toEqual(expected)
    })
  })

  test('is nothing without a session, or without a mailbox', () => {
    told([updated], { given: [settingsLoaded()] }, (facts) => {
      expect(facts).toEqual([])
    })
    told([updated], { prepare: ({ host }) => host.user.answers(of(null)) }, (facts) => {
      expect(facts).toEqual([])
    })
  })

  test('that cannot be kept is logged', () => {
    told(
      [updated, signedOut],
      {
        prepare: ({ host }) =>
          host.saveRoaming.answers(failing({ kind: 'hostSilent', call: 'x' }), of(undefined)),
      },
      (facts, { log }) => {
        expect(facts).toHaveLength(2)
        expect(log.lines).toEqual([
          { level: 'warn', action: 'launch_facts_not_kept', detail: { kind: 'hostSilent' } },
        ])
      },
    )
  })

  test.each([
    ['this browser', 2, 1, false],
    ['the mailbox', 1, 2, true],
  ])('is read from %s, where that is later', (_, inBrowser, inMailbox, expected) => {
    const fakes = fakePorts(createClock())
    fakes.storage.persistent.set(KEY_OF_FACTS, { off: false, at: inBrowser }).subscribe()
    const ports = withRoaming(fakes, { off: true, at: inMailbox })
    const seen: unknown[] = []
    readLaunchFacts(MAILBOX, ports).subscribe((facts) => seen.push(facts.off))
    readLaunchFacts(null, ports).subscribe((facts) => seen.push(facts.off))
    expect(seen).toEqual([expected, true])
  })
})
