import { of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import {
  changeDefault,
  defaultCache,
  keepDefault,
  pushDefault,
  restoreDefault,
} from '../../effects/defaults.ts'
import { App, type AppEvent } from '../../streams/app/events.ts'
import { Auth } from '../../streams/auth/events.ts'
import { Defaults } from '../../streams/defaults/events.ts'
import { contentHash } from '../../streams/html/hash.ts'
import { Insertion } from '../../streams/insertion/events.ts'
import { Mailbox } from '../../streams/mailbox/events.ts'
import { Profile } from '../../streams/profile/events.ts'
import { type Marbles, withMarbles } from '../support/marbles.ts'
import {
  cachedSignature,
  compose,
  hostUser,
  masterUuid,
  message,
  profile,
  session,
  settingsLoaded,
  signedInWriting,
} from '../support/state.ts'

/** The key under which local storage keeps the last user. */
const LAST_USER = 'lastPerson'
const signedIn = [Auth.sessionRecovered({ session: session() }), settingsLoaded()]
const signedOut = Auth.signedOut({ reason: { kind: 'person' }, userId: 'u-alex' })
const failure = { kind: 'timeout' } as const

describe('the default of an earlier pane', () => {
  const signature = cachedSignature({ name: 'From storage' })
  const snapshot = { version: 2, owner: 'u-alex', value: signature }
  const started = { s: App.started() }
  const restoring = (
    { hot, react, ports, expectEvents }: Marbles,
    last: unknown = { email: 'alex.kim@northwind.example', userId: 'u-alex' },
    kept: unknown = snapshot,
  ) => {
    ports.storage.local.set(LAST_USER, last).subscribe()
    ports.storage.privateCache('u-alex').set(defaultCache.key, kept).subscribe()
    return expectEvents(react({ restoreDefault }, hot('s', started)))
  }

  test('is restored before the service answers', () => {
    withMarbles((marbles) => {
      restoring(marbles).toBe('s', { s: Defaults.restored({ signature }) })
      marbles.afterwards(() => {
        expect(marbles.ports.sent.filter(({ name }) => name.startsWith('api.'))).toEqual([])
      })
    })
  })

  test.each<[string, unknown, unknown?]>([
    ['of another owner', undefined, { ...snapshot, owner: 'u-maria' }],
    ['of another version', undefined, { ...snapshot, version: 1 }],
    ['of another shape', undefined, { ...snapshot, value: { ...signature, images: 'junk' } }],
    ['that is junk', undefined, 'junk'],
    ['that is null', undefined, null],
    ["of another mailbox's user", { email: 'maria@northwind.example', userId: 'u-alex' }],
    ['without a last user', null],
    ['of a user without an id', { email: 'alex.kim@northwind.example', userId: '' }],
  ])('is ignored: one %s', (_, last, kept = snapshot) => {
    withMarbles((marbles) => {
      restoring(marbles, last, kept).toBe('-')
    })
  })

  test('is not read while the mail client does not report the user of the mailbox', () => {
    withMarbles((marbles) => {
      marbles.ports.host.user.answers(of(null))
      restoring(marbles).toBe('-')
      marbles.afterwards(() => {
        expect(marbles.ports.storage.privateCache('u-alex').get.calls).toEqual([])
      })
    })
  })

  test('is not restored after signing out', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents }) => {
      ports.storage.local
        .set(LAST_USER, { email: 'alex.kim@northwind.example', userId: 'u-alex' })
        .subscribe()
      ports.storage.privateCache('u-alex').get.answers(cold('10ms (s|)', { s: snapshot }))
      expectEvents(react({ restoreDefault }, hot('s-o', { ...started, o: signedOut }))).toBe('-')
    })
  })

  test('is kept from the last answer for its owner, and found by the next pane', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.host.user.answers(of(hostUser()))
      ports.storage.local
        .set(LAST_USER, { email: 'alex.kim@northwind.example', userId: 'u-alex' })
        .subscribe()
      const happening$ = hot('c 9ms s', { c: Defaults.loaded({ value: signature }), ...started })
      expectEvents(react({ keepDefault, restoreDefault }, happening$, { given: signedIn })).toBe('10ms r', {
        r: Defaults.restored({ signature }),
      })
      afterwards(() => {
        expect(ports.storage.privateCache('u-alex').content()).toEqual({ [defaultCache.key]: snapshot })
      })
    })
  })

  test('is not kept without a session', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      expectEvents(
        react({ keepDefault }, hot('c', { c: Defaults.loaded({ value: signature }) })),
        '^-!',
      ).toBe('-')
      afterwards(() => {
        expect(ports.sent).toEqual([])
      })
    })
  })
})

describe('changing the default', () => {
  test('signing out cancels it with the changes that wait: no request goes out in the next session', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents, afterwards }) => {
      ports.api.saveVariables.answers(cold('5ms (a|)', { a: { values: {}, changedFields: [] } }))
      const given = [...signedIn, Profile.loaded({ value: profile() })]
      const happening$ = hot('m r 1ms o 1ms s', {
        m: Defaults.changeRequested({ combinedIds: '12-0', use: 'master' }),
        r: Defaults.changeRequested({ combinedIds: '13-0', use: 'reply' }),
        o: signedOut,
        s: Auth.verified({ session: session() }),
      })
      expectEvents(react({ changeDefault }, happening$, { given }), '^ 50ms !').toBe('')
      afterwards(() => {
        expect(ports.api.saveVariables.cancelled()).toBe(1)
        expect(ports.sent.map(({ name }) => name)).toEqual(['api.saveVariables'])
      })
    })
  })
})

describe('pushing the default', () => {
  const signature = cachedSignature()
  const hash = contentHash(signature.html)
  const loaded = Defaults.loaded({ value: signature })
  const due = { d: Insertion.defaultDue({ itemKey: 'item-1', hash }) }
  const target = { kind: 'default' } as const
  const content = { html: signature.html, images: [] }
  const push = (
    { hot, react, expectEvents }: Marbles,
    marble: string,
    events: Record<string, AppEvent>,
    given: readonly AppEvent[],
  ) => expectEvents(react({ pushDefault }, hot(marble, events), { given }), '^ 100ms !')

  test('[SIG-8] is due once, as soon as message and default are known, in either order', () => {
    withMarbles((marbles) => {
      push(marbles, 'c-c', { c: loaded }, signedInWriting('item-1')).toBe('d', due)
    })
    withMarbles((marbles) => {
      const read = { m: Mailbox.messageRead({ itemKey: 'item-1', message: message() }) }
      const open = Mailbox.itemChanged({ item: compose('item-1') })
      push(marbles, 'm-m', read, [...signedIn, loaded, open]).toBe('d', due)
    })
    withMarbles((marbles) => {
      const restored = { r: Defaults.restored({ signature }), c: loaded }
      push(marbles, 'r-c', restored, signedInWriting('item-1')).toBe('d', due)
    })
  })

  test('[SIG-8] is the reply version in a reply', () => {
    withMarbles((marbles) => {
      push(marbles, 'c', { c: loaded }, signedInWriting('item-1', { composeType: 'reply' })).toBe('d', {
        d: Insertion.defaultDue({ itemKey: 'item-1', hash: contentHash(signature.reply ?? '') }),
      })
    })
  })

  test('[SIG-8] is not due when the message has the stop-push flag', () => {
    withMarbles((marbles) => {
      push(marbles, 'c', { c: loaded }, signedInWriting('item-1', { stopPush: true })).toBe('-')
    })
  })

  test('is not due in a message that is read, nor without one', () => {
    for (const item of [{ key: 'item-1', mode: 'read' } as const, null])
      withMarbles((marbles) => {
        push(marbles, 'c', { c: loaded }, [...signedIn, Mailbox.itemChanged({ item })]).toBe('-')
      })
  })

  test('is not due again after it failed; a newer default is', () => {
    withMarbles((marbles) => {
      const newer = cachedSignature({ html: '<p>Newer</p>' })
      const failed = Insertion.failed({ id: 1, itemKey: 'item-1', target, failure })
      const events = { c: loaded, f: failed, n: Defaults.loaded({ value: newer }) }
      // The due default is the event with the number 1.
      push(marbles, 'c-f-c-n', events, signedInWriting('item-1')).toBe('d-----n', {
        ...due,
        n: Insertion.defaultDue({ itemKey: 'item-1', hash: contentHash(newer.html) }),
      })
    })
  })

  test('a newer default waits until the one before is inserted', () => {
    withMarbles((marbles) => {
      const newer = cachedSignature({ html: '<p>Newer</p>' })
      const reason = { origin: 'default', composeType: 'newMail', reply: false } as const
      const inMessage = { combinedIds: signature.combinedIds, hash, name: signature.name, reason }
      const events = {
        c: loaded,
        n: Defaults.loaded({ value: newer }),
        s: Insertion.succeeded({ id: 1, itemKey: 'item-1', target, inMessage, content }),
      }
      push(marbles, 'c-n-s', events, signedInWriting('item-1')).toBe('d---n', {
        ...due,
        n: Insertion.defaultDue({ itemKey: 'item-1', hash: contentHash(newer.html) }),
      })
    })
  })

  test('is not due over a choice of the user', () => {
    withMarbles((marbles) => {
      const uuid = masterUuid(1, 0)
      const reason = { origin: 'manual', composeType: 'newMail', reply: false } as const
      const inMessage = { combinedIds: 'c-1-0', hash: 'h', name: 'Signature 1.1', reason }
      const events = {
        p: Insertion.chosen({ uuid, itemKey: 'item-1' }),
        c: loaded,
        s: Insertion.succeeded({
          id: 0,
          itemKey: 'item-1',
          target: { kind: 'entry', uuid },
          inMessage,
          content,
        }),
      }
      push(marbles, 'p-c-s-c', events, signedInWriting('item-1')).toBe('-')
    })
  })
})
