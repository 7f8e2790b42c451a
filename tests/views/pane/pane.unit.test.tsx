import { EndlessLoop } from '../../../streams/kernel/store.ts'
import { App } from '../../../streams/pane/events.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import type { ReactElement } from 'react'
import { expect, test, vi } from 'vitest'
import { Auth } from '../../../streams/message/auth/events.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { Maintenance } from '../../../streams/pane/maintenance/events.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { noSenders } from '../../../streams/message/senders/senders.ts'
import { FatalPage } from '../../../views/pane/FatalPage.tsx'
import { CrashBoundary } from '../../../views/shared/CrashBoundary.tsx'
import {
  freshState,
  masterId,
  profile,
  settingsLoaded,
  session,
  verification,
  signedInWriting,
  stateAfter,
} from '../../support/state.ts'
import {
  all,
  announced,
  choosing,
  click,
  clickOn,
  defaultIn,
  focus,
  nameOf,
  names,
  openAccount,
  option,
  options,
  page,
  press,
  said,
  shortIn,
  signature,
  unfold,
  useDrawing,
  writing,
} from '../drawing.tsx'

const { crashes, endWith, recorded, render, draw, become, seeAll } = useDrawing()

test('options are named after signature and variant, and the inserted one is selected', () => {
  draw(stateAfter(...writing, ...defaultIn))
  unfold('Standard')
  expect(names()).toEqual(['Standard', 'Standard (reply version)', 'Short', 'Summer', 'No signature'])
  expect(options().filter((each) => each.getAttribute('aria-selected') === 'true')).toEqual([
    option('Standard'),
  ])
  expect(document.querySelector('[role=listbox]')?.getAttribute('aria-labelledby')).toBe(
    all('h2').find((heading) => heading.textContent === 'Your signatures')?.id,
  )
})

test('arrow keys, Home, End and typing move; only Enter inserts, into the item that is open', () => {
  draw(stateAfter(...writing))
  unfold('Standard')
  focus(options()[0])
  const reached = () => nameOf(document.activeElement)
  press('ArrowDown')
  press('ArrowDown')
  expect(reached()).toBe('Short')
  press('End')
  press('ArrowDown')
  expect(reached()).toBe('No signature')
  press('Home')
  press('ArrowUp')
  expect(reached()).toBe('Standard')
  press('s')
  press('h')
  expect(reached()).toBe('Short')
  expect(options().filter(({ tabIndex }) => tabIndex === 0)).toEqual([document.activeElement])
  expect(recorded).toEqual([])
  press('Enter')
  expect(recorded).toEqual([choosing])
})

test('Enter and the arrow keys act on the focused option, however it got the focus', () => {
  const matches = vi.spyOn(Element.prototype, 'matches').mockReturnValue(false)
  draw(stateAfter(...writing))
  unfold('Standard')
  clickOn(options()[0])
  focus(options()[1])
  press('ArrowDown')
  expect(nameOf(document.activeElement)).toBe('Short')
  focus(options()[0])
  focus(option('Short'))
  press('Enter')
  expect(recorded.at(-1)).toEqual(choosing)
  focus(options()[0])
  press('Enter')
  expect(recorded.at(-1)).not.toEqual(choosing)
  matches.mockRestore()
})

test('a click inserts', () => {
  draw(stateAfter(...writing))
  clickOn(option('Short'))
  expect(recorded).toEqual([choosing])
})

test('options are disabled with a reason until the message has been read', () => {
  draw(stateAfter(...writing, Mailbox.itemChanged({ item: { key: 'item-2', mode: 'compose' } })))
  expect(said()).toContain('Finding your signature')
  for (const each of options()) {
    expect(each.getAttribute('aria-disabled')).toBe('true')
    const described = each.getAttribute('aria-describedby')?.split(' ') ?? []
    expect(described.map((id) => document.getElementById(id)?.textContent)).toContain(
      'You can choose a signature once your message is ready.',
    )
  }
  clickOn(options()[0])
  expect(recorded).toEqual([])
})

test('the end of the list requests the next page once when it comes into view', () => {
  draw(stateAfter(...writing))
  // Of which three are loaded.
  expect(all('h2 + span').map(({ textContent }) => textContent)).toContain('7')
  seeAll()
  seeAll()
  expect(recorded).toEqual([Signatures.nextPageRequested({ list: 'own' })])
})

test('the inserted signature is shown with its reason', () => {
  draw(stateAfter(...writing, ...defaultIn))
  expect(said()).toContain('Your organisation’s default')
  become(stateAfter(...writing, ...shortIn))
  expect(said()).toContain('You chose it')
})

test('an insertion shows the number of attached pictures, and announces its end once', () => {
  draw(stateAfter(...writing))
  expect(announced()).toEqual([])
  become(stateAfter(...writing, choosing, Insertion.progressed({ id: -2, imagesDone: 2, imagesTotal: 3 })))
  expect(option('Short').textContent).toContain('2 of 3 pictures')
  expect(announced()).toEqual([])
  become(stateAfter(...writing, ...defaultIn))
  expect(announced()).toEqual(['“Standard” is in your message.'])
})

test('a failed insertion is reported, and retried for its own message', () => {
  const failed = (failure: Parameters<typeof Insertion.failed>[0]['failure']) =>
    stateAfter(
      ...writing,
      choosing,
      Insertion.failed({
        id: -2,
        itemKey: 'item-1',
        target: { kind: 'entry', entryId: masterId(1, 1) },
        failure,
      }),
    )
  draw(
    failed({
      kind: 'tooLarge',
      characters: 40_120,
      limit: 30_000,
      parts: [{ part: 'styles', characters: 21_000 }],
    }),
  )
  expect(document.querySelector('[role=alert]')?.textContent).toContain(
    '40,120 characters. The limit is 30,000',
  )
  expect(document.querySelector('[role=alert]')?.textContent).toContain('formatting (21,000)')
  expect(all('button').map(({ textContent }) => textContent)).not.toContain('Try again')
  expect(option('Short').textContent).toContain('Not inserted')
  become(failed({ kind: 'hostSilent', call: 'addFileAttachmentFromBase64Async' }))
  expect(document.querySelector('[role=alert]')?.textContent).toContain('Outlook didn’t respond.')
  click('Try again')
  expect(recorded).toEqual([choosing])
})

test('the list shows loading, empty and failed; one button retries all failures, and one cause is shown once', () => {
  draw(stateAfter(...signedInWriting('item-1')))
  expect(all('[aria-busy=true]').at(-1)?.textContent).toContain('Loading your signatures')
  become(
    stateAfter(
      ...signedInWriting('item-1'),
      Profile.loaded({ value: profile() }),
      Defaults.loaded({ value: signature }),
      Signatures.pageLoaded({ list: 'own', epoch: 0, page: { page: 1, total: 0, objects: [] } }),
    ),
  )
  expect(said()).toContain('No signatures yet')
  become(
    stateAfter(
      ...signedInWriting('item-1'),
      Defaults.loadFailed({ failure: { kind: 'network' } }),
      Signatures.pageFailed({ list: 'own', epoch: 0, page: 1, failure: { kind: 'network' } }),
    ),
  )
  expect(all('[role=alert]')).toHaveLength(1)
  click('Try again')
  expect(recorded).toEqual([App.retryRequested()])
})

test('a cached default is marked as such after a failed load', () => {
  draw(
    stateAfter(
      ...signedInWriting('item-1'),
      Defaults.restored({ signature, senders: noSenders }),
      Defaults.loadFailed({ failure: { kind: 'timeout' } }),
      Signatures.pageLoaded({ list: 'own', epoch: 0, page }),
    ),
  )
  expect(said()).toContain('Showing your default signature as last loaded')
})

test('the shell is drawn before sign-in, with no button but the collections', () => {
  draw(freshState())
  expect(all('h1').map(({ textContent }) => textContent)).toEqual(['In this message'])
  expect(all('button').map(({ textContent }) => textContent)).toEqual(['Collections'])
})

test('signed out, the pane shows the reason and one button', () => {
  const failure = { kind: 'http', status: 403, code: 'unknown_user', data: null } as const
  draw(stateAfter(settingsLoaded({ enableSilentSSO: false }), Auth.sessionMissing()))
  expect(all('button').map(({ textContent }) => textContent)).toEqual(['Sign in'])
  become(stateAfter(Auth.signedOut({ reason: { kind: 'signInFailed', failure }, userId: null })))
  expect(said()).toContain('The signature service doesn’t recognise this mailbox.')
  expect(said()).toContain('A signature that’s already in your message stays there.')
  click('Sign in')
  expect(recorded).toEqual([Auth.signInRequested({ silent: false })])
})

test('the user is not asked to sign in before the silent sign-in has answered', () => {
  const asks = () => all('button').some(({ textContent }) => textContent === 'Sign in')
  const silently = [Auth.sessionMissing(), settingsLoaded(), Auth.signInRequested({ silent: true })]
  const failure = { kind: 'auth', code: 'user_login_error' } as const
  const refused = Auth.signedOut({ reason: { kind: 'signInFailed', failure }, userId: null })
  draw(stateAfter(App.started()))
  for (const [index] of silently.entries()) {
    become(stateAfter(App.started(), ...silently.slice(0, index + 1)))
    expect([index, asks(), all('h1').map(nameOf)]).toEqual([index, false, ['In this message']])
  }
  become(stateAfter(App.started(), ...silently, refused))
  expect(asks()).toBe(true)
})

test('a requested sign-in is announced once, and a silent one is not', () => {
  const done = (silent: boolean) =>
    stateAfter(Auth.sessionMissing(), Auth.signInRequested({ silent }), Auth.verified(verification()))
  draw(done(true))
  expect(announced()).toEqual([])
  become(stateAfter(Auth.sessionMissing(), Auth.signInRequested({ silent: false })))
  expect(announced()).toEqual([])
  become(done(false))
  expect(announced()).toEqual(['You’re signed in as alex.kim@northwind.example.'])
  become(stateAfter(Auth.sessionRecovered({ session: session() })))
  expect(announced()).toEqual([])
})

test('signed out, the pane shows the number of kept edits, if any', () => {
  const left = Auth.signedOut({ reason: { kind: 'expired' }, userId: 'u-alex' })
  draw(stateAfter(left))
  expect(said()).not.toContain('kept')
  become(stateAfter(left, Auth.editsKept({ count: 1 })))
  expect(said()).toContain(
    '1 unsaved change to your details is kept. It will be there when you sign in again.',
  )
  become(stateAfter(left, Auth.editsKept({ count: 3 })))
  expect(said()).toContain(
    '3 unsaved changes to your details are kept. They will be there when you sign in again.',
  )
})

test('the footer shows the user and the sign-out button', () => {
  draw(stateAfter(...writing))
  openAccount()
  expect(document.querySelector('footer')?.textContent).toContain('alex.kim@northwind.example')
  click('Sign out')
  expect(recorded).toEqual([Auth.signOutRequested({ reason: { kind: 'person' } })])
})

test('the maintenance notice is shown, and the options stay', () => {
  draw(stateAfter(...writing, Maintenance.loaded({ status: 'active' })))
  expect(said()).toContain('The signature service is down for maintenance.')
  expect(options()).toHaveLength(4)
})

test('the path decides the view', () => {
  draw(stateAfter(...writing, Router.navigated({ path: '/app/signatures/main' })))
  expect(all('h1').map(({ textContent }) => textContent)).toEqual(['All signatures'])
  become(stateAfter(...writing, Router.navigated({ path: '/logout' })))
  expect(all('h1').map(({ textContent }) => textContent)).toEqual(['Loading'])
})

test('the pane does not take the focus', () => {
  draw(stateAfter(...writing))
  become(stateAfter(...writing, ...defaultIn))
  expect(document.activeElement).toBe(document.body)
})

test('a full page says that no mail client replies', () => {
  const onReload = vi.fn()
  render(<FatalPage cause="noHost" onReload={onReload} />)
  expect(said()).toContain('Signet can’t start here')
  click('Reload')
  expect(onReload).toHaveBeenCalledOnce()
})

test('a crash of a view shows a page that says so, and the error is passed on', () => {
  const onCrash = vi.fn()
  const error = new Error('broken')
  const Broken = (): ReactElement => {
    throw error
  }
  const quiet = vi.spyOn(console, 'error').mockReturnValue()
  render(
    <CrashBoundary onCrash={onCrash} instead={<FatalPage cause="crash" onReload={() => undefined} />}>
      <Broken />
    </CrashBoundary>,
  )
  quiet.mockRestore()
  expect(said()).toContain('Signet stopped working')
  expect(onCrash).toHaveBeenCalledWith(error)
})

test('a pane whose state ends with an error shows a page that says so, and the error is passed on', () => {
  const error = new EndlessLoop(['app/started'])
  draw(stateAfter(...writing))
  endWith(error)
  expect(said()).toContain('Signet stopped working')
  expect(crashes).toEqual([error])
})
