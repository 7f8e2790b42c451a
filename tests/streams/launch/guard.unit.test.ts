import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { parseCachedDefault } from '../../../streams/launch/cachedDefault.ts'
import { noSenders } from '../../../streams/message/senders/senders.ts'
import { READ_SIGNATURE, SIGN_IN } from '../../../streams/wire/signatures.ts'
import { bodyReader } from '../../../streams/kernel/schema.ts'
import { fitsAudience } from '../../../streams/html/slots.ts'
import type { AppEvent } from '../../../streams/pane/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { Launch } from '../../../streams/launch/events.ts'
import { findInsertedSignature } from '../../../streams/html/message.ts'
import { missingContentIn } from '../../../streams/launch/guard.ts'
import { parseGuardRecord } from '../../../streams/launch/record.ts'
import { launchOutcomeOf } from '../../../streams/launch/rules.ts'
import { evolveLaunch, initialLaunchState } from '../../../streams/launch/state.ts'
import { type InsertedSignature, Mailbox, type Message } from '../../../streams/message/mailbox/events.ts'
import { cachedSignature, candidate, compose, message, recorded, withSlot } from '../../support/state.ts'

// What is looked for before a message leaves: on the wire, in the kept copy, and in a message.

const GUARD = { signature: [['!x.example'], []], blocks: ['notice'] }
const answer = (more: object) => ({
  name: 'Standard',
  user_id: 'u-1',
  combined_ids: 'c-1',
  signature: '<p>One</p>',
  reply: null,
  base64_embedded_images: [],
  ...more,
})
const read = bodyReader(READ_SIGNATURE.answer)

describe('what is looked for before a message leaves', () => {
  it('is read with the default, and absent when there is none', () => {
    expect(read(answer({ guard: GUARD })).guard).toEqual(GUARD)
    expect(read(answer({ guard: { blocks: ['a'] } })).guard).toEqual({ signature: [], blocks: ['a'] })
    expect(read(answer({}))).not.toHaveProperty('guard')
  })

  it.each([
    ...[null, 1, { signature: ['a'] }, { signature: [[1]] }, { blocks: [null] }, { blocks: {} }],
    { blocks: Array(401).fill('a') },
    { signature: Array(200).fill([]), blocks: Array(201).fill('a') },
  ])('[MEET-6] costs only itself when it is damaged or too long: %j', (guard) => {
    expect(read(answer({ guard }))).toEqual(read(answer({})))
    const { data } = bodyReader(SIGN_IN.answer)({
      data: { access_token: 'token', signature: answer({ guard }) },
    })
    expect(data.signature).toEqual(read(answer({})))
  })

  it('may have 400 entries', () => {
    const guard = { signature: Array(200).fill([]), blocks: Array(200).fill('a') }
    expect(read(answer({ guard })).guard).toEqual(guard)
  })

  property.prop([
    fc.option(fc.record({ signature: fc.array(fc.array(fc.domain())), blocks: fc.array(fc.string()) }), {
      nil: undefined,
    }),
  ])('is kept with the default', (guard) => {
    const signature = cachedSignature(guard === undefined ? {} : { guard })
    const kept = { email: 'a@x.example', at: 1, signature, senders: noSenders }
    expect(parseCachedDefault(JSON.parse(JSON.stringify(kept)))).toEqual(kept)
  })
})

const WORDS = '<p>Alex Kim, Northwind Trading</p>'
const NOTICE = '<p>This message is meant for its recipients only.</p>'
const AWARD = '<p>The office of the year, for the third time.</p>'
const SEAL = '<p><img src="https://a.example/seal.png"></p>'
const INSIDE = { address: 'leo@in.example', name: 'Leo' }
const OUTSIDE = { address: 'tess@out.example', name: 'Tess' }
const blocks = [
  candidate({ id: 'notice', name: 'Notice', html: NOTICE, audiences: ['!in.example'] }),
  candidate({ id: 'seal', name: 'Seal', html: SEAL, audiences: ['in.example'] }),
  candidate({ id: 'award', name: 'Award', html: AWARD, replies: false }),
]
const signature = cachedSignature({ ...withSlot(WORDS, ...blocks), reply: null })

const stateAfter = (...events: readonly AppEvent[]) =>
  events.reduce((state, event, index) => evolveLaunch(state, recorded(event, index + 1)), initialLaunchState)
const stateOf = (guard: typeof GUARD | null, over: Partial<Message>, off = false) =>
  stateAfter(
    Launch.raised({ id: 1, kind: 'send' }),
    Mailbox.itemChanged({ item: compose('item-1') }),
    Mailbox.messageRead({ itemKey: 'item-1', message: message(over) }),
    Launch.factsRead({ off }),
    Defaults.restored({ signature: guard ? { ...signature, guard } : signature, senders: noSenders }),
    Launch.keptRead({ at: 0 }),
  )
const inserted = (over: Partial<InsertedSignature> = {}): InsertedSignature => ({
  combinedIds: signature.combinedIds,
  hash: 'h',
  name: 'Standard',
  reply: false,
  origin: 'default',
  ...over,
})
const namesIn = (...given: Parameters<typeof missingContentIn>) =>
  missingContentIn(...given).map(({ name }) => name)
const html = (body: string) => ({ body, type: 'html' as const })

describe('what is missing in a message', () => {
  const subset = (...ids: readonly string[]) => fc.subarray([...ids])
  property.prop([
    fc.record({
      signature: fc.array(subset('in.example', '!in.example', 'out.example')),
      blocks: subset('notice', 'seal', 'award', 'gone'),
    }),
    subset('in', 'out'),
    fc.option(fc.record({ blocks: subset('notice', 'seal', 'award'), undone: subset('notice', 'award') })),
    subset(WORDS, NOTICE, AWARD),
    fc.boolean(),
  ])(
    '[MEET-6] is a due signature that is not there, and due blocks that are not there',
    (guard, recipients, record, parts, isReply) => {
      const to = recipients.map((one) => (one === 'in' ? INSIDE : OUTSIDE))
      const domains = recipients.map((one) => `${one}.example`)
      const state = stateOf(guard, {
        composeType: isReply ? 'reply' : 'newMail',
        to,
        cc: [],
        inserted: record && inserted(record),
      })
      const body = `<p>Dear all</p>${parts.join('')}`

      // Which of the three stands: the first that fits.
      const due = blocks.find(
        ({ audiences, replies }) =>
          (audiences.length === 0 || (domains.length > 0 && fitsAudience({ audiences }, domains))) &&
          (replies || !isReply),
      )
      const isIn = record !== null || body.includes(WORDS)
      const isAsked = guard.signature.some(
        (audiences) => audiences.length === 0 || (domains.length > 0 && fitsAudience({ audiences }, domains)),
      )
      const isRecorded = record === null ? isIn : record.blocks.includes(due?.id ?? '')
      const isThere = due && (due.html === SEAL ? isRecorded : body.includes(due.html))
      const isMissing =
        due && guard.blocks.includes(due.id) && !isThere && record?.undone.includes(due.id) !== true
      expect(missingContentIn(state, html(body))).toEqual([
        ...(isAsked && !isIn ? [{ kind: 'signature', name: 'Standard' }] : []),
        ...(isMissing
          ? [{ kind: 'block', name: due.name, ...(record === null && isIn && { wordsOnly: true }) }]
          : []),
      ])
    },
  )

  const all = { signature: [[]], blocks: ['notice', 'seal', 'award'] }
  const to = [OUTSIDE]
  it('[MEET-6] is nothing without a guard, with automatic insertion off, and after "no signature"', () => {
    expect(namesIn(stateOf(all, { to }), html(''))).toEqual(['Standard', 'Notice'])
    expect(namesIn(stateOf(null, { to }), html(''))).toEqual([])
    expect(namesIn(stateOf(all, { to }, true), html(''))).toEqual([])
    const none = inserted({ combinedIds: '', origin: 'manual' })
    expect(namesIn(stateOf(all, { to, inserted: none, stopPush: true }), html(''))).toEqual([])
  })

  it('is told by the record in plain text, and by words that the record does not have', () => {
    const without = stateOf(all, { to, inserted: inserted() })
    const withNotice = stateOf(all, { to, inserted: inserted({ blocks: ['notice'] }) })
    expect(namesIn(withNotice, { body: 'Alex Kim', type: 'text' })).toEqual([])
    expect(namesIn(withNotice, html('Alex Kim'))).toEqual(['Notice'])
    expect(namesIn(without, { body: 'Alex Kim', type: 'text' })).toEqual(['Notice'])
    expect(namesIn(without, html(NOTICE))).toEqual([])
  })

  const NOTICE_TEXT = 'This message is meant for its recipients only.'
  it.each([
    ['nothing was altered', `Alex Kim, Northwind Trading\n${NOTICE_TEXT}`, []],
    ['the notice was deleted', 'Alex Kim, Northwind Trading', ['Notice']],
    ['a word of the signature was altered', `Alex Kim, Northwind Trader\n${NOTICE_TEXT}`, []],
    ['a word of the notice was altered', `Alex Kim, Northwind Trading\n${NOTICE_TEXT.slice(0, -5)}`, []],
    ['too little is left', `Alex Kim\n${NOTICE_TEXT.slice(0, 20)}`, ['Standard', 'Notice']],
    [
      'all of it is quoted',
      `\n-----Original Message-----\nAlex Kim, Northwind Trading`,
      ['Standard', 'Notice'],
    ],
  ])('[MEET-6] without a record is told by a piece of the words: %s', (_, text, names) => {
    expect(namesIn(stateOf(all, { to, bodyType: 'text' }), { body: text, type: 'text' })).toEqual(names)
    const lines = text.replaceAll(/^(?!-).+$/gm, '<p>$&</p>')
    const body = lines.replace(/-----.*-----/, '<div id="divRplyFwdMsg"></div>')
    expect(namesIn(stateOf(all, { to, composeType: 'reply' }), html(body))).toEqual(names)
  })

  it('[MEET-6] is nothing in a signature that was not altered since, whatever the copy has by now', () => {
    const former = '<p>Confidential. Not for anybody else.</p>'
    const written = `${WORDS}${former}`
    const { trace } = findInsertedSignature(
      { type: 'html', content: written, images: [], hash: 'h', combinedIds: signature.combinedIds },
      written,
      { marks: [], isAnswer: false, inserted: null },
    )
    const of = (...ids: readonly string[]) => stateOf(all, { to, inserted: inserted({ blocks: ids, trace }) })
    expect(namesIn(of('notice'), html(`<p>Dear Tess</p>${written}`))).toEqual([])
    expect(namesIn(of(), html(`<p>Dear Tess</p>${written}`))).toEqual(['Notice'])
    expect(namesIn(of('notice'), html(`<p>Dear Tess</p>${WORDS}`))).toEqual(['Notice'])
    expect(namesIn(of('notice'), html(`<div id="divRplyFwdMsg"></div>${written}`))).toEqual(['Notice'])
    const corrected = NOTICE.replace('recipients', 'readers')
    expect(namesIn(of('notice'), html(`<p>Dear Tess</p>${WORDS}${corrected}`))).toEqual([])
  })

  it('[MEET-6] takes no piece for a block that the signature or another block has, too', () => {
    const shared = 'Northwind Trading Company of Berlin'
    const one = candidate({ id: 'one', name: 'One', html: `<p>Meant for you alone. ${shared}</p>` })
    const other = candidate({ id: 'other', name: 'Other', html: '<p>Meant for you alone. Printed.</p>' })
    const both = { ...signature, ...withSlot(`<p>Alex Kim, ${shared}</p>`, one, other) }
    const state = stateAfter(
      Mailbox.itemChanged({ item: compose('item-1') }),
      Mailbox.messageRead({ itemKey: 'item-1', message: message({ to }) }),
      Launch.factsRead({ off: false }),
      Defaults.restored({
        signature: { ...both, guard: { signature: [[]], blocks: ['one'] } },
        senders: noSenders,
      }),
    )
    expect(namesIn(state, html(`<p>Alex Kim, ${shared}</p>${other.html}`))).toEqual(['One'])
    expect(namesIn(state, html(`<p>Alex Kim, ${shared}</p>${one.html.replace('alone', 'only')}`))).toEqual([])
    expect(namesIn(state, html(`<p>${shared}</p>`))).toEqual(['Standard', 'One'])
    expect(namesIn(state, html(one.html))).toEqual(['Standard'])
  })

  it('is not in the quoted thread', () => {
    const quoted = `<div id="divRplyFwdMsg"></div>${WORDS}${NOTICE}`
    expect(namesIn(stateOf(all, { to, composeType: 'reply' }), html(quoted))).toEqual(['Standard', 'Notice'])
  })

  it('is nothing where nothing is due: an empty default, and a meeting', () => {
    const empty = Defaults.restored({
      signature: { ...signature, html: '', slots: [], guard: all },
      senders: noSenders,
    })
    const opened = stateAfter(
      Mailbox.itemChanged({ item: compose('item-1') }),
      Mailbox.messageRead({ itemKey: 'item-1', message: message({ to }) }),
      Launch.factsRead({ off: false }),
      empty,
    )
    expect(namesIn(opened, html(''))).toEqual([])
    expect(namesIn(stateOf(all, { to, composeType: 'meeting' }), html(''))).toEqual([])
  })
})

describe('the outcome before a message leaves', () => {
  const guard = { signature: [[]], blocks: [] }
  const kept = [
    Launch.raised({ id: 1, kind: 'send' }),
    Launch.factsRead({ off: false }),
    Launch.keptRead({ at: 0 }),
  ]
  const restored = (over: object) =>
    Defaults.restored({ signature: { ...signature, ...over }, senders: noSenders })

  it('[MEET-6] is known without the message where nothing is looked for', () => {
    expect(launchOutcomeOf(stateAfter(restored({}), ...kept), 1)).toBe('none')
    expect(launchOutcomeOf(stateAfter(...kept), 1)).toBe('none')
    expect(
      launchOutcomeOf(stateAfter(restored({ guard }), ...kept, Launch.factsRead({ off: true })), 1),
    ).toBe('none')
  })

  it('waits for the facts, the kept copy and the look', () => {
    const looking = [restored({ guard }), ...kept]
    for (const missing of looking) {
      const others = stateAfter(...looking.filter((each) => each !== missing && each !== looking[0]))
      if (missing !== looking[0] && missing !== kept[0]) expect(launchOutcomeOf(others, 1)).toBeNull()
    }
    expect(launchOutcomeOf(stateAfter(...looking), 1)).toBeNull()
  })

  it('[MEET-6] is a question only for what is missing, and never one when it is late or the item is gone', () => {
    const looked = (...missing: readonly string[]) =>
      Launch.looked({ missing: missing.map((name) => ({ kind: 'signature' as const, name })) })
    const looking = [restored({ guard }), ...kept]
    expect(launchOutcomeOf(stateAfter(...looking, looked()), 1)).toBe('none')
    expect(launchOutcomeOf(stateAfter(...looking, looked('Standard')), 1)).toBe('asked')
    expect(launchOutcomeOf(stateAfter(...looking, looked('Standard'), Launch.timeUp({ id: 1 })), 1)).toBe(
      'late',
    )
    const gone = Mailbox.itemChanged({ item: null })
    expect(launchOutcomeOf(stateAfter(...looking, looked('Standard'), gone), 1)).toBe('itemGone')
  })
})

describe('what the user was asked about', () => {
  it.each([
    [
      JSON.stringify([
        { kind: 'signature', name: 'Standard' },
        { kind: 'block', name: 'Notice' },
      ]),
      ['Standard', 'Notice'],
    ],
    ['[{"name":1},null,{"name":""},"x",{"name":"A","wordsOnly":1}]', ['A']],
    ...['{', '{}', 'null', '"x"', ''].map((json) => [json, []] as [string, string[]]),
    [null, []],
  ])('is read from the item by its names: %s', (json, names) => {
    expect(parseGuardRecord(json)).toEqual(names.map((name) => ({ name })))
  })
})
