import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  type Frame,
  type Page,
  errors,
} from 'playwright-core'
import type { Playground } from '../../src/playground/scenario/scripting.ts'

/** Longer than any step takes on a busy machine. */
export const TIMEOUT_MS = 60_000

/** A request by the pane, or for it. Times in milliseconds since the epoch; `end` is null while it is pending. */
export type Request = {
  readonly url: string
  readonly method: string
  /** The browser's resource type: `Document`, `Script`, `Stylesheet`, `Fetch`, `XHR`, … */
  readonly type: string
  readonly start: number
  end: number | null
  /** Whether the response came from the cache. */
  cached: boolean
  /** Whether the server answered that the cached copy is still valid (304). */
  unchanged: boolean
  /** Whether the browser sent a preflight first. */
  preflight: boolean
  /** The transferred bytes of the response. */
  transferred: number
}

/** `start` is when the pane's frame begins to load, `signature` when the pane sets it. Milliseconds since the epoch. */
export type Opening = Readonly<{ start: number; signature: number; requests: readonly Request[] }>

export type OpenPane = Readonly<{
  context: BrowserContext
  page: Page
  frame: () => Frame
  requests: readonly Request[]
  /** Reloads the playground, keeping its storage, and waits for the signature. */
  reload: () => Promise<Opening>
  /** Whether the signature is inserted within `ms` milliseconds after a reload. */
  isSignedAgain: (ms: number) => Promise<boolean>
  opening: Opening
}>

/** The playground's address for this person, without launch events. */
export const addressOf = (url: string, person: string): string =>
  `${url}/?person=${encodeURIComponent(person)}&launch=off`

/** The pane's frame: the only frame loaded over the network. Messages and previews are inline documents. */
export const paneOf = (page: Page): Frame => {
  const frame = page
    .frames()
    .find((each) => each.parentFrame() === page.mainFrame() && each.url().startsWith('http'))
  if (!frame) throw new Error('The playground shows no pane')
  return frame
}

export const snapshotOf = (page: Page): Promise<ReturnType<Playground['snapshot']>> =>
  page.evaluate(() => window.playground.snapshot())

/**
 * Opens the playground in a new context, and waits for the default signature in the message. The browser's cache is off,
 * because the page around the pane has already loaded half of the pane's files. `arrange` runs before the page loads.
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

/** Whether a new playground with empty storage inserts the signature within `ms` milliseconds. */
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
  context.setDefaultTimeout(TIMEOUT_MS)
  const page = await context.newPage()
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.setCacheDisabled', { cacheDisabled: true })
  return { context, page, network }
}

async function untilSigned(page: Page, requests: readonly Request[]): Promise<Opening> {
  const signature = await untilSignatureCall(page, TIMEOUT_MS)
  const start = await paneOf(page).evaluate(() => performance.timeOrigin)
  return { start, signature, requests: requests.map((request) => ({ ...request })) }
}

/** The time of the call that sets the signature, in milliseconds since the epoch. */
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

/** Records the requests of the pane's frame, and the requests that the mail client sends for the pane. */
export function listen(network: CDPSession, pages: string) {
  const known = new Map<string, Request>()
  const requests: Request[] = []
  const preflights = new Set<string>()
  let main: string | null = null
  let pane: string | null = null
  /** The time at zero of the browser's monotonic clock, in seconds since the epoch. */
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
    // Requests to the control interfaces belong to the playground.
    if (!protocol.startsWith('http') || pathname.startsWith('/_control/')) return
    if (type === 'Document') {
      main ??= frameId ?? null
      if (frameId !== main) pane ??= frameId ?? null
    }
    // Skips the files of the page around the pane. The token that this page fetches for the pane still counts.
    if (origin === pages && frameId !== pane) return
    // Skips prefetches, because the pane requests these files again later.
    if (request.headers['Sec-Purpose'] === 'prefetch') return
    const entry: Request = {
      url: request.url,
      method: request.method,
      type: type ?? 'Other',
      start: times.wallTime * 1000,
      end: null,
      cached: false,
      unchanged: false,
      preflight: preflights.has(requestId),
      transferred: 0,
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
  network.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
    const request = known.get(requestId)
    if (request && statusCode === 304) request.unchanged = true
  })
  network.on('Network.loadingFinished', ({ encodedDataLength, ...finished }) => {
    const request = known.get(finished.requestId)
    if (request) request.transferred = encodedDataLength
    end(finished)
  })
  network.on('Network.loadingFailed', end)
  return {
    requests: requests as readonly Request[],
    /** The time at zero of the browser's monotonic clock, in milliseconds since the epoch. */
    offset: () => offset * 1000,
    forget: () => {
      known.clear()
      requests.length = 0
      pane = null
    },
  }
}

/** Whether the request is a call to a server, not for a file. */
export const isFromScript = ({ type }: Request): boolean => type === 'XHR' || type === 'Fetch'

/** A file's path without its content hash. */
export const withoutHash = (path: string): string => path.replace(/\.[0-9a-f]{8}(?=\.)/, '')

/** The name of a request in a table: a file's path without the hash, or a call's method and path. */
export function nameOf(request: Request): string {
  const { pathname } = new URL(request.url)
  return isFromScript(request) ? `${request.method} ${pathname}` : withoutHash(pathname.slice(1))
}
