/** Renders every .svg of this folder as a .png of the demonstration, at twice its size: `npm run pictures`. */
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
  // The catalogue belongs to the signatures that are difficult to show.
  const folder = name.startsWith('catalogue') ? '../difficult/pictures' : '../signatures/pictures'
  const path = join(import.meta.dirname, folder, name.replace(/svg$/, 'png'))
  await page.setContent(
    `<style>body { margin: 0 }</style>${await readFile(join(import.meta.dirname, name), 'utf8')}`,
  )
  await page.locator('svg').screenshot({ path, omitBackground: true })
}
await browser.close()
