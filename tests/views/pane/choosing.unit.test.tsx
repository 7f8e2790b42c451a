import { Variables } from '../../../streams/pane/variables/events.ts'
import { App, type AppEvent } from '../../../streams/pane/events.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { act } from 'react'
import { describe, expect, test } from 'vitest'
import { Configuration } from '../../../streams/pane/configuration/events.ts'
import { createSecret } from '../../../streams/kernel/secret.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import type { ChosenDefaults } from '../../../streams/wire/user.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { signaturesPath } from '../../../streams/pane/router/routes.ts'
import { contentHash } from '../../../streams/html/hash.ts'
import { sealList } from '../../../streams/html/sealedList.ts'
import type { SignatureInMessage } from '../../../streams/message/signatures/signature.ts'
import { rowsWithin } from '../../../views/pane/signatures/virtual.ts'
import {
  cachedSignature,
  image,
  listedSignature,
  masterId,
  profile,
  signaturePage,
  signedInWriting,
  stateAfter,
} from '../../support/state.ts'
import {
  all,
  announced,
  button,
  choosing,
  click,
  clickOn,
  defaultIn,
  inMessage,
  dialogLoaded,
  focus,
  nameOf,
  names,
  option,
  options,
  press,
  page,
  reason,
  said,
  scroll,
  shortIn,
  signature,
  type,
  unfold,
  useDrawing,
  writing,
} from '../drawing.tsx'

const { recorded, searches, draw, become, seeAll, wait } = useDrawing()

const SALES = 'sales@northwind.example'
const shared = Signatures.pageLoaded({
  list: 'delegated',
  epoch: 0,
  page: {
    page: 1,
    total: 2,
    objects: [
      listedSignature({ name: 'Sales desk', email: SALES, combinedIds: 'd-sales', html: '<p>Sales</p>' }),
      listedSignature({ name: 'Office', email: 'office@northwind.example', combinedIds: 'd-office' }),
    ],
  },
})
/** The user's remaining signatures, which complete a search. */
const rest = Signatures.pageLoaded({
  list: 'own',
  epoch: 0,
  page: {
    page: 2,
    total: 7,
    objects: [1, 2, 3, 4].map((number) =>
      listedSignature({ name: `Other ${number}`, combinedIds: `c-other-${number}` }),
    ),
  },
})
const allowed = Configuration.loaded({ value: { allowDefaultSignature: true } })
const box = () => {
  const input = document.querySelector<HTMLInputElement>('input[role=combobox]')
  if (!input) throw new Error('no search box')
  return input
}
/** The active option of the search box. */
const active = () => nameOf(document.getElementById(box().getAttribute('aria-activedescendant') ?? ''))
const selected = () => options().filter((each) => each.getAttribute('aria-selected') === 'true')
const describing = (element: HTMLElement) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ')
/** Alex writes a message, and everything is known but the list. */
const knownWriting = (item: Parameters<typeof signedInWriting>[1] = {}): AppEvent[] => [
  ...signedInWriting('item-1', item),
  Profile.loaded({ value: profile() }),
  Defaults.loaded({ value: signature }),
]
const undoing = Insertion.undoRequested({ itemKey: 'item-1' })

test('own signatures and those of each owner are groups of one list, by name', () => {
  draw(stateAfter(...writing, shared))
  expect(all('[role=listbox]')).toHaveLength(1)
  expect(all('[role=listbox] > [role=group]').map((group) => group.getAttribute('aria-label'))).toEqual([
    'Default',
    'All signatures',
    'Shared by sales@northwind.example',
    'Shared by office@northwind.example',
  ])
  expect(names()).toEqual(['Standard', 'Short', 'Summer', 'Sales desk', 'Office', 'No signature'])
})

test('the delegations folder shows shared signatures only', () => {
  draw(stateAfter(...writing, shared, Router.navigated({ path: '/app/signatures/delegations' })))
  expect(all('h1').map(({ textContent }) => textContent)).toEqual(['Shared with me'])
  expect(names()).toEqual(['Sales desk', 'Office', 'No signature'])
})

test('“no signature” is an option, and is selected and shown in the card once chosen', () => {
  draw(stateAfter(...writing))
  clickOn(option('No signature'))
  expect(recorded).toEqual([Insertion.noneChosen({ itemKey: 'item-1' })])
  const noneIn = Insertion.succeeded({
    id: -2,
    itemKey: 'item-1',
    target: { kind: 'none' },
    inMessage: {
      combinedIds: '',
      hash: contentHash(''),
      name: '',
      reason: { ...reason, origin: 'manual' },
    },
    content: { html: '', images: [] },
  })
  become(stateAfter(...writing, Insertion.noneChosen({ itemKey: 'item-1' }), noneIn))
  expect(selected().map(nameOf)).toEqual(['No signature'])
  expect(said()).toContain('You chose no signature')
  expect(announced()).toEqual(['Your message has no signature now.'])
})

test('[SIG-10] an option that is not meant for the recipients names its audiences, and can still be chosen', () => {
  const fair = listedSignature({
    name: 'Fair',
    combinedIds: 'c-fair',
    audiences: ['quayside.example', sealList('Partners', [])],
  })
  const pages = (address: string) => [
    ...knownWriting({ to: [{ address, name: '' }] }),
    Signatures.pageLoaded({
      list: 'own' as const,
      epoch: 0,
      page: { page: 1, total: 1, objects: [fair] },
    }),
  ]
  draw(stateAfter(...pages('ana@quayside.example')))
  expect(said()).not.toContain('Not for these recipients')
  become(stateAfter(...pages('ben@elsewhere.example')))
  expect(describing(option('Fair'))).toContain('Not for these recipients')
  expect(describing(option('Fair'))).toContain('For recipients at quayside.example and Partners (list)')
  clickOn(option('Fair'))
  expect(recorded).toEqual([Insertion.chosen({ entryId: masterId(1, 0), itemKey: 'item-1' })])
})

test('[SIG-10] an option for recipients outside of domains names them', () => {
  const fair = listedSignature({ name: 'Fair', combinedIds: 'c-fair', audiences: ['!own.example'] })
  draw(
    stateAfter(
      ...knownWriting({ to: [{ address: 'ana@own.example', name: '' }] }),
      Signatures.pageLoaded({ list: 'own', epoch: 0, page: { page: 1, total: 1, objects: [fair] } }),
    ),
  )
  expect(describing(option('Fair'))).toContain('For recipients outside own.example')
  expect(describing(option('Fair'))).not.toContain('For recipients at')
})

test('of a thousand options only those near the viewport are drawn, and all are reachable by keyboard', () => {
  draw(
    stateAfter(
      ...knownWriting(),
      Signatures.pageLoaded({ list: 'own', epoch: 0, page: signaturePage(1, 1000) }),
    ),
  )
  expect(options().length).toBeGreaterThan(4)
  expect(options().length).toBeLessThan(20)
  expect(option('Signature 1.1').getAttribute('aria-posinset')).toBe('1')
  expect(option('Signature 1.1').getAttribute('aria-setsize')).toBe('1001')
  focus(options()[0])
  press('End')
  expect(nameOf(document.activeElement)).toBe('No signature')
  press('ArrowUp')
  expect(nameOf(document.activeElement)).toBe('Signature 1.1000')
  expect(document.activeElement?.getAttribute('aria-posinset')).toBe('1000')
  expect(options().length).toBeLessThan(20)
})

test('each row has the same height and its excerpt the same frame, whatever its signature holds', async () => {
  const drawn = [
    '<p>Alex<br>Northwind</p>',
    `<table><tr><td style="font-size:13px">Alex Kim</td></tr>${'<tr><td>Northwind</td></tr>'.repeat(9)}</table>`,
    '<p><img src="https://northwind.example/logo.png" width="600"></p>',
    `<p>${'Many words. '.repeat(20)}</p>`,
  ]
  const objects = drawn.map((html, index) =>
    listedSignature({ name: `Drawn ${index}`, combinedIds: `c-${index}`, html }),
  )
  draw(
    stateAfter(
      ...knownWriting(),
      Signatures.pageLoaded({ list: 'own', epoch: 0, page: { page: 1, total: objects.length, objects } }),
    ),
    (html) => html,
  )
  const tops = options().map(({ style }) => parseInt(style.top))
  expect(new Set(drawn.map((_, index) => (tops[index + 1] ?? NaN) - (tops[index] ?? NaN))).size).toBe(1)
  seeAll()
  wait()
  await act(() => Promise.resolve())
  const frames = drawn.flatMap((_, index) => [...option(`Drawn ${index}`).querySelectorAll('iframe')])
  expect(frames).toHaveLength(drawn.length)
  expect(frames.map((frame) => [frame.getAttribute('style'), frame.sandbox.value])).toEqual(
    drawn.map(() => [null, '']),
  )
})

test('finds the rows within a range, and the pinned one', () => {
  const tops = Array.from({ length: 100 }, (_, index) => index * 50)
  expect(rowsWithin(tops, 0, 100, null)).toEqual([0, 1])
  expect(rowsWithin(tops, 120, 251, null)).toEqual([2, 3, 4, 5])
  expect(rowsWithin(tops, 120, 200, 99)).toEqual([2, 3, 99])
  expect(rowsWithin(tops, 120, 200, 0)).toEqual([0, 2, 3])
  expect(rowsWithin(tops, 4990, 9000, null)).toEqual([99])
  expect(rowsWithin([], 0, 100, null)).toEqual([])
})

test('a preview is drawn only after its option rested near the viewport', async () => {
  draw(stateAfter(...writing), (html) => html)
  const previews = () => all('[role=option] iframe').length
  expect(previews()).toBe(0)
  seeAll()
  await act(() => Promise.resolve())
  expect(previews()).toBe(0)
  // Nothing is drawn during scrolling.
  for (let moved = 0; moved < 20; moved++) {
    wait(50)
    scroll()
  }
  await act(() => Promise.resolve())
  expect(previews()).toBe(0)
  wait(100)
  await act(() => Promise.resolve())
  expect(previews()).toBe(3)
})

test('the end of either list requests its next page when it comes into view', () => {
  const more = Signatures.pageLoaded({
    list: 'delegated',
    epoch: 0,
    page: { page: 1, total: 3, objects: [listedSignature({ name: 'Sales desk', email: SALES })] },
  })
  draw(stateAfter(...writing, more))
  seeAll()
  expect(recorded).toEqual([
    Signatures.nextPageRequested({ list: 'own' }),
    Signatures.nextPageRequested({ list: 'delegated' }),
  ])
})

test('the end of the shared list requests no page while the own list is empty until its reload', () => {
  const more = Signatures.pageLoaded({
    list: 'delegated',
    epoch: 0,
    page: { page: 1, total: 3, objects: [listedSignature({ name: 'Sales desk', email: SALES })] },
  })
  const saved = Variables.saved({ sent: {}, saved: { values: {}, changedFields: [] } })
  draw(stateAfter(...writing, more, saved))
  seeAll()
  expect(recorded).toEqual([])
  const page = { page: 1, total: 1, objects: [listedSignature()] }
  const reloaded = Signatures.pageLoaded({ list: 'own', epoch: 1, page })
  become(stateAfter(...writing, more, saved, Signatures.reloadDue(), reloaded))
  seeAll()
  expect(recorded).toEqual([Signatures.nextPageRequested({ list: 'delegated' })])
})

test('a failed load of shared signatures is reported, and the own ones stay', () => {
  draw(
    stateAfter(
      ...writing,
      Signatures.pageFailed({ list: 'delegated', epoch: 0, page: 1, failure: { kind: 'timeout' } }),
    ),
  )
  expect(document.querySelector('[role=alert]')?.textContent).toContain('Couldn’t load shared signatures')
  expect(names()).toContain('Short')
  click('Try again')
  expect(recorded).toEqual([App.retryRequested()])
})

test('the search box appears only with more than five signatures', () => {
  const five = (count: number) =>
    stateAfter(
      ...knownWriting(),
      Signatures.pageLoaded({ list: 'own', epoch: 0, page: signaturePage(1, count) }),
    )
  draw(five(5))
  expect(all('[role=combobox]')).toEqual([])
  become(five(6))
  expect(all('[role=combobox]')).toHaveLength(1)
})

test('typing searches, arrow keys move from the search box, Enter inserts, Escape clears and then undoes', () => {
  draw(stateAfter(...writing, rest, ...shortIn))
  focus(box())
  press('Enter')
  expect(recorded).toEqual([])
  type(box(), 's')
  wait()
  expect(names()).toEqual(['Standard', 'Standard (reply version)', 'Short', 'Summer', 'No signature'])
  expect(announced()).toContain('3 signatures found')
  type(box(), 'su')
  wait()
  expect(names()).toEqual(['Summer'])
  expect(active()).toBe('Summer')
  type(box(), 'stan')
  wait()
  expect(active()).toBe('Standard')
  press('ArrowDown')
  expect(active()).toBe('Standard (reply version)')
  press('ArrowUp')
  expect(active()).toBe('Standard')
  expect(document.activeElement).toBe(box())
  press('Enter')
  expect(recorded).toEqual([Insertion.chosen({ entryId: masterId(1, 0), itemKey: 'item-1' })])
  press('Escape')
  expect(box().value).toBe('')
  wait()
  expect(names()).toContain('Summer')
  expect(recorded).toHaveLength(1)
  press('Escape')
  expect(recorded[1]).toEqual(undoing)
})

test('a typed letter moves to the next match, and a word to the first, also the focused one', () => {
  draw(stateAfter(...writing))
  unfold('Standard')
  focus(option('Standard'))
  const reached = () => nameOf(document.activeElement)
  press('S')
  expect(reached()).toBe('Standard (reply version)')
  for (const key of 'tandard') press(key)
  expect(reached()).toBe('Standard')
})

test('Enter inserts the match of the typed text, even before the list is filtered', () => {
  draw(stateAfter(...writing))
  focus(box())
  type(box(), 'sho')
  press('Enter')
  expect(recorded).toEqual([choosing])
})

test('a search without a result says so, and is cleared by its button', () => {
  draw(stateAfter(...writing, rest))
  type(box(), 'zebra')
  wait()
  expect(options()).toEqual([])
  expect(said()).toContain('No signatures match “zebra”.')
  click('Clear search')
  expect(document.activeElement).toBe(box())
  wait()
  expect(names()).toContain('Standard')
})

test('[CHOOSE-4] a search shows its progress, and announces the number of matches at its end', () => {
  draw(stateAfter(...writing))
  type(box(), 'other')
  expect(searches).toEqual([])
  wait()
  expect(searches).toEqual([Signatures.searched({ query: 'other', shared: false })])
  expect(said()).toContain('Searched 3 of 7 so far')
  expect(said()).not.toContain('No signatures match')
  become(stateAfter(...writing, rest))
  expect(said()).not.toContain('Searched')
  expect(announced()).toEqual(['4 signatures found'])
  expect(searches).toHaveLength(1)
})

test('a search ends when the service repeats a page instead of giving the next', () => {
  const zebra = Signatures.searched({ query: 'zebra', shared: false })
  draw(stateAfter(...writing, zebra))
  expect(box().value).toBe('zebra')
  expect(said()).toContain('Searched 3 of 7 so far')
  become(stateAfter(...writing, zebra, Signatures.pageLoaded({ list: 'own', epoch: 0, page })))
  expect(said()).not.toContain('Searched')
  expect(said()).toContain('No signatures match “zebra”.')
})

test('the search box is cleared when the search ends without typing', () => {
  draw(stateAfter(...writing, rest))
  type(box(), 'su')
  wait()
  expect(names()).toEqual(['Summer'])
  searches.length = 0
  become(stateAfter(...writing, rest))
  expect(box().value).toBe('')
  expect(names()).toContain('Standard')
})

test('[CHOOSE-4] a search whose next page fails reports it, and keeps its matches', () => {
  draw(stateAfter(...writing))
  type(box(), 'short')
  wait()
  become(
    stateAfter(
      ...writing,
      Signatures.pageFailed({ list: 'own', epoch: 0, page: 2, failure: { kind: 'timeout' } }),
    ),
  )
  expect(names()).toEqual(['Short'])
  expect(said()).not.toContain('Searched')
  expect(document.querySelector('[role=alert]')?.textContent).toContain('Couldn’t load more signatures')
})

test.each([
  ['is loading', []],
  ['is empty', [Signatures.pageLoaded({ list: 'own', epoch: 0, page: { page: 1, total: 0, objects: [] } })]],
  [
    'failed to load',
    [Signatures.pageFailed({ list: 'own', epoch: 0, page: 1, failure: { kind: 'network' } })],
  ],
] as const)('[CHOOSE-3] “no signature” can be chosen also when the list %s', (_, events) => {
  draw(stateAfter(...signedInWriting('item-1'), ...events))
  expect(names()).toEqual(['No signature'])
  clickOn(option('No signature'))
  expect(recorded).toEqual([Insertion.noneChosen({ itemKey: 'item-1' })])
})

test('an option keeps the focus when shared signatures arrive', () => {
  draw(stateAfter(...writing))
  for (const name of ['Short', 'No signature']) {
    become(stateAfter(...writing))
    focus(option(name))
    const before = document.activeElement
    become(stateAfter(...writing, shared))
    expect(all('[role=group]')).toHaveLength(4)
    expect(document.activeElement).toBe(before)
    expect(nameOf(before)).toBe(name)
  }
})

test('Escape in the list and a button undo the last insertion, if there is one', () => {
  draw(stateAfter(...writing))
  focus(options()[0])
  press('Escape')
  expect(button('Undo')).toBeUndefined()
  expect(recorded).toEqual([])
  become(stateAfter(...writing, ...shortIn))
  press('Escape')
  click('Undo')
  expect(recorded).toEqual([undoing, undoing])
  become(stateAfter(...writing, ...shortIn, undoing))
  expect(button('Undo')).toBeUndefined()
  expect(said()).toContain('Removing the signature')
  become(stateAfter(...writing, ...defaultIn, ...shortIn, undoing))
  expect(said()).toContain('Restoring the previous signature')
})

test('after Undo the button is Redo, Escape does nothing more, and what was put back says so', () => {
  const end = { id: -2, itemKey: 'item-1', target: { kind: 'previous' } } as const
  const putBack = (named: Partial<SignatureInMessage>, html: string) =>
    Insertion.succeeded({
      ...end,
      inMessage: { ...inMessage, reason: { ...inMessage.reason, origin: 'putBack' }, ...named },
      content: { html, images: [] },
    })
  const undone = [...writing, ...defaultIn, ...shortIn, undoing, putBack({}, '<p>Alex</p>')]
  draw(stateAfter(...undone))
  expect(said()).toContain('You put it back')
  expect(announced()).toContain('“Standard” is back in your message.')
  focus(options()[0])
  press('Escape')
  expect(recorded).toEqual([])
  expect(button('Undo')).toBeUndefined()
  click('Redo')
  const redoing = Insertion.redoRequested({ itemKey: 'item-1' })
  expect(recorded).toEqual([redoing])
  become(stateAfter(...undone, redoing))
  expect(button('Redo')).toBeUndefined()
  const failed = Insertion.failed({ ...end, failure: { kind: 'host', code: 5001, name: 'x', call: 'c' } })
  become(stateAfter(...undone, redoing, failed))
  expect([button('Undo'), button('Redo')]).toEqual([undefined, undefined])
  become(stateAfter(...writing, ...defaultIn, undoing, putBack({ combinedIds: '', name: '', hash: '' }, '')))
  expect(said()).toContain('You undid it')
  expect(said()).not.toContain('You chose no signature')
})

test('a signature whose name is unknown goes by its reason', () => {
  const reason = { origin: 'default', composeType: 'reply', reply: true } as const
  const unnamed = { ...inMessage, name: '', combinedIds: 'c-unknown', hash: 'unknown', reason }
  const content = { html: '<p>Unknown</p>', images: [] }
  const [due, { data }] = defaultIn
  draw(stateAfter(...writing, due, Insertion.succeeded({ ...data, inMessage: unnamed, content })))
  expect(all('p').filter((each) => each.textContent === 'Your default for replies')).toHaveLength(1)
  expect(announced()).toEqual(['Your signature is in your message.'])
})

test('Escape undoes only while a hint says so: with the focus in the list or its empty search box', () => {
  const hint = () => {
    const id = document.querySelector('[role=listbox]')?.getAttribute('aria-describedby')
    return id ? document.getElementById(id)?.textContent : null
  }
  draw(stateAfter(...writing, rest, ...shortIn))
  expect(hint()).toBeNull()
  focus(option('Short'))
  expect(hint()).toBe('Esc undoes')
  focus(button('More options for Short'))
  expect(hint()).toBeNull()
  press('Escape')
  expect(recorded).toEqual([])
  focus(box())
  expect(hint()).toBe('Esc undoes')
  expect(box().getAttribute('aria-describedby')).not.toBeNull()
  type(box(), 'sh')
  expect(hint()).toBeNull()
  press('Escape')
  expect(recorded).toEqual([])
  expect(hint()).toBe('Esc undoes')
  press('Escape')
  expect(recorded).toEqual([undoing])
  // Undone: the button says Redo, and Escape does nothing.
  become(stateAfter(...writing, rest, ...defaultIn, ...shortIn, undoing))
  expect(hint()).toBeNull()
  press('Escape')
  expect(recorded).toEqual([undoing])
})

test('an Escape that closes a menu undoes nothing, nor does the next one until another key or focus', () => {
  const openMenu = () => {
    act(() => {
      option('Short').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))
    })
  }
  draw(stateAfter(...writing, ...shortIn))
  focus(option('Short'))
  openMenu()
  press('Escape')
  expect(all('[role=menu]')).toEqual([])
  expect(document.activeElement).toBe(option('Short'))
  press('Escape')
  press('Escape')
  expect(recorded).toEqual([])
  press('ArrowDown')
  press('Escape')
  expect(recorded).toEqual([undoing])
  focus(option('Short'))
  openMenu()
  press('Escape')
  press('Escape')
  expect(recorded).toEqual([undoing])
  focus(option('Standard'))
  press('Escape')
  expect(recorded).toEqual([undoing, undoing])
  // Nor after an item was chosen with the pointer.
  focus(option('Short'))
  openMenu()
  act(() => {
    button('Copy')?.dispatchEvent(new Event('pointerdown', { bubbles: true }))
  })
  click('Copy')
  press('Escape')
  expect(recorded.slice(2).map(({ type: happened }) => happened)).toEqual(['signatures/copyRequested'])
})

test('[CHOOSE-8] favourites and recent signatures are groups with headings, and the rest has one below them', () => {
  draw(
    stateAfter(
      ...signedInWriting('item-1'),
      Profile.loaded({ value: profile({ delegations: ['u-sales'] }) }),
      Defaults.loaded({ value: signature }),
      Signatures.favouritesRestored({ favourites: ['d-sales'] }),
      Signatures.recentRestored({ recent: ['c-summer'] }),
      Signatures.pageLoaded({ list: 'own', epoch: 0, page: { ...page, total: 3 } }),
      shared,
    ),
  )
  const groups = all('[role=listbox] > [role=group]').map((group) => [
    group.getAttribute('aria-label'),
    [...group.querySelectorAll('[role=option]')].map(nameOf),
  ])
  expect(groups).toEqual([
    ['Default', ['Standard']],
    ['Favourites', ['Sales desk']],
    ['Recent', ['Summer']],
    ['Mine', ['Short']],
    ['Shared by office@northwind.example', ['Office']],
  ])
  expect(all('[role=listbox] [data-row^=head]').map(({ textContent }) => textContent)).toEqual([
    'Favourites',
    'Recent',
    'Mine',
    'Shared with meoffice@northwind.example',
  ])
  // Whose it is stands on the row where no heading says so.
  expect(describing(option('Sales desk'))).toContain(SALES)
  expect(describing(option('Office'))).not.toContain('office@')
})

describe('the versions of a signature', () => {
  const button = () => {
    const found = all('button').find((each) => each.getAttribute('aria-label') === '+1 version, Standard')
    if (!found) throw new Error('there is no button for the versions')
    return found
  }
  const folded = ['Standard', 'Short', 'Summer', 'No signature']
  const unfolded = ['Standard', 'Standard (reply version)', 'Short', 'Summer', 'No signature']
  const replyId = masterId(1, 0).replace('master', 'variant-0')
  const replyChosen = Insertion.chosen({ entryId: replyId, itemKey: 'item-1' })

  test('are folded into it until its button shows them, and can be inserted as it can', () => {
    draw(stateAfter(...writing))
    expect(names()).toEqual(folded)
    expect(describing(option('Standard'))).toContain('+1 version')
    expect(button().getAttribute('aria-expanded')).toBe('false')
    expect(button().closest('[role=listbox]')).toBeNull()
    clickOn(button())
    expect(names()).toEqual(unfolded)
    expect(button().getAttribute('aria-expanded')).toBe('true')
    clickOn(option('Standard (reply version)'))
    expect(recorded).toEqual([replyChosen])
    focus(button())
    clickOn(button())
    expect(names()).toEqual(folded)
    expect(option('Standard').tabIndex).toBe(0)
  })

  test('are shown by the right arrow and hidden by the left one, also from a version', () => {
    draw(stateAfter(...writing))
    focus(option('Standard'))
    expect(button().tabIndex).toBe(0)
    press('ArrowLeft')
    expect(names()).toEqual(folded)
    press('ArrowRight')
    expect(names()).toEqual(unfolded)
    expect(nameOf(document.activeElement)).toBe('Standard')
    press('ArrowRight')
    expect(names()).toEqual(unfolded)
    press('ArrowDown')
    press('Enter')
    expect(recorded).toEqual([replyChosen])
    press('ArrowLeft')
    expect(names()).toEqual(folded)
    expect(nameOf(document.activeElement)).toBe('Standard')
    press('ArrowDown')
    press('ArrowRight')
    expect(names()).toEqual(folded)
    expect(nameOf(document.activeElement)).toBe('Short')
  })

  test('are all listed by a search, which has no button for them', () => {
    draw(stateAfter(...writing, rest))
    type(box(), 'stan')
    wait()
    expect(names()).toEqual(['Standard', 'Standard (reply version)'])
    expect(all('button').some((each) => each.getAttribute('aria-label')?.startsWith('+1'))).toBe(false)
    type(box(), '')
    wait()
    expect(names()).toContain('Summer')
    expect(names()).not.toContain('Standard (reply version)')
  })

  test('show on the folded signature what happens to them, and that one is in use', () => {
    draw(stateAfter(...writing))
    expect(selected()).toEqual([])
    become(stateAfter(...writing, replyChosen))
    expect(option('Standard').getAttribute('aria-busy')).toBe('true')
    expect(describing(option('Standard'))).toContain('Inserting')
    const inReply = Insertion.succeeded({
      ...shortIn[1].data,
      target: { kind: 'entry', entryId: replyId },
      inMessage: { ...shortIn[1].data.inMessage, combinedIds: 'c-standard', name: 'Standard', code: 'reply' },
    })
    become(stateAfter(...writing, replyChosen, inReply))
    expect(selected()).toEqual([option('Standard')])
    expect(describing(option('Standard'))).toContain('In use')
    unfold('Standard')
    expect(selected()).toEqual([option('Standard (reply version)')])
    expect(describing(option('Standard'))).not.toContain('In use')
  })
})

test('[CHOOSE-8] a star beside a signature and its menu mark it as a favourite, and its row stays', () => {
  const favourite = Signatures.favouriteChanged({ combinedIds: 'c-short', isFavourite: true })
  draw(stateAfter(...writing))
  const star = () => button('Favourite: Short')
  expect(star()?.getAttribute('aria-pressed')).toBe('false')
  expect(star()?.closest('[role=listbox]')).toBeNull()
  expect(star()?.tabIndex).toBe(-1)
  focus(option('Short'))
  expect(star()?.tabIndex).toBe(0)
  const before = names()
  click('Favourite: Short')
  click('More options for Short')
  click('Add to favourites')
  expect(recorded).toEqual([favourite, favourite])
  become(stateAfter(...writing, favourite))
  expect(star()?.getAttribute('aria-pressed')).toBe('true')
  expect(names()).toEqual(before)
  click('Favourite: Short')
  click('More options for Short')
  click('Remove from favourites')
  const not = Signatures.favouriteChanged({ combinedIds: 'c-short', isFavourite: false })
  expect(recorded.slice(2)).toEqual([not, not])
  // A variant goes with its master.
  unfold('Standard')
  expect(names()).toContain('Standard (reply version)')
  expect(button('Favourite: Standard (reply version)')).toBeUndefined()
})

describe('the folder of a collection', () => {
  const inFolders = {
    page: 1,
    total: 7,
    objects: [
      listedSignature({ collection: 'Campaigns' }),
      listedSignature({ name: 'Short', combinedIds: 'c-short', collection: 'Partners & co' }),
      listedSignature({ name: 'Summer', combinedIds: 'c-summer' }),
    ],
  }
  const listed = [
    ...knownWriting(),
    Signatures.pageLoaded({ list: 'own' as const, epoch: 0, page: inFolders }),
  ]
  const at = (folder: string) => Router.navigated({ path: signaturesPath(folder) })
  const links = () =>
    all('nav[aria-label="Which signatures"] a').map((link) => [
      link.textContent,
      link.getAttribute('aria-current'),
    ])

  test('is one of the folders, and lists its signatures under its name', () => {
    draw(stateAfter(...listed))
    expect(links()).toEqual([
      ['All signatures', null],
      ['Campaigns', null],
      ['Partners & co', null],
    ])
    become(stateAfter(...listed, at('Partners & co')))
    expect(links()).toEqual([
      ['All signatures', null],
      ['Campaigns', null],
      ['Partners & co', 'page'],
    ])
    expect(all('h1').map(({ textContent }) => textContent)).toEqual(['Partners & co'])
    expect(document.title).toBe('Partners & co – Signet')
    expect(names()).toEqual(['Short', 'No signature'])
  })

  test('says at its end that it looks for more, until all are loaded', () => {
    draw(stateAfter(...listed, at('Campaigns')))
    expect(all('[data-row=growing]').map(({ textContent }) => textContent)).toEqual(['Looking for more'])
    expect(all('[role=listbox] [data-row^=nextPage]')).toEqual([])
    become(stateAfter(...listed, at('Campaigns'), rest))
    expect(all('[data-row=growing]')).toEqual([])
  })
})

describe('a list that failed', () => {
  const failure = { kind: 'http', status: 503, code: null, data: null } as const
  /** What stands below what, beside the list and in it. */
  const order = () =>
    all('[data-row]')
      .map((row) => [parseInt(row.style.top), row.dataset['row'] ?? ''] as const)
      .sort(([one], [other]) => one - other)
      .map(([, key]) => key)

  test('says so where its rows would be, above the signatures that others share', () => {
    draw(
      stateAfter(
        ...knownWriting(),
        Signatures.pageFailed({ list: 'own', epoch: 0, page: 1, failure }),
        shared,
      ),
    )
    expect(all('[role=alert]')).toHaveLength(1)
    expect(document.querySelector('[data-row=failed-own]')?.textContent).toContain(
      'Couldn’t load your signatures',
    )
    expect(order().slice(0, 2)).toEqual(['failed-own', `head-${SALES}`])
    expect(all('[role=listbox] button')).toEqual([])
  })

  test('says that there is more after its last row, and that the shared one is missing at its place', () => {
    draw(
      stateAfter(
        ...writing,
        Signatures.pageFailed({ list: 'own', epoch: 0, page: 2, failure }),
        Signatures.pageFailed({ list: 'delegated', epoch: 0, page: 1, failure: { kind: 'timeout' } }),
      ),
    )
    expect(order().slice(-4)).toEqual([masterId(1, 2), 'failed-own', 'failed-delegated', 'none'])
    expect(all('[role=alert]').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Couldn’t load more signatures'),
      expect.stringContaining('Couldn’t load shared signatures'),
    ])
  })
})

test('a default that was not changed is said at the foot, which pushes no row, until it is read', () => {
  const change = Defaults.changeRequested({ combinedIds: 'c-short', use: 'master' })
  const failed = Defaults.changeFailed({ id: -2, failure: { kind: 'network' } })
  draw(stateAfter(...writing, allowed, change, failed))
  expect(all('footer [role=alert]')).toHaveLength(1)
  click('Close')
  expect(all('[role=alert]')).toEqual([])
})

test('the place of the search box is kept until the number of signatures is known', () => {
  const places = () => all('section .search[aria-hidden=true]')
  draw(stateAfter(...signedInWriting('item-1')))
  expect(places()).toHaveLength(1)
  const few = Signatures.pageLoaded({ list: 'own', epoch: 0, page: { ...page, total: 3 } })
  become(stateAfter(...knownWriting(), few))
  expect(places()).toEqual([])
  expect(all('[role=combobox]')).toEqual([])
  // Others share some, and it is not known how many: the box cannot come later.
  const shares = Profile.loaded({ value: profile({ delegations: ['u-sales'] }) })
  become(stateAfter(...signedInWriting('item-1'), shares, Defaults.loaded({ value: signature }), few))
  expect(all('[role=combobox]')).toHaveLength(1)
})

describe('with three signatures of their own, a user has', () => {
  const few = Signatures.pageLoaded({ list: 'own', epoch: 0, page: { ...page, total: 3 } })
  const known = [Defaults.loaded({ value: signature }), few]
  const shares = Profile.loaded({ value: profile({ delegations: ['u-sales'] }) })
  const lost = Profile.loadFailed({ failure: { kind: 'network' } })
  const sharedPage = (total: number) =>
    Signatures.pageLoaded({ list: 'delegated', epoch: 0, page: { page: 1, total, objects: [] } })
  const failed = Signatures.pageFailed({
    list: 'delegated',
    epoch: 0,
    page: 1,
    failure: { kind: 'network' },
  })

  test.each([
    ['no search box when it could not be loaded who shares some', [lost, ...known], 0],
    ['one while that is asked for again', [lost, ...known, App.retryRequested()], 1],
    [
      'none while it is asked for again, and known',
      [Profile.loaded({ value: profile() }), ...known, lost, App.retryRequested()],
      0,
    ],
    ['none when no person shares any', [Profile.loaded({ value: profile() }), ...known], 0],
    ['one until it is known how many others share', [shares, ...known], 1],
    ['none when others share few', [shares, ...known, sharedPage(2)], 0],
    ['one when others share more', [shares, ...known, sharedPage(3)], 1],
    ['none when what others share could not be loaded', [shares, ...known, failed], 0],
  ] as const)('%s', (_, events, boxes) => {
    draw(stateAfter(...signedInWriting('item-1'), ...events))
    expect(all('[role=combobox]')).toHaveLength(boxes)
  })
})

test('the menu of an option opens by its button and by the context menu key, and returns the focus', () => {
  draw(stateAfter(...writing, allowed))
  focus(option('Short'))
  const reachable = () => all('button[aria-haspopup=menu]').filter(({ tabIndex }) => tabIndex === 0)
  press('Home')
  press('ArrowDown')
  expect(reachable().map((each) => each.getAttribute('aria-label'))).toEqual(['More options for Short'])
  expect(reachable()[0]?.closest('[role=listbox]')).toBeNull()
  expect(all('[role=listbox] button')).toEqual([])
  focus(reachable()[0])
  click('More options for Short')
  const items = () => all('[role=menuitem]').map(({ textContent }) => textContent)
  expect(items()).toEqual([
    'Make default',
    'Make default for replies',
    'Add to favourites',
    'See what changes',
    'Copy',
    'Large preview',
  ])
  expect(document.activeElement?.textContent).toBe('Make default')
  press('ArrowUp')
  expect(document.activeElement?.textContent).toBe('Large preview')
  press('ArrowDown')
  press('Escape')
  expect(items()).toEqual([])
  expect(document.activeElement).toBe(reachable()[0])

  focus(option('Short'))
  act(() => {
    option('Short').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))
  })
  expect(items()).toHaveLength(6)
  press('Escape')
  expect(document.activeElement).toBe(option('Short'))
  expect(recorded).toEqual([])
})

test('the menu offers a default only if the organisation allows it and it is not set already', () => {
  const offered = () => {
    const texts = all('[role=menuitem]').map(({ textContent }) => textContent)
    press('Escape')
    return texts.filter((text) => text.startsWith('Make default'))
  }
  draw(stateAfter(...writing))
  click('More options for Short')
  expect(offered()).toEqual([])
  become(stateAfter(...writing, allowed))
  click('More options for Standard')
  expect(offered()).toEqual([])
  click('More options for Short')
  expect(offered()).toEqual(['Make default', 'Make default for replies'])
  click('More options for Short')
  click('Make default')
  click('More options for Short')
  click('Make default for replies')
  expect(recorded).toEqual([
    Defaults.changeRequested({ combinedIds: 'c-short', use: 'master' }),
    Defaults.changeRequested({ combinedIds: 'c-short', use: 'reply' }),
  ])
})

test('[SIG-7] the menu shows a default that is being set, which cannot be chosen again', () => {
  const wanted: AppEvent[] = [
    ...writing,
    allowed,
    Defaults.changeRequested({ combinedIds: 'c-short', use: 'reply' }),
  ]
  draw(stateAfter(...wanted))
  click('More options for Short')
  const [master, reply] = all('[role=menuitem]')
  expect(master?.textContent).toBe('Make default')
  expect(reply?.textContent).toBe('Making it the default for replies')
  expect(reply?.getAttribute('aria-disabled')).toBe('true')
  click('Making it the default for replies')
  expect(recorded).toEqual([])
  press('Escape')
  // The one that it replaces can be chosen again meanwhile.
  click('More options for Standard')
  expect(all('[role=menuitem]').map(({ textContent }) => textContent)).toContain('Make default for replies')
})

test('a change of the default shows progress, success and failure', () => {
  const change = { combinedIds: 'c-short', use: 'reply' } as const
  const wanted: AppEvent[] = [...writing, allowed, Defaults.changeRequested(change)]
  const other = Defaults.changeRequested({ combinedIds: 'c-short', use: 'master' })
  draw(stateAfter(...wanted))
  expect(describing(option('Short'))).toContain('Making it the default for replies')
  become(stateAfter(...wanted, other))
  expect(describing(option('Short'))).toContain('Making it the default for replies')
  expect(describing(option('Short'))).toContain('Making it the default')
  // The change is followed by one event: it has the number before the last.
  const defaults = { master: 'c-standard', reply: 'c-short' }
  become(stateAfter(...wanted, Defaults.changed({ id: -2, defaults })))
  expect(announced()).toEqual(['“Short” is now your default for replies.'])
  become(stateAfter(...wanted, Defaults.changeFailed({ id: -2, failure: { kind: 'network' } })))
  expect(document.querySelector('[role=alert]')?.textContent).toContain(
    'The change may have been made all the same.',
  )
  click('Try again')
  expect(recorded).toEqual([Defaults.changeRequested(change)])
})

describe('the signature for a sender', () => {
  const address = 'alex@northwind.example'
  const asAlias = Mailbox.senderChanged({ itemKey: 'item-1', from: { address, name: 'Alex' } })
  const chose = (bySender: Readonly<Record<string, string>>) =>
    Profile.loaded({
      value: profile({
        metadata: { defaultSignature: { master: 'c-standard', reply: null, bySender }, others: {} },
      }),
    })
  const ofShort = () => {
    click('More options for Short')
    const texts = all('[role=menuitem]').map(({ textContent }) => textContent)
    return texts.filter((text) => text.includes(' I write as ') || text.includes('sender'))
  }
  const use = `Use when I write as ${address}`
  const wanted = { address, combinedIds: 'c-short' }

  test('[AUTO-12] is set and unset by one item of the menu, for a user who writes as another address or chose by hand', () => {
    draw(stateAfter(...writing, allowed))
    expect(ofShort()).toEqual([])
    press('Escape')
    become(stateAfter(...writing, asAlias))
    // The organisation sets the defaults.
    expect(ofShort()).toEqual([])
    press('Escape')
    become(stateAfter(...writing, allowed, ...shortIn))
    expect(ofShort()).toEqual(['Use when I write as alex.kim@northwind.example'])
    press('Escape')
    become(stateAfter(...writing, allowed, asAlias))
    expect(ofShort()).toEqual([use])
    click(use)
    become(stateAfter(...writing, chose({ [address]: 'c-short' }), asAlias))
    expect(ofShort()).toEqual([`No longer use when I write as ${address}`])
    click(`No longer use when I write as ${address}`)
    expect(recorded).toEqual([
      Defaults.senderChoiceRequested(wanted),
      Defaults.senderChoiceRequested({ ...wanted, combinedIds: null }),
    ])
  })

  test('shows progress, success and failure of a change, as a default does', () => {
    const asking: AppEvent[] = [...writing, allowed, asAlias, Defaults.senderChoiceRequested(wanted)]
    draw(stateAfter(...asking))
    expect(describing(option('Short'))).toContain('Setting for this sender')
    expect(ofShort()).toEqual(['Setting for this sender'])
    press('Escape')
    const defaults = { master: 'c-standard', reply: null, bySender: { [address]: 'c-short' } }
    become(stateAfter(...asking, Defaults.changed({ id: -2, defaults })))
    expect(announced()).toEqual([`“Short” is now used when you write as ${address}.`])
    become(stateAfter(...asking, Defaults.changeFailed({ id: -2, failure: { kind: 'network' } })))
    expect(document.querySelector('[role=alert]')?.textContent).toContain(
      'Couldn’t change the signature for this sender',
    )
    click('Try again')
    expect(recorded).toEqual([Defaults.senderChoiceRequested(wanted)])
    const removing = Defaults.senderChoiceRequested({ ...wanted, combinedIds: null })
    const removed = Defaults.changed({ id: -2, defaults: { ...defaults, bySender: {} } })
    become(stateAfter(...writing, asAlias, removing, removed))
    expect(announced()).toEqual([`${address} no longer has a signature of its own.`])
  })
})

describe('the organisation’s default', () => {
  const item = 'Use the organisation’s default'
  const inMenuOf = (name: string) => {
    click(`More options for ${name}`)
    const texts = all('[role=menuitem]').map(({ textContent }) => textContent)
    press('Escape')
    return texts.filter((text) => text.includes('organisation’s default'))
  }
  const chose = (defaultSignature: ChosenDefaults | null) =>
    Profile.loaded({ value: profile({ metadata: { defaultSignature, others: {} } }) })

  test('[CHOOSE-2] is one item of the menu of what the user chose, and only where they may choose', () => {
    draw(stateAfter(...writing, allowed, chose(null)))
    expect(inMenuOf('Short')).toEqual([])
    become(stateAfter(...writing, allowed, chose({ master: 'c-short', reply: null })))
    expect(inMenuOf('Short')).toEqual([item])
    become(stateAfter(...writing, allowed, chose({ master: 'c-standard', reply: 'c-short' })))
    expect(inMenuOf('Short')).toEqual([item])
    become(stateAfter(...writing, chose({ master: 'c-short', reply: null })))
    expect(inMenuOf('Short')).toEqual([])
    become(stateAfter(...writing, allowed, chose({ master: 'c-short', reply: null })))
    click('More options for Short')
    click(item)
    expect(recorded).toEqual([Defaults.organisationRequested()])
  })

  test('shows progress, success and failure of the change', () => {
    const asking: AppEvent[] = [
      ...writing,
      allowed,
      chose({ master: 'c-short', reply: null }),
      Defaults.organisationRequested(),
    ]
    draw(stateAfter(...asking))
    expect(inMenuOf('Short')).toEqual(['Switching to your organisation’s default'])
    become(stateAfter(...asking, Defaults.changed({ id: -2, defaults: null })))
    expect(announced()).toEqual(['Your organisation’s default is used again.'])
    become(stateAfter(...asking, Defaults.changeFailed({ id: -2, failure: { kind: 'network' } })))
    expect(document.querySelector('[role=alert]')?.textContent).toContain(
      'Couldn’t switch to your organisation’s default',
    )
    click('Try again')
    expect(recorded).toEqual([Defaults.organisationRequested()])
  })
})

describe('an organisation that published meanwhile', () => {
  const refusedWith = (status: number, code: string) => ({ kind: 'http', status, code, data: null }) as const
  const alerts = () => all('[role=alert]').map(({ textContent }) => textContent)

  test.each([
    [refusedWith(404, 'not_found'), 'This signature is no longer in your list.', 'Choose another signature.'],
    [
      refusedWith(409, 'default_not_allowed'),
      'Your organisation no longer lets you choose a default.',
      'Contact your administrator.',
    ],
  ])('says why a default was refused, and offers no retry: %j', (failure, what, action) => {
    const asked = Defaults.changeRequested({ combinedIds: 'c-short', use: 'master' })
    draw(stateAfter(...writing, allowed, asked, Defaults.changeFailed({ id: -2, failure })))
    expect(alerts()).toEqual([expect.stringMatching(`${what}.*${action}`) as string])
    expect(alerts().join('')).not.toContain('Try again')
  })

  test('[SIG-4] says that a person shares their signatures no longer, once the list was read again, until it is read', () => {
    const failure = refusedWith(403, 'not_delegated')
    const told = 'Some signatures are no longer shared with you. The list is up to date.'
    const page = signaturePage(1, 0)
    const shares = Profile.loaded({ value: profile({ delegations: ['u-2', 'u-3'] }) })
    const delegated = Signatures.pageLoaded({ list: 'delegated', epoch: 0, page })
    const failed: AppEvent[] = [...writing, shares, delegated, Signatures.refreshFailed({ failure })]
    draw(stateAfter(...failed))
    expect(alerts().join('')).toContain('Some signatures are no longer shared with you.')
    expect(alerts().join('')).not.toContain(told)
    const { epoch } = stateAfter(...failed).signatures.own
    const mended = [
      ...failed,
      Profile.loaded({ value: profile({ delegations: ['u-3'] }) }),
      Signatures.refreshed({ epoch, own: signaturePage(1), delegated: page }),
    ]
    become(stateAfter(...mended))
    expect(alerts().join('')).toContain(told)
    // While it is read once more, or when that fails, it is not known to be up to date.
    const again = [...mended, Signatures.refreshRequested()]
    become(stateAfter(...again))
    expect(alerts().join('')).not.toContain(told)
    become(stateAfter(...again, Signatures.refreshFailed({ failure: { kind: 'network' } })))
    expect(alerts().join('')).not.toContain(told)
    become(stateAfter(...mended))
    click('Close')
    expect(alerts()).toEqual([])
  })
})

test('[CHOOSE-6] changes are previewed as text, pictures and size, not by colour alone', async () => {
  const logo = 'https://signatures.example/logo.png'
  const withLogo = listedSignature({
    name: 'Logo',
    combinedIds: 'c-logo',
    html: `<p>Alex Kim</p><p>+44 20</p><img src="${logo}" alt="">`,
    images: [image(logo)],
  })
  draw(
    stateAfter(
      ...signedInWriting('item-1'),
      Profile.loaded({ value: profile() }),
      Defaults.loaded({ value: cachedSignature({ html: '<p>Alex Kim</p><p>Pilot</p>' }) }),
      Signatures.pageLoaded({ list: 'own', epoch: 0, page: { page: 1, total: 1, objects: [withLogo] } }),
      Insertion.defaultDue({ itemKey: 'item-1', hash: 'h' }),
      Insertion.succeeded({
        id: -2,
        itemKey: 'item-1',
        target: { kind: 'default' },
        inMessage: { combinedIds: 'c-standard', hash: 'h', name: 'Standard', reason },
        content: { html: '<p>Alex Kim</p><p>Pilot</p>', images: [] },
      }),
    ),
    (html) => html,
  )
  click('More options for Logo')
  click('See what changes')
  await dialogLoaded()
  expect(all('dialog figcaption').map(({ textContent }) => textContent)).toEqual([
    'Now: Standard',
    'Then: Logo',
  ])
  expect(document.querySelector('dialog')?.textContent).toContain(
    'The text changes and one picture is added; 0.1 KB more.',
  )
  expect(all('dialog details')[0]?.hasAttribute('open')).toBe(false)
  expect(all('dialog li').map(({ textContent }) => textContent)).toEqual([
    'Alex Kim',
    '−Removed: Pilot',
    '+Added: +44 20',
    '+Added: logo.png',
  ])
  expect(document.querySelector('dialog')?.textContent).toContain('0 KB now, 0.2 KB after the change')
  expect(recorded).toEqual([])
  click('Insert')
  expect(recorded).toEqual([Insertion.chosen({ entryId: masterId(1, 0), itemKey: 'item-1' })])
  expect(all('dialog')).toEqual([])
})

test('a dialog closes when another message opens', async () => {
  draw(stateAfter(...writing))
  click('More options for Short')
  click('Large preview')
  await dialogLoaded()
  expect(all('dialog')).toHaveLength(1)
  become(stateAfter(...writing, ...signedInWriting('item-2')))
  expect(all('dialog')).toEqual([])
})

test.each([
  ['no message is open', Mailbox.itemChanged({ item: null }), 'No message is open.'],
  [
    'a message is only being read',
    Mailbox.itemChanged({ item: { key: 'item-2', mode: 'read' } }),
    'You’re reading, so nothing can be inserted.',
  ],
])('while %s, a choice copies the signature, and the option says so', (_, change, why) => {
  draw(stateAfter(...writing, change))
  expect(describing(option('Short'))).toContain(why)
  expect(describing(option('Short'))).toContain('copy it')
  expect(names()).not.toContain('No signature')
  clickOn(option('Short'))
  const copying = Signatures.copyRequested({ entryId: masterId(1, 1) })
  expect(recorded).toEqual([copying])
  become(stateAfter(...writing, change, copying, Signatures.copied(copying.data)))
  expect(describing(option('Short'))).toContain('Copied')
  expect(announced()).toEqual(['“Short” is copied. You can paste it now.'])
})

test('[CHOOSE-7] two copies, one soon after the other, are both announced', () => {
  const [first, second] = [masterId(1, 1), masterId(1, 0)].map((entryId) => ({ entryId })) as [
    { entryId: string },
    { entryId: string },
  ]
  const wishes = [...writing, Signatures.copyRequested(first), Signatures.copyRequested(second)]
  draw(stateAfter(...wishes))
  expect(announced()).toEqual([])
  become(stateAfter(...wishes, Signatures.copied(first)))
  expect(announced()).toEqual(['“Short” is copied. You can paste it now.'])
  become(stateAfter(...wishes, Signatures.copied(first), Signatures.copied(second)))
  expect(announced()).toEqual(['“Standard” is copied. You can paste it now.'])
})

test('a signature that failed to insert can be copied, and a refused clipboard is reported', () => {
  const failing = [
    ...writing,
    choosing,
    Insertion.failed({
      id: -2,
      itemKey: 'item-1',
      target: { kind: 'entry', entryId: masterId(1, 1) },
      failure: { kind: 'tooLarge', characters: 40_120, limit: 30_000, parts: [] },
    }),
  ]
  draw(stateAfter(...failing))
  click('Copy it instead')
  const copying = Signatures.copyRequested({ entryId: masterId(1, 1) })
  expect(recorded).toEqual([copying])
  become(
    stateAfter(
      ...writing,
      copying,
      Signatures.copyFailed({ entryId: masterId(1, 1), failure: { kind: 'clipboard' } }),
    ),
  )
  expect(document.querySelector('[role=alert]')?.textContent).toContain('Signet couldn’t use the clipboard.')
  click('Try again')
  expect(recorded).toEqual([copying, copying])
})

test('a failed copy reports its reason until the next try', () => {
  const copying = Signatures.copyRequested({ entryId: masterId(1, 1) })
  const failed = Signatures.copyFailed({ entryId: masterId(1, 1), failure: { kind: 'entryGone' } })
  draw(stateAfter(...writing, copying, failed))
  const alertText = () => document.querySelector('[role=alert]')?.textContent
  expect(alertText()).toContain('This signature is no longer in your list. Nothing was copied.')
  become(stateAfter(...writing, copying, failed, copying))
  expect(alertText()).toBeUndefined()
})

test('a failed restore of the text is reported, and can be retried', () => {
  const before = [
    ...writing,
    ...shortIn,
    Insertion.bodyAltered({ itemKey: 'item-1', before: createSecret('<p>Dear Priya</p>') }),
  ]
  const asking = Insertion.bodyRestoreRequested({ itemKey: 'item-1' })
  const failure = { kind: 'hostSilent', call: 'body.setAsync' } as const
  draw(stateAfter(...before, asking))
  expect(said()).toContain('Restoring your text')
  expect(button('Restore my text')).toBeUndefined()
  become(stateAfter(...before, asking, Insertion.bodyRestoreFailed({ itemKey: 'item-1', failure })))
  const alertText = document.querySelector('[role=alert]')?.textContent
  expect(alertText).toContain('Couldn’t restore your text')
  expect(alertText).toContain('Signet still has your original text.')
  click('Try again')
  expect(recorded).toEqual([asking])
  become(stateAfter(...before, asking, Insertion.bodyRestored({ itemKey: 'item-1' })))
  expect(document.querySelector('[role=alert]')).toBeNull()
})

test('a default that replaced its older version is announced', () => {
  draw(
    stateAfter(
      ...writing,
      Mailbox.messageRead({
        itemKey: 'item-1',
        message: {
          composeType: 'newMail',
          bodyType: 'html',
          from: null,
          to: [],
          cc: [],
          stopPush: false,
          inserted: {
            combinedIds: 'c-standard',
            hash: 'old',
            name: 'Standard',
            reply: false,
            origin: 'default',
          },
        },
      }),
      ...defaultIn,
    ),
  )
  expect(said()).toContain('StandardYour default, in its new version')
  expect(announced()).toEqual(['Your default signature was updated. This message has the new version.'])
})

test('[CHOOSE-2] a user who chose, and sends as a delegated sender, is offered that sender’s signature', () => {
  const from = { address: 'Sales@northwind.example', name: 'Sales desk' }
  const asSales = Mailbox.senderChanged({ itemKey: 'item-1', from })
  draw(stateAfter(...writing, shared))
  expect(said()).not.toContain('Sending as')
  become(stateAfter(...writing, asSales))
  expect(said()).toContain('Sending as Sales desk')
  expect(button('Use “Sales desk”')).toBeUndefined()
  // It goes in automatically.
  become(stateAfter(...writing, shared, asSales))
  expect(button('Use “Sales desk”')).toBeUndefined()
  become(stateAfter(...writing, shared, ...shortIn, asSales))
  click('Use “Sales desk”')
  expect(recorded).toEqual([Insertion.chosen({ entryId: `${SALES}-1-0-master`, itemKey: 'item-1' })])
})

test('the user’s text is offered back when the mail client changed it', () => {
  draw(
    stateAfter(
      ...writing,
      ...shortIn,
      Insertion.bodyAltered({ itemKey: 'item-1', before: createSecret('<p>Dear Priya</p>') }),
    ),
  )
  expect(document.querySelector('[role=alert]')?.textContent).toContain(
    'Outlook changed your text while inserting the signature',
  )
  click('Restore my text')
  expect(recorded).toEqual([Insertion.bodyRestoreRequested({ itemKey: 'item-1' })])
})
