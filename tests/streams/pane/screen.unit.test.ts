import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { App, type LoggedEvent } from '../../../streams/pane/events.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { contentHash } from '../../../streams/html/hash.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { Screen } from '../../../streams/pane/screen/events.ts'
import { screenReasonOf } from '../../../streams/pane/screen/rules.ts'
import { Settings } from '../../../streams/message/settings/events.ts'
import { noSenders } from '../../../streams/message/senders/senders.ts'
import {
  cachedSignature,
  compose,
  message,
  session,
  settingsLoaded,
  stateAfter,
} from '../../support/state.ts'

const ITEM = 'item-1'
const signature = cachedSignature()
const writing = [
  App.started(),
  Mailbox.itemChanged({ item: compose(ITEM) }),
  Mailbox.messageRead({ itemKey: ITEM, message: message() }),
]
const signedIn = Auth.verified({ session: session(), signature: null })
const rejected = Auth.signedOut({ reason: { kind: 'expired' }, userId: null })
const due = Insertion.defaultDue({ itemKey: ITEM, hash: contentHash(signature.html) })
const reason = (...events: readonly LoggedEvent[]) => screenReasonOf(stateAfter(...events))

describe('[START-4] the screen', () => {
  test('waits while the default may still go in', () => {
    expect(reason()).toBeNull()
    expect(reason(App.started())).toBeNull()
    expect(reason(...writing)).toBeNull()
    expect(reason(...writing, settingsLoaded())).toBeNull()
    expect(reason(...writing, settingsLoaded(), signedIn)).toBeNull()
    // The default is known, and about to be inserted.
    expect(reason(...writing, signedIn, settingsLoaded(), Defaults.loaded({ value: signature }))).toBeNull()
    expect(
      reason(...writing, settingsLoaded(), Defaults.restored({ signature, senders: noSenders })),
    ).toBeNull()
    expect(
      reason(...writing, signedIn, settingsLoaded(), Defaults.loaded({ value: signature }), due),
    ).toBeNull()
  })

  test('waits for the settings, which may switch the default off', () => {
    const known = [...writing, signedIn, Defaults.loaded({ value: cachedSignature({ html: '' }) })]
    expect(reason(...known)).toBeNull()
    expect(reason(...known, settingsLoaded())).toBe('noneDue')
  })

  test('waits for the name of the signature that goes into replies', () => {
    const answering = [
      ...[App.started(), Mailbox.itemChanged({ item: compose(ITEM) }), signedIn, settingsLoaded()],
      Mailbox.messageRead({ itemKey: ITEM, message: message({ composeType: 'reply' }) }),
    ]
    const value = cachedSignature({ reply: { html: '', of: null } })
    expect(reason(...answering, Defaults.loaded({ value }))).toBeNull()
    const named = { ...value, reply: { html: '', of: { combinedIds: '1', name: 'Reply' } } }
    expect(reason(...answering, Defaults.loaded({ value: named }))).toBe('noneDue')
  })

  test('waits for the silent sign-in', () => {
    expect(reason(...writing, settingsLoaded(), Auth.sessionMissing())).toBeNull()
  })

  test.each<[string, readonly LoggedEvent[], string]>([
    ['nothing is open', [App.started(), Mailbox.itemChanged({ item: null })], 'noneDue'],
    [
      'a message is read',
      [App.started(), Mailbox.itemChanged({ item: { key: ITEM, mode: 'read' } })],
      'noneDue',
    ],
    [
      'the user chose for this message',
      [
        ...[App.started(), Mailbox.itemChanged({ item: compose(ITEM) }), settingsLoaded()],
        Mailbox.messageRead({ itemKey: ITEM, message: message({ stopPush: true }) }),
        Defaults.restored({ signature, senders: noSenders }),
      ],
      'noneDue',
    ],
    ['nothing goes in by itself', [...writing, settingsLoaded({ enableSignaturePush: false })], 'noneDue'],
    [
      'the user has no default',
      [...writing, signedIn, settingsLoaded(), Defaults.loaded({ value: cachedSignature({ html: '' }) })],
      'noneDue',
    ],
    [
      'the default cannot be loaded',
      [...writing, signedIn, settingsLoaded(), Defaults.loadFailed({ failure: { kind: 'timeout' } })],
      'person',
    ],
    ['the session has ended', [...writing, rejected], 'person'],
    [
      'the user signs in by hand',
      [...writing, settingsLoaded({ enableSilentSSO: false }), Auth.sessionMissing()],
      'person',
    ],
    [
      'the default does not go in',
      [
        ...[...writing, settingsLoaded(), due],
        Insertion.failed({
          id: -2,
          itemKey: ITEM,
          target: { kind: 'default' },
          failure: { kind: 'timeout' },
        }),
      ],
      'person',
    ],
  ])('is due when %s', (_, events, because) => {
    expect(reason(...events)).toBe(because)
  })
})

describe('the load of the screen', () => {
  const status = (...events: readonly LoggedEvent[]) => stateAfter(...events).screen.load.status

  test('is pending from the moment it is due', () => {
    expect(status()).toBe('idle')
    expect(status(Screen.due({ reason: 'late' }))).toBe('pending')
    expect(status(Screen.due({ reason: 'late' }), Screen.loadFailed({ failure: { kind: 'network' } }))).toBe(
      'fail',
    )
  })

  test('stays a success, whatever happens in the session', () => {
    const after = fc.constantFrom<LoggedEvent>(
      ...[Screen.due({ reason: 'told' }), Screen.loaded(), rejected, App.retryRequested()],
      ...[Auth.sessionMissing(), Settings.errorsCleared(), Mailbox.itemChanged({ item: null })],
    )
    fc.assert(
      fc.property(fc.array(after), (events) => {
        expect(status(Screen.due({ reason: 'told' }), Screen.loaded(), ...events)).toBe('success')
      }),
    )
  })
})
