import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../src/cli/command.ts'
import { launchChromium } from './chromium.ts'

// The page that `signet preview` writes for the demonstration; a plan is made of the same parts.

const DEMONSTRATION = join(import.meta.dirname, '../../src/service/demonstration/signatures')

let browser: Browser
let folder: string
let file: string

beforeAll(async () => {
  browser = await launchChromium()
  folder = await mkdtemp(join(tmpdir(), 'signet-preview-'))
  file = join(folder, 'preview.html')
  const words = ['preview', DEMONSTRATION, '--person', 'alex.kim@northwind.example', '--out', file]
  await runCommand(words, {
    write: () => undefined,
    complain: () => undefined,
    confirm: null,
    environment: {},
    fetch,
    open: () => undefined,
    now: () => Date.parse('2026-10-01T12:00:00Z'),
  })
})
afterAll(async () => {
  await browser.close()
  await rm(folder, { recursive: true, force: true })
})

describe.each([
  [1280, 'light'],
  [320, 'dark'],
] as const)('a preview at %i pixels, %s', (width, colorScheme) => {
  it('shows each signature whole, and axe-core finds nothing', async () => {
    // The policy of the page keeps every script out, that of axe-core too.
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true })
    await page.goto(pathToFileURL(file).href)
    const frames = page.frames().slice(1)
    expect(frames.length).toBeGreaterThan(20)
    const cut = await Promise.all(
      frames.map((frame) =>
        frame.evaluate(() => {
          const { scrollWidth, scrollHeight } = document.documentElement
          return scrollWidth > innerWidth || scrollHeight > innerHeight
        }),
      ),
    )
    expect(cut).not.toContain(true)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await page.evaluate(axe.source)
    const found = await page.evaluate(async () => {
      const { run } = (window as unknown as { axe: typeof axe }).axe
      const { violations } = await run(document, { iframes: false, resultTypes: ['violations'] })
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
    })
    expect(found).toEqual([])
    await page.close()
  })
})
