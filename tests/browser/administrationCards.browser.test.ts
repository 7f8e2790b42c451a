import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { eventually } from './pane.ts'
import { useAdministration } from './sharedAdministration.ts'

// The order of the cards. Only a browser drags, and knows where a card is drawn.

const { share } = useAdministration()

const cards = (page: Page): Locator => page.locator('main ol').first().locator(':scope > li')
const namesOn = (page: Page) => cards(page).locator('h2 a').allTextContents()
const handle = (page: Page, name: string): Locator =>
  page.getByRole('button', { name: `Move ${name}`, exact: true })
/** The places of the cards in the page. */
const placesOn = (page: Page) =>
  cards(page).evaluateAll((all) =>
    all.map((card) => {
      const { x, y, width, height } = card.getBoundingClientRect()
      return [x + scrollX, y + scrollY, width, height].map(Math.round)
    }),
  )

async function open(width: number): Promise<Page> {
  const page = await share('/signatures', { viewport: { width, height: 900 } })
  await handle(page, 'Short').waitFor()
  // Terms are added when the figures are there.
  await page.getByText('Default of').first().waitFor()
  return page
}

/** Moves the mouse to a part of an element. Over another element, the browser reports the place of a second movement. */
async function pointAt(page: Page, place: Locator, right: number, below: number): Promise<void> {
  const box = await place.boundingBox()
  if (!box) throw new Error('It is not drawn')
  const [x, y] = [box.x + box.width * right, box.y + box.height * below]
  await page.mouse.move(x, y, { steps: 4 })
  await page.mouse.move(x + 1, y)
}

/** Presses the mouse on a part of a card. A drag begins with the next movement. */
async function grab(page: Page, part: Locator): Promise<void> {
  await part.scrollIntoViewIfNeeded()
  await part.hover({ force: true })
  await page.mouse.down()
}

const dropsOn = (page: Page) =>
  cards(page).evaluateAll((all) =>
    all.map((card) => card.dataset['drop'] ?? '').filter((edge) => edge !== ''),
  )

const dragged = (page: Page) => page.locator('main ol > li[data-dragged=true] h2 a').allTextContents()

describe('a card that is dragged', () => {
  test('goes where a line showed it, and until then no card moves', async () => {
    const page = await open(1280)
    const [first = '', second = '', third = '', ...others] = await namesOn(page)
    const before = await placesOn(page)
    await grab(page, handle(page, first).locator('..'))
    await pointAt(page, cards(page).nth(2), 0.8, 0.3)
    await eventually(() => dropsOn(page)).toEqual(['right'])
    expect(await placesOn(page)).toEqual(before)
    expect(await dragged(page)).toEqual([first])
    // Beside its own place, it would not move.
    await pointAt(page, cards(page).nth(1), 0.2, 0.3)
    await eventually(() => dropsOn(page)).toEqual([])
    await pointAt(page, cards(page).nth(2), 0.2, 0.3)
    await eventually(() => dropsOn(page)).toEqual(['left'])
    // Between two cards, the line stays.
    await pointAt(page, cards(page).nth(2), -0.03, 0.3)
    expect(await dropsOn(page)).toEqual(['left'])
    await page.mouse.up()
    await eventually(() => namesOn(page)).toEqual([second, first, third, ...others])
    expect([await dropsOn(page), await dragged(page)]).toEqual([[], []])
    await page
      .getByText(`Moved to 2 of ${String(others.length + 3)}: ${first}`)
      .waitFor({ state: 'attached' })

    // The card itself can be dragged too, and beside the list nothing is dropped.
    const title = page.getByRole('link', { name: third, exact: true })
    await grab(page, title)
    await pointAt(page, cards(page).nth(0), 0.2, 0.3)
    await eventually(() => dropsOn(page)).toEqual(['left'])
    await pointAt(page, page.getByRole('heading', { level: 1 }), 0.5, 0.5)
    await eventually(() => dropsOn(page)).toEqual([])
    await page.mouse.up()
    await eventually(() => dragged(page)).toEqual([])
    expect(await namesOn(page)).toEqual([second, first, third, ...others])
    await grab(page, title)
    await pointAt(page, cards(page).nth(0), 0.2, 0.3)
    await eventually(() => dropsOn(page)).toEqual(['left'])
    await page.mouse.up()
    await eventually(() => namesOn(page)).toEqual([third, second, first, ...others])
  })

  test('goes above or below another one where there is one column, and nowhere while cards are hidden', async () => {
    const page = await open(360)
    const [first = '', second = '', ...others] = await namesOn(page)
    await grab(page, handle(page, first).locator('..'))
    await pointAt(page, cards(page).nth(1), 0.1, 0.8)
    await eventually(() => dropsOn(page)).toEqual(['below'])
    await page.mouse.up()
    await eventually(() => namesOn(page)).toEqual([second, first, ...others])
    await grab(page, handle(page, first).locator('..'))
    await pointAt(page, cards(page).nth(0), 0.9, 0.9)
    await eventually(() => dropsOn(page)).toEqual([])
    await page.mouse.up()

    await page.getByRole('searchbox', { name: 'Search signatures' }).fill('s')
    await page.getByText(/^\d+ of \d+ signatures$/).waitFor()
    const left = await namesOn(page)
    await grab(page, handle(page, left[0] ?? '').locator('..'))
    await pointAt(page, cards(page).nth(1), 0.5, 0.9)
    expect(await dropsOn(page)).toEqual([])
    await page.mouse.up()
    expect(await namesOn(page)).toEqual(left)

    // The search is kept on the way to a signature and back.
    await page.getByRole('link', { name: left[1] ?? '', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: left[1] ?? '' }).waitFor()
    await page.getByRole('link', { name: 'All signatures' }).click()
    await eventually(() => namesOn(page)).toEqual(left)
    expect(await page.getByRole('searchbox', { name: 'Search signatures' }).inputValue()).toBe('s')
  })
})

describe('the first change of a draft', () => {
  const topOf = (place: Locator) => place.evaluate((element) => element.getBoundingClientRect().top + scrollY)
  const changes = (page: Page) => page.getByRole('button', { name: 'See what would change' })

  test.each([1280, 800, 320])('moves no card in a window of %i pixels', async (width) => {
    const page = await open(width)
    const list = page.locator('main ol').first()
    const before = await topOf(list)
    expect(await changes(page).count()).toBe(0)
    await handle(page, 'Short').press('Home')
    await changes(page).waitFor()
    expect(await topOf(list)).toBe(before)
  })

  test.each([1280, 800, 320])('moves no signature in a window of %i pixels', async (width) => {
    const page = await share('/signatures/id/standard', { viewport: { width, height: 900 } })
    const tree = page.getByRole('tree')
    const logo = page.getByRole('treeitem', { name: 'Picture: Northwind Trading', exact: true })
    await logo.waitFor()
    const before = await topOf(tree)
    await logo.click()
    await page.keyboard.press('Control+d')
    await changes(page).waitFor()
    expect(await topOf(tree)).toBe(before)
  })
})

describe('a card that is moved by a key', () => {
  test('keeps the focus on its handle, in sight', async () => {
    const page = await open(1280)
    const [first = '', ...others] = await namesOn(page)
    const moving = handle(page, first)
    await moving.focus()
    await page.keyboard.press('End')
    await eventually(() => namesOn(page)).toEqual([...others, first])
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await eventually(async () => (await namesOn(page)).indexOf(first)).toBe(others.length - 2)
    expect(await moving.evaluate((element) => element.matches(':focus'))).toBe(true)
    const box = await moving.boundingBox()
    expect(box?.y).toBeGreaterThan(0)
    expect(box && box.y + box.height).toBeLessThan(900)
  })
})
