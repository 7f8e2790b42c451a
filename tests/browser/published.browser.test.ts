import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from './chromium.ts'
import { servePage } from './ownPage.ts'
import type { probes } from './publishedPage.ts'
import { probeRxjs } from './publishedProbe.ts'

// A page that the project's own bundler built, beside the packages as they are published: rxjs as Node loads it, and
// DOMPurify, which needs a document, as a file that the same page loads.

declare global {
  interface Window {
    probes: typeof probes
  }
}

let page: Page
const end: (() => unknown)[] = []
beforeAll(async () => {
  const served = await servePage('publishedPage.html')
  end.push(served.close)
  const browser = await launchChromium()
  end.push(() => browser.close())
  page = await browser.newPage()
  await page.goto(`${served.address}/`)
  await page.waitForFunction(() => 'probes' in window)
})
afterAll(async () => {
  for (const close of end.reverse()) await close()
})

test('[PUB-1] rxjs in a built page answers as under Node', async () => {
  const expected = await probeRxjs()
  expect(expected['observed']).toContain('finalize')
  expect(await page.evaluate(() => window.probes.rxjs())).toEqual(expected)
})

test('[PUB-1] DOMPurify in a built page answers as its published file', async () => {
  const file = await readFile(fileURLToPath(import.meta.resolve('dompurify')), 'utf8')
  await page.route('**/purify.published.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: file }),
  )
  await page.addScriptTag({
    type: 'module',
    content: "import published from '/purify.published.js'; Object.assign(window, { published })",
  })
  await page.waitForFunction(() => 'published' in window)
  const expected = await page.evaluate(() => window.probes.publishedPurify())
  expect(expected).toMatchObject({ version: expect.stringMatching(/^3\./) as string })
  expect(await page.evaluate(() => window.probes.bundledPurify())).toEqual(expected)
})
