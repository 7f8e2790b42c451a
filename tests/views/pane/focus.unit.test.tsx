import { Insertion } from '../../../streams/message/insertion/events.ts'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Auth } from '../../../streams/message/auth/events.ts'
import { Picture } from '../../../streams/pane/picture/events.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import { Variables } from '../../../streams/pane/variables/events.ts'
import { Chunks } from '../../../streams/pane/chunks/events.ts'
import { masterId, stateAfter } from '../../support/state.ts'
import {
  all,
  button,
  click,
  defaultIn,
  dialogLoaded,
  focus,
  inMessage,
  nameOf,
  openAccount,
  option,
  press,
  shortIn,
  unfold,
  useDrawing,
  writing,
} from '../drawing.tsx'

const { recorded, draw, become } = useDrawing()

let hasFocus = true
beforeEach(() => {
  hasFocus = true
  vi.spyOn(document, 'hasFocus').mockImplementation(() => hasFocus)
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** Lets the observers of the page run after a change. */
const noticed = () => act(() => Promise.resolve())
const focused = () => {
  const { activeElement } = document
  return `${activeElement?.tagName ?? ''} ${nameOf(activeElement)}`
}
const chosen = [...writing, ...defaultIn, ...shortIn]
const undone = [
  ...chosen,
  Insertion.undoRequested({ itemKey: 'item-1' }),
  Insertion.succeeded({
    id: -2,
    itemKey: 'item-1',
    target: { kind: 'previous' },
    inMessage,
    content: { html: '<p>Alex</p>', images: [] },
  }),
]
const signedOut = [...chosen, Auth.signedOut({ reason: { kind: 'person' }, userId: 'u-alex' })]

describe('the focus of an element that is gone', () => {
  test('moves to the heading of the next page after a sign-out', async () => {
    draw(stateAfter(...chosen))
    openAccount()
    focus(button('Sign out'))
    become(stateAfter(...signedOut))
    await noticed()
    expect(focused()).toBe('H1 The right signature in every message')
    expect(all('[role=alert]').map(nameOf).join()).toContain('You signed out')
  })

  test('moves to the button that retries a failed sign-in', async () => {
    const out = Auth.signedOut({ reason: { kind: 'person' }, userId: null })
    draw(stateAfter(out))
    focus(button('Sign in'))
    click('Sign in')
    expect(recorded).toEqual([Auth.signInRequested({ silent: false })])
    const asked = [out, Auth.signInRequested({ silent: false })]
    become(stateAfter(...asked))
    await noticed()
    const failure = { kind: 'auth', code: 'popup_window_error' } as const
    become(stateAfter(...asked, Auth.signedOut({ reason: { kind: 'signInFailed', failure }, userId: null })))
    await noticed()
    expect(focused()).toBe('BUTTON Try again')
    expect(button('Try again')?.tabIndex).toBe(0)
  })

  test('moves to the heading of the section when the button disappears', async () => {
    const path = '/app/settings/variables'
    const inDetails = [
      ...writing,
      Router.navigated({ path }),
      Chunks.loaded({ page: 'variables' }),
      Variables.opened(),
      Picture.loaded({ value: 'https://images.example/alex.png' }),
    ]
    draw(stateAfter(...inDetails))
    focus(button('Delete picture'))
    const deleting = [...inDetails, Picture.deleteRequested()]
    become(stateAfter(...deleting))
    await noticed()
    expect(focused()).toBe('BUTTON Delete picture')
    become(stateAfter(...deleting, Picture.deleted()))
    await noticed()
    expect(focused()).toBe('H2 Picture')
  })

  test('moves to the option in the tab order when the list empties', async () => {
    draw(stateAfter(...writing))
    focus(option('Summer'))
    become(stateAfter(...writing, Variables.saved({ sent: {}, saved: { values: {}, changedFields: [] } })))
    await noticed()
    expect(focused()).toBe('DIV No signature')
  })

  test('moves to the heading only once the pane has the focus', async () => {
    draw(stateAfter(...chosen))
    openAccount()
    focus(button('Sign out'))
    hasFocus = false
    become(stateAfter(...signedOut))
    await noticed()
    expect(document.activeElement).toBe(document.body)
    hasFocus = true
    act(() => {
      window.dispatchEvent(new Event('focus'))
    })
    expect(focused()).toBe('H1 The right signature in every message')
  })

  test('does not move after a click beside every control', async () => {
    draw(stateAfter(...chosen))
    openAccount()
    focus(button('Sign out'))
    act(() => {
      document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))
    })
    become(stateAfter(...signedOut))
    await noticed()
    expect(document.activeElement).toBe(document.body)
  })
})

describe('the list', () => {
  test('keeps the focused option in the tab order when another one is inserted', () => {
    draw(stateAfter(...writing))
    unfold('Standard')
    focus(option('Standard'))
    become(stateAfter(...chosen))
    expect(option('Short').getAttribute('aria-selected')).toBe('true')
    expect(focused()).toBe('DIV Standard')
    expect(option('Standard').tabIndex).toBe(0)
    press('ArrowDown')
    expect(focused()).toBe('DIV Standard (reply version)')
    press('Enter')
    expect(recorded).toEqual([
      Insertion.chosen({ entryId: masterId(1, 0).replace('master', 'variant-0'), itemKey: 'item-1' }),
    ])
  })

  test('handles an Escape that undoes, and passes any other on to the mail client', () => {
    const passed: string[] = []
    const hear = ({ key }: KeyboardEvent) => void passed.push(key)
    window.addEventListener('keydown', hear)
    draw(stateAfter(...chosen))
    focus(option('Short'))
    press('Escape')
    expect([recorded.length, passed]).toEqual([1, []])
    become(stateAfter(...undone))
    become(stateAfter(...writing))
    press('Escape')
    expect([recorded.length, passed]).toEqual([1, ['Escape']])
    window.removeEventListener('keydown', hear)
  })
})

test('the Tab key cycles within a dialog', async () => {
  draw(stateAfter(...chosen))
  focus(option('Standard'))
  click('More options for Standard')
  click('Large preview')
  await dialogLoaded()
  const tab = (shiftKey: boolean) => {
    const event = new KeyboardEvent('keydown', { key: 'Tab', shiftKey, bubbles: true, cancelable: true })
    act(() => {
      document.activeElement?.dispatchEvent(event)
    })
    return event.defaultPrevented
  }
  focus(button('Close'))
  expect(tab(false)).toBe(false)
  expect(tab(true)).toBe(true)
  expect(focused()).toBe('BUTTON Copy')
  expect(tab(true)).toBe(false)
  expect(tab(false)).toBe(true)
  expect(document.activeElement).toBe(button('Close'))
})
