import type { Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { CLAIM_LIFETIME_MS } from '../../effects/message/claim.ts'
import {
  chooseInMenu,
  clearServers,
  eventually,
  imagesOf,
  unmarked,
  type Item,
  openMessage,
  option,
  service,
  signaturesIn,
  useBrowser,
} from './pane.ts'
import { servers } from './servers.ts'

// The launch program as it is built, in the runtimes of the playground.

const { tab, open: openPlayground } = useBrowser()
afterEach(async () => {
  await clearServers()
  await service.reset()
})

const [STANDARD, DEFAULT, COLLEAGUES, OF_SALES] = [
  'standard-u-1',
  'portrait-u-1',
  'colleagues-u-1',
  'sales_desk-u-2',
]
const CLOSED = '&pane=closed'

/** The playground with launch events in this runtime. */
async function open(mode: 'page' | 'classic', more = '') {
  const opened = await openPlayground({ query: `&launch=${mode}${more}` })
  return { ...opened, ...over(opened.page) }
}

const over = (page: Page) => {
  const message = async () => openMessage(await page.evaluate(() => window.playground.snapshot()))
  const launches = () => page.evaluate(() => window.playground.launches())
  return {
    message,
    launches,
    pane: page.frameLocator('iframe[title="Signet"]'),
    /** The events so far with their outcomes: waits until there are that many, and none is open. */
    outcomes: async (count: number) => {
      await eventually(launches).toHaveLength(count)
      await eventually(async () => (await launches()).some(({ outcome }) => outcome === 'running')).toBe(
        false,
      )
      return (await launches()).map(({ kind, outcome }) => `${kind} ${outcome}`)
    },
    /** Waits until the open message has this signature, once, with exactly its pictures. */
    untilSigned: async (id: string): Promise<Item> => {
      await eventually(async () => signaturesIn(await message())).toEqual([id])
      await eventually(async () => {
        const { attached, shown } = imagesOf(await message())
        return attached.join() === shown.join() ? 'whole' : `${attached.join()} ≠ ${shown.join()}`
      }).toBe('whole')
      return message()
    },
  }
}

describe.each(['page', 'classic'] as const)('with the pane closed, in the runtime %s', (mode) => {
  test('[AUTO-22] a new message, a reply, a forward and another sender have the right signature, once, with its pictures', async () => {
    const { page, untilSigned, launches, outcomes, noticed } = await open(mode, CLOSED)
    const first = await untilSigned(DEFAULT)
    expect(imagesOf(first).shown.length).toBeGreaterThan(0)
    expect(await page.locator('iframe[title="Signet"]').count()).toBe(0)
    await outcomes(1)
    await page.evaluate(() => window.playground.reply())
    const reply = await untilSigned(DEFAULT)
    expect(unmarked(reply.signatureHtml)).not.toBe(unmarked(first.signatureHtml))
    await outcomes(2)
    await page.evaluate(() => window.playground.forward())
    expect(unmarked((await untilSigned(DEFAULT)).signatureHtml)).toBe(unmarked(reply.signatureHtml))
    await outcomes(3)
    await page.evaluate(() =>
      window.playground.setFrom({ name: 'Sales desk', address: 'sales@northwind.example' }),
    )
    await untilSigned(OF_SALES)
    await page.evaluate((own) => window.playground.setFrom(own), first.from)
    await untilSigned(DEFAULT)
    expect(await outcomes(5)).toEqual([
      ...Array<string>(3).fill('newMessage inserted'),
      ...Array<string>(2).fill('fromChanged inserted'),
    ])
    expect((await launches()).map(({ runtime }) => runtime)).toEqual(Array(5).fill(mode))
    expect(noticed.violations).toEqual([])
  })

  test('[AUTO-22] what was kept goes in while the service is down and while everything is offline', async () => {
    const { page, untilSigned, outcomes } = await open(mode, CLOSED)
    await untilSigned(DEFAULT)
    await outcomes(1)
    await service.fault('*', { kind: 'cut' })
    await page.evaluate(() => window.playground.newMessage())
    await untilSigned(DEFAULT)
    await outcomes(2)
    await page.evaluate(() => {
      window.playground.offline(true)
      window.playground.newMessage()
    })
    const { notifications } = await untilSigned(DEFAULT)
    expect(await outcomes(3)).toEqual(Array(3).fill('newMessage inserted'))
    expect(notifications).toEqual([])
  })

  test('a runtime that ends in the middle leaves a message that the next one makes whole', async () => {
    const { page, message, untilSigned, outcomes } = await open(mode, `${CLOSED}&launchFault=killed`)
    expect(await outcomes(1)).toEqual(['newMessage ended'])
    const { from } = await message()
    await page.evaluate(
      async ([own, ms]) => {
        await window.playground.jump(ms)
        window.playground.setFrom(own)
      },
      [from, CLAIM_LIFETIME_MS] as const,
    )
    await outcomes(2)
    await untilSigned(DEFAULT)
  })

  test('without storage and without session data the service is asked, and the signature goes in', async () => {
    const { untilSigned, outcomes } = await open(
      mode,
      `${CLOSED}&launchFault=noStorage&launchFault=sessionDataFails`,
    )
    await untilSigned(DEFAULT)
    expect(await outcomes(1)).toEqual(['newMessage completed'])
  })
})

test('with nothing kept and no service a notice says that the signature is missing, and opens the pane', async () => {
  await service.fault('*', { kind: 'cut' })
  const { page, message, outcomes } = await open('page', CLOSED)
  expect(await outcomes(1)).toEqual(['newMessage offline'])
  expect(signaturesIn(await message())).toEqual([])
  await page.getByRole('status', { name: 'Notifications' }).getByText('Your signature is missing').waitFor()
  await page.getByRole('button', { name: 'Open Signet', exact: true }).click()
  await page.locator('iframe[title="Signet"]').waitFor()
})

test('the timeline shows the log of the runtime', async () => {
  const { page, outcomes } = await open('classic', CLOSED)
  await outcomes(1)
  await page.getByRole('button', { name: 'Timeline' }).click()
  const timeline = page.getByRole('region', { name: 'Pane timeline' })
  await timeline.getByLabel('Log', { exact: true }).selectOption({ index: 1 })
  for (const type of ['launch/raised', 'insertion/succeeded', 'launch/completed']) {
    await timeline.getByRole('searchbox', { name: 'Search the events' }).fill(type)
    await eventually(() => timeline.getByRole('listbox', { name: 'Events' }).getByText(type).count()).toBe(1)
  }
})

test('[AUTO-22] beside the pane one signature is left, and recipients outside its audience exchange it', async () => {
  const { page, pane, untilSigned, outcomes } = await open('page')
  await untilSigned(DEFAULT)
  await outcomes(1)
  await pane.getByRole('combobox', { name: 'Search signatures' }).fill('colleagues')
  await option(pane, 'Colleagues').waitFor()
  await chooseInMenu(pane, 'Colleagues', 'Make default')
  // The message that is begun is to a partner; a new one has no recipient yet.
  await untilSigned(STANDARD)
  await pane.getByText('Meant for these recipients', { exact: true }).waitFor()
  await page.evaluate(() => window.playground.newMessage())
  await untilSigned(COLLEAGUES)
  await outcomes(2)
  await page.evaluate(() => {
    window.playground.closePane()
    window.playground.newMessage()
  })
  await untilSigned(COLLEAGUES)
  await page.evaluate(() =>
    window.playground.setRecipients({ to: [{ name: 'Claire', address: 'claire.dubois@fabrikam.example' }] }),
  )
  await eventually(async () => signaturesIn(await over(page).message())).toEqual([STANDARD])
  expect((await outcomes(4)).at(-1)).toBe('recipientsChanged inserted')
})

/** A launch program whose only handler runs this body, and completes with the outcome that it calls `done` with. */
const programOf = (body: string) => `Office.actions.associate('onNewMessageCompose', function (event) {
  var done = function (outcome) {
    var note = JSON.stringify({ outcome: String(outcome) })
    Office.context.mailbox.item.sessionData.setAsync('lsi_launch', note, function () { event.completed() })
  }
  ${body}
})`

/** The playground with this program in place of the built one, and its pane closed. */
async function openWith(program: string, mode: 'page' | 'classic') {
  const page = await tab()
  await page
    .context()
    .route('**/launch-guard.js', (route) => route.fulfill({ contentType: 'text/javascript', body: program }))
  await page.goto(`${servers().pages}/?pane=closed&launch=${mode}`)
  return { page, ...over(page) }
}

describe.each(['page', 'classic'] as const)('around the runtime %s', (mode) => {
  const requesting = programOf(`
    var request = new XMLHttpRequest()
    request.onload = function () { done('answered') }
    request.onerror = function () { done('refused') }
    request.open('GET', 'SERVICE/_control/clock')
    request.send()`)

  test('requests leave it, and fail while the playground is offline', async () => {
    const program = requesting.replace('SERVICE', servers().service)
    const { page, outcomes } = await openWith(program, mode)
    expect(await outcomes(1)).toEqual(['newMessage answered'])
    await page.evaluate(() => {
      window.playground.offline(true)
      window.playground.newMessage()
    })
    expect((await outcomes(2)).at(-1)).toBe('newMessage refused')
  })

  test('the clock is that of the playground', async () => {
    const { page, launches, outcomes } = await openWith(programOf('done(Date.now())'), mode)
    await outcomes(1)
    const before = Date.now()
    await page.evaluate(() => window.playground.jump(3_600_000))
    await page.evaluate(() => window.playground.newMessage())
    await outcomes(2)
    const ahead = Number((await launches())[1]?.outcome) - before
    await page.evaluate(() => window.playground.clear())
    expect(ahead).toBeGreaterThanOrEqual(3_600_000)
    expect(ahead).toBeLessThan(2 * 3_600_000)
  })
})

test('the runtime without a page has nothing of a page', async () => {
  const names =
    'window document self location navigator URL URLSearchParams TextEncoder TextDecoder atob btoa Intl crypto fetch ' +
    'localStorage sessionStorage indexedDB caches importScripts postMessage addEventListener onmessage Worker ' +
    'WebSocket MessageChannel structuredClone queueMicrotask performance WebAssembly EventTarget Request Blob'
  const program = programOf(`
    var found = '${names}'.split(' ').filter(function (name) { return eval('typeof ' + name) !== 'undefined' })
    var has = [typeof XMLHttpRequest, typeof setTimeout, typeof console, typeof OfficeRuntime.storage.getItem]
    done('none' + found.join() + ' ' + has.join())`)
  const { outcomes } = await openWith(program, 'classic')
  expect(await outcomes(1)).toEqual(['newMessage none function,function,object,function'])
})
