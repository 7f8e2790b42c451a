import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import type * as buildsModule from '../../src/build/builds.ts'
import { launchChromium } from '../browser/chromium.ts'
import { alex, draftOf, releaseDocument } from '../support/administration/plans.ts'
import {
  type DesignShare,
  designShareOf,
  designShareOfTemplate,
  LEAST_SHARE,
  shareIn,
  sumOfShares,
} from '../support/designShare.ts'
import { adoptedAndRendered } from '../support/adopting.ts'
import { type RealSignature, realSignatures } from '../support/realSignatures.ts'
import { piecesOf } from '../support/sourceMap.ts'
import type { DesignTimes } from './designPage.ts'
import { digits, kilobytes, median, spread, table, times } from './figures.ts'
import { checkOut, loadFrom } from './formerCommit.ts'
import { withBenchPage } from './sanitising.ts'

// Measures Design, the visual editor of the administration page: what it can change, how long an act takes, and what it
// adds to the page's first load.

const PROJECT = join(import.meta.dirname, '..', '..')

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
const reached = (isReached: boolean): string => (isReached ? 'reached' : 'missed')

/** The kind of a signature, without its person and its version. */
const kindOf = ({ kind }: RealSignature): string => kind.replace(/[,:].*/, '')

async function measureShares(note: (line: string) => void): Promise<string> {
  const signatures = await realSignatures()
  const asTheyAre = signatures.map(({ html, person }) => designShareOfTemplate(html, person))
  const adopted: DesignShare[] = []
  for (const [index, signature] of signatures.entries()) {
    if (index % 20 === 0) note(`Adopted signatures, ${String(index)} of ${String(signatures.length)} …`)
    const { document, path } = await adoptedAndRendered(signature)
    adopted.push(designShareOf(document, path, signature.person))
  }
  const row = (name: string, shares: readonly DesignShare[]) => {
    const all = sumOfShares(shares)
    const count = ({ changeable, seen }: DesignShare['words']) =>
      `${changeable.toLocaleString('en-US')} of ${seen.toLocaleString('en-US')}`
    return [
      ...[name, String(shares.length), count(all.words), count(all.pictures)],
      ...[percent(shareIn(all)), reached(shareIn(all) >= LEAST_SHARE)],
    ]
  }
  const rows = ([title, shares]: readonly [string, readonly DesignShare[]]) => [
    ...[...new Set(signatures.map(kindOf))].map((kind) =>
      row(
        `${title}: ${kind}`,
        shares.filter((_, index) => signatures[index] && kindOf(signatures[index]) === kind),
      ),
    ),
    row(`${title}: all`, shares),
  ]
  return table(
    `Words and pictures that can be selected and changed (goal: at least ${percent(LEAST_SHARE)})`,
    ['', 'signatures', 'words', 'pictures', 'share', 'result'],
    [...rows(['as a template', asTheyAre]), ...rows(['adopted', adopted])],
  )
}

const CHARACTERS = 30_000
const ACTS = 40
/** As for the start of the pane. */
const SLOWER = 4
const MAX_ACT_MS = 100
const PATH = 'templates/a.html'
/** The steps until the frame has its document. */
const STEPS_TO_FRAME = ['act', 'draw', 'clean'] as const

const ROWS = [
  '<tr><td style="padding:2px 12px 2px 0;color:#24364b">{{#if phone}}<b>Office</b> {{phone}}, from nine to five{{/if}}</td></tr>\n',
  '<tr><td style="font:13px/18px Arial,sans-serif">Northwind Trading, <i>Harbour Street 12</i>, <a href="https://northwind.example/">northwind.example</a></td></tr>\n',
  '<tr><td><img src="https://northwind.example/logo.png" width="90" height="30" alt="Northwind Trading"></td></tr>\n',
]

/** A template of almost this many characters. */
function longTemplate(characters: number): string {
  const [begin, end] = ['<table cellpadding="0" cellspacing="0">\n', '</table>']
  let rows = ''
  for (let index = 0; ; index++) {
    const row = ROWS[index % ROWS.length] ?? ''
    if (begin.length + rows.length + row.length + end.length > characters) return begin + rows + end
    rows += row
  }
}

async function measureActs(browser: Browser, folder: string): Promise<string> {
  const text = longTemplate(CHARACTERS)
  const draft = draftOf({
    document: {
      ...releaseDocument,
      signatures: releaseDocument.signatures.filter(({ id }) => id === 'a'),
      templates: { ...releaseDocument.templates, [PATH]: text },
    },
  })
  return withBenchPage(browser, folder, { name: 'designPage', global: 'measureDesign' }, async (page) => {
    const network = await page.context().newCDPSession(page)
    const measure = async (rate: number): Promise<DesignTimes> => {
      await network.send('Emulation.setCPUThrottlingRate', { rate })
      return page.evaluate(([given, path, person, acts]) => window.measureDesign(given, path, person, acts), [
        draft,
        PATH,
        alex,
        ACTS,
      ] as const)
    }
    const rows: string[][] = []
    for (const rate of [1, SLOWER]) {
      const measured = await measure(rate)
      const whole = measured.act.map((_, index) =>
        STEPS_TO_FRAME.reduce((sum, step) => sum + (measured[step][index] ?? 0), 0),
      )
      rows.push([
        rate === 1 ? 'full speed' : `processor ${String(rate)} times slower`,
        ...STEPS_TO_FRAME.map((step) => digits(median(measured[step]))),
        spread(whole),
        rate === 1 ? '' : reached(median(whole) <= MAX_ACT_MS),
        digits(median(measured.find)),
      ])
    }
    return table(
      `An act in a template of ${text.length.toLocaleString('en-US')} characters (${String(ACTS)} acts each; median ms; goal: at most ${String(MAX_ACT_MS)})`,
      [
        '',
        'the edit',
        'rendering twice, with and without marks',
        'cleaning for the frame',
        'all until the frame has its document [least–most]',
        'result',
        'after that: cleaning with marks',
      ],
      rows,
    )
  })
}

/** The last commit before Design. */
const FORMER = '91bbe294'
const MAX_GROWTH_BYTES = 2_000

/** The page, and the scripts and style sheets that it loads at once. */
async function firstLoadOf(folder: string): Promise<readonly string[]> {
  const found = new Set<string>()
  const follow = async (name: string): Promise<void> => {
    if (found.has(name)) return
    found.add(name)
    const text = await readFile(join(folder, name), 'utf8')
    const next = name.endsWith('.html')
      ? text.matchAll(/<(?:script|link)[^>]*?\s(?:src|href)="?\/?([\w.-]+\.(?:js|css))\b/g)
      : name.endsWith('.js')
        ? text.matchAll(/\bimport\s*["']\.\/([^"']+\.js)["']/g)
        : []
    for (const [, file = ''] of next) await follow(file)
  }
  await follow('administration.html')
  return [...found]
}

/** The modules in built scripts by their paths in the project, with their characters. */
async function modulesIn(folder: string, files: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const modules = new Map<string, number>()
  for (const file of files.filter((each) => each.endsWith('.js'))) {
    const [code, map] = await Promise.all([
      readFile(join(folder, file), 'utf8'),
      readFile(join(folder, `${file}.map`), 'utf8'),
    ])
    for (const [module, text] of piecesOf({ code, map })) {
      const name = module?.replace(/^.*?\b(?=(?:streams|effects|views|src|node_modules)\/)/, '') ?? 'bundler'
      modules.set(name, (modules.get(name) ?? 0) + text.length)
    }
  }
  return modules
}

type FirstLoad = Readonly<{
  name: string
  files: number
  bytes: number
  gzip: number
  modules: ReadonlyMap<string, number>
}>

/** The number of modules in the table of growth. */
const LARGEST = 12

async function measureFirstLoad(note: (line: string) => void): Promise<string> {
  const former = join(PROJECT, '.signet/bench', FORMER)
  await checkOut(FORMER, former)
  const sizes: FirstLoad[] = []
  for (const { name, root } of [
    { name: FORMER, root: former },
    { name: 'Signet', root: PROJECT },
  ]) {
    note(`Building the administration page of ${name} …`)
    const { openBuilds } = (await loadFrom(root, 'src/build/builds.ts')) as typeof buildsModule
    const { build, end } = openBuilds({ tell: note })
    const folder = await build('administration').finally(end)
    const files = await firstLoadOf(folder)
    const contents = await Promise.all(files.map((file) => readFile(join(folder, file))))
    sizes.push({
      name,
      files: files.length,
      bytes: contents.reduce((sum, { length }) => sum + length, 0),
      gzip: contents.reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0),
      modules: await modulesIn(folder, files),
    })
  }
  const [before, now] = [sizes[0]?.gzip ?? 0, sizes[1]]
  const added = [...(now?.modules ?? [])]
    .map(([module, length]) => [module, length - (sizes[0]?.modules.get(module) ?? 0)] as const)
    .sort(([, one], [, other]) => other - one)
    .slice(0, LARGEST)
  const growth = table(
    `The first load of the administration page (goal: at most ${kilobytes(MAX_GROWTH_BYTES)} more, gzip -9)`,
    ['', 'files', 'bytes', 'gzip -9', 'growth', 'result'],
    sizes.map(({ name, files, bytes, gzip }, index) => [
      ...[name, String(files), kilobytes(bytes), kilobytes(gzip)],
      ...(index === 0
        ? ['', '']
        : [
            `${kilobytes(gzip - before)}, ${times(gzip / before)}`,
            reached(gzip - before <= MAX_GROWTH_BYTES),
          ]),
    ]),
  )
  return `${growth}\n${table(
    'The modules that the first load grew by most, before compression',
    ['', 'growth'],
    added.map(([module, length]) => [module, kilobytes(length)]),
  )}`
}

/** @param note is called with the progress */
export async function measureDesign({
  print,
  note,
}: Readonly<{ print: (report: string) => void; note: (line: string) => void }>): Promise<void> {
  note('What can be changed …')
  print(await measureShares(note))
  // Parcel reads the project's configuration only for files inside the project.
  const dist = join(PROJECT, 'dist')
  await mkdir(dist, { recursive: true })
  const folder = await mkdtemp(join(dist, 'bench-'))
  const browser = await launchChromium({ kind: 'browser' })
  try {
    note('Acts …')
    print(
      `Node ${process.versions.node}, Chromium ${browser.version()}, ${String(availableParallelism())} cores, load ${digits(loadavg()[0] ?? 0)}.\n`,
    )
    print(await measureActs(browser, folder))
  } finally {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  }
  print(await measureFirstLoad(note))
}
