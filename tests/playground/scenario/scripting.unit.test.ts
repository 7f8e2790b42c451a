import { VirtualTimeScheduler, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { demoMailbox } from '../../../src/playground/mailbox/demo.ts'
import { createRuntimeHost } from '../../../src/playground/runtimeHost.ts'
import { createMailbox, type Mailbox } from '../../../src/playground/mailbox/mailbox.ts'
import { createControls } from '../../../src/playground/scenario/controls.ts'
import { writeScenario } from '../../../src/playground/scenario/scenario.ts'
import { createServerControl } from '../../../src/playground/scenario/servers.ts'
import { createScripting } from '../../../src/playground/scenario/scripting.ts'

/** Runtimes that complete each event at once. */
const runtimeHostOf = (mailbox: Mailbox) =>
  createRuntimeHost({
    mailbox,
    time: { scheduler: new VirtualTimeScheduler() },
    runtimes: {
      page: ({ onCompleted }) => ({
        raise: (id) => onCompleted(id, true),
        log: () => Promise.resolve([]),
        end: () => undefined,
      }),
    },
    mode: () => 'page',
    faults: { has: () => false, clear: () => undefined },
  })

function scripted() {
  const scheduler = new VirtualTimeScheduler()
  const mailbox = createMailbox(demoMailbox(), { time: { scheduler }, accessToken: (email) => of(email) })
  const controls = createControls({
    mailbox,
    service: createServerControl(''),
    identity: createServerControl(''),
  })
  const runtimeHost = runtimeHostOf(mailbox)
  return {
    scheduler,
    mailbox,
    controls,
    runtimeHost,
    playground: createScripting(mailbox, controls, runtimeHost),
  }
}

describe('the scripting interface', () => {
  test('[PLAY-4] opens messages of every kind and reports the open one', () => {
    const { playground } = scripted()
    const first = playground.snapshot().current
    const opened = [playground.newMessage(), playground.reply(), playground.forward()]
    expect(playground.snapshot().current).toBe(opened[2])
    expect(playground.snapshot().items.map(({ id, kind }) => [id, kind])).toEqual([
      [first, 'newMail'],
      [opened[0], 'newMail'],
      [opened[1], 'reply'],
      [opened[2], 'forward'],
    ])
    const meeting = playground.newMeeting()
    expect(playground.snapshot().items.at(-1)).toMatchObject({ id: meeting, kind: 'meeting' })
    playground.switchTo(first)
    expect(playground.snapshot().current).toBe(first)
    playground.switchTo(null)
    expect(playground.snapshot().current).toBeNull()
  })

  test('[PLAY-4] sets sender, recipients and body type of the open message', () => {
    const { playground } = scripted()
    const sales = { address: 'sales@northwind.example', name: 'Sales desk' }
    playground.setFrom(sales)
    playground.setRecipients({ to: [{ address: 'a@b.example', name: 'A' }] })
    playground.setRecipients({ cc: [sales] })
    playground.setBodyType('text')
    expect(playground.snapshot().items[0]).toEqual({
      id: playground.snapshot().current,
      kind: 'newMail',
      from: sales,
      to: [{ address: 'a@b.example', name: 'A' }],
      cc: [sales],
      subject: '',
      bodyType: 'text',
      bodyHtml: '',
      signatureHtml: '',
      attachments: [],
      notifications: [],
      customProperties: {},
    })
  })

  test('[PLAY-4] returns body and signature separately, attachments without their content, and every call', () => {
    const { playground, mailbox, scheduler } = scripted()
    mailbox.act({ type: 'typed', author: '<p>Hi</p>' })
    mailbox.call('body.setSignatureAsync', { data: '<b>S</b>', coercionType: 'html' }, () => undefined)
    mailbox.call(
      'addFileAttachmentFromBase64Async',
      { base64File: 'AAAA', attachmentName: 'a.png', isInline: true },
      () => undefined,
    )
    scheduler.flush()
    const { items, calls } = playground.snapshot()
    expect(items[0]).toMatchObject({
      bodyHtml: '<p>Hi</p><div id="Signature"><b>S</b></div>',
      signatureHtml: '<b>S</b>',
    })
    expect(Object.keys(items[0]?.attachments[0] ?? {}).sort()).toEqual([
      'contentId',
      'id',
      'isInline',
      'name',
      'size',
    ])
    expect(calls.map(({ name, ok }) => [name, ok])).toEqual([
      ['body.setSignatureAsync', true],
      ['addFileAttachmentFromBase64Async', true],
    ])
  })

  test('returns a copy as snapshot', () => {
    const { playground } = scripted()
    playground.snapshot().items[0]?.to.push({ address: 'x', name: 'x' })
    playground.snapshot().calls.push({ at: 0, item: null, name: 'to.getAsync', ok: true })
    expect(playground.snapshot().items[0]?.to).toEqual([])
    expect(playground.snapshot().calls).toEqual([])
  })

  test('[PLAY-4] sets faults by the names of the calls, and clears them', () => {
    const { playground, mailbox, scheduler } = scripted()
    playground.fail('from.getAsync', { code: 5001, name: 'Internal Error' }, 1)
    playground.delay('from.getAsync', 40)
    playground.silence('to.getAsync')
    const seen: unknown[] = []
    const ask = () => {
      mailbox.call('from.getAsync', {}, (reply) => seen.push([scheduler.now(), reply.ok]))
      mailbox.call('to.getAsync', {}, () => seen.push('answered'))
      scheduler.flush()
    }
    ask()
    ask()
    playground.restore()
    ask()
    expect(seen).toEqual([[40, false], [80, true], [80, true], 'answered'])
  })

  test('[PLAY-4] sets what the panel sets, returns it as one scenario, and clears it', async () => {
    const { playground } = scripted()
    const before = playground.scenario()
    playground.silence('*')
    playground.delay('to.getAsync', 40)
    playground.fail('from.getAsync', { code: 5001, name: 'Internal Error' })
    playground.limitCalls(1)
    playground.switchDuringNext(true)
    playground.quirk('insertsAtCaret', true)
    playground.clientSignature(true)
    playground.mailboxVersion('1.9')
    playground.offline(true)
    playground.reply()
    expect(playground.scenario()).toEqual({
      ...before,
      open: 'reply:item-1',
      mail: [
        { call: '*', fault: { kind: 'silent' } },
        { call: 'to.getAsync', fault: { kind: 'slow', ms: 40 } },
        { call: 'from.getAsync', fault: { kind: 'fails', code: 5001 } },
      ],
      atOnce: 1,
      switchesDuringNext: true,
      quirks: ['insertsAtCaret'],
      clientSignature: true,
      mailboxVersion: '1.9',
      offline: true,
    })
    await playground.clear()
    expect(playground.scenario()).toEqual({ ...before, open: 'reply:item-1' })
    expect(playground.log()).toEqual([])
    await expect(playground.stateAt(0)).rejects.toThrow('There is no event 0')
  })

  test('[PLAY-3] applies a fault of every call, a call limit and an older client to the calls', () => {
    const { playground, mailbox, scheduler } = scripted()
    const ask = (name: 'from.getAsync' | 'to.getAsync') => {
      const codes: number[] = []
      mailbox.call(name, {}, (reply) => codes.push(reply.ok ? 0 : reply.error.code))
      scheduler.flush()
      return codes
    }
    playground.fail('*', { code: 5001, name: 'Internal Error' }, 2)
    expect([ask('from.getAsync'), ask('to.getAsync'), ask('to.getAsync')]).toEqual([[5001], [5001], [0]])
    playground.limitCalls(0)
    expect(ask('from.getAsync')).toEqual([5100])
    playground.limitCalls(3)
    playground.mailboxVersion('1.6')
    expect([ask('from.getAsync'), ask('to.getAsync')]).toEqual([[5004], [0]])
    playground.mailboxVersion('1.7')
    expect(ask('from.getAsync')).toEqual([0])
  })

  test('[PLAY-3] opens a message with the client’s own signature from a link that sets it', async () => {
    const { playground, controls } = scripted()
    await controls.apply({ ...playground.scenario(), clientSignature: true }, false)
    const [item, ...others] = playground.snapshot().items
    expect([item?.id, others]).toEqual([playground.snapshot().current, []])
    expect(item?.signatureHtml).toContain('Sent from my mail client')
    expect(writeScenario(playground.scenario())).toBe('client=documented&signature=own')
  })

  test('[PLAY-3] switches to another message during the next insertion only', () => {
    const { playground, mailbox, scheduler } = scripted()
    const first = playground.snapshot().current
    const second = playground.newMessage()
    scheduler.flush()
    playground.switchDuringNext(true)
    const replies: boolean[] = []
    const sign = () => {
      mailbox.call('body.setSignatureAsync', { data: '<b>S</b>', coercionType: 'html' }, ({ ok }) =>
        replies.push(ok),
      )
      scheduler.flush()
    }
    sign()
    expect([replies, playground.snapshot().current]).toEqual([[false], first])
    expect(playground.snapshot().items.map(({ signatureHtml }) => signatureHtml)).toEqual(['', ''])
    sign()
    expect([replies, playground.snapshot().current]).toEqual([[false, true], first])
    expect(second).not.toBe(first)
  })

  test('throws for an invalid or impossible call', async () => {
    const { playground, mailbox, controls } = scripted()
    expect(() => playground.switchTo('item-999')).toThrow('There is no item item-999')
    expect(() => playground.silence('nothing')).toThrow('no call named nothing')
    await expect(playground.service('*', 'sad')).rejects.toThrow('There is no fault named sad')
    await expect(playground.service('*', '503')).rejects.toThrow('The server does not answer')
    await expect(playground.jump(-1)).rejects.toThrow('not -1')
    expect(() => playground.delay('*', -5)).toThrow('not -5')
    expect(() => {
      playground.limitCalls(4)
    }).toThrow('not 4')
    expect(() => playground.setBodyType('rtf' as 'text')).toThrow('There is no rtf')
    expect(() => {
      playground.quirk('polite', true)
    }).toThrow('There is no polite')
    expect(() => {
      playground.mailboxVersion('9.9')
    }).toThrow('There is no 9.9')
    const empty = createScripting(
      { ...mailbox, state$: mailbox.state$, act: () => mailbox.state$.value.open },
      controls,
      runtimeHostOf(mailbox),
    )
    expect(() => empty.reply()).toThrow('There is no message for reply')
    expect(() => playground.launch('phone')).toThrow('There is no phone')
    expect(() => playground.launchFault('polite', true)).toThrow('There is no polite')
    playground.switchTo(null)
    expect(() => playground.setFrom({ address: 'a@b.example', name: 'A' })).toThrow(
      'No message is being written',
    )
  })
  test('opens and closes the pane, and chooses how launch events start Signet', () => {
    const { playground, controls } = scripted()
    playground.closePane()
    playground.launch('classic')
    playground.launchFault('killed', true)
    playground.launchFault('slowStart', true)
    playground.launchFault('killed', false)
    expect(playground.scenario()).toMatchObject({
      isPaneOpen: false,
      launch: 'classic',
      launchFaults: ['slowStart'],
    })
    expect(writeScenario(controls.scenario$.value)).toBe(
      'client=documented&launch=classic&launchFault=slowStart&pane=closed',
    )
    playground.openPane()
    expect(playground.scenario().isPaneOpen).toBe(true)
  })

  test('lists what was started for launch events, with the log of each', async () => {
    const { playground, runtimeHost } = scripted()
    runtimeHost.start()
    expect(playground.launches()).toEqual([
      {
        item: playground.snapshot().current,
        kind: 'newMessage',
        runtime: 'page',
        outcome: 'completed',
        ms: 0,
        calls: [],
      },
    ])
    expect(await playground.launchLog(0)).toEqual([])
    await expect(playground.launchLog(1)).rejects.toThrow('There is no launch 1')
  })
})
