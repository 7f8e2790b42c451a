/** Renders every .svg of this folder as the .png beside it, at twice its size: `npm run pictures`. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '',
  args: ['--no-sandbox'],
})
const page = await browser.newPage({ deviceScaleFactor: 2 })
for (const name of await readdir(import.meta.dirname, { recursive: true })) {
  if (!name.endsWith('.svg')) continue
  const file = join(import.meta.dirname, name)
  await page.setContent(`<style>body { margin: 0 }</style>${await readFile(file, 'utf8')}`)
  await page.locator('svg').screenshot({ path: file.replace(/svg$/, 'png'), omitBackground: true })
}
await browser.close()
