import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { unpackFolder } from '../../src/administration/adapters/archive.ts'
import { readFolder } from '../../src/folder/readFolder.ts'
import { releaseIdOf } from '../../src/service/publishing/plans.ts'
import { goToArea, useAdministration } from './sharedAdministration.ts'

// The areas Signatures and Plan of the administration page, over a real service and a real identity provider.

const { share } = useAdministration()
const DEMONSTRATION = join(import.meta.dirname, '../../src/service/demonstration/signatures')
const CORPORATE = 'templates/corporate.html'

async function open(): Promise<Page> {
  const page = await share('/signatures')
  await page.getByRole('heading', { name: 'Begin from a folder' }).waitFor()
  return page
}

/** Makes the demonstration's folder the draft, which has no errors, and opens the page of all its files. */
async function openDraft(): Promise<Page> {
  const page = await open()
  await page.getByLabel('Choose a folder').setInputFiles(DEMONSTRATION)
  await page.getByText(UNPUBLISHED).waitFor()
  await page.getByRole('link', { name: 'All files' }).press('Enter')
  await page.getByRole('region', { name: 'Templates', exact: true }).waitFor()
  return page
}

const UNPUBLISHED = 'You see changes that are not published yet.'
const toPlan = (page: Page): Locator => page.getByRole('button', { name: 'See what would change' })

const preview = (page: Page): Locator => page.locator(`${PREVIEW}:not([aria-hidden])`)
const PREVIEW = 'iframe[title="Preview of the template"]'
const editor = (page: Page): Locator => page.getByRole('textbox', { name: `Template ${CORPORATE}` })

/** Waits until the preview has these words. It is drawn when it is near the visible part of the page. */
async function untilPreview(page: Page, words: string): Promise<void> {
  await page.getByRole('region', { name: 'Preview', exact: true }).scrollIntoViewIfNeeded()
  await preview(page).contentFrame().getByText(words).waitFor()
}

/** Opens the template from the list, with the keyboard, and waits for the editor's own code. */
async function openTemplate(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Choose a template' }).press('Enter')
  await page.getByRole('button', { name: CORPORATE }).press('Enter')
  await editor(page).waitFor()
  // A plain text field stands there until that code is loaded, and stays while it has the focus.
  await page.waitForFunction(() => !document.querySelector('[data-waits]'))
}

/** Goes on with the Tab key until the focus is there. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element.matches(':focus'))) return
    await page.keyboard.press('Tab')
  }
  throw new Error('The Tab key does not reach it')
}

describe('a draft on the page', () => {
  test('[SRV-34] is edited, planned, published and saved by keyboard alone, and its folder is that release', async () => {
    const page = await openDraft()
    await openTemplate(page)
    await tabTo(page, editor(page))
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('Warm wishes ')
    await untilPreview(page, 'Warm wishes')

    // Tab indents; after Escape it leaves, as the hint above the editor says.
    await page.getByText('Press Escape, then Tab, to leave the editor.').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    expect(await editor(page).evaluate((element) => element.matches(':focus'))).toBe(false)

    await toPlan(page).focus()
    await page.keyboard.press('Enter')
    await page.getByText(/^Changes to .*\d+ signatures?.*, for \d+ of \d+ people[.;]/).waitFor()
    await tabTo(page, page.locator('main summary').filter({ hasText: 'changes in new messages' }).first())
    expect(await page.locator('main figure').count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.locator('main figure').nth(1).waitFor()

    await tabTo(page, page.getByRole('button', { name: 'Publish this plan' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByLabel('Note for the history'))
    await page.keyboard.type('Warm wishes')
    await tabTo(
      page,
      page.getByRole('dialog').getByRole('button', { name: /^Publish for \d+ (person|people)$/ }),
    )
    await page.keyboard.press('Enter')
    await page.getByText(/^Published as release \d+\./).waitFor()
    await tabTo(page, page.getByRole('main').getByRole('link', { name: 'Roll back' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.locator('summary[aria-label*="Warm wishes"]').first())
    await page.keyboard.press('Enter')
    const published = await page.locator('details[open] code').innerText()

    await page.getByRole('link', { name: 'Signatures' }).press('Enter')
    const save = page.getByRole('button', { name: 'Save what is published as a folder' })
    await save.focus()
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    const content = unpackFolder(readFileSync(await download.path()), 'x.zip')
    if ('reason' in content) throw new Error(content.reason)
    const folder = await mkdtemp(join(tmpdir(), 'signet-exported-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    for (const [path, bytes] of content.files) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), bytes)
    }
    const read = await readFolder(folder)
    expect(read.document.templates[CORPORATE]).toMatch(/^Warm wishes /)
    expect(published).toBe(releaseIdOf(read.document))
  })

  test('is there again when the page is opened again, with what was typed last', async () => {
    const page = await openDraft()
    await openTemplate(page)
    await editor(page).focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('Still here ')
    await untilPreview(page, 'Still here')
    await page.reload()
    await openTemplate(page)
    await untilPreview(page, 'Still here')
    await toPlan(page).click()
    await page.getByText('This is your draft from an earlier visit').waitFor()
    await page.getByRole('button', { name: 'Discard the draft' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard the draft' }).click()
    await page.getByText('Nothing is changed').waitFor()
    await page.reload()
    await page.getByText('Nothing is changed').waitFor()
  })

  test('[ADOPT-10] names what is wrong while it is typed, completes names, and draws a QR code', async () => {
    const page = await openDraft()
    await openTemplate(page)
    // The editor is coloured without a style that the policy of the page would have to allow.
    const styles = await editor(page).evaluate((element) => {
      const root = element.getRootNode() as ShadowRoot
      return { adopted: root.adoptedStyleSheets.length, elements: root.querySelectorAll('style').length }
    })
    expect(styles.elements).toBe(0)
    expect(styles.adopted).toBeGreaterThan(0)

    await editor(page).focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('{{no_such}} ')
    await page.getByText('There is no variable no_such.').first().waitFor()
    await page.getByRole('button', { name: 'Line 1, column 1' }).press('Enter')
    expect(await editor(page).evaluate((element) => element.matches(':focus'))).toBe(true)
    await page.keyboard.press('Shift+End')
    await page.keyboard.press('Delete')
    await page.getByText('1 placeholder is wrong.').waitFor({ state: 'detached' })
    await page.keyboard.type('{{first_na')
    await page.getByText('1 placeholder is wrong.').waitFor()
    // The editor takes no Enter for a suggestion that has only just come, so that none is chosen by mistake.
    await page.getByRole('option', { name: /^first_name/ }).click()
    await page.getByText('1 placeholder is wrong.').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('Warm wishes ')
    await untilPreview(page, 'Warm wishes')

    await page.keyboard.type('<img src="{{qr https://a.example/}}" alt="Site of A"> ')
    const code = preview(page).contentFrame().locator('img[alt="Site of A"][src^="data:image/png;base64,"]')
    await code.waitFor()
    expect(
      await code.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBe(429)
  })
})

describe('a signature on the page', () => {
  test('is given another rule, previewed, planned, published and rolled back by keyboard alone', async () => {
    const page = await open()
    await tabTo(page, page.getByRole('link', { name: 'Short', exact: true }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Short' }).waitFor()
    await tabTo(page, page.getByRole('radio', { name: 'Design' }))
    await page.keyboard.press('ArrowRight')
    await tabTo(page, page.getByLabel('Name', { exact: true }))
    await page.keyboard.press('End')
    await page.keyboard.type(' and plain')
    await page.getByText('Shown in Short and plain, New message.').waitFor()
    await tabTo(page, page.getByLabel('Groups').first())
    await page.keyboard.press('Control+A')
    await page.keyboard.type('captains')
    await page.getByText('This person does not have this signature').waitFor()

    await toPlan(page).focus()
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'Publish this plan' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: /^Publish/ }))
    await page.keyboard.press('Enter')
    await page.getByText(/^Published as release \d+\./).waitFor()
    await tabTo(page, page.getByRole('main').getByRole('link', { name: 'Roll back' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: /^Roll back to Release/ }).first())
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Roll back' }))
    await page.keyboard.press('Enter')
    await page.getByText('is published again.').waitFor()
    await page.getByRole('link', { name: 'Signatures' }).press('Enter')
    await page.getByRole('link', { name: 'Short', exact: true }).waitFor()
  })
})

/**
 * Scrolls through the opened changes until every frame in them has its own height. A frame is drawn when it comes near
 * the window, so the parts below it move while somebody opens every change at once and presses Tab as fast as a test.
 */
async function drawEveryFrame(page: Page): Promise<void> {
  const left = () =>
    page.evaluate(() => {
      const rows = [...document.querySelectorAll('main li > section > details')]
      const unmeasured = [...document.querySelectorAll('main [data-unmeasured]')]
      unmeasured[0]?.scrollIntoView()
      return rows.filter(({ childElementCount }) => childElementCount < 2).length + unmeasured.length
    })
  await expect.poll(left, { timeout: 30_000 }).toBe(0)
}

describe('the bar with the next step', () => {
  test.each([
    { width: 320, height: 640 },
    { width: 1280, height: 800 },
  ])('stays in sight in $width × $height, and covers nothing that has the focus', async (viewport) => {
    const page = await openDraft()
    await page.setViewportSize(viewport)
    await toPlan(page).press('Enter')
    const publish = page.getByRole('button', { name: 'Publish this plan' })
    await publish.waitFor()
    for (const summary of await page.locator('main summary').all()) await summary.press('Enter')
    await drawEveryFrame(page)
    /** The bar's edges, and whether the focused element is in the window, not behind the bar. */
    const seen = () =>
      page.evaluate(() => {
        const bar = document.querySelector('main section [data-sticky]')
        const focused = document.activeElement
        if (!bar || !focused) throw new Error('There is no bar, or no focus')
        const edges = bar.getBoundingClientRect()
        const { top, bottom, left, right } = focused.getBoundingClientRect()
        const isBehind = top < edges.bottom && edges.top < bottom && left < edges.right && edges.left < right
        return {
          isBarInSight: edges.top >= 0 && edges.bottom <= innerHeight,
          isAtTop: edges.top < innerHeight / 2,
          isFocusInSight: bar.contains(focused) || (bottom > 0 && top < innerHeight && !isBehind),
        }
      })
    const expected = { isBarInSight: true, isAtTop: viewport.width > 900, isFocusInSight: true }
    const first = page.getByRole('heading', { level: 1 })
    await first.focus()
    for (const key of ['Tab', 'Shift+Tab'])
      for (let presses = 0; presses < 25; presses += 1) {
        await page.keyboard.press(key)
        expect(await seen(), `${key} ${String(presses)}`).toEqual(expected)
      }
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    expect(await seen()).toMatchObject({ isBarInSight: true })
    // The end of the page is not behind the bar.
    const end = await page.evaluate(() => {
      const bar = document.querySelector('main section [data-sticky]')?.getBoundingClientRect()
      const last = document.querySelector('[data-discard]')?.getBoundingClientRect()
      return bar && last && (last.bottom <= bar.top || bar.bottom <= last.top)
    })
    expect(end).toBe(true)
  })

  test('asks once more, and gives the focus back when the administrator escapes', async () => {
    const page = await openDraft()
    await toPlan(page).press('Enter')
    const publish = page.getByRole('button', { name: 'Publish this plan' }).first()
    await publish.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await publish.evaluate((element) => element.matches(':focus'))).toBe(true)
  })
})

describe('the source and its preview', () => {
  const HEIGHT_PX = 800

  /** The box of a part of the workbench in the window, when the workbench is scrolled to the top; null when hidden. */
  const boxOf = async (page: Page, part: Locator) => {
    const workbench = page.getByRole('region', { name: 'Templates', exact: true })
    await workbench.evaluate((element) => element.scrollIntoView({ block: 'start' }))
    return part.boundingBox()
  }
  const parts = (page: Page) => ({
    source: editor(page),
    mistakes: page.getByText('No mistakes in the placeholders.'),
    drawn: page.locator(PREVIEW).first(),
    person: page.getByRole('button', { name: 'Change what is shown' }),
    toSource: page.getByRole('radio', { name: 'Source' }),
    toPreview: page.getByRole('radio', { name: 'Preview' }),
  })

  test('are both in sight with the mistakes from 900 pixels on, where nothing moves them, and have a switch below', async () => {
    const page = await openDraft()
    await openTemplate(page)
    const { source, mistakes, drawn, person, toSource, toPreview } = parts(page)
    for (const width of [900, 1280]) {
      await page.setViewportSize({ width, height: HEIGHT_PX })
      await preview(page).waitFor()
      await mistakes.waitFor()
      const [left, below, right, who] = [
        await boxOf(page, source),
        await boxOf(page, mistakes),
        await boxOf(page, drawn),
        await boxOf(page, person),
      ]
      if (!left || !below || !right || !who) throw new Error('A part is not drawn')
      for (const { y, height } of [left, below, who]) {
        expect(y, String(width)).toBeGreaterThanOrEqual(0)
        expect(y + height, String(width)).toBeLessThanOrEqual(HEIGHT_PX)
      }
      // A signature is mostly less than 200 pixels high.
      expect(right.y + 200).toBeLessThanOrEqual(HEIGHT_PX)
      expect(right.x).toBeGreaterThan(left.x + left.width)
      expect(below.y).toBeGreaterThanOrEqual(left.y + left.height)
      expect(await toSource.isVisible()).toBe(false)

      // Typing moves neither of them, also when it is a mistake.
      await source.focus()
      await page.keyboard.press('Control+Home')
      await page.keyboard.type('{{no_such}}')
      await page.getByText('1 placeholder is wrong.').waitFor()
      expect(await boxOf(page, source)).toMatchObject({ x: left.x, y: left.y, width: left.width })
      expect((await boxOf(page, drawn))?.y).toBe(right.y)
      expect((await boxOf(page, person))?.y).toBe(who.y)
      for (let letters = '{{no_such}}'.length; letters > 0; letters -= 1)
        await page.keyboard.press('Backspace')
    }

    // It begins with the administrator. Another person does not move the preview.
    await person.press('Enter')
    await page.getByText('Shown for ').waitFor()
    const before = await boxOf(page, drawn)
    const change = page.getByRole('button', { name: 'Change person' })
    await change.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Search for a person').fill('a')
    await dialog.getByRole('list').getByRole('button').first().click()
    await dialog.waitFor({ state: 'detached' })
    expect(await change.evaluate((element) => element.matches(':focus'))).toBe(true)
    expect((await boxOf(page, drawn))?.y).toBe(before?.y)

    for (const width of [899, 320]) {
      await page.setViewportSize({ width, height: HEIGHT_PX })
      await toSource.waitFor()
      expect([await source.isVisible(), await person.isVisible()]).toEqual([true, false])
      await toSource.focus()
      await page.keyboard.press('ArrowRight')
      expect(await toPreview.isChecked()).toBe(true)
      expect([await source.isVisible(), await person.isVisible()]).toEqual([false, true])
      // What was chosen is kept.
      await goToArea(page, 'History')
      await page.getByRole('heading', { name: 'History', level: 1 }).waitFor()
      await goToArea(page, 'Signatures')
      await page.getByRole('link', { name: 'All files' }).click()
      await person.waitFor()
      await toPreview.focus()
      await page.keyboard.press('ArrowLeft')
      await source.waitFor()
      expect(await person.isVisible()).toBe(false)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
  })

  test('are both in sight on the page of a signature at 1280 × 800 pixels, as it opens', async () => {
    const page = await share('/signatures', { viewport: { width: 1280, height: HEIGHT_PX } })
    await page.getByRole('link', { name: 'Northwind standard' }).click()
    await page.getByRole('radio', { name: 'Source' }).first().check({ force: true })
    const { source, mistakes, drawn, person } = parts(page)
    await source.waitFor()
    await preview(page).waitFor()
    for (const part of [source, mistakes, drawn, person]) {
      const box = await part.boundingBox()
      expect(box && box.y + box.height).toBeLessThanOrEqual(HEIGHT_PX)
      expect(box?.y).toBeGreaterThanOrEqual(0)
    }
    expect(await page.evaluate(() => scrollY)).toBe(0)
  })
})
