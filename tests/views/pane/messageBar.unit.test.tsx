import { act } from 'react'
import { describe, expect, test } from 'vitest'
import { Configuration } from '../../../streams/pane/configuration/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { createSecret } from '../../../streams/kernel/secret.ts'
import { contentHash } from '../../../streams/html/hash.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { htmlWithBlocks } from '../../../streams/message/signatures/blocks.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import type { LoggedEvent } from '../../../streams/pane/events.ts'
import {
  candidate,
  compose,
  masterId,
  message,
  signedInWriting,
  stateAfter,
  withSlot,
} from '../../support/state.ts'
import {
  all,
  announced,
  button,
  choosing,
  click,
  clickOn,
  dialogLoaded,
  defaultIn,
  focus,
  option,
  page,
  press,
  said,
  shortIn,
  useDrawing,
  writing,
} from '../drawing.tsx'

const { recorded, draw, become } = useDrawing()

const bar = (): HTMLElement => {
  const found = all('section').find(
    (each) =>
      document.getElementById(each.getAttribute('aria-labelledby') ?? '')?.textContent === 'In this message',
  )
  if (!found) throw new Error('there is no bar')
  return found
}
const alerts = () => all('[role=alert]').map(({ textContent }) => textContent)
const silent = { kind: 'hostSilent', call: 'body.setSignatureAsync' } as const
const failing = (...events: readonly LoggedEvent[]) => [
  ...writing,
  ...defaultIn,
  ...events,
  Insertion.failed({
    id: -2,
    itemKey: 'item-1',
    target: { kind: 'none' },
    failure: silent,
  }),
]

describe('the bar above the list', () => {
  test('says one thing from the first frame until the signature goes in, never that there is none', () => {
    const start = signedInWriting('item-1')
    const states = [
      ...start.map((_, index) => stateAfter(...start.slice(0, index))),
      stateAfter(...start),
      stateAfter(...writing),
    ]
    draw(states[0]!)
    for (const state of states) {
      become(state)
      expect(bar().textContent).toBe('In this messageFinding your signature')
      expect(bar().getAttribute('aria-busy')).toBe('true')
      expect(said()).not.toContain('No signature yet')
    }
    become(stateAfter(...writing, defaultIn[0]))
    expect(bar().textContent).toContain('Inserting “Standard”')
    become(stateAfter(...writing, ...defaultIn))
    expect(bar().getAttribute('aria-busy')).toBe('false')
    expect(bar().textContent).toContain('Standard')
  })

  test('says that there is none once that is decided, and what to do', () => {
    const written = [
      ...writing.slice(0, -2),
      Mailbox.messageRead({ itemKey: 'item-1', message: message({ stopPush: true }) }),
    ]
    draw(stateAfter(...written))
    expect(bar().textContent).toBe('In this messageNo signature yet')
    become(stateAfter(...written, writing.at(-1)!))
    expect(bar().textContent).toBe('In this messageNo signature yetChoose one below.')
  })

  test('is above every list of signatures, and is not the heading of its page', () => {
    draw(stateAfter(...writing, Router.navigated({ path: '/app/signatures/main' }), ...shortIn))
    expect(bar().querySelector('h2')?.textContent).toBe('In this message')
    expect(all('h1').map(({ textContent }) => textContent)).toEqual(['All signatures'])
    expect(bar().textContent).toContain('Short')
    click('Undo')
    expect(recorded).toEqual([Insertion.undoRequested({ itemKey: 'item-1' })])
  })

  test('says that the message has an older version, offers the new one, and tells screen readers', () => {
    draw(stateAfter(...writing, ...shortIn))
    expect(said()).not.toContain('older version')
    const objects = page.objects.map((each) =>
      each.combinedIds === 'c-short' ? { ...each, html: '<p>A. K., director</p>' } : each,
    )
    const changed = Signatures.refreshed({ epoch: 0, own: { ...page, objects }, delegated: null })
    become(stateAfter(...writing, changed, ...shortIn))
    expect(bar().textContent).toContain('This is an older version')
    expect(said()).toContain('“Short” has changed. This message has the older version.')
    click('Use new version')
    expect(recorded).toEqual([Insertion.chosen({ entryId: masterId(1, 1), itemKey: 'item-1' })])
  })

  test('shows what is in the message that is opened next', () => {
    draw(stateAfter(...writing, ...shortIn))
    expect(bar().textContent).toContain('Short')
    const next = Mailbox.itemChanged({ item: compose('item-2') })
    become(stateAfter(...writing, ...shortIn, next))
    expect(bar().textContent).toBe('In this messageFinding your signature')
    const inserted = {
      combinedIds: 'c-standard',
      hash: 'hash',
      name: 'Standard',
      origin: 'default',
      reply: false,
    } as const
    become(
      stateAfter(
        ...writing,
        ...shortIn,
        next,
        Mailbox.messageRead({ itemKey: 'item-2', message: message({ inserted }) }),
      ),
    )
    expect(bar().textContent).toContain('Standard')
  })

  test('tells how far an insertion is, with its pictures', () => {
    const progress = (imagesDone: number) => Insertion.progressed({ id: -2, imagesDone, imagesTotal: 3 })
    draw(stateAfter(...writing, choosing, progress(0)))
    const done = () => bar().querySelector<HTMLElement>('[aria-hidden=true] > div')?.style.width
    expect(bar().textContent).toContain('Inserting “Short”0 of 3 pictures')
    expect(done()).toBe('12.5%')
    become(stateAfter(...writing, choosing, progress(2)))
    expect(bar().textContent).toContain('2 of 3 pictures')
    expect(done()).toBe('62.5%')
  })
})

describe('what went wrong hangs from the bar', () => {
  const noneChosen = Insertion.noneChosen({ itemKey: 'item-1' })

  test('a signature that could not be taken out is not called not inserted', () => {
    draw(stateAfter(...failing(noneChosen)))
    expect(bar().querySelector('[role=alert]')?.textContent).toContain('The signature wasn’t removed')
    expect(alerts().join()).not.toContain('inserted')
    click('Try again')
    expect(recorded).toEqual([noneChosen])
  })

  test('it is closed by its button, and Escape; the focus goes back to where it came from', () => {
    for (const close of [() => click('Close'), () => press('Escape')]) {
      draw(stateAfter(...writing))
      become(stateAfter(...failing(noneChosen)))
      focus(option('Short'))
      focus(button('Close'))
      close()
      expect(alerts()).toEqual([])
      expect(document.activeElement).toBe(option('Short'))
      expect(recorded).toEqual([])
    }
  })

  test('without a place to go back to, the focus goes to the heading', async () => {
    draw(stateAfter(...failing(noneChosen)))
    focus(button('Close'))
    await act(async () => {
      button('Close')?.click()
    })
    expect(alerts()).toEqual([])
    expect(document.activeElement?.textContent).toBe('In this message')
  })

  test('what is closed stays closed, and the next failure is said again', () => {
    draw(stateAfter(...failing(noneChosen)))
    click('Close')
    become(stateAfter(...failing(noneChosen, noneChosen)))
    expect(alerts()).toHaveLength(1)
  })

  test('also that Outlook changed the text, that restoring it failed, and that a choice was interrupted', () => {
    const altered = Insertion.bodyAltered({ itemKey: 'item-1', before: createSecret('<p>Dear Priya</p>') })
    const events = [...writing, ...shortIn, altered]
    draw(stateAfter(...events))
    expect(bar().textContent).toContain('Outlook changed your text while inserting the signature')
    become(
      stateAfter(
        ...events,
        Insertion.bodyRestoreRequested({ itemKey: 'item-1' }),
        Insertion.bodyRestoreFailed({ itemKey: 'item-1', failure: silent }),
      ),
    )
    expect(bar().textContent).toContain('Couldn’t restore your text')
    become(
      stateAfter(
        ...writing,
        choosing,
        Mailbox.itemChanged({ item: compose('item-2') }),
        Insertion.failed({
          id: -2,
          itemKey: 'item-1',
          target: { kind: 'entry', entryId: 'user-1-1-master' },
          failure: { kind: 'itemGone' },
        }),
      ),
    )
    expect(bar().textContent).toContain('Your choice wasn’t carried out')
    click('Close')
    expect(alerts()).toEqual([])
  })
})

describe('the details below the bar', () => {
  const unfoldDetails = () => {
    click('Details of this signature')
  }
  const allowed = Configuration.loaded({ value: { allowDefaultSignature: true } })

  test.each([
    ['a new message', 'newMail', 'master', 'Make default', 'Setting as default'],
    ['a reply', 'reply', 'reply', 'Make default for replies', 'Setting as default for replies'],
    ['a forward', 'forward', 'reply', 'Make default for replies', 'Setting as default for replies'],
  ] as const)('makes the signature in %s the default', (_, composeType, use, text, doing) => {
    const start = [
      ...writing.map((event) =>
        event.type === 'mailbox/messageRead'
          ? Mailbox.messageRead({ itemKey: 'item-1', message: message({ composeType }) })
          : event,
      ),
      allowed,
    ]
    draw(stateAfter(...start))
    expect(button(text)).toBeUndefined()
    become(stateAfter(...start, ...shortIn))
    unfoldDetails()
    click(text)
    const asked = Defaults.changeRequested({ combinedIds: 'c-short', use })
    expect(recorded).toEqual([asked])
    become(stateAfter(...start, ...shortIn, asked))
    expect(button(text)).toBeUndefined()
    expect(said()).toContain(doing)
  })

  test('offer nothing where the organisation does not allow it, for no signature, and for what is the default', () => {
    draw(stateAfter(...writing, ...shortIn))
    unfoldDetails()
    expect(button('Make default')).toBeUndefined()
    become(stateAfter(...writing, allowed, ...shortIn))
    expect(button('Make default')).toBeDefined()
    become(stateAfter(...writing, allowed, ...defaultIn))
    expect(button('Make default')).toBeUndefined()
    become(stateAfter(...writing, allowed))
    expect(button('Make default')).toBeUndefined()
  })

  /** Short stands in the message with a banner for everyone, and a notice for recipients outside. */
  const banner = withSlot('<p>A. K.</p>', candidate({ closes: new Date(2026, 10, 1).getTime() }))
  const notice = withSlot(
    banner.html,
    candidate({ id: 'notice', name: 'Notice', audiences: ['!northwind.example'], everyone: false }),
  )
  const slots = [...banner.slots, ...notice.slots]
  const hashWith = (...blocks: readonly string[]) =>
    contentHash(htmlWithBlocks({ html: notice.html, slots }, { blocks }))
  const shortWith = (...blocks: readonly string[]) => [
    ...writing.slice(0, -1),
    Signatures.pageLoaded({
      list: 'own',
      epoch: 0,
      page: { ...page, objects: [page.objects[0]!, { ...page.objects[1]!, html: notice.html, slots }] },
    }),
    choosing,
    Insertion.succeeded({
      ...shortIn[1].data,
      inMessage: { ...shortIn[1].data.inMessage, hash: hashWith(...blocks), blocks },
    }),
  ]
  /** The line below the name. */
  const line = () => all('section p + p')[0]?.textContent
  const reasons = () =>
    all('[aria-label="Blocks in this message"] > li').map(({ textContent }) => textContent)

  test('are offered only for a signature in the message, and show it in one place', () => {
    const names = () => all('[role=group]').map((each) => each.getAttribute('aria-label'))
    const toggle = () => button('Details of this signature')
    draw(stateAfter(...writing))
    expect(toggle()).toBeUndefined()
    become(stateAfter(...writing, ...shortIn))
    expect(toggle()?.getAttribute('aria-expanded')).toBe('false')
    expect(names()).not.toContain('Details of this signature')
    unfoldDetails()
    expect(toggle()?.getAttribute('aria-expanded')).toBe('true')
    expect(names()).toContain('Details of this signature')
    expect(document.getElementById(toggle()?.getAttribute('aria-controls') ?? '')).not.toBeNull()
    // The bar stays as it is.
    expect(bar().querySelector('iframe')).toBeNull()
    unfoldDetails()
    expect(names()).not.toContain('Details of this signature')
  })

  test('name the blocks in the message, and say why each stands there [BLOCK-11]', () => {
    draw(stateAfter(...shortWith()))
    expect(line()).toBe('You chose it')
    become(stateAfter(...shortWith('autumn')))
    expect(line()).toBe('You chose it · With: Autumn banner')
    expect(reasons()).toEqual([])
    unfoldDetails()
    expect(reasons()).toEqual(['Autumn banner: for everyone, until Oct 31, 2026'])
    become(stateAfter(...shortWith('autumn', 'notice')))
    expect(line()).toBe('You chose it · With: Autumn banner, Notice')
    expect(reasons()).toEqual([
      'Autumn banner: for everyone, until Oct 31, 2026',
      'Notice: for you, because a recipient is outside your organisation',
    ])
  })

  test.each(['Large preview', 'See what changes'])(
    '%s says why each block would stand in the message [BLOCK-11]',
    async (item) => {
      const to = [{ address: 'claire@quayside.example', name: 'Claire' }]
      const toClaire = Mailbox.recipientsChanged({ itemKey: 'item-1', to, cc: [] })
      draw(stateAfter(...shortWith().slice(0, -2), toClaire), (html) => html)
      click('More options for Short')
      click(item)
      await dialogLoaded()
      const reasonsThere = all('dialog p').filter(({ textContent }) =>
        /^(Autumn banner|Notice): /.test(textContent),
      )
      expect(reasonsThere.map(({ textContent }) => textContent)).toEqual([
        'Autumn banner: for everyone, until Oct 31, 2026',
        'Notice: for you, because a recipient is outside your organisation',
      ])
    },
  )

  test('only the blocks are announced when the signature stays and these follow the recipients', () => {
    const due = Insertion.defaultDue({ itemKey: 'item-1', hash: 'other' })
    const followed = (id: number, ...blocks: readonly string[]) => {
      const { blocks: _, ...inMessage } = {
        ...shortIn[1].data.inMessage,
        blocks: [],
        hash: hashWith(...blocks),
      }
      return Insertion.succeeded({
        ...shortIn[1].data,
        id,
        target: { kind: 'default' },
        inMessage: blocks.length > 0 ? { ...inMessage, blocks } : inMessage,
      })
    }
    draw(stateAfter(...shortWith('autumn')))
    expect(announced()).toEqual(['“Short” is in your message. With: Autumn banner'])
    become(stateAfter(...shortWith('autumn'), due, followed(-2, 'autumn', 'notice')))
    expect(announced()).toEqual(['With: Autumn banner, Notice'])
    become(stateAfter(...shortWith('autumn'), due, followed(-2)))
    expect(announced()).toEqual(['Your message has no blocks now.'])
    const undone = Insertion.succeeded({
      ...followed(-2, 'autumn').data,
      target: { kind: 'previous' },
      inMessage: {
        ...shortIn[1].data.inMessage,
        hash: hashWith('autumn'),
        blocks: ['autumn'],
        reason: { ...shortIn[1].data.inMessage.reason, origin: 'putBack' },
      },
    })
    const undo = Insertion.undoRequested({ itemKey: 'item-1' })
    become(stateAfter(...shortWith('autumn'), due, followed(-4), undo, undone))
    expect(announced()).toEqual(['“Short” is back in your message. With: Autumn banner'])
  })

  test('say as whom the user writes, as the bar does', () => {
    const from = { address: 'sales@northwind.example', name: 'Sales desk' }
    const events = shortWith('autumn')
    const asSales = Mailbox.senderChanged({ itemKey: 'item-1', from })
    draw(stateAfter(...events.slice(0, -2), asSales, ...events.slice(-2)))
    expect(line()).toBe('Sending as Sales desk · You chose it · With: Autumn banner')
    unfoldDetails()
    expect(all('[role=group] p').map(({ textContent }) => textContent)).toContain('Sending as Sales desk')
    expect(reasons()).toEqual(['Autumn banner: for everyone, until Oct 31, 2026'])
  })

  test('name another sender, while the bar offers that sender’s signature', () => {
    const sales = 'sales@northwind.example'
    const from = { address: sales, name: 'Sales desk' }
    const shared = Signatures.pageLoaded({
      list: 'delegated',
      epoch: 0,
      page: {
        page: 1,
        total: 1,
        objects: [{ ...page.objects[1]!, name: 'Sales', combinedIds: 'c-sales', email: sales }],
      },
    })
    const asSales = Mailbox.senderChanged({ itemKey: 'item-1', from })
    draw(stateAfter(...writing, allowed, asSales, ...shortIn))
    expect(said()).toContain('Sending as Sales desk')
    expect(button('Use “Sales”')).toBeUndefined()
    become(stateAfter(...writing, allowed, shared, ...shortIn, asSales))
    clickOn(button('Use “Sales”'))
    expect(recorded).toEqual([Insertion.chosen({ entryId: `${sales}-1-0-master`, itemKey: 'item-1' })])
  })
})
