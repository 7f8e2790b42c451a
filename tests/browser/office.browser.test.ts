import { STOP_PUSH_KEY } from '../../effects/message/mailbox.ts'
import { WORLDWIDE_LIBRARY_URL } from '../../streams/wire/officeLibrary.ts'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page, Response } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { PROVIDER_LIMIT_MS } from '../../src/engine/hosts/chooseHost.ts'
import { listenLocally, portOf } from '../../src/build/ports.ts'
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
  untilInMessage,
} from './pane.ts'

// The production build, served with the headers that it ships with, in a page that is served under Outlook's name, with
// Microsoft's unmodified library.

const LIBRARY = WORLDWIDE_LIBRARY_URL
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
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
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
const [STANDARD, DEFAULT, SHORT] = ['standard-u-1', 'portrait-u-1', 'short-u-1']
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
})

describe('the pane as it ships, under Outlook’s name', () => {
  test('[PLAY-2] [SAFE-4] a whole session with the real library: a choice, undo, a reply, the theme and a reload; the policy refuses nothing', async () => {
    const opened = await openInOutlook()
    const { page, pane, message, before, violations, exceptions, requested } = opened
    await option(pane, 'Northwind standard').click()
    const chosen = await untilInMessage(opened, STANDARD)
    expect(imagesOf(chosen).attached).toContain('lsi-attachlogo.png')
    expect(imagesOf(before).attached.filter((name) => imagesOf(chosen).attached.includes(name))).toEqual([])
    expect(chosen.signatureHtml).toMatch(
      /<div class="signet" contenteditable="false" data-signet-id="standard-u-1"/,
    )
    await eventually(async () => STOP_PUSH_KEY in (await message()).customProperties).toBe(true)
    await option(pane, 'Short').click()
    expect(imagesOf(await untilInMessage(opened, SHORT))).toEqual({ attached: [], shown: [] })
    await pane.getByRole('button', { name: 'Undo' }).click()
    // The restored pictures have other names: they are attached before the replaced ones are removed.
    const plain = (item: Item) => JSON.stringify(content(item)).replace(/-2\.png/g, '.png')
    expect(plain(await untilInMessage(opened, STANDARD))).toBe(plain(chosen))

    await page.evaluate(() => window.playground.reply())
    const reply = await untilInMessage(opened, DEFAULT)
    // The picture of the quoted message.
    const [quoted = ''] = reply.attachments.map(({ name }) => name)
    expect(reply.bodyHtml).toContain(`cid:${quoted}`)

    // Office runs three calls at a time, and refuses the fourth.
    const { calls } = await snapshot(page)
    expect(calls.filter(({ name, ok }) => !ok && (name === ATTACH || name.startsWith('body.')))).toEqual([])

    const body = pane.locator('body')
    const background = () => body.evaluate((element) => getComputedStyle(element).backgroundColor)
    const light = await background()
    await page.getByRole('combobox', { name: 'Theme' }).selectOption({ label: 'Dark' })
    await expect.poll(background, { timeout: TIMEOUT_MS }).not.toBe(light)
    const dark = await background()
    await page.getByRole('button', { name: 'Reload the pane' }).click()
    await pane.getByRole('listbox').waitFor()
    await expect.poll(background, { timeout: TIMEOUT_MS }).toBe(dark)
    await page.getByRole('combobox', { name: 'Theme' }).selectOption({ label: 'Light' })
    await expect.poll(background, { timeout: TIMEOUT_MS }).toBe(light)

    expect(requested).toContain(LIBRARY)
    expect(requested.filter((address) => address.includes('/office.js') && address !== LIBRARY)).toEqual([])
    expect(exceptions).toEqual([])
    expect(violations).toEqual([])
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
    await to(/^SUMMARY Advanced/)
    await press('Enter')
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

describe('the page of the pane as it ships', () => {
  test('is served with the headers that ship, which refuse and report an inline script', async () => {
    const { page, violations } = await tab()
    const served = (await page.goto(`${office.paneUrl}/taskpane.html`))?.headers() ?? {}
    for (const [name, value] of Object.entries(office.shippedHeaders['taskpane.html'] ?? {})) {
      expect(served[name.toLowerCase()]?.replace(` ${office.url}`, '')).toBe(value)
    }
    await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'window.ran = true'
      document.head.append(script)
    })
    await expect.poll(() => violations.join()).toContain('script-src')
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
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
          await page.clock.fastForward(PROVIDER_LIMIT_MS)
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
    await listenLocally(stranger, 0)
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
  /** The addresses of the sign-in library: each page has one of its own. */
  const signInLibraries = async () =>
    (await holding(LIBRARY_WORDS, await scripts())).map((name) => `${office.paneUrl}/${name}`)
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
    // One per page, that of launch events too: each is bundled by itself.
    expect(library).toHaveLength(4)
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
    const { page, requested } = await tab()
    const responses: Response[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script' && response.url().startsWith(office.paneUrl))
        responses.push(response)
    })
    await page.goto(withoutLaunches())
    const message = async () => openMessage(await snapshot(page))
    const pane = page.frameLocator('iframe[title="Signet"]')
    await untilInMessage({ page, pane, message }, DEFAULT)
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

    // Nor later, where the mail client has no nested app authentication.
    await option(pane, 'Northwind standard').waitFor()
    await pane.locator('body').evaluate(() => new Promise((resolve) => void requestIdleCallback(resolve)))
    const libraries = await signInLibraries()
    expect(requested.some((url) => url.startsWith(office.paneUrl))).toBe(true)
    expect(requested.filter((url) => libraries.includes(url))).toEqual([])
  })

  test('loads the sign-in library in a mail client with nested app authentication', async () => {
    const libraries = await signInLibraries()
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
})
