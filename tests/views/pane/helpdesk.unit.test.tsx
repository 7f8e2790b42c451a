import { describe, expect, test } from 'vitest'
import type { LoggedEvent } from '../../../streams/pane/events.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { Insertion, type InsertionTarget } from '../../../streams/message/insertion/events.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { Maintenance } from '../../../streams/pane/maintenance/events.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { SelfTest } from '../../../streams/pane/selfTest/events.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { compose, message, profile, signedInWriting, stateAfter } from '../../support/state.ts'
import {
  all,
  button,
  choosing,
  click,
  inMessage,
  page,
  said,
  signature,
  useDrawing,
  writing,
} from '../drawing.tsx'

const { recorded, draw, become } = useDrawing()

const alert = () => document.querySelector('[role=alert]')
const alertsSay = () =>
  all('[role=alert]').map((each) => {
    const shown = each.cloneNode(true) as Element
    for (const folded of shown.querySelectorAll('details')) folded.remove()
    return shown.textContent
  })

const itemKey = 'item-1'
/** What asks for an insertion, and what it was to do. */
const ASKED = {
  entry: [choosing, { kind: 'entry', entryId: 'user-1-1-master' }],
  none: [Insertion.noneChosen({ itemKey }), { kind: 'none' }],
  undo: [Insertion.undoRequested({ itemKey }), { kind: 'previous' }],
  default: [Insertion.defaultDue({ itemKey, hash: inMessage.hash }), { kind: 'default' }],
} as const satisfies Record<string, readonly [LoggedEvent, InsertionTarget]>

const failing = (name: keyof typeof ASKED, failure: Failure): readonly LoggedEvent[] => {
  const [asked, target] = ASKED[name]
  return [...writing, asked, Insertion.failed({ id: -2, itemKey, target, failure })]
}

describe('a failure', () => {
  const failure: Failure = {
    kind: 'host',
    call: 'body.setSignatureAsync',
    code: 5000,
    name: 'InternalError',
  }

  test('folds what is technical for the helpdesk, to be reached with the Tab key, and copies it', () => {
    draw(stateAfter(...failing('entry', failure)))
    expect(alertsSay()[0]).toContain('Outlook reported an error. Your message wasn’t changed.')
    expect(alertsSay().join()).not.toMatch(/InternalError|setSignature|5000/)
    const folded = alert()?.querySelector<HTMLDetailsElement>('details')
    expect(folded?.open).toBe(false)
    expect(folded?.querySelector('summary')?.textContent).toBe('For your helpdesk')
    expect(folded?.querySelector('summary')?.tabIndex).toBe(0)
    const lines = [...(folded?.querySelectorAll('dl > div') ?? [])].map((line) =>
      [...line.children].map(({ textContent }) => textContent).join(': '),
    )
    expect(lines).toEqual([
      'Kind: host',
      'Call: body.setSignatureAsync',
      'Error: InternalError',
      'Code: 5000',
      expect.stringMatching(/^Time: \d{4}-\d\d-\d\dT/),
      'Signet: 0.0.0',
    ])
    click('Copy')
    expect(recorded).toEqual([SelfTest.copyRequested({ text: lines.join('\n') })])
  })

  test('says whether it was copied only where that was asked', () => {
    const asked = [SelfTest.copyRequested({ text: 'another' }), ...failing('entry', failure).slice(0, -2)]
    const failed = failing('entry', failure).slice(-2)
    draw(stateAfter(...asked, SelfTest.copied(), ...failed))
    expect(said()).not.toContain('Copied.')
    click('Copy')
    expect(said()).toContain('Copied.')
    become(stateAfter(...asked, SelfTest.copyFailed({ failure: { kind: 'clipboard' } }), ...failed))
    expect(said()).not.toContain('Copied.')
    expect(said()).toContain('Signet couldn’t use the clipboard.')
  })

  test.each<readonly [keyof typeof ASKED, string, string]>([
    ['none', 'The signature wasn’t removed', 'The signature is still in your message.'],
    ['undo', 'Your message wasn’t changed back', 'Your message stays as it is.'],
    ['entry', 'The signature wasn’t inserted', 'Your message wasn’t changed.'],
    ['default', 'The signature wasn’t inserted', 'Your message wasn’t changed.'],
  ])('of %s is named after what was not done', (asked, title, meaning) => {
    draw(stateAfter(...failing(asked, failure)))
    expect(alertsSay()[0]).toContain(title)
    expect(alertsSay()[0]).toContain(meaning)
    expect(alertsSay().filter((words) => words.includes('inserted'))).toHaveLength(
      title.includes('inserted') ? 1 : 0,
    )
  })
})

describe('what can still be done', () => {
  const cut: Failure = { kind: 'network' }
  const start = [...signedInWriting('item-1'), Profile.loaded({ value: profile() })]
  const list = Signatures.pageLoaded({ list: 'own', epoch: 0, page })
  const listFailed = Signatures.pageFailed({ list: 'own', epoch: 0, page: 1, failure: cut })
  const noItem = Mailbox.itemChanged({ item: null })
  const reading = Mailbox.itemChanged({ item: { key: 'item-2', mode: 'read' } })
  const unread = Mailbox.itemChanged({ item: compose('item-2') })
  const down = Maintenance.loaded({ status: 'active' })

  const insert = 'You can still insert signatures'
  const copy = 'You can still copy signatures'

  test.each<readonly [string, readonly LoggedEvent[], string | null]>([
    ['a list and a message', [list], insert],
    ['a list and no message', [list, noItem], copy],
    ['a list and a message that is being read', [list, reading], copy],
    ['a list and a message that is not known yet', [list, unread], copy],
    ['no list', [], null],
    ['no list and no message', [noItem], null],
  ])('is said truly with %s: in the bar about maintenance', (_, there, still) => {
    draw(stateAfter(...writing.slice(0, 1), ...start, Defaults.loaded({ value: signature }), ...there, down))
    const bar = document.querySelector('header')?.textContent ?? ''
    expect(bar).toContain('The signature service is down for maintenance.')
    expect([insert, copy].filter((words) => bar.includes(words))).toEqual(still === null ? [] : [still])
    if (still === null) expect(bar).toContain('Your message stays as it is.')
  })

  test.each<readonly [string, readonly LoggedEvent[], string]>([
    ['nothing', [], 'There’s nothing to choose from until they load. Your message stays as it is.'],
    ['no message', [noItem], 'There’s nothing to choose from until they load. Your message stays as it is.'],
  ])('is said truly with %s loaded: by a list that failed', (_, there, words) => {
    draw(
      stateAfter(
        ...writing.slice(0, 1),
        ...start,
        Defaults.loaded({ value: signature }),
        listFailed,
        ...there,
      ),
    )
    expect(alertsSay().join(' ')).toContain(words)
    expect(alertsSay().join(' ')).not.toContain('still')
  })

  test.each<readonly [string, readonly LoggedEvent[], string]>([
    ['without a list', [], 'Your default isn’t inserted until it loads.'],
    ['with a list', [list], insert],
    ['with a list and no message', [list, noItem], copy],
    [
      'with the default of before',
      [Defaults.loaded({ value: signature }), list, Defaults.loadFailed({ failure: { kind: 'timeout' } })],
      'Until it can be checked, the last version stays in use.',
    ],
  ])('is said truly %s: by a default that failed', (_, there, words) => {
    const failed = Defaults.loadFailed({ failure: { kind: 'timeout' } })
    draw(stateAfter(...writing.slice(0, 1), ...start, failed, ...there))
    expect(alertsSay().join(' ')).toContain(words)
  })
})

describe('the sign-in page', () => {
  const left = (failure: Failure) =>
    stateAfter(Auth.signedOut({ reason: { kind: 'signInFailed', failure }, userId: null }))

  test('says to try again only where that can help', () => {
    draw(left({ kind: 'network' }))
    expect(button('Try again')).toBeDefined()
    become(left({ kind: 'auth', code: 'host_13004' }))
    expect(button('Try again')).toBeUndefined()
    expect(button('Sign in')).toBeDefined()
  })
})

test('a choice that another message interrupted is named as what it is', () => {
  const next = [
    Mailbox.itemChanged({ item: compose('item-2') }),
    Insertion.failed({ id: -4, itemKey, target: { kind: 'none' }, failure: { kind: 'itemGone' } }),
  ]
  draw(
    stateAfter(
      ...writing,
      Insertion.noneChosen({ itemKey }),
      ...next,
      Mailbox.messageRead({ itemKey: 'item-2', message: message() }),
    ),
  )
  expect(alertsSay().join()).toContain(
    'Your choice wasn’t carried outYou switched to another message before this was finished.',
  )
  expect(alertsSay().join()).not.toContain('inserted')
})
