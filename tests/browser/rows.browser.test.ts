import type { FrameLocator, Locator, Page, Route } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { PAGE_SIZE } from '../../streams/message/signatures/list.ts'
import {
  chooseInMenu,
  eventually,
  type Opened,
  option,
  serveList,
  service,
  untilInMessage,
  useBrowser,
} from './pane.ts'
import { servers } from './servers.ts'

const DEFAULT = 'portrait-u-1'
const { open, share } = useBrowser()

beforeEach(() => service.reset())
afterEach(() => service.restore())

/** Where the row begins in the visible part of the pane, in CSS pixels. */
const placeOf = (row: Locator): Promise<number> =>
  row.evaluate((element) => element.getBoundingClientRect().top)

/** The same once it rests: a hover scrolls, and the pictures above may still be on their way. */
async function restingPlaceOf(row: Locator): Promise<number> {
  let place = NaN
  await eventually(async () => {
    const former = place
    place = await placeOf(row)
    return place - former
  }).toBe(0)
  return place
}

/** The name of the option that has the focus, and whether all of it is between the bar and the foot. */
const focused = (pane: FrameLocator) =>
  pane.locator('body').evaluate((body) => {
    const { activeElement, defaultView } = body.ownerDocument
    const row = activeElement?.closest('[role=option]')
    const { top, bottom } = row?.getBoundingClientRect() ?? { top: -1, bottom: -1 }
    const foot = body.querySelector('footer')?.getBoundingClientRect().top ?? defaultView?.innerHeight ?? 0
    return [row?.querySelector('span')?.textContent, top >= 0 && bottom <= foot + 1]
  })

/**
 * The user's list, whose pages of five wait until they are let through. The pane's background read of all pictures asks
 * for larger pages, and never waits.
 */
async function servePages(page: Page, count: number) {
  const waiting: { number: number; go: () => void }[] = []
  let isOpen = true
  const objects = Array.from({ length: count }, (_, index) => ({
    name: `Signature ${index + 1}`,
    // Some are higher than others.
    signature: `<p>Alex Kim, version ${index + 1}</p>`.repeat(1 + (index % 4)),
    combined_ids: `many-${index}`,
    base64_embedded_images: [],
  }))
  // Others share nothing: the place of the next page is right above the last option.
  await page.route('**/signatures/get/batch*', (route) =>
    route.request().method() === 'OPTIONS'
      ? route.continue()
      : route.fulfill({
          headers: { 'Access-Control-Allow-Origin': servers().pages },
          json: { objects: [], total: 0, page: 1 },
        }),
  )
  await page.route('**/signatures-cache/api/v1/signatures?*', async (route: Route) => {
    if (route.request().method() === 'OPTIONS') return route.continue()
    const { searchParams } = new URL(route.request().url())
    const number = Number(searchParams.get('page'))
    const size = Number(searchParams.get('per_page'))
    if (!isOpen && size === PAGE_SIZE) await new Promise<void>((go) => waiting.push({ number, go }))
    await route.fulfill({
      headers: { 'Access-Control-Allow-Origin': servers().pages },
      json: { objects: objects.slice((number - 1) * size, number * size), total: count, page: number },
    })
  })
  return {
    hold: () => {
      isOpen = false
    },
    /** Lets the page through that waits, once there is one. */
    next: async () => {
      await eventually(() => waiting.length).toBeGreaterThan(0)
      waiting.shift()?.go()
    },
    release: () => {
      isOpen = true
      for (const { go } of waiting.splice(0)) go()
    },
  }
}

/** The playground with many signatures, of which the first page is loaded. */
async function openMany(): Promise<Opened & { pages: Awaited<ReturnType<typeof servePages>> }> {
  const playground = await open()
  const { page, pane } = playground
  await untilInMessage(playground, DEFAULT)
  // So many that the default is not looked for on all of them.
  const pages = await servePages(page, 80)
  await page.reload()
  await option(pane, 'Signature 1').waitFor()
  pages.hold()
  onTestFinished(pages.release)
  return { ...playground, pages }
}

const sizeOf = (pane: FrameLocator) =>
  pane.locator('[role=option]').first().getAttribute('aria-setsize').then(Number)

describe('[CHOOSE-8] rows', () => {
  it('have their places from their first frame on', async () => {
    const objects = Array.from({ length: 40 }, (_, index) => ({
      name: `Signature ${index + 1}${' with a long name'.repeat(index % 4)}`,
      signature: `<p>Alex Kim, version ${index + 1}</p>`.repeat(1 + (index % 4)),
      combined_ids: `many-${index}`,
      base64_embedded_images: [],
    }))
    const { page, pane } = await open({ arrange: (each) => serveList(each, objects) })
    await option(pane, 'Signature 1').waitFor()
    // Each row in each frame, from the first one that draws it.
    const moved = await page
      .frameLocator('iframe[title="Signet"]')
      .locator('body')
      .evaluate(
        (body) =>
          new Promise<string[]>((resolve) => {
            const places = new Map<string, number>()
            const found: string[] = []
            const root = body.ownerDocument.documentElement
            let frames = 0
            const look = () => {
              for (const row of body.querySelectorAll<HTMLElement>('[role=option][data-row^=user]')) {
                const { row: key = '' } = row.dataset
                const at = row.offsetTop
                const before = places.get(key)
                if (before !== undefined && before !== at) found.push(`${key} from ${before} to ${at}`)
                places.set(key, at)
              }
              root.scrollTop = frames * 60
              if (++frames === 40) resolve(found)
              else requestAnimationFrame(look)
            }
            requestAnimationFrame(look)
          }),
      )
    expect(moved).toEqual([])
  })

  it('leave the focused option where it is when pages load above it, after End and by Tab', async () => {
    const { page, pane, pages } = await openMany()
    await option(pane, 'Signature 1').focus()
    await page.keyboard.press('End')
    await eventually(() => focused(pane)).toEqual(['No signature', true])
    const last = option(pane, 'No signature')
    const before = await placeOf(last)
    for (let more = 0; more < 3; more++) {
      const size = await sizeOf(pane)
      await pages.next()
      await eventually(() => sizeOf(pane)).toBeGreaterThan(size)
      expect(await focused(pane)).toEqual(['No signature', true])
      expect(Math.abs((await placeOf(last)) - before)).toBeLessThanOrEqual(1)
    }
    // Away from the list and back by the Tab key.
    await page.keyboard.press('Home')
    await eventually(() => focused(pane)).toMatchObject({ 1: true })
    const first = await focused(pane)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Tab')
    expect(await focused(pane)).toEqual(first)
  })

  it('leave the row under the pointer where it is, whatever happens', async () => {
    const { pane, pages } = await openMany()
    // Under the pointer, below the place of the next page: nothing has the focus.
    const row = option(pane, 'No signature')
    await pane.locator('html').evaluate((root) => {
      root.scrollTop = root.scrollHeight
    })
    await row.hover()
    const before = await restingPlaceOf(row)
    const holds = async () => expect(Math.abs((await placeOf(row)) - before)).toBeLessThanOrEqual(1)
    const size = await sizeOf(pane)
    await pages.next()
    await eventually(() => sizeOf(pane)).toBeGreaterThan(size)
    await holds()
  })

  it('leave the row under the pointer where it is when others are marked, made default or fail', async () => {
    const playground = await open()
    const { page, pane } = playground
    await untilInMessage(playground, DEFAULT)
    const row = option(pane, 'Short')
    await row.hover()
    const before = await restingPlaceOf(row)
    const holds = async () => {
      expect(Math.abs((await placeOf(row)) - before)).toBeLessThanOrEqual(1)
    }
    /** By a click without the pointer, as by a keyboard. */
    const press = (button: Locator) => button.evaluate((element) => (element as HTMLElement).click())
    const star = pane.locator('[aria-label="Favourite: With portrait"]')
    await press(star)
    await eventually(() => star.getAttribute('aria-pressed')).toBe('true')
    await holds()
    await press(pane.locator('[aria-label="More options for Northwind standard"]'))
    await press(pane.getByRole('menuitem', { name: 'Make default', exact: true }))
    await eventually(() => option(pane, 'Northwind standard').textContent()).toContain('Default')
    // The new default goes into the message by itself. Only then is the failure that of the click.
    await untilInMessage(playground, 'standard-u-1')
    await holds()
    await page.evaluate(() =>
      window.playground.fail('body.setSignatureAsync', { code: 5000, name: 'Host Error' }),
    )
    // The pointer is there since the hover. A click by the locator could scroll the page by itself.
    await pane.getByRole('menu').waitFor({ state: 'hidden' })
    await page.mouse.down()
    await page.mouse.up()
    await eventually(() => row.textContent()).toContain('Not inserted')
    await holds()
  })
})

describe('Escape', () => {
  it('undoes where a hint says so, and not right after a menu', async () => {
    const playground = await share()
    const { page, pane } = playground
    await untilInMessage(playground, DEFAULT)
    await option(pane, 'Short').click()
    await untilInMessage(playground, 'short-u-1')
    await pane.getByText('Esc undoes').waitFor({ state: 'visible' })
    await chooseInMenu(pane, 'Short', 'Copy')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await pane.getByText('Esc undoes').waitFor({ state: 'hidden' })
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await pane.getByText('Esc undoes').waitFor({ state: 'visible' })
    await page.keyboard.press('Escape')
    await untilInMessage(playground, DEFAULT)
  })
})
