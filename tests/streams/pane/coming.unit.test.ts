import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { App, type LoggedEvent } from '../../../streams/pane/events.ts'
import { type AppState, evolveApp } from '../../../streams/pane/state.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { awaitsSilentSignIn } from '../../../streams/message/auth/rules.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { contentHash } from '../../../streams/html/hash.ts'
import { selectIsInsertionComing } from '../../../streams/pane/insertion/coming.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { dueInsertionIn } from '../../../streams/message/insertion/rules.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { noSenders } from '../../../streams/message/senders/senders.ts'
import { Settings } from '../../../streams/message/settings/events.ts'
import { logOfTypes } from '../../support/arbitraries.ts'
import {
  cachedSignature,
  compose,
  freshState,
  message,
  profile,
  recorded,
  session,
  settingsLoaded,
  stateAfter,
} from '../../support/state.ts'

const ITEM = 'item-1'
const signature = cachedSignature()
const failure = { kind: 'timeout' } as const

const opened = Mailbox.itemChanged({ item: compose(ITEM) })
const read = Mailbox.messageRead({ itemKey: ITEM, message: message() })
const verified = Auth.verified({ session: session(), signature: null })
const silently = Auth.signInRequested({ silent: true })
const loaded = Defaults.loaded({ value: signature })
const restored = Defaults.restored({ signature, senders: noSenders })
const rejected = Auth.signedOut({ reason: { kind: 'signInFailed', failure }, userId: null })

/** The lines in one order, each in its own: what runs at once in the pane. */
const mixed = (...lines: readonly (readonly LoggedEvent[])[]): fc.Arbitrary<readonly LoggedEvent[]> =>
  fc
    .shuffledSubarray(
      lines.flatMap((line, index) => line.map(() => index)),
      { minLength: lines.reduce((sum, { length }) => sum + length, 0) },
    )
    .map((order) => {
      const taken = lines.map(() => 0)
      return order.flatMap((index) => {
        const at = taken[index] ?? 0
        taken[index] = at + 1
        return lines[index]?.[at] ?? []
      })
    })

/** The states after the start and each of these events; a default that is due begins at once, as the effect does. */
function* following(events: readonly LoggedEvent[]): Generator<AppState> {
  let state = freshState()
  let seq = 0
  const fold = (event: LoggedEvent) => {
    state = evolveApp(state, recorded(event, seq, seq))
    seq += 1
  }
  for (const event of [App.started(), ...events]) {
    fold(event)
    yield state
    const due = dueInsertionIn(state)
    if (due) fold(Insertion.defaultDue(due))
    yield state
  }
}

const writing = [opened, read]
/** A session reads the switches, too: they and `answers` come in any order after it. */
const signingIn = (switches: LoggedEvent, ...answers: readonly LoggedEvent[]) =>
  mixed([switches], answers).chain((after) =>
    fc.constantFrom(
      [Auth.sessionMissing(), switches, silently, verified, ...after],
      [switches, Auth.sessionMissing(), silently, verified, ...after],
      [Auth.sessionRecovered({ session: session() }), ...after],
    ),
  )

describe('a signature is coming', () => {
  const untilItBegins = (events: readonly LoggedEvent[]) => {
    const states = [...following(events)]
    for (const state of states) expect(selectIsInsertionComing(state)).toBe(state.insertion.latest === null)
    expect(states.at(-1)?.insertion.latest).not.toBeNull()
  }

  test('from the first frame until its insertion begins, in whatever order things answer', () => {
    const known = fc.constantFrom([], [restored])
    fc.assert(
      fc.property(
        fc
          .tuple(signingIn(settingsLoaded(), loaded), known)
          .chain(([session, kept]) => mixed(writing, session, kept)),
        untilItBegins,
      ),
    )
  })

  test('in a reply until its signature has a name', () => {
    const value = cachedSignature({ reply: { html: '<p>Re</p>', of: null } })
    const named = Defaults.replyNamed({ of: { combinedIds: 'c-short', name: 'Short' } })
    const reply = Mailbox.messageRead({ itemKey: ITEM, message: message({ composeType: 'reply' }) })
    fc.assert(
      fc.property(
        signingIn(
          settingsLoaded(),
          Defaults.loaded({ value }),
          Profile.loaded({ value: profile() }),
          named,
        ).chain((session) => mixed([opened, reply], session)),
        untilItBegins,
      ),
    )
  })

  const on = settingsLoaded()
  const nothing = Defaults.loaded({ value: cachedSignature({ html: '', combinedIds: '' }) })
  const inserted = {
    combinedIds: signature.combinedIds,
    hash: contentHash(signature.html),
    name: signature.name,
    origin: 'default' as const,
    reply: false,
  }
  const having = (over: Parameters<typeof message>[0]) => [
    opened,
    Mailbox.messageRead({ itemKey: ITEM, message: message(over) }),
  ]
  test.each<[string, readonly LoggedEvent[], fc.Arbitrary<readonly LoggedEvent[]>]>([
    ['the user has no default', writing, signingIn(on, nothing)],
    ['the default cannot be loaded', writing, signingIn(on, Defaults.loadFailed({ failure }))],
    ['the silent sign-in fails', writing, fc.constant([Auth.sessionMissing(), on, silently, rejected])],
    ['nothing goes in by itself', writing, signingIn(settingsLoaded({ enableSignaturePush: false }), loaded)],
    [
      'the switches cannot be read',
      writing,
      fc.constant([Auth.sessionRecovered({ session: session() }), Settings.loadFailed({ failure }), loaded]),
    ],
    [
      'the user signs in by hand',
      writing,
      fc.constant([settingsLoaded({ enableSilentSSO: false }), Auth.sessionMissing()]),
    ],
    ['the user chose for this message', having({ stopPush: true }), signingIn(on, loaded)],
    ['the message has one', having({ inserted }), signingIn(on, loaded)],
    ['nothing is open', [Mailbox.itemChanged({ item: null })], signingIn(on, loaded)],
    [
      'a message is read',
      [Mailbox.itemChanged({ item: { key: ITEM, mode: 'read' } })],
      signingIn(on, loaded),
    ],
  ])('no more once it is decided against, and never again: %s', (_, item, session) => {
    fc.assert(
      fc.property(
        session.chain((line) => mixed(item, line)),
        (events) => {
          const each = [...following(events)].map(selectIsInsertionComing)
          expect(each[0]).toBe(true)
          expect(each.at(-1)).toBe(false)
          expect(each.slice(each.indexOf(false))).not.toContain(true)
        },
      ),
    )
  })

  test('while no user is signed in when the default of an earlier pane goes in all the same', () => {
    const state = stateAfter(App.started(), settingsLoaded(), opened, rejected, restored, read)
    expect(selectIsInsertionComing(state)).toBe(true)
    expect(selectIsInsertionComing(stateAfter(App.started(), settingsLoaded(), opened, rejected, read))).toBe(
      false,
    )
  })

  test('again in the next message, and when loading begins again', () => {
    const failed = [App.started(), opened, read, verified, on, Defaults.loadFailed({ failure })]
    expect(selectIsInsertionComing(stateAfter(...failed))).toBe(false)
    expect(selectIsInsertionComing(stateAfter(...failed, App.retryRequested()))).toBe(true)
    const known = [App.started(), opened, read, verified, on, loaded]
    expect(
      selectIsInsertionComing(stateAfter(...known, Mailbox.itemChanged({ item: compose('item-2') }))),
    ).toBe(true)
  })

  test('while nothing is loaded only: what is loaded again may change, but is not awaited', () => {
    const known = stateAfter(App.started(), opened, read, verified, on, nothing)
    const again = evolveApp(
      known,
      recorded(Defaults.changed({ id: 1, defaults: { master: 'c', reply: null } })),
    )
    expect(again.defaults.load.status).toBe('pending')
    expect(selectIsInsertionComing(again)).toBe(false)
  })

  test('never while one is in, under way or failed, and always while one is due', () => {
    fc.assert(
      fc.property(logOfTypes(), (log) => {
        const state = replayLog(freshState(), evolveApp, log)
        const { latest, inMessage } = state.insertion
        if (latest !== null || inMessage !== null) expect(selectIsInsertionComing(state)).toBe(false)
        else if (dueInsertionIn(state) !== null) expect(selectIsInsertionComing(state)).toBe(true)
      }),
    )
  })
})

test('a silent sign-in is awaited until it begins, or is known to be switched off', () => {
  const awaits = (...events: readonly LoggedEvent[]) =>
    awaitsSilentSignIn(stateAfter(App.started(), ...events))
  expect(awaits()).toBe(false)
  expect(awaits(Auth.sessionMissing())).toBe(true)
  expect(awaits(Auth.sessionMissing(), settingsLoaded())).toBe(true)
  expect(awaits(settingsLoaded({ enableSilentSSO: false }), Auth.sessionMissing())).toBe(false)
  expect(awaits(Auth.sessionMissing(), settingsLoaded(), silently)).toBe(false)
  expect(awaits(Auth.sessionMissing(), settingsLoaded(), silently, rejected)).toBe(false)
})
