import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from 'playwright-core'
import type { RunningPlayground } from '../../src/playground/launch.ts'
import { FRESH_MS } from '../../streams/launch/cachedDefault.ts'
import { type Insertion, launchTable } from './launchTable.ts'
import { addressOf, TIMEOUT_MS } from './pane.ts'

// From a launch event to the signature in the message, in both runtimes, beside a start of the pane.

const PERSON = 'alex.kim@northwind.example'
const RUNTIMES = ['page', 'classic'] as const
const SET_SIGNATURE = 'body.setSignatureAsync'
/** What ended or was closed needs this long until it no longer works beside the next. */
const SETTLE_MS = 500

/** By which each call takes longer, in milliseconds. */
export type Delays = Readonly<{ mailClientMs: number; serviceMs: number }>

type Tab = Readonly<{
  page: Page
  network: CDPSession
  origin: string
  /** The requests to the service so far. */
  requests: () => number
  delays: Delays
}>

type Told = Readonly<{ ms: number; calls: number }>

/**
 * Begins a message, and opens the pane if told. Resolves when the signature is in the message: after the call that sets
 * it, which takes its effect `mailClientMs` after it arrived.
 */
async function begin({ page, delays }: Tab, opensPane: boolean): Promise<Told> {
  // From a message to another Outlook takes time of its own.
  await page.evaluate(() => window.playground.switchTo(null))
  await pause(SETTLE_MS)
  const start = await page.evaluate((opens) => {
    const at = Date.now()
    window.playground.newMessage()
    if (opens) window.playground.openPane()
    return at
  }, opensPane)
  const found = await page.waitForFunction(
    ([since, wanted]) => {
      const calls = window.playground.snapshot().calls.filter(({ at }) => at >= since)
      const index = calls.findIndex(({ name, ok }) => name === wanted && ok)
      const call = calls[index]
      return call && { at: call.at, calls: index + 1 }
    },
    [start, SET_SIGNATURE] as const,
    { polling: 20 },
  )
  const told = (await found.jsonValue()) as { at: number; calls: number }
  return { ms: told.at + delays.mailClientMs - start, calls: told.calls }
}

async function startPane(tab: Tab): Promise<Insertion> {
  const { page } = tab
  await page.evaluate(() => window.playground.launch('off'))
  const told = await begin(tab, true)
  await page.frameLocator('iframe[title="Signet"]').getByRole('option').first().waitFor()
  // It has stored by then what the next start begins with.
  await pause(SETTLE_MS)
  await page.evaluate(() => window.playground.closePane())
  return { ...told, whole: null }
}

async function raise(tab: Tab, runtime: (typeof RUNTIMES)[number]): Promise<Insertion> {
  const { page } = tab
  await page.evaluate((mode) => window.playground.launch(mode), runtime)
  const before = tab.requests()
  const { ms } = await begin(tab, false)
  await page.waitForFunction(() => window.playground.launches().at(-1)?.outcome !== 'running')
  const launch = await page.evaluate(() => window.playground.launches().at(-1))
  if (launch?.outcome !== 'inserted') throw new Error(`${runtime}: ${launch?.outcome ?? 'nothing raised'}`)
  return {
    ms,
    calls: launch.calls.findIndex((name) => name === SET_SIGNATURE) + 1,
    whole: { calls: launch.calls.length, requests: tab.requests() - before },
  }
}

/** Forgets everything that an add-in keeps on this device, its files included. */
async function forget({ network, origin }: Tab): Promise<void> {
  await network.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await network.send('Network.clearBrowserCache')
}

async function slowDown({ page, delays: { mailClientMs, serviceMs } }: Tab): Promise<void> {
  await page.evaluate((ms) => window.playground.delay('*', ms), mailClientMs)
  await page.evaluate(
    (ms) => window.playground.service('*', ms === 0 ? null : `slow-${String(ms)}`),
    serviceMs,
  )
}

/** What the runtime kept grows old, and the service stops, until the work is done. */
async function withoutService<T>(tab: Tab, work: () => Promise<T>): Promise<T> {
  const { page } = tab
  await page.evaluate((ms) => window.playground.jump(ms), FRESH_MS + 60_000)
  await page.evaluate(() => window.playground.service('*', 'down'))
  try {
    return await work()
  } finally {
    await page.evaluate(() => window.playground.clear())
    await slowDown(tab)
  }
}

/** One round: each way once, in turns. The names are those of the table's lines. */
async function measureRound(
  browser: Browser,
  { url, serviceUrl }: RunningPlayground,
  delays: Delays,
): Promise<readonly (readonly [string, Insertion])[]> {
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1400, height: 900 },
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(TIMEOUT_MS)
  try {
    const page = await context.newPage()
    let requests = 0
    context.on('request', (request) => {
      const { origin, pathname } = new URL(request.url())
      if (origin === serviceUrl && !pathname.startsWith('/_control/')) requests += 1
    })
    await page.goto(`${addressOf(url, PERSON)}&pane=closed`)
    await page.waitForLoadState('networkidle')
    const network = await context.newCDPSession(page)
    const tab: Tab = { page, network, origin: new URL(url).origin, requests: () => requests, delays }
    await slowDown(tab)
    const measured: [string, Insertion][] = []
    await forget(tab)
    measured.push([PANE_COLD, await startPane(tab)])
    measured.push([PANE_WARM, await startPane(tab)])
    for (const runtime of RUNTIMES) {
      await forget(tab)
      measured.push([`${runtime}, cold: nothing kept`, await raise(tab, runtime)])
      measured.push([`${runtime}, kept: a fresh copy`, await raise(tab, runtime)])
      const offline = await withoutService(tab, () => raise(tab, runtime))
      measured.push([`${runtime}, offline: an old copy`, offline])
    }
    await page.evaluate(() => window.playground.clear())
    return measured
  } finally {
    await context.close()
  }
}

const PANE_COLD = 'the pane, cold'
const PANE_WARM = 'the pane, warm'

/** Measures with slower calls. A round before the counted ones warms up. Restores the service when it succeeds. */
export async function measureLaunch(
  browser: Browser,
  playground: RunningPlayground,
  { runs, ...delays }: Delays & Readonly<{ runs: number }>,
): Promise<string> {
  const ways = new Map<string, Insertion[]>()
  for (let run = 0; run <= runs; run++)
    for (const [name, insertion] of await measureRound(browser, playground, delays)) {
      if (run > 0) ways.set(name, [...(ways.get(name) ?? []), insertion])
    }
  const slow = [
    ...(delays.mailClientMs === 0
      ? []
      : [`, each call to the mail client ${String(delays.mailClientMs)} ms longer`]),
    ...(delays.serviceMs === 0
      ? []
      : [`, each request to the service ${String(delays.serviceMs)} ms longer`]),
  ].join('')
  return launchTable(
    `From the event to the signature in the message${slow} (${String(runs)} runs each, in turns)`,
    [...ways].map(([name, insertions]) => ({ name, insertions })),
    PANE_WARM,
  )
}
