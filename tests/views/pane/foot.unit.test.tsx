import { act } from 'react'
import { describe, expect, test } from 'vitest'
import type { AppEvent } from '../../../streams/pane/events.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { Chunks } from '../../../streams/pane/chunks/events.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import { routeAt } from '../../../streams/pane/router/routes.ts'
import { FatalPage } from '../../../views/pane/FatalPage.tsx'
import { StandaloneHelp } from '../../../views/pane/settings/Help.tsx'
import { freshState, stateAfter } from '../../support/state.ts'
import { all, button, clickOn, focus, openAccount, press, said, useDrawing, writing } from '../drawing.tsx'

const { recorded, draw, become, render } = useDrawing()

/** Alex is at this path, and its view is loaded. */
const at = (path: string): readonly AppEvent[] => {
  const page = routeAt(path)?.page
  return [...writing, Router.navigated({ path }), ...(page ? [Chunks.loaded({ page })] : [])]
}
const signedOut = Auth.signedOut({ reason: { kind: 'person' }, userId: null })
const link = (name: string) =>
  all('a').find((each) => each.textContent === name || each.getAttribute('aria-label') === name)

describe('the title of the document', () => {
  test.each([
    ['/home', 'Signatures – Signet'],
    ['/nowhere', 'Signatures – Signet'],
    ['/app/dashboard', 'Signatures – Signet'],
    ['/app/signatures/main', 'All signatures – Signet'],
    ['/app/signatures/delegations', 'Shared with me – Signet'],
    ['/app/settings/config', 'Settings – Signet'],
    ['/app/settings/app', 'Settings – Signet'],
    ['/app/settings/self-test', 'Self-test – Signet'],
    ['/app/settings/attributes', 'My details – Signet'],
    ['/app/settings/variables', 'My details – Signet'],
    ['/about', 'About – Signet'],
    ['/pages/about', 'About – Signet'],
    ['/help', 'Help – Signet'],
    ['/auth', 'Loading – Signet'],
    ['/loading', 'Loading – Signet'],
    ['/logout', 'Loading – Signet'],
  ])('of %s is “%s”', (path, title) => {
    document.title = 'Signet'
    draw(stateAfter(...at(path)))
    expect(document.title).toBe(title)
  })

  test('follows a navigation, and a page that did not open', () => {
    draw(stateAfter(...at('/app/dashboard')))
    become(stateAfter(...at('/app/settings/app')))
    expect(document.title).toBe('Settings – Signet')
    become(stateAfter(...writing, Router.navigated({ path: '/about' }), Chunks.timedOut({ page: 'about' })))
    expect(document.title).toBe('This page didn’t open – Signet')
  })

  test('is that of the sign-in where this stands in place of a page', () => {
    draw(stateAfter(...at('/app/settings/app')))
    become(stateAfter(...at('/app/settings/app'), signedOut))
    expect(document.title).toBe('Sign in – Signet')
    become(stateAfter(signedOut, Router.navigated({ path: '/help' }), Chunks.loaded({ page: 'help' })))
    expect(document.title).toBe('Help – Signet')
  })

  test('says that there is a problem on the page that stands in place of the pane', () => {
    draw(freshState())
    render(<FatalPage cause="noHost" onReload={() => undefined} />)
    expect(document.title).toBe('Problem – Signet')
  })
})

describe('the account', () => {
  const account = () => {
    const found = all('footer button').find((each) => each.hasAttribute('aria-expanded'))
    if (!found) throw new Error('no account')
    return found
  }
  const isOpen = () => [account().getAttribute('aria-expanded'), button('Sign out') !== undefined]
  const pressAt = (element: Element) => {
    act(() => {
      element.dispatchEvent(new Event('pointerdown', { bubbles: true }))
    })
  }

  test('has a name and a tooltip that begin with the word and contain what it shows, closed and open', () => {
    draw(stateAfter(...writing))
    const label = 'Account: Alex Kim, alex.kim@northwind.example, AK'
    for (const opened of [false, true]) {
      expect(account().getAttribute('aria-label')).toBe(label)
      expect(account().title).toBe(label)
      expect(label).toContain(account().textContent)
      expect(isOpen()).toEqual([String(opened), opened])
      openAccount()
    }
    expect(isOpen()).toEqual(['false', false])
  })

  test('closes by Escape, which goes back to the button and to nothing else', () => {
    draw(stateAfter(...writing))
    const heard: string[] = []
    const hear = ({ key }: KeyboardEvent) => heard.push(key)
    document.addEventListener('keydown', hear)
    openAccount()
    focus(button('Sign out'))
    press('Escape')
    expect(isOpen()).toEqual(['false', false])
    expect(document.activeElement).toBe(account())
    expect(heard).toEqual([])
    press('Escape')
    expect(heard).toEqual(['Escape'])
    document.removeEventListener('keydown', hear)
  })

  test('closes by a press outside, and not by one inside', () => {
    draw(stateAfter(...writing))
    openAccount()
    pressAt(button('Sign out') ?? document.body)
    expect(isOpen()).toEqual(['true', true])
    pressAt(document.body)
    expect(isOpen()).toEqual(['false', false])
  })

  test('closes when the focus goes elsewhere, which keeps it', () => {
    draw(stateAfter(...writing))
    openAccount()
    focus(account())
    focus(button('Sign out'))
    expect(isOpen()).toEqual(['true', true])
    focus(link('Help'))
    expect(isOpen()).toEqual(['false', false])
    expect(document.activeElement).toBe(link('Help'))
  })

  test('is closed again after the next sign-in', () => {
    draw(stateAfter(...at('/about')))
    openAccount()
    become(stateAfter(...at('/about'), signedOut))
    expect(all('footer button[aria-expanded]')).toEqual([])
    become(stateAfter(...at('/about')))
    expect(isOpen()).toEqual(['false', false])
  })
})

describe('the help', () => {
  test('is one click away, at the foot of every page', () => {
    draw(stateAfter(...at('/app/settings/app')))
    expect(link('Help')?.title).toBe('Help')
    clickOn(link('Help'))
    expect(recorded).toEqual([Router.navigationRequested({ to: '/help' })])
    become(stateAfter(...at('/help')))
    expect(link('Help')?.getAttribute('aria-current')).toBe('page')
  })

  test('is one click away from the page for signing in, and a tab leads back to it', () => {
    draw(stateAfter(...at('/app/dashboard'), signedOut))
    clickOn(link('Help'))
    expect(recorded).toEqual([Router.navigationRequested({ to: '/help' })])
    become(stateAfter(...at('/help'), signedOut))
    expect(document.querySelector('h1')?.textContent).toBe('Help')
    clickOn(link('Signatures'))
    expect(recorded.at(-1)).toEqual(Router.navigationRequested({ to: '/app/dashboard' }))
  })

  test('answers, lists the keys, and tells what is new in this version', () => {
    draw(stateAfter(...at('/help')))
    expect(all('h2').map(({ textContent }) => textContent)).toEqual([
      'Why is this signature in my message?',
      'How do I choose another one?',
      'How do I set my default?',
      'My signature wasn’t inserted. What can I do?',
      'Keyboard',
      'What’s new in version 0.0.0',
    ])
    expect(said()).toContain('“Make default” or “Make default for replies”')
    const rows = all('table tr').map((row) => [...row.children].map(({ textContent }) => textContent))
    expect(rows).toContainEqual(['Shift+F10', 'opens the menu of a signature'])
    expect(document.querySelector('table')?.getAttribute('aria-labelledby')).toBe(
      all('h2').find(({ textContent }) => textContent === 'Keyboard')?.id,
    )
    expect(all('main section:last-of-type li').length).toBeGreaterThan(1)
  })

  test('leads to the self-test and to About, and to the help of an organisation that has one', () => {
    const links = () => all('main a').map((each) => [each.textContent, each.getAttribute('href')])
    const inPane = [
      ['Self-test', '#/app/settings/self-test'],
      ['About Signet', '#/about'],
    ]
    draw(stateAfter(...at('/help')))
    expect(links()).toEqual(inPane)
    draw(stateAfter(...at('/help')), null, 'https://help.example.com/signet')
    expect(links()).toEqual([['Help of your organisation', 'https://help.example.com/signet'], ...inPane])
  })

  test('is readable without a sign-in, and then leads to nothing that needs one', () => {
    draw(stateAfter(...at('/help'), signedOut))
    expect(document.querySelector('h1')?.textContent).toBe('Help')
    expect(all('main a').map(({ textContent }) => textContent)).toEqual(['About Signet'])
  })

  test('stands alone where there is no mail client, without links into the pane', () => {
    render(<StandaloneHelp version="1.2.3" supportUrl="https://help.example.com/signet" />)
    expect(document.querySelector('main h1')?.textContent).toBe('Help')
    expect(document.title).toBe('Help – Signet')
    expect(said()).toContain('What’s new in version 1.2.3')
    expect(all('a').map(({ textContent }) => textContent)).toEqual(['Help of your organisation'])
  })
})
