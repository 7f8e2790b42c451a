import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  type Frame,
  type Page,
  errors,
} from 'playwright-core'
import type { Playground } from '../../src/playground/scenario/scripting.ts'

/** Longer than anything takes on a busy machine, in milliseconds: reached only by what never happens. */
export const PATIENCE_MS = 60_000

/** One request of the pane, or for it. Times in milliseconds since the epoch; `end` is null while it is under way. */
export type Request = {
  readonly url: string
  readonly method: string
  /** As the browser calls it: `Document`, `Script`, `Stylesheet`, `Fetch`, `XHR`, … */
  readonly type: string
  readonly start: number
  end: number | null
  /** Answered without the network. */
  cached: boolean
  /** Before it the browser asked the service whether it may be sent. */
  preflight: boolean
}

/** From the pane's frame beginning to load to the mail client being told the signature, in milliseconds since the epoch. */
export type Opening = Readonly<{ start: number; signature: number; requests: readonly Request[] }>

export type OpenPane = Readonly<{
  context: BrowserContext
  page: Page
  frame: () => Frame
  requests: readonly Request[]
  /** Loads the playground again with everything that was kept, and waits for the signature. */
  reload: () => Promise<Opening>
  /** Whether the signature is in the message within so many milliseconds of loading again. */
  isSignedAgain: (ms: number) => Promise<boolean>
  opening: Opening
}>

const addressOf = (url: string, person: string): string => `${url}/?person=${encodeURIComponent(person)}`

/** The only frame of the playground that came over the network: messages and previews are made in place. */
const paneOf = (page: Page): Frame => {
  const frame = page
    .frames()
    .find((each) => each.parentFrame() === page.mainFrame() && each.url().startsWith('http'))
  if (!frame) throw new Error('The playground shows no pane')
  return frame
}

export const snapshotOf = (page: Page): Promise<ReturnType<Playground['snapshot']>> =>
  page.evaluate(() => window.playground.snapshot())

/**
 * Opens the playground in a context of its own, with nothing kept from before and without the browser's cache (the
 * page around the pane has just loaded half of its files), and waits for the default signature in the message. `arrange` comes before anything is loaded.
 */
export async function openPane(
  browser: Browser,
  url: string,
  person: string,
  arrange: (page: Page) => Promise<void> = () => Promise.resolve(),
): Promise<OpenPane> {
  const { context, page, network } = await openTab(browser)
  await arrange(page)
  const listening = listen(network, new URL(url).origin)
  await page.goto(addressOf(url, person))
  const opening = await untilSigned(page, listening.requests)
  await network.send('Network.setCacheDisabled', { cacheDisabled: false })
  const again = async () => {
    await page.waitForLoadState('networkidle')
    listening.forget()
    await page.reload()
  }
  return {
    context,
    page,
    frame: () => paneOf(page),
    requests: listening.requests,
    opening,
    reload: async () => {
      await again()
      return untilSigned(page, listening.requests)
    },
    isSignedAgain: async (ms) => {
      await again()
      return isSigned(page, ms)
    },
  }
}

/** Whether the signature is in the message of a new playground, with nothing kept, within so many milliseconds. */
export async function isSignedWithin(
  browser: Browser,
  url: string,
  person: string,
  ms: number,
): Promise<boolean> {
  const { context, page } = await openTab(browser)
  try {
    await page.goto(addressOf(url, person))
    return await isSigned(page, ms)
  } finally {
    await context.close()
  }
}

const isSigned = (page: Page, ms: number): Promise<boolean> =>
  untilSignatureCall(page, ms).then(
    () => true,
    (error: unknown) => {
      if (error instanceof errors.TimeoutError) return false
      throw error
    },
  )

async function openTab(browser: Browser) {
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1400, height: 900 },
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.setCacheDisabled', { cacheDisabled: true })
  return { context, page, network }
}

async function untilSigned(page: Page, requests: readonly Request[]): Promise<Opening> {
  const signature = await untilSignatureCall(page, PATIENCE_MS)
  const start = await paneOf(page).evaluate(() => performance.timeOrigin)
  return { start, signature, requests: requests.map((request) => ({ ...request })) }
}

/** When the mail client was told the signature, in milliseconds since the epoch. */
async function untilSignatureCall(page: Page, timeout: number): Promise<number> {
  const found = await page.waitForFunction(
    () => {
      const { playground } = window as Partial<Window>
      const call = playground
        ?.snapshot()
        .calls.find(({ name, ok }) => name === 'body.setSignatureAsync' && ok)
      return call?.at ?? false
    },
    undefined,
    { polling: 20, timeout },
  )
  return Number(await found.jsonValue())
}

/** The requests of the pane's frame, and those that the mail client around it sends for it. */
function listen(network: CDPSession, pages: string) {
  const known = new Map<string, Request>()
  const requests: Request[] = []
  const preflights = new Set<string>()
  let main: string | null = null
  let pane: string | null = null
  /** What the browser's own clock reads at the epoch, in seconds. */
  let offset = 0
  const end = ({ requestId, timestamp }: { requestId: string; timestamp: number }) => {
    const request = known.get(requestId)
    if (request) request.end = (timestamp + offset) * 1000
  }
  network.on('Network.requestWillBeSent', ({ requestId, request, frameId, type, initiator, ...times }) => {
    offset = times.wallTime - times.timestamp
    if (initiator.type === 'preflight') {
      const asked = known.get(initiator.requestId ?? '')
      if (asked) asked.preflight = true
      else preflights.add(initiator.requestId ?? '')
      return
    }
    const { origin, pathname, protocol } = new URL(request.url)
    // With its controls the playground asks the servers what they are to do.
    if (!protocol.startsWith('http') || pathname.startsWith('/_control/')) return
    if (type === 'Document') {
      main ??= frameId ?? null
      if (frameId !== main) pane ??= frameId ?? null
    }
    // The page around the pane is no part of it, but a token that it fetches for it is.
    if (origin === pages && frameId !== pane) return
    const entry: Request = {
      url: request.url,
      method: request.method,
      type: type ?? 'Other',
      start: times.wallTime * 1000,
      end: null,
      cached: false,
      preflight: preflights.has(requestId),
    }
    known.set(requestId, entry)
    requests.push(entry)
  })
  network.on('Network.requestServedFromCache', ({ requestId }) => {
    const request = known.get(requestId)
    if (request) request.cached = true
  })
  network.on('Network.responseReceived', ({ requestId, response }) => {
    const request = known.get(requestId)
    if (request && (response.fromDiskCache || response.fromPrefetchCache)) request.cached = true
  })
  network.on('Network.loadingFinished', end)
  network.on('Network.loadingFailed', end)
  return {
    requests: requests as readonly Request[],
    forget: () => {
      known.clear()
      requests.length = 0
      pane = null
    },
  }
}

/** A call to a server; anything else is a file. */
export const isFromScript = ({ type }: Request): boolean => type === 'XHR' || type === 'Fetch'

/** A file's path as it reads from build to build. */
export const withoutHash = (path: string): string => path.replace(/\.[0-9a-f]{8}(?=\.)/, '')

/** What a request is called in a table: a file without the hash in its name, a call by its method and path. */
export function nameOf(request: Request): string {
  const { pathname } = new URL(request.url)
  return isFromScript(request) ? `${request.method} ${pathname}` : withoutHash(pathname.slice(1))
}
