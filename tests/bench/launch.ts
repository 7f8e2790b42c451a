import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from 'playwright-core'
import type { RunningPlayground } from '../../src/playground/launch.ts'
import { FRESH_COPY_MS } from '../../streams/wire/freshCopy.ts'
import { type Insertion, launchTable } from './launchTable.ts'
import { addressOf, TIMEOUT_MS } from './pane.ts'

// Times from a launch event to the signature in the message, in both runtimes, and compares them with a start of the pane.

const PERSON = 'alex.kim@northwind.example'
const RUNTIMES = ['page', 'classic'] as const
const SET_SIGNATURE = 'body.setSignatureAsync'
/** Time for a closed pane or an ended runtime to stop working, so that it does not slow down the next one. */
const SETTLE_MS = 500

/** The added milliseconds per call. */
export type Delays = Readonly<{ mailClientMs: number; serviceMs: number }>

type Tab = Readonly<{
  page: Page
  network: CDPSession
  origin: string
  /** The requests to the service so far. */
  requests: () => number
  delays: Delays
  /** How far the mail client's clock is ahead, in milliseconds. */
  aheadMs: number
}>

type Told = Readonly<{ ms: number; calls: number }>

/**
 * Begins a message, and opens the pane if `opensPane`. Resolves when the signature is in the message. The call that sets
 * it takes effect `mailClientMs` after it arrives.
 */
async function begin({ page, delays, aheadMs }: Tab, opensPane: boolean): Promise<Told> {
  // Closes the previous message first, so that Outlook's time for switching does not count.
  await page.evaluate(() => window.playground.switchTo(null))
  await pause(SETTLE_MS)
  const begun = await page.evaluate((opens) => {
    const at = Date.now()
    const message = window.playground.newMessage()
    if (opens) window.playground.openPane()
    return { at, message }
  }, opensPane)
  const found = await page.waitForFunction(
    ([message, wanted]) => {
      const calls = window.playground.snapshot().calls.filter(({ item }) => item === message)
      const index = calls.findIndex(({ name, ok }) => name === wanted && ok)
      const call = calls[index]
      return call && { at: call.at, calls: index + 1 }
    },
    [begun.message, SET_SIGNATURE] as const,
    { polling: 20 },
  )
  const told = (await found.jsonValue()) as { at: number; calls: number }
  return { ms: told.at + delays.mailClientMs - (begun.at + aheadMs), calls: told.calls }
}

async function startPane(tab: Tab): Promise<Insertion> {
  const { page } = tab
  await page.evaluate(() => window.playground.launch('off'))
  const told = await begin(tab, true)
  await page.frameLocator('iframe[title="Signet"]').getByRole('option').first().waitFor()
  // The pane stores its data for the next start.
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
  if (launch?.outcome !== 'inserted') throw new Error(`${runtime}: ${launch?.outcome ?? 'no event'}`)
  return {
    ms,
    calls: launch.calls.findIndex((name) => name === SET_SIGNATURE) + 1,
    whole: { calls: launch.calls.length, requests: tab.requests() - before },
  }
}

/** Deletes the add-in's data and cached files on this device. */
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

/** Runs `work` with an old stored copy and without the service. */
async function withoutService<T>(tab: Tab, work: (later: Tab) => Promise<T>): Promise<T> {
  const { page } = tab
  const aheadMs = FRESH_COPY_MS + 60_000
  await page.evaluate((ms) => window.playground.jump(ms), aheadMs)
  await page.evaluate(() => window.playground.service('*', 'down'))
  try {
    return await work({ ...tab, aheadMs })
  } finally {
    await page.evaluate(() => window.playground.clear())
    await slowDown(tab)
  }
}

/** Measures each way once. The names are the labels of the table's rows. */
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
    const tab: Tab = {
      page,
      network,
      origin: new URL(url).origin,
      requests: () => requests,
      delays,
      aheadMs: 0,
    }
    await slowDown(tab)
    const measured: [string, Insertion][] = []
    await forget(tab)
    measured.push([PANE_COLD, await startPane(tab)])
    measured.push([PANE_WARM, await startPane(tab)])
    for (const runtime of RUNTIMES) {
      await forget(tab)
      measured.push([`${runtime}, nothing stored`, await raise(tab, runtime)])
      measured.push([`${runtime}, fresh copy`, await raise(tab, runtime)])
      const offline = await withoutService(tab, (later) => raise(later, runtime))
      measured.push([`${runtime}, offline with an old copy`, offline])
    }
    await page.evaluate(() => window.playground.clear())
    return measured
  } finally {
    await context.close()
  }
}

const PANE_COLD = 'the pane, cold'
const PANE_WARM = 'the pane, warm'

/** Measures with delayed calls, after one round of warm-up. Removes the service's delay if no round fails. */
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
      : [`, ${String(delays.mailClientMs)} ms more per call to the mail client`]),
    ...(delays.serviceMs === 0 ? [] : [`, ${String(delays.serviceMs)} ms more per request to the service`]),
  ].join('')
  return launchTable(
    `From the event to the signature in the message${slow} (${String(runs)} runs each, in turns)`,
    [...ways].map(([name, insertions]) => ({ name, insertions })),
    PANE_WARM,
  )
}
