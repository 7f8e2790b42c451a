import fc from 'fast-check'
import { VirtualTimeScheduler, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import type { CallArguments, CallName, Reply } from '../../../src/engine/hosts/mailClient.ts'
import { demoMailbox } from '../../../src/playground/mailbox/demo.ts'
import {
  createMailbox,
  MEETING_BLOCK_DELAY_MS,
  SIGNATURE_DELAY_MS,
} from '../../../src/playground/mailbox/mailbox.ts'
import { onlineMeetingIn } from '../../../streams/html/onlineMeeting.ts'
import { CALL_NAMES } from '../../../src/playground/mailbox/model.ts'

function running() {
  const scheduler = new VirtualTimeScheduler()
  const mailbox = createMailbox(demoMailbox(), {
    time: { scheduler },
    accessToken: (email) => of(`token of ${email}`),
  })
  const answers: { at: number; name: CallName; answer: unknown }[] = []
  const ask = <Name extends CallName>(name: Name, args: CallArguments<Name>, expected?: string | null) =>
    mailbox.call(
      name,
      args,
      (reply: Reply<Name>) =>
        void answers.push({ at: scheduler.now(), name, answer: reply.ok ? reply.value : reply.error.code }),
      expected,
    )
  const sign = (data: string, expected?: string | null) =>
    ask('body.setSignatureAsync', { data, coercionType: 'html' }, expected)
  const signatures = () => mailbox.snapshot().items.map(({ signatureHtml }) => signatureHtml)
  return { scheduler, mailbox, answers, ask, sign, signatures }
}

describe('the running mail client', () => {
  test('answers asynchronously', () => {
    const { scheduler, answers, ask } = running()
    ask('body.getTypeAsync', {})
    expect(answers).toEqual([])
    scheduler.flush()
    expect(answers).toEqual([{ at: 0, name: 'body.getTypeAsync', answer: 'html' }])
  })

  test('shows no item to the add-in for 30 ms during a switch', () => {
    const { scheduler, mailbox } = running()
    const told: (readonly [number, string | null])[] = []
    mailbox.on('ItemChanged', () => told.push([scheduler.now(), mailbox.client.currentItem()?.key ?? null]))
    const id = mailbox.act({ type: 'newMessage' })
    expect(mailbox.snapshot().current).toBe(id)
    scheduler.flush()
    expect(told).toEqual([
      [0, null],
      [30, expect.stringContaining(String(id)) as string],
    ])
  })

  test('ends a switch within a switch 30 ms after the later one', () => {
    const { scheduler, mailbox } = running()
    const told: number[] = []
    const first = mailbox.snapshot().current
    mailbox.act({ type: 'newMessage' })
    mailbox.on('ItemChanged', () => {
      if (mailbox.client.currentItem()) told.push(scheduler.now())
    })
    scheduler.schedule(() => mailbox.act({ type: 'switchTo', id: first }), 20)
    scheduler.flush()
    expect(told).toEqual([50])
  })

  test('runs three calls at once on an item and refuses the fourth', () => {
    const { scheduler, mailbox, answers, ask } = running()
    mailbox.delay('from.getAsync', 10)
    for (let call = 0; call < 4; call += 1) ask('from.getAsync', {})
    ask('auth.getAccessToken', {})
    scheduler.flush()
    expect(answers.map(({ answer }) => answer)).toEqual([
      5100,
      'token of alex.kim@northwind.example',
      ...Array<unknown>(3).fill({ address: 'alex.kim@northwind.example', name: 'Alex Kim' }),
    ])
    ask('from.getAsync', {})
    scheduler.flush()
    expect(answers.at(-1)?.answer).toMatchObject({ name: 'Alex Kim' })
  })

  test('counts the calls of each item separately', () => {
    const { scheduler, mailbox, answers, ask } = running()
    mailbox.delay('from.getAsync', 100)
    for (let call = 0; call < 3; call += 1) ask('from.getAsync', {})
    mailbox.act({ type: 'newMessage' })
    scheduler.schedule(() => ask('body.getTypeAsync', {}), 50)
    scheduler.flush()
    expect(answers.map(({ answer }) => answer)).toEqual(['html', 9030, 9030, 9030])
  })

  test('refuses a call when another item is opened before it is executed', () => {
    const { scheduler, mailbox, answers, sign, signatures } = running()
    mailbox.delay('body.setSignatureAsync', 100)
    sign('S')
    mailbox.act({ type: 'newMessage' })
    scheduler.flush()
    expect(answers).toMatchObject([{ at: 100, answer: 9030 }])
    expect(signatures()).toEqual(['', ''])
  })

  test('refuses a call that expects another item than the open one', () => {
    const { scheduler, mailbox, answers, sign, signatures } = running()
    const before = mailbox.client.currentItem()?.key ?? null
    mailbox.act({ type: 'newMessage' })
    scheduler.flush()
    sign('meant for the former', before)
    sign('meant for none', null)
    sign('meant for any')
    scheduler.flush()
    expect(answers.map(({ answer }) => answer)).toEqual([9030, 9030, null])
    expect(signatures()).toEqual(['', 'meant for any'])
  })
})

describe("the client's own signature", () => {
  test.each([
    ['is inserted after a second', true, 1],
    ['is not inserted once it is off', false, 0],
  ])('with the quirk of late insertion %s', (_, stays, expected) => {
    const { scheduler, mailbox, ask } = running()
    mailbox.act({ type: 'setClientSignature', on: true })
    mailbox.act({ type: 'setQuirk', quirk: 'insertsOwnSignatureLate', on: true })
    mailbox.act({ type: 'newMessage' })
    const shown: number[] = []
    mailbox.state$.subscribe(() => {
      if (mailbox.snapshot().items.at(-1)?.signatureHtml !== '') shown.push(scheduler.now())
    })
    if (!stays) scheduler.schedule(() => ask('disableClientSignatureAsync', {}), SIGNATURE_DELAY_MS / 2)
    scheduler.flush()
    expect(shown).toEqual(Array<number>(expected).fill(SIGNATURE_DELAY_MS))
  })
})

describe('the block of an online meeting', () => {
  test('comes late, once, in the language of the user, and into its own meeting', () => {
    const { scheduler, mailbox } = running()
    mailbox.act({ type: 'choosePerson', address: 'jonas.weber@northwind.example' })
    const id = mailbox.act({ type: 'newMeeting' })
    mailbox.act({ type: 'addOnlineMeeting' })
    mailbox.act({ type: 'addOnlineMeeting' })
    mailbox.act({ type: 'newMeeting' })
    const shown: (readonly [at: number, blocks: number])[] = []
    mailbox.state$.subscribe(({ items }) => {
      const blocks = items.filter(
        (item) => item.owner.startsWith('jonas') && item.body.online && item.id === id,
      )
      if (shown.at(-1)?.[1] !== blocks.length) shown.push([scheduler.now(), blocks.length])
    })
    scheduler.flush()
    expect(shown).toEqual([
      [0, 0],
      [MEETING_BLOCK_DELAY_MS, 1],
    ])
    const [other] = mailbox.snapshot().items.slice(-1)
    expect(other?.bodyHtml).toBe('')
    mailbox.act({ type: 'switchTo', id })
    const body = mailbox.snapshot().items.find((item) => item.id === id)?.bodyHtml ?? ''
    expect(body).toContain('Jetzt an der Besprechung teilnehmen')
    expect(onlineMeetingIn(body, 'html')).not.toBeNull()
  })
})

describe('faults on demand', () => {
  test('fail a call the given number of times, without effect', () => {
    const { scheduler, mailbox, answers, sign, signatures } = running()
    mailbox.fail('body.setSignatureAsync', { code: 5001, name: 'Internal Error' }, 2)
    for (const signature of ['a', 'b', 'c']) {
      sign(signature)
      scheduler.flush()
      if (signature === 'b') expect(signatures()).toEqual([''])
    }
    expect(answers.map(({ answer }) => answer)).toEqual([5001, 5001, null])
    expect(signatures()).toEqual(['c'])
  })

  test('fail a call until they are cleared, without a number of times', () => {
    const { scheduler, mailbox, answers, sign } = running()
    mailbox.fail('body.setSignatureAsync', { code: 5001, name: 'Internal Error' })
    for (let time = 0; time < 5; time += 1) {
      sign('S')
      scheduler.flush()
    }
    mailbox.restore()
    sign('S')
    scheduler.flush()
    expect(answers.map(({ answer }) => answer)).toEqual([5001, 5001, 5001, 5001, 5001, null])
  })

  test('lose a silenced call, which does not count as running', () => {
    const { scheduler, mailbox, answers, ask, sign, signatures } = running()
    mailbox.silence('body.setSignatureAsync')
    for (let time = 0; time < 4; time += 1) sign('S')
    ask('body.getTypeAsync', {})
    scheduler.flush()
    expect(answers.map(({ answer }) => answer)).toEqual(['html'])
    expect(signatures()).toEqual([''])
  })

  test('answer a call twice that is executed once', () => {
    const { scheduler, mailbox, answers, ask } = running()
    mailbox.answerTwice('addFileAttachmentFromBase64Async')
    ask('addFileAttachmentFromBase64Async', { base64File: 'AAAA', attachmentName: 'a.png', isInline: true })
    scheduler.flush()
    expect(answers).toHaveLength(2)
    expect(answers[0]).toEqual(answers[1])
    expect(mailbox.snapshot().items[0]?.attachments).toHaveLength(1)
  })

  test('are refused for a call that does not exist', () => {
    const { mailbox } = running()
    for (const fault of [
      () => mailbox.fail('setSignature', { code: 1, name: 'n' }),
      () => mailbox.delay('toString', 1),
      () => mailbox.silence(''),
      () => mailbox.answerTwice('body'),
    ]) {
      expect(fault).toThrow('no call named')
    }
    for (const name of CALL_NAMES) expect(() => mailbox.delay(name, 0)).not.toThrow()
  })
})

describe('the record of calls', () => {
  test('has every call in the order of arrival, with its item and whether it succeeded', () => {
    const { scheduler, mailbox, ask, sign } = running()
    const id = mailbox.snapshot().current
    mailbox.delay('from.getAsync', 100)
    mailbox.silence('to.getAsync')
    mailbox.fail('cc.getAsync', { code: 5001, name: 'Internal Error' })
    ask('from.getAsync', {})
    ask('to.getAsync', {})
    ask('cc.getAsync', {})
    scheduler.flush()
    sign('x'.repeat(30_001))
    mailbox.act({ type: 'switchTo', id: null })
    ask('auth.getAccessToken', {})
    scheduler.flush()
    expect(mailbox.snapshot().calls).toEqual([
      { at: 0, item: id, name: 'from.getAsync', ok: true },
      { at: 0, item: id, name: 'to.getAsync', ok: false },
      { at: 0, item: id, name: 'cc.getAsync', ok: false },
      { at: 100, item: id, name: 'body.setSignatureAsync', ok: false },
      { at: 100, item: null, name: 'auth.getAccessToken', ok: true },
    ])
  })

  test('shows exactly one answer for each call that is not lost, under any faults and switches', () => {
    const names = fc.constantFrom<CallName>(
      'from.getAsync',
      'body.getTypeAsync',
      'getAttachmentsAsync',
      'auth.getAccessToken',
    )
    const step = fc.oneof(
      names.map((name) => ({ does: 'ask' as const, name })),
      fc.record({ does: fc.constant('delay' as const), name: names, ms: fc.integer({ min: 0, max: 500 }) }),
      fc.record({ does: fc.constant('fail' as const), name: names, times: fc.integer({ min: 0, max: 3 }) }),
      fc.constantFrom(
        { does: 'newMessage' as const },
        { does: 'close' as const },
        { does: 'restore' as const },
      ),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 200 }), step), { maxLength: 40 }), (steps) => {
        const { scheduler, mailbox, answers, ask } = running()
        let asked = 0
        for (const [at, doing] of steps) {
          scheduler.schedule(() => {
            if (doing.does === 'ask') {
              asked += 1
              ask(doing.name, {})
            } else if (doing.does === 'delay') mailbox.delay(doing.name, doing.ms)
            else if (doing.does === 'fail')
              mailbox.fail(doing.name, { code: 5001, name: 'Internal Error' }, doing.times)
            else if (doing.does === 'restore') mailbox.restore()
            else mailbox.act({ type: doing.does })
          }, at)
        }
        scheduler.flush()
        expect(answers).toHaveLength(asked)
        expect(mailbox.snapshot().calls).toHaveLength(asked)
      }),
      { numRuns: 100 },
    )
  })
})
