import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { composeBody, type Quirk, QUIRKS } from '../../../src/playground/mailbox/body.ts'
import type { CallArguments } from '../../../src/engine/hosts/mailClient.ts'
import { demoMailbox } from '../../../src/playground/mailbox/demo.ts'
import {
  type MailboxAction,
  type ComposeItem,
  OUTLOOK_LIMITS,
  type MailboxCallName,
  type MailboxState,
  applyAction,
  clientStart,
  currentItem,
  handleCall,
  asPhoneMailbox,
  openItem,
  ownItems,
} from '../../../src/playground/mailbox/model.ts'

type MailboxCall = Parameters<typeof handleCall>[1]

const call = <Name extends MailboxCallName>(state: MailboxState, name: Name, args: CallArguments<Name>) =>
  handleCall(state, { name, args } as MailboxCall)

/** Performs the actions, and ends every switch. */
const after = (state: MailboxState, ...actions: MailboxAction[]): MailboxState =>
  actions.reduce(
    (now, action) => applyAction(applyAction(now, action).state, { type: 'endSwitch' }).state,
    state,
  )

const draft = (state: MailboxState): ComposeItem => {
  const item = openItem(state)
  if (item?.mode !== 'compose') throw new Error('no message is being written')
  return item
}

const refusal = (outcome: ReturnType<typeof handleCall>) =>
  outcome.reply.ok ? null : { code: outcome.reply.error.code, name: outcome.reply.error.name }

const received = (state: MailboxState, index: number): string => {
  const item = ownItems(state).filter(({ mode }) => mode === 'read')[index]
  if (!item) throw new Error('no such message')
  return item.id
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom('', '<p>Hi</p>', '</div>', '__proto__'),
)
const address = fc.record({ address: fc.emailAddress(), name: text })
const id = fc.oneof(
  fc.integer({ min: 1, max: 60 }).map((n) => `item-${n}`),
  fc.integer({ min: 1, max: 60 }).map((n) => `attachment-${n}`),
  text,
)
const bodyType = fc.constantFrom('html' as const, 'text' as const)

const action: fc.Arbitrary<MailboxAction> = fc.oneof(
  fc.constant<MailboxAction>({ type: 'newMessage' }),
  fc.constant<MailboxAction>({ type: 'firstMessage' }),
  fc.constantFrom<MailboxAction>(
    { type: 'reply' },
    { type: 'forward' },
    { type: 'endSwitch' },
    { type: 'close' },
  ),
  id.map((message): MailboxAction => ({ type: 'reply', message })),
  id.map((message): MailboxAction => ({ type: 'forward', message })),
  fc.option(id).map((to): MailboxAction => ({ type: 'switchTo', id: to })),
  id.map((closed): MailboxAction => ({ type: 'close', id: closed })),
  fc.date({ noInvalidDate: true }).map((date): MailboxAction => ({ type: 'send', date: date.getTime() })),
  fc.constantFrom<MailboxAction>({ type: 'sendAnyway' }, { type: 'doNotSend' }),
  fc
    .constantFrom(
      null,
      { allowEvent: true },
      { allowEvent: false, errorMessage: '', sendModeOverride: 'promptUser' },
    )
    .map((answer): MailboxAction => ({ type: 'sendAnswered', answer })),
  address.map((from): MailboxAction => ({ type: 'setFrom', from })),
  fc.array(address, { maxLength: 3 }).map((to): MailboxAction => ({ type: 'setRecipients', to })),
  fc.array(address, { maxLength: 3 }).map((cc): MailboxAction => ({ type: 'setRecipients', cc })),
  text.map((subject): MailboxAction => ({ type: 'setSubject', subject })),
  bodyType.map((type): MailboxAction => ({ type: 'setBodyType', bodyType: type })),
  text.map((author): MailboxAction => ({ type: 'typed', author })),
  text.map((signature): MailboxAction => ({ type: 'signatureEdited', signature })),
  id.map((attachment): MailboxAction => ({ type: 'discardAttachment', id: attachment })),
  text.map((key): MailboxAction => ({ type: 'dismissNotice', key })),
  fc
    .oneof(fc.constantFrom('maria.silva@northwind.example', 'alex.kim@northwind.example'), text)
    .map((chosen): MailboxAction => ({ type: 'choosePerson', address: chosen })),
  fc
    .record({ quirk: fc.constantFrom(...QUIRKS), on: fc.boolean() })
    .map((change): MailboxAction => ({ type: 'setQuirk', ...change })),
  fc.boolean().map((on): MailboxAction => ({ type: 'setClientSignature', on })),
  id.map((arrived): MailboxAction => ({ type: 'ownSignatureArrives', id: arrived })),
  fc.constantFrom<MailboxAction>(
    { type: 'newMeeting' },
    { type: 'newMeeting', when: { start: 1, end: 2, isWeekly: true } },
    { type: 'openMeeting' },
    { type: 'switchTo', id: 'meeting-1' },
    { type: 'openOccurrence', date: 3 },
    { type: 'setWhen', when: { start: 4, end: 5 } },
    { type: 'addOnlineMeeting' },
    { type: 'onlineMeetingArrives', block: '<p>Join</p>' },
    { type: 'save' },
  ),
)

const record = fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
const base64 = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  text,
)
const mailboxCall: fc.Arbitrary<MailboxCall> = fc.oneof(
  bodyType.map((coercionType): MailboxCall => ({ name: 'body.getAsync', args: { coercionType } })),
  fc
    .record({ data: text, coercionType: bodyType })
    .map((args): MailboxCall => ({ name: 'body.setSignatureAsync', args })),
  fc.constantFrom<MailboxCall>(
    { name: 'body.getTypeAsync', args: {} },
    { name: 'getComposeTypeAsync', args: {} },
    { name: 'from.getAsync', args: {} },
    { name: 'to.getAsync', args: {} },
    { name: 'cc.getAsync', args: {} },
    { name: 'getAttachmentsAsync', args: {} },
    { name: 'loadCustomPropertiesAsync', args: {} },
    { name: 'isClientSignatureEnabledAsync', args: {} },
    { name: 'disableClientSignatureAsync', args: {} },
  ),
  fc
    .record({ base64File: base64, attachmentName: text, isInline: fc.boolean() })
    .map((args): MailboxCall => ({ name: 'addFileAttachmentFromBase64Async', args })),
  id.map((attachmentId): MailboxCall => ({ name: 'removeAttachmentAsync', args: { attachmentId } })),
  fc.record({ key: text, message: text }).map(({ key, message }): MailboxCall => ({
    name: 'notificationMessages.replaceAsync',
    args: { key, notice: { type: 'informationalMessage', message } },
  })),
  text.map((key): MailboxCall => ({ name: 'notificationMessages.removeAsync', args: { key } })),
  record.map((properties): MailboxCall => ({ name: 'customProperties.saveAsync', args: { properties } })),
  text.map((name): MailboxCall => ({ name: 'sessionData.getAsync', args: { name } })),
  fc.constant<MailboxCall>({ name: 'sessionData.getAllAsync', args: {} }),
  fc.record({ name: text, value: text }).map((args): MailboxCall => ({ name: 'sessionData.setAsync', args })),
)

const step = fc.oneof(
  action.map((doing) => ({ doing })),
  mailboxCall.map((calling) => ({ calling })),
)
type Step = { doing: MailboxAction } | { calling: MailboxCall }
const take = (state: MailboxState, taken: Step): MailboxState =>
  'doing' in taken ? applyAction(state, taken.doing).state : handleCall(state, taken.calling).state

const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value)
    for (const part of Object.values(value)) frozen(part)
  }
  return value
}

describe('the mailbox model, after any actions and calls', () => {
  test('mutates no input, stays plain JSON, and never reuses an id', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let state = frozen(demoMailbox())
        let present = new Set<string>()
        const gone = new Set<string>()
        for (const taken of steps) {
          state = frozen(take(state, taken))
          const ids = state.items.flatMap((item) => [item.id, ...item.attachments.map((part) => part.id)])
          const now = new Set(ids)
          expect(now.size).toBe(ids.length)
          for (const known of present) if (!now.has(known)) gone.add(known)
          expect(ids.filter((known) => gone.has(known))).toEqual([])
          present = now
          expect(state.open === null || state.items.some((item) => item.id === state.open)).toBe(true)
        }
        expect(JSON.parse(JSON.stringify(state))).toEqual(state)
      }),
      { numRuns: 150 },
    )
  })

  test('has a unique key for each opening of an item', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let state = demoMailbox()
        const openings = new Map<string, number>()
        for (const taken of steps) {
          state = take(state, taken)
          const item = currentItem(state)
          if (!item) continue
          expect(openings.get(item.key) ?? state.openings).toBe(state.openings)
          openings.set(item.key, state.openings)
        }
      }),
      { numRuns: 150 },
    )
  })

  test("keeps the author's text, the quoted thread, the recipients and the subject through all calls", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        fc.array(mailboxCall, { maxLength: 30 }),
        (steps, calls) => {
          // Clients with quirks violate this. A signature goes below the block of an online meeting, so that the
          // block becomes part of the author's text: the two are compared as one.
          const before: MailboxState = { ...steps.reduce(take, demoMailbox()), quirks: [] }
          const afterwards = calls.reduce((state, calling) => handleCall(state, calling).state, before)
          const authorsText = ({ type, author, online = '' }: ComposeItem['body']) =>
            composeBody({ body: { type, author, online, signature: '', quoted: '' } })
          const written = ({ items }: MailboxState) =>
            items.map(({ id: item, body, to, cc, from, subject }) => ({
              item,
              author: authorsText(body),
              second: body.second,
              quoted: body.quoted,
              type: body.type,
              to,
              cc,
              from,
              subject,
            }))
          expect(written(afterwards)).toEqual(written(before))
          expect(afterwards.open).toBe(before.open)
        },
      ),
      { numRuns: 150 },
    )
  })

  test('is unchanged by a refused call', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), mailboxCall, (steps, calling) => {
        const state = steps.reduce(take, demoMailbox())
        const outcome = handleCall(state, calling)
        if (!outcome.reply.ok) expect(outcome.state).toBe(state)
      }),
    )
  })
})

describe('the signature', () => {
  test('is in the message once after it is set twice', () => {
    fc.assert(
      fc.property(text, text, text, (author, first, second) => {
        const written = after(demoMailbox(), { type: 'typed', author })
        const once = call(written, 'body.setSignatureAsync', { data: first, coercionType: 'html' }).state
        const twice = call(once, 'body.setSignatureAsync', { data: second, coercionType: 'html' }).state
        expect(composeBody(draft(twice))).toBe(author + (second && `<div id="Signature">${second}</div>`))
      }),
    )
  })

  test('is above the quoted thread of a reply', () => {
    const state = after(demoMailbox(), { type: 'reply' }, { type: 'typed', author: '<p>Yes.</p>' })
    const signed = call(state, 'body.setSignatureAsync', { data: 'S', coercionType: 'html' }).state
    expect(composeBody(draft(signed))).toBe(
      `<p>Yes.</p><div id="Signature">S</div>${draft(state).body.quoted}`,
    )
    expect(draft(state).body.quoted).toContain('figures for the review')
  })

  test('has at most 30,000 characters', () => {
    const state = demoMailbox()
    const set = (length: number) =>
      call(state, 'body.setSignatureAsync', { data: 'x'.repeat(length), coercionType: 'html' })
    expect(set(OUTLOOK_LIMITS.signatureCharacters).reply.ok).toBe(true)
    expect(refusal(set(30_001))).toEqual({ code: 2009, name: 'DataExceedsMaximumSize' })
  })

  test('in HTML is refused in a plain-text body, and one in plain text is accepted', () => {
    const state = after(demoMailbox(), { type: 'setBodyType', bodyType: 'text' })
    expect(
      refusal(call(state, 'body.setSignatureAsync', { data: '<b>S</b>', coercionType: 'html' })),
    ).toEqual({
      code: 2006,
      name: 'InvalidFormatError',
    })
    const signed = call(state, 'body.setSignatureAsync', { data: 'a < b', coercionType: 'text' }).state
    expect(composeBody(draft(signed))).toBe('a < b')
  })

  test('in plain text is escaped in an HTML body', () => {
    const signed = call(demoMailbox(), 'body.setSignatureAsync', {
      data: 'a < b\nc',
      coercionType: 'text',
    }).state
    expect(draft(signed).body.signature).toBe('a &lt; b<br>c')
  })

  const withQuirk = (quirk: Quirk, author: string, ...signatures: readonly string[]) =>
    signatures.reduce(
      (state, data) => call(state, 'body.setSignatureAsync', { data, coercionType: 'html' }).state,
      after(demoMailbox(), { type: 'setQuirk', quirk, on: true }, { type: 'typed', author }),
    )

  test('with inline images stays above the next one in some clients, unless it is removed first', () => {
    const picture = '<img src="cid:a">'
    const stacked = withQuirk('stacksWithInlineImages', '<p>Hi</p>', picture, 'S')
    expect(composeBody(draft(stacked))).toBe(
      `<p>Hi</p><div id="Signature">${picture}</div><div id="Signature">S</div>`,
    )
    for (const [first, second] of [
      ['A', picture],
      [picture, ''],
    ])
      expect(draft(withQuirk('stacksWithInlineImages', '<p>Hi</p>', first ?? '', second ?? '')).body).toEqual(
        {
          type: 'html',
          author: '<p>Hi</p>',
          signature: second,
          quoted: '',
        },
      )
    expect(draft(withQuirk('stacksWithInlineImages', '<p>Hi</p>', picture, '', 'S')).body.author).toBe(
      '<p>Hi</p>',
    )
  })

  test('is inserted at the caret in some clients, never inside a tag, and is replaced there', () => {
    const author = '<p class="a b c d">Dear all, here it is</p><p>x</p>'
    const signed = withQuirk('insertsAtCaret', author, 'S', 'T')
    expect(composeBody(draft(signed))).toBe(
      '<p class="a b c d">Dear all,<div id="Signature">T</div> here it is</p><p>x</p>',
    )
    expect(composeBody(draft(withQuirk('insertsAtCaret', 'word', 'S')))).toBe(
      'word<div id="Signature">S</div>',
    )
  })

  test.each([
    ['<p>One</p><p>Two</p>', '<p>One</p>'],
    ['<div><p>One</p></div><div>Two <b>bold</b></div>', '<div><p>One</p></div>'],
    ['One<br>Two', 'One'],
    ['One', ''],
    ['', ''],
  ])('removes the last typed line in some clients when it is replaced: %s', (author, left) => {
    expect(draft(withQuirk('losesLineAbove', author, 'S')).body.author).toBe(author)
    expect(draft(withQuirk('losesLineAbove', author, 'S', 'T')).body.author).toBe(left)
    expect(draft(withQuirk('losesLineAbove', author, 'S', '', 'T')).body.author).toBe(author)
  })
})

describe("the client's own signature", () => {
  const OWN = 'Sent from my mail client'
  const switchedOn = (...quirks: readonly Quirk[]): MailboxState => ({
    ...applyAction(demoMailbox(), { type: 'setClientSignature', on: true }).state,
    quirks,
  })
  const isOn = (state: MailboxState) => call(state, 'isClientSignatureEnabledAsync', {}).reply

  test.each(['newMessage', 'reply', 'forward'] as const)(
    'is in a message from %s, below the author’s text and above the thread',
    (type) => {
      const state = after(switchedOn(), { type }, { type: 'typed', author: '<p>Hi</p>' })
      const { body } = draft(state)
      expect(composeBody(draft(state))).toBe(
        `<p>Hi</p><div id="Signature"><p>Alex Kim<br>${OWN}</p></div>${body.quoted}`,
      )
    },
  )

  test('is in no message while it is off, and in none that was opened before it was on', () => {
    expect(composeBody(draft(after(demoMailbox(), { type: 'newMessage' })))).toBe('')
    expect(composeBody(draft(switchedOn()))).toBe('')
    expect(isOn(demoMailbox())).toEqual({ ok: true, value: false })
    expect(isOn(switchedOn())).toEqual({ ok: true, value: true })
  })

  test('is plain text in a plain-text message', () => {
    const state = switchedOn()
    const answer = after(state, { type: 'reply', message: received(state, 2) })
    expect(draft(answer).body.signature).toBe(`Alex Kim\n${OWN}`)
  })

  test('stays in the open message when it is switched off, and is in no later one', () => {
    const begun = after(switchedOn(), { type: 'newMessage' })
    const off = call(begun, 'disableClientSignatureAsync', {}).state
    expect(isOn(off)).toEqual({ ok: true, value: false })
    expect(composeBody(draft(off))).toBe(composeBody(draft(begun)))
    expect(composeBody(draft(after(off, { type: 'newMessage' })))).toBe('')
    expect(composeBody(draft(after(off, { type: 'reply' })))).not.toContain(OWN)
  })

  test('belongs to the account of the message', () => {
    const off = call(after(switchedOn(), { type: 'newMessage' }), 'disableClientSignatureAsync', {}).state
    const maria = after(
      switchedOn(),
      { type: 'choosePerson', address: 'maria.silva@northwind.example' },
      { type: 'setClientSignature', on: true },
      { type: 'newMessage' },
    )
    expect(draft(maria).body.signature).toContain('Maria Silva')
    const both = call(maria, 'disableClientSignatureAsync', {}).state
    expect(both.accounts.filter(({ clientSignature }) => clientSignature)).toMatchObject([
      { name: 'Alex Kim' },
    ])
    expect(off.accounts.some(({ clientSignature }) => clientSignature)).toBe(false)
  })

  test('has calls that require Mailbox 1.10 and compose mode', () => {
    const older = after(switchedOn(), { type: 'setRequirementSet', set: 'Mailbox', version: '1.9' })
    const reading = after(switchedOn(), { type: 'switchTo', id: received(demoMailbox(), 0) })
    for (const name of ['isClientSignatureEnabledAsync', 'disableClientSignatureAsync'] as const) {
      expect(refusal(call(older, name, {}))?.code).toBe(5004)
      expect(refusal(call(reading, name, {}))?.code).toBe(5002)
    }
  })

  const ADDED = '<p>from the add-in</p>'
  const happening = fc.constantFrom<Step>(
    { calling: { name: 'isClientSignatureEnabledAsync', args: {} } },
    { calling: { name: 'disableClientSignatureAsync', args: {} } },
    { calling: { name: 'body.setSignatureAsync', args: { data: ADDED, coercionType: 'html' } } },
    { calling: { name: 'body.setSignatureAsync', args: { data: '', coercionType: 'html' } } },
    { doing: { type: 'ownSignatureArrives', id: 'open' } },
  )
  /** Steps in any order, each executed or failed. */
  const schedule = fc.array(fc.tuple(happening, fc.boolean()), { maxLength: 8 })
  const signaturesIn = (body: string) => body.split(OWN).length - 1 + body.split(ADDED).length - 1

  test('is never a second one beside that of an add-in, unless it is late and still on', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('newMessage' as const, 'reply' as const, 'forward' as const),
        text,
        fc.boolean(),
        schedule,
        (type, author, isLate, steps) => {
          let state = after(
            switchedOn(...(isLate ? (['insertsOwnSignatureLate'] as const) : [])),
            { type },
            { type: 'typed', author: `<p>${author}</p>` },
          )
          const begun = draft(state).body
          const { id: open } = draft(state)
          let mayBeTwo = false
          for (const [each, isCarriedOut] of steps) {
            if (!isCarriedOut) continue
            if ('doing' in each) {
              const isStillOn = state.accounts.some(({ clientSignature }) => clientSignature)
              mayBeTwo ||= isStillOn && draft(state).body.signature !== ''
              state = take(state, { doing: { type: 'ownSignatureArrives', id: open } })
            } else state = take(state, each)
            const { body } = draft(state)
            expect([body.author, body.quoted]).toEqual([begun.author, begun.quoted])
            if (!isLate || !mayBeTwo) expect(signaturesIn(composeBody(draft(state)))).toBeLessThanOrEqual(1)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  test('inserted late, becomes the signature if there is none, and is added beside one of an add-in', () => {
    const late = after(switchedOn('insertsOwnSignatureLate'), { type: 'newMessage' })
    const { id: open } = draft(late)
    const set = (state: MailboxState) =>
      call(state, 'body.setSignatureAsync', { data: ADDED, coercionType: 'html' }).state
    const arrive = (state: MailboxState) =>
      applyAction(state, { type: 'ownSignatureArrives', id: open }).state
    expect(composeBody(draft(late))).toBe('')
    expect(signaturesIn(composeBody(draft(arrive(late))))).toBe(1)
    expect(composeBody(draft(set(arrive(late))))).toBe(`<div id="Signature">${ADDED}</div>`)
    expect(signaturesIn(composeBody(draft(arrive(set(late)))))).toBe(2)
    expect(arrive(arrive(set(late)))).toEqual(arrive(set(late)))
    const off = call(late, 'disableClientSignatureAsync', {}).state
    expect(composeBody(draft(arrive(set(off))))).toBe(`<div id="Signature">${ADDED}</div>`)
  })
})

describe('the limits of an item', () => {
  const open = demoMailbox()

  test('are 2,500 characters of JSON for custom properties', () => {
    const save = (length: number) =>
      call(open, 'customProperties.saveAsync', { properties: { k: 'x'.repeat(length - '{"k":""}'.length) } })
    expect(save(2_500).reply.ok).toBe(true)
    expect(refusal(save(2_501))).toEqual({ code: 9031, name: 'ArgumentOutOfRange' })
  })

  test('exclude custom properties that are not JSON', () => {
    expect(call(open, 'customProperties.saveAsync', { properties: { big: 1n } }).reply.ok).toBe(false)
  })

  test('are 50,000 characters in total for session data', () => {
    const half = call(open, 'sessionData.setAsync', { name: 'a', value: 'x'.repeat(24_999) }).state
    const set = (length: number) =>
      call(half, 'sessionData.setAsync', { name: 'b', value: 'y'.repeat(length) })
    expect(set(24_999).reply.ok).toBe(true)
    expect(refusal(set(25_000))).toEqual({ code: 9051, name: 'SessionObjectMaxLengthExceeded' })
  })

  test('are 150 characters for a notice', () => {
    const show = (length: number) =>
      call(open, 'notificationMessages.replaceAsync', {
        key: 'k',
        notice: { type: 'informationalMessage', message: 'x'.repeat(length) },
      })
    expect(show(150).reply.ok).toBe(true)
    expect(refusal(show(151))).toEqual({ code: 9031, name: 'ArgumentOutOfRange' })
  })

  test('are five notices: a sixth key is refused, and a known key is replaced', () => {
    const show = (state: MailboxState, key: string, message: string) =>
      call(state, 'notificationMessages.replaceAsync', {
        key,
        notice: { type: 'informationalMessage', message },
      })
    const five = ['a', 'b', 'c', 'd', 'e'].reduce((state, key) => show(state, key, 'one').state, open)
    expect(refusal(show(five, 'f', 'one'))).toEqual({ code: 9025, name: 'NumberOfNotificationsExceeded' })
    expect(draft(show(five, 'c', 'two').state).notifications.map(({ message }) => message)).toEqual([
      'one',
      'one',
      'two',
      'one',
      'one',
    ])
  })

  test('are 499 attachments in base64 with names of 255 characters', () => {
    const add = (state: MailboxState, attachmentName = 'a.png', base64File = 'AAAA') =>
      call(state, 'addFileAttachmentFromBase64Async', { base64File, attachmentName, isInline: true })
    let full = open
    for (let count = 0; count < 499; count += 1) full = add(full).state
    expect(draft(full).attachments).toHaveLength(499)
    expect(refusal(add(full))?.code).toBe(9001)
    expect(add(open, 'x'.repeat(255)).reply.ok).toBe(true)
    expect(refusal(add(open, 'x'.repeat(256)))?.name).toBe('ArgumentOutOfRange')
    expect(refusal(add(open, 'a.png', 'data:image/png;base64,AAAA'))?.code).toBe(9007)
    expect(refusal(add(open, 'a.png', 'A'.repeat(27_892_123)))?.code).toBe(9000)
  })

  test('leave an inline attachment its name as the content id, and its size in bytes', () => {
    const bytes = Buffer.from('four bytes and more')
    const added = call(open, 'addFileAttachmentFromBase64Async', {
      base64File: bytes.toString('base64'),
      attachmentName: 'logo.png',
      isInline: true,
    }).state
    expect(call(added, 'getAttachmentsAsync', {}).reply).toEqual({
      ok: true,
      value: [
        {
          id: expect.any(String) as string,
          name: 'logo.png',
          size: bytes.length,
          isInline: true,
          contentId: 'logo.png',
        },
      ],
    })
  })

  test('exclude the removal and reading of missing entries', () => {
    expect(refusal(call(open, 'removeAttachmentAsync', { attachmentId: 'x' }))).toEqual({
      code: 9008,
      name: 'AttachmentToDeleteDoesNotExist',
    })
    expect(refusal(call(open, 'notificationMessages.removeAsync', { key: 'x' }))?.code).toBe(9024)
    expect(refusal(call(open, 'sessionData.getAsync', { name: 'x' }))).toEqual({
      code: 9050,
      name: 'KeyNotFound',
    })
    expect(refusal(call(open, 'sessionData.getAsync', { name: 'toString' }))?.code).toBe(9050)
  })
})

describe('the open item', () => {
  test('is none for the add-in during a switch', () => {
    const first = demoMailbox()
    const { state, events } = applyAction(first, { type: 'newMessage' })
    expect(events).toEqual(['ItemChanged'])
    expect(currentItem(state)).toBeNull()
    expect(refusal(call(state, 'body.getTypeAsync', {}))?.code).toBe(5004)
    const ended = applyAction(state, { type: 'endSwitch' })
    expect(ended.events).toEqual(['ItemChanged'])
    expect(currentItem(ended.state)?.key).not.toBe(currentItem(first)?.key)
  })

  test('in read mode refuses the calls of compose mode', () => {
    const first = demoMailbox()
    const state = after(first, { type: 'switchTo', id: received(first, 0) })
    expect(currentItem(state)?.mode).toBe('read')
    expect(refusal(call(state, 'body.setSignatureAsync', { data: 'S', coercionType: 'html' }))?.code).toBe(
      5002,
    )
    expect(refusal(call(state, 'sessionData.setAsync', { name: 'a', value: 'b' }))?.code).toBe(5002)
    expect(call(state, 'body.getAsync', { coercionType: 'html' }).reply.ok).toBe(true)
  })

  test('returns an outdated body once in classic Outlook, but not after it was left', () => {
    const begun = after({ ...demoMailbox(), profile: 'classic' }, { type: 'newMessage' })
    const signed = call(begun, 'body.setSignatureAsync', { data: '<p>S</p>', coercionType: 'html' }).state
    const bodyIn = (state: MailboxState) => call(state, 'body.getAsync', { coercionType: 'html' })
    const first = bodyIn(signed)
    expect(first.reply).toEqual({ ok: true, value: '' })
    expect(bodyIn(first.state).reply).toMatchObject({ value: expect.stringContaining('<p>S</p>') as string })
    const { id } = draft(signed)
    const back = after(signed, { type: 'switchTo', id: null }, { type: 'switchTo', id })
    expect(bodyIn(back).reply).toMatchObject({ value: expect.stringContaining('<p>S</p>') as string })
  })

  test('can be none', () => {
    const state = after(demoMailbox(), { type: 'close' })
    expect(currentItem(state)).toBeNull()
    expect(refusal(call(state, 'from.getAsync', {}))?.code).toBe(5004)
    expect(refusal(call(state, 'isClientSignatureEnabledAsync', {}))?.code).toBe(5004)
  })
})

describe('meetings', () => {
  const CLAIRE = { address: 'claire.dubois@fabrikam.example', name: 'Claire Dubois' }
  const WEEK_MS = 7 * 24 * 3_600_000
  const SERIES = 'meeting-1'
  const inSeries = (profile: MailboxState['profile'] = null) =>
    after({ ...demoMailbox(), profile }, { type: 'switchTo', id: SERIES })

  test.each(['save', 'send'] as const)('have an id for add-ins once they are saved or sent: %s', (type) => {
    const begun = after(demoMailbox(), { type: 'newMeeting' }, { type: 'setRecipients', to: [CLAIRE] })
    const { id } = draft(begun)
    expect(refusal(call(begun, 'getItemIdAsync', {}))).toEqual({ code: 9046, name: 'ItemNotSaved' })
    const kept = after(begun, type === 'save' ? { type } : { type, date: 0 }, { type: 'switchTo', id })
    expect(call(kept, 'getItemIdAsync', {}).reply).toEqual({ ok: true, value: id })
  })

  test('stay in the calendar of the organiser when they are sent, without the session data of their window', () => {
    const begun = after(demoMailbox(), { type: 'newMeeting' }, { type: 'setRecipients', to: [CLAIRE] })
    const { id } = draft(begun)
    const stored = call(begun, 'sessionData.setAsync', { name: 'a', value: 'b' }).state
    const sent = after(stored, { type: 'send', date: 0 })
    expect(sent.open).toBeNull()
    expect(sent.items.filter((item) => item.mode === 'read' && item.folder === 'sent')).toEqual([])
    expect(draft(after(sent, { type: 'switchTo', id })).sessionData).toEqual({})
    expect(after(demoMailbox(), { type: 'newMeeting' }, { type: 'send', date: 0 }).open).not.toBeNull()
  })

  test('of another user are no drafts that the change of users opens', () => {
    const state = after(
      demoMailbox(),
      { type: 'choosePerson', address: 'jonas.weber@northwind.example' },
      { type: 'close' },
      { type: 'choosePerson', address: 'alex.kim@northwind.example' },
      { type: 'choosePerson', address: 'jonas.weber@northwind.example' },
    )
    expect(draft(state).kind).toBe('newMail')
  })

  test('the next occurrence of a series becomes an exception: the text of the series, and nothing that add-ins stored', () => {
    const opened = inSeries()
    const signed = call(opened, 'body.setSignatureAsync', { data: '<p>S</p>', coercionType: 'html' }).state
    const stored = call(signed, 'customProperties.saveAsync', { properties: { a: 1 } }).state
    const { start, end } = draft(stored).when ?? { start: 0, end: 0 }
    const exception = draft(after(stored, { type: 'openOccurrence', date: start + WEEK_MS }))
    expect(exception).toMatchObject({
      exceptionOf: SERIES,
      isSaved: true,
      when: { start: start + 2 * WEEK_MS, end: end + 2 * WEEK_MS },
      customProperties: {},
      sessionData: {},
      body: { author: composeBody(draft(stored)), signature: '' },
    })
    expect(exception.when?.isWeekly).toBeUndefined()
  })

  test('the same occurrence is opened again, another one is another exception', () => {
    const { start = 0 } = draft(inSeries()).when ?? {}
    const back = { type: 'switchTo', id: SERIES } as const
    const first = after(inSeries(), { type: 'openOccurrence', date: 0 })
    expect(draft(first).when?.start).toBe(start)
    const again = after(first, back, { type: 'openOccurrence', date: start - 1 })
    expect(draft(again).id).toBe(draft(first).id)
    const other = after(first, back, { type: 'openOccurrence', date: start })
    expect(draft(other).id).not.toBe(draft(first).id)
    expect(draft(other).when?.start).toBe(start + WEEK_MS)
    // A meeting that comes once has no occurrences.
    const once = after(inSeries(), { type: 'setWhen', when: { start, end: start } })
    expect(applyAction(once, { type: 'openOccurrence', date: 0 }).state).toBe(once)
  })

  test('have the block of an online meeting at the end, which a write of the body takes for text', () => {
    const block = '<p>Join</p>'
    const begun = after(
      { ...demoMailbox(), profile: 'classic' },
      { type: 'newMeeting' },
      { type: 'typed', author: '<p>A</p>' },
    )
    const asked = after(begun, { type: 'addOnlineMeeting' })
    expect(draft(asked).online).toBe('asked')
    const signed = call(asked, 'body.setSignatureAsync', { data: '<p>S</p>', coercionType: 'html' }).state
    const { id } = draft(signed)
    const there = after(signed, { type: 'newMessage' }, { type: 'onlineMeetingArrives', block, id })
    const meeting = draft(after(there, { type: 'switchTo', id }))
    expect(meeting.online).toBe('there')
    expect(composeBody(meeting)).toBe(`<p>A</p><div id="Signature"><p>S</p></div>${block}`)
    const written = call(after(there, { type: 'switchTo', id }), 'body.setAsync', {
      data: `<p>A</p>${block}`,
      coercionType: 'html',
    }).state
    expect(draft(written).body).toMatchObject({ author: `<p>A</p>${block}`, signature: '' })
    expect(draft(written).body.online).toBeUndefined()
    const message = after(demoMailbox(), { type: 'addOnlineMeeting' })
    expect(draft(message).online).toBeUndefined()
  })

  test.each([
    ['html', '<p>A</p>', '<p>A</p><p>Join</p><div id="Signature">S</div>'],
    ['html', '', '<p>Join</p><div id="Signature">S</div>'],
    ['text', 'A', 'A\n\nJoin\n\nS'],
    ['text', '', 'Join\n\nS'],
  ] as const)('get a signature below the block that is there already: %s, %j', (bodyType, author, whole) => {
    const begun = after(
      demoMailbox(),
      { type: 'newMeeting' },
      { type: 'onlineMeetingArrives', block: '<p>Join</p>' },
      { type: 'setBodyType', bodyType },
      { type: 'typed', author },
    )
    const signed = call(begun, 'body.setSignatureAsync', { data: 'S', coercionType: bodyType }).state
    expect(composeBody(draft(signed))).toBe(whole)
    expect(composeBody(draft(after(signed, { type: 'signatureEdited', signature: '' })))).toBe(
      whole.replace(bodyType === 'html' ? '<div id="Signature">S</div>' : '\n\nS', ''),
    )
  })

  test('that are only read are appointments for add-ins, whose copies are not written', () => {
    const state = after(demoMailbox(), { type: 'switchTo', id: 'meeting-2' })
    expect(currentItem(state)).toMatchObject({ mode: 'read', isMeeting: true })
    expect(refusal(call(state, 'body.setAsync', { data: 'x', coercionType: 'html' }))).toMatchObject({
      code: 5002,
    })
  })
})

describe('the actions of the user', () => {
  test('reply to the sender, quote the original with renamed ids, and keep its pictures', () => {
    const state = after(demoMailbox(), { type: 'reply' })
    const item = draft(state)
    expect(item).toMatchObject({
      kind: 'reply',
      from: { address: 'alex.kim@northwind.example' },
      to: [{ address: 'priya.shah@northwind.example' }],
      subject: 'RE: Figures for the autumn review',
      attachments: [{ name: 'lsi-attachlogo.png', isInline: true }],
    })
    expect(item.body.quoted).toContain('cid:lsi-attachlogo.png')
    expect(item.body.quoted).toContain('<div id="x_Signature">')
    expect(item.body.quoted).not.toContain('id="Signature"')
  })

  test.each([
    ['de-DE', 'AW: ', 'WG: ', ['Von', 'Gesendet', 'An', 'Cc', 'Betreff']],
    ['pt-BR', 'RES: ', 'ENC: ', ['De', 'Enviado', 'Para', 'Cc', 'Assunto']],
    ['ja-JP', 'RE: ', 'FW: ', ['From', 'Sent', 'To', 'Cc', 'Subject']],
  ])('answer in the display language %s', (language, reply, forward, labels) => {
    const state = after(demoMailbox(), { type: 'setDisplayLanguage', language })
    const answer = draft(after(state, { type: 'reply' }))
    expect(answer.subject).toBe(`${reply}Figures for the autumn review`)
    const lines = [...answer.body.quoted.matchAll(/<b>([^<]+):<\/b> ([^<]*)<br>/g)]
    expect(lines.map(([, label]) => label)).toEqual(labels)
    const sent = after(state, { type: 'switchTo', id: received(state, 0) })
    const date = openItem(sent)
    expect(lines[1]?.[2]).toBe(
      new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }).format(
        date?.mode === 'read' ? date.date : 0,
      ),
    )
    expect(draft(after(state, { type: 'forward' })).subject).toBe(`${forward}Figures for the autumn review`)
    const own = after(state, { type: 'setClientSignature', on: true }, { type: 'newMessage' })
    expect(composeBody(draft(own)).includes('Sent from my mail client')).toBe(language === 'ja-JP')
  })

  test('reply in plain text to a plain-text message', () => {
    const first = demoMailbox()
    const state = after(first, { type: 'reply', message: received(first, 2) })
    expect(draft(state).body.type).toBe('text')
    expect(draft(state).body.quoted).toContain('From: Tailspin orders <orders@tailspin.example>')
  })

  test.each([
    [false, {}],
    [true, { stop: 'yes' }],
  ])('forward custom properties only with the quirk (%s)', (on, expected) => {
    const sent = call(
      after(
        demoMailbox(),
        { type: 'setQuirk', quirk: 'copiesCustomPropertiesOnForward', on },
        { type: 'setRecipients', to: [{ address: 'a@b.example', name: '' }] },
      ),
      'customProperties.saveAsync',
      { properties: { stop: 'yes' } },
    ).state
    const id = draft(sent).id
    const state = after(sent, { type: 'send', date: 0 }, { type: 'forward', message: id })
    expect(draft(state)).toMatchObject({ kind: 'forward', to: [] })
    expect(draft(state).customProperties).toEqual(expected)
  })

  test('convert the body to plain text, which the client can still return as HTML', () => {
    const state = after(
      demoMailbox(),
      { type: 'typed', author: '<p>Dear&nbsp;A &amp; B,</p><p>one<br>two</p>' },
      { type: 'signatureEdited', signature: '<b>Alex</b>' },
      { type: 'setBodyType', bodyType: 'text' },
    )
    expect(composeBody(draft(state))).toBe('Dear A & B,\none\ntwo\n\nAlex')
    expect(call(state, 'body.getAsync', { coercionType: 'html' }).reply).toEqual({
      ok: true,
      value: 'Dear A &amp; B,<br>one<br>two<br><br>Alex',
    })
  })

  test("switch to another user's messages, language and profile", () => {
    const state = after(demoMailbox(), { type: 'choosePerson', address: 'jonas.weber@northwind.example' })
    expect(clientStart(state)).toMatchObject({
      displayLanguage: 'de-DE',
      user: { emailAddress: 'jonas.weber@northwind.example', displayName: 'Jonas Weber' },
    })
    expect(draft(state).from.address).toBe('jonas.weber@northwind.example')
    expect(ownItems(state).every(({ owner }) => owner === 'jonas.weber@northwind.example')).toBe(true)
  })

  test('fire an event for changed recipients, and none for a changed subject', () => {
    const state = demoMailbox()
    expect(applyAction(state, { type: 'setRecipients', to: [] }).events).toEqual(['RecipientsChanged'])
    expect(applyAction(state, { type: 'setSubject', subject: 'S' }).events).toEqual([])
  })
})

describe('before a message leaves', () => {
  const CLAIRE = { address: 'claire.dubois@fabrikam.example', name: 'Claire Dubois' }
  const begun = (...actions: readonly MailboxAction[]) =>
    [
      { type: 'setQuirk', quirk: 'asksBeforeSending', on: true } as const,
      { type: 'newMessage' } as const,
      { type: 'setRecipients', to: [CLAIRE] } as const,
      ...actions,
    ].reduce((state: MailboxState, each: MailboxAction) => applyAction(state, each).state, demoMailbox())
  const isSent = (state: MailboxState) =>
    state.items.some((item) => item.mode === 'read' && item.folder === 'sent' && item.date === 7)
  const send: MailboxAction = { type: 'send', date: 7 }
  const QUESTION = {
    allowEvent: false,
    errorMessage: 'Missing',
    cancelLabel: 'Open',
    commandId: 'signet.open11',
    sendModeOverride: 'promptUser',
  }
  const answered = (answer: unknown): MailboxAction => ({ type: 'sendAnswered', answer })

  test('[MEET-6] the add-in is asked, and the message waits for its answer', () => {
    const state = begun(send)
    expect(state.leaving).toEqual({ item: state.open, date: 7, question: null })
    expect(isSent(state)).toBe(false)
    expect(begun(send, send)).toEqual(state)
  })

  test.each([
    [null],
    [undefined],
    [{ allowEvent: true }],
    [{ ...QUESTION, sendModeOverride: undefined }],
    [{ ...QUESTION, errorMessage: 'x'.repeat(501) }],
    [{ ...QUESTION, errorMessage: 1 }],
  ])('[MEET-6] the message leaves after the answer %j', (answer) => {
    const state = begun(send, answered(answer))
    expect([isSent(state), state.leaving]).toEqual([true, null])
  })

  test.each([
    [QUESTION, 'Open'],
    [{ ...QUESTION, errorMessage: 'x'.repeat(500), cancelLabel: 'x'.repeat(20) }, 'x'.repeat(20)],
    [{ ...QUESTION, cancelLabel: 'x'.repeat(21) }, null],
    [{ ...QUESTION, commandId: 'other' }, null],
  ])('[MEET-6] a question waits for the user: %j', (answer, button) => {
    const state = begun(send, answered(answer))
    expect(state.leaving?.question).toEqual({ text: answer.errorMessage, button })
    expect(isSent(state)).toBe(false)
    expect(applyAction(state, answered(null)).state).toEqual(state)
    expect(isSent(applyAction(state, { type: 'sendAnyway' }).state)).toBe(true)
    const kept = applyAction(state, { type: 'doNotSend' }).state
    expect([isSent(kept), kept.leaving, kept.open]).toEqual([false, null, state.open])
  })

  test('nothing waits without the event, in a meeting, without recipients, and once another item is open', () => {
    expect(isSent(begun({ type: 'setQuirk', quirk: 'asksBeforeSending', on: false }, send))).toBe(true)
    expect(begun({ type: 'newMeeting' }, { type: 'setRecipients', to: [CLAIRE] }, send).leaving).toBeNull()
    expect(begun({ type: 'setRecipients', to: [] }, send).leaving).toBeNull()
    expect(begun(send, { type: 'switchTo', id: null }).leaving).toBeNull()
    expect(isSent(applyAction(asPhoneMailbox(begun()), send).state)).toBe(true)
    for (const type of ['sendAnyway', 'doNotSend'] as const) expect(isSent(begun({ type }))).toBe(false)
  })
})
