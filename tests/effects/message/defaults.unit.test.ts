import { filter, mergeMap, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { changeDefault, nameReplyDefault, pushDefault } from '../../../effects/message/defaults.ts'
import type { AppEffect } from '../../../effects/message/app.ts'
import { loadProfile } from '../../../effects/pane/loads.ts'
import { cacheDefault } from '../../../effects/message/cachedDefault.ts'
import { App, type AppEvent } from '../../../streams/pane/events.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { type DefaultUse, Defaults } from '../../../streams/message/defaults/events.ts'
import { contentHash } from '../../../streams/html/hash.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { ofType } from '../../../streams/kernel/event.ts'
import { Failed, type Failure } from '../../../streams/kernel/failure.ts'
import { loadedValue } from '../../../streams/kernel/load.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { SendersRead } from '../../../streams/message/senders/events.ts'
import { toSenders } from '../../../streams/message/senders/rules.ts'
import type { CachedSignature } from '../../../streams/wire/signatures.ts'
import { noSenders } from '../../../streams/message/senders/senders.ts'
import { type Marbles, withMarbles } from '../../support/marbles.ts'
import { failing } from '../../support/ports.ts'
import {
  cachedSignature,
  compose,
  listedSignature,
  masterId,
  message,
  profile,
  replyVersion,
  session,
  verification,
  settingsLoaded,
  signedInWriting,
} from '../../support/state.ts'

/** The key of the kept copy. */
const MAILBOX = 'alex.kim@northwind.example'
const signedIn = [Auth.sessionRecovered({ session: session() }), settingsLoaded()]
const signedOut = Auth.signedOut({ reason: { kind: 'person' }, userId: 'u-alex' })
const failure = { kind: 'timeout' } as const

describe('changing the default', () => {
  const chosen = (master: string, reply: string | null) =>
    profile({ metadata: { defaultSignature: { master, reply }, others: { tour: 'seen' } } })
  const given = [...signedIn, Profile.loaded({ value: chosen('11-0', null) })]
  const ask = (combinedIds: string, use: DefaultUse) => Defaults.changeRequested({ combinedIds, use })
  const asked = { m: ask('12-0', 'master'), r: ask('13-0', 'reply'), n: ask('14-0', 'master') }
  const sentBy = (ports: Marbles['ports']) =>
    ports.api.saveVariables.calls.map(([{ metadata }]) => metadata?.defaultSignature)

  test('[SIG-7] two at once go out one after the other, the second over what the first made', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents, afterwards }) => {
      ports.api.saveVariables.answers(cold('5ms (a|)', { a: { values: {}, changedFields: [] } }))
      ports.api.user.answers(
        cold('3ms (p|)', { p: chosen('12-0', '11-0') }),
        cold('3ms (p|)', { p: chosen('12-0', '13-0') }),
      )
      const one = { master: '12-0', reply: '11-0' }
      const both = { master: '12-0', reply: '13-0' }
      const happened$ = react({ changeDefault, loadProfile }, hot('(mr)', asked), { given })
      // The second waits for the profile to be read again.
      expectEvents(happened$).toBe('5ms a 2ms p 4ms b 2ms q', {
        a: Defaults.changed({ id: 0, defaults: one }),
        p: Profile.loaded({ value: chosen('12-0', '11-0') }),
        b: Defaults.changed({ id: 1, defaults: both }),
        q: Profile.loaded({ value: chosen('12-0', '13-0') }),
      })
      afterwards(() => {
        expect(ports.api.saveVariables.mostAtOnce()).toBe(1)
        expect(ports.api.saveVariables.calls.map(([{ metadata }]) => metadata)).toEqual([
          { defaultSignature: one, others: { tour: 'seen' } },
          { defaultSignature: both, others: { tour: 'seen' } },
        ])
        expect(ports.api.saveDefaultSignature.calls).toEqual([['12-0']])
      })
    })
  })

  test('[CHOOSE-2] for a sender has no master; a service that refuses that gets the default beside it', () => {
    const bySender = { 'sales@own.example': '12-0' }
    const refusal: Failure = { kind: 'http', status: 400, code: 'invalid_body', data: null }
    const wanted = {
      s: Defaults.senderChoiceRequested({ address: 'Sales@own.example', combinedIds: '12-0' }),
    }
    const before = [
      ...signedIn,
      Defaults.loaded({ value: cachedSignature({ combinedIds: '11-0', reply: null }) }),
      Profile.loaded({ value: profile() }),
    ]
    const alone = { master: null, reply: null, bySender } as const
    const complete = { master: '11-0', reply: null, bySender }
    const saved$ = of({ values: {}, changedFields: [] })
    const cases = [
      [[saved$], [alone], Defaults.changed({ id: 0, defaults: alone })],
      [[failing(refusal), saved$], [alone, complete], Defaults.changed({ id: 0, defaults: complete })],
      [[failing(refusal)], [alone, complete], Defaults.changeFailed({ id: 0, failure: refusal })],
      [[failing(failure)], [alone], Defaults.changeFailed({ id: 0, failure })],
    ] as const
    for (const [answers, sent, outcome] of cases)
      withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
        const [first$, second$ = first$] = answers
        ports.api.saveVariables.answers(first$, second$)
        expectEvents(react({ changeDefault }, hot('s', wanted), { given: before })).toBe('o', { o: outcome })
        afterwards(() => {
          expect(ports.api.saveVariables.calls.map(([{ metadata }]) => metadata?.defaultSignature)).toEqual(
            sent,
          )
          expect(ports.api.saveDefaultSignature.calls).toEqual([])
        })
      })
  })

  test('[CHOOSE-2] by the organisation fails where the service refuses that there is none of the user', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const refusal: Failure = { kind: 'http', status: 400, code: 'invalid_body', data: null }
      const bySender = { 'sales@own.example': '12-0' }
      ports.api.saveVariables.answers(failing(refusal))
      const before = [
        ...signedIn,
        Defaults.loaded({ value: cachedSignature({ combinedIds: '11-0', reply: null }) }),
        Profile.loaded({
          value: profile({
            metadata: { defaultSignature: { master: '11-0', reply: null, bySender }, others: {} },
          }),
        }),
      ]
      const happened$ = react({ changeDefault }, hot('o', { o: Defaults.organisationRequested() }), {
        given: before,
      })
      expectEvents(happened$).toBe('f', { f: Defaults.changeFailed({ id: 0, failure: refusal }) })
      afterwards(() => {
        expect(ports.api.saveVariables.calls.map(([{ metadata }]) => metadata?.defaultSignature)).toEqual([
          { master: null, reply: null, bySender },
        ])
      })
    })
  })

  test('[SIG-7] after one that failed, the next builds on what the service has, read again', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents, afterwards }) => {
      ports.api.saveVariables.answers(cold('5ms (a|)', { a: { values: {}, changedFields: [] } }))
      // The metadata was saved, and the second call failed: only the service knows.
      ports.api.saveDefaultSignature.answers(failing(failure), of(undefined))
      ports.api.user.answers(cold('3ms (p|)', { p: chosen('12-0', null) }))
      const happened$ = react({ changeDefault, loadProfile }, hot('(mrn)', asked), { given })
      expectEvents(happened$.pipe(filter(({ type }) => type !== 'profile/loaded'))).toBe(
        '5ms a 7ms b 7ms c',
        {
          a: Defaults.changeFailed({ id: 0, failure }),
          b: Defaults.changed({ id: 1, defaults: { master: '12-0', reply: '13-0' } }),
          c: Defaults.changed({ id: 2, defaults: { master: '14-0', reply: '12-0' } }),
        },
      )
      afterwards(() => {
        expect(sentBy(ports)).toEqual([
          { master: '12-0', reply: '11-0' },
          { master: '12-0', reply: '13-0' },
          { master: '14-0', reply: '12-0' },
        ])
      })
    })
  })

  test('[SIG-7] when the profile cannot be read again, the next builds on what was saved', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents, afterwards }) => {
      ports.api.saveVariables.answers(cold('5ms (a|)', { a: { values: {}, changedFields: [] } }))
      ports.api.user.answers(failing(failure))
      const happened$ = react({ changeDefault, loadProfile }, hot('(mr)', asked), { given })
      expectEvents(happened$.pipe(filter(({ type }) => type === 'defaults/changed'))).toBe('5ms a 4ms b', {
        a: Defaults.changed({ id: 0, defaults: { master: '12-0', reply: '11-0' } }),
        b: Defaults.changed({ id: 1, defaults: { master: '12-0', reply: '13-0' } }),
      })
      afterwards(() => {
        expect(sentBy(ports)).toHaveLength(2)
      })
    })
  })

  test('[SIG-7] two whose answers come at once lose nothing of each other either', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents, afterwards }) => {
      ports.api.user.answers(cold('3ms (p|)', { p: chosen('12-0', '11-0') }))
      /** Both are asked for before the first is made. */
      const both: AppEffect = (event$) =>
        event$.pipe(
          ofType(App.started),
          mergeMap(() => of(asked.m, asked.r)),
        )
      const happened$ = react({ both, changeDefault, loadProfile }, hot('s', { s: App.started() }), { given })
      expectEvents(happened$.pipe(filter(({ type }) => type === 'defaults/changed'))).toBe('a 2ms b', {
        a: Defaults.changed({ id: 1, defaults: { master: '12-0', reply: '11-0' } }),
        b: Defaults.changed({ id: 2, defaults: { master: '12-0', reply: '13-0' } }),
      })
      afterwards(() => {
        expect(sentBy(ports)).toHaveLength(2)
      })
    })
  })

  test('signing out cancels it with the changes that wait, and the next session makes its own', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents, afterwards }) => {
      ports.api.saveVariables.answers(cold('5ms (a|)', { a: { values: {}, changedFields: [] } }))
      const happening$ = hot('m r 1ms o 1ms s p n', {
        ...asked,
        o: signedOut,
        s: Auth.verified(verification()),
        p: Profile.loaded({ value: chosen('11-0', null) }),
      })
      expectEvents(react({ changeDefault }, happening$, { given }), '^ 50ms !').toBe('12ms c', {
        c: Defaults.changed({ id: 5, defaults: { master: '14-0', reply: '11-0' } }),
      })
      afterwards(() => {
        expect(ports.api.saveVariables.cancelled()).toBe(1)
        expect(sentBy(ports)).toEqual([
          { master: '12-0', reply: '11-0' },
          { master: '14-0', reply: '11-0' },
        ])
      })
    })
  })
})

describe('the signature of a reply version that the service does not name', () => {
  const reply = replyVersion('<p>A.</p>', null)
  const loaded = Defaults.loaded({ value: cachedSignature({ reply }) })
  const chose = (combinedIds: string | null) =>
    Profile.loaded({
      value: profile({
        metadata: { defaultSignature: { master: 'c-standard', reply: combinedIds }, others: {} },
      }),
    })
  const named = (name: string, combinedIds: string) => Defaults.replyNamed({ of: { name, combinedIds } })

  test.each([
    ['the default itself, without a choice for replies', chose(null), named('Standard', 'c-standard')],
    ['the choice for replies, named by the service', chose('c-short'), named('Short', 'c-short')],
  ] as const)('is %s', (_, profileLoaded, expected) => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.api.signature.answers(of(cachedSignature({ name: 'Short', combinedIds: 'c-short' })))
      for (const order of ['l 2ms p', 'p 2ms l'])
        expectEvents(
          react({ nameReply: nameReplyDefault }, hot(order, { l: loaded, p: profileLoaded }), {
            given: signedIn,
          }),
        ).toBe('3ms n', { n: expected })
      afterwards(() => {
        expect(ports.api.signature.calls).toEqual(
          expected.data.of.name === 'Short'
            ? [[{ combinedIds: 'c-short' }], [{ combinedIds: 'c-short' }]]
            : [],
        )
      })
    })
  })

  test('is named as well where a second sign-in brought the default', () => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      const again = Auth.verified({ session: session(), signature: cachedSignature({ reply }) })
      const given = [...signedIn, Defaults.loaded({ value: cachedSignature() }), chose(null)]
      expectEvents(react({ nameReply: nameReplyDefault }, hot('v', { v: again }), { given })).toBe('n', {
        n: named('Standard', 'c-standard'),
      })
      expect(ports.api.signature.calls).toEqual([])
    })
  })

  test('is the choice without a name when that cannot be read', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.api.signature.answers(failing(failure))
      const happening$ = hot('(lp)', { l: loaded, p: chose('c-short') })
      const nameless: CachedSignature[] = []
      const happened$ = react({ nameReply: nameReplyDefault, keepDefault: cacheDefault }, happening$, {
        given: signedIn,
        stores: ({ state$ }) =>
          state$.subscribe(({ defaults }) => {
            const signature = loadedValue(defaults.load)
            if (signature) nameless.push(signature)
          }),
      })
      expectEvents(happened$).toBe('n', { n: Defaults.replyNameFailed({ combinedIds: 'c-short', failure }) })
      afterwards(() => {
        const without = { reply: { html: reply.html, of: { combinedIds: 'c-short', name: '' } } }
        expect(nameless.at(-1)).toMatchObject(without)
        expect(ports.storage.kept.content()[MAILBOX]).toMatchObject({
          value: { signature: without },
        })
      })
    })
  })

  test('is stored for the next pane', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const happening$ = hot('(lp)', { l: loaded, p: chose(null) })
      expectEvents(
        react({ nameReply: nameReplyDefault, keepDefault: cacheDefault }, happening$, { given: signedIn }),
        '^ 9ms !',
      ).toBe('n', {
        n: named('Standard', 'c-standard'),
      })
      afterwards(() => {
        expect(ports.storage.kept.content()[MAILBOX]).toMatchObject({
          value: { signature: { reply: replyVersion('<p>A.</p>') } },
        })
      })
    })
  })

  test('is awaited in a reply until it is known or cannot be, and not in a new message', () => {
    const hash = contentHash(reply.html)
    const due = Insertion.defaultDue({ itemKey: 'item-1', hash })
    const events = {
      l: loaded,
      p: chose(null),
      q: chose('c-short'),
      x: Profile.loadFailed({ failure }),
    }
    const pushed = ({ hot, react, expectEvents }: Marbles, order: string, composeType: 'reply' | 'newMail') =>
      expectEvents(
        react({ nameReply: nameReplyDefault, pushDefault }, hot(order, events), {
          given: signedInWriting('item-1', { composeType }),
        }).pipe(filter(({ type }) => type === 'insertion/defaultDue')),
      )
    withMarbles((marbles) => {
      pushed(marbles, 'l 4ms p', 'reply').toBe('5ms d', { d: due })
    })
    withMarbles((marbles) => {
      marbles.ports.api.signature.answers(marbles.cold('9ms #', {}, new Failed(failure)))
      pushed(marbles, 'l 4ms q', 'reply').toBe('14ms d', { d: due })
    })
    withMarbles((marbles) => {
      pushed(marbles, 'l 4ms x', 'reply').toBe('5ms d', { d: due })
    })
    withMarbles((marbles) => {
      const standard = Insertion.defaultDue({ itemKey: 'item-1', hash: contentHash(cachedSignature().html) })
      pushed(marbles, 'l 4ms p', 'newMail').toBe('d', { d: standard })
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
      const restored = { r: Defaults.restored({ signature, senders: noSenders }), c: loaded }
      push(marbles, 'r-c', restored, signedInWriting('item-1')).toBe('d', due)
    })
  })

  test('[AUTO-13] waits 800 ms for the last of the recipients, whatever else happens, except for the first signature', () => {
    const to = (count: number) =>
      Mailbox.recipientsChanged({
        itemKey: 'item-1',
        to: Array.from({ length: count }, (_, index) => ({ address: `${index}@else.example`, name: '' })),
        cc: [],
      })
    const inner = signature.combinedIds
    const outer = listedSignature({ combinedIds: 'c-outer', html: '<p>Outer</p>' })
    const senders = toSenders([listedSignature({ combinedIds: inner, audiences: ['in.example'] }), outer], {
      defaults: [inner],
      bySender: {},
      at: 0,
    })
    const read = SendersRead.loaded({ senders })
    const events = { a: to(1), b: to(2), r: read, c: loaded }
    const outerDue = { d: Insertion.defaultDue({ itemKey: 'item-1', hash: contentHash(outer.html) }) }
    const isIn = { combinedIds: inner, hash, name: 'Standard', reply: false, origin: 'default' } as const
    const happening = ({ hot, react, expectEvents }: Marbles, marble: string, given: readonly AppEvent[]) =>
      expectEvents(react({ pushDefault }, hot(marble, events), { given }), '^ 3s !')
    withMarbles((marbles) => {
      const given = [...signedInWriting('item-1', { inserted: isIn }), loaded, read]
      happening(marbles, 'a 499ms b 499ms r', given).toBe('1300ms d', outerDue)
    })
    withMarbles((marbles) => {
      happening(marbles, 'a 499ms c', [...signedInWriting('item-1'), read]).toBe('500ms d', outerDue)
    })
  })

  test('[SIG-8] is due when a sign-in brought the default, once the settings are known', () => {
    withMarbles((marbles) => {
      const events = { v: Auth.verified({ session: session(), signature }), k: settingsLoaded() }
      push(marbles, 'v--k', events, signedInWriting('item-1')).toBe('---d', due)
    })
  })

  test('[SIG-8] is the reply version in a reply', () => {
    withMarbles((marbles) => {
      push(marbles, 'c', { c: loaded }, signedInWriting('item-1', { composeType: 'reply' })).toBe('d', {
        d: Insertion.defaultDue({ itemKey: 'item-1', hash: contentHash(signature.reply?.html ?? '') }),
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
      const entryId = masterId(1, 0)
      const reason = { origin: 'manual', composeType: 'newMail', reply: false } as const
      const inMessage = { combinedIds: 'c-1-0', hash: 'h', name: 'Signature 1.1', reason }
      const events = {
        p: Insertion.chosen({ entryId, itemKey: 'item-1' }),
        c: loaded,
        s: Insertion.succeeded({
          id: 0,
          itemKey: 'item-1',
          target: { kind: 'entry', entryId },
          inMessage,
          content,
        }),
      }
      push(marbles, 'p-c-s-c', events, signedInWriting('item-1')).toBe('-')
    })
  })
})
