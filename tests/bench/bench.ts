import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { type Builds, openBuilds } from '../../src/build/builds.ts'
import { buildPages } from '../../src/build/bundler.ts'
import { BUILD_GROUPS } from '../../src/build/groups.ts'
import { type RunningPlayground, startPlayground } from '../../src/playground/launch.ts'
import { LAUNCH_FILE } from '../../src/server/headers.ts'
import { launchChromium } from '../browser/chromium.ts'
import { measureAdopt } from './adopt.ts'
import { measureBuild, measureColdBuilds } from './build.ts'
import { measureDay } from './day.ts'
import { measureDesign } from './design.ts'
import { digits, median, quantile, table, times } from './figures.ts'
import { measureAttacks } from './attacks.ts'
import { measureGrowth } from './growth.ts'
import { measureGuard } from './guard.ts'
import { measureInsertion } from './insertion.ts'
import { measureLaunch } from './launch.ts'
import { measureLaunchFile } from './launchFile.ts'
import { measureLines } from './lines.ts'
import { measureOpening } from './opening.ts'
import { measureSanitising } from './sanitising.ts'
import { measureScrolling } from './scrolling.ts'
import { openPane } from './pane.ts'
import { measureSearch } from './service/search.ts'
import { measureServiceAttacks } from './service/attacks.ts'
import { measureDirectory } from './service/directory.ts'
import { measureOrganisations } from './service/organisations.ts'
import { measureRebuild } from './service/rebuild.ts'
import { measureFair } from './service/fair.ts'
import { measureRules, measureService } from './service/service.ts'
import { measureWords } from './service/words.ts'
import { measureWaits } from './service/waits.ts'
import { measureWall } from './service/wall.ts'
import { measureWork } from './service/work.ts'
import { measureScripts, measureSize } from './size.ts'
import { measureStart } from './start.ts'
import type { StoreFigures } from './store.ts'
import { measureTests } from './tests.ts'

// Measures Signet and its references in the same run. docs/figures.md explains the figures.

const PROJECT = join(import.meta.dirname, '..', '..')

async function measureStore(): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', join(import.meta.dirname, 'store.ts')],
    { cwd: PROJECT, env: { ...process.env, NODE_ENV: 'production' } },
  )
  const { events, eventsInSession, listeners, rounds, growth } = JSON.parse(stdout) as StoreFigures
  const perSecond = (ms: number) => digits((1000 * events) / ms)
  const row = (name: string, ms: readonly number[]) => {
    const ratios = ms.map((each, round) => (rounds.ours[round] ?? 0) / each)
    return [
      name,
      perSecond(median(ms)),
      perSecond(quantile(ms, 0)),
      times(median(ratios)),
      times(quantile(rounds.ours, 0) / quantile(ms, 0)),
    ]
  }
  const rates = table(
    `Store, reducers and selectors (${String(rounds.ours.length)} rounds of ${events.toLocaleString('en-US')} events, in turns)`,
    [
      '',
      'events/s, median',
      'events/s, best',
      "Signet's time vs. this, median",
      "Signet's time vs. this, best",
    ],
    [
      row('createStore, which stamps and logs every event', rounds.ours),
      row('Redux Toolkit, production defaults', rounds.reduxDefault),
      row('Redux Toolkit, without middleware', rounds.reduxBare),
    ],
  )
  const perEvent = (name: string, ms: readonly number[]) => {
    const micros = ms.map((each) => (1000 * each) / events)
    return [
      name,
      digits(median(micros)),
      digits(quantile(micros, 0)),
      times(median(ms) / median(rounds.ours)),
      times(quantile(ms, 0) / quantile(rounds.ours, 0)),
    ]
  }
  const told = table(
    `Time per event, by the number of listeners (in the same rounds)`,
    ['', 'µs per event, median', 'best', 'median vs. the first row', 'best vs. the first row'],
    [
      perEvent('no listener', rounds.ours),
      perEvent(`${String(listeners)} listeners, each with a filter`, rounds.listening),
    ],
  )
  const least = growth[0]
  if (!least) throw new Error('No size of the log was measured')
  const sizes = table(
    `Time per event, by the length of the log (sessions of ${String(eventsInSession)} events, in turns)`,
    ['', 'µs per event, median', 'best', 'median vs. the first row', 'best vs. the first row'],
    growth.map(({ before, perEvent }) => [
      `a log of ${before.toLocaleString('en-US')} events`,
      digits(1000 * median(perEvent)),
      digits(1000 * quantile(perEvent, 0)),
      times(median(perEvent) / median(least.perEvent)),
      times(quantile(perEvent, 0) / quantile(least.perEvent, 0)),
    ]),
  )
  return `${rates}\n${told}\n${sizes}`
}

const USAGE = `npm run bench [-- <what>]
  start [--frames <folder>]   the start of the pane; with a folder, only a film strip of its first second
  launch                      launch events, also with slow calls to the mail client and a slow service; launch.js in
                              a bare runtime, compared with an earlier commit
  guard                       the check before a message is sent, in a bare runtime
  build                       npm start until it prints its address, compared with an earlier commit
  build --cold <n>            n cold builds of all shipped pages, half of them beside two busy processes
  attacks                     hostile input: how its time grows, compared with plain input of the same length; how long
                              other requests wait during each administration call with a large body
  growth                      how the time for reading markup, styles and values grows with their length
  adopt                       how similar adopted signatures look, and the cost of reading files
  design                      what Design can change in real signatures, the time of an act, and the first load of the
                              administration page, compared with an earlier commit
  day                         the memory over a working day with 300 messages
  tests                       a run of all tests, by project and by file
  lines <commit> [<commit>]   lines of code of two commits, by folder; the second is HEAD by default
  service [--people <n>]      the signature service; with --people, publishing also to n people, such as 1000000
  rules                       the rules of people and messages, compared with plain blocks
  organisations [--organisations <n>] [--people <m>]
                              n organisations of m people in one installation, compared with one organisation;
                              by default, 1,000 of 1,000 people
  rebuild                     recomputing 5,000 people from their facts, in both databases
  work [--organisations <n>] [--starts <m>] [<commit> …]
                              plans for 5,000 people beside n organisations (1,000 by default): duration, memory and
                              waits of other requests, in m processes (3 by default); compared with commits that
                              make the same plan
  fair                        the default of one organisation beside the long work of another
  search [--people <n>]       the search for people among n people (a million by default), compared with 1,000
  words                       how much the search index adds to a write, and its size
  directory                   a sync of 50,000 people with Microsoft Graph
  wall                        the cost of row-level security for a call to the store
Without <what>: opening the pane, sizes, insertion, scrolling, sanitising, the store, and a short run of launch events.`

const started = performance.now()
const print = (report: string) => console.log(report)
const note = (line: string) =>
  console.error(`[${((performance.now() - started) / 1000).toFixed(0)} s] ${line}`)

async function main([what, ...rest]: readonly string[]): Promise<void> {
  const [first, second] = rest
  if (what === undefined) return measureAll()
  if (what === 'lines' && first !== undefined) return print(measureLines(first, second ?? 'HEAD'))
  if (what === 'tests' && first === undefined) return print(measureTests())
  if (what === 'attacks' && first === undefined)
    return withPlayground(async (browser, _, folder) =>
      print(
        `${await measureAttacks(browser, folder)}\n${measureServiceAttacks()}\n${await measureWaits(note)}`,
      ),
    )
  if (what === 'wall' && first === undefined) return measureWall(print)
  if (what === 'adopt' && first === undefined) return print(await measureAdopt(note))
  if (what === 'growth' && first === undefined) return print(measureGrowth(note))
  if (what === 'design' && first === undefined) return measureDesign({ print, note })
  if (what === 'day' && first === undefined)
    return withPlayground(async (browser, playground) => print(await measureDay(browser, playground)))
  if (what === 'launch' && first === undefined) {
    await withPlayground(measureLaunchAlone)
    return print(await measureLaunchFile(note))
  }
  if (what === 'guard' && first === undefined) return print(await measureGuard(note))
  if (what === 'build' && first === undefined) return print(await measureBuild(note))
  if (what === 'build' && first === '--cold' && /^[1-9]\d{0,3}$/.test(second ?? ''))
    return print(await measureColdBuilds(Number(second), 2, note))
  if (what === 'help') return print(USAGE)
  if (what === 'directory' && first === undefined) return print(await measureDirectory(note))
  const sizes = what === 'organisations' ? readSizes(rest) : null
  if (sizes !== null) return measureOrganisations({ ...sizes, print, note })
  if (what === 'rebuild' && first === undefined) return print(await measureRebuild(note))
  if (what === 'fair' && first === undefined) return print(await measureFair(note))
  const work = what === 'work' ? readWork(rest) : null
  if (work !== null) return measureWork({ ...work, print, note })
  if (what === 'search' && first === undefined) return print(await measureSearch(1_000_000, note))
  if (what === 'search' && first === '--people' && /^[1-9]\d{3,7}$/.test(second ?? ''))
    return print(await measureSearch(Number(second), note))
  if (what === 'words' && first === undefined) return print(await measureWords(note))
  if (what === 'rules' && first === undefined) return measureRules({ print, note })
  if (what === 'service' && first === undefined) return measureService({ people: null, print, note })
  if (what === 'service' && first === '--people' && /^[1-9]\d{3,7}$/.test(second ?? ''))
    return measureService({ people: Number(second), print, note })
  if (what === 'start' && (first === undefined || (first === '--frames' && second !== undefined)))
    return measureStart(() => launchChromium({ kind: 'browser' }), {
      framesFolder: second ?? null,
      print,
      note,
    })
  throw new Error(USAGE)
}

/** Parses `--organisations <n> --people <m>`, both optional; null for anything else. */
function readSizes(given: readonly string[]): Readonly<{ organisations: number; people: number }> | null {
  const sizes = { organisations: 1_000, people: 1_000 }
  for (let at = 0; at < given.length; at += 2) {
    const [name, value] = [given[at]?.slice(2), given[at + 1] ?? '']
    if ((name !== 'organisations' && name !== 'people') || !/^[1-9]\d{0,4}$/.test(value)) return null
    sizes[name] = Number(value)
  }
  return sizes
}

/** Parses `--organisations <n> --starts <m>`, both optional, and commits after them; null for anything else. */
function readWork(given: readonly string[]) {
  const sizes = { organisations: 1_000, starts: 3 }
  let at = 0
  for (; given[at]?.startsWith('--') === true; at += 2) {
    const [name, value] = [given[at]?.slice(2), given[at + 1] ?? '']
    if ((name !== 'organisations' && name !== 'starts') || !/^[1-9]\d{0,4}$/.test(value)) return null
    sizes[name] = Number(value)
  }
  const commits = given.slice(at)
  return commits.every((commit) => /^[\da-f]{7,40}$/.test(commit)) ? { ...sizes, commits } : null
}

/** Runs `work` with a new playground and a new browser. Deletes `folder` and all files in it afterwards. */
async function withPlayground(
  work: (browser: Browser, playground: RunningPlayground, folder: string) => Promise<void>,
): Promise<void> {
  // Parcel reads the project's configuration only for files inside the project.
  const dist = join(PROJECT, 'dist')
  await mkdir(dist, { recursive: true })
  const folder = await mkdtemp(join(dist, 'bench-'))
  try {
    note('Building the pages …')
    const playground = await startPlayground({
      ports: { pages: 0, service: 0, identityProvider: 0 },
      dataFolder: join(folder, 'data'),
      builds: await buildsWithMaps(join(folder, 'playground'), join(folder, 'cache')),
    })
    const browser = await launchChromium({ kind: 'browser' })
    try {
      print(
        `Node ${process.versions.node}, Chromium ${browser.version()}, ${String(availableParallelism())} cores, load ${digits(loadavg()[0] ?? 0)}.\n`,
      )
      await work(browser, playground, folder)
    } finally {
      await browser.close()
      await playground.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Builds the playground's pages with source maps, for the sizes of modules. Builds the pane alone, as for production:
 * together with other pages, it would share files with them and load more files.
 */
async function buildsWithMaps(pages: string, cacheFolder: string): Promise<Pick<Builds, 'build' | 'end'>> {
  const builds = openBuilds({ tell: note })
  const launchFile = await builds.build('launchFile')
  const isPane = (page: string) => basename(page) === 'pane.html'
  for (const [folder, group] of [
    [pages, BUILD_GROUPS.playground.pages.filter(isPane)],
    [`${pages}-others`, BUILD_GROUPS.playground.pages.filter((page) => !isPane(page))],
  ] as const)
    await buildPages({
      pages: group.map((page) => join(PROJECT, page)),
      environment: { SIGNET_VERSION: '0.0.0' },
      folder,
      cacheFolder,
    })
  await cp(`${pages}-others`, pages, { recursive: true })
  await copyFile(join(launchFile, LAUNCH_FILE), join(pages, LAUNCH_FILE))
  return {
    build: (name) => (name === 'playground' ? Promise.resolve(pages) : builds.build(name)),
    end: builds.end,
  }
}

async function measureLaunchAlone(
  browser: Browser,
  playground: RunningPlayground,
  folder: string,
): Promise<void> {
  note('Sizes …')
  const { context, opening } = await openPane(browser, playground.url, 'alex.kim@northwind.example')
  await context.close()
  print(await measureScripts(join(folder, 'playground'), playground.url, opening, join(folder, 'react')))
  for (const phase of [
    { mailClientMs: 0, serviceMs: 0, runs: 7 },
    { mailClientMs: 20, serviceMs: 0, runs: 5 },
    { mailClientMs: 80, serviceMs: 0, runs: 5 },
    { mailClientMs: 0, serviceMs: 80, runs: 5 },
  ]) {
    const { mailClientMs, serviceMs } = phase
    note(
      `Launch events, ${String(mailClientMs)} ms more per call, ${String(serviceMs)} ms more per request …`,
    )
    print(await measureLaunch(browser, playground, phase))
  }
}

async function measureAll(): Promise<void> {
  await withPlayground(async (browser, playground, folder) => {
    note('Opening the pane, cold and warm …')
    const { report, cold, settled } = await measureOpening(browser, playground)
    note('Sizes …')
    const pages = join(folder, 'playground')
    print(await measureSize(pages, playground.url, cold, settled, join(folder, 'react')))
    print(report)
    note('Launch events …')
    print(await measureLaunch(browser, playground, { mailClientMs: 0, serviceMs: 0, runs: 3 }))
    note('Insertions …')
    print(await measureInsertion(browser, playground))
    note('Scrolling …')
    print(await measureScrolling(browser, playground))
    note('Sanitising …')
    print(await measureSanitising(browser, join(folder, 'sanitising')))
  })
  note('Store …')
  print(await measureStore())
  note('Done.')
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
