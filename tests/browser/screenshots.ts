import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type RunningPlayground, startPlayground } from '../../src/playground/launch.ts'
import { type Story, storiesOf } from '../support/stories.ts'
import { launchChromium } from './chromium.ts'
import { HEIGHT_PX, type Look, looks, openStoryPage, WIDTHS_PX } from './storyPages.ts'
import { takeReadmePictures } from './readmePictures.ts'

// npm run screenshots: a picture of every view and state of the pane, and one page that shows them all. Arguments
// (`npm run screenshots -- details picture`) select the stories whose names contain one of them. --readme takes the
// pictures of the documentation instead, and selects them by their file names (`--readme design`).

const PROJECT = join(import.meta.dirname, '../..')
const FOLDER = join(PROJECT, 'dist/screenshots')
const pictured = ['light', 'dark'] as const satisfies readonly Look[]

/** Cuts off long lists, in CSS pixels. */
const MAX_HEIGHT_PX = 1_600

type Picture = Readonly<{ story: Story; look: Look; width: number; file: string }>

const fileOf = ({ name }: Story, look: Look, width: number): string =>
  `${name.replaceAll(/[^a-z]+/gi, '-')}-${look}-${width}.png`

const contactSheet = (pictures: readonly Picture[]): string => {
  const rows = [...new Set(pictures.map(({ story }) => story))].map((story) => {
    const images = pictures
      .filter((each) => each.story === story)
      .map(({ file, look, width }) => `<img src="${file}" width="${width}" alt="${look}, ${width} pixels">`)
    return `<section><h2>${story.name}</h2><div>${images.join('')}</div></section>`
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Every view and state of Signet</title>
<style>
body { margin: 24px; background: #8a8a8a; font: 14px/1.4 system-ui, sans-serif }
section { margin-bottom: 32px }
h2 { margin: 0 0 8px; font-size: 16px }
div { display: flex; gap: 16px; align-items: flex-start }
</style>
${rows.join('\n')}
</html>
`
}

const {
  values: { readme },
  positionals: wanted,
} = parseArgs({ options: { readme: { type: 'boolean', default: false } }, allowPositionals: true })
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.some((word) => name.includes(word))
const folder = join(PROJECT, '.signet/screenshots')
const playground = await startPlayground({
  ports: { pages: 0, service: 0, identityProvider: 0 },
  dataFolder: join(folder, 'data'),
  reset: true,
  // The pictures of the documentation show what `npm start` shows.
  colleagues: readme,
})
try {
  const taken = readme
    ? await takeReadmePictures(playground.url, join(PROJECT, 'docs/pictures'), isWanted)
    : await takeStories(playground)
  process.stdout.write(`${taken.join('\n')}\n`)
} finally {
  await playground.close()
}

/** Resolves with the path of the page that shows them all. */
async function takeStories({ url, serviceUrl }: RunningPlayground): Promise<readonly string[]> {
  const browser = await launchChromium({ kind: 'browser' })
  try {
    await rm(FOLDER, { recursive: true, force: true })
    await mkdir(FOLDER, { recursive: true })
    const stories = storiesOf(`${serviceUrl}/images`).filter(({ name }) => isWanted(name))
    const pictures: Picture[] = []
    for (const look of pictured)
      for (const width of WIDTHS_PX) {
        const page = await browser.newPage({ ...looks[look], viewport: { width, height: HEIGHT_PX } })
        const storyPage = await openStoryPage(page, url)
        for (const story of stories) {
          await storyPage.show(story, 'en')
          const file = fileOf(story, look, width)
          // As high as the content, so that the footer is below it.
          const height = await page.evaluate(() => document.documentElement.scrollHeight)
          await storyPage.setSize(width, Math.min(height, MAX_HEIGHT_PX))
          await page.screenshot({ path: join(FOLDER, file) })
          await storyPage.setSize(width, HEIGHT_PX)
          pictures.push({ story, look, width, file })
        }
        await page.close()
      }
    await writeFile(join(FOLDER, 'index.html'), contactSheet(pictures))
    return [`${String(pictures.length)} pictures: ${join(FOLDER, 'index.html')}`]
  } finally {
    await browser.close()
  }
}
