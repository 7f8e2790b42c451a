import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { chromium } from 'playwright-core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ensureChromium, findInstallations } from '../browser/chromium.ts'

test('the commands that install a missing Chromium exist', () => {
  const commands = findInstallations('all').flat()
  expect(commands.at(-1)).toMatchObject({
    program: process.execPath,
    args: expect.arrayContaining(['install']),
  })
  for (const { program, args } of commands)
    for (const path of [program, ...args].filter(isAbsolute)) expect(existsSync(path), path).toBe(true)
})

/** A machine with only a Chromium and an `apt-get` with this body. */
function machineWithChromium(aptGet: string) {
  const folder = mkdtempSync(join(tmpdir(), 'signet-programs-'))
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    write.mockRestore()
    rmSync(folder, { recursive: true })
  })
  const programs = { chromium: 'exit 0', 'apt-get': aptGet }
  for (const [name, body] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  vi.stubEnv('PATH', folder)
  vi.stubEnv('CHROMIUM_PATH', '')
  return { folder, write }
}

// Playwright's own Chromium would also be found, and other systems search elsewhere.
const canHide = process.platform === 'linux' && !existsSync(chromium.executablePath())

test.runIf(canHide)('a headless shell is installed beside a Chromium, where this machine can', () => {
  const { folder } = machineWithChromium(
    `[ "$1" = update ] || { /bin/cp "$(/usr/bin/dirname "$0")/chromium" "$(/usr/bin/dirname "$0")/chromium-headless-shell"; }`,
  )
  const canInstall = findInstallations('shell').length > 0
  expect(ensureChromium('browser')).toBe(join(folder, 'chromium'))
  expect(ensureChromium('shell')).toBe(join(folder, canInstall ? 'chromium-headless-shell' : 'chromium'))
})

test.runIf(canHide)('without a headless shell the found Chromium is used, and this is said', () => {
  const { folder, write } = machineWithChromium('exit 1')
  expect(ensureChromium('shell')).toBe(join(folder, 'chromium'))
  expect(write.mock.lastCall?.[0]).toBe(
    `No headless shell of Chromium: the tests run in ${join(folder, 'chromium')}, slower.\n`,
  )
})
