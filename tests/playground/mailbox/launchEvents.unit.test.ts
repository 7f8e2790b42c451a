import fc from 'fast-check'
import { VirtualTimeScheduler, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { demoMailbox } from '../../../src/playground/mailbox/demo.ts'
import { newMessageEvents } from '../../../src/playground/mailbox/launchEvents.ts'
import { createMailbox } from '../../../src/playground/mailbox/mailbox.ts'
import {
  type MailboxAction,
  applyAction,
  handleCall,
  asPhoneMailbox,
} from '../../../src/playground/mailbox/model.ts'
import { CLIENT_PROFILES } from '../../../src/playground/mailbox/profiles.ts'

const ALEX = { address: 'alex.kim@northwind.example', name: 'Alex Kim' }
const CLAIRE = { address: 'claire.dubois@fabrikam.example', name: 'Claire Dubois' }

function running() {
  const scheduler = new VirtualTimeScheduler()
  const mailbox = createMailbox(demoMailbox(), { time: { scheduler }, accessToken: () => of('') })
  const raised: string[] = []
  const types: string[] = []
  mailbox.launchEvent$.subscribe(({ kind, item, data }) => {
    types.push(data.type)
    const { to, cc } = (data['changedRecipientFields'] ?? {}) as { to?: boolean; cc?: boolean }
    raised.push([kind, item, to && 'to', cc && 'cc'].filter(Boolean).join(' '))
  })
  const act = (action: MailboxAction) => {
    raised.length = 0
    types.length = 0
    const id = mailbox.act(action)
    scheduler.flush()
    return id
  }
  return { mailbox, raised, names: () => [...types], act }
}

describe('launch events', () => {
  test.each([{ type: 'newMessage' }, { type: 'reply' }, { type: 'forward' }] as const)(
    '$type begins a message once',
    (action) => {
      const { raised, act } = running()
      expect(raised).toEqual([])
      const id = act(action)
      expect(raised).toEqual([`newMessage ${String(id)}`])
    },
  )

  test('a draft that is opened again, and a received message, begin nothing', () => {
    const { mailbox, raised, act } = running()
    const first = mailbox.snapshot().current
    act({ type: 'newMessage' })
    act({ type: 'switchTo', id: first })
    expect(raised).toEqual([])
    act({ type: 'switchTo', id: 'item-1' })
    expect(raised).toEqual([])
    expect(newMessageEvents(mailbox.state$.value)).toEqual([])
  })

  test('[MEET-6] a message that is sent is looked into once, where the manifest says so', () => {
    const { mailbox, raised, act } = running()
    const id = act({ type: 'newMessage' })
    act({ type: 'setRecipients', to: [CLAIRE] })
    act({ type: 'setQuirk', quirk: 'asksBeforeSending', on: true })
    act({ type: 'send', date: 0 })
    expect(raised).toEqual([`send ${String(id)}`])
    act({ type: 'send', date: 0 })
    expect(raised).toEqual([])
    act({ type: 'doNotSend' })
    mailbox.act({ type: 'sendAnswered', answer: null })
    expect(raised).toEqual([])
  })

  test('a message that another user begins is theirs', () => {
    const { raised, act } = running()
    const id = act({ type: 'choosePerson', address: 'jonas.weber@northwind.example' })
    expect(raised).toEqual([`newMessage ${String(id)}`])
  })

  test('the same sender again raises an event, too', () => {
    const { mailbox, raised, act } = running()
    act({ type: 'setFrom', from: ALEX })
    expect(raised).toEqual([`fromChanged ${String(mailbox.snapshot().current)}`])
  })

  test('each list of recipients that changes raises an event of its own', () => {
    const { raised, act } = running()
    const id = act({ type: 'newMessage' })
    act({ type: 'setRecipients', to: [CLAIRE], cc: [ALEX] })
    expect(raised).toEqual([`recipientsChanged ${String(id)} to`, `recipientsChanged ${String(id)} cc`])
    act({ type: 'setRecipients', to: [CLAIRE], cc: [] })
    expect(raised).toEqual([`recipientsChanged ${String(id)} cc`])
    act({ type: 'setRecipients', to: [CLAIRE] })
    expect(raised).toEqual([])
  })

  test.each([
    [null, []],
    ['web', []],
    ['classic', []],
    ['mac', ['onAppointmentFromChanged']],
  ] as const)(
    'a meeting in the client %s begins once, and tells changes of attendees, and of the organiser by %j',
    (profile, ofOrganizer) => {
      const { names, act } = running()
      act({ type: 'setProfile', profile })
      act({ type: 'newMeeting' })
      expect(names()).toEqual(['onNewAppointmentOrganizer'])
      act({ type: 'setRecipients', to: [CLAIRE], cc: [ALEX] })
      expect(names()).toEqual(['onAppointmentAttendeesChanged', 'onAppointmentAttendeesChanged'])
      act({ type: 'setFrom', from: CLAIRE })
      expect(names()).toEqual(ofOrganizer)
    },
  )

  test.each(['ios', 'android'] as const)('a meeting raises no event on a phone, %s', (profile) => {
    const { mailbox, raised, act } = running()
    act({ type: 'setProfile', profile })
    act({ type: 'newMeeting' })
    expect(raised).toEqual([])
    expect(newMessageEvents(mailbox.state$.value)).toEqual([])
    for (const action of [
      { type: 'setRecipients', to: [CLAIRE] },
      { type: 'setFrom', from: CLAIRE },
    ] as const) {
      act(action)
      expect(raised).toEqual([])
    }
  })

  test.each([
    ['web', 0],
    ['classic', 1],
  ] as const)(
    'a meeting that is forwarded from the calendar begins a message in the client %s %i times',
    (profile, times) => {
      const { names, act } = running()
      act({ type: 'setProfile', profile })
      act({ type: 'switchTo', id: 'meeting-2' })
      act({ type: 'forward' })
      expect(names()).toEqual(Array(times).fill('onNewMessageCompose'))
      // A message that is forwarded, and an answer to the organiser, begin one everywhere.
      act({ type: 'forward', message: 'item-1' })
      expect(names()).toEqual(['onNewMessageCompose'])
      act({ type: 'reply', message: 'meeting-2' })
      expect(names()).toEqual(['onNewMessageCompose'])
    },
  )

  test('a meeting in Outlook on a phone raises no event, and takes no signature', () => {
    const state = applyAction(asPhoneMailbox(demoMailbox()), { type: 'newMeeting' }).state
    expect(newMessageEvents(state)).toEqual([])
    const { reply } = handleCall(
      { ...state, switching: false },
      { name: 'body.setSignatureAsync', args: { data: 'S', coercionType: 'html' } },
    )
    expect(reply).toMatchObject({ ok: false, error: { code: 5000 } })
  })

  test.each([null, ...CLIENT_PROFILES])(
    'a meeting that exists, an exception and an attendee’s copy begin nothing in the client %s',
    (profile) => {
      const { mailbox, raised, act } = running()
      act({ type: 'setProfile', profile })
      const ids = ['meeting-1', 'meeting-2']
      for (const id of ids) {
        expect(act({ type: 'switchTo', id })).toBe(id)
        expect(raised).toEqual([])
      }
      act({ type: 'switchTo', id: 'meeting-1' })
      expect(ids).not.toContain(act({ type: 'openOccurrence', date: 0 }))
      expect(raised).toEqual([])
      expect(newMessageEvents(mailbox.state$.value)).toEqual([])
    },
  )

  test('nothing is raised for a received message', () => {
    const { raised, act } = running()
    act({ type: 'switchTo', id: 'item-1' })
    act({ type: 'setFrom', from: CLAIRE })
    act({ type: 'setRecipients', to: [CLAIRE] })
    expect(raised).toEqual([])
  })

  test('a client raises each event twice, or none', () => {
    const actions = fc.constantFrom<MailboxAction>(
      { type: 'newMessage' },
      { type: 'reply' },
      { type: 'setFrom', from: CLAIRE },
      { type: 'setRecipients', to: [ALEX] },
      { type: 'setRecipients', to: [CLAIRE], cc: [CLAIRE] },
      { type: 'switchTo', id: 'item-1' },
      { type: 'typed', author: 'x' },
    )
    fc.assert(
      fc.property(fc.array(actions, { maxLength: 8 }), (given) => {
        const [usual, twice, none] = [running(), running(), running()]
        twice.act({ type: 'setQuirk', quirk: 'raisesTwice', on: true })
        none.act({ type: 'setQuirk', quirk: 'raisesNothing', on: true })
        for (const action of given) {
          for (const each of [usual, twice, none]) each.act(action)
          expect(twice.raised).toEqual(usual.raised.flatMap((event) => [event, event]))
          expect(none.raised).toEqual([])
        }
      }),
    )
  })
})
