import { describe, expect, test } from 'vitest'
import { demoMailbox, demoMailboxAt } from '../../../src/playground/mailbox/demo.ts'
import { type MailboxAction, applyAction, type MailboxState } from '../../../src/playground/mailbox/model.ts'
import { folderCount, itemsIn, itemPreview } from '../../../src/playground/mailClient/folders.ts'

const after = (state: MailboxState, ...actions: MailboxAction[]): MailboxState =>
  actions.reduce(
    (now, action) => applyAction(applyAction(now, action).state, { type: 'endSwitch' }).state,
    state,
  )

const subjects = (state: MailboxState, folder: Parameters<typeof itemsIn>[1]) =>
  itemsIn(state, folder).map(({ subject }) => subject)

const NOW = Date.UTC(2026, 10, 20, 16, 30)
const TO = [{ address: 'claire.dubois@fabrikam.example', name: 'Claire Dubois' }]

describe('the folders', () => {
  test('hold the messages of the user, the newest first', () => {
    const state = demoMailboxAt(NOW)
    expect(subjects(state, 'inbox')).toEqual([
      'Order 4711 has been sent',
      'RE: Offer 2026-118',
      'Berth 4 from Monday',
      'Figures for the autumn review',
      'Lunch on Thursday?',
      'Your booking is confirmed',
    ])
    expect(subjects(state, 'drafts')).toEqual(['New schedule for berth 4'])
    expect(subjects(state, 'sent')).toEqual([])
  })

  test('a message that is sent leaves the drafts for the sent ones', () => {
    const first = after(demoMailboxAt(NOW), { type: 'newMessage' }, { type: 'setRecipients', to: TO })
    expect(subjects(first, 'drafts')).toEqual(['', 'New schedule for berth 4'])
    const second = after(first, { type: 'setSubject', subject: 'One' }, { type: 'send', date: NOW })
    const [sent] = itemsIn(second, 'sent')
    expect(sent).toMatchObject({ subject: 'One', to: TO, date: NOW, isRead: true })
    expect(subjects(second, 'drafts')).toEqual(['New schedule for berth 4'])
    expect(itemsIn(second, 'inbox')).toHaveLength(6)
    const third = after(
      second,
      { type: 'newMessage' },
      { type: 'setRecipients', to: TO },
      { type: 'setSubject', subject: 'Two' },
      { type: 'send', date: NOW + 1 },
    )
    expect(subjects(third, 'sent')).toEqual(['Two', 'One'])
  })

  test('a meeting that is saved or sent leaves the drafts for the calendar, which counts nothing', () => {
    const state = demoMailboxAt(NOW)
    const [series, invitation] = ['Berths of the week', 'Autumn review: the figures']
    expect(subjects(state, 'calendar')).toEqual([series, invitation])
    const begun = after(
      state,
      { type: 'newMeeting', when: { start: NOW, end: NOW } },
      { type: 'setSubject', subject: 'One' },
      { type: 'setRecipients', to: TO },
    )
    expect(subjects(begun, 'drafts')).toEqual(['One', 'New schedule for berth 4'])
    expect(subjects(begun, 'calendar')).toEqual([series, invitation])
    for (const action of [{ type: 'save' }, { type: 'send', date: NOW }] as const) {
      const kept = after(begun, action)
      expect(subjects(kept, 'drafts')).toEqual(['New schedule for berth 4'])
      expect(subjects(kept, 'calendar')).toEqual([series, 'One', invitation])
      expect(subjects(kept, 'sent')).toEqual([])
      expect(subjects(kept, 'inbox')).toHaveLength(6)
      expect(folderCount(kept, 'calendar')).toBe(0)
    }
  })

  test('count what is unread, until it is opened, and the drafts', () => {
    const state = demoMailboxAt(NOW)
    const [newest, , , older] = itemsIn(state, 'inbox')
    const counts = (now: MailboxState) => [
      folderCount(now, 'inbox'),
      folderCount(now, 'drafts'),
      folderCount(now, 'sent'),
    ]
    expect(counts(state)).toEqual([2, 1, 0])
    const opened = after(state, { type: 'switchTo', id: newest?.id ?? '' })
    expect(counts(opened)).toEqual([1, 1, 0])
    expect(counts(after(opened, { type: 'switchTo', id: older?.id ?? '' }))).toEqual([1, 1, 0])
    expect(counts(after(state, { type: 'reply' }))).toEqual([2, 2, 0])
    const sent = after(state, { type: 'send', date: NOW })
    expect(counts(sent)).toEqual([2, 0, 0])
  })
})

test('the preview is what the author wrote, in one line', () => {
  const [order, , , figures] = itemsIn(demoMailboxAt(NOW), 'inbox')
  expect(order && itemPreview(order)).toBe(
    'Your order 4711 has been sent. 2 x toner, black 1 x paper, A4 Tailspin Ltd.',
  )
  expect(figures && itemPreview(figures)).toMatch(/^Hello, The figures for the review are ready\. .{60,}$/)
  expect(figures && itemPreview(figures)).toHaveLength(120)
  const [empty] = itemsIn(demoMailbox(), 'drafts')
  expect(empty && itemPreview(empty)).toBe('')
})
