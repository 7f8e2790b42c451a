import { describe, test, expect } from 'vitest'
import { readThread, THREAD_KEY } from '../../../effects/message/thread.ts'
import type { ThreadPlace } from '../../../streams/html/slots.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { Mailbox, type Message } from '../../../streams/message/mailbox/events.ts'
import { toSenders } from '../../../streams/message/senders/rules.ts'
import type { AppEvent } from '../../../streams/pane/events.ts'
import { withMarbles } from '../../support/marbles.ts'
import { failing } from '../../support/ports.ts'
import { cachedSignature, compose, hostUser, listedSignature, message } from '../../support/state.ts'

const ME = 'alex.kim@northwind.example'
const FULL = '<p>Alex Kim, Sales Manager, Northwind</p>'
const signature = cachedSignature({ html: FULL, reply: null })
const own = (thread?: ThreadPlace) =>
  listedSignature({ combinedIds: signature.combinedIds, html: FULL, ...(thread && { thread }) })
const restored = (thread?: ThreadPlace) =>
  Defaults.restored({
    signature,
    senders: toSenders([own(thread)], { defaults: [signature.combinedIds], bySender: {}, at: 0 }),
  })
const opened = (key = 'item-1') => Mailbox.itemChanged({ item: compose(key) })
const read = (over: Partial<Message> = {}, itemKey = 'item-1') =>
  Mailbox.messageRead({ itemKey, message: message({ composeType: 'reply', ...over }) })
const told = (thread: ThreadPlace, itemKey = 'item-1') => Mailbox.threadRead({ itemKey, thread })
const given: readonly AppEvent[] = [
  Mailbox.userRead({ user: hostUser({ email: ME }) }),
  restored('first'),
  opened(),
]
const WITH = `<div id="divRplyFwdMsg"></div>${FULL}`
const WITHOUT = '<div id="divRplyFwdMsg"></div><p>Hello Alex</p>'
const happening = { r: read(), l: read({}, 'item-2'), o: opened('item-2'), d: restored('first') }

describe('the quoted thread', () => {
  test('is read once, and the answer is kept for other runtimes', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents, afterwards }) => {
      ports.host.body.answers(cold('5ms (b|)', { b: WITH }))
      expectEvents(react({ readThread }, hot('r 20ms d', happening), { given })).toBe('5ms a', {
        a: told('later'),
      })
      afterwards(() => {
        expect(ports.host.body.calls).toEqual([['item-1', 'html']])
        expect(ports.host.setSessionData.calls).toEqual([['item-1', THREAD_KEY, `later ${ME}`]])
      })
    })
  })

  test('is read once a signature that depends on it is known', () => {
    withMarbles(({ hot, react, cold, ports, expectEvents }) => {
      ports.host.body.answers(cold('5ms (b|)', { b: WITHOUT }))
      const before = given.filter((event) => event.type !== 'defaults/restored')
      expectEvents(react({ readThread }, hot('r 9ms d', happening), { given: before })).toBe('15ms a', {
        a: told('first'),
      })
    })
  })

  test('is not read where nothing depends on it, nor in a new message', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const nothing = [...given.filter(({ type }) => type !== 'defaults/restored'), restored()]
      expectEvents(react({ readThread }, hot('r', happening), { given: nothing })).toBe('')
      const fresh = { n: read({ composeType: 'newMail' }) }
      expectEvents(react({ readThread }, hot('n', fresh), { given })).toBe('')
      afterwards(() => {
        expect(ports.host.body.calls).toEqual([])
        expect(ports.host.sessionData.calls).toEqual([])
      })
    })
  })

  test('counts as read by another runtime for the same sender, and not for another', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents, afterwards }) => {
      ports.host.sessionData.answers(cold('2ms (s|)', { s: `first ${ME}` }))
      expectEvents(react({ readThread }, hot('r', happening), { given })).toBe('2ms a', { a: told('first') })
      afterwards(() => {
        expect(ports.host.body.calls).toEqual([])
      })
    })
    withMarbles(({ hot, cold, react, ports, expectEvents }) => {
      ports.host.sessionData.answers(cold('2ms (s|)', { s: 'first sales@northwind.example' }))
      ports.host.body.answers(cold('3ms (b|)', { b: WITH }))
      expectEvents(react({ readThread }, hot('r', happening), { given })).toBe('5ms a', { a: told('later') })
    })
  })

  test('that cannot be read makes the message the first, and nothing is kept', () => {
    withMarbles(({ hot, react, ports, cold, expectEvents, afterwards }) => {
      ports.host.body.answers(cold('4ms (b|)', { b: null }))
      expectEvents(react({ readThread }, hot('r', happening), { given })).toBe('4ms a', { a: told('first') })
      afterwards(() => {
        expect(ports.host.setSessionData.calls).toEqual([])
      })
    })
    withMarbles(({ hot, react, ports, expectEvents }) => {
      ports.host.body.answers(() => failing({ kind: 'host', call: 'body.getAsync', code: 1, name: '' }))
      expectEvents(react({ readThread }, hot('r', happening), { given })).toBe('a', { a: told('first') })
    })
  })

  test('is told even if the answer cannot be kept', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents }) => {
      ports.host.body.answers(cold('5ms (b|)', { b: WITH }))
      ports.host.setSessionData.answers(() => failing({ kind: 'hostSilent', call: 'sessionData.setAsync' }))
      expectEvents(react({ readThread }, hot('r', happening), { given })).toBe('5ms a', { a: told('later') })
    })
  })

  test('of another item is read instead, once that item is open', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents, afterwards }) => {
      ports.host.body.answers(cold('50ms (b|)', { b: WITH }), cold('5ms (b|)', { b: WITHOUT }))
      expectEvents(react({ readThread }, hot('r 9ms o 9ms l', happening), { given })).toBe('25ms a', {
        a: told('first', 'item-2'),
      })
      afterwards(() => {
        expect(ports.host.body.calls.map(([key]) => key)).toEqual(['item-1', 'item-2'])
      })
    })
  })
})
