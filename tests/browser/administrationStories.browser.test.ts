import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Language } from '../../streams/wire/languages.ts'
import { IS_LONG } from '../support/cases.ts'
import { administrationStories } from '../support/administration/stories.ts'
import { administrationStateAfter, type AdministrationStory } from '../support/administration/story.ts'
import { axeFindings } from './axeFindings.ts'
import { launchChromium } from './chromium.ts'
import { servePage } from './ownPage.ts'
import { layoutFindings } from './layout.ts'
import { type Look, lookNames, looks } from './storyPages.ts'

/** A phone, or a window beside another one; a laptop; and a large screen. */
const WIDTHS_PX = [320, 1280, 1920] as const
const HEIGHT_PX = 800

let browser: Browser
let address: string
const end: (() => unknown)[] = []

beforeAll(async () => {
  const served = await servePage('administrationStories.html')
  end.push(served.close)
  address = served.address
  browser = await launchChromium()
  end.push(() => browser.close())
}, 180_000)
afterAll(async () => {
  for (const close of end.reverse()) await close()
})

/**
 * Frames are measured, and code that is loaded when it is needed is there. The network is no sign: the browser does not
 * finish frames that are out of sight.
 */
const settled = (page: Page) =>
  page.waitForFunction(() => !document.querySelector('iframe[aria-hidden=true], [data-waits]'))

async function show(page: Page, { log, clicks, name }: AdministrationStory, language: Language) {
  const state = administrationStateAfter(...log)
  await page.mouse.move(0, 0)
  await page.evaluate(([drawn, shown]) => window.stories?.draw(drawn, shown), [state, language] as const)
  await page.locator('h1').first().waitFor()
  for (const place of clicks) {
    const control = page.locator(place).first()
    // A wide window does not show the button of the areas.
    await ((await control.isVisible()) ? control.click() : control.dispatchEvent('click'))
  }
  await settled(page)
  if ((await page.locator('#root').innerText()) === '') throw new Error(`Nothing is drawn of “${name}”`)
}

/** `npm run test:long` judges each story in every look and language at every width by every rule. */
const looksOf = (kind: AdministrationStory['kind']): readonly Look[] =>
  kind === 'view' || IS_LONG ? lookNames : ['light']
const languagesOf = (kind: AdministrationStory['kind']): readonly Language[] =>
  kind === 'view' || IS_LONG ? ['en', 'de'] : ['en']

/** What of the page is visible. Of what axe-core judges, a width changes this, and the sizes and colours of it. */
const visibleParts = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('#root *')]
      .filter((element) => element.checkVisibility())
      .map(({ localName }) => localName)
      .join(),
  )

test('axe-core finds nothing in any story of the administration page, and each fits at 320, 1,280 and 1,920 pixels', async () => {
  const found: string[] = []
  let judged = 0
  let widths: readonly number[] = WIDTHS_PX
  const page = await browser.newPage({ ...looks.light, viewport: { width: WIDTHS_PX[0], height: HEIGHT_PX } })
  await page.addInitScript(axe.source)
  // The compiler wraps named functions in calls of this helper, which the page does not define.
  await page.addInitScript('globalThis.__name ??= (value) => value')
  let complaint: string
  page.on('console', (said) => {
    if (said.type() === 'error') complaint = said.text()
  })
  await page.goto(address)
  await page.waitForFunction(() => window.stories !== undefined)
  for (const language of ['en', 'de'] as const)
    for (const story of administrationStories()) {
      if (!languagesOf(story.kind).includes(language)) continue
      complaint = ''
      await show(page, story, language)
      const parts = new Set<string>()
      for (const width of widths) {
        await page.setViewportSize({ width, height: HEIGHT_PX })
        await settled(page)
        const cell = `${story.name}, ${language}, ${String(width)}`
        for (const finding of await layoutFindings(page)) found.push(`${cell}: ${finding}`)
        // The rules of axe-core are about what there is, so they judge it once, unless another width shows other parts.
        const before = parts.size
        parts.add(await visibleParts(page))
        if (!IS_LONG && (language !== 'en' || parts.size === before)) continue
        // A look changes the colours of what is drawn: it is not drawn again.
        for (const look of looksOf(story.kind)) {
          if (look !== 'light') await page.emulateMedia(looks[look])
          if (look !== 'light' && IS_LONG)
            for (const finding of await layoutFindings(page)) found.push(`${cell}, ${look}: ${finding}`)
          for (const finding of await axeFindings(page, look)) found.push(`${cell}, ${look}: ${finding}`)
          judged += 1
        }
        await page.emulateMedia(looks.light)
      }
      // The next story begins at the width of this one's end.
      widths = widths.toReversed()
      if (complaint !== '') found.push(`${story.name}, ${language}: ${complaint}`)
    }
  await page.close()
  expect(judged).toBeGreaterThanOrEqual(administrationStories().length)
  expect(found.join('\n')).toBe('')
}, 900_000)
