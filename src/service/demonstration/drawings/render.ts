/**
 * Renders each .svg in this folder as a .png of the demonstration, at twice its size: `npm run pictures`. Writes the
 * gallery logo as a constant.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { pictureHash } from '../../../folder/pictures.ts'

const GALLERY_PICTURES = join(
  import.meta.dirname,
  '../../../../streams/organisation/release/galleryPictures.ts',
)

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '',
  args: ['--no-sandbox'],
})
const page = await browser.newPage({ deviceScaleFactor: 2 })
for (const name of await readdir(import.meta.dirname, { recursive: true })) {
  if (!name.endsWith('.svg')) continue
  // The catalogue is part of the signatures that are difficult to display.
  const folder = name.startsWith('catalogue') ? '../difficult/pictures' : '../signatures/pictures'
  const path = join(import.meta.dirname, folder, name.replace(/svg$/, 'png'))
  await page.setContent(
    `<style>body { margin: 0 }</style>${await readFile(join(import.meta.dirname, name), 'utf8')}`,
  )
  const drawn = page.locator('svg')
  if (name !== join('gallery', 'logo.svg')) await drawn.screenshot({ path, omitBackground: true })
  else {
    const bytes = await drawn.screenshot({ omitBackground: true })
    await writeFile(GALLERY_PICTURES, constantOf(bytes))
  }
}
await browser.close()

/** The source of the logo module. The page and the command both import it, so neither reads a file. */
function constantOf(bytes: Buffer): string {
  return `// Written by \`npm run pictures\`.
export const LOGO = {
  hash: '${pictureHash(bytes)}',
  mediaType: 'image/png',
  base64:
    '${bytes.toString('base64')}',
} as const
`
}
