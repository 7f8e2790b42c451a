import { describe, expect, test } from 'vitest'
import { composeBody } from '../../../src/playground/mailbox/body.ts'
import { demoMailbox, demoMailboxAt } from '../../../src/playground/mailbox/demo.ts'
import { onlineMeetingIn } from '../../../streams/html/onlineMeeting.ts'
import { htmlToText } from '../../../src/playground/mailbox/text.ts'
import {
  type MailboxAction,
  applyAction,
  isInCalendar,
  type MailboxState,
  openItem,
  ownItems,
} from '../../../src/playground/mailbox/model.ts'

const NOW = Date.UTC(2026, 10, 20, 16, 30)
const after = (state: MailboxState, ...actions: MailboxAction[]): MailboxState =>
  actions.reduce(
    (now, action) => applyAction(applyAction(now, action).state, { type: 'endSwitch' }).state,
    state,
  )
const writing = (state: MailboxState) => {
  const item = openItem(state)
  if (item?.mode !== 'compose') throw new Error('No message is being written')
  return {
    to: item.to.map(({ address }) => address),
    subject: item.subject,
    text: htmlToText(composeBody(item)),
  }
}

describe('the mailbox that the page shows', () => {
  test.each([
    [
      'alex.kim@northwind.example',
      'New schedule for berth 4',
      'Hello Nora,',
      'Figures for the autumn review',
    ],
    [
      'jonas.weber@northwind.example',
      'Neuer Fahrplan für Liegeplatz 4',
      'Guten Tag Frau Lind,',
      'Zahlen für die Herbstbesprechung',
    ],
    [
      'maria.silva@northwind.example',
      'Nova programação para o berço 4',
      'Olá, Nora,',
      'Números para a reunião de outono',
    ],
    [
      'stranger@elsewhere.example',
      'Nouvel horaire pour le poste 4',
      'Bonjour Madame Lind,',
      'Chiffres pour le bilan d’automne',
    ],
    [
      'tess.edge@northwind.example',
      'New schedule for berth 4',
      'Hello Nora,',
      'Figures for the autumn review',
    ],
  ])(
    'has a message begun for %s, in their language, to a partner',
    (address, subject, greeting, received) => {
      const state = after(demoMailboxAt(NOW), { type: 'choosePerson', address })
      const begun = writing(state)
      expect(begun).toMatchObject({ to: ['nora.lind@quayside.example'], subject })
      const [first, ...rest] = begun.text.split('\n')
      expect(first).toBe(greeting)
      expect(rest.join('').match(/[.](\s|$)/g)).toHaveLength(2)
      expect(ownItems(state).map((item) => item.subject)).toContain(received)
    },
  )

  test('begins every later message empty, and the begun one again after it was discarded and the user came back', () => {
    const state = demoMailboxAt(NOW)
    const empty = { to: [], subject: '', text: '' }
    expect(writing(after(state, { type: 'newMessage' }))).toEqual(empty)
    expect(writing(after(state, { type: 'close' }, { type: 'newMessage' }))).toEqual(empty)
    expect(writing(after(state, { type: 'close' }, { type: 'firstMessage' }))).toEqual(writing(state))
    expect(writing(after(demoMailbox(), { type: 'close' }, { type: 'firstMessage' }))).toEqual(empty)
  })

  test('names the first received messages as every other demonstration mailbox does', () => {
    const ids = (state: MailboxState) =>
      state.items
        .filter((item) => item.mode === 'read' && item.folder === 'inbox')
        .map(({ id, owner, subject }) => [id, owner, subject])
    const known = ids(demoMailbox())
    expect(ids(demoMailboxAt(NOW)).slice(0, known.length)).toEqual(known)
    expect(ids(demoMailboxAt(NOW))).toHaveLength(2 * known.length)
  })

  test('received everything before now, within a week', () => {
    for (const item of demoMailboxAt(NOW).items) {
      if (item.mode !== 'read') continue
      expect(item.date).toBeLessThan(NOW)
      expect(item.date).toBeGreaterThan(NOW - 7 * 24 * 3_600_000)
    }
  })

  test('has in each calendar a series of the user with an online meeting, and the invitation of a colleague', () => {
    const state = demoMailboxAt(NOW)
    for (const { address } of state.accounts) {
      const [series, invitation, ...others] = state.items.filter(
        (item) => item.owner === address && isInCalendar(item),
      )
      expect(series).toMatchObject({ mode: 'compose', kind: 'meeting', isSaved: true, from: { address } })
      expect(series?.when?.isWeekly).toBe(true)
      expect(series && onlineMeetingIn(composeBody(series), 'html')).toBeGreaterThan(0)
      expect(invitation).toMatchObject({ mode: 'read', isMeeting: true, to: [{ address }] })
      expect(invitation?.from.address).not.toBe(address)
      expect(invitation?.when?.start).toBeGreaterThan(NOW)
      expect(others).toEqual([])
    }
  })

  test('holds no id twice', () => {
    const { items } = demoMailboxAt(NOW)
    const ids = items.flatMap(({ id, attachments }) => [id, ...attachments.map((each) => each.id)])
    expect(new Set(ids).size).toBe(ids.length)
  })
})
