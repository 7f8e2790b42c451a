import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type Browser, firefox } from 'playwright-core'
import { programArguments } from '../../src/programs/programArguments.ts'

/** Where a Firefox usually is, the ESR first. */
function usualPlaces(): readonly string[] {
  if (process.platform === 'darwin') return ['/Applications/Firefox.app/Contents/MacOS/firefox']
  return ['firefox-esr', 'firefox'].flatMap((name) =>
    [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/snap/bin'].map((folder) =>
      join(folder, name),
    ),
  )
}

/** The Firefox of `FIREFOX_PATH`, or one of this machine. Throws an `Error` that says how to get one. */
function findFirefox(): string {
  const wanted = process.env['FIREFOX_PATH']
  const found = (wanted ? [wanted] : usualPlaces()).find(
    (path) => existsSync(path) && spawnSync(path, ['--version']).status === 0,
  )
  if (found !== undefined) return found
  throw new Error(
    [
      wanted
        ? `FIREFOX_PATH is ${wanted}, which does not run.`
        : 'These tests need a Firefox, and none is here.',
      'On Debian: apt-get install firefox-esr. Elsewhere install Firefox, or set FIREFOX_PATH.',
    ].join('\n'),
  )
}

const PREFERENCES = {
  // What Playwright cannot emulate in Firefox: no motion, and the light theme.
  'ui.prefersReducedMotion': 1,
  'ui.systemUsesDarkTheme': 0,
  'layout.css.prefers-color-scheme.content-override': 1,
  // Only this machine answers.
  'network.dns.localDomains': 'localhost',
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
}

/** Starts a headless Firefox over WebDriver BiDi. The caller closes it. */
export async function launchFirefox(): Promise<Browser> {
  const program = findFirefox()
  // Playwright starts one executable file; this one starts the relay, which starts Firefox.
  const folder = mkdtempSync(join(tmpdir(), 'signet-firefox-'))
  const executablePath = join(folder, 'firefox')
  const command = [process.execPath, ...programArguments('tests/browser/firefoxRelay.ts', program)]
  writeFileSync(executablePath, `#!/bin/sh\nexec ${command.map((part) => `'${part}'`).join(' ')} "$@"\n`, {
    mode: 0o755,
  })
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath,
    firefoxUserPrefs: PREFERENCES,
    timeout: 60_000,
  })
  browser.on('disconnected', () => rmSync(folder, { recursive: true, force: true }))
  return browser
}
