import type { Frame, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { eventually, option, service, untilInMessage, useBrowser } from './pane.ts'

/** The pane that Outlook opens on a laptop with 1366 × 768 pixels, in CSS pixels. */
const LAPTOP = { width: 320, height: 549 } as const
/** Below this size, in CSS pixels, text is a texture. */
const READABLE_PX = 8

const { open } = useBrowser()

beforeEach(() => service.reset())

/** The playground with a pane of this size. */
async function openOnLaptop() {
  const styles = `#pane { width: ${LAPTOP.width}px !important } iframe[title="Signet"] { flex: none; height: ${LAPTOP.height}px !important }`
  const playground = await open({
    arrange: (page) =>
      page.addInitScript((css) => {
        if (window !== window.top) return
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(css)
        document.adoptedStyleSheets.push(sheet)
      }, styles),
  })
  await untilInMessage(playground, 'portrait-u-1')
  await option(playground.pane, 'Northwind standard').waitFor()
  return playground
}

const frameOf = async (page: Page): Promise<Frame> =>
  (await (await page.locator('iframe[title="Signet"]').elementHandle()).contentFrame()) ??
  expect.fail('there is no pane')

/** The names of the options that are whole between the bar and the foot. */
const wholeOptions = async (page: Page): Promise<readonly (string | undefined)[]> =>
  (await frameOf(page)).evaluate(() => {
    const top = document.querySelector('[data-sticky]')?.getBoundingClientRect().bottom ?? 0
    const bottom = document.querySelector('footer')?.getBoundingClientRect().top ?? innerHeight
    return [...document.querySelectorAll('[role=option]')]
      .filter((each) => {
        const box = each.getBoundingClientRect()
        return box.top >= top && box.bottom <= bottom
      })
      .map((each) => each.querySelector('span')?.textContent)
  })

/** The scale of each drawn excerpt, and the smallest text in it, as drawn, in CSS pixels. */
const excerpts = async (page: Page) => {
  const frames = await (await frameOf(page)).$$('[role=option] iframe')
  return Promise.all(
    frames.map(async (frame) => {
      const scale = await frame.evaluate((each) => each.getBoundingClientRect().width / each.clientWidth)
      const content = (await frame.contentFrame()) ?? expect.fail('an excerpt is empty')
      const smallest = await content.evaluate(() => {
        const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
        const sizes: number[] = []
        for (let node = words.nextNode(); node; node = words.nextNode())
          if (node.textContent?.trim() && node.parentElement)
            sizes.push(parseFloat(getComputedStyle(node.parentElement).fontSize))
        return Math.min(...sizes)
      })
      return { scale: Math.round(scale * 1000) / 1000, drawn: smallest * scale }
    }),
  )
}

/** The parts of the page that scroll sideways, or would without being cut. */
const wideParts = async (page: Page): Promise<readonly string[]> =>
  (await frameOf(page)).evaluate(() =>
    [document.documentElement, ...document.querySelectorAll<HTMLElement>('nav, nav *')]
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
      .map((each) => each.outerHTML.slice(0, 80)),
  )

describe('on a laptop', () => {
  it('two whole signatures are in sight when the pane is open with a message, and after a choice', async () => {
    const playground = await openOnLaptop()
    const { page, pane } = playground
    expect((await wholeOptions(page)).slice(0, 2)).toEqual(['With portrait', 'Northwind standard'])
    await option(pane, 'Northwind standard').click()
    await untilInMessage(playground, 'standard-u-1')
    expect(await wholeOptions(page)).toHaveLength(2)
  })

  it('the excerpts have one scale, at which their text is readable', async () => {
    const { page } = await openOnLaptop()
    await eventually(async () => {
      await (await frameOf(page)).evaluate(() => scrollBy(0, 200))
      return (await excerpts(page)).length
    }).toBeGreaterThan(4)
    const drawn = await excerpts(page)
    expect(new Set(drawn.map(({ scale }) => scale)).size).toBe(1)
    expect(Math.min(...drawn.map((each) => each.drawn))).toBeGreaterThanOrEqual(READABLE_PX)
  })

  it('each collection is reached by mouse and keyboard without scrolling sideways', async () => {
    const { page, pane } = await openOnLaptop()
    const folders = pane.getByRole('navigation', { name: 'Which signatures' })
    const button = folders.getByRole('button', { name: 'Collections' })
    await button.focus()
    await page.keyboard.press('Enter')
    const links = folders.getByRole('link')
    await links.first().waitFor({ state: 'visible' })
    expect(await wideParts(page)).toEqual([])
    const boxes = await (
      await frameOf(page)
    ).evaluate(() =>
      [...document.querySelectorAll('nav ul a')].map((link) => {
        const { left, right, top, bottom } = link.getBoundingClientRect()
        return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight
      }),
    )
    expect(boxes.length).toBeGreaterThan(3)
    expect(boxes).not.toContain(false)
    await page.keyboard.press('Escape')
    await links.first().waitFor({ state: 'hidden' })
    expect(await button.evaluate((each) => each === document.activeElement)).toBe(true)
    await button.click()
    await folders.getByRole('link', { name: 'Campaigns' }).click()
    await pane.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor()
    expect(await wideParts(page)).toEqual([])
  })

  it('the versions of a signature unfold below it, and what has the pointer stays', async () => {
    const playground = await openOnLaptop()
    const { page, pane } = playground
    const button = pane.getByRole('button', { name: '+2 versions, With portrait', includeHidden: true })
    const before = await button.boundingBox()
    await button.click()
    await option(pane, 'With portrait (reply version)').waitFor()
    expect(await button.boundingBox()).toEqual(before)
    await option(pane, 'With portrait (reply version)').click()
    await eventually(() => option(pane, 'With portrait (reply version)').getAttribute('aria-selected')).toBe(
      'true',
    )
    await page.keyboard.press('ArrowLeft')
    await eventually(() => option(pane, 'With portrait').getAttribute('aria-selected')).toBe('true')
  })
})
