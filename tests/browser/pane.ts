import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  FrameLocator,
  Page,
  Request,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, vi } from 'vitest'
import type { Playground } from '../../src/playground/scenario/scripting.ts'
import type { ServerFault } from '../../src/server/faults.ts'
import { sharedChromium } from './chromium.ts'
import { launchFirefox } from './firefox.ts'
import { releaseServers, servers } from './servers.ts'

/** What ships is built by the first test that needs it, on a machine that may be busy. */
export const BUILD_LIMIT_MS = 600_000
/** Longer than any step takes on a busy machine. */
const TIMEOUT_MS = 40_000

export const ALEX = 'alex.kim@northwind.example'
export const MARIA = 'maria.silva@northwind.example'
export const JONAS = 'jonas.weber@northwind.example'
export const TESS = 'tess.edge@northwind.example'
export const STRANGER = 'stranger@elsewhere.example'

export type Snapshot = ReturnType<Playground['snapshot']>
export type Item = Snapshot['items'][number]

/** The requests of a page, and its errors. */
export type Noticed = Readonly<{
  requests: readonly Request[]
  /** Refusals of a content security policy, from the browser's event and from its console. */
  violations: readonly string[]
  /** Uncaught exceptions. */
  exceptions: readonly string[]
  dialogs: readonly string[]
}>

/** The playground in a tab with its own storage, and the pane in it. */
export type Opened = Readonly<{
  context: BrowserContext
  page: Page
  pane: FrameLocator
  noticed: Noticed
  snapshot: () => Promise<Snapshot>
  /** The message that is open. Fails when none is. */
  message: () => Promise<Item>
}>

/** What a tab takes on after it has been opened, so that its context can be one that other tests have used. */
export type TabOptions = Pick<
  BrowserContextOptions,
  'viewport' | 'permissions' | 'colorScheme' | 'forcedColors' | 'reducedMotion'
>

/**
 * `query`: the rest of the scenario, as the address of the playground has it; by default the pane works alone. `arrange`:
 * what to do with the page before the playground loads.
 */
export type OpenOptions = Readonly<
  { person?: string; query?: string; arrange?: (page: Page) => Promise<unknown> } & TabOptions
>

/** Without launch events. */
const ALONE = '&launch=off'

/** Contexts of the shared Chromium that no test uses. They keep the browser's caches, which makes pages load faster. */
const free: BrowserContext[] = []

/**
 * The browser for the tests of a file: the shared Chromium, one that `launchOwn` starts for this file, or Firefox when
 * the tests run in Firefox. Tabs are closed as soon as no test runs, because a tab in the background keeps running and
 * slows the next test down.
 *
 * `tab` opens an empty tab with its own storage; `keep` leaves it open after its test, until a test fails.
 *
 * `share` is for the tests that do not depend on how the pane starts: they use one playground in turns. The first of them
 * opens it, and each other one begins at the dashboard, with a new message and without faults of the mail client. It is
 * opened again after a test that failed.
 */
export function useBrowser(launchOwn?: () => Promise<Browser>): {
  browser: () => Browser
  tab: (options?: TabOptions) => Promise<Page>
  keep: (page: Page) => void
  open: (options?: OpenOptions) => Promise<Opened>
  share: (options?: OpenOptions) => Promise<Opened>
} {
  let shared: Opened | null = null
  /** Their tabs stay open after a test. */
  const kept = new Set<BrowserContext>()
  const keep = (page: Page) => void kept.add(page.context())
  let browser: Browser | null = null
  const isOwn = launchOwn !== undefined || isFirefox()
  const unused = isOwn ? [] : free
  const lent = new Set<BrowserContext>()
  const running = () => {
    if (!browser) throw new Error('The browser is not running yet')
    return browser
  }
  beforeAll(async () => {
    browser = await (isFirefox() ? launchFirefox() : (launchOwn ?? sharedChromium)())
  })
  let tests = 0
  beforeEach(() => {
    tests += 1
  })
  const takeBack = async () => {
    for (const context of browser?.contexts() ?? []) {
      if (unused.includes(context) || kept.has(context)) continue
      if (isFirefox() || !lent.delete(context)) await context.close()
      else {
        await empty(context)
        unused.push(context)
      }
    }
  }
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') {
      shared = null
      kept.clear()
    }
    tests -= 1
    if (tests === 0) await takeBack()
  })
  afterAll(async () => {
    shared = null
    kept.clear()
    if (isOwn) await browser?.close()
    else await takeBack()
    releaseServers()
  })
  const tab = async ({ viewport, permissions, ...options }: TabOptions = {}): Promise<Page> => {
    const context = unused.pop() ?? (await running().newContext(DEFAULT_OPTIONS))
    lent.add(context)
    if (permissions) await context.grantPermissions([...permissions])
    const page = await context.newPage()
    if (Object.keys(options).length > 0) await page.emulateMedia(options)
    if (viewport) await page.setViewportSize(viewport)
    return page
  }
  const open = async ({ person = ALEX, query = ALONE, arrange, ...options }: OpenOptions = {}) =>
    openPlayground(await tab(options), addressOf(person, query), arrange)
  return {
    browser: running,
    tab,
    keep,
    open,
    async share(options) {
      if (shared) {
        await shared.pane.locator('html').evaluate(() => {
          location.hash = '#/app/dashboard'
        })
        await shared.page.evaluate(() => {
          window.playground.restore()
          window.playground.newMessage()
        })
      }
      shared ??= await open(options)
      keep(shared.page)
      return shared
    },
  }
}

export const isFirefox = (): boolean => inject('browserName') === 'firefox'

/** The address of the playground with this user; by default the pane works alone. */
export const addressOf = (person: string, query = ALONE): string =>
  `${servers().pages}/?person=${encodeURIComponent(person)}${query}`

/** How a tab is when a test asks for nothing else. */
export const DEFAULT_OPTIONS: BrowserContextOptions = {
  locale: 'en-US',
  viewport: { width: 1400, height: 900 },
  reducedMotion: 'reduce',
}

/** Closes the tabs of a context, and deletes what they stored. */
async function empty(context: BrowserContext): Promise<void> {
  await context.setOffline(false)
  await context.unrouteAll()
  await context.clearPermissions()
  const [page = await context.newPage(), ...others] = context.pages()
  for (const other of others) await other.close()
  // A page that runs would block the deletion of its databases.
  await page.goto('about:blank')
  const session = await context.newCDPSession(page)
  const { pages, identityProvider } = servers()
  for (const origin of [pages, identityProvider])
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await context.clearCookies()
  await page.close()
}

async function openPlayground(
  page: Page,
  address: string,
  arrange?: OpenOptions['arrange'],
): Promise<Opened> {
  const context = page.context()
  context.setDefaultTimeout(TIMEOUT_MS)
  const noticed = await watch(page)
  await arrange?.(page)
  await page.goto(address)
  const snapshot = () => page.evaluate(() => window.playground.snapshot())
  return {
    context,
    page,
    pane: page.frameLocator('iframe[title="Signet"]'),
    noticed,
    snapshot,
    message: async () => openMessage(await snapshot()),
  }
}

async function watch(page: Page): Promise<Noticed> {
  const requests: Request[] = []
  const violations: string[] = []
  const exceptions: string[] = []
  const dialogs: string[] = []
  page.on('request', (request) => requests.push(request))
  page.on('pageerror', (error) => {
    // Firefox reports a refusal of the policy as an error too.
    if (/content[- ]security[- ]policy/i.test(error.message)) violations.push(error.message)
    else exceptions.push(String(error))
  })
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text())
  })
  await page.exposeFunction('tellViolation', (violation: string) => void violations.push(violation))
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      const { tellViolation } = window as unknown as { tellViolation?: (violation: string) => void }
      tellViolation?.(`${effectiveDirective} ${blockedURI}`)
    })
  })
  return { requests, violations, exceptions, dialogs }
}

/** The message that is open. Fails when none is. */
export function openMessage({ current, items }: Snapshot): Item {
  const found = items.find(({ id }) => id === current)
  if (!found) throw new Error(`No message is open: ${String(current)}`)
  return found
}

/** Polls `read` until the expectation holds. Fails with the last value. */
export const eventually = <Value>(read: () => Promise<Value> | Value) => {
  const hold = (check: (value: Value) => void) =>
    vi.waitFor(async () => check(await read()), { timeout: TIMEOUT_MS, interval: 40 })
  return {
    toBe: (expected: Value) => hold((value) => expect(value).toBe(expected)),
    toEqual: (expected: unknown) => hold((value) => expect(value).toEqual(expected)),
    toMatchObject: (expected: object) => hold((value) => expect(value).toMatchObject(expected)),
    toMatch: (expected: RegExp | string) => hold((value) => expect(value).toMatch(expected)),
    toHaveLength: (expected: number) => hold((value) => expect(value).toHaveLength(expected)),
    toContain: (expected: string) => hold((value) => expect(value).toContain(expected)),
    toBeGreaterThan: (expected: number) => hold((value) => expect(value).toBeGreaterThan(expected)),
  }
}

/**
 * The combined ids of every signature of Signet in a message, in order, by the id of its element, which every client
 * leaves. More than one is an error.
 */
export const signaturesIn = ({ bodyHtml }: Item): readonly string[] =>
  Array.from(bodyHtml.matchAll(/ id="signet_[\w-]+?_[\da-z]+_([^"]*)"/g), ([, id = '']) =>
    decodeURIComponent(id),
  )

/** Without what names the runtime that wrote a signature. */
export const unmarked = (html: string): string =>
  html.replace(/ (?:data-signet-mark|id)="(?:[^"]*signet_)?[^"]*"/g, (mark) =>
    /^ data|"signet_/.test(mark) ? '' : mark,
  )

/**
 * The names of the inline images that are attached for the signature, and of those that the signature shows. Both are
 * equal when the signature is intact. Images of the quoted message are left out.
 */
export const imagesOf = ({ attachments, signatureHtml, bodyHtml }: Item) => {
  const quoted = imageNames(bodyHtml.replace(signatureHtml, ''))
  return {
    attached: attachments
      .filter(({ isInline, name }) => isInline && !quoted.includes(name))
      .map(({ name }) => name)
      .sort(),
    shown: imageNames(signatureHtml),
  }
}

const imageNames = (html: string): readonly string[] =>
  [...new Set(Array.from(html.matchAll(/cid:([^"')\s]+)/g), ([, name = '']) => name))].sort()

/** One option of the list. */
export const option = (pane: FrameLocator, name: string) => pane.getByRole('option', { name, exact: true })

/** Waits until the bar says that the signature in the message is the default. */
export const untilDefault = (pane: FrameLocator): Promise<void> =>
  pane
    .getByRole('region', { name: 'In this message' })
    .getByText(/^Your (?:organisation’s )?default$/)
    .waitFor()

/** Opens the context menu of an option and chooses an item. */
export async function chooseInMenu(pane: FrameLocator, name: string, item: string): Promise<void> {
  await option(pane, name).click({ button: 'right' })
  await pane.getByRole('menuitem', { name: item, exact: true }).click()
}

/** From now on the service returns these signatures of the user, all on one page. */
export const serveList = (page: Page, objects: readonly object[]): Promise<unknown> =>
  page.route('**/signatures-cache/api/v1/signatures?*', (route) =>
    route.request().method() === 'OPTIONS'
      ? route.continue()
      : route.fulfill({
          headers: { 'Access-Control-Allow-Origin': servers().pages },
          json: { objects, total: objects.length, page: 1 },
        }),
  )

/**
 * Waits until the open message has this signature, once, with its images, and the pane shows it. Fails with the text of
 * the pane and its last events.
 */
export async function untilInMessage(
  { message, page, pane }: Pick<Opened, 'message' | 'page' | 'pane'>,
  combinedIds: string,
): Promise<Item> {
  try {
    await eventually(async () => signaturesIn(await message())).toEqual([combinedIds])
    await pane.getByRole('heading', { name: 'In this message' }).waitFor()
    await eventually(async () => {
      const { attached, shown } = imagesOf(await message())
      return attached.join() === shown.join() ? 'whole' : `${attached.join()} ≠ ${shown.join()}`
    }).toBe('whole')
  } catch (cause) {
    const says = await pane.locator('body').innerText({ timeout: 1000 }).catch(String)
    const events = await page.evaluate(() => window.playground.log().slice(-40)).catch(String)
    throw new Error(
      `${combinedIds} is not in the message. The pane says:\n${says}\nIts last events:\n${JSON.stringify(events).slice(0, 8000)}`,
      { cause },
    )
  }
  return message()
}

/** As long as the longest of the pane's time limits for one answer. */
const LIMIT_MS = 15_000

/**
 * Passes each time limit of a question that gets no answer: the clock jumps whenever more were `asked` than before, from
 * now on. The servers stay ahead until `clearServers`.
 */
export async function passTimeLimits({ page }: Pick<Opened, 'page'>, asked: () => Promise<number>) {
  let known = await asked()
  return {
    until: (isDone: () => Promise<boolean>) =>
      eventually(async () => {
        if (await isDone()) return true
        const now = await asked()
        if (now > known) await page.evaluate((ms) => window.playground.jump(ms), LIMIT_MS)
        known = now
        return false
      }).toBe(true),
  }
}

/** How often this call has been made to the mail client. */
export const callsOf = async ({ snapshot }: Pick<Opened, 'snapshot'>, call: string): Promise<number> =>
  (await snapshot()).calls.filter(({ name }) => name === call).length

const control = async (
  method: string,
  path: string,
  body?: unknown,
  server = servers().service,
): Promise<unknown> => {
  const response = await fetch(`${server}/_control/${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.status === 204 ? null : response.json()
}

/** Clears the faults of both servers, and sets their clocks. */
export async function clearServers(): Promise<void> {
  const { service: first, identityProvider } = servers()
  for (const server of [first, identityProvider]) {
    await control('DELETE', 'faults', undefined, server)
    await control('PUT', 'clock', { ahead: 0 }, server)
  }
}

/** The signature service's own faults and its journal. */
export const service = {
  /** `call` is a method and a path, or `*` for every call. */
  fault: (call: string, fault: ServerFault, times?: number) =>
    control('PUT', 'faults', { call, fault, ...(times === undefined ? {} : { times }) }),
  /** Clears every fault. A request that is delayed already stays delayed. */
  restore: () => control('DELETE', 'faults'),
  /** The requests to the service since `forget`, such as `GET /api/addin/user`. */
  async requests(): Promise<readonly string[]> {
    const entries = (await control('GET', 'requests')) as readonly { method: string; path: string }[]
    return entries.filter(({ method }) => method !== 'OPTIONS').map(({ method, path }) => `${method} ${path}`)
  },
  forget: () => control('DELETE', 'requests'),
  /** Restores the demonstration data. */
  reset: () => control('POST', 'reset'),
}
