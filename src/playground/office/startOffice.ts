import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { onSignals } from '../../build/terminal.ts'
import { startOfficePlayground } from './office.ts'

// npm run start:office starts the playground with the shipped add-in and Microsoft's own library.

const PROJECT = join(import.meta.dirname, '..', '..', '..')
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']
const APPLICATIONS = ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
)

const say = (line: string) => void process.stdout.write(`${line}\n`)
const quoted = (text: string) => (/^[\w./:=@+-]+$/.test(text) ? text : `"${text}"`)

function findBrowser(): string | null {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  if (CHROMIUM_PATH) return CHROMIUM_PATH
  const places = PATH.split(delimiter).flatMap((folder) => BROWSERS.map((name) => join(folder, name)))
  return [...places, ...APPLICATIONS].find((path) => existsSync(path)) ?? null
}

async function main(): Promise<void> {
  let end: () => void = () => process.exit(1)
  onSignals(() => end())
  say('Building Signet as it ships …')
  const playground = await startOfficePlayground({
    ports: { host: 4440, pane: 4443, microsoft: 4444, service: 4401, identityProvider: 4402 },
    dataFolder: join(PROJECT, '.signet/service'),
    libraryFolder: join(PROJECT, '.signet/office-js'),
    colleagues: true,
    tell: say,
  })
  const profile = await mkdtemp(join(tmpdir(), 'signet-browser-'))
  const args = [
    `--user-data-dir=${profile}`,
    '--no-first-run',
    ...playground.browserArguments,
    playground.url,
  ]
  const found = findBrowser()
  // As root, Chromium has no sandbox, so the browser is not started.
  const browser = found !== null && process.getuid?.() !== 0 ? spawn(found, args, { stdio: 'ignore' }) : null
  browser?.on('error', () => say('The browser could not be started.'))
  say(
    [
      `Signet is at ${playground.url}`,
      "This machine serves Microsoft's library, so the page needs a browser with these arguments and a separate profile.",
      browser ? 'It has been started. The command is:' : 'Start Chromium, Chrome or Edge:',
      `  ${[found ?? 'chromium', ...args].map(quoted).join(' ')}`,
      'Stop it with Ctrl-C.',
    ].join('\n'),
  )

  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    browser?.kill()
    await playground.close()
    await rm(profile, { recursive: true, force: true, maxRetries: 3 })
    process.exit(0)
  }
  end = () => void stop()
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
