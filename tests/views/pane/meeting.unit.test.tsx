import { describe, expect, test } from 'vitest'
import { Configuration } from '../../../streams/pane/configuration/events.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import type { MailItem } from '../../../streams/message/mailbox/events.ts'
import { compose, message, stateAfter } from '../../support/state.ts'
import { all, announced, click, defaultIn, said, shortIn, useDrawing, writing } from '../drawing.tsx'

const { draw, become } = useDrawing()

const allowed = Configuration.loaded({ value: { allowDefaultSignature: true } })
const headings = () => all('h1, h2').map(({ textContent }) => textContent)
const opened = (mode: MailItem['mode']) => [
  ...writing,
  Mailbox.itemChanged({ item: { key: 'item-1', mode, isMeeting: true } }),
]
const read = (isExisting?: true) =>
  Mailbox.messageRead({
    itemKey: 'item-1',
    message: message({ composeType: 'meeting', ...(isExisting && { isExisting }) }),
  })

describe('in a meeting', () => {
  test('the pane speaks of the meeting, and of a message again in a message', () => {
    draw(stateAfter(...opened('compose'), read(), ...defaultIn))
    expect(headings()).toContain('In this meeting')
    expect(said()).not.toContain('In this message')
    expect(announced().join()).toContain('is in your meeting')
    become(stateAfter(...writing, Mailbox.itemChanged({ item: compose('item-1') })))
    expect(headings()).toContain('In this message')
  })

  test('one that exists says that nothing goes in by itself, a new one that there is a choice', () => {
    draw(stateAfter(...opened('compose'), read(true)))
    expect(said()).toContain('Nothing goes into an existing meeting by itself.')
    become(stateAfter(...opened('compose'), read()))
    expect(said()).not.toContain('Nothing goes into an existing meeting by itself.')
  })

  test('its signature is made the default for messages by no button', () => {
    const buttons = () => all('button').map(({ textContent }) => textContent)
    draw(stateAfter(allowed, ...writing, ...shortIn))
    click('Details of this signature')
    expect(buttons()).toContain('Make default')
    become(stateAfter(allowed, ...opened('compose'), read(), ...shortIn))
    expect(buttons()).not.toContain('Make default')
  })

  test('an attendee’s copy says whose signature it can have', () => {
    draw(stateAfter(...opened('read')))
    expect(said()).toContain('You’re looking at a meeting')
    expect(said()).toContain('Only the organiser of a meeting can give it a signature.')
  })
})
