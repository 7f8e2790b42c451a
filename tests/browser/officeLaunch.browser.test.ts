import { asyncScheduler, filter, firstValueFrom, of } from 'rxjs'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createRuntimeHost, type StartRuntime } from '../../src/playground/runtimeHost.ts'
import { demoMailbox } from '../../src/playground/mailbox/demo.ts'
import { createMailbox } from '../../src/playground/mailbox/mailbox.ts'
import { createOfficeWire, type OfficeWire } from '../../src/playground/mailbox/officeWire.ts'
import { launchChromium } from './chromium.ts'
import { officeFrames, type OfficeFrames } from './office/realOffice.ts'

// Launch events through Microsoft's unmodified library, with handlers that are associated as the launch program's are.

const ending: (() => Promise<void>)[] = []
const wires = new Map<string, OfficeWire>()
let frames: OfficeFrames
let tests = 0
let handled: { name: string; data: unknown }[] = []
let paneReady: () => void = () => undefined

beforeAll(async () => {
  const browser = await launchChromium()
  ending.push(() => browser.close())
  // Each wire ignores the conversations of the others.
  frames = await officeFrames(browser, ['launchHandlers.html', 'contractPane.html'], (message) => {
    for (const wire of wires.values()) wire.receive(message)
  })
  ending.push(() => frames.close())
  await frames.context.exposeBinding(
    'handled',
    (_, name: string, data: unknown) => void handled.push({ name, data }),
  )
  await frames.context.exposeBinding('tell', (_, what: string) => {
    if (what === 'ready') paneReady()
  })
})
afterEach(async () => {
  for (const [frame, wire] of wires) {
    wire.stop()
    await frames.remove(frame)
  }
  wires.clear()
  handled = []
})
afterAll(async () => {
  for (const end of ending.reverse()) await end()
})

const SALES = { address: 'sales@northwind.example', name: 'Sales desk' }
const CLAIRE = { address: 'claire.dubois@fabrikam.example', name: 'Claire Dubois' }

function running() {
  const time = { scheduler: asyncScheduler }
  const mailbox = createMailbox(demoMailbox(), { time, accessToken: () => of('') })
  tests += 1
  const ofTest = `test-${String(tests)}`
  const start: StartRuntime = ({ mailbox: seen, name: runtime, onCompleted }) => {
    // A runtime of a former test may still end its frame.
    const name = `${ofTest}-${runtime}`
    const wire = createOfficeWire(seen, (message) => void frames.send(name, message), {
      frame: name,
      onCompleted: ({ id, status }) => onCompleted(id, status === 0),
    })
    wires.set(name, wire)
    void frames.open(name, 'launchHandlers.html')
    return {
      raise: wire.raise,
      log: () => Promise.resolve([]),
      end() {
        wire.stop()
        void frames.remove(name)
      },
    }
  }
  const runtimeHost = createRuntimeHost({
    mailbox,
    time,
    runtimes: { page: start },
    mode: () => 'page',
    faults: { has: () => false, clear: () => undefined },
  })
  const outcomes = () => runtimeHost.raised$.value.map(({ kind, outcome }) => `${kind} ${outcome}`)
  const settled = async () => {
    await firstValueFrom(
      runtimeHost.raised$.pipe(filter((each) => each.every(({ outcome }) => outcome !== 'running'))),
    )
    return outcomes()
  }
  return {
    mailbox,
    runtimeHost,
    settled,
    outcomes,
    signed: () => mailbox.snapshot().items.map((item) => item.signatureHtml),
  }
}

test('[AUTO-22] Microsoft’s library calls the handlers of all three events, with their data, and tells when they are done', async () => {
  const { mailbox, runtimeHost, settled, signed } = running()
  runtimeHost.start()
  expect(await settled()).toEqual(['newMessage inserted'])
  mailbox.act({ type: 'setFrom', from: SALES })
  mailbox.act({ type: 'setRecipients', to: [CLAIRE] })
  expect(await settled()).toHaveLength(3)
  expect(handled).toMatchObject([
    { name: 'onNewMessageCompose' },
    { name: 'onMessageFromChanged' },
    {
      name: 'onMessageRecipientsChanged',
      data: { changedRecipientFields: { to: true, cc: false, bcc: false } },
    },
  ])
  expect(signed()).toEqual(['<p>onMessageRecipientsChanged</p>'])
  // One runtime for all: it lives while events come.
  expect([...wires.keys()]).toHaveLength(1)
})

test('Microsoft’s library calls the handlers of the events of meetings, with their data', async () => {
  const { mailbox, runtimeHost, settled, signed } = running()
  mailbox.act({ type: 'setProfile', profile: 'mac' })
  runtimeHost.start()
  expect(await settled()).toEqual(['newMessage inserted'])
  handled = []
  mailbox.act({ type: 'newMeeting' })
  expect(await settled()).toEqual(['newMessage inserted', 'newMessage inserted'])
  mailbox.act({ type: 'setFrom', from: SALES })
  mailbox.act({ type: 'setRecipients', cc: [CLAIRE] })
  expect(await settled()).toHaveLength(4)
  expect(handled).toMatchObject([
    { name: 'onNewAppointmentOrganizer' },
    { name: 'onAppointmentFromChanged' },
    {
      name: 'onAppointmentAttendeesChanged',
      data: {
        changedRecipientFields: { requiredAttendees: false, optionalAttendees: true, resources: false },
      },
    },
  ])
  expect(signed()).toEqual(['<p>onNewMessageCompose</p>', '<p>onAppointmentAttendeesChanged</p>'])
})

test('[AUTO-22] an event that comes twice calls its handler twice', async () => {
  const { mailbox, runtimeHost, settled } = running()
  mailbox.act({ type: 'setQuirk', quirk: 'raisesTwice', on: true })
  runtimeHost.start()
  expect(await settled()).toHaveLength(2)
  expect(handled.map(({ name }) => name)).toEqual(['onNewMessageCompose', 'onNewMessageCompose'])
})

test('a name without a handler is told at once, with the library’s error', async () => {
  const { mailbox } = running()
  const completed = new Promise((resolve) => {
    const wire = createOfficeWire(mailbox, (message) => void frames.send('bare', message), {
      frame: 'bare',
      onCompleted: resolve,
    })
    wires.set('bare', wire)
    wire.raise('1', 'onSomethingElse', {})
  })
  await frames.open('bare', 'launchHandlers.html')
  expect(await completed).toEqual({ id: '1', status: 11101 })
  expect(handled).toEqual([])
})

test('a message that is left in the middle ends its frame, and the next one is signed by its own', async () => {
  const { mailbox, runtimeHost, settled, signed } = running()
  runtimeHost.start()
  mailbox.delay('body.setSignatureAsync', 300)
  await firstValueFrom(
    runtimeHost.raised$.pipe(filter(([first]) => first?.calls.includes('body.setSignatureAsync') === true)),
  )
  mailbox.act({ type: 'newMessage' })
  mailbox.restore()
  expect(await settled()).toEqual(['newMessage ended', 'newMessage inserted'])
  expect(signed()).toEqual(['', '<p>onNewMessageCompose</p>'])
  const left = await frames.page.evaluate(() => document.querySelectorAll('iframe').length)
  expect(left).toBe(1)
})

test('the pane and the launch page talk to Outlook side by side', async () => {
  const { mailbox, runtimeHost, settled, signed } = running()
  const ready = new Promise<void>((resolve) => (paneReady = resolve))
  wires.set(
    'pane',
    createOfficeWire(mailbox, (message) => void frames.send('pane', message), { frame: 'pane' }),
  )
  await frames.open('pane', 'contractPane.html')
  runtimeHost.start()
  await ready
  expect(await settled()).toEqual(['newMessage inserted'])
  const pane = frames.page.frames().find((frame) => frame.url().endsWith('contractPane.html'))
  const key = mailbox.client.currentItem()?.key
  expect(key).toBeDefined()
  // The pane's own name of the item; it has seen no other.
  expect(await pane?.evaluate(() => window.ask('from', ['outlook/0']))).toMatchObject({
    value: { name: 'Alex Kim' },
  })
  expect(signed()).toEqual(['<p>onNewMessageCompose</p>'])
})
