import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, delimiter, join } from 'node:path'
import { type Browser, type LaunchOptions, chromium } from 'playwright-core'

const IS_ROOT = process.getuid?.() === 0

/** Where a Chromium, a Chrome or an Edge usually is, the preferred one first. Most of these paths do not exist. */
function usualPlaces(): readonly string[] {
  const { LOCALAPPDATA, PROGRAMFILES } = process.env
  const programs = [LOCALAPPDATA, PROGRAMFILES, process.env['PROGRAMFILES(X86)']].filter(
    (folder) => folder !== undefined,
  )
  switch (process.platform) {
    case 'win32':
      return ['Chromium/Application/chrome.exe', 'Google/Chrome/Application/chrome.exe']
        .concat('Microsoft/Edge/Application/msedge.exe')
        .flatMap((program) => programs.map((folder) => join(folder, program)))
    case 'darwin':
      return ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
        (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
      )
    default:
      return onPath(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']).concat(
        onPath(['microsoft-edge', 'microsoft-edge-stable', 'msedge']),
      )
  }
}

const onPath = (names: readonly string[]): readonly string[] => {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/snap/bin']
  return names.flatMap((name) => folders.map((folder) => join(folder, name)))
}

/** False for the `chromium-browser` of some distributions, which only tells how to install it and fails. */
const runs = (path: string): boolean =>
  existsSync(path) && (process.platform !== 'linux' || spawnSync(path, ['--version']).status === 0)

/**
 * `shell`: Chromium without the browser around the page, where there is one. It runs the same engine in half of the
 * processor time, but has no popup blocker. `browser`: as users have it.
 */
type Kind = 'shell' | 'browser'

/** The shell that Playwright installs beside its Chromium: none, or one. */
function playwrightShells(): readonly string[] {
  const [, root, revision] = /^(.*)chromium-(\d+)[\\/]/.exec(chromium.executablePath()) ?? []
  const folder = `${root ?? ''}chromium_headless_shell-${revision ?? ''}`
  if (root === undefined || !existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?:chrome-headless-shell|headless_shell)(?:\.exe)?$/.test(path))
    .map((path) => join(folder, path))
}

function findShell(): string | null {
  const onMachine = process.platform === 'linux' ? onPath(['chromium-headless-shell']) : []
  return [...onMachine, ...playwrightShells()].find(runs) ?? null
}

const findBrowser = (): string | null => [...usualPlaces(), chromium.executablePath()].find(runs) ?? null

/** The one of `CHROMIUM_PATH`, for both kinds. */
function findChosen(): string | null {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH === undefined || CHROMIUM_PATH === '') return null
  if (existsSync(CHROMIUM_PATH)) return CHROMIUM_PATH
  throw new Error(`CHROMIUM_PATH is ${CHROMIUM_PATH}, and there is no such file.`)
}

/** What there is: the chosen one, a shell if it is to be one, or a browser. */
const find = (kind: Kind): string | null =>
  findChosen() ?? (kind === 'shell' ? findShell() : null) ?? findBrowser()

type Command = Readonly<{ program: string; args: readonly string[] }>
/** Commands that together install a Chromium. */
type Installation = readonly Command[]

/** The ways to install what is missing on this machine, in the order to try them. Computed without a browser. */
export function findInstallations(missing: 'all' | 'shell'): readonly Installation[] {
  const playwright = join(dirname(createRequire(import.meta.url).resolve('playwright-core')), 'cli.js')
  const isDebian =
    existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
  const withLibraries = IS_ROOT && process.platform === 'linux' ? ['--with-deps'] : []
  const packages = missing === 'all' ? ['chromium', 'chromium-headless-shell'] : ['chromium-headless-shell']
  const fromDebian: Installation = [
    { program: 'apt-get', args: ['update'] },
    { program: 'apt-get', args: ['install', '-y', ...packages] },
  ]
  const fromPlaywright: Installation = [
    { program: process.execPath, args: [playwright, 'install', ...withLibraries, 'chromium'] },
  ]
  return [...(IS_ROOT && isDebian ? [fromDebian] : []), ...(missing === 'all' ? [fromPlaywright] : [])]
}

/** Tries the installations until `find` finds something. `problems` grows by why one failed. */
function install(
  missing: 'all' | 'shell',
  find: () => string | null,
  problems: string[] = [],
): string | null {
  for (const installation of findInstallations(missing)) {
    try {
      for (const { program, args } of installation) {
        const what = missing === 'all' ? 'Chromium' : 'headless shell of Chromium'
        process.stderr.write(`No ${what} found. Running: ${[program, ...args].join(' ')}\n`)
        execFileSync(program, args, {
          stdio: ['ignore', process.stderr, process.stderr],
          env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
        })
      }
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
    const installed = find()
    if (installed !== null) return installed
  }
  return null
}

/**
 * The path of a Chromium that runs: the one of `CHROMIUM_PATH`, one of this machine (its headless shell, Chromium,
 * Chrome or Edge), or Playwright's own. Installs over the network what is missing; without a headless shell says so, and
 * returns the browser that was found. Throws an `Error` that says how to get one.
 */
export function ensureChromium(kind: Kind): string {
  const found = find(kind)
  if (found !== null) {
    const isEnough = kind === 'browser' || found === findChosen() || found === findShell()
    const shell = isEnough ? null : install('shell', findShell)
    if (!isEnough && shell === null)
      process.stderr.write(`No headless shell of Chromium: the tests run in ${found}, slower.\n`)
    return shell ?? found
  }
  const problems: string[] = []
  const installed = install('all', () => find(kind), problems)
  if (installed !== null) return installed
  throw new Error(
    [
      'The browser tests need a Chromium, and none could be found or installed.',
      ...problems.map((problem) => `- ${problem}`),
      'Install Chromium, Chrome or Edge, run `npx playwright-core install chromium`, or set CHROMIUM_PATH.',
    ].join('\n'),
  )
}

export type ChromiumOptions = Pick<LaunchOptions, 'args' | 'ignoreDefaultArgs'> & Readonly<{ kind?: Kind }>

const launchOptions = ({ args = [], kind = 'shell', ...options }: ChromiumOptions): LaunchOptions => ({
  ...options,
  executablePath: find(kind) ?? ensureChromium(kind),
  // Chromium has no sandbox for root.
  chromiumSandbox: !IS_ROOT,
  args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1', ...args],
})

/** Starts a headless Chromium that reaches only this machine: no other name resolves. The caller closes it. */
export const launchChromium = (options: ChromiumOptions = {}): Promise<Browser> =>
  chromium.launch(launchOptions(options))

let shared: Promise<Browser> | null = null

/** The Chromium that the test files of this process share. It ends with the process. */
export const sharedChromium = (): Promise<Browser> => (shared ??= launchChromium())
