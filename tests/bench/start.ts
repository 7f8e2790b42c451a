import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { buildPages } from '../../src/build/bundler.ts'
import { listenLocally as listenOn, portOf } from '../../src/build/ports.ts'
import { createPageServer } from '../../src/server/pages.ts'
import { checkOut, checkOutRewriting, REWRITING_BUILD } from './formerCommit.ts'
import { goalTable } from './goals.ts'
import { filmStrip, type Film } from './filmStrip.ts'
import { digits, kilobytes, median, spread, table, times } from './figures.ts'
import { whileHeld } from './opening.ts'
import { addressOf, listen, paneOf, type Request, snapshotOf, TIMEOUT_MS } from './pane.ts'

// Times the start of the pane, from the arrival of its page to the first signature. The other contenders: a page with
// React alone, a page with Fluent UI alone, the former build, and the last build that rewrote packages.

const PROJECT = join(import.meta.dirname, '..', '..')
/**
 * The last commit with the pane in one file, which drew the screen before it inserted the signature. It uses this
 * project's packages; only this build needs `valibot`.
 */
const FORMER = 'c2c3a63e9fd23c1b06a6a6e341ff4c518090e207'
const FLUENT = '@fluentui/react-components@9.74.11'
const PERSON = 'alex.kim@northwind.example'

const SLOWER = 4
/** Counted runs, after one run of warm-up. */
const RUNS = 7
/** The added milliseconds per request, one phase each. */
const DELAYS_MS = [0, 80] as const
const POLL_MS = 25
/** Shorter than the pane's time limits, so a signature inserted by then did not wait for the service. */
const HOLDING_MS = 4_500
const FILM_MS = 1_000
/** If the pane has not inserted the signature by then, it never will. */
const MISSED_MS = 20_000

const DELAYED = `--import tsx --import ${pathToFileURL(join(import.meta.dirname, 'delay.ts')).href}`

type Contender = Readonly<{
  name: string
  /** The page around the measured frame. */
  url: string
  /** The file of the frame's page. */
  frame: string
  isPane: boolean
}>

/** The figures of one start. Times in milliseconds since the frame's page was let through. */
type Start = Readonly<{
  painted: number
  shift: number
  /** These four are null on a page without a pane. */
  option: number | null
  signature: number | null
  /** The main thread's working time until the signature. */
  busy: number | null
  isReactFirst: boolean | null
  requests: readonly Request[]
  /** The requests for files, and for scripts before the signature. */
  files: readonly Request[]
  scripts: readonly Request[]
}>

/** The frame's own measurements. Times in milliseconds since the epoch. */
type Noticed = { react: number | null; option: number | null; shift: number }
declare global {
  interface Window {
    noticed: Noticed
  }
}

/** Notes when React DOM runs. Runs in the measured frame before the frame's own scripts. */
function noticeReact(): void {
  if (window === window.top) return
  const noticed: Noticed = { react: null, option: null, shift: 0 }
  window.noticed = noticed
  Object.defineProperty(window, '__REACT_DEVTOOLS_GLOBAL_HOOK__', {
    configurable: true,
    value: {
      supportsFiber: true,
      renderers: new Map(),
      // A method, because tsx wraps other functions in a helper that the page does not have.
      inject() {
        noticed.react ??= performance.timeOrigin + performance.now()
      },
    },
  })
}

/**
 * Notes layout shifts and the first option. Runs in the measured frame as soon as its page arrives. `noticeReact` may
 * have run earlier, in the empty page with the same window and another document.
 */
function noticeDrawing(): void {
  const { noticed } = window
  type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as LayoutShift[])
      if (!entry.hadRecentInput) noticed.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  const observer = new MutationObserver(() => {
    if (!document.querySelector('[role=option]')) return
    observer.disconnect()
    // Waits until the option is painted.
    requestAnimationFrame(() =>
      setTimeout(() => (noticed.option = performance.timeOrigin + performance.now())),
    )
  })
  observer.observe(document, { subtree: true, childList: true })
}

type Tab = Readonly<{
  context: BrowserContext
  page: Page
  network: CDPSession
  listening: ReturnType<typeof listen>
  /** Loads or reloads the page around the frame, and holds back the frame's page. */
  load: () => Promise<void>
  /** Slows down the processor, and lets the frame's page through. Returns the time in milliseconds since the epoch. */
  letThrough: () => Promise<number>
}>

async function openTab(browser: Browser, { url, frame }: Contender): Promise<Tab> {
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1400, height: 900 },
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(TIMEOUT_MS)
  await context.addInitScript(noticeReact)
  const page = await context.newPage()
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Performance.enable')
  page.on('framenavigated', (navigated) => {
    if (new URL(navigated.url()).pathname === `/${frame}`)
      // If the page closed in the meantime, the measurement itself fails.
      navigated.evaluate(noticeDrawing).catch(() => {})
  })
  // Playwright's own interception would turn off the cache.
  await network.send('Fetch.enable', { patterns: [{ urlPattern: `*/${frame}*` }] })
  const listening = listen(network, new URL(url).origin)
  const held: string[] = []
  network.on('Fetch.requestPaused', ({ requestId }) => held.push(requestId))
  return {
    context,
    page,
    network,
    listening,
    load: async () => {
      held.length = 0
      await network.send('Emulation.setCPUThrottlingRate', { rate: 1 })
      listening.forget()
      await (page.url() === 'about:blank'
        ? page.goto(url, { waitUntil: 'commit' })
        : page.reload({ waitUntil: 'commit' }))
      while (held.length === 0) await pause(POLL_MS)
      // The page around the pane must not slow it down: in Outlook, it is another process.
      await untilIdle(network)
    },
    letThrough: async () => {
      const [requestId] = held
      if (requestId === undefined) throw new Error('No page is held back')
      await network.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
      const start = Date.now()
      await network.send('Fetch.continueRequest', { requestId })
      return start
    },
  }
}

/** The main thread's working time so far, and the browser's monotonic time. Both in seconds. */
async function workOf(network: CDPSession): Promise<{ at: number; worked: number }> {
  const { metrics } = await network.send('Performance.getMetrics')
  const read = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? 0
  return { at: read('Timestamp'), worked: read('TaskDuration') }
}

async function untilIdle(network: CDPSession): Promise<void> {
  let quiet = 0
  let before = await workOf(network)
  while (quiet < 4) {
    await pause(50)
    const now = await workOf(network)
    quiet = now.worked - before.worked < 0.005 ? quiet + 1 : 0
    before = now
  }
}

/** When the pane set the signature, in milliseconds since the epoch; null before. */
const toldAt = async (page: Page): Promise<number | null> =>
  (await snapshotOf(page)).calls.find(({ name, ok }) => name === 'body.setSignatureAsync' && ok)?.at ?? null

async function measure(tab: Tab, contender: Contender): Promise<Start> {
  const { isPane, url } = contender
  const { page, network, listening } = tab
  await tab.load()
  const works: { at: number; worked: number }[] = [await workOf(network)]
  const start = await tab.letThrough()
  const limit = start + MISSED_MS
  let told: number | null = null
  while (isPane && told === null) {
    for (let poll = 0; poll < 4; poll++) {
      await pause(POLL_MS)
      works.push(await workOf(network))
    }
    told = await toldAt(page)
    if (Date.now() > limit) throw new Missed(`${contender.name}: no signature was inserted`)
  }
  works.push(await workOf(network))
  while (!page.frames().some((each) => each.url().includes(`/${contender.frame}`))) await pause(POLL_MS)
  const frame = paneOf(page)
  await frame.waitForFunction(
    (hasOptions) =>
      performance.getEntriesByName('first-contentful-paint').length > 0 &&
      (!hasOptions || window.noticed.option !== null),
    isPane,
    { polling: 2 * POLL_MS },
  )
  await untilIdle(network)
  const { painted, react, option, shift } = await frame.evaluate(() => ({
    ...window.noticed,
    painted:
      performance.timeOrigin + (performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0),
  }))
  const requests = listening.requests.map((request) => ({ ...request }))
  const files = requests.filter((request) => new URL(request.url).origin === new URL(url).origin)
  return {
    painted: painted - start,
    shift,
    option: option === null ? null : option - start,
    signature: told === null ? null : told - start,
    busy: told === null ? null : workUntil(works, told - listening.offset()),
    isReactFirst: told === null ? null : react !== null && react < told,
    requests,
    files,
    scripts: files.filter(
      (request) => new URL(request.url).pathname.endsWith('.js') && request.start < (told ?? Infinity),
    ),
  }
}

/** The milliseconds of work from the first measurement until `ms` of the browser's clock, interpolated. */
function workUntil(works: readonly { at: number; worked: number }[], ms: number): number {
  const first = works[0]
  const after = works.findIndex(({ at }) => at * 1000 >= ms)
  const [from, to] = [works[after - 1], works[after]]
  if (!first || !from || !to) throw new Error('The work was not measured around the signature')
  const share = (ms / 1000 - from.at) / (to.at - from.at)
  return 1000 * (from.worked + share * (to.worked - from.worked) - first.worked)
}

/** All starts of a contender in one phase, in the order of the rounds. */
type Measured = { readonly contender: Contender; readonly cold: Start[]; readonly warm: Start[] }

/** A cold start, and a warm start after it. */
async function startTwice(browser: Browser, contender: Contender): Promise<{ first: Start; second: Start }> {
  const tab = await openTab(browser, contender)
  try {
    return { first: await measure(tab, contender), second: await measure(tab, contender) }
  } finally {
    await tab.context.close()
  }
}

/** On a slow machine, a pane can exceed its own time limits. The benchmark reports such a start and repeats it. */
class Missed extends Error {}

async function retryMissed<T>(note: (line: string) => void, work: () => Promise<T>): Promise<T> {
  for (let left = 5; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Missed) || left === 0) throw error
      note(error.message)
    }
  }
}

async function measurePhase(
  browser: Browser,
  contenders: readonly Contender[],
  note: (line: string) => void,
): Promise<readonly Measured[]> {
  const all = contenders.map((contender): Measured => ({ contender, cold: [], warm: [] }))
  for (let run = 0; run <= RUNS; run++) {
    if (run > 0) note(`Round ${String(run)} of ${String(RUNS)} …`)
    for (const { contender, cold, warm } of all) {
      const { first, second } = await retryMissed(note, () => startTwice(browser, contender))
      if (run === 0) continue
      cold.push(first)
      warm.push(second)
    }
  }
  return all
}

/** Whether a warm start inserts the signature even if the service does not answer. */
async function insertsWithoutService(browser: Browser, contender: Contender): Promise<boolean> {
  const tab = await openTab(browser, contender)
  try {
    const { requests } = await measure(tab, contender)
    const signIn = requests.find(({ url }) => url.endsWith('/authentication/addin/azure'))
    if (!signIn) throw new Error('The pane did not sign in')
    return await whileHeld(new URL(signIn.url).origin, '*', async () => {
      await tab.load()
      await tab.letThrough()
      await tab.network.send('Emulation.setCPUThrottlingRate', { rate: 1 })
      const limit = Date.now() + HOLDING_MS
      while (Date.now() < limit) {
        if ((await toldAt(tab.page)) !== null) return true
        await pause(POLL_MS)
      }
      return false
    })
  } finally {
    await tab.context.close()
  }
}

async function film(browser: Browser, contender: Contender): Promise<Film> {
  const tab = await openTab(browser, contender)
  try {
    const { page, network } = tab
    const frames: { at: number; png: string }[] = []
    network.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
      frames.push({ at: (metadata.timestamp ?? 0) * 1000, png: data })
      void network.send('Page.screencastFrameAck', { sessionId })
    })
    await tab.load()
    await network.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 })
    const start = await tab.letThrough()
    let told: number | null = null
    while (told === null) {
      await pause(4 * POLL_MS)
      told = await toldAt(page)
    }
    await pause(Math.max(0, start + FILM_MS + 500 - Date.now()))
    await network.send('Page.stopScreencast')
    const box = await (await paneOf(page).frameElement()).boundingBox()
    if (!box) throw new Error('The pane is not on the screen')
    return {
      name: contender.name,
      box,
      signature: told - start,
      frames: frames.map(({ at, png }) => ({ ms: at - start, png })),
    }
  } finally {
    await tab.context.close()
  }
}

/** The summed gzip size of the requested files, each counted once. */
async function gzipSizes(requests: readonly Request[]): Promise<number> {
  let sum = 0
  for (const url of new Set(requests.map((request) => request.url))) {
    const response = await fetch(url)
    sum += gzipSync(Buffer.from(await response.arrayBuffer())).length
  }
  return sum
}

type Figure = (start: Start) => number | null

const valuesOf = (starts: readonly Start[], figure: Figure): readonly number[] =>
  starts.map(figure).filter((value) => value !== null)

const paint: Figure = ({ painted }) => painted
const signature: Figure = (start) => start.signature

function named(measured: readonly Measured[], name: string): Measured {
  const found = measured.find(({ contender }) => contender.name === name)
  if (!found) throw new Error(`${name} was not measured`)
  return found
}

/** The ratios that users notice. */
function reportGoals(measured: readonly Measured[]): string {
  const goal = (what: string, key: 'cold' | 'warm', figure: Figure, reference: string, most: number) => ({
    name: `${what}, ${key}`,
    reference,
    most,
    ours: valuesOf(named(measured, NAMES.ours)[key], figure),
    theirs: valuesOf(named(measured, reference)[key], figure),
  })
  return goalTable([
    goal('signature in the message', 'cold', signature, NAMES.rewriting, 1.1),
    goal('signature in the message', 'warm', signature, NAMES.rewriting, 1.1),
    goal('signature in the message', 'cold', signature, NAMES.former, 0.45),
    goal('first contentful paint', 'cold', paint, NAMES.react, 0.45),
  ])
}

function reportTimes(title: string, measured: readonly Measured[], key: 'cold' | 'warm'): string {
  const cells = ({ [key]: starts }: Measured, figure: Figure, ...references: readonly string[]) => {
    const values = valuesOf(starts, figure)
    if (values.length === 0) return ['', ...references.map(() => '')]
    const ratioTo = (reference: string) =>
      median(values) / median(valuesOf(named(measured, reference)[key], figure))
    return [spread(values), ...references.map((reference) => times(ratioTo(reference)))]
  }
  return table(
    title,
    [
      '',
      'first contentful paint, ms',
      `vs. ${NAMES.react}`,
      'first option on the screen, ms',
      `vs. ${NAMES.former}`,
      'signature in the message, ms',
      `vs. ${NAMES.former}`,
      `vs. ${NAMES.rewriting}`,
      'working time of the main thread until the signature, ms',
      `vs. ${NAMES.former}`,
      'layout shift',
    ],
    measured.map((each) => [
      each.contender.name,
      ...cells(each, paint, NAMES.react),
      ...cells(each, ({ option }) => option, NAMES.former),
      ...cells(each, signature, NAMES.former, NAMES.rewriting),
      ...cells(each, ({ busy }) => busy, NAMES.former),
      digits(median(valuesOf(each[key], ({ shift }) => shift))),
    ]),
  )
}

async function reportFiles(measured: readonly Measured[], alone: ReadonlyMap<string, boolean>) {
  const rows: string[][] = []
  let bare = 0
  for (const { contender, cold, warm } of measured) {
    const [first, again] = [cold.at(-1), warm.at(-1)]
    if (!first || !again) throw new Error('Nothing was measured')
    const gzip = await gzipSizes(first.scripts)
    bare ||= gzip
    const isAlone = alone.get(contender.name)
    const yes = (value: boolean | null | undefined) =>
      value === null || value === undefined ? '' : value ? 'yes' : 'no'
    const count = (holds: (request: Request) => boolean) => String(again.files.filter(holds).length)
    rows.push([
      contender.name,
      kilobytes(gzip),
      times(gzip / bare),
      kilobytes(first.scripts.reduce((sum, { transferred }) => sum + transferred, 0)),
      yes(first.isReactFirst),
      String(first.files.length),
      `${String(again.files.length)}: ${count(({ cached, unchanged }) => cached && !unchanged)}, ${count(({ unchanged }) => unchanged)}`,
      yes(isAlone),
    ])
  }
  return table(
    'Files',
    [
      '',
      'JavaScript before the signature, gzip',
      `vs. ${NAMES.react}`,
      'transferred (Brotli)',
      'React runs before the signature',
      'files, cold',
      'files, warm: from the cache, not modified (304)',
      'warm: signature without the service',
    ],
    rows,
  )
}

const NAMES = {
  react: 'bare React',
  fluent: 'bare Fluent UI',
  former: 'former build',
  rewriting: REWRITING_BUILD,
  ours: 'Signet',
} as const

const BARE = {
  'react.js': `import { createRoot } from 'react-dom/client'
import { createElement } from 'react'
createRoot(document.getElementById('root')).render(createElement('div', null, 'Signatures'))`,
  'fluent.js': `import { createRoot } from 'react-dom/client'
import { createElement } from 'react'
import { Button, FluentProvider, Input, webLightTheme } from '@fluentui/react-components'
createRoot(document.getElementById('root')).render(
  createElement(FluentProvider, { theme: webLightTheme },
    createElement(Input, { placeholder: 'Search' }), createElement(Button, null, 'Insert')),
)`,
} as const

/** Builds a page with React alone and a page with Fluent UI alone, with the pane's bundler. Resolves with their folders. */
async function buildBare(folder: string): Promise<readonly string[]> {
  const source = join(folder, 'source')
  await mkdir(source, { recursive: true })
  const scope = join(source, 'node_modules/@fluentui')
  if (!existsSync(scope)) {
    execFileSync(
      'npm',
      [
        ...['install', '--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'],
        // React comes from the project.
        ...['--legacy-peer-deps', '--prefix', source, FLUENT],
      ],
      { cwd: source, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' },
    )
    // The build needs a licence file for each package, and this package has none.
    await writeFile(join(scope, 'react-icons/LICENSE'), 'MIT')
  }
  for (const [name, code] of Object.entries(BARE)) {
    await writeFile(join(source, name), code)
    await writeFile(
      join(source, name.replace(/js$/, 'html')),
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bare</title><div id="root"></div><script type="module" src="./${name}"></script></html>`,
    )
  }
  const built: string[] = []
  for (const name of Object.keys(BARE)) {
    const pages = join(folder, name)
    await buildPages({
      pages: [join(source, name.replace(/js$/, 'html'))],
      environment: {},
      folder: pages,
      cacheFolder: join(folder, 'cache'),
    })
    built.push(pages)
  }
  return built
}

/** Serves the bare pages, each in a frame. Answers each request `delayMs` later. */
async function serveBare(folders: readonly string[], delayMs: number) {
  const serve = createPageServer({ folders, index: 'react.html', headersOf: () => ({}) })
  const server = createServer((request, response) => {
    const [, name] = /^\/around-(.+)$/.exec(request.url ?? '') ?? []
    setTimeout(() => {
      if (name === undefined) return serve(request, response)
      response.setHeader('Content-Type', 'text/html')
      response.end(
        `<!doctype html><title>Around</title><iframe src="/${name}" width="340" height="800"></iframe>`,
      )
    }, delayMs)
  })
  await listenOn(server, 0)
  return { url: `http://localhost:${String(portOf(server))}`, close: () => server.close() }
}

/** Starts the playground of the sources in `root` as a process. Its servers answer each request `delayMs` later. */
async function servePlayground(name: string, root: string, folder: string, delayMs: number) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(import.meta.dirname, 'playgroundProcess.ts'), root, folder],
    {
      cwd: PROJECT,
      stdio: ['pipe', 'pipe', 'inherit'],
      // Not in the first phase, which builds the pages: the bundler's workers cannot start with these options.
      env: delayMs === 0 ? process.env : { ...process.env, DELAY_MS: String(delayMs), NODE_OPTIONS: DELAYED },
    },
  )
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('{"listening"')) resolve((JSON.parse(line) as { listening: string }).listening)
    })
    child.once('exit', () => reject(new Error(`The playground of the ${name} did not start`)))
  })
  return {
    url,
    close: async () => {
      child.stdin.end()
      await ended
    },
  }
}

/**
 * Measures all contenders in turns, with a processor four times slower, and prints the tables. With `framesFolder`, only
 * writes the film strip of the first second there, as `first-second.png`.
 */
export async function measureStart(
  launch: () => Promise<Browser>,
  options: Readonly<{
    framesFolder: string | null
    print: (report: string) => void
    note: (line: string) => void
  }>,
): Promise<void> {
  const { framesFolder, print, note } = options
  // Parcel reads the project's configuration only for files inside the project.
  const folder = join(PROJECT, 'dist/bench-start')
  const former = join(folder, 'former')
  note('Building …')
  await checkOut(FORMER, former)
  const rewriting = await checkOutRewriting()
  const bare = await buildBare(join(folder, 'bare'))
  for (const [index, delayMs] of DELAYS_MS.entries()) {
    if (framesFolder !== null && index > 0) break
    const servers: { url: string; close: () => unknown }[] = []
    let browser: Browser | null = null
    try {
      const open = async (name: string, root: string) => {
        const server = await servePlayground(name, root, join(folder, `${name}, run`), delayMs)
        servers.push(server)
        return { name, url: addressOf(server.url, PERSON), frame: 'pane.html', isPane: true }
      }
      const bareServer = await serveBare(bare, delayMs)
      servers.push(bareServer)
      const page = (name: string, file: string): Contender => ({
        name,
        url: `${bareServer.url}/around-${file}`,
        frame: file,
        isPane: false,
      })
      const panes = [await open(NAMES.former, former), await open(NAMES.ours, PROJECT)]
      if (framesFolder === null) panes.push(await open(NAMES.rewriting, rewriting))
      const contenders = [page(NAMES.react, 'react.html'), page(NAMES.fluent, 'fluent.html'), ...panes]
      const running = (browser = await launch())
      if (framesFolder !== null) {
        for (const each of panes) await film(running, each)
        const films = [await film(running, panes[0]!), await film(running, panes[1]!)]
        const file = join(framesFolder, 'first-second.png')
        await mkdir(framesFolder, { recursive: true })
        await writeFile(file, await filmStrip(running, films, FILM_MS))
        note(`The film strip is ${file}.`)
        continue
      }
      const measured = await measurePhase(running, contenders, note)
      const network = delayMs === 0 ? '' : `, each request ${String(delayMs)} ms longer`
      for (const [key, title] of [
        ['cold', 'Cold: a new browser context'],
        ['warm', 'Warm: a reload, with cache and storage'],
      ] as const)
        print(reportTimes(`${title}${network} (${String(RUNS)} runs each, in turns)`, measured, key))
      if (index > 0) continue
      print(reportGoals(measured))
      const alone = new Map<string, boolean>()
      for (const each of panes)
        alone.set(each.name, await retryMissed(note, () => insertsWithoutService(running, each)))
      print(await reportFiles(measured, alone))
    } finally {
      await browser?.close()
      for (const server of servers) await server.close()
    }
  }
}
