import { STOP_PUSH } from '../../effects/message/mailbox.ts'
import { WORLDWIDE_LIBRARY } from '../../streams/wire/officeLibrary.ts'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page, Response } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { RESOLVE_LIMIT_MS } from '../../src/engine/hosts/chooseHost.ts'
import { listen, portOf } from '../../src/build/ports.ts'
import type { Playground } from '../../src/playground/scenario/scripting.ts'
import { type OfficePlayground, startOfficePlayground } from '../../src/playground/office/office.ts'
import { ADVICE, FIRST_LOAD } from '../support/sizeGuard.ts'
import { launchChromium } from './chromium.ts'
import { LIBRARY_FOLDER } from './office/realOffice.ts'
import {
  BUILD_LIMIT_MS,
  eventually,
  imagesOf,
  type Item,
  openMessage,
  option,
  signaturesIn,
  untilDefault,
  untilInMessage,
} from './pane.ts'

// The production build, served with the headers that it ships with, in a page that is served under Outlook's name, with
// Microsoft's unmodified library.

const LIBRARY = WORLDWIDE_LIBRARY
const TIMEOUT_MS = 20_000

let folder: string
let office: OfficePlayground
let browser: Browser
const contexts: BrowserContext[] = []
const ending: (() => Promise<void>)[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signet-office-tests-'))
  ending.push(() => rm(folder, { recursive: true, force: true }))
  office = await startOfficePlayground({
    ports: { host: 0, pane: 0, microsoft: 0, service: 0, identityProvider: 0 },
    dataFolder: join(folder, 'data'),
    libraryFolder: LIBRARY_FOLDER,
    tell: (line) => process.stderr.write(`${line}\n`),
  })
  ending.push(office.close)
  browser = await launchChromium({ args: [...office.browserArguments] })
  ending.push(() => browser.close())
}, BUILD_LIMIT_MS)
let shared: Awaited<ReturnType<typeof openInOutlook>> | null = null
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') shared = null
  for (const context of contexts.splice(0)) {
    if (context === shared?.page.context()) contexts.push(context)
    else await context.close()
  }
})
afterAll(async () => {
  for (const end of ending.reverse()) await end()
})

declare global {
  interface Window {
    tellViolation(text: string): Promise<void>
  }
}

/** A tab, with its refusals by a content security policy, its exceptions and its requests. */
async function tab(): Promise<{
  page: Page
  violations: string[]
  exceptions: string[]
  requested: string[]
}> {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1400, height: 900 } })
  contexts.push(context)
  context.setDefaultTimeout(TIMEOUT_MS)
  const violations: string[] = []
  const exceptions: string[] = []
  const requested: string[] = []
  await context.exposeFunction('tellViolation', (text: string) => void violations.push(text))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
      void window.tellViolation(`${violatedDirective} ${blockedURI} ${sourceFile}`)
    })
  })
  context.on('console', (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text())
  })
  context.on('weberror', (error) => exceptions.push(String(error.error().stack)))
  context.on('request', (request) => requested.push(request.url()))
  return { page: await context.newPage(), violations, exceptions, requested }
}

const snapshot = (page: Page) =>
  page.evaluate(() => (window as unknown as { playground: Playground }).playground.snapshot())
const [STANDARD, DEFAULT, SHORT, SALES] = ['standard-u-1', 'portrait-u-1', 'short-u-1', 'sales_desk-u-2']
const ATTACH = 'addFileAttachmentFromBase64Async'

/** The parts of a message that the recipient gets. */
const content = ({ bodyHtml, attachments }: Item) => ({
  bodyHtml,
  attachments: attachments.map(({ name, size, isInline }) => ({ name, size, isInline })),
})

/** Outlook's page, where the pane works alone: without launch events. */
const withoutLaunches = () => `${office.outlookUrl}/?launch=off`

/** Opens the pane under Outlook's name. The default is in the first message and the list is loaded. */
async function openInOutlook() {
  const { page, ...noticed } = await tab()
  await page.goto(withoutLaunches())
  const pane = page.frameLocator('iframe[title="Signet"]')
  const message = async () => openMessage(await snapshot(page))
  const opened = { page, pane, message, ...noticed }
  const before = await untilInMessage(opened, DEFAULT)
  await option(pane, 'Northwind standard').waitFor()
  return { ...opened, before }
}

/** The same in a new message, in one tab that tests use in turns; opened again after a test that failed. */
async function openAgain() {
  if (shared) {
    const { page, pane } = shared
    await page.evaluate(() => {
      window.playground.restore()
      window.playground.newMessage()
    })
    await pane.getByRole('combobox', { name: 'Search signatures' }).fill('')
  }
  shared ??= await openInOutlook()
  const before = await untilInMessage(shared, DEFAULT)
  await option(shared.pane, 'Northwind standard').waitFor()
  return { ...shared, before }
}

describe('launch events under Outlook’s name', () => {
  const launches = async (page: Page) =>
    (await page.evaluate(() => window.playground.launches())).map(({ kind, outcome }) => `${kind} ${outcome}`)
  const untilSigned = async (page: Page) => {
    await eventually(async () => signaturesIn(openMessage(await snapshot(page)))).toEqual([DEFAULT])
    return openMessage(await snapshot(page))
  }

  test('[AUTO-22] with the pane closed the launch page as it ships signs a new message and a reply', async () => {
    const { page, violations, exceptions } = await tab()
    await page.goto(`${office.outlookUrl}/?pane=closed`)
    const first = await untilSigned(page)
    await eventually(() => launches(page)).toEqual(['newMessage inserted'])
    await page.evaluate(() => window.playground.reply())
    const reply = await untilSigned(page)
    expect(reply.signatureHtml).not.toBe(first.signatureHtml)
    await eventually(() => launches(page)).toEqual(['newMessage inserted', 'newMessage inserted'])
    for (const message of [first, reply]) expect(imagesOf(message).attached).toEqual(imagesOf(message).shown)
    expect(await page.locator('iframe[title="Signet"]').count()).toBe(0)
    expect(violations).toEqual([])
    expect(exceptions).toEqual([])
  })

  test('[MEET-1] [MEET-3] with the pane closed the launch page as it ships signs a new meeting, above the block of an online meeting', async () => {
    const { page, violations, exceptions } = await tab()
    await page.goto(`${office.outlookUrl}/?pane=closed&open=meeting`)
    const meeting = async () => openMessage(await snapshot(page))
    await eventually(async () => signaturesIn(await meeting())).toEqual([STANDARD])
    await eventually(async () => (await launches(page)).at(-1)).toBe('newMessage inserted')
    const before = (await launches(page)).length
    await page.evaluate(() => window.playground.addOnlineMeeting())
    await page.getByText('Online meeting added').waitFor()
    await page.evaluate(() =>
      window.playground.setRecipients({
        to: [{ name: 'Claire', address: 'claire.dubois@fabrikam.example' }],
      }),
    )
    await eventually(async () => (await launches(page)).slice(before)).toEqual(['recipientsChanged already'])
    const { bodyHtml, kind } = await meeting()
    expect(kind).toBe('meeting')
    expect(signaturesIn(await meeting())).toEqual([STANDARD])
    expect(bodyHtml.indexOf('signet_')).toBeLessThan(bodyHtml.indexOf('Join the meeting now'))
    expect(bodyHtml).toContain('<b>Alex Kim</b>')
    expect(violations).toEqual([])
    expect(exceptions).toEqual([])
  })

  test('[AUTO-22] pane and launch page beside each other leave one signature', async () => {
    const { page, exceptions } = await tab()
    await page.goto(office.outlookUrl)
    const pane = page.frameLocator('iframe[title="Signet"]')
    await pane.getByRole('heading', { name: 'In this message' }).waitFor()
    await page.evaluate(() => window.playground.newMessage())
    await eventually(async () => (await launches(page)).at(-1)).toMatch(/^newMessage (inserted|already)$/)
    await untilDefault(pane)
    const message = await untilSigned(page)
    expect(imagesOf(message).attached).toEqual(imagesOf(message).shown)
    expect(exceptions).toEqual([])
  })
})

describe('signatures under Outlook’s name', () => {
  test('[INS-1] [INS-2] [INS-3] [SIG-5] [SAFE-1] [SAFE-4] a choice replaces the previous one; undo restores it', async () => {
    const opened = await openAgain()
    const { page, pane, message, before, violations } = opened
    await page.getByRole('textbox', { name: 'Subject' }).fill('Autumn')
    await option(pane, 'Northwind standard').click()
    const chosen = await untilInMessage(opened, STANDARD)
    expect(imagesOf(chosen).attached).toContain('lsi-attachlogo.png')
    expect(imagesOf(chosen).attached).toEqual(imagesOf(chosen).shown)
    expect(imagesOf(before).attached.filter((name) => imagesOf(chosen).attached.includes(name))).toEqual([])
    expect(chosen.signatureHtml).toMatch(
      /<div class="signet" contenteditable="false" data-signet-id="standard-u-1"/,
    )
    await eventually(async () => STOP_PUSH in (await message()).customProperties).toBe(true)

    // The same choice again writes nothing. Another choice removes the one with pictures, then inserts.
    const written = async () =>
      (await snapshot(page)).calls.filter(({ name }) => name === 'body.setSignatureAsync').length
    const earlier = await written()
    await option(pane, 'Northwind standard').click()
    await option(pane, 'Short').click()
    await untilInMessage(opened, SHORT)
    expect((await written()) - earlier).toBe(2)
    expect(imagesOf(await message())).toEqual({ attached: [], shown: [] })
    await pane.getByRole('button', { name: 'Undo' }).click()
    // The restored pictures have other names: they are attached before the replaced ones are removed.
    const plain = (item: Item) => JSON.stringify(content(item)).replace(/-2\.png/g, '.png')
    expect(plain(await untilInMessage(opened, STANDARD))).toBe(plain(chosen))

    // Office runs three calls at a time, and refuses the fourth.
    const { calls } = await snapshot(page)
    expect(calls.filter(({ name, ok }) => !ok && (name === ATTACH || name.startsWith('body.')))).toEqual([])
    expect(violations).toEqual([])
  })

  test('[INS-4] a switch during an insertion leaves the other message alone, and both end intact', async () => {
    const opened = await openAgain()
    const { page, pane, message, before: first } = opened
    const second = await page.evaluate(() => window.playground.newMessage())
    const before = await untilInMessage(opened, DEFAULT)
    await untilDefault(pane)
    const attachments = async () =>
      (await snapshot(page)).calls.filter(({ name, item }) => name === ATTACH && item === second).length
    const earlier = await attachments()
    await page.evaluate((call) => window.playground.delay(call, 700), ATTACH)
    await option(pane, 'Northwind standard').click()
    await eventually(attachments).toBeGreaterThan(earlier)
    await page.evaluate((id) => window.playground.switchTo(id), first.id)
    await pane.getByText('You switched to another message before this was finished.').waitFor()
    expect(content(await message())).toEqual(content(first))
    await page.evaluate((id) => {
      window.playground.restore()
      window.playground.switchTo(id)
    }, second)
    await eventually(async () => content(await message())).toEqual(content(before))
  })

  test('[INS-5] two quick choices end with the later one, once, with its images only', async () => {
    const opened = await openAgain()
    const { page, pane } = opened
    await page.evaluate(() => window.playground.delay('body.setSignatureAsync', 400))
    await option(pane, 'Northwind standard').click()
    await option(pane, 'Short').click()
    await page.evaluate(() => window.playground.restore())
    expect(imagesOf(await untilInMessage(opened, SHORT))).toEqual({ attached: [], shown: [] })
  })

  test.each([
    ['the signature', 'body.setSignatureAsync'],
    ['an image', ATTACH],
  ])(
    '[INS-6] when Outlook refuses %s, the previous signature stays intact, and the retry works',
    async (_, call) => {
      const opened = await openAgain()
      const { page, pane, message, before } = opened
      await page.evaluate(
        (name) => window.playground.fail(name, { code: 9007, name: 'AttachmentUploadGeneralFailure' }, 1),
        call,
      )
      await option(pane, 'Northwind standard').click()
      const told = pane.getByRole('alert').filter({ hasText: 'The signature wasn’t inserted' })
      await told.getByText('Outlook reported an error').waitFor()
      await eventually(async () => content(await message())).toEqual(content(before))
      await told.getByRole('button', { name: 'Try again' }).click()
      await untilInMessage(opened, STANDARD)
    },
  )

  test('[SIG-8] [SAFE-3] a reply gets the reply version, and keeps the picture of the quoted message', async () => {
    const opened = await openAgain()
    const { page, pane, before: first } = opened
    await page.evaluate(() => window.playground.reply())
    const reply = await untilInMessage(opened, DEFAULT)
    expect(reply.signatureHtml).not.toBe(first.signatureHtml)
    const [quoted = ''] = reply.attachments.map(({ name }) => name)
    expect(reply.bodyHtml).toContain(`cid:${quoted}`)
    await option(pane, 'Northwind standard').click()
    const chosen = await untilInMessage(opened, STANDARD)
    expect(chosen.attachments.map(({ name }) => name)).toContain(quoted)
    await option(pane, 'Short').click()
    const short = await untilInMessage(opened, SHORT)
    expect(short.attachments.map(({ name }) => name)).toEqual([quoted])
    expect(short.bodyHtml).toContain(`cid:${quoted}`)
  })

  test('[CHOOSE-3] [SAFE-5] “No signature” is a choice that the message remembers', async () => {
    const opened = await openAgain()
    const { page, pane, message, before } = opened
    await pane.getByRole('combobox', { name: 'Search signatures' }).fill('no sig')
    await option(pane, 'No signature').click()
    await eventually(async () => signaturesIn(await message())).toEqual([])
    await eventually(async () => STOP_PUSH in (await message()).customProperties).toBe(true)
    await page.evaluate(() => window.playground.newMessage())
    await untilInMessage(opened, DEFAULT)
    await page.evaluate((id) => window.playground.switchTo(id), before.id)
    await option(pane, 'No signature').and(pane.locator('[aria-selected=true]')).waitFor()
    expect(signaturesIn(await message())).toEqual([])
    expect((await message()).attachments).toEqual([])
  })

  test('[HOST-6] [SIG-10] [CHOOSE-2] recipients and sender decide which signatures match', async () => {
    const opened = await openAgain()
    const { page, pane } = opened
    await page.evaluate(() =>
      window.playground.setRecipients({
        to: [{ name: 'Priya Shah', address: 'Priya@Elsewhere.example' }],
        cc: [{ name: 'Else', address: 'else@elsewhere.example' }],
      }),
    )
    await pane.getByRole('combobox', { name: 'Search signatures' }).fill('colleagues')
    await option(pane, 'Colleagues').getByText('northwind.example').waitFor()
    await page.evaluate(() =>
      window.playground.setFrom({ name: 'Sales desk', address: 'sales@northwind.example' }),
    )
    expect(signaturesIn(await untilInMessage(opened, SALES))).toEqual([SALES])
  })
})

describe('meetings under Outlook’s name', () => {
  test('[MEET-1] [MEET-2] a new meeting is signed, one that exists is left until the organiser chooses', async () => {
    const { page, pane, violations, exceptions } = await openInOutlook()
    const meeting = async () => openMessage(await snapshot(page))
    await page.evaluate(() => window.playground.newMeeting())
    await eventually(async () => signaturesIn(await meeting())).toEqual([STANDARD])
    const bar = pane.getByRole('region', { name: 'In this meeting' })
    await bar.getByText('Your organisation’s signature for meetings').waitFor()
    await option(pane, 'With portrait').click()
    await eventually(async () => signaturesIn(await meeting())).toEqual([DEFAULT])
    expect((await meeting()).attachments.length).toBeGreaterThan(0)
    await bar.getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => signaturesIn(await meeting())).toEqual([STANDARD])

    const writes = async () =>
      (await snapshot(page)).calls.filter(({ name }) => name.startsWith('body.set')).length
    const before = await writes()
    await page.evaluate(() => window.playground.switchTo('meeting-1'))
    await bar.getByText('Nothing goes into an existing meeting by itself.').waitFor()
    expect(await writes()).toBe(before)
    await option(pane, 'Short').click()
    await eventually(async () => signaturesIn(await meeting())).toEqual([SHORT])
    await page.evaluate(() => window.playground.switchTo('meeting-2'))
    await bar.getByText('You’re looking at a meeting').waitFor()
    expect(violations).toEqual([])
    expect(exceptions).toEqual([])
  })
})

describe('the keyboard under Outlook’s name, whose library handles Tab and Escape before the browser', () => {
  test('reaches every view, and passes Escape to Outlook only when the pane has nothing to close', async () => {
    const opened = await openInOutlook()
    const { page, pane } = opened
    // The library's notifications to Outlook: 13 when Tab leaves the pane, 15 when Escape does.
    await page.evaluate(() => {
      const told: unknown[] = []
      Object.assign(window, { told })
      addEventListener('message', ({ data }) => {
        if (typeof data !== 'string' || !data.includes('ContextActivationManager_notifyHost')) return
        told.push((JSON.parse(data) as { _data: readonly unknown[] })._data[1])
      })
    })
    const leaving = async (): Promise<readonly number[]> => {
      const told = await page.evaluate(() => (window as unknown as { told: number[] }).told.splice(0))
      return told.filter((action) => action >= 13 && action <= 15)
    }
    const focused = () =>
      pane.locator('body').evaluate(({ ownerDocument: { activeElement } }) => {
        const name = activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? ''
        return `${activeElement?.getAttribute('role') ?? activeElement?.tagName ?? ''} ${name}`
      })
    const press = (key: string) => page.keyboard.press(key)
    const to = async (place: RegExp) => {
      for (let presses = 0; presses < 40 && !place.test(await focused()); presses++) await press('Tab')
      expect(await focused()).toMatch(place)
    }

    await page.locator('iframe[title="Signet"]').focus()
    await to(/^combobox/)
    await page.keyboard.type('short')
    await eventually(() => pane.getByRole('option').count()).toBe(1)
    await press('Enter')
    await untilInMessage(opened, SHORT)
    await press('Escape')
    await eventually(() => pane.getByRole('combobox').inputValue()).toBe('')
    await press('Escape')
    await untilInMessage(opened, DEFAULT)
    await eventually(focused).toBe('combobox Search signatures')

    // An option, its menu, a dialog: Escape closes each, and Tab stays in the dialog.
    await to(/^BUTTON More options for/)
    await press('Enter')
    await eventually(focused).toMatch(/^menuitem/)
    await press('Escape')
    await eventually(focused).toMatch(/^BUTTON More options for/)
    await press('Enter')
    await press('End')
    await eventually(focused).toMatch(/^menuitem Large preview/)
    await press('Enter')
    await eventually(focused).toBe('BUTTON Close')
    await to(/^BUTTON Insert/)
    await press('Tab')
    await eventually(focused).toBe('BUTTON Close')
    await press('Escape')
    await eventually(focused).toMatch(/^BUTTON More options for/)

    // From the heading of another view, which the library does not count as focusable, into that view.
    await to(/^A Settings/)
    await press('Enter')
    await eventually(focused).toBe('H1 Settings')
    await press('Tab')
    await eventually(focused).toMatch(/^switch/)
    await to(/^SUMMARY For your helpdesk/)
    // The last element. Escape closes what it opened.
    await to(/^BUTTON Account: .*@northwind/)
    await press('Enter')
    await pane.getByRole('button', { name: 'Sign out' }).waitFor()
    await press('Escape')
    await eventually(() => pane.getByRole('button', { name: 'Sign out' }).count()).toBe(0)
    expect(await focused()).toMatch(/^BUTTON Account/)
    expect(await leaving()).toEqual([])

    // After the last element, and with nothing to close, the library notifies Outlook.
    await press('Tab')
    await eventually(leaving).toEqual([13])
    await press('Escape')
    await eventually(leaving).toEqual([15])
  })
})

describe('the pane as it ships, under Outlook’s name', () => {
  test('[PLAY-2] works through a whole session with the real library, and its policy refuses nothing', async () => {
    const opened = await openInOutlook()
    const { page, pane, violations, exceptions, requested } = opened
    await option(pane, 'Northwind standard').click()
    const { signatureHtml: chosen } = await untilInMessage(opened, STANDARD)

    await page.evaluate(() => window.playground.reply())
    await untilInMessage(opened, DEFAULT)
    const { items, calls } = await snapshot(page)
    expect(items.map(({ signatureHtml }) => signatureHtml)).toContain(chosen)
    expect(
      calls.filter(({ name, ok }) => name === 'body.setSignatureAsync' && ok).length,
    ).toBeGreaterThanOrEqual(3)

    expect(requested).toContain(LIBRARY)
    expect(requested.filter((address) => address.includes('/office.js') && address !== LIBRARY)).toEqual([])
    expect(exceptions).toEqual([])
    expect(violations).toEqual([])
  })

  test('[PLAY-2] follows the theme of Outlook, also after a reload', async () => {
    const { page, violations } = await openInOutlook()
    const body = page.frameLocator('iframe[title="Signet"]').locator('body')
    const background = () => body.evaluate((element) => getComputedStyle(element).backgroundColor)
    const light = await background()
    await page.getByRole('combobox', { name: 'Theme' }).selectOption({ label: 'Dark' })
    await expect.poll(background, { timeout: TIMEOUT_MS }).not.toBe(light)
    const dark = await background()
    await page.getByRole('button', { name: 'Reload the pane' }).click()
    await page.frameLocator('iframe[title="Signet"]').getByRole('listbox').waitFor()
    await expect.poll(background, { timeout: TIMEOUT_MS }).toBe(dark)
    await page.getByRole('combobox', { name: 'Theme' }).selectOption({ label: 'Light' })
    await expect.poll(background, { timeout: TIMEOUT_MS }).toBe(light)
    expect(violations).toEqual([])
  })

  test('refuses and reports an inline script, by its policy', async () => {
    const { page, violations } = await openInOutlook()
    const pane = page.frames().find((frame) => frame.url().startsWith(office.paneUrl))
    await pane?.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'window.ran = true'
      document.head.append(script)
    })
    await expect.poll(() => violations.join()).toContain('script-src')
    expect(await pane?.evaluate(() => 'ran' in window)).toBe(false)
  })

  test("says that it cannot start when Microsoft's library does not load", async () => {
    const { page } = await tab()
    await page.clock.install()
    await page.route(LIBRARY, (route) => route.abort())
    await page.goto(withoutLaunches())
    const told = page.frameLocator('iframe[title="Signet"]').getByText('Outlook didn’t respond')
    // The test cannot know when the pane's time limit starts.
    await expect
      .poll(
        async () => {
          await page.clock.fastForward(RESOLVE_LIMIT_MS)
          return told.count()
        },
        { timeout: TIMEOUT_MS },
      )
      .toBe(1)
  })

  test('[HOST-1] says that it cannot start in a browser without Outlook', async () => {
    const { page, violations } = await tab()
    await page.goto(`${office.paneUrl}/taskpane.html`)
    await page.getByRole('alert').getByText('Signet can’t start here').waitFor()
    expect(violations).toEqual([])
  })

  test('refuses to be framed by a page other than Outlook', async () => {
    const stranger = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html')
      response.end(`<iframe src="${office.paneUrl}/taskpane.html"></iframe>`)
    })
    await listen(stranger, 0)
    ending.push(() => new Promise((resolve) => void stranger.close(() => resolve())))
    const { page } = await tab()
    const answered = page.waitForResponse((response) => response.url().startsWith(office.paneUrl))
    await page.goto(`http://localhost:${portOf(stranger)}`)
    expect((await answered).status()).toBe(200)
    await expect.poll(() => page.frames().at(1)?.url()).toMatch(/^chrome-error:/)
  })
})

describe('the build', () => {
  const www = () => office.built.www
  const read = (name: string) => readFile(join(www(), name), 'utf8')
  const scripts = async () => (await readdir(www())).filter((name) => name.endsWith('.js'))
  /** Strings that only the library contains. */
  const LIBRARY_WORDS = ['msal.js.browser', 'PublicClientApplication', 'GetInitContext']
  const holding = async (words: readonly string[], names: readonly string[]) => {
    const texts = await Promise.all(names.map(async (name) => [name, await read(name)] as const))
    return texts
      .filter(([, text]) => words.some((word) => text.includes(word)))
      .map(([name]) => name)
      .sort()
  }
  /** The scripts that a page loads eagerly: its own, and those that they import statically. */
  const eagerScripts = async (page: string): Promise<readonly string[]> => {
    const found = new Set<string>()
    const follow = async (name: string) => {
      if (found.has(name)) return
      found.add(name)
      for (const [, next = ''] of (await read(name)).matchAll(/\bimport\s*["']\.\/([^"']+\.js)["']/g))
        await follow(next)
    }
    for (const [, name = ''] of (await read(page)).matchAll(/<script[^>]*?\ssrc="?\/([^\s">]+)/g))
      await follow(name)
    return [...found]
  }

  test('has the sign-in library in a file of its own, and not in the eager scripts of a page', async () => {
    const library = await holding(LIBRARY_WORDS, await scripts())
    // One per page: each is bundled by itself.
    expect(library).toHaveLength(3)
    for (const word of LIBRARY_WORDS) expect([word, await holding([word], library)]).toEqual([word, library])
    for (const page of ['taskpane.html', 'index.html', 'administration.html']) {
      const eager = await eagerScripts(page)
      expect(eager.length).toBeGreaterThan(0)
      expect([page, await holding(LIBRARY_WORDS, eager)]).toEqual([page, []])
    }
    // The search works: it finds the marker of a signature in an eager script.
    expect(await holding(['data-signet-id'], await eagerScripts('taskpane.html'))).not.toEqual([])
  })

  test('[START-2] stays within its guard until the first signature is in the message, and loads no sign-in library', async () => {
    const { page } = await tab()
    const responses: Response[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script' && response.url().startsWith(office.paneUrl))
        responses.push(response)
    })
    await page.goto(withoutLaunches())
    const message = async () => openMessage(await snapshot(page))
    await untilInMessage({ page, pane: page.frameLocator('iframe[title="Signet"]'), message }, DEFAULT)
    const { calls } = await snapshot(page)
    // In milliseconds since the epoch, as the start of a request.
    const signed = calls.find(({ name }) => name === 'body.setSignatureAsync')?.at ?? 0
    const before = responses.filter((response) => response.request().timing().startTime < signed)
    const loaded = await Promise.all(
      before.map(async (response) => ({ url: response.url(), text: await response.text() })),
    )
    const size = loaded.reduce((sum, { text }) => sum + gzipSync(text).length, 0)
    expect(size).toBeGreaterThan(50_000)
    for (const words of ['PublicClientApplication', 'msal.', 'BrowserAuthError', 'login.microsoftonline.com'])
      expect([words, loaded.some(({ text }) => text.includes(words))]).toEqual([words, false])
    const each = loaded.map(({ url, text }) => `${url} ${String(gzipSync(text).length)}`).join(', ')
    expect(size, `${each}. ${ADVICE}`).toBeLessThanOrEqual(FIRST_LOAD.gzip)
  })

  test('loads the sign-in library only in a mail client with nested app authentication', async () => {
    // Each page has a library of its own.
    const libraries = (await holding(LIBRARY_WORDS, await scripts())).map(
      (name) => `${office.paneUrl}/${name}`,
    )
    const without = await openInOutlook()
    await without.page.waitForLoadState('networkidle')
    expect(without.requested.some((url) => url.startsWith(office.paneUrl))).toBe(true)
    expect(without.requested.filter((url) => libraries.includes(url))).toEqual([])

    const { page } = await tab()
    await page.addInitScript(() => {
      const nestedAppAuthBridge = { addEventListener() {}, removeEventListener() {}, postMessage() {} }
      Object.assign(window, { nestedAppAuthBridge })
    })
    await Promise.all([
      page.waitForRequest((request) => libraries.includes(request.url())),
      page.goto(withoutLaunches()),
    ])
  })

  test('loads only the forwarding script on the redirect page of the identity provider', async () => {
    const { page, requested } = await tab()
    await page.goto(`${office.paneUrl}/index.html#state=unknown&code=unknown`)
    await page.waitForLoadState('networkidle')
    const loaded = requested.map((url) => url.split('/').at(-1) ?? '').filter((name) => name.endsWith('.js'))
    expect(loaded.filter((name) => name.startsWith('callback.'))).toHaveLength(1)
    expect(await holding([...LIBRARY_WORDS, 'createRoot'], loaded)).toEqual([])
    expect(loaded).toHaveLength(2)
  })

  test('has a content hash in every file name but those of pages, icons, licences and what the manifest names, and contains no source map', async () => {
    const names = await readdir(www())
    expect(names).toContain('taskpane.html')
    expect(names).toContain('index.html')
    const unhashed = names.filter((name) => !/\.[0-9a-f]{8}\.\w+$/.test(name))
    expect(
      unhashed.filter(
        (name) =>
          !/^(taskpane|launch|index|administration)\.html$|^launch(?:-guard)?\.js$|^icon-\d+\.png$|^licences\.txt$/.test(
            name,
          ),
      ),
    ).toEqual([])
    for (const name of names.filter((file) => /\.(js|css)$/.test(file))) {
      expect(await readFile(join(www(), name), 'utf8')).not.toContain('sourceMappingURL')
    }
    expect((await readdir(office.built.maps)).length).toBeGreaterThan(0)
  })

  test("has Microsoft's library as the only script of another origin in the page", async () => {
    const page = await readFile(join(www(), 'taskpane.html'), 'utf8')
    const scripts = [...page.matchAll(/<script[^>]*?\ssrc="?([^\s">]+)/g)].map(([, address]) => address)
    expect(scripts.filter((address) => !address?.startsWith('/'))).toEqual([LIBRARY])
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>/)
  })

  test('is served with the headers that ship', async () => {
    const { page } = await tab()
    const served = (await page.goto(`${office.paneUrl}/taskpane.html`))?.headers() ?? {}
    for (const [name, value] of Object.entries(office.shippedHeaders['taskpane.html'] ?? {})) {
      expect(served[name.toLowerCase()]?.replace(` ${office.url}`, '')).toBe(value)
    }
  })
})
