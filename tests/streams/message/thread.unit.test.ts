import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quoteHtml, quoteText } from '../../../src/playground/mailbox/profiles.ts'
import { markId } from '../../../streams/html/message.ts'
import type { ThreadPlace } from '../../../streams/html/slots.ts'
import { htmlToText } from '../../../streams/html/text.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import type { Message } from '../../../streams/message/mailbox/events.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { dueInsertionIn } from '../../../streams/message/insertion/rules.ts'
import { dueSignatureFor, toSenders } from '../../../streams/message/senders/rules.ts'
import { selectKnownSignatures } from '../../../streams/message/senders/selectors.ts'
import { threadPlaceIn, unreadThreadIn } from '../../../streams/message/senders/thread.ts'
import type { AppEvent } from '../../../streams/pane/events.ts'
import type { ListedSignature } from '../../../streams/wire/signatures.ts'
import {
  cachedSignature,
  candidate,
  hostUser,
  listedSignature,
  settingsLoaded,
  signedInWriting,
  stateAfter,
  withSlot,
} from '../../support/state.ts'

const ME = 'alex.kim@northwind.example'
const SALES = 'sales@northwind.example'
const FULL = '<p>Alex Kim, Sales Manager, Northwind Trading</p>'
const full = cachedSignature({ name: 'Full', combinedIds: 'full-u', html: FULL, reply: null })
const listed = (name: string, html: string, over: Partial<ListedSignature> = {}) =>
  listedSignature({ name, combinedIds: `${name.toLowerCase()}-u`, html, ...over })
const OWN = [
  listed('Full', FULL, { thread: 'first' }),
  listed('Short', '<p>Alex Kim, Northwind, Lisbon</p>', { thread: 'later', order: 1 }),
]
const THEIRS = listed('Desk', '<p>The sales desk of Northwind Trading</p>', { email: SALES, thread: 'later' })
const from = (address: string) => ({ address, name: '' })

/** The state in which this message is read, with these signatures. */
const stateWith = (
  over: Partial<Message>,
  objects: readonly ListedSignature[],
  more: readonly AppEvent[] = [],
) =>
  stateAfter(
    Mailbox.userRead({ user: hostUser({ email: ME }) }),
    settingsLoaded(),
    Defaults.restored({
      signature: full,
      senders: toSenders(objects, { defaults: ['full-u'], bySender: {}, at: 0 }),
    }),
    ...signedInWriting('item-1', over),
    ...more,
  )
const replying = (over: Partial<Message> = {}, objects: readonly ListedSignature[] = [...OWN, THEIRS]) =>
  stateWith({ composeType: 'reply', from: from(ME), ...over }, objects)
const placeIn = (
  body: string,
  sender = ME,
  objects?: readonly ListedSignature[],
  type: 'html' | 'text' = 'html',
) => threadPlaceIn(replying({}, objects), { sender }, { body, type })
const quoted = (html: string) => quoteHtml('classic', [['From', 'Priya']], html)

describe('the place of a message in its thread', () => {
  test('[PERSON-7] is first, until the quoted thread has the sender’s words or mark', () => {
    const before = fc.constantFrom('', '<p>Dear Alex Kim, thank you</p>', '<p>Kim</p>')
    const known = fc.constantFrom(...OWN)
    const own = fc.constantFrom('<p>Hello</p>', FULL, OWN[1]?.html ?? '')
    fc.assert(
      fc.property(
        own,
        before,
        known,
        before,
        fc.boolean(),
        fc.boolean(),
        (mine, above, { html, combinedIds }, below, isThere, isMark) => {
          const mark = markId({ mark: 'r1-x', hash: 'h', combinedIds })
          const signature = isMark ? `<table id="x_${mark}"></table>` : html
          const thread = quoted(above + (isThere ? signature : '') + below)
          // The author's part does not count, not even with a signature in it.
          expect(placeIn(mine + thread)).toBe(isThere ? 'later' : 'first')
        },
      ),
    )
  })

  test('[PERSON-7] is found around other blocks than now, and never by a block alone', () => {
    const slotted = withSlot(
      '<p>Alex Kim, Sales</p><p>Northwind Trading</p>',
      candidate({ html: '<p>Visit us in autumn at stand 12</p>', thread: 'first' }),
    )
    const start = slotted.slots[0]?.start ?? 0
    const [above, below] = [slotted.html.slice(0, start), slotted.html.slice(start)]
    const objects = [listed('Full', slotted.html, { slots: slotted.slots })]
    const place = (html: string) => placeIn(quoted(html), ME, objects)
    expect(place(`${above}<p>Something of last year</p>${below}`)).toBe('later')
    expect(place(above + below)).toBe('later')
    expect(place('<p>Visit us in autumn at stand 12</p>')).toBe('first')
    expect(place(below.replace('Northwind Trading', 'Northwind'))).toBe('first')
  })

  test('is that of the mailbox from which the message is written', () => {
    const [, short] = OWN
    expect(placeIn(quoted(THEIRS.html), SALES)).toBe('later')
    expect(placeIn(quoted(THEIRS.html), ME)).toBe('first')
    expect(placeIn(quoted(short?.html ?? ''), SALES)).toBe('first')
    // Another own address.
    expect(placeIn(quoted(short?.html ?? ''), 'alex@northwind.example')).toBe('later')
  })

  test('is found by the words of a copy for another own address', () => {
    const words = '<p>Alex Kim, Ferries of the North, Porto</p>'
    const copies = [{ sender: 'alex@ferries.example', html: words, variants: [] }]
    expect(placeIn(quoted(words), ME, [listed('Full', FULL, { thread: 'first', copies })])).toBe('later')
    expect(placeIn(quoted(words), ME)).toBe('first')
  })

  test('is found in plain text, also behind quotation marks', () => {
    const text = quoteText('classic', [['From', 'Priya']], htmlToText(FULL))
    expect(placeIn(text, ME, OWN, 'text')).toBe('later')
    expect(
      placeIn(`Hello\n\n> Dear all\n> Alex Kim, Sales\n> Manager, Northwind Trading\n`, ME, OWN, 'text'),
    ).toBe('later')
    expect(placeIn(htmlToText(FULL), ME, OWN, 'text')).toBe('first')
    expect(placeIn(quoteText('classic', [['From', 'Priya']], 'Alex Kim'), ME, OWN, 'text')).toBe('first')
  })

  test('needs words that are long enough', () => {
    expect(placeIn(quoted('<p>Alex</p>'), ME, [listed('Full', '<p>Alex</p>')])).toBe('first')
  })
})

describe('reading a thread', () => {
  const block = (thread: ThreadPlace) => withSlot('<p>Alex</p>', candidate({ thread }))
  const plain = [listed('Full', FULL)]

  test('is needed once for a reply or forward, if a signature or a block depends on it', () => {
    const unread = { itemKey: 'item-1', type: 'html', sender: ME }
    expect(unreadThreadIn(replying())).toEqual(unread)
    expect(unreadThreadIn(replying({ composeType: 'forward' }))).toEqual(unread)
    expect(unreadThreadIn(replying({ from: null, bodyType: 'text' }))).toEqual({ ...unread, type: 'text' })
    expect(unreadThreadIn(replying({ from: from(SALES.toUpperCase()) }))?.sender).toBe(SALES)
    expect(
      unreadThreadIn(replying({}, [listed('Full', '<p>Alex</p>', { slots: block('later').slots })])),
    ).toEqual(unread)
    for (const composeType of ['newMail', 'meeting', null] as const)
      expect(unreadThreadIn(replying({ composeType }))).toBeNull()
    expect(unreadThreadIn(replying({}, plain))).toBeNull()
    expect(
      unreadThreadIn(
        replying({}, [listed('Full', FULL), ...OWN.slice(1).map(({ thread: _, ...each }) => each)]),
      ),
    ).toBeNull()
    expect(unreadThreadIn(stateAfter())).toBeNull()
  })

  test('delays an insertion, and is forgotten with the sender', () => {
    const read = Mailbox.threadRead({ itemKey: 'item-1', thread: 'later' })
    const after = (...more: readonly AppEvent[]) =>
      stateWith({ composeType: 'reply', from: from(ME) }, OWN, more)
    expect(dueInsertionIn(after())).toBeNull()
    expect(dueInsertionIn(after(read))).not.toBeNull()
    expect(unreadThreadIn(after(read))).toBeNull()
    expect(unreadThreadIn(after({ ...read, data: { ...read.data, itemKey: 'item-2' } }))).not.toBeNull()
    const sender = (address: string) => Mailbox.senderChanged({ itemKey: 'item-1', from: from(address) })
    expect(unreadThreadIn(after(read, sender(ME.toUpperCase())))).toBeNull()
    expect(unreadThreadIn(after(read, sender(SALES)))?.sender).toBe(SALES)
    const moved = (address: string) =>
      Mailbox.envelopeRead({ itemKey: 'item-1', from: from(address), to: [], cc: [] })
    expect(unreadThreadIn(after(read, moved(ME)))).toBeNull()
    expect(unreadThreadIn(after(read, moved(SALES)))?.sender).toBe(SALES)
    expect(
      unreadThreadIn(after(read, { ...sender(SALES), data: { itemKey: 'item-2', from: from(SALES) } })),
    ).toBeNull()
  })
})

describe('the signature for a place in a thread', () => {
  const places = fc.constantFrom('first', 'later', undefined)
  const outside = ['!northwind.example']

  test('[PERSON-7] is the default if it fits, else the first own one that fits, else the default', () => {
    const own = fc.array(
      fc.record({ thread: places, order: fc.nat(3), audiences: fc.constantFrom([], outside) }),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(
        places,
        own,
        fc.constantFrom('newMail', 'reply', 'forward', null),
        fc.constantFrom('first', 'later'),
        (ofDefault, others, composeType, thread) => {
          const objects = [
            listed('Full', FULL, ofDefault && { thread: ofDefault }),
            ...others.map(({ thread: of, ...each }, index) =>
              listed(`S${index}`, `<p>${index}</p>`, { ...each, ...(of && { thread: of }) }),
            ),
          ]
          const isReply = composeType === 'reply' || composeType === 'forward'
          const state = stateWith({ composeType, ...(isReply && { thread }), to: [from(ME)] }, objects)
          const place = isReply ? thread : 'first'
          const { mailbox } = state
          const due = mailbox.message && dueSignatureFor(selectKnownSignatures(state), mailbox.message)
          const fits = (limit: ThreadPlace | undefined) => limit === undefined || limit === place
          const fitting = others
            .map((each, index) => ({ ...each, index }))
            .filter((each) => fits(each.thread) && each.audiences.length === 0)
            .sort((one, other) => one.order - other.order)
          const [instead] = fitting
          const isDefault = fits(ofDefault) || !instead
          expect([due?.name, due?.by]).toEqual(
            isDefault ? ['Full', 'default'] : [`S${instead.index}`, 'thread'],
          )
        },
      ),
    )
  })

  test('says that the recipients decide if the default is not for them', () => {
    const objects = [
      listed('Full', FULL, { thread: 'first', audiences: outside }),
      listed('Short', '<p>Short</p>', { thread: 'later' }),
    ]
    const state = replying({ to: [from(ME)], thread: 'later' }, objects)
    const { mailbox } = state
    expect(mailbox.message && dueSignatureFor(selectKnownSignatures(state), mailbox.message)?.by).toBe(
      'audience',
    )
  })
})
