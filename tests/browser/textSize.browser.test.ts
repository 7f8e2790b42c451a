import { expect, it } from 'vitest'
import { languages } from '../../streams/wire/languages.ts'
import { type Story, storiesOf } from '../support/stories.ts'
import { layoutFindings } from './layout.ts'
import { useBrowser } from './pane.ts'
import { servers } from './servers.ts'
import { looks, openStoryPage, textsIn } from './storyPages.ts'

// The narrowest pane with twice the text. Only Chromium lets a test change the browser's setting for the size of text.

const { browser } = useBrowser()

/** The browser's setting for the size of text; and the zoom of the whole page, which leaves half the pixels. */
const LARGE = {
  'text at 200 %': { viewport: { width: 320, height: 720 }, fontSize: 32 },
  'zoom of 200 %': { viewport: { width: 160, height: 360 }, fontSize: 16 },
} as const

/** Each view in one of the languages, and what every person needs in all; `npm run test:long` draws everything. */
const isDrawn = ({ kind, name, fails }: Story, index: number, language: number): boolean => {
  if (fails === 'noHost') return false
  if (process.env['LONG'] !== undefined) return true
  return ['dashboard', 'help'].includes(name) || (kind === 'view' && index % languages.length === language)
}

it.each(Object.entries(LARGE))(
  'with a %s, nothing is cut off or outside of the pane, and no word that has a line of its own is broken',
  async (how, { viewport, fontSize }) => {
    const page = await browser().newPage({ ...looks.light, viewport })
    const settings = await page.context().newCDPSession(page)
    await settings.send('Page.setFontSizes', { fontSizes: { standard: fontSize } })
    const storyPage = await openStoryPage(page, servers().pages)
    const rem = await page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).fontSize))
    expect(rem).toBe(fontSize)
    const found: string[] = []
    for (const [number, language] of languages.entries())
      for (const story of storiesOf(`${servers().service}/images`).filter((each, index) =>
        isDrawn(each, index, number),
      )) {
        await storyPage.show(story, language)
        for (const finding of await layoutFindings(page))
          found.push(`${story.name}, ${language}, ${how}: ${finding}`)
      }
    await page.close()
    expect(found.join('\n')).toBe('')
  },
  600_000,
)

it('the foot sticks to the edge of a high pane, and stands below the content of a low one', async () => {
  const page = await browser().newPage({ ...looks.light, viewport: { width: 320, height: 720 } })
  const storyPage = await openStoryPage(page, servers().pages)
  const story = storiesOf(`${servers().service}/images`).find(({ name }) => name === 'dashboard')
  if (!story) throw new Error('no dashboard')
  await storyPage.show(story, 'en')
  const foot = () => page.locator('footer').evaluate((element) => getComputedStyle(element).position)
  expect(await foot()).toBe('sticky')
  await storyPage.setSize(320, 390)
  expect(await foot()).toBe('static')
  await page.close()
})

it('the help is readable in a browser without a mail client, and leads nowhere into a pane', async () => {
  const page = await browser().newPage({ viewport: { width: 1024, height: 720 } })
  await page.goto(`${servers().pages}/pane.html#/help`)
  await page.getByRole('heading', { name: textsIn.en.help.title, exact: true }).waitFor()
  expect(await page.title()).toBe('Help – Signet')
  expect(await page.getByRole('link').count()).toBe(0)
  await page.close()
})
