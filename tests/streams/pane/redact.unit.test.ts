import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import type { LoggedEvent } from '../../../streams/pane/events.ts'
import { createLogWriter, readLogFile } from '../../../streams/pane/logFile.ts'
import { createRedactor } from '../../../streams/pane/redact.ts'
import { type AppState, evolveApp } from '../../../streams/pane/state.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { defaultSignatureOf } from '../../../streams/message/defaults/rules.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { createSecret } from '../../../streams/kernel/secret.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { Notifications } from '../../../streams/pane/notifications/events.ts'
import { Picture } from '../../../streams/pane/picture/events.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { SendersRead } from '../../../streams/message/senders/events.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { selectListedEntries, selectOwnerGroups } from '../../../streams/pane/signatures/selectors.ts'
import { Variables } from '../../../streams/pane/variables/events.ts'
import { sealList } from '../../../streams/html/sealedList.ts'
import { eventOf } from '../../support/arbitraries.ts'
import {
  cachedSignature,
  freshState,
  hostUser,
  image,
  listedSignature,
  logOf,
  message,
  profile,
  session,
  verification,
  textOf,
  throughJson,
} from '../../support/state.ts'

const logs = fc.array(eventOf(), { maxLength: 30 }).map((events) => logOf(...events))
const stage = { production: true, beta: false }
const about = { software: '1.2.3', stage }

const CANARY = 'canary-7f3a'
const bySender = { [`${CANARY}@a.example`]: 'c-1' }
const ofSenders = { master: 'c-1', reply: null, bySender }
/** Every kind of personal data that events carry, each with the canary in it. */
const personal: readonly LoggedEvent[] = [
  Mailbox.userRead({ user: hostUser({ displayName: CANARY, email: `${CANARY}@a.example` }) }),
  Auth.verified({
    session: session({ userId: CANARY, email: `${CANARY}@a.example` }),
    signature: cachedSignature({ name: CANARY, userId: CANARY, html: `<p>${CANARY}</p>` }),
  }),
  Profile.loaded({
    value: profile({
      id: CANARY,
      email: `${CANARY}@a.example`,
      displayName: CANARY,
      clientName: CANARY,
      pictureUrl: `https://a.example/${CANARY}.png`,
      delegations: [CANARY],
      metadata: { defaultSignature: ofSenders, others: { note: CANARY } },
    }),
  }),
  Mailbox.itemChanged({ item: { key: CANARY, mode: 'compose' } }),
  Mailbox.messageRead({
    itemKey: CANARY,
    message: message({
      from: { address: `${CANARY}@a.example`, name: CANARY },
      to: [{ address: `${CANARY}@b.example`, name: CANARY }],
      cc: [{ address: `x@${CANARY}.example`, name: 'x' }],
    }),
  }),
  Defaults.loaded({
    value: cachedSignature({
      name: CANARY,
      userId: CANARY,
      html: `<p>${CANARY}</p>`,
      reply: { html: CANARY, of: { name: CANARY, combinedIds: 'c' } },
      images: [image(`https://a.example/${CANARY}.png`, { name: CANARY, content: CANARY })],
      copies: [{ sender: `${CANARY}@a.example`, html: CANARY, variants: [{ code: 'reply', html: CANARY }] }],
    }),
  }),
  Signatures.pageLoaded({
    list: 'delegated',
    epoch: 0,
    page: {
      page: 1,
      total: 1,
      objects: [
        listedSignature({
          name: CANARY,
          email: `${CANARY}@a.example`,
          html: CANARY,
          audiences: [`${CANARY}.example`, `!${CANARY}.example`],
          collection: CANARY,
          variants: [{ code: 'reply', html: CANARY }],
          copies: [{ sender: `${CANARY}@a.example`, html: CANARY, variants: [] }],
        }),
      ],
    },
  }),
  Defaults.senderChoiceRequested({ address: `${CANARY}@a.example`, combinedIds: 'c-1' }),
  Defaults.changed({ id: 0, defaults: ofSenders }),
  SendersRead.loaded({
    senders: {
      at: 0,
      audiences: { 'c-1': [`${CANARY}.example`] },
      bySender,
      others: [
        {
          name: CANARY,
          combinedIds: 'c-1',
          owner: `${CANARY}@a.example`,
          order: 0,
          audiences: [`${CANARY}.example`],
          html: CANARY,
          reply: CANARY,
          images: [image(`https://a.example/${CANARY}.png`, { name: CANARY })],
          copies: [{ sender: `${CANARY}@a.example`, html: CANARY, variants: [] }],
        },
      ],
    },
  }),
  Insertion.chosen({ entryId: `${CANARY}@a.example-1-0-master`, itemKey: CANARY }),
  Insertion.succeeded({
    id: 0,
    itemKey: CANARY,
    target: { kind: 'entry', entryId: `${CANARY}@a.example-1-0-master` },
    inMessage: {
      combinedIds: 'c-1',
      hash: 'h',
      name: CANARY,
      reason: { origin: 'manual', composeType: null, reply: false },
    },
    content: { html: CANARY, images: [image(`https://a.example/${CANARY}.png`, { name: CANARY })] },
  }),
  Insertion.bodyAltered({ itemKey: CANARY, before: createSecret(CANARY) }),
  Notifications.shown({
    itemKey: CANARY,
    notice: { kind: 'defaultNotInserted', signature: CANARY, reply: false },
  }),
  Picture.loaded({ value: `https://a.example/${CANARY}.png` }),
  Picture.opened({ picture: { dataUrl: CANARY, width: 1, height: 1 } }),
  Defaults.loadFailed({ failure: { kind: 'http', status: 500, code: null, data: { detail: CANARY } } }),
  Defaults.loadFailed({ failure: { kind: 'defect', message: CANARY } }),
  Variables.edited({ path: 'job_title', value: CANARY }),
  Variables.draftsRestored({ drafts: { job_title: { value: CANARY, resync: false } } }),
  Variables.saved({ sent: {}, saved: { values: { job_title: CANARY }, changedFields: [] } }),
  Variables.loaded({
    asked: 0,
    definitions: [],
    states: { id: CANARY, changedFields: [], originalData: { jobTitle: CANARY } },
    values: { job_title: CANARY },
  }),
]

describe('an exported log', () => {
  it('[KNOW-2] holds nothing of a user, a message or a signature', () => {
    const file = textOf(createLogWriter(about).write(logOf(...personal)))
    expect(file).not.toContain(CANARY)
    expect(file).toContain('person-1@example.invalid')
  })

  test.prop([logs])('[KNOW-2] is the same when imported, and replays to the same state', (log) => {
    const file = readLogFile(textOf(createLogWriter(about).write(log)))
    if ('problem' in file) throw new Error(file.problem)
    expect(file.events).toEqual(throughJson(log.map(createRedactor())))
    const inPane = replayLog(freshState(), evolveApp, log.map(createRedactor()))
    expect(throughJson(replayLog(freshState(), evolveApp, file.events))).toEqual(throughJson(inPane))
  })

  test.prop([logs])('replays to the same statuses, counts and places as the original', (log) => {
    const shape = (state: AppState) => ({
      auth: state.auth.status,
      own: [
        state.signatures.own.load.status,
        state.signatures.own.total,
        selectListedEntries(state).map(({ status }) => status),
      ],
      delegated: [
        state.signatures.delegated.load.status,
        selectOwnerGroups(state)
          .flatMap(({ entries }) => entries.map(({ status }) => status))
          .toSorted(),
      ],
      insertion: state.insertion.latest?.attempt.status,
      hasDefault: defaultSignatureOf(state.defaults) !== null,
      router: state.router,
      chunks: state.chunks,
      locale: state.locale,
      profile: state.profile.status,
      variables: state.variables.load.status,
      picture: state.picture.url.status,
    })
    expect(shape(replayLog(freshState(), evolveApp, log.map(createRedactor())))).toEqual(
      shape(replayLog(freshState(), evolveApp, log)),
    )
  })

  it('has one placeholder for one user throughout', () => {
    const [first, second] = logOf<LoggedEvent>(
      Mailbox.userRead({ user: hostUser({ email: 'A@x.example' }) }),
      Auth.verified(verification({ email: 'a@x.example' })),
    ).map(createRedactor())
    expect(first?.data).toMatchObject({ user: { email: 'person-1@example.invalid' } })
    expect(second?.data).toMatchObject({ session: { email: 'person-1@example.invalid' } })
  })
})

test('an audience stays outside of a domain, an address or a list, with its placeholder', () => {
  const list = sealList('Partners', ['own.example'])
  const audiences = ['own.example', '!own.example', '!else.example', 'anna@own.example', list, list]
  const objects = [listedSignature({ audiences })]
  const [page] = logOf(
    Signatures.pageLoaded({ list: 'own', epoch: 0, page: { page: 1, total: 1, objects } }),
  ).map(createRedactor())
  const lists = [sealList('list-1', []), sealList('list-1', [])]
  expect(page?.data).toMatchObject({
    page: {
      objects: [{ audiences: ['domain-1', '!domain-1', '!domain-2', 'person-1@example.invalid', ...lists] }],
    },
  })
})

describe('a text that is no log', () => {
  it.each([
    ['{', { problem: 'notJson' }],
    ['[]', { problem: 'otherFile' }],
    ['{"format":"other","events":[]}', { problem: 'otherFile' }],
    ['{"format":"signet-log","version":99,"events":[],"stage":{}}', { problem: 'otherVersion' }],
    [
      '{"format":"signet-log","version":6,"stage":{},"base":null,"events":[{"type":"app/started","data":{},"meta":{"seq":0,"at":0,"source":"app"}},{"type":"x/y","data":{},"meta":{"seq":1,"at":0,"source":"app"}}]}',
      { problem: 'brokenEvent', at: 1 },
    ],
  ])('is refused with its reason: %s', (text, problem) => {
    expect(readLogFile(text)).toEqual(problem)
  })

  const started = { type: 'app/started', data: {}, meta: { seq: 0, at: 0, source: 'app' } }
  const whole = { format: 'signet-log', version: 6, stage: { production: true, beta: false }, base: null }
  const read = (events: unknown, over: object = {}) =>
    readLogFile(JSON.stringify({ ...whole, events, ...over }))
  const broken = (at: number) => ({ problem: 'brokenEvent', at })

  it('is not one with no events, with a state, or with the farthest time', () => {
    expect(read([])).toEqual({ ...whole, events: [] })
    expect(read([started])).toMatchObject({ events: [started] })
    const base = throughJson(freshState())
    const later = { ...started, meta: { ...started.meta, seq: 7, at: 8.64e15 } }
    expect(read([later], { base })).toMatchObject({ events: [later] })
    expect(read([], { base })).toMatchObject({ events: [] })
  })

  it.each<[string, unknown, object, object]>([
    ['without a list of events', { 0: started }, {}, { problem: 'otherFile' }],
    ['without a format', [], { format: null }, { problem: 'otherFile' }],
    ['of an older version', [], { version: 5 }, { problem: 'otherVersion' }],
    ['without a stage', [], { stage: null }, { problem: 'otherVersion' }],
    ['with a list as its stage', [], { stage: [] }, { problem: 'otherVersion' }],
    ['with a state that is none', [], { base: 'state' }, { problem: 'otherVersion' }],
    [
      'with a state without a part',
      [],
      { base: { ...freshState(), auth: undefined } },
      { problem: 'otherVersion' },
    ],
    [
      'with a state whose part lacks a field',
      [],
      { base: { ...freshState(), router: { path: '/home' } } },
      { problem: 'otherVersion' },
    ],
    ['with an event that is none', [null], {}, broken(0)],
    ['with an event without a type', [{ ...started, type: 7 }], {}, broken(0)],
    ['with an event of another type', [{ ...started, type: 'x/y' }], {}, broken(0)],
    ['with an event without data', [{ ...started, data: null }], {}, broken(0)],
    ['with an event without its number', [{ ...started, meta: null }], {}, broken(0)],
    [
      'with a first event that is not the first',
      [{ ...started, meta: { ...started.meta, seq: 1 } }],
      {},
      broken(0),
    ],
    ['with a number twice', [started, started], {}, broken(1)],
    ['with a time that is none', [{ ...started, meta: { ...started.meta, at: '0' } }], {}, broken(0)],
    [
      'with a time beyond all dates',
      [{ ...started, meta: { ...started.meta, at: -8.64e15 - 1_000 } }],
      {},
      broken(0),
    ],
    ['with an event of no source', [{ ...started, meta: { ...started.meta, source: null } }], {}, broken(0)],
    [
      'with a state, and a number that is none',
      [{ ...started, meta: { ...started.meta, seq: 'x' } }],
      { base: freshState() },
      broken(0),
    ],
    [
      'with a state, and a gap behind the first',
      [3, 5].map((seq) => ({ ...started, meta: { ...started.meta, seq } })),
      { base: freshState() },
      broken(4),
    ],
  ])('is one %s', (_, events, over, problem) => {
    expect(read(events, over)).toEqual(problem)
  })

  const inserted = (content: unknown, hash: unknown = 'h', seq = 0) => ({
    type: 'insertion/succeeded',
    data: { id: 1, itemKey: 'item-1', target: { kind: 'none' }, inMessage: { hash }, content },
    meta: { seq, at: 0, source: 'insert' },
  })
  const content = { html: '<p>Alex</p>', images: [] }

  it('restores a content by its hash, and is one where that names none', () => {
    const file = read([inserted(content), inserted('h', 'h', 1)])
    expect('events' in file && file.events.map(({ data }) => (data as { content: unknown }).content)).toEqual(
      [content, content],
    )
    expect(read([inserted('h')])).toEqual(broken(0))
    expect(read([inserted(content), inserted('other', 'h', 1)])).toEqual(broken(1))
    expect(read([{ ...inserted(content), data: { content, inMessage: null } }])).toEqual(broken(0))
  })
})

test('a content is written once for each hash, and again where it differs', () => {
  const content = (url: string) => ({ html: '<p>Alex</p>', images: [image(url)] })
  const [one, other] = [content('https://a.example/1.png'), content('https://a.example/2.png')]
  const inMessage = {
    name: 'Standard',
    combinedIds: 'c-1',
    hash: 'h',
    reason: { origin: 'manual', composeType: null, reply: false },
  } as const
  const log = logOf(
    ...[one, one, other, one].map((each) =>
      Insertion.succeeded({ id: 1, itemKey: 'item-1', target: { kind: 'none' }, inMessage, content: each }),
    ),
  )
  const { events } = JSON.parse(textOf(createLogWriter(about).write(log))) as {
    events: { data: { content: unknown } }[]
  }
  expect(events.map(({ data }) => typeof data.content)).toEqual(['object', 'string', 'object', 'object'])
})

test('[KNOW-2] a failure keeps what tells the cause, and nothing of the response', () => {
  const failures: readonly Failure[] = [
    { kind: 'http', status: 422, code: 'invalid', data: { detail: CANARY } },
    {
      kind: 'http',
      status: 401,
      code: 'invalid_token',
      data: null,
      refused: { account: 'maria@a.example', mailbox: 'alex@a.example' },
    },
    { kind: 'defect', message: CANARY },
    { kind: 'malformed', at: 'objects.0.na/me <x>' },
    { kind: 'network' },
  ]
  const log = logOf(...failures.map((failure) => Defaults.loadFailed({ failure })))
  const file = readLogFile(textOf(createLogWriter(about).write(log)))
  expect('events' in file && file.events.map(({ data }) => data)).toEqual([
    { failure: { kind: 'http', status: 422, code: 'invalid', data: null } },
    {
      failure: {
        kind: 'http',
        status: 401,
        code: 'invalid_token',
        data: null,
        refused: { account: 'person-1@example.invalid', mailbox: 'person-2@example.invalid' },
      },
    },
    { failure: { kind: 'defect', message: '' } },
    { failure: { kind: 'malformed', at: 'objects.0.namex' } },
    { failure: { kind: 'network' } },
  ])
})
