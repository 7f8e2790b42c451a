import { map, NEVER, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { RECIPIENTS_PAUSE_MS } from '../../../effects/message/defaults.ts'
import {
  completeLaunchEvents,
  followItem,
  type LaunchEffect,
  type LaunchPorts,
  limitLaunchTime,
  checkBeforeSending,
  pushDefault,
  readChangedParts,
  loadLaunchFacts,
  refreshDefault,
  restoreCachedDefault,
} from '../../../effects/launch/launch.ts'
import type { AppEvent } from '../../../streams/pane/events.ts'
import { App } from '../../../streams/message/lifecycle.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { contentHash } from '../../../streams/html/hash.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { createStore } from '../../../streams/kernel/store.ts'
import { Launch, type LaunchKind } from '../../../streams/launch/events.ts'
import { GUARD_RECORD_KEY, toGuardRecord } from '../../../streams/launch/record.ts'
import { SEND_LIMIT_MS } from '../../../streams/launch/rules.ts'
import { LAUNCH_FACTS_KEY } from '../../../streams/launch/facts.ts'
import { LAUNCH_RECORD_KEY, type LaunchRecord } from '../../../streams/launch/record.ts'
import { evolveLaunch, initialLaunchState, type LaunchAppState } from '../../../streams/launch/state.ts'
import { Mailbox, type Message } from '../../../streams/message/mailbox/events.ts'
import { noSenders, type Senders } from '../../../streams/message/senders/senders.ts'
import type { SignatureInMessage } from '../../../streams/message/signatures/signature.ts'
import { createClock } from '../../support/clock.ts'
import { failing, type FakePorts, fakePorts } from '../../support/ports.ts'
import {
  cachedSignature,
  compose,
  DAY_MS,
  hostUser,
  listedSignature,
  message,
  profile,
  recorded,
  replyVersion,
  session,
  verification,
  withoutMeta,
} from '../../support/state.ts'

const START = 100 * DAY_MS
const EMAIL = 'alex.kim@northwind.example'
const signature = cachedSignature()
const hash = contentHash(signature.html)
const senders: Senders = { ...noSenders, at: START, audiences: { 'c-standard': [] } }
const raised = (id: number, kind: LaunchKind = 'newMessage') => Launch.raised({ id, kind })
const opened = Mailbox.itemChanged({ item: compose('item-1') })
const read = (over: Partial<Message> = {}) =>
  Mailbox.messageRead({ itemKey: 'item-1', message: message(over) })
const on = Launch.factsRead({ off: false })
const noCopy = Launch.keptRead({ at: null })
const restored = (known = senders) => Defaults.restored({ signature, senders: known })
/** A copy whose default is empty, so that nothing is due. */
const restoredEmpty = (known = senders) =>
  Defaults.restored({ signature: cachedSignature({ html: '', reply: null }), senders: known })
const timeout: Failure = { kind: 'timeout' }

/** These effects in a store that has had the events `given`, all of them at its start. */
function start(
  effects: Readonly<Record<string, LaunchEffect>>,
  given: readonly AppEvent[] = [],
  change: (ports: FakePorts) => Partial<LaunchPorts> = () => ({}),
) {
  const clock = createClock(START)
  const fakes = fakePorts(clock)
  const completed: number[] = []
  const deps: LaunchPorts = {
    ...fakes,
    api: {
      ...fakes.api,
      user: () =>
        fakes.api
          .user()
          .pipe(map(({ delegations, metadata }) => ({ delegations, chosen: metadata.defaultSignature }))),
    },
    runtime: 'classic',
    launchText: ({ kind }) => ({ text: kind, button: 'Open' }),
    complete: (id) => completed.push(id),
    ...change(fakes),
  }
  const store = createStore<LaunchAppState, AppEvent, LaunchPorts>({
    initial: given.reduce(
      (state, event, index) => evolveLaunch(state, recorded(event, index - given.length, START)),
      initialLaunchState,
    ),
    evolve: evolveLaunch,
    effects,
    deps,
    time: clock,
  })
  store.start()
  const record = (...events: readonly AppEvent[]) => {
    for (const event of events) store.record(event, 'test')
  }
  /** What the effects recorded. */
  const told = () => store.log.filter(({ meta }) => meta.source !== 'test').map(withoutMeta)
  /** When they did, in milliseconds since the start. */
  const times = () =>
    store.log.filter(({ meta }) => meta.source !== 'test').map(({ meta }) => meta.at - START)
  return { clock, fakes, store, record, told, times, completed }
}

const withFacts =
  (facts: object) =>
  ({ host }: FakePorts): Partial<LaunchPorts> => ({
    host: { ...host, roaming: { [LAUNCH_FACTS_KEY]: facts } },
  })

describe('what the user switched off', () => {
  test.each([
    [{}, false],
    [{ off: true }, true],
    [{ isSignedOut: true }, true],
  ])('is read from the mailbox: %o', (facts, off) => {
    const { record, told } = start({ readFacts: loadLaunchFacts }, [], withFacts(facts))
    record(raised(1))
    expect(told()).toEqual([Launch.factsRead({ off })])
  })

  test('is read once for the events that are open, and again with the next', () => {
    const { record, told } = start({ readFacts: loadLaunchFacts })
    record(raised(1), raised(2, 'fromChanged'))
    expect(told()).toEqual([on])
    record(
      Launch.completed({ id: 1, outcome: 'none' }),
      Launch.completed({ id: 2, outcome: 'none' }),
      raised(3),
    )
    expect(told()).toEqual([on, on])
  })

  test('is read once the recipients no longer change', () => {
    const { clock, record, times } = start({ readFacts: loadLaunchFacts })
    record(raised(1, 'recipientsChanged'))
    clock.advance(RECIPIENTS_PAUSE_MS - 1)
    record(raised(2, 'recipientsChanged'))
    clock.advance(RECIPIENTS_PAUSE_MS)
    expect(times()).toEqual([2 * RECIPIENTS_PAUSE_MS - 1])
  })
})

describe('the item of a launch event', () => {
  const item = compose('item-1')
  const changed = (to: typeof item | null) => Mailbox.itemChanged({ item: to })

  test('is looked for every 150 ms, until the mail client reports it', () => {
    const { clock, fakes, record, told, times } = start({ followItem })
    record(App.started())
    clock.advance(299)
    fakes.host.item$.next(item)
    expect(told()).toEqual([])
    clock.advance(1)
    expect([told(), times()]).toEqual([[changed(item)], [300]])
  })

  test('is none where the mail client reports none in two seconds', () => {
    const { clock, record, told, times } = start({ followItem })
    record(App.started())
    clock.advance(60_000)
    expect([told(), times()]).toEqual([[changed(null)], [13 * 150]])
  })

  test('is none while another one is open', () => {
    const { fakes, record, told } = start({ followItem })
    fakes.host.item$.next(item)
    record(App.started())
    for (const other of [compose('item-2'), null, { ...item }]) fakes.host.item$.next(other)
    expect(told()).toEqual([changed(item), changed(null), changed(null), changed(item)])
  })
})

describe('the kept copy', () => {
  test('is restored, with the time of its making', () => {
    const { fakes, record, told } = start({ restoreCachedDefault })
    const value = { email: EMAIL, at: START - 5, signature, senders }
    fakes.storage.kept.set(EMAIL, { version: 1, value }).subscribe()
    record(App.started())
    expect(told()).toEqual([restored(), Launch.keptRead({ at: START - 5 })])
  })

  test('is told to be missing', () => {
    const { record, told } = start({ restoreCachedDefault })
    record(App.started())
    expect(told()).toEqual([noCopy])
  })
})

describe('what an event says has changed', () => {
  const sender = { address: 'sales@northwind.example', name: 'Sales desk' }
  const recipients = { to: [sender], cc: [] }
  const senderChanged = Mailbox.senderChanged({ itemKey: 'item-1', from: sender })
  const recipientsChanged = Mailbox.recipientsChanged({ itemKey: 'item-1', ...recipients })
  const begin = (...given: readonly AppEvent[]) => {
    const started = start({ readChanges: readChangedParts }, given)
    started.fakes.host.from.answers(of(sender))
    started.fakes.host.recipients.answers(of(recipients))
    return started
  }

  test.each<[LaunchKind, readonly AppEvent[]]>([
    ['newMessage', []],
    ['fromChanged', [senderChanged]],
    ['recipientsChanged', [recipientsChanged]],
  ])('is read alone: %s', (kind, expected) => {
    const { record, told, fakes } = begin(opened, read())
    record(raised(1, kind))
    expect(told()).toEqual(expected)
    const { from, recipients: asked } = fakes.host
    expect([...from.calls, ...asked.calls]).toEqual(expected.map(() => ['item-1']))
  })

  test('is read once the message is', () => {
    const { record, told } = begin(opened)
    record(raised(1, 'fromChanged'), raised(2, 'recipientsChanged'))
    expect(told()).toEqual([])
    record(read())
    expect(told()).toEqual([senderChanged, recipientsChanged])
  })

  test('is the recipients alone before the item is known: the sender is read with the message', () => {
    const { record, told } = begin()
    record(raised(1, 'fromChanged'), raised(2, 'recipientsChanged'), opened, read())
    expect(told()).toEqual([recipientsChanged])
  })

  test('leaves the sender read before, when the mail client does not tell the new one', () => {
    const { record, told, fakes } = begin(opened, read({ from: sender }))
    fakes.host.from.answers(of(null))
    record(raised(1, 'fromChanged'))
    expect(told()).toEqual([senderChanged])
  })

  test('is not read without an item', () => {
    const { record, told } = begin(Mailbox.itemChanged({ item: null }))
    record(raised(1, 'fromChanged'), raised(2, 'recipientsChanged'), opened, read())
    expect(told()).toEqual([])
  })
})

test.each<[string, readonly AppEvent[], AppEvent]>([
  ['the message', [on, restored()], read()],
  ['what is switched off', [read(), restored()], on],
  ['the cached default', [read(), on], restored()],
  [
    'the default of the service',
    [read(), on],
    Launch.refreshed({ kept: { email: EMAIL, at: START, signature, senders } }),
  ],
])('the default is due as soon as %s is known, too', (_, given, last) => {
  const { record, told } = start({ pushDefault }, [opened, ...given])
  record(last)
  expect(told()).toEqual([Insertion.defaultDue({ itemKey: 'item-1', hash })])
})

test('[AUTO-4] the time of each event is over after 40 seconds', () => {
  const { clock, record, told, times } = start({ limitTime: limitLaunchTime })
  record(raised(1))
  clock.advance(100)
  record(raised(2))
  clock.advance(60_000)
  expect(told()).toEqual([Launch.timeUp({ id: 1 }), Launch.timeUp({ id: 2 })])
  expect(times()).toEqual([40_000, 40_100])
})

describe('before a message leaves', () => {
  const guard = { signature: [[]], blocks: [] }
  const html = '<p>Alex Kim, Northwind Trading</p>'
  const guarded = Defaults.restored({ signature: cachedSignature({ html, guard }), senders })
  const effects = { look: checkBeforeSending, limitTime: limitLaunchTime, complete: completeLaunchEvents }
  const ready: readonly AppEvent[] = [opened, read(), on, Launch.keptRead({ at: START }), guarded]
  const begin = (prepare: (fakes: FakePorts) => unknown = () => undefined, given = ready) => {
    const asked: (readonly unknown[])[] = []
    const started = start(effects, given, () => ({ complete: (id, missing) => asked.push([id, missing]) }))
    started.fakes.host.body.answers(of('<p>Dear Tess</p>'))
    started.fakes.host.allSessionData.answers(of({}))
    prepare(started.fakes)
    started.record(raised(1, 'send'))
    return { ...started, asked }
  }
  const missing = [{ kind: 'signature', name: 'Standard' }] as const

  test('[MEET-6] asks about what is missing, after the item has a record of it', () => {
    const { asked, fakes } = begin()
    expect(asked).toEqual([[1, missing]])
    expect(fakes.host.setSessionData.calls).toEqual([
      ['item-1', GUARD_RECORD_KEY, toGuardRecord(missing, undefined)],
    ])
    expect(fakes.sent.filter(({ name }) => /^(?:api|identity|storage)\./.test(name))).toEqual([])
  })

  test.each<[string, (fakes: FakePorts) => unknown]>([
    ['the body fails', ({ host }) => host.body.answers(failing(timeout))],
    ['the body is not given', ({ host }) => host.body.answers(of(null))],
    ['the session data fail', ({ host }) => host.allSessionData.answers(failing(timeout))],
    ['there are no session data', ({ host }) => host.allSessionData.answers(of(null))],
    ['the record is not written', ({ host }) => host.setSessionData.answers(failing(timeout))],
    ['the user was asked', ({ host }) => host.allSessionData.answers(of({ [GUARD_RECORD_KEY]: '[]' }))],
    ['all is there', ({ host }) => host.body.answers(of(`<p>Dear Tess</p>${html}`))],
  ])('[MEET-6] lets the message go when %s', (_, prepare) => {
    const { asked, clock, times } = begin(prepare)
    expect(asked).toEqual([[1, []]])
    clock.advance(60_000)
    expect(asked).toHaveLength(1)
    expect(times().every((at) => at === 0 || at === SEND_LIMIT_MS)).toBe(true)
  })

  test.each<[string, (fakes: FakePorts) => unknown, readonly AppEvent[]]>([
    ['the body', ({ host }) => host.body.answers(NEVER), ready],
    ['the session data', ({ host }) => host.allSessionData.answers(NEVER), ready],
    ['the record', ({ host }) => host.setSessionData.answers(NEVER), ready],
    ['the item', () => undefined, ready.slice(1)],
    ['the message', () => undefined, [opened, ...ready.slice(2)]],
    ['the facts', () => undefined, ready.filter((each) => each !== on)],
    ['the kept copy', () => undefined, ready.slice(0, 3)],
  ])('[MEET-6] lets the message go after 2 s without %s', (_, prepare, given) => {
    const { asked, clock } = begin(prepare, given)
    clock.advance(1_999)
    expect(asked).toEqual([])
    clock.advance(1)
    expect(asked).toEqual([[1, []]])
    clock.advance(60_000)
    expect(asked).toHaveLength(1)
  })

  test('leaves no record of the event, and shows no notice', () => {
    const { fakes } = begin(undefined, [opened, read(), on, noCopy])
    expect(fakes.host.setSessionData.calls).toEqual([])
    expect(fakes.host.showLaunchNotice.calls).toEqual([])
  })

  test('reads the body as the type that it has, and not in an item without one', () => {
    const { fakes } = begin(undefined, [opened, read({ bodyType: 'text' }), ...ready.slice(2)])
    expect(fakes.host.body.calls).toEqual([['item-1', 'text']])
    expect(begin(undefined, [opened, read({ bodyType: null }), ...ready.slice(2)]).asked).toEqual([[1, []]])
  })

  test('reads what the user switched off at once', () => {
    const { record, told } = start({ readFacts: loadLaunchFacts })
    record(raised(1, 'send'))
    expect(told()).toEqual([on])
  })
})

describe('asking the service', () => {
  const ready = [raised(1), opened, read({ composeType: 'reply' }), on]
  /** Begins with the first event that says that there is no copy. */
  const ask = (given: readonly AppEvent[], prepare: (fakes: FakePorts) => unknown = () => undefined) => {
    const started = start({ refresh: refreshDefault }, given)
    prepare(started.fakes)
    started.record(noCopy)
    return started
  }
  const typesOf = (events: readonly AppEvent[]) => events.map(({ type }) => type.replace('launch/', ''))
  const kept = (over: object = {}) => ({ email: EMAIL, at: START, signature, senders, ...over })

  test('signs in silently once, reads and keeps the default, and is done', () => {
    const { fakes, record, told } = ask(ready, ({ api }) => {
      api.signatures.answers(of({ objects: [], total: 0, page: 1 }))
    })
    const noneRead = { ...noSenders, at: START, audiences: { 'c-standard': [] } }
    expect(told()).toEqual([
      Launch.refreshBegan(),
      Launch.signedIn({ session: session() }),
      Launch.refreshed({ kept: kept({ senders: noneRead }) }),
      Launch.stored(),
    ])
    record(noCopy)
    expect(fakes.identity.accessToken.calls).toEqual([
      [{ allowConsentPrompt: false, silent: true, loginHint: EMAIL }],
    ])
    expect(fakes.api.verify.calls).toMatchObject([[{ email: EMAIL }]])
    expect(fakes.api.signature.calls).toEqual([[{}]])
    expect(fakes.storage.kept.content()).toEqual({
      [EMAIL]: { version: 1, value: kept({ senders: noneRead }) },
    })
  })

  test('takes the default that came with the sign-in', () => {
    const brought = cachedSignature({ name: 'Brought' })
    const { fakes, told } = ask(ready, ({ api }) => {
      api.verify.answers(of({ ...verification(), signature: brought }))
    })
    expect(fakes.api.signature.calls).toEqual([])
    expect(told()).toContainEqual(
      expect.objectContaining({
        data: expect.objectContaining({
          kept: expect.objectContaining({ signature: brought }) as unknown,
        }) as unknown,
      }),
    )
  })

  const own = message().from
  test.each<[string, Partial<Message>, number]>([
    ['of the user, to no recipients', {}, 2],
    ['whose sender is unknown', { from: null }, 2],
    ['of the user in capitals', { from: { address: EMAIL.toUpperCase(), name: '' } }, 2],
    ['of another sender', { from: { address: 'sales@northwind.example', name: '' } }, 1],
    ['to a recipient', { to: own ? [own] : [] }, 1],
    ['to a recipient, and another in copy', { to: own ? [own] : [], cc: own ? [own] : [] }, 1],
    ['to a recipient in copy', { cc: own ? [own] : [] }, 1],
    ['that is a reply', { composeType: 'reply' }, 1],
    ['that is forwarded', { composeType: 'forward' }, 1],
  ])('brings the default before what decides on senders: a message %s', (_, over, times) => {
    const { told } = ask([raised(1), opened, read(over), on, restoredEmpty()])
    expect(typesOf(told() as AppEvent[]).filter((type) => type === 'refreshed')).toHaveLength(times)
  })

  test('brings the default once where no message is open any more', () => {
    const { record, told } = ask([raised(1), opened, read(), on], ({ api }) => {
      api.verify.answers(NEVER, of(verification()))
    })
    record(opened)
    expect(typesOf(told() as AppEvent[])).toEqual(['refreshBegan'])
  })

  test('waits four seconds for the sign-in', () => {
    const { clock, told, times } = ask(ready, ({ identity }) => {
      identity.accessToken.answers(NEVER)
    })
    clock.advance(60_000)
    const failure: Failure = { kind: 'hostSilent', call: 'auth.getAccessToken' }
    expect(told()).toEqual([Launch.refreshBegan(), Launch.refreshFailed({ failure })])
    expect(times()).toEqual([0, 4_000])
  })

  test('fails without an address', () => {
    const { fakes, told } = ask(ready, ({ host }) => {
      host.user.answers(of(hostUser({ email: '' })))
    })
    const failure: Failure = { kind: 'auth', code: 'email_missing' }
    expect(told()).toEqual([Launch.refreshBegan(), Launch.refreshFailed({ failure })])
    expect(fakes.identity.accessToken.calls).toEqual([])
  })

  test('fails where the service gives no default', () => {
    const { told } = ask(ready, ({ api }) => {
      api.signature.answers(failing(timeout))
    })
    expect(told().at(-1)).toEqual(Launch.refreshFailed({ failure: timeout }))
  })

  /** The senders of the copy that is kept in the end. */
  const sendersOf = ({ store }: ReturnType<typeof ask>) =>
    store.log.flatMap((event) => (event.type === 'launch/refreshed' ? [event.data.kept.senders] : [])).at(-1)

  test.each<[string, Partial<Senders>, boolean]>([
    ['are a day old', { at: START - DAY_MS }, true],
    ['are younger', { at: START - DAY_MS + 1 }, false],
    ['are of another default', { audiences: { 'c-other': [] } }, true],
  ])('reads the senders again where they %s', (_, over, isRead) => {
    const known = { ...senders, ...over }
    const asked = ask([...ready, restoredEmpty(known)])
    expect(asked.fakes.api.signatures.calls.length > 0).toBe(isRead)
    if (!isRead) expect(sendersOf(asked)).toBe(known)
  })

  test('reads the senders by the profile: whose signatures, and the choices', () => {
    const bySender = { 'sales@northwind.example': 'c-sales' }
    const asked = ask(ready, ({ api }) => {
      const defaultSignature = { master: 'c-standard', reply: null, bySender }
      api.user.answers(of(profile({ delegations: ['u-2'], metadata: { defaultSignature, others: {} } })))
      api.delegatedSignatures.answers(
        of({
          page: 1,
          total: 1,
          objects: [listedSignature({ email: 'sales@northwind.example', combinedIds: 'c-sales' })],
        }),
      )
    })
    expect(asked.fakes.api.delegatedSignatures.calls).toMatchObject([[{ userIds: ['u-2'] }]])
    expect(sendersOf(asked)).toMatchObject({ bySender, others: [{ combinedIds: 'c-sales' }] })
  })

  test.each([
    ['what was known', [restoredEmpty({ ...senders, at: 0 })], { ...senders, at: 0 }],
    ['nothing', [], noSenders],
  ])('keeps %s of the senders where they cannot be read, and logs it', (_, given, expected) => {
    const asked = ask([...ready, ...given], ({ api }) => {
      api.user.answers(failing(timeout))
    })
    expect(sendersOf(asked)).toEqual(expected)
    expect(asked.told().at(-1)).toEqual(Launch.stored())
    expect(asked.fakes.log.lines).toEqual([
      { level: 'warn', action: 'senders_not_read', detail: { kind: 'timeout' } },
    ])
  })

  test.each<[string, ReturnType<typeof cachedSignature>, number]>([
    ['has no reply version', cachedSignature({ reply: null }), 0],
    ['names its reply version', signature, 0],
    ['does not name its reply version', cachedSignature({ reply: replyVersion('<p>Alex</p>', null) }), 1],
  ])('asks for the profile where the default %s', (_, given, times) => {
    const { fakes } = ask([...ready, restoredEmpty()], ({ api }) => {
      api.signature.answers(of(given))
    })
    expect(fakes.api.user.calls).toHaveLength(times)
  })

  test('reads the profile once for both: the name of the reply version, and the senders', () => {
    const { fakes } = ask(ready, ({ api }) => {
      api.signature.answers(of(cachedSignature({ reply: replyVersion('<p>Alex</p>', null) })))
    })
    expect(fakes.api.user.calls).toHaveLength(1)
  })

  test('keeps a reply version without a name where that cannot be read', () => {
    const unnamed = cachedSignature({ reply: replyVersion('<p>Alex</p>', null) })
    const { store } = ask([...ready, restoredEmpty()], ({ api }) => {
      api.signature.answers(of(unnamed))
      api.user.answers(failing(timeout))
    })
    expect(store.state$.value.defaults.snapshot).toEqual(unnamed)
  })
})

describe('completing an event', () => {
  const ofInsertion = { id: -1, itemKey: 'item-1', target: { kind: 'default' } } as const
  const inserted: SignatureInMessage = {
    name: 'Standard',
    combinedIds: 'c-standard',
    hash,
    reason: { origin: 'default', composeType: 'newMail', reply: false },
  }
  const content = { html: signature.html, images: [] }
  const ready = [raised(1), opened, read(), on]
  const noneDue = [...ready, Launch.keptRead({ at: START - 7 })]
  const refreshFailed = Launch.refreshFailed({ failure: { kind: 'network' } })
  const offline = [...ready, noCopy, Launch.refreshBegan(), refreshFailed]
  /** The numbers of the events before the last are below -1. */
  const due = [
    ...ready,
    restored(),
    Launch.keptRead({ at: START }),
    Insertion.defaultDue({ itemKey: 'item-1', hash }),
  ]
  const heard = Mailbox.themeChanged({ theme: null })

  const finish = (
    given: readonly AppEvent[],
    before: Partial<LaunchRecord> | null = null,
    prepare: (fakes: FakePorts) => unknown = () => undefined,
  ) => {
    const started = start({ complete: completeLaunchEvents }, given)
    const whole = { outcome: 'none', at: 0, ms: 0, age: null, runtime: 'page', told: [], ...before }
    if (before) started.fakes.host.sessionData.answers(of(JSON.stringify(whole)))
    prepare(started.fakes)
    started.record(heard)
    const records = () =>
      started.fakes.host.setSessionData.calls.map(([itemKey, name, json]) => {
        expect([itemKey, name]).toEqual(['item-1', LAUNCH_RECORD_KEY])
        return JSON.parse(json) as LaunchRecord
      })
    const shown = () =>
      started.fakes.host.showLaunchNotice.calls.map(([, { text, button }]) => [text, button])
    return { ...started, records, shown }
  }

  test('leaves a record in the item, and then tells Outlook, once', () => {
    const { records, record, told, completed, shown } = finish(noneDue)
    record(heard)
    expect(records()).toEqual([{ outcome: 'none', at: START, ms: 0, age: 7, runtime: 'classic', told: [] }])
    expect(told()).toEqual([Launch.completed({ id: 1, outcome: 'none' })])
    expect(completed).toEqual([1])
    expect(shown()).toEqual([])
  })

  test('does so for each of two events', () => {
    const { clock, record, records, told, completed } = finish([raised(1), opened, read(), on])
    expect(told()).toEqual([])
    clock.advance(300)
    record(
      raised(2, 'fromChanged'),
      Mailbox.senderChanged({ itemKey: 'item-1', from: null }),
      Launch.keptRead({ at: START }),
    )
    expect(completed).toEqual([1, 2])
    expect(told()).toEqual([1, 2].map((id) => Launch.completed({ id, outcome: 'none' })))
    expect(records().map(({ ms, age }) => [ms, age])).toEqual([
      [300, 0],
      [0, 300],
    ])
  })

  test('records how long it took, and no age of a copy that the service has just given', () => {
    const { clock, record, records } = finish([...ready, noCopy, Launch.refreshBegan()])
    clock.advance(300)
    record(
      Launch.refreshed({
        kept: { email: EMAIL, at: START, signature: cachedSignature({ html: '' }), senders },
      }),
      Launch.stored(),
    )
    expect(records()).toMatchObject([{ outcome: 'none', at: START + 300, ms: 300, age: null }])
  })

  test.each<[string, Partial<LaunchRecord> | null, readonly unknown[], readonly string[]]>([
    ['once', null, [['offline', 'Open']], ['offline']],
    ['not again', { told: ['offline'] }, [], ['offline']],
    ['after another', { told: ['otherSender'] }, [['offline', 'Open']], ['otherSender', 'offline']],
  ])('tells the user what is missing, %s', (_, before, expected, afterwards) => {
    const { records, shown, fakes } = finish(offline, before)
    expect(shown()).toEqual(expected)
    expect(records()).toMatchObject([{ outcome: 'offline', age: null, told: afterwards }])
    expect(fakes.host.dismissLaunchNotice.calls).toEqual([])
  })

  test.each<[Partial<LaunchRecord> | null, number]>([
    [{ told: ['offline'] }, 1],
    [null, 0],
  ])('removes the notice of a message that has its signature now: %o', (before, times) => {
    const succeeded = Insertion.succeeded({ ...ofInsertion, inMessage: inserted, content })
    const { records, fakes, record } = finish(due, before)
    record(succeeded, Insertion.settled({ id: -1 }))
    expect(records()).toMatchObject([{ outcome: 'inserted', told: [] }])
    expect(fakes.host.dismissLaunchNotice.calls).toEqual(Array(times).fill(['item-1']))
  })

  test('keeps the notice of a message for which none is due', () => {
    const { records, fakes } = finish(noneDue, { told: ['offline'] })
    expect(records()).toMatchObject([{ outcome: 'none', told: ['offline'] }])
    expect(fakes.host.dismissLaunchNotice.calls).toEqual([])
  })

  test.each<[string, readonly AppEvent[], readonly number[]]>([
    [
      'an event after which the same came again',
      [raised(1, 'recipientsChanged'), raised(2, 'recipientsChanged'), opened],
      [1],
    ],
    ['an item that is gone', [raised(1), Mailbox.itemChanged({ item: null })], [1]],
    [
      'an item that is read',
      [raised(1), Mailbox.itemChanged({ item: { key: 'item-1', mode: 'read' } })],
      [1],
    ],
  ])('writes nothing about %s', (_, given, expected) => {
    const { completed, fakes } = finish(given)
    expect(completed).toEqual(expected)
    expect(fakes.sent).toEqual([])
  })

  test('goes on where the record cannot be written', () => {
    const { shown, completed } = finish(offline, null, ({ host }) => {
      host.setSessionData.answers(
        failing({ kind: 'host', call: 'sessionData.setAsync', code: 5001, name: 'x' }),
      )
    })
    expect(shown()).toEqual([['offline', 'Open']])
    expect(completed).toEqual([1])
  })

  test('goes on where the message cannot be told, and logs it', () => {
    const { completed, fakes } = finish(offline, null, ({ host }) => {
      host.showLaunchNotice.answers(failing({ kind: 'itemGone' }))
    })
    expect(completed).toEqual([1])
    expect(fakes.log.lines).toEqual([
      { level: 'warn', action: 'launch_not_recorded', detail: { kind: 'itemGone' } },
    ])
  })

  const fail = (failure: Failure) => [
    Insertion.failed({ ...ofInsertion, failure }),
    Insertion.settled({ id: -1 }),
  ]
  const refused: Failure = { kind: 'host', call: 'body.setSignatureAsync', code: 5001, name: 'x' }
  test.each<[Failure, number]>([
    [refused, 25_000],
    [{ kind: 'hostSilent', call: 'body.setSignatureAsync' }, 25_000],
    [{ kind: 'entryGone' }, 0],
    [timeout, 0],
  ])('waits for the repair of a message after %o', (failure, ms) => {
    const { clock, record, told, times } = finish(due)
    record(...fail(failure))
    clock.advance(60_000)
    expect(told()).toEqual([Launch.completed({ id: 1, outcome: 'failed' })])
    expect(times()).toEqual([ms])
  })

  test('waits for no repair of an event whose time is over', () => {
    const { clock, record, told, times } = finish(due)
    record(Insertion.failed({ ...ofInsertion, failure: refused }), Launch.timeUp({ id: 1 }))
    clock.advance(60_000)
    expect(told()).toEqual([Launch.completed({ id: 1, outcome: 'late' })])
    expect(times()).toEqual([0])
  })

  test('waits for a repair no longer than the time for the event', () => {
    const { clock, record, told, times } = finish(due)
    record(...fail(refused))
    clock.advance(9_000)
    record(Launch.timeUp({ id: 1 }))
    expect(told()).toEqual([Launch.completed({ id: 1, outcome: 'late' })])
    expect(times()).toEqual([9_000])
  })

  test('counts an insertion that has begun again after the repair as failed', () => {
    const { clock, record, told } = finish(due)
    record(...fail(refused))
    record(Insertion.defaultDue({ itemKey: 'item-1', hash: 'other' }))
    clock.advance(25_000)
    expect(told()).toEqual([Launch.completed({ id: 1, outcome: 'failed' })])
  })
})
