import type { SignatureNames } from '../../../streams/wire/signatures.ts'
import { describe, expect, test } from 'vitest'
import type { LoggedEvent } from '../../../streams/pane/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { contentHash } from '../../../streams/html/hash.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { Launch, type LaunchKind, launchOutcomes } from '../../../streams/launch/events.ts'
import { latestLaunchFacts, parseLaunchFacts } from '../../../streams/launch/facts.ts'
import {
  fitCopyToLimit,
  isCopyUsable,
  MAX_CACHED_CHARACTERS,
  parseCachedDefault,
} from '../../../streams/launch/cachedDefault.ts'
import { FRESH_COPY_MS } from '../../../streams/wire/freshCopy.ts'
import { parseLaunchRecord } from '../../../streams/launch/record.ts'
import {
  mayRefreshDefault,
  needsSignIn,
  launchNoticeFor,
  launchOutcomeOf,
} from '../../../streams/launch/rules.ts'
import { evolveLaunch, initialLaunchState, type LaunchAppState } from '../../../streams/launch/state.ts'
import { type InsertedSignature, Mailbox, type Message } from '../../../streams/message/mailbox/events.ts'
import { noSenders, type SenderSignature } from '../../../streams/message/senders/senders.ts'
import type { SignatureInMessage } from '../../../streams/message/signatures/signature.ts'
import { cachedSignature, compose, image, message, recorded, session } from '../../support/state.ts'

const FAILURE: Failure = { kind: 'network' }
const at = (age: number) => Launch.keptRead({ at: -age })
const raised = (id: number, kind: LaunchKind = 'newMessage') => Launch.raised({ id, kind })
const opened = Mailbox.itemChanged({ item: compose('item-1') })
const read = (over: Partial<Message> = {}) =>
  Mailbox.messageRead({ itemKey: 'item-1', message: message(over) })
const on = Launch.factsRead({ off: false })
const off = Launch.factsRead({ off: true })
const signature = cachedSignature()
const senders = { ...noSenders, audiences: { 'c-standard': [] } }
const restored = Defaults.restored({ signature, senders })
const hash = contentHash(signature.html)
const inserted: SignatureInMessage = {
  name: 'Standard',
  combinedIds: 'c-standard',
  hash,
  reason: { origin: 'default', composeType: 'newMail', reply: false },
}

const byHand: InsertedSignature = {
  combinedIds: 'c-fair',
  hash: 'h',
  name: 'Fair',
  origin: 'manual',
  reply: false,
  trace: null,
}

/** The state after these events, which have the numbers from 0 on and happen at 0. */
const after = (...events: readonly LoggedEvent[]): LaunchAppState =>
  events.reduce((state, event, seq) => evolveLaunch(state, recorded(event, seq)), initialLaunchState)

/** A message with all that decides; no default is known. The first event is of the launch event 1. */
const ready = [raised(1), opened, read(), on] as const
/** A default is due, and is put in as insertion 6. */
const due = [...ready, restored, at(0), Insertion.defaultDue({ itemKey: 'item-1', hash })] as const
const ofInsertion = { id: 6, itemKey: 'item-1', target: { kind: 'default' } } as const
const content = { html: signature.html, images: [] }
const succeeded = Insertion.succeeded({ ...ofInsertion, inMessage: inserted, content })
const failed = (failure: Failure) => Insertion.failed({ ...ofInsertion, failure })
const settled = Insertion.settled({ id: 6 })
const kept = { email: 'alex.kim@northwind.example', at: 0, signature, senders }

describe('the outcome of a launch event', () => {
  test.each<[string, readonly LoggedEvent[], string | null]>([
    ['an event that was not raised', [raised(2)], null],
    ['one that was completed', [...ready, at(0), Launch.completed({ id: 1, outcome: 'none' })], null],
    ['while nothing is read', [raised(1)], null],
    ['no item', [raised(1), Mailbox.itemChanged({ item: null })], 'itemGone'],
    ['a read item', [raised(1), Mailbox.itemChanged({ item: { key: 'i', mode: 'read' } })], 'itemGone'],
    ['the time is over', [raised(1), Launch.timeUp({ id: 1 })], 'late'],
    ['the time of another is over', [raised(1), raised(2), Launch.timeUp({ id: 2 })], null],
    ['the same kind again: recipients', [1, 2].map((id) => raised(id, 'recipientsChanged')), 'superseded'],
    ['the same kind again: sender', [1, 2].map((id) => raised(id, 'fromChanged')), null],
    ['another kind', [raised(1, 'recipientsChanged'), raised(2, 'fromChanged')], null],
    ['the message is not read', [raised(1), opened, on, at(0)], null],
    ['the facts are not read', [raised(1), opened, read(), at(0)], null],
    ['the copy is not looked for', [...ready], null],
    ['the sender is not read again', [...ready, at(0), raised(2, 'fromChanged')], null],
    [
      'the sender is not read again after an insertion',
      [...due, succeeded, settled, raised(2, 'fromChanged')],
      null,
    ],
    ['nothing is due', [...ready, at(0)], 'none'],
    ['switched off, without a copy', [raised(1), opened, read(), off, Launch.keptRead({ at: null })], 'none'],
    [
      'the signature in it was chosen',
      [raised(1), opened, read({ inserted: byHand }), on, at(0)],
      'leftToPerson',
    ],
    ['switched off', [raised(1), opened, read(), off, at(0), restored], 'none'],
    ['the user chose', [raised(1), opened, read({ stopPush: true }), on, at(0), restored], 'leftToPerson'],
    ['a default is due', [...ready, restored, at(0)], null],
    ['it is put in', [...due], null],
    ['it is in, and not settled', [...due, succeeded], null],
    ['it is in', [...due, succeeded, settled], 'inserted'],
    ['it failed, and is not settled', [...due, failed(FAILURE)], null],
    ['it failed', [...due, failed(FAILURE), settled], 'failed'],
    ['it failed with its item', [...due, failed({ kind: 'itemGone' }), settled], 'itemGone'],
    ['the service is to be asked', [...ready, Launch.keptRead({ at: null })], null],
    ['the service is asked', [...ready, at(0), Launch.refreshBegan()], null],
    ['it is being stored', [...ready, at(0), Launch.refreshBegan(), Launch.refreshed({ kept })], null],
  ])('%s', (_, events, outcome) => {
    expect(launchOutcomeOf(after(...events), 1)).toBe(outcome)
  })

  test('of an event after the insertion is that the message has it; of one before, that it was put in', () => {
    const state = after(...due, succeeded, settled, raised(2))
    expect([1, 2].map((id) => launchOutcomeOf(state, id))).toEqual(['inserted', 'already'])
  })

  const http = (status: number): Failure => ({ kind: 'http', status, code: null, data: null })
  const auth = (code: string): Failure => ({ kind: 'auth', code })
  test.each<[Failure, string]>([
    ...([{ kind: 'network' }, { kind: 'timeout' }, http(503), http(429)] as const).map(
      (failure): [Failure, string] => [failure, 'offline'],
    ),
    [{ kind: 'hostSilent', call: 'auth.getAccessToken' }, 'offline'],
    ...['endpoints_resolution_error', 'server_unavailable', 'token_renewal_error'].map(
      (code): [Failure, string] => [auth(code), 'offline'],
    ),
    ...[13006, 13007, 13008, 13010, 13013].map((code): [Failure, string] => [
      auth(`host_${String(code)}`),
      'offline',
    ]),
    [auth('host_13001'), 'signInNeeded'],
    [auth('email_missing'), 'signInNeeded'],
    [http(401), 'signInNeeded'],
    [http(403), 'signInNeeded'],
    [http(404), 'failed'],
    [{ kind: 'storage', action: 'read' }, 'failed'],
    [{ kind: 'itemGone' }, 'itemGone'],
  ])('[AUTO-17] without a copy, when the service answers %o: %s', (failure, outcome) => {
    const asked = [...ready, Launch.keptRead({ at: null }), Launch.refreshBegan()]
    const state = after(...asked, Launch.refreshFailed({ failure }))
    expect(launchOutcomeOf(state, 1)).toBe(outcome)
    expect(needsSignIn(failure)).toBe(outcome === 'signInNeeded')
    expect(mayRefreshDefault(state)).toBe(false)
  })
})

describe('the service is asked', () => {
  const unknownFor = Defaults.restored({ signature, senders: noSenders })
  const withDefault = (copy: LoggedEvent, given = restored) =>
    [...ready, given, copy, Insertion.defaultDue({ itemKey: 'item-1', hash }), succeeded, settled] as const
  test.each<[boolean, string, readonly LoggedEvent[]]>([
    [true, 'without a copy', [...ready, Launch.keptRead({ at: null })]],
    [true, 'with an old copy', [...ready, at(FRESH_COPY_MS + 1)]],
    [false, 'with a young copy', [...ready, at(FRESH_COPY_MS)]],
    [false, 'with a copy that is in', withDefault(at(0))],
    [true, 'with one that does not say for whom it is meant', withDefault(at(0), unknownFor)],
    [false, 'before its default is in', [...ready, restored, at(FRESH_COPY_MS + 1)]],
    [false, 'while it is put in', [...due.slice(0, -2), at(FRESH_COPY_MS + 1), ...due.slice(-1)]],
    [false, 'before the copy is looked for', [...ready]],
    [false, 'without an event', [opened, read(), on, Launch.keptRead({ at: null })]],
    [false, 'for a late one', [...ready, Launch.keptRead({ at: null }), Launch.timeUp({ id: 1 })]],
    [false, 'twice', [...ready, Launch.keptRead({ at: null }), Launch.refreshBegan()]],
    [false, 'when that is off', [raised(1), opened, read(), off, Launch.keptRead({ at: null })]],
    [
      false,
      'for a message that is left to the user',
      [raised(1), opened, read({ stopPush: true }), on, Launch.keptRead({ at: null })],
    ],
  ])('%s: %s', (expected, _, events) => {
    expect(mayRefreshDefault(after(...events))).toBe(expected)
  })
})

describe('what a launch runtime knows', () => {
  test.each<[string, readonly LoggedEvent[], Partial<LaunchAppState['launch']>]>([
    [
      'what an event says has changed, once',
      [raised(1, 'fromChanged'), raised(2, 'fromChanged'), raised(3, 'recipientsChanged')],
      { unread: ['sender', 'recipients'] },
    ],
    [
      'the sender is read',
      [
        raised(1, 'fromChanged'),
        raised(2, 'recipientsChanged'),
        opened,
        Mailbox.senderChanged({ itemKey: 'item-1', from: null }),
      ],
      { unread: ['recipients'] },
    ],
    [
      'the recipients are read',
      [
        raised(1, 'fromChanged'),
        raised(2, 'recipientsChanged'),
        opened,
        Mailbox.recipientsChanged({ itemKey: 'item-1', to: [], cc: [] }),
      ],
      { unread: ['sender'] },
    ],
    [
      'the sender is read with the message',
      [raised(1, 'fromChanged'), opened, read()],
      { unread: [], reading: 'idle' },
    ],
    ['the recipients are not', [raised(1, 'recipientsChanged'), opened, read()], { unread: ['recipients'] }],
    [
      'the sender changed while the message was read',
      [opened, raised(1, 'fromChanged')],
      { reading: 'outdated' },
    ],
    [
      'and is read again',
      [opened, raised(1, 'fromChanged'), read()],
      { unread: ['sender'], reading: 'idle' },
    ],
    [
      'the recipients changed while it was read',
      [opened, raised(1, 'recipientsChanged')],
      { reading: 'current' },
    ],
    ['the sender changed before', [raised(1, 'fromChanged'), opened], { reading: 'current' }],
    ['the sender changed afterwards', [opened, read(), raised(1, 'fromChanged')], { reading: 'idle' }],
    [
      'a copy from the service is stored',
      [Launch.refreshed({ kept: { ...kept, at: 7 } })],
      { cachedAt: 7, isCacheRead: true, isStoring: true, refresh: { status: 'success' } },
    ],
    ['and is stored', [Launch.refreshed({ kept }), Launch.stored()], { isStoring: false }],
    ['the session', [Launch.signedIn({ session: session() })], { session: session() }],
  ])('%s', (_, events, expected) => {
    expect(after(...events).launch).toMatchObject(expected)
  })

  test('is of each event alone whether its time is over, and that it is completed', () => {
    const state = after(raised(1), raised(2), Launch.timeUp({ id: 2 }))
    expect(state.launch.raised).toMatchObject([
      { id: 1, isLate: false },
      { id: 2, isLate: true },
    ])
    const completed = evolveLaunch(state, recorded(Launch.completed({ id: 1, outcome: 'none' }), 9))
    expect(completed.launch.raised).toMatchObject([{ id: 2, isLate: true }])
  })

  test('is the same state after events about events that are not open', () => {
    const state = after(raised(1), Launch.timeUp({ id: 1 }), raised(3))
    for (const event of [
      Launch.timeUp({ id: 1 }),
      Launch.timeUp({ id: 2 }),
      Launch.completed({ id: 2, outcome: 'none' }),
    ])
      expect(evolveLaunch(state, recorded(event, 9)).launch).toBe(state.launch)
  })
})

describe('the notice', () => {
  const other = (over: Partial<SenderSignature> = {}): SenderSignature => ({
    name: 'Sales',
    combinedIds: 'c-sales',
    owner: 'Sales@northwind.example',
    order: 0,
    audiences: [],
    html: '<p>Sales</p>',
    reply: null,
    images: [],
    ...over,
  })
  const from = { address: 'sales@Northwind.example', name: '' }
  const chosen = (
    combinedIds: string,
    others: readonly SenderSignature[],
    kind: LaunchKind = 'fromChanged',
  ) => {
    const record = { ...byHand, combinedIds }
    const known = Defaults.restored({ signature, senders: { ...noSenders, others } })
    return after(raised(1, kind), opened, read({ from, inserted: record }), on, at(0), known)
  }
  const nothing = after(...ready, Launch.keptRead({ at: null }))
  const inReplyOf = (of: SignatureNames | null) => {
    const reply = cachedSignature({ name: 'Long', reply: { html: '<p>Alex</p>', of } })
    const message = read({ composeType: 'reply' })
    return [raised(1), opened, message, on, at(0), Defaults.restored({ signature: reply, senders })]
  }
  const named = (signature: string, reply = false) => ({ kind: 'notInserted', signature, reply }) as const
  const withDefault = after(...ready, restored, at(0))

  test.each([
    ['a failure', withDefault, 'failed', named('Standard')],
    ['a late event', withDefault, 'late', named('Standard')],
    [
      'a reply version',
      after(...inReplyOf({ name: 'Short', combinedIds: 'c-short' })),
      'failed',
      named('Short', true),
    ],
    ['a reply version without a name', after(...inReplyOf(null)), 'failed', named('Long')],
    ['a failure without a default', nothing, 'failed', { kind: 'offline' }],
    ['offline', nothing, 'offline', { kind: 'offline' }],
    ['a needed sign-in', nothing, 'signInNeeded', { kind: 'signInNeeded' }],
    [
      'another sender',
      chosen('c-fair', [other()]),
      'leftToPerson',
      { kind: 'otherSender', address: from.address },
    ],
    ['a sender whose signature it is', chosen('c-sales', [other()]), 'leftToPerson', null],
    [
      'a sender whose signature it is, and that has others',
      chosen('c-sales', [other({ combinedIds: 'c-more' }), other()]),
      'leftToPerson',
      null,
    ],
    [
      'another sender, and then other recipients',
      evolveLaunch(chosen('c-fair', [other()]), recorded(raised(2, 'recipientsChanged'), 9)),
      'leftToPerson',
      { kind: 'otherSender', address: from.address },
    ],
    [
      'a sender, and a chosen signature of a third',
      chosen('c-it', [other(), other({ combinedIds: 'c-it', owner: 'it@northwind.example' })]),
      'leftToPerson',
      { kind: 'otherSender', address: from.address },
    ],
    [
      'a sender without signatures',
      chosen('c-fair', [other({ owner: 'it@northwind.example' })]),
      'leftToPerson',
      null,
    ],
    ['no signature', withDefault, 'leftToPerson', null],
    ['a chosen "no signature"', chosen('', [other()]), 'leftToPerson', null],
    ['the same sender as before', chosen('c-fair', [other()], 'recipientsChanged'), 'leftToPerson', null],
    ...launchOutcomes
      .filter((each) => ['inserted', 'already', 'none', 'superseded', 'itemGone'].includes(each))
      .map((each) => [each, withDefault, each, null] as const),
  ] as const)('after %s', (_, state, outcome, expected) => {
    expect(launchNoticeFor(state, outcome)).toEqual(expected)
  })
})

describe('what is read from storage', () => {
  const record = { outcome: 'none', at: 1, ms: 2, age: 3, runtime: 'page', told: ['offline'] } as const
  test.each<[unknown, unknown]>([
    [record, record],
    [
      { ...record, runtime: 'classic', age: null },
      { ...record, runtime: 'classic', age: null },
    ],
    [
      { ...record, age: undefined },
      { ...record, age: null },
    ],
    [
      { ...record, told: 'offline' },
      { ...record, told: [] },
    ],
    [{ ...record, outcome: 'great' }, null],
    [{ ...record, at: '1' }, null],
    [{ ...record, ms: '2' }, null],
    [{ ...record, age: '3' }, null],
    [{ ...record, runtime: 'phone' }, null],
    [null, null],
  ])('the record %o', (stored, expected) => {
    expect(parseLaunchRecord(JSON.stringify(stored))).toEqual(expected)
  })
  test('no record, and one that is no JSON', () => {
    expect([null, '', '{'].map(parseLaunchRecord)).toEqual([null, null, null])
  })

  const done = { off: true, userId: 'u-1', signedOutAt: 5, isSignedOut: true, at: 7 }
  const nothingDone = { off: false, userId: null, signedOutAt: null, isSignedOut: false, at: 0 }
  test.each([
    done,
    null,
    { ...done, off: 'yes' },
    { ...done, userId: 1 },
    { ...done, signedOutAt: '5' },
    { ...done, isSignedOut: 1 },
    { ...done, at: '7' },
  ])('the facts %o: a wrong one is as if the user had done nothing', (stored) => {
    const expected = Object.fromEntries(
      Object.entries(nothingDone).map(([name, none]) => {
        const [given, right] = [stored, done].map((each) => each?.[name as keyof typeof done])
        return [name, given === right ? right : none]
      }),
    )
    expect(parseLaunchFacts(stored)).toEqual(expected)
  })
  test('the later facts count, and the first of two of the same time', () => {
    const [one, same, later] = [
      parseLaunchFacts(done),
      parseLaunchFacts(done),
      { ...parseLaunchFacts(done), at: 8 },
    ]
    expect(latestLaunchFacts(one, same)).toBe(one)
    expect(latestLaunchFacts(one, later)).toBe(later)
    expect(latestLaunchFacts(later, one)).toBe(later)
  })

  test.each<[string, object, boolean]>([
    ['as it was stored', {}, true],
    ['without an address', { email: null }, false],
    ['without a time', { at: '0' }, false],
    ['without a signature', { signature: null }, false],
    ['without senders', { senders: null }, false],
  ])('a copy %s', (_, over, isRead) => {
    expect(parseCachedDefault({ ...kept, ...over })).toEqual(isRead ? kept : null)
  })
  test('a copy is found by an address in any case', () => {
    const [facts, now] = [parseLaunchFacts(null), 0]
    expect(isCopyUsable(kept, { mailbox: 'Alex.Kim@Northwind.example', facts, now })).toBe(true)
  })

  test('a copy that is too large loses the pictures of others, or is not kept', () => {
    const large = [
      image('https://images.northwind.example/a.png', { content: 'A'.repeat(MAX_CACHED_CHARACTERS) }),
    ]
    const others = [
      {
        ...kept.senders,
        name: '',
        combinedIds: 'c',
        owner: '',
        order: 0,
        html: '',
        reply: null,
        audiences: [],
        images: large,
      },
    ]
    expect(fitCopyToLimit(kept)).toBe(kept)
    expect(fitCopyToLimit({ ...kept, senders: { ...senders, others } })).toEqual({
      ...kept,
      senders: { ...senders, others: [{ ...others[0], images: [] }] },
    })
    expect(fitCopyToLimit({ ...kept, signature: { ...signature, images: large } })).toBeNull()
    const room =
      MAX_CACHED_CHARACTERS - JSON.stringify({ ...kept, signature: { ...signature, html: '' } }).length
    for (const [more, isKept] of [
      [0, true],
      [1, false],
    ] as const)
      expect(
        fitCopyToLimit({ ...kept, signature: { ...signature, html: 'a'.repeat(room + more) } }) !== null,
      ).toBe(isKept)
  })
})
