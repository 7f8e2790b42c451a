import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, delimiter, join } from 'node:path'
import { type Browser, type LaunchOptions, chromium } from 'playwright-core'

const isRoot = process.getuid?.() === 0

/** Paths where a Chromium, a Chrome or an Edge usually is, best first; most of them do not exist. */
function usualPlaces(): readonly string[] {
  const { PATH = '', LOCALAPPDATA, PROGRAMFILES } = process.env
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
      return ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
        .concat('microsoft-edge', 'microsoft-edge-stable', 'msedge')
        .flatMap((name) =>
          [...PATH.split(delimiter), '/usr/bin', '/snap/bin'].map((folder) => join(folder, name)),
        )
  }
}

/** Some distributions have a `chromium-browser` that only says how to install it; asked for its version it fails. */
const runs = (path: string): boolean =>
  existsSync(path) && (process.platform !== 'linux' || spawnSync(path, ['--version']).status === 0)

function findChromium(): string | null {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH !== undefined && CHROMIUM_PATH !== '') {
    if (existsSync(CHROMIUM_PATH)) return CHROMIUM_PATH
    throw new Error(`CHROMIUM_PATH names ${CHROMIUM_PATH}, where no file is.`)
  }
  return [...usualPlaces(), chromium.executablePath()].find(runs) ?? null
}

type Attempt = Readonly<{ program: string; args: readonly string[] }>

/** What may put a Chromium on this machine, one list of commands a way, the way to try first in front. */
function waysToInstall(): readonly (readonly Attempt[])[] {
  const playwright = join(dirname(createRequire(import.meta.url).resolve('playwright-core')), 'cli.js')
  const isDebian =
    existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
  const withLibraries = isRoot && process.platform === 'linux' ? ['--with-deps'] : []
  return [
    ...(isRoot && isDebian
      ? [
          [
            { program: 'apt-get', args: ['update'] },
            { program: 'apt-get', args: ['install', '-y', 'chromium'] },
          ],
        ]
      : []),
    [{ program: process.execPath, args: [playwright, 'install', ...withLibraries, 'chromium'] }],
  ]
}

/**
 * The path of a Chromium that runs: the one that `CHROMIUM_PATH` names, one of this machine (Chromium, Chrome or
 * Edge), or Playwright's own. Where there is none it is installed, which needs the network. Fails with an `Error`
 * that says how to get one.
 */
export function ensureChromium(): string {
  const found = findChromium()
  if (found !== null) return found

  const problems: string[] = []
  for (const way of waysToInstall()) {
    try {
      for (const { program, args } of way) {
        process.stderr.write(`No Chromium found. Running: ${[program, ...args].join(' ')}\n`)
        execFileSync(program, args, {
          stdio: ['ignore', process.stderr, process.stderr],
          env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
        })
      }
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
    const installed = findChromium()
    if (installed !== null) return installed
  }
  throw new Error(
    [
      'The browser tests need a Chromium, and none could be found or installed.',
      ...problems.map((problem) => `- ${problem}`),
      'Install Chromium, Chrome or Edge, run `npx playwright-core install chromium`, or set CHROMIUM_PATH.',
    ].join('\n'),
  )
}

/**
 * Starts a headless Chromium that reaches this machine only: any other name does not resolve. The sandbox is on,
 * except for root, for whom Chromium has none. The caller closes the browser.
 */
export const launchChromium = (
  options: Pick<LaunchOptions, 'args' | 'ignoreDefaultArgs'> = {},
): Promise<Browser> =>
  chromium.launch({
    ...options,
    executablePath: ensureChromium(),
    chromiumSandbox: !isRoot,
    args: [
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      ...(options.args ?? []),
    ],
  })
